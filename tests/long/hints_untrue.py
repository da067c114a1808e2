"""Gives the orders that hints name to the judge, for as long as one likes.

    python tests/long/hints_untrue.py --seconds 600 --seed 1000

Prints what it finds with the kind of board and the seed of its position.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    from hinted_orders import untrue

    sys.exit(run(str(__doc__), untrue))
