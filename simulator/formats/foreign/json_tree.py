"""A strict reader of JSON for foreign maps: every value has its line and column.

Refused with a reason are duplicate keys, NaN and infinity, numbers beyond any map, half characters, and files deeper or
larger than the limits. Embedded pictures, which make up most of some files, are passed over without being decoded.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection
from pathlib import Path as FilePath
from typing import Any, NoReturn

from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits
from simulator.formats.faults import Path, path_text, shorten
from simulator.formats.foreign.tree import Numbers, Skipped, Value
from simulator.reading import read_whole

#: Files with embedded pictures may be this long as long as the rest of them is within the limit of all files.
MOST_BYTES_WITH_PICTURES = 256 * 2**20

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_NUMBERS = re.compile(r"\[[-+.0-9eE, \t\r\n]*\]")
_WORD = re.compile(r"[A-Za-z_+-]+[A-Za-z0-9_.]*")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_LARGEST_NUMBER = 1e15
#: Reads single texts, their escapes included.
_DECODER = json.JSONDecoder()


def load_json(path: FilePath, pictures: Collection[str] = ()) -> Value:
    """Read a JSON file; raise FileError with line and column of a fault. Texts under `pictures` are passed over."""
    data = read_whole(path, MOST_BYTES_WITH_PICTURES if pictures else limits.FILE_BYTES.most)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        message = f"not a text in UTF-8 (byte 0x{data[error.start]:02x}): save it as such"
        raise FileError([Fault(str(path), line, column, "", message)]) from None
    return parse_json(text, str(path), pictures)


def parse_json(text: str, file: str = "<text>", pictures: Collection[str] = ()) -> Value:
    """Read a text of JSON.

    >>> parse_json('{"size": [2, 3]}').need("size").data
    (2, 3)
    """
    return _Parser(text, file, pictures).document()


class _Parser:
    """Reads one text from left to right."""

    def __init__(self, text: str, file: str, pictures: Collection[str]) -> None:
        self.text = text
        self.file = file
        self.pictures = pictures
        self.at = 0
        self.nodes = 0
        self.passed_over = 0
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def document(self) -> Value:
        value = self.value((), 0)
        self.space()
        if self.at < len(self.text):
            self.stop("the document is complete, but more follows")
        if len(self.text) - self.passed_over > limits.FILE_BYTES.most:
            self.stop(limits.FILE_BYTES.reached(len(self.text) - self.passed_over), limit=True)
        return value

    def space(self) -> str:
        """Pass over blanks and return the next character; empty at the end."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def made(self, data: Any, start: int, path: Path) -> Value:
        self.nodes += 1
        if self.nodes > limits.NODES.most:
            self.stop(limits.NODES.reached(self.nodes), path, limit=True)
        return Value(data, self.file, *self.place(start), path)

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def stop(self, message: str, path: Path = (), *, limit: bool = False) -> NoReturn:
        fault = Fault(self.file, *self.place(min(self.at, len(self.text))), path_text(path), message)
        raise (LimitReached if limit else FileError)([fault])

    def value(self, path: Path, depth: int) -> Value:
        first, start = self.space(), self.at
        if depth > limits.NESTING.most:
            self.stop(limits.NESTING.reached(depth), path, limit=True)
        if first == "{":
            return self.made(self.mapping(path, depth), start, path)
        if first == "[":
            numbers = self.numbers()
            return self.made(self.sequence(path, depth) if numbers is None else numbers, start, path)
        if first == '"':
            if path and path[-1] in self.pictures:
                return self.made(self.skipped(), start, path)
            return self.made(self.string(path), start, path)
        if first in "-0123456789" and first:
            return self.made(self.number(path), start, path)
        word = _WORD.match(self.text, self.at)
        if word is None or word[0] not in _WORDS:
            if not first:
                self.stop("the file ends where a value was expected", path)
            shown = shorten(repr(word[0] if word else first))
            self.stop(
                f"expected a JSON value: a text in double quotes, a number, true, false, null, [ or {{ (got {shown})",
                path,
            )
        self.at = word.end()
        return self.made(_WORDS[word[0]], start, path)

    def mapping(self, path: Path, depth: int) -> dict[str, Value]:
        self.at += 1
        found: dict[str, Value] = {}
        if self.space() == "}":
            self.at += 1
            return found
        while True:
            if self.space() != '"':
                self.stop("expected a key in double quotes", path)
            start = self.at
            key = self.string(path)
            if key in found:
                self.at = start
                self.stop("duplicate key", (*path, key))
            if self.space() != ":":
                self.stop("expected a colon after the key", (*path, key))
            self.at += 1
            found[key] = self.value((*path, key), depth + 1)
            if not self.goes_on("}", path):
                return found

    def sequence(self, path: Path, depth: int) -> list[Value]:
        self.at += 1
        found: list[Value] = []
        if self.space() == "]":
            self.at += 1
            return found
        while True:
            found.append(self.value((*path, len(found)), depth + 1))
            if not self.goes_on("]", path):
                return found

    def goes_on(self, closing: str, path: Path) -> bool:
        mark = self.space()
        if mark not in (",", closing) or not mark:
            self.stop(f"expected a comma or {closing} here" if mark else f"the file ends before {closing}", path)
        self.at += 1
        return mark == ","

    def numbers(self) -> Numbers | None:
        """Read a list that holds nothing but numbers; None if it is none, or one of them is faulty."""
        match = _NUMBERS.match(self.text, self.at)
        if match is None:
            return None
        try:
            found = json.loads(match[0])
        except ValueError:
            return None
        if not found or not (min(found) >= -_LARGEST_NUMBER and max(found) <= _LARGEST_NUMBER):
            return None
        self.at = match.end()
        return Numbers(found)

    def number(self, path: Path) -> float:
        match = _NUMBER.match(self.text, self.at)
        end = match.end() if match else self.at
        if match is None or _WORD.match(self.text, end) or self.text[end : end + 1].isdigit():
            self.stop("expected a number as JSON writes it, like 3, -0.5 or 1e3", path)
        digits = match[0]
        number = float(digits)
        if not abs(number) <= _LARGEST_NUMBER:
            self.stop(f"the number {shorten(digits)} is too large", path)
        self.at = end
        return number if any(mark in digits for mark in ".eE") else int(digits)

    def string(self, path: Path) -> str:
        try:
            found, self.at = _DECODER.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self.at = error.pos
            self.stop(f"a faulty text: {error.msg[:1].lower()}{error.msg[1:].removesuffix(' at')}", path)
        if any("\ud800" <= character <= "\udfff" for character in found if character > "\x7f"):
            self.stop("the text before this holds half a character (a lone surrogate)", path)
        return str(found)

    def skipped(self) -> Skipped:
        """Pass over a text up to its closing quote."""
        start = end = self.at + 1
        while True:
            end = self.text.find('"', end)
            if end < 0:
                self.stop("a text begins here that is not closed")
            slashes = end
            while slashes > start and self.text[slashes - 1] == "\\":
                slashes -= 1
            if (end - slashes) % 2 == 0:
                break
            end += 1
        self.at = end + 1
        self.passed_over += end - start
        return Skipped(end - start)
