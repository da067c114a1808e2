"""Obstacles on a table for the judge of ways: flat arrays over all things, and a spatial index.

Each thing is split into features: its border as segments, discs, ovals. An area is closed: besides its border it
has an inside. Features are found by boxes in a search tree, so of things with thousands of corners only the near ones
cost time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from simulator.errors import BoardError
from simulator.geometry.convex import FARTHEST, IntArray, as_points, is_curved
from simulator.geometry.pieces import FloatArray, Solid

#: What is farther inside of areas than this, in inches, is deep inside.
DEEP = 1e-3


class PreparedAreas(NamedTuple):
    """Areas as arrays of prepared geometries."""

    polygons: NDArray[Any]
    borders: NDArray[Any]
    cores: NDArray[Any]  #: what of them lies deep inside


@dataclass(frozen=True, eq=False)
class Standing:
    """Things as features. Segments come first, then discs, then ovals; owners are the numbers of the things.

    >>> from simulator.geometry.footprints import Round
    >>> from simulator.geometry.pieces import rectangle
    >>> things = Standing.of([rectangle((4, 0), (2, 2)), Round(0.5).at(9, 0)])
    >>> len(things.segments), things.discs.tolist(), things.disc_owner.tolist()
    (4, [[9.0, 0.0, 0.5]], [1])
    """

    segments: FloatArray  #: rows x1, y1, x2, y2
    discs: FloatArray  #: rows x, y, radius
    ovals: FloatArray  #: rows x, y, half length, half width, heading in radians
    areas: tuple[Any, ...]  #: shapely polygons; a thing of several parts is one area
    segment_owner: IntArray
    disc_owner: IntArray
    oval_owner: IntArray
    area_owner: IntArray
    segment_area: IntArray  #: the area whose border a segment belongs to; -1 for bare lines and posts
    count: int  #: the number of things

    @classmethod
    def of(cls, solids: Iterable[Solid]) -> Standing:
        """Convert things: shapes of pieces, placed bases."""
        things = list(solids)
        segments, discs, ovals = [np.zeros((0, 4))], [np.zeros((0, 3))], [np.zeros((0, 5))]
        areas: list[Any] = []
        owners: list[list[int]] = [[], [], [], []]
        borders: list[int] = []
        for number, thing in enumerate(things):
            if is_curved(thing):
                (x, y), ((xx, xy), (yx, yy)) = thing.parts[0][0].tolist(), np.asarray(thing.spread).tolist()
                along, across = float(np.hypot(xx, yx)), float(np.hypot(xy, yy))
                if along == across:
                    discs.append(np.array([[x, y, along]]))
                    owners[1].append(number)
                else:
                    ovals.append(np.array([[x, y, along, across, np.arctan2(yx, xx)]]))
                    owners[2].append(number)
                continue
            closed = bool(thing.polygon.area)
            segments.append(np.asarray(thing.edges))
            owners[0] += [number] * len(thing.edges)
            borders += [len(areas) if closed else -1] * len(thing.edges)
            if closed:
                areas.append(thing.polygon)
                owners[3].append(number)
        lines, rounds, longs, grounds = (np.array(owner, np.intp) for owner in owners)
        return cls(
            np.concatenate(segments),
            np.concatenate(discs),
            np.concatenate(ovals),
            tuple(areas),
            lines,
            rounds,
            longs,
            grounds,
            np.array(borders, np.intp),
            len(things),
        )

    @classmethod
    def of_rows(cls, segments: ArrayLike = (), discs: ArrayLike = ()) -> Standing:
        """Convert bare segments, rows x1, y1, x2, y2, and discs, rows x, y, radius, each a thing of its own."""
        walls = as_points(np.reshape(segments, (-1, 2))).reshape(-1, 4)
        rounds = np.asarray(discs, np.float64).reshape(-1, 3)
        if not np.all((np.abs(rounds) <= FARTHEST) & (rounds[:, 2:] >= 0.0)):
            raise BoardError("expected discs with finite places and radii of 0 or more", "discs")
        owner = np.arange(len(walls)), np.arange(len(rounds)) + len(walls), np.zeros(0, np.intp), np.zeros(0, np.intp)
        bare = np.full(len(walls), -1, np.intp)
        return cls(walls, rounds, np.zeros((0, 5)), (), *owner, bare, len(walls) + len(rounds))

    @cached_property
    def owners(self) -> IntArray:
        """The number of the thing of each feature."""
        return np.concatenate([self.segment_owner, self.disc_owner, self.oval_owner])

    @cached_property
    def middles(self) -> FloatArray:
        """The middle of each feature."""
        return np.concatenate([(self.segments[:, :2] + self.segments[:, 2:]) / 2, self.discs[:, :2], self.ovals[:, :2]])

    @cached_property
    def reaches(self) -> FloatArray:
        """The distance that each feature extends from its middle."""
        halves = np.hypot(*(self.segments[:, 2:] - self.segments[:, :2]).T) / 2
        return np.concatenate([halves, self.discs[:, 2], np.max(self.ovals[:, 2:4], axis=1, initial=0.0)])

    @cached_property
    def boxes(self) -> FloatArray:
        """The box around each feature, rows min x, min y, max x, max y."""
        low, high = (end(self.segments[:, :2], self.segments[:, 2:]) for end in (np.minimum, np.maximum))
        rounds = [
            (self.discs[:, :2], self.discs[:, 2:]),
            (self.ovals[:, :2], np.max(self.ovals[:, 2:4], axis=1, initial=0.0)[:, None]),
        ]
        around = [np.hstack([middle - reach, middle + reach]) for middle, reach in rounds]
        return np.concatenate([np.hstack([low, high]), *around])

    @cached_property
    def _all_boxes(self) -> FloatArray:
        """The boxes of features and areas as columns: min x, min y, max x, max y."""
        return np.ascontiguousarray(np.concatenate([self.boxes, self._area_boxes.reshape(-1, 4)]).T)

    def is_clear_of(self, box: tuple[float, float, float, float]) -> bool:
        """Whether no box of a feature or an area meets a box (min x, min y, max x, max y)."""
        low_x, low_y, high_x, high_y = self._all_boxes
        x0, y0, x1, y1 = box
        return not np.any((low_x <= x1) & (high_x >= x0) & (low_y <= y1) & (high_y >= y0))

    @cached_property
    def _tree(self) -> shapely.STRtree:
        return shapely.STRtree(np.asarray(shapely.box(*self.boxes.T), object))

    @cached_property
    def _area_tree(self) -> shapely.STRtree:
        return shapely.STRtree(np.array(self.areas, object))

    @cached_property
    def _area_boxes(self) -> FloatArray:
        return np.asarray(shapely.bounds(np.array(self.areas, object)))

    @cached_property
    def prepared(self) -> PreparedAreas:
        """The areas, prepared for tests of many points."""
        polygons = np.array(self.areas, object)
        borders = np.asarray(shapely.boundary(polygons))
        cores = np.asarray(shapely.buffer(polygons, -DEEP, join_style="mitre"))
        for shapes in (polygons, borders, cores):
            shapely.prepare(shapes)
        return PreparedAreas(polygons, borders, cores)

    def features_near(self, boxes: FloatArray) -> tuple[IntArray, IntArray]:
        """Return the pairs of a box (rows min x, min y, max x, max y) and a feature whose box meets it."""
        return _met(lambda: self._tree, boxes, self.boxes) if len(self.boxes) else _NO_PAIRS

    def areas_near(self, boxes: FloatArray) -> tuple[IntArray, IntArray]:
        """Return the pairs of a box and an area whose box meets it."""
        return _met(lambda: self._area_tree, boxes, self._area_boxes) if self.areas else _NO_PAIRS


class Solids(tuple[Solid, ...]):
    """Things that several spaces have in common: they are converted for the judge of ways once."""

    @cached_property
    def standing(self) -> Standing:
        """The things as features."""
        return Standing.of(self)

    @staticmethod
    def standing_of(things: Iterable[Solid]) -> Standing:
        """Convert things, or return them as they have been converted before."""
        return things.standing if isinstance(things, Solids) else Standing.of(things)


_NO_PAIRS = np.zeros(0, np.intp), np.zeros(0, np.intp)
#: So many things at most are compared with each box: that takes less time than a tree, which is asked box by box.
_FEW = 150
#: So many pairs of a box and a thing are compared without a first look at which boxes are near, and without a tree.
_PAIRS_AT_ONCE = 1 << 14


def _met(
    tree_of_things: Callable[[], shapely.STRtree], boxes: FloatArray, things: FloatArray
) -> tuple[IntArray, IntArray]:
    if len(things) * len(boxes) <= _PAIRS_AT_ONCE:
        return _pairs_met(boxes, things)
    # What is beyond all things meets none of them.
    (left, bottom), (right, top) = things[:, :2].min(axis=0), things[:, 2:].max(axis=0)
    low_x, low_y, high_x, high_y = boxes.T
    near = np.flatnonzero((low_x <= right) & (high_x >= left) & (low_y <= top) & (high_y >= bottom))
    if len(things) <= _FEW:
        at, other = _pairs_met(boxes[near], things)
        return near[at], other
    tree = tree_of_things()
    # A tree looks at the boxes around what it is asked for: that of a diagonal is the box itself, and sooner made.
    at, other = tree.query(shapely.linestrings(boxes[near].reshape(-1, 2, 2)))
    numbers = np.sort(near[at] * len(tree) + other)
    return numbers // len(tree), numbers % len(tree)


def _pairs_met(boxes: FloatArray, things: FloatArray) -> tuple[IntArray, IntArray]:
    low_x, low_y, high_x, high_y = boxes.T.copy()
    x1, y1, x2, y2 = things.T[:, :, None]
    # Rows of boxes, of which there may be many more than things.
    meet = x1 <= high_x
    meet &= x2 >= low_x
    meet &= y1 <= high_y
    meet &= y2 >= low_y
    return np.divmod(np.flatnonzero(meet.T), len(things))
