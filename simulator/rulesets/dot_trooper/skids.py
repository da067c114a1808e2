"""Where a wipe-out takes a vehicle: the rear of a failed turn, the slide, and what it hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.hex_lattice import Dot, step
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.poses import WAY, against_staying
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, direction_to, rear_of


@dataclass(frozen=True, slots=True)
class Skid:
    """The line of a skid: every pose from the first to the last, and what ended it early, if anything."""

    fronts: tuple[Dot, ...]
    heading: int
    #: What was hit: a unit, an obstacle, or "" for nothing. The edge of the map is no obstacle.
    hit: str = ""

    @property
    def front(self) -> Dot:
        """Where the front dot comes to rest."""
        return self.fronts[-1]

    @property
    def rear(self) -> Dot:
        """Where the rear dot comes to rest."""
        return rear_of(self.front, self.heading)

    @property
    def dots(self) -> int:
        """The length of the slide."""
        return len(self.fronts) - 1


@clause("DT-123", role="figure")
def skid_length(table: Table[DotTrooperOptions], mode: str, dots_per_ap: int) -> int:
    """Compute how far a wipe-out slides in a mode: the dots of the mode's skid AP."""
    return int(table.tables[f"mode.{mode}.skid_ap"]) * dots_per_ap


@clause("DT-120")
def heading_of_failure(heading: int, side: str, angle: int) -> int:
    """Return the orientation after a failed turn: that of a turn 60 degrees shallower.

    >>> heading_of_failure(0, "left", 120), heading_of_failure(0, "right", 60)
    (60, 0)
    """
    return (heading + WAY[side] * (angle - 60)) % 360


@clause("DT-120", "DT-121", "DT-122", "DT-128", "DT-167")
def slide(ground: DotSurroundings, front: Dot, heading: int, length: int, side: str = "", angle: int = 0) -> Skid:
    """Follow a wipe-out: the rear of the shallower turn, then straight on along the heading before the turn."""
    lying = heading_of_failure(heading, side, angle) if angle else heading
    if lying != heading:
        # Only where a swing need not be free on its way (DT-83) can the shallower place be taken, or off the map.
        rear = rear_of(front, lying)
        if rear not in ground.board:
            return Skid((front,), heading)
        if hit := _met(ground, rear) or _closed(ground, rear, front):
            return Skid((front,), heading, hit)
    if length and (hit := next(filter(None, (_met(ground, dot) for dot in (front, rear_of(front, lying)))), "")):
        # It wipes out on its way past a friend, which a slide meets like anything else that is solid.
        return Skid((front,), lying, hit)
    fronts = [front]
    for _ in range(length):
        here, rear = fronts[-1], rear_of(fronts[-1], lying)
        ahead, behind = step(here, heading // 60), step(rear, heading // 60)
        if ahead not in ground.board or behind not in ground.board:
            return Skid(tuple(fronts), lying)
        own = (here, rear)
        hits = [_met(ground, dot) for dot in (ahead, behind) if dot not in own]
        hits += [_closed(ground, here, ahead), _closed(ground, rear, behind), _closed(ground, behind, ahead)]
        if any(hits):
            return Skid(tuple(fronts), lying, next(filter(None, hits)))
        fronts.append(ahead)
    return Skid(tuple(fronts), lying)


@clause("DT-128", "DT-165")
def last_free_pose(ground: DotSurroundings, rest: tuple[Dot, int], way: Sequence[tuple[Dot, int]]) -> tuple[Dot, int]:
    """Return where a vehicle comes to rest: in a pose, or if a friend is there, in the last of its way that is free."""
    poses = (rest, *reversed(way[1:]))
    return next((pose for pose in poses if not any(against_staying(ground, *pose))), way[0])


@clause("DT-128")
def skid_ground(table: Table[DotTrooperOptions], vehicle: Unit) -> DotSurroundings:
    """Return the ground of a skid: an option decides which units are solid."""
    ground = DotSurroundings.of(table, vehicle)
    solid = {"vehicles_block": ("vehicle",), "all_block": ("vehicle", "trooper"), "none_block": ()}
    types = solid[table.options.skid_units]
    others = tuple((dot, level, id, False) for dot, level, id, _ in ground.others if table.unit(id).type in types)
    return DotSurroundings(ground.board, ground.options, others)


def _met(ground: DotSurroundings, dot: Dot) -> str:
    # Whoever lets a vehicle pass on its way does not let it come to rest (DT-165), and a slide may end anywhere.
    return "" if ground.at(ground.free, dot) else ground.blocker(dot)


def _closed(ground: DotSurroundings, dot: Dot, other: Dot) -> str:
    if ground.rolls[direction_to(dot, other)][ground.board.index(dot)]:
        return ""
    level = int(ground.board.level[ground.board.index(dot)])
    return ground.barrier_at(dot, other, level) or "a step"
