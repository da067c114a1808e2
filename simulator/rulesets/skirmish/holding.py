"""On which tables an answer about a soldier holds: where all that has changed stands clear of all it can come to touch.

Say that one base has moved, and that where it stood and where it stands it is clear of the ground here. Any way that
one of the tables allows and the other forbids has a first spend that this base bars. All before that is allowed on
both, so the spend begins at an end, and so does what is left of it if it is cut short before it meets the base: a line
may be shorter, unless it would end on somebody it only passes. So the base stands beside an end, beside somebody who is
passed from an end, or on the way of a traverse from an end; and all these are part of the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.rulesets.skirmish.fronts import TOLERANCE_OF_AREAS
from simulator.rulesets.skirmish.ground import features_of
from simulator.rulesets.skirmish.soldiers import SkirmishTable, is_enemy, radius_of, standing

if TYPE_CHECKING:
    from simulator.rulesets.skirmish.reach import SkirmishReach

#: So much more than can be touched counts as touched: areas fall short a little, and circles are drawn with corners.
_MARGIN = 10 * TOLERANCE_OF_AREAS


class _Base(NamedTuple):
    """Somebody else, as far as a way has to do with it."""

    unit: str
    is_enemy: bool
    radius: float
    place: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Untouched:
    """An answer holds while the soldier is as it was, and nobody has moved on the ground that it can come to touch."""

    soldier: Unit
    others: tuple[_Base, ...]
    ground: BaseGeometry

    def holds_on(self, table: SkirmishTable) -> bool:
        """Whether nothing has changed but bases that stand, and stood, clear of the ground."""
        soldier = table.unit(self.soldier.id)
        if soldier != self.soldier:
            return False
        now = _others(table, soldier)
        if [base._replace(place=()) for base in now] != [base._replace(place=()) for base in self.others]:
            return False
        moved = [base for pair in zip(now, self.others, strict=True) if pair[0] != pair[1] for base in pair]
        spots = shapely.points(np.array([base.place for base in moved]).reshape(-1, 2))
        return not bool(shapely.dwithin(self.ground, spots, [base.radius for base in moved]).any())


def _others(table: SkirmishTable, soldier: Unit) -> tuple[_Base, ...]:
    def base(other: Unit) -> _Base:
        return _Base(other.id, is_enemy(soldier, other), radius_of(other), (other.place[0], other.place[1]))

    return tuple(map(base, standing(table, soldier)))


def touched(answer: SkirmishReach) -> Untouched | None:
    """Say on which tables an answer holds; None where a line cut short is not allowed for certain."""
    spending = answer.spending
    cut_short = not spending.is_by_front and not answer.table.options.run_min_inches
    if not cut_short or answer.token is not None or answer.threshold:
        return None
    ground = _touched_ground(answer)
    shapely.prepare(ground)
    return Untouched(answer.mover, _others(answer.table, answer.mover), ground)


@clause("SK-14", "SK-17", "SK-18", "SK-24", "SK-53")
def _touched_ground(answer: SkirmishReach) -> BaseGeometry:
    """All that the base can come to touch on its ways, and a little more."""
    radius = radius_of(answer.mover) + _MARGIN
    ends = shapely.union_all([answer.area.buffer(_MARGIN), shapely.Point(answer.start).buffer(_MARGIN)])
    passed = _with_passed(ends, answer.grounds.rims)
    if not answer.fronts.has_traverses:
        return passed.buffer(radius)
    # To the foot it is so far; from there on the base touches what it climbs over until it comes down.
    within = float(answer.table.tables["traverse.within"])
    things = features_of(answer.table).polygons
    climbed = things[shapely.dwithin(things, ends, within + radius)]
    return shapely.union_all([passed.buffer(radius + within), *shapely.buffer(climbed, 2 * radius)])


def _with_passed(ends: BaseGeometry, rims: np.ndarray) -> BaseGeometry:
    """Ends, and the rims of all who can be passed from them, one behind another."""
    discs = np.atleast_1d(shapely.buffer(shapely.points(rims[:, :2]), rims[:, 2] + _MARGIN))
    while len(discs):
        met = shapely.intersects(discs, ends)
        if not met.any():
            break
        ends, discs = shapely.union_all([ends, *discs[met]]), discs[~met]
    return ends
