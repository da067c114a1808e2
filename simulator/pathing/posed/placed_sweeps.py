"""Families of rays from where a mover may be placed: fans from places, and strips along lines.

A ray is a leg that the mover is placed for, so no turn comes before it. Fans are `PoseFans` that turn for nothing. The
rays of a strip keep their angle to the normal of the line: those of a segment are parallel, and those of an arc spread.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.placed_lines import PlacedLines, Spots, states_at, stations
from simulator.pathing.posed.rays import has_room, shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned
from simulator.pathing.posed.sweeps_of_rays import BEYOND, FromOnePlace, Outset, RaySweep, bearings_past, cross

#: Degrees between the first rays of a fan, and between the strips of a line.
_APART, _STRIPS = 30.0, 22.5
#: Rays of the strips of an arc lead no farther inward than so many degrees from its normal, or they would cross.
_INWARD = 100.0


def _outset(space: PoseSpace, states: PoseStates) -> Outset:
    """What legs start with for which a mover is placed."""
    count, none = len(states.price), np.zeros(len(states.price))
    turns = Turned(
        np.arange(count),
        states.heading,
        states.price,
        states.free,
        states.group,
        none,
        none,
        none,
        states.tolls,
        states.covered,
    )
    room = has_room(space, states.place, states.heading)
    return Outset(states.place, states.heading, turns, states.travelled, room)


class PlacedFans(FromOnePlace):
    """Headings that a mover may be placed with at spots, each in one mode; the parameter is the angle from a middle."""

    def __init__(self, space: PoseSpace, lines: PlacedLines, spots: Spots, facing: float | None) -> None:
        self._space, self._lines = space, lines
        modes, count = len(space.asides), len(spots.line)
        self.modes, self._spot = np.tile(np.arange(modes), count), np.repeat(np.arange(count), modes)
        self._spots, self._place = spots, lines.places(spots)
        wide = lines.wide[spots.line]
        low = lines.low[spots.line] + np.where(lines.relative[spots.line], lines.normals(spots), 0.0)
        self._middle, self._half = low + wide / 2.0, wide / 2.0
        marks = [
            np.tile(np.arange(-180.0, 180.0 + _APART, _APART), (count, 1)),
            -self._half[:, None],
            self._half[:, None],
        ]
        if facing is not None:
            limits = space.turns.limits
            toward = shorter(facing + np.r_[0.0, limits, -limits, 180.0] - self._middle[:, None])
            marks += [toward, toward + BEYOND, toward - BEYOND]
        angles = np.sort(np.concatenate(marks, axis=1), axis=1)
        known = np.abs(angles) <= self._half[:, None]
        known[:, 1:] &= np.diff(angles, axis=1) > 0.0
        family, column = np.nonzero(known[self._spot])
        self._first = family, angles[self._spot[family], column]

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return rays evenly apart, those at the ends of ranges, and those where the price of a last turn changes."""
        return self._first

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Place the mover."""
        spot = self._spot[family]
        spots = pick(self._spots, spot)
        return _outset(self._space, states_at(self._space, self._lines, spots, self._middle[spot] + at))

    def meeting(self, family: IntArray, place: FloatArray, left: FloatArray) -> FloatArray:
        """Compute the angles."""
        spot = self._spot[family]
        toward = bearings_past(place - self._place[spot], left)
        angle = shorter(toward - self._space.asides_of(self.modes[family]) - self._middle[spot])
        return np.where(np.abs(angle) <= self._half[spot], angle, np.nan)


def placed_facing(space: PoseSpace, lines: PlacedLines, spots: Spots, facing: float | None) -> PoseStates:
    """Return where movers are placed at spots that travel obliquely: as they are to face in the end, or nearly so."""
    wide = lines.wide[spots.line]
    low = lines.low[spots.line] + np.where(lines.relative[spots.line], lines.normals(spots), 0.0)
    wanted = [low, low + wide]
    if facing is not None:
        wanted.append(lines.nearest_headings(spots, np.full(len(wide), facing)))
    states = join([states_at(space, lines, spots, heading) for heading in wanted])
    return pick(states, has_room(space, states.place, states.heading))


class PlacedStrips(RaySweep):
    """Places along lines, with one angle from the normal and one mode for each family; the parameter is in inches."""

    def __init__(self, space: PoseSpace, lines: PlacedLines, facing: float | None) -> None:
        self._space, self._lines = space, lines
        families = [_headings_of(space, lines, line, facing) for line in np.flatnonzero(lines.length > 0.0).tolist()]
        none = np.zeros(0, np.intp)
        line, heading, mode = join([(none, np.zeros(0), none), *families])
        #: Headings from the normal, and directions of legs from it.
        self._line, self._heading, self.modes = line, heading, mode
        self._aside = heading + space.asides_of(mode)
        self._along = lines.ahead[line]
        self._round = lines.round[line]

    def first(self) -> tuple[IntArray, FloatArray]:
        """Return rays an inch apart, those from the ends of lines among them."""
        spots = stations(self._lines, 1.0)
        first, last = (np.searchsorted(spots.line, self._line, side=side) for side in ("left", "right"))
        count = last - first
        family = np.repeat(np.arange(len(count)), count)
        row = np.arange(len(family)) + np.repeat(first - (np.cumsum(count) - count), count)
        return family, spots.at[row]

    def _spots(self, family: IntArray, at: FloatArray) -> Spots:
        return Spots(self._line[family], at)

    def outset(self, family: IntArray, at: FloatArray) -> Outset:
        """Place the mover."""
        spots = self._spots(family, at)
        heading = self._lines.normals(spots) + self._heading[family]
        return _outset(self._space, states_at(self._space, self._lines, spots, heading))

    def meeting(self, family: IntArray, place: FloatArray, left: FloatArray) -> FloatArray:
        """Compute how far along the lines."""
        lines, line = self._lines, self._line[family]
        away = place - lines.begin[line]
        ahead = self._ahead(family)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = (cross(ahead, away) - left) / self._turned_off(family)
        arc = np.flatnonzero(self._round[family])
        if len(arc):
            at[arc] = self._meeting_arcs(family[arc], away[arc], left[arc])
        with np.errstate(invalid="ignore"):
            return np.where((at >= 0.0) & (at <= lines.length[line]), at, np.nan)

    def _meeting_arcs(self, family: IntArray, away: FloatArray, left: FloatArray) -> FloatArray:
        """How far along arcs: all rays of a family touch one circle about the middle, on the same side."""
        lines, line = self._lines, self._line[family]
        radius = lines.radius[line]
        # The direction of a ray, from the bearing of the place where it starts.
        beyond = np.radians(self._aside[family] + 180.0)
        far, bearing = np.hypot(away[:, 0], away[:, 1]), np.arctan2(away[:, 1], away[:, 0])
        off = left - radius * np.sin(beyond)
        with np.errstate(invalid="ignore", divide="ignore"):
            start = bearing - beyond - np.arcsin(off / far)
        turned = np.mod(np.degrees(start) - lines.first[line], 360.0)
        return np.asarray(np.radians(turned) * radius)

    def gaps(self, family: IntArray, apart: FloatArray, inches: FloatArray) -> FloatArray:
        """Compute the distances between the ends of rays."""
        radius = np.where(self._round[family], self._lines.radius[self._line[family]], 1.0)
        spread = apart * (1.0 + inches / radius)
        return np.where(self._round[family], spread, apart * np.abs(self._turned_off(family)))

    def step(self, inches: FloatArray, error: float) -> FloatArray:
        """Return infinity where all rays are parallel; else so many inches that chords are true enough."""
        if not self._round.any():
            return np.full(len(inches), np.inf)
        least = float(self._lines.radius[self._line[self._round]].min())
        angle = 2.0 * np.arccos(np.maximum(1.0 - error / np.maximum(inches + least, error), 0.5))
        return np.asarray(angle * least)

    def nearer(self, family: IntArray) -> FloatArray:
        """Return 1 where places to the left come nearer the farther along the line it starts, or else -1."""
        return np.where(self._round[family], 1.0, np.sign(self._turned_off(family)))

    def _ahead(self, family: IntArray) -> FloatArray:
        """The directions of the rays of segments."""
        normal = np.degrees(np.arctan2(self._along[family, 1], self._along[family, 0])) + 90.0
        return units(normal + self._aside[family])

    def _turned_off(self, family: IntArray) -> FloatArray:
        off = cross(self._ahead(family), self._along[family])
        return np.where(np.abs(off) > TOLERANCE, off, 0.0)


def _headings_of(
    space: PoseSpace, lines: PlacedLines, line: int, facing: float | None
) -> tuple[IntArray, FloatArray, IntArray]:
    """The families of a line: headings from its normal, and modes."""
    begins = Spots(np.array([line]), np.zeros(1))
    (normal,) = lines.normals(begins).tolist()
    low, wide = float(lines.low[line]) - (0.0 if lines.relative[line] else normal), float(lines.wide[line])
    wanted = [np.arange(-180.0, 180.0, _STRIPS), np.array([low, low + wide, low + wide / 2.0])]
    if facing is not None and not lines.round[line]:
        limits = space.turns.limits
        wanted.append(facing - normal + np.r_[0.0, limits, -limits])
    headings = np.unique(np.round(np.mod(np.concatenate(wanted), 360.0), 9))
    if lines.round[line] and wide < 360.0 and not lines.relative[line]:
        # Headings of the table change with the place on an arc: fans show where those lead.
        headings = headings[:0]
    elif wide < 360.0:
        headings = headings[np.mod(headings - low + 1e-9, 360.0) <= wide + 2e-9]
    heading, mode = (axis.ravel() for axis in np.meshgrid(headings, np.arange(len(space.asides)), indexing="ij"))
    if lines.round[line]:
        inward = np.abs(shorter(heading + space.asides_of(mode)))
        heading, mode = heading[inward >= _INWARD], mode[inward >= _INWARD]
    elif space.directions.oblique is not None:
        # Those who travel obliquely face as they are to in the end, or as nearly as they may.
        ends = np.array([low, low + wide] if facing is None else [low, low + wide, facing - normal])
        ends = ends[np.mod(ends - low + 1e-9, 360.0) <= wide + 2e-9]
        facings, toward = (axis.ravel() for axis in np.meshgrid(ends, np.arange(-180.0, 180.0, _STRIPS)))
        oblique = space.directions.toward(toward - facings)
        heading, mode = np.concatenate([heading, facings]), np.concatenate([mode, oblique])
    return np.full(len(mode), line), heading, mode
