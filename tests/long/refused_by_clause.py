"""Compares by which clauses reach and the judge refuse, for as long as one likes.

    python tests/long/refused_by_clause.py --seconds 600 --seed 1000

Prints what it finds with the kind of board and the seed of its position.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    from refused_alike import untrue

    sys.exit(run(str(__doc__), untrue))
