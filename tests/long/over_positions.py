"""A loop over generated positions, for as long as one likes; what the long scripts on numbers and claims share."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulebooks"))

from one_truth import all_positions


def run(about: str, wrong_in: Callable[[str, int], Sequence[str]]) -> int:
    """Look at one position after another, print what is wrong, and at the end how many were looked at."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1000)
    asked = parser.parse_args()
    begun, wrong = time.monotonic(), 0
    looked: dict[str, int] = {}
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("positions", total=asked.seconds)
        for kind, seed in all_positions(asked.seed):
            if (spent := time.monotonic() - begun) > asked.seconds:
                break
            progress.update(task, completed=spent, description=f"{sum(looked.values())} positions, {wrong} wrong")
            found = wrong_in(kind, seed)
            looked[kind] = looked.get(kind, 0) + 1
            wrong += bool(found)
            for line in found:
                print(f"{kind} {seed}: {line}")
    print(f"{', '.join(f'{count} on {kind}' for kind, count in looked.items())}; {wrong} wrong")
    return 1 if wrong else 0
