"""Random legal moves of ten movers: where they end is known, for no more, but for what was measured.

The long run on more tables is `python -m benchmarks.missed_moves`.
"""

import numpy as np
import pytest

from benchmarks.many_movers import KINDS, mover
from benchmarks.missed_moves import compared, contenders
from benchmarks.random_moves import MOST_TURNS, random_moves
from simulator.pathing.posed import judged

#: Moves of each mover.
COUNT = 150


@pytest.mark.sampled
@pytest.mark.parametrize("name", KINDS)
def test_written_moves_are_what_was_priced(name):
    space = mover(name, 1)
    moves = random_moves(space, np.random.default_rng(2), 30)
    turns = np.sum(moves.angle != 0, axis=1)
    assert turns.max() >= MOST_TURNS - 1
    assert np.all(moves.price <= float(space.budget))
    for row in range(15, 30):
        verdict = judged(space, space.starts[0], moves.written(space, row))
        assert verdict.is_legal
        assert float(verdict.total) == pytest.approx(moves.price[row], abs=1e-6)
        assert verdict.place == pytest.approx(tuple(moves.place[row].tolist()), abs=1e-6)
        assert float(verdict.heading) == pytest.approx(moves.heading[row], abs=1e-6)


#: By mover: how many of the ends, and of the poses, are missed at most, by how much moves are cheaper, and how far
#: from the area they end. All missed ends spend the whole budget, so a way that is dearer by a hair is none.
MEASURED = {
    "disc": (0, 0, 1e-6, 0.01),
    "tank": (0, 0, 0.06, 0.01),
    "point": (1, 1, 0.11, 0.01),
    "track": (0, 0, 1e-6, 0.01),
    "runner": (0, 0, 1e-6, 0.01),
    "scout": (2, 1, 0.07, 0.08),
    "gun": (0, 0, 1e-6, 0.01),
}


@pytest.mark.long
@pytest.mark.parametrize(("name", "planner"), [(name, planner) for _, name, planner in contenders(list(MEASURED))])
def test_few_moves_end_where_nothing_is_known_or_for_less(name, planner):
    space, (ends, poses, dearer, far) = mover(name, 1), MEASURED[name]
    found = compared(space, random_moves(space, np.random.default_rng(3), COUNT), planner)
    for short, missed in ((found.at, ends), (found.poses, poses)):
        assert np.isinf(short.cheaper).sum() <= missed
        assert short.missed_with_spare == 0
        assert short.known.max() < dearer
    assert found.outside.max() < far
