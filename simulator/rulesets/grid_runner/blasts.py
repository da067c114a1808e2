"""Blasts: the damage left at a distance, and the rolls of those caught at m5."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.values import Number
from simulator.geometry.squares import Square
from simulator.rulesets.grid_runner.ranges import counted_distance
from simulator.rulesets.grid_runner.units import GridTable


@clause("GR-94")
def blast_damage(table: GridTable, power: Number, loss_per_metre: Number, distance: int, die: int = 0) -> Fraction:
    """Return the damage of a blast `distance` squares away: the loss per metre counts for each metre of a square.

    The die of somebody caught in it is subtracted last; nothing falls below 0.
    """
    metres = Fraction(table.tables[f"metres.{table.options.scale}"])
    left = max(Fraction(power) - Fraction(loss_per_metre) * metres * distance, Fraction(0))
    return max(left - die, Fraction(0))


@dataclass(frozen=True, slots=True)
class Caught:
    """A character in a blast: its distance from the centre, and whether it rolls to resist."""

    unit: str
    distance: int
    rolls: bool


@clause("GR-94", "GR-95")
def caught_in(
    table: GridTable, centre: Square, power: Number, loss_per_metre: Number, target: str = ""
) -> Iterator[Caught]:
    """Yield the characters that a blast damages, in the order of the list.

    At m5 with `blast_random_m5` each of them that is not its target rolls.
    """
    random = table.options.scale == "m5" and table.options.blast_random_m5
    for unit in table.state:
        if unit.place is not None:
            distance = counted_distance(table.options.range_metric, centre, unit.place)
            if blast_damage(table, power, loss_per_metre, distance) > 0:
                yield Caught(unit.id, distance, random and unit.id != target)
