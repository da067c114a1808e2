"""Where breaking away ends: for certain, possibly, and with which chance, whoever attacks before it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Kind, is_name
from simulator.engine.state import Unit
from simulator.engine.values import show
from simulator.geometry.shapes import joined, less
from simulator.geometry.tolerances import SLACK
from simulator.rulesets.mecha.breaking_away import SUCCEEDS, attackers, budget_when_hit
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves, compiled
from simulator.rulesets.mecha.units import MechaTable

#: One chance, for all attackers; or that of each, by its name.
Chances = Fraction | Mapping[str, Fraction]

_CHANCE = r"(?:\d{1,9}/\d{1,9}|\d{0,9}\.?\d{1,9})"
_EACH = re.compile(rf"(\w+)=({_CHANCE})")
_ABOUT = "the chance that an attack hits, such as 1/2, or that of each attacker: B1=1/2,B2=0.3"


def _chance(text: str) -> Fraction:
    found = Fraction(text)
    if not 0 <= found <= 1:
        raise ValueError("a chance is a number from 0 to 1")
    return found


def _read(text: str) -> Chances:
    if "=" not in text:
        return _chance(text)
    return {name: _chance(chance) for name, chance in _EACH.findall(text)}


def _write(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(Fraction(value))
    if not all(is_name(name) for name in value):
        raise ValueError("the chances of attackers stand by their names")
    return ",".join(f"{name}={Fraction(chance)}" for name, chance in value.items())


#: The kind of what is told about the attacks.
CHANCES_OF_HITS = Kind(_ABOUT, re.compile(rf"{_CHANCE}|\w+={_CHANCE}(?:,\w+={_CHANCE})*"), _read, _write, example="1/2")
#: That of what is told about the action itself.
CHANCE = Kind("a chance from 0 to 1, such as 1/2", re.compile(_CHANCE), _chance, lambda value: str(Fraction(value)))


class BreakAwayReach(MechaReach):
    """Where a unit ends that breaks away; what is not told about attacks and the action goes its way."""

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
    @clause("ME-61", role="odds")
    def unhit(self) -> Fraction:
        """The chance that nobody hits, if all attack."""
        chances = [
            self._hits.get(name, Fraction(0)) if isinstance(self._hits, Mapping) else self._hits
            for name in self.attackers
        ]
        return math.prod((1 - chance for chance in chances), start=Fraction(1))

    @cached_property
    def _sure(self) -> Fraction:
        """What may be spent whoever hits."""
        if not self.attackers:
            return Fraction(self.most)
        return min(Fraction(self.most), budget_when_hit(self.table, self.mover))

    @property
    @clause("ME-61", "ME-62", role="odds")
    def certain_area(self) -> BaseGeometry:
        """Where it ends for certain, whoever hits; where the action may fail, that is where it stands."""
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
        for level in dict.fromkeys(chance for chance, _ in known) if levels is None else levels:
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
    action: str,
    hit_chances: Chances = Fraction(0),
    success_chance: Fraction = Fraction(1),
) -> BreakAwayReach:
    """Compute where a Break Away ends."""
    barred = list(undeclarable(table, unit, action))
    return BreakAwayReach(table, unit, compiled(table, unit, action), barred, hit_chances, success_chance)
