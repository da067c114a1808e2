"""Small worlds in full: every map of seven dots, everything that is asked on it, reach compared with play; it ends.

`python tests/long/every_dot_trooper_world.py` asks on one of each twelve maps that are turned or mirrored into each
other (some twenty minutes of processor time), `--all` on every one. `--part 2/4` asks the second of four parts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parents[1] / "rulebooks"))

from dot_trooper_seven_dots import Players, questions, worlds

#: So many questions in a row are one share of a part: they are of one map, more or less.
_SHARE = 500


def part_of(all_of_them: bool, number: int, parts: int):
    """Return every question of a part."""
    return (asked for place, asked in enumerate(questions(all_of_them)) if place // _SHARE % parts == number)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="every map, not one of those that are alike")
    parser.add_argument("--part", default="1/1", help="the number of the part, and how many there are")
    given = parser.parse_args()
    number, parts = map(int, given.part.split("/"))
    total = sum(1 for _ in part_of(given.all, number - 1, parts))
    players, wrong = Players(), []
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task(f"part {given.part}", total=total)
        for asked in part_of(given.all, number - 1, parts):
            try:
                players.check(asked)
            except AssertionError as difference:
                wrong.append(f"{asked}\n  {str(difference).splitlines()[0][:300]}")
            progress.advance(task)
    maps = sum(1 for _ in worlds(given.all))
    for what, count in players.asked.items():
        print(f"{what}: {count} questions on {maps} maps, {players.played[what]} of them played")
    print(f"{players.ends} ends, {len(wrong)} answers that differ from play")
    for one in wrong[:20]:
        print(f"differs: {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
