"""Reach: where a unit can legally end a Move Action, at which level, facing which way, and at what price."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order, heading, place, truth, unit_id
from simulator.engine.plans_reach import Plan, PlansReach
from simulator.engine.reach_questions import Ask
from simulator.engine.state import Unit
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.any_of_reach import AnyOfReach
from simulator.rulesets.mecha.break_away_reach import breaking_away
from simulator.rulesets.mecha.breaking_away import FLAG_ONLY, SUCCEEDS
from simulator.rulesets.mecha.carrier_reach import enter_reach, exit_reach
from simulator.rulesets.mecha.certain_plans import certain_of
from simulator.rulesets.mecha.charges_reach import charging
from simulator.rulesets.mecha.climb_reach import ClimbReach
from simulator.rulesets.mecha.declaring import unable_to_turn, undeclarable
from simulator.rulesets.mecha.height_plans import height_plans_of_phase, height_plans_of_turn
from simulator.rulesets.mecha.jump_reach import jumping
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import compiled, compiled_turning
from simulator.rulesets.mecha.odds import CHANCE, CHANCES_OF_HITS
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.phase_ends import next_movement_phase
from simulator.rulesets.mecha.phase_plans import manoeuvring, other_plans_of_phase, plans_aboard
from simulator.rulesets.mecha.plans import plans_of_phase, plans_of_turn, stays
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.unload_reach import SetDownReach, unloading_reach

#: The actions with an answer of reach.
REACHES = {
    "standard": "where a standard move ends",
    "run": "where a run ends",
    "break_away": "where a Break Away ends, whatever the attacks of opportunity do",
    "manoeuvre": "where a manoeuvre ends, in contact with whom it was before",
    "charge": "where a charge ends, in contact with its target",
    "enter_unit": "from where it can enter a carrier: the poses in which it touches that, and is aboard then",
    "exit_unit": "where it ends that leaves its carrier: anywhere at its rear, and half a move from there",
    "unload": "where a carrier ends that unloads; for who is aboard, where it can be set down",
    "jump": "where a jump ends; with falls, where one above the limit does",
    "climb": "where a climb ends, after or before its free turn",
    "free_turn": "which ways it can face after its free turn alone",
    "phase": "where it can be when this movement phase is over, by the action points that takes",
    "turn": "where it can be when the turn is over, by the action points that takes",
}
#: The keywords of a question.
ASKS = {
    "carrier": Ask(unit_id("the carrier to enter; by default any that can be entered"), ("enter_unit",)),
    "at": Ask(place("where the carrier stops, for whom it sets down"), ("unload",)),
    "facing": Ask(heading("which way the carrier faces there"), ("unload",)),
    "target": Ask(unit_id("the opposing unit to charge; by default any that can be charged"), ("charge",)),
    "falls": Ask(truth("whether to ask for jumps above the limit, which are falls"), ("jump",)),
    "hit_chances": Ask(CHANCES_OF_HITS, ("break_away",)),
    "success_chance": Ask(replace(CHANCE, about=f"that the action succeeds: {CHANCE.about}"), ("break_away",)),
}
#: Where a unit can end an action, or one of several plans.
MechaAnswer: TypeAlias = MechaReach | AnyOfReach | PlansReach[MechaOptions] | SetDownReach
#: What answers over a phase and over a turn are made of.
_PLANS = {
    "phase": (plans_of_phase, height_plans_of_phase, other_plans_of_phase),
    "turn": (plans_of_turn, height_plans_of_turn, other_plans_of_phase),
}
#: What answers questions of actions with values of their own.
_ANSWERS: Mapping[str, Callable[..., MechaAnswer]] = {
    "break_away": breaking_away,
    "charge": charging,
    "jump": jumping,
    "climb": ClimbReach,
    "enter_unit": enter_reach,
    "exit_unit": exit_reach,
    "unload": unloading_reach,
}
#: What those who are aboard a carrier can be asked about.
_ABOARD = ("exit_unit", "unload")


class PhasesReach(PlansReach[MechaOptions]):
    """Where a unit can be when a phase, or a turn, is over."""

    def __init__(
        self,
        table: MechaTable,
        mover: Unit,
        action: str,
        plans: Sequence[Plan],
        barred: Sequence[Breach],
        before: Sequence[Order] = (),
    ) -> None:
        """Store the question, the plans, and what bars all moves; if it can move, that is nothing.

        `before` are the orders by which the phases pass that the unit has to wait for.
        """
        super().__init__(table, mover, action, plans, "AP")
        self.barred, self.before = tuple(barred), tuple(before)

    @classmethod
    def of(cls, table: MechaTable, unit: Unit, action: str) -> PhasesReach:
        """Return the plans of a unit, which may be aboard a carrier, for a phase or for a turn."""
        if unit.place is None:
            exits, plans = plans_aboard(table, unit)
            return cls(exits.table, exits.mover, action, plans, exits.barred)
        before: Sequence[Order] = ()
        if action == "turn":
            table, unit, before = next_movement_phase(table, unit)
        plans = [plan for plans_of in _PLANS[action] for plan in plans_of(table, unit)]
        barred = undeclarable(table, unit, "standard") if all(map(stays, plans)) else ()
        return cls(table, unit, action, plans, list(barred), before)

    @property
    def certain_area(self) -> BaseGeometry:
        """Where it certainly ends, whichever attacks hit: everywhere, unless a hit or a test may cut plans short."""
        options = self.table.options
        if self.barred or (options.pinning_effect == FLAG_ONLY and options.action_test == SUCCEEDS):
            return self.area
        return certain_of(self.table, self.mover, self.plans)

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders that lead to a place or pose, after those by which it is the turn of movement."""
        found = super().orders_to(place)
        return [*self.before, *found] if found else found

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why it is not in a pose then: what bars all moves, or else what keeps it from there."""
        return (self.barred, "") if self.barred else super().against_pose(pose)


def reach_of(table: MechaTable, unit: Unit, action: str, **question: Any) -> MechaAnswer:
    """Compute where a unit can end a Move Action, a phase or a turn."""
    if unit.place is None and action not in _ABOARD and not (action == "phase" and unit.carrier):
        raise TableError(f"{unit.id} is not on the table")
    if action in _PLANS:
        return PhasesReach.of(table, unit, action)
    if action in _ANSWERS:
        return _ANSWERS[action](table, unit, **question)
    return _reach_of_action(table, unit, action)


@clause("ME-10", "ME-46", "ME-47", "ME-69")
def _reach_of_action(table: MechaTable, unit: Unit, action: str) -> MechaReach:
    """Where a Move Action of a unit ends that is nothing but a move, or its free turn."""
    if action == "free_turn":
        return MechaReach(table, unit, action, compiled_turning(table, unit), list(unable_to_turn(table, unit)))
    if action == "manoeuvre":
        return manoeuvring(table, unit)
    barred = list(undeclarable(table, unit, action))
    return MechaReach(table, unit, action, compiled(table, unit, action), barred)
