"""Tries out what is said to help to places behind obstacles, on tables of skirmish, for as long as one likes.

    python tests/long/remedies_behind_obstacles.py --seconds 600 --seed 1000

Prints what it finds with the seed of its table, at the end how many places were tried.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    from behind_obstacles import untrue

    tried: list[bool] = []
    status = run(str(__doc__), lambda kind, seed: untrue(seed, 4, tried) if kind == "table" else [])
    print(f"{len(tried)} places behind obstacles, {sum(tried)} with a remedy that is untrue")
    sys.exit(status)
