"""The judge: every reason why an order is forbidden here. It judges the order as written and searches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.ruleset import register_order
from simulator.engine.state import Unit
from simulator.pathing.posed import JudgedMove, Move, Travel, judged
from simulator.rulesets.mecha.charging import no_target
from simulator.rulesets.mecha.declaring import undeclarable, unable_to_turn
from simulator.rulesets.mecha.elevated import top_named
from simulator.rulesets.mecha.movement import MechaMoves, compiled
from simulator.rulesets.mecha.rates import ASIDE
from simulator.rulesets.mecha.turning import free_degrees, free_turn_of, may_turn
from simulator.rulesets.mecha.units import COMBAT_MANOEUVRES, GROUND, MechaTable
from simulator.rulesets.mecha.vocabulary import degrees_of, moves_in, named_in
from simulator.wording import did_you_mean

Breaches = Iterator[Breach]


def breaches(table: MechaTable, order: Order) -> list[Breach]:
    """Return every reason why an order is forbidden, in the order of the register."""
    unit = table.unit(order.unit)
    found = _JUDGES[order.action](table, unit, order)
    once = {(breach.clause, breach.message): breach for breach in found}
    return sorted(once.values(), key=lambda breach: register_order(breach.clause))


# --- actions that move ---


def moves_for(table: MechaTable, unit: Unit, order: Order) -> tuple[MechaMoves, list[Move]]:
    """Return a unit compiled for an order, and the moves of the order."""
    moves = compiled(table, unit, order.action, **named_in(order.args.items()))
    return moves, list(moves_in(order.elements, moves))


def _of_move(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    yield from undeclarable(table, unit, order.action)
    if unit.place is None or unit.carrier:
        return
    yield from of_path(table, unit, *moves_for(table, unit, order))


@clause("ME-10", "ME-23", "ME-30", "ME-41", "ME-43", "ME-50", "ME-71", "ME-87", "ME-88")
def of_path(table: MechaTable, unit: Unit, moves: MechaMoves, written: Sequence[Move]) -> Breaches:
    """Object to where a move goes, what it costs, and where it ends."""
    yield from _of_free_degrees(table, unit, written)
    verdict = judged(moves.space, moves.space.starts[0], written)
    for one in verdict.objections:
        place = verdict.path.at(one.inches)
        move = written[one.move] if written else None
        if one.what == "mode" and isinstance(move, Travel):
            yield replace(moves.breach(one, place), message=_no_such_travel(unit, move))
        else:
            yield moves.breach(one, place)


def _no_such_travel(unit: Unit, leg: Travel) -> str:
    return f"{unit['mobility']} units do not move {leg.mode.name.replace('_', ' to the ')}: it has to turn first"


@clause("ME-35", "ME-39")
def _of_free_degrees(table: MechaTable, unit: Unit, written: Sequence[Move]) -> Breaches:
    """Object to turns that are free beyond what a unit may turn freely, and to turns of units that never turn."""
    turns = [move for move in written if not isinstance(move, Travel) and hasattr(move, "degrees")]
    if turns and not may_turn(unit):
        yield Breach("ME-39", f"{unit.id} is static: it cannot turn")
    free = [abs(Fraction(turn.free)) for turn in turns if turn.free]
    if not free:
        return
    limit, left = free_turn_of(table, unit), free_degrees(table, unit)
    if not limit:
        yield Breach("ME-34", f"{unit['mobility']} units have no free turn", sum(free), 0)
    elif max(free) > left or (table.options.free_turn_split and sum(free) > left):
        used = " left" if unit["free_turned"] else ""
        yield Breach("ME-35", f"{unit.id} has {float(left):g} free degrees{used}", max(free), left)
    elif len(free) > 1 and not table.options.free_turn_split:
        yield Breach("ME-35", "the free turn is one pivot: it cannot be split", len(free), 1)


# --- single actions ---


@clause("ME-70")
def _of_manoeuvre(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    yield from unskilled(unit)
    yield from _of_move(table, unit, order)


def unskilled(unit: Unit) -> Breaches:
    """Yield why a unit cannot manoeuvre: its pilot lacks the skill."""
    if COMBAT_MANOEUVRES not in unit["skills"]:
        yield Breach("ME-70", f"the pilot of {unit.id} does not have the skill {COMBAT_MANOEUVRES}")


def _of_charge(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    if against := list(no_target(table, unit, order["target"])):
        yield from undeclarable(table, unit, "charge")
        yield from against
        return
    yield from _of_move(table, unit, order)


def _of_free_turn(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    yield from unable_to_turn(table, unit)
    yield from _of_free_degrees(table, unit, list(degrees_of(order.elements)))


_JUDGES: Mapping[str, Callable[[MechaTable, Unit, Order], Iterable[Breach]]] = {
    **dict.fromkeys(("standard", "run", "break_away"), _of_move),
    "manoeuvre": _of_manoeuvre,
    "charge": _of_charge,
    "free_turn": _of_free_turn,
}


# --- positions ---


@clause("ME-15", "ME-43", "ME-106")
def faults(table: MechaTable) -> Breaches:
    """Yield all faults of a position: units where they may not be."""
    for unit in table.state.standing:
        if unit["level"] != GROUND and top_named(table.setting, unit["level"]) is None:
            message = f"{unit.id}: no elevated terrain has the name {unit['level']!r}"
            yield Breach("ME-106", message, blocker=unit.id, place=unit.place)
            continue
        for found in of_standing(table, unit):
            yield replace(found, message=f"{unit.id}: {found.message}", blocker=unit.id, place=unit.place)


def of_standing(table: MechaTable, unit: Unit) -> Breaches:
    """Object to a unit where it stands."""
    moves = compiled(table, unit, "standard")
    verdict: JudgedMove = judged(moves.space, moves.space.starts[0], [])
    for one in verdict.objections:
        if one.what in ("bars", "edge", "end", "ground"):
            yield moves.breach(one, unit.place)


__all__ = ["ASIDE", "breaches", "did_you_mean", "faults", "moves_for", "of_path", "of_standing", "unskilled"]
