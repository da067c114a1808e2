"""Turns of mecha: what an angle costs whom, what of it is free, and in how many portions."""

import pytest
from mecha_games import mecha_game, unit

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.turning import free_degrees, free_turn_of, may_turn, turn_prices


def priced(one, **options):
    """What turns cost a unit on flat ground."""
    table = mecha_game(one, options=options).table
    return turn_prices(table, table.unit("A"))


def left_of_free(one, **options):
    """How many degrees of its free turn a unit has left."""
    table = mecha_game(one, options=options).table
    return free_degrees(table, table.unit("A"))


@pytest.mark.parametrize(
    ("angle", "price"), [(0, 0), (22.5, 0.5), (23, 1), (45, 1), (46, 1.5), (60, 1.5), (90, 2), (180, 4)]
)
def test_each_half_turn_that_is_begun(angle, price):
    """ME-28, ME-29, E2, E3."""
    assert priced(unit("A", "track")).price(angle) == price
    assert priced(unit("A", "track")).price(-angle) == price


@pytest.mark.parametrize("mobility", ["infantry", "walker", "track"])
@pytest.mark.parametrize(("angle", "price"), [(0, 0), (45, 0.5), (46, 1), (90, 1), (91, 1.5), (180, 2)])
def test_infantry_turns_twice_as_far(mobility, angle, price):
    """ME-31, E13: whatever its mobility type, which alone decides about its free turn."""
    found = priced(unit("A", mobility, kind="infantry"))
    assert found.price(angle) == price
    assert found.free == (90 if mobility == "walker" else 0)


def test_no_vehicle_of_that_mobility_does():
    """ME-31: it is the kind of unit that counts."""
    assert priced(unit("A", "infantry", kind="vehicle")).price(90) == 2


@pytest.mark.parametrize(("kind", "price"), [("flat_ground", 1), ("difficult", 2), ("shallow_water", 4)])
def test_at_the_rate_of_the_ground(kind, price):
    """ME-28, ME-32: a turn of 45 degrees costs what an inch costs there."""
    ground = Piece("ground", kind, rectangle((0, 0), (8, 8)))
    game = mecha_game(unit("A", "track"), terrain=(ground,))
    assert game.do("A standard: turn_left 45").ledger.total("mp") == price


@pytest.mark.parametrize(
    ("mobility", "degrees"),
    [("walker", 90), ("four_legged_walker", 45), ("track", 0), ("wheel", 0), ("hover", 0), ("infantry", 0)],
)
@pytest.mark.parametrize("split", [False, True])
def test_who_has_a_free_turn(mobility, degrees, split):
    """ME-34, ME-35, ME-38: in portions by option, and only who has one."""
    one = unit("A", mobility)
    table = mecha_game(one).table
    assert free_turn_of(table, table.unit("A")) == degrees
    found = priced(one, free_turn_split=split)
    assert (found.free, found.free_in_portions) == (degrees, split and degrees > 0)


@pytest.mark.parametrize(("used", "once", "in_portions"), [(0, 90, 90), (1, 0, 89), (60, 0, 30), (90, 0, 0)])
def test_unused_degrees_are_lost(used, once, in_portions):
    """ME-35: it is one pivot; by option the rest of it is kept."""
    assert left_of_free(unit("A", "walker", free_turned=used)) == once
    assert left_of_free(unit("A", "walker", free_turned=used), free_turn_split=True) == in_portions


def test_nobody_has_less_than_none_left():
    """ME-38: who has turned 60 degrees freely on two legs, and has four then, as a position may say."""
    assert left_of_free(unit("A", "four_legged_walker", free_turned=60), free_turn_split=True) == 0


@pytest.mark.parametrize("mobility", ["walker", "four_legged_walker", "track", "wheel", "hover", "infantry"])
def test_only_static_units_never_turn(mobility):
    """ME-39."""
    assert may_turn(unit("A", mobility))
    assert not may_turn(unit("A", "static"))
