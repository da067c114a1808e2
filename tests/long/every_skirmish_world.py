"""Compare reach of skirmish with exhaustive play on all small worlds of the pattern in `skirmish_small_worlds`.

    python -m tests.long.every_skirmish_world [--part K/N]

It counts the worlds and ends; exit code 1 where any of them differs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1] / "rulebooks"))

from skirmish_small_worlds import differences, worlds


def main() -> int:
    """Compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="1/1", help="the number of the part, and how many there are")
    number, parts = map(int, parser.parse_args().part.split("/"))
    every = list(enumerate(worlds()))[number - 1 :: parts]
    bad = 0
    for place, world in track(every, f"part {number}/{parts}", console=Console(stderr=True)):
        wrong = differences(world)
        bad += bool(wrong)
        for line in wrong:
            print(f"world {place}: {line}", flush=True)
    print(f"{len(every)} worlds, {bad} differ")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
