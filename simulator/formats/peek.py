"""Distinguish boards, scenarios and sweep plans by their first distinctive key, without reading them whole."""

from __future__ import annotations

import os
from typing import Literal, TypeAlias

import yaml

from simulator.errors import FileError
from simulator.formats import limits
from simulator.formats.boards import KINDS
from simulator.formats.strict_yaml import PARSER
from simulator.reading import read_whole

Kind: TypeAlias = Literal["board", "scenario", "sweep"]
#: What a key of the outermost mapping says about its file.
_KIND_OF_KEY: dict[str, Kind] = {"ruleset": "scenario", "sweep": "sweep"}


def kind_of_file(path: str | os.PathLike[str]) -> Kind:
    """Return the kind of a file; any file that is nothing else, even an unreadable one, counts as a board."""
    try:
        return _kind(read_whole(path, limits.FILE_BYTES.most))
    except (FileError, ValueError, yaml.YAMLError):
        return "board"


def _kind(data: bytes) -> Kind:
    """Return which comes first in the outermost mapping: `ruleset`, `sweep`, or a kind of board as `board: squares`."""
    depth, key = 0, None
    for number, event in enumerate(yaml.parse(data.decode("utf-8-sig"), Loader=PARSER)):
        if number > limits.NODES.most:  # a file with this many values before its kind is refused anyway
            return "board"
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.NESTING.most:
                return "board"
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            key = None if depth == 1 else key
        elif isinstance(event, yaml.ScalarEvent) and depth == 1:
            if key is None:
                key = event.value
                if key in _KIND_OF_KEY:
                    return _KIND_OF_KEY[key]
            else:
                if key == "board" and event.value in KINDS:
                    return "board"
                key = None
    return "board"
