"""What reach of mecha says, orders do: each end has orders that are accepted at its cost and lead just there."""

import math
from fractions import Fraction

import numpy as np
import pytest
from mecha_games import generated, mecha_game, sampled_poses, unit

from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

MOVERS = ("walker", "four_legged_walker", "track", "wheel", "infantry", "hover")


def played(game, orders):
    """A copy of a game in which orders have been carried out, and what all of them cost."""
    copy = Game(game.setting, game.state)
    spent = [copy.do(order).ledger for order in orders]
    return copy, {name: sum(ledger.total(name) for ledger in spent) for name in ("mp", "ap")}


def is_there(game, pose):
    """Whether A stands in a pose."""
    mover = game.table.unit("A")
    off = (float(mover.heading) - pose.heading + 180) % 360 - 180
    return math.dist(mover.place, pose.place) < 1e-6 and abs(off) < 1e-6


@pytest.mark.sampled
@pytest.mark.parametrize("action", ["standard", "run"])
@pytest.mark.parametrize("mobility", MOVERS)
def test_ends_of_an_action_are_played_at_their_cost(mobility, action):
    game = generated(MOVERS.index(mobility), mobility)
    reach, count = game.reach("A", action), 0
    for pose, cost in sampled_poses(reach, 4, far=5 if action == "standard" else 8):
        orders = reach.orders_to(pose)
        after, spent = played(game, orders)
        assert is_there(after, pose)
        assert float(spent["mp"]) == pytest.approx(float(cost), abs=1e-6)
        count += 1
    assert count == 4


# Long: ends of whole turns are played; those of single actions are played beside it.
@pytest.mark.long
@pytest.mark.parametrize(
    ("mobility", "options"),
    [
        *((mobility, {}) for mobility in MOVERS),
        ("walker", {"free_turn_per": "turn"}),
        ("walker", {"free_turn_split": True}),
    ],
    ids=str,
)
def test_ends_of_a_turn_are_played_for_their_action_points(mobility, options):
    game = generated(10 + MOVERS.index(mobility), mobility, options=options)
    reach, count = game.reach("A", "turn"), 0
    for pose, cost in sampled_poses(reach, 2, seed=1):
        after, spent = played(game, reach.orders_to(pose))
        assert is_there(after, pose)
        assert spent["ap"] == cost
        count += 1
    assert count == 2


@pytest.mark.long
@pytest.mark.parametrize("mobility", ["walker", "track"])
def test_a_turn_holds_all_that_its_phases_hold(mobility):
    game = generated(30, mobility)
    phase, turn = game.reach("A", "phase"), game.reach("A", "turn")
    poses, costs = zip(*sampled_poses(phase, 4, seed=2), strict=True)
    assert len(poses) == 4
    assert np.all(turn.costs_at(poses) <= np.array(costs, float))
    for action in ("standard", "run"):
        poses, _ = zip(*sampled_poses(game.reach("A", action), 4, seed=3), strict=True)
        assert len(poses) == 4
        assert np.isfinite(phase.costs_at(poses)).all()


class TestFreeTurns:
    """ME-34, ME-35: in each movement phase one, also without an action."""

    def test_about_face_for_nothing_in_a_turn(self):
        game = mecha_game(unit("A", "walker"), unit("B", "track", (20, 20), "blue"))
        turn = game.reach("A", "turn")
        assert turn.cost_at(Pose((0, 0), 180)) == 0
        assert [game.write(order) for order in turn.orders_to(Pose((0, 0), 180))] == [
            "A free_turn: turn_left 90",
            "all done",
            "A free_turn: turn_left 90",
        ]
        assert game.reach("A", "phase").cost_at(Pose((0, 0), 180)) == 1

    def test_once_a_turn_by_option(self):
        game = mecha_game(unit("A", "walker"), unit("B", "track", (20, 20), "blue"), options={"free_turn_per": "turn"})
        turn = game.reach("A", "turn")
        assert turn.cost_at(Pose((0, 0), 90)) == 0
        assert turn.cost_at(Pose((0, 0), 180)) == 1

    def test_six_inches_straight_back(self):
        # ME-34: it turns by 90 degrees in the first phase, and in the second before it moves.
        game = mecha_game(unit("A", "walker"))
        assert game.reach("A", "turn").cost_at((-6, 0)) == 1
        after, spent = played(game, game.reach("A", "turn").orders_to((-6, 0)))
        assert (after.table.unit("A").place, spent) == ((-6, 0), {"mp": 6, "ap": 1})
        assert game.reach("A", "turn").cost_at((-6.1, 0)) == 2
        assert game.reach("A", "phase").cost_at((-6, 0)) == 2


class TestTwoPhases:
    def test_what_a_run_leaves(self):
        """ME-48: no Move Action, and yet the free turn."""
        game = mecha_game(unit("A", "walker", move=4), terrain=())
        turn = game.reach("A", "turn")
        assert turn.cost_at(Pose((8, 0), 90)) == 2
        game.do("A run: forward 8")
        game.do("all done")
        assert [breach.clause for breach in game.breaches("A standard: forward 1")] == ["ME-48"]
        assert game.breaches("A free_turn: turn_left 90") == []

    def test_what_an_action_leaves(self):
        """ME-49: no run, and another move."""
        game = mecha_game(unit("A", "track"))
        game.do("A standard: forward 1")
        assert game.table.clock.phase.name == "movement_2"
        assert [breach.clause for breach in game.breaches("A run: forward 7")] == ["ME-49"]
        assert game.breaches("A standard: forward 6") == []
        assert game.reach("A", "turn").cost_at((7, 0)) == 1
        assert game.reach("A", "turn").cost_at((7.1, 0)) is None

    def test_an_end_in_contact_is_broken_away_from(self):
        """ME-8: a move may end in contact; the next one breaks away."""
        wall = Piece("wall", "building", rectangle((-4, 0), (2, 30)), "elevated", 4)
        game = mecha_game(unit("A", "track", move=4), unit("B", "track", (5, 0), "blue"), terrain=(wall,))
        turn = game.reach("A", "turn")
        (*_, last) = turn.orders_to(Pose((4, -4), 270))
        after, spent = played(game, turn.orders_to(Pose((4, -4), 270)))
        assert after.table.unit("A").place == pytest.approx((4, -4))
        assert spent["ap"] == 2
        assert last.action in ("standard", "break_away")

    def test_ap(self):
        """ME-7: two actions take the points of both."""
        game = mecha_game(unit("A", "track", ap=1))
        turn = game.reach("A", "turn")
        assert turn.cost_at((6, 0)) == 1
        assert turn.cost_at((6.5, 0)) is None
        assert mecha_game(unit("A", "track", ap=2)).reach("A", "turn").cost_at((12, 0)) == 2


class TestWhyNot:
    def test_what_is_missing(self):
        game = mecha_game(unit("A", "track"))
        assert str(game.reach("A").why_not((7, 0))).splitlines() == [
            "7,0 cannot be reached",
            "  ME-10  the move costs 7 mp, but only 6 mp can be spent",
            "  it would take: 1 more mp",
            "  nearest legal end: 6,0, for 6 mp",
        ]

    def test_who_cannot_declare_it(self):
        game = mecha_game(unit("A", "track", ap=0))
        why = game.reach("A").why_not((1, 0))
        assert [(reason.clause, reason.needed, reason.available) for reason in why.reasons] == [("ME-7", 1, 0)]
        assert game.reach("A").area.is_empty

    def test_over_a_turn(self):
        game = mecha_game(unit("A", "track"))
        why = game.reach("A", "turn").why_not((13, 0))
        assert [reason.clause for reason in why.reasons] == ["ME-10"]
        assert (why.nearest, why.nearest_cost) == ((12, 0), 2)


def test_costs_are_halves_of_points():
    game = mecha_game(unit("A", "walker"))
    assert game.reach("A").cost_at((1.2, 0)) == Fraction(3, 2)
    ranges = game.reach("A").headings_at((5, 0))
    assert {one.cost for one in ranges} == {5, 5.5, 6}
