"""Why a move is forbidden that an order spells out: where it goes, what it costs, where it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import State, Unit
from simulator.engine.table import Table
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES
from simulator.pathing.posed import Move, Objection, Rotate, Travel
from simulator.pathing.posed.lasting import stays_amiss, untravelled
from simulator.pathing.posed.verdict_memory import VerdictMemory
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import MechaSetting
from simulator.rulesets.mecha.jumping import jump_written
from simulator.rulesets.mecha.movement import MechaMoves, compiled, compiled_for_any, for_action
from simulator.rulesets.mecha.turning import free_degrees, free_turn_of, may_turn, used_freely
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.vocabulary import moves_in, named_in

Breaches = Iterator[Breach]
#: About what a thing in the way takes in a compiled unit: its outline, and as the judge of paths takes it.
_BYTES_OF_BAR = 4_000


def moves_for(table: MechaTable, unit: Unit, order: Order) -> tuple[MechaMoves, list[Move]]:
    """Return a unit compiled for an order, and the moves of the order."""
    if order.action == "jump":
        return jump_written(table, unit, order.elements)
    moves = compiled_now(table, unit, order.action, **named_in(order.args.items()))
    return moves, list(moves_in(order.elements, moves))


def compiled_now(table: MechaTable, unit: Unit, action: str, **named: str) -> MechaMoves:
    """Return a unit compiled for an action at this moment: the same one for all orders that are tried."""
    return _compiled(table.setting, table.state, unit, action, tuple(sorted(named.items())))


def _bytes_of(moves: MechaMoves) -> int:
    return VerdictMemory.byte_count + _BYTES_OF_BAR * (1 + len(moves.space.bars))


@kept(megabytes=8, weigh=_bytes_of)
def _compiled(
    setting: MechaSetting, state: State, unit: Unit, action: str, named: tuple[tuple[str, str], ...]
) -> MechaMoves:
    """Compile a unit for an action: once for all moves that are tried at one moment."""
    return for_action(_for_any(setting, state, unit), Table(setting, state), unit, action, **dict(named))


@kept(megabytes=4, weigh=_bytes_of)
def _for_any(setting: MechaSetting, state: State, unit: Unit) -> MechaMoves:
    """Compile a unit for all actions of one moment."""
    return compiled_for_any(Table(setting, state), unit)


def of_move(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    """Object to a Move Action that is nothing but a move."""
    yield from undeclarable(table, unit, order.action)
    if unit.place is None:
        return
    yield from of_path(table, unit, *moves_for(table, unit, order))


@clause("ME-10", "ME-23", "ME-30", "ME-41", "ME-43", "ME-50", "ME-71", "ME-87", "ME-88")
def of_path(table: MechaTable, unit: Unit, moves: MechaMoves, written: Sequence[Move]) -> Breaches:
    """Object to where a move goes, what it costs, and where it ends."""
    yield from of_free_degrees(table, unit, written)
    verdict = moves.judged(written)
    for one in verdict.objections:
        yield of_objection(moves, unit, written, one, verdict.path.at(one.inches))


def against_path(unit: Unit, moves: MechaMoves, written: Sequence[Move]) -> AgainstDraft:
    """Return what is wrong with a path as far as a draft needs it: all figures, or else something that is wrong."""
    if (leg := untravelled(moves.space, written)) is not None:
        return AgainstDraft([of_objection(moves, unit, written, Objection(leg, "mode"), unit.place)], stays=True)
    verdict = moves.judged(written)
    objections = verdict.enough_objections
    found = [of_objection(moves, unit, written, one, verdict.path.at(one.inches)) for one in objections]
    return AgainstDraft(found, stays=bool(found) and stays_amiss(moves.space, written, verdict))


def of_objection(
    moves: MechaMoves, unit: Unit, written: Sequence[Move], one: Objection, place: XY, level: int = 0
) -> Breach:
    """Return what is wrong with a written move on a level as a breach."""
    found, move = moves.breach(one, place, level), written[one.move] if written else None
    if one.what == "mode" and isinstance(move, Travel):
        return replace(found, message=_no_such_travel(unit, move))
    return found


def _no_such_travel(unit: Unit, leg: Travel) -> str:
    return f"{unit['mobility']} units do not move {leg.mode.name.replace('_', ' to the ')}: it has to turn first"


@clause("ME-29", "ME-35", "ME-39")
def of_free_degrees(table: MechaTable, unit: Unit, written: Sequence[Move]) -> Breaches:
    """Object to turns that are free beyond what a unit may turn freely, and to turns of units that never turn."""
    turns = [move for move in written if isinstance(move, Rotate)]
    if turns and not may_turn(unit):
        yield Breach("ME-39", f"{unit.id} is static: it cannot turn")
    marked = sum((abs(Fraction(turn.free)) for turn in turns), Fraction(0))
    if marked and not free_turn_of(table, unit):
        yield Breach("ME-34", f"{unit['mobility']} units have no free turn", marked, 0)
        return
    spots = [used_freely([move for move in spot if isinstance(move, Rotate)]) for spot in _on_spots(written)]
    used, left = [one for one in spots if one], free_degrees(table, unit)
    most = sum(used, Fraction(0)) if table.options.free_turn_split else max(used, default=Fraction(0))
    if most > left + Fraction(ROUNDING_OF_ANGLES):
        whose = " left" if unit["free_turned"] else ""
        yield Breach("ME-35", f"{unit.id} has {float(left):g} free degrees{whose}", most, left)
    elif len(used) > 1 and not table.options.free_turn_split:
        yield Breach("ME-35", "the free turn is one pivot: it cannot be split", len(used), 1)


def _on_spots(written: Sequence[Move]) -> Iterator[Iterable[Move]]:
    """Yield moves that follow each other without a leg between turns, and without a turn between legs.

    Travel of no length is no movement.
    """
    moved = [move for move in written if not (isinstance(move, Travel) and not move.inches)]
    return (spot for _, spot in groupby(moved, lambda move: isinstance(move, Rotate)))


# --- standing ---


def of_standing(table: MechaTable, unit: Unit) -> Breaches:
    """Object to a unit where it stands."""
    moves = compiled(table, unit, "standard")
    verdict = moves.judged([Travel(moves.space.modes[0], 0)])
    for one in verdict.objections:
        if one.what in ("bars", "edge", "end"):
            yield moves.breach(one, unit.place)
    x, y = map(float, unit.place)
    if moves.space.ground.rate_at(x, y) is None:
        message = f"the base does not lie wholly on {unit['level']}"
        yield Breach("ME-106", message, blocker=unit["level"], place=unit.place)
