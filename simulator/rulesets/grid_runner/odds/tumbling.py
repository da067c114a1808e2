"""Reach under dice, of a character that tumbles: the best chance of reaching each square, exactly.

The chance of a course depends on the enemies in its line. Lines are grown step by step, with one search for each line
of all that can be reached while the line stays as it is (see `TumbleCourses`).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.squares import STEPS
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask, MoveState, Plane, Start, shifted
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.rulesets.grid_runner.movement import (
    DIRECTIONS,
    PARITIES,
    corners_of,
    is_diagonal,
    step_price,
    threatened_squares,
)
from simulator.rulesets.grid_runner.odds.walking import MOST_SEARCHES, ChanceMap, TooManyWays, ends_of, interceptors
from simulator.rulesets.grid_runner.ranges import counted_distances
from simulator.rulesets.grid_runner.reach.waypoints import passed_after
from simulator.rulesets.grid_runner.tumbling import InLine, first_in_line, threshold
from simulator.rulesets.grid_runner.units import GridTable, grid_of, is_enemy, threatens_at_all

#: The most enemies along a tumbler's courses.
MOST_IN_LINE = 20


@clause("GR-64", "GR-67", "GR-68", "GR-72")
def line_chance(
    table: GridTable, line: Sequence[InLine], hits: Mapping[int, Fraction], damage: Mapping[str, Fraction]
) -> Fraction:
    """Return the chance that a tumble past these enemies reaches its end.

    `damage` holds the enemies that can attack. Success lets the course through; so does a failure after which no attack
    from the first interceptor on does damage. Where any interception pushes, one by an enemy passed through ends it.
    """
    needed = threshold(line)
    rule = table.options.tumble_first
    through = [_left_by(table, entry, damage) for entry in line]
    found = Fraction(0)
    for number, share in hits.items():
        if number >= needed:
            found += share
        elif rule == "gm":
            # Whichever is chosen first, at least this much is left: the first in line brings on all the others.
            found += share * prod(through)
        else:
            found += share * prod(through[first_in_line(line, number, rule) :])
    return found


def _left_by(table: GridTable, entry: InLine, damage: Mapping[str, Fraction]) -> Fraction:
    if entry.enemy not in damage:
        return Fraction(1)
    if entry.passed and table.options.tumble_push == "any_interception":
        return Fraction(0)
    return 1 - damage[entry.enemy]


@dataclass(frozen=True, slots=True)
class _Key:
    """What determines the chance of a course: the enemies in line in their order, those passed, those only near."""

    line: tuple[int, ...] = ()
    passed: int = 0
    near: int = 0


@dataclass
class _Flood:
    """The states reached while the line stays the same: where it sets out, where each came from, the costs."""

    seeds: Plane
    #: For each seed the number of the flood before, the state there (phase, row, column) and the direction taken.
    came_from: NDArray[np.int64]
    costs: Costs | None = None


@dataclass(frozen=True)
class TumbleOdds:
    """The best chances of tumbles, and the courses that have them."""

    chances: ChanceMap
    _floods: tuple[_Flood, ...]
    #: For each chance the flood whose courses have it.
    _best: tuple[int, ...]

    def course_to(self, row: int, column: int) -> list[int]:
        """Return the directions of the course with the best chance of reaching a square."""
        flood = self._floods[self._best[int(self.chances.index[row, column])]]
        assert flood.costs is not None
        phases = flood.costs.space.phases
        layer = int(flood.costs.end_costs()[:, row, column].argmin())
        state = MoveState(row, column, None, phases[layer])
        directions: list[int] = []
        while True:
            assert flood.costs is not None
            trace = flood.costs.trace(state)
            directions[:0] = [DIRECTIONS.index(line.step.name) for line in trace.lines]
            begun = trace.start
            number, layer, row, column, direction = flood.came_from[
                phases.index(begun.phase), begun.row, begun.col
            ].tolist()
            if number < 0:
                return directions
            directions.insert(0, direction)
            flood, state = self._floods[number], MoveState(row, column, None, phases[layer])


class TumbleCourses:
    """The courses of a tumble, with the chances of each number of hits and of damage; grown as floods, line by line."""

    def __init__(
        self,
        table: GridTable,
        searcher: Searcher,
        unit: Unit,
        start: Start,
        budget: int,
        hits: Mapping[int, Fraction],
        chances: Mapping[str, Fraction],
        via: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.table, self.searcher, self.budget, self.hits = table, searcher, budget, hits
        #: The cells that courses pass through, where the space of the search is one of ways through them, and how many
        #: are passed once each is. Its phases then are the two of parity, once for each number of them.
        self.via, self.behind = via, passed_after(via)
        self.damage = {enemy.unit: enemy.chance for enemy in interceptors(table, unit, chances)}
        self.possible = searcher.search([start], budget)
        stood = np.asarray((self.possible.full() < UNREACHED).any(axis=0))
        beside = [enemy for enemy in table.state if is_enemy(unit, enemy) and self._matters(enemy, stood)]
        # Where nobody can attack, a test that fails changes nothing.
        self.enemies = beside if any(enemy.id in self.damage for enemy in beside) else []
        if len(self.enemies) > MOST_IN_LINE:
            raise TooManyWays(f"{len(self.enemies)} enemies stand along the courses, {MOST_IN_LINE} are allowed")
        shape = searcher.space.shape
        #: Bit by bit, for each square: who threatens it, and whose square it is where that matters.
        self.threat, self.stands = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        #: Enemies that come into line when the square is left.
        self.leaving = np.zeros(shape, np.int64)
        for number, enemy in enumerate(self.enemies):
            self.threat[threatened_squares(table, [enemy])] |= 1 << number
            if table.options.scale != "m5" and enemy.place != unit.place:
                cell = grid_of(table).index(enemy.place)
                self.stands[cell] |= 1 << number
                if not threatens_at_all(table, enemy):
                    self.leaving[cell] |= 1 << number
        self.leaving |= self.threat
        self.near = self.threat if table.options.tumble_counts == "near_any" else np.zeros(shape, np.int64)
        self.gates = grid_of(table).step_gates(corners_of(table))
        calling = table.options.interception_order
        listed = list(table.state.units)
        self.called = [(calling.index(enemy.id) if enemy.id in calling else len(listed)) for enemy in self.enemies]
        self.floods: dict[_Key, tuple[int, _Flood]] = {}
        self.queue: list[tuple[Fraction, int, int, _Key]] = []
        first = self._flood(_Key(near=int(self.near[start.row, start.col])))
        first.seeds[searcher.space.phases.index(start.phase), start.row, start.col] = 0

    @clause("GR-63", "GR-64", "GR-67", "GR-68", "GR-70")
    def odds(self, least: Fraction = Fraction(0)) -> TumbleOdds:
        """Return the best chance of tumbling to each square, where it is `least` or better.

        A longer line never helps, so lines are played from the best chance down; a square's chance is that of the first
        line that reaches it.
        """
        index, values, best = self._play(least)
        return TumbleOdds(ChanceMap(values, index), tuple(flood for _, flood in self.floods.values()), tuple(best))

    def _matters(self, enemy: Unit, stood: Mask) -> bool:
        cell = grid_of(self.table).index(enemy.place)
        return bool(stood[cell] or (stood & threatened_squares(self.table, [enemy])).any())

    def _flood(self, key: _Key) -> _Flood:
        """Return the flood of a key, a new one if there is none; all that lead to it were played before it."""
        if key not in self.floods:
            shape = (len(self.searcher.space.phases), *self.searcher.space.shape)
            found = _Flood(np.full(shape, UNREACHED), np.full((*shape, 5), -1))
            size = 2 * len(key.line) + key.passed.bit_count() + key.near.bit_count()
            heapq.heappush(self.queue, (-self.chance(key), size, len(self.floods), key))
            self.floods[key] = len(self.floods), found
        return self.floods[key][1]

    def chance(self, key: _Key) -> Fraction:
        """Return the chance of a course with this line; those only near stand at its end and never attack."""
        last = [number for number in range(len(self.enemies)) if key.near >> number & 1]
        line = []
        for number in (*key.line, *last):
            enemy, passed = self.enemies[number], bool(key.passed >> number & 1)
            line.append(InLine(enemy.id, threatens_at_all(self.table, enemy) + passed, 0, passed))
        able = {entry.enemy: self.damage[entry.enemy] for entry in line[: len(key.line)] if entry.enemy in self.damage}
        return line_chance(self.table, line, self.hits, able)

    def _play(self, least: Fraction) -> tuple[NDArray[np.int64], list[Fraction], list[int]]:
        """Grow all floods down to a chance, the best chances first, until every end has its chance."""
        ends = ends_of(self.possible)
        index = np.full(ends.shape, -1)
        values: list[Fraction] = []
        best: list[int] = []
        while self.queue and -self.queue[0][0] >= least and (ends & (index < 0)).any():
            negative, _, number, key = heapq.heappop(self.queue)
            if number > MOST_SEARCHES:
                raise TooManyWays(f"the odds of this tumble take more than {MOST_SEARCHES} searches")
            flood = self.floods[key][1]
            flood.costs = self._reached(key, flood)
            new = (flood.costs.end_costs() < UNREACHED).any(axis=0) & ends & (index < 0)
            if new.any():
                index[new] = len(values)
                values.append(-negative)
                best.append(number)
            self._grow(key, number, flood.costs.full())
        return index, values, best

    def _reached(self, key: _Key, flood: _Flood) -> Costs:
        known = key.near | sum(1 << number for number in key.line)
        enter = ((self.stands & ~key.passed) == 0) & ((self.near & ~known) == 0)
        if (base := self.searcher.space.holds("enter", 0)) is not None:
            enter &= base
        in_line = sum(1 << number for number in key.line)
        masked = self.searcher.with_masks(enter=enter, leave=(self.leaving & ~in_line) == 0)
        return masked.search_seeds(Seeds.of_costs(flood.seeds), self.budget)

    def _grow(self, key: _Key, number: int, costs: Plane) -> None:
        """Take every step that changes the line, and pass the states it leads to on to the flood of the new line."""
        in_line = sum(1 << one for one in key.line)
        enter = self.searcher.space.holds("enter", 0)
        for direction, layer in product(range(8), range(len(costs))):
            price, after = step_price(is_diagonal(direction), layer % len(PARITIES))
            across, down = STEPS[direction]
            gate = shifted(self.gates[direction], down, across, False)
            before = shifted(costs[layer], down, across, UNREACHED)
            open_ = gate & (before <= self.budget - price)
            if enter is not None:
                open_ &= enter
            joins = shifted(self.leaving, down, across, 0) & ~in_line
            passes = self.stands & ~key.passed
            nears = self.near & ~(in_line | key.near | joins)
            rows, columns = np.nonzero(open_ & ((joins | passes | nears) != 0))
            if not rows.size:
                continue
            changes = np.stack([joins[rows, columns], passes[rows, columns], nears[rows, columns]], -1)
            kinds, which = np.unique(changes, axis=0, return_inverse=True)
            for kind, (join, more, close) in enumerate(kinds.tolist()):
                chosen = which.reshape(-1) == kind
                for order, part in self._orders(join, rows[chosen], columns[chosen]):
                    near = (key.near | close) & ~(in_line | join)
                    target = self._flood(_Key((*key.line, *order), key.passed | more, near))
                    cost = before[part] + price
                    onto = self._layers_onto(layer // len(PARITIES), after, *part)
                    better = cost < target.seeds[(onto, *part)]
                    cells = tuple(axis[better] for axis in part)
                    target.seeds[(onto[better], *cells)] = cost[better]
                    origin = [np.full(cells[0].shape, number), np.full(cells[0].shape, layer)]
                    origin += [cells[0] - down, cells[1] - across, np.full(cells[0].shape, direction)]
                    target.came_from[(onto[better], *cells)] = np.stack(origin, -1)

    def _layers_onto(
        self, passed: int, parity: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the layer in which a course continues from each of some squares, one of which may be a waypoint."""
        behind = np.full(rows.shape, passed)
        if passed < len(self.via):
            row, column = self.via[passed]
            behind[(rows == row) & (columns == column)] = self.behind[passed]
        return behind * len(PARITIES) + parity

    @clause("GR-67")
    def _orders(
        self, join: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> Iterable[tuple[tuple[int, ...], tuple[NDArray[np.int64], NDArray[np.int64]]]]:
        """Return the orders in which one step brings enemies into line, and the squares it leads to with each."""
        joining = [number for number in range(len(self.enemies)) if join >> number & 1]
        if len(joining) < 2:
            yield tuple(joining), (rows, columns)
            return
        places = np.array([self.enemies[number].place for number in joining])
        away = counted_distances("diagonal_121", columns - places[:, :1], rows - places[:, 1:])
        called = np.broadcast_to(np.array([self.called[number] for number in joining])[:, None], away.shape)
        listed = np.broadcast_to(np.arange(len(joining))[:, None], away.shape)
        orders = np.lexsort((listed, away, called), axis=0).T
        kinds, which = np.unique(orders, axis=0, return_inverse=True)
        for kind, order in enumerate(kinds.tolist()):
            chosen = which.reshape(-1) == kind
            yield tuple(joining[place] for place in order), (rows[chosen], columns[chosen])
