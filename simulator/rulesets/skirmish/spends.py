"""What a soldier can spend AP on to get somewhere: moves, runs and traverses, as the options in force have them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.rulesets.skirmish.movement import before_running, inches_of
from simulator.rulesets.skirmish.rolls import terrain_roll
from simulator.rulesets.skirmish.soldiers import SkirmishTable


class Lot(NamedTuple):
    """One spend on a line of movement: its AP, its inches, those after a failed roll, and the fewest it may measure."""

    action: str
    ap: int
    inches: float
    failed: float
    least: float = 0.0


@dataclass(frozen=True, eq=False)
class Spending:
    """The spends that a question of reach is about."""

    table: SkirmishTable
    unit: Unit
    ap: int
    moving: bool = True
    running: bool = True
    traversing: bool = True

    @cached_property
    @clause("SK-2", "SK-5", "SK-12")
    def moves(self) -> tuple[Lot, ...]:
        """The moves: of 1 AP each, or with `pool_ap` of as many as there are."""
        if not self.moving:
            return ()
        inches, lost = inches_of(self.table, self.unit), float(self.table.tables["terrain.lost_inches"])
        price = int(self.table.tables["cost.move"])
        pooled = range(1, self.ap // price + 1) if self.table.options.pool_ap else range(1, 2)
        return tuple(Lot("move", lots * price, lots * inches, max(lots * inches - lost, 0.0)) for lots in pooled)

    @cached_property
    @clause("SK-27", "SK-28", "SK-30", "SK-33", "SK-35")
    def run(self) -> Lot | None:
        """The run, where this soldier may run at all in this activation."""
        if not self.running or any(before_running(self.table, self.unit)):
            return None
        inches, failed = (float(self.table.tables[name]) for name in ("run.inches", "run.failed.inches"))
        least = float(self.table.options.run_min_inches)
        return Lot("run", int(self.table.tables["cost.run.ap"]), inches, failed, least)

    @cached_property
    @clause("SK-18", "SK-33")
    def may_traverse(self) -> bool:
        """Whether traverses are asked about, and not closed by a run in the same activation."""
        return self.traversing and not (self.is_exclusive and bool(self.unit["has_run"]))

    @cached_property
    @clause("SK-18")
    def traverse_ap(self) -> int:
        """What a traverse costs."""
        return int(self.table.options.traverse_ap)

    @cached_property
    @clause("SK-33")
    def is_exclusive(self) -> bool:
        """Whether a run and a traverse exclude each other in one activation."""
        return not self.table.options.run_and_traverse_same_activation

    @cached_property
    def terrain_chance(self) -> Fraction:
        """The chance of a Terrain roll."""
        return terrain_roll(self.table, self.unit).chance

    @cached_property
    @clause("SK-4")
    def is_straight(self) -> bool:
        """Whether each move is one straight line."""
        return bool(self.table.options.path_shape == "straight_per_ap")

    @cached_property
    @clause("SK-3")
    def is_by_front(self) -> bool:
        """Whether moves are measured from front to front."""
        return bool(self.table.options.measure == "front_point")
