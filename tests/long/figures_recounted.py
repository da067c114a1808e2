"""Counts each figure of each refusal again, for as long as one likes.

    python tests/long/figures_recounted.py --seconds 600 --seed 1000

Prints what it finds with the rulebook and the seed, at the end how many figures there were, and which places of the
source that write figures no position came to.
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from over_positions import run

if __name__ == "__main__":
    import recounts
    import recounts_dot_trooper
    import recounts_grid_runner
    import recounts_skirmish

    OF_KIND = {"squares": recounts_grid_runner, "dots": recounts_dot_trooper, "table": recounts_skirmish}
    seen: Counter[str] = Counter()

    def wrong_in(kind: str, seed: int) -> list[str]:
        found, sites = OF_KIND[kind].wrong(seed)
        seen.update(sites)
        return list(found)

    status = run(str(__doc__), wrong_in)
    print(f"{sum(seen.values())} refusals with figures, of {len(seen)} places in the source")
    every = {site for name in ("grid_runner", "dot_trooper", "skirmish", "engine") for site in recounts.sites(name)}
    for site in sorted(every - set(seen)):
        print(f"never seen: {site}")
    sys.exit(status)
