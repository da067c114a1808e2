"""Reach of dot_trooper against play, on generated positions, for as long as one likes.

`python tests/long/dot_trooper_reach.py --seconds 600 --seed 1`: each position has one or two options that are not the
default, perhaps a figure that is smaller or larger, and a moment of the turn; it is played order by order and compared
with the answer of reach. The suite runs a few of each kind: tests/rulebooks/test_dot_trooper_everywhere.py.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parents[1] / "rulebooks"))

from dot_trooper_moments import Moment
from dot_trooper_positions import Position, all_changes, all_option_values


def drawn(seed: int) -> tuple[str, Position]:
    """Return what is asked about, and a position."""
    dice = random.Random(seed)
    options = [{}, *all_option_values()]
    chosen = {**dice.choice(options), **dice.choice(options)}
    figures = dice.choice([{}, *all_changes()]) if dice.random() < 0.7 else {}
    kind = dice.choice(("drive", "foot", "saddle", "moment"))
    if kind == "moment":
        return kind, Moment(seed, chosen, figures)
    if kind == "saddle" and dice.random() < 0.5:
        figures = figures | {"foot.standing": 3, "foot.prone": 1, "movement.cap": dice.choice((4, 5, 6))}
    return kind, Position(seed, chosen, figures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    counts, wrong, number = Counter(), [], given.seed * 10**6
    end = time.monotonic() + given.seconds
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("positions", total=given.seconds)
        while (left := end - time.monotonic()) > 0 and len(wrong) < 10:
            kind, position = drawn(number)
            number += 1
            engines = ("numpy", "networkx") if number % 20 == 0 else ("numpy",)
            try:
                asked = position.check if kind == "moment" else partial(getattr(position, f"check_{kind}"), 2)
                ends = asked(engines=engines)
                counts[kind] += 1
                counts["ends"] += ends
            except AssertionError as difference:
                wrong.append(f"{kind}: {position}\n  {str(difference).splitlines()[0][:300]}")
            progress.update(task, completed=given.seconds - left)
    print(
        f"{counts['drive']} drives, {counts['foot']} turns on foot, {counts['saddle']} walks into the saddle and "
        f"{counts['moment']} moments of a turn equal play, with {counts['ends']} ends"
    )
    for one in wrong:
        print(f"differs: {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
