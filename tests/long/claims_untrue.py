"""Tries out what explanations claim, for as long as one likes.

    python tests/long/claims_untrue.py --seconds 600 --seed 1000

Prints what it finds with the kind of board and the seed of its position.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    import passes_explained
    from explained import untrue

    def wrong_in(kind: str, seed: int) -> list[str]:
        return [*untrue(kind, seed), *(passes_explained.untrue(seed) if kind == "squares" else [])]

    sys.exit(run(str(__doc__), wrong_in))
