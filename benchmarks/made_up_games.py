"""Games made up from a number, as many as one likes: small boards of every rulebook, with somebody in the middle, A.

The rulebooks' own benches measure on tables of one kind each. These differ from one to the next: in size, ground,
crowd, and in who is asked about.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import shapely

from benchmarks import arms_tables, mecha_tables
from simulator.engine.game import Game
from simulator.geometry.dots import DotKind, DotMap
from simulator.geometry.hex_lattice import step
from simulator.geometry.pieces import LineShape, Piece, rectangle
from simulator.geometry.squares import SquareGrid, SquareKind
from simulator.geometry.table import InchTable
from simulator.rulesets.dot_trooper import RULESET as DOT_TROOPER
from simulator.rulesets.grid_runner import RULESET as GRID_RUNNER
from simulator.rulesets.skirmish import RULESET as SKIRMISH
from simulator.rulesets.skirmish import make_soldier

#: The shares of open, impeded and walled squares.
_SQUARES = {SquareKind(): 0.75, SquareKind(impeded=True): 0.13, SquareKind(wall=True): 0.12}
_SCALES = ("m1", "m2", "m5")
_METATYPES = ("dwarf", "human", "elf", "ork", "troll")
#: The shares of open and impassable dots.
_DOTS = {DotKind(): 0.9, DotKind(impassable=True): 0.1}
#: A bike and who is beside it have so many dots of open ground around them.
_CLEAR_DOTS = 3
#: Sides of a table of skirmish, and how far bases keep from what stands there, in inches.
_TABLE, _APART = 36.0, 0.8


def game_of(rulebook: str, number: int) -> Game[Any]:
    """Return a game of a rulebook, the same for the same number."""
    return _MAKERS[rulebook](np.random.default_rng([number, 51]), number)


def _grid_runner(dice: np.random.Generator, number: int) -> Game[Any]:
    """Characters of two sides among walls, some of them lying."""
    size = int(dice.integers(12, 40))
    codes = dice.choice(len(_SQUARES), (size, size), p=list(_SQUARES.values()))
    codes[size // 2, size // 2] = 0
    board = SquareGrid.from_kinds(tuple(_SQUARES), codes, walls_east=_few(dice, size), walls_south=_few(dice, size))
    free = [(column, row) for row, column in np.argwhere(codes < 2).tolist()]
    places = [(size // 2, size // 2), *(free[at] for at in dice.permutation(len(free))[: size // 2])]
    units = [
        GRID_RUNNER.make_unit(
            f"B{index}" if index else "A",
            "character",
            "blue" if index % 3 else "red",
            place,
            metatype=_METATYPES[(index + number) % len(_METATYPES)],
            passes=1 + index % 4,
            damage_chance=Fraction(index % 5, 4),
            prone=index % 7 == 6,
        )
        for index, place in enumerate(dict.fromkeys(places))
    ]
    return Game.new(GRID_RUNNER, board, units, options={"scale": _SCALES[number % 3]})


def _few(dice: np.random.Generator, size: int) -> np.ndarray:
    """A few edges of squares with walls on them, none on the edge of the board."""
    walls = dice.random((size, size)) < 0.05
    walls[-1] = walls[:, -1] = False
    return walls


def _dot_trooper(dice: np.random.Generator, number: int) -> Game[Any]:
    """A bike in motion with its driver, A, or somebody on foot or with a jet pack; and others of two sides."""
    size = int(dice.integers(14, 40))
    codes = dice.choice(len(_DOTS), (size, size), p=list(_DOTS.values()))
    middle = slice(size // 2 - _CLEAR_DOTS, size // 2 + _CLEAR_DOTS + 1)
    codes[middle, middle] = 0
    board = DotMap.from_kinds(tuple(_DOTS), codes)
    here = board.layout.dot(size // 2, size // 2)
    heading, near = 60 * (number % 6), {here}
    if number % 3 == 0:
        rear = step(here, heading // 60 + 3)
        near.add(rear)
        units = [
            DOT_TROOPER.make_unit("bike", "vehicle", "red", here, heading, on=True, motion="moving"),
            DOT_TROOPER.make_unit("A", "trooper", "red", rear, aboard="bike"),
        ]
    else:
        pack = {"jet_pack": "worn"} if number % 3 == 1 else {}
        units = [DOT_TROOPER.make_unit("A", "trooper", "red", here, **pack)]
    free = [dot for dot in board.places() if dot not in near and not board.impassable[board.index(dot)]]
    for index, at in enumerate(dice.permutation(len(free))[: size // 3].tolist()):
        units.append(DOT_TROOPER.make_unit(f"B{index}", "trooper", "blue" if index % 3 else "red", free[at]))
    return Game.new(DOT_TROOPER, board, units)


def _skirmish(dice: np.random.Generator, number: int) -> Game[Any]:
    """Soldiers of two sides among obstacles to climb, walls and rough ground."""
    middle, pieces = _TABLE / 2, list[Piece]()
    for index in range(int(dice.integers(4, 14))):
        (x, y), (across, up) = _clear_place(dice).tolist(), dice.uniform(0.5, 4, 2).round(2).tolist()
        height = float(dice.choice([0.8, 1.5, 2.5, 3.5]))
        if index % 3 == 0:
            pieces.append(Piece(f"rough{index}", "rough_terrain", rectangle((x, y), (across, up))))
        elif index % 3 == 1:
            pieces.append(Piece(f"block{index}", "obstacle", rectangle((x, y), (across, up)), "obstacle", height))
        else:
            line = LineShape([(x, y), (round(x + across, 2), y)])
            pieces.append(Piece(f"wall{index}", "obstacle", line, "obstacle", height))
    solid = [piece.shape.polygon for piece in pieces if piece.kind == "obstacle"]
    places = [(middle, middle)]
    while len(places) < 2 + number % 9:
        x, y = dice.uniform(1, _TABLE - 1, 2).round(2).tolist()
        apart = min(np.hypot(x - other[0], y - other[1]) for other in places)
        if apart > 2 * _APART and all(one.distance(shapely.Point(x, y)) > _APART for one in solid):
            places.append((x, y))
    units = [
        make_soldier(f"B{index}" if index else "A", "blue" if index % 3 else "red", place)
        for index, place in enumerate(places)
    ]
    return Game.new(SKIRMISH, InchTable("Made up", _TABLE, _TABLE, pieces=tuple(pieces)), units)


def _clear_place(dice: np.random.Generator) -> np.ndarray:
    """A place so far from the middle and from the edge that the largest piece keeps off both."""
    while True:
        place = dice.uniform(5, _TABLE - 5, 2).round(2)
        if np.abs(place - _TABLE / 2).max() > 4.5:
            return place


def _combined_arms(dice: np.random.Generator, number: int) -> Game[Any]:
    """A mover of each kind in turn."""
    mover = list(arms_tables.MOVERS)[number % len(arms_tables.MOVERS)]
    return arms_tables.game_with(mover, number, int(dice.integers(4, 30)), int(dice.integers(2, 16)))


def _mecha(dice: np.random.Generator, number: int) -> Game[Any]:
    """A mover of each kind in turn."""
    mover = list(mecha_tables.MOVERS)[number % len(mecha_tables.MOVERS)]
    return mecha_tables.game_with(mover, number, int(dice.integers(4, 30)), int(dice.integers(2, 16)))


_MAKERS: dict[str, Callable[[np.random.Generator, int], Game[Any]]] = {
    "grid_runner": _grid_runner,
    "dot_trooper": _dot_trooper,
    "skirmish": _skirmish,
    "combined_arms": _combined_arms,
    "mecha": _mecha,
}
