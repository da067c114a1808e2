"""Narrow passages: straight lines on which a mover just fits between two things.

A search turns to the limits of brackets, and a narrow passage between two things is seldom seen from one of them. It
is passed in few directions: those in which a line leaves one thing far enough to its left, and the other to its right.
For two corners that is an arc of directions, so for two straight sides it is what four arcs have in common. The first
of those directions, the last and the one in the middle are turned to wherever a leg crosses the line through the
passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely

from simulator.geometry.convex import IntArray
from simulator.geometry.edges_of_table import sides_as_segments
from simulator.geometry.movers import mover_of
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed.as_one import SpacesAsOne
from simulator.pathing.posed.rays import has_room, shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates

#: Passages are narrow that are so many inches wider than the base at most, and passed in so few degrees.
_WIDER, _NARROW = 1.0, 15.0
#: No passage farther off is turned to.
_FARTHEST = 12.0
#: Degrees by which the arc of an exact fit may end before it begins: near 1 an arc cosine is so inexact.
_ROUNDING = 0.1
#: Lines are the same if they are after rounding to so many digits.
_DIGITS = 4


class PassageCrossings(NamedTuple):
    """Where legs that ended in states cross lines through passages: which state, after how many inches, which line."""

    state: IntArray
    at: FloatArray
    line: IntArray


class Passages(NamedTuple):
    """Lines through narrow passages, one row each."""

    place: FloatArray  #: in the passage
    heading: FloatArray  #: of the mover, in degrees
    mode: IntArray

    @classmethod
    def of(cls, space: PoseSpace) -> Passages:
        """Find those between things that bar the way, and beside the edges of the table."""
        (found,) = cls.of_several([space], space)
        return found

    @classmethod
    def of_several(cls, spaces: Sequence[PoseSpace], as_one: PoseSpace | SpacesAsOne) -> list[Passages]:
        """Find those of several spaces, which are asked as one for room in the passages."""
        lines = [cls._lines(space) for space in spaces]
        number, every = np.repeat(np.arange(len(spaces)), [len(some.mode) for some in lines]), join(lines)
        here = as_one.by(number) if isinstance(as_one, SpacesAsOne) else as_one
        room = has_room(here, every.place, every.heading)
        return [pick(every, room & (number == one)) for one in range(len(spaces))]

    @classmethod
    def _lines(cls, space: PoseSpace) -> Passages:
        parts = _ThingParts.of(space)
        found = [cls(np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.intp))]
        for mode, (aside, (left, right)) in enumerate(zip(space.asides, _sides(space), strict=True)):
            place, direction = parts.lines(float(left), float(right))
            heading = np.mod(direction - aside, 360.0)
            found.append(cls(place, heading, np.full(len(heading), mode)))
        every = join(found)
        ahead = units(every.heading + space.asides_of(every.mode))
        across = every.place[:, 1] * ahead[:, 0] - every.place[:, 0] * ahead[:, 1]
        lines: FloatArray = np.column_stack([across, every.heading, every.mode]).astype(np.float64)
        # Of passages one behind the other on a line the last counts: it lies ahead from before all of them.
        order = np.argsort(-np.sum(every.place * ahead, axis=1), kind="stable")
        return pick(every, order[rows_once(np.round(lines[order], _DIGITS))[0]])

    def crossed(self, space: PoseSpace, states: PoseStates, within: float) -> PassageCrossings:
        """Find where legs cross the lines before the passages, in so many of their last inches."""
        moved = np.flatnonzero(states.mode >= 0)
        toward = units(self.heading + space.asides_of(self.mode))
        ahead = units(states.heading[moved] + space.asides_of(states.mode[moved]))
        away_x, away_y = (self.place[:, axis] - states.place[moved, None, axis] for axis in (0, 1))
        sine = ahead[:, None, 0] * toward[:, 1] - ahead[:, None, 1] * toward[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            onward = (away_x * toward[:, 1] - away_y * toward[:, 0]) / sine
        row, line = np.nonzero((np.abs(sine) > TOLERANCE) & (onward <= TOUCH) & (onward > -within))
        at = onward[row, line] + states.inches[moved[row]]
        far = (ahead[row, 0] * away_y[row, line] - ahead[row, 1] * away_x[row, line]) / sine[row, line]
        met = np.flatnonzero((at > TOUCH) & (far > TOUCH) & (far <= _FARTHEST))
        return PassageCrossings(moved[row[met]], at[met], line[met])


def _sides(space: PoseSpace) -> FloatArray:
    """How far a base extends to the left of its way, and to the right, by mode."""
    return np.asarray(mover_of(space.base).extents(-space.asides)[:, [1, 3]])


def _near_pairs(low: FloatArray, high: FloatArray, inches: float) -> tuple[IntArray, IntArray]:
    """Return the pairs of boxes that lie no farther apart, each both ways."""
    tree = shapely.STRtree(np.asarray(shapely.box(*low.T, *high.T), object))
    wider = np.asarray(shapely.box(*(low - inches).T, *(high + inches).T), object)
    one, other = tree.query(wider)
    apart = np.flatnonzero(one != other)
    return one[apart], other[apart]


class _ThingParts(NamedTuple):
    """Straight sides and round things: the two ends of each, and how far it extends around them."""

    first: FloatArray
    last: FloatArray
    radius: FloatArray
    pairs: tuple[IntArray, IntArray]  #: of parts that are near each other

    @classmethod
    def of(cls, space: PoseSpace) -> _ThingParts:
        """Return what stands in the part of the table that the mover may get to."""
        standing: Standing = space.bars_standing
        segments, discs = standing.segments, standing.discs
        if space.box is not None and space.whole_base_on_table:
            segments = np.concatenate([segments, sides_as_segments(np.array(space.box))])
        first = np.concatenate([segments[:, :2], discs[:, :2]])
        last = np.concatenate([segments[:, 2:], discs[:, :2]])
        radius = np.concatenate([np.zeros(len(segments)), discs[:, 2]])
        low, high = np.minimum(first, last) - radius[:, None], np.maximum(first, last) + radius[:, None]
        left, bottom, right, top = space.window
        inside = np.flatnonzero(np.all((high >= (left, bottom)) & (low <= (right, top)), axis=1))
        reach = float(_sides(space).sum(axis=1).max(initial=0.0)) + _WIDER
        return cls(first[inside], last[inside], radius[inside], _near_pairs(low[inside], high[inside], reach))

    def lines(self, left: float, right: float) -> tuple[FloatArray, FloatArray]:
        """Return the lines that leave one part of a pair so far to the left, and the other to the right.

        A place between the two on each of them, and its direction in degrees.
        """
        one, other = self.pairs
        wide = left + right + self.radius[one] + self.radius[other]
        ends = np.stack([self.first, self.last], axis=1)
        off = (ends[one][:, :, None] - ends[other][:, None]).reshape(len(one), 4, 2)
        far = np.hypot(off[..., 0], off[..., 1])
        some = np.flatnonzero(np.all(far >= wide[:, None] - TOLERANCE, axis=1) & (wide > TOUCH))
        one, other, wide, off, far = one[some], other[some], wide[some], off[some], far[some]
        # Directions across the passage, from the part on the right to that on the left.
        across = np.degrees(np.arctan2(off[..., 1], off[..., 0]))
        half = np.degrees(np.arccos(np.minimum(wide[:, None] / far, 1.0)))
        middle = across[:, 0]
        turned = shorter(across - middle[:, None])
        low, high = np.max(turned - half, axis=1), np.min(turned + half, axis=1)
        fits = np.flatnonzero((low <= high + _ROUNDING) & (high - low <= _NARROW))
        # Where hardly more than one direction is left, that is the one of the side.
        exact = high - low < _ROUNDING
        side = ends[one, 1] - ends[one, 0]
        along_side = np.degrees(np.arctan2(side[:, 1], side[:, 0])) + 90.0
        off_side = np.mod(along_side - middle - (low + high) / 2 + 90.0, 180.0) - 90.0
        known = np.any(side != 0.0, axis=1) & (np.abs(off_side) < _ROUNDING)
        low[exact] = high[exact] = ((low + high) / 2 + np.where(known, off_side, 0.0))[exact]
        found_place, found_direction = [np.zeros((0, 2))], [np.zeros(0)]
        for limit in (low, (low + high) / 2, high):
            normal = units(middle[fits] + limit[fits])
            ahead = np.stack([normal[:, 1], -normal[:, 0]], axis=1)
            ends_left, ends_right = ends[one[fits]], ends[other[fits]]
            # As far from the nearest corner on its left as from that on its right, and past the middle of both.
            on_left = np.min(np.einsum("ijk,ik->ij", ends_left, normal), axis=1) - self.radius[one[fits]] - left
            on_right = np.max(np.einsum("ijk,ik->ij", ends_right, normal), axis=1) + self.radius[other[fits]] + right
            shift = (on_left + on_right) / 2
            along = np.einsum("ijk,ik->ij", np.concatenate([ends_left, ends_right], axis=1), ahead).mean(axis=1)
            found_place.append(shift[:, None] * normal + along[:, None] * ahead)
            found_direction.append(middle[fits] + limit[fits] - 90.0)
        return np.concatenate(found_place), np.concatenate(found_direction)
