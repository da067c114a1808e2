"""What the extra `fast` changes: searches by compiled code beside others, and `game.reach` with and without it.

First every contender has to return the same costs. Then they take turns, in one process; a ratio is the median over
the rounds, a peak the most memory that Python and numpy held more than before while the answer was made once more. A
process begins without compiled code, so the first table says what loading it takes: once when it has to be compiled,
and again when it was kept; and what that process held at most. With `--check` the script fails if a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
from bench_dot_trooper import YARDS
from bench_grid_runner import BOARDS, RULES, table_of
from bench_kernel import LEGEND, Case, thin_boards
from peaks import peak_of, peak_text
from peers import KernelFast, Numba, Scipy, using_compiled_code

from boards import SLOW, USUAL, fine_walker, ground, root_two_walker, vehicle, walker
from simulator.engine.game import Game
from simulator.pathing.kernel.fast import VARIABLE, compiled

ROUNDS = 9
#: A first search by each compiled executor.
_FIRST = """
import time
import numpy as np
from peaks import process_peak
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import MoveSpace, MoveStep, Start
prepared = Prepared(MoveSpace((9, 9), [MoveStep("east", 0, 1)], starts=[Start(0, 0)], budget=5))
begun = time.perf_counter()
for method in ("levels", "buckets"):
    prepared.search(method=method)
print(time.perf_counter() - begun, process_peak())
"""


def cases() -> list[Case]:
    """Return questions of `bench_kernel` with the bars of compiled code, and some on boards as small as most are."""
    fast = (Scipy, Numba)
    small = ground(64, USUAL)[:18, :24].copy()
    usual = {size: walker(ground(size, USUAL)) for size in (64, 256, 512, 1024)}
    alone = [
        ("18x24, B=12", walker(small), 12, {Scipy: 1.0}),
        ("18x24, B=12 steps, root two", root_two_walker(small), 12 * 985, {Scipy: 1.0}),
        ("18x24, whole field", walker(small), None, {Scipy: 1.0}),
        ("64x64, B=24", usual[64], 24, {Scipy: 0.65}),
        ("256x256, B=12", usual[256], 12, {Scipy: 0.08, Numba: 0.3}),
        ("256x256, B=24", usual[256], 24, {Scipy: 0.08, Numba: 0.3}),
        ("256x256, B=48", usual[256], 48, {Scipy: 0.08, Numba: 0.3}),
        ("256x256, B=24 steps, root two", root_two_walker(ground(256, USUAL)), 24 * 985, {Scipy: 0.3}),
        ("1024x1024, B=24", usual[1024], 24, {Scipy: 0.03}),
        ("hex 128x128x6, B=24", vehicle(ground(128, USUAL)), 24, {Scipy: 0.3}),
        ("slow terrain 256x256, B=24", walker(ground(256, SLOW)), 24, {Scipy: 0.3}),
        ("fine units 256x256, B=240", fine_walker(ground(256, USUAL)), 240, {Scipy: 0.3}),
    ]
    found = [Case(f"one, {name}", *rest, fast, bars=bars, ours=KernelFast) for name, *rest, bars in alone]
    together: dict[str, Any] = {"block": 256, "together": True, "bars": {Scipy: 0.012}, "ours": KernelFast}
    found += [
        Case(f"256 together, 256x256, B={budget}", usual[256], budget, fast, **together) for budget in (12, 24, 48)
    ]
    fields = {"512x512": usual[512], "512x512, root two": root_two_walker(ground(512, USUAL))}
    for name, space in fields.items():
        title = f"whole field, {name}"
        found.append(Case(title, space, None, fast, block=1, bars={Scipy: 0.3}, ours=KernelFast))
    for name, board in thin_boards(512).items():
        for mover, space in (("1-2-1", walker(board)), ("root two", root_two_walker(board))):
            title = f"whole field, {name}, 512x512, {mover}"
            found.append(Case(title, space, None, fast, block=1, bars={Scipy: 1.5}, ours=KernelFast))
    return found


def loading() -> Iterator[str]:
    """Measure how long it takes to compile the code, and to load what was kept, and what such a process holds."""
    yield "| numba, and the code of both executors | s | process, MB |"
    yield "|---|---:|---:|"
    with tempfile.TemporaryDirectory() as folder:
        for what in ("compiled, once on a machine", "loaded, once in a process"):
            place = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            answer = subprocess.run([sys.executable, "-c", _FIRST], stdout=subprocess.PIPE, env=place, check=True)
            seconds, held = map(float, answer.stdout.split())
            yield f"| {what} | {seconds:.1f} | {peak_text(held)} |"


def questions() -> Iterator[tuple[str, Callable[[], Game[Any]], str, str]]:
    """Yield questions of players: what, the game in which it is asked, the unit and the action."""
    for name, size in BOARDS.items():
        table = table_of(*size)
        game = partial(Game.new, RULES, table.board, list(table.state))
        yield f"grid_runner, {name}, move", game, "U0", "move"
    for yard in YARDS:
        yield f"dot_trooper, {yard.name}, drive", yard.game, "A1", "drive"
        yield f"dot_trooper, {yard.name}, foot_move", yard.game, "F1", "foot_move"


def reaches(rounds: int) -> Iterator[str]:
    """Compare `game.reach` with and without compiled code, each time in a new game, made outside the time."""
    yield "| `game.reach` | numpy, ms | with `fast`, ms | peaks, MB: numpy / `fast` | ratio |"
    yield "|---|---:|---:|---|---:|"
    ways: dict[str, Callable[[], Any]] = {"numpy": nullcontext, "fast": using_compiled_code}
    for name, make, unit, action in questions():
        taken: dict[str, list[float]] = {way: [] for way in ways}
        for number in range(rounds + 1):
            answers = []
            for way in sorted(ways, reverse=number % 2 == 1):  # neither always finds what the other has prepared
                game = make()
                with ways[way]():
                    begun = time.perf_counter()
                    answers.append(game.reach(unit, action))
                    taken[way].append(time.perf_counter() - begun)
            assert np.array_equal(*(answer.costs.full() for answer in answers)), name
        plain, fast = (taken[way][1:] for way in ("numpy", "fast"))
        ratio = statistics.median(after / before for before, after in zip(plain, fast, strict=True))
        columns = (f"{statistics.median(times) * 1e3:.2f}" for times in (plain, fast))
        peaks = peak_text(*(_peak_of_reach(make(), unit, action, way) for way in ways.values()))
        yield f"| {name} | {' | '.join(columns)} | {peaks} | {ratio:.2f} |"


def _peak_of_reach(game: Game[Any], unit: str, action: str, way: Callable[[], Any]) -> float:
    with way():
        return peak_of(partial(game.reach, unit, action))


def main() -> int:
    """Compare and time everything, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bar is missed")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", default="", help="only questions whose name contains this")
    options = parser.parse_args()
    if not compiled.is_installed:
        print("skipped: numba is not installed")
        return 0
    compiled.wish = "no"  # what takes turns decides for itself
    os.environ.pop(VARIABLE, None)
    busy = os.getloadavg()[0]
    print(
        f"numba {version('numba')}; median of {options.rounds} rounds; ratio: our time through theirs; {LEGEND}. "
        f"At the beginning {busy:.1f} processes were running on {os.cpu_count()} processors.\n"
    )
    print("\n".join(loading()), flush=True)
    print("\n| question | contender | ms | peak, MB | ratio | bar |\n|---|---|---:|---:|---:|---|", flush=True)
    misses = []
    for case in cases():
        if options.only in case.name:
            print("\n".join(case.run(options.rounds)), flush=True)
            misses += case.misses
    print(flush=True)
    for line in reaches(options.rounds):
        print(line, flush=True)
    for miss in misses:
        print("missed:", miss, file=sys.stderr)
    return 1 if options.check and misses else 0


if __name__ == "__main__":
    raise SystemExit(main())
