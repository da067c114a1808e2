"""Chains of questions, against chains followed by hand: one question after the other, each end played."""

from fractions import Fraction

import numpy as np
import pytest
from duel_ruleset import RULESET as DUEL
from duel_ruleset import fighter
from table_couriers import RULESET as COURIERS

from simulator.engine.chain import Chain, ask
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.game import Game
from simulator.engine.reach import ReachAnswer
from simulator.errors import TooMuchAsked
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable
from simulator.pathing.traces import NoRoute


def duel(text=". . , . . . . . .", **more):
    units = [fighter("A1", "red", 1, **more), fighter("B1", "blue", 8)]
    return Game.new(DUEL, SquareGrid.from_text(text), units)


def followed(game, unit, actions):
    """A chain of two by hand: every end of the first question is played, and from there the second is asked."""
    first, second = actions
    best = {}
    one = game.reach(unit, first)
    for place in one:
        orders = one.orders_to(place)
        seen = game.foresee(orders) if orders else None
        twin = game.branch()
        twin.state = seen.state if seen else game.state
        two = twin.reach(unit, second)
        for end in two:
            cost = one.cost_at(place) + two.cost_at(end)
            best[end] = min(cost, best.get(end, cost))
    return best


def played(game, orders):
    """Where the unit of the last order ends if all of them are given and go well."""
    seen = game.foresee(orders)
    return seen.state.unit(seen.orders[-1].unit).place


class TestTwoWalks:
    """DU-1, DU-2: what is walked twice in one go is paid once, so two walks lead as far as one, for the same."""

    @pytest.mark.parametrize("text", [". . , . . . . . .", ", , , . . , . . .", ". . . . # . . . ."])
    def test_lead_as_far_as_one_for_as_much(self, text):
        game = duel(text)
        once, twice = game.reach("A1", "walk"), game.reach("A1", Chain([ask("walk"), ask("walk")]))
        assert isinstance(twice, ReachAnswer)
        assert {place: twice.cost_at(place) for place in once} == {place: once.cost_at(place) for place in once}
        assert {place: twice.cost_at(place) for place in once} == followed(game, "A1", ("walk", "walk"))
        places = list(game.board.places())
        assert np.array_equal(twice.costs_at(places), once.costs_at(places))
        assert twice.area.equals(once.area)
        assert all(twice.chance_at(place) == once.chance_at(place) == 1 for place in once)
        assert twice.bands()[-1][0] == once.bands()[-1][0]
        assert all(
            one.equals(other)
            for (_, one), (_, other) in zip(twice.bands([1, 2, 3]), once.bands([1, 2, 3]), strict=True)
        )
        for place in once:
            if orders := twice.orders_to(place):
                assert played(game, orders) == place

    def test_chances_are_those_of_the_way(self):
        """DU-3, DU-4: out of one square beside an enemy in the first walk, out of none in the second."""
        units = [fighter("A1", "red", 1), fighter("B1", "blue", 0)]
        game = Game.new(DUEL, SquareGrid.open(6, 1), units)
        chained = game.reach("A1", Chain([ask("walk"), ask("walk")]))
        assert chained.chance_at((3, 0)) == Fraction(15, 36)
        assert chained.chance_at((1, 0)) == 1
        assert [level for level, _ in chained.chance_bands()] == [1, Fraction(15, 36)]

    def test_the_next_turn_brings_new_ap(self):
        """DU-10."""
        game = duel(". . . . . . . . .")
        chain = Chain([ask("walk"), "all done", ask("walk")])
        chained = game.reach("A1", chain)
        assert chained.cost_at((7, 0)) == 6
        assert chained.cost_at((4, 0)) == 3
        assert (8, 0) not in chained
        orders = chained.orders_to((7, 0))
        assert [game.write(order) for order in orders] == ["A1 walk: right 3", "all done", "A1 walk: right 3"]
        assert played(game, orders) == (7, 0)
        assert repr(chained) == "<Reach of A1 by walk, then all done, then walk: the last link begins at 5 moments>"
        assert chained.to_geojson()["properties"]["action"] == "walk, then all done, then walk"

    def test_a_link_may_end_where_it_is_told_to(self):
        game = duel(". . . . . . . . .")
        chained = game.reach("A1", Chain([ask("walk", to=[(0, 0)]), ask("walk")]))
        assert {place for place in game.board.places() if place in chained} == {(0, 0), (1, 0), (2, 0)}
        assert chained.cost_at((2, 0)) == 3


class TestWhyNot:
    """The link that fails is named, with its clause."""

    def test_the_last_link(self):
        why = duel(". . . . . . . . .").reach("A1", Chain([ask("walk"), "all done", ask("walk")])).why_not((8, 0))
        assert [reason.clause for reason in why.reasons] == ["DU-2"]
        assert why.reasons[0].message == "link 3 of 3 (walk): B1 stands there"

    def test_an_order_that_is_forbidden_wherever_it_would_be_given(self):
        game = duel()
        chained = game.reach("A1", Chain([ask("walk"), "A1 strike B1", ask("walk")]))
        assert (2, 0) not in chained
        assert list(chained.bands()) == list(chained.chance_bands()) == []
        why = chained.why_not((2, 0))
        assert [(reason.clause, reason.message) for reason in why.reasons] == [
            ("DU-3", "link 2 of 3 (A1 strike B1): B1 is not beside A1")
        ]
        with pytest.raises(NoRoute, match="link 2 of 3"):
            chained.orders_to((2, 0))

    def test_a_place_the_first_link_does_not_reach(self):
        chained = duel().reach("A1", Chain([ask("walk", to=[(8, 0)]), ask("walk")]))
        assert str(chained.why_not((2, 0)).reasons[0].message) == "link 1 of 2 (walk): B1 stands there"


class TestWrongChains:
    def test_are_told(self):
        with pytest.raises(WrongQuestion, match="a chain ends with a question of reach"):
            Chain([ask("walk"), "A1 pray"])
        with pytest.raises(WrongQuestion, match="a chain ends with a question of reach"):
            Chain([])
        with pytest.raises(WrongQuestion, match="no reach for 'fly'"):
            duel().reach("A1", Chain([ask("walk"), ask("fly")]))
        with pytest.raises(WrongQuestion, match="ap: values belong to the links of a chain"):
            duel().reach("A1", Chain([ask("walk")]), ap=2)
        with pytest.raises(TableError, match="A9"):
            duel().reach("A9", Chain([ask("walk")]))

    def test_too_many_moments_are_refused_and_not_cut_short(self, monkeypatch):
        monkeypatch.setattr("simulator.engine.chain.MOST_MOMENTS", 3)
        with pytest.raises(TooMuchAsked, match=r"link 1 of the chain \(walk\) has 5 ends; at most 3 are allowed"):
            duel(". . . . . . . . .").reach("A1", Chain([ask("walk"), ask("walk")]))


class TestOnATable:
    """CT-1: couriers run, and run on; the ends of a run have no number, so it is said where it ends."""

    def game(self):
        units = [COURIERS.make_unit("ann", "courier", "red", (5.0, 5.0))]
        return Game.new(COURIERS, InchTable("Yard", 40, 20), units)

    def test_a_second_run_begins_where_the_first_was_told_to_end(self):
        game = self.game()
        chained = game.reach("ann", Chain([ask("run", to=[(5, 12), (12, 5)]), ask("run")]))
        assert chained.cost_at((20, 5)) == 15
        assert (21.5, 5) not in chained
        assert chained.costs_at([(20, 5), (35, 5)]).tolist() == [15, np.inf]
        assert played(game, chained.orders_to((20, 5))) == (20, 5)
        assert [level for level, _ in chained.bands([8, 16])] == [8, 16]
        assert chained.area.area == pytest.approx(sum(area.area for _, area in chained.bands()), rel=1e-3)
        why = chained.why_not((21.5, 5))
        assert why.reasons[0].message == "link 2 of 2 (run): no run of 9 inches ends there"
        assert why.nearest_cost == pytest.approx(16, abs=0.1)

    def test_without_a_place_it_is_refused(self):
        with pytest.raises(WrongQuestion, match="'run' has more ends than can be counted: name those to continue from"):
            self.game().reach("ann", Chain([ask("run"), ask("run")]))
