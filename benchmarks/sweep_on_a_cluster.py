"""10,000 tiny games on the four workers of a Dask cluster, on this machine.   python -m benchmarks cluster

What the cluster costs: the processor time of all its processes, beyond that of one process playing the same games.
Its results have to be the same to the byte.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from simulator.cli.terminal import bar
from simulator.sweeps.cluster import players_of
from simulator.sweeps.parts import Players, played_here
from simulator.sweeps.plan_file import load_plan
from simulator.sweeps.sweep import Sweep

ROOT = Path(__file__).resolve().parent.parent
WORKERS, GAMES = 4, 10_000
SCENARIO = """format: 1
ruleset: grid_runner
board: {board: squares, legend: {".": {}}, rows: ". . . . ."}
units:
  ann: {type: character, side: red, at: [0, 0]}
  bob: {type: character, side: blue, at: [4, 0]}
turns:
  - ["ann move: e 2", "bob move: w 1"]
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tiny.yaml").write_text(SCENARIO, encoding="utf-8")
        text = f"format: 1\nsweep: games\nscenarios: [tiny.yaml]\nseeds: {GAMES}\n"
        (folder / "plan.yaml").write_text(text, encoding="utf-8")
        clock_alone, alone = _played(folder, "alone", played_here)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        scheduler, workers, address = _cluster(folder)
        begun = resource.getrusage(resource.RUSAGE_SELF)
        clock, together = _played(folder, "cluster", players_of(address))
        ended = resource.getrusage(resource.RUSAGE_SELF)
        scheduler.terminate()
        for process in (scheduler, *workers):
            process.wait(timeout=120)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert alone == together, "the results depend on who plays"
    of_cluster = _seconds(after) - _seconds(before) + _seconds(ended) - _seconds(begun)
    own = clock_alone[1]
    print(f"{GAMES} games on {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}.\n")
    print("| played by | seconds on the clock | processor seconds | ms a game |\n|---|---:|---:|---:|")
    print(f"| 1 process | {clock_alone[0]:.1f} | {own:.1f} | {1000 * own / GAMES:.2f} |")
    print(f"| {WORKERS} workers | {clock[0]:.1f} | {of_cluster:.1f} | {1000 * of_cluster / GAMES:.2f} |")
    print(
        f"\nThe start of the cluster included, it takes {1000 * (of_cluster - own) / GAMES:.2f} ms a game more of the "
        "processors than one process alone."
    )
    return 0


def _played(folder: Path, name: str, players: Players) -> tuple[tuple[float, float], bytes]:
    """Play the plan; return the seconds on the clock and of this process, and the rows."""
    plan = load_plan(folder / "plan.yaml")
    sweep = Sweep.begun(plan, folder / name)
    clock, own = time.perf_counter(), time.process_time()
    with bar(f"games, {name}", len(plan)) as update:
        for done in sweep.work(players):
            update(done, None)
    taken = time.perf_counter() - clock, time.process_time() - own
    sweep.finish()
    return taken, (folder / name / "games.parquet").read_bytes()


def _seconds(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


def _cluster(folder: Path) -> tuple[subprocess.Popen[bytes], list[subprocess.Popen[bytes]], str]:
    file = folder / "scheduler.json"
    quiet = ("--host", "127.0.0.1", "--no-dashboard")
    scheduler = _started(
        "dask_scheduler", *quiet, "--port", "0", "--scheduler-file", str(file), "--idle-timeout", "300s"
    )
    while not file.exists() or not file.stat().st_size:
        time.sleep(0.1)
    address: str = json.loads(file.read_text())["address"]
    each = ("--nthreads", "1", "--no-nanny", "--death-timeout", "60", "--local-directory", str(folder))
    return scheduler, [_started("dask_worker", address, *quiet, *each) for _ in range(WORKERS)], address


def _started(program: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{program}", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main())
