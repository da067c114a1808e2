"""How much faster several processes play a sweep.   python -m benchmarks sweeps

The same plan is played by one process and by two, each time from scratch; the results have to be the same to the byte.
The speed-up is told twice: on the clock, which counts other programs on this machine too, and by processor time, the
time of one process alone over that of the busier of two, their start included: what two idle cores would show. Memory
is the most that each process that plays held.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.peaks import process_peak
from simulator.sweeps.parts import Players, played_here
from simulator.sweeps.plan import SweepPlan
from simulator.sweeps.plan_file import load_plan
from simulator.sweeps.sweep import Chunk, Sweep, play_chunk
from simulator.threads import cores
from simulator.workers import as_done

ROOT = Path(__file__).resolve().parent.parent
#: The least speed-up of two processes on two idle cores.
BAR = 1.7
SCENARIOS = ("market_chase", "vault_corridor")
PLAN = """format: 1
sweep: games
scenarios: [{scenarios}]
options: {{scale: [m2, m1], diagonal_corners: [no_cut, free]}}
agents: [random, script]
seeds: 80
"""


class Used(NamedTuple):
    """What a process has used since its start: seconds of the processor, and at most so many MB."""

    seconds: float
    megabytes: float


def timed_chunk(chunk: Chunk) -> tuple[int, Used, Any]:
    """Play a chunk; return the process, what it has used, and the rows."""
    rows = play_chunk(chunk)
    return os.getpid(), Used(time.process_time(), process_peak()), rows


class TwoProcesses:
    """Plays chunks in two processes and keeps what each has used."""

    def __init__(self) -> None:
        self.used: dict[int, Used] = {}

    def __call__(self, work: Callable[[Chunk], Any], chunks: Sequence[Chunk]) -> Iterator[tuple[int, Any]]:
        assert work is play_chunk
        for index, (process, used, rows) in as_done(timed_chunk, chunks, 2):
            self.used[process] = used
            yield index, rows


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = ", ".join(f"'{ROOT}/scenarios/grid_runner/{scenario}.yaml'" for scenario in SCENARIOS)
        (folder / "plan.yaml").write_text(PLAN.format(scenarios=paths), encoding="utf-8")
        plan = load_plan(folder / "plan.yaml")
        two = TwoProcesses()
        clock_of_one, own, by_one = _played(plan, folder / "one", played_here)
        held_by_one = process_peak()
        clock_of_two, _, by_two = _played(plan, folder / "two", two)
    assert by_one == by_two, "the results depend on who plays"
    seconds, held = zip(*two.used.values(), strict=True)
    speed_up = own / max(seconds)
    print(f"{len(plan)} games on {cores()} cores, load {os.getloadavg()[0]:.1f} (other programs were running).\n")
    print("| played by | seconds on the clock | processor seconds | process, MB |\n|---|---:|---:|---:|")
    print(f"| 1 process | {clock_of_one:.1f} | {own:.1f} | {held_by_one:.0f} |")
    of_two = " and ".join(f"{one:.1f}" for one in seconds), " and ".join(f"{one:.0f}" for one in held)
    print(f"| 2 processes | {clock_of_two:.1f} | {' | '.join(of_two)} |")
    verdict = "met" if speed_up >= BAR else "MISSED"
    print(
        f"\nSpeed-up: {clock_of_one / clock_of_two:.2f} on the clock, {speed_up:.2f} by processor time "
        f"(bar {BAR}: {verdict})."
    )
    return int(speed_up < BAR)


def _played(plan: SweepPlan, folder: Path, players: Players) -> tuple[float, float, bytes]:
    """Play a plan; return the seconds on the clock, the processor seconds of this process, and the rows."""
    sweep = Sweep.begun(plan, folder)
    clock, own = time.perf_counter(), time.process_time()
    for _ in sweep.work(players):
        pass
    taken = time.perf_counter() - clock, time.process_time() - own
    sweep.finish()
    return *taken, (folder / "games.parquet").read_bytes()


if __name__ == "__main__":
    sys.exit(main())
