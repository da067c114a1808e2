"""Who stands where and who rides what in a whole position: computed once, however many units there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, level_of, map_of, places_of
from simulator.rulesets.dot_trooper.units import DTTable, riders


@dataclass(frozen=True, eq=False)
class Occupancy:
    """The units of a position by dot and level, and those that vehicles carry."""

    #: The map without units.
    ground: DotSurroundings
    on: Mapping[tuple[Dot, int], tuple[str, ...]]
    table: DTTable

    @classmethod
    def of(cls, table: DTTable) -> Occupancy:
        """Collect the units of a table."""
        on: defaultdict[tuple[Dot, int], list[str]] = defaultdict(list)
        for unit in table.state:
            for dot in places_of(unit):
                on[dot, level_of(unit)].append(unit.id)
        return cls(
            DotSurroundings(map_of(table), table.options),
            {place: tuple(ids) for place, ids in on.items()},
            table,
        )

    @clause("DT-5", "DT-165")
    def blocker(self, unit: Unit, dot: Dot) -> str | None:
        """Name what keeps a unit from standing on a dot at its level; None if nothing does."""
        board, level = self.ground.board, level_of(unit)
        if dot not in board:
            return "the edge of the map"
        for other in self.on.get((dot, level), ()):
            if other != unit.id:
                return other
        return None if self.ground.surface(level, board.index(dot)) else "an obstacle"

    def crew(self, vehicle: Unit) -> tuple[Unit, ...]:
        """Return the troopers aboard a vehicle, the driver first."""
        return riders(self.table, vehicle)
