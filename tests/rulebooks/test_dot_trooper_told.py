"""What players are told: the clause that fits, and a plain refusal for whatever is said, however odd."""

import itertools

import pytest
from dt_games import RULES, bike, centred, game, trooper

from simulator.engine.errors import IllegalOrder, OrderError


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
