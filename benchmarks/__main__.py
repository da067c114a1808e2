"""Run the benchmarks and keep what they print: `make bench`, or `python -m benchmarks NAME...` for some of them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = {
    "formats": ("Reading and writing boards", "bench_formats.py"),
    "views": ("Pictures", "bench_views.py"),
    "kernel": ("Reach queries on lattices", "bench_kernel.py"),
    "planner": ("Reach on the continuous table", "bench_planner.py"),
    "judge": ("The judge of ways on the continuous table", "bench_judge.py"),
    "engine": ("The turn engine", "bench_engine.py"),
}
PACKAGES = ("numpy", "shapely", "networkx", "scipy", "numba", "rustworkx", "tcod")


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(SCRIPTS))
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)} (known: {', '.join(SCRIPTS)})", file=sys.stderr)
        return 2
    parts = [
        "# What was measured\n",
        "Written by `make bench`. Times on a shared machine are noisy: compare ratios within one run, not times. Every",
        "script compares the answers of all contenders before it times anything.\n",
        f"- Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}",
        f"- {', '.join(f'{name} {_version(name)}' for name in PACKAGES)}\n",
    ]
    code = 0
    for name in names or SCRIPTS:
        title, script = SCRIPTS[name]
        print(f"{title} ({script}) ...", file=sys.stderr, flush=True)
        answer = subprocess.run([sys.executable, str(HERE / script)], stdout=subprocess.PIPE, text=True, check=False)
        print(answer.stdout)
        code = code or answer.returncode
        parts += [f"## {title}\n", answer.stdout.strip(), ""]
    if not names:
        (HERE / "RESULTS.md").write_text("\n".join(parts), encoding="utf-8")
    return code


def _version(package: str) -> str:
    try:
        return version(package)
    except ModuleNotFoundError:
        return "absent"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
