"""Questions: what they allow, what they say, and back from plain data."""

from fractions import Fraction

import pytest

from simulator.engine.errors import WrongAnswer
from simulator.engine.questions import Choose, React, Roll, question_from
from simulator.engine.values import from_text, to_text

CHECK = Roll("control check", who="T1", dice="2D6", target=6, modifiers=[("handling", 1), ("HP 5", 4)], clause="DT-89")
TERRAIN = Roll("terrain roll", dice="D10", target=6, at_most=True, place=(3, 4), detail={"over": "scree"})
RELIC = Roll("relic", outcomes={"glows": Fraction(1, 3), "is dark": Fraction(2, 3)})
PUSH = Choose("pushed to", who="B1", options=[(1, 2), (2, 2)], default=[2, 2], clause="GR-72", place=(1, 1))
STRIKE = React("intercept", who="B1", options=("attack", "unarmed"), clause="GR-48", place=(4, 4), default="attack")
ALL = [CHECK, TERRAIN, RELIC, PUSH, STRIKE]


@pytest.mark.parametrize("question", ALL, ids=lambda question: question.what)
class TestEveryQuestion:
    def test_it_comes_back_from_plain_data(self, question):
        back = question_from(from_text(to_text(question.to_fields())))
        assert back == question
        assert to_text(back.to_fields()) == to_text(question.to_fields())

    def test_a_wrong_answer_is_told_what_would_be_right(self, question):
        with pytest.raises(WrongAnswer, match=rf"{question.what}.*99 is not a valid answer; possible: .*"):
            question.check(99)
        with pytest.raises(WrongAnswer):
            question.check(object())


class TestRoll:
    def test_a_test_adds_its_modifiers_to_the_target(self):
        """DT-90, DT-160: 6 + 5 = 11, three ways in 36."""
        assert CHECK.needed == 11
        assert CHECK.chance == Fraction(3, 36)
        assert (CHECK.passes(10), CHECK.passes(11)) == (False, True)
        assert CHECK.says(9) == "9, needs 11 or more: failed"

    def test_some_tests_want_little(self):
        assert TERRAIN.chance == Fraction(6, 10)
        assert TERRAIN.says(6) == "6, needs 6 or less: passed"

    def test_outcomes_may_be_given_with_their_chances(self):
        assert RELIC.check("glows") == "glows"
        assert RELIC.chances["is dark"] == Fraction(2, 3)
        with pytest.raises(ValueError, match="not a test"):
            RELIC.passes("glows")

    @pytest.mark.parametrize(
        "wrong",
        [{}, {"dice": "D6", "outcomes": {1: 1}}, {"outcomes": {1: Fraction(1, 2)}}, {"outcomes": {1: 2, 2: -1}}],
    )
    def test_it_wants_dice_or_outcomes_that_add_up(self, wrong):
        with pytest.raises(ValueError, match=r"expected either|add up"):
            Roll("odd", **wrong)

    def test_a_float_that_is_a_result_is_that_result(self):
        answer = CHECK.check(7.0)
        assert (answer, type(answer)) == (7, int)

    def test_yes_is_not_1(self):
        with pytest.raises(WrongAnswer, match="yes is not a valid answer"):
            Roll("wound", dice="D3").check(True)


class TestDecisions:
    def test_only_the_options_can_be_chosen(self):
        assert PUSH.check([1, 2]) == (1, 2)
        with pytest.raises(WrongAnswer, match="3,3 is not a valid answer; possible: 1,2, 2,2"):
            PUSH.check((3, 3))

    def test_a_reaction_can_be_let_pass(self):
        assert STRIKE.check(None) is None
        assert STRIKE.says(None) == "lets it pass"

    def test_a_choice_can_not(self):
        with pytest.raises(WrongAnswer, match="none is not a valid answer"):
            PUSH.check(None)

    @pytest.mark.parametrize("kind", [Choose, React])
    @pytest.mark.parametrize("wrong", [{"options": ()}, {"options": (None,)}, {"options": (1,), "default": 2}])
    def test_options_have_to_make_sense(self, kind, wrong):
        with pytest.raises(ValueError, match=r"at least one|not among"):
            kind("odd", **wrong)

    def test_a_place_is_a_tuple(self):
        with pytest.raises(TypeError, match="a place is a tuple"):
            Roll("odd", dice="D6", place="here")
