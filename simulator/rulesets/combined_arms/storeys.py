"""Storeys of buildings, and the stairs and ladders between them.

A piece is on a floor of the building that it stands in: 0 is the ground floor, where the table is. Stairs lead from
their first end to their last, those drawn as an area from its middle to the same place a floor higher; a ladder leads
straight up. Jetpacks need no ladder: they fly from floor to floor, and in and out wherever infantry gets in. A roof is
no floor: a piece on it is in the air, as high as the building.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.engine.table import Setting
from simulator.geometry.pieces import XY, LineShape, Piece
from simulator.geometry.snapping import difference, union
from simulator.geometry.table import InchTable
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.combined_arms import matrix
from simulator.rulesets.combined_arms.matrix import Mover
from simulator.rulesets.combined_arms.options import CombinedArmsOptions
from simulator.rulesets.combined_arms.terrain import LAYER_OF
from simulator.rulesets.combined_arms.units import placed

ArmsSetting = Setting[CombinedArmsOptions]

#: How far clear of the wall a piece begins and ends that takes a door.
_CLEAR = 1e-3
#: A door so far from any wall is in none.
_AT_WALL = 0.1


class Storey(NamedTuple):
    """A floor of a building that is entered by stairs, ladders and doors alone."""

    building: str
    floor: int

    def __str__(self) -> str:
        return f"{self.building}/{self.floor}"


#: The ground, which no building is around.
GROUND = Storey("", 0)


class Stairway(NamedTuple):
    """Stairs, a ladder or a door one way: from where to where, on which floors, what that costs, and how long it is.

    What is `walked` of that are the inches of its path: not those of a ladder or of a flight.

    Without places it is a flight that begins anywhere. Where it leads to no storey, or from none, that is the ground,
    or for a flight the air above it, at an altitude.
    """

    name: str
    places: tuple[XY, XY] | None
    origin: Storey
    target: Storey
    price: Fraction
    inches: Fraction
    walked: Fraction = Fraction(0)
    altitude: Fraction = Fraction(0)
    is_door: bool = False

    @property
    def link(self) -> str:
        """Its name among links."""
        return f"take {self.name}"


def _pieces(setting: ArmsSetting, *kinds: str) -> Iterator[Piece]:
    assert isinstance(setting.board, InchTable)
    return (piece for piece in setting.board.pieces if piece.kind in kinds)


@clause("CA-66", "CA-68")
def _around(setting: ArmsSetting, place: XY, *floors: int) -> Iterator[Piece]:
    """Yield the buildings that have some floors and contain a place, or touch it."""
    point = shapely.Point(place)
    for piece in _pieces(setting, "building"):
        if _has_floors(piece, floors) and shapely.dwithin(piece.shape.polygon, point, TOLERANCE):
            yield piece


@clause("CA-68")
def _has_floors(building: Piece, floors: Iterable[int]) -> bool:
    """Whether a building has some floors: none is below the ground floor, which is 0."""
    return all(0 <= floor < int(building.attributes.get("floors", 1)) for floor in floors)


@clause("CA-68")
def has_doors(piece: Piece, mover: Mover) -> bool:
    """Whether a piece gets into a building and out of it by its doors alone: infantry, where doors are listed."""
    return piece.kind == "building" and bool(piece.attributes.get("doors")) and not mover.is_vehicle


@clause("CA-68")
def doors_of(
    setting: ArmsSetting, mover: Mover, reach: float, price: Callable[[Storey, Storey, XY, XY, XY], Fraction | None]
) -> Iterator[Stairway]:
    """Yield the doors by which a piece gets in, and those by which it gets out, from clear of the wall to clear of it.

    `price` returns what the way from outside, the ground or another hall, through the door to a storey costs, None if
    that is impassable; no part of the base lies farther than `reach` from its reference point.
    """
    for piece in _pieces(setting, "building"):
        for number, (x, y) in enumerate(piece.attributes.get("doors", ()) if has_doors(piece, mover) else (), 1):
            hall = Storey(piece.id, 0)
            way = _through_the_wall(hall_of(setting, hall), (float(x), float(y)), reach + _CLEAR)
            if way is None:
                continue
            door, ends = way
            beyond = _beyond(setting, mover, piece, door, ends[0])
            paid = price(beyond, hall, ends[0], door, ends[1])
            if paid is None:
                continue
            name = f"{piece.id} door {number}"
            inches = Fraction(sum(math.dist(end, door) for end in ends))
            yield Stairway(name, ends, beyond, hall, paid, inches, inches, is_door=True)
            yield Stairway(f"{name} out", ends[::-1], hall, beyond, paid, inches, inches, is_door=True)


@clause("CA-68")
def _beyond(setting: ArmsSetting, mover: Mover, building: Piece, door: XY, outside: XY) -> Storey:
    """The ground outside of a door, or the hall of another building, if that lists the door as well."""
    for other in _pieces(setting, "building"):
        if other.id == building.id or not has_doors(other, mover):
            continue
        shared = any(math.dist(door, place) <= _AT_WALL + TOLERANCE for place in other.attributes["doors"])
        if shared and shapely.contains_xy(hall_of(setting, Storey(other.id, 0)), *outside):
            return Storey(other.id, 0)
    return GROUND


def _through_the_wall(hall: BaseGeometry, drawn: XY, far: float) -> tuple[XY, tuple[XY, XY]] | None:
    """The place of a door in its wall, and those so far before and behind it, square to that; None: it is in none.

    Doors are drawn as near to their walls as people draw.
    """
    rings, point = shapely.get_rings(shapely.get_parts(hall)), shapely.Point(drawn)
    if not len(rings) or np.min(shapely.distance(rings, point)) > _AT_WALL:
        return None
    sides = (side for ring in rings for side in pairwise(shapely.get_coordinates(ring).tolist()))
    wall = min(map(shapely.LineString, sides), key=lambda side: float(shapely.distance(side, point)))
    door = drawn
    if shapely.distance(wall, point) > TOLERANCE:
        at = shapely.line_interpolate_point(wall, shapely.line_locate_point(wall, point))
        door = float(at.x), float(at.y)
    (x, y), (there_x, there_y) = wall.coords
    length = math.hypot(there_x - x, there_y - y)
    aside = (y - there_y) / length * far, (there_x - x) / length * far
    ends = [(door[0] + sign * aside[0], door[1] + sign * aside[1]) for sign in (1, -1)]
    outside, inside = sorted(ends, key=lambda end: bool(shapely.contains_xy(hall, *end)))
    return door, (outside, inside)


@clause("CA-68")
def doors_in_no_wall(setting: ArmsSetting) -> Iterator[tuple[str, XY]]:
    """Yield the doors that are farther from the walls of their building than they may be drawn, with their places."""
    for piece in _pieces(setting, "building"):
        for number, (x, y) in enumerate(piece.attributes.get("doors", ()), 1):
            walls = [shapely.boundary(area) for area in (piece.shape.polygon, hall_of(setting, Storey(piece.id, 0)))]
            if min(shapely.distance(walls, shapely.Point(float(x), float(y)))) > _AT_WALL:
                yield f"{piece.id} door {number}", (float(x), float(y))


@clause("CA-71")
def height_of_floor(building: Piece, floor: int) -> Fraction:
    """Return how high a floor of a building is above its ground floor."""
    return Fraction(building.attributes.get("floor_height", 1)) * floor


def floors_of(piece: Piece) -> tuple[int, int]:
    """Return the two floors that stairs or a ladder join."""
    first, last = piece.attributes.get("joins", (0, 1))
    return int(first), int(last)


@clause("CA-68", "CA-80")
def building_of(setting: ArmsSetting, unit: Unit) -> Piece | None:
    """Return the building that a piece on the table is in, or None.

    A piece that touches a wall is on the side of it that its move has led to, and outside if it gets in by doors alone
    and nothing else is said.
    """
    floor, mover = int(unit["floor"]), Mover.of(unit)
    around = [piece for piece in _around(setting, unit.place, floor) if _is_in(setting, piece, mover, unit)]
    known = (piece for piece in around if piece.id == unit["building"])
    on_top = around if floor else reversed(around)
    entered = (piece for piece in on_top if floor or not (has_doors(piece, mover) and _is_at(setting, piece, unit)))
    return next(known, None) or next(entered, None)


@clause("CA-68", "CA-77")
def _is_in(setting: ArmsSetting, building: Piece, mover: Mover, unit: Unit) -> bool:
    """Whether a piece within the outline of a building is in it: not on what lies on top of its ground floor."""
    hall = Storey(building.id, int(unit["floor"]))
    if not has_doors(building, mover):
        return True
    return bool(shapely.dwithin(hall_of(setting, hall), shapely.Point(unit.place), TOLERANCE))


def _is_at(setting: ArmsSetting, building: Piece, unit: Unit) -> bool:
    """Whether a piece is at a wall of a building."""
    return _at_wall(hall_of(setting, Storey(building.id, int(unit["floor"]))), unit.place)


def _at_wall(hall: BaseGeometry, place: XY) -> bool:
    """Whether a place is on the outline of the floor of a building."""
    return bool(shapely.dwithin(shapely.boundary(hall), shapely.Point(place), TOLERANCE))


@clause("CA-68")
def inside_of_wall(setting: ArmsSetting, storey: Storey | None, place: XY) -> str:
    """Return the name of the building whose wall a piece touches from inside, that is on one of its floors, or ""."""
    return storey.building if storey is not None and _at_wall(hall_of(setting, storey), place) else ""


@kept(megabytes=1)
@clause("CA-68", "CA-77")
def hall_of(setting: ArmsSetting, storey: Storey) -> BaseGeometry:
    """Return the ground that a floor of a building covers.

    A road that is listed later than the building lies on top of it: there is the ground, and no ground floor.
    """
    board = setting.board
    assert isinstance(board, InchTable)
    number, building = next((at, piece) for at, piece in enumerate(board.pieces) if piece.id == storey.building)
    whole = building.shape.polygon
    later = [piece.shape.polygon for piece in board.pieces[number + 1 :] if not storey.floor and lies_on_floors(piece)]
    on_top = [area for area in later if area.area and whole.intersects(area)]
    return difference(whole, union(on_top)) if on_top else whole


@clause("CA-77", "CA-78")
def lies_on_floors(piece: Piece) -> bool:
    """Whether a feature takes the place of a building that is listed before it: stairs are a part of theirs."""
    return LAYER_OF.get(piece.kind) == "replacing" and piece.kind != "stairs"


def storey_of(setting: ArmsSetting, unit: Unit) -> Storey | None:
    """Return the storey that a piece on the table is on; None: it is on the ground, or above it in the air.

    The ground floor is one to those who get in by doors alone; to all others it is a part of the ground.
    """
    floor = int(unit["floor"])
    if unit["altitude"]:
        return None
    building = building_of(setting, unit)
    if building is None or not (floor or has_doors(building, Mover.of(unit))):
        return None
    return Storey(building.id, floor)


@clause("CA-68", "CA-80")
def stands_on(setting: ArmsSetting, unit: Unit, storey: Storey) -> bool:
    """Whether a piece is on a storey: on the ground floor however it got in.

    Who does not get in by doors alone is there with as much of its base as is, also across a wall.
    """
    if unit["altitude"] or int(unit["floor"]) != storey.floor:
        return False
    named = next((piece for piece in _pieces(setting, "building") if piece.id == storey.building), None)
    if named is None:
        return False
    if storey.floor or has_doors(named, Mover.of(unit)):
        building = building_of(setting, unit)
        return building is not None and building.id == storey.building
    return bool(shapely.dwithin(hall_of(setting, storey), placed(unit).polygon, TOLERANCE))


@clause("CA-68")
def is_beside(setting: ArmsSetting, carrier: Unit, storey: Storey | None) -> bool:
    """Whether a storey, or the ground for None, is on the floor of a transport: upstairs only that of its building.

    Down there walls alone are in the way, of buildings that it can be in.
    """
    floor = int(carrier["floor"])
    if storey is None or storey.floor != floor:
        return storey is None and not floor
    if floor:
        building = building_of(setting, carrier)
        return building is not None and building.id == storey.building
    mover = Mover.of(carrier)
    return any(carries(piece, mover, 0) for piece in _pieces(setting, "building") if piece.id == storey.building)


@clause("CA-68")
def carries(piece: Piece, mover: Mover, floor: int) -> bool:
    """Whether a floor of a building carries a piece: vehicles only where that is said."""
    if not mover.is_vehicle:
        return True
    return bool(piece.attributes.get("vehicle_entry")) and floor in piece.attributes.get("vehicle_floors", (0,))


@clause("CA-69", "CA-70", "CA-71", "CA-76")
def _climb(setting: ArmsSetting, mover: Mover, piece: Piece, building: Piece) -> tuple[Fraction, Fraction] | None:
    """What stairs or a ladder cost a piece, and how long they are: their run, its height; None: it cannot use them."""
    low, high = floors_of(piece)
    if not (carries(building, mover, low) and carries(building, mover, high)):
        return None
    if piece.kind == "stairs":
        rate = matrix.of_stairs(setting, mover, piece.attributes)
        return None if rate is None else (_run_of(piece) / rate, _run_of(piece))
    rate = matrix.of_ladder(setting, mover)
    rise = height_of_floor(building, abs(high - low))
    height = Fraction(piece.height) or rise
    return None if rate is None else (height / rate, height)


@clause("CA-68", "CA-69", "CA-71")
def clause_of_way(setting: ArmsSetting, name: str) -> str:
    """Return the clause of the stairs, ladder, door or flight of a name; "" if there is none."""
    for piece in _pieces(setting, "stairs", "ladder", "building"):
        if piece.kind == "building" and name in _doors_in(piece):
            return "CA-68"
        if piece.kind == "building" and name.removesuffix(" out") in _floors_in(piece):
            return "CA-71"
        if piece.kind != "building" and name == piece.id:
            return "CA-69" if piece.kind == "stairs" else "CA-71"
    return ""


@clause("CA-68", "CA-70", "CA-71", "CA-73", "CA-74", "CA-75")
def why_never_taken(setting: ArmsSetting, mover: Mover, name: str) -> tuple[str, str] | None:
    """Return the clause by which a piece takes a way from nowhere, and why; None: it takes it, or there is none."""
    if mover.is_vehicle and any(name in _doors_in(piece) for piece in _pieces(setting, "building")):
        return "CA-68", "vehicles use no doors"
    for piece in _pieces(setting, "stairs", "ladder"):
        building = _building_of(setting, piece)
        if piece.id == name and building is not None and _climb(setting, mover, piece, building) is None:
            return _why_not_climbed(mover, piece, building)
    return None


def _why_not_climbed(mover: Mover, piece: Piece, building: Piece) -> tuple[str, str]:
    if piece.kind == "ladder":
        weapon = mover.column == "crew_weapon"
        return ("CA-73", "crewed weapons climb no ladders") if weapon else ("CA-71", "only infantry climbs ladders")
    if mover.is_vehicle and not piece.attributes.get("vehicle_ok"):
        return "CA-70", f"{piece.id} is too narrow for vehicles"
    if not all(carries(building, mover, floor) for floor in floors_of(piece)):
        return "CA-70", f"{piece.id} leads to a floor of {building.id} that carries no vehicles"
    return ("CA-74", "aircraft use no stairs") if mover.column == "aircraft" else ("CA-75", f"{piece.id} is impassable")


def _doors_in(building: Piece) -> list[str]:
    """The names of the ways through the doors of a building."""
    doors = [f"{building.id} door {number}" for number, _ in enumerate(building.attributes.get("doors", ()), 1)]
    return [name for door in doors for name in (door, f"{door} out")]


def _floors_in(building: Piece) -> list[str]:
    """The names of the ways that fly to the floors of a building."""
    return [_floor_name(Storey(building.id, floor)) for floor in range(int(building.attributes.get("floors", 1)))]


def _run_of(piece: Piece) -> Fraction:
    if "run" not in piece.attributes and isinstance(piece.shape, LineShape):
        return Fraction(float(shapely.length(shapely.LineString(piece.shape.points))))
    return Fraction(piece.attributes.get("run", 1))


def ways_between(setting: ArmsSetting, mover: Mover) -> Iterator[Stairway]:
    """Yield the stairs and ladders that a piece can use, up and down."""
    for piece in _pieces(setting, "stairs", "ladder"):
        ends = _ends_of(piece)
        low, high = floors_of(piece)
        building = _building_of(setting, piece)
        climb = None if building is None else _climb(setting, mover, piece, building)
        if building is None or climb is None:
            continue
        below, above = (_floor_of(building, mover, floor) for floor in (low, high))
        price, inches = climb
        walked = inches if piece.kind == "stairs" else Fraction(0)
        yield Stairway(piece.id, ends, below, above, price, inches, walked)
        yield Stairway(piece.id, ends[::-1], above, below, price, inches, walked)


# --- flights ---


@clause("CA-71")
def flies_indoors(mover: Mover) -> bool:
    """Whether a piece flies from floor to floor: jetpack infantry alone needs no ladder."""
    return mover.column == "jetpack"


@clause("CA-68", "CA-71", "CA-84")
def flights_of(setting: ArmsSetting, mover: Mover) -> Iterator[Stairway]:
    """Yield the flights of a piece to floors and from them.

    From the air as high as a floor it gets onto that for nothing, the climb is paid outside; where it gets in by doors
    alone it flies up and down inside, from each floor to the next.
    """
    for piece in _pieces(setting, "building") if flies_indoors(mover) else ():
        floors = [Storey(piece.id, floor) for floor in range(int(piece.attributes.get("floors", 1)))]
        height = height_of_floor(piece, 1)
        if has_doors(piece, mover):
            for below, above in pairwise(floors):
                yield Stairway(_floor_name(above), None, below, above, height, height)
                yield Stairway(_floor_name(below), None, above, below, height, height)
            continue
        for storey in floors[1:]:
            name, altitude = _floor_name(storey), storey.floor * height
            yield Stairway(name, None, GROUND, storey, Fraction(0), Fraction(0), altitude=altitude)
            yield Stairway(f"{name} out", None, storey, GROUND, Fraction(0), Fraction(0), altitude=altitude)


def _floor_name(storey: Storey) -> str:
    return f"{storey.building} floor {storey.floor}"


def _floor_of(building: Piece, mover: Mover, floor: int) -> Storey:
    return Storey(building.id, floor) if floor or has_doors(building, mover) else GROUND


def nowhere(setting: ArmsSetting) -> Iterator[str]:
    """Yield the stairs and ladders that stand in no building with the floors that they join."""
    for piece in _pieces(setting, "stairs", "ladder"):
        if _building_of(setting, piece) is None:
            yield piece.id


@clause("CA-68", "CA-69")
def _building_of(setting: ArmsSetting, piece: Piece) -> Piece | None:
    """The building with the floors that stairs or a ladder join: that which they name, or around them."""
    named = [one for one in _pieces(setting, "building") if one.id == piece.on]
    if not named:
        return next(_around(setting, _ends_of(piece)[0], *floors_of(piece)), None)
    return named[0] if _has_floors(named[0], floors_of(piece)) else None


def _ends_of(piece: Piece) -> tuple[XY, XY]:
    if isinstance(piece.shape, LineShape):
        return piece.shape.points[0], piece.shape.points[-1]
    x, y = piece.shape.polygon.centroid.coords[0]
    return (float(x), float(y)), (float(x), float(y))
