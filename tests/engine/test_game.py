"""A game: orders, questions in the middle of them, taking back, branching, saving."""

# ruff: noqa: RUF012 - a ruleset fills in a form: it need not use all it is given

import pickle
from fractions import Fraction

import duel_ruleset
import pytest
import tiny_ruleset

from simulator.engine.answers import DiceBag, InTurn, Policy, Script
from simulator.engine.errors import (
    FaultyRule,
    IllegalOrder,
    LeftoverAnswers,
    MissingAnswer,
    TableError,
    UnreadableOrder,
    WrongAnswer,
)
from simulator.engine.events import Event, add_unit, applied, change_unit, remove_unit
from simulator.engine.game import Game
from simulator.engine.orders import Element, Order
from simulator.engine.questions import Roll
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import State, Unit
from simulator.geometry.squares import SquareGrid


def spoken(happened):
    return [str(entry) for entry in happened.record]


@pytest.fixture
def asking(row, fighters):
    """A duel in which nobody answers anything."""
    return Game.new(duel_ruleset.RULESET, row, fighters)


@pytest.fixture
def beside(asking):
    """A1 stands beside B1 and is about to walk away."""
    asking.do("A1 walk: right 2")
    asking.do("B1 done")
    asking.do("A2 done")
    asking.do("B2 done")
    assert asking.state.clock.turn == 2
    return asking


class TestDoing:
    def test_an_order_tells_its_events_with_clause_place_and_running_price(self, duel):
        happened = duel.do("A1 walk: right 2")
        assert spoken(happened) == [
            "A1's go begins (DU-1)",
            "A1 step at 1,0: 1 AP (DU-2)",
            "A1 step at 2,0: 1.5 AP (DU-2)",
        ]
        assert [event.spent for event in happened.events] == [{}, {"AP": 1}, {"AP": Fraction(5, 2)}]
        assert duel.ledger.total("AP") == Fraction(5, 2)
        assert duel.state.unit("A1")["ap"] == Fraction(1, 2)
        assert duel.happened is happened

    def test_an_order_can_be_an_object(self, duel, checkers):
        duel.do(Order("A1", "walk", [Element("right", {"squares": 1})]))
        assert duel.state.unit("A1").place == (1, 0)
        checkers.do(Order("w1", "move", [Element("hop", {"to": (3, 4)})]))

    def test_the_planner_completes_a_goal(self, duel, checkers):
        happened = duel.do("A1 walk to 2,0")
        assert (duel.write(happened.order), duel.write(happened.given)) == ("A1 walk: right 2", "A1 walk to 2,0")
        assert checkers.do("w1 move to 3,4").order.elements == (Element("hop", {"to": (3, 4)}),)

    @pytest.mark.parametrize("order", ["A1 fly", "A1 walk: rigth", "C1 walk: right", "", Order("A1", "fly")])
    def test_what_is_no_order_changes_nothing(self, duel, order):
        before = duel.state
        with pytest.raises(UnreadableOrder):
            duel.do(order)
        assert duel.state is before

    def test_what_the_rules_forbid_changes_nothing_and_says_all_reasons(self, duel):
        before = duel.state
        with pytest.raises(IllegalOrder) as caught:
            duel.do("B1 strike B2 with 9")
        assert duel.state is before
        assert [breach.clause for breach in caught.value.breaches] == ["DU-1", "DU-1", "DU-3", "DU-4"]
        assert str(caught.value) == (
            "the rules forbid: B1 strike B2 with 9\n"
            "  DU-1   in round it is the go of A1 or A2, not of B1\n"
            "  DU-1   not enough AP\n"
            "  DU-3   B2 is not beside B1\n"
            "  DU-4   B2 is not an enemy"
        )
        assert caught.value.breaches[1].needed == 9
        assert caught.value.breaches[1].available == 3

    def test_legal_orders_are_a_cheap_question(self, checkers, duel):
        orders = checkers.legal("w1")
        assert "w1: hop 3,4" in orders
        assert "w2: hop 3,4" not in orders
        assert "w1: hop 3,5" not in orders
        assert "w1: jump" not in orders
        assert 7 not in orders
        assert {order.elements[0]["to"] for order in orders} == {(3, 4), (1, 4)}
        assert list(checkers.legal("b1")) == []
        assert "A1 walk: right" in duel.legal("A1")
        with pytest.raises(TableError, match="does not list its orders"):
            list(duel.legal("A1"))
        with pytest.raises(TableError, match="there is no unit 'C1'"):
            duel.legal("C1")

    def test_a_chain_of_jumps_takes_what_it_jumps_over(self):
        men = [("w1", "white", (0, 7)), ("b1", "black", (1, 6)), ("b2", "black", (3, 4)), ("b3", "black", (7, 0))]
        units = [tiny_ruleset.RULESET.make_unit(name, "man", side, square) for name, side, square in men]
        game = Game.new(tiny_ruleset.RULESET, SquareGrid.open(8, 8), units)
        assert [str(breach) for breach in game.breaches("w1: hop 2,5, hop 1,4")] == ["TC-1   w1 cannot hop there"]
        assert game.breaches("w1: hop 2,5, hop 4,3") == []
        game.do("w1: hop 2,5, hop 4,3")
        assert list(game.state.units) == ["w1", "b3"]
        assert game.ledger.total("hops") == 2

    def test_reach_is_the_rulesets_to_answer(self, checkers, duel):
        assert checkers.reach("w1") == {(3, 4), (1, 4)}
        assert duel.reach("A1", "walk").places == ((0, 0), (1, 0), (2, 0))
        with pytest.raises(TableError, match="computes no reach") as caught:
            Ruleset.reach(duel.ruleset, duel.table, duel.state.unit("A1"), "walk")
        assert caught.value.exit_code == 2  # a wrong question, not a no of the rules
        with pytest.raises(TableError, match="does not compile walk"):
            duel.ruleset.move_space(duel.table, duel.state.unit("A1"), "walk")


class TestQuestions:
    def test_an_open_question_leaves_the_table_as_it_was(self, beside):
        before = beside.state
        happened = beside.do("A1 walk: left 2")
        assert str(happened.question) == "B1: strike at 2,0 (DU-3)"
        assert [unit.text for unit in beside.state] == [unit.text for unit in before]
        assert beside.state.clock == before.clock
        assert beside.table.clock.unit == "A1"
        assert beside.state.pending.order == beside.read("A1 walk: left 2")

    def test_nothing_else_can_be_done_meanwhile(self, beside):
        beside.do("A1 walk: left 2")
        with pytest.raises(TableError, match="a question is open: B1: strike"):
            beside.do("B1 pray")

    def test_a_wrong_answer_changes_nothing(self, beside):
        beside.do("A1 walk: left 2")
        before = beside.state
        with pytest.raises(WrongAnswer, match="strike, feint, or to let it pass"):
            beside.answer("kick")
        assert beside.state is before
        beside.answer(None)
        assert beside.state.unit("A1").place == (0, 0)

    def test_answers_that_nobody_asked_for_change_nothing(self, beside):
        before = beside.state
        with pytest.raises(LeftoverAnswers, match="has unused answers: 7"):
            beside.do("A1 walk: left 2", [None, 7])
        assert beside.state is before
        beside.do("A1 walk: left 2")
        asked = beside.state
        with pytest.raises(LeftoverAnswers, match="has unused answers: 7, 8"):
            beside.answer(None, 7, 8)
        assert beside.state is asked

    def test_a_script_that_is_too_short_changes_nothing(self, beside):
        before = beside.state
        with pytest.raises(MissingAnswer, match=r"no answer is left for: B1: blow \(DU-4\)"):
            beside.do("A1 walk: left 2", Script(["strike"]))
        assert beside.state is before

    def test_without_a_question_nothing_can_be_answered(self, duel):
        for answer in (lambda: duel.answer(1), duel.go_on):
            with pytest.raises(TableError, match="no question is open"):
                answer()

    def test_an_answer_is_wanted(self, beside):
        beside.do("A1 walk: left 2")
        with pytest.raises(TableError, match="an answer is required: B1: strike"):
            beside.answer()

    def test_others_answer_what_follows(self, beside):
        beside.answers = InTurn([Policy(), DiceBag.of(3)])
        happened = beside.do("A1 walk: left 2", Script(["strike"], open_ended=True))
        assert happened.question is None
        assert [entry.answer.by for entry in happened.answered][:2] == ["script", "dice"]

    def test_a_script_of_choices_goes_on_from_order_to_order(self, beside):
        beside.answers = InTurn([Script.choices(["feint", "strike", None]), Script.dice([12, 3])])
        beside.do("A1 walk: left, right")
        beside.do("B1 walk: right", Script(["health"], skip=4, open_ended=True))
        assert [entry.answer.value for entry in beside.happened.answered] == ["strike", 12, None, 3, "health"]
        assert (beside.state.choices, beside.state.rolls) == (4, 2)
        beside.check_leftover()

    def test_a_new_answerer_can_go_on(self, beside):
        beside.do("A1 walk: left 2")
        assert beside.go_on().question is not None
        beside.answers = Policy(reactions="never")
        assert beside.go_on().question is None


class TestInterruptions:
    def test_a_reaction_to_a_reaction_to_a_reaction(self, beside):
        answers = ["strike", 9, "dodge", 3, "lunge", 10, "dodge", 9, 2, "health"]
        happened = beside.do("A1 walk: left 2", answers)
        assert spoken(happened) == [
            "A1's go begins (DU-1)",
            "B1: strike at 2,0 (DU-3): strike",
            "B1: blow (DU-4): 9, needs 7 or more: passed",
            "A1: dodge (DU-5): dodge",
            "A1 nerve: 1 nerve (DU-5)",
            "A1: dodge (DU-5): 3, needs 6 or less: passed",
            "A1 dodges (DU-5)",
            "B1: lunge (DU-6): lunge",
            "B1: blow (DU-4): 10, needs 9 or more: passed",
            "A1: dodge (DU-5): dodge",
            "A1 nerve: 1 nerve (DU-5)",
            "A1: dodge (DU-5): 9, needs 6 or less: failed",
            "A1: wound (DU-7): 2",
            "A1: what is lost (DU-7): health",
            "A1 wound at 2,0: lost health (DU-7)",
        ]
        # DU-8: a wounded walker stops; its AP are left.
        assert (beside.state.unit("A1").place, beside.state.unit("A1")["ap"]) == ((2, 0), 3)
        assert happened.ledger.totals == {"nerve": 2}

    def test_one_answer_at_a_time_comes_to_the_same(self, beside):
        twin = beside.branch()
        answers = ["strike", 9, "dodge", 3, "lunge", 10, "dodge", 9, 2, "health"]
        twin.do("A1 walk: left 2")
        for answer in answers:
            twin = Game(twin.setting, State.from_text(twin.state.text))
            twin.answer(answer)
        assert twin.state.hash == beside.do("A1 walk: left 2", answers).state.hash

    def test_whoever_dies_in_the_middle_is_gone_and_the_clock_goes_on(self, beside):
        happened = beside.do("A1 walk: left 2", ["strike", 12, None, 3, "health"])
        assert "A1" not in beside.state.units
        assert beside.state.data["dead"] == ("A1",)
        assert "A1 dies at 2,0 (DU-7)" in spoken(happened)
        assert (beside.state.clock.side, beside.state.clock.unit) == ("blue", "")

    def test_options_change_what_is_asked(self, row, fighters):
        game = Game.new(duel_ruleset.RULESET, row, fighters, options={"nerve_of_dodge": 3})
        for order in ("A1 walk: right 2", "B1 done", "A2 done", "B2 done"):
            game.do(order)
        happened = game.do("A1 walk: left 2", ["strike", 12])
        assert str(happened.question) == "A1: wound (DU-7)"

    def test_figures_can_be_overridden(self, row, fighters):
        game = Game.new(duel_ruleset.RULESET, row, fighters, tables={"ap.each_turn": 5})
        assert game.state.unit("A1")["ap"] == 5


class TestTakingBack:
    def test_orders_are_taken_back_one_by_one(self, duel):
        states = [duel.state]
        for order in ("A1 walk: right", "A1 walk: left", "A1 done", "B1 walk: right 2"):
            duel.do(order)
            states.append(duel.state)
        while len(states) > 1:
            assert duel.state is states.pop()
            duel.undo()
        assert duel.state == states[0]
        assert duel.undo().order == Order("all", "begin")
        with pytest.raises(TableError, match="nothing to take back"):
            duel.undo()

    def test_answers_are_taken_back_one_by_one(self, beside):
        beside.do("A1 walk: left 2")
        first = beside.state
        beside.answer("strike")
        second = beside.state
        beside.answer(3)
        beside.undo()
        assert beside.state is second
        assert str(beside.question) == "B1: blow (DU-4)"
        beside.undo()
        assert beside.state is first
        beside.answer(None)
        assert beside.state.unit("A1").place == (0, 0)
        assert [str(happened.order.action) for happened in beside.history] == ["begin", "walk", *["done"] * 3, "walk"]

    def test_dice_that_were_taken_back_fall_the_same_again(self, duel):
        first = duel.do("A1 pray").record
        duel.undo()
        assert duel.do("A1 pray").record == first


class TestBranching:
    def test_a_branch_goes_its_own_way(self, beside):
        beside.do("A1 walk: left 2")
        twin = beside.branch()
        twin.answer("strike", 2)
        beside.answer(None)
        assert twin.state != beside.state
        assert twin.happened.answered[0].answer.value == "strike"
        assert beside.happened.answered[0].answer.value is None
        assert twin.history[:-1] == beside.history[:-1]

    def test_a_branch_rolls_the_dice_of_its_trunk(self, duel):
        twin = duel.branch()
        assert duel.do("A1 pray").state == twin.do("A1 pray").state

    def test_states_share_what_did_not_change(self, duel):
        before = duel.state
        duel.do("A1 walk: right")
        assert duel.state.units["B1"] is before.units["B1"]


class TestSaving:
    def test_a_game_goes_on_from_its_saved_state_in_the_middle_of_an_order(self, beside):
        beside.do("A1 walk: left 2")
        beside.answer("strike")
        loaded = Game(beside.setting, State.from_text(beside.state.text))
        assert loaded.state == beside.state
        assert loaded.state.hash == beside.state.hash
        assert str(loaded.question) == "B1: blow (DU-4)"
        assert loaded.table.state == beside.table.state
        assert loaded.answer(12, None, 1, "health").state == beside.answer(12, None, 1, "health").state

    def test_the_text_is_canonical(self, duel):
        assert State.from_text(duel.state.text).text == duel.state.text
        assert pickle.loads(pickle.dumps(duel.state)) == duel.state

    def test_dice_go_on_where_they_were(self, duel):
        duel.do("A1 pray")
        loaded = Game(duel.setting, State.from_text(duel.state.text), duel.answers)
        assert loaded.do("B1 pray").state == duel.do("B1 pray").state
        assert duel.state.rolls == 2

    @pytest.mark.parametrize("text", ["{}", "[]", "", "null", '{"units":[]}', '{"units":[{"id":"a"}]}'])
    def test_what_is_no_state_is_refused(self, text):
        with pytest.raises(ValueError):  # noqa: PT011 - the json module words some of these
            State.from_text(text)


class TestState:
    @pytest.mark.parametrize(
        ("units", "told"),
        [
            ([Unit("A1", "x"), Unit("A1", "y")], "two units 'A1'"),
            ([Unit("1st", "x")], "not a valid id for a unit"),
            ([Unit("red", "x", "red")], "the id of a unit and the name of a side"),
            ([Unit("all", "x", "red")], "the name of a side"),
        ],
    )
    def test_ids_are_names_and_stand_once(self, units, told):
        with pytest.raises(TableError, match=told):
            State.of(units)

    def test_yes_is_not_1_and_a_float_is_no_int(self):
        def one(value):
            return State.of([Unit("A1", "x", fields={"f": value})])

        assert one(1) == one(Fraction(2, 2))
        assert len({one(1), one(True), one(1.0), one("1")}) == 4
        assert len({one(value).hash for value in (1, True, 1.0, "1")}) == 4

    def test_the_position_leaves_out_how_it_came_about(self, duel):
        other = duel.state.put(rolls=9, choices=4)
        assert other.hash != duel.state.hash
        assert other.position_hash == duel.state.position_hash

    def test_a_unit_keeps_its_id_and_its_place_in_the_order(self, duel):
        with pytest.raises(ValueError, match="keeps its id"):
            duel.state.unit("A1").put(id="A9")
        assert list(duel.state.put_unit("A2", ap=0).units) == list(duel.state.units)


class TestFaultyRules:
    def run(self, duel, rule):
        class Odd(duel_ruleset.DuelRuleset):
            actions = {**duel_ruleset.DuelRuleset.actions, "pray": rule}

        game = Game.new(Odd(), duel.board, list(duel.state), answers=DiceBag.of(1))
        before = game.state
        with pytest.raises(FaultyRule) as caught:
            game.do("A1 pray")
        assert game.state is before
        return str(caught.value)

    def test_a_rule_tells_events_and_asks_questions(self, duel):
        def rule(table, order):
            yield "nonsense"

        assert "events and questions, not 'nonsense'" in self.run(duel, rule)

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (change_unit("C9", ap=1), "there is no unit 'C9'"),
            (("fly", "A1", {}), "no such change: 'fly'"),
            (("add", "A1", {"type": "x"}), "already a unit 'A1'"),
            (("clock", "", {"hour": 3}), "unexpected keyword"),
        ],
    )
    def test_an_event_changes_what_is_there(self, duel, change, told):
        def rule(table, order):
            yield Event("odd", "A1", [change])

        assert told in self.run(duel, rule)

    def test_an_order_comes_to_an_end(self, duel):
        def rule(table, order):
            while True:
                yield Event("again", "A1")

        assert "more than 100000 events in one order: A1 pray" in self.run(duel, rule)

    def test_an_exception_in_a_rule_changes_nothing(self, duel):
        def rule(table, order):
            yield Event("odd", "A1", [change_unit("A1", ap=0)])
            raise ZeroDivisionError

        class Odd(duel_ruleset.DuelRuleset):
            actions = {**duel_ruleset.DuelRuleset.actions, "pray": rule}

        game = Game.new(Odd(), duel.board, list(duel.state))
        before = game.state
        with pytest.raises(ZeroDivisionError):
            game.do("A1 pray")
        assert game.state is before

    def test_a_rule_does_the_same_again(self, duel):
        asked = []

        def rule(table, order):
            asked.append(order)
            yield Roll(f"roll {len(asked)}", dice="D6")
            if len(asked) != 3:
                yield Roll("another", dice="D6")

        class Odd(duel_ruleset.DuelRuleset):
            actions = {**duel_ruleset.DuelRuleset.actions, "pray": rule}

        game = Game.new(Odd(), duel.board, list(duel.state))
        game.do("A1 pray")
        with pytest.raises(FaultyRule, match="played again, the order asks 'roll 2' in place of 'roll 1'"):
            game.branch().answer(4)
        game.answer(4)
        with pytest.raises(FaultyRule, match="asks 'None' in place of 'another'"):
            game.branch().answer(4)

    def test_when_a_go_begins_nothing_is_asked(self, row, fighters):
        class Asks(duel_ruleset.Rounds):
            def go_begins(self, table, unit):
                yield Roll("mood", dice="D6")

        class Odd(duel_ruleset.DuelRuleset):
            clock = Asks()

        game = Game.new(Odd(), row, fighters)
        with pytest.raises(FaultyRule, match="when a go begins no question is allowed: mood"):
            game.do("A1 walk: right")

    def test_the_actions_are_those_of_the_vocabulary(self, row, fighters):
        class Odd(duel_ruleset.DuelRuleset):
            actions = {"walk": duel_ruleset.walk}

        game = Game.new(Odd(), row, fighters)
        with pytest.raises(FaultyRule, match="differ in pray, strike"):
            game.do("A1 walk: right")


def test_a_unit_that_is_put_on_the_table_and_taken_off_again_leaves_no_trace(asking):
    state = asking.state
    newcomer = duel_ruleset.fighter("B7", "blue", 4)
    arrived = applied(state, Event("arrives", "B7", [add_unit(newcomer)]))
    assert arrived.unit("B7") == newcomer
    assert applied(arrived, Event("leaves", "B7", [remove_unit("B7")])) == state
