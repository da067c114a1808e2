"""Answerers: seeded dice, a script, a policy, a person, or several of them in turn.

An answerer receives a question and its moment, and returns an answer, or None to pass it on. All of them are values
without memory. A script finds its next answer by counting, so branching, taking back and running an action again need
no special treatment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any, Protocol, TextIO, runtime_checkable

from simulator.engine.dice import Dice, SeededDice
from simulator.engine.errors import LeftoverAnswers, MissingAnswer, WrongAnswer
from simulator.engine.questions import LET_PASS, Choose, Question, React, Roll
from simulator.engine.table import Table
from simulator.engine.values import Value, freeze, from_text, show
from simulator.errors import WrongValue, shortened
from simulator.wording import measure


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, who gave it, and the faces of dice."""

    value: Value
    by: str = ""
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Occasion:
    """The moment of a question: the current table, and the earlier questions of the current order."""

    table: Table[Any]
    asked: tuple[Question, ...] = ()

    @property
    def rolls(self) -> int:
        """The number of rolls in the game before this question."""
        return self.table.state.rolls + sum(isinstance(question, Roll) for question in self.asked)

    @property
    def choices(self) -> int:
        """The number of choices and reactions in the game before this question."""
        return self.table.state.choices + sum(not isinstance(question, Roll) for question in self.asked)


@runtime_checkable
class Answerer(Protocol):
    """A source of answers."""

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return an answer, or None to leave it to another answerer."""


def answerer_given(answers: Any) -> Answerer | None:
    """Return what answers the questions of a game, or None; raise WrongValue for anything else."""
    if answers is None or isinstance(answers, Answerer):
        return answers
    example = "an answerer, such as DiceBag.of(7) or Script([...])"
    raise WrongValue(f"the answers of a game come from {example}, not {shortened(answers)}")


@dataclass(frozen=True, slots=True)
class DiceBag:
    """Answers rolls with seeded dice."""

    dice: SeededDice

    @classmethod
    def of(cls, seed: int | str) -> DiceBag:
        """Fill a bag with the dice of a seed."""
        return cls(SeededDice(seed))

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Roll, if the question is a roll."""
        if not isinstance(question, Roll):
            return None
        if question.dice:
            dice = Dice.of(question.dice)
            faces = self.dice.faces(moment.rolls, dice)
            return Answer(dice.result(faces), "dice", faces)
        return Answer(self._drawn(question.chances.items(), moment.rolls), "dice")

    def _drawn(self, chances: Iterable[tuple[Any, Fraction]], roll: int) -> Any:
        pairs = list(chances)
        whole = lcm(*(chance.denominator for _, chance in pairs))
        number = self.dice.below(whole, roll)
        for result, chance in pairs:
            number -= int(chance * whole)
            if number < 0:
                return result
        raise AssertionError("the chances of a roll add up to 1")


@dataclass(frozen=True, slots=True)
class Script:
    """Answers with prepared results, used in turn.

    With `for_game` it counts from the first roll (or choice) of the game, else from the first of the current order.
    A script that is used up is an error, unless it is `open_ended`: then it leaves questions to other answerers.
    """

    answers: tuple[Any, ...]
    kinds: tuple[type, ...] = (Roll, Choose, React)
    for_game: bool = False
    open_ended: bool = False
    #: How many questions of the current order came before the script.
    skip: int = 0
    name: str = "script"

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", tuple(self.answers))
        if self.for_game and Roll in self.kinds and len(self.kinds) > 1:
            raise ValueError("a script for the whole game answers either rolls or choices")

    @classmethod
    def dice(cls, results: Iterable[Any], **more: Any) -> Script:
        """Make a script of the results of all rolls of a game."""
        return cls(tuple(results), (Roll,), for_game=True, name="dice script", **more)

    @classmethod
    def choices(cls, answers: Iterable[Any], **more: Any) -> Script:
        """Make a script of all choices and reactions of a game."""
        return cls(tuple(answers), (Choose, React), for_game=True, name="choice script", **more)

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the next result, if the script is for this kind of question."""
        if not isinstance(question, self.kinds) or len(moment.asked) < self.skip:
            return None
        number = self._used(moment)
        if number < len(self.answers):
            return Answer(freeze(self.answers[number]), self.name)
        if self.open_ended:
            return None
        count = measure(len(self.answers), "answer")
        raise MissingAnswer(f"the {self.name} has {count}, all used; no answer is left for: {question}")

    def check_leftover(self, moment: Occasion) -> None:
        """Raise LeftoverAnswers if part of the script is still unused at this moment."""
        used = self._used(moment)
        if used < len(self.answers):
            left = ", ".join(show(freeze(answer)) for answer in self.answers[used:])
            questions = "; ".join(str(question) for question in moment.asked if isinstance(question, self.kinds))
            message = f"the questions were: {questions}" if questions else "no question was asked"
            raise LeftoverAnswers(f"the {self.name} has unused answers: {left}; {message}")

    def _used(self, moment: Occasion) -> int:
        if self.for_game:
            return moment.rolls if Roll in self.kinds else moment.choices
        return sum(isinstance(question, self.kinds) for question in moment.asked[self.skip :])


@dataclass(frozen=True, slots=True)
class Policy:
    """Decides by rule: react "always" (the first way), "never", by "default", or by a function.

    Choices are made by "default", by the "first" option, or by a function. The first of a range is its first sample:
    the lowest number unless the rule names another, the earliest moment on a leg, the first marked spot or a middle. A
    function receives the question and the moment, and returns the answer. None in place of a rule leaves such questions
    to other answerers.
    """

    reactions: str | Callable[[React, Occasion], Any] | None = "default"
    choices: str | Callable[[Choose, Occasion], Any] | None = "default"

    def __post_init__(self) -> None:
        for name, known in (("reactions", ("always", "never", "default")), ("choices", ("first", "default"))):
            rule = getattr(self, name)
            if isinstance(rule, str) and rule not in known:
                raise ValueError(f"{name}: {' or '.join(known)} or a function, not {rule!r}")

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Decide, if the question is a choice or a reaction."""
        if isinstance(question, React):
            return self._reaction(question, moment)
        if isinstance(question, Choose):
            return self._choice(question, moment)
        return None

    def _reaction(self, question: React, moment: Occasion) -> Answer | None:
        rule = self.reactions
        if rule is None:
            return None
        if callable(rule):
            return Answer(freeze(rule(question, moment)), "policy")
        by_rule = {"always": question.samples[0], "never": LET_PASS, "default": question.default}
        return Answer(by_rule[rule], "policy")

    def _choice(self, question: Choose, moment: Occasion) -> Answer | None:
        rule = self.choices
        if rule is None:
            return None
        if callable(rule):
            return Answer(freeze(rule(question, moment)), "policy")
        value = question.samples[0] if rule == "first" else question.default
        return None if value is None else Answer(value, "policy")


class Listener(Protocol):
    """Where a person reads the questions: a stream or something like one."""

    def write(self, text: str, /) -> Any:
        """Write a part of a text."""

    def flush(self) -> Any:
        """Make the text visible."""


@dataclass(frozen=True, slots=True)
class Person:
    """Asks a person at a terminal. An empty line takes the default, lets pass, or leaves a roll to the dice."""

    #: Where the typed lines are read.
    said: TextIO
    screen: Listener
    name: str = "person"
    #: Whether the person answers rolls too, with real dice.
    rolls: bool = field(default=False)

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Ask until there is an answer; raise MissingAnswer at the end of the input."""
        del moment  # a person needs only the question
        if isinstance(question, Roll) and not self.rolls:
            return None
        self.screen.write(self._prompt(question))
        while True:
            self.screen.write("> ")
            self.screen.flush()
            line = self.said.readline()
            if not line:
                raise MissingAnswer(f"the input ended without an answer to: {question}")
            words = line.strip()
            if not words:
                if isinstance(question, Roll):
                    return None
                if isinstance(question, React) or question.default is not None:
                    return Answer(question.default, self.name)
            try:
                return Answer(self._understood(question, words), self.name)
            except WrongAnswer as error:
                self.screen.write(f"{error}\n")

    @staticmethod
    def _prompt(question: Question) -> str:
        if isinstance(question, Roll):
            needs = f", needs {show(question.needed)} or {'less' if question.at_most else 'more'}"
            return f"{question}: {question.dice}{'' if question.needed is None else needs}; the result?\n"
        lines = [f"{question}"]
        # A typed number is the answer if the question expects numbers, else the number of an option.
        numbers = [" "] * len(question.options) if question.ranges else range(1, len(question.options) + 1)
        lines += [f"  {number}  {show(option)}" for number, option in zip(numbers, question.options, strict=True)]
        otherwise = "an empty line: lets pass" if isinstance(question, React) and question.default is None else ""
        if question.default is not None:
            otherwise = f"an empty line: {show(question.default)}"
        return "\n".join(filter(None, [*lines, f"  {otherwise}" if otherwise else ""])) + "\n"

    @staticmethod
    def _understood(question: Question, words: str) -> Value:
        if isinstance(question, Roll):
            try:
                return question.check(from_text(words))
            except ValueError:
                raise WrongAnswer(f"{words!r} is not a result of {question.dice or 'this roll'}") from None
        found = question.meant(words)
        is_number = words.isascii() and words.isdigit() and len(words) < 10
        if found == words and not question.ranges and is_number and 1 <= int(words) <= len(question.options):
            return question.options[int(words) - 1]  # type: ignore[no-any-return]
        return question.check(found)


@dataclass(frozen=True, slots=True)
class InTurn:
    """Asks several answerers in turn; the first answer counts."""

    answerers: tuple[Answerer, ...]

    def __init__(self, answerers: Sequence[Answerer | None]) -> None:
        object.__setattr__(self, "answerers", tuple(answerer for answerer in answerers if answerer is not None))

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the first answer, or None if no answerer has one."""
        for answerer in self.answerers:
            found = answerer.answer(question, moment)
            if found is not None:
                return found
        return None
