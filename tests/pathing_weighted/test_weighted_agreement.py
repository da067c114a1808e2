"""Movers that both planners can plan for: the one in free directions is never dearer, and both are near each other.

On slopes it may be dearer, by hundredths of an inch.
"""

import numpy as np
import pytest
from weighted_tables import Table

from simulator.pathing.posed import PoseReach, judged
from simulator.pathing.weighted import WeightedReach, directions_are_free

#: Small tables, one with slopes, one of a point, one of a wide base; some places are ends right at the limit.
SHAPES = {
    "few": {"size": (24, 20), "pieces": 8, "bases": 4, "budget": 6},
    "many": {"size": (24, 20), "pieces": 24, "bases": 8, "budget": 5},
    "slopes": {"size": (24, 20), "pieces": 12, "bases": 4, "budget": 5, "hills": 5},
    "point": {"size": (24, 20), "pieces": 14, "bases": 6, "budget": 5, "radius": 0.0},
    "wide": {"size": (24, 20), "pieces": 10, "bases": 3, "budget": 6, "radius": 1.0},
}


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(10, 14))
@pytest.mark.parametrize("name", SHAPES)
def test_never_dearer_and_near(name, seed):
    table = Table(seed, **SHAPES[name])
    space = table.space()
    assert directions_are_free(space)
    places = table.places(60, seed, far=0.9)
    reach, other = WeightedReach(space), PoseReach(space)
    ours, theirs = reach.costs_at(places), other.costs_at(places)
    both = np.isfinite(theirs)
    assert both.sum() > 10
    # Beside slopes prices have kinks, and a search may take a row of borders that is dearer by hundredths. A leg that
    # meets a border at a flat angle is on the cheap side for a hundred-thousandth longer than the border is exact.
    assert np.all(ours[both] <= theirs[both] + (0.06 if space.ground.slopes else 1e-5))
    over = theirs[both] - ours[both]
    # The planner over poses crosses borders where its mesh has places to turn at.
    assert np.median(over) < 0.2
    assert over.max() < 1.5
    for row, moves in enumerate(reach.moves_to_each(places)):
        if moves is not None:
            verdict = judged(space, space.starts[0], moves)
            assert verdict.is_legal, verdict.objections
            assert float(verdict.total) == pytest.approx(ours[row], abs=1e-6)
