"""What is reported of ends, beside the judge of written moves."""

import math

import numpy as np
import pytest

from simulator.pathing.posed import judged


def require_judged(space, reach, places, level=0, headings=None):
    """Each end that is reported has moves that the judge accepts at that price; return how many ends there are."""
    costs = reach.costs_at(places, level) if headings is None else reach.costs_in(places, headings, level)
    for row, moves in enumerate(reach.moves_to_each(places, headings, level)):
        assert (moves is None) == math.isinf(costs[row])
        if moves is not None:
            verdict = judged(space, space.starts[0], moves)
            assert verdict.is_legal, (places[row], moves, verdict.objections)
            assert verdict.level == level
            assert float(verdict.total) == pytest.approx(float(costs[row]), abs=1e-6)
            assert verdict.place == pytest.approx(tuple(places[row]), abs=2e-6)
            if headings is not None:
                off = (float(verdict.heading) - headings[row] + 180) % 360 - 180
                assert off == pytest.approx(0, abs=1e-6)
    return int(np.isfinite(costs).sum())
