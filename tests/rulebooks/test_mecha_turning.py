"""Turns of mecha: what an angle costs whom, what of it is free, and in how many portions."""

import math
from itertools import groupby

import numpy as np
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


#: Turns on spots, and the clause that forbids them; by option, the degrees of the free turn that they use.
NET = [
    ("turn_left 60 free 60, turn_right 60, forward 1, turn_left 90 free 90, forward 5", 90, 90),
    ("turn_left 60 free 60, turn_right 60, forward 1", 0, 0),
    ("turn_left 60 free 60, forward 0, turn_right 60, forward 1, turn_left 90 free 90", 90, 90),
    ("turn_left 60 free 60, turn_right 60 free 60, forward 1", 0, 0),
    ("turn_left 60 free 60, turn_right 40 free 40, forward 1", 20, 20),
    ("turn_left 50 free 50, turn_right 40 free 40, forward 1", 10, 10),
    ("turn_left 60 free 60, turn_left 60 free 60, forward 1", "ME-35", "ME-35"),
    ("turn_left 60 free 60, turn_left 30 free 30, forward 1", 90, 90),
    ("turn_left 60 free 60, forward 1, turn_right 60 free 60", "ME-35", "ME-35"),
    ("turn_left 60 free 60, forward 1, turn_right 30 free 30", "ME-35", 90),
    ("turn_left 60 free 60, turn_right 40, forward 1", 20, 20),
]


@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize(("moves", "once", "in_portions"), NET)
def test_a_free_part_is_that_of_the_net_angle(moves, once, in_portions, split):
    """ME-29, ME-35, E30: whichever way it was turned on the spot, and a net angle of 0 uses nothing."""
    found = in_portions if split else once
    game = mecha_game(unit("A", "walker"), unit("B", "track", (20, 20), "blue"), options={"free_turn_split": split})
    refused = [breach.clause for breach in game.breaches(f"A standard: {moves}")]
    assert refused == ([found] if isinstance(found, str) else [])
    if not refused:
        game.do(f"A standard: {moves}")
        a = game.table.unit("A")
        left = max(90 - found, 0) if split or not found else 0
        assert free_degrees(game.table, a) == left


def used_on(spot):
    """The degrees of a free turn that turns on a spot use: a second count, of pairs of degrees and free ones."""
    net = sum(angle for angle, _ in spot) % 360
    return min(abs(sum(free for _, free in spot)), net, 360 - net)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("split", [False, True])
def test_random_turns_are_counted_spot_by_spot(split, seed):
    """ME-29, ME-35: by the judge, by the account of the move, and by the free turn alone."""
    dice = np.random.default_rng([seed, split])
    legal = 0
    for _ in range(30):
        moves = [
            None if dice.random() < 0.3 else (angle, angle * int(dice.random() < 0.6))
            for angle in (15 * int(one) for one in dice.integers(-8, 9, int(dice.integers(1, 6))))
        ]
        spots = [list(spot) for turning, spot in groupby(moves, lambda move: move is not None) if turning]
        used = [one for one in map(used_on, spots) if one]
        told = ", ".join(
            "forward 0.5"
            if move is None
            else f"turn_{'left' if move[0] > 0 else 'right'} {abs(move[0])} free {abs(move[1])}"
            for move in moves
        )
        others = unit("B", "track", (20, 20), "blue")
        game = mecha_game(unit("A", "walker", move=40), others, options={"free_turn_split": split})
        allowed = sum(used) <= 90 if split else len(used) <= 1 and sum(used) <= 90
        assert (not game.breaches(f"A standard: {told}")) == allowed, told
        if allowed:
            game.do(f"A standard: {told}")
            legal += 1
            left = 90 - sum(used) if split or not used else 0
            assert free_degrees(game.table, game.table.unit("A")) == left, told
        if len(spots) == len(groups := [list(group) for _, group in groupby(moves, bool)]) == 1 and all(groups[0]):
            alone = mecha_game(unit("A", "walker"), others, options={"free_turn_split": split})
            order = "A free_turn: " + ", ".join(
                f"turn_{'left' if angle > 0 else 'right'} {abs(angle)}" for angle, _ in spots[0]
            )
            net = used_on([(angle, angle) for angle, _ in spots[0]])
            assert (not alone.breaches(order)) == (net <= 90), order
            if net <= 90:
                alone.do(order)
                assert math.isclose(alone.state.unit("A")["free_turned"], net), order
    assert legal
