"""Every error that the package raises on purpose, as one tree.

    SimulatorError
      BoardError            an invalid board, piece or place, found while building it in Python
      FileError             a faulty file: every fault at once, each with file, line, column and path
        LimitReached        a file beyond a documented limit
      TooMuchAsked          a question beyond a documented limit
      NoPlace               a place that is not on the board
      NoPose                an invalid heading or level, or one that a rulebook does not have
      WrongValue            a value of the wrong type: no text, no unit, no finite number

Each class carries the exit code of the command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


class SimulatorError(Exception):
    """The root: catch it to catch every error that this package raises on purpose."""

    exit_code = 1


class BoardError(SimulatorError, ValueError):
    """Invalid data for a board. `path` names the part: `pieces[2].polygon`."""

    exit_code = 3

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message = message
        self.path = path


class NoPlace(SimulatorError, LookupError):
    """A place that is not on the board."""


class NoPose(SimulatorError, ValueError):
    """An invalid heading or level, or one where the rules have none."""

    exit_code = 2


class WrongValue(SimulatorError, TypeError, ValueError):
    """A value of the wrong type, handed in by a program."""

    exit_code = 2


#: The most characters of a value that a message quotes.
_QUOTED = 60


def shortened(value: object) -> str:
    """Return a value as a message quotes it.

    >>> shortened("A1"), shortened(None), len(shortened("x" * 200))
    ("'A1'", 'None', 60)
    """
    text = repr(value)
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"


def text_given(what: str, value: object) -> str:
    """Return a text; raise WrongValue for anything else."""
    if not isinstance(value, str):
        raise WrongValue(f"{what} is a text, not {shortened(value)}")
    return value


def listed(what: str, values: Any, one: str, alone: type = str) -> list[Any]:
    """Return the values of an iterable; raise WrongValue for one of them alone, or what cannot be looped over."""
    if isinstance(values, (str, bytes, alone)) or not isinstance(values, Iterable):
        raise WrongValue(f"{what} are a list, even of one {one}, not {shortened(values)}")
    return list(values)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing wrong in a file. Lines and columns count from 1; 0 means the file as a whole."""

    file: str
    line: int
    column: int
    path: str
    message: str

    def to_fields(self) -> dict[str, str | int]:
        """Return the fault as plain data."""
        return {name: getattr(self, name) for name in ("file", "line", "column", "path", "message")}

    def __str__(self) -> str:
        # The name of a file can contain a line end, and each fault is a line.
        file = self.file.replace("\n", "\\n")
        place = f"{file}:{self.line}:{self.column}" if self.line else file
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"


class FileError(SimulatorError):
    """A faulty file. `faults` holds every fault, in the order of the file."""

    exit_code = 3

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(str(fault) for fault in self.faults))


class TooMuchAsked(SimulatorError):
    """A question beyond a documented limit: its answer was not begun."""

    exit_code = 4


class LimitReached(FileError):
    """A file beyond a documented limit: it was not read further."""

    exit_code = 4
