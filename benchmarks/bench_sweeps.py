"""How much faster several processes play a sweep.   python -m benchmarks sweeps   (time on the clock)

The same plan is played by one process and by two, in turn, each time from scratch; the results have to be the same to
the byte. Beside the speed-up stands how busy the machine was with other things: what those take, no sweep can have.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from simulator.sweeps.plan_file import load_plan
from simulator.sweeps.sweep import Sweep, played_here
from simulator.workers import as_done, cores

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 2
#: The least speed-up of two processes on two idle cores.
BAR = 1.7
SCENARIOS = ("market_chase", "vault_corridor")
PLAN = """format: 1
sweep: games
scenarios: [{scenarios}]
options: {{scale: [m2, m1], diagonal_corners: [no_cut, free]}}
agents: [random, script]
seeds: 10
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = ", ".join(f"'{ROOT}/scenarios/grid_runner/{scenario}.yaml'" for scenario in SCENARIOS)
        (folder / "plan.yaml").write_text(PLAN.format(scenarios=paths), encoding="utf-8")
        plan = load_plan(folder / "plan.yaml")
        players = {"1 process": played_here, "2 processes": partial(as_done, workers=2)}
        taken: dict[str, list[float]] = {who: [] for who in players}
        results: set[bytes] = set()
        for _ in range(ROUNDS):
            for who, play in players.items():
                shutil.rmtree(folder / "out", ignore_errors=True)
                sweep = Sweep.begun(plan, folder / "out")
                before = time.perf_counter()
                for _done in sweep.work(play):
                    pass
                taken[who].append(time.perf_counter() - before)
                sweep.finish()
                results.add((folder / "out" / "games.parquet").read_bytes())
    assert len(results) == 1, "the results depend on who plays"
    one, two = (min(found) for found in taken.values())
    speed_up = one / two
    load = os.getloadavg()[0]
    print(f"{len(plan)} games on {cores()} cores, load {load:.1f}; the best of {ROUNDS} rounds, in turn.\n")
    print("| played by | seconds | games a second | speed-up |\n|---|---:|---:|---:|")
    print(f"| 1 process | {one:.1f} | {len(plan) / one:.0f} | |")
    print(f"| 2 processes | {two:.1f} | {len(plan) / two:.0f} | {speed_up:.2f} |")
    idle = load < cores() + 0.5
    verdict = "" if speed_up >= BAR else " MISSED" if idle else " missed, but others were using the cores"
    print(f"\nThe bar is {BAR}:{verdict or ' met'}.")
    return int(speed_up < BAR and idle)


if __name__ == "__main__":
    sys.exit(main())
