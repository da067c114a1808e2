"""Where a transport can end its drives with a passenger aboard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.pathing.posed import Move
from simulator.rulesets.combined_arms.drives import Journey
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.rulesets.combined_arms.reach import ArmsReach


class AboardReach(ArmsReach):
    """Where a transport can end with a passenger aboard."""

    def __init__(self, journey: Journey, mover: Unit, moves: ArmsMoves) -> None:
        """Store the journey and what the transport can do."""
        super().__init__(journey.table, mover, "move", moves, ())
        self.journey = journey

    def orders_to(self, place: Any) -> list[Order]:
        """Return the orders of all turns."""
        return self.journey.played(self.mover.id, self.space, self.moves_to(place))

    def moves_to(self, place: Any) -> Sequence[Move]:
        """Return the moves of all turns, on the level that the transport is on."""
        pose = self.pose_of(place)
        heading = None if pose.heading is None else float(pose.heading)
        return self.planner.moves_to(pose.place, heading, self.space.starts[0].level)
