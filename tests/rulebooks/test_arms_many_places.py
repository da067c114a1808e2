"""Costs of many places asked together, in combined_arms: each altitude is looked at once for each lot of them."""

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.pathing.posed import PoseReach
from simulator.pathing.posed.flown import GOALS_KEPT


@pytest.fixture
def looked_for(monkeypatch):
    """By how many climbs the ways go on of which last turns and legs are looked for."""
    asked, cheapest = [], PoseReach._cheapest

    def noted(reach, last, goals):
        asked.append(len(last.links))
        return cheapest(reach, last, goals)

    monkeypatch.setattr(PoseReach, "_cheapest", noted)
    return asked


def test_who_climbs_has_one_flight_at_each_altitude_for_each_lot(looked_for):
    answer = arms_game(piece("A", "helicopter", rate_original=12, altitude=1)).reach("A", climbing=True)
    places = np.random.default_rng(5).uniform(-12, 12, (GOALS_KEPT + 40, 2))
    costs = answer.costs_at(places)
    assert len(answer.known_levels) > 1
    assert looked_for == [0] * (2 * len(answer.known_levels))
    assert costs[-40:].tolist() == answer.costs_at(places[-40:]).tolist()
    assert 20 < np.isfinite(costs).sum() <= len(places)
