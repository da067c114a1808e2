"""Rays across things: the stretches on which a round base overlaps the thing that it crosses.

Plain geometry over flat arrays, one row for each ray and each edge that it is compared with. Places along a ray are
measured in inches from its start; limits are inclusive, to within `TOLERANCE`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray, Interval, band, both, disc_interval
from simulator.geometry.insides import lines_inside
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import NO_SPANS, Spans, joined, merged
from simulator.geometry.standing import Standing
from simulator.geometry.sweeps import MovingPoints
from simulator.geometry.tolerances import TOLERANCE, TOUCH


class RayPairs(NamedTuple):
    """Rays, with their starts and directions, and pairs of a ray and a thing that it crosses, by number."""

    start: FloatArray
    unit: FloatArray
    ray: IntArray
    thing: IntArray

    def at(self, inches: FloatArray) -> FloatArray:
        """Return the places after some inches."""
        return np.asarray(self.start + inches[:, None] * self.unit)


def nearest_on(segments: FloatArray, places: FloatArray) -> FloatArray:
    """Return the point of each segment, rows x1, y1, x2, y2, that is nearest to a place of its own."""
    begin, step = segments[:, :2], segments[:, 2:] - segments[:, :2]
    share = np.clip(np.sum((places - begin) * step, axis=1) / np.sum(step**2, axis=1), 0.0, 1.0)[:, None]
    return np.where(share == 1.0, segments[:, 2:], begin + share * step)


def nearest_points(things: Standing, thing: IntArray, places: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the points of things nearest to a place each, one or several: the number of the row, the point.

    >>> from simulator.geometry.pieces import LineShape
    >>> bent = Standing.of([LineShape([(0, 2), (0, 0), (2, 0)])])
    >>> [found.tolist() for found in nearest_points(bent, np.array([0]), np.array([[1.0, 1.0]]))]
    [[0, 0], [[0.0, 1.0], [1.0, 0.0]]]
    """
    row, segments = _edges(things, thing)
    points = nearest_on(segments, places[row])
    away = np.hypot(*(points - places[row]).T)
    least = np.full(len(thing), np.inf)
    np.minimum.at(least, row, away)
    near = np.flatnonzero(away <= least[row] + TOLERANCE)
    near = near[np.lexsort((away[near], row[near]))]
    near = near[_apart(row[near], points[near], 3.0 * np.sqrt(TOLERANCE * least[row[near]]))]
    found = np.unique(np.column_stack([row[near], np.round(points[near], 9) + 0.0]), axis=0)
    return found[:, 0].astype(np.intp), found[:, 1:]


def _apart(row: IntArray, points: FloatArray, least: FloatArray) -> BoolArray:
    """Return a mask of the points, in order of rows with the nearest first, that are distinct from those before them.

    On an edge beside a corner two points are about as near as each other: one on the edge, and the corner.
    """
    kept = np.ones(len(row), np.bool_)
    for step in range(1, int(np.bincount(row).max(initial=1))):
        same = row[step:] == row[:-step]
        kept[step:] &= ~(same & (np.hypot(*(points[step:] - points[:-step]).T) <= least[step:]))
    return kept


def overlaps(rays: RayPairs, things: Standing, radius: FloatArray) -> tuple[Spans, Spans]:
    """Find where a base overlaps the thing that its ray crosses, and where its centre is inside it.

    Touching in passing is not an overlap. Adjacent stretches are merged, in order of rays and inches.

    >>> from simulator.geometry.pieces import rectangle
    >>> block = Standing.of([rectangle((3, 0), (1, 9))])
    >>> one = RayPairs(np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]]), np.array([0]), np.array([0]))
    >>> [(spans.begin.tolist(), spans.end.tolist()) for spans in overlaps(one, block, np.array([0.5]))]
    [([2.0], [4.0]), ([2.5], [3.5])]
    """
    row, segments = _edges(things, rays.thing)
    ray = rays.ray[row]
    begin, end = _nearer(rays, ray, segments, radius[ray])
    deep_begin, deep_end = _nearer(rays, ray, segments, radius[ray] - TOLERANCE)
    met = deep_begin < deep_end
    inside = _insides(rays, things)
    return merged(joined([Spans(ray[met], begin[met], end[met]), inside]), slack=TOLERANCE), inside


def along_edges(rays: RayPairs, things: Standing, far: FloatArray) -> FloatArray:
    """Return the length that each ray, up to a place, runs along edges of the thing it crosses; crossings have none."""
    row, segments = _edges(things, rays.thing)
    ray = rays.ray[row]
    begin, end = _nearer(rays, ray, segments, np.full(len(ray), TOLERANCE))
    begin, end = np.maximum(begin, 0.0), np.minimum(end, far[ray])
    met = begin < end
    return np.maximum(total(merged(Spans(ray[met], begin[met], end[met])), far) - 2 * TOLERANCE, 0.0)


def total(spans: Spans, far: FloatArray) -> FloatArray:
    """Add up the stretches of each ray, up to a place."""
    most = far[spans.row]
    lengths = np.clip(spans.end, 0.0, most) - np.clip(spans.begin, 0.0, most)
    return np.asarray(np.bincount(spans.row, lengths, minlength=len(far)), np.float64)


def stretch_at(spans: Spans, inches: FloatArray) -> Interval:
    """Return the stretch that contains a point of each ray; the point alone if there is none."""
    at = inches[spans.row]
    row, first = np.unique(
        spans.row[containing := (spans.begin <= at + TOLERANCE) & (spans.end > at)], return_index=True
    )
    begin, end = inches.copy(), inches.copy()
    begin[row], end[row] = spans.begin[containing][first], spans.end[containing][first]
    return begin, end


class Across(NamedTuple):
    """The results of going straight across things, one row for each: see `across`."""

    reach: FloatArray  #: the distance from the start to the aim
    depth: FloatArray  #: the length for which the centre is inside the thing, or runs along a wall
    foot: FloatArray  #: the place where the base first touches the thing
    far: FloatArray  #: the place where it no longer overlaps it
    is_hidden: BoolArray  #: whether another part of the thing is before the aim


def across(things: Standing, thing: IntArray, starts: FloatArray, aims: FloatArray, radius: float) -> Across:
    """Move a base from starts straight across things, each through a point that it is aimed at.

    >>> from simulator.geometry.pieces import LineShape
    >>> wall = Standing.of([LineShape([(2, -9), (2, 9)])])
    >>> way = across(wall, np.array([0]), np.array([[0.0, 0.0]]), np.array([[2.0, 0.0]]), 0.5)
    >>> way.foot.tolist(), way.far.tolist(), way.depth.round(9).tolist()
    ([[1.5, 0.0]], [[2.5, 0.0]], [0.0])
    """
    reach = np.hypot(*(aims - starts).T)
    rays = RayPairs(starts, (aims - starts) / np.where(reach > 0.0, reach, 1.0)[:, None], np.arange(len(thing)), thing)
    spans, inside = overlaps(rays, things, np.full(len(thing), radius))
    contact, far = (np.where(reach > 0.0, inches, 0.0) for inches in stretch_at(spans, reach))
    # A wall without width has no depth, unless it is crossed lengthwise from its end.
    depth = np.where(np.isin(thing, things.area_owner), total(inside, far), along_edges(rays, things, far))
    before = (spans.end > TOLERANCE) & (spans.begin < contact[spans.row])
    is_hidden = np.bincount(spans.row[before], minlength=len(thing)) > 0
    return Across(reach, depth, rays.at(np.maximum(contact, 0.0)), rays.at(far), is_hidden)


def all_across(things: Standing, places: FloatArray, radius: float, within: float) -> tuple[IntArray, IntArray, Across]:
    """Move a base from places straight across the nearest points of all things within some inches of its edge.

    Return the numbers of the place and of the thing for each row, and the results. A thing with several nearest points
    has a row for each.

    >>> from simulator.geometry.pieces import LineShape
    >>> walls = Standing.of([LineShape([(2, -9), (2, 9)]), LineShape([(-9, 3), (9, 3)])])
    >>> place, thing, ways = all_across(walls, np.array([[0.0, 0.0], [1.5, 0.0]]), radius=0.5, within=1.0)
    >>> place.tolist(), thing.tolist(), ways.far.tolist()
    ([1], [0], [[2.5, 0.0]])
    """
    place, thing = (index.ravel() for index in np.indices((len(places), things.count)))
    row, aims = nearest_points(things, thing, places[place])
    place, thing = place[row], thing[row]
    near = np.flatnonzero(np.hypot(*(aims - places[place]).T) <= radius + within + TOLERANCE)
    place, thing = place[near], thing[near]
    return place, thing, across(things, thing, places[place], aims[near], radius)


def _edges(things: Standing, thing: IntArray) -> tuple[IntArray, FloatArray]:
    """Return the edges of some things, one after the other, and to which row each belongs."""
    first, last = (np.searchsorted(things.segment_owner, thing, side=side) for side in ("left", "right"))
    row = np.repeat(np.arange(len(thing)), last - first)
    before = np.cumsum(last - first) - (last - first)
    return row, things.segments[np.arange(len(row)) + (first - before)[row]]


def _nearer(rays: RayPairs, ray: IntArray, segments: FloatArray, radius: FloatArray) -> Interval:
    """Return the interval in which a ray is nearer to an edge than a radius; empty ones end before they begin."""
    (x1, y1, x2, y2), (sx, sy), (ux, uy) = segments.T, rays.start[ray].T, rays.unit[ray].T
    length = np.hypot(x2 - x1, y2 - y1)
    ex, ey = (x2 - x1) / length, (y2 - y1) / length
    px, py = sx - x1, sy - y1
    off, off_rate = ex * py - ey * px, ex * uy - ey * ux
    along, along_rate = ex * px + ey * py, ex * ux + ey * uy
    first, last = both(band(off, off_rate, -radius, radius), band(along, along_rate, 0.0, length))
    for x, y in ((x1, y1), (x2, y2)):
        begin, end = disc_interval(sx - x, sy - y, ux, uy, radius)
        first, last = np.minimum(first, begin), np.maximum(last, end)
    return first, last


def _insides(rays: RayPairs, things: Standing) -> Spans:
    """Find where rays are inside the areas that they cross."""
    area_of = np.full(things.count, -1)
    area_of[things.area_owner] = np.arange(len(things.areas))
    pair = np.flatnonzero(area_of[rays.thing] >= 0)
    if not len(pair):
        return NO_SPANS
    # A ray ends where the last of them is behind it.
    row, segments = _edges(things, rays.thing[pair])
    far = np.zeros(len(rays.start))
    for corner in (segments[:, :2], segments[:, 2:]):
        np.maximum.at(far, rays.ray[pair][row], np.hypot(*(corner - rays.start[rays.ray[pair][row]]).T))
    long = np.flatnonzero(far)
    spans = lines_inside(MovingPoints(rays.start[long], far[long, None] * rays.unit[long]), things, TOUCH)
    areas = len(things.areas)
    ray, area = long[spans.row // areas], spans.row % areas
    is_requested = np.isin(ray * areas + area, rays.ray[pair] * areas + area_of[rays.thing[pair]])
    return Spans(ray, spans.begin * far[ray], spans.end * far[ray]).of(is_requested)
