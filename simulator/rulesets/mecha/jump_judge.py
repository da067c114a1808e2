"""Why a jump is forbidden that an order spells out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import shapely

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.geometry.poses import Pose
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import Follow, JudgedMove, Move, Objection, Travel, judged
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import top_of
from simulator.rulesets.mecha.jumping import JUMP_OFF, JumpMoves, is_fall, jump_limit, jump_written
from simulator.rulesets.mecha.landing import no_room
from simulator.rulesets.mecha.move_judge import of_free_degrees, of_objection
from simulator.rulesets.mecha.units import MechaTable

Breaches = Iterator[Breach]
#: Places so near to where a jump may land are taken for such.
_NEAR = 0.01


@clause("ME-64", "ME-65", role="judge")
def no_jump(table: MechaTable, unit: Unit) -> Breaches:
    """Yield why a unit cannot jump, wherever it goes: it does not stand on elevated terrain, or never moves."""
    if unit.place is not None and top_of(table.setting, unit) is None:
        yield Breach("ME-64", f"{unit.id} does not stand on elevated terrain: there is nothing to jump off")
    if jump_limit(table, unit) is None:
        yield Breach("ME-65", f"{unit['mobility']} units never jump")


@clause("ME-67", role="judge")
def no_leap(order: Order) -> Breaches:
    """Yield that an ordered jump does not lead over the edge."""
    if JUMP_OFF not in [element.name for element in order.elements]:
        yield Breach("ME-67", f"the jump does not lead over the edge: it needs {JUMP_OFF} after its last leg")


@clause("ME-65", "ME-67", "ME-68", role="judge")
def against_landing(table: MechaTable, unit: Unit, moves: JumpMoves, pose: Pose, *, falls: bool) -> Iterator[Breach]:
    """Yield why no jump lands somewhere, or no fall: none does there, it is the other of the two, or it has no room."""
    assert moves.below is not None
    top, place = moves.below.top, pose.place
    away = float(shapely.distance(top.polygon, shapely.Point(place))) - float(unit["base"])
    if abs(away) > _NEAR:
        message = f"jumps off {top.name} land with the base just touching its foot"
        yield Breach("ME-67", message, 0, round(away, 4), blocker=top.name, place=place)
        return
    landing, limit = moves.below.landing_at(place), jump_limit(table, unit)
    if is_fall(table, unit, landing) and not falls:
        message = f"the drop is of size class {landing.drop}, {unit.id} jumps down up to {limit}: it would fall"
        yield Breach("ME-65", message, landing.drop, limit, blocker=top.name, place=place)
    elif falls and not is_fall(table, unit, landing):
        message = f"the drop is of size class {landing.drop}, {unit.id} falls from more than {limit}: it would land"
        yield Breach("ME-68", message, landing.drop, limit, blocker=top.name, place=place)
    elif not landing.fits:
        yield _does_not_fit(moves, place)
    else:
        yield from no_room(table, unit, landing.on, place, is_put=falls)


@clause("ME-64", "ME-66", "ME-67", role="judge")
def of_jump(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    """Object to a jump, with its way to the edge, over it, and where it lands."""
    yield from undeclarable(table, unit, "jump")
    if against := list(no_jump(table, unit)):
        yield from against
        return
    if unit.place is None:
        return
    moves, written = jump_written(table, unit, order.elements)
    yield from of_free_degrees(table, unit, written)
    if against := list(no_leap(order)):
        yield from against
        return
    verdict = judged(moves.space, moves.space.starts[0], written)
    off = _jump_in(written)
    nowhere = any(one.move == off and one.what == "link" for one in verdict.objections)
    for one in verdict.objections:
        # Who is not at an edge lands nowhere.
        if nowhere and (one.move > off or (one.move == off and one.what != "link")):
            continue
        yield _breach(unit, moves, written, verdict, one)


def _breach(unit: Unit, moves: JumpMoves, written: Sequence[Move], verdict: JudgedMove, one: Objection) -> Breach:
    """What is wrong as a breach: on the top, on the way over the edge, or where it lands."""
    place, move = verdict.path.at(one.inches), written[one.move]
    if not isinstance(move, Follow):
        level = 0 if one.move < _jump_in(written) else _target_of(written)
        found = of_objection(moves, unit, written, one, place, level)
        if one.what == "ended":
            return replace(found, message="only a free turn that is left may follow a jump, and nothing a fall")
        return found
    if one.what == "link":
        message = f"{unit.id} is not at an edge in the direction of its leg"
        if not any(isinstance(before, Travel) for before in written[: one.move]):
            message = f"{JUMP_OFF} goes on in the direction of the leg before it, and there is none"
        return replace(moves.breach(one, place), message=message)
    lands = one.inches >= float(verdict.path.arrays.before[one.move]) + verdict.path.pieces[one.move].length - TOLERANCE
    if one.what == "ground":
        return _does_not_fit(moves, verdict.path.pieces[one.move].end)
    return moves.breach(one, place, move.link.target if lands and one.what != "edge" else 0)


def _does_not_fit(moves: JumpMoves, place: XY) -> Breach:
    """That a jump does not land wholly on the top that it comes down on."""
    assert moves.below is not None
    over = moves.below.landing_at(place).over
    where = "a top as high as that which it leaves" if over is None else over.name
    message = f"it has no room on {where}, where it would land"
    return Breach("ME-67", message, blocker="" if over is None else over.name, place=place)


def _jump_in(written: Sequence[Move]) -> int:
    return next(number for number, move in enumerate(written) if isinstance(move, Follow))


def _target_of(written: Sequence[Move]) -> int:
    move = written[_jump_in(written)]
    assert isinstance(move, Follow)
    return move.link.target
