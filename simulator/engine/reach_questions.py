"""What a question of reach says: which action it means, and what else it says, checked against what a ruleset declares.

This is the one place where that is checked: a ruleset is asked with actions of its `reaches` and values of its `asks`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from simulator.engine.errors import WrongQuestion, either
from simulator.engine.orders import Kind, Vocabulary
from simulator.engine.values import show
from simulator.wording import did_you_mean

#: Of what is no value so many characters are quoted.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Ask:
    """What a question of reach can say beside the action: a kind of value, and the actions that it goes with."""

    kind: Kind
    #: The actions it goes with; empty: with each.
    actions: tuple[str, ...] = ()

    def goes_with(self, action: str) -> bool:
        """Whether it can be said with an action."""
        return not self.actions or action in self.actions

    @property
    def about(self) -> str:
        """What it wants, as people say it, and with which actions it goes."""
        return self.kind.about + (f"; with {either(self.actions)}" if self.actions else "")


class Askable(Protocol):
    """What a `Ruleset` says of the questions of reach that it answers."""

    name: str
    vocabulary: Vocabulary
    reaches: Mapping[str, str]
    asks: Mapping[str, Ask]


def asked(
    ruleset: Askable, action: str, given: Mapping[str, Any], units: Collection[str]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Read a question: the actions it may mean, the first first, and what it says besides.

    A value can be a text, as on the command line, or what that text stands for; None says nothing. Raises
    WrongQuestion for what the ruleset does not declare, each time with what it does.
    """
    known = ruleset.reaches
    if action and known and str(action) not in known:
        raise WrongQuestion(f"{ruleset.name} answers no reach with {action!r}; {did_you_mean(str(action), known)}")
    values = {name: value for name, value in given.items() if value is not None}
    actions = (action,) if action else tuple(known) or (ruleset.vocabulary.default,)
    if ruleset.asks:
        values = {name: _value(ruleset, name, value, units) for name, value in values.items()}
        actions = _that_take(ruleset, actions, values)
    return actions[: 1 if values else None], values


def _value(ruleset: Askable, name: str, value: Any, units: Collection[str]) -> Any:
    if name not in ruleset.asks:
        raise WrongQuestion(f"{name}: {ruleset.name} cannot be asked that; {did_you_mean(name, ruleset.asks)}")
    kind = ruleset.asks[name].kind
    message = repr(value)
    wrong = f"{name}: wants {kind.about}, not {message if len(message) <= _LONGEST else message[:_LONGEST] + ' …'}"
    try:
        text = value if isinstance(value, str) else kind.write(value)
    except (TypeError, ValueError, AttributeError):
        raise WrongQuestion(wrong) from None
    if kind.pattern.fullmatch(text) is None:
        raise WrongQuestion(_hinted(wrong, text, kind))
    if kind.is_unit and text not in units:
        raise WrongQuestion(f"{name}: there is no {text!r}; {did_you_mean(text, units)}")
    try:
        return kind.read(text)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise WrongQuestion(_hinted(wrong, text, kind)) from None


def _hinted(wrong: str, text: str, kind: Kind) -> str:
    hint = did_you_mean(text, kind.words, listed=False)
    return wrong + (f"; {hint}" if hint else "")


def _that_take(ruleset: Askable, actions: tuple[str, ...], values: Mapping[str, Any]) -> tuple[str, ...]:
    """The actions among some that go with all that is said."""
    for name, value in values.items():
        ask = ruleset.asks[name]
        fitting = tuple(action for action in actions if ask.goes_with(action))
        if not fitting:
            raise WrongQuestion(f"{name}={show(value)} goes with {either(ask.actions)}, not with {either(actions)}")
        actions = fitting
    return actions
