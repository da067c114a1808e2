"""Windows for turns: where along a leg a base that is not round has room to turn by an angle.

A long base in a gap can often turn at a short stretch of its way alone, which may lie between two poses of the mesh
of a search. What a base sweeps that turns about a reference point inside it is the base as it stands before and after
the turn, and the sectors that its corners sweep (of an oval: the ends of its longer axis). Along a leg each of these
comes over a thing on certain stretches, in closed form; what is left between them are the windows.

Around ovals straight sides are drawn, and a base of which not every point is seen from its reference point may sweep
something else: there a window may be a little too short, or missed. Turns in windows are tried like all others, so
none is wrong.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.edges_of_table import over_sides, sides_as_segments
from simulator.geometry.movers import MovingBase, mover_of
from simulator.geometry.overlaps import near_pairs
from simulator.geometry.path_judge import overlaps_along
from simulator.geometry.pieces import FloatArray
from simulator.geometry.sectors import Sectors, over_discs, over_ovals, over_segments
from simulator.geometry.spans import Spans, between, joined, merged, within_bounds
from simulator.geometry.sweeps import MovingPoints
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.rays import legs_between, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates


class TurningPlaces(NamedTuple):
    """Places on the legs that ended in states, where a turn is legal that is barred in the state."""

    row: IntArray  #: the row of the turn
    at: FloatArray  #: after how many inches of the leg before


def turning_places(
    space: PoseSpace, states: PoseStates, state: IntArray, angles: FloatArray, within: float
) -> TurningPlaces:
    """Return where windows begin and end for turns, each barred in its state, no farther from there than `within`.

    Windows go on behind what is looked at; only the ends within it are returned.
    """
    moved = np.flatnonzero(states.mode[state] >= 0)
    of = state[moved]
    inches, heading = states.inches[of], states.heading[of]
    low, high = np.maximum(inches - within, 0.0), inches + within
    ahead = units(heading + space.asides_of(states.mode[of]))
    starts = states.place[of] + (low - inches)[:, None] * ahead
    windows = turn_windows(space, starts, starts + (high - low)[:, None] * ahead, heading, angles[moved], moved)
    long = (high - low)[windows.row]
    open_, shut = np.flatnonzero(windows.begin > 0.0), np.flatnonzero(windows.end < 1.0)
    row = np.r_[windows.row[open_], windows.row[shut]]
    at = low[row] + np.r_[windows.begin[open_] * long[open_], windows.end[shut] * long[shut]]
    kept = np.flatnonzero(at > TOUCH)
    order = kept[np.lexsort((at[kept], row[kept]))]
    return TurningPlaces(moved[row[order]], at[order])


def turn_windows(
    space: PoseSpace,
    starts: FloatArray,
    ends: FloatArray,
    headings: FloatArray,
    angles: FloatArray,
    rows: IntArray | None = None,
) -> Spans:
    """Find the shares of straight lines on which a base can turn from a heading by an angle, in degrees.

    The base has room on all of each line with the heading before the turn. `rows` are the rows of the space.
    """
    mover, count = mover_of(space.base), len(starts)
    legs = legs_between(starts, ends, np.mod(headings + angles, 360.0))
    meets = None if space.meets is None else space.meets[np.arange(count) if rows is None else rows]
    standing = space.bars_standing
    turned = overlaps_along(legs, standing, space.base, TOUCH)
    if meets is not None:
        turned = pick(turned, meets[turned.path, turned.which])
    barred = [Spans(turned.path, turned.begin, turned.end)]
    pairs = near_pairs(legs, mover, standing)
    if meets is not None:
        pairs = pairs.of(np.flatnonzero(meets[pairs.piece, standing.owners[pairs.feature]]))
    tips = _Tips.of(mover, MovingPoints(starts, ends - starts), headings, angles)
    first_disc = len(standing.segments)
    first_oval = first_disc + len(standing.discs)
    kind = np.searchsorted([first_disc, first_oval], pairs.feature, side="right")
    for number, (first, features, over) in enumerate(
        (
            (0, standing.segments, over_segments),
            (first_disc, standing.discs, over_discs),
            (first_oval, standing.ovals, over_ovals),
        )
    ):
        some = pairs.of(np.flatnonzero(kind == number))
        if len(some.piece):
            lines, sectors, tip = tips.beside(some.piece)
            spans = within_bounds(*over(lines, sectors, features[some.feature[tip] - first]))
            barred.append(spans.renumbered(some.piece[tip]))
    if space.box is not None and space.whole_base_on_table:
        left, bottom, right, top = space.box
        over_edge = over_sides(legs, mover, np.array(space.box), TOUCH)
        barred.append(over_edge._replace(row=over_edge.row // 4))
        low, high = np.minimum(starts, ends) - mover.reach, np.maximum(starts, ends) + mover.reach
        near = np.flatnonzero(np.any((low < (left, bottom)) | (high > (right, top)), axis=1))
        if len(near):
            edges = sides_as_segments(np.array(space.box))
            piece, side = np.repeat(near, 4), np.tile(np.arange(4), len(near))
            lines, sectors, tip = tips.beside(piece)
            barred.append(within_bounds(*over_segments(lines, sectors, edges[side[tip]])).renumbered(piece[tip]))
    windows = between(merged(joined(barred), slack=TOUCH), np.arange(count), 0.0, 1.0)
    return windows.of(windows.end - windows.begin > TOUCH)


class _Tips(NamedTuple):
    """What of a base reaches farthest out: corners, or the ends of the longer axis; and turns on lines, row by row."""

    radius: FloatArray
    bearing: FloatArray  #: in radians, by a heading of 0
    lines: MovingPoints
    headings: FloatArray
    angles: FloatArray

    @classmethod
    def of(cls, mover: MovingBase, lines: MovingPoints, headings: FloatArray, angles: FloatArray) -> _Tips:
        """Return the tips of a base."""
        if mover.parts:
            corners = np.unique(mover.sides.reshape(-1, 2), axis=0)
            radius, bearing = np.hypot(*corners.T), np.arctan2(corners[:, 1], corners[:, 0])
        else:
            along, across = mover.axes
            radius = np.full(2, max(along, across))
            bearing = np.array([0.0, np.pi]) + (0.0 if along >= across else np.pi / 2)
        return cls(np.maximum(radius - TOUCH, 0.0), bearing, lines, headings, angles)

    def beside(self, rows: IntArray) -> tuple[MovingPoints, Sectors, IntArray]:
        """Return for each of some rows and each tip the line, the sector that the tip sweeps, and which row it is."""
        which = np.repeat(np.arange(len(rows)), len(self.radius))
        row, tip = rows[which], np.tile(np.arange(len(self.radius)), len(rows))
        begin = np.radians(self.headings[row]) + self.bearing[tip]
        return self.lines.of(row), Sectors.swept(self.radius[tip], begin, np.radians(self.angles[row])), which
