"""Reach queries on lattices, side by side with other libraries: `python benchmarks/bench_kernel.py`.

First every contender has to return the same costs. Then they take turns, in one process, each answering a
block of queries; a ratio is the median over the rounds of our time divided by theirs. Boards are prepared
beforehand, and the answer is an array of costs. The table is printed and written to a Markdown file. With
`--check` the script fails if a bar is missed.
"""

from __future__ import annotations

import argparse
import gc
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import numpy as np
from peers import Kernel, KernelStates, Networkx, Numba, Peer, Rustworkx, Scipy, Tcod

from boards import SLOW, USUAL, fine_walker, ground, maze, queries, rooms, root_two_walker, vehicle, walker
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import MoveSpace
from simulator.writing import write_whole

ROUNDS = 9
#: The number of queries in a block for slow contenders; their time is scaled up.
FEW = 2
SLOW_PEERS = (Networkx, Rustworkx, Tcod)


class Case:
    """One question for several contenders."""

    def __init__(
        self,
        name: str,
        space: MoveSpace,
        budget: int | None,
        peers: tuple[type[Peer], ...],
        *,
        bars: dict[type[Peer], float] | None = None,
        block: int = 8,
        together: bool = False,
    ) -> None:
        self.name, self.space, self.budget, self.together, self.block = name, space, budget, together, block
        self.bars = bars or {}
        self.peers = (Kernel, *peers)
        self.queries = queries(space, block, budget, middle=not together and budget is not None)

    def run(self, rounds: int) -> list[str]:
        """Check, measure, and return one line of the table for each contender."""
        contenders, notes = [], []
        for kind in self.peers:
            missing = kind.missing()
            if missing:
                notes.append(f"| {self.name} | {kind.name} | skipped: {missing} is not installed | | |")
            else:
                contenders.append(kind(self.space))
        self._agree(contenders)
        taken: dict[str, list[float]] = {one.name: [] for one in contenders}
        for _ in range(rounds):
            for one in contenders:
                taken[one.name].append(self._time(one))
        self.misses = []
        lines = []
        ours = taken[Kernel.name]
        for one in contenders:
            ratio = statistics.median(mine / theirs for mine, theirs in zip(ours, taken[one.name], strict=True))
            bar = self.bars.get(type(one))
            verdict = "" if bar is None else f"<= {bar}" + ("" if ratio <= bar else " MISSED")
            if bar is not None and ratio > bar:
                self.misses.append(f"{self.name} / {one.name}: {ratio:.3f}, bar {bar}")
            of_peer = "" if isinstance(one, Kernel) and one.name == Kernel.name else f"{ratio:.3f}"
            lines.append(f"| {self.name} | {one.name} | {_milliseconds(taken[one.name])} | {of_peer} | {verdict} |")
        return lines + notes

    def _agree(self, contenders: list[Peer]) -> None:
        searched = self.queries if self.together else self.queries[:FEW]
        answers = [one.search_many(self._share(one, searched)) for one in contenders]
        for number in range(len(searched)):
            expected = contenders[0].cells_of_many(answers[0], number)
            for one, answer in zip(contenders[1:], answers[1:], strict=True):
                if number < len(self._share(one, searched)):
                    found = one.cells_of_many(answer, number)
                    if not np.array_equal(found, expected):
                        raise AssertionError(f"{self.name}: {one.name} disagrees with {contenders[0].name}")

    def _share(self, one: Peer, searched: list[Any]) -> list[Any]:
        return searched[:FEW] if isinstance(one, SLOW_PEERS) else searched

    def _time(self, one: Peer) -> float:
        """Return the seconds of one query, or of the whole batch."""
        searched = self._share(one, self.queries)
        run: Callable[[], Any]
        if self.together:
            run = lambda: one.search_many(searched)  # noqa: E731 - the two ways side by side
        else:
            run = lambda: [one.search(query) for query in searched]  # noqa: E731
        if not isinstance(one, SLOW_PEERS):
            run()
        begun = time.perf_counter()
        run()
        seconds = time.perf_counter() - begun
        return seconds / len(searched) * (len(self.queries) if self.together else 1)


def _milliseconds(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1e3:.3f}"


def cases(quick: bool) -> list[Case]:
    """Return the questions with their bars."""
    every = (Scipy, Numba) if quick else (Scipy, Numba, Networkx, Rustworkx, Tcod)
    graphs = (Scipy, Numba) if quick else (Scipy, Numba, Networkx, Rustworkx)
    fast = (Scipy, Numba)
    usual = {size: walker(ground(size, USUAL)) for size in (64, 256, 512, 1024)}
    hexes = vehicle(ground(128, USUAL))
    return [
        Case("one, 64x64, B=12", usual[64], 12, fast, bars={Scipy: 1.5}),
        Case("one, 64x64, B=24", usual[64], 24, every, bars={Scipy: 0.65}),
        Case("one, 64x64, B=48", usual[64], 48, fast, bars={Scipy: 0.65}),
        Case("one, 256x256, B=12", usual[256], 12, fast, bars={Scipy: 1.5}),
        Case("one, 256x256, B=24", usual[256], 24, every, bars={Scipy: 0.25}),
        Case("one, 256x256, B=48", usual[256], 48, fast, bars={Scipy: 0.40}),
        Case("one, 1024x1024, B=24", usual[1024], 24, fast, bars={Scipy: 0.03}),
        Case("one, hex 128x128x6, B=24", hexes, 24, graphs, bars={Scipy: 0.6}),
        Case("one, slow terrain 256x256, B=24", walker(ground(256, SLOW)), 24, fast, bars={Scipy: 1.5}),
        Case("one, fine units 256x256, B=240", fine_walker(ground(256, USUAL)), 240, fast, bars={Scipy: 1.5}),
        Case(
            "256 together, 256x256, B=12",
            usual[256],
            12,
            (Scipy, Numba, KernelStates),
            block=256,
            together=True,
            bars={Scipy: 0.03, Numba: 0.3},
        ),
        Case(
            "256 together, 256x256, B=24",
            usual[256],
            24,
            (Scipy, Numba, KernelStates),
            block=256,
            together=True,
            bars={Scipy: 0.03, Numba: 0.3},
        ),
        Case(
            "256 together, 256x256, B=48",
            usual[256],
            48,
            (Scipy, Numba, KernelStates),
            block=256,
            together=True,
            bars={Scipy: 0.08, Numba: 0.45},
        ),
        Case(
            "256 together, hex 128x128x6, B=24",
            hexes,
            24,
            (Scipy, Numba, KernelStates),
            block=256,
            together=True,
            bars={Scipy: 0.12, Numba: 0.5},
        ),
        Case(
            "256 together, slow terrain, B=24",
            walker(ground(256, SLOW)),
            24,
            fast,
            block=256,
            together=True,
            bars={Scipy: 1.5},
        ),
        Case(
            "256 together, fine units, B=240",
            fine_walker(ground(256, USUAL)),
            240,
            fast,
            block=256,
            together=True,
            bars={Scipy: 1.5},
        ),
        Case("whole field, 512x512", usual[512], None, fast, block=1, bars={Scipy: 1.0}),
        # Long corridors, many levels: no bar; the table shows how much slower this kernel is here than the others.
        Case("whole field, maze 128x128, root two", root_two_walker(maze(128)), None, fast, block=1),
        Case("whole field, wide maze 256x256, root two", root_two_walker(maze(256, width=4)), None, fast, block=1),
        Case("whole field, rooms 256x256, root two", root_two_walker(rooms(256)), None, fast, block=1),
        Case("whole field, maze 128x128", walker(maze(128)), None, fast, block=1),
        Case("whole field, rooms 256x256", walker(rooms(256)), None, fast, block=1),
    ]


def merged(rounds: int) -> list[str]:
    """Time the least cost from any of 256 starts in one search, and the same question for scipy."""
    space = walker(ground(256, USUAL))
    searched = queries(space, 256, 24)
    starts = [start for query in searched for start in query.starts]
    ours, theirs = Kernel(space), Scipy(space)
    assert np.array_equal(ours.cells(ours.prepared.search(starts, 24)), theirs.cells(theirs.merged(searched)))
    runs: dict[str, Callable[[], Any]] = {
        "ours": lambda: ours.prepared.search(starts, 24).array,
        "theirs": lambda: theirs.merged(searched),
    }
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            run()
            begun = time.perf_counter()
            run()
            taken[name].append(time.perf_counter() - begun)
    ratio = statistics.median(a / b for a, b in zip(taken["ours"], taken["theirs"], strict=True))
    question = "merged field of 256 starts, B=24"
    return [
        f"| {question} | {Kernel.name} | {_milliseconds(taken['ours'])} | | |",
        f"| {question} | {Scipy.name} | {_milliseconds(taken['theirs'])} | {ratio:.3f} | <= 0.1 |",
    ]


def growth() -> list[str]:
    """Measure the growth of one query with budget and board: cold and warm time, and peak memory."""
    lines = [
        "",
        "Cold: the caches hold other data. First query: the plan is written down as code too.",
        "",
        "| board | budget | preparing, ms | first query, ms | cold, ms | warm, ms | peak, KB | by |",
        "|---|---:|---:|---:|---:|---:|---:|---|",
    ]
    elsewhere = np.zeros(1 << 23)
    for size, budgets in ((64, (24,)), (256, (6, 12, 24, 48, 96)), (1024, (24, 96, 192))):
        space = walker(ground(size, USUAL))
        searched = queries(space, 15, None, middle=True)
        for budget in budgets:
            gc.collect()
            begun = time.perf_counter()
            prepared = Prepared(space)
            ready = time.perf_counter()
            first = prepared.search(searched[0].starts, budget)
            done = time.perf_counter()
            cold, warm = [], []
            for query in searched:
                elsewhere += 1
                for times in (cold, warm):
                    start = time.perf_counter()
                    prepared.search(query.starts, budget).array  # noqa: B018 - the array is made on demand
                    times.append(time.perf_counter() - start)
            tracemalloc.start()
            prepared.search(searched[0].starts, budget).array  # noqa: B018
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            lines.append(
                f"| {size}x{size} | {budget} | {(ready - begun) * 1e3:.1f} | {(done - ready) * 1e3:.2f} "
                f"| {_milliseconds(cold)} | {_milliseconds(warm)} | {peak // 1024} | {first.method} |"
            )
    return lines


def main() -> int:
    """Run all questions, print the table, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only the fast peers")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bar is missed")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--out", type=Path, default=Path("out/bench_kernel.md"))
    options = parser.parse_args()
    lines = [
        f"Python {platform.python_version()}, numpy {np.__version__}, networkx {networkx.__version__}, "
        f"{platform.machine()}; median of {options.rounds} rounds; ratio: our time through theirs.",
        "",
        "| question | contender | ms | ratio | bar |",
        "|---|---|---:|---:|---|",
    ]
    print("\n".join(lines), flush=True)
    misses = []
    for case in cases(options.quick):
        if options.only in case.name:
            found = case.run(options.rounds)
            print("\n".join(found), flush=True)
            lines += found
            misses += case.misses
    if not options.only:
        found = [*(merged(options.rounds) if Scipy.missing() is None else []), *growth()]
        print("\n".join(found))
        lines += found
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, ("\n".join(lines) + "\n").encode())
    for miss in misses:
        print("missed:", miss, file=sys.stderr)
    return 1 if misses and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
