"""Questions of reach: their actions and further values, checked against the declarations of a ruleset.

They are checked only here: a ruleset receives actions of its `reaches` and values of its `asks`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from simulator.engine.errors import WrongQuestion, either
from simulator.engine.orders import Kind, Vocabulary
from simulator.engine.values import show
from simulator.wording import did_you_mean

#: The most characters of an invalid value that are quoted.
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Ask:
    """A value of a question of reach beside the action: its kind, and the actions that take it."""

    kind: Kind
    #: The actions that take it; empty for all.
    actions: tuple[str, ...] = ()

    def goes_with(self, action: str) -> bool:
        """Whether an action takes it."""
        return not self.actions or action in self.actions

    @property
    def about(self) -> str:
        """The description of the value and of the actions that take it."""
        return self.kind.about + (f"; with {either(self.actions)}" if self.actions else "")


class Askable(Protocol):
    """The declarations of a `Ruleset` about questions of reach."""

    name: str
    vocabulary: Vocabulary
    reaches: Mapping[str, str]
    asks: Mapping[str, Ask]


def read_question(
    ruleset: Askable, action: str, question: Mapping[str, Any], units: Collection[str]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Read a question: return the actions it may mean, the first one first, and its further values.

    A value can be a text, as on the command line, or the value of such a text; None is left out. Raise WrongQuestion
    for anything that the ruleset does not declare, with the declared alternatives.
    """
    known = ruleset.reaches
    if action and known and str(action) not in known:
        raise WrongQuestion(f"{ruleset.name} has no reach for {action!r}; {did_you_mean(str(action), known)}")
    values = {name: value for name, value in question.items() if value is not None}
    actions = (action,) if action else tuple(known) or (ruleset.vocabulary.default,)
    if ruleset.asks:
        values = {name: _value(ruleset, name, value, units) for name, value in values.items()}
        actions = _that_take(ruleset, actions, values)
    return actions[: 1 if values else None], values


def _value(ruleset: Askable, name: str, value: Any, units: Collection[str]) -> Any:
    if name not in ruleset.asks:
        raise WrongQuestion(
            f"{name}: a reach of {ruleset.name} takes no such value; {did_you_mean(name, ruleset.asks)}"
        )
    kind = ruleset.asks[name].kind
    message = repr(value)
    wrong = f"{name}: expected {kind.about}, not {message if len(message) <= _LONGEST else message[:_LONGEST] + ' …'}"
    try:
        text = value if isinstance(value, str) else kind.write(value)
    except (TypeError, ValueError, AttributeError, OverflowError):
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
    """Return those of some actions that take all values."""
    for name, value in values.items():
        ask = ruleset.asks[name]
        fitting = tuple(action for action in actions if ask.goes_with(action))
        if not fitting:
            raise WrongQuestion(f"{name}={show(value)} goes with {either(ask.actions)}, not with {either(actions)}")
        actions = fitting
    return actions
