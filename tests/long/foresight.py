"""Foresight against every play, on generated positions of the three rulebooks, for as long as one likes.

`python tests/long/foresight.py --seconds 600 --seed 1`: each position has orders that can go one way and another; they
are played in every way, one by one, and what came up is compared with what foresight lists. Orders with more plays than
`--most` are counted and left. The suite holds a few of each rulebook: tests/rulebooks/test_foresight_is_play.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parents[1] / "rulebooks"))

from foresight_worlds import WORLDS, assert_foreseen_is_played


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=3000)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    wrong, number = [], given.seed * 10**6
    end = time.monotonic() + given.seconds
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("orders", total=given.seconds)
        while (left := end - time.monotonic()) > 0 and len(wrong) < 10:
            for rulebook, world in WORLDS.items():
                game, orders = world(number)
                if not orders:
                    continue
                try:
                    plays = assert_foreseen_is_played(game, orders, given.most)
                    counts[f"{rulebook}, too many plays" if plays is None else rulebook] += 1
                    counts["plays"] += plays or 0
                except AssertionError as difference:
                    wrong.append(f"{rulebook} {number}: {str(difference).splitlines()[0][:300]}")
            number += 1
            progress.update(task, completed=given.seconds - left)
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    for one in wrong:
        print(f"differs: {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
