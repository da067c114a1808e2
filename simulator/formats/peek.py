"""Distinguish board files from scenario files by their first distinctive key, without reading them whole."""

from __future__ import annotations

import os
from typing import Literal

import yaml

from simulator.errors import FileError
from simulator.formats import limits
from simulator.formats.boards import KINDS
from simulator.formats.strict_yaml import PARSER
from simulator.reading import read_whole


def kind_of_file(path: str | os.PathLike[str]) -> Literal["board", "scenario"]:
    """Return the kind of a file; any file that is not a scenario, even an unreadable one, counts as a board."""
    try:
        return "scenario" if _is_scenario(read_whole(path, limits.FILE_BYTES.most)) else "board"
    except (FileError, ValueError, yaml.YAMLError):
        return "board"


def _is_scenario(data: bytes) -> bool:
    """Return whether the outermost mapping has `ruleset` before a kind of board such as `board: squares`."""
    depth, key = 0, None
    for number, event in enumerate(yaml.parse(data.decode("utf-8-sig"), Loader=PARSER)):
        if number > limits.NODES.most:  # a file with this many values before its kind is refused anyway
            return False
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > limits.NESTING.most:
                return False
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            key = None if depth == 1 else key
        elif isinstance(event, yaml.ScalarEvent) and depth == 1:
            if key is None:
                key = event.value
                if key == "ruleset":
                    return True
            else:
                if key == "board" and event.value in KINDS:
                    return False
                key = None
    return False
