"""Reach over several passes of a turn: chains of movements, each of which ends legally."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import count
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from simulator.engine import geojson
from simulator.engine.answers import Policy
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.game import Game
from simulator.engine.lattice_reach import bands_of_chance, nearest_end
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot
from simulator.engine.state import Unit
from simulator.geometry.squares import Square
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask, Plane
from simulator.pathing.route import Route, told
from simulator.pathing.routes import NoRoute
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.rulesets.grid_runner.allotments import allotment_now, turn_total
from simulator.rulesets.grid_runner.characters import GridTable, held_fast
from simulator.rulesets.grid_runner.movement import FIRST_STEPS, PARITIES, at, prepared_for
from simulator.rulesets.grid_runner.odds import (
    MOST_SEARCHES,
    ChanceMap,
    Threats,
    TooManyWays,
    interceptors,
    search_allowed,
)
from simulator.rulesets.grid_runner.passes import start_run_breaches
from simulator.rulesets.grid_runner.reach import GridReach, as_geojson
from simulator.rulesets.grid_runner.why import in_the_way, without_them
from simulator.wording import measure


@dataclass(frozen=True)
class Stage:
    """One pass of a chain: the table and the character when it begins, and the squares there are."""

    table: GridTable
    unit: Unit
    searcher: Searcher
    #: The figure of this pass, and all figures of the turn up to it.
    figure: int
    own: int
    #: Where the chain sets out, for its first pass; later ones begin wherever the one before may end.
    first: GridReach | None = None

    def entered(self, used: Plane) -> Iterator[tuple[Seeds, int]]:
        """Give the questions that this pass asks, from the squares used before at each square: seeds and budgets.

        What is left depends on what was used only where squares are carried over or capped.
        """
        options = self.table.options
        if self.first is not None:
            yield Seeds.of(self.searcher.space, [self.first.start], self.first.budget), self.first.budget
            return
        figure, own = (0, 0) if held_fast(self.unit) else (self.figure, self.own)
        if not (options.carry_over or options.turn_total_cap):
            yield Seeds.of_costs(np.where(used < UNREACHED, 0, UNREACHED)), figure
            return
        total = turn_total(self.table, self.unit, self.unit["mode"])
        for spent in np.unique(used[used < UNREACHED]).tolist():
            left = own - spent if options.carry_over else figure
            if options.turn_total_cap:
                left = min(left, total - spent)
            yield Seeds.of_costs(np.where(used == spent, spent, UNREACHED)), spent + max(left, 0)

    def left(self, searches: Sequence[Costs]) -> Plane:
        """Give the squares used at each end of this pass, by the parity with which the next one begins."""
        options, phases = self.table.options, self.searcher.space.phases
        used = np.asarray(np.min([costs.end_costs() for costs in searches], axis=0))
        used = used.reshape(len(phases), -1, *used.shape[1:]).min(axis=1)  # however often enemies have attacked
        if self.first is not None:
            before = int(self.unit["spent_before"]) + int(self.unit["spent"])
            used = _in_move_phases(np.where(used < UNREACHED, used + before, UNREACHED), phases)
        if not (options.carry_over or options.turn_total_cap):
            used = np.where(used < UNREACHED, 0, UNREACHED)
        if options.diagonal_parity_reset == "pass":
            used = np.stack([used.min(axis=0), np.full(used.shape[1:], UNREACHED)])
        return np.asarray(used)


class PassesReach:
    """Where a character can be after some passes of the turn, each movement ending legally. A place costs passes."""

    unit = "pass"

    def __init__(self, first: GridReach, stages: Sequence[Stage], mode: str) -> None:
        self.first, self.stages, self.mode = first, tuple(stages), mode
        self.board, self.table, self.mover, self.action = first.board, first.table, first.mover, first.action
        #: The searches of each pass: several where what is left depends on what was used.
        self.passes: tuple[tuple[Costs, ...], ...] = ((first.costs,),)
        #: In which of these passes a square is reached first, from 1 on; 0: in none [row, column].
        self.earliest: NDArray[np.int64] = np.where(first.mask, 1, 0)
        used = self.stages[0].left([first.costs])
        for number, stage in enumerate(self.stages[1:], 2):
            searches = tuple(stage.searcher.search_seeds(*asked) for asked in stage.entered(used))
            self.passes += (searches,)
            after = stage.left(searches)
            self.earliest[(after < UNREACHED).any(axis=0) & (self.earliest == 0)] = number
            used = np.minimum(used, after)

    @property
    def mask(self) -> Mask:
        """Where the character can be after one of the passes."""
        return np.asarray(self.earliest > 0)

    def __contains__(self, place: object) -> bool:
        return place in self.board and bool(self.mask[self.board.index(cast(Square, place))])

    def __len__(self) -> int:
        return int(self.mask.sum())

    def __iter__(self) -> Iterator[Square]:
        """All squares where it can be, row by row."""
        return iter([self.board.place_at(row, column) for row, column in np.argwhere(self.mask).tolist()])

    def cost_at(self, place: Square) -> int | None:
        """Give the first of the passes at whose end the character can stand on a square, None if in none."""
        return int(self.earliest[self.board.index(place)]) or None

    def costs_at(self, places: ArrayLike) -> NDArray[np.float64]:
        """For numpy: the same for each of many squares, an array of pairs; inf where in none."""
        rows, columns, here = self.board.cells(places)
        earliest = self.earliest[rows, columns]
        return np.where(here & (earliest > 0), earliest, np.inf)

    # --- ways ---

    def routes_to(self, place: Square) -> list[Route[Square]]:
        """Give a way to a square, pass by pass, that gets there as early as can be."""
        last = self.cost_at(place)
        if last is None:
            raise NoRoute(f"{place} can not be reached in {measure(len(self.passes), 'pass')}")
        row, column = self.board.index(place)
        routes: list[Route[Square]] = []
        for searches in reversed(self.passes[:last]):
            ends = [
                (int(costs.end_costs()[layer, row, column]), number, layer)
                for number, costs in enumerate(searches)
                for layer in range(costs.space.layers)
            ]
            _, number, layer = min(ends)
            trace = searches[number].trace(searches[number].space.state_at(layer, row, column))
            routes.append(told(self.board, trace, "square"))
            row, column = trace.start.row, trace.start.col
        return routes[::-1]

    def orders_to(self, place: Square) -> list[Order]:
        """Give the orders that take the character to a square, with those that end the passes in between."""
        name, begun = self.mover.id, self.table.clock.number
        # The table is as the orders before the movement leave it.
        game = Game(self.table.setting, self.table.state, Policy("never", "first"))
        orders = list(self.first.before)

        def give(order: Order) -> None:
            game.do(order)
            orders.append(order)

        for number, route in enumerate(self.routes_to(place)):
            while game.state.clock.number < begun + number:
                give(Order("all", "done"))
            now = game.ready_table(name)
            runs = number and self.mode == "run" and now.unit(name)["mode"] == "walk"
            if runs and not any(start_run_breaches(now, now.unit(name))):
                give(Order(name, "start_run"))
            if route.legs:
                moved = self.first.order_of(route)
                give(moved if not number else Order(name, "move", moved.elements))
        return orders

    # --- odds ---

    @cached_property
    def chances(self) -> ChanceMap:
        """The best chance of getting to each square by a chain that nobody breaks."""
        return chain_odds(self.stages, self.mask, self.first.damage)

    def chance_at(self, place: Square) -> Fraction:
        """Give the best chance of getting to a square, 0 if it is out of reach."""
        return self.chances.at_cell(*self.board.index(place))

    # --- why not ---

    def why_not(self, place: Square) -> WhyNot:
        """Say why the character can not be on a square after so many passes, and in how many it could be."""
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
            return closing, without_them(in_the_way(moving, place) or ())
        there, asked = at(place), len(self.stages)
        for number in range(asked + 1, len(self.table.clock.phases) - self.table.clock.number + 1):
            if place in over_passes(self.first, number, self.mode):
                told_ = f"{there} takes {measure(number, 'pass')}, {measure(asked, 'pass')} were asked about"
                return [Breach("GR-20", told_, number, asked, place=place)], f"{measure(number - asked, 'pass')} more"
        return [
            Breach("GR-27", f"{there} is farther than the figures of {measure(asked, 'pass')} lead", place=place)
        ], ""

    # --- areas ---

    @cached_property
    def area(self) -> BaseGeometry:
        """The ground of all squares where it can be."""
        return self.board.region_of(self.mask)

    def bands(self, levels: Sequence[int] | None = None) -> list[tuple[int, BaseGeometry]]:
        """Give the ground by passes, disjoint."""
        taken = np.zeros_like(self.mask)
        found = []
        for level in levels or range(1, len(self.passes) + 1):
            within = self.mask & (self.earliest <= level)
            found.append((int(level), self.board.region_of(within & ~taken)))
            taken |= within
        return found

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Give the ground by chance, disjoint, the surest first."""
        known = self.chances.within(self.mask)
        return bands_of_chance(self.board, self.mask, known, self.chances.at_least, levels)

    def to_geojson(self) -> dict[str, Any]:
        """Give the area, its bands by pass and by chance, and every square with its pass as a feature collection."""
        ends = [
            geojson.feature(Point(*self.board.centre(place)), "end", place=list(place), cost=str(self.cost_at(place)))
            for place in self
        ]
        return as_geojson(self, [geojson.feature(self.area, "area", places=len(self), unit=self.unit), *ends])


@clause("GR-13", "GR-20", "GR-24", "GR-26", "GR-29")
def over_passes(first: GridReach, passes: int, mode: str) -> PassesReach:
    """Chain the movements of so many passes of this turn, in the given mode from the pass on in which it can begin."""
    table, unit = first.table, first.mover
    own = first.budget + int(unit["spent_before"]) + int(unit["spent"])
    stages = [Stage(table, unit, first.searcher, first.budget, own, first)]
    onward = prepared_for(table, unit, "move") if first.action != "move" else first.searcher
    for number in range(table.clock.number + 1, table.clock.number + passes):
        table, unit = _next_pass(table, unit, number, mode)
        figure = allotment_now(table, unit)
        own += figure
        stages.append(Stage(table, unit, onward, figure, own))
    return PassesReach(first, stages, mode)


def _in_move_phases(used: Plane, phases: Sequence[str]) -> Plane:
    """Take the first-step phases of a withdrawal, in which it may stay where it is, as those of a movement."""
    layers = {phase: used[number] for number, phase in enumerate(phases)}
    plain = [layers[phase] for phase in PARITIES]
    first = [layers.get(phase, plain[parity]) for parity, phase in enumerate(FIRST_STEPS)]
    return np.asarray(np.minimum(np.stack(plain), np.stack(first)))


def _next_pass(table: GridTable, unit: Unit, number: int, mode: str) -> tuple[GridTable, Unit]:
    """Give the table as it is when a later pass begins, the character running if it is to run and can."""
    state = table.state.put(clock=table.clock.put({"number": number})).with_unit(unit)
    later = type(table)(table.setting, state)
    later.play(later.setting.ruleset.clock.phase_begins(later, later.clock.phases[number]))
    unit = later.unit(unit.id)
    if mode == "run" and unit["mode"] == "walk" and not any(start_run_breaches(later, unit)):
        unit = unit.put(mode="run")
    return later, unit


# --- the odds of a chain ---


@dataclass(frozen=True)
class _Link:
    """A search of one pass that is still to be made: from where, with which attacks allowed."""

    stage: int
    #: Which entry into a pass it belongs to, and the squares used before at each square where that begins.
    entry: int
    used: Plane
    allowance: tuple[int, ...]


@clause("GR-48", "GR-49")
def chain_odds(stages: Sequence[Stage], ends: Mask, damage: Any) -> ChanceMap:
    """Give the best chance of a chain to each square: the product over its movements; whoever is stopped is out of it.

    As in a single pass, allowances of attacks are tried from the best product down; what a pass reaches is where the
    next one sets out with the same chance. Squares that a better chain enters a pass with, for no more, are left out.
    """
    index = np.full(ends.shape, -1)
    values: list[Fraction] = []
    number = count()
    enemies = [
        [] if stage.first is not None and stage.first.action == "one_square_move"
        else interceptors(stage.table, stage.unit, damage)
        for stage in stages
    ]  # fmt: skip
    threats = [Threats(those, ends.shape) for those in enemies]
    known = [np.full((len(PARITIES), *ends.shape), UNREACHED) for _ in stages]
    queue = [(Fraction(-1), next(number), _Link(0, 0, known[0], (0,) * len(enemies[0])))]
    seen: set[tuple[int, tuple[int, ...]]] = set()
    tried = 0
    while queue and (ends & (index < 0)).any():
        negative, _, link = heapq.heappop(queue)
        tried += 1
        if tried > MOST_SEARCHES:
            raise TooManyWays(f"the odds of these passes take more than {MOST_SEARCHES} searches; ask for fewer passes")
        stage, here = stages[link.stage], enemies[link.stage]
        searches = [
            search_allowed(stage.searcher, seeds, budget, here, link.allowance)
            for seeds, budget in stage.entered(link.used)
        ]
        after = stage.left(searches)
        new = (after < UNREACHED).any(axis=0) & ends & (index < 0)
        if new.any():
            index[new] = len(values)
            values.append(-negative)
        stood = np.any([(costs.full() < UNREACHED).any(axis=0) for costs in searches], axis=0)
        for more, chance in threats[link.stage].more_allowed(link.allowance, stood):
            if (link.entry, more) not in seen:
                seen.add((link.entry, more))
                heapq.heappush(queue, (negative * chance, next(number), replace(link, allowance=more)))
        if (onward := link.stage + 1) < len(stages):
            better = after < known[onward]
            if better.any():
                known[onward] = np.minimum(known[onward], after)
                used = np.where(better, after, UNREACHED)
                nobody = (0,) * len(enemies[onward])
                heapq.heappush(queue, (negative, next(number), _Link(onward, tried, used, nobody)))
    return ChanceMap(values, index)
