"""The log of a game: JSON Lines with a checksum on each line and a hash of the table after each order.

    {"n":1,"log":1,"ruleset":"...","board":"...","options":{...},...,"start":{...},"crc":"..."}
    {"n":2,"order":"A2 run: forward 4","crc":"..."}
    {"n":3,"event":{...},"crc":"..."}
    {"n":4,"question":{...},"answer":9,"by":"dice","faces":[4,5],"crc":"..."}
    {"n":5,"done":"<hash of the table>","crc":"..."}

The lines of an order are written together when it is done, so a log never contains half an order unless it was cut. An
incomplete order at the end is dropped when the log is read, and reported. A complete line that does not match its
checksum is damaged, and the log is refused. An order that is taken back is recorded as `undo`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulator.engine.actions import Answered, Happened
from simulator.engine.answers import Answer, Answerer, DiceBag, Occasion
from simulator.engine.errors import Diverged, LogRefused, OptionError
from simulator.engine.events import Event
from simulator.engine.game import Game
from simulator.engine.log_lines import (
    BEGINNING,
    FORMAT,
    MAX_BYTES,
    MAX_LINES,
    DoneLine,
    EventLine,
    HeaderLine,
    LogLine,
    OrderLine,
    QuestionLine,
    UndoLine,
    fitting,
    read_line,
    written_line,
)
from simulator.engine.openings import opening_faults
from simulator.engine.playthrough import BEGIN
from simulator.engine.questions import Question
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import State
from simulator.engine.table import Setting, not_played_on
from simulator.engine.values import Fields, from_plain, read_plain, show, to_plain, to_text, write_plain
from simulator.errors import Fault, FileError, LimitReached, SimulatorError
from simulator.geometry.board import Board
from simulator.reading import read_whole
from simulator.version import __version__
from simulator.writing import GrowingFile, Target


def entries(happened: Happened, text: str, given: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a completed order, as plain data."""
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
    """The data of a log about the game before it begins."""

    ruleset: str
    board: str
    board_name: str = ""
    options: Fields = field(default_factory=Fields)
    tables: Fields = field(default_factory=Fields)
    program: str = __version__
    #: The seed of the dice, None if they were not seeded.
    seed: int | str | None = None
    start: State = field(default_factory=State)
    #: The board as the text of its file, for a self-contained log.
    board_file: str = ""

    @classmethod
    def of(cls, setting: Setting[Any], start: State, seed: int | str | None = None, board_file: str = "") -> Header:
        """Return the header of a game."""
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
        """Return the header as a line of the log."""
        names = ("ruleset", "board", "board_name", "program", "seed")
        known = {name: getattr(self, name) for name in names}
        plain = {"options": to_plain(self.options), "tables": to_plain(self.tables)}
        board = {"board_file": self.board_file} if self.board_file else {}
        return {"log": FORMAT, **known, **plain, **board, "start": read_plain(self.start.text)}

    @classmethod
    def from_entry(cls, entry: Mapping[str, Any]) -> Header:
        """Read the header back; raise ValueError if it is not one."""
        if entry.get("log") != FORMAT:
            raise ValueError(f"expected a log of format {FORMAT}, not {entry.get('log')!r}")
        line = fitting(HeaderLine, entry)
        try:
            start = State.from_text(write_plain(entry["start"]))
        except (ValueError, SimulatorError) as error:
            raise ValueError(f"start: {error}") from None
        return cls(
            ruleset=line.ruleset,
            board=line.board,
            board_name=line.board_name,
            options=_fields_of(line.options),
            tables=_fields_of(line.tables),
            program=line.program,
            seed=line.seed,
            start=start,
            board_file=line.board_file,
        )

    def refusals(self, setting: Setting[Any]) -> list[str]:
        """List the reasons why a log with this header cannot be replayed in a setting; none if it can."""
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
                here, there = _value_text(mine_, name), _value_text(theirs, name)
                if here != there:
                    found.append(f"its {what} {name} is {there}, not {here}")
        return found


def _fields_of(plain: Mapping[str, Any]) -> Fields:
    return Fields({name: from_plain(value) for name, value in plain.items()})


def _value_text(fields: Fields, name: str) -> str:
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
        """The line numbers of the answers."""
        return tuple(number for number, entry in enumerate(self.entries, self.line + 1) if "question" in entry)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The recorded answers, in order."""
        return tuple(
            Answer(from_plain(entry["answer"]), entry["by"], tuple(entry.get("faces", ())))
            for entry in self.entries
            if "question" in entry
        )


@dataclass(frozen=True, slots=True)
class LogStep:
    """One step of a log: an order, or at `line` an `undo` of the last one."""

    line: int
    order: LoggedOrder | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read: its header, its orders and undos, and what was dropped from its end."""

    path: str
    header: Header
    steps: tuple[LogStep, ...]
    #: The lines and bytes of complete orders; the rest was dropped.
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

    def setting(self, ruleset: Ruleset[Any, Any], board: Board[Any]) -> Setting[Any]:
        """Return the setting of the game; raise FileError if there cannot be such a setting."""
        if wrong := not_played_on(ruleset, board):
            raise self.refused("board", wrong)
        try:
            return Setting.of(ruleset, board, self.header.options, self.header.tables)
        except OptionError as error:
            raise self.refused("options and tables", error.message.replace("\n", "; ")) from None

    def refused(self, path: str, message: str) -> FileError:
        """Return the error for a fault in the header."""
        return FileError([Fault(self.path, 1, 1, path, message)])


def read_log(path: str | Path) -> Log:
    """Read a log up to its last complete order; raise FileError if a line is damaged or does not belong to a log."""
    return parse_log(read_whole(path, MAX_BYTES), str(path))


def parse_log(data: bytes, path: str = "log") -> Log:
    """Read a log from its bytes; see `read_log`."""
    if len(data) > MAX_BYTES:
        raise LimitReached([Fault(path, 0, 0, "", f"longer than {MAX_BYTES} bytes, which is the most allowed")])
    if not data.startswith(BEGINNING) and not BEGINNING.startswith(data):
        raise FileError([Fault(path, 1, 1, "", "not a log of a game: `simulator run SCENARIO --log FILE` writes one")])
    *whole, tail = data.split(b"\n")
    if len(whole) > MAX_LINES:
        raise LimitReached([Fault(path, MAX_LINES, 1, "", f"more than {MAX_LINES} lines, which is the most allowed")])
    lines: list[dict[str, Any]] = []
    for number, line in enumerate(whole, 1):
        try:
            lines.append(read_line(line, number))
        except ValueError as error:
            raise FileError([Fault(path, number, 1, "", f"this line is damaged: {error}")]) from None
    if not lines:
        raise FileError([Fault(path, 1, 1, "", "the header is incomplete, so there is nothing to resume")])
    try:
        header = Header.from_entry(lines[0])
    except ValueError as error:
        raise FileError([Fault(path, 1, 1, "", f"not the header of a log: {error}")]) from None
    steps, used = _steps(lines, path)
    size = sum(len(line) + 1 for line in whole[:used])
    return Log(path, header, steps, used, size, _dropped(lines[used:], len(data) - size, tail))


#: The models of lines, by the key that identifies their kind.
_KINDS: Mapping[str, type[LogLine]] = {
    "order": OrderLine,
    "event": EventLine,
    "question": QuestionLine,
    "done": DoneLine,
    "undo": UndoLine,
}


def _steps(lines: list[dict[str, Any]], path: str) -> tuple[tuple[LogStep, ...], int]:
    steps: list[LogStep] = []
    used = begun = 1
    depth = 0
    for number, entry in enumerate(lines[1:], 2):
        kind = next((kind for kind in _KINDS if kind in entry), "")
        in_order = begun > used
        if not (kind in ("event", "question", "done") if in_order else kind == "order" or (kind == "undo" and depth)):
            raise FileError([Fault(path, number, 1, "", f"this line does not belong here: {sorted(entry)}")])
        try:
            fitting(_KINDS[kind], entry)
        except ValueError as error:
            raise FileError([Fault(path, number, 1, "", f"this line is damaged: {error}")]) from None
        if kind == "done":
            first = lines[begun - 1]
            inner = tuple(lines[begun : number - 1])
            text = first["order"]
            steps.append(LogStep(begun, LoggedOrder(begun, text, first.get("given", text), inner, entry["done"])))
            used, depth = number, depth + 1
        elif kind == "order":
            begun = number
        elif kind == "undo":
            steps.append(LogStep(number))
            used, depth = number, depth - 1
    return tuple(steps), used


def _dropped(lines: list[dict[str, Any]], size: int, tail: bytes) -> str:
    if not size:
        return ""
    order = next((entry["order"] for entry in lines if "order" in entry), None)
    what = f"the incomplete order '{order}'" if order else "an incomplete line"
    count = len(lines) + bool(tail)
    return f"dropped {count} line{'s' if count > 1 else ''} ({size} bytes) at the end: {what}"


# --- writing ---


class LogWriter:
    """Writes the log of a game in progress: assign it to the `log` of a `Game`."""

    def __init__(self, file: GrowingFile, lines: int) -> None:
        """Continue after a number of complete lines; use `create` or `resume`."""
        self.lines = lines
        self._file = file

    @classmethod
    def create(cls, path: Target, header: Header) -> LogWriter:
        """Begin a log, replacing an existing file; a pipe or a device is written to directly."""
        return cls(GrowingFile.create(path, written_line(1, header.to_entry())), 1)

    @classmethod
    def resume(cls, log: Log) -> LogWriter:
        """Continue a log that was read; its dropped end is cut off."""
        return cls(GrowingFile(log.path, log.size), log.lines)

    def order(self, happened: Happened, text: str, given: str) -> None:
        """Record a completed order."""
        self._append(entries(happened, text, given))

    def undone(self, text: str) -> None:
        """Record that the last order was taken back."""
        self._append([{"undo": text}])

    def close(self) -> None:
        """Close the file. Every completed order has already been written."""
        self._file.close()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _append(self, new: Iterable[Mapping[str, Any]]) -> None:
        lines = [written_line(number, entry) for number, entry in enumerate(new, self.lines + 1)]
        # One write for a whole order: a kill leaves all of it, none, or an incomplete end that reading drops.
        self._file.append(b"".join(lines))
        self.lines += len(lines)


def begin_logged(game: Game[Any], path: Target, seed: int | str | None = None) -> LogWriter:
    """Begin a game that was set up with `begin=False`, and write its log from the first line."""
    game.log = writer = LogWriter.create(path, Header.of(game.setting, game.state, seed))
    game.do(BEGIN)
    return writer


def log_bytes(game: Game[Any], seed: int | str | None = None, board_file: str = "") -> bytes:
    """Return the log of a game that kept none: its opening and every completed order that was not taken back."""
    lines: list[Mapping[str, Any]] = [Header.of(game.setting, game.opening, seed, board_file).to_entry()]
    for happened in game.history:
        if happened.question is None:
            lines += entries(happened, game.write(happened.order), game.write(happened.given or happened.order))
    return b"".join(written_line(number, entry) for number, entry in enumerate(lines, 1))


# --- replaying ---


@dataclass(frozen=True, slots=True)
class Recorded:
    """The recorded answers of an order. With `dice`, seeded rolls must match the seed."""

    step: LoggedOrder
    dice: DiceBag | None = None

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Return the recorded answer to this question, if there is one."""
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
    """Play a log again and return the game as it was at its end.

    Raise LogRefused if the log belongs to another ruleset, board, option or figure, and Diverged if the game ends
    differently. With `verify` every line has to be the same, and seeded dice have to match the seed.
    """
    if reasons := log.header.refusals(setting):
        raise LogRefused(reasons)
    if faults := list(opening_faults(setting, log.header.start)):
        raise FileError([Fault(log.path, 1, 1, f"start.{where}", what) for where, what in faults])
    game = Game(setting, log.header.start)
    dice = DiceBag.of(log.header.seed) if verify and log.header.seed is not None else None
    for step in log.steps:
        if step.order is None:
            game.undo()
        else:
            _play_again(game, step.order, dice, verify)
    return game


def resume(path: str | Path, setting: Setting[Any], answers: Answerer | None = None) -> tuple[Game[Any], Log]:
    """Continue a game from its log, in the same file. `Log.dropped` describes what was lost at its end."""
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
        raise Diverged(step.line, "an order without open questions", f"the question: {happened.question}")
    new = list(entries(happened, step.text, step.given))
    old = [new[0], *step.entries, {"done": step.hash}]
    # The hash of the table shows whether the game ends the same; the lines show where it diverged.
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
