"""What is answered about poses on inch tables can be played, at its cost."""

import numpy as np
import pytest

from simulator.engine.reading import read_order, write_order
from simulator.geometry.poses import Pose


def require_played(make, extent):
    """Play orders to some places and poses of an extent that a game's unit A1 can end in, and return how many."""
    game = make()
    answer, dice = game.reach("A1"), np.random.default_rng(3)
    places = dice.uniform(*extent, (18, 2)).tolist()
    poses = [Pose(tuple(place), heading) for place, heading in zip(places, [None, 20.0, 340.0] * 6, strict=True)]
    ends = [pose for pose in poses if pose in answer]
    for pose in ends:
        (order,) = answer.orders_to(pose)
        words = game.ruleset.vocabulary
        assert read_order(write_order(order, words), words) == order
        played = make().do(order)
        unit = played.state.unit("A1")
        assert unit.place == pytest.approx(pose.place, abs=1e-6)
        if pose.heading is not None:
            assert (unit.heading - pose.heading + 180) % 360 == pytest.approx(180)
        assert float(played.ledger.total("inches")) == pytest.approx(answer.cost_at(pose), abs=1e-4)
    return len(ends)
