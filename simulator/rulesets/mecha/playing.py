"""Moves played element by element, each with what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from simulator.engine.amounts import plain, tidy
from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Element, Order
from simulator.pathing.posed import Charge, JudgedMove, Move
from simulator.rulesets.mecha.declaring import ACTED, ap_left, ap_of, movement_phase
from simulator.rulesets.mecha.move_judge import moves_for
from simulator.rulesets.mecha.movement import MechaMoves
from simulator.rulesets.mecha.shares import charges_of_each
from simulator.rulesets.mecha.turning import free_turn_of
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.vocabulary import TURNS

#: What happens by an element that is neither a leg nor a turn, and the clause.
_STEPS = {"jump_off": ("jumps off", "ME-67")}


@clause("ME-4", "ME-7")
def declared(table: MechaTable, name: str, action: str, **changes: Any) -> Event:
    """Declare a Move Action: it takes the place of one in the phase, and its action points."""
    unit, cost = table.unit(name), ap_of(table, action)
    changes[ACTED[movement_phase(table)]] = action
    price = []
    if ap_left(table, unit) is not None:
        changes["ap_spent"] = unit["ap_spent"] + cost
        price = [LedgerLine(action, cost, 1, "ap", "ME-7")]
    return Event("declares", name, [change_unit(name, **changes)], "ME-4", unit.place, price, {"action": action})


def moved(table: MechaTable, order: Order) -> Iterator[Event]:
    """Make the legs and turns of a Move Action."""
    unit = table.unit(order.unit)
    yield from steps(table, order.unit, order.elements, *moves_for(table, unit, order))


@clause("ME-3", "ME-10", "ME-17", "ME-30", "ME-34")
def steps(
    table: MechaTable, name: str, elements: Sequence[Element], moves: MechaMoves, written: Sequence[Move]
) -> Iterator[Event]:
    """Make legs and turns one by one, each with what it costs in the whole of them."""
    whole, shares = moves.judged(written), charges_of_each(moves, written)
    for number, element in enumerate(elements):
        found = moves.judged(written[: number + 1])
        lines = list(_lines(element, moves, shares[number]))
        last = number + 1 == len(elements)
        yield _step(table, name, element, moves, found, lines, free=whole.free if last else None)


def _step(
    table: MechaTable,
    name: str,
    element: Element,
    moves: MechaMoves,
    found: JudgedMove,
    lines: Sequence[LedgerLine],
    free: Fraction | None,
) -> Event:
    unit = table.unit(name)
    after = moves.unit_after(unit, found)
    changes: dict[str, Any] = {"place": after.place, "heading": after.heading, "level": after["level"]}
    if free is not None and (limit := free_turn_of(table, unit)):
        changes["free_turned"] = plain(max(limit - free, Fraction(0)))
    kind, cited = ("turns", "ME-33") if element.name in TURNS else _STEPS.get(element.name, ("moves", "ME-10"))
    return Event(kind, name, [change_unit(name, **changes)], cited, after.place, lines)


def _lines(element: Element, moves: MechaMoves, charges: Sequence[Charge]) -> Iterator[LedgerLine]:
    """The price of an element, line by line."""
    for charge in charges:
        if not charge.price:
            continue
        if charge.what == "turn":
            yield LedgerLine(f"turn {float(charge.amount):g}°", 1, tidy(charge.price), "mp", "ME-29")
        else:
            yield LedgerLine(_told(element, moves, charge), tidy(charge.amount), tidy(charge.rate), "mp", "ME-17")


def _told(element: Element, moves: MechaMoves, charge: Charge) -> str:
    """What a line of the price is for."""
    del moves, charge
    return element.name.replace("_", " ")
