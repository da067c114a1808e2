"""Of the surest drives to an end one with the fewest moments to fire is found: one by one as among all of them."""

from pathlib import Path

import pytest

from simulator.formats.scenarios import load_scenario
from simulator.rulesets.dot_trooper import odds
from simulator.rulesets.dot_trooper.odds import RideState

SCENARIO = Path(__file__).parents[2] / "scenarios/dot_trooper/through_the_arc.yaml"


def drives(monkeypatch, few):
    """The exposure of some ends of every drive, and the orders that lead there."""
    monkeypatch.setattr(odds, "_FEW", few)
    game = load_scenario(SCENARIO).start(seed=1)
    found = []
    for unit in [unit.id for unit in game.state if unit.carrier]:
        reach = game.reach(unit, "drive")
        states = getattr(reach, "end_states", [])
        chosen = [RideState(*row.tolist()) for row in states[:: max(len(states) // 25, 1)]]
        found += [(reach.odds.exposure(state), reach.order_for(state)) for state in chosen]
    return found


def test_state_by_state_and_all_at_once_find_the_same_drives(monkeypatch):
    one_by_one = drives(monkeypatch, 10**9)
    assert one_by_one == drives(monkeypatch, -1)
    assert len(one_by_one) > 20
    assert any(exposure for exposure, _ in one_by_one)


@pytest.mark.parametrize("few", [3, 40])
def test_it_may_change_from_the_one_to_the_other_on_the_way(monkeypatch, few):
    assert drives(monkeypatch, few) == drives(monkeypatch, -1)
