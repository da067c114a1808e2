"""Where a unit can end as far as it is known after some seconds: ground that it can end on, and all that it might.

Areas on inch tables may take seconds. Asked for with a deadline, they come in parts: `inner` has ends alone, outside of
`outer` there is none, and who has more time asks on with `refine`. On lattices all is known at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from simulator.engine.errors import WrongDuration
from simulator.engine.reach import ReachAnswer
from simulator.geometry.poses import Pose
from simulator.geometry.snapping import difference
from simulator.later import Later

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry

    from simulator.engine.table_reach import TableReach
else:
    shapely = Later("shapely")


def _duration(seconds: Any) -> float:
    """Return a number of seconds; raise WrongDuration for anything else."""
    try:
        number = float(seconds) if seconds >= 0.0 else -1.0
    except (TypeError, ValueError, OverflowError):  # not a number, or beyond all floats
        number = -1.0
    if number < 0.0:
        raise WrongDuration(f"an area is drawn for 0 seconds or more, not {seconds!r}")
    return number


class AreaSoFar:
    """What is known of the area of an answer by now."""

    def __init__(self, answer: ReachAnswer) -> None:
        """Begin to draw the area of an answer; nothing is known of it yet."""
        self.answer = answer
        self.is_whole = False
        self._parts, self._room = _parts_of(answer)
        self._drawn: Callable[[], BaseGeometry] = shapely.Polygon
        self._inner: BaseGeometry | None = None

    @property
    def inner(self) -> BaseGeometry:
        """Ground, lines and points that the unit can end on: all of them once `is_whole`, some of them before."""
        if self.is_whole:
            return self.answer.area
        if self._inner is None:
            self._inner = self._drawn()
        return self._inner

    @property
    def outer(self) -> BaseGeometry:
        """Ground outside of which the unit cannot end."""
        return self._room(self.is_whole)

    @property
    def gap(self) -> float:
        """The size of the ground of which it is not known yet, in the units of the board's plane."""
        return float(max(self.outer.area - self.inner.area, 0.0))

    @property
    def unknown(self) -> BaseGeometry:
        """The ground of which it is not known yet whether the unit can end on it: none once `is_whole`."""
        left = shapely.Polygon() if self.is_whole else difference(self.outer, self.inner)
        return shapely.Polygon() if left.is_empty else left

    def has(self, place: Any) -> bool | None:
        """Return whether the unit can end at a place or in a pose, as far as areas tell; None: that is not known yet.

        With a heading or a level a pose on known ground may still be none that it can end in: that is not known then.
        """
        if not hasattr(self.answer, "area_in_parts"):
            return place in self.answer
        pose = Pose.of(place)
        there = shapely.Point(pose.place[:2])
        if not self.outer.intersects(there):
            return False
        return True if pose.is_place and self.inner.intersects(there) else None

    def refine(self, seconds: float) -> AreaSoFar:
        """Go on for some seconds, or until all is known; what has begun by then is finished. Return this very object.

        Raise WrongDuration, which is a ValueError too, unless the seconds are a number of 0 or more.
        """
        until = time.monotonic() + _duration(seconds)
        while not self.is_whole:
            drawn = next(self._parts, None)
            if drawn is None:
                self.is_whole = True
            else:
                self._drawn, self._inner = drawn, None
            if time.monotonic() >= until:
                break
        return self

    def __repr__(self) -> str:
        known = "all" if self.is_whole else f"{self.inner.area:.4g} to {self.outer.area:.4g}"
        return f"<Area of {self.answer.mover.id} so far: {known}>"


def _parts_of(answer: ReachAnswer) -> tuple[Iterator[Callable[[], BaseGeometry]], Callable[[bool], BaseGeometry]]:
    """Return what draws more and more of the area of an answer, and the ground outside of which it cannot end.

    That is known better when the area is drawn as a whole.
    """
    if not hasattr(answer, "area_in_parts"):
        return _at_once(answer), lambda _: answer.area
    table = cast("TableReach[Any]", answer)
    return table.area_in_parts(), lambda whole: table.outer_area if whole else table.room()


def _at_once(answer: ReachAnswer) -> Iterator[Callable[[], BaseGeometry]]:
    area = answer.area
    yield lambda: area
