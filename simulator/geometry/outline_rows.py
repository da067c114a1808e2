"""Rows of places before the outline of a thing, from which it is climbed, crossed or entered, nearest first.

A move straight across a thing begins beside a face, or around a convex corner. So the outline is followed with the
thing on the left; at a concave corner one row ends and the next begins. Places on a row are identified by shares of
its length, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE

#: The distances from the outline at which places are tried, as shares of the distance allowed.
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: The bisections of the distance up to which places belong to a face: an inch is halved to a billionth of one.
_ROUNDS = 30
#: A turn by less than this, in radians, is rounding of headings, far below any corner drawn.
_STRAIGHT_ON = 1e-9


class OutlineRow:
    """A row of places along nodes of an outline, rows x, y and the angle in which places lie before it.

    A base of a `radius` stands on them; its centre is up to `within` inches off the shape.

    >>> (row,) = rows_along(LineString([(0, 0), (3, 0)]), radius=0.5, within=0.5)
    >>> round(row.length, 4), row.places_before([0.0])[0, 0].round(4).tolist()
    (9.1416, [0.0, -0.5])
    """

    def __init__(self, shape: BaseGeometry, nodes: FloatArray, radius: float, within: float) -> None:
        steps = np.diff(nodes, axis=0)
        self._lengths = np.hypot(steps[:, 0], steps[:, 1]) + radius * np.abs(steps[:, 2])
        self.length = float(self._lengths.sum())
        self.shape, self.nodes, self.radius, self.within = shape, nodes, radius, within

    @cached_property
    def _at(self) -> FloatArray:
        """The shares of the nodes."""
        along = np.append(0.0, np.cumsum(self._lengths))
        return np.asarray(along / along[-1])

    def spread(self, step: float) -> list[float]:
        """Return the shares of the nodes, and of places between them no farther apart than a step, in inches."""
        counts = np.maximum(np.ceil(self._lengths / step).astype(np.intp), 1)
        nodes = np.append(0, np.cumsum(counts))
        return [float(share) for share in np.interp(np.arange(nodes[-1] + 1), nodes, self._at)]

    def shares_before(self, places: FloatArray) -> list[float]:
        """Return the shares at which places (rows x, y) are exactly `within` before the shape, up to `TOLERANCE`."""
        if not len(places):
            return []
        begin, step = self.nodes[:-1, :2], np.diff(self.nodes[:, :2], axis=0)
        length = np.hypot(*step.T)
        is_face = length > 0.0
        along = step / np.where(is_face, length, 1.0)[:, None]
        part = np.sum((places[:, None] - begin) * along, axis=2)
        angle = np.arctan2(*(places[:, None] - begin).transpose(2, 0, 1)[::-1])
        low, high = self.nodes[:-1, 2], self.nodes[1:, 2]
        turned = (angle - low) % (2.0 * np.pi)
        part = np.where(is_face, part, turned)
        most = np.where(is_face, length, high - low)
        foot = begin + np.where(is_face, np.clip(part, 0.0, length), 0.0)[..., None] * along
        off = np.where(is_face, self.nodes[:-1, 2], angle)
        there = foot + self.within * np.stack([np.cos(off), np.sin(off)], axis=2)
        kept = (part >= -TOLERANCE) & (part <= most + TOLERANCE)
        kept &= np.hypot(*(there - places[:, None]).transpose(2, 0, 1)) <= TOLERANCE
        place, node = np.nonzero(kept & (most > 0.0))
        share = np.clip(part[place, node] / most[node], 0.0, 1.0)
        return [float(one) for one in self._at[node] + share * (self._at[node + 1] - self._at[node])]

    def places_before(self, shares: Sequence[float]) -> FloatArray:
        """Return places before the outline at shares, nearest first: an array [share, place, xy].

        The nearest point of the shape to each is the point of the outline there. The first touches it, the last is as
        far away as `within` and the rest of the shape allow.
        """
        x, y, angle = (np.interp(shares, self._at, column) for column in self.nodes.T)
        foot, towards = np.stack([x, y], axis=1), np.stack([np.cos(angle), np.sin(angle)], axis=1)
        off = self.radius + (self._farthest(foot, towards) - self.radius)[:, None] * np.array(_SHARES)
        return np.asarray(foot[:, None] + off[..., None] * towards[:, None])

    def _farthest(self, foot: FloatArray, towards: FloatArray) -> FloatArray:
        """Return the distances before points of the shape up to which they are the nearest points of the shape."""

        def belongs(off: FloatArray, some: IntArray) -> BoolArray:
            places = shapely.points(foot[some] + off[:, None] * towards[some])
            return np.asarray(shapely.distance(self.shape, places) >= off - TOLERANCE)

        far = np.full(len(foot), self.within)
        short = np.flatnonzero(~belongs(far, np.arange(len(foot))))
        low, high = np.full(len(short), self.radius), far[short]
        for _ in range(_ROUNDS if len(short) else 0):
            middle = (low + high) / 2
            kept = belongs(middle, short)
            low, high = np.where(kept, middle, low), np.where(kept, high, middle)
        far[short] = low
        return far


def rows_along(shape: BaseGeometry, radius: float, within: float) -> Iterator[OutlineRow]:
    """Yield the rows of places along the faces of a polygon or a line, and around its corners.

    >>> from shapely import box
    >>> [round(row.length, 4) for row in rows_along(box(0, 0, 4, 2), radius=0.5, within=1.5)]
    [15.1416]
    """
    for ring in _rings(shape):
        for nodes in _chains(ring):
            yield OutlineRow(shape, nodes, radius, within)


def _rings(shape: BaseGeometry) -> Iterator[FloatArray]:
    """Yield the closed rings of corners with the thing on the left; a wall is followed forth and back."""
    if isinstance(shape, LineString):
        there = shapely.get_coordinates(shape)
        yield np.concatenate([there, there[-2::-1]])
        return
    for part in shapely.get_parts(shapely.orient_polygons(shape)):
        for ring in (part.exterior, *part.interiors):
            yield shapely.get_coordinates(ring)


def _chains(ring: FloatArray) -> Iterator[FloatArray]:
    """Cut the ring around a thing at concave corners into nodes of rows, rows x, y and angle."""
    steps = np.diff(ring, axis=0)
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    # The turn to the left at the end of each face; at the end of a wall it is a half turn.
    turns = (np.roll(headings, -1) - headings + np.pi - _STRAIGHT_ON) % (2 * np.pi) - np.pi + _STRAIGHT_ON
    inward = np.flatnonzero(turns < -_STRAIGHT_ON)
    first = int(inward[-1]) + 1 if len(inward) else 0
    nodes: list[tuple[float, float, float]] = []
    for face in ((first + number) % len(steps) for number in range(len(steps))):
        angle = nodes[-1][2] if nodes else float(headings[face]) - np.pi / 2
        nodes += [(*ring[face].tolist(), angle), (*ring[face + 1].tolist(), angle)]
        if turns[face] < -_STRAIGHT_ON:
            yield np.array(nodes)
            nodes = []
        elif turns[face] > _STRAIGHT_ON:
            nodes.append((*ring[face + 1].tolist(), angle + float(turns[face])))
    if nodes:
        yield np.array(nodes)
