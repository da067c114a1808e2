"""mecha: jumps in turns, after a move or a turn of the first phase, or before the free turn of the second (ME-48)."""

import math

import numpy as np
import pytest
from mecha_heights import block, game, unit, where

from simulator.engine.game import Game
from simulator.geometry.poses import Pose

WIDE = block("keep", (24, 24), (20, 8), 4)


def plan_of(play, name):
    """A plan of the turn of A1 by its name."""
    (found,) = (plan for plan in play.reach("A1", "turn").plans if plan.name == name)
    return found


def played(play, orders):
    """A copy of a game in which orders have been carried out, and the action points that they took."""
    copy = Game(play.setting, play.state)
    return copy, sum(copy.do(order).ledger.total("ap") for order in orders)


def require_played(play, plan, pose):
    """Play the orders of a plan to a pose, which they have to lead to for its price."""
    after, spent = played(play, plan.answer.orders_to(pose))
    place, level = where(after)
    assert math.dist(place, pose.place) < 1e-4
    assert level == pose.level
    if pose.heading is not None:
        off = (float(after.table.unit("A1").heading) - float(pose.heading) + 180) % 360 - 180
        assert abs(off) < 1e-6
    assert spent == plan.price


# Long: a move of six inches and then a jump is searched; turns and then jumps are tried beside it.
@pytest.mark.long
def test_a_move_brings_it_to_an_edge_that_is_too_far_for_one_phase():
    # 10.5 inches to the edge: six of them in the first phase, the rest in the second.
    play = game(unit((23, 24), move=6, level="keep"), pieces=[WIDE])
    there = Pose((34.5, 24), 0.0, "ground")
    assert play.reach("A1", "jump").cost_at(there) is None
    plan = plan_of(play, "standard, then jump")
    assert plan.answer.cost_at(there) is not None
    require_played(play, plan, there)
    assert play.reach("A1", "turn").cost_at(there) == 2


def test_a_free_turn_of_the_first_phase_leaves_that_of_the_second():
    # To leap off behind its back it turns about: 90 degrees in each phase.
    play = game(unit((24, 24), 0, move=4, level="keep"))
    there = Pose((19.5, 24), 180.0, "ground")
    assert play.reach("A1", "jump").cost_at(there) is None
    plan = plan_of(play, "free_turn, then jump")
    require_played(play, plan, there)
    assert plan.price == 1


# Long: all headings after a jump are searched, twice; a turn before a jump is tried beside it.
@pytest.mark.long
def test_after_a_jump_it_turns_in_the_second_phase():
    play = game(unit((24, 24), 0, move=4, level="keep"))
    there = Pose((28.5, 24), 180.0, "ground")
    assert play.reach("A1", "jump").cost_at(there) is None
    plan = plan_of(play, "jump")
    require_played(play, plan, there)
    once = game(unit((24, 24), 0, move=4, level="keep"), free_turn_per="turn")
    assert plan_of(once, "jump").answer.cost_at(there) is None
    # The turn that ends the jump is part of it, and no other order follows.
    (order,) = plan_of(once, "jump").answer.orders_to(Pose((28.5, 24), 90.0, "ground"))
    assert order.action == "jump"


def test_after_a_climb_it_turns_in_the_second_phase():
    play = game(unit((19.5, 24), 0))
    there = Pose((20.5, 24), 180.0, "keep")
    assert play.reach("A1", "climb").cost_at(there) is None
    require_played(play, plan_of(play, "climb"), there)


# Long: a move of six inches and then a jump is searched; turns and then jumps are tried beside it.
@pytest.mark.long
def test_who_is_in_contact_after_the_first_phase_does_not_jump():
    # Straight on, six inches lead just beside B1: the first phase has to end somewhere else (ME-8).
    enemy = unit((29, 25.005), name="B1", side="blue", level="keep")
    there = Pose((34.5, 24), None, "ground")
    alone, beside = (game(unit((23, 24), level="keep"), *more, pieces=[WIDE]) for more in ((), (enemy,)))
    for play in (alone, beside):
        plan = plan_of(play, "standard, then jump")
        require_played(play, plan, there)
        half_way = played(play, plan.answer.orders_to(there)[:1])[0].table.unit("A1")
        touches = math.dist(half_way.place, enemy.place) <= 1.01
        assert not touches or play is alone


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_random_ends_are_played(seed):
    dice = np.random.default_rng([seed, 77])
    play = game(
        unit((float(dice.uniform(18, 28)), float(dice.uniform(22, 26))), int(dice.integers(360)), level="keep"),
        unit((float(dice.uniform(28, 32)), 24), name="B1", side="blue", level="keep"),
        pieces=[WIDE],
        **[{}, {"free_turn_split": True}, {"free_turn_per": "turn"}][seed],
    )
    found = 0
    for name in ("standard, then jump", "jump"):
        plan = plan_of(play, name)
        for x, y in [(float(dice.uniform(16, 32)), side) for side in (19.5, 28.5) for _ in range(3)]:
            place = Pose((x, y), None, "ground")
            if plan.answer.cost_at(place) is None:
                continue
            require_played(play, plan, place)
            turned = Pose((x, y), float(dice.uniform(0, 360)), "ground")
            if plan.answer.cost_at(turned) is not None:
                require_played(play, plan, turned)
            found += 1
    assert found >= 4
