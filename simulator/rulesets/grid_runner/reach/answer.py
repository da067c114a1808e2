"""Reach: where a character can legally end in one pass, at what cost, past whom, with what chances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import dropwhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine import geojson
from simulator.engine.chain import WayOn
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, WrongQuestion
from simulator.engine.lattice_reach import LatticeReach
from simulator.engine.ledger import Ledger
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot
from simulator.engine.state import Unit
from simulator.geometry.poses import Pose
from simulator.geometry.squares import Square
from simulator.pathing.costs import Costs
from simulator.pathing.exposed import least_exposed
from simulator.pathing.move_space import UNREACHED, Mask, Plane, Start
from simulator.pathing.reach import Reach
from simulator.pathing.reach import route as cheapest_route
from simulator.pathing.route import Route, RouteLeg, route_of
from simulator.pathing.search import Searcher, prepared
from simulator.pathing.traces import NoRoute
from simulator.rulesets.grid_runner.interception import Trigger, triggers_on
from simulator.rulesets.grid_runner.judge import before_moving
from simulator.rulesets.grid_runner.movement import (
    DIRECTIONS,
    FIRST_STEP,
    PARITIES,
    budget_of,
    elements_of,
    is_diagonal,
    ledger_of,
    prepared_for,
    squares_of,
    start_of,
    step_price,
)
from simulator.rulesets.grid_runner.odds.tumbling import TumbleCourses, TumbleOdds
from simulator.rulesets.grid_runner.odds.walking import (
    ChanceMap,
    Interceptor,
    Safest,
    TooManyWays,
    certain_costs,
    hit_chances,
    interception_odds,
    interceptors,
)
from simulator.rulesets.grid_runner.ranges import counted_distances
from simulator.rulesets.grid_runner.reach.waypoints import by_way_of
from simulator.rulesets.grid_runner.units import GridTable, grid_of
from simulator.rulesets.grid_runner.why import against
from simulator.wording import figure


class GridReach(LatticeReach):
    """The legal ends of one movement in one pass.

    `mask` is the possible reach, `certain` what nobody can prevent, `chances` the best chance for each square. Possible
    interceptions are listed beforehand: `triggers` along a way, `threats` for a square. Where one search has computed
    the costs of many characters, `known` returns those of this one; its own states are searched only on demand.
    """

    #: The character as it sets out: with the squares and at the pace of the question.
    mover: Unit

    def __init__(
        self,
        table: GridTable,
        unit: Unit,
        action: str,
        searcher: Searcher | None = None,
        *,
        refused: Sequence[Breach] = (),
        chances: Mapping[str, Fraction] | None = None,
        pool: int | None = None,
        start: Start | None = None,
        before: Sequence[Order] = (),
        known: Callable[[], Plane] | None = None,
    ) -> None:
        self.table, self.mover, self.action = table, unit, action
        self._searcher, self._known = searcher, known
        #: The orders that come before the movement: to start or stop running, to sprint.
        self.before = tuple(before)
        self.start = start or start_of(table, unit, action == "withdrawal")
        #: 0 where it cannot move with this action at all: its only end is its start.
        self.budget = 0 if refused else budget_of(table, unit, action)
        #: Chances of damage that override those of the characters.
        self.damage = chances or {}
        self._pool = int(unit["agility_gymnastics"]) if pool is None else pool
        costs = self._searched() if known is None else self._searched
        super().__init__(table, costs, unit, action, unit="square", refused=refused)

    def _searched(self) -> Costs:
        return self.searcher.search([self.start], self.budget)

    @cached_property
    def searcher(self) -> Searcher:
        """The board as it is for the character, prepared for searching."""
        return prepared_for(self.table, self.mover, self.action) if self._searcher is None else self._searcher

    @cached_property
    def cheapest(self) -> Plane:
        """For numpy: the least cost of ending on each square, [row, column]; known costs are not searched again."""
        return super().cheapest if self._known is None else self._known()

    @cached_property
    def mask(self) -> Mask:
        """For numpy: where the character may end, [row, column]; it needs no costs unless these are known already."""
        return self.costs.end_cells() if self._known is None else super().mask

    # --- what may happen on the way ---

    @cached_property
    def _interceptors(self) -> list[Interceptor]:
        return interceptors(self.table, self.mover, self.damage, self.action)

    @cached_property
    def _safest(self) -> Safest:
        return interception_odds(self.searcher, self.start, self.budget, self._interceptors)

    @cached_property
    def _courses(self) -> TumbleOdds:
        return self._tumbles(self.searcher, self.budget).odds()

    @cached_property
    def chances(self) -> ChanceMap:
        """The best chance of reaching each square."""
        return self._courses.chances if self.action == "tumble" else self._safest.chances

    @cached_property
    def certain(self) -> Mask:
        """Where the character gets whatever happens: by a way that triggers nobody who can intercept."""
        if self.action == "tumble":
            return np.asarray(self.mask & self.chances.at_least(Fraction(1)))
        costs = certain_costs(self.searcher, self.start, self.budget, self._interceptors)
        return np.asarray(costs.on_board(costs.ends, False).any(axis=0))

    @property
    def possible(self) -> Mask:
        """Everywhere the character might get: the whole legal reach."""
        return self.mask

    @property
    def known_chances(self) -> Sequence[Fraction]:
        """The distinct chances of squares, the greatest first."""
        return self.chances.within(self.mask)

    def surely(self, chance: Fraction) -> Mask:
        """Return the squares that have at least a chance."""
        return self.chances.at_least(chance)

    def chance_at(self, place: Square | Pose) -> Fraction:
        """Return the best chance of reaching a square, 0 if it is out of reach."""
        return self.chances.at_cell(*self.board.index(self.pose_of(place).place))

    def threats(self, place: Square) -> tuple[str, ...]:
        """Return the enemies that a step out of a square triggers."""
        here = self.board.place_at(*self.board.index(self.pose_of(place).place))
        found = triggers_on(self.table, self.mover, "move", [here, here])
        return tuple(trigger.enemy for trigger in found)

    def triggers(self, route: Route[Square]) -> list[Trigger]:
        """Return every interception that a way allows: at which step, out of which square, by whom."""
        return triggers_on(self.table, self.mover, self.action, list(route.places))

    # --- ways ---

    def safest_route_to(self, place: Square) -> Route[Square]:
        """Return the way to a square with the best chance, the cheapest of those; raises NoRoute if there is none.

        Of ways that are equal in both it has the fewest triggers, unless it is a tumble.
        """
        if place not in self:
            raise NoRoute(f"{place} cannot be reached within the budget")
        return self._safest_tumble(place) if self.action == "tumble" else self._gentlest_with(self._safest, place)

    def safest_of_cheapest(self, place: Square) -> Route[Square]:
        """Return the cheapest way to a square; ties go to the best chance, then to the fewest triggers."""
        route = self.route_to(place)
        if not any(trigger.able for trigger in self.triggers(route)):
            return route
        budget, searcher = int(route.cost), self._ending_on(place)
        try:
            if self.action == "tumble":
                return self._tumble(searcher, budget, self.board.index(place))
            safest = interception_odds(searcher, self.start, budget, self._interceptors)
        except TooManyWays:  # the odds of the whole reach report it; any cheapest way is then as good as the next
            return route
        return self._gentlest_with(safest, place)

    def safest_by_way_of(self, place: Square, via: Sequence[Square]) -> Route[Square]:
        """Return the cheapest way to a square through others; of equally cheap ones the one with the best chance.

        The fewest triggers break ties. Raises NoRoute where there is none.
        """
        space = replace(self.searcher.space, starts=(self.start,), budget=self.budget)
        route: Route[Square] = cheapest_route(self.board, prepared(space), [place], via=via, unit="square")
        if not any(trigger.able for trigger in self.triggers(route)):
            return route
        # A waypoint that is the start is already passed.
        left = list(dropwhile(lambda square: square == self.mover.place, via))
        come_by, there = [self.board.index(square) for square in left], self.board.index(place)
        searcher = prepared(by_way_of(self.searcher.space, come_by, there))
        try:
            if self.action == "tumble":
                return self._tumble(searcher, int(route.cost), there, come_by)
            safest = interception_odds(searcher, self.start, int(route.cost), self._interceptors)
        except TooManyWays:
            return route
        return self._gentlest_with(safest, place, searcher.search([self.start], int(route.cost)))

    def _ending_on(self, place: Square) -> Searcher:
        """Return the board with only one square to end on."""
        there = np.zeros(self.board.shape, np.bool_)
        there[self.board.index(place)] = True
        # A square does not decide in which phases a way may end: a charge has to have come through free squares.
        ends = self.searcher.space.end
        return self.searcher.with_masks(end=there if ends is None else ends & there)

    def _safest_tumble(self, place: Square) -> Route[Square]:
        """Return the tumble to a square with the best chance, in the fewest squares that have it.

        More squares never have a worse chance, so their number is found by halving.
        """
        cell, searcher = self.board.index(place), self._ending_on(place)
        found, chance = route_along(self.table, self.mover, self._courses.course_to(*cell)), self.chance_at(place)
        least, most = int(self.cheapest[cell]), int(found.cost)
        tried = least  # as often as not the cheapest way is the safest
        while least < most:
            try:
                odds = self._tumbles(searcher, tried).odds(chance)
            except TooManyWays:  # the odds of the whole reach did not: what they found will do
                return found
            if odds.chances.at_cell(*cell) == chance:
                found = route_along(self.table, self.mover, odds.course_to(*cell))
                most = int(found.cost)
            else:
                least = tried + 1
            tried = (least + most) // 2
        return found

    def _tumbles(self, searcher: Searcher, budget: int, via: Sequence[tuple[int, int]] = ()) -> TumbleCourses:
        hits = hit_chances(self.table, self._pool)
        return TumbleCourses(self.table, searcher, self.mover, self.start, budget, hits, self.damage, via)

    def _tumble(
        self, searcher: Searcher, budget: int, there: tuple[int, int], via: Sequence[tuple[int, int]] = ()
    ) -> Route[Square]:
        """Return the tumble to a cell with the best chance, among those that a search within the budget knows."""
        return route_along(self.table, self.mover, self._tumbles(searcher, budget, via).odds().course_to(*there))

    @clause("GR-48", "GR-58")
    def _gentlest_with(self, safest: Safest, place: Square, all_ways: Costs | None = None) -> Route[Square]:
        """Return a way that has the chance found; of those the cheapest, then the one least exposed."""
        row, column = self.board.index(place)
        number = int(safest.chances.index[row, column])
        # Where every path there is certainly stopped, only triggers distinguish them.
        costs = safest.searches[number] if number >= 0 else all_ways or self.costs
        squares: Plane = np.zeros(self.board.shape, np.int64)
        for enemy in self._interceptors:
            squares += enemy.squares
        if squares.any():
            least = int(costs.end_costs()[:, row, column].min())
            costs, _ = least_exposed(
                costs.space,
                costs.seeds,
                least,
                lambda step: None if step.from_phase.startswith(FIRST_STEP) else (squares, "departure"),
            )
        layer = int(costs.end_costs()[:, row, column].argmin())
        trace = costs.trace(costs.space.state_at(layer, row, column))
        return route_along(self.table, self.mover, [DIRECTIONS.index(line.step.name) for line in trace.lines])

    def orders_to(self, place: Square | Pose, safest: bool = False) -> list[Order]:
        """Return the orders that take the character to a square: the cheapest way, or the one with the best chance.

        Of equally cheap ways it is the one with the best chance, then the one with the fewest triggers.
        """
        square = self.pose_of(place).place
        route = self.safest_route_to(square) if safest else self.safest_of_cheapest(square)
        return self._orders_along(route)

    def ways_on(self) -> Iterator[WayOn]:
        """Yield a cheapest way to every end, one per parity; where it is risky, also the surest way to the square."""
        found, risky = self.touched, set()
        for layer, row, column in np.argwhere(found.ends < UNREACHED).tolist():
            cell = row + found.row, column + found.column
            route = route_of(self.board, self.trace(layer, cell), self.unit)
            sure = self.action != "tumble" and not any(trigger.able for trigger in self.triggers(route))
            if not sure:
                risky.add(cell)
            yield WayOn(route.end, route.cost, Fraction(int(sure)), self._orders_along(route))
        for cell in sorted(risky):
            route = self.safest_route_to(self.board.place_at(*cell))
            yield WayOn(route.end, route.cost, self.chances.at_cell(*cell), self._orders_along(route))

    def _orders_along(self, route: Route[Square]) -> list[Order]:
        return [*self.before, *([self.order_of(route)] if route.legs else ())]

    def order_of(self, route: Route[Square]) -> Order:
        """Return the order that takes the character along a way."""
        directions = [DIRECTIONS.index(leg.what) for leg in route.legs]
        return Order(self.mover.id, self.action, elements_of(directions))

    def ledger_of(self, route: Route[Square]) -> Ledger:
        """Return the price of a way, line by line."""
        directions = [DIRECTIONS.index(leg.what) for leg in route.legs]
        return Ledger(ledger_of(directions, route.places, int(self.mover["parity"])))

    def distances_to(self, place: Square, columns: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the distances of squares from a square, with diagonals counted as in movement."""
        return counted_distances("diagonal_121", columns - place[0], rows - place[1])

    def bars(self, table: GridTable, unit: Unit) -> Iterable[Breach]:
        """Return why the character could not begin such a movement, as it stands on a table."""
        return before_moving(table, unit, self.action)

    def against(self, place: Square) -> tuple[Sequence[Breach], str]:
        """Explain why the character cannot end on a square: clause, blocker and shortfall, and what would help."""
        return against(self, place)

    # --- shown ---

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, its bands by cost and by chance, and every end with its chance as a feature collection."""
        return as_geojson(self, Reach.to_geojson(self)["features"])


def as_geojson(reach: Any, features: Sequence[geojson.Feature]) -> dict[str, Any]:
    """Add to the area and the ends of an answer the chance of each end, and the bands by cost and by chance.

    Where the odds are refused, the area reports it.
    """
    found = [*features, *(geojson.band(region, level, reach.unit) for level, region in reach.bands())]
    try:
        by_chance = reach.chance_bands()
    except TooManyWays as error:
        found[0]["properties"]["odds"] = str(error)
        return geojson.collection(reach, found)
    for feature in found:
        if feature["properties"]["what"] == "end":
            feature["properties"]["chance"] = figure(reach.chance_at(tuple(feature["properties"]["place"])))
    found += [geojson.chance_band(region, level) for level, region in by_chance]
    return geojson.collection(reach, found)


@clause("GR-26")
def route_along(table: GridTable, unit: Unit, directions: Sequence[int]) -> Route[Square]:
    """Return a path of a character as a route."""
    squares = squares_of(unit.place, directions)
    begun = int(unit["parity"])
    legs: list[RouteLeg[Square]] = []
    parity, total = begun, 0
    for direction, square in zip(directions, squares[1:], strict=True):
        price, parity = step_price(is_diagonal(direction), parity)
        total += price
        legs.append(RouteLeg(DIRECTIONS[direction], square, None, PARITIES[parity], Fraction(price), Fraction(total)))
    return Route(grid_of(table), unit.place, None, PARITIES[begun], Fraction(0), tuple(legs), "square")


class SprintReach(GridReach):
    """The reach of a character that is about to sprint: how far depends on the hits.

    What is certain needs no hit; what is possible assumes a hit with every die.
    """

    def __init__(self, by_hits: Mapping[int, GridReach], shares: Mapping[int, Fraction]) -> None:
        best = by_hits[max(by_hits)]
        super().__init__(best.table, best.mover, best.action, best.searcher, refused=best.refused, start=best.start)
        self.by_hits, self._shares, self._best = by_hits, shares, best

    @cached_property
    def chances(self) -> ChanceMap:
        """The chance of reaching each square, the Running Test and all interceptions included."""
        return ChanceMap.mixed((self._shares[hits], reach.chances) for hits, reach in self.by_hits.items())

    @cached_property
    def certain(self) -> Mask:
        """Where the character gets without a single hit, past nobody who could intercept."""
        return self.by_hits[0].certain

    def hits_needed(self, place: Square | Pose) -> int:
        """Return the fewest hits that put a square in reach; raises NoRoute where none do."""
        for hits in sorted(self.by_hits):
            if place in self.by_hits[hits]:
                return hits
        raise NoRoute(f"{place} cannot be reached, whatever the Running Test shows")

    def safest_route_to(self, place: Square) -> Route[Square]:
        """Return the way with the best chance, given the hits that it needs."""
        return self.by_hits[self.hits_needed(place)].safest_route_to(place)

    def orders_to(self, place: Square | Pose, safest: bool = False) -> list[Order]:
        """Return the orders for a roll that is good enough; see `hits_needed`."""
        return self.by_hits[self.hits_needed(place)].orders_to(place, safest)

    def ways_on(self) -> Iterator[WayOn]:
        """Refuse: how a chain continues depends on the hits, and each number of them is a separate question."""
        raise WrongQuestion("a chain needs a known number of hits of its sprint: query with sprint=2, for example")

    def why_not(self, place: Square | Pose) -> WhyNot:
        """Explain why the character cannot end on a square even if every die hits."""
        return self._best.why_not(place)
