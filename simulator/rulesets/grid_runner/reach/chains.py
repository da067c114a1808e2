"""Reach over several passes of a turn: chains of movements, each of which ends legally."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.engine import geojson
from simulator.engine.answers import Policy
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.game import Game
from simulator.engine.lattice_reach import bands_of_chance, nearest_end
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot
from simulator.engine.ruleset import ruleset_of
from simulator.engine.state import Unit
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.squares import Square
from simulator.later import Later
from simulator.pathing.costs import Costs
from simulator.pathing.costs_given import costs_given
from simulator.pathing.ends import End, HeadingRange, costs_of_poses
from simulator.pathing.move_space import UNREACHED, Mask, Plane, Start
from simulator.pathing.route import Route, route_of
from simulator.pathing.search import Searcher
from simulator.pathing.search_stages import Searches, followed, traced
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import NoRoute
from simulator.rulesets.grid_runner.allotments import allotment_now, counted_squares, figures_left, turn_total
from simulator.rulesets.grid_runner.movement import FIRST_STEPS, PARITIES, at, prepared_for
from simulator.rulesets.grid_runner.odds.walking import (
    MOST_SEARCHES,
    ChanceMap,
    TooManyWays,
    ZoneThreats,
    interceptors,
    search_allowed,
    uncounted,
)
from simulator.rulesets.grid_runner.reach.answer import GridReach, as_geojson
from simulator.rulesets.grid_runner.reach.paces import at_pace
from simulator.rulesets.grid_runner.units import GridTable, held_fast
from simulator.rulesets.grid_runner.why import in_the_way, without_them
from simulator.wording import measure

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

#: The parity at which the next diagonal is paid in each phase of a move space, including the first step of a
#: withdrawal.
PARITY_OF = {phase: parity for phases in (PARITIES, FIRST_STEPS) for parity, phase in enumerate(phases)}


@dataclass(frozen=True)
class Pass:
    """One pass of a chain: the table and the character when it begins, and the squares available."""

    table: GridTable
    unit: Unit
    searcher: Searcher
    #: The figure of this pass, and all figures of the turn up to it (GR-20).
    figure: int
    figures: int
    #: Where the chain sets out, for its first pass; later ones begin wherever the one before may end.
    first: GridReach | None = None

    @property
    def remembers(self) -> bool:
        """Whether what is left in a pass depends on what earlier passes used."""
        return bool(self.table.options.carry_over or self.table.options.turn_total_cap)

    def entered(self, used: Plane | None) -> Iterator[tuple[Seeds, int]]:
        """Yield the searches that this pass needs, from the squares used before at each square: seeds and budgets."""
        options = self.table.options
        if self.first is not None or used is None:
            assert self.first is not None, "a chain begins with its first pass"
            yield Seeds.of(self.searcher.space, [self.first.start], self.first.budget), self.first.budget
            return
        figure, figures = (0, 0) if held_fast(self.unit) else (self.figure, self.figures)
        if not self.remembers:
            yield Seeds.of_costs(used), figure
            return
        total = turn_total(self.table, self.unit, self.unit["mode"])
        for spent in np.unique(used[used < UNREACHED]).tolist():
            left = figures - spent if options.carry_over else figure
            if options.turn_total_cap:
                left = min(left, total - spent)
            yield Seeds.of_costs(np.where(used == spent, spent, UNREACHED)), spent + max(left, 0)

    def used_after(self, costs: Costs) -> Plane:
        """Compute for each end of a search the squares of figures used so far in the turn; 0 if it makes no difference.

        As in `carried_on`, squares of a sprint do not count.
        """
        used = costs.end_costs()
        reached = used < UNREACHED
        if not self.remembers:
            return np.where(reached, 0, UNREACHED)
        if self.first is not None:
            counted = counted_squares(self.table, self.unit, int(self.unit["spent"]) + used)
            return np.where(reached, int(self.unit["spent_before"]) + counted, UNREACHED)
        return used

    def parities(self, costs: Costs) -> NDArray[np.int64]:
        """Compute for each layer of a search the parity with which the next pass begins."""
        phases = self.searcher.space.phases
        alike = costs.space.layers // len(phases)  # however often enemies have attacked
        if self.table.options.diagonal_parity_reset == "pass":
            return np.zeros(costs.space.layers, np.int64)
        return np.repeat([PARITY_OF[phase] for phase in phases], alike)

    def began_with(self, start: Start) -> tuple[int, int]:
        """Return the parity and the squares used with which the pass before has to have ended."""
        return PARITY_OF[uncounted(start.phase)], start.paid

    def ended(
        self, searches: Sequence[Costs], row: int, column: int, goal: tuple[int, int] | None
    ) -> tuple[Costs, int]:
        """Return the search and layer that end on a square for least, with the required parity and squares used."""
        found: list[tuple[int, int, int]] = []
        for number, costs in enumerate(searches):
            spent, used = costs.end_costs()[:, row, column].tolist(), self.used_after(costs)[:, row, column].tolist()
            ends = zip(self.parities(costs).tolist(), used, spent, strict=True)
            found += [
                (paid, number, layer)
                for layer, (parity, before, paid) in enumerate(ends)
                if before < UNREACHED and goal in (None, (parity, before))
            ]
        _, number, layer = min(found)
        return searches[number], layer

    def left(self, searches: Sequence[Costs]) -> Plane:
        """Return the squares used by the end of this pass, by the parity with which the next one begins."""
        found = np.full((len(PARITIES), *self.searcher.space.shape), UNREACHED)
        for costs in searches:
            used, parities = self.used_after(costs), self.parities(costs)
            for parity in np.unique(parities).tolist():
                found[parity] = np.minimum(found[parity], used[parities == parity].min(axis=0))
        return found


class PassesReach:
    """Where a character can be after some passes of the turn, each movement ending legally. Costs are in passes."""

    unit = "pass"

    def __init__(self, first: GridReach, stages: Sequence[Pass], mode: str) -> None:
        self.first, self.stages, self.mode = first, tuple(stages), mode
        self.board, self.table, self.mover, self.action = first.board, first.table, first.mover, first.action
        #: The searches of each pass: several where what is left depends on what was used.
        self.passes: tuple[Searches, ...] = ()
        #: In which of these passes a square is first reached, from 1 on; 0: in none [row, column].
        self.earliest: NDArray[np.int64] = np.zeros(self.board.shape, np.int64)
        for number, (searches, left) in enumerate(followed(self.stages, (first.costs,)), 1):
            self.passes += (searches,)
            self.earliest[(left < UNREACHED).any(axis=0) & (self.earliest == 0)] = number

    @property
    def mask(self) -> Mask:
        """Where the character can be after one of the passes."""
        return np.asarray(self.earliest > 0)

    def __contains__(self, place: Any) -> bool:
        square = self.first.pose_of(place).place
        return square in self.board and bool(self.mask[self.board.index(square)])

    def __len__(self) -> int:
        return int(self.mask.sum())

    def __iter__(self) -> Iterator[Square]:
        """Iterate over all squares where it can be, row by row."""
        return iter([self.board.place_at(row, column) for row, column in np.argwhere(self.mask).tolist()])

    def _square(self, place: Square | Pose) -> Square:
        """Return the square of a question; a character faces where it likes, on the ground."""
        column, row = self.first.pose_of(place).place
        return column, row

    def cost_at(self, place: Square | Pose) -> int | None:
        """Return the first pass at whose end the character can stand on a square, None if there is none."""
        return int(self.earliest[self.board.index(self._square(place))]) or None

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> NDArray[np.float64]:
        """Return the same for each of many squares, an array of pairs, for numpy; inf where there is none."""
        return costs_of_poses(places, self.first.pose_of, self._costs)

    def _costs(self, places: ArrayLike, _heading: Heading, _level: Level) -> NDArray[np.float64]:
        rows, columns, here = self.board.cells(places)
        earliest = self.earliest[rows, columns]
        return np.where(here & (earliest > 0), earliest, np.inf)

    def ends_at(self, place: Square | Pose) -> tuple[End, ...]:
        """Return the one end on a square, or none."""
        cost = self.cost_at(place)
        return () if cost is None else (End(Pose(self._square(place)), cost),)

    def headings_at(self, place: Square | Pose) -> tuple[HeadingRange, ...]:
        """Return the whole circle on a square where it can be."""
        cost = self.cost_at(place)
        return () if cost is None else (HeadingRange.whole(cost),)

    @property
    def refused(self) -> tuple[Breach, ...]:
        """Why it cannot move at all, if it cannot in any of the passes."""
        return self.first.refused if len(self) <= 1 else ()

    # --- ways ---

    def routes_to(self, place: Square) -> list[Route[Square]]:
        """Return a way to a square, pass by pass, that gets there as early as possible."""
        return self._routes_through(self.passes[: self._first_pass(place)], place)

    def safest_routes_to(self, place: Square, any_pass: bool = True) -> list[Route[Square]]:
        """Return the way to a square, pass by pass, with the best chance, in as few passes as have it.

        Without `any_pass` it gets there as early as possible, and is the safest of those that do. Where every such
        chain is certain to be broken, any of the earliest is returned. Raises TooManyWays where the odds take too many
        searches.
        """
        last = self._first_pass(place)
        there = np.zeros(self.board.shape, np.bool_)
        there[self.board.index(place)] = True
        odds = chain_odds(self.stages if any_pass else self.stages[:last], there, self.first.damage)
        searches = odds.searches_to(*self.board.index(place))
        return self.routes_to(place) if searches is None else self._routes_through(searches, place)

    def _first_pass(self, place: Square) -> int:
        last = self.cost_at(place)
        if last is None:
            raise NoRoute(f"{place} cannot be reached in {measure(len(self.passes), 'pass')}")
        return last

    def _routes_through(self, passes: Sequence[Searches], place: Square) -> list[Route[Square]]:
        """Trace a way back through the searches of some passes, the first of the turn first."""
        return [
            route_of(self.board, trace, "square") for trace in traced(self.stages, passes, *self.board.index(place))
        ]

    def orders_to(self, place: Square | Pose, safest: bool = False) -> list[Order]:
        """Return the orders that take the character to a square, including those that end the passes in between.

        They get there in as few passes as possible and are the safest of those; with `safest` they have the best chance
        of all, however many passes that takes.
        """
        try:
            routes = self.safest_routes_to(self._square(place), any_pass=safest)
        except TooManyWays:
            if safest:
                raise
            routes = self.routes_to(self._square(place))  # any of the earliest, as in a single pass
        name, begun = self.mover.id, self.table.clock.number
        # The table is as the orders before the movement leave it.
        game = Game(self.table.setting, self.table.state, Policy("never", "first"))
        orders = list(self.first.before)

        def carry_out(order: Order) -> None:
            if closed := game.breaches(order):
                raise NoRoute("; ".join(breach.message for breach in closed))
            game.do(order)
            orders.append(order)

        for number, route in enumerate(routes):
            while game.state.clock.number < begun + number:
                carry_out(Order("all", "done"))
            if number:
                now = game.ready_table(name)
                for order in at_pace(now, now.unit(name), self.mode).orders:
                    carry_out(order)
            if route.legs:
                moved = self.first.order_of(route)
                carry_out(moved if not number else Order(name, "move", moved.elements))
        return orders

    # --- odds ---

    @cached_property
    def chances(self) -> ChanceMap:
        """The best chance of reaching each square by a chain that nobody breaks."""
        return chain_odds(self.stages, self.mask, self.first.damage).chances

    def chance_at(self, place: Square | Pose) -> Fraction:
        """Return the best chance of reaching a square, 0 if it is out of reach."""
        return self.chances.at_cell(*self.board.index(self._square(place)))

    # --- why not ---

    def why_not(self, place: Square | Pose) -> WhyNot:
        """Explain why the character cannot be on a square after these passes, and in how many it could be."""
        place = self._square(place)
        if place in self:
            return WhyNot(place, (), place, self.cost_at(place), self.unit)
        away = partial(self.first.distances_to, place)
        nearest = nearest_end(self.board, self.mask, self.earliest, away)
        cost = None if nearest is None else self.cost_at(nearest)
        reasons, remedy = self._against(place)
        return WhyNot(place, tuple(reasons), nearest, cost, self.unit, remedy)

    def _against(self, place: Square) -> tuple[list[Breach], str]:
        # What closes a square, or the way there, closes it in every pass.
        moving = GridReach(self.table, self.mover, "move", prepared_for(self.table, self.mover, "move"))
        closing = [reason for reason in moving.why_not(place).reasons if reason.clause not in ("GR-18", "GR-27")]
        if closing:
            return closing, self._remedy_without(place, in_the_way(moving, place) or ())
        there, passes = at(place), len(self.stages)
        for number in range(passes + 1, self._most + 1):
            if place in over_passes(self.first, number, self.mode):
                message = f"{there} takes {measure(number, 'pass')}, the question allows {measure(passes, 'pass')}"
                return [
                    Breach("GR-20", message, number, passes, place=place)
                ], f"{measure(number - passes, 'pass')} more"
        return [
            Breach("GR-27", f"{there} is farther than the figures of {measure(passes, 'pass')} lead", place=place)
        ], ""

    @property
    def _most(self) -> int:
        """The passes that are left in the turn."""
        return len(self.table.clock.phases) - self.table.clock.number

    def _remedy_without(self, place: Square, names: Sequence[str]) -> str:
        """Report that it would work without these characters, if need be in more passes; "" where it would not."""
        if not names:
            return ""
        first, state = self.first, self.table.state
        for name in names:
            state = state.without_unit(name)
        table = type(self.table)(self.table.setting, state)
        searcher = prepared_for(table, self.mover, first.action)
        alone = GridReach(
            table, self.mover, first.action, searcher, refused=first.refused, start=first.start, before=first.before
        )
        passes = len(self.stages)
        for number in range(passes, self._most + 1):
            if place in over_passes(alone, number, self.mode):
                more = [f"{measure(number - passes, 'pass')} more"] if number > passes else []
                return ", and ".join([without_them(names), *more])
        return ""

    # --- areas ---

    @cached_property
    def area(self) -> BaseGeometry:
        """The ground of all squares where it can be."""
        return self.board.region_of(self.mask)

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """Return the same: there are no headings and no levels to choose."""
        self.first.area_of(heading=heading, level=level)
        return self.area

    def bands(self, levels: Sequence[int] | None = None) -> list[tuple[int, BaseGeometry]]:
        """Return the ground by passes, disjoint."""
        taken = np.zeros_like(self.mask)
        found = []
        for level in range(1, len(self.passes) + 1) if levels is None else costs_given(levels):
            within = self.mask & (self.earliest <= level)
            found.append((int(level), self.board.region_of(within & ~taken)))
            taken |= within
        return found

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the ground by chance, disjoint, the surest first."""
        known = self.chances.within(self.mask)
        return bands_of_chance(self.board, self.mask, known, self.chances.at_least, levels)

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, its bands by pass and by chance, and every square with its pass as a feature collection."""
        ends = [
            geojson.feature(
                shapely.Point(*self.board.centre(place)), "end", place=list(place), cost=self.cost_at(place)
            )
            for place in self
        ]
        return as_geojson(self, [geojson.feature(self.area, "area", places=len(self), unit=self.unit), *ends])


@clause("GR-13", "GR-20", "GR-24", "GR-26", "GR-29")
def over_passes(first: GridReach, passes: int, mode: str) -> PassesReach:
    """Chain the movements of `passes` passes of this turn, in a mode from the first pass in which it can begin."""
    table, unit = first.table, first.mover
    left = figures_left(table, unit)
    # Who ran and walks now may have used more than its figure, and then carries nothing over, nor owes anything.
    beyond = max(int(counted_squares(table, unit, int(unit["spent"]))) - left, 0)
    figures = int(unit["spent_before"]) + left + beyond
    stages = [Pass(table, unit, first.searcher, first.budget, figures, first)]
    onward = prepared_for(table, unit, "move") if first.action != "move" else first.searcher
    for number in range(table.clock.number + 1, table.clock.number + passes):
        table, unit = _next_pass(table, unit, number, mode)
        figure = allotment_now(table, unit)
        figures += figure
        stages.append(Pass(table, unit, onward, figure, figures))
    return PassesReach(first, stages, mode)


def _next_pass(table: GridTable, unit: Unit, number: int, mode: str) -> tuple[GridTable, Unit]:
    """Return the table when a later pass begins, the character at the chosen pace if it can."""
    state = table.state.put(clock=table.clock.put({"number": number})).with_unit(unit)
    later = type(table)(table.setting, state)
    later.play(ruleset_of(later.setting).clock.phase_begins(later, later.clock.phases[number]))
    later = at_pace(later, later.unit(unit.id), mode).table
    return later, later.unit(unit.id)


# --- the odds of a chain ---


@dataclass(frozen=True)
class _Link:
    """A search of one pass still to be made: its origin and the attacks allowed."""

    stage: int
    #: The number of the search of the pass before from which it sets out, -1 at the start of a chain, and the squares
    #: used before at each square where it begins.
    entry: int
    used: Plane
    allowance: tuple[int, ...]


@dataclass(frozen=True)
class ChainOdds:
    """The best chances of chains, and for each chance the searches whose ways have it."""

    chances: ChanceMap
    #: The searches made, and for each the number of the one in the pass before from which it sets out.
    _made: tuple[tuple[int, Searches], ...]
    #: For each chance the search that it comes from.
    _best: tuple[int, ...]

    def searches_to(self, row: int, column: int) -> list[Searches] | None:
        """Return the searches pass by pass whose ways to a square have its chance; None where it has none."""
        number = int(self.chances.index[row, column])
        if number < 0:
            return None
        found, made = [], self._best[number]
        while made >= 0:
            made, searches = self._made[made]
            found.append(searches)
        return found[::-1]


@clause("GR-48", "GR-49")
def chain_odds(stages: Sequence[Pass], ends: Mask, damage: Any) -> ChainOdds:
    """Return the best chance of a chain to each square: the product over its movements; a stopped character is out.

    As in a single pass, allowances of attacks are tried from the best product down; where a pass ends, the next one
    sets out with the same chance. Squares that a better chain enters a pass with, for no more, are left out.
    """
    index = np.full(ends.shape, -1)
    values: list[Fraction] = []
    best: list[int] = []
    made: list[tuple[int, Searches]] = []
    number = count()
    enemies = [
        interceptors(stage.table, stage.unit, damage, "move" if stage.first is None else stage.first.action)
        for stage in stages
    ]
    threats = [ZoneThreats(those, ends.shape) for those in enemies]
    known = [np.full((len(PARITIES), *ends.shape), UNREACHED) for _ in stages]
    # Of equal chances the one that takes fewer passes comes first.
    queue = [(Fraction(-1), 0, next(number), _Link(0, -1, known[0], (0,) * len(enemies[0])))]
    seen: set[tuple[int, tuple[int, ...]]] = set()
    while queue and (ends & (index < 0)).any():
        negative, _, _, link = heapq.heappop(queue)
        if len(made) >= MOST_SEARCHES:
            raise TooManyWays(f"the odds of these passes take more than {MOST_SEARCHES} searches; query fewer passes")
        stage, here = stages[link.stage], enemies[link.stage]
        searches = tuple(
            search_allowed(stage.searcher, seeds, budget, here, link.allowance)
            for seeds, budget in stage.entered(link.used)
        )
        made.append((link.entry, searches))
        after = stage.left(searches)
        new = (after < UNREACHED).any(axis=0) & ends & (index < 0)
        if new.any():
            index[new] = len(values)
            values.append(-negative)
            best.append(len(made) - 1)
        stood = np.any([(costs.full() < UNREACHED).any(axis=0) for costs in searches], axis=0)
        for more, chance in threats[link.stage].more_allowed(link.allowance, stood):
            if (link.entry, more) not in seen:
                seen.add((link.entry, more))
                heapq.heappush(queue, (negative * chance, link.stage, next(number), replace(link, allowance=more)))
        if (onward := link.stage + 1) < len(stages):
            better = after < known[onward]
            if better.any():
                known[onward] = np.minimum(known[onward], after)
                used = np.where(better, after, UNREACHED)
                nobody = (0,) * len(enemies[onward])
                heapq.heappush(queue, (negative, onward, next(number), _Link(onward, len(made) - 1, used, nobody)))
    return ChainOdds(ChanceMap(values, index), tuple(made), tuple(best))
