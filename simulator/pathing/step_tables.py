"""Patterns of steps: the same line for every heading, for every phase, turns to the next heading.

>>> hexes = {0: (0, 1), 60: (-1, 1), 120: (-1, 0), 180: (0, -1), 240: (1, -1), 300: (1, 0)}
>>> steps = [*for_each_heading("forward", hexes, plane="ground"), *turns(tuple(hexes), cost=1)]
>>> len(steps), steps[1].name, steps[1].d_row, steps[1].from_heading
(18, 'forward', -1, 60)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.geometry.poses import Heading
from simulator.pathing.move_space import MoveStep


def for_each_heading(name: str, offsets: Mapping[Any, tuple[int, int]], **line: Any) -> list[MoveStep]:
    """Return one step for each heading, by the offset of that heading, which it keeps."""
    return [
        MoveStep(name, d_row, d_col, from_heading=heading, to_heading=heading, **line)
        for heading, (d_row, d_col) in offsets.items()
    ]


def in_each_phase(steps: Iterable[MoveStep], phases: Sequence[str]) -> list[MoveStep]:
    """Return every step once for each phase, which it keeps."""
    return [replace(step, from_phase=phase, to_phase=phase) for phase in phases for step in steps]


def turns(headings: Sequence[Heading], cost: int, by: int = 1, name: str = "turn", **line: Any) -> list[MoveStep]:
    """Return the turns on the spot, left and right, to the heading `by` places on in a circle of headings.

    Headings are listed counter-clockwise, so the next one lies to the left.
    """
    count = len(headings)
    ways = [("left", by)] if 2 * by == count else [("left", by), ("right", -by)]
    return [
        MoveStep(
            f"{name} {way}",
            0,
            0,
            from_heading=heading,
            to_heading=headings[(i + d) % count],
            cost=cost,
            **line,
        )
        for i, heading in enumerate(headings)
        for way, d in ways
    ]
