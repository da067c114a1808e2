"""Why a place is out of reach: every reason by its clause, and what would help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.geometry.poses import Pose
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.shortfalls import PoseShortfall, least_shortfalls
from simulator.rulesets.combined_arms.features import height_of, pieces_on
from simulator.rulesets.combined_arms.matrix import altitude_limit
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.rulesets.combined_arms.shortages import shortage
from simulator.rulesets.combined_arms.units import ArmsTable, column_of
from simulator.wording import measure


@clause("CA-3", "CA-80", "CA-86")
def against(planner: PosePlanner, moves: ArmsMoves, pose: Pose, levels: Sequence[int]) -> tuple[list[Breach], str]:
    """Return the reasons against a pose at the altitude where the least is missing, and what would do."""
    heading = None if pose.heading is None else float(pose.heading)
    level, found, room = least_shortfalls(planner, pose.place, heading, levels, moves.space)
    reasons = [_breach(moves, pose.place, level, short) for short in found]
    return reasons, _remedy(found, room if heading is not None else ())


@clause("CA-106")
def _breach(moves: ArmsMoves, place: XY, level: int, short: PoseShortfall) -> Breach:
    """A reason; where an overrun on the way is what cannot be paid, that."""
    if moves.tolls and short.way is not None:
        found = shortage(moves, *short.way, moves.space.budget)
        if found is not None and found.clause == "CA-106":
            return replace(found, place=place)
    return moves.breach(short, place, level)


def _remedy(found: Sequence[PoseShortfall], room: Sequence[tuple[float, float]]) -> str:
    for short in found:
        if short.what in ("budget", "legs", "inches") and short.needed is not None and short.available is not None:
            return f"{round(short.needed - short.available, 4):g} more inches"
    if room and {"bars", "end", "edge"} & {short.what for short in found}:
        return "facing " + " or ".join(f"{first:.4g} to {last:.4g}" for first, last in room)
    return ""


@clause("CA-81")
def remedy_aloft(table: ArmsTable, unit: Unit, reasons: Sequence[Breach]) -> str:
    """Return how high a piece would have to be to clear what stands there, if it flies so high."""
    known = {piece.id: height_of(table.setting, piece) for piece in pieces_on(table.setting)}
    heights = [known[reason.blocker] for reason in reasons if reason.blocker in known]
    limit = altitude_limit(table.setting, column_of(unit))
    if not heights or max(heights) <= Fraction(unit["altitude"]) or (limit is not None and max(heights) > limit):
        return ""
    higher = max(heights) - Fraction(unit["altitude"])
    cleared = " and ".join(reason.blocker for reason in reasons if reason.blocker in known)
    return f"{measure(higher, 'inch')} higher would clear {cleared}"
