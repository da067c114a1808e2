"""Compare reach of skirmish with random play for each option value, each figure smaller and larger, and each moment.

    python -m tests.long.skirmish_beside_play [--seed S] [--every N]

It goes through them once and ends; exit code 1 where reach and play differ.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parents[1] / "rulebooks"))

from skirmish_compared import compared
from test_skirmish_compared import a_table, everything


def main() -> int:
    """Compare them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="what is played differs by it")
    parser.add_argument("--every", type=int, default=1, help="only every Nth comparison")
    said = parser.parse_args()
    some = list(everything())[:: said.every]
    bad = 0
    for number, moment, options, tables in track(some, "comparisons", console=Console(stderr=True)):
        wrong = compared(a_table(moment, options, tables), said.seed + number)
        bad += bool(wrong)
        for line in wrong:
            print(f"{moment}, {options or tables or 'as it is'}: {line}")
    print(f"{len(some)} comparisons, {bad} with differences")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
