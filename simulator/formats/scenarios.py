"""Scenario files: reading one, checking one, writing one.

    scenario = load_scenario("scenarios/ford.yaml")
    account = scenario.run(seed=7)          # what happened, and the expectations, met or not
    game = scenario.start(seed=7)           # or begin it and play on yourself
    save_scenario(game, "mine.yaml")        # save the game as a scenario

`scenario_file` builds a scenario from its tree, `scenario_text` writes one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.engine.ruleset import Ruleset
from simulator.errors import Fault, FileError, LimitReached, text_given
from simulator.formats import limits, strict_yaml
from simulator.formats.boards import describes_board
from simulator.formats.documents import SourceFile
from simulator.formats.faults import Faults
from simulator.formats.scenario import FaultyPosition, Scenario
from simulator.formats.scenario_file import ScenarioReader
from simulator.reading import read_whole
from simulator.rulesets import shelf
from simulator.writing import write_whole

Rulesets = Mapping[str, Ruleset[Any, Any]]


def load_scenario(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> Scenario:
    """Read a scenario file; raise FileError with every fault in it and in its board.

    If only the opening position is illegal, the error is a FaultyPosition, which holds the scenario. A scenario without
    a name takes that of its file. `rulesets` are by default those on the shelf.
    """
    file = Path(path)
    data = read_whole(path, limits.FILE_BYTES.most)
    return _scenario_of(data, str(path), file.stem, file.parent, rulesets)


def parse_scenario(
    text: str,
    file: str = "<text>",
    rulesets: Rulesets | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> Scenario:
    """Read a scenario from a text. Faults refer to it as `file`; boards are searched relative to `folder`."""
    data = text_given("a scenario", text).encode("utf-8", "surrogatepass")
    return _scenario_of(data, file, "", None if folder is None else Path(folder), rulesets)


def check_scenario(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> list[Fault]:
    """List all faults of a scenario file and its board; empty if it can be played."""
    try:
        load_scenario(path, rulesets)
    except FileError as error:
        return list(error.faults)
    return []


def save_scenario(game: Game[Any], path: str | os.PathLike[str], *, name: str = "", description: str = "") -> None:
    """Write a game as a scenario file that replays it; see `scenario_text`. An existing file is replaced."""
    write_whole(Path(path), scenario_text(game, name=name, description=description).encode())


def scenario_text(game: Game[Any], *, name: str = "", description: str = "") -> str:
    """Return a game as a scenario: its opening, every order with its answers, and the final table as expectation.

    Raise TableError if replaying it would lead to another table; then one of its figures cannot be written.
    """
    from simulator.formats.scenario_text import written_scenario

    text = written_scenario(game, name, description)
    again = parse_scenario(text, "the game as it would be written", {game.ruleset.name: game.ruleset})
    account = again.run()
    if not account.ok or account.game.state != game.state:
        raise TableError("this game cannot be written as a scenario: replayed, it would lead to another table")
    return text


def _scenario_of(data: bytes, file: str, name: str, folder: Path | None, rulesets: Rulesets | None) -> Scenario:
    faults = Faults(file)
    text = strict_yaml.decode(data, faults)
    root = None if text is None else strict_yaml.load(text, faults)
    if text is None or root is None:
        faults.raise_if_any()
        raise AssertionError("no scenario, and nothing is said to be wrong")
    source = SourceFile(root, faults)
    if describes_board(source):
        source.fault(
            (), "a board, not a scenario; a scenario names a `ruleset`, and a board such as this under `board`"
        )
        faults.raise_if_any()
    if _describes_sweep(source):
        source.fault((), "the plan of a sweep, not a scenario; `simulator sweep` plays its games")
        faults.raise_if_any()
    reader = ScenarioReader(source, text, folder, shelf() if rulesets is None else rulesets)
    scenario = reader.read(name)
    if reader.board_faults:
        beyond = faults.beyond_limit or reader.board_beyond_limit
        raise (LimitReached if beyond else FileError)([*faults.sorted(), *reader.board_faults])
    if scenario is not None and reader.position:
        raise FaultyPosition(faults.sorted(), scenario, reader.position)
    faults.raise_if_any()
    if scenario is None:
        raise AssertionError("no scenario, and nothing is said to be wrong")
    return scenario


def _describes_sweep(source: SourceFile) -> bool:
    """Return whether a tree is that of a sweep plan: it says so and names no ruleset."""
    keys = source.root.value
    return isinstance(keys, dict) and "sweep" in keys and "ruleset" not in keys
