"""The rulebook dot_trooper: reach and judge, side by side with scipy and networkx: `python -m benchmarks dot_trooper`.

The peers search the same graph of states. First the answers have to agree. Then the contenders take turns, in one
process; a ratio is the median over the rounds of our time divided by theirs. The map is prepared beforehand for all of
them, except for the whole query, which begins with a new map. Peaks are what Python and numpy held more than before
while each did its work once more, the whole batch where it is one; the queue of scipy is not counted. With `--check` a
missed bar is an error.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from benchmarks.peaks import peak_of, peak_text
from simulator.engine.game import Game
from simulator.geometry.dots import DotKind, DotMap
from simulator.pathing.kernel.ordered import Ordered, phase_costs
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import UNREACHED, MoveSpace, Start
from simulator.pathing.reference import search_graph
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import edges
from simulator.rulesets.dot_trooper import RULESET
from simulator.rulesets.dot_trooper.drive_states import HEADINGS, prepared_ride, ride_start
from simulator.rulesets.dot_trooper.movement import foot_space, ride_question

ROUNDS = 7
BATCH = 64
#: Bars on the usual map, in `max`: one query, and a batch.
BAR_ONE, BAR_BATCH = 0.6, 0.15
#: The weight of a step of no AP for scipy, which reads 0 as no edge; no drive has enough steps for it to matter.
_WEIGHT = 1000
#: Orders for the judge: some legal on an open map, some not.
ORDERS = (
    "A1 drive max: move, left 60, move, right 60, move, move, stop",
    "A1 drive cruise: move 1, right 120, on 2, stop 2, left 60, on 1",
    "A1 drive minimum: move 1, left 60, on 1, left 60, on 1, left 60",
    "A1 drive max: move, move, move, move, move, move, move, move",
    "A1 drive cruise: move 2, left 60, left 60, on 1, move",
)


@dataclass(frozen=True)
class Yard:
    """A map: its rows and columns, its share of impassable ground, and its number of troopers."""

    name: str
    size: int
    share: float
    crowd: int

    def board(self) -> DotMap:
        """The map, with an open middle."""
        dice = np.random.default_rng(7)
        codes = (dice.random((self.size, self.size)) < self.share).astype(np.intp)
        middle = slice(self.size // 2 - 3, self.size // 2 + 4)
        codes[middle, middle] = 0
        return DotMap.from_kinds((DotKind(), DotKind(impassable=True)), codes)

    def game(self) -> Game[Any]:
        """A bike in the middle, moving, a flyer beside it, and the crowd around them."""
        board = self.board()
        front = (board.first[0] + self.size // 2, board.first[1] + self.size // 2)
        units = [
            RULESET.make_unit("bike", "vehicle", "red", front, 0, on=True, motion="moving"),
            RULESET.make_unit("A1", "trooper", "red", (front[0] - 1, front[1]), aboard="bike"),
            RULESET.make_unit("F1", "trooper", "red", (front[0] - 3, front[1] + 1), jet_pack="worn"),
        ]
        dice = random.Random(7)
        near = {(front[0] + q, front[1] + r) for q in range(-3, 4) for r in range(-3, 4)}
        free = [dot for dot in board.places() if dot not in near and not board.impassable[board.index(dot)]]
        chosen = dice.sample(free, self.crowd)
        units += [RULESET.make_unit(f"B{i}", "trooper", "blue", dot) for i, dot in enumerate(chosen)]
        return Game.new(RULESET, board, units)


YARDS = (Yard("small", 20, 0.1, 4), Yard("usual", 60, 0.0, 0), Yard("crowded", 60, 0.15, 80))


class Scipy:
    """Dijkstra of scipy.csgraph on the graph of a move space."""

    def __init__(self, space: MoveSpace) -> None:
        legal = edges(space, Seeds.of(space, (), None))
        states = space.layers * space.shape[0] * space.shape[1]
        # A half turn to the left leads to the same pose as one to the right; scipy would add up the two.
        order = np.lexsort((legal.price, legal.target, legal.source))
        legal = legal.chosen(order)
        _, first = np.unique(legal.source * states + legal.target, return_index=True)
        legal = legal.chosen(first)
        self.space = space
        self.graph = csr_matrix((legal.price * _WEIGHT + 1.0, (legal.source, legal.target)), (states, states))

    def distances(self, start: Start, budget: int) -> Any:
        """Search from a start within a budget."""
        layer = self.space.layer_of(start.heading, start.phase)
        number = int(np.ravel_multi_index((layer, start.row, start.col), (self.space.layers, *self.space.shape)))
        return dijkstra(self.graph, indices=number, limit=budget * _WEIGHT + _WEIGHT - 1)

    def costs(self, start: Start, budget: int) -> Any:
        """The least cost of every state, in the form of our searches."""
        found = self.distances(start, budget)
        whole = np.full(found.shape, UNREACHED)
        whole[np.isfinite(found)] = found[np.isfinite(found)] // _WEIGHT
        return whole


@dataclass(frozen=True)
class Timed:
    """The medians of two contenders in milliseconds, and that of their ratios."""

    ours: float
    theirs: float
    ratio: float


def timed(ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int, share: float = 1.0) -> Timed:
    """Time two contenders in turn; `share` is the part of our work that the peer does."""
    taken = []
    for _ in range(rounds):
        pair = []
        for one in (ours, theirs):
            begun = time.perf_counter()
            one()
            pair.append(1000 * (time.perf_counter() - begun))
        taken.append((pair[0], pair[1] / share))
    first, second = (statistics.median(column) for column in zip(*taken, strict=True))
    return Timed(first, second, statistics.median(a / b for a, b in taken))


def median_of(work: Callable[[], Any], rounds: int) -> float:
    """The median time of a piece of work in milliseconds."""
    return timed(work, lambda: None, rounds).ours


def row(
    yard: Yard,
    question: str,
    ours: float,
    works: Sequence[Callable[[], object]],
    peer: str = "",
    found: Timed | None = None,
    bar: str = "",
) -> None:
    """Print a row of the table; `works` are ours and that of the peer, whose memory is measured."""
    theirs, ratio = ("", "") if found is None else (f"{found.theirs:.1f}", f"{found.ratio:.2g}")
    cells = [f"{ours:.2f}", peer, theirs, peak_text(*map(peak_of, works)), ratio, bar]
    print(f"| {yard.name} | {question} | {' | '.join(cells)} |", flush=True)


def drives(yard: Yard, rounds: int) -> tuple[float, float]:
    """Check and time a bike's full turn in `max`: one query, and a batch of starts; return both ratios."""
    table = yard.game().table
    question = ride_question(table, table.unit("bike"), table.unit("A1"), "max")
    assert question is not None
    prepared = prepared_ride(question.near, question.gear, question.standing)
    assert isinstance(prepared, Ordered)
    scipy, start, budget = Scipy(prepared.space), question.start, question.gear.highest
    costs = prepared.search((start,), budget)
    if (costs.full().ravel() != scipy.costs(start, budget)).any():
        raise AssertionError("scipy finds other costs")
    works = (lambda: prepared.search((start,), budget).array), partial(scipy.distances, start, budget)
    one = timed(*works, rounds)
    bars = yard.name == "usual"
    row(yard, "drive in max", one.ours, works, "scipy", one, f"<= {BAR_ONE}" if bars else "")
    q, r = question.vehicle.place
    starts = [
        ride_start(question.near, question.gear, (q + i % 8 - 4, r + i // 8 - 4), HEADINGS[i % 6], False)
        for i in range(BATCH)
    ]
    queries = [(begun,) for begun in starts]
    together = prepared.cells_of_many(queries, budget)
    for number in range(0, BATCH, 9):
        alone = scipy.costs(starts[number], budget).reshape(prepared.space.layers, *prepared.space.shape)
        if (together[number] != alone.min(axis=0)).any():
            raise AssertionError("scipy finds other costs in the batch")
    few = BATCH // 16

    def theirs(asked: Sequence[Start]) -> list[Any]:
        return [scipy.distances(begun, budget) for begun in asked]

    ours = partial(prepared.cells_of_many, queries, budget)
    many = timed(ours, partial(theirs, starts[:few]), max(2, rounds // 2), few / BATCH)
    batches = ours, partial(theirs, starts)
    row(yard, f"{BATCH} drives in max", many.ours, batches, "scipy", many, f"<= {BAR_BATCH}" if bars else "")
    return one.ratio, many.ratio


def turns_on_foot(yard: Yard, rounds: int) -> None:
    """Check and time a whole turn on foot with one flight in it."""
    table = yard.game().table
    space = foot_space(table, table.unit("F1"), walks=True, flies=True)
    prepared, scipy, (start,) = Prepared(space), Scipy(space), space.starts
    budget = space.budget or 0
    costs = prepared.search((start,), budget)
    if (costs.full().ravel() != scipy.costs(start, budget)).any():
        raise AssertionError("scipy finds other costs on foot")
    works = (lambda: prepared.search((start,), budget).array), partial(scipy.distances, start, budget)
    found = timed(*works, rounds)
    row(yard, "turn on foot with a flight", found.ours, works, "scipy", found)


def whole_queries(yard: Yard, rounds: int) -> None:
    """Time a player's query, in every mode and with the best chances, on a new map."""
    games = iter([yard.game() for _ in range(rounds + 1)])

    def asked() -> Any:
        return next(games).reach("A1", "drive").chances

    row(yard, "`game.reach` and chances, new map", median_of(asked, rounds), [asked])


def judged(yard: Yard, rounds: int) -> None:
    """Time the judge on five orders to drive, legal or not."""
    game = yard.game()
    game.breaches(ORDERS[0])

    def judge() -> Any:
        return [game.breaches(order) for order in ORDERS]

    row(yard, f"{len(ORDERS)} orders judged", median_of(judge, rounds), [judge])


def against_networkx(rounds: int) -> None:
    """Time the slow reference: a cruise on a map of 8 x 8 dots, both from scratch."""
    yard = Yard("tiny", 8, 0.0, 2)
    table = yard.game().table
    question = ride_question(table, table.unit("bike"), table.unit("A1"), "cruise")
    assert question is not None
    space = question.space()
    if (search_graph(space).full() != question.costs().full()).any():
        raise AssertionError("networkx finds other costs")

    def from_scratch() -> Any:
        costs = phase_costs(space)
        assert costs is not None
        return Ordered(space, costs).search(space.starts, space.budget).array

    works = from_scratch, partial(search_graph, space)
    found = timed(*works, min(2, rounds))
    row(yard, "drive in cruise", found.ours, works, "networkx", found)


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a bar is missed")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    print(f"Medians of {options.rounds} rounds; ratio: our time through theirs, the same states searched.\n")
    print("| map | question | ms | peer | its ms | peaks, MB: ours / its | ratio | bar |")
    print("|---|---|---:|---|---:|---|---:|---|")
    against_networkx(options.rounds)
    ratios = {}
    for yard in YARDS:
        ratios[yard.name] = drives(yard, options.rounds)
        turns_on_foot(yard, options.rounds)
        whole_queries(yard, options.rounds)
        judged(yard, options.rounds)
    bars = zip(("one", "batch"), ratios["usual"], (BAR_ONE, BAR_BATCH), strict=True)
    missed = [name for name, got, bar in bars if got > bar]
    for name in missed:
        print(f"the bar of {name} is missed", file=sys.stderr)
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
