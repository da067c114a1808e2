"""Transport: time in thirds of a turn on both sides, who may board and get off where, and what it leaves to spend."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from simulator.engine.amounts import plain
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.footprints import Round
from simulator.geometry.nearest import nearest_points
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.combined_arms.bands import (
    Moved,
    by_distance,
    most_of_band,
    most_of_level,
    own_amount,
    spent_in_all,
)
from simulator.rulesets.combined_arms.matrix import altitude_limit
from simulator.rulesets.combined_arms.rates import current_rate, damage_level_of
from simulator.rulesets.combined_arms.storeys import Storey, building_of, inside_of_wall, is_beside, storey_of
from simulator.rulesets.combined_arms.units import ArmsTable, column_of, is_enemy, mobility_of, placed
from simulator.wording import measure

#: The thirds of a turn.
THIRDS = 3
#: A clock may be so much of a third beyond a whole one by rounding.
_ROUNDING = Fraction(1, 10**6)


class Transfer(NamedTuple):
    """When a piece boards a transport or gets off, in thirds of the turn."""

    start: Fraction
    end: Fraction


# --- time ---


@clause("CA-120", "CA-155")
def clock_of(table: ArmsTable, unit: Unit, spent: Fraction) -> Fraction:
    """Return how much of the turn a piece needs for what it spends, in thirds; those who cannot move need none.

    Who has spent something and cannot move any more needs all of it, and so does a descent.
    """
    rate = current_rate(table, unit)
    if spent and (unit.type == "drop_pod" or not rate):
        return Fraction(THIRDS)
    if not rate:
        return Fraction(0)
    thirds = THIRDS * spent / rate
    return thirds if table.options.transport_clock == "exact" else Fraction(math.ceil(thirds - _ROUNDING))


@clause("CA-117", "CA-121")
def transfer_of(table: ArmsTable, unit: Unit, carrier: Unit, spent: Fraction) -> Transfer:
    """Return when a piece that has spent so much can board a transport, or get off.

    That is when both are ready: the transport when its own movement ends, whichever units board it meanwhile.
    """
    ready = Fraction(unit["busy_until"]) + clock_of(table, unit, spent)
    start = max(ready, Fraction(carrier["moved_until"]))
    return Transfer(start, start + Fraction(table.tables["transport.thirds"]))


@clause("CA-121", "CA-122", "CA-123", "CA-124", "CA-126", "CA-127", "CA-128", "CA-131", "CA-132", "CA-133")
def allowance(table: ArmsTable, unit: Unit) -> Fraction:
    """Return what a piece may spend this turn: its rate, less the thirds that transfers took."""
    rate, busy = current_rate(table, unit), Fraction(unit["busy_until"])
    if not busy:
        return rate
    left = _left_by_time(table, unit)
    if "doors" in unit.fields:
        level = damage_level_of(table, unit)
        slow = most_of_band(table, unit, "slow")
        if level == 1 and slow is not None and not by_distance(table):
            left = min(left, slow)
        elif level > 1:
            left = Fraction(0)
    return left


@clause("CA-121", "CA-132", "CA-133")
def allowance_clause(table: ArmsTable, unit: Unit) -> str:
    """Return the clause that leaves a piece after transfers what it has: by time, or since it is damaged."""
    if "doors" not in unit.fields or not (level := damage_level_of(table, unit)):
        return "CA-121"
    if level > 1:
        return "CA-133"
    return "CA-132" if allowance(table, unit) < _left_by_time(table, unit) else "CA-121"


def _left_by_time(table: ArmsTable, unit: Unit) -> Fraction:
    """What the thirds of the turn that are left are worth to a piece."""
    return max(THIRDS - Fraction(unit["busy_until"]), Fraction(0)) / THIRDS * current_rate(table, unit)


@clause("CA-132")
def most_inches(table: ArmsTable, unit: Unit) -> Fraction | None:
    """Return the most inches that a damaged piece may cover, where bands measure those; None: any.

    A transport that pieces have boarded, or got off, is no faster than slow.
    """
    boarded = "doors" in unit.fields and unit["busy_until"] and damage_level_of(table, unit) == 1
    if boarded and by_distance(table):
        return most_of_band(table, unit, "slow")
    return most_of_level(table, unit)


@clause("CA-121", "CA-126", "CA-127", "CA-131", "CA-132", "CA-133")
def most_before(table: ArmsTable, carrier: Unit, start: Fraction) -> Fraction:
    """Return what a transport may spend at most before a transfer that begins so early; below 0: there is none."""
    rate, level = current_rate(table, carrier), damage_level_of(table, carrier)
    most = min((start - Fraction(carrier["busy_until"])) / THIRDS * rate, allowance(table, carrier))
    slow = most_of_band(table, carrier, "slow")
    if level > 1:
        return min(most, Fraction(0))
    return most if level == 0 or slow is None else min(most, slow)


@clause("CA-121", "CA-125")
def most_on_foot(table: ArmsTable, unit: Unit, start: int | None = None) -> Fraction:
    """Return what a piece may spend on its way to a transport to board after a number of thirds, two at the latest."""
    latest = int(table.tables["transport.latest"]) if start is None else start
    return (latest - Fraction(unit["busy_until"])) / THIRDS * current_rate(table, unit)


# --- who may, and where ---


def transfer_breaches(
    table: ArmsTable, unit: Unit, carrier: Unit, spent: Fraction, *, boards: bool
) -> Iterator[Breach]:
    """Yield the reasons why a piece, where it is, may not board a transport, or get off it there."""
    if "doors" not in carrier.fields or is_enemy(unit, carrier):
        what = "not a transport" if "doors" not in carrier.fields else "an enemy"
        yield Breach("CA-118", f"{carrier.id} is {what}", blocker=carrier.id)
        return
    if carrier.place is None:
        yield Breach("CA-118", f"{carrier.id} is not on the table", blocker=carrier.id)
        return
    yield from breaches_anywhere(table, unit, carrier, spent, boards=boards)
    yield from _of_doors(table, unit, carrier)


def breaches_anywhere(
    table: ArmsTable, unit: Unit, carrier: Unit, spent: Fraction, *, boards: bool
) -> Iterator[Breach]:
    """Yield the reasons why a piece may not board a transport on the table, or get off it, wherever that would be."""
    yield from _of_both_ways(table, unit, boards=boards)
    yield from _of_capacity(table, carrier, boards=boards)
    yield from _of_time(table, unit, carrier, spent, boards=boards)
    yield from _of_damage(table, carrier)
    yield from _of_hovering(table, unit, carrier)


@clause("CA-129")
def _of_both_ways(table: ArmsTable, unit: Unit, *, boards: bool) -> Iterator[Breach]:
    before = "unloaded" if boards else "loaded"
    if unit["transferred"] == before and not table.options.load_unload_same_turn:
        done = "got off" if boards else "boarded"
        yield Breach("CA-129", f"{unit.id} has {done} a transport this turn")


@clause("CA-118")
def _of_capacity(table: ArmsTable, carrier: Unit, *, boards: bool) -> Iterator[Breach]:
    aboard, most = len(table.state.riders(carrier.id)), carrier["capacity"]
    if boards and most is not None and aboard >= most:
        yield Breach("CA-118", f"{carrier.id} has no room for one more", aboard + 1, most, carrier.id)


@clause("CA-121", "CA-125", "CA-127", "CA-155")
def _of_time(table: ArmsTable, unit: Unit, carrier: Unit, spent: Fraction, *, boards: bool) -> Iterator[Breach]:
    start, latest = transfer_of(table, unit, carrier, spent).start, int(table.tables["transport.latest"])
    if start > latest + _ROUNDING:
        who, cited = (unit.id, "CA-125") if start > Fraction(carrier["moved_until"]) else (carrier.id, "CA-127")
        what = "to board" if boards else "to get off"
        message = f"{who} has used {measure(start, 'third')} of the turn: {what} takes one that is not left"
        yield Breach(cited, message, start, latest, carrier.id)


@clause("CA-131", "CA-132", "CA-133")
def _of_damage(table: ArmsTable, carrier: Unit) -> Iterator[Breach]:
    level, spent = damage_level_of(table, carrier), spent_in_all(carrier)
    slow, amount = most_of_band(table, carrier, "slow"), own_amount(table, Moved.of(carrier))
    if level == 1 and slow is not None and amount > slow:
        yield Breach("CA-132", f"{carrier.id} is damaged and was faster than slow", amount, slow, carrier.id)
    if level > 1 and spent:
        yield Breach("CA-133", f"{carrier.id} is badly damaged and has moved", spent, 0, carrier.id)


@clause("CA-130")
def _of_hovering(table: ArmsTable, unit: Unit, carrier: Unit) -> Iterator[Breach]:
    altitude = Fraction(carrier["altitude"])
    if not altitude:
        return
    if mobility_of(unit) not in table.options.hover_transfer_types:
        yield Breach("CA-130", f"{carrier.id} hovers: {mobility_of(unit)} pieces cannot transfer", blocker=carrier.id)
        return
    limit = altitude_limit(table.setting, column_of(unit))
    if limit is not None and altitude > limit:
        yield Breach("CA-130", f"{carrier.id} hovers higher than {unit.id} flies", altitude, limit, carrier.id)


@clause("CA-119")
def _of_doors(table: ArmsTable, unit: Unit, carrier: Unit) -> Iterator[Breach]:
    radius = float(table.options.door_radius)
    where = "a door" if carrier["doors"] else "the hull"
    far = distance_to_doors(unit, carrier)
    if far > radius + TOLERANCE:
        message = f"{unit.id} is {measure(far, 'inch')} from {where} of {carrier.id}"
        yield Breach("CA-119", message, far, radius, carrier.id, unit.place)
    if not _is_on_its_floor(table, unit, carrier):
        message = _not_on_its_floor(unit, carrier)
        yield Breach("CA-119", message, unit["floor"], carrier["floor"], carrier.id, unit.place)
    higher = abs(Fraction(unit["altitude"]) - Fraction(carrier["altitude"]))
    if higher > Fraction(radius):
        message = f"{unit.id} is {measure(higher, 'inch')} above or below {carrier.id}"
        yield Breach("CA-119", message, higher, radius, carrier.id, unit.place)


@clause("CA-119")
def _is_on_its_floor(table: ArmsTable, unit: Unit, carrier: Unit) -> bool:
    """Whether a piece is on the floor of a transport; above the ground floor that is one of the same building."""
    if unit["floor"] != carrier["floor"] or not unit["floor"]:
        return bool(unit["floor"] == carrier["floor"])
    return is_beside(table.setting, carrier, storey_of(table.setting, unit))


def _not_on_its_floor(unit: Unit, carrier: Unit) -> str:
    if unit["floor"] == carrier["floor"]:
        return f"{unit.id} is not in the building in which {carrier.id} is on floor {carrier['floor']}"
    told = f"{unit.id} is on floor {unit['floor']}"
    return f"{told}, and {carrier.id} on floor {carrier['floor']}" if carrier["floor"] else told


def distance_to_doors(unit: Unit, carrier: Unit) -> float:
    """Return how far the base of a piece is from the nearest door of a transport, or from the hull of one without."""
    here, hull = placed(unit), placed(carrier)
    doors = [Round(0.0).at(*place) for place in door_places(carrier)] or [hull]
    return min(math.dist(*nearest_points(here, door)) for door in doors)


@clause("CA-119")
def door_places(carrier: Unit) -> list[tuple[float, float]]:
    """Return where the doors of a transport are on the table."""
    (x, y), turned = carrier.place, math.radians(float(carrier.heading))
    cos, sin = math.cos(turned), math.sin(turned)
    doors = ((float(ahead), float(left)) for ahead, left in carrier["doors"])
    return [(float(x) + ahead * cos - left * sin, float(y) + ahead * sin + left * cos) for ahead, left in doors]


# --- boarding, and getting off ---


@clause("CA-117", "CA-118", "CA-121")
def boarding(table: ArmsTable, unit: Unit, carrier: Unit, spent: Fraction) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what changes of a piece that boards a transport after it has spent so much, and of the transport."""
    end = plain(transfer_of(table, unit, carrier, spent).end)
    aboard = {"place": None, "carrier": carrier.id, "altitude": 0, "transferred": "loaded", "busy_until": end}
    aboard |= {name: value for name, value in (("floor", 0), ("building", "")) if unit[name] != value}
    if unit.get("in_foxhole"):
        aboard["in_foxhole"] = ""  # CA-108: it stays where it was
    return aboard, {"busy_until": max(carrier["busy_until"], end)}


def set_down(table: ArmsTable, order: Order) -> ArmsTable:
    """Return the table after the first element of an order has set a passenger down, whether it may or not."""
    unit, off = table.unit(order.unit), order.elements[0]
    return put_beside(table, unit, off["at"], off.get("heading", table.unit(unit.carrier).heading))


@clause("CA-119", "CA-130")
def put_beside(table: ArmsTable, unit: Unit, place: Any, heading: Any) -> ArmsTable:
    """Return the table with a passenger at a place, beside its transport, on its floor, with what it has left."""
    carrier = table.unit(unit.carrier)
    is_inside = carrier.place is not None and not carrier["altitude"]
    building = building_of(table.setting, carrier) if is_inside else None
    storey = None if building is None else Storey(building.id, int(carrier["floor"]))
    there = unit.put(
        place=place,
        heading=heading,
        altitude=carrier["altitude"],
        floor=carrier["floor"],
        building=inside_of_wall(table.setting, storey, place),
        carrier="",
        transferred="unloaded",
        busy_until=plain(transfer_of(table, unit, carrier, Fraction(0)).end),
    )
    return type(table)(table.setting, table.state.with_unit(there))
