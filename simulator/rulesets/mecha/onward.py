"""Where a unit ends that goes on in the second movement phase from where it climbed or jumped to in the first."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from simulator.engine.orders import Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.geometry.poses import Level
from simulator.pathing.posed import PoseStart
from simulator.rulesets.mecha.jump_reach import as_ordered
from simulator.rulesets.mecha.jumps_in_turns import JUMP
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves
from simulator.rulesets.mecha.phase_ends import passing
from simulator.rulesets.mecha.plans import Deeds
from simulator.rulesets.mecha.units import MechaTable


class Onward(MechaReach):
    """Where a unit ends whose second phase begins in one of the poses in which the first may end."""

    def __init__(self, table: MechaTable, mover: Unit, deeds: Deeds, moves: MechaMoves) -> None:
        """Store what it does in both phases, and the moves of the second one."""
        super().__init__(table, mover, str(deeds), moves)
        self.second = deeds.second

    @abstractmethod
    def orders_before(self, start: PoseStart) -> list[Order]:
        """Return the orders of the first phase, which end in the pose where the second begins."""

    @property
    def known_levels(self) -> Sequence[Level]:
        """The levels on which it ends."""
        return [self.level_names[number] for number in self.numbers_of(None)]

    def numbers_of(self, level: Level) -> Sequence[int]:
        """Return the numbers of the levels on which it ends: jumps do not end on the top that they leave."""
        return [number for number in super().numbers_of(level) if number or self.second != JUMP]

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of both phases that lead to a place or pose."""
        way = self.way_to(place)
        first = self.orders_before(way.start)
        if not way.moves:
            return first
        then = Order(self.mover.id, self.second, list(as_ordered(move_elements(way.moves))))
        return [*first, *passing(self.table, self.mover, first), then]
