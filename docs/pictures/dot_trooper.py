"""The pictures of the rulebook dot_trooper: where a bike can end, at what AP and odds, and where it slides."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from shapely.geometry import Polygon, box

from simulator.engine.game import Game
from simulator.geometry.dots import DotMap
from simulator.rulesets.dot_trooper import RULESET
from simulator.rulesets.dot_trooper.ground import Ground, rear_of
from simulator.rulesets.dot_trooper.skids import slide
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Overlays, RouteLine, UnitMark
from simulator.views.reach_picture import cost_bands

YARD = """
. . . . . . . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . # # . . . . . . . . . . .
. . . . . . . . . . . # . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . # . . . . . . . . .
. . . . . . . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . . . . . . .
"""
FRONT = (4, 4)


def template(board: DotMap, front: tuple[int, int], heading: int, label: str = "") -> list[UnitMark]:
    """A vehicle as the rulebook draws it: a triangle on the front dot, a square on the rear dot."""
    rear = rear_of(front, heading)
    rx, ry = board.centre(rear)
    x, y = board.centre(front)
    square = box(rx - 0.25, ry - 0.25, rx + 0.25, ry + 0.25)
    return [UnitMark(rx, ry, "", "red", base=square), UnitMark(x, y, label, "red", base=pointer(x, y, heading, 0.45))]


def pointer(x: float, y: float, heading: int, size: float) -> Polygon:
    """A slim triangle that points along a heading."""
    turn = np.radians(heading)
    ux, uy = float(np.cos(turn)), float(np.sin(turn))
    tail = [(x - size * (0.7 * ux + side * 0.6 * uy), y - size * (0.7 * uy - side * 0.6 * ux)) for side in (1, -1)]
    return Polygon([(x + size * ux, y + size * uy), *tail])


def aside(board: DotMap, dot: tuple[int, int], heading: int) -> tuple[float, float]:
    """A point beside a dot, towards a heading, so that several poses of one dot can be told apart."""
    x, y = board.centre(dot)
    return x + 0.26 * float(np.cos(np.radians(heading))), y + 0.26 * float(np.sin(np.radians(heading)))


def pictures() -> dict[str, str]:
    """Give each picture's file name and text."""
    board = DotMap.from_text(YARD, name="Yard")
    units = [
        RULESET.make_unit("bike", "vehicle", "red", FRONT, 0, on=True, motion="moving"),
        RULESET.make_unit("ann", "trooper", "red", rear_of(FRONT, 0), aboard="bike"),
    ]
    game = Game.new(RULESET, board, units)
    bike = template(board, FRONT, 0, "bike")
    cruise = game.reach("ann", "drive", mode="cruise")
    slow = game.reach("ann", "drive", mode="minimum")
    poses = [
        UnitMark(x, y, "", base=pointer(x, y, pose.heading, 0.17))
        for pose in sorted(slow.poses, key=lambda pose: (pose.front, pose.heading))
        for x, y in [aside(board, pose.front, pose.heading)]
    ]
    way = cruise.route_to((10, 1))
    odds, above = [], np.zeros(board.shape, np.bool_)
    best = {place: cruise.probability(place, 180, "stopped") for place in cruise.places}
    for words, low in (("11/12", Fraction(11, 12)), ("26/36 or more", Fraction(26, 36)), ("less", Fraction(1, 36))):
        mask = np.zeros(board.shape, np.bool_)
        for place, chance in best.items():
            mask[board.index(place)] = chance >= low
        odds.append(Band(board.region_of(mask & ~above), f"stops there: {words}", 1 - len(odds) / 3))
        above |= mask
    skid = slide(Ground(board, game.setting.options), (8, 4), 0, 6, "left", 120)
    line = RouteLine([board.centre(dot) for dot in skid.fronts], "a failed turn of 120 in max", "red")
    fallen = template(board, (8, 4), 0, "turns left 120") + template(board, skid.front, skid.heading, "lies here")
    return {
        "dot_trooper_reach.svg": draw(
            board,
            Overlays(cost_bands(cruise), [RouteLine(way.points, "a way there", "red")], bike),
            title="Where a scout ends in cruise, by AP",
        ),
        "dot_trooper_poses.svg": draw(board, Overlays(units=[*poses, *bike]), title="The end poses in minimum"),
        "dot_trooper_odds.svg": draw(
            board, Overlays(odds, units=bike), title="The best odds of a stop, facing west again"
        ),
        "dot_trooper_skid.svg": draw(board, Overlays(routes=[line], units=fallen), title="A skid"),
    }
