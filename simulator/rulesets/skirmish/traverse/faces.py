"""Faces: the outlines of obstacles as rows of places from which they may be traversed, nearest first.

Who traverses an obstacle straight across begins beside a face, or round a corner where two faces turn away from it.
So the outline is gone round, with the obstacle on the left; where faces turn towards who stands before them, there is
nothing between the end of one row and the beginning of the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np
import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray, Piece
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.traverse.traced import STEP, Followed

#: How far from the obstacle the places are tried from which it may be traversed, as shares of what is allowed.
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
#: How often it is closed in on how far before a face places belong to it.
_ROUNDS = 30
#: A turn by less than this, in radians, is none.
_STRAIGHT_ON = 1e-9

#: Tells at which of many places a soldier can stand.
Ends = Callable[[FloatArray], BoolArray]


class Row(Followed):
    """A row of places to traverse from: for shares of it places tried one after the other, until one is an end."""

    def __init__(
        self, shape: BaseGeometry, nodes: FloatArray, radius: float, within: float, ends: Ends, ground: BaseGeometry
    ) -> None:
        """Go along `nodes` of a shape: rows x, y of its outline, and the angle in which places lie before it."""
        steps = np.diff(nodes, axis=0)
        self._lengths = np.hypot(steps[:, 0], steps[:, 1]) + radius * np.abs(steps[:, 2])
        super().__init__(float(self._lengths.sum()))
        self.shape, self.nodes, self.radius, self.within = shape, nodes, radius, within
        self.ends, self.ground = ends, ground

    @cached_property
    def _at(self) -> FloatArray:
        """The shares of the nodes."""
        along = np.append(0.0, np.cumsum(self._lengths))
        return np.asarray(along / along[-1])

    @property
    def first_shares(self) -> list[float]:
        """The nodes, and places between them: what lies behind turns where the outline does."""
        counts = np.maximum(np.ceil(self._lengths / STEP).astype(np.intp), 1)
        nodes = np.append(0, np.cumsum(counts))
        return [float(share) for share in np.interp(np.arange(nodes[-1] + 1), nodes, self._at)]

    def shares_before(self, places: FloatArray) -> list[float]:
        """The shares at which places lie just before the shape, as near as it is to be for a traverse."""
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

    def tried(self, shares: Sequence[float]) -> FloatArray:
        """The places tried at shares, whose nearest point of the shape is there: an array [share, place, xy]."""
        x, y, angle = (np.interp(shares, self._at, column) for column in self.nodes.T)
        foot, towards = np.stack([x, y], axis=1), np.stack([np.cos(angle), np.sin(angle)], axis=1)
        off = self.radius + (self._farthest(foot, towards) - self.radius)[:, None] * np.array(_SHARES)
        return np.asarray(foot[:, None] + off[..., None] * towards[:, None])

    def _farthest(self, foot: FloatArray, towards: FloatArray) -> FloatArray:
        """How far before points of the shape these are the nearest ones: nearer to another no place belongs to them."""

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


def rows_along(piece: Piece, radius: float, within: float, ends: Ends, ground: BaseGeometry) -> Iterator[Row]:
    """Yield the rows of places along the faces of an obstacle and round its corners."""
    shape = piece.shape.polygon
    for ring in _rings(shape):
        for nodes in _chains(ring):
            yield Row(shape, nodes, radius, within, ends, ground)


def _rings(shape: BaseGeometry) -> Iterator[FloatArray]:
    """The corners round an obstacle, the first one again at the end; it lies on the left. A wall is gone to and fro."""
    if isinstance(shape, LineString):
        there = shapely.get_coordinates(shape)
        yield np.concatenate([there, there[-2::-1]])
        return
    for part in shapely.get_parts(shapely.orient_polygons(shape)):
        for ring in (part.exterior, *part.interiors):
            yield shapely.get_coordinates(ring)


def _chains(ring: FloatArray) -> Iterator[FloatArray]:
    """Cut the way round an obstacle into nodes of rows, rows x, y and angle, where faces turn towards each other."""
    steps = np.diff(ring, axis=0)
    headings = np.arctan2(steps[:, 1], steps[:, 0])
    # At the end of each face it is turned by so much to the left; at the end of a wall it is all the way about.
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
