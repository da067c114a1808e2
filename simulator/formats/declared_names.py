"""Names in a scenario of what the rules write and ask: the kinds of events and the questions that a rulebook declares.

A name that no rule ever writes or asks could never be seen: it is reported, with the nearest one that could.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.declared import UNIT, blanks_of, event_kinds, form_named, names_of
from simulator.engine.questions import Choose, React, Roll
from simulator.engine.ruleset import Ruleset
from simulator.formats.faults import got, no_such
from simulator.formats.scenario_answers import CHOICE_WORDS, REACTION_WORDS, ROLL_WORDS

#: For the kinds of answers that apply to all questions of a sort: the words allowed.
WORDS_OF_SORTS = {"reactions": REACTION_WORDS, "choices": CHOICE_WORDS, "rolls": ROLL_WORDS}
_WORDS = {React: REACTION_WORDS, Choose: CHOICE_WORDS, Roll: ROLL_WORDS}


@dataclass(frozen=True)
class DeclaredNames:
    """The names that a rulebook declares, for the units and sides of one scenario."""

    ruleset: Ruleset[Any, Any]
    #: None if those of the file are not known.
    units: Collection[str] | None
    sides: Collection[str]

    def event_fault(self, kind: str) -> str:
        """Report a kind of event that no rule writes; "" for any other."""
        known = event_kinds(self.ruleset)
        return no_such(kind, known, f"kind of event of {self.ruleset.name}") if known and kind not in known else ""

    def question_fault(self, name: str) -> str:
        """Report the name of a question that no rule asks; "" for any other."""
        forms = self.ruleset.questions
        if not forms:
            return ""
        declared = form_named(name, forms)
        if declared is None:
            return self._no_question(name)
        for blank, text in blanks_of(declared, name).items():
            words = self.units if blank == UNIT else forms[declared].words_of(blank, self.ruleset.tables)
            if words is not None and text not in words:
                return no_such(text, words, blank)
        return ""

    def who_fault(self, who: str, question: str | None) -> str:
        """Report somebody whom no rule can ask, or not that question; "" for anybody else."""
        forms = self.ruleset.questions
        if not forms or self.units is None:
            return ""
        declared = None if question is None else form_named(question, forms)
        asked = {form.who for name, form in forms.items() if declared in (None, name)}
        known = [name for one in sorted(asked) for name in self._names_of(one)]
        return "" if who in known else no_such(who, known, "unit" if asked == {UNIT} else "word for who is asked")

    def answer_faults(self, name: str, answer: Any) -> Iterator[str]:
        """Yield what is wrong with a rule for answers: the name of its question, or a word of another sort."""
        if name in WORDS_OF_SORTS or not self.ruleset.questions:
            return
        who, what = self._parts(name)
        fault = self.question_fault(what) or (self.who_fault(who, what) if who else "")
        if fault:
            yield fault
            return
        sort = self.ruleset.questions[form_named(what, self.ruleset.questions) or ""].sort
        words = _WORDS[sort]
        of_others = {word for one in _WORDS.values() for word in one} - {*words}
        if answer in of_others and answer not in (self.units or ()):
            yield f"expected {', '.join(words)} or one of its answers {got(answer)}"

    def _parts(self, name: str) -> tuple[str, str]:
        """Split the name of a rule into who is asked, "" for anybody, and the question."""
        first, _, rest = name.partition(" ")
        forms = self.ruleset.questions
        if not rest or form_named(name, forms) is not None:
            return "", name
        known = [one for form in forms.values() for one in self._names_of(form.who)]
        is_who = first in known or form_named(rest, forms) is not None
        # `B7 fire` names somebody unknown, `attack wiht rifle` nobody: the latter is near to a question as a whole.
        return (first, rest) if is_who else ("", name)

    def _names_of(self, who: str) -> Collection[str]:
        return (self.units or ()) if who == UNIT else self.sides if who == "side" else (who,)

    def _no_question(self, name: str) -> str:
        names = names_of(self.ruleset.questions, self.ruleset.tables, self.units or ())
        return no_such(name, names, f"question of {self.ruleset.name}")


def sort_fault(answers: Mapping[str, Any], sort: str) -> str:
    """Report the answer to all questions of a sort, such as reactions, if it is no word for it; "" if it is."""
    words, value = WORDS_OF_SORTS[sort], answers[sort]
    if value in words:
        return ""
    return no_such(value, words) if isinstance(value, str) else f"expected {' or '.join(words)} {got(value)}"
