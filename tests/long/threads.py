"""Ask shared boards, games and answers from many threads for as long as you like, and count what comes out otherwise.

python tests/long/threads.py --seconds 600 --seed 7 --threads 4
"""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "engine"))
from side_by_side import SCENARIOS, differing, everybody, prepared_space, prepared_tables, rulebook


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=4)
    given = parser.parse_args()
    until = time.monotonic() + given.seconds
    rooms, wrong, seed = 0, {}, given.seed
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("asking", total=given.seconds)
        while time.monotonic() < until:
            makers = [everybody(seed), prepared_space(seed), prepared_tables(seed)]
            makers += [rulebook(name, seed) for name in SCENARIOS]
            for name, room in zip(("everybody", "space", "tables", *SCENARIOS), makers, strict=True):
                for question in differing(room, given.threads, seed):
                    wrong[f"{name}, seed {seed}: {question}"] = True
                rooms += 1
                progress.update(bar, completed=given.seconds - (until - time.monotonic()))
                if time.monotonic() >= until:
                    break
            seed += 1
    print(f"{rooms} rooms, {given.threads} threads each: {len(wrong)} questions answered otherwise than by one thread")
    for name in wrong:
        print(f"  {name}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
