"""Reach of grid_runner against play: `python tests/long/grid_runner_reach.py --seconds 600 --seed 1`.

Every position stands under one variant (an option's value, a figure smaller or larger) at one moment of a turn; odd
ones are asked about a single pass, even ones about several, and each is asked for chances or charges, too. Ends with
exit code 1 if anything differed.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulebooks"))

from grid_runner_chances import compared
from grid_runner_positions import asked_at
from grid_runner_reach_play import differences, over_passes
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


def main() -> int:
    """Ask until the time is over, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args()
    begun, seed, asked, wrong = time.monotonic(), said.seed, 0, 0
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None)
        while time.monotonic() < begun + said.seconds:
            position = asked_at(seed, several=seed % 2 == 0)
            if position is not None:
                asked += 1
                game, question = position
                found = over_passes(game, *question) if question else differences(game, reference=True)
                for told in found:
                    wrong += 1
                    print(f"seed {seed}: {told}")
            subject = "chains" if seed % 2 == 0 else ("chances", "charges")[seed // 2 % 2]
            for told in compared(subject, seed, reference=seed % 9 == 0) or ():
                wrong += 1
                print(f"seed {seed}: {subject}: {told}")
            seed += 1
            bar.update(task, description=f"{asked} positions, {wrong} differences")
    print(f"{asked} positions from seed {said.seed} to {seed - 1}: {wrong} differences")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
