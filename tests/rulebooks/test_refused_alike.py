"""Reach refuses by the clauses by which the judge refuses; see `tests/long/refused_by_clause.py`."""

import pytest
from dot_trooper_positions import at_the_moment
from dt_games import bike, centred, game, trooper
from grid_runner_boards import game as squares
from refused_alike import untrue
from skirmish_tables import game_with, wall

from simulator.engine.game import Game
from simulator.pathing.traces import NoRoute


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", ["squares", "dots"])
def test_on_a_lattice(kind, seed):
    assert untrue(kind, seed) == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [0, 5])
def test_on_a_table(seed):
    assert untrue("table", seed) == []


@pytest.mark.parametrize(
    ("fields", "action", "clauses"),
    [
        ({"posture": "under_vehicle"}, "foot_move", ["DT-164"]),
        ({"posture": "under_vehicle", "jet_pack": "worn"}, "activate_jet_pack", ["DT-28"]),
        ({"posture": "prone", "jet_pack": "none"}, "activate_jet_pack", ["DT-7", "DT-28"]),
        ({"jet_pack": "worn", "has_flown": True, "ap_bonus": -5}, "activate_jet_pack", ["DT-10", "DT-162"]),
    ],
)
def test_a_trooper_who_can_not_go_is_refused_as_by_the_judge(fields, action, clauses):
    table = at_the_moment(game([trooper("A1", **fields)], centred(8)), fields)
    reach = table.reach("A1", action)
    assert [one.clause for one in reach.refused] == clauses
    assert reach.why_not((1, 0)).reasons == reach.refused


def test_a_drive_with_fewer_ap_than_its_mode_takes():  # DT-60
    reach = game(bike(place=(0, 0)), centred(8)).reach("A1", "drive", mode="cruise", ap=1)
    assert [(one.clause, one.needed, one.available) for one in reach.refused] == [("DT-60", 2, 1)]


@pytest.mark.parametrize(
    ("me", "action", "clauses"),
    [
        ({"ap": 0}, "move", ["SK-1"]),
        ({"stance": "prone", "ap": 2}, "run", ["SK-27", "SK-28"]),
        ({"ap": 0}, "traverse", ["SK-18"]),
    ],
)
def test_a_soldier_who_can_not_is_refused_as_by_the_judge(me, action, clauses):
    there = game_with(wall((1, -3), (1, 3)))
    there.do("A1: to 0,0.1")
    there = Game(there.setting, there.state.with_unit(there.state.unit("A1").put(me)))
    reach = there.reach("A1", action)
    assert [one.clause for one in reach.refused] == clauses
    assert reach.why_not((0.4, 0.3)).reasons == reach.refused


def test_a_traverse_of_nothing_near_enough_says_how_far_it_is():  # SK-18
    why = game_with(wall((3, -3), (3, 3))).reach("A1", "traverse").why_not((3.5, 0))
    assert [(one.clause, one.needed, one.available) for one in why.reasons] == [("SK-18", 2.5, 1.0)]


def test_over_passes_nobody_is_led_past_a_go_that_is_over():  # GR-24
    played = squares("@ . . . . b", fields={"A": {"passes": 3}})
    played.do("A done")
    reach = played.reach("A", "move", passes=2)
    assert reach.refused == ()
    with pytest.raises(NoRoute, match="A has had its go"):
        reach.orders_to((4, 0))
