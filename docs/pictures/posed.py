"""The pictures of planning with headings and prices, one of each kind of answer."""

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
    Arc,
    EarlierPhase,
    Mode,
    PhasedReach,
    Placing,
    PoseLink,
    PoseReach,
    PoseSpace,
    PoseStart,
    PricedGround,
    TableLevel,
    Touch,
    TurnPrices,
    even_ground,
    path_of,
)
from simulator.pathing.posed.who_gets_there import costs_of_many, started_from
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


def in_contact() -> str:
    """Where a charging tank can end: in contact with a foe, on lines."""
    foe, base = Round(1.2).at(21, 20), Round(0.8)
    space = replace(tank(16), base=base, bars=[*WALLS, foe], touch=(Touch(foe),))
    near = PoseReach(replace(space, touch=())).area()
    shown = [Band(near, "16 inches", 0.2), Band(PoseReach(space).area().buffer(0.12), "ends in contact", 1.0)]
    units = [mark(), UnitMark(21, 20, "foe", "blue", radius=1.2)]
    return draw(table(), Overlays(shown, units=units), title="Ends that touch a foe lie on a line around it")


def in_two_phases() -> str:
    """Where a tank can end after one phase, and after two."""
    one = tank(8)
    two = replace(one, earlier=(EarlierPhase(Fraction(8)),))
    reach = PhasedReach(two)
    areas = [("one phase of 8 inches", PoseReach(one).area()), ("two phases", reach.area())]
    moves = reach.moves_to((19.0, 20.0))
    way = RouteLine([(float(x), float(y)) for x, y in path_of(START, 0, moves).points()], "", "red")
    overlays = Overlays(bands(areas), routes=[way], units=[mark()])
    return draw(table(), overlays, title="What is left of a phase is lost: one of 8 inches, and two")


def set_down() -> str:
    """Where troops can end that leave a carrier by its rear."""
    behind = (Placing((Arc(START, 1.8, 135, 225),)),)
    carrier = Round(1.3).at(*START)
    troops = replace(tank(6), base=Round(0.5), starts=(), placings=behind, bars=[*WALLS, carrier])
    areas = []
    for budget in (0, 3, 6):
        area = PoseReach(replace(troops, budget=Fraction(budget))).area()
        areas.append((f"{budget} inches", area if budget else area.buffer(0.12)))
    overlays = Overlays(bands(areas), units=[UnitMark(*START, "carrier", "red", radius=1.3)])
    return draw(table(), overlays, title="Troops are set down anywhere behind the carrier, and go on from there")


def from_where() -> str:
    """From where a tank that faces to the right gets to a place beyond the swamp, by cost."""
    goal, step = (36.0, 20.0), 2
    places = [(x + step / 2, y + step / 2) for y in range(0, HEIGHT, step) for x in range(0, WIDTH, step)]
    costs = costs_of_many(started_from(tank(16), places), goal)
    squares = [shapely.box(x - step / 2, y - step / 2, x + step / 2, y + step / 2) for x, y in places]
    areas = [
        (f"{most} inches", shapely.union_all([one for one, cost in zip(squares, costs, strict=True) if cost <= most]))
        for most in (4, 8, 12, 16)
    ]
    overlays = Overlays(bands(areas), units=[UnitMark(*goal, "goal", "blue", radius=0.8)])
    return draw(table(), overlays, title="From where a tank that faces to the right can get to the goal, by cost")


#: The pictures by their files.
FILES = {
    "posed_area.svg": by_cost,
    "posed_headings.svg": by_heading,
    "posed_levels.svg": over_a_wall,
    "posed_contact.svg": in_contact,
    "posed_phases.svg": in_two_phases,
    "posed_set_down.svg": set_down,
    "posed_from_where.svg": from_where,
    "weighted_area.svg": free_directions,
}


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    return {name: made() for name, made in FILES.items()}
