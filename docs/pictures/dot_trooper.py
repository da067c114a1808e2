"""The pictures of the rulebook dot_trooper: the template, ends of drives and flights, odds, a skid, an arc."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from shapely.geometry import Polygon, box

from simulator.engine.game import Game
from simulator.formats.boards import load_board
from simulator.geometry.board import Board
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import Dot
from simulator.rulesets.dot_trooper import RULESET
from simulator.rulesets.dot_trooper.aiming import mounted_arc
from simulator.rulesets.dot_trooper.poses import heading_after, swing
from simulator.rulesets.dot_trooper.skids import slide
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, rear_of
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Overlays, RouteLine, UnitMark
from simulator.views.reach_picture import chance_bands, cost_bands, looks

BOARDS = Path(__file__).resolve().parents[2] / "boards"


def dots(name: str) -> DotMap:
    """A map that comes along."""
    board: Board[Any] = load_board(BOARDS / f"{name}.yaml")
    assert isinstance(board, DotMap)
    return board


def riding(board: DotMap, front: Dot, heading: int, **fields: Any) -> Game[Any]:
    """A bike that moves, and Ann who rides it."""
    level = int(board.level[board.index(front)])
    fields = {"on": True, "motion": "moving", "level": level} | fields
    return Game.new(
        RULESET,
        board,
        [
            RULESET.make_unit("bike", "vehicle", "red", front, heading, **fields),
            RULESET.make_unit("ann", "trooper", "red", rear_of(front, heading), aboard="bike", level=level),
        ],
    )


def plain(columns: int, rows: int) -> str:
    """The drawing of an open map."""
    return "\n".join([". " * columns] * rows)


def template(board: DotMap, front: Dot, heading: int, label: str = "", side: str = "red") -> list[UnitMark]:
    """A vehicle as the rulebook draws it: a triangle on the front dot, a square on the rear dot."""
    rear = rear_of(front, heading)
    rx, ry = board.centre(rear)
    x, y = board.centre(front)
    square = box(rx - 0.25, ry - 0.25, rx + 0.25, ry + 0.25)
    return [UnitMark(rx, ry, "", side, base=square), UnitMark(x, y, label, side, base=pointer(x, y, heading, 0.45))]


def pointer(x: float, y: float, heading: int, size: float) -> Polygon:
    """A slim triangle that points along a heading."""
    turn = np.radians(heading)
    ux, uy = float(np.cos(turn)), float(np.sin(turn))
    tail = [(x - size * (0.7 * ux + side * 0.6 * uy), y - size * (0.7 * uy - side * 0.6 * ux)) for side in (1, -1)]
    return Polygon([(x + size * ux, y + size * uy), *tail])


def region(board: DotMap, places: Any) -> Any:
    """The cells of some dots."""
    mask = np.zeros(board.shape, np.bool_)
    for place in places:
        mask[board.index(place)] = True
    return board.region_of(mask)


def the_template() -> str:
    """DT-49, DT-82, DT-83: the template, and each turn to the right with the dots its rear swings over."""
    board = DotMap.from_text(plain(17, 3), name="Template")
    marks: list[UnitMark] = []
    ways: list[RouteLine] = []
    for front, angle in (((1, 2), 0), ((5, 2), 60), ((9, 2), 120), ((13, 2), 180)):
        marks += template(board, front, heading_after(0, "right", angle), f"right {angle}" if angle else "heading 0")
        if angle:
            rears = [rear_of(front, 0), *swing(front, 0, "right", angle)]
            ways.append(RouteLine([board.centre(dot) for dot in rears], "", "blue"))
    return draw(board, Overlays(routes=ways, units=marks), title="The template, and where its rear swings")


def by_ap() -> str:
    """DT-59 to DT-72: where a scout ends in cruise."""
    board = dots("supply_depot")
    cruise = riding(board, (0, 6), 0).reach("ann", "drive", mode="cruise")
    way = cruise.route_to((8, 2))
    overlays = Overlays(cost_bands(cruise), routes=[RouteLine(way.points, "a way there", "red")])
    overlays = Overlays(overlays.bands, routes=overlays.routes, units=template(board, (0, 6), 0, "bike"))
    return draw(board, overlays, title="Where a scout ends in cruise, by AP")


def by_pose() -> str:
    """DT-81, DT-85: the end poses in minimum, with all headings."""
    board = dots("back_alleys")
    slow = riding(board, (5, 2), 0).reach("ann", "drive", mode="minimum")
    overlays = Overlays(cost_bands(slow), looks=looks(slow), units=template(board, (5, 2), 0, "bike"))
    return draw(board, overlays, title="Every end pose of a scout in minimum")


def by_chance() -> str:
    """DT-86, DT-93: the best chance of ending on a dot at all, in narrow lanes."""
    board = dots("back_alleys")
    cruise = riding(board, (6, 3), 0).reach("ann", "drive", mode="cruise")
    overlays = Overlays(chance_bands(cruise), looks=looks(cruise), units=template(board, (6, 3), 0, "bike"))
    return draw(board, overlays, title="The best chance of ending there in cruise")


def a_skid() -> str:
    """DT-120, DT-121, DT-123, DT-128: a turn of 120 in max fails, and a wall ends the skid of six dots after three."""
    board = dots("back_alleys")
    game = riding(board, (5, 3), 0)
    skid = slide(DotSurroundings(board, game.setting.options), (8, 3), 0, 6, "left", 120)
    lines = [
        RouteLine([board.centre(dot) for dot in skid.fronts], "", "red"),
        RouteLine([board.centre(rear_of(dot, skid.heading)) for dot in skid.fronts], "", "red"),
    ]
    units = template(board, (8, 3), 0, "fails to turn left 120", "blue")
    units += template(board, skid.front, skid.heading, "lies here")
    return draw(board, Overlays(routes=lines, units=units), title="A failed turn in max: the skid ends at the wall")


def a_flight() -> str:
    """DT-8, DT-13, DT-15: where one flight lands, each roof an end of its own."""
    board = dots("rooftop_row")
    fay = RULESET.make_unit("fay", "trooper", "red", (1, 5), jet_pack="worn")
    landed = Game.new(RULESET, board, [fay]).reach("fay", "activate_jet_pack")
    levels = sorted({level for _, level in landed.levels})
    bands = [
        Band(
            region(board, [dot for dot, on in landed.levels if on == level]),
            f"roofs of level {level}" if level else "on the ground",
            number / max(1, len(levels) - 1),
        )
        for number, level in enumerate(levels)
    ]
    x, y = board.centre((1, 5))
    return draw(board, Overlays(bands, units=[UnitMark(x, y, "fay", "red")]), title="Where one flight lands")


def an_arc() -> str:
    """DT-98, DT-170: the arc of a mounted weapon, and a run through it: a shot where a segment begins or ends in it."""
    board = DotMap.from_text(plain(20, 9), name="Flats")
    game = riding(board, (12, 5), 180, **{"class": "assault"})
    arc = mounted_arc(game.table, game.state.unit("bike"), 0)
    run = [(11 - i, i) for i in range(9)]
    segments = [
        RouteLine([board.centre(dot) for dot in run[first : first + 4]], label, "blue")
        for first, label in ((1, "a shot at the end"), (4, "a shot at either end"))
    ]
    units = template(board, (12, 5), 180, "truck") + template(board, run[1], 240, "scout", "blue")
    band = Band(region(board, arc), "arc of the gun", 0.3)
    return draw(board, Overlays([band], routes=segments, units=units), title="The arc of a mounted weapon")


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    return {
        "dot_trooper_template.svg": the_template(),
        "dot_trooper_reach.svg": by_ap(),
        "dot_trooper_poses.svg": by_pose(),
        "dot_trooper_odds.svg": by_chance(),
        "dot_trooper_skid.svg": a_skid(),
        "dot_trooper_flight.svg": a_flight(),
        "dot_trooper_arc.svg": an_arc(),
    }
