"""What can go wrong at the table, as a branch of the tree in `simulator.errors`.

SimulatorError
  OrderError
    UnreadableOrder    not an order at all: the spot is marked
    IllegalOrder       an order the rules forbid here: `breaches` holds every reason
  AnswerError
    WrongAnswer        not one of the answers the question allows
    MissingAnswer      a script is used up, and something was asked
    LeftoverAnswers    a script holds more than was asked for
  TableError           the table cannot do this now: nothing to undo, a question is open, no such unit
    WrongQuestion      a question of reach that nobody can be asked: no such action, argument or value
  OptionError          an option, figure or field that does not exist, or cannot have this value
  LogRefused           a log of another ruleset, board, option or table
  Diverged             a replay that does not do what the log says
  FaultyRule           a rule that does what no rule may do: our bug or that of a new ruleset
    NoFigure           a figure that its tables do not have
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.errors import SimulatorError


def either(names: Iterable[str]) -> str:
    """Write alternatives as people say them.

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
    """A text that is no order. `at` and `length` mark the spot; `expected` says what could stand there.

    `advice` names an order that would be right: the one that was probably meant, or one of this kind. Of such an
    `example` only the form is known; whoever knows the table puts a legal one in its place (`advised`). `meant` are all
    orders that may have been meant, the likeliest first.
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

    `needed` is what the order takes, `available` what there is for it now; of two amounts needed is the larger one.
    Where a state is wrong, they are the state that is wanted and the one that there is.
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
    """An order that the rules forbid here. `breaches` holds every reason, in the order of the register."""

    def __init__(self, order: str, breaches: Sequence[Breach]) -> None:
        self.order, self.breaches = order, tuple(breaches)
        super().__init__("\n".join([f"the rules forbid: {order}", *(f"  {breach}" for breach in breaches)]))


class AnswerError(SimulatorError):
    """Something is wrong with an answer."""


class WrongAnswer(AnswerError):
    """An answer that the question does not allow; the message says which it does."""


class MissingAnswer(AnswerError):
    """Something was asked, and the script that should answer is used up."""


class LeftoverAnswers(AnswerError):
    """A script holds more answers than there were questions."""


class TableError(SimulatorError):
    """The table cannot do this now."""


class WrongQuestion(TableError):
    """A question of reach that cannot be asked: there is no such action or argument, or no such value of it."""

    exit_code = 2


class OptionError(SimulatorError, ValueError):
    """An option, figure or field that does not exist or cannot have this value. `path` names it."""

    exit_code = 3

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message, self.path = message, path


class LogRefused(SimulatorError):
    """A log that was not written at this table. `reasons` says what differs."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("\n".join(["this log belongs to another table:", *(f"  {reason}" for reason in reasons)]))


class Diverged(SimulatorError):
    """A replay that does not do what the log says. Lines count from 1."""

    def __init__(self, line: int, expected: str, got: str, part: str = "") -> None:
        self.line, self.expected, self.got, self.part = line, expected, got, part
        where = f"line {line}" + (f", {part}" if part else "")
        super().__init__(f"the replay differs from the log at {where}\n  expected {expected}\n  got      {got}")


class FaultyRule(SimulatorError):
    """A rule that does what no rule may do, such as giving other answers' questions when it runs again."""

    exit_code = 70
