"""Takes away what explanations name as causes, one at a time, for as long as one likes.

    python tests/long/no_causes.py --seconds 600 --seed 1000

Prints the causes without which the answer is the same, with the kind of board and the seed; at the end how many were
tried.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    from causes import untrue

    tried: list[int] = []
    status = run(str(__doc__), lambda kind, seed: untrue(kind, seed, tried=tried))
    print(f"{sum(tried)} causes tried")
    sys.exit(status)
