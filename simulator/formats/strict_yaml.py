"""A strict reader of YAML without surprises: every key and value has its line and column.

Scalars follow YAML 1.2: 0101 is 101, 12:30 and no are texts, 0o17 is 15. Refused with a reason are anchors, aliases,
tags, merge keys, duplicate keys, several documents, .nan and .inf, integers beyond 64 bits, control characters, and
files larger or deeper than the limits. Any JSON file within those bounds can be read.

The tree is built here from the parser's events, without recursion, so no nesting can exhaust the stack.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import yaml

from simulator.formats import limits
from simulator.formats.faults import Faults, Path, shorten

Scalar = None | bool | int | float | str
#: The parser of libyaml if PyYAML was built with it, about ten times as fast as the one in Python.
PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
# YAML 1.1 breaks lines at U+0085, U+2028 and U+2029 and YAML 1.2 does not; refused, they cannot be read two ways.
_ALLOWED = "\t\n\r -~"
_ALLOWED_BEYOND_ASCII = "\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
_LINE_BREAK = re.compile("\r\n|\r|\n")
_PLAIN_BLOCK = re.compile(r":\s+\|[-+]?\s*(#.*)?$")

#: A part of the parser's message, and our explanation of it.
_EXPLAINED = (
    ("tab character", "a tab cannot indent YAML, use spaces"),
    ("'\\t'", "a tab cannot indent YAML, use spaces"),
    ("cannot start any token", "a text cannot begin with this character unless it is quoted"),
    (
        "mapping values are not allowed",
        "unexpected colon: quote a text that contains one, or correct the indentation",
    ),
    ("sequence entries are not allowed", "unexpected list item: begin it on a line of its own"),
    ("',' or '}'", "the braces of a mapping are not closed, or a comma is missing"),
    ("',' or ']'", "the brackets of a list are not closed, or a comma is missing"),
    ("unexpected end of stream", "a quoted text is not closed"),
    ("node content", "a value is missing here, or a bracket is not closed"),
    ("escape character", "no such escape in double quotes: write a backslash as \\\\, or use single quotes"),
    ("could not find expected ':'", "a key needs a colon after it"),
    ("indentation or", "only an indentation (1 to 9), + or - may follow the | or > of a block of text"),
    ("comment or line break", "only an indentation (1 to 9), + or - may follow the | or > of a block of text"),
    ("expected key", "this line does not fit the indentation of the lines above"),
    ("'-' indicator", "this line does not fit the list above: an item begins with a dash"),
    ("block end", "this line does not fit the indentation of the lines above"),
)


@dataclass(slots=True)
class Node:
    """A value of a file: a scalar, a list of nodes, or a mapping from keys to nodes.

    `line` and `column` count from 1. The position of a block of text (after `|`) is that of its first character, and
    `is_block` marks that each of its lines is a line of the file.
    """

    value: Any
    line: int
    column: int
    key_line: int = 0
    key_column: int = 0
    is_block: bool = False


@dataclass(slots=True)
class _Open:
    """A list or mapping that is not closed yet."""

    node: Node
    key: str | None = None
    key_place: tuple[int, int] = (0, 0)


def decode(data: bytes, faults: Faults) -> str | None:
    """Return the text of a file; None, and a fault, if it is not text or too long."""
    if len(data) > limits.FILE_BYTES.most:
        faults.add(0, 0, (), limits.FILE_BYTES.reached(), limit=True)
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8-sig", "replace")) + 1
        faults.add(line, column, (), f"not a text in UTF-8 (byte 0x{data[error.start]:02x}): save it as such")
        return None


@cache
def _forbidden(ascii_only: bool) -> re.Pattern[str]:
    """Return the pattern of a forbidden character; preparing that for all characters takes longer than a small file."""
    return re.compile(f"[^{_ALLOWED}]" if ascii_only else f"[^{_ALLOWED}{_ALLOWED_BEYOND_ASCII}]")


def load(text: str, faults: Faults) -> Node | None:
    """Read one document; None if nothing can be read. After smaller faults the rest is still read."""
    if forbidden := _forbidden(text.isascii()).search(text):
        line, column = _place(text, forbidden.start())
        faults.add(line, column, (), f"the character U+{ord(forbidden[0]):04X} is not allowed: write it as an escape")
        return None
    try:
        return _Composer(text, faults).compose()
    except _StopReading:
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        faults.add(line, column, (), _explain(error, text, line))
        return None


class _StopReading(Exception):  # only leaves the loop, after its fault is added
    pass


class _Composer:
    """Builds the tree from the parser's events."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.text = text
        self.faults = faults
        self.open: list[_Open] = []
        self.root: Node | None = None
        self.nodes = 0

    def compose(self) -> Node | None:
        documents = 0
        for event in yaml.parse(self.text, Loader=PARSER):
            if isinstance(event, yaml.ScalarEvent):
                self.refuse_extras(event)
                self.scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self.refuse_extras(event)
                self.begin(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.open.pop()
                if self.open:
                    self.open[-1].key = None
            elif isinstance(event, yaml.AliasEvent):
                self.stop(event, f"aliases like *{shorten(str(event.anchor))} are not allowed: write the value out")
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.stop(event, "a second document begins here: one file holds one")
                if event.tags or event.version not in (None, (1, 2)):
                    self.stop(event, "no directive but %YAML 1.2 is allowed")
        if self.root is None or self.root.value is None:
            self.faults.add(0, 0, (), "the file is empty")
            return None
        return self.root

    def refuse_extras(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > limits.NODES.most:
            self.stop(event, limits.NODES.reached(self.nodes), limit=True)
        if event.anchor is not None:
            self.stop(event, f"anchors like &{shorten(event.anchor)} are not allowed: write the value out")
        if event.tag is not None:
            self.stop(event, f"tags like {shorten(event.tag)} are not allowed: the format defines all types")

    def begin(self, event: Any) -> None:
        if len(self.open) >= limits.NESTING.most:
            self.stop(event, limits.NESTING.reached(len(self.open) + 1), limit=True)
        self.refuse_as_key(event)
        value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        node = Node(value, event.start_mark.line + 1, event.start_mark.column + 1)
        self.attach(node)
        self.open.append(_Open(node))

    def scalar(self, event: Any) -> None:
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        top = self.open[-1] if self.open else None
        if top is not None and top.key is None and isinstance(top.node.value, dict):
            if event.style in ("|", ">"):
                self.refuse_as_key(event)
            if event.value == "<<" and not event.style:
                self.stop(event, "merge keys are not allowed: write the values out")
            top.key, top.key_place = event.value, (line, column)
            if top.key in top.node.value:
                first = top.node.value[top.key].key_line
                self.faults.add(line, column, self.path(), f"duplicate key, first used in line {first}")
            return
        if event.style == "|":
            self.attach(self.block(event.value, line))
        else:
            self.attach(Node(event.value if event.style else self.plain(event.value, line, column), line, column))
        if top is not None:
            top.key = None

    def plain(self, text: str, line: int, column: int) -> Scalar:
        """Return the value of a scalar without quotes; for an invalid one add a fault and return 0."""
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text):
            base = 8 if text.startswith("0o") else 16 if text.startswith("0x") else 10
            digits = text.lstrip("+-") if base == 10 else text[2:]
            number = int(digits.lstrip("0")[:25] or "0", base)
            if number < 2**63:
                return -number if text[0] == "-" else number
            self.faults.add(line, column, self.path(), f"the number {shorten(text)} does not fit into 64 bits")
            return 0
        if _FLOAT.fullmatch(text):
            if math.isfinite(real := float(text)):
                return real
            self.faults.add(line, column, self.path(), f"the number {shorten(text)} is too large")
            return 0
        if _NOT_FINITE.fullmatch(text):
            self.faults.add(line, column, self.path(), f"expected a finite number (got {text})")
            return 0
        return text

    def block(self, text: str, header_line: int) -> Node:
        """Return a text after `|`, at the position of its first character: below the header, after the indentation."""
        blank = len(text) - len(text.lstrip("\n"))
        if blank == len(text):
            return Node(text, header_line + 1, 1, is_block=True)
        in_file = self.lines[header_line + blank]
        indentation = len(in_file) - len(text[blank:].split("\n", 1)[0])
        return Node(text, header_line + 1, indentation + 1, is_block=True)

    @cached_property
    def lines(self) -> list[str]:
        return _LINE_BREAK.split(self.text)

    def attach(self, node: Node) -> None:
        if not self.open:
            self.root = node
            return
        top = self.open[-1]
        if isinstance(top.node.value, list):
            top.node.value.append(node)
        else:
            node.key_line, node.key_column = top.key_place
            top.node.value.setdefault(top.key, node)

    def refuse_as_key(self, event: Any) -> None:
        if self.open and isinstance(self.open[-1].node.value, dict) and self.open[-1].key is None:
            self.stop(event, "a key is a single word, not a list, a mapping or a block of text")

    def path(self) -> Path:
        """Return the path of the scalar being read: it is not in its list yet, the lists around it are in theirs."""
        begun = [frame.key if frame.key is not None else len(frame.node.value) - 1 for frame in self.open[:-1]]
        last = self.open[-1:]
        return (*begun, *(frame.key if frame.key is not None else len(frame.node.value) for frame in last))

    def stop(self, event: Any, message: str, *, limit: bool = False) -> None:
        self.faults.add(event.start_mark.line + 1, event.start_mark.column + 1, (), message, limit=limit)
        raise _StopReading


def _place(text: str, offset: int) -> tuple[int, int]:
    lines = _LINE_BREAK.split(text[:offset])
    return len(lines), len(lines[-1]) + 1


def _explain(error: yaml.MarkedYAMLError, text: str, line: int) -> str:
    """Explain in plain words what the parser could not read, and how to fix the usual mistake with drawings."""
    lines = _LINE_BREAK.split(text)
    at = lines[line - 1] if 0 < line <= len(lines) else ""
    if "\t" in at[: len(at) - len(at.lstrip())]:
        return "a tab cannot indent YAML, use spaces"
    problem = error.problem or ""
    explained = next((plain for words, plain in _EXPLAINED if words in problem), f"cannot be read: {problem}")
    margin = _margin(at)
    above = line - 2
    while above > 0 and _margin(lines[above]) > margin:
        above -= 1
    if above < line - 2 and _margin(lines[above]) < margin and _PLAIN_BLOCK.search(lines[above]):
        digit = margin - _margin(lines[above])
        return f"{explained}; if the first row of a drawing is indented further, begin it with `|{digit}`"
    return explained


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
