"""Answers in poses that hold on other tables: where it is said that one holds, asking again returns the same."""

from __future__ import annotations

import math

import numpy as np
import pytest
from arms_games import arms_game, piece
from mecha_games import generated, mecha_game, unit

from simulator.engine.answer_cache import SamePosition
from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.clock import FRESH


def changed(game, **units):
    """The same table with some units changed."""
    state = game.state
    for name, change in units.items():
        state = state.put_unit(name, **change)
    return Game(game.setting, state)


def holding(game, action, **question):
    return game.ruleset.holding(game.ready_table("A"), game.reach("A", action, **question))


def holds(before, after, action, **question):
    """Whether an answer about A on one table holds on another."""
    return holding(before, action, **question).holds_on(after.ready_table("A"))


def mecha_pair(**fields):
    """A walker that gets 6 inches ahead, with a walker of the other side beyond that."""
    return mecha_game(unit("A", "walker"), unit("B", "walker", (20, 0), "blue", **fields))


def arms_pair():
    """A man who gets 6 inches ahead, with one of the other side beyond that."""
    return arms_game(piece("A", "on_foot", base=0.5), piece("B", "on_foot", (20, 0), "blue", base=0.5))


#: What mecha may have done, by the fields that keep account of it and are no flags.
DONE = {"acted_1": "run", "acted_2": "run", "ap_spent": 2, "free_turned": 90, "lock": "unload"}
PAIRS = [(mecha_pair, "standard", 6), (arms_pair, "move", 6)]


@pytest.mark.parametrize(("pair", "action", "far"), PAIRS)
class TestWhoMoves:
    def test_far_away_does_not_matter(self, pair, action, far):
        game = pair()
        assert holds(game, game, action)
        assert holds(game, changed(game, B={"place": (far + 4.0, 3.0), "heading": 45.0}), action)

    def test_near_matters_to_who_comes_and_who_leaves(self, pair, action, far):
        game = pair()
        near = changed(game, B={"place": (far - 1.0, 0.0)})
        assert not holds(game, near, action)
        assert not holds(near, game, action)

    def test_and_has_gone_from_near_matters_too(self, pair, action, far):
        near = changed(pair(), B={"place": (far - 1.0, 0.0)})
        assert not holds(near, changed(near, B={"place": None}), action)
        assert holds(pair(), changed(pair(), B={"place": None}), action)

    @pytest.mark.parametrize("change", [{"place": (0.0, 0.5)}, {"heading": 90.0}])
    def test_itself_matters(self, pair, action, far, change):
        del far
        assert not holds(pair(), changed(pair(), A=change), action)


class TestWhatUnitsDid:
    """Mecha keep account of what they did in the turn: only what the mover has left matters."""

    def test_others_did_does_not_matter(self):
        game = mecha_game(unit("A", "walker"), unit("B", "walker", (4, 0), "blue"))
        assert holds(game, changed(game, B={"acted_1": "run", "ap_spent": 1}), "standard")
        assert not holds(game, changed(game, B={"fallen": True}), "standard")

    def test_the_mover_did_matters_where_less_is_left(self):
        game = mecha_pair()
        assert holds(game, changed(game, A={"used_weapons": True}), "standard")
        assert not holds(game, changed(game, A={"free_turned": 90}), "standard")
        assert not holds(game, changed(game, A={"acted_1": "run"}), "standard")

    @pytest.mark.parametrize("name", sorted(FRESH))
    def test_what_holds_whatever_the_mover_did_costs_the_same(self, name):
        game, value = mecha_pair(), DONE.get(name, True)
        after, places = changed(game, A={name: value}), [(3.0, 0.0), (0.0, 4.0), (-2.0, -2.0), (6.0, 0.0)]
        if holds(game, after, "standard"):
            costs = [table.reach("A", "standard").costs_at(places) for table in (game, after)]
            np.testing.assert_array_equal(*costs)
        else:
            assert name in ("acted_1", "fell_this_turn", "free_turned", "lock")

    @pytest.mark.sampled
    @pytest.mark.parametrize("side", ["red", "blue"])
    def test_whatever_others_did_it_holds_and_costs_the_same(self, side):
        game = mecha_game(unit("A", "walker"), unit("B", "walker", (3, 0.4), side, size_class=4))
        held, places = holding(game, "standard"), [(5.0, 0.0), (3.0, 2.0), (-2.0, -2.0), (1.5, 0.0)]
        costs = game.reach("A", "standard").costs_at(places)
        for name in sorted(FRESH):
            after = changed(game, B={name: DONE.get(name, True)})
            assert held.holds_on(after.ready_table("A"))
            np.testing.assert_array_equal(after.reach("A", "standard").costs_at(places), costs)


@pytest.mark.parametrize("question", [{"unseen": True}, {"chances": True}, {"hits": 1}])
def test_who_minds_fire_or_sight_is_told_of_the_same_position_only(question):
    assert isinstance(holding(arms_pair(), "move", **question), SamePosition)


def test_a_charge_holds_in_the_same_position_only():
    game = mecha_game(unit("A", "walker"), unit("B", "walker", (8, 0), "blue"))
    assert isinstance(holding(game, "charge"), SamePosition)


def test_who_is_aboard_of_who_moves_matters():
    game = arms_game(piece("A", "wheeled", base=1, speed_grade="slow"), piece("B", "on_foot", (44, 0)))
    aboard = changed(game, B={"place": None, "carrier": "A"})
    assert not holds(game, aboard, "move")


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(3))
def test_what_holds_costs_the_same(number):
    """Units jump about on generated tables; where an answer is said to hold, all costs are as before."""
    dice, mobility = np.random.default_rng(100 + number), ("walker", "wheel", "infantry")[number]
    game = generated(number, mobility)
    name = [name for name in game.state.units if name != "A"][-1]
    game = changed(game, **{name: {"place": (14.0, 14.0)}})
    places = dice.uniform(-8.0, 8.0, (60, 2))
    answer = game.reach("A", "standard")
    costs, held = answer.costs_at(places), game.ruleset.holding(game.ready_table("A"), answer)
    said = []
    for _ in range(8):
        angle, far = dice.uniform(0, 2 * math.pi), dice.uniform(2.0, 12.0)
        after = changed(game, **{name: {"place": (far * math.cos(angle), far * math.sin(angle))}})
        said.append(held.holds_on(after.ready_table("A")))
        if said[-1]:
            again = after.reach("A", "standard").costs_at(places)
            np.testing.assert_allclose(again, costs, atol=1e-6)
    assert any(said)


def test_what_holds_costs_the_same_for_vehicles():
    dice = np.random.default_rng(7)
    wood = Piece("wood", "light_wood", rectangle((6.0, 0.0), (4, 8), 20.0))
    game = arms_game(
        piece("A", "wheeled", base=1, speed_grade="slow"),
        piece("B", "tracked", (14, 3), "blue", base=1),
        piece("C", "tracked", (-30, 0), "blue", base=1),
        terrain=(wood,),
    )
    answer = game.reach("A", "move")
    places = dice.uniform(-24.0, 24.0, (80, 2))
    costs, held = answer.costs_at(places), game.ruleset.holding(game.ready_table("A"), answer)
    said = []
    for _ in range(10):
        place = tuple(dice.uniform(-40.0, 40.0, 2).tolist())
        after = changed(game, **{str(dice.choice(["B", "C"])): {"place": place}})
        said.append(held.holds_on(after.ready_table("A")))
        if said[-1]:
            np.testing.assert_allclose(after.reach("A", "move").costs_at(places), costs, atol=1e-6)
    assert any(said)
    assert not all(said)
