"""Collecting all faults of a file, each with its position, sorted and bounded in number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from simulator.errors import Fault, FileError, LimitReached
from simulator.wording import did_you_mean

MOST_SHOWN = 100
_MOST_KEPT = 10_000
_LONGEST_GOT = 40

#: The way from the root of a file to a value: keys and list indexes.
Path = tuple[str | int, ...]


class Faults:
    """The faults of one file. Only the first fault of a value is kept: the others follow from it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.beyond_limit = False
        self._kept: dict[tuple[int, int, Path], Fault] = {}
        self._dropped = 0

    def __bool__(self) -> bool:
        return bool(self._kept)

    def add(self, line: int, column: int, path: Path, message: str, *, limit: bool = False) -> None:
        """Add one fault. Lines and columns count from 1; line 0 means the file as a whole."""
        self.beyond_limit |= limit
        if (line, column, path) in self._kept:
            return
        if len(self._kept) < _MOST_KEPT:
            self._kept[line, column, path] = Fault(self.file, line, column, path_text(path), message)
        else:
            self._dropped += 1

    def count_more(self, faults: int) -> None:
        """Count further faults like those just added, beyond the number shown, without listing them."""
        self._dropped += max(faults, 0)

    def about(self, part: Path) -> bool:
        """Return whether there is a fault at a path or below it."""
        return any(path[: len(part)] == part for _, _, path in self._kept)

    def take(self, part: Faults, under: Path) -> None:
        """Add the faults of a part of the file that was read separately, at their paths in the whole."""
        for (line, column, path), fault in part._kept.items():
            self.add(line, column, (*under, *path), fault.message)
        self.beyond_limit |= part.beyond_limit
        self._dropped += part._dropped

    def sorted(self) -> list[Fault]:
        """Return the faults in the order of the file: the first hundred, and one that counts the rest."""
        faults = sorted(self._kept.values())
        more = len(faults) - MOST_SHOWN + self._dropped
        if more <= 0:
            return faults
        first = faults[MOST_SHOWN]
        last = Fault(self.file, first.line, first.column, "", f"{more} more faults from here on")
        return [*faults[:MOST_SHOWN], last]

    def raise_if_any(self) -> None:
        """Raise FileError with all faults, or LimitReached if a limit is among them."""
        if self._kept:
            raise (LimitReached if self.beyond_limit else FileError)(self.sorted())


def path_text(path: Path) -> str:
    """Return a path as shown in messages.

    >>> path_text(("legend", "#", "wall")), path_text(("pieces", 2, "polygon"))
    ("legend['#'].wall", 'pieces[2].polygon')
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part.isidentifier():
            text += f".{part}" if text else part
        else:
            text += f"[{shorten(repr(part))}]"
    return text


def no_such(word: str, known: Iterable[str], what: str = "word") -> str:
    """Report that a word is unknown, what was probably meant, and what is known.

    >>> no_such("wal", ["terrain", "wall"], "key")
    "no such key 'wal'; did you mean 'wall'? (known: terrain, wall)"
    """
    return f"no such {what} {shorten(repr(word))}; {did_you_mean(word, known)}"


def got(value: Any) -> str:
    """Return a value of a file as the end of a message, shortened.

    >>> got(True), got("x"), got([1, 2.5]), got(None)
    ('(got true)', "(got 'x')", '(got [1, 2.5])', '(got nothing)')
    """
    return f"(got {_shown(value)})"


def shorten(text: str) -> str:
    """Shorten a text that is too long for a message."""
    return text if len(text) <= _LONGEST_GOT else f"{text[: _LONGEST_GOT - 3]}..."


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        inside = ", ".join(_shown(item) for item in value[:8])
        whole = f"[{inside}]"
        return whole if len(value) <= 8 and len(whole) <= _LONGEST_GOT else f"a list of {len(value)}"
    if isinstance(value, dict):
        return "keys and values" if value else "{}"
    if isinstance(value, str):
        return shorten(repr(value[:_LONGEST_GOT]))
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return shorten(f"{int(value) if is_whole else value}")
