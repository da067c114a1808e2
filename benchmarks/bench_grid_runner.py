"""Reach and judge of grid_runner, side by side with others: `python benchmarks/bench_grid_runner.py`.

All characters run at m1 with one pass a turn: 24 squares. First every contender has to return the same costs. Then they
take turns in one process; a ratio is the median over the rounds of our time divided by theirs, in processor time, so
that the load of the machine does not count. `search` is the search alone, as timed for the others; `whole answer` also
compiles the current table, judges whether the character may move, and returns an answer object. A peak is the most that
Python and numpy held more than before while one answer was made once more. With `--check` the script fails if a bar is
missed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.peaks import peak_of, peak_text
from simulator.engine.game import Game
from simulator.engine.table import Table
from simulator.geometry.squares import SquareGrid
from simulator.pathing.kernel.prepared import Query
from simulator.pathing.move_space import UNREACHED, MoveSpace
from simulator.pathing.reference import to_networkx
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import edges
from simulator.rulesets import shelf
from simulator.rulesets.grid_runner.movement import budget_of, prepared_for, start_of
from simulator.rulesets.grid_runner.reach.answer import GridReach
from simulator.rulesets.grid_runner.reach.questions import reach_of, reach_of_many
from simulator.rulesets.grid_runner.reach.together import AboutToMove, SharedSearch

RULES = shelf()["grid_runner"]
#: Squares on each side, characters, houses.
BOARDS = {"small": (24, 8, 5), "usual": (60, 30, 16), "crowded": (60, 150, 16)}
ROUNDS = 15
BLOCK = 8
SLOW = ("networkx", "chances")
BARS = {"search": 0.6, "everybody's searches": 0.15}


def town(size: int, houses: int, seed: int = 1) -> SquareGrid:
    """A board with houses that are walls, streets between them."""
    rng = np.random.default_rng(seed)
    walls = np.zeros((size, size), np.bool_)
    for _ in range(houses):
        row, column = rng.integers(1, size - 6, 2)
        high, wide = rng.integers(2, 7, 2)
        walls[row : row + high, column : column + wide] = True
    open_ = SquareGrid.open(size, size)
    return SquareGrid.open(size, size, walls=walls, terrain=open_.terrain)


def table_of(size: int, crowd: int, houses: int) -> Table[Any]:
    """A table with characters of two sides on free squares, all of them running."""
    board = town(size, houses)
    free = np.argwhere(~board.walls)
    chosen = free[np.random.default_rng(2).permutation(len(free))[:crowd]].tolist()
    units = [
        RULES.make_unit(f"U{number}", "character", "red" if number % 2 else "blue", (column, row), mode="run")
        for number, (row, column) in enumerate(chosen)
    ]
    return Game.new(RULES, board, units).ready_table("U0")


class Scipy:
    """scipy.sparse.csgraph.dijkstra with `limit`."""

    def __init__(self, space: MoveSpace) -> None:
        from scipy.sparse import csr_matrix

        legal = edges(space, Seeds.of(space, [], 0))
        states = space.layers * space.shape[0] * space.shape[1]
        self.graph = csr_matrix((legal.price.astype(float), (legal.source, legal.target)), shape=(states, states))

    def search(self, states: Any, budget: int) -> NDArray[np.float64]:
        from scipy.sparse.csgraph import dijkstra

        return np.asarray(dijkstra(self.graph, indices=states, limit=budget))


def cells(found: NDArray[np.float64], space: MoveSpace) -> NDArray[np.float64]:
    return found.reshape(space.layers, *space.shape).min(axis=0)


def floats(costs: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.where(costs == UNREACHED, np.inf, costs)


def costs_of_all(ready: list[tuple[Table[Any], Any]]) -> list[NDArray[np.int64]]:
    return [answer.cheapest for answer in reach_of_many(ready, "move") if isinstance(answer, GridReach)]


class Work(NamedTuple):
    """What is asked again and again: of some characters in turn, or once of all of them."""

    ask: Callable[[Any], object]
    of: Sequence[Any]

    def run(self) -> None:
        """Ask all of them."""
        for one in self.of:
            self.ask(one)


def taken(work: Work, slow: bool) -> float:
    """Return the seconds of one answer."""
    if not slow:
        work.run()  # warm the caches, which the previous contender has filled
    begun = time.process_time()
    work.run()
    return (time.process_time() - begun) / len(work.of)


def lines_of(name: str, rounds: int) -> tuple[list[str], list[str]]:
    """Check, measure, and return the lines of the table and the bars missed."""
    import networkx as nx

    table = table_of(*BOARDS[name])
    units = list(table.state)
    measured = units[:BLOCK]
    first = prepared_for(table, measured[0], "move")
    # The squares of all characters are closed: for a search from one of them its own square does not matter.
    movers = [AboutToMove(table, unit, budget_of(table, unit, "move")) for unit in units]
    shared = SharedSearch(movers, "move").searchers[0]
    space = shared.space
    budget = budget_of(table, measured[0], "move")
    scipy, graph = Scipy(space), to_networkx(space)
    starts = {unit.id: start_of(table, unit) for unit in units}
    number = {
        unit: (space.layer_of(None, start.phase) * space.shape[0] + start.row) * space.shape[1] + start.col
        for unit, start in starts.items()
    }
    queries = [Query((starts[unit.id],), budget) for unit in units]

    # --- the same answers? ---
    ends = ~table.board.walls
    for unit in units:
        ends[table.board.index(unit.place)] = False
    ready = [(table, unit) for unit in units]
    together = dict(zip(starts, costs_of_all(ready), strict=True))
    for unit in measured:
        found = cells(scipy.search(number[unit.id], budget), space)
        found[~ends] = np.inf
        found[table.board.index(unit.place)] = 0
        answer = floats(reach_of(table, unit, "move").cheapest)
        assert np.array_equal(answer, found), f"{name}: scipy disagrees about {unit.id}"
        assert np.array_equal(answer, floats(together[unit.id])), f"{name}: everybody's reach disagrees about {unit.id}"
    reached = nx.single_source_dijkstra_path_length(graph, starts[measured[0].id].state, cutoff=budget)
    plain = shared.search([starts[measured[0].id]], budget)
    assert all(plain.at(*state) == cost for state, cost in reached.items()), f"{name}: networkx disagrees"
    (order,) = reach_of(table, measured[0], "move").orders_to(
        max(reach_of(table, measured[0], "move"), key=sum), safest=True
    )
    assert not any(RULES.breaches(table, order))

    # --- how fast? ---
    ours = {
        "search": Work(lambda unit: shared.search([starts[unit.id]], budget).array, measured),
        "whole answer": Work(lambda unit: reach_of(table, unit, "move").mask, measured),
        "certain reach": Work(lambda unit: reach_of(table, unit, "move").certain, measured),
        "chances": Work(lambda unit: reach_of(table, unit, "move").chances.array, measured[:2]),
        "judge of one order": Work(lambda _: list(RULES.breaches(table, order)), measured),
        "everybody's searches": Work(shared.search_many, [queries]),
        "everybody's reach": Work(costs_of_all, [ready]),
    }
    theirs = {
        "scipy": Work(lambda unit: scipy.search(number[unit.id], budget), measured),
        "scipy, all": Work(lambda states: scipy.search(states, budget), [list(number.values())]),
        "networkx": Work(
            lambda unit: nx.single_source_dijkstra_path_length(graph, starts[unit.id].state, cutoff=budget),
            measured[:1],
        ),
    }
    works = {**ours, **theirs}
    seconds: dict[str, list[float]] = {what: [] for what in works}
    for _ in range(rounds):
        for what, work in works.items():
            seconds[what].append(taken(work, what in SLOW))
    lines, missed = [], []
    for what, work in works.items():
        shown = f"{statistics.median(seconds[what]) * 1e3:.3f} | {peak_text(peak_of(partial(work.ask, work.of[0])))}"
        ratios = {
            peer: statistics.median(a / b for a, b in zip(seconds[what], seconds[peer], strict=True))
            for peer in ("scipy", "scipy, all", "networkx")
            if what in ours and ("everybody" in what) == ("all" in peer)
        }
        ratio_text = ", ".join(f"{peer} {ratio:.3f}" for peer, ratio in ratios.items())
        bar = BARS.get(what) if name == "usual" else None
        verdict = ""
        if bar is not None:
            ratio = next(iter(ratios.values()))
            verdict = f"<= {bar}" + ("" if ratio <= bar else " MISSED")
            if ratio > bar:
                missed.append(f"{what}: {ratio:.3f}, bar {bar}")
        lines.append(f"| {name} | {what} | {shown} | {ratio_text} | {verdict} |")
    assert first.space.shape == space.shape
    return lines, missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail where a bar is missed")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    try:
        import scipy  # noqa: F401
    except ImportError:
        print("skipped: scipy is not installed")
        return 0
    print("| board | what | ms | peak, MB | ours / theirs | bar |\n|---|---|---:|---:|---|---|")
    missed: list[str] = []
    for name in BOARDS:
        lines, failed = lines_of(name, options.rounds)
        print("\n".join(lines), flush=True)
        missed += failed
    for line in missed:
        print(line, file=sys.stderr)
    return 1 if missed and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
