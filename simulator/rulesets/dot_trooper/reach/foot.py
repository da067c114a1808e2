"""Where a trooper may end on foot and in the air: which dot and level, with which AP, by which orders."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from simulator.engine.chain import WayOn
from simulator.engine.clauses import clause
from simulator.engine.orders import Element, Order
from simulator.engine.reach import WhyNot
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.hex_lattice import Dot
from simulator.geometry.poses import Pose
from simulator.pathing.costs import Costs
from simulator.pathing.exposed import least_exposed
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, Plane, Start
from simulator.pathing.reach import Touched
from simulator.pathing.route import Route, route_of
from simulator.pathing.search import Engine, search
from simulator.pathing.traces import NoRoute, Trace
from simulator.rulesets.dot_trooper.exposure import exposed_dots, exposure_on_foot, without_exposed
from simulator.rulesets.dot_trooper.foot import (
    changes_of_phase,
    foot_phase,
    level_of_phase,
    levels_of_phases,
    posture_of_phase,
)
from simulator.rulesets.dot_trooper.landings import Skies, looks_at_whole_flights
from simulator.rulesets.dot_trooper.movement import can_fly, foot_costs, foot_space, movement_ap, within_cap
from simulator.rulesets.dot_trooper.reach.answer import DotReach
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings
from simulator.rulesets.dot_trooper.units import DTTable
from simulator.rulesets.dot_trooper.why.foot import why_not_there
from simulator.wording import figure

#: More AP than any way takes.
_FAR = 10**6


class FootReach(DotReach):
    """Where a trooper may end on foot or after a flight. Phases name the level, so a roof is an end of its own."""

    def __init__(
        self,
        table: DTTable,
        trooper: Unit,
        costs: Costs,
        action: str,
        *,
        walks: bool = True,
        flies: bool = True,
        flights: WholeFlights | None = None,
    ) -> None:
        super().__init__(table, costs, trooper, action)
        self.walks, self.flies, self.flights = walks, flies, flights

    @cached_property
    def touched(self) -> Touched:
        """The least AP of ending in each state that the search could touch, within the cap of the turn (DT-64)."""
        found = super().touched
        return found._replace(ends=within_cap(self.table, self.mover, self.costs.space, found.ends))

    def _cheapest_ends(self) -> NDArray[np.int64]:
        return np.asarray(self.touched.ends.min(axis=0))

    @cached_property
    def levels(self) -> Mapping[tuple[Dot, int], int]:
        """Every dot and level that can be reached, with the least AP."""
        found: dict[tuple[Dot, int], int] = {}
        for end in self.ends:
            key = (end.place, level_of_phase(end.phase))
            found[key] = min(found.get(key, int(end.cost)), int(end.cost))
        return found

    # --- places ---

    @cached_property
    def end_levels(self) -> NDArray[Any]:
        """For numpy: on which level each layer stands, [layer, 1, 1]; None in the air, where nothing ends."""
        levels = levels_of_phases(phase for _, phase in self.costs.space.layer_labels)
        return levels[:, None, None]

    def _fitting_layers(self, pose: Pose, posture: str, phase: str | None = None) -> Mask:
        """Return which layers belong to a pose, a posture and a phase; "" is any posture."""
        fits = self._layers(pose, phase)
        if not posture:
            return fits
        phases = [phase for _, phase in self.costs.space.layer_labels]
        postures = [each.startswith("level ") and posture_of_phase(each) == posture for each in phases]
        return np.asarray(fits & np.array(postures))

    def cost_at(self, place: Any, phase: str | None = None, *, posture: str = "") -> Fraction | None:
        """Return the least AP of ending on a dot, on any level and in any posture or one; None if there is no way."""
        return self._least(self.pose_of(place), lambda pose: self._fitting_layers(pose, posture, phase))

    def chance_at(self, place: Any, *, posture: str = "") -> Fraction:
        """Return 1 where the trooper can end and 0 elsewhere: no check intervenes."""
        return Fraction(int(self.cost_at(place, posture=posture) is not None))

    # --- orders ---

    def orders_to(self, place: Any, *, posture: str = "", safest: bool = False) -> list[Order]:
        """Return the orders (walk, flight, walk) that end on a dot for the least AP; raises NoRoute if there are none.

        Of the ways with the least AP it is the one with the fewest moments at which the enemy can fire (DT-17, DT-97).
        With `safest` it is a way on which nobody can fire at all, if there is one, and the cheapest of those.
        """
        pose = self.pose_of(place)
        if self.cost_at(pose, posture=posture) is None:
            raise NoRoute(f"{self.mover.id} cannot end at {pose}")
        return self._orders_to(self.board.index(pose.place), self._fitting_layers(pose, posture), safest)

    def _orders_to(self, cell: tuple[int, int], fits: Mask, safest: bool) -> list[Order]:
        costs = np.where(fits, self.touched.at(*cell), UNREACHED)
        layer = int(costs.argmin())
        if self.flights is not None or not self.exposed.any():
            return self.orders_in(layer, cell)
        hidden = self._hidden_way(cell, fits) if safest else None
        return self._orders_along(hidden or self._least_exposed(cell, fits, int(costs[layer])))

    @clause("DT-64")
    def ways_to_stand(self, place: Dot, level: int) -> list[tuple[int, int, int]]:
        """Return the costs of ending on a dot standing: all AP, those of movement, and the layer.

        They are distinguished where the cap of the turn may bind before the AP do; otherwise there is one.
        """
        fits = self._fitting_layers(Pose(place, level=level), "standing")
        costs = np.where(fits, self.touched.at(*self.board.index(place)), UNREACHED)
        changes = [changes_of_phase(phase) for _, phase in self.costs.space.layer_labels]
        return [
            (int(costs[layer]), movement_ap(self.table, int(costs[layer]), changes[layer]), layer)
            for layer in np.flatnonzero(costs < UNREACHED).tolist()
        ]

    def orders_to_stand(self, place: Dot, layer: int) -> list[Order]:
        """Return the orders of one of those ways, the one with the fewest moments at which the enemy can fire."""
        fits = np.arange(len(self.costs.space.layer_labels)) == layer
        return self._orders_to(self.board.index(place), fits, safest=False)

    def orders_in(self, layer: int, cell: tuple[int, int]) -> list[Order]:
        """Return the orders that end in a state of the search."""
        trace = self.trace(layer, cell)
        before = self.flights.orders_to(trace.start) if self.flights is not None else []
        return [*before, *self._orders_along(trace)]

    def _orders_along(self, trace: Trace) -> list[Order]:
        return orders_of(route_of(self.board, trace, self.unit), self.mover.id)

    def ways_on(self) -> Iterator[WayOn]:
        """Yield a way to every state in which the trooper may end: dot, level and posture, flown or not (DT-28)."""
        found = self.touched
        for layer, row, column in np.argwhere(found.ends < UNREACHED).tolist():
            cell = row + found.row, column + found.column
            level = level_of_phase(self.costs.space.layer_labels[layer][1])
            pose, cost = Pose(self.board.place_at(*cell), level=level), int(found.ends[layer, row, column])
            yield WayOn(pose, Fraction(cost), Fraction(1), self.orders_in(layer, cell))

    # --- under fire ---

    @cached_property
    def exposed(self) -> Plane:
        """In how many arcs a trooper can be fired at on each dot, [row, column]."""
        return exposed_dots(self.table, self.mover.side)

    def _least_exposed(self, cell: tuple[int, int], fits: Mask, cost: int) -> Trace:
        """Return the way with `cost` AP that has the fewest moments to fire."""
        costs, weight = least_exposed(
            self.costs.space, self.costs.seeds, cost, lambda step: exposure_on_foot(self.exposed, step)
        )
        ends = costs.end_costs()
        prices = within_cap(self.table, self.mover, self.costs.space, np.where(ends < UNREACHED, ends // weight, ends))
        there = np.where(fits & (prices[:, cell[0], cell[1]] < UNREACHED), ends[:, cell[0], cell[1]], UNREACHED)
        return costs.trace(costs.space.state_at(int(there.argmin()), *cell))

    def _hidden_way(self, cell: tuple[int, int], fits: Mask) -> Trace | None:
        """Return the cheapest way on which nobody can fire, None if there is none."""
        costs = search(without_exposed(self.costs.space, self.exposed))
        ends = within_cap(self.table, self.mover, self.costs.space, costs.end_costs())
        there = np.where(fits, ends[:, cell[0], cell[1]], UNREACHED)
        layer = int(there.argmin())
        return costs.trace(costs.space.state_at(layer, *cell)) if there[layer] < UNREACHED else None

    @property
    def certain(self) -> frozenset[tuple[Dot, int]]:
        """Every dot and level that is reached whatever the dice show: all of them."""
        return frozenset(self.levels)

    @property
    def possible(self) -> frozenset[tuple[Dot, int]]:
        """Every dot and level that can be reached."""
        return frozenset(self.levels)

    # --- why not there ---

    def why_not(self, place: Any) -> WhyNot:
        """Explain why the trooper cannot end on a dot, on any level or one."""
        pose = self.pose_of(place)
        if (cost := self.cost_at(pose)) is not None:
            return self.reached(pose, cost)
        reasons = why_not_there(
            self.table,
            self.mover,
            pose.place,
            cast(int | None, pose.level),
            walks=self.walks,
            flies=self.flies,
            least=self._without_limit,
            helps=lambda names, ap: self._reached_with(pose, names, ap),
        )
        return self.explained(pose, *reasons)

    def _reached_with(self, pose: Pose, names: tuple[str, ...], ap: int) -> bool:
        """Whether a dot is reached with some units gone and `ap` more AP."""
        state = self.table.state.with_unit(self.mover.put(ap_bonus=self.mover["ap_bonus"] + ap))
        for name in names:
            state = state.without_unit(name)
        table = Table(self.table.setting, state)
        reach = foot_reach(table, table.unit(self.mover.id), walks=self.walks, flies=self.flies, action=self.action)
        return reach.cost_at(pose) is not None

    def _without_limit(self, place: Dot, levels: Sequence[int], alone: bool) -> int | None:
        """Return the least AP of a way to a dot, on one of some levels, with unlimited AP; None without a way.

        With `alone` nobody else is on the map. Where whole flights are searched only ways on foot are listed: flights
        then set out from everywhere.
        """
        mover = self.mover.put(ap_spent=-_FAR, movement_spent=-_FAR)
        flies = self.flies and self.flights is None
        ground = DotSurroundings.of(self.table, mover).without_units() if alone else None
        found = foot_costs(self.table, mover, walks=self.walks, flies=flies, ground=ground, with_all_ap=True)
        costs, labels = found.end_costs(), [phase for _, phase in found.space.layer_labels]
        chosen = [label.startswith("level ") and level_of_phase(label) in levels for label in labels]
        row, column = self.board.index(place)
        least = min(costs[chosen, row, column].tolist(), default=UNREACHED)
        return None if least == UNREACHED else int(least)

    def end_fields(self) -> list[dict[str, Any]]:
        """Return every end as plain data: dot, level, posture, AP; no check intervenes, so its chance is 1."""
        return [
            {
                "place": list(end.place),
                "heading": None,
                "motion": None,
                "level": level_of_phase(end.phase),
                "posture": posture_of_phase(end.phase),
                "cost": figure(end.cost),
                "chance": 1,
            }
            for end in self.ends
        ]


class WholeFlights:
    """Every flight from everywhere a trooper can take off, where the whole flight decides (DT-8)."""

    def __init__(self, table: DTTable, trooper: Unit, walks: bool, engine: Engine) -> None:
        self.table, self.trooper = table, trooper
        self.ground = DotSurroundings.of(table, trooper)
        board = self.ground.board
        self._ap = int(table.tables["activity.activate_jet_pack"])
        space = foot_space(table, trooper, walks=walks, flies=False)
        self.before = search(space, engine)
        reached = within_cap(table, trooper, space, self.before.full())
        exposed = exposed_dots(table, trooper.side)
        #: For each landing the state before the take-off, and all flights from there.
        self._from: dict[tuple[int, int, str], tuple[Start, Skies]] = {}
        found: dict[int, Mask] = {}
        starts = []
        for take_off in self._take_offs(space, reached):
            level, changes = level_of_phase(take_off.phase), changes_of_phase(take_off.phase)
            skies = Skies(table, self.ground, board.place_at(take_off.row, take_off.col), level, (), exposed)
            known = found.setdefault(changes, np.zeros(board.shape, np.bool_))
            for row, column in np.argwhere(skies.landings(known)).tolist():
                phase = foot_phase(int(board.top[row, column]), flown=True, changes=changes)
                starts.append(Start(row, column, None, phase, take_off.paid + self._ap))
                self._from[row, column, phase] = take_off, skies
                known[row, column] = True
        self.landed = tuple(starts)

    def _take_offs(self, space: MoveSpace, reached: NDArray[np.int64]) -> list[Start]:
        """Return every state in which a flight can begin, the cheapest first."""
        found = []
        for layer, (_, phase) in enumerate(space.layer_labels):
            if posture_of_phase(phase) == "standing":
                for row, column in np.argwhere(self._may_take_off(space, layer, reached[layer])).tolist():
                    found.append(Start(row, column, None, phase, int(reached[layer, row, column])))
        return sorted(found, key=lambda start: (start.paid, start))

    @staticmethod
    def _may_take_off(space: MoveSpace, layer: int, reached: NDArray[np.int64]) -> Mask:
        """Return where an order to walk can end, or the trooper stands: there a flight can begin."""
        may_end = space.holds("end", layer)
        ends = np.ones(space.shape, np.bool_) if may_end is None else may_end.copy()
        for start in space.starts:
            ends[start.row, start.col] |= space.layer_of(start.heading, start.phase) == layer
        return np.asarray((reached < UNREACHED) & ends)

    def orders_to(self, landed: Start) -> list[Order]:
        """Return the orders up to a landing, none if the trooper has not flown."""
        key = (landed.row, landed.col, landed.phase)
        if key not in self._from:
            return []
        take_off, skies = self._from[key]
        walk = route_of(self.ground.board, self.before.trace(take_off.state), "AP")
        dots = skies.way_to(self.ground.board.place_at(landed.row, landed.col))
        assert dots is not None, "no flight leads to this landing"
        flight = Order(self.trooper.id, "activate_jet_pack", [Element("fly", {"dots": dots})])
        return [*orders_of(walk, self.trooper.id), flight]


@clause("DT-8", "DT-28", "DT-164")
def foot_reach(
    table: DTTable,
    trooper: Unit,
    *,
    walks: bool = True,
    flies: bool = True,
    engine: Engine = "numpy",
    action: str = "turn",
) -> FootReach:
    """Compute where a trooper may end on foot and with one flight."""
    flights = None
    if flies and looks_at_whole_flights(table) and can_fly(table, trooper):
        flights = WholeFlights(table, trooper, walks, engine)
    landed = None if flights is None else flights.landed
    costs = foot_costs(table, trooper, walks=walks, flies=flies, landed=landed, engine=engine)
    return FootReach(table, trooper, costs, action, walks=walks, flies=flies, flights=flights)


def orders_of(route: Route[Any], unit: str) -> list[Order]:
    """Return the orders that a route on foot and in the air consists of: walk, fly, walk."""
    orders: list[Order] = []
    part: deque[Element] = deque()
    flight: list[Dot] = []

    def close() -> None:
        if part:
            orders.append(Order(unit, "foot_move", tuple(part)))
            part.clear()

    level = level_of_phase(route.start_phase)
    for leg in route.legs:
        if leg.what == "fly":
            close()
            flight.append(leg.place)
        elif leg.what == "land":
            orders.append(Order(unit, "activate_jet_pack", [Element("fly", {"dots": tuple(flight)})]))
            flight.clear()
            level = level_of_phase(leg.phase)
        elif leg.what == "step":
            to = level_of_phase(leg.phase)
            part.append(Element("step", {"to": leg.place} | ({"level": to} if to != level else {})))
            level = to
        else:
            part.append(Element(leg.what))
    close()
    return orders
