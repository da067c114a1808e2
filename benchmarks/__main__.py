"""Run the benchmarks and save their output: `make bench`, or `python -m benchmarks NAME...` for some of them.

The output of each becomes its section of RESULTS.md; other sections stay unchanged. What takes hours runs
only when it is named.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from simulator.writing import write_whole

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
READING = HERE / "READING.md"
SCRIPTS = {
    "start": ("The start of a command", "bench_start.py"),
    "formats": ("Reading and writing boards", "bench_formats.py"),
    "views": ("Pictures", "bench_views.py"),
    "live": ("The live table", "bench_live.py"),
    "kernel": ("Reach queries on lattices", "bench_kernel.py"),
    "fast": ("The extra fast", "bench_fast.py"),
    "growth": ("How queries grow", "bench_growth.py"),
    "planner": ("Reach on the continuous table", "bench_planner.py"),
    "posed": ("Headings and prices on the continuous table", "bench_posed.py"),
    "missed": ("What the planner over poses misses", "missed_moves.py"),
    "weighted": ("Cheapest ways over ground with prices", "bench_weighted.py"),
    "skirmish": ("Skirmish: reach and judge", "bench_skirmish.py"),
    "combined_arms": ("The rulebook combined_arms", "bench_combined_arms.py"),
    "missed_orders": ("What reach of combined_arms misses", "missed_orders.py"),
    "mecha": ("The rulebook mecha", "bench_mecha.py"),
    "missed_mecha": ("What reach of mecha misses", "missed_mecha.py"),
    "missed_beside": ("What lies just outside of the areas of stories", "missed_beside.py"),
    "judge": ("The judge of ways on the continuous table", "bench_judge.py"),
    "engine": ("The turn engine", "bench_engine.py"),
    "plies": ("Plies of programs that play", "bench_plies.py"),
    "grid_runner": ("The rulebook grid_runner", "bench_grid_runner.py"),
    "dot_trooper": ("The rulebook dot_trooper", "bench_dot_trooper.py"),
    "sweeps": ("Sweeps by several processes", "bench_sweeps.py"),
    "cores": ("Questions on all cores", "bench_cores.py"),
    "bulk": ("Reach from everywhere", "bench_bulk.py"),
    "cluster": ("A sweep on a cluster", "sweep_on_a_cluster.py"),
    "answers": ("The answers to all questions about the scenarios", "answers.py"),
    "memory": ("The memory of a long run", "memory.py"),
    "limits": ("The documented limits", "bench_limits.py"),
}
#: These take half an hour, hours, or a cluster.
ONLY_WHEN_NAMED = {"answers", "cluster", "memory", "missed", "missed_orders", "missed_mecha", "missed_beside"}
PACKAGES = ("numpy", "shapely", "networkx", "scipy", "numba", "rustworkx", "tcod")


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(SCRIPTS))
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)} (known: {', '.join(SCRIPTS)})", file=sys.stderr)
        return 2
    code = 0
    sections = kept_sections(RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "")
    for name in names or [name for name in SCRIPTS if name not in ONLY_WHEN_NAMED]:
        title, script = SCRIPTS[name]
        print(f"{title} ({script}) ...", file=sys.stderr, flush=True)
        command, paths = [sys.executable, str(HERE / script)], os.environ | {"PYTHONPATH": str(HERE.parent)}
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=paths)
        print(answer.stdout)
        code = code or answer.returncode
        sections[title] = answer.stdout.strip()
    write_whole(RESULTS, results_text(sections).encode())
    return code


def kept_sections(text: str) -> dict[str, str]:
    """Return the sections of the results file, by title."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}


def results_text(sections: Mapping[str, str]) -> str:
    """Return the text of the results file: the sections of known scripts, in order."""
    parts = [
        "# What was measured\n",
        "Written by `make bench`. Times on a shared machine are noisy: compare ratios within one run, not times. Every",
        "script compares the answers of all contenders before it times anything.\n",
        f"- Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}",
        f"- {', '.join(f'{name} {_version(name)}' for name in PACKAGES)}\n",
    ]
    parts.append(READING.read_text(encoding="utf-8"))
    for title, _ in SCRIPTS.values():
        if title in sections:
            parts += [f"## {title}\n", sections[title], ""]
    return "\n".join(parts)


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:
        return "absent"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
