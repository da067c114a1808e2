"""Who answers: seeded dice, a script, a policy, a person, or several of them one after the other.

An answerer is asked with a question and the moment, and gives an answer or None: "ask somebody else". All of them are
values without memory. A script knows by counting which of its answers comes next, so branching, taking back and
running an action again need no care.
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


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, who gave it, and for dice what each of them showed."""

    value: Value
    by: str = ""
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Occasion:
    """When something is asked: the table as it is, and what the order in hand has asked so far."""

    table: Table[Any]
    asked: tuple[Question, ...] = ()

    @property
    def rolls(self) -> int:
        """How many rolls the game has made before this question."""
        return self.table.state.rolls + sum(isinstance(question, Roll) for question in self.asked)

    @property
    def choices(self) -> int:
        """How many choices and reactions the game has asked for before this question."""
        return self.table.state.choices + sum(not isinstance(question, Roll) for question in self.asked)


@runtime_checkable
class Answerer(Protocol):
    """Somebody who may answer."""

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return an answer, or None to leave it to somebody else."""


@dataclass(frozen=True, slots=True)
class DiceBag:
    """Answers rolls with seeded dice."""

    dice: SeededDice

    @classmethod
    def of(cls, seed: int | str) -> DiceBag:
        """Fill a bag with the dice of a seed."""
        return cls(SeededDice(seed))

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Roll, if it is a roll that is asked for."""
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
    """Answers with results written down beforehand, used in turn.

    `for_game` counts from the first roll (or choice) of the game on, else from the first of the order in hand.
    A script that is used up is an error, unless it is `open_ended`: then others are asked.
    """

    answers: tuple[Any, ...]
    kinds: tuple[type, ...] = (Roll, Choose, React)
    for_game: bool = False
    open_ended: bool = False
    #: How many questions of the order in hand came before the script.
    skip: int = 0
    name: str = "script"

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", tuple(self.answers))
        if self.for_game and Roll in self.kinds and len(self.kinds) > 1:
            raise ValueError("a script for the whole game answers either rolls or choices")

    @classmethod
    def dice(cls, results: Iterable[Any], **more: Any) -> Script:
        """Write down the results of all rolls of a game."""
        return cls(tuple(results), (Roll,), for_game=True, name="dice script", **more)

    @classmethod
    def choices(cls, answers: Iterable[Any], **more: Any) -> Script:
        """Write down all choices and reactions of a game."""
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
        raise MissingAnswer(f"the {self.name} has {len(self.answers)} answers, all used; asked was: {question}")

    def check_leftover(self, moment: Occasion) -> None:
        """Raise LeftoverAnswers if some of the script is still unused at this moment."""
        used = self._used(moment)
        if used < len(self.answers):
            left = ", ".join(show(freeze(answer)) for answer in self.answers[used:])
            asked = "; ".join(str(question) for question in moment.asked if isinstance(question, self.kinds))
            message = f"asked was: {asked}" if asked else "nothing was asked"
            raise LeftoverAnswers(f"the {self.name} holds answers nobody asked for: {left}; {message}")

    def _used(self, moment: Occasion) -> int:
        if self.for_game:
            return moment.rolls if Roll in self.kinds else moment.choices
        return sum(isinstance(question, self.kinds) for question in moment.asked[self.skip :])


@dataclass(frozen=True, slots=True)
class Policy:
    """Decides by rule: react "always" (the first way), "never", by "default", or as a function says.

    Choices go by "default", by the "first" option, or as a function says. Of a range the first is its first sample: the
    lowest number unless the rule names another, the earliest moment on a leg, the first marked spot or a middle. A
    function is given the question and the moment; what it returns is the answer. None in place of a rule leaves those
    questions to others.
    """

    reactions: str | Callable[[React, Occasion], Any] | None = "default"
    choices: str | Callable[[Choose, Occasion], Any] | None = "default"

    def __post_init__(self) -> None:
        for name, known in (("reactions", ("always", "never", "default")), ("choices", ("first", "default"))):
            rule = getattr(self, name)
            if isinstance(rule, str) and rule not in known:
                raise ValueError(f"{name}: {' or '.join(known)} or a function, not {rule!r}")

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Decide, if it is something to decide."""
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
    """Where a person reads what is asked: a stream, or what stands for one."""

    def write(self, text: str, /) -> Any:
        """Return a part of a text."""

    def flush(self) -> Any:
        """Make sure that it is seen."""


@dataclass(frozen=True, slots=True)
class Person:
    """Asks a person at a terminal. An empty line takes the default, lets pass, or leaves the dice to others."""

    said: TextIO
    screen: Listener
    name: str = "person"
    #: Whether rolls are asked for too, for those who roll real dice.
    rolls: bool = field(default=False)

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Ask until there is an answer; raises MissingAnswer at the end of the input."""
        del moment  # what a person needs to know stands in the question
        if isinstance(question, Roll) and not self.rolls:
            return None
        self.screen.write(self._prompt(question))
        while True:
            self.screen.write("> ")
            self.screen.flush()
            line = self.said.readline()
            if not line:
                raise MissingAnswer(f"nobody is there to answer: {question}")
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
        # A number that is typed is an answer where numbers are wanted, else it is that of an option.
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
                raise WrongAnswer(f"{words!r} is no result of {question.dice or 'this roll'}") from None
        found = question.meant(words)
        is_number = words.isascii() and words.isdigit() and len(words) < 10
        if found == words and not question.ranges and is_number and 1 <= int(words) <= len(question.options):
            return question.options[int(words) - 1]  # type: ignore[no-any-return]
        return question.check(found)


@dataclass(frozen=True, slots=True)
class InTurn:
    """Asks several answerers in turn; the first who answers counts."""

    answerers: tuple[Answerer, ...]

    def __init__(self, answerers: Sequence[Answerer | None]) -> None:
        object.__setattr__(self, "answerers", tuple(answerer for answerer in answerers if answerer is not None))

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the first answer, or None where nobody has one."""
        for answerer in self.answerers:
            found = answerer.answer(question, moment)
            if found is not None:
                return found
        return None
