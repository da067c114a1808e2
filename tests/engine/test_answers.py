"""Who answers, in which order, and what they say when they cannot."""

from fractions import Fraction
from io import StringIO

import duel_ruleset
import pytest

from simulator.engine.answers import Answer, DiceBag, InTurn, Occasion, Person, Policy, Script
from simulator.engine.dice import Dice, SeededDice
from simulator.engine.errors import LeftoverAnswers, MissingAnswer
from simulator.engine.questions import Choose, React, Roll
from simulator.engine.state import State
from simulator.engine.table import Setting, Table

ROLL = Roll("blow", who="A1", dice="2D6", target=7)
RELIC = Roll("relic", outcomes=[("glows", Fraction(1, 3)), ("is dark", Fraction(2, 3))])
CHOICE = Choose("what is lost", who="B1", options=("health", "shield"))
EASY = Choose("what is lost", who="B1", options=("health", "shield"), default="shield")
REACTION = React("strike", who="B1", options=("strike", "feint"))


@pytest.fixture
def moment(row):
    setting = Setting.of(duel_ruleset.RULESET, row)
    return lambda *asked, rolls=0, choices=0: Occasion(Table(setting, State(rolls=rolls, choices=choices)), asked)


class TestDiceBag:
    def test_each_roll_of_the_game_has_its_own_dice(self, moment):
        bag = DiceBag.of(7)
        third = Answer(sum(SeededDice(7).faces(2, Dice.of("2D6"))), "dice", SeededDice(7).faces(2, Dice.of("2D6")))
        assert bag.answer(ROLL, moment(rolls=2)) == third
        assert bag.answer(ROLL, moment(ROLL, CHOICE, rolls=1)) == third
        assert bag.answer(ROLL, moment(rolls=3)) != third

    def test_given_outcomes_come_as_often_as_their_chance(self, moment):
        seen = [DiceBag.of("relics").answer(RELIC, moment(rolls=roll)).value for roll in range(600)]
        assert 160 < seen.count("glows") < 240
        assert set(seen) == {"glows", "is dark"}

    def test_it_decides_nothing(self, moment):
        assert DiceBag.of(1).answer(CHOICE, moment()) is None


class TestScript:
    def test_results_are_used_in_turn(self, moment):
        script = Script.dice([4, 9])
        assert script.answer(ROLL, moment()).value == 4
        assert script.answer(ROLL, moment(rolls=1)).value == 9
        assert script.answer(ROLL, moment(ROLL)).value == 9
        assert script.answer(CHOICE, moment()) is None

    def test_a_script_that_is_used_up_names_what_was_asked(self, moment):
        with pytest.raises(MissingAnswer, match="has 1 answer, all used; no answer is left for: A1: blow"):
            Script.dice([4]).answer(ROLL, moment(ROLL))

    def test_an_open_ended_one_leaves_the_rest_to_others(self, moment):
        assert Script((4,), open_ended=True).answer(ROLL, moment(ROLL)) is None

    def test_what_is_left_over_is_named(self, moment):
        with pytest.raises(LeftoverAnswers, match=r"has unused answers: 9, 2; the questions were: A1: blow$"):
            Script.dice([4, 9, 2]).check_leftover(moment(ROLL, CHOICE))
        with pytest.raises(LeftoverAnswers, match="no question was asked"):
            Script((1,)).check_leftover(moment())
        Script.choices(["health"]).check_leftover(moment(CHOICE, ROLL))

    def test_choices_of_a_game_are_counted_apart(self, moment):
        script = Script.choices(["shield", None])
        assert script.answer(CHOICE, moment(ROLL, rolls=4)).value == "shield"
        assert script.answer(REACTION, moment(choices=1)) == Answer(None, "choice script")

    def test_a_script_for_the_game_is_for_rolls_or_for_choices(self):
        with pytest.raises(ValueError, match="either rolls or choices"):
            Script((1,), for_game=True)


class TestPolicy:
    @pytest.mark.parametrize(("rule", "answer"), [("always", "strike"), ("never", None), ("default", None)])
    def test_reactions(self, moment, rule, answer):
        assert Policy(reactions=rule).answer(REACTION, moment()) == Answer(answer, "policy")

    def test_choices(self, moment):
        assert Policy().answer(EASY, moment()).value == "shield"
        assert Policy().answer(CHOICE, moment()) is None
        assert Policy(choices="first").answer(CHOICE, moment()).value == "health"

    def test_functions_decide_with_the_table_before_them(self, moment):
        policy = Policy(
            reactions=lambda question, now: question.options[now.table.board.width % 2],
            choices=lambda *_: "shield",
        )
        assert policy.answer(REACTION, moment()).value == "strike"
        assert policy.answer(CHOICE, moment()).value == "shield"

    def test_it_rolls_no_dice_and_what_it_has_no_rule_for_is_left(self, moment):
        assert Policy().answer(ROLL, moment()) is None
        assert Policy(reactions=None, choices=None).answer(REACTION, moment()) is None
        assert Policy(reactions=None, choices=None).answer(CHOICE, moment()) is None

    def test_an_unknown_rule_is_refused(self):
        with pytest.raises(ValueError, match="reactions: always or never or default or a function, not 'sometimes'"):
            Policy(reactions="sometimes")


class TestPerson:
    def ask(self, question, typed, moment, **more):
        told = StringIO()
        return Person(StringIO(typed), told, **more).answer(question, moment()), told.getvalue()

    def test_options_are_chosen_by_number_or_name(self, moment):
        assert self.ask(CHOICE, "2\n", moment)[0] == Answer("shield", "person")
        answer, told = self.ask(CHOICE, "Health\n", moment)
        assert answer.value == "health"
        assert told == "B1: what is lost\n  1  health\n  2  shield\n> "

    def test_nonsense_is_told_what_would_be_right_and_asked_again(self, moment):
        answer, told = self.ask(CHOICE, "3\n\nbeer\nshield\n", moment)
        assert answer.value == "shield"
        assert told.count("> ") == 4
        assert "B1: what is lost: beer is not a valid answer; possible: health, shield" in told

    def test_an_empty_line_takes_the_default_or_lets_pass(self, moment):
        assert self.ask(EASY, "\n", moment)[0].value == "shield"
        answer, told = self.ask(REACTION, "\n", moment)
        assert answer == Answer(None, "person")
        assert "an empty line: lets pass" in told

    def test_real_dice_may_be_typed_in(self, moment):
        answer, told = self.ask(ROLL, "13\nsix\n6\n", moment, rolls=True)
        assert answer.value == 6
        assert told.startswith("A1: blow: 2D6, needs 7 or more; the result?\n> ")
        assert told.count("is not a ") == 2
        assert self.ask(ROLL, "\n", moment, rolls=True)[0] is None
        assert self.ask(ROLL, "6\n", moment)[0] is None

    def test_at_the_end_of_the_input_nobody_answers(self, moment):
        with pytest.raises(MissingAnswer, match="the input ended without an answer to: B1: strike"):
            self.ask(REACTION, "", moment)


class TestChain:
    def test_the_first_who_answers_counts(self, moment):
        who = InTurn([None, Script((4,), open_ended=True), Policy(reactions="always"), DiceBag.of(7)])
        assert who.answer(ROLL, moment()).by == "script"
        assert who.answer(REACTION, moment(ROLL)).by == "policy"
        assert who.answer(ROLL, moment(ROLL)).by == "dice"
        assert who.answer(CHOICE, moment(ROLL)) is None
