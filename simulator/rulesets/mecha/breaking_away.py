"""Breaking away: the Attacks of Opportunity before the move, what becomes of the move after them, and Pinning."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.orders import Element, Order
from simulator.engine.questions import Choose, React
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.posed import judged
from simulator.rulesets.mecha.attacking import attacked, defence_told, unable_to_attack
from simulator.rulesets.mecha.charging import MELEE
from simulator.rulesets.mecha.contact import in_contact_with
from simulator.rulesets.mecha.cutting import cut_to
from simulator.rulesets.mecha.declaring import ap_left
from simulator.rulesets.mecha.move_judge import moves_for
from simulator.rulesets.mecha.movement import MechaMoves
from simulator.rulesets.mecha.playing import declared, moved
from simulator.rulesets.mecha.units import MechaTable, budget_of
from simulator.rulesets.mecha.vocabulary import moves_in

#: A rule within a rule that returns a result.
Verdict = Generator[Any, Any, Any]

ATTACK = "attack"
HITS, MISSES = "hits", "misses"
SUCCEEDS, FAILS = "succeeds", "fails"
MOVES, STAYS = "moves", "stays"
#: What being pinned does.
FLAG_ONLY, HALF_MOVE, NO_MORE_MOVES = "flag_only", "half_move", "no_more_moves"


# --- who may attack ---


@clause("ME-59")
def cost_of_opportunity(table: MechaTable, attacker: Unit) -> int:
    """Return the AP of an Attack of Opportunity: those of a melee attack, less some."""
    return max(0, int(attacker["melee_ap_cost"]) - int(table.tables["attack_of_opportunity.ap_less"]))


@clause("ME-45", "ME-59")
def attackers(table: MechaTable, unit: Unit) -> list[Unit]:
    """Return the opposing units that may attack a unit which breaks away: adjacent ones, with the AP, and able to."""
    found = []
    for other in in_contact_with(table, unit):
        left = ap_left(table, other)
        if not any(unable_to_attack(other, MELEE)) and (left is None or cost_of_opportunity(table, other) <= left):
            found.append(other)
    return found


# --- in play ---


@clause("ME-58", "ME-62", "ME-63", role="play")
def break_away(table: MechaTable, order: Order) -> Action:
    """Break away: every attack comes before the move, and comes even if the action fails."""
    yield declared(table, order.unit, order.action)
    is_hit = yield from _attacks(table, order.unit)
    if not (yield from _succeeds(table, order.unit)):
        place = table.unit(order.unit).place
        yield Event("fails to break away", order.unit, [], "ME-62", place)
        return
    yield from (_moved_when_hit if is_hit else moved)(table, order)


@clause("ME-59", role="play")
def _attacks(table: MechaTable, name: str) -> Verdict:
    """Offer the attacks of all who may attack, in the order of their players; return whether one hit."""
    waiting = [other.id for other in attackers(table, table.unit(name))]
    is_hit = False
    for side in dict.fromkeys(table.unit(other).side for other in waiting):
        own = [other for other in waiting if table.unit(other).side == side]
        while own:
            first = own[0]
            if len(own) > 1:
                question = "who may attack next"
                first = yield Choose(question, who=side, options=own, default=own[0], clause="ME-59")
            own.remove(first)
            is_hit |= yield from _attack(table, first, name)
    return is_hit


@clause("ME-59", "ME-60", role="play")
def _attack(table: MechaTable, attacker: str, name: str) -> Verdict:
    """Offer one attack, and ask whether it hits; skills do not help the attacker."""
    place = table.unit(name).place
    detail = {"at": name, "skills": "do not count", **defence_told(table.unit(name))}
    offered = React("attack of opportunity", who=attacker, options=[ATTACK], clause="ME-59", place=place, detail=detail)
    if (yield offered) is None:
        return False
    cost = cost_of_opportunity(table, table.unit(attacker))
    yield attacked(table, attacker, name, MELEE, cost, kind="attacks of opportunity", cited="ME-59")
    result = yield Choose(
        "result of the attack", who=attacker, options=(HITS, MISSES), clause="ME-59", place=place, detail=detail
    )
    return result == HITS


@clause("ME-62", role="play")
def _succeeds(table: MechaTable, name: str) -> Verdict:
    """Ask whether the action succeeds, where somebody is asked."""
    if table.options.action_test == SUCCEEDS:
        return True
    place = table.unit(name).place
    result = yield Choose(
        "result of the action", who=name, options=(SUCCEEDS, FAILS), default=SUCCEEDS, clause="ME-62", place=place
    )
    return result == SUCCEEDS


# --- moves after a hit ---


@clause("ME-30", "ME-37", "ME-61")
def is_move(moves: MechaMoves, elements: Sequence[Element]) -> bool:
    """Whether elements are a move at all: legs, and turns that are paid; not a free turn alone."""
    found = judged(moves.space, moves.space.starts[0], list(moves_in(elements, moves)))
    travels = any(math.dist(piece.start, piece.end) > TOUCH for piece in found.path.pieces)
    return travels or any(charge.price for charge in found.charges)


@clause("ME-61")
def budget_when_hit(table: MechaTable, unit: Unit) -> Fraction:
    """Return the movement points that a unit has for breaking away once it is hit."""
    whole = budget_of(table, unit, "break_away")
    if table.options.pinning_effect != HALF_MOVE:
        return whole
    return whole * Fraction(table.tables["pinned.share"])


@clause("ME-61", role="play")
def _moved_when_hit(table: MechaTable, order: Order) -> Action:
    """Move, and be pinned; or stay, which the player may choose now that the unit is hit."""
    name, unit = order.unit, table.unit(order.unit)
    moves, _ = moves_for(table, unit, order)
    elements = cut_to(moves, order.elements, budget_when_hit(table, unit))
    if not is_move(moves, elements):
        yield from moved(table, replace(order, elements=elements))
        return
    options = (MOVES, STAYS)
    chosen = yield Choose("after being hit", who=name, options=options, default=MOVES, clause="ME-61", place=unit.place)
    if chosen == MOVES:
        yield from moved(table, replace(order, elements=elements))
        yield Event("is pinned", name, [change_unit(name, pinned=True)], "ME-61", table.unit(name).place)
