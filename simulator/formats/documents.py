"""From a file's tree to a checked document: each complaint of a model becomes a fault at its line and column."""

from __future__ import annotations

import re
import typing
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from simulator.errors import BoardError
from simulator.formats.faults import Faults, Path, got, no_such
from simulator.formats.strict_yaml import Node

Model = TypeVar("Model", bound=BaseModel)

_BOUND_WORDS = {"gt": "above", "ge": "of at least", "lt": "below", "le": "of at most"}


class Source:
    """A file while it is being read: its tree, and what is wrong with it."""

    def __init__(self, root: Node, faults: Faults) -> None:
        self.root = root
        self.faults = faults

    def node(self, path: Path) -> Node:
        """Give the node at a path, or the nearest above it."""
        node = self.root
        for part in path:
            inside = _inside(node, part)
            if inside is None:
                break
            node = inside
        return node

    def fault(self, path: Path, message: str, *, on_key: bool = False, limit: bool = False) -> None:
        """Note a fault at the value of a path, or at its key."""
        node = self.node(path)
        if on_key and node.key_line:
            self.faults.add(node.key_line, node.key_column, path, message, limit=limit)
        else:
            self.faults.add(node.line, node.column, path, message, limit=limit)

    def fault_in_text(self, path: Path, line: int, column: int, message: str) -> None:
        """Note a fault inside a text: `line` and `column` count from 0 there. Only in blocks the place is exact."""
        node = self.node(path)
        if node.is_block:
            self.faults.add(node.line + line, node.column + column, path, message)
        else:
            self.fault(path, message)

    def fault_of_board(self, error: BoardError) -> None:
        """Note what a board's own constructor refused, at the part that it names."""
        path: Path = tuple(int(part) if part.isdigit() else part for part in re.findall(r"[^.\[\]]+", error.path))
        self.fault(path, error.message)


def validate(source: Source, model: type[Model]) -> Model | None:
    """Check the tree against a model. None where something is wrong; the faults tell what."""
    data = _plain(source, source.root, ())
    try:
        return model.model_validate(data)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            _note(source, model, details)
        return None


def _plain(source: Source, node: Node, path: Path) -> Any:
    """Give the tree as plain values. What has no value is a fault; a key without one is left out."""
    if isinstance(node.value, list):
        return [_plain(source, item, (*path, number)) for number, item in enumerate(node.value)]
    if isinstance(node.value, dict):
        plain = {key: _plain(source, item, (*path, key)) for key, item in node.value.items()}
        return {key: value for key, value in plain.items() if value is not None}
    if node.value is None:
        source.fault(path, "has no value: give one, or leave it out", on_key=True)
    return node.value


def _note(source: Source, model: type[BaseModel], details: ErrorDetails) -> None:
    path: Path = details["loc"]
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
            source.fault(path, no_such(str(path[-1]), _known_keys(model, path[:-1]), "key"), on_key=True)
        case "literal_error":
            known = re.findall(r"'([^']*)'", context["expected"])
            source.fault(path, no_such(value, known) if isinstance(value, str) else f"wants a word {got(value)}")
        case kind:
            source.fault(path, f"{_wants(kind, context)} {got(value)}")


def _wants(kind: str, context: dict[str, Any]) -> str:
    match kind:
        case "bool_type":
            return "wants true or false"
        case "int_type" | "int_from_float":
            return "wants a whole number"
        case "float_type":
            return "wants a number"
        case "string_type":
            return "wants a text, in quotes where it looks like something else"
        case "string_too_short":
            return "wants a text that is not empty"
        case "list_type":
            return "wants a list"
        case "dict_type" | "model_type":
            return "wants keys and values"
        case _:
            # What is left are bounds of numbers, each error with one of them in its context.
            bound = next(name for name in _BOUND_WORDS if name in context)
            return f"wants a number {_BOUND_WORDS[bound]} {context[bound]:g}"


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
