"""What players are told: the clause that fits, and a plain refusal for whatever is said, however odd."""

import itertools
import re

import pytest
from dt_games import bike, blocked, centred, game, rear, trooper

from simulator.engine.errors import IllegalOrder
from simulator.geometry.dots import Edge
from simulator.pathing.traces import NoRoute


def asked(happened):
    return [(entry.question.what, entry.question.clause) for entry in happened.answered]


def test_fire_at_somebody_on_foot_is_told_by_the_clause_of_arcs():
    """DT-97, DT-17: moving into an arc on foot is no flight, landing in one neither."""
    gunner = trooper("cy", "blue", (4, 4), arc=((1, 0), (6, 0)), weapon="smg")
    table = game([trooper("ann", jet_pack="worn"), gunner], centred(8))
    walked = table.do("ann foot_move: step 1,0", answers=["ann", 3])
    assert asked(walked) == [("fire", "DT-97"), ("attack with smg", "DT-97")]
    flown = table.do("ann activate_jet_pack: fly 2,0 3,0 4,0 5,0 6,0 7,0", answers=["ann", 3])
    assert asked(flown) == [("fire", "DT-17"), ("attack with smg", "DT-18")]
    table = game([trooper("ann", jet_pack="worn"), gunner], centred(8))
    landed = table.do("ann activate_jet_pack: fly 0,1 1,1 2,1 3,1 4,0 5,0 6,0", answers=["ann", 3])
    assert asked(landed) == [("fire", "DT-97"), ("attack with smg", "DT-97")]


def crowd():
    """One of everybody: on foot, riding, under a vehicle, dead; vehicles that move, stand and lie."""
    units = [
        trooper("foot", place=(0, 3), jet_pack="worn", weapon="grenade"),
        *bike("moving", place=(0, 0), rider="rider"),
        *bike("standing", place=(0, -3), rider="driver", motion="stopped", **{"class": "assault"}),
        trooper("guest", place=rear((0, -3), 0), aboard="standing", seat="passenger"),
        *bike("lying", place=(0, 6), rider=None, motion="stopped", posture="prone"),
        trooper("under", place=rear((0, 6), 0), aboard="lying", seat="driver", posture="under_vehicle"),
        *bike("spare", place=(-5, 5), rider=None, motion="stopped"),
        trooper("dead", place=None, posture="dead", crossed=tuple(range(10, 0, -1))),
        trooper("enemy", "blue", (4, 0)),
    ]
    return game(units, centred(9))


SAID = (
    "foot_move: step 1,3",
    "foot_move: step 40,40",
    "foot_move: lie_down, lie_down",
    "foot_move to 2,2",
    "foot_move to 40,40",
    "activate_jet_pack: fly 1,3 2,3 3,3 4,3 5,3 6,3",
    "activate_jet_pack: drop",
    "activate_jet_pack: fly 70,1",
    "activate_jet_pack to 3,3",
    "remove_jet_pack",
    "equip_jet_pack",
    "exchange_jet_pack {target}",
    "mount {target}",
    "dismount 0,1",
    "dismount 30,1",
    "turn_on",
    "turn_off",
    "drive minimum: start",
    "drive minimum: left 60",
    "drive cruise: on, on",
    "drive cruise: move, left 75, move",
    "drive cruise: move 1, ram {target}, on 2, move",
    "drive cruise: move, strike {target}, move",
    "drive cruise: move, fire {target} by {target}, move",
    "drive cruise: start, fire {target} with light_machine_gun, move",
    "drive cruise: move, throw 60,6 with grenade, move",
    "drive cruise to 5,0",
    "drive max to 30,30",
    "crash minimum",
    "crawl_out",
    "lift_vehicle {target}",
    "give_arcs",
    "standard_fire {target}",
    "standard_fire {target} with bazooka",
)


@pytest.mark.parametrize("said", SAID)
def test_whatever_is_said_is_done_or_refused_by_clauses(said):
    """DT-65: everybody is told everything; a refusal names clauses and places as players do, and changes nothing."""
    start = crowd()
    names = list(start.state.units)
    for name, target in itertools.product(names, names if "{target}" in said else names[:1]):
        table = start.branch()
        before = table.state.hash
        order = f"{name} {said.format(target=target)}"
        try:
            table.do(order)
        except IllegalOrder as refusal:
            assert refusal.breaches, order
            for breach in refusal.breaches:
                assert breach.clause.startswith("DT-"), order
                assert not re.search(r"\(-?\d+, -?\d+\)", breach.message), breach
                assert breach.message == breach.message.strip() != "", order
            assert table.state.hash == before, order
        except NoRoute as there_already:
            assert "already" in str(there_already)


def test_vehicles_take_no_orders():
    """DT-65: it is the trooper who spends the AP."""
    for said in ("drive cruise: move, move", "drive cruise to 5,0", "turn_on", "crash minimum"):
        with pytest.raises(IllegalOrder) as refusal:
            crowd().do(f"moving {said}")
        assert str(refusal.value.breaches[0]) == "DT-65  moving is a vehicle: its driver acts"


def test_a_drive_is_judged_up_to_the_first_thing_in_its_way():
    """DT-76, DT-167: what lies beyond it is not looked at, and the place is named."""
    table = game(bike(place=(0, 0)), centred(4, special=blocked((2, 0))))
    assert [str(breach) for breach in table.breaches("A1 drive cruise: move, move")] == [
        "DT-76  an obstacle is in the way at 2,0"
    ]
    table = game(bike(place=(3, 0)), centred(4))
    assert [str(breach) for breach in table.breaches("A1 drive cruise: move, move")] == ["DT-167 5,0 is off the map"]
    table = game(bike(place=(0, 0)), centred(4, edges=[Edge("wall", (1, 0), (2, 0))]))
    assert [str(breach) for breach in table.breaches("A1 drive cruise: move, move")] == [
        "DT-76  a wall is in the way between 1,0 and 2,0"
    ]


def test_an_arc_lasts_until_the_vehicle_moves_or_tips_over():
    """DT-158, DT-170: an arc begins at the rear dot, so it is gone where that is; it is given again after movement."""
    units = bike(place=(-4, 0), motion="stopped", **{"class": "assault"})
    table = game([*units, trooper("B1", "blue", (6, 0))], centred(9))
    table.do("A1 give_arcs")
    assert (6, 0) in table.state.unit("bike")["arcs"][0]
    driven = table.branch()
    driven.do("A1 drive minimum: start 1, left 60, on 1")
    assert driven.state.unit("bike")["arcs"] == ()
    driven.do("A1 give_arcs")
    assert len(driven.state.unit("bike")["arcs"]) == 2
    fallen = table.branch()
    fallen.do("A1 drive cruise: start, stop", answers=[2])
    assert fallen.state.unit("bike")["posture"] == "prone"
    assert fallen.state.unit("bike")["arcs"] == ()


def test_the_dead_do_not_fire():
    """DT-159."""
    table = crowd()
    table.do("rider drive minimum: move")
    table.do("all done")
    table.do("all done")
    assert any(str(breach) == "DT-159 dead is not on the map" for breach in table.breaches("dead standard_fire enemy"))
