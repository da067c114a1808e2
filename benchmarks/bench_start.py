"""How long a command takes that asks little.   python -m benchmarks.bench_start   (processor time, medians)

Each command runs in a process of its own, in turn with the others, and once before without being timed, which writes
what Python compiles. `python` and `numpy` are there to compare: a start of Python alone, and one that imports numpy.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

if sys.platform != "win32":
    import resource

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


def milliseconds(words: tuple[str, ...], compiled: str) -> float:
    """Return the processor time of a command, of the user and of the system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env = kept | {"PYTHONPATH": str(HERE), "PYTHONPYCACHEPREFIX": compiled}
    subprocess.run([sys.executable, *words], cwd=HERE, env=env, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> int:
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as compiled:
        for number in range(ROUNDS + 1):
            for name, words in COMMANDS.items():
                spent = milliseconds(words, compiled)
                if number:
                    taken[name].append(spent)
    print("| command | median ms | least ms | bar |\n|---|---:|---:|---:|")
    for name, each in taken.items():
        bar = BARS.get(name, "")
        print(f"| {name} | {statistics.median(each):.0f} | {min(each):.0f} | {bar} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
