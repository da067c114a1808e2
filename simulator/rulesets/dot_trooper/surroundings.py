"""The map for movement: where a vehicle, a trooper or a flight may pass and end, dot by dot and edge by edge.

Everything is an array over the dots of the map, computed once for a position. The compilers read whole arrays, the
judge single entries of the same arrays, so a condition has one home.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.arrays import shifted
from simulator.geometry.dots import BARRIERS, DotMap, Edge, EdgeKind
from simulator.geometry.hex_lattice import DIRECTIONS, Dot, distance, step
from simulator.geometry.poses import place_text
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.terrain import CLIMBS, CLOSED, RAMPS, WAYS_OUT

Mask = NDArray[np.bool_]
#: A dot of another unit: where, on which level, which unit, and whether it may be passed.
Other = tuple[Dot, int, str, bool]


@clause("DT-3", "DT-4")
def steps_apart(one: Dot, other: Dot) -> tuple[int, int]:
    """Return the steps needed between two dots that are not adjacent, and those available: one, or none."""
    away = distance(one, other)
    return (away, 1) if away else (1, 0)


@clause("DT-3", "DT-4", role="judge")
def not_adjacent(one: Dot, other: Dot) -> Breach:
    """Report that a dot is not next to the one before it."""
    message = f"{place_text(other)} is not next to {place_text(one)}"
    return Breach("DT-4", message, *steps_apart(one, other), place=other)


@clause("DT-167", role="judge")
def off_the_map(dot: Dot) -> Breach:
    """Report that a dot is not on the map."""
    return Breach("DT-167", f"{place_text(dot)} is off the map", blocker="the edge of the map", place=dot)


@clause("DT-2", "DT-49", "DT-50")
def rear_of(front: Dot, heading: int) -> Dot:
    """Return the rear dot of a vehicle whose front dot and heading (in degrees) are these.

    >>> rear_of((0, 0), 0), rear_of((0, 0), 60)
    ((-1, 0), (-1, 1))
    """
    return step(front, heading // 60 + 3)


@clause("DT-49")
def dots_of_vehicle(vehicle: Unit) -> tuple[Dot, Dot]:
    """Return the front and the rear dot of a vehicle."""
    return vehicle.place, rear_of(vehicle.place, vehicle.heading)


@clause("DT-1", "DT-51", "DT-165")
def places_of(unit: Unit) -> tuple[Dot, ...]:
    """Return the dots that a unit takes up: two for a vehicle, one for a trooper, none for one who rides or flies."""
    if unit.place is None or unit.carrier:
        return ()
    return dots_of_vehicle(unit) if unit.type == "vehicle" else (unit.place,)


def map_of(table: Table[Any]) -> DotMap:
    """Return the board, which for this rulebook is a map of dots."""
    if not isinstance(table.board, DotMap):
        raise TypeError("dot_trooper needs a map of dots")
    return table.board


def ground_level(table: Table[Any], dot: Dot) -> int:
    """Return the level of the ground at a dot."""
    board = map_of(table)
    return int(board.level[board.index(dot)])


def level_of(unit: Unit) -> int:
    """Return the level on which a unit stands."""
    return int(unit["level"])


def arrived(mask: NDArray[Any], direction: int, beyond: Any = False) -> NDArray[Any]:
    """Compute for each dot the value of the mask at the next dot in a direction."""
    across, down = DIRECTIONS[direction % 6]
    return shifted(mask, down, across, beyond)


@dataclass(frozen=True, eq=False)
class DotSurroundings:
    """A map with the units on it, as it is for one unit about to move."""

    board: DotMap
    options: DotTrooperOptions
    #: The units in the way, dot by dot.
    others: tuple[Other, ...] = ()
    #: Where a trooper about to move stands, and on which level; others may stand there too (DT-133).
    own: tuple[Dot, int] | None = None

    @classmethod
    @clause("DT-165")
    def of(cls, table: Table[DotTrooperOptions], mover: Unit) -> DotSurroundings:
        """Return the ground for a unit: it is not in its own way, nor are those aboard in that of a vehicle."""
        friends_pass = table.options.pass_through_units == "friends"
        others = tuple(
            (dot, level_of(unit), unit.id, friends_pass and unit.side == mover.side)
            for unit in table.state
            if unit.id != mover.id
            for dot in places_of(unit)
        )
        on_foot = mover.type == "trooper" and mover.place is not None
        return cls(map_of(table), table.options, others, (mover.place, level_of(mover)) if on_foot else None)

    def without_units(self) -> DotSurroundings:
        """Return the same ground without units."""
        return DotSurroundings(self.board, self.options, (), self.own)

    def around(self, dot: Dot, radius: int) -> DotSurroundings:
        """Return the part of the ground within `radius` dots of a dot; what lies beyond counts as off the map."""
        (q, r), (first_q, first_r) = dot, self.board.first
        height, width = self.board.shape
        rows = slice(max(r - first_r - radius, 0), min(r - first_r + radius + 1, height))
        columns = slice(max(q - first_q - radius, 0), min(q - first_q + radius + 1, width))
        if (rows, columns) == (slice(0, height), slice(0, width)):
            return self
        board = self.board.part(rows, columns)
        # Two comparisons exclude most of a crowd before the map itself is read.
        near = (one for one in self.others if abs(one[0][0] - q) <= radius and abs(one[0][1] - r) <= radius)
        return DotSurroundings(board, self.options, tuple(other for other in near if other[0] in board))

    # --- dots ---

    @cached_property
    @clause("DT-5", "DT-167", role="search")
    def solid(self) -> Mask:
        """Where there is no dot of the map, or an impassable one."""
        return ~self.board.present | self.board.impassable

    def taken(self, level: int | None, passing: bool) -> Mask:
        """Mark where other units stand on a level (None: the ground), but for those that may be passed when passing."""
        mask = np.zeros(self.board.shape, np.bool_)
        for dot, on, _, lets_pass in self.others:
            if dot in self.board:
                at = self.board.index(dot)
                if (on == (self.board.level[at] if level is None else level)) and not (passing and lets_pass):
                    mask[at] = True
        return mask

    @cached_property
    def passable(self) -> Mask:
        """Where either dot of a vehicle may pass."""
        return ~self.solid & ~self.taken(None, passing=True)

    @cached_property
    def free(self) -> Mask:
        """Where either dot of a vehicle may stay."""
        return ~self.solid & ~self.taken(None, passing=False)

    # --- edges ---

    @property
    @clause("DT-5", "DT-76", "DT-166", role="search")
    def rolls(self) -> Mask:
        """The edges a vehicle may cross or straddle: no wall or window, one level or a ramp: [direction, row, col]."""
        return _rolling_edges(self.board)

    # --- one dot or edge, for the judge ---

    def at(self, mask: Mask, dot: Dot) -> bool:
        """Read a mask at a dot; off the map it is False."""
        return dot in self.board and bool(mask[self.board.index(dot)])

    def across(self, mask: Mask, dot: Dot, other: Dot) -> bool:
        """Read an array of edges at the edge from one dot to the next."""
        return dot in self.board and bool(mask[direction_to(dot, other)][self.board.index(dot)])

    def blocker(self, dot: Dot, level: int | None = None) -> str:
        """Name what is in the way at a dot."""
        if dot not in self.board:
            return "the edge of the map"
        at = self.board.index(dot)
        on_level = int(self.board.level[at]) if level is None else level
        return next((id for place, on, id, _ in self.others if place == dot and on == on_level), "an obstacle")

    # --- on foot ---

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """Every level on which a trooper can stand, somewhere on the map."""
        board = self.board
        low, high = int(board.level[board.present].min()), int(board.top[board.present].max())
        return tuple(range(low, high + 1))

    def surface(self, level: int, at: Any = ...) -> Mask:
        """Mark where a trooper can stand on a level: ground, floors and roofs; everywhere, or at one index."""
        return np.asarray(_surface_of(self.board, level)[at])

    def walkable(self, level: int, passing: bool = True) -> Mask:
        """Mark where a trooper may walk through on a level, or stay."""
        mask = _surface_of(self.board, level).copy()
        for dot, on, _, lets_pass in self.others:
            if on == level and not (passing and lets_pass) and dot in self.board:
                mask[self.board.index(dot)] = False
        return mask

    @clause("DT-133", "DT-165", role="search")
    def walkable_from_here(self, level: int, passing: bool = True) -> Mask:
        """Mark the same before any flight: where the trooper stands it may get up, lie down, rest and take off.

        Returning there from elsewhere never pays, so leaving this dot open changes no price.
        """
        mask = self.walkable(level, passing)
        if self.own is not None and self.own[1] == level and self.at(_surface_of(self.board, level), self.own[0]):
            mask[self.board.index(self.own[0])] = True
        return mask

    def walks(self, level: int) -> Mask:
        """Mark the edges that a trooper may cross on a level: [direction, row, column]."""
        return ~_barriers_at(self.board, level, CLOSED) & self.board.present

    def climbs(self) -> Iterator[tuple[Dot, int, Dot, int]]:
        """Yield every way by stairs or ladder, up and down: from a dot and level to a dot and level."""
        for edge in self.board.edges:
            if edge.kind in CLIMBS:
                low, high = joined_levels(self.board, edge)
                yield edge.a, low, edge.b, high
                yield edge.b, high, edge.a, low

    # --- in the air ---

    @cached_property
    @clause("DT-11", "DT-15", role="search")
    def landing(self) -> Mask:
        """Where a flight may land, roof or ground: outdoors, standable, nobody there (DT-16)."""
        on_top = np.zeros(self.board.shape, np.bool_)
        for dot, on, _, _ in self.others:
            if dot in self.board and on == self.board.top[self.board.index(dot)]:
                on_top[self.board.index(dot)] = True
        return ~self.solid & ~on_top

    def indoors(self, level: int) -> Mask:
        """Mark the dots inside a building on a level."""
        board = self.board
        return board.present & (board.level <= level) & (level < board.top)

    def windows(self, level: int) -> Mask:
        """Mark the edges with a window or door on a level: [direction, row, column]."""
        return _barriers_at(self.board, level, WAYS_OUT)

    def barrier_at(self, dot: Dot, other: Dot, level: int) -> str:
        """Name the barrier on an edge at a level, "" if there is none."""
        for edge in self.board.edges:
            between = {edge.a, edge.b} == {dot, other} and edge.kind in BARRIERS
            if between and (edge.levels is None or edge.levels[0] <= level <= edge.levels[1]):
                return edge.kind
        return ""


def joined_levels(board: DotMap, edge: Edge) -> tuple[int, int]:
    """Return the levels that a ramp, stairs or a ladder connects: of its first dot and of its second."""
    return edge.levels or (int(board.level[board.index(edge.a)]), int(board.level[board.index(edge.b)]))


@kept(megabytes=64)
def _barriers_at(board: DotMap, level: int, kinds: tuple[EdgeKind, ...]) -> Mask:
    """Compute the edges with a barrier on a level: once for a map, like `_rolling_edges`."""
    found = _barriers_on(board, np.full(board.shape, level), kinds)
    found.flags.writeable = False
    return found


def _barriers_on(board: DotMap, level: NDArray[Any], kinds: tuple[EdgeKind, ...]) -> Mask:
    """Compute the edges with a barrier at the level of the dot being left: [direction, row, column]."""
    found = np.zeros((6, *board.shape), np.bool_)
    for edge in board.edges:
        if edge.kind not in kinds:
            continue
        direction = direction_to(edge.a, edge.b)
        for dot, way in ((edge.a, direction), (edge.b, (direction + 3) % 6)):
            at = board.index(dot)
            if edge.levels is None or edge.levels[0] <= level[at] <= edge.levels[1]:
                found[way][at] = True
    return found


def _ramps_on(board: DotMap) -> Mask:
    """Compute where a ramp connects the ground of a dot to that of the next: [direction, row, column]."""
    found = np.zeros((6, *board.shape), np.bool_)
    for edge in board.edges:
        if edge.kind not in RAMPS:
            continue
        direction = direction_to(edge.a, edge.b)
        a, b = board.index(edge.a), board.index(edge.b)
        if joined_levels(board, edge) == (board.level[a], board.level[b]):
            found[direction][a] = found[(direction + 3) % 6][b] = True
    return found


@kept(megabytes=32)
def _surface_of(board: DotMap, level: int) -> Mask:
    """Compute where a trooper can stand on a level, once for a map."""
    found: Mask = board.present & ~board.impassable & (board.level <= level) & (level <= board.top)
    found.setflags(write=False)
    return found


@kept(megabytes=64)
def _rolling_edges(board: DotMap) -> Mask:
    """Compute the edges that a vehicle may cross, once for a map: it does not change in the course of a game."""
    level, ramps = board.level, _ramps_on(board)
    either_side = _barriers_on(board, level, CLOSED)
    found = np.zeros((6, *board.shape), np.bool_)
    for way in range(6):
        back = arrived(either_side[(way + 3) % 6], way, True)
        on_a_level = arrived(level.astype(np.int64), way, -(10**6)) == level
        found[way] = ~either_side[way] & ~back & (on_a_level | ramps[way])
        found[way] &= board.present & arrived(board.present, way)
    found.setflags(write=False)
    return found


def direction_to(dot: Dot, other: Dot) -> int:
    """Return the direction from a dot to an adjacent one; raises ValueError if it is not adjacent."""
    return DIRECTIONS.index((other[0] - dot[0], other[1] - dot[1]))
