"""The borders between regions of different prices, cut where borders cross: straight pieces and arcs.

A piece has one region on its left and one on its right. Places on it are counted in inches from its beginning.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.areas_along import areas_along
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing import Standing
from simulator.geometry.sweeps import MovingPoints
from simulator.geometry.tolerances import CONTACT, GRID, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.space import Extent
from simulator.pathing.weighted.cuts import circle_cuts, circle_meetings
from simulator.pathing.weighted.gauges import TWO_PI
from simulator.pathing.weighted.regions import Regions


class BorderPieces(NamedTuple):
    """Pieces of borders; an arc runs counter-clockwise round its centre from an angle, its disc on its left."""

    origin: FloatArray  #: where a straight piece begins; the centre of an arc
    radius: FloatArray  #: 0: the piece is straight
    angle: FloatArray  #: the heading of a straight piece, where an arc begins, in radians
    ahead: FloatArray  #: rows x, y of length 1: the way that a straight piece leads
    length: FloatArray
    left: IntArray  #: the number of the gauge there
    right: IntArray

    def places(self, piece: IntArray, inches: FloatArray) -> FloatArray:
        """Return the places after a number of inches of pieces."""
        radius = self.radius[piece]
        turned = self.angle[piece] + inches / np.where(radius > 0.0, radius, 1.0)
        on_arc = radius[:, None] * np.stack([np.cos(turned), np.sin(turned)], axis=1)
        return self.origin[piece] + np.where(radius[:, None] > 0.0, on_arc, inches[:, None] * self.ahead[piece])

    def tangents(self, piece: IntArray, inches: FloatArray) -> FloatArray:
        """Return the directions of pieces after a number of inches, as rows x, y of length 1."""
        radius = self.radius[piece]
        turned = self.angle[piece] + inches / np.where(radius > 0.0, radius, 1.0)
        on_arc = np.stack([-np.sin(turned), np.cos(turned)], axis=1)
        return np.where(radius[:, None] > 0.0, on_arc, self.ahead[piece])

    def between(self, piece: IntArray, begin: FloatArray, end: FloatArray) -> BorderPieces:
        """Return the parts of pieces between two lengths in inches."""
        some = pick(self, piece)
        turned = some.angle + begin / np.where(some.radius > 0.0, some.radius, 1.0)
        straight = some.radius == 0.0
        return some._replace(
            origin=np.where(straight[:, None], self.places(piece, begin), some.origin),
            angle=np.where(straight, some.angle, turned),
            ahead=self.tangents(piece, begin),
            length=end - begin,
        )

    @property
    def segments(self) -> FloatArray:
        """The straight pieces as rows x1, y1, x2, y2; those that meet have the very same ends, so nothing slips by."""
        which = np.flatnonzero(self.radius == 0.0)
        ends = np.concatenate([self.places(which, np.zeros(len(which))), self.places(which, self.length[which])])
        _, first, same = np.unique(np.round(ends / GRID), axis=0, return_index=True, return_inverse=True)
        return np.hstack(np.split(ends[first][same.reshape(-1)], 2))


def borders_in(regions: Regions, window: Extent) -> BorderPieces:
    """Return the pieces of borders in a window, without those between regions of one price."""
    standing = regions.ground.standing
    lots = [_straight(regions, standing, window), _round(regions, standing, window)]
    found = join([some for some in lots if some is not None] or [_none()])
    found = pick(found, np.flatnonzero((found.left != found.right) & (found.length > TOUCH)))
    if not len(found.length):
        return found
    # Where two areas share a border it is there twice.
    ends = [found.places(np.arange(len(found.length)), at) for at in (np.zeros(len(found.length)), found.length)]
    corners = np.round(np.stack(ends, axis=1) / (10 * GRID))
    order = np.lexsort((corners[..., 1], corners[..., 0]), axis=1)
    keys = np.take_along_axis(corners, order[..., None], axis=1).reshape(-1, 4)
    _, first = np.unique(np.column_stack([keys, found.radius]), axis=0, return_index=True)
    return pick(found, np.sort(first))


def _none() -> BorderPieces:
    none, rows, numbers = np.zeros(0), np.zeros((0, 2)), np.zeros(0, np.intp)
    return BorderPieces(rows, none, none, rows, none, numbers, numbers)


def _straight(regions: Regions, standing: Standing, window: Extent) -> BorderPieces | None:
    segments = standing.segments[standing.segment_area >= 0]
    low, high = np.minimum(segments[:, :2], segments[:, 2:]), np.maximum(segments[:, :2], segments[:, 2:])
    near = (low <= window[2:]).all(axis=1) & (high >= window[:2]).all(axis=1)
    segments = segments[near]
    if not len(segments):
        return None
    step = segments[:, 2:] - segments[:, :2]
    found = areas_along(MovingPoints(segments[:, :2], step), standing)
    count = len(found.line)
    ahead = (step / np.hypot(*step.T)[:, None])[found.line]
    return BorderPieces(
        segments[found.line, :2] + found.begin[:, None] * ahead,
        np.zeros(count),
        np.arctan2(ahead[:, 1], ahead[:, 0]),
        ahead,
        found.end - found.begin,
        *regions.beside(found.left, found.right),
    )


def _round(regions: Regions, standing: Standing, window: Extent) -> BorderPieces | None:
    discs = standing.discs
    near = (discs[:, :2] - discs[:, 2:] <= window[2:]).all(axis=1)
    near &= (discs[:, :2] + discs[:, 2:] >= window[:2]).all(axis=1)
    discs = discs[near]
    if not len(discs):
        return None
    which, angle = circle_cuts(discs, standing.segments)
    other, meeting = circle_meetings(discs, standing.discs)
    every = np.arange(len(discs))
    which, angle = np.concatenate([which, other, every]), np.concatenate([angle, meeting, np.zeros(len(discs))])
    angle = np.mod(angle, TWO_PI)
    order = np.lexsort((angle, which))
    which, angle = which[order], angle[order]
    last = np.r_[which[1:] != which[:-1], np.ones(min(len(which), 1), np.bool_)]
    upto = np.where(last, TWO_PI, np.r_[angle[1:], 0.0][: len(angle)])
    radius, middle = discs[which, 2], (angle + upto) / 2
    out = np.stack([np.cos(middle), np.sin(middle)], axis=1)
    sides = [regions.under(discs[which, :2] + (radius + off)[:, None] * out) for off in (-2 * CONTACT, 2 * CONTACT)]
    ahead = np.stack([-np.sin(angle), np.cos(angle)], axis=1)
    return BorderPieces(discs[which, :2], radius, angle, ahead, radius * (upto - angle), *regions.beside(*sides))
