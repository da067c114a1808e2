"""The pictures of the rulebook skirmish: reach among obstacles, rough ground, the four gaps, a traverse, a dodge."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import shapely

from simulator import load_board
from simulator.engine.game import Game
from simulator.geometry.pieces import LineShape, Piece, PolygonShape, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.skirmish import RULESET, make_soldier
from simulator.rulesets.skirmish.dodging import end_of_dodge, line_of_dodge
from simulator.rulesets.skirmish.obstruction import narrow_gaps
from simulator.rulesets.skirmish.traverse.rules import in_reach
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Overlays, RouteLine, UnitMark

BOARDS = Path(__file__).resolve().parents[2] / "boards"


def obstacle(name: str, shape: LineShape | PolygonShape, height: float) -> Piece:
    """An obstacle."""
    return Piece(name, "obstacle", shape, "obstacle", height)


def mark(game: Game[Any], name: str, label: str = "") -> UnitMark:
    """A soldier where it stands."""
    unit = game.state.unit(name)
    return UnitMark(*unit.place, label or name, unit.side, radius=float(unit["radius"]))


def bases(places: Sequence[tuple[float, ...]], label: str, share: float, radius: float = 0.5) -> Band:
    """Bases where they would stand."""
    return Band(shapely.union_all([shapely.Point(place).buffer(radius) for place in places]), label, share)


def way_to(game: Game[Any], name: str, place: tuple[float, float], ap: int = 3) -> RouteLine:
    """The way that reach gives to a place, its arcs drawn as short lines."""
    played = game.branch()
    points = [tuple(played.state.unit(name).place)]
    for order in played.reach(name, ap=ap).orders_to(place):
        for element in order.elements:
            points += _points(points[-1], element)
        played.do(order)
    return RouteLine(points, "", "red")


def _points(here: tuple[float, ...], element: Any) -> list[tuple[float, ...]]:
    if element.name == "to":
        return [tuple(element["place"])]
    centre, turn = element["centre"], float(element["angle"]) * (1 if element.name == "left_around" else -1)
    start = shapely.Point(here)
    turned = [shapely.affinity.rotate(start, turn * k / 8, origin=tuple(centre)) for k in range(1, 9)]
    return [(spot.x, spot.y) for spot in turned]


def reach_among_obstacles() -> str:
    """Where a standing soldier can end with 1, 2 and 3 AP."""
    pieces = (
        obstacle("wall", LineShape([(13, 7), (13, 12)]), 5),
        obstacle("crate", rectangle((9, 13), (3, 2), 20), 5),
        obstacle("hut", PolygonShape([(4, 3), (8, 3), (8, 5), (6, 5), (6, 7), (4, 7)]), 5),
    )
    board = InchTable("Yard", 22, 18, pieces=pieces)
    units = [
        make_soldier("A1", "red", (10, 9)),
        make_soldier("A2", "red", (11.5, 5.5)),
        make_soldier("B1", "blue", (6.5, 9.5)),
    ]
    game = Game.new(RULESET, board, units)
    bands, taken = [], shapely.Polygon()
    for ap in (1, 2, 3):
        area = game.reach("A1", ap=ap).area
        bands.append(Band(shapely.difference(area, taken, grid_size=1e-6), f"{ap} AP", (ap - 1) / 2))
        taken = area
    routes = [way_to(game, "A1", (15.2, 9.4)), way_to(game, "A1", (2.5, 9))]
    marks = [mark(game, name) for name in ("A1", "A2", "B1")]
    return draw(board, Overlays(bands, routes=routes, units=marks), title="Where a standing soldier can end, by AP")


def rough_ground() -> str:
    """What is certain, and what takes a roll."""
    bog = Piece("bog", "rough_terrain", PolygonShape([(8, 2), (11, 1), (12, 9), (9, 10)]))
    board = InchTable("Bog", 20, 14, pieces=(bog,))
    game = Game.new(RULESET, board, [make_soldier("A1", "red", (6, 7)), make_soldier("B1", "blue", (19, 13))])
    reach = game.reach("A1", ap=2)
    sure = reach.certain_area
    # What is thinner than the areas are exact is not worth a band.
    rest = shapely.difference(reach.area, sure, grid_size=1e-6).buffer(-0.05).buffer(0.05)
    bands = [Band(sure, "certain", 0.0), Band(rest, "takes a roll", 0.7)]
    chance = reach.chance_at((11.9, 7))
    routes = [
        RouteLine([(6, 7), (9, 7), (11.9, 7)], f"{float(chance):.0%}", "red"),
        RouteLine([(6, 7), (9, 10), (10.3, 10.4)], "certain", "blue"),
    ]
    return draw(board, Overlays(bands, routes=routes, units=[mark(game, "A1")]), title="Rough ground: two AP, standing")


def four_gaps() -> str:
    """The gaps A to D of a courtyard, and which of them are shut to a base 3 inches wide."""
    board = load_board(BOARDS / "ruined_quarter.yaml")
    titan, scout = make_soldier("titan", "red", (5, 18), radius=1.5), make_soldier("scout", "blue", (20.5, 23))
    game = Game.new(RULESET, board, [titan, scout])
    shut = [
        gap.throat.middle
        for gap in narrow_gaps(game.table, titan)
        if all(name.startswith("court") for name in gap.over)
    ]
    bands = [bases([(10, 18), (18.5, 10)], "gets through", 0.0, 1.5), bases(shut, "is too wide", 1.0, 1.5)]
    routes = [
        RouteLine([(5, 18), (12, 18), (12, 15.1), (13.5, 12.6), (18.5, 12), (18.5, 7)], "", "red"),
        RouteLine([(20.5, 23), (17, 24.5), (17, 28.5)], "", "blue"),
    ]
    marks = [mark(game, "titan"), mark(game, "scout")]
    return draw(
        board, Overlays(bands, routes=routes, units=marks), title="Four gaps: in at A, out at D; the scout takes B"
    )


def a_traverse() -> str:
    """Over a wall, and through a gap that is too narrow."""
    pieces = (
        obstacle("wall", LineShape([(7, 0), (7, 4.6)]), 1.5),
        obstacle("wall 2", LineShape([(7, 5.4), (7, 10)]), 1.5),
    )
    board = InchTable("Wall", 14, 10, pieces=pieces)
    units = [make_soldier("A1", "red", (5.5, 2)), make_soldier("A2", "red", (5.6, 5.3))]
    game = Game.new(RULESET, board, [*units, make_soldier("B1", "blue", (13, 9))])
    marks, routes, ways = [mark(game, "A1"), mark(game, "A2")], [], []
    for name, sides in (("A1", 1), ("A2", 2)):
        table = game.ready_table(name)
        way = next(way for way in in_reach(table, table.unit(name)) if len(way.over) == sides)
        ways.append(way)
        routes.append(RouteLine([table.unit(name).place, way.foot, way.far], "", "red"))
    bands = [
        bases([way.near for way in ways], "near side: failure", 0.0),
        bases([way.far for way in ways], "other side: success", 0.6),
    ]
    return draw(
        board,
        Overlays(bands, routes=routes, units=marks),
        title="Two traverses: over a wall, and through a gap too narrow",
    )


def a_dodge() -> str:
    """A dodge of an inch, and one that a crate cuts short."""
    board = InchTable("Lane", 14, 9, pieces=(obstacle("crate", rectangle((11, 6.5), (2, 2)), 2),))
    units = [
        make_soldier("A1", "red", (7, 2.5)),
        make_soldier("A2", "red", (9.2, 5.5)),
        make_soldier("B1", "blue", (2, 2.5)),
    ]
    game = Game.new(RULESET, board, units)
    marks, routes, ends = [mark(game, name) for name in ("A1", "A2", "B1")], [], []
    source = game.state.unit("B1").place
    for name in ("A1", "A2"):
        soldier = game.state.unit(name)
        line = line_of_dodge(game.table, soldier, source)
        inches = end_of_dodge(game.table, soldier, line)
        routes += [RouteLine([source, soldier.place], "", "blue")]
        ends.append(line.at(inches))
    bands = [bases(ends, "after the dodge", 0.3)]
    return draw(board, Overlays(bands, routes=routes, units=marks), title="Two dodges: an inch straight away, or less")


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    return {
        "skirmish_reach.svg": reach_among_obstacles(),
        "skirmish_rough.svg": rough_ground(),
        "skirmish_gaps.svg": four_gaps(),
        "skirmish_traverse.svg": a_traverse(),
        "skirmish_dodge.svg": a_dodge(),
    }
