"""Facing any way costs no more than facing somewhere: how often that fails on generated tables, and by how much.

Turns in the middle of a leg are made to limits, and to the very heading that is asked for. So a heading may have a way
that is not found without it.
"""

import numpy as np
import pytest
from moved_tables import MovedTable

from simulator.pathing.posed import PoseReach

HEADINGS = np.arange(0.0, 360.0, 5.0)
#: By mover: ends of both tables, how many of them are lost facing any way, how many dearer, and by how much.
MEASURED = {
    "disc": (20, 0, 0, 1e-6),
    "tank": (18, 0, 0, 1e-6),
    "point": (12, 1, 0, 1e-6),
    "track": (28, 0, 2, 0.25 + 1e-6),
    "runner": (28, 0, 1, 0.003),
    "gun": (11, 0, 0, 1e-6),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", MEASURED)
def test_few_headings_are_cheaper_than_any(name):
    at, least = [], []
    for seed in (0, 1):
        table = MovedTable(name, seed)
        reach, places = PoseReach(table.space()), table.places(20)[0]
        at.append(reach.costs_at(places))
        least.append([reach.costs_facing(tuple(place), HEADINGS).min() for place in places.tolist()])
    known, with_heading = np.concatenate(at), np.concatenate(least)
    ends, lost, dearer, most = MEASURED[name]
    assert np.isfinite(with_heading).sum() >= ends
    assert np.sum(np.isinf(known) & np.isfinite(with_heading)) <= lost
    both = np.isfinite(known) & np.isfinite(with_heading)
    over = known[both] - with_heading[both]
    assert np.sum(over > 1e-6) <= dearer
    assert over.max() < most
