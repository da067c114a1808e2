"""How a movement phase goes on and ends: what an action leaves a unit, and what the next phase begins with.

What happens to a unit is played as in a game, by the rules of its action and of the clock. Somebody has to let a phase
pass while it goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby, takewhile

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.posed_orders import turn_of
from simulator.engine.state import Unit
from simulator.rulesets.mecha.clock import PhaseClock
from simulator.rulesets.mecha.declaring import ACTED, MOVE_ACTIONS, movement_phase
from simulator.rulesets.mecha.falling import straighten_up
from simulator.rulesets.mecha.options import MOVEMENT_2
from simulator.rulesets.mecha.playing import declared
from simulator.rulesets.mecha.turning import used_freely
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.vocabulary import TURNS, degrees_of

#: No Move Action: at most a free turn.
NOTHING = ""
#: The Move Action by which a fallen unit gets up.
GETS_UP = "straighten_up"
#: What leaves a unit where it is, but for its free turn.
STAYS = (NOTHING, GETS_UP)

# --- what comes after an action ---


def once_made(table: MechaTable, unit: Unit, action: str) -> tuple[MechaTable, Unit]:
    """Return the table and a unit once it has made a Move Action in this phase; where that leads is left open."""
    after = type(table)(table.setting, table.state.with_unit(unit))
    if action == GETS_UP:
        after.play(straighten_up(after, Order(unit.id, action)))
    elif action != NOTHING:
        after.play([declared(after, unit.id, action)])
    return after, after.unit(unit.id)


def second_phase(table: MechaTable, unit: Unit, first: str) -> tuple[MechaTable, Unit]:
    """Return the table of the second movement phase, and a unit there once it has done something in the first."""
    after, _ = once_made(table, unit, first)
    _pass_until(after, (MOVEMENT_2,))
    return after, after.unit(unit.id)


@clause("ME-1")
def next_movement_phase(table: MechaTable, unit: Unit) -> tuple[MechaTable, Unit, list[Order]]:
    """Return the table of the movement phase that comes next this turn, the unit there, and the orders leading there.

    In a movement phase, and if none is to come, everything is as it is.
    """
    clock = table.clock
    if movement_phase(table) or not any(phase.name in ACTED for phase in clock.phases[clock.number :]):
        return table, unit, []
    after = type(table)(table.setting, table.state.with_unit(unit))
    _pass_until(after, tuple(ACTED))
    waits = clock.phase is not None and clock.phase.order != "nobody"
    return after, after.unit(unit.id), [Order("all", "done")] * (waits + _phases_between(table))


def _pass_until(table: MechaTable, names: Collection[str]) -> None:
    """Let phases of the turn pass until one of some names begins."""
    while table.clock.phase is not None and table.clock.phase.name not in names:
        table.play(PhaseClock().phase_ends(table, table.clock.phase))
        table.state = table.state.put(clock=table.clock.put({"number": table.clock.number + 1}))


# --- who lets the phase pass ---


def passing(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> list[Order]:
    """Return the orders by which everybody lets the phase pass after some orders of a unit, and what waits after it.

    There are none if it is over then, and the next movement phase follows.
    """
    return [Order("all", "done")] * (_goes_on(table, unit, orders) + _phases_between(table))


@clause("ME-1")
def _phases_between(table: MechaTable) -> int:
    """How many phases wait between this one and the next movement phase."""
    clock = table.clock
    behind = takewhile(lambda phase: phase.name not in ACTED, clock.phases[clock.number + 1 :])
    return sum(phase.order != "nobody" for phase in behind)


def _goes_on(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> bool:
    """Whether somebody else has not had a go yet, or the unit has more of its own after these orders of it."""
    clock = PhaseClock()
    return not orders or bool(set(clock.waiting(table)) - {unit.id}) or clock.has_more(*_after(table, unit, orders))


def _after(table: MechaTable, unit: Unit, orders: Sequence[Order]) -> tuple[MechaTable, Unit]:
    """The table and a unit once it has made some orders, but for where they lead."""
    used = Fraction(unit["free_turned"])
    for order in orders:
        if order.action in MOVE_ACTIONS:
            table, unit = once_made(table, unit, order.action)
        turns_of = degrees_of if order.action == "free_turn" else partial(map, turn_of)
        for turning, spot in groupby(order.elements, lambda element: element.name in TURNS):
            if turning:
                used += used_freely(list(turns_of(spot)))
    return table, unit.put(free_turned=used)
