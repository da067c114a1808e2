"""From the tree of a scenario file to a `Scenario`: every part is checked against the ruleset, all faults are noted."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FolderPath
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from simulator.engine.carrying import carrier_faults
from simulator.engine.errors import Breach, OptionError, TableError, UnreadableOrder
from simulator.engine.facing import facing_fault
from simulator.engine.orders import Vocabulary, is_name
from simulator.engine.places import by_column_and_row, on_board, read_heading, read_pose
from simulator.engine.reading import read_order
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import CARRIER_WORDS, Unit
from simulator.engine.table import Setting, Table
from simulator.engine.tables import Tables
from simulator.engine.unread import unread_words
from simulator.engine.values import Fields, freeze
from simulator.errors import Fault, FileError
from simulator.formats import limits
from simulator.formats.board_words import note_unread
from simulator.formats.boards import FORMAT, build_board, load_board_with_source
from simulator.formats.documents import SourceFile, validate
from simulator.formats.expectations import Complaint, Known, event_faults, faults
from simulator.formats.faults import Faults, Path, got, no_such
from simulator.formats.scenario import Scenario, ScenarioStep
from simulator.formats.scenario_answers import CHOICE_WORDS, REACTION_WORDS, ROLL_WORDS, DiceSource
from simulator.formats.scenario_models import Expected, OrderEntry, ScenarioFile, independent
from simulator.formats.scenario_values import exact, text_of_place
from simulator.formats.strict_yaml import Node
from simulator.geometry.board import Board
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.geometry.poses import Pose, said_place
from simulator.wording import measure

#: What every unit says of itself; all else are fields of its type.
_OF_EVERY_UNIT = ("type", "side", "at", "heading")
#: For kinds of answers that stand for all questions of a sort: the words they can have.
_SORTS = {"reactions": REACTION_WORDS, "choices": CHOICE_WORDS, "rolls": ROLL_WORDS}


def collection(folder: FolderPath) -> FolderPath:
    """Return the folder in which scenarios and boards lie together: what a scenario names has to be in there.

    It is the one around the folder of the scenario, or around the outermost folder `scenarios` above it.
    """
    folder = folder.resolve()
    for above in reversed(folder.parents):
        if above.name == "scenarios":
            return above.parent
    # A scenario at the very top of a file system must not open all of it.
    return folder.parent if folder.parent != folder.parent.parent else folder


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place in the text of an order, and where in the file it stands."""

    at: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _LineNumbers:
    """Knows the line on which a path of the file stands."""

    root: Node

    def __call__(self, path: Path) -> int:
        node = SourceFile(self.root, Faults("")).node(path)
        return node.key_line or node.line


def _bare(node: Node) -> Any:
    """Return the plain value of a node, as far as a message shows it."""
    if isinstance(node.value, list):
        return [_bare(item) for item in node.value[:9]]
    return dict.fromkeys(node.value) if isinstance(node.value, dict) else node.value


def _spoken(ruleset: Ruleset[Any, Any], board: Board[Any] | None) -> Vocabulary:
    """Return all that can be said; where the board is faulty, that is no fault of the places that are named on it."""
    if board is not None:
        return on_board(ruleset.vocabulary, board)
    return by_column_and_row(ruleset.vocabulary, OffsetLayout.ODD_ROWS)


class ScenarioReader:
    """Reads one scenario. `folder` is where the file lies: boards are looked for from there; None allows none."""

    def __init__(
        self, source: SourceFile, text: str, folder: FolderPath | None, rulesets: Mapping[str, Ruleset[Any, Any]]
    ) -> None:
        self.source = source
        self.lines = text.splitlines()
        self.folder = folder
        self.rulesets = rulesets
        #: The faults of the board's own file.
        self.board_faults: tuple[Fault, ...] = ()
        self.board_beyond_limit = False
        self.ruleset: Ruleset[Any, Any] | None = None
        #: All that can be said at the table, once the ruleset and the board are known.
        self.vocabulary: Vocabulary | None = None
        #: The units of the file, None where they are not sound.
        self.units: dict[str, Unit] | None = None
        #: Their names, known even where something else of them is not sound; None where a name is not.
        self.names: tuple[str, ...] | None = None
        #: The board as its file says it, for the places of what the ruleset does not read; the notes on it.
        self.board_source: SourceFile | None = None
        self.notes: tuple[Fault, ...] = ()
        #: What the ruleset has against the opening position.
        self.position: tuple[Breach, ...] = ()

    def read(self, name: str) -> Scenario | None:
        """Build the scenario; None where something is wrong, which the source and `board_faults` then know.

        Where nothing is wrong but the opening position, it is built all the same, and `position` says what.
        """
        if not self._is_this_format():
            return None
        document = validate(self.source, ScenarioFile, independent(ScenarioFile))
        sound = {part for part in ScenarioFile.model_fields if not self._faulty(part)}
        self.ruleset = ruleset = self._ruleset()
        board = self._board()
        if document is None or ruleset is None:
            return None
        if board is not None and ruleset.boards and board.kind not in ruleset.boards:
            self.source.fault(
                ("board",), f"{ruleset.name} is played on {' or '.join(ruleset.boards)} {got(board.kind)}"
            )
            board = None
        self.vocabulary = vocabulary = _spoken(ruleset, board)
        options = self._options(ruleset, document.options)
        tables = self._tables(ruleset, document.tables)
        if "units" in sound:
            self.names = tuple(document.units) if all(map(is_name, document.units)) else None
            found = self._units(ruleset, board, document.units)
            self.units = None if self._faulty("units") else found
        units = self.units
        # Without a board nobody can say what the ruleset remembers, but then the file is faulty in any case.
        scenery = tuple(document.scenery)
        setting = None if board is None else Setting(ruleset, board, options, tables, scenery)
        if setting is not None and not self._faulty("tables"):
            self._check_words(setting)
        remembered = {} if setting is None else ruleset.data(setting)
        self._check_answers()
        if setting is not None:
            self._check_names(document.data, remembered, ("data",), "entry")
            self.position = self._against_position(setting, units, document.data)
        data = document.expect.data if setting is None else remembered
        known = Known(ruleset, "" if board is None else board.kind, vocabulary, units, data, self._read_order)
        turns = self._turns(known) if "turns" in sound else ()
        self._expected(("expect",), known)
        all_else_sound = not (self.source.faults or self.board_faults)
        self._note_position(units or {})
        if not all_else_sound or setting is None or units is None:
            return None
        return Scenario(
            name=document.name if "name" in document.model_fields_set else name,
            description=document.description,
            setting=setting,
            units=tuple(units.values()),
            data=Fields({key: exact(value) for key, value in document.data.items()}),
            dice=DiceSource(
                tuple(exact(result) for result in document.dice.results), document.dice.seed, document.dice.policy
            ),
            answers=Fields({key: exact(value) for key, value in document.answers.items()}),
            turns=turns,
            expect=document.expect,
            file=self.source.faults.file,
            line_of=_LineNumbers(self.source.root),
            board_path=document.board if isinstance(document.board, str) else "",
            notes=self.notes,
        )

    def _note(self, complaints: Iterable[Complaint]) -> None:
        for path, message, on_key in complaints:
            self.source.fault(path, message, on_key=on_key)

    def _faulty(self, part: str) -> bool:
        return self.source.faults.about((part,))

    # --- what it is ---

    def _is_this_format(self) -> bool:
        root = self.source.root
        if not isinstance(root.value, dict):
            what = "a list" if isinstance(root.value, list) else "a single value"
            self.source.fault((), f"wants keys and values, first `format: {FORMAT}` (got {what})")
            return False
        if "format" not in root.value:
            self.source.fault(("format",), f"is missing: a scenario begins with `format: {FORMAT}`")
            return True
        said = root.value["format"].value
        if type(said) is not int or said != FORMAT:
            self.source.fault(("format",), f"this version reads format {FORMAT} {got(said)}")
            return False
        return True

    def _said(self, key: str) -> Any:
        node = self.source.root.value.get(key)
        return None if node is None else node.value

    def _ruleset(self) -> Ruleset[Any, Any] | None:
        name = self._said("ruleset")
        if not isinstance(name, str) or not name:
            return None
        if name not in self.rulesets:
            self.source.fault(("ruleset",), no_such(name, sorted(self.rulesets), "ruleset"))
            return None
        return self.rulesets[name]

    # --- the board ---

    def _board(self) -> Board[Any] | None:
        node = self.source.root.value.get("board")
        if node is None:
            self.source.fault(("board",), "is missing: the path of a board file, or a board")
            return None
        if isinstance(node.value, dict):
            return self._inline_board(node)
        return self._board_of_file(node.value) if isinstance(node.value, str) and node.value else None

    def _inline_board(self, node: Node) -> Board[Any] | None:
        inner = Faults(self.source.faults.file)
        version = Node(FORMAT, node.line, node.column)
        tree = Node({"format": version, **node.value}, node.line, node.column)
        self.board_source = SourceFile(tree, inner)
        board = build_board(self.board_source, "")
        self.source.faults.take(inner, ("board",))
        return None if inner else board

    def _board_of_file(self, said: str) -> Board[Any] | None:
        file = self._found(said)
        if isinstance(file, str):
            self.source.fault(("board",), file)
            return None
        try:
            board, self.board_source = load_board_with_source(file)
            return board
        except FileError as error:
            count = measure(len(error.faults), "fault")
            self.source.fault(("board",), f"this board is faulty ({count} in {said})")
            self.board_faults, self.board_beyond_limit = error.faults, error.exit_code == 4
            return None

    def _found(self, said: str) -> FolderPath | str:
        """Find the file that a path means, or say why it means none."""
        if self.folder is None:
            return "a scenario that is no file can not name a board's file: write the board itself here"
        if PurePosixPath(said).is_absolute() or PureWindowsPath(said).anchor or not said.isprintable():
            return f"wants a path from the folder of this file, like ../boards/hall.yaml {got(said)}"
        home = collection(self.folder)
        try:
            file = (self.folder / said).resolve()
            if not file.is_relative_to(home):
                return (
                    f"leads out of the folder {home.name or home}, where scenarios and boards lie together {got(said)}"
                )
            if not file.is_file():
                return f"there is no such file {got(said)}"
        except (OSError, RuntimeError) as error:
            return f"can not be read: {getattr(error, 'strerror', None) or error} {got(said)}"
        return FolderPath(self.folder) / said

    def _check_words(self, setting: Setting[Any]) -> None:
        """Note the words of the board that the ruleset does not read, where the board's file says them."""
        found = tuple(unread_words(setting)) if self.board_source is not None else ()
        if self.board_source is None or not found:
            return
        root, file = self.board_source.root, self.board_source.faults.file
        faulty, noted = SourceFile(root, Faults(file)), SourceFile(root, Faults(file))
        for unread in found:
            if unread.word.key == "scenery" and unread.word.path[0] == "scenery":
                self.source.fault(unread.word.path, unread.message)
            else:
                note_unread(faulty if unread.is_fault else noted, unread)
        self.notes = tuple(noted.faults.sorted())
        if not isinstance(self._said("board"), str):
            self.source.faults.take(faulty.faults, ("board",))
            self.notes = tuple(replace(note, path=f"board.{note.path}") for note in self.notes)
        elif faulty.faults:
            self.board_faults = tuple(faulty.faults.sorted())
            message = f"{setting.ruleset.name} does not read all of this board"
            self.source.fault(
                ("board",), f"{message} ({measure(len(self.board_faults), 'fault')} in {self._said('board')})"
            )

    # --- the ruleset's own ---

    def _check_names(self, given: Collection[str], known: Collection[str], under: Path, what: str) -> None:
        for name in given:
            if name not in known:
                self.source.fault((*under, name), no_such(name, sorted(known), what), on_key=True)

    def _options(self, ruleset: Ruleset[Any, Any], given: Mapping[str, Any]) -> Any:
        declared = ruleset.options.declared
        self._check_names(given, declared, ("options",), "option")
        try:
            return ruleset.options(**{name: exact(value) for name, value in given.items() if name in declared})
        except OptionError as error:
            self._note_lines(error, ("options",), declared)
            return ruleset.options()

    def _tables(self, ruleset: Ruleset[Any, Any], given: Mapping[str, Any]) -> Tables:
        try:
            return ruleset.tables.override({path: exact(value) for path, value in given.items()})
        except OptionError as error:
            self._note_lines(error, ("tables",), given)
            return ruleset.tables

    def _note_lines(self, error: OptionError, under: Path, names: Collection[str]) -> None:
        """Note the faults that a ruleset tells, one on each line as `name: what is wrong`."""
        for line in error.message.splitlines():
            name, _, message = line.partition(": ")
            if name in names:
                self.source.fault((*under, name), message)
            else:
                self.source.fault(under, line)

    def _check_answers(self) -> None:
        answers = self._said("answers")
        answers = {key: node.value for key, node in answers.items()} if isinstance(answers, dict) else {}
        for sort, words in _SORTS.items():
            if sort in answers and answers[sort] not in words:
                said = answers[sort]
                message = no_such(said, words) if isinstance(said, str) else f"wants {' or '.join(words)} {got(said)}"
                self.source.fault(("answers", sort), message)

    # --- units ---

    def _units(
        self, ruleset: Ruleset[Any, Any], board: Board[Any] | None, given: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, Unit]:
        units = {}
        for id, entry in given.items():
            unit = self._unit(ruleset, board, id, entry)
            if unit is not None:
                units[id] = unit
        sides = {unit.side for unit in units.values()} | {"all", "order", "expect"}
        for id in units:
            if id in sides:
                taken = "the name of a side" if id not in ("all", "order", "expect") else "a word with another meaning"
                self.source.fault(("units", id), f"{id!r} can not name a unit: it is {taken}", on_key=True)
        return units

    def _unit(
        self, ruleset: Ruleset[Any, Any], board: Board[Any] | None, id: str, entry: Mapping[str, Any]
    ) -> Unit | None:
        under: Path = ("units", id)
        if not is_name(id):
            rule = "letters, digits, _ and -, a letter first"
            if is_name(joined := re.sub(r"[^\w-]+", "_", id).strip("_")):
                rule += f", such as {joined[:40]}"
            self.source.fault(under, f"{id[:40]!r} can not name a unit: {rule}", on_key=True)
        kind = entry.get("type")
        if kind is None:
            self.source.fault((*under, "type"), f"is missing: one of {', '.join(ruleset.unit_types)}")
            return None
        if not isinstance(kind, str) or kind not in ruleset.unit_types:
            message = no_such(kind, ruleset.unit_types, "type of unit") if isinstance(kind, str) else ""
            self.source.fault((*under, "type"), message or f"wants a word {got(kind)}")
            return None
        side = entry.get("side", "")
        if not isinstance(side, str):
            self.source.fault((*under, "side"), f"wants a word {got(side)}")
            return None
        vocabulary = _spoken(ruleset, board)
        fields = ruleset.unit_types[kind].fields
        place, heading, entry = self._pose(vocabulary, board, entry, under, fields)
        entry = self._in_its_words(entry, fields, under)
        more = {name: value for name, value in entry.items() if name not in _OF_EVERY_UNIT}
        self._check_names(more, {**dict.fromkeys(_OF_EVERY_UNIT), **fields}, under, f"field of a {kind}")
        more = {name: exact(value) for name, value in more.items() if name in fields}
        try:
            unit = ruleset.make_unit(id, kind, side, place, heading, **more)
        except OptionError as error:
            self._note_lines(error, under, fields)
            return None
        if board is not None and (fault := facing_fault(ruleset, vocabulary, board, unit)):
            in_text = heading is not None and entry.get("heading") is None
            self.source.fault((*under, "at" if in_text else "heading"), fault)
        return unit

    def _in_its_words(self, entry: Mapping[str, Any], fields: Collection[str], under: Path) -> Mapping[str, Any]:
        """Return an entry whose `carrier` stands under the word that the type of unit has for it."""
        own = next((word for word in CARRIER_WORDS if word in fields), "carrier")
        if "carrier" not in entry or own == "carrier":
            return entry
        if own in entry:
            self.source.fault((*under, "carrier"), f"what carries {under[-1]} is said twice: as {own}, and here")
        return {own if key == "carrier" else key: value for key, value in entry.items()}

    def _pose(
        self,
        vocabulary: Vocabulary,
        board: Board[Any] | None,
        entry: Mapping[str, Any],
        under: Path,
        fields: Collection[str],
    ) -> tuple[Any, Any, Mapping[str, Any]]:
        """Read where a unit stands and how it faces, and return the entry with the level that `at` names as a field."""
        pose, heading = self._at(vocabulary, board, entry, under), self._heading(vocabulary, entry, under)
        if pose is None:
            return None, heading, entry
        for name in ("heading", "level"):
            if getattr(pose, name) is not None and entry.get(name) is not None:
                self.source.fault((*under, name), f"stands in {text_of_place(entry['at'])!r} already")
        if pose.level is not None and "level" not in fields:
            self.source.fault((*under, "at"), f"a {entry['type']} has no level {got(entry['at'])}")
        elif pose.level is not None:
            entry = {**entry, "level": pose.level}
        return pose.place, heading if pose.heading is None else pose.heading, entry

    def _at(
        self, vocabulary: Vocabulary, board: Board[Any] | None, entry: Mapping[str, Any], under: Path
    ) -> Pose | None:
        said = entry.get("at")
        if said is None:
            return None
        path = (*under, "at")
        try:
            text = text_of_place(said)
        except ValueError:
            self.source.fault(path, f"wants {vocabulary.goal_place.about} {got(said)}")
            return None
        try:
            pose = read_pose(vocabulary, text)
        except ValueError as error:
            is_pose = said_place(text) != text.strip()
            self.source.fault(path, str(error) if is_pose else f"wants {vocabulary.goal_place.about} {got(said)}")
            return None
        if board is not None and pose.place[:2] not in board:
            self.source.fault(path, f"is not on the board {got(said)}")
        return pose

    def _heading(self, vocabulary: Vocabulary, entry: Mapping[str, Any], under: Path) -> Any:
        said = entry.get("heading")
        if said is None:
            return None
        try:
            if isinstance(said, bool) or not isinstance(said, str | int | float):
                raise ValueError
            return read_heading(vocabulary, str(said))
        except ValueError:
            self.source.fault((*under, "heading"), f"wants {vocabulary.goal_heading.about} {got(said)}")
            return None

    def _against_position(
        self, setting: Setting[Any], units: dict[str, Unit] | None, data: Mapping[str, Any]
    ) -> tuple[Breach, ...]:
        """Ask the ruleset what is wrong with the opening position, if all else is sound."""
        if units is None or self.source.faults:
            return ()
        try:
            opening = setting.opening(units.values(), {key: exact(value) for key, value in data.items()})
            table = Table(setting, opening)
        except TableError as error:
            self.source.fault(("units",), str(error))
            return ()
        for fault in setting.ruleset.data_faults(table):
            self.source.fault(("data",), fault)
        if self.source.faults:
            return ()
        breaches = tuple(setting.ruleset.faults(table))
        for breach in carrier_faults(opening, breaches):
            self.source.fault(("units", breach.blocker, self._word_for_carrier(breach.blocker)), breach.message)
        return breaches

    def _word_for_carrier(self, id: str) -> str:
        """Return the key under which the file says what carries a unit."""
        said = self.source.node(("units", id)).value
        return next(word for word in CARRIER_WORDS if word in said)

    def _note_position(self, units: Mapping[str, Unit]) -> None:
        about: dict[Path, list[str]] = {}
        for fault in self.position:
            where: Path = ("units", fault.blocker) if fault.blocker in units else ("units",)
            message = f"{fault.message} ({fault.clause})" if fault.clause else fault.message
            about.setdefault(where, []).append(message)
        for where, reasons in about.items():
            # They do not follow from one another, so all of them are reported.
            self.source.fault(where, "; ".join(dict.fromkeys(reasons)))

    # --- orders ---

    def _read_order(self, text: str, path: Path, spots: Sequence[_Spot] = ()) -> None:
        """Note what is wrong with the text of an order; `spots` say where its parts stand in the file."""
        if self.vocabulary is None:
            return
        try:
            order = read_order(text, self.vocabulary, self.names)
        except UnreadableOrder as error:
            found = text[error.at : error.at + error.length]
            message = f"found {found!r}" if found else "but the order ends here"
            hint = f"{' ' if error.hint.startswith('(') else '; '}{error.hint}" if error.hint else ""
            # Who knows the right word by then needs no example.
            advice = f"; {error.advice}" if error.advice and "did you mean" not in error.hint else ""
            self._fault_in_order(path, spots, error.at, f"expected {error.expected}, {message}{hint}{advice}")
            return
        sides = {unit.side for unit in (self.units or {}).values()} | {"all"}
        if self.units is not None and order.unit not in self.units and order.unit not in sides:
            self._fault_in_order(path, spots, 0, no_such(order.unit, [*self.units, *sorted(sides)], "unit or side"))

    def _fault_in_order(self, path: Path, spots: Sequence[_Spot], at: int, message: str) -> None:
        """Note a fault at the character of the file where an order can not be read on."""
        here = _Spot(0, self.source.node(path).line, self.source.node(path).column)
        spot = max((spot for spot in (here, *spots) if spot.at <= at), key=lambda spot: spot.at)
        line = self.lines[spot.line - 1] if 0 < spot.line <= len(self.lines) else ""
        quoted = line[spot.column - 1 : spot.column] in ("'", '"')
        column = min(spot.column + (at - spot.at) + quoted, len(line) + 1)
        self.source.faults.add(spot.line, column, path, message)

    def _turns(self, known: Known) -> tuple[tuple[ScenarioStep, ...], ...]:
        node = self.source.root.value.get("turns")
        if node is None:
            return ()
        turns = []
        count = 0
        for number, turn in enumerate(node.value):
            path: Path = ("turns", number)
            steps: list[ScenarioStep] = []
            entries = enumerate(turn.value) if isinstance(turn.value, list) else [(None, turn)]
            for place, entry in entries:
                steps += self._entry(entry, path if place is None else (*path, place), known)
            count += len(steps)
            turns.append(tuple(steps))
        if count > limits.ORDERS.most:
            self.source.fault(("turns",), limits.ORDERS.reached(count), limit=True)
        return tuple(turns)

    def _entry(self, entry: Node, path: Path, known: Known) -> Iterator[ScenarioStep]:
        if isinstance(entry.value, str):
            known.read_order(entry.value, path)
            yield ScenarioStep(path, entry.value)
        elif not isinstance(entry.value, dict):
            self.source.fault(path, f"wants an order, like 'A2 run: forward 4' {got(_bare(entry))}")
        elif "order" in entry.value:
            yield from self._long_order(path, known)
        elif set(entry.value) == {"expect"}:
            yield ScenarioStep(path, expect=self._expected((*path, "expect"), known))
        else:
            for key, node in entry.value.items():
                yield from self._pair(key, node, (*path, key))

    def _pair(self, key: str, node: Node, path: Path) -> Iterator[ScenarioStep]:
        """Read an order with a colon: to YAML it is a key and a value."""
        parts = node.value if isinstance(node.value, list) else [node]
        if not all(isinstance(part.value, str) for part in parts) or not parts:
            self.source.fault(path, f"wants what the order is made of, as a text or a list of texts {got(_bare(node))}")
            return
        text, spots = key, [_Spot(0, node.key_line, node.key_column)]
        for number, part in enumerate(parts):
            text += ", " if number else ": "
            spots.append(_Spot(len(text), part.line, part.column))
            text += part.value
        self._read_order(text, path, spots)
        yield ScenarioStep(path, text)

    def _expected(self, path: Path, known: Known) -> Expected:
        """Check what is expected at a path, as far as it is sound; where nothing is said, nothing is."""
        if not self.source.holds(path):
            return Expected()
        expected = validate(self.source, Expected, independent(Expected), path) or Expected()
        self._note(faults(expected, path, known))
        return expected

    def _long_order(self, path: Path, known: Known) -> Iterator[ScenarioStep]:
        entry = validate(self.source, OrderEntry, independent(OrderEntry), path)
        if entry is None:
            return
        known.read_order(entry.order, (*path, "order"))
        for number, event in enumerate(entry.events):
            self._note(event_faults(event, (*path, "events", number), known))
        expected = self._expected((*path, "expect"), known)
        yield ScenarioStep(
            path,
            entry.order,
            tuple(freeze(exact(answer)) for answer in entry.answers),
            entry.refused,
            entry.cost,
            tuple(entry.events),
            tuple(entry.asked),
            expected,
        )
