"""Paths of several lots, cut apart where each of them may end."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.clauses import clause
from simulator.geometry.paths import Path
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.movement import legal_stop
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.spends import Lot

#: Pieces of a path shorter than this, in inches, are dropped.
_NONE = 1e-9


@clause("SK-5", "SK-56")
def cut(grounds: Grounds, path: Path, lots: Sequence[Lot]) -> list[tuple[Lot, Path]] | None:
    """Cut a path into lots that each end legally, as long as possible; None if no such lots lead to its end."""
    done = 0.0
    parts: list[tuple[Lot, Path]] = []
    for lot in lots:
        # Whether it may end at the final place is not checked here; limits are inclusive.
        is_last = done + lot.inches >= path.length - TOLERANCE
        stop = path.length if is_last else legal_stop(grounds.table, grounds.unit, path, done + lot.inches)
        if stop > done + _NONE:
            parts.append((lot, path.part(done, stop)))
            done = stop
    return parts if done >= path.length - _NONE else None
