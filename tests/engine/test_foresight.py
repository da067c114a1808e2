"""Foresight: what orders would do is what the game does; who could interrupt is who is asked; nothing is touched."""

from dataclasses import fields
from fractions import Fraction

import duel_ruleset
import numpy as np
import pytest
from duel_ruleset import fighter

from simulator.engine.actions import Answered
from simulator.engine.answers import Answer, DiceBag, Policy
from simulator.engine.best_case import Hopeful, best_result, hoped
from simulator.engine.clock import Phase
from simulator.engine.errors import IllegalOrder, TableError, UnreadableOrder
from simulator.engine.foresight import at_its_go, otherwise_text
from simulator.engine.game import Game
from simulator.engine.questions import LET_PASS, Choose, React, Roll
from simulator.engine.table import Table
from simulator.engine.turns import TurnClock
from simulator.geometry.squares import SquareGrid


class Halves(TurnClock):
    """First red moves, then blue; nobody else ever does."""

    phases = (Phase("red moves", "any", clause="DU-1"), Phase("blue moves", "any", clause="DU-1"))
    turn_begins = duel_ruleset.Rounds.turn_begins

    def can_act(self, table, unit):
        return table.clock.phase is not None and table.clock.phase.name.startswith(unit.side)


class OneSideAfterTheOther(duel_ruleset.DuelRuleset):
    clock = Halves()


@pytest.fixture
def beside(row):
    """A1 stands beside B1, who could strike at it; A1 is to move."""
    units = [
        fighter("A1", "red", 2, nerve=2),
        fighter("B1", "blue", 3),
        fighter("A2", "red", 6),
        fighter("B2", "blue", 7),
    ]
    return Game.new(duel_ruleset.RULESET, row, units, answers=DiceBag.of(1))


class TestWhatIsForetold:
    def test_it_is_what_the_game_does_when_nobody_reacts(self, beside):
        foreseen = beside.foresee("A1 walk: left 2")
        happened = beside.do("A1 walk: left 2", Policy(reactions="never"))
        assert foreseen.events == happened.events
        assert foreseen.ledger.lines == happened.ledger.lines
        assert foreseen.ledger.totals == {"AP": 2}
        assert foreseen.state.put(choices=0) == happened.state.put(choices=0)

    def test_the_game_is_not_touched(self, beside):
        before, history = beside.state, beside.history
        beside.foresee("A1 walk: left 2")
        assert beside.state is before
        assert beside.history == history

    def test_goals_are_planned(self, beside):
        order = beside.foresee("A1 walk to 0,0").orders[0]
        assert beside.write(order) == "A1 walk: left 2"

    def test_several_orders_are_told_as_one(self, beside):
        foreseen = beside.foresee(["A1 walk: left 1", "A1 walk: left 1"])
        assert foreseen.ledger.totals == {"AP": 2}
        assert foreseen.state.unit("A1").place == (0, 0)
        assert foreseen.unit == "A1"

    def test_interruptions_of_several_orders_are_those_of_each(self, beside):
        def strikes(*orders):
            found = beside.foresee(orders).interruptions
            return [(one.who, one.place) for one in found if one.what == "strike" and not one.after]

        assert strikes("A1 walk: left 1", "A1 walk: left 1") == strikes("A1 walk: left 2") == [("B1", (2, 0))]
        # The go of the second unit comes only when a unit of the other side has had one.
        assert strikes("A1 walk: left 1", "A2 walk: left 1") == [("B1", (2, 0)), ("B2", (6, 0))]

    def test_it_is_shown_as_the_orders_that_it_is_of(self, beside):
        assert "A1 walk: left 1; A2 walk: left 1" in repr(beside.foresee(["A1 walk: left 1", "A2 walk: left 1"]))

    def test_nothing_foreseen_is_the_table_as_it_is(self, beside):
        foreseen = beside.foresee([])
        assert (foreseen.state, foreseen.unit, foreseen.chance) == (beside.state, "", 1)

    def test_what_can_not_be_ordered_is_refused_as_in_play(self, beside):
        with pytest.raises(IllegalOrder, match="DU-2"):
            beside.foresee("A1 walk: right 1")
        with pytest.raises(UnreadableOrder):
            beside.foresee("A1 wlak: right 1")

    def test_with_a_question_open_nothing_is_foreseen(self, beside):
        beside.do("A1 walk: left 2")
        assert beside.question is not None
        with pytest.raises(TableError, match="a question is open"):
            beside.foresee("A1 walk: left 1")


class TestWhoCouldInterrupt:
    def test_it_is_told_who_where_how_and_by_which_clause(self, beside):
        foreseen = beside.foresee("A1 walk: left 2")
        found, lunge, again = foreseen.interruptions
        assert (foreseen.most_interruptions, foreseen.follows_all_plays) == (3, True)
        assert again.what == "lunge"  # A1 has the nerve to dodge it, and dodges can be lunged after
        assert (lunge.what, lunge.condition) == ("lunge", "B1: strike at 2,0 (DU-3), A1: dodge (DU-5)")
        assert lunge.to_fields()["after"] == ["B1: strike at 2,0 (DU-3)", "A1: dodge (DU-5)"]
        assert (found.who, found.side, found.what, found.options) == ("B1", "blue", "strike", ("strike", "feint"))
        assert (found.place, found.clause, found.spent) == ((2, 0), "DU-3", {})
        assert str(found) == "B1: strike (strike or feint) at 2,0 (DU-3)"
        assert found.to_fields()["place"] == [2, 0]
        assert set(found.to_fields()) == {field.name for field in fields(found)}

    def test_it_is_told_what_is_spent_by_then(self, row):
        units = [fighter("A1", "red", 0), fighter("B1", "blue", 3)]
        game = Game.new(duel_ruleset.RULESET, row, units, tables={"ap.each_turn": 9})
        foreseen = game.foresee("A1 walk: right 2, left 2")
        hoped = [found for found in foreseen.interruptions if not found.after]
        assert [(found.place, found.spent) for found in hoped] == [((2, 0), {"AP": Fraction(5, 2)})]

    def test_they_are_those_whom_a_player_would_be_asked_for(self, beside):
        """Played with everybody asked, the first question is the first interruption."""
        first = beside.foresee("A1 walk: left 2").interruptions[0]
        question = beside.do("A1 walk: left 2").question
        assert isinstance(question, React)
        assert (question.who, question.place, question.clause) == (first.who, first.place, first.clause)

    def test_what_one_may_do_oneself_is_no_interruption(self, beside):
        beside.do("A1 done")
        foreseen = beside.foresee("B1 strike A1")
        assert {found.who for found in foreseen.interruptions} == {"A1"}


class TestRollsAndChoices:
    def test_tests_pass_and_their_chance_is_told(self, beside):
        beside.do("A1 done")
        foreseen = beside.foresee("B1 strike A1 with 3")
        blow, wound = foreseen.rolls
        assert (blow.what, blow.chance) == ("blow", Fraction(5, 6))
        assert foreseen.chance == Fraction(5, 6)
        assert [entry.question.what for entry in foreseen.choices] == ["what is lost"]
        assert foreseen.choices[0].answer.value == "health"
        assert wound.target is None

    def test_the_best_result_of_each_kind_of_roll(self):
        assert best_result(Roll("blow", dice="2D6", target=7)) == 12
        assert best_result(Roll("dodge", dice="D10", target=6, at_most=True)) == 1
        relic = Roll("relic", outcomes=[("glows", Fraction(1, 3)), ("is dark", Fraction(2, 3))])
        assert best_result(relic) == "is dark"
        often = Roll("relic", outcomes=[("cracks", 0), ("glows", Fraction(1, 3)), ("dims", Fraction(2, 3))])
        assert best_result(often) == "dims"
        assert best_result(Roll("hits", outcomes=[(1, Fraction(1, 2)), (3, Fraction(1, 2)), (9, 0)])) == 3

    @pytest.mark.parametrize(
        ("question", "answer", "told"),
        [
            (Roll("leap", who="A1", dice="D6", target=4, clause="X-1"), 1, "A1: leap fails (X-1)"),
            (Choose("lost", who="A1", options=("health", "shield"), clause="X-2"), "shield", "A1: lost (shield) (X-2)"),
            (Choose("lost", options=("health", "shield"), place=(1, 0)), "shield", "lost (shield)"),
            (React("dodge", who="B1", options=("dodge",), place=(1, 0)), "dodge", "B1: dodge at 1,0"),
            (React("strike", who="B1", options=("strike", "feint"), clause="X-3"), "feint", "B1: strike (feint) (X-3)"),
        ],
    )
    def test_what_goes_otherwise_is_told(self, question, answer, told):
        assert otherwise_text(Answered(question, Answer(answer))) == told

    def test_choices_take_their_default_and_nobody_reacts(self):
        assert hoped(Choose("arm", options=("left", "right"))) == "left"
        assert hoped(Choose("arm", options=("left", "right"), default="right")) == "right"
        assert hoped(React("strike", options=("strike",), default="strike")) is LET_PASS

    def test_hope_never_leaves_a_question_open(self, beside):
        beside.answers = Hopeful()
        happened = beside.do("A1 pray")
        assert happened.question is None
        assert [(type(entry.question), entry.answer.by) for entry in happened.answered] == [(Roll, "hope")]


class TestWhoseGo:
    def test_a_unit_that_is_not_to_move_is_told_as_if_it_were(self, beside):
        foreseen = beside.foresee("B1 strike A1")
        assert [breach.clause for breach in foreseen.not_now] == ["DU-1"]
        assert foreseen.ledger.totals == {"AP": 1}
        assert beside.foresee("A1 walk: left 1").not_now == ()

    def test_also_one_that_has_had_its_go(self, beside):
        beside.do("A1 done")
        foreseen = beside.foresee("A1 walk: left 1")
        assert "has had its go" in foreseen.not_now[0].message
        assert foreseen.state.unit("A1").place == (1, 0)

    def test_orders_that_lie_goes_apart_wait_for_their_turn(self, beside):
        foreseen = beside.foresee(["A1 strike B1 with 3", "A1 walk: left 1"])
        assert foreseen.state.clock.turn == 2
        assert foreseen.state.unit("A1").place == (1, 0)
        assert {event.unit for event in foreseen.events if event.kind == "go begins"} == {"A1"}

    def test_at_its_go_a_unit_may_act_whatever_the_clock_said(self, beside):
        beside.do("A1 done")
        for name in beside.state.units:
            state = at_its_go(beside.setting, beside.state, name)
            assert (state.clock.unit, state.clock.line) == (name, ())  # nobody is listed where sides alternate
            table = Table(beside.setting, state)
            assert not list(beside.ruleset.clock.breaches(table, name, "walk"))

    def test_a_unit_whose_phase_is_another_is_told_in_that_phase(self, row):
        units = [fighter("A1", "red", 0), fighter("B1", "blue", 3)]
        game = Game.new(OneSideAfterTheOther(), row, units)
        assert game.state.clock.phase.name == "red moves"
        foreseen = game.foresee("B1 walk: right 1")
        assert "B1 cannot act in red moves" in foreseen.not_now[0].message
        assert foreseen.before.clock.phase.name == "blue moves"
        assert foreseen.state.unit("B1").place == (4, 0)
        both = game.foresee(["B1 walk: right 1", "A1 walk: right 1"])
        assert [event.unit for event in both.events if event.kind == "step"] == ["B1", "A1"]

    def test_one_that_can_not_act_at_all_is_refused(self, row):
        game = Game.new(OneSideAfterTheOther(), row, [fighter("A1", "red", 0), fighter("C1", "green", 3)])
        with pytest.raises(IllegalOrder, match="C1 cannot act in red moves"):
            game.foresee("C1 walk: right 1")

    def test_before_the_beginning_and_after_the_end_nobody_can_act(self, row):
        game = Game.new(duel_ruleset.RULESET, row, [fighter("A1", "red", 0)], begin=False)
        with pytest.raises(IllegalOrder, match="the game has not begun"):
            game.foresee("A1 walk: right 1")


def test_it_tells_itself(beside):
    told = str(beside.foresee("A1 walk: left 2")).splitlines()
    assert told[-4:-1] == [
        "2 AP  in all",
        "may be interrupted by B1: strike (strike or feint) at 2,0 (DU-3)",
        "may be interrupted by B1: lunge at 2,0 (DU-6), if B1: strike at 2,0 (DU-3), A1: dodge (DU-5)",
    ]


@pytest.mark.parametrize("seed", range(40))
def test_on_random_tables_what_is_foretold_is_what_is_played(seed):
    """Whatever can be ordered: foretold, then played by somebody who hopes alike, event for event and line for line."""
    random = np.random.default_rng(seed)
    columns = random.permutation(10)[:4].tolist()
    names = [("A1", "red"), ("B1", "blue"), ("A2", "red"), ("B2", "blue")]
    units = [fighter(name, side, column, nerve=1) for (name, side), column in zip(names, columns, strict=True)]
    row = SquareGrid.from_text(" ".join(random.choice([".", ","], 10)))
    game = Game.new(duel_ruleset.RULESET, row, units, answers=DiceBag.of(seed))
    steps = [f"{way} {length}" for way in ("left", "right") for length in (1, 2)]
    for name, _ in names:
        for what in (*(f"walk: {step}" for step in steps), "strike A1", "strike B2", "pray"):
            try:
                foreseen = game.foresee(f"{name} {what}")
            except IllegalOrder as error:
                assert error.breaches
                continue
            twin = Game(game.setting, foreseen.before, Hopeful())
            happened = twin.do(f"{name} {what}")
            assert foreseen.happened == (happened,)
            asked = [entry.question for entry in happened.answered if isinstance(entry.question, React)]
            hoped = [found for found in foreseen.interruptions if not found.after]
            assert len(hoped) == sum(question.who != name for question in asked)
            assert not foreseen.not_now or name != "A1"
