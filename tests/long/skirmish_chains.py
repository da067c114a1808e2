"""Generate chains of orders of skirmish that use each limit to the full, play them, and ask reach about each place.

    python -m tests.long.skirmish_chains [--seconds N] [--seed S] [--measure translation|front_point]

Exit code 1 where reach and play differ; each such layout is printed with its seed. Layouts on which more is asked than
is searched are counted.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from simulator.errors import TooMuchAsked

sys.path.insert(0, str(Path(__file__).parents[1] / "rulebooks"))

from skirmish_limits import faults_of, layout_of


def main() -> int:
    """Generate and play for as long as is said."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for how long")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--measure", default="translation", choices=("translation", "front_point"), help="SK-3")
    said = parser.parse_args()
    begun, played, bad, too_much = time.monotonic(), 0, 0, 0
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task("layouts", total=said.seconds)
        for seed in itertools.count(said.seed):
            if time.monotonic() - begun >= said.seconds:
                break
            layout = layout_of(seed, said.measure)
            try:
                wrong = faults_of(layout)
            except TooMuchAsked:
                wrong, too_much = [], too_much + 1
            played, bad = played + 1, bad + bool(wrong)
            for line in wrong:
                print(f"seed {seed}: {line}\n  {layout}")
            progress.update(bar, completed=time.monotonic() - begun)
    print(f"{played} layouts, {bad} with differences, {too_much} with more places than are searched")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
