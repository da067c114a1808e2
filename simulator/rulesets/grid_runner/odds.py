"""Reach under dice: the best chance of getting to each square, exactly.

A movement that may be intercepted: whoever has a free action is taken to use it at the first trigger. The chance of a
path is the product of what the interceptions on it leave. How much of it is used up is an *allowance*: how often each
enemy is let attack. Allowances are tried from the best product down, each with one search in which the squares of all
other enemies can not be left; a square's chance is that of the first allowance that reaches it.

A tumble: the chance of a course depends on the enemies in its line. Lines are grown step by step, each with one search
of all that can be reached while the line stays as it is (see `TumbleCourses`).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.engine.dice import Dice
from simulator.engine.state import Unit
from simulator.errors import SimulatorError
from simulator.geometry.squares import STEPS
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, Plane, Start, State, Step, shifted
from simulator.pathing.search import Searcher, prepared
from simulator.pathing.seeds import Seeds
from simulator.rulesets.grid_runner.characters import GridTable, chance_of, grid_of, is_enemy, threatens_at_all
from simulator.rulesets.grid_runner.interception import may_intercept
from simulator.rulesets.grid_runner.movement import (
    DIRECTIONS,
    FIRST_STEPS,
    PARITIES,
    corners_of,
    is_diagonal,
    step_price,
    threatened_squares,
)
from simulator.rulesets.grid_runner.ranges import counted_distances
from simulator.rulesets.grid_runner.tumbling import InLine, first_in_line, threshold

#: So many searches answer one question at most; a question that needs more is refused.
MOST_SEARCHES = 4096
#: So many enemies along a tumbler's courses at most.
MOST_IN_LINE = 20


class TooManyWays(SimulatorError):
    """A question of odds that would take more searches than are allowed; no answer is cut short instead."""

    exit_code = 4


def hit_chances(table: GridTable, dice: int) -> dict[int, Fraction]:
    """Give the chance of every number of hits of a pool."""
    return dict(Dice.of(f"{dice}D6>={table.tables['test.hit_on']}").chances)


class ChanceMap:
    """The best chance of arriving for every square of the board; 0 where a character can not get."""

    def __init__(self, values: Sequence[Fraction], index: NDArray[np.int64]) -> None:
        #: The different chances, and for each square [row, column] which of them it has; -1 where it has none.
        self.values, self.index = tuple(values), index

    def at_cell(self, row: int, column: int) -> Fraction:
        """Give the chance of a square by row and column."""
        number = int(self.index[row, column])
        return self.values[number] if number >= 0 else Fraction(0)

    def within(self, mask: Mask) -> list[Fraction]:
        """Give the different chances that squares of a mask have, the greatest first."""
        numbers = np.unique(self.index[mask]).tolist()
        return sorted({self.values[number] if number >= 0 else Fraction(0) for number in numbers}, reverse=True)

    def at_least(self, chance: Fraction) -> Mask:
        """Give the squares that have at least a chance; those without any have the chance 0."""
        return np.array([*(value >= chance for value in self.values), chance <= 0], np.bool_)[self.index]

    @property
    def array(self) -> NDArray[np.float64]:
        """The chances as floats [row, column]."""
        return np.array([*map(float, self.values), 0.0])[self.index]

    @classmethod
    def mixed(cls, shares: Iterable[tuple[Fraction, ChanceMap]]) -> ChanceMap:
        """Give the chances where a roll decides which map holds: the sum of the maps, each by its share."""
        parts = list(shares)
        stacked = np.stack([part.index for _, part in parts], -1)
        rows, columns, _ = stacked.shape
        kinds, index = np.unique(stacked.reshape(rows * columns, -1), axis=0, return_inverse=True)
        values = [
            sum((share * part.values[n] for (share, part), n in zip(parts, kind, strict=True) if n >= 0), Fraction(0))
            for kind in kinds.tolist()
        ]
        return cls(values, index.reshape(rows, columns))


# --- interceptions ---


@dataclass(frozen=True, slots=True)
class Interceptor:
    """An enemy that may intercept: how often, with what chance of damage, and which squares it threatens."""

    unit: str
    free: int
    chance: Fraction
    squares: Mask


@clause("GR-45", "GR-49")
def interceptors(table: GridTable, unit: Unit, chances: Mapping[str, Fraction]) -> list[Interceptor]:
    """Give the enemies that can intercept; `chances` of damage given there go before those of the characters."""
    return [
        Interceptor(
            enemy.id,
            int(enemy["free_left"]),
            chances.get(enemy.id, chance_of(enemy, "damage_chance")),
            threatened_squares(table, [enemy]),
        )
        for enemy in table.state
        if is_enemy(unit, enemy) and threatens_at_all(table, enemy) and may_intercept(enemy)
    ]


@dataclass(frozen=True)
class Safest:
    """The best chances of a movement, and for each chance the search whose routes have it."""

    chances: ChanceMap
    searches: tuple[Costs, ...]


@clause("GR-48", "GR-50", "GR-58")
def interception_odds(searcher: Searcher, start: Start, budget: int, enemies: Sequence[Interceptor]) -> Safest:
    """Give the best chance of getting to each square past these enemies; starts in a first-step phase are exempt."""
    possible = searcher.search([start], budget)
    seeds = Seeds.of(searcher.space, [start], budget)
    ends = _ends(possible)
    index = np.full(ends.shape, -1)
    values: list[Fraction] = []
    searches: list[Costs] = []
    queue: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(-1), (0,) * len(enemies))]
    seen = {queue[0][1]}
    known: dict[tuple[int, ...], Plane] = {}
    threats = Threats(enemies, searcher.space.shape)
    tried = 0
    while queue and (ends & (index < 0)).any():
        negative, allowance = heapq.heappop(queue)
        tried += 1
        if tried > MOST_SEARCHES:
            raise TooManyWays(
                f"the odds of {len(enemies)} enemies in reach take more than {MOST_SEARCHES} searches; "
                "ask for fewer squares, or for the certain reach alone"
            )
        costs = search_allowed(searcher, seeds, budget, enemies, allowance)
        reached = _by_phase(costs, searcher.space)
        if not any_gained(known, allowance, reached):
            continue
        known[allowance] = reached
        new = _ends(costs) & (index < 0)
        if new.any():
            index[new] = len(values)
            values.append(-negative)
            searches.append(costs)
        stood = np.asarray((reached < UNREACHED).any(axis=0))
        for more, chance in threats.more_allowed(allowance, stood):
            if more not in seen:
                seen.add(more)
                heapq.heappush(queue, (negative * chance, more))
    return Safest(ChanceMap(values, index), tuple(searches))


def any_gained(known: Mapping[tuple[int, ...], Plane], allowance: tuple[int, ...], reached: Plane) -> bool:
    """Whether an allowance gets anywhere for less than every smaller one; otherwise no larger one has to build on it.

    For take a way that needs all of a larger allowance, and the last of its steps that brings attacks on. If less than
    what came before is enough to get to that square for no more, the way can begin like that instead, and what it saves
    has to come later, or less would do for all of it. So that step moves on along the way, until what comes before it
    can not be had for less.
    """
    spots = [number for number, times in enumerate(allowance) if times]
    least: Plane | None = None
    for fewer in product(*(range(allowance[number] + 1) for number in spots)):
        smaller = list(allowance)
        for number, times in zip(spots, fewer, strict=True):
            smaller[number] = times
        found = known.get(tuple(smaller))
        if found is not None:
            least = found if least is None else np.minimum(least, found)
    return least is None or bool((reached < least).any())


def _by_phase(costs: Costs, space: MoveSpace) -> Plane:
    """Give the costs of all states, however often enemies have attacked: (phases, rows, columns)."""
    return np.asarray(costs.full().reshape(len(space.phases), -1, *space.shape).min(axis=1))


class Threats:
    """Which enemies each square brings on when it is left: squares of one kind bring on the same."""

    def __init__(self, enemies: Sequence[Interceptor], shape: tuple[int, int]) -> None:
        self.enemies = enemies
        # One column more, empty, so that there is something to tell apart where there is nobody.
        squares = np.stack([*(enemy.squares for enemy in enemies), np.zeros(shape, np.bool_)], -1)
        #: The enemies of each kind [kind, enemy], and the kind of each square [row, column].
        self.kinds, of_square = np.unique(squares.reshape(-1, len(enemies) + 1), axis=0, return_inverse=True)
        self.of_square = of_square.reshape(shape)

    def more_allowed(self, allowance: Sequence[int], stood: Mask) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Give each allowance that opens a kind of square that was stood on, and the chance that this does no damage.

        All that a step brings on attack at once, so they are allowed together.
        """
        for kind in np.unique(self.of_square[stood]).tolist():
            more, chance = list(allowance), Fraction(1)
            for number in np.flatnonzero(self.kinds[kind]).tolist():
                if allowance[number] < self.enemies[number].free:
                    more[number] += 1
                    chance *= 1 - self.enemies[number].chance
            if chance and more != list(allowance):
                yield tuple(more), chance


def certain_costs(searcher: Searcher, start: Start, budget: int, enemies: Sequence[Interceptor]) -> Costs:
    """Search without a single step that one of these enemies could intercept."""
    return search_allowed(searcher, Seeds.of(searcher.space, [start], budget), budget, enemies, (0,) * len(enemies))


def _ends(costs: Costs) -> Mask:
    return np.asarray(costs.on_board(costs.ends, False).any(axis=0))


def search_allowed(
    searcher: Searcher, seeds: Seeds, budget: int, enemies: Sequence[Interceptor], allowance: Sequence[int]
) -> Costs:
    """Search with each enemy let attack so often at most; one that has used all its free actions matters no more.

    Where attacks have to be counted each phase of the space stands for several, side by side.
    """
    closed = [enemy for enemy, times in zip(enemies, allowance, strict=True) if times == 0]
    counted = [(enemy, times) for enemy, times in zip(enemies, allowance, strict=True) if 0 < times < enemy.free]
    space = searcher.space
    leave = ~_united(closed, space.shape)
    if counted:
        counting = _counting_space(space, leave, counted)
        layer, row, col, price = seeds.arrays
        begun = layer * (counting.layers // space.layers)  # nobody has attacked yet
        seeds = Seeds([begun.tolist(), row.tolist(), col.tolist(), price.tolist()])
        return prepared(counting).search_seeds(seeds, budget)
    return searcher.with_masks(leave=_exempting(space, leave)).search_seeds(seeds, budget)


def _united(enemies: Iterable[Interceptor], shape: tuple[int, int]) -> Mask:
    found = np.zeros(shape, np.bool_)
    for enemy in enemies:
        found |= enemy.squares
    return found


def _exempting(space: MoveSpace, leave: Mask) -> Mask:
    """Let the first step of a withdrawal leave any square."""
    if FIRST_STEPS[0] not in space.phases:
        return leave
    by_phase = [np.ones_like(leave) if phase in FIRST_STEPS else leave for phase in space.phases]
    return np.stack(by_phase)[:, None]


def _phase(phase: str, counts: Sequence[int]) -> str:
    return f"{phase}, attacks {counts}"


@clause("GR-49")
def _counting_space(space: MoveSpace, leave: Mask, counted: Sequence[tuple[Interceptor, int]]) -> MoveSpace:
    """Give a space whose phases also count the attacks of enemies that have several free actions."""
    counts = list(product(*(range(times + 1) for _, times in counted)))
    gates: dict[str, Mask] = {}
    steps: list[Step] = []
    for struck in product((0, 1), repeat=len(counted)):
        here = leave.copy()
        for (enemy, _), hit in zip(counted, struck, strict=True):
            here &= enemy.squares if hit else ~enemy.squares
        for step in space.steps:
            exempt = step.from_phase in FIRST_STEPS
            if exempt and any(struck):
                continue
            own = space.gates[step.gate] if step.gate is not None else np.ones(space.shape, np.bool_)
            gate = f"{step.name}, {step.gate}, {'exempt' if exempt else struck}"
            gates[gate] = own if exempt else own & here
            for before in counts:
                after = tuple(a + b for a, b in zip(before, struck, strict=True))
                if after in counts:
                    here_, there = _phase(step.from_phase, before), _phase(step.to_phase, after)
                    steps.append(replace(step, gate=gate, from_phase=here_, to_phase=there))

    def for_counts(mask: Mask | None) -> Mask | None:
        return np.repeat(mask, len(counts), axis=0) if mask is not None and mask.ndim == 4 else mask

    phases = tuple(_phase(phase, some) for phase in space.phases for some in counts)
    enter, end = for_counts(space.enter), for_counts(space.end)
    return replace(space, steps=tuple(steps), phases=phases, gates=gates, starts=(), enter=enter, end=end)


# --- tumbles ---


@clause("GR-64", "GR-67", "GR-68", "GR-72")
def line_chance(
    table: GridTable, line: Sequence[InLine], hits: Mapping[int, Fraction], damage: Mapping[str, Fraction]
) -> Fraction:
    """Give the chance that a tumble past these enemies gets to its end.

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
            # Whoever is chosen first, at least this much is left: the first in line brings all of them on.
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
    """What decides the chance of a course: the enemies in line in their order, those passed, those only near."""

    line: tuple[int, ...] = ()
    passed: int = 0
    near: int = 0


@dataclass
class _Flood:
    """What is reached while the line stays one: the states it sets out from, where each came from, the costs."""

    seeds: Plane
    #: For each seed the number of the flood before, the state there (parity, row, column) and the direction taken.
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
        """Give the directions of a course to a square that has the best chance of getting there."""
        flood = self._floods[self._best[int(self.chances.index[row, column])]]
        assert flood.costs is not None
        state = min(
            (State(row, column, None, phase) for phase in PARITIES),
            key=lambda state: flood.costs.at(*state),  # type: ignore[union-attr]
        )
        directions: list[int] = []
        while True:
            assert flood.costs is not None
            trace = flood.costs.trace(state)
            directions[:0] = [DIRECTIONS.index(line.step.name) for line in trace.lines]
            begun = trace.start
            number, parity, row, column, direction = flood.came_from[
                PARITIES.index(begun.phase), begun.row, begun.col
            ].tolist()
            if number < 0:
                return directions
            directions.insert(0, direction)
            flood, state = self._floods[number], State(row, column, None, PARITIES[parity])


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
    ) -> None:
        self.table, self.searcher, self.budget, self.hits = table, searcher, budget, hits
        self.damage = {enemy.unit: enemy.chance for enemy in interceptors(table, unit, chances)}
        self.possible = searcher.search([start], budget)
        stood = np.asarray((self.possible.full() < UNREACHED).any(axis=0))
        self.enemies = [enemy for enemy in table.state if is_enemy(unit, enemy) and self._matters(enemy, stood)]
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
        first.seeds[PARITIES.index(start.phase), start.row, start.col] = 0

    @clause("GR-63", "GR-64", "GR-67", "GR-68", "GR-70")
    def odds(self) -> TumbleOdds:
        """Give the best chance of tumbling to each square.

        A longer line never helps, so lines are played from the best chance down, and a square has that of the first one
        that reaches it.
        """
        index, values, best = self._play()
        return TumbleOdds(ChanceMap(values, index), tuple(flood for _, flood in self.floods.values()), tuple(best))

    def _matters(self, enemy: Unit, stood: Mask) -> bool:
        cell = grid_of(self.table).index(enemy.place)
        return bool(stood[cell] or (stood & threatened_squares(self.table, [enemy])).any())

    def _flood(self, key: _Key) -> _Flood:
        """Give the flood of a key, a new one where there is none; all that lead to it were played before it."""
        if key not in self.floods:
            shape = (2, *self.searcher.space.shape)
            found = _Flood(np.full(shape, UNREACHED), np.full((*shape, 5), -1))
            size = 2 * len(key.line) + key.passed.bit_count() + key.near.bit_count()
            heapq.heappush(self.queue, (-self.chance(key), size, len(self.floods), key))
            self.floods[key] = len(self.floods), found
        return self.floods[key][1]

    def chance(self, key: _Key) -> Fraction:
        """Give the chance of a course with this line; those only near stand at its end and never attack."""
        last = [number for number in range(len(self.enemies)) if key.near >> number & 1]
        line = []
        for number in (*key.line, *last):
            enemy, passed = self.enemies[number], bool(key.passed >> number & 1)
            line.append(InLine(enemy.id, threatens_at_all(self.table, enemy) + passed, 0, passed))
        able = {entry.enemy: self.damage[entry.enemy] for entry in line[: len(key.line)] if entry.enemy in self.damage}
        return line_chance(self.table, line, self.hits, able)

    def _play(self) -> tuple[NDArray[np.int64], list[Fraction], list[int]]:
        """Grow all floods, the best chances first, until every end has its chance."""
        ends = _ends(self.possible)
        index = np.full(ends.shape, -1)
        values: list[Fraction] = []
        best: list[int] = []
        while self.queue and (ends & (index < 0)).any():
            negative, _, number, key = heapq.heappop(self.queue)
            if number > MOST_SEARCHES:
                raise TooManyWays(f"the odds of this tumble take more than {MOST_SEARCHES} searches")
            flood = self.floods[key][1]
            flood.costs = self._reached(key, flood)
            new = (flood.costs.full() < UNREACHED).any(axis=0) & ends & (index < 0)
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
        """Take every step that changes the line, and hand the states it leads to on to the flood of the new line."""
        in_line = sum(1 << one for one in key.line)
        enter = self.searcher.space.holds("enter", 0)
        for direction, parity in product(range(8), (0, 1)):
            price, after = step_price(is_diagonal(direction), parity)
            across, down = STEPS[direction]
            gate = shifted(self.gates[direction], down, across, False)
            before = shifted(costs[parity], down, across, UNREACHED)
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
                    better = cost < target.seeds[after][part]
                    cells = tuple(axis[better] for axis in part)
                    target.seeds[(after, *cells)] = cost[better]
                    origin = [np.full(cells[0].shape, number), np.full(cells[0].shape, parity)]
                    origin += [cells[0] - down, cells[1] - across, np.full(cells[0].shape, direction)]
                    target.came_from[(after, *cells)] = np.stack(origin, -1)

    @clause("GR-67")
    def _orders(
        self, join: int, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> Iterable[tuple[tuple[int, ...], tuple[NDArray[np.int64], NDArray[np.int64]]]]:
        """Give the orders in which enemies come into line by one step, and the squares it leads to with each."""
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
