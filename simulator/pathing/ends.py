"""Ends of moves: a pose and its cost; ranges of headings of equal cost; costs of many poses.

>>> turned = HeadingRange(330, 30, 2)
>>> 0 in turned, 330 in turned, 31 in turned, str(turned)
(True, True, False, '330 to 30')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.geometry.angles import normalise
from simulator.geometry.poses import Heading, Level, Pose

FloatArray: TypeAlias = NDArray[np.float64]
#: Computes costs of places, all of them with one heading and level; None is any.
CostsOf: TypeAlias = Callable[[ArrayLike, Heading, Level], FloatArray]


@dataclass(frozen=True, slots=True)
class End:
    """One legal end of a move: the pose, its least cost, and on a lattice the phase of the search."""

    pose: Pose
    cost: Any
    phase: str = ""

    @property
    def place(self) -> Any:
        """The place of the end."""
        return self.pose.place

    @property
    def heading(self) -> Any:
        """The heading; None if the rules have no headings."""
        return self.pose.heading

    @property
    def level(self) -> Level:
        """The level; None if the board determines it."""
        return self.pose.level


@dataclass(frozen=True, slots=True)
class HeadingRange:
    """Headings in which a move can end at one cost: counter-clockwise from the first to the last, both included.

    0 to 360 is the whole circle; on a lattice, where headings may have names, the first and the last are the same.
    Where two ranges meet, the cheaper one counts.
    """

    first: Any
    last: Any
    cost: Any

    @classmethod
    def whole(cls, cost: Any) -> HeadingRange:
        """Return a range of all headings at one cost."""
        return cls(0, 360, cost)

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole circle."""
        return not isinstance(self.first, str) and bool(self.last - self.first >= 360)

    @property
    def middle(self) -> Heading:
        """The heading in its middle, which represents all of them; None for the whole circle."""
        if self.is_whole:
            return None
        return self.first if self.first == self.last else normalise(self.first + self.width / 2)

    @property
    def width(self) -> float:
        """Its width in degrees."""
        if isinstance(self.first, str):
            return 0.0
        return 360.0 if self.is_whole else normalise(self.last - self.first)

    def __contains__(self, heading: Any) -> bool:
        if isinstance(self.first, str) or isinstance(heading, str):
            return bool(heading == self.first)
        return self.is_whole or normalise(heading - self.first) <= self.width

    def __str__(self) -> str:
        if self.is_whole:
            return "any heading"
        first, last = (Pose((), end).state_text.removeprefix(" facing ") for end in (self.first, self.last))
        if first == last and self.width > 180.0:
            return "any heading"
        return first if first == last else f"{first} to {last}"


def cheapest_ranges(ranges: Iterable[HeadingRange]) -> tuple[HeadingRange, ...]:
    """Return ranges of least cost that cover the headings of some ranges, which may overlap.

    Where two meet, the heading between them has the cheaper cost.

    >>> [(str(one), one.cost) for one in cheapest_ranges([HeadingRange(0, 90, 2), HeadingRange(60, 120, 1)])]
    [('0 to 60', 2), ('60 to 120', 1)]
    """
    ordered = sorted(ranges, key=lambda one: (one.cost, str(one)))
    named = {one.first: one for one in reversed(ordered) if isinstance(one.first, str)}
    turned = [one for one in ordered if not isinstance(one.first, str)]
    whole = [one for one in turned if one.is_whole]
    # Ranges that cost no less than a whole circle are redundant.
    turned = [one for one in turned if not whole or one.cost < whole[0].cost] + whole[:1]
    cuts = sorted({normalise(end) for one in turned if not one.is_whole for end in (one.first, one.last)})
    if not cuts:
        return (*named.values(), *turned[:1])
    found: list[HeadingRange] = []
    for first, last in zip(cuts, [*cuts[1:], cuts[0] + 360], strict=True):
        at = next((one for one in turned if first in one), None)
        between = next((one for one in turned if (first + last) / 2 in one), None)
        if at is not None and (between is None or at.cost < between.cost):
            _add_range(found, HeadingRange(first, first, at.cost))
        if between is not None:
            _add_range(found, HeadingRange(first, last, between.cost))
    if len(found) > 1 and found[0].first == found[-1].last - 360 and found[0].cost == found[-1].cost:
        begun = found.pop()
        found[0] = HeadingRange(begun.first, found[0].last, begun.cost)
    return (*named.values(), *(HeadingRange(normalise(one.first), _end(one), one.cost) for one in found))


def _add_range(found: list[HeadingRange], one: HeadingRange) -> None:
    """Append a range, merged with the last one if it continues it at the same cost."""
    if found and found[-1].last == one.first and found[-1].cost == one.cost:
        found[-1] = HeadingRange(found[-1].first, one.last, one.cost)
    else:
        found.append(one)


def _end(one: HeadingRange) -> Any:
    return one.last if one.is_whole else normalise(one.last)


def costs_of_poses(places: ArrayLike | Sequence[Pose], pose_of: Callable[[Any], Pose], costs: CostsOf) -> FloatArray:
    """Compute costs of many places or poses, grouped by heading and level.

    `pose_of` converts a place or a pose to a pose.
    """
    if not isinstance(places, Sequence) or not any(isinstance(one, Pose) for one in places):
        return costs(cast(ArrayLike, places), None, None)
    poses = [pose_of(one) for one in places]
    alike: dict[tuple[Heading, Level], list[int]] = {}
    for number, pose in enumerate(poses):
        alike.setdefault((pose.heading, pose.level), []).append(number)
    found = np.empty(len(poses))
    for state, numbers in alike.items():
        found[numbers] = costs([poses[number].place for number in numbers], *state)
    return found
