"""All small worlds of grid_runner: `python tests/long/every_grid_runner_world.py`, or `--count` only to count them.

With `--part 3 --of 8` every eighth ground from the third on is looked at, so that several machines share the work.
Ends with exit code 1 if reach and play differ anywhere.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulebooks"))

from grid_runner_small_worlds import CORNERS, SCALES, differences, grounds, starts
from rich.console import Console
from rich.progress import track


def main() -> int:
    """Go through all of them, and print what differs and how many they were."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--count", action="store_true", help="Only count.")
    parser.add_argument("--part", type=int, default=1)
    parser.add_argument("--of", type=int, default=1)
    said = parser.parse_args()
    wrong = 0
    for scale in SCALES:
        part = list(grounds(scale))[said.part - 1 :: said.of]
        worlds = sum(len(starts(ground, scale)) for ground in part)
        boards = sum(len(starts(ground, scale)) * ground.stands_for for ground in part)
        if not said.count:
            for ground in track(part, scale, console=Console(stderr=True)):
                for corners in CORNERS:
                    for told in differences(ground, scale, corners)[1]:
                        wrong += 1
                        print(told)
        print(f"{scale}: {len(part)} grounds, {worlds} worlds, with impeded squares told apart {boards}")
    print(f"{wrong} differences" if not said.count else "counted only")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
