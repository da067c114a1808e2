"""Tries out what is said of places that the conditions of a question close, on tables of skirmish.

    python tests/long/closed_by_conditions.py --seconds 600 --seed 1000

Prints what it finds with the seed of its table, at the end how many places were tried.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    from conditions_explained import untrue

    tried: list[bool] = []
    status = run(str(__doc__), lambda kind, seed: untrue(seed, 3, tried) if kind == "table" else [])
    print(f"{len(tried)} places tried, {sum(tried)} of which something untrue is said")
    sys.exit(status)
