"""From a file's tree to a validated document: each error of a model becomes a fault at its line and column."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from simulator.errors import BoardError
from simulator.formats.faults import Faults, Path, got, no_such, shorten
from simulator.formats.strict_yaml import Node

if TYPE_CHECKING:
    from simulator.formats.board_models import BoardFile
    from simulator.geometry.board import Board

Model = TypeVar("Model", bound=BaseModel)

#: Lists whose entries, and keys whose values, do not affect the rest of a file.
_INDEPENDENT_LISTS = ("edges", "areas", "labels", "pieces", "entry_areas")
_INDEPENDENT = ("name", "description")

_BOUND_WORDS = {"gt": "above", "ge": "of at least", "lt": "below", "le": "of at most"}


class BoardKind(NamedTuple):
    """How files of one kind of board are read and written."""

    model: type[BoardFile]
    build: Callable[[Any, SourceFile, str], Board[Any] | None]
    text: Callable[[Any], str]


class SourceFile:
    """A file while it is being read: its tree and its faults."""

    def __init__(self, root: Node, faults: Faults) -> None:
        self.root = root
        self.faults = faults
        #: For lists from which faulty entries were removed, by their paths: the indexes in the file of those left.
        self.left: dict[Path, list[int]] = {}

    def node(self, path: Path) -> Node:
        """Return the node at a path, or the nearest above it."""
        node = self.root
        for part in path:
            inside = _inside(node, part)
            if inside is None:
                break
            node = inside
        return node

    def contains(self, path: Path) -> bool:
        """Return whether the file has a value at a path."""
        return not path or (self.contains(path[:-1]) and _inside(self.node(path[:-1]), path[-1]) is not None)

    def fault(self, path: Path, message: str, *, on_key: bool = False, limit: bool = False) -> None:
        """Add a fault at the value of a path of the validated document, or at its key."""
        self.fault_in_file(self.in_file(path), message, on_key=on_key, limit=limit)

    def names_once(self, names: Iterable[str], under: Path, key: str) -> None:
        """Add a fault for each name that occurs again in a list, with the line where it stands first."""
        first: dict[str, int] = {}
        for number, name in enumerate(names):
            if (before := first.setdefault(name, number)) != number:
                line = self.node(self.in_file((*under, before, key))).line
                self.fault((*under, number, key), f"{name!r} is already used by {under[-1]}[{before}] in line {line}")

    def in_file(self, path: Path) -> Path:
        """Return a path of the validated document as one of the file: of a list, faulty entries may be left out."""
        return _original(path, self.left)

    def fault_in_file(self, path: Path, message: str, *, on_key: bool = False, limit: bool = False) -> None:
        """Add a fault at the value of a path of the file, or at its key."""
        node = self.node(path)
        if on_key and node.key_line:
            self.faults.add(node.key_line, node.key_column, path, message, limit=limit)
        else:
            self.faults.add(node.line, node.column, path, message, limit=limit)

    def fault_in_text(self, path: Path, line: int, column: int | None, message: str) -> None:
        """Add a fault inside a text: `line` and `column` count from 0 there; None stands for a blank line.

        The position is exact in block texts only.
        """
        node = self.node(path)
        if node.is_block:
            self.faults.add(node.line + line, 1 if column is None else node.column + column, path, message)
        else:
            self.fault(path, message)

    def fault_of_board(
        self,
        error: BoardError,
        under: Path = (),
        parts: Mapping[str, Path] = MappingProxyType({}),
        numbered: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Add a fault for a BoardError of a constructor, at the part that it names.

        `under` is the entry it was built from, `parts` maps parts that have another name in the entry to their keys
        there, `numbered` is the true index of an entry that was checked alone.
        """
        path: list[str | int] = [int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", error.path)]
        first = str(path[0]) if path else ""
        if first in numbered:
            path[1] = numbered[first]
        rest = path[1:] if first in parts else path
        self.fault((*under, *parts.get(first, ()), *rest), error.message)


def validate(
    source: SourceFile, model: type[Model], independent: Collection[str] = _INDEPENDENT, under: Path = ()
) -> Model | None:
    """Validate the tree against a model, adding its faults to the source.

    Faulty parts that do not affect the rest are left out of the document, so that the rest is still checked: parts of
    keys that are `independent`, and single entries of lists that are. If other parts are faulty, return None. With
    `under`, only the part of the tree at that path is checked.
    """
    data = _plain(source, source.node(under), under)
    removed: set[Path] = set()
    left: dict[Path, list[int]] = {}
    rest = data
    while True:
        try:
            return model.model_validate(rest)
        except ValidationError as error:
            faulty = error.errors(include_url=False)
        if not removed:
            for details in faulty:
                _note(source, model, details, under)
        # What is required and was faulty is missing now, and what it belongs to goes as well.
        dropped = {_dropped(details, data, left, independent) for details in faulty}
        if dropped <= removed or None in dropped:
            return None
        removed |= {path for path in dropped if path is not None}
        left = {}
        rest = _without(data, removed, (), left)
        source.left = {path: kept for path, kept in source.left.items() if path[: len(under)] != under}
        source.left |= {(*under, *path): kept for path, kept in left.items()}


def _dropped(
    details: ErrorDetails, data: Any, left: Mapping[Path, list[int]], independent: Collection[str]
) -> Path | None:
    """Return the part of the data that a fault makes useless; None if other parts depend on it."""
    path = _original(details["loc"], left)
    match path:
        case (str(key), int(number), *_) if key in _INDEPENDENT_LISTS:
            return (key, number)
        case (str(key), *_) if key in independent:
            # A fault about what is not there, such as a missing key, is one of what it is missing from.
            while len(path) > 1 and not _is_in(data, path):
                path = path[:-1]
            return path[:-1] if details["type"] == "missing" and len(path) == len(details["loc"]) > 1 else path
        case _:
            return None


def _original(path: Path, left: Mapping[Path, list[int]]) -> Path:
    """Return a path of the data without its faulty parts as one of all the data."""
    found: Path = ()
    for part in path:
        kept = left.get(found)
        found = (*found, kept[part] if kept is not None and isinstance(part, int) and part < len(kept) else part)
    return found


def _is_in(data: Any, path: Path) -> bool:
    if not path:
        return True
    part, rest = path[0], path[1:]
    if isinstance(data, dict):
        return part in data and _is_in(data[part], rest)
    return isinstance(data, list) and isinstance(part, int) and part < len(data) and _is_in(data[part], rest)


def _without(data: Any, removed: Collection[Path], path: Path, left: dict[Path, list[int]]) -> Any:
    """Return data without its removed parts, and note in `left` which entries of lists are left."""
    if isinstance(data, dict):
        return {
            key: _without(value, removed, (*path, key), left)
            for key, value in data.items()
            if (*path, key) not in removed
        }
    if isinstance(data, list):
        kept = [number for number in range(len(data)) if (*path, number) not in removed]
        if len(kept) < len(data):
            left[path] = kept
        return [_without(data[number], removed, (*path, number), left) for number in kept]
    return data


def _plain(source: SourceFile, node: Node, path: Path) -> Any:
    """Return the tree as plain values. A missing value is a fault, and its key is left out."""
    if isinstance(node.value, list):
        return [_plain(source, item, (*path, number)) for number, item in enumerate(node.value)]
    if isinstance(node.value, dict):
        plain = {key: _plain(source, item, (*path, key)) for key, item in node.value.items()}
        return {key: value for key, value in plain.items() if value is not None}
    if node.value is None:
        source.fault_in_file(path, "has no value: add one, or leave the key out", on_key=True)
    return node.value


def _note(source: SourceFile, model: type[BaseModel], details: ErrorDetails, under: Path) -> None:
    inner: Path = details["loc"]
    path: Path = (*under, *inner)
    context: dict[str, Any] = details.get("ctx", {})
    value = details["input"]
    match details["type"]:
        case "limit" | "wrong" as kind:
            on_key = bool(path) and path[-1] == "[key]"
            path = path[:-1] if on_key else path
            path = path if context["at"] is None else (*path, context["at"])
            source.fault_in_file(path, context["message"], limit=kind == "limit", on_key=on_key)
        case "missing":
            if _inside(source.node(path[:-1]), path[-1]) is None:
                source.fault_in_file(path, "is missing")
        case "extra_forbidden":
            source.fault_in_file(path, no_such(str(path[-1]), _known_keys(model, inner[:-1]), "key"), on_key=True)
        case "literal_error":
            known = re.findall(r"'([^']*)'", context["expected"])
            source.fault_in_file(
                path, no_such(value, known) if isinstance(value, str) else f"expected a word {got(value)}"
            )
        case kind:
            wanted = _requirement(kind, context) or details["msg"].lower()
            source.fault_in_file(path, f"{wanted}{_under_names(kind, value)} {got(value)}")


def _under_names(kind: str, value: Any) -> str:
    """Say how a list whose entries name themselves is written by those names; empty for anything else."""
    entries = value if kind == "dict_type" and isinstance(value, list) else []
    names = [entry[key] for entry in entries if isinstance(entry, dict) for key in ("id", "name") if key in entry]
    return f", each entry under its name: `{shorten(str(names[0]))}: ...`" if names else ""


def _requirement(kind: str, context: dict[str, Any]) -> str:
    """Return our description of a valid value; empty if there is only the library's."""
    match kind:
        case "bool_type":
            return "expected true or false"
        case "int_type" | "int_from_float":
            return "expected a whole number"
        case "float_type":
            return "expected a number"
        case "string_type":
            return "expected a text, in quotes where it looks like something else"
        case "string_pattern_mismatch":
            return "expected a word of small letters, digits and underscores, a letter first"
        case "string_too_short":
            return "expected a text that is not empty"
        case "too_short" if context.get("min_length") == 1:
            return "expected at least one entry"
        case "list_type":
            return "expected a list"
        case "dict_type" | "model_type":
            return "expected keys and values"
        case _:
            bounds = [
                f"expected a number {_BOUND_WORDS[name]} {context[name]:.15g}"
                for name in _BOUND_WORDS
                if name in context
            ]
            return bounds[0] if bounds else ""


def _inside(node: Node, part: str | int) -> Node | None:
    if isinstance(node.value, dict):
        found: Node | None = node.value.get(part)
        return found
    if isinstance(node.value, list) and isinstance(part, int) and part < len(node.value):
        item: Node = node.value[part]
        return item
    return None


def _known_keys(model: type[BaseModel], path: Path) -> list[str]:
    """List the keys that the mapping at a path below a model may have."""
    here: Any = model
    free_key = False
    for part in path:
        if isinstance(part, int) or free_key:
            free_key = False
            continue
        annotation = next(
            field.annotation for name, field in here.model_fields.items() if (field.alias or name) == part
        )
        here = _model_in(annotation)
        free_key = typing.get_origin(annotation) is dict
    return [field.alias or name for name, field in here.model_fields.items()]


def _model_in(annotation: Any) -> Any:
    """Return the model of the items of a list or mapping, or of an optional value."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(argument) for argument in typing.get_args(annotation))
    return next((model for model in found if model is not None), None)
