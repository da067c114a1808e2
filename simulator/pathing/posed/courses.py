"""Headings that the ground favours: along the borders of ground that is cheap, and along slopes without climbing them.

A search turns to the limits of brackets, and those lead across a road, hardly ever along it. So it turns to such
headings as well, where they are of use.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.posed.ground_by_cells import GroundByCells
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.space import PoseSpace

#: Shorter borders do not matter, in inches.
_SHORT = 2.0
#: Borders that differ by fewer degrees are one course: that of the longest.
_ALIKE = 0.5
#: No area has more courses than its longest borders.
_MOST = 8


class Courses:
    """The headings that the ground of a space favours, each with the area on which it does."""

    def __init__(self, space: PoseSpace, lower: LowerPrices | None = None) -> None:
        """Find them; with the `lower` prices of the ground what is asked about poses is looked up for most of them."""
        ground = space.ground
        cheap = list(_cheap(ground))
        found = [(area, degrees) for area in cheap for degrees in _borders(ground, area)]
        # Just beside the limit of what counts as uphill.
        beside = ground.uphill.within + (4.0 if ground.uphill.inclusive else 0.0) * ROUNDING_OF_ANGLES
        found += [(area, way) for area, up in ground.slopes.items() for way in (up + beside, up - beside)]
        headings = {
            (area, round((degrees - aside) % 360.0, 9)) for area, degrees in found for aside in space.asides.tolist()
        }
        #: What an inch costs where there are no areas, and whether it costs less anywhere.
        self.plain, self.has_cheap = _plain(ground), bool(cheap)
        #: What lies under most places. Where there is cheap ground that is asked so often that narrow cells pay.
        if lower is None:
            self.known = GroundByCells.nothing(ground)
        else:
            self.known = lower.closer.known if cheap else lower.known
        self._ground, self._cheap = ground, np.array(cheap, np.intp)
        self._area = np.array([area for area, _ in sorted(headings)], np.intp)
        self._headings = np.array([degrees for _, degrees in sorted(headings)], np.float64)

    def like(self, other: Courses) -> bool:
        """Whether the same headings are favoured on the same areas."""
        return np.array_equal(self._area, other._area) and np.array_equal(self._headings, other._headings)

    @classmethod
    def on_several(
        cls, several: Sequence[Courses], whose: IntArray, places: FloatArray, headings: FloatArray
    ) -> tuple[IntArray, FloatArray]:
        """Return the same of poses as `on`, for those of several movers whose courses are alike, on the same areas."""
        first = several[0]
        if not len(first._area):
            return np.zeros(0, np.intp), np.zeros(0)
        found, near = np.zeros((len(places), len(first._area)), np.bool_), np.zeros(len(places), np.bool_)
        for number, courses in enumerate(several):
            row = np.flatnonzero(whose == number)
            kinds = courses.known.kinds_at(places[row])
            sure, near[row] = kinds >= 0, kinds < 0
            found[row[sure]] = courses.known.under[kinds[sure]][:, first._area]
        found[near] = first._closely_under(first._area, places[near], headings[near])
        pose, heading = np.nonzero(found)
        return pose, first._headings[heading]

    def on(self, places: FloatArray, headings: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the headings that are favoured by the ground under poses: the row of the pose, the heading."""
        if not len(self._area):
            return np.zeros(0, np.intp), np.zeros(0)
        pose, heading = np.nonzero(self._under(self._area, places, headings))
        return pose, self._headings[heading]

    def are_cheap(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find the poses on ground that is cheap."""
        if not len(self._cheap):
            return np.zeros(len(places), np.bool_)
        return np.asarray(self._under(self._cheap, places, headings).any(axis=1))

    def _under(self, areas: IntArray, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find which areas lie under poses [pose, area]."""
        found: BoolArray = np.zeros((len(places), len(areas)), np.bool_)
        kinds = self.known.kinds_at(places)
        sure, near = np.flatnonzero(kinds >= 0), np.flatnonzero(kinds < 0)
        found[sure] = self.known.under[kinds[sure]][:, areas]
        found[near] = self._closely_under(areas, places[near], headings[near])
        return found

    def _closely_under(self, areas: IntArray, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find the same by a look at the outlines."""
        numbers, which = np.unique(self._ground.numbers_at(places, headings), return_inverse=True)
        rows = [[area in self._ground.combination(number)[0] for area in areas.tolist()] for number in numbers.tolist()]
        return np.array(rows, np.bool_).reshape(-1, len(areas))[which.reshape(-1)]


def _cheap(ground: PricedGround) -> Iterator[int]:
    """The areas on which an inch costs less than where there are none."""
    plain = _plain(ground)
    for area in range(len(ground.areas)):
        if ground.rate_or_inf(frozenset({area}), frozenset()) < plain:
            yield area


def _plain(ground: PricedGround) -> float:
    """What an inch costs where there are no areas."""
    return ground.rate_or_inf(frozenset(), frozenset())


def _borders(ground: PricedGround, area: int) -> Iterator[float]:
    """The directions of the straight borders of an area, both ways, the longest first."""
    edges = np.asarray(ground.standing.segments[ground.standing.segment_owner == area])
    ahead = edges[:, 2:] - edges[:, :2]
    lengths = np.hypot(ahead[:, 0], ahead[:, 1])
    order = np.argsort(-lengths, kind="stable")
    known: list[float] = []
    for row in order[lengths[order] >= _SHORT].tolist():
        degrees = math.degrees(math.atan2(ahead[row, 1], ahead[row, 0])) % 180.0
        if len(known) < _MOST and all(min(abs(degrees - one), 180.0 - abs(degrees - one)) > _ALIKE for one in known):
            known.append(degrees)
            yield from (degrees, degrees + 180.0)
