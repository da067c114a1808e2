"""From the tree of a scenario file to a `Scenario`: every part is checked against the ruleset, all faults collected."""

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
from simulator.engine.ruleset import Ruleset, filled_in
from simulator.engine.state import CARRIER_WORDS, Unit
from simulator.engine.table import Setting, Table, not_played_on
from simulator.engine.tables import Tables
from simulator.engine.unread import unread_words
from simulator.engine.values import Fields, freeze
from simulator.errors import Fault, FileError
from simulator.formats import limits
from simulator.formats.board_words import note_unread
from simulator.formats.boards import FORMAT, build_board, load_board_with_source
from simulator.formats.declared_names import WORDS_OF_SORTS, DeclaredNames, sort_fault
from simulator.formats.documents import SourceFile, validate
from simulator.formats.expectations import Complaint, Known, clause_faults, event_faults, faults, question_faults
from simulator.formats.faults import Faults, Path, got, no_such
from simulator.formats.objective_file import read_objective
from simulator.formats.scenario import Scenario, ScenarioStep
from simulator.formats.scenario_answers import DiceSource
from simulator.formats.scenario_models import Expected, OrderEntry, ScenarioFile, independent
from simulator.formats.scenario_values import exact, text_of_place
from simulator.formats.strict_yaml import Node
from simulator.geometry.board import Board
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.geometry.poses import Pose, place_part
from simulator.wording import measure, with_article

#: The keys of every unit; all others are fields of its type.
_OF_EVERY_UNIT = ("type", "side", "at", "heading")


def collection(folder: FolderPath) -> FolderPath:
    """Return the folder that holds scenarios and boards: files named by a scenario must be inside it.

    It is the parent of the scenario's folder, or of the outermost folder `scenarios` above it.
    """
    folder = folder.resolve()
    for above in reversed(folder.parents):
        if above.name == "scenarios":
            return above.parent
    # A scenario at the very top of a file system must not open all of it.
    return folder.parent if folder.parent != folder.parent.parent else folder


@dataclass(frozen=True, slots=True)
class _Spot:
    """A position in the text of an order, and its position in the file."""

    at: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _LineNumbers:
    """Returns the line of a path of the file."""

    root: Node

    def __call__(self, path: Path) -> int:
        node = SourceFile(self.root, Faults("")).node(path)
        return node.key_line or node.line


def _bare(node: Node) -> Any:
    """Return the plain value of a node, as deep as messages show it."""
    if isinstance(node.value, list):
        return [_bare(item) for item in node.value[:9]]
    return dict.fromkeys(node.value) if isinstance(node.value, dict) else node.value


def _spoken(ruleset: Ruleset[Any, Any], board: Board[Any] | None) -> Vocabulary:
    """Return the vocabulary; with a faulty board, places are not checked against it."""
    if board is not None:
        return on_board(ruleset.vocabulary, board)
    return by_column_and_row(ruleset.vocabulary, OffsetLayout.ODD_ROWS)


class ScenarioReader:
    """Reads one scenario. Boards are searched relative to `folder`, that of the file; None allows none."""

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
        #: The vocabulary of the table, once the ruleset and the board are known.
        self.vocabulary: Vocabulary | None = None
        #: The units of the file; None if they are faulty.
        self.units: dict[str, Unit] | None = None
        #: Their names, known even if something else about them is faulty; None if a name is faulty.
        self.names: tuple[str, ...] | None = None
        #: The tree of the board's file, to locate words that the ruleset does not read; the notes on it.
        self.board_source: SourceFile | None = None
        self.notes: tuple[Fault, ...] = ()
        #: The breaches of the opening position.
        self.position: tuple[Breach, ...] = ()

    def read(self, name: str) -> Scenario | None:
        """Build the scenario; None if it is faulty, with the faults in the source and in `board_faults`.

        If only the opening position is faulty, the scenario is built nevertheless, with the breaches in `position`.
        """
        if not self._is_this_format():
            return None
        document = validate(self.source, ScenarioFile, independent(ScenarioFile))
        sound = {part for part in ScenarioFile.model_fields if not self._faulty(part)}
        self.ruleset = ruleset = self._ruleset()
        board = self._board()
        if document is None or ruleset is None:
            return None
        if board is not None and (wrong := not_played_on(ruleset, board)):
            self.source.fault(("board",), wrong)
            board = None
        self.vocabulary = vocabulary = _spoken(ruleset, board)
        options = self._options(ruleset, document.options)
        tables = self._tables(ruleset, document.tables)
        if "units" in sound:
            self.names = tuple(document.units) if all(map(is_name, document.units)) else None
            found = self._units(ruleset, board, document.units)
            self.units = None if self._faulty("units") else found
        units = self.units
        # Without a board the ruleset's data cannot be checked, but then the file is faulty anyway.
        scenery = tuple(document.scenery)
        setting = None if board is None else Setting(ruleset, board, options, tables, scenery)
        if setting is not None and not self._faulty("tables"):
            self._check_words(setting)
        remembered = {} if setting is None else ruleset.data(setting)
        if setting is not None:
            self._check_names(document.data, remembered, ("data",), "entry")
            self.position = self._against_position(setting, units, document.data)
        data = document.expect.data if setting is None else remembered
        known = Known(ruleset, board, vocabulary, units, data, self._read_order)
        self._check_answers(known.names)
        turns = self._turns(known) if "turns" in sound else ()
        self._expected(("expect",), known)
        if setting is not None:
            sides = dict.fromkeys(unit.side for unit in (units or {}).values())
            setting = replace(setting, objective=read_objective(self.source, document.objective, setting, tuple(sides)))
        is_sound = not (self.source.faults or self.board_faults)
        self._note_position(units or {})
        if not is_sound or setting is None or units is None:
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

    # --- format and ruleset ---

    def _is_this_format(self) -> bool:
        root = self.source.root
        if not isinstance(root.value, dict):
            what = "a list" if isinstance(root.value, list) else "a single value"
            self.source.fault((), f"expected keys and values, first `format: {FORMAT}` (got {what})")
            return False
        if "format" not in root.value:
            self.source.fault(("format",), f"is missing: a scenario begins with `format: {FORMAT}`")
            return True
        value = root.value["format"].value
        if type(value) is not int or value != FORMAT:
            self.source.fault(("format",), f"this version reads format {FORMAT} {got(value)}")
            return False
        return True

    def _value(self, key: str) -> Any:
        node = self.source.root.value.get(key)
        return None if node is None else node.value

    def _ruleset(self) -> Ruleset[Any, Any] | None:
        name = self._value("ruleset")
        if not isinstance(name, str) or not name:
            return None
        if name not in self.rulesets:
            self.source.fault(("ruleset",), no_such(name, sorted(self.rulesets), "ruleset"))
            return None
        return filled_in(self.rulesets[name])

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

    def _board_of_file(self, value: str) -> Board[Any] | None:
        file = self._found(value)
        if isinstance(file, str):
            self.source.fault(("board",), file)
            return None
        try:
            board, self.board_source = load_board_with_source(file)
            return board
        except FileError as error:
            count = measure(len(error.faults), "fault")
            self.source.fault(("board",), f"this board is faulty ({count} in {value})")
            self.board_faults, self.board_beyond_limit = error.faults, error.exit_code == 4
            return None

    def _found(self, value: str) -> FolderPath | str:
        """Return the file that a path names, or the reason why there is none."""
        if self.folder is None:
            return "a scenario that is not a file cannot name a board's file: write the board itself here"
        if PurePosixPath(value).is_absolute() or PureWindowsPath(value).anchor or not value.isprintable():
            return f"expected a path from the folder of this file, like ../boards/hall.yaml {got(value)}"
        home = collection(self.folder)
        try:
            file = (self.folder / value).resolve()
            if not file.is_relative_to(home):
                return f"leads out of the folder {home.name or home}, which holds scenarios and boards {got(value)}"
            if not file.is_file():
                return f"there is no such file {got(value)}"
        except (OSError, RuntimeError) as error:
            return f"cannot be read: {getattr(error, 'strerror', None) or error} {got(value)}"
        return FolderPath(self.folder) / value

    def _check_words(self, setting: Setting[Any]) -> None:
        """Add a fault for each word of the board that the ruleset does not read, at its place in the board's file."""
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
        if not isinstance(self._value("board"), str):
            self.source.faults.take(faulty.faults, ("board",))
            self.notes = tuple(replace(note, path=f"board.{note.path}") for note in self.notes)
        elif faulty.faults:
            self.board_faults = tuple(faulty.faults.sorted())
            message = f"{setting.ruleset.name} does not read all of this board"
            self.source.fault(
                ("board",), f"{message} ({measure(len(self.board_faults), 'fault')} in {self._value('board')})"
            )

    # --- the ruleset's own ---

    def _check_names(self, entries: Collection[str], known: Collection[str], under: Path, what: str) -> None:
        for name in entries:
            if name not in known:
                self.source.fault((*under, name), no_such(name, sorted(known), what), on_key=True)

    def _options(self, ruleset: Ruleset[Any, Any], entries: Mapping[str, Any]) -> Any:
        declared = ruleset.options.declared
        self._check_names(entries, declared, ("options",), "option")
        try:
            return ruleset.options(**{name: exact(value) for name, value in entries.items() if name in declared})
        except OptionError as error:
            self._note_lines(error, ("options",), declared)
            return ruleset.options()

    def _tables(self, ruleset: Ruleset[Any, Any], entries: Mapping[str, Any]) -> Tables:
        try:
            return ruleset.tables.override({path: exact(value) for path, value in entries.items()})
        except OptionError as error:
            self._note_lines(error, ("tables",), entries)
            return ruleset.tables

    def _note_lines(self, error: OptionError, under: Path, names: Collection[str]) -> None:
        """Add the faults that a ruleset reports, one on each line as `name: what is wrong`."""
        for line in error.message.splitlines():
            name, _, message = line.partition(": ")
            if name in names:
                self.source.fault((*under, name), message)
            else:
                self.source.fault(under, line)

    def _check_answers(self, names: DeclaredNames) -> None:
        answers = self._value("answers")
        answers = {key: node.value for key, node in answers.items()} if isinstance(answers, dict) else {}
        for sort in (sort for sort in WORDS_OF_SORTS if sort in answers):
            if fault := sort_fault(answers, sort):
                self.source.fault(("answers", sort), fault)
        for name, answer in answers.items():
            for fault in names.answer_faults(name, answer):
                self.source.fault(("answers", name), fault, on_key=True)

    # --- units ---

    def _units(
        self, ruleset: Ruleset[Any, Any], board: Board[Any] | None, entries: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, Unit]:
        units = {}
        for id, entry in entries.items():
            unit = self._unit(ruleset, board, id, entry)
            if unit is not None:
                units[id] = unit
        sides = {unit.side for unit in units.values()} | {"all", "order", "expect"}
        for id in units:
            if id in sides:
                taken = "the name of a side" if id not in ("all", "order", "expect") else "a word with another meaning"
                self.source.fault(("units", id), f"{id!r} cannot name a unit: it is {taken}", on_key=True)
        return units

    def _unit(
        self, ruleset: Ruleset[Any, Any], board: Board[Any] | None, id: str, entry: Mapping[str, Any]
    ) -> Unit | None:
        under: Path = ("units", id)
        if not is_name(id):
            rule = "letters, digits, _ and -, a letter first"
            if is_name(joined := re.sub(r"[^\w-]+", "_", id).strip("_")):
                rule += f", such as {joined[:40]}"
            self.source.fault(under, f"{id[:40]!r} cannot name a unit: {rule}", on_key=True)
        kind = entry.get("type")
        if kind is None:
            self.source.fault((*under, "type"), f"is missing: one of {', '.join(ruleset.unit_types)}")
            return None
        if not isinstance(kind, str) or kind not in ruleset.unit_types:
            message = no_such(kind, ruleset.unit_types, "type of unit") if isinstance(kind, str) else ""
            self.source.fault((*under, "type"), message or f"expected a word {got(kind)}")
            return None
        side = entry.get("side", "")
        if not isinstance(side, str):
            self.source.fault((*under, "side"), f"expected a word {got(side)}")
            return None
        vocabulary = _spoken(ruleset, board)
        fields = ruleset.unit_types[kind].fields
        place, heading, entry = self._pose(vocabulary, board, entry, under, fields)
        entry = self._in_its_words(entry, fields, under)
        more = {name: value for name, value in entry.items() if name not in _OF_EVERY_UNIT}
        self._check_names(more, {**dict.fromkeys(_OF_EVERY_UNIT), **fields}, under, f"field of {with_article(kind)}")
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
        """Return an entry with `carrier` renamed to the word that the type of unit uses for it."""
        word = next((word for word in CARRIER_WORDS if word in fields), "carrier")
        if "carrier" not in entry or word == "carrier":
            return entry
        if word in entry:
            self.source.fault((*under, "carrier"), f"the carrier of {under[-1]} is set twice: as {word}, and here")
        return {word if key == "carrier" else key: value for key, value in entry.items()}

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
            self.source.fault((*under, "at"), f"{with_article(entry['type'])} has no level {got(entry['at'])}")
        elif pose.level is not None:
            entry = {**entry, "level": pose.level}
        return pose.place, heading if pose.heading is None else pose.heading, entry

    def _at(
        self, vocabulary: Vocabulary, board: Board[Any] | None, entry: Mapping[str, Any], under: Path
    ) -> Pose | None:
        value = entry.get("at")
        if value is None:
            return None
        path = (*under, "at")
        try:
            text = text_of_place(value)
        except ValueError:
            self.source.fault(path, f"expected {vocabulary.goal_place.about} {got(value)}")
            return None
        try:
            pose = read_pose(vocabulary, text)
        except ValueError as error:
            is_pose = place_part(text) != text.strip()
            self.source.fault(path, str(error) if is_pose else f"expected {vocabulary.goal_place.about} {got(value)}")
            return None
        if board is not None and pose.place[:2] not in board:
            self.source.fault(path, f"is not on the board {got(value)}")
        return pose

    def _heading(self, vocabulary: Vocabulary, entry: Mapping[str, Any], under: Path) -> Any:
        value = entry.get("heading")
        if value is None:
            return None
        try:
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                raise ValueError
            return read_heading(vocabulary, str(value))
        except ValueError:
            self.source.fault((*under, "heading"), f"expected {vocabulary.goal_heading.about} {got(value)}")
            return None

    def _against_position(
        self, setting: Setting[Any], units: dict[str, Unit] | None, data: Mapping[str, Any]
    ) -> tuple[Breach, ...]:
        """Return the ruleset's breaches of the opening position, if everything else is sound."""
        if units is None or self.source.faults:
            return ()
        for path, fault in setting.ruleset.setting_faults(setting, list(units.values())):
            self.source.fault(path, fault)
        if self.source.faults:
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
        """Return the key under which the file names the carrier of a unit."""
        value = self.source.node(("units", id)).value
        return next(word for word in CARRIER_WORDS if word in value)

    def _note_position(self, units: Mapping[str, Unit]) -> None:
        about: dict[Path, list[str]] = {}
        for fault in self.position:
            where: Path = ("units", fault.blocker) if fault.blocker in units else ("units",)
            message = f"{fault.message} ({fault.clause})" if fault.clause else fault.message
            about.setdefault(where, []).append(message)
        for where, reasons in about.items():
            # They are independent, so all of them are reported.
            self.source.fault(where, "; ".join(dict.fromkeys(reasons)))

    # --- orders ---

    def _read_order(self, text: str, path: Path, spots: Sequence[_Spot] = ()) -> None:
        """Add the faults of the text of an order; `spots` locate its parts in the file."""
        if self.vocabulary is None:
            return
        try:
            order = read_order(text, self.vocabulary, self.names if self.units is None else self.units)
        except UnreadableOrder as error:
            found = text[error.at : error.at + error.length]
            message = f"found {found!r}" if found else "but the order ends here"
            hint = f"{' ' if error.hint.startswith('(') else '; '}{error.hint}" if error.hint else ""
            # A suggested word makes an example unnecessary.
            advice = f"; {error.advice}" if error.advice and "did you mean" not in error.hint else ""
            self._fault_in_order(path, spots, error.at, f"expected {error.expected}, {message}{hint}{advice}")
            return
        sides = {unit.side for unit in (self.units or {}).values()} | {"all"}
        if self.units is not None and order.unit not in self.units and order.unit not in sides:
            self._fault_in_order(path, spots, 0, no_such(order.unit, [*self.units, *sorted(sides)], "unit or side"))

    def _fault_in_order(self, path: Path, spots: Sequence[_Spot], at: int, message: str) -> None:
        """Add a fault at the character of the file where an order becomes unreadable."""
        path = self.source.in_file(path)
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
        elif not isinstance(entry.value, dict) or not entry.value:
            self.source.fault(path, f"expected an order, like 'A2 run: forward 4' {got(_bare(entry))}")
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
            self.source.fault(
                path, f"expected the elements of the order, as a text or a list of texts {got(_bare(node))}"
            )
            return
        text, spots = key, [_Spot(0, node.key_line, node.key_column)]
        for number, part in enumerate(parts):
            text += ", " if number else ": "
            spots.append(_Spot(len(text), part.line, part.column))
            text += part.value
        self._read_order(text, path, spots)
        yield ScenarioStep(path, text)

    def _expected(self, path: Path, known: Known) -> Expected:
        """Return the sound expectations at a path; none if the file has none there."""
        if not self.source.contains(path):
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
        for number, question in enumerate(entry.asked):
            self._note(question_faults(question, (*path, "asked", number), known))
        self._note(clause_faults(entry.refused, (*path, "refused"), known))
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
