"""Mistakes that authors of rulebooks make: each is reported with what would be right."""

import duel_ruleset
import pytest

from simulator.engine.clauses import clause
from simulator.engine.declared import QuestionForm
from simulator.engine.errors import Breach, FaultyRule
from simulator.engine.events import Event, change_unit
from simulator.engine.game import Game
from simulator.engine.orders import ActionForm, Vocabulary
from simulator.engine.questions import Choose, React
from simulator.geometry.squares import SquareGrid


def game_of(**parts):
    ruleset = type("Changed", (duel_ruleset.DuelRuleset,), parts)()
    fighters = [duel_ruleset.fighter("A1", "red", 0), duel_ruleset.fighter("B1", "blue", 3)]
    return Game.new(ruleset, SquareGrid.from_text(". . , . . . . ."), fighters)


def played(pray, **parts):
    """What an order raises whose action is this one; nothing has changed then. If it raises nothing: no fault."""
    actions = {**duel_ruleset.DuelRuleset.actions, "pray": pray}
    game = game_of(actions=actions, **parts)
    before = game.state
    try:
        game.do("A1 pray")
    except FaultyRule as error:
        assert game.state is before
        return str(error)
    return "no fault"


class TestActions:
    @pytest.mark.parametrize("returned", [None, [], [Event("prays", "A1")]])
    def test_an_action_that_is_no_generator(self, returned):
        message = played(lambda *_: returned)
        start = "duel: the action pray is not a generator: it yields events and questions, and returned "
        assert message == start + repr(returned)

    def test_a_single_change_that_is_no_list(self):
        def pray(table, order):
            yield Event("prays", order.unit, change_unit(order.unit, nerve=3), "DU-9")

        assert played(pray) == "the changes of 'prays' are a list, even of one: [change_unit(...)]"

    def test_a_field_that_the_type_does_not_have(self):
        def pray(table, order):
            yield Event("prays", order.unit, [change_unit(order.unit, nerves=3)], "DU-9")

        assert played(pray).endswith(
            "cannot be applied: a fighter has no field 'nerves'; "
            "did you mean 'nerve'? (known: ap, health, shield, nerve)"
        )

    def test_an_event_that_complete_phrases_do_not_have(self):
        def pray(table, order):
            yield Event("pryas", order.unit, clause="DU-9")

        assert played(pray) == "no fault", "without a declaration"
        phrases = {"prays": "prays", "rests": "rests"}
        assert played(pray, phrases=phrases, phrases_complete=True) == (
            "the event 'A1 pryas (DU-9)': duel declares no event 'pryas' in its phrases; did you mean 'prays'? "
            "(known: prays, rests, turn, phase, go begins, go ends, go rests, go on, done, side, over)"
        )

    @pytest.mark.parametrize(
        ("asked", "fault"),
        [
            (React("dogde", who="A1", options=("dodge",)), "duel declares no question 'dogde'; did you mean 'dodge'? "),
            (Choose("dodge", who="A1", options=(1, 2)), "duel declares the question 'dodge' as a reaction: it is none"),
            (React("dodge", who="A1", options=("dodge",)), "no fault"),
            (React("hit by B1", who="A1", options=("dodge",)), "no fault"),
        ],
    )
    def test_a_question_that_is_not_declared(self, asked, fault):
        def pray(table, order):
            yield asked

        forms = {"dodge": QuestionForm(React, "whether it dodges"), "hit by {unit}": QuestionForm(React, "")}
        assert played(pray, questions=forms).startswith(fault)

    def test_a_figure_that_there_is_not(self):
        def pray(table, order):
            yield Event("prays", order.unit, [change_unit(order.unit, ap=table.tables["ap.each_trun"])], "DU-9")

        assert played(pray) == (
            "there is no figure 'ap.each_trun'; did you mean 'ap.each_turn'? (known: ap.each_turn, names.knight)"
        )

    def test_a_phrase_that_names_what_the_detail_does_not(self):
        event = Event("prays", "A1", clause="DU-9", detail={"to": "joan"}, phrase="prays to {saint}")
        with pytest.raises(FaultyRule) as error:
            str(event)
        assert str(error.value) == (
            "the phrase of 'prays', 'prays to {saint}', names 'saint'; its detail knows: unit, place, to"
        )


class TestJudge:
    @pytest.mark.parametrize(("returned", "shown"), [(None, "None"), (Breach("DU-1", "no"), "Breach(")])
    def test_a_judge_that_lists_nothing(self, returned, shown):
        game = game_of(breaches=lambda *_: returned)
        with pytest.raises(FaultyRule) as error:
            game.do("A1 pray")
        start = "duel: `breaches` yields or lists each Breach, none for a legal order, not "
        assert str(error.value).startswith(start + shown)

    def test_a_judge_that_lists_something_else(self):
        game = game_of(breaches=lambda *_: ["too far"])
        for ask in (game.do, game.breaches):
            with pytest.raises(FaultyRule, match=r"^duel: `breaches` yields or lists each Breach, not 'too far'$"):
                ask("A1 pray")


class TestDeclarations:
    @pytest.mark.parametrize("question", [Choose, React])
    def test_options_that_are_one_word(self, question):
        with pytest.raises(ValueError, match=r"^hail: options are a list, even of one: \['hail'\]$"):
            question("hail", who="A1", options="hail")

    def test_a_rule_that_is_tied_to_nothing(self):
        with pytest.raises(ValueError, match="a rule is tied to a clause at least"):
            clause()
        with pytest.raises(ValueError, match=r"is not a clause id: a rule is tied as in @clause\('GR-26'\)$"):

            @clause
            def rule(): ...

    def test_names_that_a_vocabulary_does_not_declare(self):
        with pytest.raises(KeyError, match="run: no element is declared as 'stp'; none is known"):
            Vocabulary(actions=[ActionForm("run", elements=("stp",))])
        with pytest.raises(KeyError, match="default: no action is declared as 'rum'; did you mean 'run'"):
            Vocabulary(actions=[ActionForm("run")], default="rum")
