"""On which tables an answer about a soldier holds: where all changes are clear of everything it can come to touch.

Suppose that one base has moved, and that both where it stood and where it stands it is clear of the ground here. Any
way that one of the tables allows and the other forbids has a first spend that this base bars. All before that is
allowed on both, so the spend begins at an end, and so does its remainder if it is cut short before it meets the base: a
line may be shorter, unless it would end on a base it only passes. So the base stands beside an end, beside a base that
is passed from an end, or on the way of a traverse from an end; and all these are part of the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY, FloatArray
from simulator.rulesets.skirmish.obstruction import features_of
from simulator.rulesets.skirmish.reach.ends import SkirmishEnds
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS
from simulator.rulesets.skirmish.traverse.rules import traverse_within
from simulator.rulesets.skirmish.units import SkirmishTable, is_enemy, radius_of, standing

#: The margin around what can be touched: areas fall short a little, and circles are drawn with corners.
_MARGIN = 10 * TOLERANCE_OF_AREAS
#: How coarsely the ground is drawn: the distance from the true corners, and the segments of a quarter circle.
_COARSE = 2 * TOLERANCE_OF_AREAS
_ROUND = 8


class _Base(NamedTuple):
    """Another unit, reduced to what matters to a way."""

    unit: str
    is_enemy: bool
    radius: float
    place: XY

    @property
    def who(self) -> tuple[str, bool, float]:
        """Everything but where it stands."""
        return self[:3]


@dataclass(frozen=True, eq=False)
class Untouched:
    """An answer holds while the soldier is unchanged, and nobody has moved on the ground that it can come to touch."""

    soldier: Unit
    others: tuple[_Base, ...]
    ground: BaseGeometry

    def holds_on(self, table: SkirmishTable) -> bool:
        """Whether nothing has changed but bases that stand, and stood, clear of the ground."""
        soldier = table.unit(self.soldier.id)
        if soldier != self.soldier:
            return False
        now = _others(table, soldier)
        if [base.who for base in now] != [base.who for base in self.others]:
            return False
        moved = [base for pair in zip(now, self.others, strict=True) if pair[0] != pair[1] for base in pair]
        spots = shapely.points(np.array([base.place for base in moved]).reshape(-1, 2))
        return bool(np.all(shapely.distance(self.ground, spots) > [base.radius for base in moved]))


def _others(table: SkirmishTable, soldier: Unit) -> tuple[_Base, ...]:
    def base(other: Unit) -> _Base:
        return _Base(other.id, is_enemy(soldier, other), radius_of(other), (other.place[0], other.place[1]))

    return tuple(map(base, standing(table, soldier)))


def touched(answer: SkirmishEnds) -> Untouched | None:
    """Return on which tables an answer holds; None if lines may not be cut short with certainty."""
    spending = answer.spending
    cut_short = not spending.is_by_front and not answer.table.options.run_min_inches
    if not cut_short or answer.token is not None or answer.threshold:
        return None
    return Untouched(answer.mover, _others(answer.table, answer.mover), _touched_ground(answer))


@clause("SK-14", "SK-17", "SK-18", "SK-24", "SK-53")
def _touched_ground(answer: SkirmishEnds) -> BaseGeometry:
    """Return all that the base can come to touch on its ways, with a margin."""
    radius = radius_of(answer.mover) + _MARGIN
    # Front by front: as one exact shape, as shown, they would take as long as the answer.
    fronts = answer.fronts.possible(answer.ap)
    drawn = [*(front.area for front in fronts), *(line for front in fronts for line in front.lines)]
    coarse = shapely.simplify([*drawn, shapely.Point(answer.start)], _COARSE)
    ends = shapely.union_all(shapely.buffer(coarse, _MARGIN, quad_segs=_ROUND))
    walked = _with_passed(ends, answer.grounds.rims).buffer(radius, quad_segs=_ROUND)
    if not answer.fronts.has_traverses:
        return walked
    within = traverse_within(answer.table)
    climbed = _climbed(answer, ends, within + 2 * radius)
    # This far to the foot; from there on the base touches what it climbs over until it comes down.
    around = shapely.union_all(shapely.buffer(climbed, within + 2 * radius, quad_segs=_ROUND))
    approached = shapely.intersection(around, ends.buffer(within + radius, quad_segs=_ROUND))
    return shapely.union_all([walked, approached, *shapely.buffer(climbed, 2 * radius, quad_segs=_ROUND)])


@clause("SK-18", "SK-20", "SK-48")
def _climbed(answer: SkirmishEnds, ends: BaseGeometry, reach: float) -> NDArray[Any]:
    """Return the obstacles that can be traversed from ends within `reach`, and those with a gap between them there."""
    climber, polygons = answer.fronts.jumps.climber, features_of(answer.grounds.table).obstacles.polygons
    is_near = shapely.dwithin(polygons, ends, reach)
    is_climbed = is_near & climber.is_possible[: climber.obstacles]
    is_climbed[climber.between[is_near[climber.between].all(axis=1)].ravel()] = True
    return np.asarray(polygons[is_climbed])


def _with_passed(ends: BaseGeometry, rims: FloatArray) -> BaseGeometry:
    """Return ends with the rims of all bases that can be passed from them, one behind another."""
    discs = shapely.buffer(shapely.points(rims[:, :2]), rims[:, 2] + _MARGIN, quad_segs=_ROUND)
    while (met := shapely.intersects(discs, ends)).any():
        ends, discs = shapely.union_all([ends, *discs[met]]), discs[~met]
    return ends
