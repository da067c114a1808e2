"""Looks for numbers that are shown in several places and are not the same, for as long as one likes.

    python tests/long/numbers_at_odds.py --seconds 600 --seed 1000

Prints what it finds with the kind of board and the seed of its position.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    from one_truth import at_odds

    sys.exit(run(str(__doc__), at_odds))
