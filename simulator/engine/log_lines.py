"""The lines of a log: written with a number and a checksum, read back through a strict model.

A checksum reveals damage, not nonsense: a log written by hand can have valid checksums. So every line is validated
against a model of what this program writes, and a line that does not fit is refused with the name of the wrong key.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simulator.engine.values import read_plain, write_plain

#: The version of this format.
FORMAT = 1
#: The first bytes of every log.
BEGINNING = b'{"n":1,'
#: The limits of logs that are read: the longest battles of thousands of orders take a tenth of them.
MAX_BYTES = 64 * 2**20
MAX_LINES = 1_000_000
#: The deepest nesting of lists and mappings in a line; lines that are written reach half of it.
MAX_NESTING = 32
#: The longest text in a line other than a board, and the most units on a table.
_MAX_TEXT = 10_000
_MAX_UNITS = 10_000
_MAX_NUMBER = 2**63 - 1
#: Longer numbers do not fit into a float; the exact figures that are written have a few dozen digits.
_MAX_DIGITS = 300
_LONG_NUMBER = re.compile(rb'[\[:,]-?[0-9]{%d,}[\]},.eE]|"-?[0-9]{%d,}/|/[0-9]{%d,}"' % ((_MAX_DIGITS + 1,) * 3))

_CHECKED = re.compile(rb'(.*),"crc":"([0-9a-f]{8})"\}', re.DOTALL)


def written_line(number: int, entry: Mapping[str, Any]) -> bytes:
    """Return one line with its number and its checksum.

    >>> written_line(2, {"order": "A2 run"})
    b'{"n":2,"order":"A2 run","crc":"88c77662"}\\n'
    """
    body = (f'{{"n":{number},' + write_plain(entry)[1:-1]).encode()
    return b'%s,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def read_line(line: bytes, number: int) -> dict[str, Any]:
    """Read one complete line back; raise ValueError with its fault."""
    found = _CHECKED.fullmatch(line)
    if found is None:
        raise ValueError("does not end in a checksum")
    body, checksum = found.groups()
    if zlib.crc32(body) != int(checksum, 16):
        raise ValueError(f"the checksum is {zlib.crc32(body):08x}, but the line has {checksum.decode()}")
    if _LONG_NUMBER.search(body + b"}"):
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    entry = read_plain(body + b"}")
    # Few lines have that many brackets at all, so few are searched for nesting.
    if body.count(b"[") + body.count(b"{") > MAX_NESTING and _is_deep(entry):
        raise ValueError(f"lists and mappings are nested more than {MAX_NESTING} deep")
    if not isinstance(entry, dict) or entry.pop("n", None) != number:
        raise ValueError(f"is not line {number} of its log")
    return entry


def _is_deep(plain: Any) -> bool:
    """Whether something is nested beyond the limit; without recursion, which has a limit of its own."""
    level = [plain]
    for _ in range(MAX_NESTING + 1):
        level = [
            part
            for value in level
            if isinstance(value, dict | list)
            for part in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(level)


# --- models of lines ---

Text = Annotated[str, Field(max_length=_MAX_TEXT)]
Whole = Annotated[int, Field(ge=0, le=_MAX_NUMBER)]
Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}$")]
Names = Annotated[list[Text], Field(max_length=_MAX_UNITS)]
#: Plain data defined by the ruleset.
Plain = Any
PlainFields = dict[str, Any]


class LogLine(BaseModel):
    """A line of a log, or a part of one: unknown keys are refused, and types are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class OrderLine(LogLine):
    """An order as it was played, and as the player wrote it if that differs."""

    order: Text
    given: Text | None = None


class EventEntry(LogLine):
    """An event, as `Event.to_fields` writes it."""

    kind: Text
    unit: Text = ""
    clause: Text = ""
    detail: PlainFields = {}
    spent: PlainFields = {}
    place: list[Plain] | None = None
    changes: list[Annotated[list[Plain], Field(min_length=3, max_length=3)]] = []
    price: list[PlainFields] = []


class EventLine(LogLine):
    """Something that happened."""

    event: EventEntry


class QuestionEntry(LogLine):
    """A question, as each kind of them writes itself."""

    ask: Literal["roll", "choose", "react"]
    what: Text
    who: Text = ""
    clause: Text = ""
    place: list[Plain] | None = None
    detail: PlainFields = {}
    dice: Text = ""
    outcomes: list[Plain] = []
    target: Plain = None
    at_most: bool = False
    modifiers: list[Plain] = []
    options: list[Plain] = []
    default: Plain = None


class QuestionLine(LogLine):
    """A question, the answer, who gave it, and the faces of dice."""

    question: QuestionEntry
    answer: Plain
    by: Text
    faces: Annotated[list[Whole], Field(max_length=_MAX_TEXT)] = []


class DoneLine(LogLine):
    """The end of an order: the hash of the table after it."""

    done: Hash


class UndoLine(LogLine):
    """The last order is taken back."""

    undo: Text


class UnitEntry(LogLine):
    """A unit, as `Unit.text` writes it."""

    id: Text
    type: Text
    side: Text
    place: Plain
    heading: Plain
    fields: PlainFields


class ClockEntry(LogLine):
    """The clock, as `Clock.to_fields` writes it."""

    turn: Whole
    number: Whole
    sides: Names
    side: Text
    unit: Text
    done: Names
    resting: Names
    line: Names
    over: bool
    #: Each its name, the order of the goes in it, its clause.
    phases: Annotated[list[Annotated[list[Text], Field(min_length=3, max_length=3)]], Field(max_length=1_000)]


class StartEntry(LogLine):
    """The table before the first order; no log begins in the middle of one."""

    choices: Whole
    clock: ClockEntry
    data: PlainFields
    pending: None
    rolls: Whole
    units: Annotated[list[UnitEntry], Field(max_length=_MAX_UNITS)]


class HeaderLine(LogLine):
    """The data of a log about the game before it begins."""

    log: Literal[1]
    ruleset: Text
    board: Text
    board_name: Text
    program: Text
    seed: Annotated[int, Field(ge=-_MAX_NUMBER - 1, le=_MAX_NUMBER)] | Text | None
    options: PlainFields
    tables: PlainFields
    start: StartEntry
    #: A whole file; its own reader limits its size.
    board_file: str = ""


LineT = TypeVar("LineT", bound=LogLine)


def fitting(model: type[LineT], entry: Mapping[str, Any]) -> LineT:
    """Validate a line against a model; raise ValueError with the key that does not fit."""
    try:
        return model.model_validate(dict(entry))
    except ValidationError as error:
        raise ValueError("; ".join(_messages(error))) from None


def _messages(error: ValidationError) -> Iterator[str]:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    for detail in details[:3]:
        path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in detail["loc"]).lstrip(".")
        yield f"{path}: {detail['msg'][:1].lower()}{detail['msg'][1:]}"
    if len(details) > 3:
        yield f"and {len(details) - 3} more"
