"""Ways of several lots, cut apart where each of them may end."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.clauses import clause
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import Way
from simulator.pathing.free.parts import NO_PART, Pieces, part_of
from simulator.rulesets.skirmish.movement import LineOfMovement, legal_stop
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.spends import Lot


@clause("SK-5", "SK-56")
def cut(grounds: Grounds, way: Way, lots: Sequence[Lot]) -> list[tuple[Lot, Pieces]] | None:
    """Cut a way into lots that each end legally, as long ones as can be; None where such do not lead to its end."""
    line, done = LineOfMovement(way.start, way.pieces), 0.0
    parts: list[tuple[Lot, Pieces]] = []
    for lot in lots:
        # Whether it may end at the end of all is not the question here; limits are inclusive.
        is_last = done + lot.inches >= way.length - TOLERANCE
        stop = way.length if is_last else legal_stop(grounds.table, grounds.unit, line, done + lot.inches)
        if stop > done + NO_PART:
            parts.append((lot, part_of(way, done, stop)))
            done = stop
    return parts if done >= way.length - NO_PART else None
