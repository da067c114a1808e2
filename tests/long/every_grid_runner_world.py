"""Small worlds in full: every board of 3 x 3 squares, all that is asked on it, reach compared with play; it ends.

`python tests/long/every_grid_runner_world.py` asks on one of each eight grounds that are turned or mirrored into each
other (less than half an hour of processor time), `--all` on every one. `--part 2/4` asks the second of four, and
`--count` only counts. Ends with exit code 1 if reach and play differ anywhere.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "rulebooks"))

from grid_runner_small_worlds import CORNERS, SCALES, differences, grounds, one_of_each, starts
from rich.console import Console
from rich.progress import track


def main() -> int:
    """Go through all of them, and print what differs and how many they were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every ground, not one of those that are alike")
    parser.add_argument("--part", default="1/1", help="the number of the part, and how many there are")
    parser.add_argument("--count", action="store_true", help="only count")
    given = parser.parse_args()
    number, parts = map(int, given.part.split("/"))
    wrong = 0
    for scale in SCALES:
        part = list((grounds if given.all else one_of_each)(scale))[number - 1 :: parts]
        worlds = sum(len(starts(ground, scale)) for ground in part)
        boards = sum(len(starts(ground, scale)) * ground.stands_for for ground in part)
        if not given.count:
            for ground in track(part, scale, console=Console(stderr=True)):
                for corners in CORNERS:
                    for told in differences(ground, scale, corners)[1]:
                        wrong += 1
                        print(told)
        print(f"{scale}: {len(part)} grounds, {worlds} worlds, with impeded squares told apart {boards}", flush=True)
    print("counted only" if given.count else f"{wrong} differences")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
