"""The answerers of a scenario: an order's own answers, rules for each kind of question, dice.

They are values without memory, like all answerers (see `simulator.engine.answers`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from simulator.engine.answers import Answer, Answerer, DiceBag, Occasion, Script
from simulator.engine.errors import WrongAnswer
from simulator.engine.questions import LET_PASS, Choose, Question, React, Roll
from simulator.engine.values import Fields, Value
from simulator.formats.scenario_values import understood

#: The words that answer a kind of question, and the kinds of questions that they apply to.
REACTION_WORDS = ("always", "never", "default")
CHOICE_WORDS = ("first", "default")
ROLL_WORDS = ("lowest", "highest", "likeliest")


class GivenAnswers(Script):
    """The answers listed with an order, in turn, in the words of a scenario."""

    __slots__ = ()

    @classmethod
    def of(cls, answers: tuple[Value, ...]) -> GivenAnswers:
        """Return an answerer with the answers of an order."""
        return cls(answers, open_ended=True, name="scenario")

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the next answer, converted to a value of the question."""
        found = super().answer(question, moment)
        return found and replace(found, value=understood(question, found.value))


@dataclass(frozen=True, slots=True)
class ByKind:
    """Answers by rules, one for each kind of question: `strike: never`, `B1 dodge: always`, `reactions: never`.

    The rule for a unit's question comes before that for the question, and this before that for its whole sort. A rule
    that names one of the `units` does not apply where that unit cannot be chosen.
    """

    rules: Fields
    units: frozenset[str] = frozenset()

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Answer by the first rule that applies."""
        del moment  # a rule does not look at the table
        sort = {Roll: "rolls", Choose: "choices", React: "reactions"}[type(question)]
        for name in (f"{question.who} {question.what}", question.what, sort):
            if name in self.rules:
                found = self._by(self.rules[name], question)
                if found is None or self.rules[name] not in self.units or _can_be(question, found.value):
                    return found
        return None

    @staticmethod
    def _by(rule: Value, question: Question) -> Answer | None:
        if isinstance(question, Roll) and rule in ROLL_WORDS:
            return Answer(_rolled(question, str(rule)), "policy")
        if isinstance(question, React) and rule in REACTION_WORDS:
            ways = {"always": question.samples[0], "never": LET_PASS, "default": question.default}
            return Answer(ways[str(rule)], "policy")
        if isinstance(question, Choose) and rule in CHOICE_WORDS:
            value = question.samples[0] if rule == "first" else question.default
            return None if value is None else Answer(value, "policy")
        return Answer(understood(question, rule), "policy")


def _can_be(question: Question, value: Value) -> bool:
    """Whether a value is a possible answer to a question."""
    try:
        question.check(value)
    except WrongAnswer:
        return False
    return True


@dataclass(frozen=True, slots=True)
class LoggedAnswers:
    """The answers of a log, to play the same game again from its beginning."""

    rolls: tuple[Answer, ...]
    choices: tuple[Answer, ...]

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the answer recorded in the log."""
        listed, number = (self.rolls, moment.rolls) if isinstance(question, Roll) else (self.choices, moment.choices)
        return listed[number] if number < len(listed) else None


@dataclass(frozen=True, slots=True)
class OnlyAnswer:
    """Answers one question of the current order, and no others."""

    number: int
    given: Answer

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the answer, if this is its question."""
        del question  # identified by its number
        return self.given if len(moment.asked) == self.number else None


def _rolled(roll: Roll, rule: str) -> Value:
    results = list(roll.chances)
    if rule == "likeliest":
        return max(results, key=lambda result: roll.chances[result])  # type: ignore[no-any-return]
    return results[0 if rule == "lowest" else -1]  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class DiceSource:
    """The source of the results of rolls: first the results, then the seed, then the policy."""

    results: tuple[Value, ...] = ()
    seed: int | str | None = None
    policy: str | None = None

    def answerers(self) -> list[Answerer]:
        """Return the answerers of rolls, in order of precedence."""
        found: list[Answerer] = []
        if self.results:
            others = self.seed is not None or self.policy is not None
            found.append(Script.dice(self.results, open_ended=others))
        if self.seed is not None:
            found.append(DiceBag.of(self.seed))
        if self.policy is not None:
            found.append(ByKind(Fields({"rolls": self.policy})))
        return found
