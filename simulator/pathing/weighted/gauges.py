"""What a straight way costs by its direction, where a mover may bend as often as it likes: gauges of ground.

Ground over some areas has one price for all directions, or, on slopes, a price by heading: sectors. Where a way in
one direction is dear, two legs in cheaper ones may be cheaper: so the cost of getting from place to place is the
gauge of the convex hull of all that one inch of movement leads to. Between two directions of the hull, a cone, the
cost is linear in the displacement, and two legs along the edges of the cone pay just that.

>>> from fractions import Fraction
>>> from simulator.geometry.pieces import rectangle
>>> hill = PricedGround([rectangle((0, 0), (9, 9))], lambda under, climbed: Fraction(1 + len(climbed)), slopes={0: 90})
>>> shape = gauge_shape(hill, frozenset({0}), 1.0)
>>> gauges = Gauges.of([shape])
>>> gauges.prices(np.zeros(3, np.intp), np.array([1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])).round(6).tolist()
[1.0, 2.0, 2.732051]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING, ROUNDING_OF_ANGLES
from simulator.pathing.posed.ground import PricedGround, Under

TWO_PI = 2.0 * math.pi
#: How far off the limit of a slope legs along it keep (radians): places are rounded; the cheaper side has to count.
_OFF_LIMIT = math.radians(20.0 * ROUNDING_OF_ANGLES)


class Sector(NamedTuple):
    """Directions in radians, counter-clockwise from the first to the last, and what an inch costs in all of them."""

    first: float
    last: float
    rate: float


class Cone(NamedTuple):
    """Two directions with their rates; between them two legs along its edges are cheaper than one."""

    first: float
    last: float
    rates: tuple[float, float]

    @property
    def dual(self) -> tuple[float, float]:
        """The vector whose product with a displacement in the cone is what it costs."""
        (ax, ay), (bx, by) = _at(self.first), _at(self.last)
        cross = ax * by - ay * bx
        one, other = self.rates
        return (one * by - other * ay) / cross, (other * ax - one * bx) / cross


#: The sectors of some ground and the cones between them.
GaugeShape: TypeAlias = tuple[tuple[Sector, ...], tuple[Cone, ...]]


def gauge_shape(ground: PricedGround, under: Under, factor: float) -> GaugeShape:
    """Return the sectors and cones of the ground over some areas, prices times a factor."""
    sectors = _sectors(ground, under, factor)
    return sectors, _cones(sectors) if len(sectors) > 1 else ()


def _sectors(ground: PricedGround, under: Under, factor: float) -> tuple[Sector, ...]:
    slopes = sorted(slope for slope in under if slope in ground.slopes)
    limit = ground.uphill.within + (ROUNDING_OF_ANGLES if ground.uphill.inclusive else -ROUNDING_OF_ANGLES)
    headings = {slope: float(ground.slopes[slope]) for slope in slopes}
    cuts = sorted({(heading + side * limit) % 360.0 for heading in headings.values() for side in (-1, 1)})

    def rate_in(heading: float) -> float:
        climbed = [slope for slope in slopes if abs((heading - headings[slope] + 180.0) % 360.0 - 180.0) <= limit]
        rate = ground.rate(under, frozenset(climbed))
        return math.inf if rate is None else float(rate) * factor

    found: list[Sector] = []
    for first, last in pairwise([*cuts, cuts[0] + 360.0] if cuts and limit < 180.0 else [0.0, 360.0]):
        rate = rate_in((first + last) / 2)
        if found and found[-1].rate == rate:
            found[-1] = found[-1]._replace(last=math.radians(last))
        else:
            found.append(Sector(math.radians(first), math.radians(last), rate))
    if len(found) > 1 and found[0].rate == found[-1].rate:
        found[0] = Sector(found.pop().first - TWO_PI, found[0].last, found[0].rate)
    return tuple(found) if len(found) > 1 else (Sector(0.0, TWO_PI, found[0].rate),)


def _at(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


def _cones(sectors: Sequence[Sector]) -> tuple[Cone, ...]:
    """The edges of the convex hull of all that an inch of movement, at the price of 1, leads to."""
    open_ = [sector for sector in sectors if math.isfinite(sector.rate)]
    corners = [(end, one.rate) for one in open_ for end in (one.first + _OFF_LIMIT, one.last - _OFF_LIMIT)]
    touched = [
        (angle, one.rate)
        for (corner, rate), one, side in product(corners, open_, (-1.0, 1.0))
        if one.rate > rate and _within(angle := corner + side * math.acos(rate / one.rate), one)
    ]
    found = [
        cone
        for (first, rate), (last, other) in product(corners + touched, repeat=2)
        if ROUNDING_OF_ANGLES < (wide := (last - first) % TWO_PI) < math.pi - ROUNDING_OF_ANGLES
        and _is_edge(cone := Cone(first % TWO_PI, first % TWO_PI + wide, (rate, other)), open_)
    ]
    # Of those on one line the widest counts.
    found.sort(key=lambda cone: (cone.first - cone.last, cone.first))
    kept: list[Cone] = []
    for cone in found:
        middle = (cone.first + cone.last) / 2
        if not any((middle - one.first) % TWO_PI < one.last - one.first for one in kept):
            kept.append(cone)
    return tuple(sorted(kept))


def _within(angle: float, sector: Sector | Cone) -> bool:
    return (angle - sector.first) % TWO_PI <= sector.last - sector.first


def _is_edge(cone: Cone, sectors: Sequence[Sector]) -> bool:
    """Whether nothing that an inch leads to lies beyond the line between the ends of two."""
    x, y = cone.dual
    long, towards = math.hypot(x, y), math.atan2(y, x)
    farthest = (
        long
        if _within(towards, one)
        else long * max(math.cos(one.first + _OFF_LIMIT - towards), math.cos(one.last - _OFF_LIMIT - towards))
        for one in sectors
    )
    return all(reach / one.rate <= 1.0 + ROUNDING for reach, one in zip(farthest, sectors, strict=True))


class _Part(NamedTuple):
    """Directions of a gauge from one on: a sector with its rate, or a cone with its dual vector and its edges."""

    first: float
    rate: float
    real: float  #: what an inch of one straight leg costs
    dual: tuple[float, float] = (0.0, 0.0)
    edges: tuple[tuple[float, float], tuple[float, float]] = ((1.0, 0.0), (0.0, 1.0))
    is_cone: bool = False


@dataclass(frozen=True, eq=False)
class Gauges:
    """Several gauges as arrays [gauge, part]; each has its parts in the order of their directions."""

    rate: FloatArray  #: by gauge: of those with one price for all directions; the least of others
    is_plain: BoolArray  #: by gauge: whether it has one price
    first: FloatArray
    part_rate: FloatArray
    real: FloatArray
    dual: FloatArray
    edges: FloatArray
    is_cone: BoolArray

    @classmethod
    def of(cls, shapes: Sequence[GaugeShape]) -> Gauges:
        """Take gauges by their shapes."""
        parts = [_parts(shape) for shape in shapes]
        most = max((len(some) for some in parts), default=1)
        none = _Part(math.inf, math.inf, math.inf)
        rows = [[*some, *[none] * (most - len(some))] for some in parts]
        columns = [np.array([[part[at] for part in row] for row in rows]) for at in range(6)]
        first, rate, real, dual, edges, is_cone = columns
        least = np.array([min(sector.rate for sector in sectors) for sectors, _ in shapes])
        plain = np.array([len(sectors) == 1 for sectors, _ in shapes], np.bool_)
        return cls(least, plain, first, rate, real, dual, edges, is_cone.astype(np.bool_))

    def _part(self, gauge: IntArray, x: FloatArray, y: FloatArray) -> IntArray:
        angle = np.mod(np.arctan2(y, x), TWO_PI)
        return np.asarray((angle[:, None] >= self.first[gauge]).sum(axis=1) - 1)

    def prices(self, gauge: IntArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Compute what displacements cost at least, by as many legs as it takes; arrays of any one shape."""
        with np.errstate(invalid="ignore"):
            found = self.rate[gauge] * np.hypot(x, y)
        if not self.is_plain.all():
            which = ~self.is_plain[gauge]
            row, dx, dy = gauge[which], x[which], y[which]
            part = self._part(row, dx, dy)
            with np.errstate(invalid="ignore"):
                straight = self.part_rate[row, part] * np.hypot(dx, dy)
            dual = self.dual[row, part]
            found[which] = np.where(self.is_cone[row, part], dual[:, 0] * dx + dual[:, 1] * dy, straight)
        return np.asarray(np.where((x == 0.0) & (y == 0.0), 0.0, found))

    def straight_prices(self, gauge: IntArray, x: FloatArray, y: FloatArray) -> FloatArray:
        """Compute what single straight legs cost; rows."""
        rate = self.rate[gauge]
        if not self.is_plain.all():
            rate = np.where(self.is_plain[gauge], rate, self.real[gauge, self._part(gauge, x, y)])
        with np.errstate(invalid="ignore"):
            return np.where((x == 0.0) & (y == 0.0), 0.0, rate * np.hypot(x, y))

    def slopes_of(self, gauge: IntArray, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute how prices grow with displacements, rows x, y; and the rates by which that changes with direction."""
        part = self._part(gauge, x, y)
        cone, rate = self.is_cone[gauge, part], self.part_rate[gauge, part]
        rate = np.where(np.isfinite(rate), rate, 0.0)
        ahead = np.stack([x, y], axis=1) / np.maximum(np.hypot(x, y), ROUNDING)[:, None]
        return np.where(cone[:, None], self.dual[gauge, part], rate[:, None] * ahead), np.where(cone, 0.0, rate)

    def two_legs(self, gauge: IntArray, x: FloatArray, y: FloatArray) -> tuple[BoolArray, FloatArray, FloatArray]:
        """Split displacements in cones into legs along their edges: which are split, and the two legs, rows x, y."""
        part = self._part(gauge, x, y)
        split = self.is_cone[gauge, part]
        (ax, ay), (bx, by) = np.moveaxis(self.edges[gauge, part], (1, 2), (0, 1))
        cross = ax * by - ay * bx
        one, other = (x * by - y * bx) / cross, (ax * y - ay * x) / cross
        first = np.maximum(one, 0.0)[:, None] * np.stack([ax, ay], axis=1)
        # The rest, so that both add up; next to nothing where a way hugs an edge of the cone.
        second = np.stack([x, y], axis=1) - first
        alone = (one <= 1e-9) | (other <= 1e-9)
        return np.asarray(split & ~alone), first, second


def _parts(shape: GaugeShape) -> list[_Part]:
    sectors, cones = shape
    ends = [end % TWO_PI for one in sectors for end in (one.first, one.last)]
    ends += [end % TWO_PI for one in cones for end in (one.first, one.last)]
    cuts = sorted({0.0, *ends})
    found = []
    for first, last in pairwise([*cuts, TWO_PI]):
        middle = (first + last) / 2
        real = next((sector.rate for sector in sectors if _within(middle, sector)), math.inf)
        cone = next((one for one in cones if (middle - one.first) % TWO_PI <= one.last - one.first), None)
        if cone is None:
            found.append(_Part(first, real, real))
        else:
            found.append(_Part(first, real, real, cone.dual, (_at(cone.first), _at(cone.last)), True))
    return found
