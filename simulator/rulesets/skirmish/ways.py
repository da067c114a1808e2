"""Orders that lead to a place: read backwards through the fronts, or cut from the shortest way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.engine.orders import Element, Order
from simulator.errors import NoPlace
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.continuous import Arc, Reach, Segment, Way, plan, straight_reach
from simulator.rulesets.skirmish.fronts import KEPT_BACK, SPACING, Front, Fronts, Leg
from simulator.rulesets.skirmish.ground import may_end
from simulator.rulesets.skirmish.movement import LineOfMovement, elements_of, legal_stop
from simulator.rulesets.skirmish.soldiers import TOLERANCE
from simulator.rulesets.skirmish.spends import Lot

Pieces = Sequence[Segment | Arc]


def reversed_way(way: Way) -> Way:
    """The same way, gone from its end to its start."""
    pieces = [
        Arc(piece.centre, piece.radius, piece.begin + piece.sweep, -piece.sweep)
        if isinstance(piece, Arc)
        else Segment(piece.end, piece.start)
        for piece in way.pieces[::-1]
    ]
    return Way(way.end, way.start, tuple(pieces))


def part_of(way: Way, begin: float, end: float) -> tuple[Segment | Arc, ...]:
    """Give the part of a way between two lengths."""
    found: list[Segment | Arc] = []
    for piece in way.pieces:
        low, high = max(begin, 0.0), min(end, piece.length)
        begin, end = begin - piece.length, end - piece.length
        if high - low <= 1e-9:
            continue
        first, last = low / piece.length, high / piece.length
        if isinstance(piece, Arc):
            found.append(
                Arc(piece.centre, piece.radius, piece.begin + first * piece.sweep, (last - first) * piece.sweep)
            )
        else:
            (x1, y1), (x2, y2) = piece.start, piece.end
            found.append(
                Segment(
                    (x1 + first * (x2 - x1), y1 + first * (y2 - y1)), (x1 + last * (x2 - x1), y1 + last * (y2 - y1))
                )
            )
    return tuple(found)


@clause("SK-5", "SK-56")
def cut(fronts: Fronts, way: Way, lot: Lot) -> list[Pieces] | None:
    """Cut a way into lots that each end legally, as long ones as can be; None where none such lead to its end."""
    table, unit = fronts.grounds.table, fronts.grounds.unit
    line, done = LineOfMovement(way.start, way.pieces), 0.0
    lots: list[Pieces] = []
    while done < way.length - 1e-9:
        stop = legal_stop(table, unit, line, min(done + lot.inches, way.length))
        if stop <= done + 1e-9:
            return None
        lots.append(part_of(way, done, stop))
        done = stop
    return lots


def order_of_lot(fronts: Fronts, lot: Lot, pieces: Pieces, facing: float | None = None) -> Order:
    """Give the order to go a line."""
    elements = elements_of(pieces)
    if facing is not None:
        elements.append(Element("facing", {"heading": facing}))
    single = fronts.spending.moves[0].ap if fronts.spending.moves else 1
    args = {"ap": lot.ap // single} if lot.action == "move" and lot.ap > single else {}
    return Order(fronts.grounds.unit.id, lot.action, elements, args)


class Places:
    """The single places of a reach: what they cost, and the orders that lead there."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts = fronts
        self._known: dict[tuple[XY, int], list[Order] | None] = {}
        self._past: dict[tuple[XY, int], list[Order] | None] = {}
        self._reaches: dict[int, Reach] = {}

    def costs(self, places: FloatArray) -> FloatArray:
        """Give the fewest AP that take a soldier to each of many places; inf where none do."""
        grounds, rows = self.fronts.grounds, places.reshape(-1, 2)
        costs = np.full(len(rows), np.inf)
        left = np.flatnonzero(may_end(grounds.table, grounds.unit, rows))
        for ap in range(self.fronts.spending.ap + 1):
            there = self._are_within(rows[left], ap)
            costs[left[there]] = ap
            left = left[~there]
        return costs

    def _are_within(self, rows: FloatArray, ap: int) -> BoolArray:
        """Tell which places so many AP lead to."""
        there = np.zeros(len(rows), np.bool_)
        for front in self.fronts.possible(ap):
            left = np.flatnonzero(~there)
            if len(left):
                there[left] = front.ends(rows[left])
        for row in np.flatnonzero(~there).tolist() if not self.fronts.spending.is_by_front else []:
            there[row] = self._past_the_front((float(rows[row, 0]), float(rows[row, 1])), ap) is not None
        return there

    def orders(self, place: XY) -> tuple[int, list[Order]] | None:
        """Give the fewest AP that take a soldier to a place and the orders that do, or None where none do."""
        grounds = self.fronts.grounds
        if not may_end(grounds.table, grounds.unit, [place])[0]:
            return None
        for ap in range(self.fronts.spending.ap + 1):
            if (place, ap) not in self._known:
                self._known[place, ap] = self._within(place, ap)
            if (found := self._known[place, ap]) is not None:
                return ap, found
        return None

    def _within(self, place: XY, ap: int) -> list[Order] | None:
        spot = np.array([place], np.float64)
        for front in self.fronts.possible(ap):
            if front.ends(spot)[0]:
                return self.on(front, place)
        return None if self.fronts.spending.is_by_front else self._past_the_front(place, ap)

    def _past_the_front(self, place: XY, ap: int) -> list[Order] | None:
        """The orders that lead to a place that a front falls short of."""
        if (place, ap) not in self._past:
            found, run = None, self.fronts.spending.run
            # Far sides and runs lead farther than moves do; nothing else does.
            if self.fronts.has_traverses or (run is not None and run.ap < ap) or place in self._shortest(ap):
                found = self._straight_on(place, ap) or self._from_between(place, ap)
            self._past[place, ap] = found
        return self._past[place, ap]

    def _shortest(self, ap: int) -> Reach:
        """The ways from the start that so many AP are enough for, wherever lots end."""
        if ap not in self._reaches:
            fronts = self.fronts
            ground, moves = fronts.grounds.open, fronts.spending.moves
            inches = ap // moves[0].ap * moves[0].inches if moves else 0.0
            budget = max(inches - KEPT_BACK, 0.0)
            self._reaches[ap] = plan(ground, fronts.start, budget, no_end=fronts.grounds.no_end(ground))
        return self._reaches[ap]

    def _straight_on(self, place: XY, ap: int) -> list[Order] | None:
        """By the shortest way, cut exactly: it may go just as far as the AP last, where an outline falls short."""
        fronts = self.fronts
        if fronts.is_plain or not fronts.spending.moves or fronts.token or not ap:
            return None
        lot = fronts.spending.moves[0]
        reach = self._shortest(ap)
        if place not in reach or (fronts.grounds.has_rough and fronts.spending.terrain_chance == 0):
            return None
        way = reach.route_to(place)
        if fronts.spending.is_straight and len(way.pieces) > 1:
            return None
        lots = cut(fronts, way, lot)
        if lots is None or len(lots) * lot.ap > ap:
            return None
        return [order_of_lot(fronts, lot, pieces) for pieces in lots]

    def _from_between(self, place: XY, ap: int) -> list[Order] | None:
        """By a place in between, where what can be gone from the last front and back from the goal overlap."""
        fronts = self.fronts
        ground, spot = fronts.grounds.open, shapely.Point(place)
        for lot in fronts.spending.moves:
            if lot.ap > ap or (fronts.grounds.has_rough and fronts.spending.terrain_chance == 0):
                continue
            for front in fronts.possible(ap - lot.ap):
                far = lot.inches + SPACING
                lines = [line for line in front.lines if shapely.distance(line, spot) <= far]
                if not lines and not 0.0 < shapely.distance(front.area, spot) <= far:
                    continue
                asked = straight_reach if fronts.spending.is_straight else plan
                back = asked(ground, place, lot.inches - KEPT_BACK, no_end=fronts.grounds.no_end(ground))
                both = shapely.intersection(back.area(0.001, "outer"), front.area)
                rows = shapely.get_coordinates(both)
                nearest = [shapely.get_coordinates(shapely.shortest_line(line, spot))[:1] for line in lines]
                rows = np.concatenate([rows, front.on_rims, *nearest])
                rows = rows[may_end(fronts.grounds.table, fronts.grounds.unit, rows)]
                rows = rows[back.ends(rows)]
                there = rows[front.ends(rows)]
                if len(there) and place in asked(
                    ground, there[:1], lot.inches - KEPT_BACK, no_end=fronts.grounds.no_end(ground)
                ):
                    between = (float(there[0, 0]), float(there[0, 1]))
                    last = order_of_lot(fronts, lot, reversed_way(back.route_to(between)).pieces)
                    return [*self.on(front, between), last]
        return None

    def on(self, front: Front, place: XY, heading: float | None = None) -> list[Order]:
        """Give the orders that lead to a place of a front."""
        spot = np.array([place], np.float64)
        if front.is_start and np.hypot(*(spot[0] - self.fronts.start)) <= TOLERANCE and heading is None:
            return []
        if front.before is not None and heading is None and front.before.ends(spot)[0]:
            return self.on(front.before, place)
        for leg in front.legs:
            if leg.ends(spot)[0]:
                return self._by_leg(leg, place)
        found = self._by_facing(front, place, heading)
        if found is not None:
            return found
        jumped = front.jumps_to(spot)[0] if front.landings else None
        if jumped is not None:
            jump, before = jumped
            return [*self.on(before, jump.start, heading), jump.order(self.fronts.grounds.unit.id)]
        if front.is_start and np.hypot(*(spot[0] - self.fronts.start)) <= TOLERANCE:
            return []
        if front.before is not None:
            return self.on(front.before, place, heading)
        raise NoPlace(f"{place[0]:g},{place[1]:g} is no end at this stage")

    def _by_leg(self, leg: Leg, place: XY) -> list[Order]:
        way = leg.reach.route_to(place)
        if not leg.is_whole:
            return [*self.on(leg.before, way.start), order_of_lot(self.fronts, leg.lot, way.pieces)]
        lot = self.fronts.spending.moves[0]
        lots = cut(self.fronts, way, lot)
        assert lots is not None  # nobody is in the way of an end
        return [order_of_lot(self.fronts, lot, pieces) for pieces in lots]

    def _by_facing(self, front: Front, place: XY, heading: float | None) -> list[Order] | None:
        for leg in front.facing_legs:
            found = leg.line_to(place, heading)
            if found is not None:
                start, begun, pieces, facing = found
                before = self.on(leg.before, start, begun)
                return [*before, order_of_lot(self.fronts, leg.lot, pieces, facing)]
        return None
