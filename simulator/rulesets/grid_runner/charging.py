"""Charging: the free squares a charge needs, the way it takes, and the dice it earns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.squares import Square
from simulator.rulesets.grid_runner.units import GridTable, grid_of, others_at


def squares_apart(one: Square, other: Square) -> int:
    """Return the larger of the two offsets."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@clause("GR-74")
def striking_distance(scale: str) -> int:
    """Compute how far apart the two stand when the charge strikes: side by side, at m5 in one square."""
    return 0 if scale == "m5" else 1


@clause("GR-74", role="figure")
def free_squares_needed(table: GridTable) -> int:
    """Compute how many empty, unimpeded squares a charge needs."""
    return int(table.tables[f"charge_distance.{table.options.scale}"])


@clause("GR-74")
def is_clear(table: GridTable, square: Square, unit: Unit) -> bool:
    """Whether a square is empty and unimpeded, as a charge requires."""
    return not grid_of(table).impeded[grid_of(table).index(square)] and not any(others_at(table, square, unit))


@clause("GR-75", role="judge")
def pace_breaches(table: GridTable, unit: Unit) -> Iterator[Breach]:
    """Yield why a character cannot charge at its pace: by option a charger has to run."""
    if table.options.charge_requires_running and unit["mode"] != "run":
        yield Breach("GR-75", f"{unit.id} walks: a charger has to run")


@clause("GR-74", role="judge")
def distance_breaches(table: GridTable, unit: Unit, target: Unit, origin: Square, verb: str) -> Iterator[Breach]:
    """Yield why a direct charge from a square is too short: too few squares lie between it and the target's."""
    between, needed = squares_apart(origin, target.place) - 1, free_squares_needed(table)
    if between < needed:
        message = f"{between} squares {verb} between {unit.id} and {target.id}: a charge needs {needed}"
        yield Breach("GR-74", message, needed, between, target.id, origin)


@clause("GR-74", "GR-75", role="judge")
def charge_breaches(table: GridTable, unit: Unit, target: Unit) -> Iterator[Breach]:
    """Yield the reasons why a melee attack on this enemy is no charge, judged by the movement made in this pass."""
    path: Sequence[Square] = unit["path"]
    if len(path) < 2:
        yield Breach("GR-75", f"{unit.id} does not come from a movement: a charge ends one, before others act")
        return
    yield from pace_breaches(table, unit)
    clear: Sequence[bool] = unit["path_clear"]
    if table.options.charge_path == "any":
        moved_through, needed = sum(clear), free_squares_needed(table)
        if moved_through < needed:
            message = f"{moved_through} empty, unimpeded squares were moved through: a charge needs {needed}"
            yield Breach("GR-74", message, needed, moved_through)
        return
    yield from distance_breaches(table, unit, target, path[0], "lay")
    for number, square in enumerate(path[1:]):
        if squares_apart(square, target.place) != squares_apart(path[number], target.place) - 1:
            message = f"the step to {square[0]},{square[1]} does not lead nearer to {target.id}"
            yield Breach("GR-74", message, blocker=target.id, place=square)
        if not clear[number] and square != (target.place if table.options.scale == "m5" else None):
            message = f"{square[0]},{square[1]} was not empty and unimpeded"
            yield Breach("GR-74", message, place=square)
