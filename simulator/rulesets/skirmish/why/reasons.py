"""Why not there: every clause in the way of a place, the blocker, the shortfall, what would help, the nearest end."""

from __future__ import annotations

import math

import shapely

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.movement import inches_of
from simulator.rulesets.skirmish.obstruction import all_barred, features_of, standing_breaches
from simulator.rulesets.skirmish.shortfalls import available_inches, inches_text, needed_inches
from simulator.rulesets.skirmish.traverse.rules import order_breaches
from simulator.rulesets.skirmish.why.remedies import Explained, More, Variation, any_distance, more_ap, remedy
from simulator.wording import measure

#: An attribute with which each roll succeeds, whatever its level and penalties.
_MADE = 1000


def against(reach: Explained, place: XY) -> tuple[list[Breach], str]:
    """Return every reason why a soldier cannot end at a place, and what would help."""
    more = more_ap(reach, place)
    reasons = _reasons(reach, place, more)
    return reasons, remedy(reach, place, reasons, more)


def _inches(reach: Explained) -> float:
    return inches_of(reach.table, reach.mover)


def _inches_of_all_ap(reach: Explained) -> float:
    """Return the inches of all AP spent on moves, in the stance that leads farthest, a change to it paid for."""
    spending, price = reach.spending, int(reach.table.tables["cost.move"])
    found = [0.0]
    for stance in spending.stances:
        left = reach.ap - spending.stance_ap * (stance != spending.stance)
        found.append(left // price * inches_of(reach.table, reach.mover.put(stance=stance)))
    return max(found)


def _reasons(reach: Explained, place: XY, more: More) -> list[Breach]:
    table, unit = reach.table, reach.mover
    if reach.refused:
        return list(reach.refused)
    found = list(standing_breaches(table, unit, place))
    if found:
        return found
    closed = _closed_by_conditions(reach, place)
    if reach.action == "run":
        length, most = math.dist(place, reach.start), float(table.tables["run.inches"])
        if length > most + TOLERANCE:
            needed, available = needed_inches(length), available_inches(most)
            message = f"{needed:.10g} inches away: {inches_text(needed - available)} more than a run goes"
            found.append(Breach("SK-30", message, needed, available, place=place))
        least = float(table.options.run_min_inches)
        if length < least - TOLERANCE:
            length = available_inches(length)
            message = f"a run goes {least:.10g} inches, this one {length:.10g}"
            found.append(Breach("SK-30", message, least, length, place=place))
        return [*found, *_on_the_line(reach, place), *closed]
    if reach.action == "traverse":
        return [*_no_traverse(reach, place), *closed]
    budget = _inches_of_all_ap(reach)
    ways = any_distance(reach, place)
    over = _over_something(reach, place, more)
    if place not in ways:
        return (
            [*_on_the_line(reach, place), *over, *closed]
            or [Breach("SK-17", "there is no path there for this base", place=place)]
        )  # fmt: skip
    needed = float(ways.cost_at(place))
    if needed > budget + TOLERANCE:
        needed, budget = needed_inches(needed), available_inches(budget)
        short = inches_text(needed - budget)
        message = f"the path there is {needed:.10g} inches long: {short} more than {reach.ap} AP allow"
        return [Breach("SK-2", message, needed, budget, place=place), *_on_the_line(reach, place), *over, *closed]
    if closed:
        return closed
    if reach.spending.is_straight and len(ways.route_to(place).pieces) > reach.ap:
        return [Breach("SK-4", "each move is one straight line, and the path there has too many bends", place=place)]
    # Short enough, and still out of reach: a lot would have to end on a base.
    way = ways.route_to(place)
    ends = [way.at(lot * _inches(reach)) for lot in range(1, reach.ap) if lot * _inches(reach) < needed]
    taken = [breach for end in ends for breach in standing_breaches(table, unit, end)]
    return taken or over or [Breach("SK-5", "the path cannot be divided into lots that each end legally", place=place)]


def _closed_by_conditions(reach: Explained, place: XY) -> list[Breach]:
    """Return the conditions on the end and the hopeless rolls that close a place, alone or both."""
    closed = [*_token_mismatch(reach, place), *_hopeless_rolls(reach, place)]
    if closed or reach.token is None or not (rolls := _hopeless_rolls(reach, place, Variation(any_token=True))):
        return closed
    return [_other_end(reach, place), *rolls]


@clause("SK-31", "SK-35")
def _token_mismatch(reach: Explained, place: XY) -> list[Breach]:
    """Report that the soldier ends there only with the Running token, or only without, against the question."""
    if reach.token is None or not reach.variations.helps(place, Variation(any_token=True)):
        return []
    return [_other_end(reach, place)]


@clause("SK-31", "SK-35")
def _other_end(reach: Explained, place: XY) -> Breach:
    required, ends = ("with", "without") if reach.token else ("without", "with")
    message = f"{reach.mover.id} ends there only {ends} the Running token"
    if not reach.token and reach.chance_at(place):
        message = f"{reach.mover.id} ends there without the Running token only if the Terrain roll of a run fails"
    return Breach("SK-31", message, f"{required} the token", f"{ends} it", place=place)


@clause("SK-12", "SK-22", "SK-35", "SK-58")
def _hopeless_rolls(reach: Explained, place: XY, change: Variation | None = None) -> list[Breach]:
    """Report the hopeless rolls without which a soldier could end there, after an optional change."""
    if not reach.fronts.has_hopeless:
        return []
    able = {"terrain": {"psq": _MADE}, "traverse": {"ins": _MADE}}
    named_rolls = {
        "terrain": "the Terrain roll never succeeds here, and a failure takes inches off the line",
        "traverse": "the Traverse roll that it takes never succeeds here",
    }
    clauses = {"terrain": "SK-35" if reach.action == "run" else "SK-12", "traverse": "SK-22"}

    def helps(rolls: tuple[str, ...]) -> bool:
        fields = {name: value for roll in rolls for name, value in able[roll].items()}
        return reach.variations.helps(place, change or Variation(), reach.mover.put(**fields))

    for rolls in (("terrain",), ("traverse",), ("terrain", "traverse")):
        if helps(rolls):
            return [Breach(clauses[roll], named_rolls[roll], place=place) for roll in rolls]
    return []


@clause("SK-18", "SK-20", "SK-23", "SK-24")
def _no_traverse(reach: Explained, place: XY) -> list[Breach]:
    """Report why no traverse ends there: others do, or there is none from here, and why not over the nearest."""
    if not reach.area.is_empty:
        message = "no traverse from here comes down there: each leads straight across from its nearest point"
        return [Breach("SK-23", message, place=place)]
    if reach.token is not None or reach.fronts.has_hopeless:
        lifted = reach.variations.answer(Variation(any_token=True), reach.mover.put(psq=_MADE, ins=_MADE))
        if not lifted.area.is_empty:
            return _no_traverse(lifted, place) if place not in lifted else []
    table, unit = reach.table, reach.mover
    obstacles, here = features_of(table).obstacles, shapely.Point(reach.start)
    if not obstacles:
        return [Breach("SK-18", "there is nothing on the table to traverse", place=place)]
    near = min(obstacles, key=lambda piece: float(shapely.distance(piece.shape.polygon, here)))
    return list(order_breaches(table, unit, Order(unit.id, "traverse", args={"obstacle": near.id})))


def _on_the_line(reach: Explained, place: XY) -> list[Breach]:
    """Report what bars the straight way."""
    line = Path(reach.start, (Straight(reach.start, place),))
    barred = all_barred(reach.table, reach.mover, line.arrays)
    length = needed_inches(line.length)
    met = [(one, available_inches(one.inches), line.at(one.inches)) for one in barred]
    return [Breach(one.clause, f"straight on: {one.message}", length, free, one.blocker, at) for one, free, at in met]


@clause("SK-18")
def _over_something(reach: Explained, place: XY, more: More) -> list[Breach]:
    """Report how many AP are missing for a way over obstacles, if no shorter one leads round them."""
    if more.reach is None or more.at_most:
        return []
    orders = more.reach.orders_to(place)
    names = [str(order.get("obstacle")) for order in orders if order.action == "traverse"]
    if not names:
        return []
    needed = reach.ap + more.ap
    message = f"over {' and '.join(dict.fromkeys(names))} it takes {needed} AP: {measure(more.ap, 'AP')} more"
    return [Breach("SK-18", message, needed, reach.ap, names[0], place)]
