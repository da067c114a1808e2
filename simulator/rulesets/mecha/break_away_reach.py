"""Where breaking away ends, certainly, possibly, and with which chance, whichever units attack first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.given import chances_given
from simulator.engine.state import Unit
from simulator.engine.values import show
from simulator.geometry.shapes import joined, less
from simulator.geometry.tolerances import SLACK
from simulator.rulesets.mecha.breaking_away import SUCCEEDS, attackers, budget_when_hit
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves, compiled
from simulator.rulesets.mecha.odds import Chances, chance_unhit
from simulator.rulesets.mecha.units import MechaTable


class BreakAwayReach(MechaReach):
    """Where a unit that breaks away ends; whatever is not stated about attacks and the action goes in its favour."""

    def __init__(
        self,
        table: MechaTable,
        mover: Unit,
        moves: MechaMoves,
        barred: Sequence[Breach] = (),
        hits: Chances = Fraction(0),
        success: Fraction = Fraction(1),
    ) -> None:
        """Store the question, with the chances that attacks hit and that the action succeeds."""
        super().__init__(table, mover, "break_away", moves, barred)
        self._success = success if table.options.action_test != SUCCEEDS else Fraction(1)
        self._hits = hits

    @property
    def attackers(self) -> tuple[str, ...]:
        """Who may make an Attack of Opportunity before the move."""
        return tuple(other.id for other in attackers(self.table, self.mover))

    @cached_property
    def unhit(self) -> Fraction:
        """The chance that nobody hits, if all attack."""
        return chance_unhit(self.attackers, self._hits)

    @cached_property
    def _sure(self) -> Fraction:
        """What may be spent whichever attacks hit."""
        if not self.attackers:
            return Fraction(self.most)
        return min(Fraction(self.most), budget_when_hit(self.table, self.mover))

    @property
    @clause("ME-61", "ME-62", role="odds")
    def certain_area(self) -> BaseGeometry:
        """Where it certainly ends, whichever attacks hit; if the action may fail, that is where it stands."""
        if self.barred:
            return self.area
        return shapely.Point(self.start) if self.table.options.action_test != SUCCEEDS else self._within(self._sure)

    @clause("ME-61", "ME-62", role="odds")
    def chance_at(self, place: Any) -> Fraction:
        """Return the chance of ending at a place or in a pose by the cheapest order, if all attack that may."""
        pose = self.pose_of(place)
        cost = self.cost_at(pose)
        if cost is None:
            return Fraction(0)
        stays = not self.orders_to(pose)
        return Fraction(1) if stays else self._chance(sure=cost <= float(self._sure) + SLACK)

    def _chance(self, *, sure: bool) -> Fraction:
        return self._success if sure else self._success * self.unhit

    @clause("ME-61", "ME-62", role="odds")
    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance, disjoint, the surest first: for each level the area with at least that chance."""
        known = [(self._chance(sure=True), self._within(self._sure)), (self._chance(sure=False), self.area)]
        if self._success < 1 and not self.barred:
            known.insert(0, (Fraction(1), shapely.Point(self.start)))
        found = list[tuple[Fraction, BaseGeometry]]()
        taken: BaseGeometry = shapely.Polygon()
        for level in dict.fromkeys(chance for chance, _ in known) if levels is None else chances_given(levels):
            whole = joined(area for chance, area in known if chance and chance >= level)
            rest = less(whole, taken)
            if not rest.is_empty:
                found.append((level, rest))
            taken = joined([taken, whole])
        return found

    def about(self) -> dict[str, Any]:
        """Return who may attack, and the chance that nobody hits."""
        return {"attackers": list(self.attackers), "chance_unhit": show(self.unhit)}


@clause("ME-58", "ME-63", role="search")
def breaking_away(
    table: MechaTable,
    unit: Unit,
    hit_chances: Chances = Fraction(0),
    success_chance: Fraction = Fraction(1),
) -> BreakAwayReach:
    """Compute where a Break Away ends."""
    barred = list(undeclarable(table, unit, "break_away"))
    return BreakAwayReach(table, unit, compiled(table, unit, "break_away"), barred, hit_chances, success_chance)
