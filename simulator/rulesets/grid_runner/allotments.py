"""How many squares a character has: the turn's passes, the printed tables, what is left in a pass."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.engine.clauses import clause
from simulator.engine.errors import OptionError
from simulator.engine.state import Unit
from simulator.rulesets.grid_runner.units import GridTable

#: The printed tables end at this number of passes.
MOST_PRINTED = 4


@clause("GR-4", "GR-19")
def high_ip(table: GridTable, units: Iterable[Unit]) -> int:
    """Return H, the largest number of initiative passes that any character has; the tables end at 4."""
    fastest = max(units, key=lambda unit: int(unit["passes"]), default=None)
    most = 1 if fastest is None else max(1, int(fastest["passes"]))
    if fastest is not None and most > MOST_PRINTED and table.options.h_above_4 == "error":
        raise OptionError(
            f"the tables end at {MOST_PRINTED} passes, and this is {most} (GR-19); with the option h_above_4: "
            "division_rule the turn's total is divided instead",
            f"{fastest.id}.passes",
        )
    return most


@clause("GR-6")
def divided(total: int, passes: int, number: int) -> int:
    """Return the share of one pass, counted from 0: the first passes share out the remainder of the division.

    >>> [divided(10, 3, number) for number in range(3)]
    [4, 3, 3]
    """
    return total // passes + (number < total % passes)


@clause("GR-11", "GR-12")
def turn_total(table: GridTable, unit: Unit, mode: str) -> int:
    """Return the squares of a whole turn: the figure for one pass, or the label beside it."""
    scale, metatype = table.options.scale, unit["metatype"]
    if scale == "m1" and table.options.m1_totals == "labels":
        return int(table.tables[f"m1_labels.{mode}.{metatype}"])
    return int(table.tables[f"allotment_table.{scale}.{mode}.{metatype}.h1"][0])


@clause("GR-6", "GR-7", "GR-18", "GR-31")
def allotment(table: GridTable, unit: Unit, mode: str, passes: int, number: int) -> int:
    """Return the squares of one pass, counted from 0, in a turn of `passes` passes: the walking or the running figure.

    The character's own number of passes makes no difference, and a figure of 0 means no movement.
    """
    by_labels = table.options.scale == "m1" and table.options.m1_totals == "labels"
    if by_labels or passes > MOST_PRINTED or table.options.allotment_source == "division_rule":
        return divided(turn_total(table, unit, mode), passes, number)
    row = table.tables[f"allotment_table.{table.options.scale}.{mode}.{unit['metatype']}.h{passes}"]
    return int(row[number])


def allotment_now(table: GridTable, unit: Unit, mode: str = "") -> int:
    """Return the squares of the current pass."""
    return allotment(table, unit, mode or unit["mode"], len(table.clock.phases), table.clock.number)


@clause("GR-33", "GR-34", role="search")
def sprint_squares(table: GridTable, hits: int) -> int:
    """Return the squares that the hits of a Running Test add in this pass; halves are rounded up."""
    each = table.tables[f"sprint.per_hit.{table.options.scale}"]
    return int(hits * ceil(each) if table.options.sprint_round == "per_hit" else ceil(hits * each))


def sprinted(table: GridTable, unit: Unit) -> int:
    """Return the squares that a character has gained by sprinting in this pass, without those that it lost again."""
    return 0 if unit["sprint_hits"] is None else sprint_squares(table, unit["sprint_hits"]) - int(unit["sprint_lost"])


@clause("GR-34")
def stops_running(table: GridTable, unit: Unit) -> dict[str, Any]:
    """Return what changes when a character's running ends: squares of a sprint that it has not used yet are lost."""
    unused = max(sprinted(table, unit) - int(unit["spent"]), 0)
    return {"mode": "walk", **({"sprint_lost": int(unit["sprint_lost"]) + unused} if unused else {})}


@clause("GR-20")
def figures_left(table: GridTable, unit: Unit, mode: str = "") -> int:
    """Return the squares of this pass's figure plus those that earlier passes of the turn left unused."""
    return allotment_now(table, unit, mode) + int(unit["carried"])


@clause("GR-13", role="search")
def own_squares(table: GridTable, unit: Unit, mode: str = "") -> int:
    """Return the squares of this pass without a sprint: its figure and what was carried over, up to the cap."""
    own = figures_left(table, unit, mode)
    if table.options.turn_total_cap:
        own = min(own, turn_total(table, unit, mode or unit["mode"]) - int(unit["spent_before"]))
    return max(own, 0)


@clause("GR-34")
def squares_left(table: GridTable, unit: Unit, mode: str = "") -> int:
    """Return the squares that a character can still use in this pass."""
    return max(own_squares(table, unit, mode) + sprinted(table, unit) - int(unit["spent"]), 0)


@clause("GR-13", "GR-20", "GR-32", role="search")
def counted_squares(table: GridTable, unit: Unit, spent: ArrayLike) -> NDArray[np.int64]:
    """Compute how many of the squares used in this pass count against the figures; those of a sprint are used first."""
    return np.asarray(np.maximum(np.asarray(spent) - sprinted(table, unit), 0))


@clause("GR-13", "GR-20")
def carried_on(table: GridTable, unit: Unit) -> dict[str, int]:
    """Return what the next pass of the turn has to know: squares the figures so far left unused, and squares used."""
    used = int(counted_squares(table, unit, int(unit["spent"])))
    left = max(figures_left(table, unit) - used, 0) if table.options.carry_over else 0
    return {"carried": left, "spent_before": int(unit["spent_before"]) + used}
