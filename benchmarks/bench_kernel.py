"""Reach queries on lattices, side by side with other libraries: `python benchmarks/bench_kernel.py`.

First every contender has to return the same costs. Then they take turns, in one process, each answering a
block of queries; a ratio is the median over the rounds of our time divided by theirs. Boards are prepared
beforehand, and the answer is an array of costs. Its peak is the most memory that Python and numpy held more than before
while it was made once more, of one query or of the whole batch; what C libraries allocate by themselves is left out.
The table is printed and written to a Markdown file. With `--check` the script fails if a bar is missed.
"""

from __future__ import annotations

import argparse
import gc
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import networkx
import numpy as np
from numpy.typing import NDArray
from peaks import peak_of, peak_text
from peers import Kernel, KernelContracted, KernelStates, Networkx, Numba, Peer, Rustworkx, Scipy, Tcod

from boards import SLOW, USUAL, cave, fine_walker, ground, maze, queries, rooms, root_two_walker, vehicle, walker
from simulator.pathing.kernel.fast import compiled
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import MoveSpace, Start
from simulator.writing import write_whole

ROUNDS = 9
#: The number of queries in a block for slow contenders; their time is scaled up.
FEW = 2
LEGEND = "peak: what Python and numpy held more than before, of one query or of the whole batch"
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
        ours: type[Kernel] = Kernel,
    ) -> None:
        self.name, self.space, self.budget, self.together, self.block = name, space, budget, together, block
        self.bars = bars or {}
        self.ours, self.peers = ours, (ours, *peers)
        self.queries = queries(space, block, budget, middle=not together and budget is not None)

    def run(self, rounds: int) -> list[str]:
        """Check, measure, and return one line of the table for each contender."""
        contenders, notes = [], []
        for kind in self.peers:
            missing = kind.missing()
            if missing:
                notes.append(f"| {self.name} | {kind.name} | skipped: {missing} is not installed | | | |")
            else:
                contenders.append(kind(self.space))
        self._agree(contenders)
        taken: dict[str, list[float]] = {one.name: [] for one in contenders}
        for _ in range(rounds):
            for one in contenders:
                taken[one.name].append(self._time(one))
        self.misses = []
        lines = []
        ours = taken[self.ours.name]
        for one in contenders:
            ratio = statistics.median(mine / theirs for mine, theirs in zip(ours, taken[one.name], strict=True))
            bar = self.bars.get(type(one))
            verdict = "" if bar is None else f"<= {bar}" + ("" if ratio <= bar else " MISSED")
            if bar is not None and ratio > bar:
                self.misses.append(f"{self.name} / {one.name}: {ratio:.3f}, bar {bar}")
            of_peer = "" if one.name == self.ours.name else f"{ratio:.3f}"
            shown = f"{_milliseconds(taken[one.name])} | {peak_text(self._peak(one))}"
            lines.append(f"| {self.name} | {one.name} | {shown} | {of_peer} | {verdict} |")
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

    def _peak(self, one: Peer) -> float:
        """Return the most MB that one query holds, or the whole batch."""
        if self.together:
            return peak_of(partial(one.search_many, self._share(one, self.queries)))
        return peak_of(partial(one.search, self.queries[0]))


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
        *thin_cases(),
    ]


def thin_boards(size: int) -> dict[str, NDArray[np.int64]]:
    """Return boards as in the published sets of mazes, rooms and caves."""
    mazes = {f"maze, corridors of {width}": maze(size, width=width) for width in (1, 2, 8)}
    every_room = {f"rooms of {room}": rooms(size, room) for room in (8, 16, 32)}
    return {**mazes, **every_room, "cave": cave(size)}


def thin_cases() -> list[Case]:
    """Return whole fields of thin boards, and long budgets in the widest corridors and rooms.

    Mazes are contracted beforehand, as they are by themselves after some searches; rooms and caves never are.
    """
    size = 512
    found = []
    for name, board in thin_boards(size).items():
        for mover, unit, space in (("1-2-1", 1, walker(board)), ("root two", 985, root_two_walker(board))):
            ours: type[Kernel] = KernelContracted if name.startswith("maze") else Kernel
            budgets = (None, 1000 * unit) if name in ("maze, corridors of 8", "rooms of 32") else (None,)
            for budget in budgets:
                what = "whole field" if budget is None else "B=1000 steps"
                title = f"{what}, {name}, {size}x{size}, {mover}"
                found.append(Case(title, space, budget, (Scipy, Numba), block=1, bars={Scipy: 1.5}, ours=ours))
    return found


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
    peaks = {name: peak_text(peak_of(run)) for name, run in runs.items()}
    question = "merged field of 256 starts, B=24"
    return [
        f"| {question} | {Kernel.name} | {_milliseconds(taken['ours'])} | {peaks['ours']} | | |",
        f"| {question} | {Scipy.name} | {_milliseconds(taken['theirs'])} | {peaks['theirs']} | {ratio:.3f} | <= 0.1 |",
    ]


def first_searches() -> list[str]:
    """Measure searches of thin boards that nobody has searched before: the first one, and what contracting takes."""
    lines = [
        "",
        "Whole fields of boards of 512x512: the first search of a board, and what contracting it takes, once.",
        "Peaks are those of the four steps in their order, measured once more on a board prepared anew.",
        "",
        "| board | diagonals | preparing, ms | first search, ms | by | contracting, ms | then, ms | peaks, MB |",
        "|---|---|---:|---:|---|---:|---:|---|",
    ]
    for name, board in thin_boards(512).items():
        if not name.startswith("maze"):
            continue
        for mover, space in (("1-2-1", walker(board)), ("root two", root_two_walker(board))):
            starts = queries(space, 1, None)[0].starts
            begun = time.process_time()
            prepared = Prepared(space)
            ready = time.process_time()
            first = prepared.search(starts, None)
            found = time.process_time()
            prepared.contract()
            contracted = time.process_time()
            then = prepared.search(starts, None)
            done = time.process_time()
            assert np.array_equal(first.full(), then.full())
            times = (ready - begun, found - ready, contracted - found, done - contracted)
            of = [f"{seconds * 1e3:.1f}" for seconds in times]
            peaks = peak_text(*_peaks_of_first_search(space, starts))
            lines.append(f"| {name} | {mover} | {of[0]} | {of[1]} | {first.method} | {of[2]} | {of[3]} | {peaks} |")
    return lines


def _peaks_of_first_search(space: MoveSpace, starts: Sequence[Start]) -> Iterator[float]:
    """Yield the most MB that preparing holds, the first search, contracting, and the search after that."""
    made: list[Prepared] = []
    yield peak_of(lambda: made.append(Prepared(space)))
    (prepared,) = made
    search = partial(prepared.search, starts, None)
    yield peak_of(search)
    yield peak_of(prepared.contract)
    yield peak_of(search)


def _answered(prepared: Prepared, starts: Sequence[Start], budget: int) -> NDArray[np.int64]:
    """Return the answer to a query as an array, which is made on demand."""
    return prepared.search(starts, budget).array


def growth() -> list[str]:
    """Measure the growth of one query with budget and board: cold and warm time, and peak memory."""
    lines = [
        "",
        "Cold: the caches hold other data. First query: the plan is written down as code too.",
        "",
        "| board | budget | preparing, ms | first query, ms | cold, ms | warm, ms | peak, MB | by |",
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
                    _answered(prepared, query.starts, budget)
                    times.append(time.perf_counter() - start)
            peak = peak_text(peak_of(partial(_answered, prepared, searched[0].starts, budget)))
            lines.append(
                f"| {size}x{size} | {budget} | {(ready - begun) * 1e3:.1f} | {(done - ready) * 1e3:.2f} "
                f"| {_milliseconds(cold)} | {_milliseconds(warm)} | {peak} | {first.method} |"
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
        f"{platform.machine()}; median of {options.rounds} rounds; ratio: our time through theirs; {LEGEND}.",
        "",
        "| question | contender | ms | peak, MB | ratio | bar |",
        "|---|---|---:|---:|---:|---|",
    ]
    print("\n".join(lines), flush=True)
    misses = []
    compiled.wish = "no"  # these are the figures of numpy alone
    for case in cases(options.quick):
        if options.only in case.name:
            found = case.run(options.rounds)
            print("\n".join(found), flush=True)
            lines += found
            misses += case.misses
    if not options.only:
        found = [*(merged(options.rounds) if Scipy.missing() is None else []), *first_searches(), *growth()]
        print("\n".join(found))
        lines += found
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, ("\n".join(lines) + "\n").encode())
    for miss in misses:
        print("missed:", miss, file=sys.stderr)
    return 1 if misses and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
