"""Compare reach of skirmish with exhaustive play on all small worlds of the pattern in `skirmish_small_worlds`.

    python -m tests.long.every_skirmish_world [--every N] [--first N]

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
    parser.add_argument("--every", type=int, default=1, help="only every Nth world")
    parser.add_argument("--first", type=int, default=0, help="the world to begin with")
    said = parser.parse_args()
    some = list(worlds())[said.first :: said.every]
    bad = 0
    for world in track(some, "worlds", console=Console(stderr=True)):
        wrong = differences(world)
        bad += bool(wrong)
        for line in wrong:
            print(line)
    print(f"{len(some)} worlds, {bad} differ")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
