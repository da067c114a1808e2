"""Where something can be set down beside a mover, in whichever pose that ends.

The ground beside the mover is made of convex parts, which turn and travel with it. Along a line of poses such a part
sweeps the convex hull of where it begins and where it ends, and a place in that belongs to a pose in closed form. So no
pose stands for others: each place of the ground has one, which `pose_beside` names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.pose_lines import PoseLines, pose_lines
from simulator.pathing.posed.rays import units
from simulator.pathing.posed.reach import PoseReach

#: A line is of use if it adds places farther than this from those that are known.
_FARTHER = 0.03
#: About so many corners of a part are looked at.
_CORNERS = 8


@dataclass(frozen=True, eq=False)
class BesideEnds:
    """The ground beside a mover at its ends on a level: convex parts around its reference point, facing along +x."""

    reach: PoseReach
    parts: Sequence[FloatArray]  #: corners counter-clockwise, rows x, y
    level: int = 0

    @cached_property
    def _found(self) -> tuple[PoseLines, BaseGeometry]:
        lots, known = [PoseLines.at(np.zeros((0, 2)), np.zeros(0))], _Known(self.parts)
        for lines in pose_lines(self.reach, self.level, known):
            some = pick(lines, known.lines(lines))
            if len(some.heading):
                lots.append(some)
                known.add(_swept(some, self.parts))
        return join(lots), known.ground

    @property
    def lines(self) -> PoseLines:
        """The poses of the mover; those that add nothing to the ground are left out."""
        return self._found[0]

    @property
    def ground(self) -> BaseGeometry:
        """All places beside the mover in one of its poses."""
        return self._found[1]

    def covered(self, parts: Sequence[FloatArray]) -> BaseGeometry:
        """Return what other convex parts, such as those of its base, cover in one of its poses."""
        return shapely.union_all(_swept(self.lines, parts))

    def pose_beside(
        self, place: XY, clear_of: XY | None = None, base: Sequence[FloatArray] = ()
    ) -> tuple[XY, float] | None:
        """Return a pose of the mover that a place lies beside, as place and heading; None: there is none.

        In it no part of its `base` may have another place inside it.
        """
        best: tuple[float, XY, float] | None = None
        for part in self.parts:
            low, high = _shares(self.lines, part, place, TOLERANCE)
            spans = [(low, high)]
            for one in base if clear_of is not None else ():
                assert clear_of is not None
                enters, leaves = _shares(self.lines, one, clear_of, -TOLERANCE)
                inside = enters < leaves
                enters, leaves = np.where(inside, enters, np.inf), np.where(inside, leaves, np.inf)
                spans = [
                    span
                    for begin, end in spans
                    for span in (
                        (begin, np.minimum(end, enters)),
                        (np.where(inside, np.maximum(begin, leaves), np.inf), end),
                    )
                ]
            for begin, end in spans:
                row = int(np.argmax(end - begin))
                room = float(end[row] - begin[row])
                if room >= 0.0 and (best is None or room > best[0]):
                    share = float(begin[row] + end[row]) / 2
                    ((x, y),) = self.lines.places(np.array([row]), np.array([share])).tolist()
                    best = room, (x, y), float(self.lines.heading[row])
        return None if best is None else best[1:]


class _Known:
    """The ground that is known, and what would add to it."""

    def __init__(self, parts: Sequence[FloatArray]) -> None:
        self.ground: BaseGeometry = shapely.Polygon()
        #: Some corners stand for all: what lies between them lies hardly farther out.
        self._corners = np.concatenate([part[:: max(len(part) // _CORNERS, 1)] for part in parts])
        self._reach = max(float(np.hypot(*part.T).max()) for part in parts)

    def add(self, shapes: NDArray[Any]) -> None:
        """Add shapes to the ground."""
        self.ground = shapely.union_all([self.ground, shapely.union_all(shapes)])
        self._near = shapely.buffer(self.ground, _FARTHER, quad_segs=4)
        self._outside = shapely.boundary(self._near)
        shapely.prepare([self._near, self._outside])

    def around(self, places: FloatArray, inches: FloatArray) -> BoolArray:
        """Find the places around which some ground is not known."""
        if self.ground.is_empty:
            return np.ones(len(places), np.bool_)
        points: NDArray[Any] = np.asarray(shapely.points(places), object)
        inside = shapely.contains(self._near, points)
        return np.asarray(~inside | (shapely.distance(self._outside, points) <= inches + self._reach))

    def lines(self, lines: PoseLines) -> BoolArray:
        """Find the lines with a corner of a part outside of what is known."""
        found: BoolArray = np.zeros(len(lines.heading), np.bool_)
        if self.ground.is_empty or not len(found):
            return ~found
        turned = _turned(self._corners, lines.heading)
        for place in (lines.end, lines.begin):
            left = np.flatnonzero(~found)
            x, y = (place[left, None] + turned[left]).reshape(-1, 2).T
            found[left] = ~shapely.contains_xy(self._near, x, y).reshape(len(left), len(self._corners)).all(axis=1)
        return found


def _swept(lines: PoseLines, parts: Sequence[FloatArray]) -> NDArray[Any]:
    """What parts sweep along lines."""
    found = [np.zeros(0, object)]
    for part in parts:
        turned = _turned(part, lines.heading)
        corners = np.concatenate([lines.begin[:, None] + turned, lines.end[:, None] + turned], axis=1)
        found.append(np.asarray(shapely.convex_hull(shapely.linestrings(corners)), object))
    return np.concatenate(found)


def _turned(corners: FloatArray, headings: FloatArray) -> FloatArray:
    """Corners as they lie with each heading, an array of rows x, y for each."""
    cos, sin = units(headings).T
    x, y = corners.T
    return np.stack([np.outer(cos, x) - np.outer(sin, y), np.outer(sin, x) + np.outer(cos, y)], axis=2)


def _shares(lines: PoseLines, part: FloatArray, place: XY, slack: float) -> tuple[FloatArray, FloatArray]:
    """From which share of each line to which a place is in a convex part; the other way round where it never is."""
    ahead = np.roll(part, -1, axis=0) - part
    normals = np.column_stack([ahead[:, 1], -ahead[:, 0]]) / np.hypot(*ahead.T)[:, None]
    limits = (normals * part).sum(axis=1) + slack
    cos, sin = units(lines.heading).T
    turned = np.stack(
        [
            np.outer(cos, normals[:, 0]) - np.outer(sin, normals[:, 1]),
            np.outer(sin, normals[:, 0]) + np.outer(cos, normals[:, 1]),
        ],
        axis=2,
    )
    beyond = (turned * (np.asarray(place) - lines.begin)[:, None]).sum(axis=2) - limits
    along = (turned * (lines.end - lines.begin)[:, None]).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = beyond / along
    low = np.where(along > 0.0, at, np.where((along == 0.0) & (beyond > 0.0), np.inf, -np.inf)).max(axis=1)
    high = np.where(along < 0.0, at, np.inf).min(axis=1)
    return np.maximum(low, 0.0), np.minimum(high, 1.0)
