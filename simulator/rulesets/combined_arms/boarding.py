"""The cheapest way aboard a transport that stands: where a piece walks to, and what that leaves to both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Level, Pose
from simulator.geometry.shapes import joined
from simulator.geometry.tolerances import GRID
from simulator.pathing.posed import Move
from simulator.pathing.posed.rays import units
from simulator.rulesets.combined_arms.beside_hull import ground_in_poses
from simulator.rulesets.combined_arms.judge import breaches
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.rulesets.combined_arms.reach import ArmsReach, reach_of
from simulator.rulesets.combined_arms.storeys import Storey, is_beside
from simulator.rulesets.combined_arms.transport import boarding
from simulator.rulesets.combined_arms.units import ArmsTable

#: Outlines are sampled at this spacing in inches, then closer for a number of rounds, each closer by a factor.
_APART, _ROUNDS, _CLOSER = 0.1, 6, 12
#: So many of the cheapest places are looked at more closely.
_FEW = 4
#: Otherwise this many of the cheapest places are tried, and this many of all.
_CHEAPEST, _SPREAD = 12, 24
#: So far within ground others lie than those on its outline, in inches.
_WITHIN = 0.05
#: Reasons against boarding that no other place would mend.
_ANYWHERE = ("CA-7", "CA-118", "CA-125", "CA-127", "CA-129", "CA-130", "CA-132", "CA-133")


@dataclass(frozen=True)
class Boarding:
    """How a piece boards: by which order, what that costs it, and the table after it; else why it cannot."""

    table: ArmsTable
    order: Order | None
    paid: Fraction
    against: Sequence[Breach] = ()


@clause("CA-119")
def storeys_beside(table: ArmsTable, moves: ArmsMoves, carrier: Unit) -> list[Storey | None]:
    """Return on which storeys, or the ground for None, a piece may be beside a transport."""
    storeys = dict.fromkeys(level.storey for level in moves.levels)
    return [one for one in storeys if is_beside(table.setting, carrier, one)]


@dataclass(frozen=True, eq=False)
class WalkToBoard:
    """Where a piece can walk to board a transport: on the ground, or on a storey on which its doors are."""

    walked: ArmsReach
    carrier: Unit
    storey: Storey | None = None  #: None: the ground, and the air above it

    @classmethod
    def all_of(cls, walked: ArmsReach, carrier: Unit) -> list[WalkToBoard]:
        """Return where it can walk to board, for the ground and each storey on the floor of a transport."""
        return [cls(walked, carrier, one) for one in storeys_beside(walked.table, walked.moves, carrier)]

    @property
    @clause("CA-119")
    def levels(self) -> list[Level]:
        """The levels from which it can board: no altitude farther off than a door may be."""
        most = Fraction(self.walked.table.options.door_radius)
        altitude = Fraction(self.carrier["altitude"])
        named = zip(self.walked.level_names, self.walked.moves.levels, strict=True)
        same = ((name, one) for name, one in named if one.storey == self.storey)
        return [name for name, one in same if abs(one.altitude - altitude) <= most]

    @property
    def closed(self) -> BaseGeometry:
        """What may be between it and a door."""
        levels = zip(self.walked.level_names, self.walked.moves.levels, strict=True)
        bars = [one.solid.polygon for name, level in levels if name in self.levels[:1] for one in level.bars]
        return shapely.union_all(bars)

    @property
    def area(self) -> BaseGeometry:
        """Where it can stand to board."""
        return joined([self.walked.area_of(level=level) for level in self.levels])

    def costs_of(self, places: FloatArray) -> FloatArray:
        """Compute what it spends to get to many places."""
        costs = [self.walked.costs_in(places, None, level) for level in self.levels]
        return np.min(costs, axis=0) if costs else np.full(len(places), np.inf)

    def orders_to(self, place: XY) -> list[Order]:
        """Return the orders by which it walks to a place, for the least price."""
        return self.walked.orders_to(Pose(place, None, self._cheapest(place)))

    def moves_to(self, place: XY) -> list[Move]:
        """Return the moves of the same walk."""
        (level,) = self.walked.numbers_of(self._cheapest(place))
        return list(self.walked.planner.moves_to(place, None, level))

    def _cheapest(self, place: XY) -> Level:
        known = [(float(self.walked.costs_in(np.array([place]), None, level)[0]), level) for level in self.levels]
        return min(known, key=lambda one: one[0])[1]


def cheapest_boarding(table: ArmsTable, unit: Unit, carrier: Unit, approach: WalkToBoard | None = None) -> Boarding:
    """Return how a piece boards a transport where that stands, for the least price.

    How it walks may be known, as if the transport were not there: that is no obstacle to who boards it.
    """
    walks = [approach] if approach is not None else WalkToBoard.all_of(reach_of(table, unit, "move"), carrier)
    against: Sequence[Breach] = ()
    for number, (order, paid) in enumerate(_tried(walks, table, unit, carrier)):
        refused = list(breaches(table, order))
        if not refused:
            aboard, taking = boarding(table, unit, carrier, Fraction(paid))
            state = table.state.with_unit(unit.put(has_moved=True, **aboard)).with_unit(carrier.put(**taking))
            return Boarding(type(table)(table.setting, state), order, Fraction(paid))
        # What it lacks is reported for the cheapest walk.
        against = refused if number < 2 else against
        if any(breach.clause in _ANYWHERE for breach in refused):
            break
    return Boarding(table, None, Fraction(0), against)


def _tried(walks: Sequence[WalkToBoard], table: ArmsTable, unit: Unit, carrier: Unit) -> Iterator[tuple[Order, float]]:
    """Orders by which a piece may board, with what they cost it: the cheapest first; at least one."""
    load = Element("load", {"carrier": carrier.id})
    here = Order(unit.id, "move", [load])
    yield here, 0.0
    lots = ((one, *lot) for one in walks for lot in places_to_board(one, table, unit, carrier))
    for approach, places, costs in lots:
        for number in np.argsort(costs, kind="stable").tolist():
            if not np.isfinite(costs[number]):
                break
            place = float(places[number, 0]), float(places[number, 1])
            walked = [element for order in approach.orders_to(place) for element in order.elements]
            yield Order(unit.id, "move", [*walked, load]), float(costs[number])


def places_to_board(
    approach: WalkToBoard, table: ArmsTable, unit: Unit, carrier: Unit
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield places beside a transport and what they cost: the cheapest on an outline, then others all over."""
    place, heading = np.array([carrier.place], np.float64), np.array([float(carrier.heading)])
    (ground,) = ground_in_poses(table, unit, carrier, approach.closed, place, heading)
    if ground.is_empty:
        return
    yield _cheapest_place(approach, unit, ground)
    parts = shapely.intersection(shapely.get_parts(approach.area), ground, grid_size=GRID)
    places = _all_over(shapely.get_parts(parts))
    costs = approach.costs_of(places)
    order = np.argsort(costs, kind="stable")[: int(np.isfinite(costs).sum())]
    some = np.unique(np.r_[order[:_CHEAPEST], order[:: max(len(order) // _SPREAD, 1)]])
    yield places[some], costs[some]


def _all_over(parts: NDArray[Any]) -> FloatArray:
    """Places along the outlines of parts of an area, and within."""
    inside = shapely.get_coordinates(shapely.point_on_surface(parts))
    outlines = [shapely.segmentize(one, _APART) for one in (parts, shapely.buffer(parts, -_WITHIN, quad_segs=2))]
    return np.concatenate([inside, *(shapely.get_coordinates(one) for one in outlines)])


def _cheapest_place(approach: WalkToBoard, unit: Unit, ground: BaseGeometry) -> tuple[FloatArray, FloatArray]:
    """The place on the outline of the ground beside a transport that costs least."""
    outlines: NDArray[Any] = shapely.get_rings(shapely.get_parts(ground))
    ring = [np.arange(0.0, one.length, _APART) for one in outlines.tolist()]
    which = np.repeat(np.arange(len(outlines)), [len(one) for one in ring])
    along, apart = np.concatenate(ring), _APART
    best, least = np.zeros((1, 2)), np.inf
    straight = _straight_on(approach.walked, unit, outlines)
    for number in range(_ROUNDS):
        places = shapely.get_coordinates(shapely.line_interpolate_point(outlines[which], along))
        if not number:
            places = np.concatenate([places, straight])
        costs = approach.costs_of(places)
        if costs.min(initial=np.inf) < least:
            best, least = places[[int(costs.argmin())]], float(costs.min())
        order = np.argsort(costs[: len(along)], kind="stable")[:_FEW]
        steps = np.linspace(-apart, apart, 2 * _CLOSER + 1)
        lengths = shapely.length(outlines[which[order]])
        which = np.repeat(which[order], len(steps))
        along = np.mod((along[order][:, None] + steps).ravel(), np.repeat(lengths, len(steps)))
        apart /= _CLOSER
    return best, np.array([least])


def _straight_on(walked: ArmsReach, unit: Unit, outlines: NDArray[Any]) -> FloatArray:
    """Where legs without a turn come to outlines, and where those are nearest."""
    far, here = 1e3, np.array(unit.place, np.float64)
    ways = units(float(unit.heading) + walked.space.asides)
    rays = np.array([shapely.LineString([here, here + far * way]) for way in ways], object)
    met = shapely.intersection(outlines[:, None], rays[None]).ravel()
    nearest = shapely.shortest_line(outlines, shapely.Point(here))
    return np.concatenate([shapely.get_coordinates(met), shapely.get_coordinates(nearest).reshape(-1, 2, 2)[:, 0]])
