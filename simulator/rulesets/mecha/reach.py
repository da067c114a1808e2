"""Reach: where a unit can legally end a Move Action, at which level, facing which way, and at what price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order, unit_id
from simulator.engine.posed_orders import MoveWords
from simulator.engine.posed_reach import PosedReach
from simulator.engine.reach_questions import Ask
from simulator.engine.state import Unit
from simulator.geometry.poses import Level, Pose
from simulator.pathing.posed.shortfalls import PoseShortfall, shortfalls
from simulator.rulesets.mecha.charging import no_target
from simulator.rulesets.mecha.declaring import undeclarable, unable_to_turn
from simulator.rulesets.mecha.judge import unskilled
from simulator.rulesets.mecha.movement import MechaMoves, compiled
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.units import MechaTable

#: The actions with an answer of reach.
REACHES = {
    "standard": "where a standard move ends",
    "run": "where a run ends",
    "break_away": "where a Break Away ends, whatever the attacks of opportunity do",
    "manoeuvre": "where a manoeuvre ends, in contact with whom it was before",
    "charge": "where a charge ends, in contact with its target",
    "free_turn": "which ways it can face after its free turn alone",
}
#: The keywords of a question.
ASKS = {"target": Ask(unit_id("the opposing unit to charge"), ("charge",))}
#: What a unit has to spend that cannot declare an action.
_NOTHING = Fraction(-1)


class MechaReach(PosedReach[MechaOptions]):
    """Where a unit can end a Move Action."""

    unit = "mp"

    def __init__(
        self,
        table: MechaTable,
        mover: Unit,
        action: str,
        moves: MechaMoves,
        barred: Sequence[Breach] = (),
        args: dict[str, str] | None = None,
    ) -> None:
        """Store the question and the unit compiled for it; where something bars all it could do, why."""
        space = replace(moves.space, budget=_NOTHING) if barred else moves.space
        super().__init__(table, mover, action, space, MoveWords({}))
        self.moves, self.barred, self.args = moves, tuple(barred), args or {}

    @property
    def level_names(self) -> Sequence[Level]:  # type: ignore[override]  # each answer has levels of its own
        """The levels of the question."""
        return [level.name for level in self.moves.levels]

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order that leads to a place or pose; none if the unit is there already and need do nothing."""
        return [replace(order, args=self.args) for order in super().orders_to(place)]

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach, on the level where the least is missing."""
        if self.barred:
            return self.barred, ""
        heading = None if pose.heading is None else float(pose.heading)
        answers = [
            (number, *shortfalls(self.planner, pose.place, heading, number)) for number in self.numbers_of(pose.level)
        ]
        if not answers:
            return [Breach("ME-106", f"it does not get to {pose.level} with {self.action}")], ""
        level, found, room = min(answers, key=lambda answer: _missing(answer[1]))
        reasons = [self.moves.breach(short, pose.place, level) for short in found]
        return reasons, self._remedy(pose, found, room)


def _missing(found: Sequence[PoseShortfall]) -> tuple[int, float]:
    """How much is missing: what stands there counts for more than any price."""
    figures = sum((short.needed or 0.0) - (short.available or 0.0) for short in found)
    return sum(short.needed is None for short in found), figures


@clause("ME-10", "ME-46", "ME-47", "ME-58", "ME-63", "ME-69", "ME-87")
def reach_of(table: MechaTable, unit: Unit, action: str, target: str | None = None) -> MechaReach:
    """Compute where a Move Action of a unit ends."""
    if action == "free_turn":
        moves = compiled(table, unit, "straighten_up")  # which has no budget either
        return MechaReach(table, unit, action, moves, list(unable_to_turn(table, unit)))
    barred = list(undeclarable(table, unit, action))
    named: dict[str, str] = {}
    if action == "charge":
        if target is None:
            raise TableError("charge needs a target: name the opposing unit to charge")
        barred += no_target(table, unit, target)
        named = {"target": target}
    if action == "manoeuvre":
        barred += unskilled(unit)
    known = {name: value for name, value in named.items() if table.state.units[value].place is not None}
    moves = compiled(table, unit, action if known or not named else "standard", **known)
    return MechaReach(table, unit, action, moves, barred, named)
