"""How long a command that asks little takes, and what it holds: python -m benchmarks.bench_start (processor time)

Each command runs in a process of its own, in turn with the others, and once before without being timed, which writes
what Python compiles. `python` and `numpy` are there to compare: a start of Python alone, and one that imports numpy.
Megabytes are the most that a process held, of all rounds, as the system counts them: never less than this script holds,
which starts the others.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.peaks import process_peak, resident

HERE = Path(__file__).resolve().parent.parent
ROUNDS = 9
COMMANDS = {
    "python": ("-c", "pass"),
    "numpy": ("-c", "import numpy"),
    "simulator --help": ("-m", "simulator", "--help"),
    "explain a place, squares": (
        "-m",
        "simulator",
        "explain",
        "scenarios/grid_runner/vault_corridor.yaml",
        "vix",
        "2,1",
    ),
    "explain a pose, dots": (
        *("-m", "simulator", "explain", "scenarios/dot_trooper/alley_turn.yaml"),
        *("ann", "5,2 facing 180"),
    ),
    "explain an order, inch table": (
        *("-m", "simulator", "explain", "scenarios/skirmish/the_yard.yaml"),
        "ash run: to 14,5",
    ),
}
#: The most milliseconds that these may take.
BARS = {"simulator --help": 150} | {name: 700 for name in COMMANDS if name.startswith("explain")}


def spent(words: tuple[str, ...], compiled: str) -> tuple[float, float]:
    """Return the milliseconds of a command, of the user and of the system, and the most MB that its process held."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = kept | {"PYTHONPATH": str(HERE), "PYTHONPYCACHEPREFIX": compiled}
    command = [sys.executable, *words]
    begun = subprocess.Popen(command, cwd=HERE, env=env, stdout=subprocess.DEVNULL)
    try:
        _, status, usage = os.wait4(begun.pid, 0)
    except BaseException:
        begun.kill()
        raise
    begun.returncode = os.waitstatus_to_exitcode(status)
    if begun.returncode:
        raise subprocess.CalledProcessError(begun.returncode, command)
    return 1000 * (usage.ru_utime + usage.ru_stime), resident(usage)


def main() -> int:
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as compiled:
        for number in range(ROUNDS + 1):
            for name, words in COMMANDS.items():
                found = spent(words, compiled)
                if number:
                    taken[name].append(found)
    print(f"The script that starts the processes holds {process_peak():.0f} MB, which each of them begins with.\n")
    print("| command | median ms | least ms | process, MB | bar |\n|---|---:|---:|---:|---:|")
    for name, found_of in taken.items():
        times, held = zip(*found_of, strict=True)
        bar = BARS.get(name, "")
        print(f"| {name} | {statistics.median(times):.0f} | {min(times):.0f} | {max(held):.0f} | {bar} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
