"""Reach over several passes of a turn: chains of movements, each of which ends legally."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.engine.events import Event, applied
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
from simulator.rulesets.grid_runner.movement import FIRST_STEPS, PARITIES, prepared_for
from simulator.rulesets.grid_runner.passes import start_run_breaches
from simulator.rulesets.grid_runner.reach import GridReach


@dataclass(frozen=True)
class PassesReach:
    """Where a character can be after some passes of the turn, each movement ending legally."""

    first: GridReach
    #: The searches of each pass: several where what is left depends on what was used.
    passes: tuple[tuple[Costs, ...], ...]
    #: In which of these passes a square is reached first, from 1 on; 0: in none [row, column].
    earliest: NDArray[np.int64]

    @property
    def mask(self) -> Mask:
        """Where the character can be after one of the passes."""
        return np.asarray(self.earliest > 0)

    def __contains__(self, place: object) -> bool:
        return place in self.first.board and bool(self.mask[self.first.board.index(cast(Square, place))])

    def __len__(self) -> int:
        return int(self.mask.sum())

    def pass_of(self, place: Square) -> int | None:
        """Give the first of the passes at whose end the character can stand on a square, None if in none."""
        return int(self.earliest[self.first.board.index(place)]) or None

    def routes_to(self, place: Square) -> list[Route[Square]]:
        """Give a way to a square, pass by pass, that gets there as early as can be."""
        last = self.pass_of(place)
        if last is None:
            raise NoRoute(f"{place} can not be reached in {len(self.passes)} passes")
        row, column = self.first.board.index(place)
        routes: list[Route[Square]] = []
        for searches in reversed(self.passes[:last]):
            ends = [
                (int(costs.end_costs()[layer, row, column]), number, layer)
                for number, costs in enumerate(searches)
                for layer in range(costs.space.layers)
            ]
            _, number, layer = min(ends)
            trace = searches[number].trace(searches[number].space.state_at(layer, row, column))
            routes.append(told(self.first.board, trace, "square"))
            row, column = trace.start.row, trace.start.col
        return routes[::-1]


@clause("GR-13", "GR-20", "GR-24", "GR-26", "GR-29")
def over_passes(first: GridReach, passes: int, mode: str) -> PassesReach:
    """Chain the movements of so many passes of this turn, in the given mode from the pass on in which it can begin."""
    table, unit = first.table, first.unit_now
    found: list[tuple[Costs, ...]] = [(first.costs,)]
    earliest = np.where(first.mask, 1, 0)
    used = np.where(first.array < UNREACHED, first.array + int(unit["spent_before"]) + int(unit["spent"]), UNREACHED)
    own = first.budget + int(unit["spent_before"]) + int(unit["spent"])
    onward = prepared_for(table, unit, "move") if first.action != "move" else first.searcher
    used = _in_move_phases(used, first.searcher.space.phases)
    for number in range(table.clock.number + 1, table.clock.number + passes):
        table, unit = _next_pass(table, unit, number, mode)
        figure = allotment_now(table, unit)
        own += figure
        if table.options.diagonal_parity_reset == "pass":
            used = np.stack([used.min(axis=0), np.full(used.shape[1:], UNREACHED)])
        searches = tuple(_onward(table, unit, onward, used, figure, own))
        found.append(searches)
        ends = np.min([costs.end_costs() for costs in searches], axis=0)
        earliest[(ends < UNREACHED).any(axis=0) & (earliest == 0)] = number - first.table.clock.number + 1
        used = np.minimum(used, ends)
    return PassesReach(first, tuple(found), earliest)


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
    for event in later.setting.ruleset.clock.phase_begins(later, later.clock.phases[number]):
        if isinstance(event, Event):
            later.state = applied(later.state, event)
    unit = later.unit(unit.id)
    if mode == "run" and unit["mode"] == "walk" and not any(start_run_breaches(later, unit)):
        unit = unit.put(mode="run")
    return later, unit


def _onward(table: GridTable, unit: Unit, searcher: Searcher, used: Plane, figure: int, own: int) -> Iterator[Costs]:
    """Search one more pass. What is left depends on what was used only where squares are carried over or capped."""
    options = table.options
    if held_fast(unit):
        figure = own = 0
    if not (options.carry_over or options.turn_total_cap):
        yield searcher.search_seeds(Seeds.of_costs(np.where(used < UNREACHED, 0, UNREACHED)), figure)
        return
    total = turn_total(table, unit, unit["mode"])
    for spent in np.unique(used[used < UNREACHED]).tolist():
        left = own - spent if options.carry_over else figure
        if options.turn_total_cap:
            left = min(left, total - spent)
        here = np.where(used == spent, spent, UNREACHED)
        yield searcher.search_seeds(Seeds.of_costs(here), spent + max(left, 0))
