"""Reach under dice: the best chance of reaching each square, exactly.

For a movement that may be intercepted, every enemy with a free action is assumed to use it at the first trigger. The
chance of a path is the product of what the interceptions on it leave. How much of it is used up is an *allowance*: how
many attacks each enemy may make. Allowances are tried from the best product down, each with one search in which the
squares of all other enemies cannot be left; a square's chance is that of the first allowance that reaches it.

For a character that tumbles see `tumbling`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.engine.dice import Dice
from simulator.engine.state import Unit
from simulator.errors import SimulatorError
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, MoveStep, Plane, Start
from simulator.pathing.search import Searcher, prepared
from simulator.pathing.seeds import Seeds
from simulator.rulesets.grid_runner.figures import pool
from simulator.rulesets.grid_runner.interception import is_always_exempt, may_intercept
from simulator.rulesets.grid_runner.movement import (
    FIRST_STEPS,
    threatened_squares,
)
from simulator.rulesets.grid_runner.units import GridTable, chance_of, is_enemy, threatens_at_all

#: The most searches for one question; a question that needs more is refused.
MOST_SEARCHES = 4096
#: Marks the names of phases that count attacks.
_COUNTED = ", attacks "


class TooManyWays(SimulatorError):
    """A question of odds that would take more searches than are allowed; no partial answer is returned."""

    exit_code = 4


def hit_chances(table: GridTable, dice: int) -> dict[int, Fraction]:
    """Return the chance of every number of hits of a pool."""
    return dict(Dice.of(pool(table.tables, dice)).chances)


class ChanceMap:
    """The best chance of arriving on every square of the board; 0 where a character cannot get."""

    def __init__(self, values: Sequence[Fraction], index: NDArray[np.int64]) -> None:
        #: The distinct chances, and for each square [row, column] which of them it has; -1 where it has none.
        self.values, self.index = tuple(values), index

    def at_cell(self, row: int, column: int) -> Fraction:
        """Return the chance of a square by row and column."""
        number = int(self.index[row, column])
        return self.values[number] if number >= 0 else Fraction(0)

    def within(self, mask: Mask) -> list[Fraction]:
        """Return the distinct chances of the squares of a mask, the greatest first."""
        numbers = np.unique(self.index[mask]).tolist()
        return sorted({self.values[number] if number >= 0 else Fraction(0) for number in numbers}, reverse=True)

    def at_least(self, chance: Fraction) -> Mask:
        """Return the squares that have at least a chance; those without any have the chance 0."""
        return np.array([*(value >= chance for value in self.values), chance <= 0], np.bool_)[self.index]

    @property
    def array(self) -> NDArray[np.float64]:
        """The chances as floats [row, column]."""
        return np.array([*map(float, self.values), 0.0])[self.index]

    @classmethod
    def mixed(cls, shares: Iterable[tuple[Fraction, ChanceMap]]) -> ChanceMap:
        """Return the chances where a roll decides which map holds: the maps weighted by their shares."""
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
def interceptors(
    table: GridTable, unit: Unit, chances: Mapping[str, Fraction], action: str = "move"
) -> list[Interceptor]:
    """Return the enemies that can intercept; `chances` of damage passed here override those of the characters."""
    if is_always_exempt(action):
        return []
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
    """Return the best chance of reaching each square past these enemies; starts in a first-step phase are exempt."""
    possible = searcher.search([start], budget)
    seeds = Seeds.of(searcher.space, [start], budget)
    ends = ends_of(possible)
    index = np.full(ends.shape, -1)
    values: list[Fraction] = []
    searches: list[Costs] = []
    queue: list[tuple[Fraction, tuple[int, ...]]] = [(Fraction(-1), (0,) * len(enemies))]
    seen = {queue[0][1]}
    known: dict[tuple[int, ...], Plane] = {}
    threats = ZoneThreats(enemies, searcher.space.shape)
    tried = 0
    while queue and (ends & (index < 0)).any():
        negative, allowance = heapq.heappop(queue)
        tried += 1
        if tried > MOST_SEARCHES:
            raise TooManyWays(
                f"the odds of {len(enemies)} enemies in reach take more than {MOST_SEARCHES} searches; "
                "query fewer squares, or the certain reach alone"
            )
        costs = search_allowed(searcher, seeds, budget, enemies, allowance)
        reached = _by_phase(costs, searcher.space)
        if not any_gained(known, allowance, reached):
            continue
        known[allowance] = reached
        new = ends_of(costs) & (index < 0)
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
    """Whether an allowance gets anywhere for less than every smaller one; otherwise no larger one need build on it.

    Take a way that needs all of a larger allowance, and the last of its steps that brings on attacks. If less than
    what came before is enough to reach that square for no more, the way can begin like that instead, and what it saves
    has to come later, or less would do for all of it. So that step moves along the way until what comes before it
    cannot be had for less.
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
    """Return the costs of all states, however often enemies have attacked: (phases, rows, columns)."""
    return np.asarray(costs.full().reshape(len(space.phases), -1, *space.shape).min(axis=1))


class ZoneThreats:
    """Which enemies each square brings on when it is left: squares of one kind bring on the same."""

    def __init__(self, enemies: Sequence[Interceptor], shape: tuple[int, int]) -> None:
        self.enemies = enemies
        # An extra, empty column, so that there is something to distinguish where there is nobody.
        squares = np.stack([*(enemy.squares for enemy in enemies), np.zeros(shape, np.bool_)], -1)
        #: The enemies of each kind [kind, enemy], and the kind of each square [row, column].
        self.kinds, of_square = np.unique(squares.reshape(-1, len(enemies) + 1), axis=0, return_inverse=True)
        self.of_square = of_square.reshape(shape)

    def more_allowed(self, allowance: Sequence[int], stood: Mask) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Yield each allowance that opens a kind of square that was stood on, and the chance that it does no damage.

        All enemies that a step brings on attack at once, so they are allowed together.
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


def ends_of(costs: Costs) -> Mask:
    """Return the squares on which a search ends [row, column]."""
    return np.asarray(costs.on_board(costs.ends, False).any(axis=0))


def search_allowed(
    searcher: Searcher, seeds: Seeds, budget: int, enemies: Sequence[Interceptor], allowance: Sequence[int]
) -> Costs:
    """Search with each enemy limited to its allowed attacks; one that has used all its free actions is ignored.

    Where attacks have to be counted, each phase of the space stands for several, side by side.
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
    return f"{phase}{_COUNTED}{counts}"


def uncounted(phase: str) -> str:
    """Return a phase of a space without the attacks that it counts, if it counts any.

    >>> uncounted("odd, attacks [1, 0]"), uncounted("odd")
    ('odd', 'odd')
    """
    return phase.partition(_COUNTED)[0]


@clause("GR-49")
def _counting_space(space: MoveSpace, leave: Mask, counted: Sequence[tuple[Interceptor, int]]) -> MoveSpace:
    """Return a space whose phases also count the attacks of enemies that have several free actions."""
    counts = list(product(*(range(times + 1) for _, times in counted)))
    gates: dict[str, Mask] = {}
    steps: list[MoveStep] = []
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
