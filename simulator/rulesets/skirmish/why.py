"""Why not there: every clause in the way of a place, the blocker, the shortfall, what would help, the nearest end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely
from shapely.ops import nearest_points

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot
from simulator.engine.ruleset import Table
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.pathing.continuous import Reach, Segment, plan
from simulator.rulesets.skirmish.movement import LineOfMovement, inches_of
from simulator.rulesets.skirmish.obstruction import all_barred, features_of, standing_breaches
from simulator.rulesets.skirmish.planner_tables import prepared
from simulator.rulesets.skirmish.reach.cuts import cut
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS
from simulator.rulesets.skirmish.shortfalls import available_inches, needed_inches, told_inches
from simulator.rulesets.skirmish.traverse.rules import order_breaches
from simulator.rulesets.skirmish.units import TOLERANCE, SkirmishTable
from simulator.wording import measure

if TYPE_CHECKING:
    from simulator.rulesets.skirmish.reach.answer import SkirmishReach

#: As they are told, lengths are right to so many digits after the point, rounded up.
_DIGITS = 4
#: So many AP more are tried: each takes as long as a question of reach with all of them.
_MORE = 3
#: Hundredths of an inch around one: outlines are exact to one of them, and telling rounds by half of one.
_AROUND = np.stack(np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)), -1).reshape(-1, 2) / 100


def why_not(reach: SkirmishReach, place: XY) -> WhyNot:
    """Say why a soldier can not end at a place."""
    cost = reach.cost_at(place)
    if cost is not None:
        return WhyNot(place, (), place, cost, reach.unit)
    more = _more_ap(reach, place)
    reasons = _reasons(reach, place, more)
    nearest = _nearest(reach, place)
    remedy = _remedy(reach, place, reasons, more)
    return WhyNot(place, tuple(reasons), nearest, reach.cost_at(nearest), reach.unit, remedy)


def _nearest(reach: SkirmishReach, place: XY) -> XY:
    """The nearest place where it can end, the cheapest of those as near; the start, where nothing else is in reach.

    It is one that can be said in hundredths of an inch wherever there is one, and else as it is told: so it can be
    ordered.
    """
    if reach.area.is_empty:
        return reach.start
    there = shapely.Point(place)
    away = reach.area.distance(there) + TOLERANCE_OF_AREAS
    band = next(band for _, band in reach.bands() if band.distance(there) <= away)
    found, _ = nearest_points(band, there)
    spots = np.round((found.x, found.y), 2) + _AROUND
    costs = reach.costs_at(spots)
    far = np.hypot(*(spots - place).T)
    far[~np.isfinite(costs)] = np.inf
    first = np.lexsort((costs, far.round(6)))[0]
    if np.isfinite(far[first]):
        x, y = np.round(spots[first], 2).tolist()
        return x, y
    finer = np.round((found.x, found.y), _DIGITS) + _AROUND / 100
    ends = finer[np.isfinite(reach.costs_at(finer))]
    x, y = np.round(ends[np.hypot(*(ends - place).T).argmin()], _DIGITS).tolist() if len(ends) else (found.x, found.y)
    return float(x), float(y)


def _any_distance(reach: SkirmishReach, place: XY) -> Reach:
    """The ways from the start, however long."""
    straight = math.dist(place, reach.start)
    return plan(prepared(reach.table, reach.mover), reach.start, max(4.0 * straight, reach.ap * _inches(reach)) + 10.0)


def _inches(reach: SkirmishReach) -> float:
    return inches_of(reach.table, reach.mover)


def _inches_given(reach: SkirmishReach) -> float:
    """The inches of all AP spent on moves, in the stance that leads farthest, a change to it paid for."""
    spending, price = reach.spending, int(reach.table.tables["cost.move"])
    found = [0.0]
    for stance in spending.stances:
        left = reach.ap - spending.stance_ap * (stance != spending.stance)
        found.append(left // price * inches_of(reach.table, reach.mover.put(stance=stance)))
    return max(found)


def _reasons(reach: SkirmishReach, place: XY, more: More) -> list[Breach]:
    table, unit = reach.table, reach.mover
    if reach.refused:
        return list(reach.refused)
    found = list(standing_breaches(table, unit, place))
    if found:
        return found
    if reach.action == "run":
        length, most = math.dist(place, reach.start), float(table.tables["run.inches"])
        if length > most + TOLERANCE:
            needed, available = needed_inches(length), available_inches(most)
            told = f"{needed:.10g} inches away: {told_inches(needed - available)} more than a run goes"
            found.append(Breach("SK-30", told, needed, available, place=place))
        least = float(table.options.run_min_inches)
        if length < least - TOLERANCE:
            length = available_inches(length)
            told = f"a run goes {least:.10g} inches, this one {length:.10g}"
            found.append(Breach("SK-30", told, least, length, place=place))
        return [*found, *_on_the_line(reach, place)]
    if reach.action == "traverse":
        return _no_traverse(reach, place)
    budget = _inches_given(reach)
    ways = _any_distance(reach, place)
    over = _over_something(reach, place, more)
    if place not in ways:
        return (
            [*_on_the_line(reach, place), *over]
            or [Breach("SK-17", "there is no way there for this base", place=place)]
        )  # fmt: skip
    needed = float(ways.cost_at(place))
    if needed > budget + TOLERANCE:
        needed, budget = needed_inches(needed), available_inches(budget)
        short = told_inches(needed - budget)
        told = f"the way there is {needed:.10g} inches long: {short} more than {reach.ap} AP give"
        return [Breach("SK-2", told, needed, budget, place=place), *_on_the_line(reach, place), *over]
    if reach.spending.is_straight and len(ways.route_to(place).pieces) > reach.ap:
        return [Breach("SK-4", "each move is one straight line, and the way there bends too often", place=place)]
    # Short enough, and still out of reach: a lot would have to end on somebody.
    way = ways.route_to(place)
    ends = [way.at(lot * _inches(reach)) for lot in range(1, reach.ap) if lot * _inches(reach) < needed]
    taken = [breach for end in ends for breach in standing_breaches(table, unit, end)]
    return taken or over or [Breach("SK-5", "no cutting of the way into lots gives each a legal end", place=place)]


@clause("SK-18", "SK-20", "SK-23", "SK-24")
def _no_traverse(reach: SkirmishReach, place: XY) -> list[Breach]:
    """Why no traverse ends there: others do, or there is none from here, and why not over the nearest obstacle."""
    if not reach.area.is_empty:
        told = "no traverse from here comes down there: each leads straight across from its nearest point"
        return [Breach("SK-23", told, place=place)]
    table, unit = reach.table, reach.mover
    obstacles, here = features_of(table).obstacles, shapely.Point(reach.start)
    if not obstacles:
        return [Breach("SK-18", "there is nothing on the table that could be traversed", place=place)]
    near = min(obstacles, key=lambda piece: float(shapely.distance(piece.shape.polygon, here)))
    return list(order_breaches(table, unit, Order(unit.id, "traverse", args={"obstacle": near.id})))


def _on_the_line(reach: SkirmishReach, place: XY) -> list[Breach]:
    """What bars the straight way."""
    line = LineOfMovement(reach.start, (Segment(reach.start, place),))
    barred = all_barred(reach.table, reach.mover, line.course)
    length = needed_inches(line.length)
    met = [(one, available_inches(one.inches), line.at(one.inches)) for one in barred]
    return [Breach(one.clause, f"straight on: {one.told}", length, free, one.blocker, at) for one, free, at in met]


@clause("SK-18")
def _over_something(reach: SkirmishReach, place: XY, more: More) -> list[Breach]:
    """What AP are missing of a way that leads over something, where no shorter one leads round it."""
    if more.reach is None or more.at_most:
        return []
    orders = more.reach.orders_to(place)
    names = [str(order.get("obstacle")) for order in orders if order.action == "traverse"]
    if not names:
        return []
    needed = reach.ap + more.ap
    told = f"over {' and '.join(dict.fromkeys(names))} it takes {needed} AP: {measure(more.ap, 'AP')} more"
    return [Breach("SK-18", told, needed, reach.ap, names[0], place)]


# --- what would help ---


class More(NamedTuple):
    """How many AP more would do, 0 if none are known to; the least, or the most that it takes. And how it is then."""

    ap: int = 0
    at_most: bool = False
    reach: SkirmishReach | None = None


def _more_ap(reach: SkirmishReach, place: XY) -> More:
    """With how many AP more a soldier could end at a place, over or round what is in the way."""
    if reach.action != "turn" or any(standing_breaches(reach.table, reach.mover, place)):
        return More()
    walk = _ap_to_walk(reach, place)
    most = _MORE if walk is None else min(walk - reach.ap, _MORE)
    more = _asked_otherwise(reach, ap=reach.ap + most, mover=reach.mover.put(ap=int(reach.mover["ap"]) + most))
    cost = more.cost_at(place)
    if cost is not None:
        return More(cost - reach.ap, False, more)
    return More() if walk is None else More(walk - reach.ap, most < walk - reach.ap)


def _ap_to_walk(reach: SkirmishReach, place: XY) -> int | None:
    """The AP of the shortest way on foot in the stance it has, each lot with a legal end; None where there is none."""
    moves = reach.spending.moves
    ways = _any_distance(reach, place)
    if not moves or reach.fronts.token or reach.spending.is_straight or reach.spending.is_by_front:
        return None
    if place not in ways or (reach.grounds.has_rough and reach.spending.terrain_chance == 0):
        return None
    way = ways.route_to(place)
    lots = cut(reach.grounds, way, [moves[0]] * (2 * math.ceil(way.length / moves[0].inches)))
    return None if lots is None else max(len(lots) * moves[0].ap, reach.ap + 1)


def _remedy(reach: SkirmishReach, place: XY, reasons: list[Breach], more: More) -> str:
    """The smallest change that would make a place reachable: more AP or inches, or somebody who stands elsewhere."""
    found = []
    if more.ap:
        found.append(f"{'at most ' * more.at_most}{measure(more.ap, 'AP')} more")
    elif inches := _more_inches(reach, reasons):
        found.append(f"{told_inches(inches)} inches more")
    names = {unit.id for unit in reach.table.state}
    for blocker in dict.fromkeys(reason.blocker for reason in reasons):
        if blocker in names and place in _without(reach, str(blocker)):
            found.append(f"without {blocker}")
            break
    return ", or ".join(found)


def _more_inches(reach: SkirmishReach, reasons: list[Breach]) -> float:
    """How many inches more of its one spend would do; 0 where they would not."""
    if reach.action not in ("move", "run") or reach.fronts.token is not None or reach.spending.is_by_front:
        return 0.0
    if reach.grounds.has_rough and reach.spending.terrain_chance == 0:
        return 0.0
    if reach.action == "move" and reach.spending.is_straight and len(reasons) > 1:
        return 0.0
    length = {"move": "SK-2", "run": "SK-30"}[reach.action]
    others = [reason for reason in reasons if reason.clause != length]
    if not reasons or reasons[0].clause != length or (reach.action == "run" and others):
        return 0.0
    return max(float(reasons[0].needed or 0) - float(reasons[0].available or 0), 0.0)


def _without(reach: SkirmishReach, name: str) -> SkirmishReach:
    """The same question with somebody taken off the table."""
    return _asked_otherwise(reach, table=Table(reach.table.setting, reach.table.state.without_unit(name)))


def _asked_otherwise(
    reach: SkirmishReach, *, table: SkirmishTable | None = None, mover: Unit | None = None, ap: int | None = None
) -> SkirmishReach:
    """The same question of another table, for another soldier or with other AP."""
    spending = reach.spending
    return type(reach)(
        table or reach.table,
        mover or reach.mover,
        reach.ap if ap is None else ap,
        action=reach.action,
        threshold=reach.threshold,
        token=reach.fronts.token,
        moving=spending.moving,
        running=spending.running,
        traversing=spending.traversing,
        changing=spending.changing,
    )
