"""What the examples are about: of each scenario and board its name and description, and where it is played."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from simulator.formats import limits, strict_yaml
from simulator.formats.examples import Example, all_examples
from simulator.formats.faults import Faults
from simulator.reading import read_whole


@dataclass(frozen=True)
class Described:
    """An example with the description from its file."""

    example: Example
    title: str
    description: str
    #: Of a scenario the rulebook, of a board the kind.
    of: str
    #: Of a scenario the name of the board's file without suffix; empty if the board is in the scenario.
    board: str = ""

    @property
    def name(self) -> str:
        """The name by which commands know it; that of a board that shares it with a scenario, with its folder."""
        alike = [one for one in all_examples() if one.name == self.example.name]
        return self.example.name if alike[0] == self.example else "/".join(self.example.path.with_suffix("").parts[-2:])

    @property
    def line(self) -> str:
        """Its title and the first sentence of its description, on one line."""
        first = re.split(r"(?<=[.!?])\s", self.description.strip(), maxsplit=1)[0]
        return " ".join(f"{self.title}: {first}".removesuffix(": ").split())


def described_examples() -> list[Described]:
    """Return all examples in the order of their files, scenarios first."""
    return [_described(example) for example in all_examples()]


def boards_of(ruleset: str, among: Iterable[Described]) -> list[Described]:
    """Return the boards on which scenarios of a rulebook are played."""
    listed = list(among)
    played_on = {one.board for one in listed if one.example.kind == "scenario" and one.of == ruleset}
    return [one for one in listed if one.example.kind == "board" and one.example.name in played_on]


def _described(example: Example) -> Described:
    faults = Faults(str(example.file))
    text = strict_yaml.decode(read_whole(example.file, limits.FILE_BYTES.most), faults)
    root = None if text is None else strict_yaml.load(text, faults)
    faults.raise_if_any()
    keys: dict[str, Any] = {} if root is None else {key: node.value for key, node in root.value.items()}
    board = keys["board"] if isinstance(keys["board"], str) else ""
    if example.kind == "board":
        return Described(example, keys.get("name", example.name), keys.get("description", ""), board)
    named = PurePath(board).stem if board else ""
    return Described(example, keys.get("name", example.name), keys.get("description", ""), keys["ruleset"], named)
