"""Orders that lead to a place: traced backwards through the fronts, or cut from the shortest way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.engine.line_orders import elements_of
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.errors import NoPlace
from simulator.geometry.convex import BoolArray
from simulator.geometry.paths import Path
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import KEPT_BACK, TOLERANCE
from simulator.pathing.free import plan, straight_reach
from simulator.pathing.links import Link, links_to
from simulator.pathing.outline_places import SPACING
from simulator.rulesets.skirmish.movement import facing_of, line_of, measured, within
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.reach.front import Front
from simulator.rulesets.skirmish.reach.fronts import Fronts
from simulator.rulesets.skirmish.reach.legs import SpendLeg
from simulator.rulesets.skirmish.reach.spends import Lot
from simulator.rulesets.skirmish.traverse.jumps import traverse_order

#: Returns the orders that lead to each of some places.
_Traced = Callable[[FloatArray], "list[list[PlannedOrder]]"]


def order_of_lot(fronts: Fronts, lot: Lot, path: Path, facing: float | None = None) -> Order:
    """Return the order to follow a line; one of no inches leads to where it begins."""
    elements = elements_of(path.pieces) or [Element("to", {"place": path.start})]
    if facing is not None:
        elements.append(Element("facing", {"heading": facing}))
    lots = lot.ap // fronts.spending.move_ap
    args = {"ap": lots} if lot.action == "move" and lots > 1 else {}
    return Order(fronts.grounds.unit.id, lot.action, elements, args)


class PlannedOrder(NamedTuple):
    """An order, the stance that it requires ("" for any), and the planned length of its line."""

    order: Order
    stance: str = ""
    least: float = 0.0
    most: float = math.inf


@clause("SK-2", "SK-12", "SK-18", "SK-30")
def as_landed(fronts: Fronts, steps: Sequence[PlannedOrder]) -> list[PlannedOrder]:
    """Keep the lines of a plan to their inches, from where its traverses come down in play.

    A traverse may come down up to `CLOSE` from where the next line was planned to begin. A line that uses its inches to
    the full would then be longer than it may be, by more than the judge forgives.
    """
    if not any(step.order.action == "traverse" for step in steps):
        return list(steps)
    table, soldier = fronts.grounds.table, fronts.grounds.unit
    found = []
    for step in steps:
        order = step.order
        if order.action == "traverse":
            jump = fronts.jumps.ordered(soldier.place, order)
            assert jump is not None  # it was found within a hair of where the soldier stands
            soldier = soldier.put(place=jump.far)
        else:
            line = line_of(soldier, order.elements)
            facing = facing_of(order.elements)
            length = measured(table, soldier, line, facing)
            over = length - min(max(length, step.least), step.most)
            if abs(over) > TOLERANCE:
                kept = within(table, soldier, line, facing, step.most) if over > 0.0 else None
                line = line.lengthened(-over) if kept is None else line.part(0.0, kept)
                elements = [*elements_of(line.pieces), *(one for one in order.elements if one.name == "facing")]
                step = step._replace(order=replace(order, elements=tuple(elements)))
            soldier = soldier.put(place=line.end, heading=soldier.heading if facing is None else facing)
        found.append(step)
    return found


@clause("SK-64")
def with_changes(unit: Unit, steps: Sequence[PlannedOrder]) -> list[Order]:
    """Return the orders of a plan, with changes of stance where one requires another."""
    found, stance = [], str(unit["stance"])
    for step in steps:
        if step.stance not in ("", stance):
            stance = step.stance
            found.append(Order(unit.id, "change_stance", (), {"stance": stance}))
        found.append(step.order)
    return found


class Places:
    """The single places of a reach: what they cost, and the orders that lead there."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts = fronts
        self._known: dict[tuple[XY, int], list[PlannedOrder] | None] = {}
        self._past: dict[tuple[XY, int], list[PlannedOrder] | None] = {}

    def costs(self, places: FloatArray) -> FloatArray:
        """Return the fewest AP that take a soldier to each of many places; inf where none do."""
        grounds, rows = self.fronts.grounds, places.reshape(-1, 2)
        costs = np.full(len(rows), np.inf)
        left = np.flatnonzero(may_end(grounds.table, grounds.unit, rows))
        for ap in range(self.fronts.spending.ap + 1):
            there = self._are_within(rows[left], ap)
            costs[left[there]] = ap
            left = left[~there]
        return costs

    def _are_within(self, rows: FloatArray, ap: int) -> BoolArray:
        """Return which places can be reached with `ap` AP."""
        there = np.zeros(len(rows), np.bool_)
        for front in self.fronts.possible(ap):
            left = np.flatnonzero(~there)
            if len(left):
                there[left] = front.ends(rows[left])
        for row in np.flatnonzero(~there).tolist() if not self.fronts.spending.is_by_front else []:
            there[row] = self._past_the_front((float(rows[row, 0]), float(rows[row, 1])), ap) is not None
        return there

    def orders(self, place: XY, safest: bool = False) -> tuple[int, list[Order]] | None:
        """Return the fewest AP that take a soldier to a place and the orders that do, None if there are none.

        Among orders with as many AP those that lead there whatever the dice show are preferred (SK-12); with `safest`
        more AP are spent for them too.
        """
        grounds = self.fronts.grounds
        if safest and may_end(grounds.table, grounds.unit, [place])[0]:
            for ap in range(self.fronts.spending.ap + 1):
                (sure,) = self._traced(self._sure(ap), [place])
                if sure is not None:
                    return ap, with_changes(grounds.unit, as_landed(self.fronts, sure))
        return self.orders_to_each([place])[0]

    def orders_to_each(self, places: Sequence[XY]) -> list[tuple[int, list[Order]] | None]:
        """Return the same for each of many places, all traced together."""
        grounds, found = self.fronts.grounds, list[tuple[int, list[Order]] | None]([None] * len(places))
        left = np.flatnonzero(may_end(grounds.table, grounds.unit, places)).tolist() if places else []
        for ap in range(self.fronts.spending.ap + 1):
            if not left:
                break
            for row, steps in zip(left, self._within([places[row] for row in left], ap), strict=True):
                if steps is not None:
                    found[row] = ap, with_changes(grounds.unit, as_landed(self.fronts, steps))
            left = [row for row in left if found[row] is None]
        return found

    def _within(self, places: Sequence[XY], ap: int) -> list[list[PlannedOrder] | None]:
        """Return orders of so many AP to each of some places, those preferred that no roll can change."""
        asked = [place for place in dict.fromkeys(places) if (place, ap) not in self._known]
        # Fronts are built only for places that need them.
        found = dict(zip(asked, self._traced(self._sure(ap) if asked else (), asked), strict=True))
        left = [place for place in asked if found[place] is None]
        found |= zip(left, self._traced(self.fronts.possible(ap) if left else (), left), strict=True)
        for place, steps in found.items():
            if steps is None and not self.fronts.spending.is_by_front:
                steps = self._past_the_front(place, ap)
            self._known[place, ap] = steps
        return [self._known[place, ap] for place in places]

    def _sure(self, ap: int) -> Sequence[Front]:
        """Return the fronts that so many AP lead to whatever the dice show; none where nothing can fail."""
        return self.fronts.certain(ap) if self.fronts.can_fail else ()

    def _traced(self, fronts: Sequence[Front], places: Sequence[XY]) -> list[list[PlannedOrder] | None]:
        """Return orders to each of some places by the first of some fronts that it is on."""
        rows, found = np.array(places, np.float64).reshape(-1, 2), list[list[PlannedOrder] | None]([None] * len(places))
        left = np.arange(len(places))
        for front in fronts:
            there = left[front.ends(rows[left])] if len(left) else left
            for row, steps in zip(there.tolist(), self.on(front, rows[there]), strict=True):
                found[row] = steps
            left = np.setdiff1d(left, there)
        return found

    def _past_the_front(self, place: XY, ap: int) -> list[PlannedOrder] | None:
        """Return the orders that lead to a place that a front falls short of."""
        if self.fronts.is_cut_anywhere and not self.fronts.has_traverses and self.fronts.spending.run is None:
            return None
        if (place, ap) not in self._past:
            self._past[place, ap] = self._from_between(place, ap)
        return self._past[place, ap]

    def _from_between(self, place: XY, ap: int) -> list[PlannedOrder] | None:
        """Return orders by a place in between, where the ways from the last front and back from the goal overlap."""
        fronts, spending = self.fronts, self.fronts.spending
        ground, spot = fronts.grounds.open, shapely.Point(place)
        if fronts.grounds.has_rough and spending.terrain_chance == 0:
            return None
        for lot in spending.moves:
            for front in fronts.possible(ap - lot.ap) if lot.ap <= ap else ():
                if lot not in spending.moves_in(front.stage.stance):
                    continue
                far = lot.inches + SPACING
                lines = [line for line in front.lines if shapely.distance(line, spot) <= far]
                if not lines and not 0.0 < shapely.distance(front.area, spot) <= far:
                    continue
                search = straight_reach if spending.is_straight else plan
                inches, no_end = max(lot.inches - KEPT_BACK, 0.0), fronts.grounds.no_end(ground)
                back = search(ground, place, inches, no_end=no_end)
                both = shapely.intersection(back.area(0.001, "outer"), front.area)
                rows = shapely.get_coordinates(both)
                nearest = [shapely.get_coordinates(shapely.shortest_line(line, spot))[:1] for line in lines]
                rows = np.concatenate([rows, front.on_rims, *nearest])
                there = front.stops_among(rows[back.ends(rows)])
                there = there[back.ends(there)]
                if len(there) and place in search(ground, there[:1], inches, no_end=no_end):
                    between = (float(there[0, 0]), float(there[0, 1]))
                    path = back.route_to(between).reversed()
                    return [
                        *self.on(front, there[:1])[0],
                        PlannedOrder(order_of_lot(fronts, lot, path), lot.stance, lot.least, lot.inches),
                    ]
        return None

    def on(self, front: Front, places: FloatArray) -> list[list[PlannedOrder]]:
        """Return the orders that lead to each of some places of a front."""
        found: dict[int, list[PlannedOrder]] = {}
        left = np.arange(len(places))
        if front.is_start:
            there = left[np.hypot(*(places - self.fronts.start).T) <= TOLERANCE]
            found |= {row: [] for row in there.tolist()}
            left = np.setdiff1d(left, there)
        ways: list[tuple[Front | SpendLeg[Front], _Traced]] = [(one, partial(self.on, one)) for one in front.earlier]
        ways += [(leg, partial(self._by_leg, leg)) for leg in front.legs]
        for way, traced in ways:
            there = left[way.ends(places[left])] if len(left) else left
            found |= zip(there.tolist(), traced(places[there]), strict=True)
            left = np.setdiff1d(left, there)
        for row in left.tolist():
            steps = self._by_facing(front, (float(places[row, 0]), float(places[row, 1])), None)
            if steps is not None:
                found[row] = steps
        rest = [row for row in left.tolist() if row not in found]
        if rest:
            found |= zip(rest, self._by_landing(front, places[rest]), strict=True)
        return [found[row] for row in range(len(places))]

    def _by_landing(self, front: Front, places: FloatArray) -> list[list[PlannedOrder]]:
        """Return the orders that lead to places of a front at which a traverse comes down."""
        found: dict[int, list[PlannedOrder]] = {}
        lots: dict[Front, list[tuple[int, Link]]] = {}
        for row, jumped in enumerate(front.jumps_to(places) if front.landings else [None] * len(places)):
            if jumped is None:
                raise NoPlace(f"{places[row, 0]:g},{places[row, 1]:g} is no end at this stage")
            jump, before = jumped
            lots.setdefault(before, []).append((row, jump))
        for before, jumps in lots.items():
            steps = self.on(before, np.array([jump.start for _, jump in jumps], np.float64))
            for (row, jump), some in zip(jumps, steps, strict=True):
                found[row] = [*some, PlannedOrder(traverse_order(jump, self.fronts.grounds.unit.id))]
        return [found[row] for row in range(len(places))]

    @clause("SK-3")
    def _turned(self, front: Front, place: XY, heading: float) -> list[PlannedOrder] | None:
        """Return the orders that lead to a place of a front with some facing, None if there are none."""
        grounds, spot = self.fronts.grounds, np.array([place], np.float64)
        is_at_start = front.is_start and np.hypot(*(spot[0] - self.fronts.start)) <= TOLERANCE
        if is_at_start and heading == float(grounds.unit.heading or 0.0):
            return []
        for before in front.earlier:
            if (found := self._turned(before, place, heading)) is not None:
                return found
        if (found := self._by_facing(front, place, heading)) is not None:
            return found
        for landing, before in front.landings:
            jump = links_to(self.fronts.jumps, [(landing, place)])[0]
            found = self._turned(before, jump.start, heading) if jump is not None else None
            if jump is not None and found is not None:
                return [*found, PlannedOrder(traverse_order(jump, grounds.unit.id))]
        return None

    def _by_leg(self, leg: SpendLeg[Front], places: FloatArray) -> list[list[PlannedOrder]]:
        """Return the orders that lead to places at which a leg ends."""
        if not len(places):
            return []
        paths = leg.paths_to(places)
        found = self.on(leg.before, np.array([path.start for path in paths], np.float64))
        for steps, whole, (x, y) in zip(found, paths, places.tolist(), strict=True):
            parts = leg.parts_of(whole)
            assert parts is not None  # nobody is in the way of an end
            for lot, path in parts or [(leg.lot, Path((x, y)))]:
                order, most = order_of_lot(self.fronts, lot, path), min(lot.inches, leg.reach.budget + KEPT_BACK)
                steps.append(PlannedOrder(order, lot.stance, lot.least, most))
        return found

    def _by_facing(self, front: Front, place: XY, heading: float | None) -> list[PlannedOrder] | None:
        for leg in front.facing_legs:
            found = leg.line_to(place, heading)
            if found is not None:
                begun, path, facing = found
                before = self._turned(leg.before, path.start, begun)
                assert before is not None  # it is one of the states that the lot begins in
                order = order_of_lot(self.fronts, leg.lot, path, facing)
                return [*before, PlannedOrder(order, leg.lot.stance, leg.lot.least, leg.inches)]
        return None
