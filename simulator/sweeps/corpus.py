"""The corpus: positions with their counts and reach, for other programs to compare with.

    python -m simulator.sweeps.corpus corpus            writes corpus/RULEBOOK/NAME.json beside each scenario

`docs/perft.md` describes the files.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from simulator.formats.scenario import Scenario
from simulator.formats.scenarios import load_scenario
from simulator.geometry.board import Lattice
from simulator.sweeps.perft import counted_actions, opened, perft, reach_hash, reach_of
from simulator.writing import write_whole

#: How deep positions of the corpus are counted: on tables one order takes seconds.
DEEP_ON_LATTICES, DEEP_ON_TABLES = 2, 1


def positions(folder: Path) -> list[Path]:
    """Return the scenarios of a corpus."""
    return sorted(folder.glob("*/*.yaml"))


def kept_path(scenario: Path) -> Path:
    """Return the file with the counts of a scenario."""
    return scenario.with_suffix(".json")


def counted(scenario: Scenario, depth: int) -> list[dict[str, int]]:
    """Count the lines of play of a position, depth by depth."""
    return [asdict(one) for one in perft(opened(scenario), depth)]


def reaches(scenario: Scenario) -> list[dict[str, Any]]:
    """Return the number of ends and their hash, for each unit that may go and each action that it has."""
    game = opened(scenario)
    found = []
    for name in game.ruleset.clock.may_go(game.table):
        for action in counted_actions(game):
            answer = reach_of(game, name, action)
            if answer is not None:
                count, digest = reach_hash(game, answer)
                found.append({"unit": name, "action": action, "ends": count, "hash": digest})
    return found


def entry(path: Path) -> str:
    """Return the counts and the reach of a position as the text of its file."""
    scenario = load_scenario(path)
    deep = DEEP_ON_LATTICES if isinstance(scenario.setting.board, Lattice) else DEEP_ON_TABLES
    document = {
        "format": 1,
        "scenario": path.name,
        "ruleset": scenario.setting.ruleset.name,
        "perft": counted(scenario, deep),
        "reach": reaches(scenario),
    }
    return json.dumps(document, indent=1) + "\n"


def write_corpus(folder: Path) -> None:
    """Count every position of a corpus anew."""
    for path in positions(folder):
        write_whole(kept_path(path), entry(path).encode())


if __name__ == "__main__":
    write_corpus(Path(sys.argv[1]))
