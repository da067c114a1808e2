"""Gaps too narrow for a base: between two obstacles, or between two parts of a bent one.

A gap is where two faces come nearest to each other, seen from close by: its throat. Between two blocks that is the
shortest segment from one to the other; a wall with several narrow openings has a throat in each of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.rulesets.skirmish.ground import Features, features_of
from simulator.rulesets.skirmish.soldiers import TOLERANCE, SkirmishTable, radius_of


class Gap(NamedTuple):
    """A gap: the two obstacles (or twice the same), and the ends of its throat."""

    over: tuple[str, str]
    one: XY
    other: XY

    @property
    def width(self) -> float:
        """The length of the throat."""
        return math.dist(self.one, self.other)

    @property
    def middle(self) -> XY:
        """The middle of the throat."""
        return (self.one[0] + self.other[0]) / 2, (self.one[1] + self.other[1]) / 2


@clause("SK-48", "SK-49", "SK-50", "SK-51")
def narrow_gaps(table: SkirmishTable, soldier: Unit) -> list[Gap]:
    """Give the gaps that are too narrow for a soldier's base; between parallel faces, the throat nearest to it.

    It depends on the base alone. A base that fits exactly passes, unless an option says otherwise. The table's edge is
    no obstacle: nobody could come down beside it with the whole base on the table.
    """
    width = 2.0 * radius_of(soldier)
    widest = width - TOLERANCE if table.options.exact_fit_passes else width + TOLERANCE
    found = features_of(table)
    faces = _facing(found, widest)
    if not len(faces.one):
        return []
    middles = _throats(found.edges, faces, np.asarray(soldier.place, np.float64))
    order = np.lexsort((faces.other, faces.one))
    gaps: dict[tuple[float, ...], Gap] = {}
    for k in order.tolist():
        ends = np.round(middles[k], 6).ravel().tolist()
        over = (found.edge_owner[faces.one[k]], found.edge_owner[faces.other[k]])
        one, other = (tuple(end) for end in middles[k].tolist())
        gaps.setdefault(tuple(min(ends, ends[2:] + ends[:2])), Gap(over, one, other))
    return list(gaps.values())


@dataclass(frozen=True, eq=False)
class _Faces:
    """Pairs of edges with a throat between them, by their numbers."""

    one: IntArray
    other: IntArray


@lru_cache(maxsize=64)
def _facing(found: Features, widest: float) -> _Faces:
    """The pairs of edges that have a throat of at most a width between them."""
    edges = found.edges
    none = _Faces(np.zeros(0, np.intp), np.zeros(0, np.intp))
    if not len(edges):
        return none
    lines = np.asarray(shapely.linestrings(edges.reshape(-1, 2, 2)))
    one, other = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=widest)
    apart = shapely.distance(lines[one], lines[other])
    kept = (one < other) & (apart > TOLERANCE) & (apart <= widest)
    faces = _Faces(one[kept], other[kept])
    if not len(faces.one):
        return none
    # Between parallel faces both ends of the stretch speak for what is between them.
    far = 1e6 * (edges[faces.one, 2:] - edges[faces.one, :2])
    is_throat = np.ones(len(faces.one), np.bool_)
    for spot in (edges[faces.one, :2] - far, edges[faces.one, 2:] + far):
        throats = _throats(edges, faces, spot)
        is_throat &= _is_narrowest(edges, throats) & _is_open(found, throats)
    return _Faces(faces.one[is_throat], faces.other[is_throat])


def _nearest_on(edges: FloatArray, points: FloatArray) -> FloatArray:
    """For each edge its point nearest to a point."""
    along = edges[:, 2:] - edges[:, :2]
    share = np.sum((points - edges[:, :2]) * along, axis=1) / np.sum(along * along, axis=1)
    return np.asarray(edges[:, :2] + np.clip(share, 0.0, 1.0)[:, None] * along)


def _throats(edges: FloatArray, faces: _Faces, near: FloatArray) -> FloatArray:
    """The shortest segment between each two faces, of equally short ones that nearest to a place; both ends each.

    Two segments that do not meet come nearest to each other at an end of one of them, and, where they are parallel, all
    along the stretch between two such places.
    """
    one, other = edges[faces.one], edges[faces.other]
    spots = np.broadcast_to(near, (len(one), 2))
    ends = [(one[:, :2], _nearest_on(other, one[:, :2])), (one[:, 2:], _nearest_on(other, one[:, 2:]))]
    ends += [(_nearest_on(one, other[:, :2]), other[:, :2]), (_nearest_on(one, other[:, 2:]), other[:, 2:])]
    level = _nearest_on(one, spots)
    ends.append((level, _nearest_on(other, level)))
    tries = np.array([np.stack(pair, axis=1) for pair in ends])
    lengths = np.hypot(*(tries[:, :, 1] - tries[:, :, 0]).transpose(2, 0, 1))
    away = np.hypot(*(tries.mean(axis=2) - spots).transpose(2, 0, 1))
    is_short = lengths <= lengths.min(axis=0) + TOLERANCE
    best = np.argmin(np.where(is_short, away, np.inf), axis=0)
    return np.asarray(tries[best, np.arange(len(one))])


def _is_narrowest(edges: FloatArray, throats: FloatArray) -> BoolArray:
    """Whether no face that goes on from an end of a throat comes nearer to the other end."""
    narrowest = np.ones(len(throats), np.bool_)
    for end in (0, 1):
        here, across = throats[:, end], throats[:, 1 - end] - throats[:, end]
        for begin, stop in ((0, 2), (2, 0)):
            corner, onward = edges[:, begin : begin + 2], edges[:, stop : stop + 2] - edges[:, begin : begin + 2]
            meets = np.hypot(*(here[:, None] - corner[None]).transpose(2, 0, 1)) <= TOLERANCE
            nearer = across @ onward.T > TOLERANCE * np.hypot(*onward.T)
            narrowest &= ~np.any(meets & nearer, axis=1)
    return narrowest


def _is_open(found: Features, throats: FloatArray) -> BoolArray:
    """Whether nothing stands in a throat: between two faces of one block is no gap but the block."""
    inset = np.clip(2.0 * TOLERANCE / np.hypot(*(throats[:, 1] - throats[:, 0]).T), 0.0, 0.25)[:, None]
    first, last = throats[:, 0], throats[:, 1]
    ends = np.stack([first + inset * (last - first), last + inset * (first - last)], axis=1)
    lines = np.asarray(shapely.linestrings(ends))
    solids = shapely.STRtree([piece.shape.polygon for piece in found.obstacles])
    shut, _ = solids.query(lines, predicate="intersects")
    return np.asarray(np.bincount(shut, minlength=len(lines)) == 0)
