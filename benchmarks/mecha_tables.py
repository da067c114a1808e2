"""Generated tables of mecha: features of every kind, buildings, friends and enemies, and a mover in the middle."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.engine.game import Game
from simulator.engine.state import Unit
from simulator.engine.table import Setting, Table
from simulator.geometry.pieces import XY, Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET

SIZE = 40.0
START: XY = (SIZE / 2, SIZE / 2)
#: Movers by name: the type of the unit and its fields. They turn for nothing, in steps of both kinds, and not at all.
MOVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "walker": ("mecha", {"mobility": "walker", "size_class": 2}),
    "four_legged_walker": ("mecha", {"mobility": "four_legged_walker", "size_class": 4, "base": 1}),
    "track": ("vehicle", {"mobility": "track", "size_class": 3, "base": 0.75}),
    "wheel": ("vehicle", {"mobility": "wheel", "size_class": 1, "move": 8}),
    "infantry": ("infantry", {"mobility": "infantry", "size_class": 0, "move": 4, "base": 0.3}),
    "hover": ("vehicle", {"mobility": "hover", "size_class": 4, "move": 8}),
    "runner": ("mecha", {"mobility": "walker", "size_class": 1, "move": 4}),
}
_KINDS = ("woodland", "river_lake", "pond", "field", "desert", "hills", "rubble", "small_wall")
_KINDS += ("difficult", "very_difficult", "rough", "shallow_water")
#: Of so many pieces one is a building.
_BUILDINGS = 5
_OTHERS = ("walker", "track", "hover", "four_legged_walker")
#: Bases and buildings keep so far from where the mover starts.
_CLEAR = 1.6


def made_unit(name: str, mover: str, side: str, place: XY, heading: float = 0, **fields: Any) -> Unit:
    """A unit by the name of a mover, with a Move of 6 unless that says otherwise."""
    kind, known = MOVERS[mover]
    return RULESET.make_unit(name, kind, side, place, heading, **{"move": 6, **known, **fields})


def game_with(mover: str, seed: int, pieces: int, bases: int) -> Game[Any]:
    """A mover named A in the middle of a table with so many pieces and bases, every second one a friend."""
    dice = np.random.default_rng([seed, 23])
    units, terrain = [made_unit("A", mover, "red", START, float(dice.integers(0, 360)))], list[Piece]()
    while len(terrain) < pieces:
        piece = _any_piece(dice, len(terrain))
        terrain += [piece] if _is_sound(units, [*terrain, piece]) else []
    while len(units) <= bases:
        one = _any_unit(dice, len(units))
        units += [one] if _is_sound([*units, one], terrain) else []
    return Game.new(RULESET, _board(terrain), units)


def _board(terrain: list[Piece]) -> InchTable:
    return InchTable("Made up", SIZE, SIZE, pieces=tuple(terrain), ground="flat_ground")


def _any_place(dice: np.random.Generator, edge: float) -> XY:
    """A place so far from the edge of the table."""
    x, y = dice.uniform(edge, SIZE - edge, 2).round(2).tolist()
    return x, y


def _any_piece(dice: np.random.Generator, number: int) -> Piece:
    """A feature anywhere, or a building."""
    place, turned = _any_place(dice, 3), float(dice.integers(0, 90))
    across, up = dice.uniform(1, 5, 2).round(2).tolist()
    shape = rectangle(place, (across, up), turned)
    if number % _BUILDINGS == 0:
        return Piece(f"block{number}", "building", shape, "elevated", float(dice.integers(1, 8)))
    return Piece(f"area{number}", str(dice.choice(_KINDS)), shape)


def _any_unit(dice: np.random.Generator, number: int) -> Unit:
    """A friend or an enemy of any size, not too near the middle."""
    while True:
        place = _any_place(dice, 1.5)
        if np.hypot(place[0] - START[0], place[1] - START[1]) > 1 + _CLEAR:
            side = "blue" if number % 2 else "red"
            size = int(dice.integers(0, 7))
            return made_unit(f"B{number}", str(dice.choice(_OTHERS)), side, place, size_class=size)


def _is_sound(units: list[Unit], terrain: list[Piece]) -> bool:
    """Whether a position has no faults."""
    setting = Setting.of(RULESET, _board(terrain))
    return not list(RULESET.faults(Table(setting, setting.opening(units))))
