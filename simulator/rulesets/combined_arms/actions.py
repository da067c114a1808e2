"""The move, played piece by piece: legs, rotations, climbs and shots, each with what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.events import Change, Event, change_data, change_unit, remove_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Element, Order
from simulator.engine.ruleset import Action, ActionRule
from simulator.engine.state import Unit
from simulator.pathing.posed import Charge, JudgedMove, Move, PoseStart, judged
from simulator.rulesets.combined_arms.amounts import plain, tidy
from simulator.rulesets.combined_arms.bands import band_of, band_of_rotation, most_of_band, own_amount, target_amount
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.judge import moves_for
from simulator.rulesets.combined_arms.movement import ArmsMoves, AtAltitude
from simulator.rulesets.combined_arms.overruns import destroyed_with
from simulator.rulesets.combined_arms.rates import original_rate
from simulator.rulesets.combined_arms.transport import clock_of, set_down, transfer_of
from simulator.rulesets.combined_arms.units import ArmsTable
from simulator.rulesets.combined_arms.vocabulary import CLIMBS, TURNS

#: Places are kept to so many digits of an inch.
_DIGITS = 9


@dataclass
class _UnderWay:
    """Where a piece is in the middle of its move: it is judged on from there."""

    space: ArmsMoves
    start: PoseStart

    def go(self, move: Move) -> JudgedMove:
        """Make a move; the next one begins where it ends."""
        found = judged(self.space.space, self.start, [move])
        self.start = replace(
            self.start,
            place=found.place,
            heading=found.heading,
            paid=found.total,
            travelled=self.start.travelled + found.travelled,
            group=found.group,
            level=found.level,
            tolls=found.tolls,
        )
        return found


@clause("CA-3", "CA-8", "CA-28", "CA-39", "CA-48")
def move(table: ArmsTable, order: Order) -> Action:
    """Make the move of the turn, as far as it is written."""
    there = set_down(table, order) if table.unit(order.unit).carrier else table
    unit = there.unit(order.unit)
    space, moves = moves_for(there, unit, order)
    plan = _whole_amount(space, moves)
    under_way, left, shots = _UnderWay(space, space.space.starts[0]), iter(moves), 0
    swept = Fraction(0)
    for element in order.elements:
        if element.name == "unload":
            yield _gets_off(table, unit)
            continue
        if element.name == "leave_board":
            yield _leaves(table, order.unit)
            continue
        if element.name == "load":
            yield _boards(table, order.unit, element["carrier"])
            continue
        if element.name == "fire":
            shots += 1
            yield _fires(table, order.unit, element, plan, swept)
            continue
        if element.name in TURNS:
            swept = max(swept, Fraction(element["angle"]))
        gone, level = under_way.start.tolls.gone, space.levels[under_way.start.level]
        found = under_way.go(next(left))
        yield _moved(table, order.unit, element, space, found, list(_lines(element, space, level, found)))
        yield from _given_way(table, order.unit, space, sorted(found.tolls.gone - gone))
    yield _ended(table, order.unit)


@clause("CA-117", "CA-119", "CA-121", "CA-130")
def _gets_off(table: ArmsTable, there: Unit) -> Event:
    """Set a passenger down; `there` is the passenger as it is then."""
    name = there.id
    carrier = table.unit(table.unit(name).carrier)
    changes = {key: there[key] for key in ("altitude", "transferred", "busy_until")}
    busy = change_unit(carrier.id, busy_until=max(carrier["busy_until"], there["busy_until"]))
    off = change_unit(name, place=there.place, heading=there.heading, carrier="", **changes)
    return Event("gets off", name, [off, busy], "CA-119", there.place, detail={"carrier": carrier.id})


@clause("CA-117", "CA-118", "CA-121")
def _boards(table: ArmsTable, name: str, transport: str) -> Event:
    """Take a piece aboard."""
    unit, carrier = table.unit(name), table.unit(transport)
    end = plain(transfer_of(table, unit, carrier, own_amount(unit)).end)
    on = change_unit(name, place=None, carrier=transport, altitude=0, transferred="loaded", busy_until=end)
    busy = change_unit(transport, busy_until=max(carrier["busy_until"], end))
    return Event("boards", name, [on, busy], "CA-118", carrier.place, detail={"carrier": transport})


@clause("CA-134", "CA-135", "CA-136", "CA-138")
def _leaves(table: ArmsTable, name: str) -> Event:
    """Take a piece off the board, with all aboard: lost to its side, but not destroyed."""
    place = table.unit(name).place
    riders = [unit.id for unit in table.state.everybody_aboard(name)]
    gone = {"place": None, "left_board": True}
    changes = [change_unit(one, carrier="", **gone) for one in riders]
    return Event("leaves the board", name, [change_unit(name, **gone), *changes], "CA-138", place)


@clause("CA-7", "CA-101", "CA-102", "CA-121")
def _ended(table: ArmsTable, name: str) -> Event:
    """End the move: as a target the piece stands as it is until the turn ends."""
    unit = table.unit(name)
    band = band_of(table, unit, target_amount(table, unit))
    detail = {**_amounts(table, unit), "band": band, "factor": table.tables[f"target_factor.{band}"]}
    changes: dict[str, Any] = {"has_moved": True}
    if "moved_until" in unit.fields and own_amount(unit):
        changes["moved_until"] = plain(Fraction(unit["busy_until"]) + clock_of(table, unit, own_amount(unit)))
    return Event("ends its move", name, [change_unit(name, **changes)], "CA-7", unit.place, detail=detail)


def _whole_amount(space: ArmsMoves, moves: list[Move]) -> Fraction:
    """What a piece will have spent at the end of its move, rotations included."""
    return judged(space.space, space.space.starts[0], moves).total


@clause("CA-42", "CA-45", "CA-61", "CA-85", "CA-105")
def _lines(element: Element, space: ArmsMoves, level: AtAltitude, found: JudgedMove) -> Iterator[LedgerLine]:
    """The price of an element, line by line."""
    for charge in found.charges:
        if charge.price:
            what, cited = _told(element, charge, space, level)
            if charge.what == "turn":
                yield LedgerLine(what, 1, tidy(charge.price), "inches", cited)
            else:
                yield LedgerLine(what, tidy(charge.amount), tidy(charge.rate), "inches", cited)


def _told(element: Element, charge: Charge, space: ArmsMoves, level: AtAltitude) -> tuple[str, str]:
    """What a line of the price is for, and by which clause."""
    name = element.name.replace("_", " ")
    if charge.what == "turn":
        return f"{name} {float(charge.amount):g}°", "CA-37"
    if charge.toll is not None:
        thing = space.tolls[charge.toll].name
        if space.tolls[charge.toll].clause == "CA-60":
            return f"knocking down {thing}", "CA-60"
        return (f"grinding over {thing}", "CA-108") if charge.ground is None else (f"overrunning {thing}", "CA-105")
    if charge.ground is None:
        return name, "CA-85"
    kinds = [level.prices.features[number].kind.replace("_", " ") for number in sorted(charge.ground.under)]
    uphill = " uphill" if charge.ground.climbed else ""
    over = f" over {', '.join(dict.fromkeys(kinds))}" if kinds else ""
    return f"{name}{uphill}{over}", "CA-4"


def _moved(
    table: ArmsTable, name: str, element: Element, space: ArmsMoves, found: JudgedMove, lines: list[LedgerLine]
) -> Event:
    unit = table.unit(name)
    paid = sum((line.price for line in lines), Fraction(0))
    place = tuple(round(number, _DIGITS) for number in found.place)
    changes: dict[str, Any] = {"place": place, "heading": tidy(found.heading % 360)}
    if element.name in TURNS:
        changes["spent_rotation"] = plain(Fraction(unit["spent_rotation"]) + paid)
        kind, cited = "turns", "CA-39"
    else:
        changes["spent_translation"] = plain(Fraction(unit["spent_translation"]) + paid)
        changes["altitude"] = plain(space.levels[found.level].altitude)
        kind, cited = ("changes altitude", "CA-85") if element.name in CLIMBS else ("moves", "CA-27")
    return Event(kind, name, [change_unit(name, **changes)], cited, place, lines, _amounts(table, unit.put(changes)))


def _amounts(table: ArmsTable, unit: Unit) -> Mapping[str, Any]:
    """The two amounts so far: for its own fire, and for fire at it."""
    return {"own": plain(own_amount(unit)), "as_target": plain(target_amount(table, unit))}


@clause("CA-60", "CA-108", "CA-109", "CA-110", "CA-111")
def _given_way(table: ArmsTable, name: str, space: ArmsMoves, tolls: list[int]) -> Iterator[Event]:
    """What was knocked down, and who was overrun: gone at once, with all that are aboard or in the same foxhole."""
    mover = table.unit(name)
    for number in tolls:
        thing = space.tolls[number]
        if thing.name not in table.state.units:
            changes: list[Change] = [change_data(felled=(*table.data["felled"], thing.name))]
            yield Event("knocks down", name, changes, "CA-60", mover.place, detail={"tree": thing.name})
            continue
        target = table.unit(thing.name)
        gone = destroyed_with(table, mover, target)
        if not gone:
            yield Event("passes over", name, [], "CA-109", mover.place, detail={"target": target.id})
            continue
        everybody = [one for unit in gone for one in (*table.state.everybody_aboard(unit.id), unit)]
        cited = "CA-108" if target.get("in_foxhole") else "CA-110"
        detail = {"target": ", ".join(unit.id for unit in gone)}
        yield Event("overruns", name, [remove_unit(unit.id) for unit in everybody], cited, mover.place, detail=detail)


@clause("CA-8", "CA-94", "CA-97", "CA-98", "CA-99")
def _fires(table: ArmsTable, name: str, element: Element, plan: Fraction, swept: Fraction) -> Event:
    """Fire: its band is that of the whole turn, declared or as the order goes on; what the shot does is not told."""
    unit = table.unit(name)
    so_far = table.options.own_fire_band == "so_far"
    if not original_rate(table, unit):
        band = band_of_rotation(table, swept)
    else:
        band = element.get("band") or band_of(table, unit, own_amount(unit) if so_far else plan)
    detail = {"band": band, "factor": table.tables[f"firer_factor.{band}"]}
    if element.get("target"):
        detail["target"] = element["target"]
    promised = {} if so_far or most_of_band(table, unit, band) is None else {"declared_band": _stricter(unit, band)}
    return Event("fires", name, [change_unit(name, **promised)] if promised else (), "CA-98", unit.place, (), detail)


def _stricter(unit: Unit, band: str) -> str:
    """The lower of a band and that which a piece has declared before."""
    known = [one for one in (unit["declared_band"], band) if one]
    return min(known, key=BANDS.index)


ACTIONS: Mapping[str, ActionRule] = {"move": move}
