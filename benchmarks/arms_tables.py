"""Generated tables of combined_arms: terrain of every kind, friends and enemies, and a mover in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely

from benchmarks.crowded import HEIGHT, START, WIDTH
from simulator.engine.game import Game
from simulator.engine.state import Unit
from simulator.geometry.pieces import LineShape, Piece, PointShape, PolygonShape, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.combined_arms import RULESET

_LONG = [[-1.5, -1], [1.5, -1], [1.5, 1], [-1.5, 1]]
#: Movers by name: the type of the unit and its fields. They walk, float, roll, swim and fly, overrun and fell trees.
MOVERS: dict[str, tuple[str, dict[str, Any]]] = {
    "on_foot": ("infantry", {"base": 0.5}),
    "grav": ("vehicle", {"mobility": "grav", "size_class": 5, "base": 1}),
    "tracked": ("vehicle", {"mobility": "tracked", "size_class": 6, "armored": True, "base": _LONG}),
    "wheeled": ("vehicle", {"mobility": "wheeled", "size_class": 3, "amphibious": True, "base": 0.8}),
    "jetpack": ("infantry", {"mobility": "jetpack", "base": 0.4}),
    "helicopter": ("aircraft", {"mobility": "helicopter", "rate_original": 36, "size_class": 4, "base": 1}),
}
_AREAS = ("soft_ground", "lake", "vegetation", "dense_vegetation", "building", "rubble", "slope", "low_obstacle")
_LINES = ("low_obstacle", "high_wall", "antitank_obstacle")
#: What may bar the mover keeps so far from where it starts.
_CLEAR = 3.0
#: Middles of pieces keep so far from the edge, and so far they reach from there.
_EDGE = 5.0
_FOOT = 0.5


def made_unit(name: str, mover: str, side: str, place: tuple[float, float], heading: int = 0) -> Unit:
    """A unit by the name of a mover."""
    kind, fields = MOVERS[mover]
    return RULESET.make_unit(name, kind, side, place, heading, **fields)


def game_with(mover: str, seed: int, pieces: int, bases: int) -> Game[Any]:
    """A mover named A in the middle of a table with so many pieces and bases, every third a friend."""
    dice = np.random.default_rng([seed, 18])
    terrain = [*_valley(dice), *_scattered(dice, pieces)]
    heading = int(dice.integers(0, 360))
    others = [
        made_unit(f"B{number}", "on_foot", "blue" if number % 3 else "red", spot)
        for number, spot in enumerate(_spots(dice, terrain, bases))
    ]
    board = InchTable("Made up", WIDTH, HEIGHT, pieces=tuple(terrain))
    return Game.new(RULESET, board, [made_unit("A", mover, "red", START, heading), *others])


def _valley(dice: np.random.Generator) -> Iterator[Piece]:
    """A river with a bridge and a ford, and a road over the bridge, dry or wet."""
    x, y = (START[0] + dice.choice([-10, 10])).item(), START[1] + float(dice.integers(-4, 4))
    yield Piece("river", "river", rectangle((x, HEIGHT / 2), (4, HEIGHT)))
    yield Piece("ford", "ford", rectangle((x, START[1] + 12), (4, 3)))
    road = LineShape([(2, y), START, (WIDTH - 2, y)], 3.0)
    yield Piece("road", "road", road, attributes={"wet": bool(dice.integers(0, 2))})
    crossing = road.polygon.intersection(shapely.LineString([(x, 0), (x, HEIGHT)])).centroid
    yield Piece("bridge", "bridge", rectangle((x, crossing.y), (6, 4)))


def _scattered(dice: np.random.Generator, count: int) -> Iterator[Piece]:
    """Areas, lines and trees anywhere; of six pieces four are areas."""
    for number in range(count):
        place = _place(dice)
        if number % 6 < 4:
            kind = str(dice.choice(_AREAS))
            shape = rectangle(place, tuple(dice.uniform(1.5, 6, 2).round(2).tolist()), float(dice.integers(0, 90)))
            attributes = {"uphill": float(dice.integers(0, 360))} if kind == "slope" else {}
            yield Piece(f"area{number}", kind, shape, attributes=attributes)
        elif number % 6 == 4:
            angle, half = dice.uniform(0, np.pi), dice.uniform(1.5, 5)
            along = np.array([np.cos(angle), np.sin(angle)]) * half
            ends = [tuple((place + sense * along).round(2).tolist()) for sense in (-1, 1)]
            yield Piece(f"line{number}", str(dice.choice(_LINES)), LineShape(ends))
        else:
            yield Piece(f"tree{number}", "individual_tree", PointShape(*place))


def _place(dice: np.random.Generator) -> tuple[float, float]:
    """A place that is far enough from the mover for pieces of the largest size."""
    while True:
        x, y = dice.uniform((_EDGE, _EDGE), (WIDTH - _EDGE, HEIGHT - _EDGE)).round(2).tolist()
        if np.hypot(x - START[0], y - START[1]) > _CLEAR + _EDGE:
            return x, y


def _spots(dice: np.random.Generator, terrain: list[Piece], count: int) -> list[tuple[float, float]]:
    """Places where somebody on foot may stand, apart from each other and from the mover."""
    barred = ("river", "lake", "dense_vegetation", "high_wall", "individual_tree")
    solid = shapely.union_all([_ground_of(piece) for piece in terrain if piece.kind in barred])
    found: list[tuple[float, float]] = []
    while len(found) < count:
        x, y = dice.uniform((1, 1), (WIDTH - 1, HEIGHT - 1)).round(2).tolist()
        apart = min(np.hypot(x - other[0], y - other[1]) for other in [*found, START])
        clear = np.hypot(x - START[0], y - START[1]) > _CLEAR and apart > 2 * _FOOT
        if clear and solid.distance(shapely.Point(x, y)) > _FOOT:
            found.append((x, y))
    return found


def _ground_of(piece: Piece) -> PolygonShape:
    """The ground of a piece, lines an inch wide."""
    shape = piece.shape
    wide = LineShape(shape.points, 1.0) if isinstance(shape, LineShape) and not shape.width else shape
    return wide.polygon
