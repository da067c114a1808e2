"""What a soldier can spend AP on to get somewhere: moves, runs and traverses, as the options define them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.rulesets.skirmish.movement import are_exclusive, before_running, inches_after_failure, inches_of
from simulator.rulesets.skirmish.rolls import terrain_roll
from simulator.rulesets.skirmish.units import STANCES, SkirmishTable


class Lot(NamedTuple):
    """One spend on a line of movement: its AP, its inches, those after a failed roll, and its least length."""

    action: str
    ap: int
    inches: float
    failed: float
    least: float = 0.0
    stance: str = "standing"

    @property
    def is_shorter_failed(self) -> bool:
        """Whether it is cut short by a failed roll to less than it has to go (SK-30, SK-35)."""
        return self.failed < self.least <= self.inches


@dataclass(frozen=True, eq=False)
class Spending:
    """The spends that a question of reach covers."""

    table: SkirmishTable
    unit: Unit
    ap: int
    moving: bool = True
    running: bool = True
    traversing: bool = True
    #: Whether the stance may change on the way.
    changing: bool = False
    #: Whether all Terrain rolls are taken to fail.
    fails: bool = False

    @property
    def stance(self) -> str:
        """The stance it begins in."""
        return str(self.unit["stance"])

    @cached_property
    @clause("SK-64")
    def stance_ap(self) -> int:
        """The AP of a change of stance."""
        return int(self.table.tables["cost.change_stance"])

    @cached_property
    @clause("SK-2", "SK-27", "SK-64")
    def stances(self) -> tuple[str, ...]:
        """The stances worth taking up on the way, its own first: in another it gets farther, or may run."""
        found = [self.stance]
        if self.changing and self.stance_ap < self.ap:
            inches = {stance: self._inches(stance) for stance in STANCES}
            runs = self._run_in("standing") is not None and self.stance_ap + self._run_ap <= self.ap
            found += [
                stance
                for stance in STANCES
                if stance != self.stance
                and ((self.moving and inches[stance] > inches[self.stance]) or (stance == "standing" and runs))
            ]
        return tuple(found)

    @cached_property
    @clause("SK-64")
    def is_stance_free(self) -> bool:
        """Whether changes of stance are free: then each spend is made in whatever stance suits it."""
        return len(self.stances) > 1 and not self.stance_ap

    def may_become(self, stance: str) -> tuple[str, ...]:
        """Return the stances from which it is worth taking up this one for AP: it gains inches, or the run."""
        if self.is_stance_free:
            return ()
        gains = {other: self._inches(stance) > self._inches(other) for other in self.stances}
        is_for_run = stance == "standing" and self._run_in(stance) is not None
        return tuple(other for other in self.stances if other != stance and (gains[other] or is_for_run))

    def moves_in(self, stance: str) -> tuple[Lot, ...]:
        """Return the moves that can be made in a stance, or in any if changes are free."""
        stances = self.stances if self.is_stance_free else (stance,)
        return tuple(lot for one in stances for lot in self._moves_by_stance[one])

    @cached_property
    def moves(self) -> tuple[Lot, ...]:
        """The moves in all stances."""
        return tuple(lot for stance in self.stances for lot in self._moves_by_stance[stance])

    @cached_property
    @clause("SK-2", "SK-5", "SK-12")
    def _moves_by_stance(self) -> dict[str, tuple[Lot, ...]]:
        """The moves: of 1 AP each, or with `pool_ap` of any number of AP."""
        if not self.moving:
            return dict.fromkeys(self.stances, ())
        pooled = range(1, self.ap // self.move_ap + 1) if self.table.options.pool_ap else range(1, 2)
        return {stance: tuple(self._move(stance, lots) for lots in pooled) for stance in self.stances}

    def _move(self, stance: str, lots: int) -> Lot:
        inches = lots * self._inches(stance)
        failed = max(inches_after_failure(self.table, inches), 0.0)
        return Lot("move", lots * self.move_ap, inches, failed, stance=stance)

    @cached_property
    @clause("SK-1")
    def move_ap(self) -> int:
        """The AP of a move."""
        return int(self.table.tables["cost.move"])

    def _inches(self, stance: str) -> float:
        return inches_of(self.table, self.unit.put(stance=stance))

    @cached_property
    def run(self) -> Lot | None:
        """The run, if this soldier may run at all in this activation."""
        return next((run for run in map(self.run_in, self.stances) if run is not None), None)

    def run_in(self, stance: str) -> Lot | None:
        """Return the run that can be made in a stance, or in any if changes are free."""
        found = (self._run_in(one) for one in (self.stances if self.is_stance_free else (stance,)))
        return next((run for run in found if run is not None), None)

    @property
    def _run_ap(self) -> int:
        return int(self.table.tables["cost.run.ap"])

    @clause("SK-27", "SK-28", "SK-30", "SK-33", "SK-35")
    def _run_in(self, stance: str) -> Lot | None:
        if not self.running or any(before_running(self.table, self.unit.put(stance=stance))):
            return None
        inches, failed = (float(self.table.tables[name]) for name in ("run.inches", "run.failed.inches"))
        least = float(self.table.options.run_min_inches)
        return Lot("run", self._run_ap, inches, failed, least, stance)

    def farthest(self, ap: int) -> float:
        """Return the most inches that `ap` AP can cover."""
        lots = [*self.moves, *([self.run] if self.run is not None and self.run.ap <= ap else [])]
        return ap * max([lot.inches / lot.ap for lot in lots], default=0.0)

    @cached_property
    @clause("SK-18", "SK-33")
    def may_traverse(self) -> bool:
        """Whether the question includes traverses, and no run in the same activation excludes them."""
        return self.traversing and not (self.is_exclusive and bool(self.unit["has_run"]))

    @cached_property
    @clause("SK-18")
    def traverse_ap(self) -> int:
        """The AP of a traverse."""
        return int(self.table.options.traverse_ap)

    @cached_property
    @clause("SK-33")
    def is_exclusive(self) -> bool:
        """Whether a run and a traverse exclude each other in one activation."""
        return are_exclusive(self.table)

    @cached_property
    def terrain_chance(self) -> Fraction:
        """The chance of a Terrain roll."""
        return Fraction(0) if self.fails else terrain_roll(self.table, self.unit).chance

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
