"""Legal orders of a unit, a side, or all: counted, indexed, sampled; and games that are stepped through by programs."""

from collections import Counter
from pathlib import Path
from random import Random

import duel_ruleset
import pytest
import tiny_ruleset

from simulator import load_scenario
from simulator.engine.answers import DiceBag, InTurn, Policy
from simulator.engine.errors import IllegalOrder, MissingAnswer, TableError
from simulator.engine.game import Game
from simulator.engine.objectives import Objective
from simulator.engine.order_lists import OrderList, OrderPart
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.table import Setting
from simulator.formats.scenario_answers import ByKind
from simulator.geometry.squares import SquareGrid

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*/*.yaml"))
#: Small ones, of which whole lists are made.
SMALL = ["grid_runner/vault_corridor", "grid_runner/mill_bridge", "dot_trooper/getting_away", "dot_trooper/dead_end"]


def scenario(name):
    return load_scenario(ROOT / "scenarios" / f"{name}.yaml")


class TestOrderList:
    def test_an_order_is_made_once_and_only_when_it_is_looked_at(self):
        made = []

        def make(number):
            made.append(number)
            return Order("A1", f"walk{number}")

        orders = OrderList([OrderPart(0, make), OrderPart(5, make), OrderPart.of([Order("A1", "wait")])])
        assert (len(orders), made) == (6, [])
        assert orders[3] is orders[3]
        assert orders[-1].action == "wait"
        assert made == [3]
        assert [order.action for order in orders[2:4]] == ["walk2", "walk3"]
        assert list(orders) == [orders[number] for number in range(6)]

    def test_it_knows_its_own_orders_from_others_like_them(self):
        orders = OrderList([OrderPart.of([Order("A1", "wait")])])
        same = Order("A1", "wait")
        assert same == orders[0]
        assert orders.has_made(orders[0])
        assert not orders.has_made(same)

    def test_beyond_its_end_there_is_nothing(self):
        orders = OrderList([OrderPart.of([Order("A1", "wait")])])
        for number in (1, -2):
            with pytest.raises(IndexError):
                orders[number]


class TestWhoMayMove:
    def test_the_units_in_the_order_of_the_scenario(self, checkers):
        assert checkers.to_move() == tuple(unit.id for unit in checkers.state if unit.side == "white")

    def test_the_one_whose_go_has_begun_comes_first(self):
        game = scenario("mecha/two_guards").start(seed=1)
        before = game.to_move()
        turns = "free_turn: turn_left 10"
        mover = next(name for name in before[1:] if f"{name} {turns}" in game.legal(name))
        game.do(f"{mover} {turns}")
        assert game.state.clock.unit == mover
        assert game.to_move() == (mover, *(name for name in before if name != mover))

    def test_nobody_before_the_beginning_nor_in_the_middle_of_an_order(self, row, fighters):
        game = Game.new(duel_ruleset.RULESET, row, fighters, begin=False)
        assert game.to_move() == ()
        game.do("all begin")
        game.do("A1 walk: right 2")
        game.do("B1 strike A1 with 2")
        assert game.question is not None
        assert game.to_move() == ()
        assert list(game.legal()) == []


class TestLists:
    @pytest.mark.parametrize("name", SMALL)
    def test_length_index_and_iteration_agree_and_all_is_legal(self, name):
        game, rng = scenario(name).start(seed=3), Random(3)
        for _ in range(6):
            if game.is_over:
                break
            legal = game.legal()
            listed = list(legal)
            assert len(legal) == len(listed) == len(set(listed))
            assert [legal[number] for number in range(len(legal))] == listed
            assert legal[-1] == listed[-1]
            assert legal[1:4] == listed[1:4]
            for order in rng.sample(listed, min(len(listed), 12)):
                assert game.breaches(order) == []
                assert order in legal
            game.step(rng.choice(listed))

    def test_those_of_all_are_those_of_each_with_the_end_of_its_go(self, checkers):
        each = [[*checkers.legal(name), Order(name, "done")] for name in checkers.to_move()]
        assert list(checkers.legal()) == [order for orders in each for order in orders]
        assert list(checkers.legal_of_side("white")) == list(checkers.legal())
        assert len(checkers.legal_of_side("black")) == 0

    def test_they_belong_to_their_moment(self, checkers):
        legal = checkers.legal()
        before = list(legal)
        checkers.step(legal[0])
        assert list(legal) == before
        assert list(checkers.legal()) != before
        checkers.undo()
        assert list(checkers.legal()) == before

    def test_infinitely_many_cannot_be_counted(self):
        legal = scenario("skirmish/the_yard").start().legal("ash")
        assert not legal.are_listed
        assert bool(legal)
        for use in (len, list, lambda orders: orders[0]):
            with pytest.raises(TableError, match="infinitely many"):
                use(legal)
        assert "any number" in repr(legal)
        assert "ash move: to 5,5" in legal


class TestSamples:
    @pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
    def test_every_sample_is_accepted_by_the_judge(self, path):
        game, rng = load_scenario(path).start(seed=5), Random(path.stem)
        for ply in range(12):
            if game.is_over:
                break
            order = game.legal().sample(rng)
            if ply < 3:
                assert game.breaches(order) == [], game.write(order)
                assert game.breaches(game.write(order)) == [], game.write(order)
            game.step(order)

    def test_rules_of_a_file_that_name_who_cannot_be_chosen_do_not_end_a_game(self, monkeypatch):
        # Eve fires at ann, says the file; at times only others come into her arc.
        depot, asked, by_rule = scenario("dot_trooper/battle_at_the_depot"), set(), ByKind.answer

        def answered(rules, question, moment):
            if question.who == "eve" and question.what == "fire":
                asked.add(question.options)
            return by_rule(rules, question, moment)

        monkeypatch.setattr(ByKind, "answer", answered)
        assert depot.answers["eve fire"] == "ann"
        for seed in range(40):
            game, rng = depot.start(seed=seed), Random(seed)
            for _ in range(4):
                game.step(game.legal().sample(rng))
        assert any("ann" in options for options in asked)
        assert any("ann" not in options for options in asked)

    def test_the_same_seed_draws_the_same(self):
        first, second = (scenario("skirmish/four_gaps").start() for _ in range(2))
        drawn = [
            [game.legal().sample(rng) for _ in range(4)] for game, rng in ((first, Random(9)), (second, Random(9)))
        ]
        assert drawn[0] == drawn[1]

    def test_every_order_of_a_small_list_is_drawn_about_as_often(self, checkers):
        legal, rng = checkers.legal("w1"), Random(1)
        drawn = Counter(legal.sample(rng) for _ in range(300))
        assert set(drawn) == set(legal)
        assert min(drawn.values()) > 300 / len(legal) / 2

    def test_where_nothing_can_be_ordered_there_is_no_sample(self, checkers):
        with pytest.raises(TableError, match="nothing can be ordered now"):
            checkers.legal("b1").sample(Random(1))

    def test_on_a_table_every_kind_of_order_is_drawn(self):
        game = scenario("skirmish/the_yard").start(seed=1)
        drawn = Counter(game.legal("ash").sample(Random(seed)).action for seed in range(40))
        assert {"move", "run", "change_stance"} <= set(drawn)
        assert "attack" not in drawn  # it is ordered by whoever runs the table


class TestSteps:
    @pytest.fixture
    def judged(self, monkeypatch):
        """The orders that went to the judge."""
        found, judge = [], tiny_ruleset.TinyRuleset.breaches
        monkeypatch.setattr(
            tiny_ruleset.TinyRuleset,
            "breaches",
            lambda self, table, order: [found.append(order), *judge(self, table, order)][1:],
        )
        return found

    def test_what_the_list_returned_is_not_judged_again(self, checkers, judged):
        order = checkers.legal()[0]
        events, done, score = checkers.step(order)
        assert (judged, done, score.is_over) == ([], False, False)
        assert events == checkers.happened.events

    def test_an_order_like_one_of_the_list_and_one_of_another_moment_are_judged(self, checkers, judged):
        order = checkers.legal()[0]
        checkers.step(Order(order.unit, order.action, order.elements))
        assert len(judged) == 1
        with pytest.raises(IllegalOrder):
            checkers.step(order)

    def test_a_branch_judges_for_itself(self, checkers, judged):
        order, twin = checkers.legal()[0], checkers.branch()
        twin.step(order)
        assert len(judged) == 1
        assert checkers.state.units[order.unit] != twin.state.units[order.unit]

    def test_a_question_that_nobody_answers_leaves_the_game_as_it_was(self, row, fighters):
        game = Game.new(duel_ruleset.RULESET, row, fighters)
        game.do("A1 walk: right 2")
        before = game.state
        with pytest.raises(MissingAnswer, match="give the game an answerer"):
            game.step("B1 strike A1 with 2")
        assert game.state is before
        game.answers = InTurn([DiceBag.of(7), Policy("never", "first")])
        assert game.step("B1 strike A1 with 2").events

    def test_it_says_when_the_game_is_over(self):
        setting = Setting(
            *(tiny_ruleset.RULESET, SquareGrid.open(3, 3), tiny_ruleset.TinyOptions(), tiny_ruleset.RULESET.tables),
            objective=Objective(last_side=True, sides=("white", "black")),
        )
        men = [Unit("w1", "man", "white", (0, 2)), Unit("b1", "man", "black", (1, 1))]
        game = Game(setting, setting.opening(men))
        game.do("all begin")
        (jump,) = game.legal("w1")
        events, done, score = game.step(jump)
        assert events[-1].kind in ("jump", "go ends", "over", "side", "turn", "phase")
        assert (done, score.winner, score.why) == (True, "white", "only white is left")
        assert game.is_over
