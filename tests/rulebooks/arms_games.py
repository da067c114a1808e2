"""Tables for the tests of combined_arms, made up on the spot, and scenarios written short."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from simulator.engine.game import Game
from simulator.formats.scenario import Scenario
from simulator.formats.scenarios import parse_scenario
from simulator.geometry.pieces import Piece
from simulator.geometry.table import InchTable
from simulator.rulesets.combined_arms import RULESET

#: The mobility types by the types of unit that they belong to.
TYPES = {
    **dict.fromkeys(("on_foot", "powered_armor", "gravpack", "jetpack"), "infantry"),
    "crew_weapon": "crew_weapon",
    **dict.fromkeys(("grav", "hover", "thruster", "tracked", "walker", "wheeled"), "vehicle"),
    **dict.fromkeys(("helicopter", "hoverjet", "hoverprop"), "aircraft"),
}
BOARDS = Path(__file__).parents[2] / "boards"
#: The board of an entry that names none.
_TABLE = {"board": "table", "size": [96, 96], "origin": [-48, -48]}


def piece(name: str, mobility: str, at: tuple[float, float] = (0, 0), side: str = "red", **fields: Any) -> Any:
    """A unit of a mobility type: vehicles of size 5, aircraft with a rate of 36, unless said."""
    kind = TYPES[mobility]
    given = {} if kind == "crew_weapon" else {"mobility": mobility}
    given |= {"size_class": 5} if kind in ("vehicle", "aircraft") else {}
    given |= {"rate_original": 36} if kind == "aircraft" else {}
    return RULESET.make_unit(name, kind, side, at, fields.pop("heading", 0), **{**given, **fields})


def arms_game(*units: Any, terrain: tuple[Piece, ...] = (), **settings: Any) -> Game[Any]:
    """A game on a table of 96 inches around 0,0."""
    return Game.new(RULESET, InchTable("Test", 96, 96, (-48, -48), pieces=terrain), list(units), **settings)


def scenario_of(entry: dict[str, Any]) -> Scenario:
    """A scenario from what a case says, on an empty table unless it has pieces or a board."""
    said = {name: value for name, value in entry.items() if name not in ("says", "pieces")}
    board = said.pop("board", {**_TABLE, "pieces": entry.get("pieces", [])})
    document = {"format": 1, "ruleset": "combined_arms", "board": board, **said}
    return parse_scenario(json.dumps(document), rulesets={"combined_arms": RULESET}, folder=BOARDS)
