"""Tables for the tests of mecha, made up on the spot, scenarios written short, and what tests of reach share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from simulator.engine.game import Game
from simulator.engine.table import Setting, Table
from simulator.formats.scenario import Scenario
from simulator.formats.scenarios import parse_scenario
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET

#: The types of unit of the mobility types, unless said.
TYPES = {"track": "vehicle", "wheel": "vehicle", "hover": "vehicle", "static": "emplacement", "infantry": "infantry"}
BOARDS = Path(__file__).parents[2] / "boards"
#: The board of an entry that names none.
_TABLE = {"board": "table", "size": [96, 96], "origin": [-48, -48], "ground": "flat_ground"}


def unit(name: str, mobility: str, at: tuple[float, float] = (0, 0), side: str = "red", **fields: Any) -> Any:
    """A unit of a mobility type, of size class 2 with a Move of 6 unless said."""
    kind = fields.pop("kind", TYPES.get(mobility, "mecha"))
    given = {"mobility": mobility, "size_class": 2, "move": 6}
    return RULESET.make_unit(name, kind, side, at, fields.pop("heading", 0), **{**given, **fields})


def mecha_game(*units: Any, terrain: tuple[Piece, ...] = (), ground: str = "flat_ground", **settings: Any) -> Game[Any]:
    """A game on a table of 96 inches around 0,0."""
    return Game.new(RULESET, _board(terrain, ground), list(units), **settings)


def _board(terrain: tuple[Piece, ...], ground: str = "flat_ground") -> InchTable:
    return InchTable("Test", 96, 96, (-48, -48), pieces=terrain, ground=ground)


def scenario_of(entry: dict[str, Any]) -> Scenario:
    """A scenario from what a case says, on an empty table unless it has pieces or a board."""
    said = {name: value for name, value in entry.items() if name not in ("says", "pieces")}
    board = said.pop("board", {**_TABLE, "pieces": entry.get("pieces", [])})
    document = {"format": 1, "ruleset": "mecha", "board": board, **said}
    return parse_scenario(json.dumps(document), rulesets={"mecha": RULESET}, folder=BOARDS)


#: Kinds of features, and of ground named directly.
KINDS = ("woodland", "desert", "hills", "rubble", "pond", "difficult", "very_difficult", "rough", "shallow_water")


def generated(number: int, mobility: str, **settings: Any) -> Game[Any]:
    """A small table with features, a building and some units around the one that is asked about, A, in the middle."""
    dice = np.random.default_rng(number)
    mover = unit("A", mobility, size_class=int(dice.integers(0, 5)), move=4, heading=float(dice.integers(0, 360)))
    terrain: list[Piece] = []
    for index in range(6):
        x, y = dice.uniform(-8, 8, 2).round(2)
        kind = KINDS[int(dice.integers(len(KINDS)))]
        size = tuple(dice.uniform(1.5, 5, 2).round(2))
        piece = Piece(f"piece {index}", kind, rectangle((x, y), size, float(dice.integers(0, 90))))
        terrain += [] if _faulty([mover], (*terrain, piece), settings) else [piece]
    turned = float(dice.integers(0, 90))
    terrain.append(Piece("block", "building", rectangle((5.0, -4.0), (3, 2), turned), "elevated", 4))
    kept: list[Any] = [mover]
    for index, other in enumerate(("walker", "track", "hover", "four_legged_walker")):
        side = ("red", "blue")[index % 2]
        angle, far = dice.uniform(0, 2 * np.pi), dice.uniform(2.0, 6)
        at = (round(far * np.cos(angle), 2), round(far * np.sin(angle), 2))
        one = unit(f"{side}{index}", other, at, side, size_class=int(dice.integers(0, 6)))
        kept += [] if _faulty([*kept, one], tuple(terrain), settings) else [one]
    return mecha_game(*kept, terrain=tuple(terrain), **settings)


def _faulty(units: list[Any], terrain: tuple[Piece, ...], settings: dict[str, Any]) -> bool:
    """Whether the last of some units stands where it may not be."""
    setting = Setting.of(RULESET, _board(terrain), **settings)
    table = Table(setting, setting.opening(units))
    return any(fault.blocker == units[-1].id for fault in RULESET.faults(table))


def sampled_poses(reach: Any, count: int, seed: int = 0, far: float = 8.0) -> Iterator[tuple[Pose, Any]]:
    """So many poses in which an answer says that its mover can end, and what it says that they cost.

    They lie at the limits of what a place may be faced at; none is so far from the mover.
    """
    dice = np.random.default_rng(seed)
    for place in islice(_ends(reach, dice, far), count):
        ranges = reach.headings_at(place)
        assert ranges, place
        one = ranges[int(dice.integers(len(ranges)))]
        heading = 360 * dice.uniform() if one.is_whole else (one.first, one.last)[int(dice.integers(2))]
        pose = Pose(place, heading % 360)
        cost = reach.cost_at(pose)
        assert cost is not None, (place, one)
        yield pose, cost


def _ends(reach: Any, dice: np.random.Generator, far: float) -> Iterator[tuple[float, float]]:
    """Places about a mover in which it can end, more of them near it."""
    for _ in range(20):
        angle, away = dice.uniform((0.0, 0.0), (2 * np.pi, far), (40, 2)).T
        places = (reach.mover.place + np.stack([away * np.cos(angle), away * np.sin(angle)], axis=1)).round(3)
        yield from map(tuple, places[np.isfinite(reach.costs_at(places))].tolist())
