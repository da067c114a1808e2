"""Positions of mecha: units that stand where they may not, each named with its place and the clause."""

import pytest
from mecha_games import unit

from simulator.engine.table import Setting, Table
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET

KEEP = Piece("keep", "building", rectangle((20, 0), (6, 6)), "elevated", 4)
WOOD = Piece("wood", "woodland", rectangle((-20, 0), (6, 6)))


def faults(*units, terrain=(KEEP, WOOD)):
    """What is wrong with a position, on a table of 96 inches around 0,0."""
    board = InchTable("Test", 96, 96, (-48, -48), pieces=terrain, ground="flat_ground")
    setting = Setting.of(RULESET, board)
    return list(RULESET.faults(Table(setting, setting.opening(list(units)))))


def told(*units, **more):
    """The clauses, the units and how the messages begin."""
    return [(one.clause, one.blocker, one.message.partition(":")[0]) for one in faults(*units, **more)]


def test_a_level_that_there_is_not():
    """ME-106: the other units are looked at all the same."""
    found = faults(unit("A", "walker", level="attic"), unit("B", "track", (-20, 0)))
    assert [(one.clause, one.blocker, one.place) for one in found] == [
        ("ME-106", "A", (0, 0)),
        ("ME-19", "B", (-20, 0)),
    ]
    assert [one.message for one in found] == [
        "A: no elevated terrain has the name 'attic'",
        "B: wood is in the way",
    ]


@pytest.mark.parametrize("mobility", ["walker", "track", "static", "wheel", "hover"])
def test_closed_ground(mobility):
    """ME-15, ME-19: a walker may be set up in the wood (very difficult), nobody else of them."""
    assert told(unit("A", mobility, (-20, 0))) == ([] if mobility == "walker" else [("ME-19", "A", "A")])


def test_ground_that_is_never_moved_on_is_no_fault():
    """ME-16, ME-26: a static unit is set up on flat ground, where its rate is 0."""
    assert faults(unit("A", "static")) == []


def test_bases_overlap():
    """ME-41, ME-43: also with whom one may pass; touching is none."""
    assert told(unit("A", "walker"), unit("B", "track", (0.5, 0))) == [("ME-41", "A", "A"), ("ME-41", "B", "B")]
    large = unit("A", "walker", size_class=5)
    assert told(large, unit("B", "walker", (0.5, 0))) == [("ME-43", "A", "A"), ("ME-43", "B", "B")]
    assert faults(unit("A", "walker"), unit("B", "track", (1, 0))) == []


def test_at_the_edge_of_the_table():
    """ME-15: the base stays wholly on it."""
    assert told(unit("A", "walker", (47.8, 0))) == [("ME-15", "A", "A")]
    assert faults(unit("A", "walker", (47.5, 0))) == []


@pytest.mark.parametrize(("x", "whole"), [(22.5, True), (22.8, False), (30, False)])
def test_wholly_on_its_top(x, whole):
    """ME-106: the keep ends at 23."""
    found = faults(unit("A", "walker", (x, 0), level="keep"))
    assert [(one.clause, one.blocker, one.place) for one in found] == [("ME-106", "A", (x, 0))] * (not whole)
    assert all(one.message == "A: the base does not lie wholly on keep" for one in found)


def test_nobody_stands_in_a_wall():
    """ME-106: whose base lies on the ground and within the outline."""
    assert told(unit("A", "walker", (22.8, 0))) == [("ME-106", "A", "A")]
    assert faults(unit("A", "walker", (23.5, 0))) == []


def test_aboard_what_does_not_carry():
    """ME-74: it is no carrier, and so has no slot."""
    found = told(unit("A", "track"), unit("B", "track", None, carrier="A", size_class=1))
    assert {clause for clause, *_ in found} == {"ME-74"}
    assert [blocker for _, blocker, _ in found] == ["B", "A"]


def test_elevated_terrain_of_no_height():
    """ME-104."""
    flat = Piece("slab", "building", rectangle((0, 9), (4, 4)), "elevated")
    assert [(one.clause, one.blocker) for one in faults(unit("A", "walker"), terrain=(flat,))] == [("ME-104", "slab")]
