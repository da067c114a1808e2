"""Why a place is out of reach: every reason by its clause, on the level where the least is missing."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.geometry.poses import Pose
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.shortfalls import PoseShortfall, least_shortfalls
from simulator.rulesets.mecha.movement import MechaMoves


@clause("ME-10", "ME-41", "ME-43", "ME-50", "ME-71", "ME-87")
def against(
    planner: PosePlanner, moves: MechaMoves, pose: Pose, levels: Sequence[int], missing: float | None = None
) -> tuple[list[Breach], Sequence[PoseShortfall], Sequence[tuple[float, float]]]:
    """Return the reasons against a pose, what is missing, and the headings in which there would be room.

    They may be others where more than so much of the budget is `missing`.
    """
    heading = None if pose.heading is None else float(pose.heading)
    level, found, room = least_shortfalls(planner, pose.place, heading, levels, moves.space, missing)
    return [moves.breach(short, pose.place, level) for short in found], found, room
