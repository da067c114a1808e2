"""Coming onto the board: over its edge, by option elsewhere and later, or straight down from above."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.amounts import plain
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY, PolygonShape
from simulator.geometry.shapes import lines_of
from simulator.geometry.snapping import difference, intersection, union
from simulator.geometry.table import EntryArea
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import Headings, Inside, Placing, PoseStart, Segment
from simulator.rulesets.combined_arms.bands import by_distance
from simulator.rulesets.combined_arms.features import inch_table
from simulator.rulesets.combined_arms.matrix import altitude_limit, too_high
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.rulesets.combined_arms.rates import LEGS, current_rate
from simulator.rulesets.combined_arms.units import ArmsTable, column_of, mobility_of
from simulator.rulesets.combined_arms.vocabulary import CLIMBS, altitudes_along
from simulator.wording import measure

#: The elements by which a piece comes onto the board.
ENTRIES = ("enter", "drop")
#: Degrees by which a heading along the edge may be off.
_ALONG = 1e-6


def is_waiting(unit: Unit) -> bool:
    """Whether a piece has still to come onto the board."""
    return bool(unit.place is None and not unit.carrier and not unit["left_board"] and unit["enters_on"])


# --- when, and with what ---


@clause("CA-141")
def first_turn(table: ArmsTable, unit: Unit) -> int:
    """Return the first turn on which a piece may come on: as scheduled, or as late as its way off the board takes."""
    rate = current_rate(table, unit)
    return int(unit["enters_on"]) + (math.floor(Fraction(unit["detour"]) / rate) if rate else 0)


@clause("CA-141", "CA-142", "CA-146")
def spent_off_board(table: ArmsTable, unit: Unit) -> Fraction:
    """Return what a piece has spent off the board on the turn on which it comes on: nothing if it waited there."""
    rate, turn = current_rate(table, unit), first_turn(table, unit)
    if not rate or table.clock.turn != turn:
        return Fraction(0)
    return Fraction(unit["detour"]) - (turn - int(unit["enters_on"])) * rate


# --- where ---


def _areas_of(table: ArmsTable, unit: Unit) -> list[EntryArea]:
    """The entry areas of a piece: that which its data name, or those of its side."""
    areas = inch_table(table.setting).entry_areas
    name = unit["entry_area"]
    return [area for area in areas if area.name == name] if name else [one for one in areas if one.side == unit.side]


@clause("CA-139", "CA-143", "CA-148")
def entry_edge(table: ArmsTable, unit: Unit) -> BaseGeometry:
    """Return the part of the edge over which a piece comes on: in its entry area, if the board has one for it.

    After a detour that is anywhere, but not through entry areas of the opponent.
    """
    board = inch_table(table.setting)
    edge = shapely.LinearRing(shapely.get_coordinates(shapely.box(*board.bounds)))
    if unit["detour"]:
        closed = [area.shape.polygon for area in board.entry_areas if area.side not in ("", unit.side)]
        return difference(edge, union(closed)) if closed else edge
    own = _areas_of(table, unit)
    return lines_of(intersection(edge, union([area.shape.polygon for area in own]))) if own else edge


def _sides_of_edge(table: ArmsTable, unit: Unit) -> Iterator[tuple[XY, XY]]:
    """The stretches of the edge over which a piece comes on, with the board on the left of each."""
    left, bottom, right, top = table.board.bounds
    corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
    open_ = entry_edge(table, unit)
    for begin, end in pairwise(corners):
        side = shapely.LineString([begin, end])
        for part in shapely.get_parts(lines_of(intersection(side, open_))):
            ends = sorted(shapely.get_coordinates(part).tolist(), key=lambda place: math.dist(place, begin))
            if math.dist(ends[0], ends[-1]) > TOLERANCE:
                (x, y), (there_x, there_y) = ends[0], ends[-1]
                yield (x, y), (there_x, there_y)


# --- orders ---


def entered(table: ArmsTable, order: Order) -> ArmsTable:
    """Return the table after the first element of an order has brought a piece onto it, whether it may or not."""
    unit, element = table.unit(order.unit), order.elements[0]
    there = come_on(table, unit, element)
    return type(table)(table.setting, table.state.with_unit(there))


@clause("CA-146", "CA-148", "CA-149")
def come_on(table: ArmsTable, unit: Unit, element: Element) -> Unit:
    """Return a piece as it is once it has come on: at an altitude for nothing, or as high as its rate."""
    altitude = current_rate(table, unit) if element.name == "drop" else Fraction(element.get("altitude") or 0)
    spent = spent_off_board(table, unit)
    heading = float(element["heading"])
    changes = {"enters_on": 0, "detour": 0, "altitude": plain(altitude), "spent_translation": plain(spent)}
    if by_distance(table):
        changes["inches_covered"] = plain(spent)
    return unit.put(place=element["at"], heading=heading, **changes)


@clause("CA-147", "CA-148")
def entry_breaches(table: ArmsTable, unit: Unit, element: Element) -> Iterator[Breach]:
    """Yield the reasons why a piece may not come onto the board so."""
    yield from time_breaches(table, unit)
    if element.name == "drop":
        yield from _of_landing(table, unit, element)
        return
    yield from _of_edge(unit)
    place = element["at"]
    away = float(shapely.distance(entry_edge(table, unit), shapely.Point(place)))
    if away > TOLERANCE:
        cited = "CA-143" if unit["detour"] else "CA-148"
        yield Breach(
            cited, f"{unit.id} would come on {measure(away, 'inch')} off its part of the edge", away, 0, place=place
        )
    elif not _faces_inward(table, place, float(element["heading"])):
        yield Breach("CA-148", f"{unit.id} would face off the board", place=place)
    limit = altitude_limit(table.setting, column_of(unit))
    altitude = Fraction(element.get("altitude") or 0)
    if limit is not None and altitude > limit:
        message = too_high(mobility_of(unit), limit)
        yield Breach("CA-148", message, altitude, limit)


@clause("CA-141", "CA-148")
def time_breaches(table: ArmsTable, unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why it is too early, or why a piece never comes on."""
    first = first_turn(table, unit)
    if table.clock.turn < first:
        cited = "CA-141" if unit["detour"] else "CA-148"
        yield Breach(cited, f"{unit.id} enters on turn {first} at the earliest", first, table.clock.turn)
    if not current_rate(table, unit):
        yield Breach("CA-87", f"{unit.id} is immobile: it cannot enter", 1, 0)


@clause("CA-154")
def _of_edge(unit: Unit) -> Iterator[Breach]:
    if unit.type == "drop_pod":
        yield Breach("CA-154", f"{unit.id} comes down from above, not over the edge")


def _faces_inward(table: ArmsTable, place: XY, heading: float) -> bool:
    """Whether a heading leads onto the board from its edge, or along it."""
    left, bottom, right, top = table.board.bounds
    (x, y), turned = place, math.radians(heading)
    inward = [(x - left, math.cos(turned)), (right - x, -math.cos(turned))]
    inward += [(y - bottom, math.sin(turned)), (top - y, -math.sin(turned))]
    return all(far > TOLERANCE or ahead >= -_ALONG for far, ahead in inward)


@clause("CA-147", "CA-152", "CA-154")
def _of_landing(table: ArmsTable, unit: Unit, element: Element) -> Iterator[Breach]:
    if not can_land(unit):
        yield Breach("CA-147", f"{unit.id} is not an assault lander")
    (x, y), (left, bottom, right, top) = element["at"], table.board.bounds
    if not (left - TOLERANCE <= x <= right + TOLERANCE and bottom - TOLERANCE <= y <= top + TOLERANCE):
        yield Breach("CA-152", f"{unit.id} would land beside the board", place=(x, y))


@clause("CA-147", "CA-154")
def can_land(unit: Unit) -> bool:
    """Whether a piece may come straight down: an assault lander, a drop pod, a gun turret."""
    return unit.type == "drop_pod" or bool(unit.get("assault_lander"))


@clause("CA-149", "CA-151", "CA-153", role="judge")
def descent_breaches(table: ArmsTable, unit: Unit, elements: Iterable[Element]) -> Iterator[Breach]:
    """Yield what is wrong with a descent: a leg or an end above the limit, a climb before it has halted for a leg."""
    elements = list(elements)
    limit = altitude_limit(table.setting, column_of(unit))
    altitudes = list(altitudes_along(Fraction(unit["altitude"]), elements))
    most, halted = altitudes[0] if limit is None else limit, False
    for element, altitude in zip(elements, altitudes, strict=False):
        climbs = element.name in CLIMBS and CLIMBS[element.name] > 0
        if (element.name in LEGS and altitude > most) or (climbs and not halted):
            yield Breach("CA-149", f"{unit.id} comes straight down", altitude, most)
            return
        halted |= element.name in LEGS
    if altitudes[-1] > most:
        yield Breach("CA-153", f"{unit.id} would stay {measure(altitudes[-1], 'inch')} up", altitudes[-1], most)


# --- delayed entry ---


@clause("CA-139", "CA-140", "CA-144")
def delay_breaches(table: ArmsTable, unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why a piece may not come on elsewhere."""
    if not table.options.delayed_entry:
        yield Breach(
            "CA-139", "a piece enters through its own entry area; elsewhere only with the option delayed_entry"
        )
    if not is_waiting(unit):
        yield Breach("CA-139", f"{unit.id} is not waiting to come on")
    if unit["detour"]:
        yield Breach("CA-140", f"{unit.id} is on its way already", unit["detour"], 0)


@clause("CA-141", "CA-144")
def delayed(table: ArmsTable, order: Order) -> Unit:
    """Return a piece that sets out on its way off the board: on the turn of its entry, or now if that has passed."""
    unit = table.unit(order.unit)
    return unit.put(detour=order["inches"], enters_on=max(int(unit["enters_on"]), table.clock.turn))


# --- reach ---


def _hidden_parts(sides: Iterable[tuple[XY, XY]], seen: BaseGeometry) -> list[tuple[XY, XY]]:
    """Return the parts of sides that are out of sight, each from its begin to its end as the side leads."""
    found = list[tuple[XY, XY]]()
    for begin, end in sides:
        for part in shapely.get_parts(shapely.difference(shapely.LineString([begin, end]), seen)):
            ends = sorted(shapely.get_coordinates(part).tolist(), key=lambda place: math.dist(place, begin))
            if len(ends) > 1:
                (x, y), (there_x, there_y) = ends[0], ends[-1]
                found.append(((x, y), (there_x, there_y)))
    return found


class Entrant(NamedTuple):
    """A piece that is still to come on, as it is once it has; where that is is left open."""

    table: ArmsTable
    unit: Unit
    waiting: Unit
    lands: bool
    straight: bool  #: whether it comes down to the ground in one go, and does nothing else

    @classmethod
    def of(cls, table: ArmsTable, unit: Unit, *, lands: bool, straight: bool = False) -> Entrant:
        """Return a piece that comes on over the edge, or straight down, perhaps without a halt."""
        sides = list(_sides_of_edge(table, unit))
        left, bottom, *_ = table.board.bounds
        place = sides[0][0] if sides else (left, bottom)
        there = come_on(table, unit, Element("enter", {"at": place, "heading": 0.0}))
        if unit.type == "drop_pod":
            # On the ground it has no rate any more.
            there = there.put(altitude=plain(current_rate(table, unit)))
        after = type(table)(table.setting, table.state.with_unit(there))
        return cls(after, there, unit, lands, straight or unit.type == "drop_pod")

    def breaches(self) -> Iterator[Breach]:
        """Yield the reasons why it cannot come on at all."""
        before = type(self.table)(self.table.setting, self.table.state.with_unit(self.waiting))
        yield from time_breaches(before, self.waiting)
        if self.lands and not can_land(self.waiting):
            yield Breach("CA-147", f"{self.waiting.id} is not an assault lander")
        if not self.lands:
            yield from _of_edge(self.waiting)

    @clause("CA-146", "CA-148", "CA-149", "CA-151", "CA-154")
    def beginning(self, moves: ArmsMoves, *, barred: bool, seen: Sequence[BaseGeometry] = ()) -> ArmsMoves:
        """Return what it can do from wherever it may come on, at each altitude; nothing where that is barred.

        Where it is not to be `seen`, by level, it does not come on.
        """
        placings = () if barred else tuple(self._placings(moves, seen))
        budget = moves.space.budget if placings else Fraction(-1)
        starts = () if placings else moves.space.starts
        return replace(moves, space=replace(moves.space, starts=starts, placings=placings, budget=budget))

    def _placings(self, moves: ArmsMoves, seen: Sequence[BaseGeometry]) -> Iterator[Placing]:
        limit = altitude_limit(self.table.setting, column_of(self.unit))
        sides = list(_sides_of_edge(self.table, self.waiting))
        rate, spent = current_rate(self.table, self.unit), Fraction(self.unit["spent_translation"])
        for number, level in enumerate(moves.levels):
            if limit is not None and level.altitude > limit:
                continue
            if self.lands and self.straight and level.altitude:
                continue
            if self.lands:
                paid = spent + rate - level.altitude
                board = PolygonShape(shapely.get_coordinates(shapely.box(*self.table.board.bounds))[:-1].tolist())
                yield Placing((Inside(board, paid),), level=number, travelled=paid, covered=paid)
            else:
                open_ = _hidden_parts(sides, seen[number]) if seen else sides
                lines = tuple(Segment(begin, end, spent) for begin, end in open_)
                if not lines:
                    continue
                yield Placing(lines, Headings(-90.0, 90.0, from_normal=True), number, spent, spent)

    def written(self, start: PoseStart, altitude: Fraction) -> list[Element]:
        """Return the elements that bring it to where its way begins."""
        at = {"at": start.place, "heading": float(start.heading)}
        if not self.lands:
            return [Element("enter", at | ({"altitude": altitude} if altitude else {}))]
        down = current_rate(self.table, self.unit) - altitude
        return [Element("drop", at), Element("descend", {"inches": down})]
