"""The pictures of planning with headings and prices: an area by cost with ways, by heading, and over a wall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import shapely

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import XY, Piece, PolygonShape, rectangle
from simulator.geometry.shapes import less
from simulator.geometry.table import InchTable
from simulator.pathing.posed import (
    Mode,
    PoseLink,
    PoseReach,
    PoseSpace,
    PoseStart,
    PricedGround,
    TableLevel,
    TurnPrices,
    even_ground,
    path_of,
)
from simulator.pathing.weighted import WeightedReach
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Overlays, RouteLine, UnitMark

WIDTH, HEIGHT = 48, 32
WALLS = [rectangle((26, 22), (2, 12)), rectangle((20, 8), (7, 4), 20), rectangle((36, 12), (3, 9), -15)]
SWAMP, ROAD = PolygonShape([(27, 10), (33, 9), (35, 17), (30, 20), (26, 16)]), rectangle((24, 15.5), (46, 1.6), 3)
START = (8.0, 14.5)


def rate(under: frozenset[int], climbed: frozenset[int]) -> Fraction:
    """Double in the swamp, half on the road."""
    del climbed
    return Fraction(1, 2) if 1 in under else Fraction(2 if 0 in under else 1)


def table() -> InchTable:
    """The walls, the swamp and the road as a board."""
    walls = [Piece(f"wall{number}", "wall", wall, "obstacle") for number, wall in enumerate(WALLS)]
    ground = [Piece("swamp", "swamp", SWAMP, "ground"), Piece("road", "road", ROAD, "replacing")]
    return InchTable("Plain", WIDTH, HEIGHT, pieces=(*ground, *walls))


def tank(budget: int) -> PoseSpace:
    """A tank that pays for turns as one of 24 inches does."""
    return PoseSpace(
        Rectangle(2.6, 1.6),
        (PoseStart(START, Fraction(0)),),
        Fraction(budget),
        PricedGround([SWAMP, ROAD], rate, least=Fraction(1, 2)),
        (Mode("forward"), Mode("reverse", 180, Fraction(2))),
        TurnPrices.of([(45, 4), (90, 8), (135, 16), (180, 20)], separation=1),
        bars=WALLS,
        box=(0, 0, WIDTH, HEIGHT),
    )


def mark() -> UnitMark:
    """The tank where it starts."""
    return UnitMark(*START, "tank", "red", radius=0.8)


def way(reach: PoseReach | WeightedReach, place: XY) -> RouteLine:
    """The cheapest way to a place."""
    drawn = path_of(START, 0, reach.moves_to(place)).points()
    return RouteLine([(float(x), float(y)) for x, y in drawn], "", "red")


def bands(areas: Sequence[tuple[str, shapely.Geometry]]) -> list[Band]:
    """Areas that hold each other, the smallest first, as bands."""
    found, taken = [], shapely.Polygon()
    for number, (label, area) in enumerate(areas):
        share = number / max(len(areas) - 1, 1)
        found.append(Band(less(area, taken), label, share))
        taken = area
    return found


def by_cost() -> str:
    """Where the tank can end, by cost, with two ways."""
    reaches = [PoseReach(tank(budget)) for budget in (8, 16, 24)]
    areas = [(f"{reach.space.budget} inches", reach.area()) for reach in reaches]
    ways = [way(reaches[-1], place) for place in ((30.0, 13.0), (20.0, 24.0), (14.0, 8.0))]
    overlays = Overlays(bands(areas), routes=ways, units=[mark()])
    return draw(table(), overlays, title="Where a tank can end, by cost: a road, a swamp, turns to pay for")


def by_heading() -> str:
    """Where it can end facing as it does, and to its left."""
    reach = PoseReach(tank(16))
    facing = [(f"facing {degrees}", reach.area(heading=degrees)) for degrees in (180, 90, 0)]
    shown = [Band(area, label, number / 2) for number, (label, area) in enumerate(reversed(facing))]
    return draw(table(), Overlays(shown, units=[mark()]), title="Where it can end with a heading, 16 inches")


def over_a_wall() -> str:
    """Where a hover tank can land, and where a tank gets to."""
    space = replace(tank(16), base=Round(0.8), starts=(PoseStart((21.5, 21.0), Fraction(0)),))
    links = (PoseLink("rise", 0, 1, Fraction(2)), PoseLink("sink", 1, 0, Fraction(2)))
    hover = replace(space, above=(TableLevel(even_ground(Fraction(1)), box=space.box),), links=links)
    areas = [("driving", PoseReach(space).area()), ("over the wall", PoseReach(hover).area())]
    overlays = Overlays(bands(areas), units=[UnitMark(21.5, 21.0, "tank", "red", radius=0.8)])
    return draw(table(), overlays, title="On the ground, and by rising for 2 inches and sinking for 2")


def free_directions() -> str:
    """Where infantry with free turns can end, with ways that bend at borders."""
    space = replace(tank(12), base=Round(0.5), modes=(Mode("forward"),), turns=TurnPrices.flat(0))
    reach = WeightedReach(space)
    areas = [(f"{budget} inches", WeightedReach(replace(space, budget=Fraction(budget))).area()) for budget in (6, 12)]
    ways = [way(reach, place) for place in ((27.0, 13.0), (20.0, 20.0), (24.0, 12.5))]
    overlays = Overlays(bands(areas), routes=ways, units=[UnitMark(*START, "squad", "red", radius=0.5)])
    return draw(table(), overlays, title="Free turns: ways bend at borders between prices")


#: The pictures by their files.
FILES = {
    "posed_area.svg": by_cost,
    "posed_headings.svg": by_heading,
    "posed_levels.svg": over_a_wall,
    "weighted_area.svg": free_directions,
}


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    return {name: made() for name, made in FILES.items()}
