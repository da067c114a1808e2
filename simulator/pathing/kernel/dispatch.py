"""Which executor to take: a rough estimate of the work of each, in microseconds.

The constants were measured on one machine; only their ratios matter, and where the estimates are close either
executor will do. The answer never depends on the choice.

How far a search without a budget goes is a guess at first: about as far as on an open board. A level search that goes
on for much longer is given up for one in waves. What searches of a board have taken is remembered (`Experience`), and
when they have taken longer than it takes to contract the board, that is done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simulator.pathing.kernel.compile import LevelProgram
from simulator.pathing.kernel.contraction import Contraction

#: Microseconds of one operation on wide integers, and of each bit in it.
_WIDE = (0.035, 8e-6)
#: Microseconds of one numpy call on words, and of each bit in it.
_WORDS = (0.45, 1.5e-6)
#: Microseconds of one numpy call on costs, and of each cell in it.
_RELAX = (0.6, 6e-5)
#: Microseconds until relaxation has its prices laid out; the others have theirs prepared.
_RELAX_SETUP = 300.0
#: Microseconds of a wave, and of each step from a state in it.
_WAVES = (18.0, 0.0125)
#: Microseconds of a compiled search of levels, of one pass over a set of words in it, of each word, and of each cell.
_LEVELS = (8.0, 0.01, 2e-4, 2.5e-4)
#: So many queries are answered side by side at most, and so many that a set of cells of all of them has no more words.
_MOST_LANES, _SET_WORDS = 8, 1024
#: Microseconds of compiled levels that are worth a thread of their own.
_THREAD = 150.0
#: Microseconds of a compiled search in buckets, of each step from a state in it, and of each state of the window.
_BUCKETS = (20.0, 0.004, 3e-4)
#: Ticks that a wave covers, in prices of the cheapest step.
_WAVE_WIDTH = 2
#: Microseconds of a round of shortcuts both ways, of each neighbour in it for each pair of layers, and of each state.
_SHORTCUTS = (13.0, 0.0025, 0.004)
#: Microseconds to contract a board for each state, by the number of states that a level search finds together.
_CONTRACTING = 0.36
#: A level search is abandoned after this many times the levels of an open board.
_PATIENCE = 4
#: A board is contracted only if that makes a search this many times as fast.
_WORTHWHILE = 2.5


class Experience(NamedTuple):
    """What searches of a board have shown."""

    #: The most ticks of any way found.
    longest: int = 0
    #: The most states reached.
    states: int = 0
    #: The microseconds that would have been saved so far on a contracted board.
    lost: float = 0.0
    #: The rounds, neighbours and states of the board as contracted; None: it is not.
    rounds: tuple[int, int, int] | None = None
    #: Whether contracting it was tried.
    tried: bool = False

    @property
    def seen(self) -> tuple[Any, ...]:
        """What the choice of an executor depends on."""
        return self.longest, self.states, self.rounds

    def with_search(self, plan: LevelProgram, longest: int, states: int, taken: float) -> Experience:
        """Return what is known after one more search."""
        longest, states = max(longest, self.longest), max(states, self.states)
        saved = taken - _guessed_shortcuts(plan, longest, states)
        lost = self.lost + saved if saved > taken * (1 - 1 / _WORTHWHILE) else self.lost
        return self._replace(longest=longest, states=states, lost=lost)

    def with_contraction(self, board: Contraction | None) -> Experience:
        """Return what is known after contracting the board."""
        if board is None:
            return self._replace(tried=True)
        near = sum(one.near.size for one in board.rounds) * board.layers**2
        return self._replace(tried=True, rounds=(len(board.rounds), near, board.size * board.layers))

    def contracting_pays(self, plan: LevelProgram) -> bool:
        """Whether as much time has been lost as it takes to contract the board."""
        return (
            not self.tried and self.lost > self.states * max(_front(plan, self.longest, self.states), 4) * _CONTRACTING
        )


def quickest(plan: LevelProgram) -> int:
    """Return the least ticks of a step to another cell that is not free."""
    return min((pace.ticks for pace in plan.paces if pace.ticks and (pace.d_row or pace.d_col)), default=1)


def open_levels(plan: LevelProgram, shape: tuple[int, int]) -> int:
    """Guess the levels of a search of a whole open board."""
    dearest = max((n for layer in plan.arrivals for term in layer for _, n in term.spreads), default=1)
    return max(shape) * max(dearest // 4, 1)


def patience(plan: LevelProgram, shape: tuple[int, int]) -> int:
    """Return after how many levels a search is long."""
    return _PATIENCE * open_levels(plan, shape)


def lanes(words: int, queries: int) -> int:
    """Return how many queries compiled levels answer side by side, where a set of cells takes so many words."""
    return min(queries, max(_SET_WORDS // words, 1), _MOST_LANES)


def threads(plan: LevelProgram, words: int, levels: int, queries: int, cores: int) -> int:
    """Return how many threads share the queries that compiled levels answer, where a set takes so many words."""
    return max(1, min(cores, queries, int(_passes(plan, words, levels, queries) / _THREAD)))


def _passes(plan: LevelProgram, words: int, levels: int, queries: int) -> float:
    """Return the microseconds of the passes of compiled levels over sets of so many words."""
    # On average half of the rows are reached, and a pass does two operations.
    each = _LEVELS[1] / lanes(words, queries) + _LEVELS[2] * words / 2
    return queries * levels * operations(plan) / 2 * each


def _front(plan: LevelProgram, longest: int, states: int) -> float:
    """Return how many states are reached in the time of the quickest step, on average."""
    return states * quickest(plan) / max(longest, 1)


def _guessed_shortcuts(plan: LevelProgram, longest: int, states: int) -> float:
    front = _front(plan, longest, states)
    return _SHORTCUTS[0] * (15 + 2 * front) + _SHORTCUTS[1] * states * (2 + front / 4) + _SHORTCUTS[2] * states


def operations(plan: LevelProgram) -> int:
    """Count the set operations of one level."""
    moves = sum(2 * len(shifts) for shifts in (*plan.combined, *plan.spreads))
    meets = sum(1 + len(term.spreads) for layer in (*plan.arrivals, *plan.free) for term in layer)
    return len(plan.exits) + moves + meets


def estimates(
    plan: LevelProgram,
    shape: tuple[int, int],
    spans: tuple[int, int],
    ticks: int | None,
    queries: int,
    known: Experience = Experience(),  # noqa: B008 - a tuple that nobody can change
    paid: int = 0,
) -> dict[str, float]:
    """Estimate each executor on a board of that shape; `spans` is how far the starts of a query lie apart.

    `paid` is how many ticks the starts are paid apart: a search without a budget goes on at least so long.
    """
    far = plan.reach(ticks, shape)
    rows, cols = (min(span + 2 * reach + 1, size) for span, reach, size in zip(spans, far, shape, strict=True))
    across = max(shape)
    levels = max(open_levels(plan, shape) + paid, known.longest) if ticks is None else ticks + 1
    calls = sum(2 + len(shifts) for shifts in plan.spreads) + len(plan.exits) + 2 * plan.layers
    step = quickest(plan)
    # No way has more steps than there are states.
    rounds = min(levels // step + 4, max(across * 2, known.longest // step), rows * cols * plan.layers)
    found = {"relax": _RELAX_SETUP + rounds * calls * (_RELAX[0] + _RELAX[1] * rows * cols * queries)}
    states = rows * cols * plan.layers
    if known.longest > patience(plan, shape):
        states = min(states, known.states)
    each = plan.steps / plan.layers
    board = shape[0] * shape[1] * plan.layers
    waves = min(levels / (step * _WAVE_WIDTH), states) + 2  # levels at which nothing is reached take none
    found["waves"] = queries * (waves * _WAVES[0] + states * each * _WAVES[1] + board * 0.002)
    if known.rounds is not None:
        found["shortcuts"] = queries * sum(n * each for n, each in zip(known.rounds, _SHORTCUTS, strict=True))
    found["buckets"] = queries * (_BUCKETS[0] + states * each * _BUCKETS[1] + rows * cols * plan.layers * _BUCKETS[2])
    if plan.has_bits:
        work = levels * operations(plan)
        passes = _passes(plan, rows * -(-cols // 64), levels, queries)
        found["levels"] = _LEVELS[0] + passes + queries * _LEVELS[3] * rows * cols * plan.layers
        found["wide"] = queries * work * (_WIDE[0] + _WIDE[1] * rows * cols)
        found["words"] = work * (_WORDS[0] + _WORDS[1] * rows * (cols + 32) * queries)
    return found
