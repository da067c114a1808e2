"""Questions of rules: a `Roll` of dice, a `Choose` between options, a `React` for somebody who may interrupt.

A question is plain data. It knows which answers it allows, so the error for a wrong answer lists the valid ones.
Answers that cannot be listed, such as headings, spots or moments of a move, are ranges among the options (see
`ranges`).

>>> roll = Roll("terrain roll", who="A1", dice="D10", target=6, modifiers=[("crouching", -1)], at_most=True)
>>> roll.needed, roll.passes(6), roll.chance
(5, False, Fraction(1, 2))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias

from simulator.engine.dice import Dice
from simulator.engine.errors import WrongAnswer
from simulator.engine.ranges import AnswerRange, chosen, offered, samples_of, to_data
from simulator.engine.values import Fields, Number, Value, freeze, is_same, show
from simulator.geometry.poses import place_text

#: The answer of a player who may interrupt and does not.
LET_PASS = None


def _set(thing: object, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(thing, name, value)


@dataclass(frozen=True, kw_only=True)
class _QuestionBase:
    """The common part of questions: the subject, who answers, the clause, and the place."""

    kind: ClassVar[str]
    what: str = field(kw_only=False)
    who: str = ""
    clause: str = ""
    place: tuple[Any, ...] | None = None
    #: Whatever else helps to decide: the attack that provokes the reaction, the ground crossed.
    detail: Mapping[str, Any] = field(default_factory=Fields)

    def __post_init__(self) -> None:
        place = freeze(self.place)
        if place is not None and not isinstance(place, tuple):
            raise TypeError(f"a place is a tuple, not {place!r}")
        _set(self, place=place, detail=Fields(self.detail))

    def _common(self) -> dict[str, Any]:
        known: dict[str, Any] = {"ask": self.kind, "what": self.what, "who": self.who, "clause": self.clause}
        if self.place is not None:
            known["place"] = self.place
        if self.detail:
            known["detail"] = self.detail
        return known

    def place_of(self, answer: Any) -> tuple[Any, ...] | None:
        """Return the place of an answer: that of the question, unless the answer chooses another."""
        del answer
        return self.place

    def __str__(self) -> str:
        who = f"{self.who}: " if self.who else ""
        where = f" at {show(self.place)}" if self.place is not None else ""
        clause = f" ({self.clause})" if self.clause else ""
        return f"{who}{self.what}{where}{clause}"


@dataclass(frozen=True, kw_only=True)
class Roll(_QuestionBase):
    """A roll of dice. The answer is its result: the sum, or the hits of a pool.

    `dice` is an expression (see `Dice.of`). If the rules leave the dice to the players, use `outcomes`: pairs of
    a result and its chance, which add up to 1. With a `target` the roll is a test: the result has to reach the target
    plus the modifiers, or with `at_most` must not exceed them.
    """

    kind: ClassVar[str] = "roll"
    dice: str = ""
    outcomes: Any = ()
    target: Number | None = None
    modifiers: Sequence[tuple[str, Number]] = ()
    at_most: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs = self.outcomes.items() if isinstance(self.outcomes, Mapping) else self.outcomes
        outcomes = tuple((freeze(result), Fraction(chance)) for result, chance in pairs)
        modifiers = tuple((str(name), freeze(number)) for name, number in self.modifiers)
        _set(self, outcomes=outcomes, modifiers=modifiers, target=freeze(self.target))
        if bool(self.dice) == bool(outcomes):
            raise ValueError(f"{self.what}: expected either dice or outcomes")
        if outcomes and (sum(chance for _, chance in outcomes) != 1 or any(chance < 0 for _, chance in outcomes)):
            raise ValueError(f"{self.what}: the chances of outcomes must add up to 1, and none may be below 0")
        if self.dice:
            _set(self, dice=str(Dice.of(self.dice)))

    @cached_property
    def chances(self) -> Mapping[Any, Fraction]:
        """Every possible result, with its chance."""
        if self.dice:
            return Dice.of(self.dice).chances
        return MappingProxyType(dict(self.outcomes))

    @property
    def needed(self) -> Any:
        """The target with all modifiers, or None if the roll is not a test."""
        return None if self.target is None else self.target + sum(number for _, number in self.modifiers)

    def passes(self, result: Any) -> bool:
        """Whether a result passes the test."""
        if self.target is None:
            raise ValueError(f"{self.what} is not a test: it has no target")
        return bool(result <= self.needed if self.at_most else result >= self.needed)

    @property
    def chance(self) -> Fraction:
        """The chance of passing the test."""
        return sum((chance for result, chance in self.chances.items() if self.passes(result)), Fraction(0))

    def check(self, answer: Any) -> Value:
        """Return the answer in its plain form; raise WrongAnswer with the possible results."""
        return _one_of(self, answer, self.chances)

    def meant(self, raw: Any) -> Any:
        """Return the result that a word or number means; return it unchanged if it means none."""
        return _meant(self.chances, raw)

    def says(self, answer: Any) -> str:
        """Describe an answer: `9, needs 11 or more: failed`."""
        if self.target is None:
            return show(answer)
        needs = f"needs {show(self.needed)} or {'less' if self.at_most else 'more'}"
        return f"{show(answer)}, {needs}: {'passed' if self.passes(answer) else 'failed'}"

    def to_fields(self) -> Fields:
        """Return the question as plain data."""
        known = self._common()
        if self.dice:
            known["dice"] = self.dice
        else:
            known["outcomes"] = self.outcomes
        if self.target is not None:
            known.update(target=self.target, at_most=self.at_most)
        if self.modifiers:
            known["modifiers"] = self.modifiers
        return Fields(known)


@dataclass(frozen=True, kw_only=True)
class _Decision(_QuestionBase):
    """The common part of choices and reactions: options, listed or as ranges, and the default."""

    #: Each a value, or a range such as `Within`, `Along` and `SpotIn`.
    options: Sequence[Any] = ()
    default: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.options, str):
            raise ValueError(f"{self.what}: options are a list, even of one: [{self.options!r}]")
        options = offered(self.options)
        _set(self, options=options, default=freeze(self.default))
        if self.place is None:
            known = (one.first_place for one in self.ranges)
            _set(self, place=freeze(next((place for place in known if place is not None), None)))
        if not options or None in options:
            raise ValueError(f"{self.what}: expected at least one option, and none that is None")
        if self.default is not None:
            try:
                _set(self, default=chosen(options, self.default))
            except ValueError:
                raise ValueError(f"{self.what}: the default {show(self.default)} is not among the options") from None

    @cached_property
    def samples(self) -> tuple[Value, ...]:
        """Answers that represent all: every listed value, and the samples of ranges."""
        return samples_of(self.options)

    @property
    def ranges(self) -> tuple[AnswerRange, ...]:
        """The ranges among the options."""
        return tuple(option for option in self.options if isinstance(option, AnswerRange))

    def meant(self, raw: Any) -> Any:
        """Return the answer that a word or number means; return it unchanged if it means none.

        >>> from simulator.engine.ranges import Within
        >>> Choose("stance", options=("Prone", 2)).meant("prone"), Choose("turn", options=[Within(0, 9)]).meant("4.5")
        ('Prone', Fraction(9, 2))
        """
        return _meant(self.options, raw)

    def place_of(self, answer: Any) -> tuple[Any, ...] | None:
        """Return the place chosen by an answer, such as one on a leg; else that of the question."""
        return self._chosen_place(answer) or self.place

    def _chosen_place(self, answer: Any) -> tuple[Any, ...] | None:
        return next((one.place_of(answer) for one in self.ranges if one.fits(answer)), None)

    def says(self, answer: Any) -> str:
        """Describe an answer; for one along a leg with a path include the place."""
        place = self._chosen_place(answer)
        return show(answer) + ("" if place is None else f", at {place_text(place)}")

    def to_fields(self) -> Fields:
        """Return the question as plain data."""
        default = {} if self.default is None else {"default": self.default}
        return Fields({**self._common(), "options": tuple(map(to_data, self.options)), **default})


@dataclass(frozen=True, kw_only=True)
class Choose(_Decision):
    """A choice of one option. Without a `default` it needs a decision.

    >>> from simulator.engine.ranges import Within
    >>> Choose("bearing", options=[Within(0, 90, unit="degrees")]).check(91)
    Traceback (most recent call last):
    simulator.engine.errors.WrongAnswer: bearing: 91 is not a valid answer; possible: a number of degrees from 0 to 90
    """

    kind: ClassVar[str] = "choose"

    def check(self, answer: Any) -> Value:
        """Return the answer in its plain form; raise WrongAnswer with the possible choices."""
        return _one_of(self, answer, self.options)


@dataclass(frozen=True, kw_only=True)
class React(_Decision):
    """A chance to interrupt a move at this point with one of the options. The answer None lets it pass."""

    kind: ClassVar[str] = "react"
    default: Any = LET_PASS

    def check(self, answer: Any) -> Value:
        """Return the answer in its plain form; raise WrongAnswer with the possible reactions."""
        return LET_PASS if answer is None else _one_of(self, answer, self.options, ", or to let it pass")

    def says(self, answer: Any) -> str:
        """Describe an answer."""
        return "lets it pass" if answer is None else super().says(answer)


Question: TypeAlias = Roll | Choose | React
_KINDS: Mapping[str, type[Roll] | type[Choose] | type[React]] = {"roll": Roll, "choose": Choose, "react": React}


def question_from(fields: Mapping[str, Any]) -> Question:
    """Rebuild a question from its data."""
    known = dict(fields)
    return _KINDS[known.pop("ask")](known.pop("what"), **known)


def _one_of(question: _QuestionBase, answer: Any, allowed: Iterable[Any], otherwise: str = "") -> Value:
    try:
        found = freeze(answer)
    except (TypeError, ValueError):
        found = str(answer)
    known = tuple(allowed)
    try:
        return chosen(known, found)
    except ValueError:
        listed = ", ".join(show(option) for option in known[:20]) + (", …" if len(known) > 20 else "")
        raise WrongAnswer(f"{question}: {show(found)} is not a valid answer; possible: {listed}{otherwise}") from None


def _meant(options: Iterable[Any], raw: Any) -> Any:
    listed = [option for option in options if not isinstance(option, AnswerRange)]
    for option in listed:
        if is_same(option, raw):
            return option
    if not isinstance(raw, str):
        return raw
    for option in listed:
        if show(option).casefold() == raw.casefold():
            return option
    read: list[Any] = []
    for one in options:
        if isinstance(one, AnswerRange):
            with suppress(ValueError, OverflowError, ZeroDivisionError):
                read.append(one.read(raw))
                if one.fits(read[-1]):
                    return read[-1]
    return read[0] if read else raw
