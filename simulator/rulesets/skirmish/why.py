"""Why not there: every clause in the way of a place, the blocker, the shortfall, what would help, the nearest end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import shapely
from shapely.ops import nearest_points

from simulator.engine.errors import Breach
from simulator.engine.reach import WhyNot
from simulator.engine.ruleset import Table
from simulator.geometry.pieces import XY
from simulator.pathing.continuous import Reach, Segment, plan
from simulator.rulesets.skirmish.fronts import TOLERANCE_OF_AREAS
from simulator.rulesets.skirmish.ground import all_barred, standing_breaches
from simulator.rulesets.skirmish.movement import LineOfMovement, before_running, inches_of
from simulator.wording import measure

if TYPE_CHECKING:
    from simulator.rulesets.skirmish.reach import SkirmishReach

#: Hundredths of an inch around one: outlines are exact to one of them, and telling rounds by half of one.
_AROUND = np.stack(np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)), -1).reshape(-1, 2) / 100


def why_not(reach: SkirmishReach, place: XY) -> WhyNot:
    """Say why a soldier can not end at a place."""
    cost = reach.cost_at(place)
    if cost is not None:
        return WhyNot(place, (), place, cost, reach.unit)
    reasons = _reasons(reach, place)
    nearest = _nearest(reach, place)
    return WhyNot(place, tuple(reasons), nearest, reach.cost_at(nearest), reach.unit, _remedy(reach, place, reasons))


def _nearest(reach: SkirmishReach, place: XY) -> XY:
    """The nearest place where it can end, the cheapest of those as near; the start, where nothing else is in reach.

    It is one that can be said in hundredths of an inch, as it is told, wherever there is one: so it can be ordered.
    """
    if reach.area.is_empty:
        return reach.start
    there = shapely.Point(place)
    away = reach.area.distance(there) + TOLERANCE_OF_AREAS
    band = next(band for _, band in reach.bands() if band.distance(there) <= away)
    found, _ = nearest_points(band, there)
    spots = np.round((found.x, found.y), 2) + _AROUND
    costs = reach.costs_at(spots)
    first = np.lexsort((np.hypot(*(spots - place).T).round(6), costs))[0]
    x, y = np.round(spots[first], 2).tolist() if np.isfinite(costs[first]) else (float(found.x), float(found.y))
    return x, y


def _any_distance(reach: SkirmishReach, place: XY) -> Reach:
    """The ways from the start, however long."""
    straight = math.dist(place, reach.start)
    return plan(reach.grounds.open, reach.start, max(4.0 * straight, reach.ap * _inches(reach)) + 10.0)


def _inches(reach: SkirmishReach) -> float:
    return inches_of(reach.table, reach.mover)


def _reasons(reach: SkirmishReach, place: XY) -> list[Breach]:
    table, unit = reach.table, reach.mover
    found = list(standing_breaches(table, unit, place))
    if found:
        return found
    if reach.action == "run":
        found = list(before_running(table, unit))
        length, most = math.dist(place, reach.start), float(table.tables["run.inches"])
        if length > most:
            told = f"{length:.4g} inches away: {length - most:.4g} more than a run goes"
            found.append(Breach("SK-30", told, length, most, place=place))
        least = float(table.options.run_min_inches)
        if length < least:
            found.append(
                Breach("SK-30", f"a run goes {least:g} inches, this one {length:.4g}", least, length, place=place)
            )
        return [*found, *_on_the_line(reach, place)]
    if reach.action == "traverse" and not reach.spending.moves:
        told = "no traverse from here comes down there: each leads straight across from its nearest point"
        return [Breach("SK-23", told, place=place)]
    budget = reach.ap * _inches(reach)
    ways = _any_distance(reach, place)
    if place not in ways:
        return _on_the_line(reach, place) or [Breach("SK-17", "there is no way there for this base", place=place)]
    needed = float(ways.cost_at(place))
    if needed > budget:
        told = f"the way there is {needed:.4g} inches long: {needed - budget:.4g} more than {reach.ap} AP give"
        return [Breach("SK-2", told, needed, budget, place=place), *_on_the_line(reach, place)]
    if reach.spending.is_straight and len(ways.route_to(place).pieces) > reach.ap:
        return [Breach("SK-4", "each move is one straight line, and the way there bends too often", place=place)]
    # Short enough, and still out of reach: a lot would have to end on somebody.
    way = ways.route_to(place)
    ends = [way.at(lot * _inches(reach)) for lot in range(1, reach.ap) if lot * _inches(reach) < needed]
    taken = [breach for end in ends for breach in standing_breaches(table, unit, end)]
    return taken or [Breach("SK-5", "no cutting of the way into lots gives each a legal end", place=place)]


def _on_the_line(reach: SkirmishReach, place: XY) -> list[Breach]:
    """What bars the straight way."""
    line = LineOfMovement(reach.start, (Segment(reach.start, place),))
    barred = all_barred(reach.table, reach.mover, line.course)
    return [
        Breach(one.clause, f"straight on: {one.told}", line.length, one.inches, one.blocker, line.at(one.inches))
        for one in barred
    ]


# --- what would help ---


def _remedy(reach: SkirmishReach, place: XY, reasons: list[Breach]) -> str:
    """The smallest change that would make a place reachable: more inches, or somebody who stands elsewhere."""
    for reason in reasons:
        short = float(reason.needed or 0) - float(reason.available or 0)
        if reason.clause in ("SK-2", "SK-30") and reason.available is not None and short > 0:
            return _more(reach, short)
    names = {unit.id for unit in reach.table.state}
    for blocker in dict.fromkeys(reason.blocker for reason in reasons):
        if blocker in names and place in _without(reach, str(blocker)):
            return f"without {blocker}"
    return ""


def _more(reach: SkirmishReach, inches: float) -> str:
    """So many inches more, and how many AP that takes."""
    told = f"{math.ceil(round(inches * 100, 6)) / 100:g} inches more"
    if reach.action == "run":
        return told
    more = int(np.ceil(inches / _inches(reach) - 1e-9))
    return f"{told}, so {measure(more, 'AP')} more"


def _without(reach: SkirmishReach, name: str) -> SkirmishReach:
    """The same question with somebody taken off the table."""
    table = Table(reach.table.setting, reach.table.state.without_unit(name))
    spending = reach.spending
    return type(reach)(
        table,
        reach.mover,
        reach.ap,
        action=reach.action,
        threshold=reach.threshold,
        token=reach.fronts.token,
        moving=spending.moving,
        running=spending.running,
        traversing=spending.traversing,
        changing=spending.changing,
    )
