"""Pushes and pulls, as ordered by the game master: where a unit is moved to, and when it falls."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulator.engine.amounts import PLACE_DIGITS
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Order
from simulator.engine.questions import Choose
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.angles import unit_vector
from simulator.geometry.pieces import XY
from simulator.geometry.poses import place_text
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import OffTheEdge
from simulator.rulesets.mecha.elevated import Top, top_of
from simulator.rulesets.mecha.falling import fallen
from simulator.rulesets.mecha.landing import room_on
from simulator.rulesets.mecha.units import MechaTable, base_of


def of_push(table: MechaTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to a push: the unit has to be on the table, and stays there."""
    if unit.place is None:
        yield Breach("ME-3", f"{unit.id} is not on the table", blocker=unit.id)
    elif not room_on(table, unit, top_of(table.setting, unit), is_put=True).nearest(_straight_on(unit, order)):
        yield Breach("ME-43", f"there is no room for {unit.id} anywhere", blocker=unit.id, place=unit.place)


def _straight_on(unit: Unit, order: Order) -> XY:
    """Where a push would lead if nothing were there."""
    (x, y), (ahead_x, ahead_y) = unit.place, unit_vector(float(order["toward"]))
    return float(x) + float(order["inches"]) * ahead_x, float(y) + float(order["inches"]) * ahead_y


def over_the_edge(unit: Unit, top: Top, toward: float, inches: float) -> tuple[XY, XY] | None:
    """Return where a unit that is pushed comes to the edge of its top, and where it lands beyond; None: it stays on.

    It leaves the top as soon as a part of its base is off it.
    """
    edge, ahead = OffTheEdge("push", top.outline, base_of(unit), 0, 0), unit_vector(toward)
    start, heading = np.array([unit.place], np.float64), np.array([float(unit.heading)])
    courses = np.array([ahead])
    (after,) = edge.exits(start, heading, courses, np.array([inches])).tolist()
    if after > inches - TOLERANCE:
        return None
    touching = start + after * courses
    (beyond,) = edge.lengths(touching, heading, courses).tolist()
    if math.isnan(beyond):
        return None
    (x, y), (far_x, far_y) = touching[0].tolist(), (touching[0] + beyond * courses[0]).tolist()
    return (x, y), (far_x, far_y)


@clause("ME-3", "ME-91", role="play")
def pushed(table: MechaTable, order: Order) -> Action:
    """Push or pull a unit: it ends there, or as near as it has room; whatever is pushed off a top falls."""
    unit = table.unit(order.unit)
    top = top_of(table.setting, unit)
    off = None if top is None else over_the_edge(unit, top, float(order["toward"]), float(order["inches"]))
    if off is not None and top is not None:
        edge, beyond = off
        yield _moved(unit, edge)
        yield from fallen(table, unit.id, top, beyond)
        return
    goal = _straight_on(unit, order)
    places = room_on(table, unit, top, is_put=True).nearest(goal)
    known = {place_text(_tidy(place)): place for place in places}
    chosen = next(iter(known))
    if len(known) > 1:
        chosen = yield Choose("where it is pushed to", who=unit.id, options=tuple(known), clause="ME-3", place=goal)
    yield _moved(unit, known[chosen])


def _moved(unit: Unit, place: XY) -> Event:
    return Event("is pushed", unit.id, [change_unit(unit.id, place=_tidy(place))], "ME-3", _tidy(place))


def _tidy(place: XY) -> XY:
    return round(place[0], PLACE_DIGITS), round(place[1], PLACE_DIGITS)
