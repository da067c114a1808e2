"""The log of a game: JSON Lines, a check sum on each line, a hash of the table after each order.

    {"n":1,"log":1,"ruleset":"...","board":"...","options":{...},...,"start":{...},"crc":"..."}
    {"n":2,"order":"A2 run: forward 4","crc":"..."}
    {"n":3,"event":{...},"crc":"..."}
    {"n":4,"question":{...},"answer":9,"by":"dice","faces":[4,5],"crc":"..."}
    {"n":5,"done":"<hash of the table>","crc":"..."}

The lines of an order are written together when it is done, so a log never holds half an order unless it was cut. What
is cut off is dropped when the log is read, and said. A line that is whole but does not fit its check sum is damage,
and nothing is built on it. An order that is taken back stands there as `undo`.
"""

from __future__ import annotations

import os
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulator.engine.actions import Answered, Happened
from simulator.engine.answers import Answer, Answerer, DiceBag, Moment
from simulator.engine.errors import Diverged, LogRefused
from simulator.engine.events import Event
from simulator.engine.game import BEGIN, Game
from simulator.engine.questions import Question
from simulator.engine.ruleset import Setting
from simulator.engine.state import State
from simulator.engine.values import Fields, from_plain, read_plain, show, to_plain, to_text, write_plain
from simulator.errors import Fault, FileError, SimulatorError
from simulator.version import __version__

#: The version of this format.
FORMAT = 1
#: How every log begins.
_BEGINNING = b'{"n":1,'
_CHECKED = re.compile(rb'(.*),"crc":"([0-9a-f]{8})"\}', re.DOTALL)


# --- lines ---


def written_line(number: int, entry: Mapping[str, Any]) -> bytes:
    """Write one line with its number and its check sum.

    >>> written_line(2, {"order": "A2 run"})
    b'{"n":2,"order":"A2 run","crc":"88c77662"}\\n'
    """
    body = (f'{{"n":{number},' + write_plain(entry)[1:-1]).encode()
    return b'%s,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def read_line(line: bytes, number: int) -> dict[str, Any]:
    """Read one whole line back; raises ValueError saying what is wrong with it."""
    found = _CHECKED.fullmatch(line)
    if found is None:
        raise ValueError("does not end in a check sum")
    body, told = found.groups()
    if zlib.crc32(body) != int(told, 16):
        raise ValueError(f"the check sum is {zlib.crc32(body):08x}, and the line says {told.decode()}")
    entry = read_plain(body + b"}")
    if entry.pop("n") != number:
        raise ValueError(f"is not line {number} of its log")
    return entry  # type: ignore[no-any-return]


def entries(happened: Happened, text: str, given: str) -> Iterator[dict[str, Any]]:
    """Give the lines of an order that is done, as plain data."""
    yield {"order": text} if given == text else {"order": text, "given": given}
    for entry in happened.record:
        if isinstance(entry, Event):
            yield {"event": to_plain(entry.to_fields())}
        else:
            yield _answer_entry(entry)
    yield {"done": happened.state.hash}


def _answer_entry(entry: Answered) -> dict[str, Any]:
    answer = entry.answer
    line = {"question": to_plain(entry.question.to_fields()), "answer": to_plain(answer.value), "by": answer.by}
    return {**line, "faces": list(answer.faces)} if answer.faces else line


# --- the header ---


@dataclass(frozen=True)
class Header:
    """What a log says about the game before it begins."""

    ruleset: str
    board: str
    board_name: str = ""
    options: Fields = field(default_factory=Fields)
    tables: Fields = field(default_factory=Fields)
    program: str = __version__
    #: The seed of the dice, None where they were not seeded.
    seed: int | str | None = None
    start: State = field(default_factory=State)
    #: The board as the text of its file, where the log is to stand by itself.
    board_file: str = ""

    @classmethod
    def of(cls, setting: Setting[Any], start: State, seed: int | str | None = None, board_file: str = "") -> Header:
        """Write down what a game is played with."""
        return cls(
            ruleset=setting.ruleset.name,
            board=setting.board.content_hash,
            board_name=setting.board.name,
            options=setting.options.fields,
            tables=setting.tables.overrides,
            seed=seed,
            start=start,
            board_file=board_file,
        )

    def to_entry(self) -> dict[str, Any]:
        """Give the header as a line of the log."""
        names = ("ruleset", "board", "board_name", "program", "seed")
        known = {name: getattr(self, name) for name in names}
        plain = {"options": to_plain(self.options), "tables": to_plain(self.tables)}
        board = {"board_file": self.board_file} if self.board_file else {}
        return {"log": FORMAT, **known, **plain, **board, "start": read_plain(self.start.text)}

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> Header:
        """Read the header back; raises ValueError or KeyError where it is none."""
        if entry.get("log") != FORMAT:
            raise ValueError(f"wants a log of format {FORMAT}, not {entry.get('log')!r}")
        known = {name: entry[name] for name in ("ruleset", "board", "board_name", "program", "seed")}
        options, tables = (Fields(dict(_items(entry[name]))) for name in ("options", "tables"))
        start = State.from_text(write_plain(entry["start"]))
        board_file = entry.get("board_file", "")
        if not isinstance(board_file, str):
            raise ValueError("the board of a log is a text")
        return cls(**known, options=options, tables=tables, start=start, board_file=board_file)

    def refusals(self, setting: Setting[Any]) -> list[str]:
        """Say why a log with this header can not be played on in a setting; an empty list: it can."""
        found = []
        if self.ruleset != setting.ruleset.name:
            found.append(f"its ruleset is {self.ruleset}, not {setting.ruleset.name}")
        if self.board != setting.board.content_hash:
            mine = f"{setting.board.name!r} ({setting.board.content_hash})"
            found.append(f"its board is {self.board_name!r} ({self.board}), not {mine}")
        for what, theirs, mine_ in (
            ("option", self.options, setting.options.fields),
            ("figure", self.tables, setting.tables.overrides),
        ):
            for name in sorted({*theirs, *mine_}):
                here, there = _told(mine_, name), _told(theirs, name)
                if here != there:
                    found.append(f"its {what} {name} is {there}, not {here}")
        return found


def _items(plain: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, from_plain(value)) for name, value in plain.items())


def _told(fields: Fields, name: str) -> str:
    return to_text(fields[name]) if name in fields else "as printed"


# --- reading ---


@dataclass(frozen=True, slots=True)
class LoggedOrder:
    """One order of a log: its text, what happened, the hash of the table after it, and its first line."""

    line: int
    text: str
    given: str
    entries: tuple[dict[str, Any], ...]
    hash: str

    @property
    def answer_lines(self) -> tuple[int, ...]:
        """The lines on which the answers stand."""
        return tuple(number for number, entry in enumerate(self.entries, self.line + 1) if "question" in entry)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers that were given, in turn."""
        return tuple(
            Answer(from_plain(entry["answer"]), entry["by"], tuple(entry.get("faces", ())))
            for entry in self.entries
            if "question" in entry
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a log: an order, or at `line` the taking back of the last one."""

    line: int
    order: LoggedOrder | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read: its header, its orders and takings back, and what had to be dropped from its end."""

    path: str
    header: Header
    steps: tuple[Step, ...]
    #: How many lines and bytes are whole orders; what comes after them was dropped.
    lines: int
    size: int
    dropped: str = ""

    @property
    def orders(self) -> tuple[LoggedOrder, ...]:
        """The orders that were not taken back."""
        left: list[LoggedOrder] = []
        for step in self.steps:
            if step.order is None:
                left.pop()
            else:
                left.append(step.order)
        return tuple(left)


def read_log(path: str | Path) -> Log:
    """Read a log up to its last whole order; raises FileError where a line is damaged."""
    return parse_log(Path(path).read_bytes(), str(path))


def parse_log(data: bytes, path: str = "log") -> Log:
    """Read a log from its bytes; see `read_log`."""
    if not data.startswith(_BEGINNING) and not _BEGINNING.startswith(data):
        raise FileError([Fault(path, 1, 1, "", "no log of a game: `simulator run SCENARIO --log FILE` writes one")])
    *whole, tail = data.split(b"\n")
    lines: list[dict[str, Any]] = []
    for number, line in enumerate(whole, 1):
        try:
            lines.append(read_line(line, number))
        except (ValueError, KeyError) as error:
            raise FileError([Fault(path, number, 1, "", f"this line is damaged: {error}")]) from None
    if not lines:
        raise FileError([Fault(path, 1, 1, "", "there is no whole header, so there is nothing to resume")])
    try:
        header = Header.from_entry(lines[0])
    except (ValueError, KeyError, TypeError, SimulatorError) as error:
        raise FileError([Fault(path, 1, 1, "", f"this is no header of a log: {error}")]) from None
    steps, used = _steps(lines, path)
    size = sum(len(line) + 1 for line in whole[:used])
    return Log(path, header, steps, used, size, _dropped(lines[used:], len(data) - size, tail))


def _steps(lines: list[dict[str, Any]], path: str) -> tuple[tuple[Step, ...], int]:
    steps: list[Step] = []
    used = begun = 1
    depth = 0
    for number, entry in enumerate(lines[1:], 2):
        in_order = begun > used
        if in_order and "done" in entry:
            first = lines[begun - 1]
            inner = tuple(lines[begun : number - 1])
            text = first["order"]
            steps.append(Step(begun, LoggedOrder(begun, text, first.get("given", text), inner, entry["done"])))
            used, depth = number, depth + 1
        elif in_order and ("event" in entry or "question" in entry):
            continue
        elif not in_order and "order" in entry:
            begun = number
        elif not in_order and "undo" in entry and depth:
            steps.append(Step(number))
            used, depth = number, depth - 1
        else:
            raise FileError([Fault(path, number, 1, "", f"this line does not belong here: {sorted(entry)}")])
    return tuple(steps), used


def _dropped(lines: list[dict[str, Any]], size: int, tail: bytes) -> str:
    if not size:
        return ""
    order = next((entry["order"] for entry in lines if "order" in entry), None)
    what = f"the order '{order}', which is not whole" if order else "a line that is not whole"
    count = len(lines) + bool(tail)
    return f"dropped {count} line{'s' if count > 1 else ''} ({size} bytes) at the end: {what}"


# --- writing ---


def write_whole(path: str | Path, data: bytes) -> None:
    """Replace a file as a whole: whoever reads it sees the old or the new one, whatever happens in between.

    Who may read it stays as it was; a new file may be read by whoever may read others that this program writes.
    """
    file = Path(path).resolve()
    try:
        # Beside the file, as only there a rename is sure to replace it in one step.
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.", suffix=".draft")
    except OSError as error:
        error.filename = str(path)  # nobody asked for the draft
        raise
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(draft).chmod(file.stat().st_mode & 0o777 if file.exists() else 0o666 & ~_umask())
        Path(draft).replace(file)
    except BaseException:
        with suppress(OSError):
            Path(draft).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


class LogWriter:
    """Writes the log of a game that is being played: give it to a `Game` as its `log`."""

    def __init__(self, path: str | Path, lines: int, size: int) -> None:
        """Go on writing behind so many whole lines; use `create` or `resume`."""
        self.path = Path(path)
        self.lines, self.size = lines, size
        self._file = self.path.open("r+b", buffering=0)
        self._file.truncate(size)
        self._file.seek(size)

    @classmethod
    def create(cls, path: str | Path, header: Header) -> LogWriter:
        """Begin a log, in place of any file that is there."""
        data = written_line(1, header.to_entry())
        write_whole(path, data)
        return cls(path, 1, len(data))

    @classmethod
    def resume(cls, log: Log) -> LogWriter:
        """Go on with a log that was read; what had to be dropped from it is cut off."""
        return cls(log.path, log.lines, log.size)

    def order(self, happened: Happened, text: str, given: str) -> None:
        """Write down an order that is done."""
        self._append(entries(happened, text, given))

    def undone(self, text: str) -> None:
        """Write down that the last order was taken back."""
        self._append([{"undo": text}])

    def close(self) -> None:
        """Close the file; until then every order that is done is already in it."""
        self._file.close()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _append(self, new: Iterable[Mapping[str, Any]]) -> None:
        lines = [written_line(number, entry) for number, entry in enumerate(new, self.lines + 1)]
        data = b"".join(lines)
        try:
            # One write for a whole order: a kill leaves all of it, none, or a torn end that reading drops.
            written = self._file.write(data)
            if written != len(data):
                raise OSError(f"only {written} of {len(data)} bytes could be written to {self.path}")
        except BaseException:
            with suppress(OSError):
                self._file.truncate(self.size)
                self._file.seek(self.size)
            raise
        self.lines += len(lines)
        self.size += len(data)


def begin_logged(game: Game[Any], path: str | Path, seed: int | str | None = None) -> LogWriter:
    """Begin a game that was set up with `begin=False`, and write its log from the first line on."""
    game.log = writer = LogWriter.create(path, Header.of(game.setting, game.state, seed))
    game.do(BEGIN)
    return writer


# --- replaying ---


@dataclass(frozen=True, slots=True)
class Recorded:
    """The answers of an order as a log has them. With `dice`, seeded rolls have to be what the seed gives."""

    step: LoggedOrder
    dice: DiceBag | None = None

    def answer(self, question: Question, moment: Moment) -> Answer | None:
        """Give the recorded answer to this question, if there is one."""
        number = len(moment.asked)
        if number >= len(self.step.answers):
            return None
        found = self.step.answers[number]
        if self.dice is not None and found.by == "dice":
            rolled = self.dice.answer(question, moment)
            if rolled != found:
                raise Diverged(self.step.answer_lines[number], _shown(rolled), _shown(found), "the dice of the seed")
        return found


def replay(log: Log, setting: Setting[Any], verify: bool = False) -> Game[Any]:
    """Play a log again and give the game as it stood at its end.

    Raises LogRefused where the log is of another ruleset, board, option or figure, and Diverged where the game comes
    out otherwise. With `verify` every line has to come out the same, and seeded dice have to be those of the seed.
    """
    if reasons := log.header.refusals(setting):
        raise LogRefused(reasons)
    game = Game(setting, log.header.start)
    dice = DiceBag.of(log.header.seed) if verify and log.header.seed is not None else None
    for step in log.steps:
        if step.order is None:
            game.undo()
        else:
            _play_again(game, step.order, dice, verify)
    return game


def resume(path: str | Path, setting: Setting[Any], answers: Answerer | None = None) -> tuple[Game[Any], Log]:
    """Go on with a game from its log, on the same file. `Log.dropped` says what was lost at its end."""
    log = read_log(path)
    game = replay(log, setting)
    game.answers, game.log = answers, LogWriter.resume(log)
    return game, log


def _play_again(game: Game[Any], step: LoggedOrder, dice: DiceBag | None, verify: bool) -> None:
    try:
        happened = game.do(step.text, Recorded(step, dice))
    except Diverged:
        raise
    except SimulatorError as error:
        raise Diverged(step.line, f"the order '{step.text}'", str(error)) from error
    if happened.question is not None:
        raise Diverged(step.line, "an order that comes to its end", f"the question: {happened.question}")
    new = list(entries(happened, step.text, step.given))
    old = [new[0], *step.entries, {"done": step.hash}]
    # The hash of the table alone tells whether the game comes out the same; the lines tell where it parted.
    if verify or new[-1] != old[-1]:
        _compare(old, new, step.line)


def _compare(old: list[dict[str, Any]], new: list[dict[str, Any]], line: int) -> None:
    for number in range(max(len(old), len(new))):
        expected = old[number] if number < len(old) else None
        got = new[number] if number < len(new) else None
        if expected != got:
            path, one, other = _first_difference(expected, got, "")
            raise Diverged(line + number, _shown(one), _shown(other), path)


def _first_difference(old: Any, new: Any, path: str) -> tuple[str, Any, Any]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted({*old, *new}):
            if name not in old or name not in new or old[name] != new[name]:
                inner = f"{path}.{name}" if path else name
                return _first_difference(old.get(name), new.get(name), inner)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            if one != other:
                return _first_difference(one, other, f"{path}[{number}]")
    return path, old, new


def _shown(plain: Any) -> str:
    if plain is None:
        return "nothing"
    if isinstance(plain, Answer):
        faces = f" {list(plain.faces)}" if plain.faces else ""
        return f"{show(plain.value)}{faces}"
    return write_plain(plain)
