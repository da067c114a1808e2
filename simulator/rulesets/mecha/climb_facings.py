"""Which ways a unit faces after a climb, from the ways that it may face at the foot; and how it turns for that.

It has to face the place of contact as it climbs, within a tolerance. Its free turn may come before or after; in
portions, both.

>>> facing = ClimbFacing(toward=0, tolerance=45, free=90)
>>> [(one.first, one.last) for one in facing.ends([HeadingRange(100, 100, 3)])]
[(10.0, 45.0)]
>>> facing.turned([HeadingRange(100, 100, 3)], 20)
Turns(start=100.0, before=-80.0, after=0.0)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from simulator.geometry.angles import normalise
from simulator.pathing.ends import HeadingRange

#: Degrees by which turns may be off that are computed.
_ROUNDED = 1e-9
#: A heading is taken so far inside a range, where there is room for it.
_INSIDE = 1e-10


class Turns(NamedTuple):
    """The heading at the foot, and the turns before the climb and after it."""

    start: float
    before: float
    after: float


@dataclass(frozen=True)
class ClimbFacing:
    """The direction of a contact, how far aside of it a unit may face as it climbs, and its free turn."""

    toward: float
    tolerance: float
    free: float
    split: bool = False

    def ends(self, ranges: Iterable[HeadingRange]) -> Iterator[HeadingRange]:
        """Yield the ways that it may face after the climb."""
        for one in ranges:
            for first, last in self._beside(one):
                for begin, end in self._faced(first, last):
                    if end - begin >= 360.0:
                        yield HeadingRange.whole(one.cost)
                    else:
                        yield HeadingRange(normalise(begin + self.toward), normalise(end + self.toward), one.cost)

    def _beside(self, one: HeadingRange) -> Iterator[tuple[float, float]]:
        """Headings as degrees left of the contact, once for each way round."""
        first = normalise(one.first - self.toward)
        for round_ in (-720.0, -360.0, 0.0, 360.0):
            yield first + round_, first + round_ + one.width

    def _faced(self, first: float, last: float) -> Iterator[tuple[float, float]]:
        """The degrees left of the contact at which it may face in the end, from some at the foot."""
        far, free = self.tolerance, self.free
        begin, end = max(first, -far), min(last, far)
        if begin <= end + _ROUNDED:
            yield begin - free, max(end, begin) + free
            return
        for sense, gap in ((1.0, -far - last), (-1.0, first - far)):
            if not 0.0 < gap <= free + _ROUNDED:
                continue
            nearest = last if sense > 0 else -first  # as if it turned to the left
            least = -far - (max(free - gap, 0.0) if self.split else 0.0)
            most = nearest + free if self.split else min(nearest + free, far)
            yield (least, most) if sense > 0 else (-most, -least)

    def turned(self, ranges: Iterable[HeadingRange], heading: float | None) -> Turns | None:
        """Return how it turns to face a heading after the climb, None for any; None if it cannot."""
        found = [
            turns
            for one in ranges
            for first, last in self._beside(one)
            for goal in self._goals(heading)
            for turns in self._ways(first, last, goal)
            if abs(turns.before) + abs(turns.after) <= self.free + _ROUNDED
            and (self.split or not (turns.before and turns.after))
            and abs(turns.start + turns.before) <= self.tolerance + _ROUNDED
        ]
        best = min(found, key=lambda turns: abs(turns.before) + abs(turns.after), default=None)
        return None if best is None else self._cut(best)._replace(start=normalise(best.start + self.toward))

    def _cut(self, turns: Turns) -> Turns:
        """Turns without what rounding has added to them beyond the free degrees."""
        beyond = abs(turns.before) + abs(turns.after) - self.free
        if beyond <= 0.0:
            return turns
        if abs(turns.before) >= abs(turns.after):
            return turns._replace(before=math.copysign(abs(turns.before) - beyond, turns.before))
        return turns._replace(after=math.copysign(abs(turns.after) - beyond, turns.after))

    def _goals(self, heading: float | None) -> list[float | None]:
        if heading is None:
            return [None]
        left = normalise(heading - self.toward)
        return [left - 360.0, left, left + 360.0]

    def _ways(self, first: float, last: float, goal: float | None) -> Iterator[Turns]:
        """Turns that may do, from headings at the foot near the contact, near the goal, or at either end."""
        wanted = [-self.tolerance, self.tolerance, 0.0, *([] if goal is None else [goal])]
        starts = {min(max(one, first), last) for one in (*wanted, first, last)}
        for start in starts:
            faced = {min(max(one, -self.tolerance), self.tolerance) for one in (start, *wanted[3:])}
            for climbing in faced:
                yield Turns(start, climbing - start, 0.0 if goal is None else goal - climbing)
            if goal is not None and abs(start) <= self.tolerance:
                yield Turns(start, 0.0, goal - start)


def well_inside(ranges: Iterable[HeadingRange], heading: float) -> float:
    """Return a heading just inside of the range that begins or ends with one, or that heading itself.

    >>> round(20 - well_inside([HeadingRange(350, 20, 3)], 20), 11), well_inside([HeadingRange(350, 20, 3)], 10)
    (1e-10, 10.0)
    """
    for one in ranges:
        from_first = normalise(heading - one.first + _ROUNDED) - _ROUNDED
        if from_first <= one.width + _ROUNDED:
            inside = min(_INSIDE, one.width / 2)
            return normalise(one.first + min(max(from_first, inside), one.width - inside))
    return heading
