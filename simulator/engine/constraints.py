"""Constraints on fields of units without a list of values: a test, and a description of valid values.

    "passes": FieldSpec(1, clause="GR-4", wants=whole_value(1))
    "radius": FieldSpec(0.5, clause="SK-63", wants=number_value("a number of inches", above=0, most=100))

>>> whole_value(0, 9).about, [whole_value(0, 9).fits(value) for value in (9, 10, 2.5, True)]
('a whole number from 0 to 9', [True, False, False, False])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeGuard

from simulator.engine.dice import plain_dice
from simulator.engine.values import Number


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint on a value: its description, and a test of values in their plain form."""

    about: str
    fits: Callable[[Any], bool]


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number; True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> TypeGuard[Number]:
    """Whether a value is a number; True and False are not."""
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def whole_value(least: int | None = None, most: int | None = None) -> Constraint:
    """Return the constraint to a whole number within limits."""
    return Constraint(
        "a whole number" + _limits(least, most), lambda value: is_whole(value) and _is_within(value, least, most)
    )


def number_value(about: str = "a number", *, least: Any = None, above: Any = None, most: Any = None) -> Constraint:
    """Return the constraint to a number within limits, of which `above` is excluded."""
    beyond = "" if above is None else f" above {above}" + ("" if most is None else f" and up to {most}")
    return Constraint(
        about + (beyond or _limits(least, most)),
        lambda value: is_number(value) and _is_within(value, least, most) and (above is None or value > above),
    )


def _is_within(value: Any, least: Any, most: Any) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def _limits(least: Any, most: Any) -> str:
    if least is None:
        return "" if most is None else f" of at most {most}"
    return f" of {least} or more" if most is None else f" from {least} to {most}"


def or_nothing(constraint: Constraint) -> Constraint:
    """Return the same constraint, which also allows no value."""
    return replace(constraint, fits=lambda value: value is None or constraint.fits(value))


#: A name, or the empty text.
WORD = Constraint("a word", lambda value: isinstance(value, str))
WORDS = Constraint(
    "a list of words", lambda value: isinstance(value, tuple) and all(isinstance(one, str) for one in value)
)
DICE = Constraint("dice such as D10, 2D6 or 3D6+2", lambda value: not plain_dice(value))
