"""Errors at the table, a branch of the tree in `simulator.errors`.

SimulatorError
  OrderError
    UnreadableOrder    text that is not an order: the spot is marked
    IllegalOrder       an order that the rules forbid here: `breaches` lists every reason
  AnswerError
    WrongAnswer        not one of the answers the question allows
    MissingAnswer      a script is used up, and a question is open
    LeftoverAnswers    a script has more answers than there were questions
  TableError           the table cannot do this now: nothing to undo, a question is open, no such unit
    WrongQuestion      an invalid question of reach: no such action, argument or value
  OptionError          an option, figure or field that does not exist, or cannot have this value
  LogRefused           a log of another ruleset, board, option or table
  Diverged             a replay that differs from its log
  FaultyRule           a rule that breaks the contract for rules: our bug or that of a new ruleset
    NoFigure           a figure that its tables do not have
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.errors import SimulatorError


def either(names: Iterable[str]) -> str:
    """Return the text of alternatives.

    >>> either(["forward", "left", "right"])
    'forward, left or right'
    """
    listed = list(names)
    if len(listed) > 10:
        return ", ".join(listed[:10]) + ", …"
    return " or ".join(filter(None, [", ".join(listed[:-1]), *listed[-1:]]))


class OrderError(SimulatorError):
    """Something is wrong with an order."""


class UnreadableOrder(OrderError):
    """A text that is not an order. `at` and `length` mark the spot; `expected` describes valid text at that spot.

    `advice` names a valid order: the one that was probably meant, or one of this kind. Such an `example` only shows the
    form; code that knows the table replaces it by a legal one (`advised`). `meant` lists all orders that may have been
    meant, the likeliest first.
    """

    def __init__(
        self,
        text: str,
        at: int,
        length: int,
        expected: str,
        hint: str = "",
        advice: str = "",
        example: str = "",
        meant: Sequence[str] = (),
    ) -> None:
        self.text, self.at, self.length, self.expected, self.hint = text, at, max(length, 1), expected, hint
        self.advice, self.example, self.meant = advice, example, tuple(meant)
        # Tabs and line ends would shift the mark away from its spot.
        shown = "".join(char if char.isprintable() else " " for char in text)
        mark = " " * at + "^" + "~" * (self.length - 1)
        found = shown[at : at + length]
        message = f"expected {expected}" + (f", found {found!r}" if found else ", but the order ends here")
        lines = [
            message + (f"; {hint}" if hint else ""),
            f"  {shown}",
            f"  {mark}",
            *([f"  {advice}"] if advice else []),
        ]
        super().__init__("\n".join(lines))

    def advised(self, advice: str) -> UnreadableOrder:
        """Return the same error with other advice."""
        return type(self)(self.text, self.at, self.length, self.expected, self.hint, advice)


@dataclass(frozen=True, slots=True)
class Breach:
    """One reason why the rules forbid an order: the clause, what is wrong, and the figures behind it.

    `needed` is what the order requires, `available` what is available now; of two amounts `needed` is the larger one.
    For a wrong state they are the required and the actual state.
    """

    clause: str
    message: str
    needed: Any = None
    available: Any = None
    blocker: str = ""
    place: tuple[Any, ...] | None = None

    def __str__(self) -> str:
        return f"{self.clause:<6} {self.message}" if self.clause else f"{'':<6} {self.message}"


class IllegalOrder(OrderError):
    """An order that the rules forbid here. `breaches` lists every reason, in the order of the register."""

    def __init__(self, order: str, breaches: Sequence[Breach]) -> None:
        self.order, self.breaches = order, tuple(breaches)
        super().__init__("\n".join([f"the rules forbid: {order}", *(f"  {breach}" for breach in breaches)]))


class AnswerError(SimulatorError):
    """Something is wrong with an answer."""


class WrongAnswer(AnswerError):
    """An answer that the question does not allow; the message lists those that it does."""


class MissingAnswer(AnswerError):
    """A question that the script cannot answer, since it is used up."""


class LeftoverAnswers(AnswerError):
    """A script has more answers than there were questions."""


class TableError(SimulatorError):
    """The table cannot do this now."""


class WrongQuestion(TableError):
    """An invalid question of reach: there is no such action or argument, or no such value."""

    exit_code = 2


class WrongDuration(WrongQuestion, ValueError):
    """A number of seconds that is none, or below 0."""


class OptionError(SimulatorError, ValueError):
    """An option, figure or field that does not exist or cannot have this value. `path` names it."""

    exit_code = 3

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message, self.path = message, path


class LogRefused(SimulatorError):
    """A log that was not written at this table. `reasons` lists the differences."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("\n".join(["this log belongs to another table:", *(f"  {reason}" for reason in reasons)]))


class Diverged(SimulatorError):
    """A replay that differs from its log. Lines count from 1."""

    def __init__(self, line: int, expected: str, got: str, part: str = "") -> None:
        self.line, self.expected, self.got, self.part = line, expected, got, part
        where = f"line {line}" + (f", {part}" if part else "")
        super().__init__(f"the replay differs from the log at {where}\n  expected {expected}\n  got      {got}")


class FaultyRule(SimulatorError):
    """A rule that breaks the contract for rules, such as one that asks other questions when it runs again."""

    exit_code = 70
