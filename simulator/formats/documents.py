"""From a file's tree to a checked document: each complaint of a model becomes a fault at its line and column."""

from __future__ import annotations

import re
import typing
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from simulator.errors import BoardError
from simulator.formats.faults import Faults, Path, got, no_such
from simulator.formats.strict_yaml import Node

Model = TypeVar("Model", bound=BaseModel)

#: Lists whose entries mean nothing to the rest of a file, and values that mean nothing to it either.
_INDEPENDENT_LISTS = ("edges", "areas", "labels", "pieces", "entry_areas")
_INDEPENDENT = ("name", "description")

_BOUND_WORDS = {"gt": "above", "ge": "of at least", "lt": "below", "le": "of at most"}


class SourceFile:
    """A file while it is being read: its tree, and what is wrong with it."""

    def __init__(self, root: Node, faults: Faults) -> None:
        self.root = root
        self.faults = faults
        #: For lists that entries were taken out of: the numbers that those left have in the file.
        self.left: dict[str, list[int]] = {}

    def node(self, path: Path) -> Node:
        """Return the node at a path, or the nearest above it."""
        node = self.root
        for part in path:
            inside = _inside(node, part)
            if inside is None:
                break
            node = inside
        return node

    def holds(self, path: Path) -> bool:
        """Whether the file says something at a path."""
        return not path or (self.holds(path[:-1]) and _inside(self.node(path[:-1]), path[-1]) is not None)

    def fault(self, path: Path, message: str, *, on_key: bool = False, limit: bool = False) -> None:
        """Note a fault at the value of a path, or at its key."""
        path = self._in_file(path)
        node = self.node(path)
        if on_key and node.key_line:
            self.faults.add(node.key_line, node.key_column, path, message, limit=limit)
        else:
            self.faults.add(node.line, node.column, path, message, limit=limit)

    def fault_in_text(self, path: Path, line: int, column: int | None, message: str) -> None:
        """Note a fault inside a text: `line` and `column` count from 0 there, None is a line that is blank.

        Only in blocks the place is exact.
        """
        node = self.node(path)
        if node.is_block:
            self.faults.add(node.line + line, 1 if column is None else node.column + column, path, message)
        else:
            self.fault(path, message)

    def _in_file(self, path: Path) -> Path:
        match path:
            case (str(key), int(number), *rest) if key in self.left:
                return (key, self.left[key][number], *rest)
        return path

    def fault_of_board(
        self,
        error: BoardError,
        under: Path = (),
        parts: Mapping[str, Path] = MappingProxyType({}),
        numbered: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Note what a constructor in Python refused, at the part that it names.

        `under` is the entry it was built from, `parts` says where in the entry the parts stand that have another
        name there, `numbered` gives the true number of an entry that was looked at alone.
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
    """Check the tree against a model; the faults tell what is wrong.

    What is wrong without consequences for the rest is left out of the document, so that the rest is checked on: the
    keys that are `independent`, single entries of the lists that are. Where that can not be, None. With `under`, only
    the part of the tree at that path is checked.
    """
    data = _plain(source, source.node(under), under)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faulty = error.errors(include_url=False)
    for details in faulty:
        _note(source, model, details, under)
    rest = _without(source, data, [details["loc"] for details in faulty], independent)
    return None if rest is None else model.model_validate(rest)


def _without(source: SourceFile, data: Any, faulty: list[Path], independent: Collection[str]) -> dict[str, Any] | None:
    """Leave out what is faulty, if nothing else depends on it."""
    keys: set[str | int] = set()
    entries: dict[str, set[int]] = {}
    for path in faulty:
        match path:
            case (key, *_) if key in independent:
                keys.add(key)
            case (str(key), int(number), *_) if key in _INDEPENDENT_LISTS:
                entries.setdefault(key, set()).add(number)
            case _:
                return None
    rest = {key: value for key, value in data.items() if key not in keys}
    for key, numbers in entries.items():
        source.left[key] = [number for number in range(len(data[key])) if number not in numbers]
        rest[key] = [data[key][number] for number in source.left[key]]
    return rest


def _plain(source: SourceFile, node: Node, path: Path) -> Any:
    """Return the tree as plain values. What has no value is a fault; a key without one is left out."""
    if isinstance(node.value, list):
        return [_plain(source, item, (*path, number)) for number, item in enumerate(node.value)]
    if isinstance(node.value, dict):
        plain = {key: _plain(source, item, (*path, key)) for key, item in node.value.items()}
        return {key: value for key, value in plain.items() if value is not None}
    if node.value is None:
        source.fault(path, "has no value: give one, or leave it out", on_key=True)
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
            source.fault(path, context["message"], limit=kind == "limit", on_key=on_key)
        case "missing":
            if _inside(source.node(path[:-1]), path[-1]) is None:
                source.fault(path, "is missing")
        case "extra_forbidden":
            source.fault(path, no_such(str(path[-1]), _known_keys(model, inner[:-1]), "key"), on_key=True)
        case "literal_error":
            known = re.findall(r"'([^']*)'", context["expected"])
            source.fault(path, no_such(value, known) if isinstance(value, str) else f"wants a word {got(value)}")
        case kind:
            source.fault(path, f"{_wants(kind, context) or details['msg'].lower()} {got(value)}")


def _wants(kind: str, context: dict[str, Any]) -> str:
    """Describe in our words what a value should be; empty where the library's words have to do."""
    match kind:
        case "bool_type":
            return "wants true or false"
        case "int_type" | "int_from_float":
            return "wants a whole number"
        case "float_type":
            return "wants a number"
        case "string_type":
            return "wants a text, in quotes where it looks like something else"
        case "string_pattern_mismatch":
            return "wants a word of small letters, digits and underscores, a letter first"
        case "string_too_short":
            return "wants a text that is not empty"
        case "list_type":
            return "wants a list"
        case "dict_type" | "model_type":
            return "wants keys and values"
        case _:
            bounds = [
                f"wants a number {_BOUND_WORDS[name]} {context[name]:.15g}" for name in _BOUND_WORDS if name in context
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
    """Walk from a model along a path and list the keys that the mapping there may have."""
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
    """Find the model that a list, a mapping or an optional value is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(argument) for argument in typing.get_args(annotation))
    return next((model for model in found if model is not None), None)
