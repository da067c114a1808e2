"""Spans in which moving points are inside areas, for many points and areas.

A point enters or leaves only where it crosses the border, so its way is cut there, and between two cuts one place
decides for all. Borders are searched by boxes: only edges near the way are tested.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import NO_SPANS, Spans, merged, turned_to
from simulator.geometry.standing import DEEP, Standing
from simulator.geometry.sweeps import MovingPoints, Rings, box_of_sweep
from simulator.geometry.tolerances import ROUNDING

#: The shares between two cuts at which the way is tested. It may just touch the border at one of them, but not at both.
_LOOKED_AT = (0.5, 0.381966)
#: What is deep inside of an area is deeper than this, however roughly that was drawn.
_SURELY = DEEP / 2


def lines_inside(lines: MovingPoints, standing: Standing, tolerance: float) -> Spans:
    """Find where points on lines are inside areas, deeper than a tolerance. Rows are `line * areas + area`."""
    boxes = box_of_sweep(lines)
    near = standing.areas_near(boxes)
    if not len(near[0]):
        return NO_SPANS
    far = np.hypot(*lines.step.T)
    # A point that stays where it is crosses nothing.
    moving = np.flatnonzero(far > ROUNDING)
    row, edge = _edges_near(boxes[moving], standing)
    row = moving[row]
    scale = np.where(far > ROUNDING, far, 1.0)
    # Column by column: that is several times as fast as rows of two.
    ux, uy = ((lines.step[:, axis] / scale).take(row) for axis in (0, 1))
    x, y = (lines.start[:, axis].take(row) for axis in (0, 1))
    offs, along = [], []
    for end in (0, 2):
        dx, dy = (standing.segments[:, end + axis].take(edge) - here for axis, here in ((0, x), (1, y)))
        offs.append(ux * dy - uy * dx)
        along.append(ux * dx + uy * dy)
    crossed = np.flatnonzero(offs[0] * offs[1] < 0.0)
    (off, other), (at, to) = ([column[crossed] for column in columns] for columns in (offs, along))
    cuts = [(crossed, at + (to - at) * (off / (off - other)))]
    for off, at in zip(offs, along, strict=True):
        # Where a line runs onto an edge and off it again.
        corner = np.flatnonzero(np.abs(off) <= tolerance)
        cuts.append((corner, at[corner]))
    flat = [(row[some], edge[some], places / scale[row[some]]) for some, places in cuts]

    def place(line: IntArray, share: FloatArray) -> FloatArray:
        return np.asarray(lines.start[line] + share[:, None] * lines.step[line])

    return _between(near, standing, flat, place, far, tolerance)


def points_inside(points: FloatArray, standing: Standing, tolerance: float) -> tuple[IntArray, IntArray]:
    """Find which points are inside areas, deeper than a tolerance: pairs of a point and an area.

    >>> from simulator.geometry.pieces import rectangle
    >>> floor = Standing.of([rectangle((2, 0), (4, 4))])
    >>> points_inside(np.array([[0.0, 0.0], [1.0, 1.0], [9.0, 9.0]]), floor, 1e-9)
    (array([1]), array([0]))
    """
    row, area = standing.areas_near(np.hstack([points, points]))
    inside = _are_inside(area, points[row], standing, tolerance)
    return row[inside], area[inside]


def rings_inside(rings: Rings, standing: Standing, tolerance: float) -> Spans:
    """Find where points on rings are inside areas, deeper than a tolerance. Rows are `ring * areas + area`."""
    boxes = box_of_sweep(rings)
    near = standing.areas_near(boxes)
    if not len(near[0]):
        return NO_SPANS
    row, edge = _edges_near(boxes, standing)
    segments = standing.segments[edge]
    step = segments[:, 2:] - segments[:, :2]
    normal = np.column_stack([-step[:, 1], step[:, 0]]) / np.hypot(*step.T)[:, None]
    offset = np.sum(normal * (rings.centre[row] - segments[:, :2]), axis=1)
    radius = np.where(rings.radius > 0.0, rings.radius, 1.0)[row]
    heading, cosine = np.arctan2(normal[:, 1], normal[:, 0]), -offset / radius
    apart = np.arccos(np.clip(cosine, -1.0, 1.0))
    angles = [np.where(np.abs(cosine) <= 1.0 + tolerance / radius, heading + side * apart, np.nan) for side in (-1, 1)]
    for end in (segments[:, :2], segments[:, 2:]):
        gap = end - rings.centre[row]
        on_ring = np.abs(np.hypot(*gap.T) - radius) <= tolerance
        angles.append(np.where(on_ring, np.arctan2(gap[:, 1], gap[:, 0]), np.nan))
    whole = np.abs(rings.turning.sweep)
    turned = turned_to(rings.turning.of(row), angles)
    scale = np.where(whole > 0.0, whole, 1.0)
    flat = [(row, edge, turned[:, k] / scale[row]) for k in range(turned.shape[1])]

    def place(ring: IntArray, share: FloatArray) -> FloatArray:
        angle = rings.turning.begin[ring] + share * rings.turning.sweep[ring]
        ahead = np.column_stack([np.cos(angle), np.sin(angle)])
        return np.asarray(rings.centre[ring] + rings.radius[ring, None] * ahead)

    return _between(near, standing, flat, place, rings.radius * whole, tolerance)


def _edges_near(boxes: FloatArray, standing: Standing) -> tuple[IntArray, IntArray]:
    row, edge = standing.features_near(boxes)
    kept = edge < len(standing.segments)
    row, edge = row[kept], edge[kept]
    kept = standing.segment_area[edge] >= 0
    return row[kept], edge[kept]


def _between(
    near: tuple[IntArray, IntArray],
    standing: Standing,
    cuts: list[tuple[IntArray, IntArray, FloatArray]],
    place: Callable[[IntArray, FloatArray], FloatArray],
    far: FloatArray,
    tolerance: float,
) -> Spans:
    """Decide which stretches between the cuts of pairs of a way and an area near it are inside; ways are `far` long."""
    areas = len(standing.areas)
    row, area = near
    pair = row * areas + area
    zeros = np.zeros(len(pair))
    keys = [pair, pair, *(rows * areas + standing.segment_area[edges] for rows, edges, _ in cuts)]
    shares = [zeros, zeros + 1.0, *(np.clip(at, 0.0, 1.0) for _, _, at in cuts)]
    key, share = np.concatenate(keys), np.concatenate(shares)
    order = np.lexsort((share, key))
    key, share = key[order], share[order]
    room = np.maximum(far[key // areas], ROUNDING)
    apart = (share[1:] - share[:-1]) * room[1:] > 10 * ROUNDING
    still = far[key[1:] // areas] <= ROUNDING
    kept = np.flatnonzero((key[1:] == key[:-1]) & (apart | (still & (share[1:] > share[:-1]))))
    key, begin, end = key[kept], share[kept], share[kept + 1]
    inside = np.zeros(len(key), np.bool_)
    for lead in _LOOKED_AT:
        open_ = np.flatnonzero(~inside)
        if not len(open_):
            break
        at = place(key[open_] // areas, begin[open_] + lead * (end - begin)[open_])
        inside[open_] = _are_inside(key[open_] % areas, at, standing, tolerance)
    return merged(Spans(key[inside], begin[inside], end[inside]), slack=1e-12)


def _are_inside(which: IntArray, points: FloatArray, standing: Standing, tolerance: float) -> BoolArray:
    """Find which points are inside areas by their numbers, deeper than a tolerance."""
    polygons, borders, cores = standing.prepared
    found: BoolArray = shapely.contains_xy(polygons[which], *points.T)
    row = np.flatnonzero(found)
    if tolerance < _SURELY:
        # Nearly all are far from the border: no points have to be made of those.
        row = row[~shapely.contains_xy(cores[which[row]], *points[row].T)]
    found[row] = ~shapely.dwithin(borders[which[row]], shapely.points(points[row]), tolerance)
    return found
