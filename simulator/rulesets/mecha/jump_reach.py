"""Where jumps end, and where those above the limit do, which are falls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from simulator.engine.dice import Dice
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.poses import Level, Pose
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import top_of
from simulator.rulesets.mecha.falling import damage_dice, endurance_target
from simulator.rulesets.mecha.jump_judge import against_landing, no_jump
from simulator.rulesets.mecha.jumping import FALLS, JUMP_OFF, JumpMoves, jump_moves
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import compiled
from simulator.rulesets.mecha.units import MechaTable


class JumpReach(MechaReach):
    """Where the jumps of a unit end: on the ground, and on lower tops; not on the top that it leaves."""

    def __init__(self, table: MechaTable, mover: Unit, *, falls: bool = False) -> None:
        """Store the question: about jumps, or about those that are falls."""
        barred = [*undeclarable(table, mover, "jump"), *no_jump(table, mover)]
        on_top = top_of(table.setting, mover) is not None
        moves = jump_moves(table, mover, falls=falls) if on_top else compiled(table, mover, "standard")
        super().__init__(table, mover, "jump", moves, barred)
        self.falls = falls

    @property
    def flags(self) -> Collection[str]:
        """What all its ends are: `falls`, or nothing of note."""
        return (FALLS,) if self.falls else ()

    @property
    def known_levels(self) -> Sequence[Level]:
        """The levels below."""
        return [self.level_names[number] for number in self.numbers_of(None)]

    def numbers_of(self, level: Level) -> Sequence[int]:
        """Return the numbers of the levels on which jumps end: not that of the top."""
        return [number for number in super().numbers_of(level) if number]

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order that leads to a place or pose; raise NoRoute if there is none."""
        if not self.numbers_of(None):
            raise NoRoute(f"{self.mover.id} stands on no elevated terrain")
        return [replace(order, elements=list(_as_ordered(order.elements))) for order in super().orders_to(place)]

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach: first of all how a jump would come down there."""
        found, remedy = super().against_pose(pose)
        if self.barred or not isinstance(self.moves, JumpMoves):
            return found, remedy
        return list(against_landing(self.table, self.mover, self.moves, pose, falls=self.falls)) or found, remedy

    # --- falls ---

    def dice_at(self, place: Any) -> Dice | None:
        """Return the dice for the damage of a fall to a place; None: no damage, or no fall."""
        return damage_dice(self.table, self._drop_at(place)) if self.falls else None

    def endurance_at(self, place: Any) -> int | None:
        """Return the target of the Endurance test after a fall to a place; None: there is no fall."""
        return endurance_target(self.table, self.mover, self._drop_at(place)) if self.falls else None

    def _drop_at(self, place: Any) -> int:
        assert isinstance(self.moves, JumpMoves)
        assert self.moves.below is not None
        return self.moves.below.landing_at(self.pose_of(place).place).drop


def _as_ordered(elements: Sequence[Element]) -> Iterator[Element]:
    """Yield elements with the link over the edge as it is ordered."""
    for element in elements:
        yield Element(JUMP_OFF, {}) if element.name == "follow" else element


def jumping(table: MechaTable, unit: Unit, action: str, *, falls: bool = False) -> JumpReach:
    """Compute where the jumps of a unit end, or those that are falls."""
    del action
    return JumpReach(table, unit, falls=falls)
