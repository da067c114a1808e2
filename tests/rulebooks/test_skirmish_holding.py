"""Answers that hold on other tables: where it is said that one holds, asking again returns the same."""

import math

import pytest
import shapely
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from skirmish_tables import block, game_with, rough, wall

from simulator.engine.answer_cache import AnswerCache, SamePosition
from simulator.engine.game import Game
from simulator.rulesets.skirmish import RULESET
from simulator.rulesets.skirmish.reach.answer_cache import Untouched


def moved(game, **places):
    """The same table with some soldiers elsewhere."""
    state = game.state
    for name, place in places.items():
        state = state.put_unit(name, place=place)
    return Game(game.setting, state)


def holding(game, action="turn", **question):
    return RULESET.holding(game.ready_table("A1"), game.reach("A1", action, **question))


def holds(before, after, action="turn", **question):
    """Whether an answer about A1 that was given on one table holds on another."""
    return holding(before, action, **question).holds_on(after.ready_table("A1"))


def differ(one, other):
    """How much ground is in the bands of one answer and not in those of another, one by one."""
    first, second = dict(one.bands()), dict(other.bands())
    assert first.keys() == second.keys()
    return max((shapely.symmetric_difference(first[k], second[k]).area for k in first), default=0.0)


FAR = (("B1", "blue", (20, 20)), ("A2", "red", (-20, 20)))


def test_it_holds_while_others_move_far_away():
    game = game_with(others=FAR)
    assert holds(game, game)
    assert holds(game, moved(game, B1=(15, 15), A2=(-15, 15)))


@pytest.mark.parametrize("who", ["B1", "A2"])
def test_it_does_not_hold_where_somebody_comes_or_leaves(who):
    far, near = game_with(others=FAR), moved(game_with(others=FAR), **{who: (8, 0)})
    assert not holds(far, near)
    assert not holds(near, far)


@pytest.mark.parametrize("change", [{"ap": 2}, {"stance": "prone"}, {"running": True}, {"place": (0.0, 0.1)}])
def test_it_does_not_hold_when_the_soldier_itself_has_changed(change):
    game = game_with(others=FAR)
    after = game.ready_table("A1")
    after.state = after.state.put_unit("A1", **change)
    assert not holding(game).holds_on(after)


@pytest.mark.parametrize("change", [{"place": None}, {"radius": 0.4}])
def test_it_does_not_hold_when_somebody_has_gone_or_become_another_size(change):
    game = game_with(others=FAR)
    assert not holds(game, Game(game.setting, game.state.put_unit("B1", **change)))


def test_an_enemy_behind_a_friend_is_touched_in_passing():
    # A1 passes A2, and can end on the far side only where B1 does not stand.
    others = (("A2", "red", (9.5, 0)), ("A3", "red", (10.5, 0)), ("B1", "blue", (11.5, 0)))
    game = game_with(others=others)
    assert not holds(game, moved(game, B1=(20, 20)))


def test_whoever_stands_where_a_traverse_comes_down_is_touched():
    game = game_with(wall((-9, 1), (9, 1)), others=(("B1", "blue", (0, 1.6)), ("A2", "red", (-20, -20))))
    assert not holds(game, moved(game, B1=(20, 20)), "traverse")


@pytest.mark.parametrize("options", [{"measure": "front_point"}, {"run_min_inches": 9}])
def test_where_a_line_cut_short_may_be_forbidden_only_the_same_position_will_do(options):
    game = game_with(others=FAR, options=options)
    assert isinstance(holding(game), SamePosition)
    assert holds(game, game)
    assert not holds(game, moved(game, B1=(15, 15)))


@pytest.mark.parametrize("question", [{"threshold": 1}, {"token": True}, {"token": False}])
def test_who_asks_for_more_is_told_of_the_same_position_only(question):
    assert isinstance(holding(game_with(others=FAR), **question), SamePosition)
    assert isinstance(holding(game_with(others=FAR)), Untouched)


def test_what_was_made_is_kept_for_each_soldier_and_action():
    kept, game = AnswerCache(), game_with(others=FAR)
    table = game.ready_table("A1")
    kept.keep("A1", "move", game.ruleset.holding(table, game.reach("A1", "move")), "made")
    assert kept.find(moved(game, B1=(15, 15)).ready_table("A1"), "A1", "move") == "made"
    assert kept.find(moved(game, B1=(2, 0)).ready_table("A1"), "A1", "move") is None
    assert kept.find(table, "A1", "run") is kept.find(table, "A2", "move") is None


PIECES = [
    (),
    (wall((3, -6), (3, 6)), block(-4, 2, -2, 4)),
    (rough(2, -3, 5, 3), wall((-3, -8), (-3, 8), (2, 8), height=2.5)),
    (block(2, -4, 4, -0.6, name="south"), block(2, 0.2, 4, 4, name="north")),
]
SIDES = ["red", "blue", "blue"]
coordinate = st.integers(-26, 26).map(lambda number: number / 2)
place = st.tuples(coordinate, coordinate)


# Long: each of many positions is asked twice; what an answer depends on is tried one by one above.
@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(
    pieces=st.sampled_from(PIECES),
    before=st.lists(place, min_size=3, max_size=3, unique=True),
    there=place,
    who=st.sampled_from(["A2", "B1", "B2"]),
    options=st.sampled_from([{}, {"pool_ap": True}, {"enemy_block": "line_only"}, {"path_shape": "straight_per_ap"}]),
    action=st.sampled_from(["turn", "turn", "move", "run", "traverse"]),
)
@example(PIECES[1], [(-12, 11), (10.5, 0.5), (-6.5, 4.5)], (3.5, -11), "B1", {}, "turn")  # near, but never touched
def test_where_it_holds_asking_again_gives_the_same(pieces, before, there, who, options, action):
    game = game_with(*pieces, others=tuple(zip(["A2", "B1", "B2"], SIDES, before, strict=True)), options=options)
    after = moved(game, **{who: there})
    assume(not [*RULESET.faults(game.table), *RULESET.faults(after.table)])
    assume(math.dist((0, 0), there) < 13)
    answer, anew = game.reach("A1", action), after.reach("A1", action)
    if holds(game, after, action):
        assert differ(answer, anew) < 1e-6
