"""Why not there: every clause in the way of a place, the blocker, the shortfall, and the nearest legal end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.ops import nearest_points

from simulator.engine.errors import Breach
from simulator.geometry.pieces import XY
from simulator.pathing.continuous import Segment, plan
from simulator.rulesets.skirmish.ground import all_barred, standing_breaches
from simulator.rulesets.skirmish.movement import LineOfMovement

if TYPE_CHECKING:
    from simulator.rulesets.skirmish.reach import SkirmishReach


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer to "why can it not end there?": every reason; none means that it can."""

    place: XY
    reasons: tuple[Breach, ...]
    nearest: XY

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def __str__(self) -> str:
        at = f"{self.place[0]:g},{self.place[1]:g}"
        if not self.reasons:
            return f"{at} can be reached"
        lines = [f"{at} can not be reached", *(f"  {reason}" for reason in self.reasons)]
        return "\n".join([*lines, f"  nearest legal end: {self.nearest[0]:.4g},{self.nearest[1]:.4g}"])


def why_not(reach: SkirmishReach, place: XY) -> WhyNot:
    """Say why a soldier can not end at a place."""
    if place in reach:
        return WhyNot(place, (), place)
    return WhyNot(place, tuple(_reasons(reach, place)), _nearest(reach, place))


def _nearest(reach: SkirmishReach, place: XY) -> XY:
    """The nearest place of the reach area; the start, where nothing else is in reach."""
    if not reach.area.area:
        return reach.start
    found, _ = nearest_points(reach.area, shapely.Point(place))
    return float(found.x), float(found.y)


def _reasons(reach: SkirmishReach, place: XY) -> list[Breach]:
    table, unit = reach.table, reach.unit
    found = list(standing_breaches(table, unit, place))
    if found:
        return found
    budget = reach.ap * reach.inches
    straight = float(np.hypot(place[0] - reach.start[0], place[1] - reach.start[1]))
    ways = plan(reach.ground, reach.start, max(4.0 * straight, budget) + 10.0)
    if place in ways:
        needed = float(ways.cost_at(place))
        if needed > budget:
            told = f"the way there is {needed:.4g} inches long: {needed - budget:.4g} more than {reach.ap} AP give"
            return [Breach("SK-2", told, needed, budget, place=place), *_on_the_line(reach, place)]
        # Long enough, and still out of reach: a lot would have to end on somebody.
        lots = range(1, reach.ap)
        way = ways.route_to(place)
        ends = [way.at(lot * reach.inches) for lot in lots if lot * reach.inches < needed]
        taken = [breach for end in ends for breach in standing_breaches(table, unit, end)]
        return taken or [Breach("SK-5", "no cutting of the way into lots gives each a legal end", place=place)]
    return _on_the_line(reach, place) or [Breach("SK-17", "there is no way there for this base", place=place)]


def _on_the_line(reach: SkirmishReach, place: XY) -> list[Breach]:
    """What bars the straight way."""
    line = LineOfMovement(reach.start, (Segment(reach.start, place),))
    barred = all_barred(reach.table, reach.unit, line.course)
    return [
        Breach(one.clause, f"straight on: {one.told}", line.length, one.inches, one.blocker, line.at(one.inches))
        for one in barred
    ]
