"""Whom a unit can charge from where it stands, and at which places it ends in contact with each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.rulesets.mecha.any_of_reach import AnyOfReach
from simulator.rulesets.mecha.charging import no_target, targets
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import compiled
from simulator.rulesets.mecha.units import MechaTable


class ChargesReach(AnyOfReach):
    """Where a unit can end a charge, whomever it charges: the answers for all targets as one."""

    def __init__(
        self, table: MechaTable, mover: Unit, barred: Sequence[Breach], charge: Callable[[str], MechaReach]
    ) -> None:
        """Store the question, what bars all charges, and what answers it for one target."""
        nobody = Breach("ME-88", f"there is no opposing unit that {mover.id} could charge")
        by_target = {name: charge(name) for name in targets(table, mover)}
        super().__init__(table, mover, "charge", barred, by_target, nobody)

    @property
    def by_target(self) -> Mapping[str, MechaReach]:
        """The answers by the target of the charge."""
        return self.by_name

    @property
    @clause("ME-87", role="search")
    def targets(self) -> dict[str, BaseGeometry]:
        """The units that can be charged, each with the places at which the charge ends: lines and points round it."""
        return self.areas

    def target_at(self, place: Any) -> str | None:
        """Return whom a charge is made on that ends at a place at the least cost; None: none ends there."""
        return self.named_at(place)


@clause("ME-87", "ME-88", role="search")
def charging(table: MechaTable, unit: Unit, target: str | None = None) -> MechaReach | ChargesReach:
    """Compute where a charge ends, on one target or on any."""
    barred = list(undeclarable(table, unit, "charge"))

    def on_one(name: str) -> MechaReach:
        against = [*barred, *no_target(table, unit, name)]
        is_there = table.state.units[name].place is not None
        moves = compiled(table, unit, "charge", target=name) if is_there else compiled(table, unit, "standard")
        return MechaReach(table, unit, "charge", moves, against, {"target": name})

    return ChargesReach(table, unit, barred, on_one) if target is None else on_one(target)
