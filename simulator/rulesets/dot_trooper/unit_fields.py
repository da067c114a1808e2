"""Constraints on the fields of a card that are no plain numbers or words: cells, dots, mounts, HP rows."""

from __future__ import annotations

from typing import Any

from simulator.engine.constraints import Constraint, is_whole, or_nothing
from simulator.engine.values import Fields


def is_dot(value: Any) -> bool:
    """Whether a value is a dot: two whole numbers."""
    return isinstance(value, tuple) and len(value) == 2 and all(map(is_whole, value))


def _are_dots(value: Any) -> bool:
    return isinstance(value, tuple) and all(map(is_dot, value))


def cells(lowest: int, highest: int) -> Constraint:
    """Require a list of HP cells by their labels."""

    def fits(value: Any) -> bool:
        labels = range(lowest, highest + 1)
        return isinstance(value, tuple) and all(is_whole(label) and label in labels for label in value)

    return Constraint(f"a list of cells from {highest} down to {lowest}", fits)


def _is_mount(value: Any) -> bool:
    whole = isinstance(value, Fields) and {"weapon", "direction"} <= set(value)
    return whole and isinstance(value["weapon"], str) and is_whole(value["direction"])


DOTS = Constraint("a list of dots such as [3, 4]", _are_dots)
ARCS = Constraint(
    "a list of dots for each mounted weapon", lambda value: isinstance(value, tuple) and all(map(_are_dots, value))
)
MOUNTS = or_nothing(
    Constraint(
        "a list of mounts, each with its weapon and its direction in degrees left of the heading",
        lambda value: isinstance(value, tuple) and all(map(_is_mount, value)),
    )
)
