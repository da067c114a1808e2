"""A piece and a table compiled into the form of the planner: what its move costs, and what stands in its way.

The judge, the played move and reach are given the same `ArmsMoves`. Altitudes are levels, climbs are links, trees and
enemies that are overrun give way at a price.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.byte_cache import kept
from simulator.engine.amounts import PLACE_DIGITS, plain, tidy
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.posed_orders import MoveWords
from simulator.engine.state import Unit
from simulator.geometry.paths import Straight
from simulator.geometry.pieces import XY, Piece, PolygonShape, Solid, rectangle
from simulator.geometry.snapping import difference, union
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import (
    JudgedMove,
    KnockDown,
    Mode,
    Move,
    Objection,
    PoseLink,
    PoseSpace,
    PoseStart,
    TableLevel,
)
from simulator.pathing.posed.ground import Under
from simulator.pathing.posed.shortfalls import PoseShortfall
from simulator.pathing.posed.tolls import MOST_TOLLS, Toll
from simulator.pathing.posed.verdict_memory import VerdictMemory
from simulator.rulesets.combined_arms.bands import by_distance, most_of_band, spent_in_all
from simulator.rulesets.combined_arms.features import (
    ArmsSetting,
    Barrier,
    TerrainPrices,
    prices_for,
    tree_price,
    trees_of,
)
from simulator.rulesets.combined_arms.figures import IMPASSABLE, share
from simulator.rulesets.combined_arms.heights import HowHigh
from simulator.rulesets.combined_arms.matrix import Mover, altitude_limit
from simulator.rulesets.combined_arms.overruns import destroyed_with, overrun_toll, position_of, together_with
from simulator.rulesets.combined_arms.rates import modes_of
from simulator.rulesets.combined_arms.storeys import (
    GROUND,
    Stairway,
    Storey,
    doors_of,
    flights_of,
    hall_of,
    inside_of_wall,
    stands_on,
    storey_of,
    ways_between,
)
from simulator.rulesets.combined_arms.terrain import BARS_BY
from simulator.rulesets.combined_arms.transport import allowance, most_inches
from simulator.rulesets.combined_arms.turning import turn_prices
from simulator.rulesets.combined_arms.units import (
    ArmsTable,
    base_of,
    column_of,
    is_enemy,
    mobility_of,
    others,
    placed,
    weight_of,
)
from simulator.rulesets.combined_arms.vocabulary import link_between

#: The clauses of what is wrong with a move, but for what stands in its way.
_CLAUSES = {
    "": "CA-3",
    "budget": "CA-3",
    "legs": "CA-100",
    "edge": "CA-138",
    "mode": "CA-27",
    "link": "CA-85",
    "ground": "CA-102",
    "inches": "CA-96",
}
_TEXTS = {
    "ground": "an enemy that may fire sees it there",
    "edge": "its reference point would leave the table",
    "legs": "legs and altitude cost {needed}, but only {available} can be spent on them",
    "inches": "it would cover {needed}, {available} are within its band",
}
_WORDS = MoveWords(_CLAUSES, texts=_TEXTS)
#: So near the outline of a hall what bars the ground around is its wall, not what stands in front of that.
_AT_OUTLINE = 1e-3
#: Where nobody may end: all of a table, however large.
_EVERYWHERE = rectangle((0.0, 0.0), (2e5, 2e5))


class InTheWay(NamedTuple):
    """What bars a path or an end: a solid, its name and the clause; joined areas are distinguished by place."""

    solid: Solid
    name: str
    clause: str
    barrier: Barrier | None = None

    def breach(self, place: XY, *, ends: bool) -> Breach:
        """Return the breach of one who meets it at a place."""
        name, cited = self.name, self.clause
        if self.barrier is not None:
            piece = self.barrier.at(place)
            name, cited = piece.id, BARS_BY.get(piece.kind, "CA-75")
        where = "at" if self.solid is _EVERYWHERE else "on"
        message = f"it cannot end {where} {name}" if ends else f"{name} is in the way"
        return Breach(cited, message, blocker=name, place=place)


class AtAltitude(NamedTuple):
    """A level of the table for one mover."""

    altitude: Fraction
    prices: TerrainPrices
    bars: tuple[InTheWay, ...]
    no_end: tuple[InTheWay, ...]
    storey: Storey | None = None  #: the floor of a building, if it is one


@dataclass(frozen=True)
class MoveLimits:
    """What a move may spend on everything, and what it may not exceed besides; None: any."""

    budget: Fraction
    travelled: Fraction | None = None  #: spent on all but rotations
    covered: Fraction | None = None  #: inches of ground and altitude
    rotation: Fraction | None = None  #: spent on one rotation


@dataclass(frozen=True, eq=False)
class ArmsMoves:
    """What a piece can do in its move, and the names of what it meets."""

    space: PoseSpace
    levels: tuple[AtAltitude, ...]
    #: The trees and the enemies that give way, in the order of the tolls of the space.
    tolls: tuple[InTheWay, ...] = ()
    #: What stands in doors, by the link that leads through, in the order of what bars that.
    in_doors: Mapping[str, tuple[InTheWay, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def altitudes(self) -> dict[Fraction, int]:
        """The number of the level at each altitude."""
        return {level.altitude: number for number, level in enumerate(self.levels) if level.storey is None}

    def level_at(self, height: HowHigh) -> int:
        """Return the number of the level as high as a piece is."""
        if height.storey == GROUND:
            return self.altitudes[height.altitude]
        return next(number for number, level in enumerate(self.levels) if level.storey == height.storey)

    @property
    def ways(self) -> tuple[PoseLink, ...]:
        """The stairs, ladders, doors and flights, and the climbs."""
        return tuple(link for link in self.space.links if isinstance(link, PoseLink))

    def judged(self, written: Sequence[Move]) -> JudgedMove:
        """Return what the judge of the planner finds of moves from where the piece is."""
        return self._memory.judged(written)

    @cached_property
    def _memory(self) -> VerdictMemory:
        return VerdictMemory(self.space)

    def unit_after(self, unit: Unit, found: JudgedMove) -> Unit:
        """Return a piece where a move has taken it: its place and heading, its altitude or its floor."""
        level = self.levels[found.level]
        floor = 0 if level.storey is None else level.storey.floor
        x, y = (round(number, PLACE_DIGITS) for number in found.place)
        return unit.put(
            place=(x, y),
            heading=tidy(found.heading % 360),
            altitude=plain(level.altitude),
            floor=floor,
            building=inside_of_wall(level.prices.setting, level.storey, (x, y)),
        )

    def breach(self, one: Objection | PoseShortfall, place: XY, level: int) -> Breach:
        """Return what is wrong as a breach with its clause; things are numbered by level."""
        if one.toll is not None:
            thing, ends = self.tolls[one.toll], one.what == "end"
            still_there = (other for other in self.levels[level].no_end if ends and other.name == thing.name)
            return next(still_there, thing).breach(place, ends=ends)
        if one.what in ("bars", "end") and one.thing is not None:
            there = self.levels[level]
            return (there.bars if one.what == "bars" else there.no_end)[one.thing].breach(place, ends=one.what == "end")
        slope = self.levels[level].prices.shut_slope_at(place) if one.what == "ground" else None
        if slope is not None:
            return Breach("CA-51", f"{slope.id} is impassable to it that way", blocker=slope.id, place=place)
        (found,) = _WORDS.breaches_at([one], place)
        if isinstance(one, PoseShortfall) and one.thing is not None and one.at is not None:
            barred = self.levels[level].bars[one.thing].breach(one.at, ends=False)
            return replace(barred, message=f"{found.message}: {barred.message}", place=place)
        return found


@clause("CA-2", "CA-98")
def spending(table: ArmsTable, unit: Unit) -> MoveLimits:
    """Return what a piece may do in its move: spend its allowance, within the band that it declared when it fired."""
    most, declared = allowance(table, unit), most_of_declared(table, unit)
    if by_distance(table):
        return MoveLimits(most, covered=least_of(most_inches(table, unit), declared))
    return MoveLimits(most if declared is None else min(most, declared))


@clause("CA-98")
def most_of_declared(table: ArmsTable, unit: Unit) -> Fraction | None:
    """Return the most that may be moved within the band that a piece declared when it fired; None: any."""
    return most_of_band(table, unit, unit["declared_band"]) if unit["declared_band"] else None


def least_of(*limits: Fraction | None) -> Fraction | None:
    """Return the least of the limits that there are; None: there is none."""
    return min((limit for limit in limits if limit is not None), default=None)


@clause("CA-3", "CA-4", "CA-5", "CA-6", "CA-35", "CA-80", "CA-85")
def compiled(
    table: ArmsTable,
    unit: Unit,
    altitudes: Iterable[Fraction] = (),
    climbs: Iterable[tuple[Fraction, Fraction]] = (),
    over: Sequence[str] = (),
    limits: MoveLimits | None = None,
) -> ArmsMoves:
    """Compile a piece where it is, and perhaps at other altitudes with climbs between them.

    `over` are the enemies that it means to overrun; all others block. `limits` are by default those of its move.
    """
    here = Fraction(unit["altitude"])
    limits = spending(table, unit) if limits is None else limits
    over = [name for name in dict.fromkeys(over) if name != unit.id and table.unit(name).place is not None]
    over = list(dict.fromkeys(one.id for name in over for one in together_with(table, table.unit(name))))
    inside = storey_of(table.setting, unit)
    every_way = ways_of(table.setting, Mover.of(unit), base_of(unit).reach)
    ways = [way for way in every_way if way.altitude in {here, *altitudes}]
    storeys = sorted({floor for way in ways for floor in (way.origin, way.target)} - {GROUND} | {*_only(inside)})
    lowest_of_all, *higher = sorted({here, *altitudes})
    levels = [_level_at(table, unit, altitude, over) for altitude in (lowest_of_all, *higher)]
    levels += [_level_on(table, unit, storey) for storey in storeys]
    lowest, *above = levels
    known = {level.altitude: number for number, level in enumerate(levels) if level.storey is None}
    floors = {level.storey: number for number, level in enumerate(levels) if level.storey is not None}
    joined = {way.link: [levels[number] for number in _levels_of(way, floors, known)] for way in ways if way.is_door}
    in_doors = {way.link: _in_door(way, base_of(unit).reach, joined[way.link]) for way in ways if way.is_door}
    links = [*_links(table, unit, climbs, known), *_stairs(ways, floors, known, in_doors)]
    modes = modes_of(table, unit)
    _require_slants(table, unit, links, levels, modes)
    tolls = [*_trees(table, unit, levels, limits), *_targets(table, unit, lowest, over)]
    start = PoseStart(
        (float(unit.place[0]), float(unit.place[1])),
        Fraction(unit.heading),
        spent_in_all(unit),
        Fraction(unit["spent_translation"]),
        level=known[here] if inside is None else floors[inside],
        covered=Fraction(unit["inches_covered"]),
    )
    space = PoseSpace(
        base=base_of(unit),
        starts=(start,),
        budget=limits.budget,
        ground=lowest.prices.ground,
        modes=modes,
        turns=turn_prices(table, unit, limits.rotation),
        bars=[one.solid for one in lowest.bars],
        no_end=[one.solid for one in lowest.no_end],
        box=table.board.bounds,
        whole_base_on_table=False,
        most_travelled=limits.travelled,
        most_inches=limits.covered,
        above=tuple(
            TableLevel(
                level.prices.ground,
                [one.solid for one in level.bars],
                [one.solid for one in level.no_end],
                table.board.bounds,
            )
            for level in above
        ),
        links=tuple(dict.fromkeys(links)),
        tolls=[toll for toll, _ in tolls],
    )
    return ArmsMoves(space, tuple(levels), tuple(told for _, told in tolls), in_doors)


@clause("CA-85")
def slants(table: ArmsTable) -> bool:
    """Whether climbs are priced with the legs before them, by the length of the way in space."""
    return bool(table.options.vertical_geometry == "euclid")


@clause("CA-82", "CA-83", "CA-85")
def _links(
    table: ArmsTable, unit: Unit, climbs: Iterable[tuple[Fraction, Fraction]], known: dict[Fraction, int]
) -> Iterator[PoseLink]:
    """The climbs; those of pieces that do not fly, which are refused, follow no leg at a slant."""
    slanting = slants(table) and altitude_limit(table.setting, column_of(unit)) != 0
    return (link_between(origin, target, known, slanting=slanting) for origin, target in climbs)


@clause("CA-85")
def _require_slants(
    table: ArmsTable, unit: Unit, links: Sequence[PoseLink], levels: Sequence[AtAltitude], modes: Sequence[Mode]
) -> None:
    """Raise TableError where climbs slant, and a longer leg before one could make the move cheaper."""
    least = min(mode.factor for mode in modes)
    origins = (levels[link.origin] for link in links if link.slanting)
    if not any(level.prices.ground.least * least < 1 for level in origins):
        return
    column, tables = column_of(unit), table.tables
    rows = ((f"terrain.{row}.{column}", cells[column]) for row, cells in tables["terrain"].items())
    quick = [name for name, rate in rows if rate != IMPASSABLE and share(rate) > 1]
    quick += [f"travel.{name}" for name, factor in tables["travel"].items() if factor < 1]
    raise TableError(
        f"vertical_geometry: euclid plans no climbs of pieces that cover an inch for less than 1; {unit.id} does, by "
        f"{' and '.join(quick)}"
    )


@kept(megabytes=4)
def ways_of(setting: ArmsSetting, mover: Mover, reach: float) -> tuple[Stairway, ...]:
    """Return the stairs, ladders and doors that a piece can use, and its flights; its base reaches so far."""

    def price(beyond: Storey, hall: Storey, outside: XY, door: XY, inside: XY) -> Fraction | None:
        ways = []
        for storey, begin, end in ((beyond, outside, door), (hall, door, inside)):
            ground = prices_for(setting, mover, Fraction(0), None if storey == GROUND else storey).ground
            ways.append(ground.price(Straight(begin, end), Fraction(math.dist(begin, end))))
        if any(way.barred is not None for way in ways):
            return None
        return sum((line.inches * line.rate for way in ways for line in way.lines), Fraction(0))

    doors = doors_of(setting, mover, reach, price)
    return (*ways_between(setting, mover), *doors, *flights_of(setting, mover))


def _only(storey: Storey | None) -> tuple[Storey, ...]:
    return () if storey is None else (storey,)


def _stairs(
    ways: Iterable[Stairway],
    floors: dict[Storey, int],
    known: dict[Fraction, int],
    in_doors: Mapping[str, Sequence[InTheWay]],
) -> Iterator[PoseLink]:
    """The links of stairs, ladders, doors and flights."""
    for way in ways:
        origin, target = _levels_of(way, floors, known)
        bars = tuple(one.solid for one in in_doors.get(way.link, ()))
        yield PoseLink(way.link, origin, target, way.price, way.places, inches=way.inches, walked=way.walked, bars=bars)


def _levels_of(way: Stairway, floors: dict[Storey, int], known: dict[Fraction, int]) -> list[int]:
    """The numbers of the levels that a way joins; the ground floor is where the table is."""
    return [floors.get(storey, known[way.altitude]) for storey in (way.origin, way.target)]


# --- what stands in the way ---


def _level_at(table: ArmsTable, unit: Unit, altitude: Fraction, over: Sequence[str]) -> AtAltitude:
    """A level of the air, and what bars the way there."""
    prices = prices_for(table.setting, Mover.of(unit), altitude)
    bars = [InTheWay(one.solid, "", "", one) for one in prices.barriers]
    if not fells_trees(table, unit):
        bars += [InTheWay(solid, piece.id, "CA-60") for piece, solid in _standing_trees(table, unit, altitude)]
    outside = [other for other in others(table, unit) if not other["floor"]]
    near = [other for other in outside if meets(table, altitude, Fraction(other["altitude"]))]
    bars += [
        InTheWay(placed(other), other.id, "CA-80")
        for other in near
        if is_enemy(unit, other) and not (other.id in over and altitude == 0)
    ]
    no_end = [InTheWay(placed(other), other.id, "CA-80") for other in near if not is_enemy(unit, other)]
    if altitude == 0:
        no_end += _still_there(table, unit, over)
    no_end += [InTheWay(one.shape, one.piece.id, "CA-84") for one in prices.indoors]
    if altitude > 0 and not ends_aloft(table, unit):
        no_end.append(InTheWay(_EVERYWHERE, f"altitude {float(altitude):g}", "CA-86"))
    return AtAltitude(altitude, prices, tuple(bars), tuple(no_end))


@clause("CA-68", "CA-80")
def _in_door(way: Stairway, reach: float, levels: Sequence[AtAltitude]) -> tuple[InTheWay, ...]:
    """What a base that goes through a door could meet on its way: on either side of the wall, but for the walls."""
    assert way.places is not None
    swept = shapely.LineString(way.places).buffer(reach + TOLERANCE)
    halls = union([hall_of(level.prices.setting, level.storey) for level in levels if level.storey is not None])
    within = halls.buffer(_AT_OUTLINE, join_style="mitre")
    found = list[InTheWay]()
    for level in levels:
        near = [one for one in level.bars if one.solid.polygon.intersects(swept)]
        if level.storey is None:
            found += [part for one in near for part in _outside(one, within)]
        else:
            found += [one for one in near if not _is_wall(one, level.storey)]
    return tuple(part for part in dict.fromkeys(found) if part.solid.polygon.intersects(swept))


def _is_wall(one: InTheWay, storey: Storey) -> bool:
    """Whether what is in the way on a storey is what is around it."""
    return one.barrier is not None and storey.building in (piece.id for piece in one.barrier.pieces)


def _outside(one: InTheWay, halls: BaseGeometry) -> Iterator[InTheWay]:
    """As much of what is in the way on the ground as is in no hall."""
    if not one.solid.polygon.intersects(halls):
        yield one
        return
    for part in shapely.get_parts(difference(one.solid.polygon, halls)):
        if part.area:
            holes = [list(ring.coords) for ring in part.interiors]
            solid = PolygonShape(list(part.exterior.coords), holes)
            barrier = None if one.barrier is None else one.barrier.part(solid)
            yield one._replace(solid=solid, barrier=barrier)


@clause("CA-109")
def _still_there(table: ArmsTable, unit: Unit, over: Sequence[str]) -> Iterator[InTheWay]:
    """Those whom a foxhole saves when they are driven over: nobody ends on them."""
    for target in map(table.unit, over):
        if not destroyed_with(table, unit, target):
            yield InTheWay(placed(target), target.id, "CA-109")


@clause("CA-66", "CA-68")
def _level_on(table: ArmsTable, unit: Unit, storey: Storey) -> AtAltitude:
    """A floor of a building: its walls, and who stands there."""
    prices = prices_for(table.setting, Mover.of(unit), Fraction(0), storey)
    there = [other for other in others(table, unit) if stands_on(table.setting, other, storey)]
    bars = [InTheWay(one.solid, "", "", one) for one in prices.barriers]
    bars += [InTheWay(placed(other), other.id, "CA-80") for other in there if is_enemy(unit, other)]
    no_end = [InTheWay(placed(other), other.id, "CA-80") for other in there if not is_enemy(unit, other)]
    return AtAltitude(Fraction(0), prices, tuple(bars), tuple(no_end), storey)


@clause("CA-81")
def meets(table: ArmsTable, altitude: Fraction, other: Fraction) -> bool:
    """Whether two pieces at these altitudes are in each other's way."""
    return abs(altitude - other) < Fraction(table.tables["clearance.inches"])


@clause("CA-86")
def ends_aloft(table: ArmsTable, unit: Unit) -> bool:
    """Whether a piece may be aloft at the end of its move."""
    own = unit["can_hover"]
    return bool(mobility_of(unit) in table.options.end_aloft if own is None else own)


@clause("CA-86", "CA-153")
def altitude_at_end(table: ArmsTable, unit: Unit) -> Fraction:
    """Return how high a piece is after its move: who may not stay aloft, or so high, comes down."""
    altitude = Fraction(unit["altitude"])
    limit = altitude_limit(table.setting, column_of(unit)) if ends_aloft(table, unit) else Fraction(0)
    return altitude if limit is None else min(altitude, Fraction(limit))


@clause("CA-60")
def fells_trees(table: ArmsTable, unit: Unit) -> bool:
    """Whether a piece knocks single trees down rather than going round them."""
    return unit.type == "vehicle" and weight_of(table, unit) != "light"


def _standing_trees(table: ArmsTable, unit: Unit, altitude: Fraction) -> Iterator[tuple[Piece, Solid]]:
    felled = table.data["felled"]
    trees = trees_of(table.setting, Mover.of(unit), altitude, has_base=unit["base"] is not None)
    return ((piece, solid) for piece, solid in trees if piece.id not in felled)


# --- what gives way ---


@clause("CA-60", "CA-61", "CA-62", "CA-81")
def _trees(
    table: ArmsTable, unit: Unit, levels: Sequence[AtAltitude], limits: MoveLimits
) -> Iterator[tuple[Toll, InTheWay]]:
    """The trees that a piece may come to, each with its price by the ground around it at all altitudes below its top.

    Who comes down on one meets it as well, without a slope; who climbs within one that it stood on pays with a leg.
    """
    if not fells_trees(table, unit):
        return
    below = defaultdict[str, list[int]](list)
    for number, level in enumerate(levels):
        if level.storey is None:
            for piece, _ in _standing_trees(table, unit, level.altitude):
                below[piece.id].append(number)
    found = list(_standing_trees(table, unit, levels[0].altitude))
    if len(found) > MOST_TOLLS:
        # Those farther off than it gets are never met.
        least = min(level.prices.ground.least for level in levels)
        far = float(limits.budget / least) + base_of(unit).reach + 1.0
        found = [
            (piece, solid) for piece, solid in found if math.dist(unit.place, solid.polygon.centroid.coords[0]) <= far
        ]
    for piece, solid in found:
        price = tree_price(table.setting, piece)
        rules = {number: _TreePrice(price, levels[number].prices) for number in below[piece.id]}
        yield KnockDown(solid, rules, by_links=True), InTheWay(solid, piece.id, "CA-60")


@dataclass(frozen=True)
class _TreePrice:
    """What a tree costs where it stands. The prices of one tree for movers of one kind are equal."""

    price: Fraction
    ground: TerrainPrices

    def __call__(self, under: Under, climbed: Under) -> Fraction | None:
        rate = self.ground.tree_rate(under, climbed)
        return None if rate is None else self.price * rate


@clause("CA-105", "CA-108", "CA-111")
def _targets(table: ArmsTable, unit: Unit, lowest: AtAltitude, over: Sequence[str]) -> Iterator[tuple[Toll, InTheWay]]:
    """The enemies that a piece on the ground means to overrun, those in one foxhole as one."""
    done = set[str]()
    for name in over if lowest.altitude == 0 else ():
        target = table.unit(name)
        if name not in done:
            done |= {one.id for one in together_with(table, target)}
            yield overrun_toll(table, unit, target), InTheWay(position_of(table, target), name, "CA-106")
