"""Carriers: whom they can carry, and what they did that keeps others from entering or leaving them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from simulator.engine.amounts import plain
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.engine.tables import Tables
from simulator.rulesets.mecha.declaring import ACTED, movement_phase
from simulator.rulesets.mecha.passing import can_touch
from simulator.rulesets.mecha.units import MechaTable, is_enemy

Breaches = Iterator[Breach]


@clause("ME-74", "ME-78")
def room_taken_by(tables: Tables, unit: Unit) -> Fraction:
    """Return what a unit counts for aboard, and when it is unloaded: infantry half of what others do."""
    return Fraction(tables["carrier.slots_infantry" if unit.type == "infantry" else "carrier.slots"])


@clause("ME-74")
def slots_left(table: MechaTable, carrier: Unit) -> Fraction:
    """Return how many slots of a carrier are free."""
    taken = sum((room_taken_by(table.tables, rider) for rider in table.state.riders(carrier.id)), Fraction(0))
    return Fraction(carrier["slots"]) - taken


@clause("ME-73", "ME-74", "ME-75")
def cannot_enter(table: MechaTable, unit: Unit, name: str) -> Breaches:
    """Yield why a unit cannot enter another, wherever it gets to; its contact with that is another matter."""
    carrier = table.state.units.get(name)
    if carrier is None or carrier.place is None:
        yield Breach("ME-74", f"{name} is not on the table: it cannot be entered", blocker=name)
        return
    if carrier.id == unit.id:
        yield Breach("ME-74", f"{unit.id} cannot enter itself", blocker=name)
        return
    if unit.place is not None and not can_touch(table, unit, carrier):
        yield Breach("ME-73", f"{name} is on another level", blocker=name, place=carrier.place)
    yield from _of_ability(table, unit, carrier)
    if done := acted(table, carrier):
        yield Breach("ME-75", f"{name} has made a Move Action, {done}: it cannot be entered after that", blocker=name)


@clause("ME-74")
def _of_ability(table: MechaTable, unit: Unit, carrier: Unit) -> Breaches:
    name = carrier.id
    if not carrier["slots"]:
        yield Breach("ME-74", f"{name} is not a carrier", blocker=name)
        return
    if is_enemy(unit, carrier):
        yield Breach("ME-74", f"{name} is an opposing unit", blocker=name)
    if unit.type not in carrier["accepts"]:
        yield Breach(
            "ME-74", f"{name} carries {', '.join(carrier['accepts']) or 'nobody'}, no {unit.type}", blocker=name
        )
    if table.state.riders(unit.id):
        yield Breach("ME-74", f"{unit.id} carries somebody: it cannot itself be carried", blocker=name)
    needed, left = room_taken_by(table.tables, unit), slots_left(table, carrier)
    if needed > left:
        message = f"{unit.id} takes {_told(needed)}, {name} has {_told(max(left, Fraction(0)))} left"
        yield Breach("ME-74", message, plain(needed), plain(max(left, Fraction(0))), blocker=name)


def _told(slots: Fraction) -> str:
    return f"{float(slots):g} slot{'' if slots == 1 else 's'}"


@clause("ME-74", "ME-86")
def misloaded(table: MechaTable, carrier: Unit) -> Breaches:
    """Yield what is wrong with those aboard a unit of a position."""
    riders = table.state.riders(carrier.id)
    for rider in riders:
        if table.state.riders(rider.id):
            yield Breach("ME-74", f"{rider.id} is aboard {carrier.id} with others aboard itself", blocker=rider.id)
        elif not carrier["slots"] or is_enemy(rider, carrier) or rider.type not in carrier["accepts"]:
            yield Breach("ME-74", f"{rider.id} is aboard {carrier.id}, which does not carry it", blocker=rider.id)
        if rider.place is not None:
            yield Breach("ME-86", f"{rider.id} is aboard {carrier.id}, and so has no place", blocker=rider.id)
    if riders and slots_left(table, carrier) < 0:
        taken, most = Fraction(carrier["slots"]) - slots_left(table, carrier), Fraction(carrier["slots"])
        message = f"{carrier.id} has {_told(most)}, those aboard take {float(taken):g}"
        yield Breach("ME-74", message, plain(taken), plain(most), carrier.id)


# --- what a carrier has done ---


@clause("ME-75", "ME-76", "ME-84")
def acted(table: MechaTable, carrier: Unit) -> str:
    """Return the Move Action after which a carrier is neither entered nor left now; "": there is none.

    It is one of this movement phase, or by option one of this turn.
    """
    phase = movement_phase(table)
    fields = ACTED.values() if table.options.carrier_lock_scope == "turn" else [ACTED[phase]] if phase else []
    return next((str(carrier[field]) for field in fields if carrier[field]), "")


@clause("ME-82", "ME-84")
def cannot_leave(table: MechaTable, unit: Unit) -> Breaches:
    """Yield why a unit cannot leave its carrier now, wherever that sets it down."""
    if not unit.carrier:
        yield Breach("ME-82", f"{unit.id} is not aboard a carrier")
        return
    carrier = table.unit(unit.carrier)
    if carrier.place is None:
        yield Breach("ME-82", f"{carrier.id} is not on the table", blocker=carrier.id)
    if done := acted(table, carrier):
        message = f"{carrier.id} has made a Move Action, {done}: nobody can leave it after that"
        yield Breach("ME-84", message, blocker=carrier.id, place=carrier.place)
