"""Ends at places that random ones miss: straight on, in half inches, at corners of the ground, at the start itself."""

import math

import numpy as np
import pytest
from mecha_carriers import price
from mecha_games import generated

#: How far along the eight directions from the mover is looked, in inches, and how many ends are played.
FAR, MOST = 4.5, 5
MOBILITIES = ("walker", "four_legged_walker", "track", "wheel", "infantry", "hover")


def special_places(game):
    """Places about the mover at which legs of one piece end, or touch the ground of another price."""
    mover = game.state.unit("A")
    inches = np.r_[0.0, 0.01, 0.12, 0.5, 0.62, np.arange(1.0, FAR, 0.75)]
    ahead = np.radians(float(mover.heading) + np.arange(0, 360, 45))
    rays = inches[:, None, None] * np.column_stack([np.cos(ahead), np.sin(ahead)])
    corners = np.array([corner for piece in game.board.pieces for corner in piece.shape.shell])
    return np.concatenate([rays.reshape(-1, 2) + np.array(mover.place, float), corners])


@pytest.mark.sampled
@pytest.mark.parametrize("action", ["standard", "run"])
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("mobility", MOBILITIES)
def test_they_are_played_at_their_cost(mobility, number, action):
    """ME-10, ME-17, ME-18, ME-50: as reach says, an order leads there, and costs so much."""
    game = generated(100 * number + 7, mobility)
    reach, places = game.reach("A", action), special_places(game)
    ends = np.flatnonzero(np.isfinite(reach.costs_of(places)))
    assert len(ends) > MOST
    for row in np.random.default_rng(number).choice(ends, MOST, replace=False).tolist():
        place = tuple(places[row].tolist())
        twin, spent = game.branch(), 0.0
        for order in reach.orders_to(place):
            spent += price(twin.do(order))
        assert math.dist(map(float, twin.state.unit("A").place), place) < 2e-5, place
        assert spent == pytest.approx(float(reach.cost_at(place)), abs=1e-4), place
