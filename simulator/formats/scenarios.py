"""Scenario files: reading one, checking one, writing one.

scenario = load_scenario("scenarios/ford.yaml")
account = scenario.run(seed=7)          # what happened, and whether it was what was expected
game = scenario.start(seed=7)           # or begin it and play on yourself
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simulator.engine.ruleset import Ruleset
from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits, strict_yaml
from simulator.formats.documents import Source
from simulator.formats.faults import Faults
from simulator.formats.scenario import Scenario
from simulator.formats.scenario_file import ScenarioReader
from simulator.rulesets import shelf

Rulesets = Mapping[str, Ruleset[Any]]


def load_scenario(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> Scenario:
    """Read a scenario file. Raises FileError with every fault in it and in its board.

    A scenario without a name is called as its file. `rulesets` are those on the shelf, if none are given.
    """
    file = Path(path)
    try:
        with file.open("rb") as stream:
            data = stream.read(limits.FILE_BYTES.most + 1)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise FileError([Fault(str(path), 0, 0, "", f"can not be read: {reason}")]) from error
    return _scenario_of(data, str(path), file.stem, file.parent, rulesets)


def parse_scenario(
    text: str,
    file: str = "<text>",
    rulesets: Rulesets | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Scenario:
    """Read a scenario from a text. `file` is what faults call it; boards' files are looked for from `folder`."""
    data = text.encode("utf-8", "surrogatepass")
    return _scenario_of(data, file, "", None if folder is None else Path(folder), rulesets)


def check_scenario(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> list[Fault]:
    """List all that is wrong in a scenario file and its board; nothing where it can be played."""
    try:
        load_scenario(path, rulesets)
    except FileError as error:
        return list(error.faults)
    return []


def _scenario_of(data: bytes, file: str, name: str, folder: Path | None, rulesets: Rulesets | None) -> Scenario:
    faults = Faults(file)
    text = strict_yaml.decode(data, faults)
    root = None if text is None else strict_yaml.load(text, faults)
    if text is None or root is None:
        faults.raise_if_any()
        raise AssertionError("no scenario, and nothing is said to be wrong")
    reader = ScenarioReader(Source(root, faults), text, folder, shelf() if rulesets is None else rulesets)
    scenario = reader.read(name)
    if reader.board_faults:
        beyond = faults.beyond_limit or reader.board_beyond_limit
        raise (LimitReached if beyond else FileError)([*faults.sorted(), *reader.board_faults])
    faults.raise_if_any()
    if scenario is None:
        raise AssertionError("no scenario, and nothing is said to be wrong")
    return scenario
