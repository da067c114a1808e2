"""Reach from everywhere, a million answers and more: how many a second.   python -m benchmarks bulk

Each map is first compared with `Game.reach`, asked from some of its starts one by one: the number of ends, and the cost
of the dearest. Then both are timed: one by one on those starts alone. Seconds are processor time of one process, MB are
what a process of its own held at most, before any start was asked by itself.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.peaks import process_peak
from simulator import Game, load_scenario, shelf
from simulator.geometry.dots import DotMap
from simulator.geometry.poses import Pose
from simulator.geometry.squares import SquareGrid, SquareKind
from simulator.pathing.move_space import UNREACHED
from simulator.sweeps.reach_map import MapQuestion, MapWork
from simulator.sweeps.reach_map_file import ReachMap
from simulator.threads import on_one_core

#: So many starts are asked one by one.
SAMPLE = 200
#: The share of walls on the squares.
WALLS = 0.2
SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
#: So many places of a table are starts, as far as a unit may stand there.
SPOTS = 128


class Case(NamedTuple):
    """A question from everywhere."""

    about: str
    game: Callable[[], Game[Any]]
    unit: str
    action: str
    with_costs: bool


def market(width: int) -> Game[Any]:
    """A runner on squares with walls at random."""
    kinds = (SquareKind("floor"), SquareKind("wall", wall=True))
    walls = np.random.default_rng(5).random((width, width)) < WALLS
    walls[0, 0] = False
    rulebook = shelf()["grid_runner"]
    runner = rulebook.make_unit("ann", "character", "red", (0, 0), mode="run")
    return Game.new(rulebook, SquareGrid.from_kinds(kinds, walls.astype(np.int64)), [runner])


def plain(width: int, *, bike: bool) -> Game[Any]:
    """A trooper on a map of dots, on foot or on a bike."""
    rulebook = shelf()["dot_trooper"]
    ann = rulebook.make_unit("ann", "trooper", "red", None if bike else (5, 5), **({"aboard": "bike"} if bike else {}))
    units = [ann]
    if bike:
        units.insert(0, rulebook.make_unit("bike", "vehicle", "red", (5, 5), 0, on=True))
    return Game.new(rulebook, DotMap.open(width, width), units)


CASES = (
    Case("squares 1120 x 1120, a run of 24, summary", lambda: market(1120), "ann", "move", False),
    Case("squares 80 x 80, a run of 24, all costs", lambda: market(80), "ann", "move", True),
    Case("dots 200 x 200, on foot, summary", lambda: plain(200, bike=False), "ann", "foot_move", False),
    Case("dots 40 x 40, a drive, six headings, all costs", lambda: plain(40, bike=True), "ann", "drive", True),
)


#: On inch tables: the scenario, its first unit, and how far apart the places are.
TABLES = (
    ("combined_arms/up_to_the_bank", "move", 4.0),
    ("mecha/two_guards", "standard", 4.0),
    ("skirmish/mad_dash", "move", 4.0),
)


class OnTable(NamedTuple):
    """What a question on a table took, in seconds of the processor: starts together, and each by itself.

    `peak` is what the process held at most when all were asked together, in MB.
    """

    starts: int
    together: float
    alone: float
    peak: float


def on_table(number: int) -> OnTable:
    """Ask from some places of a table, together and one by one, and compare the costs."""
    name, action, spacing = TABLES[number]
    found = []
    for size in (SPOTS, 1):
        game = load_scenario(SCENARIOS / f"{name}.yaml").start()
        every = game.bulk_reach(next(iter(game.state.units)), action, spacing=spacing)
        before, costs = time.process_time(), []
        for first in range(0, min(SPOTS, len(every)), size):
            costs += [some.costs for some in every.from_cells(first, first + size)]
        found.append((np.concatenate(costs), time.process_time() - before, process_peak()))
    (together, seconds, peak), (one_by_one, alone, _) = found
    assert np.array_equal(together, one_by_one), name
    return OnTable(len(together), seconds, alone, peak)


class Found(NamedTuple):
    """What one case took."""

    starts: int
    seconds: float
    one_by_one: float
    peak: float
    size: int


def measured(number: int) -> Found:
    """Compute a map in this process, compare some of it, and time both."""
    case = CASES[number]
    game = case.game()
    asked = MapQuestion(case.about, game.setting, game.state, case.unit, case.action, with_costs=case.with_costs)
    with tempfile.TemporaryDirectory() as folder:
        file, before = Path(folder) / "map.npz", time.process_time()
        work = MapWork.begun(asked, file)
        for _ in work.work():
            pass
        work.finish()
        seconds = time.process_time() - before
        peak = process_peak()
        found, size = ReachMap.read(file), file.stat().st_size
    chosen = np.random.default_rng(7).permutation(len(found))[:SAMPLE].tolist()
    twins = [_put(game, work, found, start) for start in chosen]
    before = time.process_time()
    one_by_one = [_summed_up(twin, case) for twin in twins]
    alone = (time.process_time() - before) / len(chosen)
    for start, (ends, dearest) in zip(chosen, one_by_one, strict=True):
        assert found.arrays["ends"][start] == ends, (case.about, start)
        assert ends == 0 or found.arrays["cost_quantiles"][start, -1] == dearest, (case.about, start)
    return Found(len(found), seconds, alone, peak, size)


def _put(game: Game[Any], work: MapWork, found: ReachMap, start: int) -> Game[Any]:
    """Return the game with the unit at a start."""
    heading = float(found.arrays["heading"][start])
    pose = Pose(work.every.raster.place(int(found.arrays["cell"][start])), None if np.isnan(heading) else int(heading))
    there = next(iter(game.ruleset.placements(game.table, game.state.unit(work.every.mover.id), pose)))
    return Game(game.setting, there.state)


def _summed_up(twin: Game[Any], case: Case) -> tuple[int, float]:
    """Ask from where the unit stands, and return the number of its ends and the cost of the dearest."""
    answer: Any = twin.reach(case.unit, case.action)
    costs = answer.touched.ends.min(axis=0)
    ends = costs[costs < UNREACHED]
    return len(ends), float(ends.max(initial=0))


def tables() -> None:
    """Compare starts on tables that are asked together with each by itself."""
    print(f"On inch tables, load {os.getloadavg()[0]:.1f}:\n")
    print("| scenario, action, places | starts | answers a second | one by one | times as many | process, MB |")
    print("|---|---:|---:|---:|---:|---:|")
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for (name, action, spacing), found in zip(TABLES, pool.imap(on_table, range(len(TABLES))), strict=True):
            rates = found.starts / found.together, found.starts / found.alone
            print(
                f"| {name}, {action}, {spacing:g} inches apart | {found.starts} | {rates[0]:.1f} | {rates[1]:.1f} "
                f"| {rates[0] / rates[1]:.1f} | {found.peak:.0f} |",
                flush=True,
            )


@on_one_core()
def main() -> int:
    print(f"One process on a machine of {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: others were at work.\n")
    print("| question | starts | answers a second | one by one | times as many | seconds | process, MB | file, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for case, found in zip(CASES, pool.imap(measured, range(len(CASES))), strict=True):
            rate, alone = found.starts / found.seconds, 1 / found.one_by_one
            print(
                f"| {case.about} | {found.starts:,} | {rate:,.0f} | {alone:,.0f} | {rate / alone:.0f} "
                f"| {found.seconds:.1f} | {found.peak:.0f} | {found.size / 1e6:.1f} |",
                flush=True,
            )
    print("\nAn answer is the least cost of every place from one start.\n")
    tables()
    return 0


if __name__ == "__main__":
    sys.exit(main())
