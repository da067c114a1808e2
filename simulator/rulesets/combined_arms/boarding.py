"""The cheapest way aboard a transport that stands: where a piece walks to, and what that leaves to both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import shapely

from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.rays import units
from simulator.rulesets.combined_arms.beside_hull import ground_in_poses
from simulator.rulesets.combined_arms.judge import breaches
from simulator.rulesets.combined_arms.reach import ArmsReach, reach_of
from simulator.rulesets.combined_arms.transport import boarding
from simulator.rulesets.combined_arms.units import ArmsTable

#: Outlines are looked at so many inches apart, and closer in so many rounds, each so many times as close.
_APART, _ROUNDS, _CLOSER = 0.1, 6, 12
#: So many of the cheapest places are looked at more closely.
_FEW = 4


@dataclass(frozen=True)
class Boarding:
    """How a piece boards: by which order, what that costs it, and the table after it; else why it cannot."""

    table: ArmsTable
    order: Order | None
    paid: Fraction
    against: Sequence[Breach] = ()


def cheapest_boarding(table: ArmsTable, unit: Unit, carrier: Unit) -> Boarding:
    """Return how a piece boards a transport where that stands, for the least price."""
    answer = reach_of(table, unit, "move")
    place, paid = _cheapest_place(answer, table, unit, carrier)
    walked = answer.orders_to(place) if np.isfinite(paid) else []
    elements = [element for order in walked for element in order.elements]
    order = Order(unit.id, "move", [*elements, Element("load", {"carrier": carrier.id})])
    if against := list(breaches(table, order)):
        return Boarding(table, None, Fraction(0), against)
    aboard, taking = boarding(table, unit, carrier, Fraction(float(paid)))
    state = table.state.with_unit(unit.put(has_moved=True, **aboard)).with_unit(carrier.put(**taking))
    return Boarding(type(table)(table.setting, state), order, Fraction(float(paid)))


def _cheapest_place(
    answer: ArmsReach, table: ArmsTable, unit: Unit, carrier: Unit
) -> tuple[tuple[float, float], float]:
    """The place beside a transport that costs least: where it stands, or on an outline; else where it stands."""
    here = np.array([[float(unit.place[0]), float(unit.place[1])]])
    closed = shapely.union_all([one.solid.polygon for one in answer.moves.levels[answer.space.starts[0].level].bars])
    place, heading = np.array([carrier.place], np.float64), np.array([float(carrier.heading)])
    (ground,) = ground_in_poses(table, unit, carrier, closed, place, heading)
    outlines = shapely.get_rings(shapely.get_parts(ground)).tolist()
    if ground.is_empty:
        return (float(here[0, 0]), float(here[0, 1])), np.inf
    if shapely.dwithin(ground, shapely.Point(here[0]), TOLERANCE):
        return (float(here[0, 0]), float(here[0, 1])), 0.0
    ring = [np.arange(0.0, one.length, _APART) for one in outlines]
    which = np.repeat(np.arange(len(outlines)), [len(one) for one in ring])
    along, apart = np.concatenate(ring), _APART
    best, least = here, np.inf
    straight = _straight_on(answer, unit, outlines)
    for number in range(_ROUNDS):
        places = shapely.get_coordinates(shapely.line_interpolate_point(np.array(outlines)[which], along))
        if not number:
            places = np.concatenate([places, straight])
        costs = answer.costs_of(places)
        if costs.min(initial=np.inf) < least:
            best, least = places[[int(costs.argmin())]], float(costs.min())
        order = np.argsort(costs[: len(along)], kind="stable")[:_FEW]
        steps = np.linspace(-apart, apart, 2 * _CLOSER + 1)
        lengths = shapely.length(np.array(outlines)[which[order]])
        which = np.repeat(which[order], len(steps))
        along = np.mod((along[order][:, None] + steps).ravel(), np.repeat(lengths, len(steps)))
        apart /= _CLOSER
    return (float(best[0, 0]), float(best[0, 1])), least


def _straight_on(answer: ArmsReach, unit: Unit, outlines: Sequence[shapely.LinearRing]) -> FloatArray:
    """Where legs without a turn come to outlines, and where those are nearest."""
    far, here = 1e3, np.array(unit.place, np.float64)
    asides = answer.space.asides
    ways = units(float(unit.heading) + asides)
    rays = np.array([shapely.LineString([here, here + far * way]) for way in ways], object)
    met = shapely.intersection(np.array(outlines)[:, None], rays[None]).ravel()
    nearest = shapely.shortest_line(np.array(outlines), shapely.Point(here))
    return np.concatenate([shapely.get_coordinates(met), shapely.get_coordinates(nearest).reshape(-1, 2, 2)[:, 0]])
