"""Scenario files: reading one, checking one, writing one.

    scenario = load_scenario("scenarios/ford.yaml")
    account = scenario.run(seed=7)          # what happened, and whether it was what was expected
    game = scenario.start(seed=7)           # or begin it and play on yourself
    save_scenario(game, "mine.yaml")        # what was played, as a scenario that plays it again

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
from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits, strict_yaml
from simulator.formats.boards import tells_a_board
from simulator.formats.documents import SourceFile
from simulator.formats.faults import Faults
from simulator.formats.scenario import FaultyPosition, Scenario
from simulator.formats.scenario_file import ScenarioReader
from simulator.formats.scenario_text import written_scenario
from simulator.reading import read_whole
from simulator.rulesets import shelf
from simulator.writing import write_whole

Rulesets = Mapping[str, Ruleset[Any, Any]]


def load_scenario(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> Scenario:
    """Read a scenario file. Raises FileError with every fault in it and in its board.

    Where only units stand as they may not, that is a FaultyPosition, which holds the scenario to look at. Without a
    name a scenario is called as its file. `rulesets` are those on the shelf, if none are given.
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


def save_scenario(game: Game[Any], path: str | os.PathLike[str], *, name: str = "", description: str = "") -> None:
    """Write a game as a scenario file that plays it again; see `scenario_text`. A file that is there is replaced."""
    write_whole(Path(path), scenario_text(game, name=name, description=description).encode())


def scenario_text(game: Game[Any], *, name: str = "", description: str = "") -> str:
    """Write a game as a scenario: its opening, every order with its answers, and the table it came to as expectation.

    Raises TableError where played again it would come to another table; then a figure of it can not be written.
    """
    text = written_scenario(game, name, description)
    again = parse_scenario(text, "the game as it would be written", {game.ruleset.name: game.ruleset})
    account = again.run()
    if not account.ok or account.game.state != game.state:
        raise TableError("this game can not be written as a scenario: played again, it would come to another table")
    return text


def _scenario_of(data: bytes, file: str, name: str, folder: Path | None, rulesets: Rulesets | None) -> Scenario:
    faults = Faults(file)
    text = strict_yaml.decode(data, faults)
    root = None if text is None else strict_yaml.load(text, faults)
    if text is None or root is None:
        faults.raise_if_any()
        raise AssertionError("no scenario, and nothing is said to be wrong")
    source = SourceFile(root, faults)
    if tells_a_board(source):
        source.fault((), "a board; a scenario names a `ruleset`, and a board such as this under `board`")
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
