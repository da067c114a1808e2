"""Where a Move Action ends, by the planner: costs in movement points, headings, levels, orders and reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.posed_orders import MoveWords
from simulator.engine.posed_reach import PosedReach
from simulator.engine.state import Unit
from simulator.geometry.poses import Level, Pose
from simulator.rulesets.mecha.movement import MechaMoves
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.why import against

#: What a unit has to spend that cannot declare an action.
_NOTHING = Fraction(-1)


class MechaReach(PosedReach[MechaOptions]):
    """Where a unit can end a Move Action."""

    unit = "mp"
    #: Turns cost halves of movement points.
    step_of_headings = 0.25

    def __init__(
        self,
        table: MechaTable,
        mover: Unit,
        action: str,
        moves: MechaMoves,
        barred: Sequence[Breach] = (),
        args: Mapping[str, Any] | None = None,
    ) -> None:
        """Store the question and the unit compiled for it; where something bars all it could do, why."""
        space = replace(moves.space, budget=_NOTHING) if barred else moves.space
        super().__init__(table, mover, action, space, MoveWords({}))
        self.moves, self.barred, self.args = moves, tuple(barred), args or {}

    @property
    def terms(self) -> object:
        """What the unit has to spend and from where, as far as that depends on what it did before."""
        space = self.space
        return bool(self.barred), space.starts, space.budget, space.more_than, space.most_inches

    @property
    def level_names(self) -> Sequence[Level]:  # type: ignore[override]  # each answer has levels of its own
        """The levels of the question."""
        return [level.name for level in self.moves.levels]

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order that leads to a place or pose; none if the unit is there already and need do nothing."""
        return [replace(order, args=self.args) for order in super().orders_to(place)]

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach, on the level where the least is missing."""
        return self._reasons(pose)

    def _reasons(self, pose: Pose, missing: float | None = None) -> tuple[Sequence[Breach], str]:
        """The same; the reasons may be others where more than so much is missing."""
        if self.barred:
            return self.barred, ""
        levels = self.numbers_of(pose.level)
        if not levels:
            return [Breach("ME-106", f"it does not get to {pose.level} with {self.action}")], ""
        reasons, found, room = against(self.planner, self.moves, pose, levels, missing)
        return reasons, self._remedy(pose, found, room)
