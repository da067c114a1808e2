"""First contacts on the inch table: where a moving base meets what stands.

Exact like `measures`: the time of contact is solved for, never stepped towards. From apart, any touch counts; what
starts in touch and moves away or along has no contact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError
from simulator.geometry.convex import (
    FARTHEST,
    BoolArray,
    IntArray,
    Interval,
    as_points,
    band,
    border_on_line,
    both,
    centre_of,
    disc_interval,
    farthest,
    is_curved,
    near_parts,
    radius_of,
    slacks,
    want_radius,
)
from simulator.geometry.footprints import Placed
from simulator.geometry.measures import nearest_points, points_in_shape, stretches_inside
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import ROUNDING, TOUCH

#: How many pairs of a leg and an obstacle are worked on at once.
_PAIRS_AT_ONCE = 500_000


class Contact(NamedTuple):
    """The first contact of a moving base: at which fraction of the way, where, and whether it ends the way.

    `blocks` is False for a mere brush: going on, the two touch but never overlap.
    """

    fraction: float
    place: XY
    blocks: bool


def first_contact(
    moving: Placed, delta: XY, standing: Solid, *, brushes: bool = True, tolerance: float = TOUCH
) -> Contact | None:
    """Find where a base, shifted by `delta` without turning, first touches another thing; None if nowhere.

    What counts as a first contact:

    - a base that starts overlapping is in contact at once, at fraction 0;
    - a base that starts touching has no first contact as long as it moves away or along, however long the two
      keep touching; if it presses in, or comes to overlap while it slides on, the contact counts and blocks;
    - a base that starts apart is in contact as soon as the gap is 0, even if it only brushes past a corner or
      along a wall, or ends just in touch; with `brushes=False` only contacts that block are reported.

    Overlaps up to `tolerance` are none, and gaps up to it are closed; for an oval against straight sides it
    holds along the longer axis and shrinks with the oval across. A mere point against a bare line is blocked
    if it gets from one side to the other; the ends of the line belong to it.

    >>> from simulator.geometry.footprints import Round
    >>> first_contact(Round(0.5).at(0, 0), (4, 0), Round(0.5).at(3, 0))
    Contact(fraction=0.5, place=(2.5, 0.0), blocks=True)
    >>> first_contact(Round(0.5).at(0, 1), (4, 0), Round(0.5).at(3, 0))
    Contact(fraction=0.75, place=(3.0, 0.5), blocks=False)
    >>> first_contact(Round(0.5).at(0, 1), (4, 0), Round(0.5).at(3, 0), brushes=False) is None
    True
    """
    step = as_points([delta])[0]
    found = _first_of(_meetings(moving, step, standing, tolerance), brushes)
    if found is None:
        return None
    fraction, blocks = found
    there = moving.moved(fraction * step[0], fraction * step[1])
    (ax, ay), (bx, by) = nearest_points(there, standing)
    return Contact(fraction, ((ax + bx) / 2, (ay + by) / 2), blocks)


def first_contacts_round(
    starts: ArrayLike,
    deltas: ArrayLike,
    radius: float,
    segments: ArrayLike = (),
    discs: ArrayLike = (),
    *,
    brushes: bool = False,
    tolerance: float = TOUCH,
) -> tuple[FloatArray, IntArray]:
    """Find the first contact of each of many legs of a round base with many segments and discs at once.

    `segments` has rows x1, y1, x2, y2, `discs` rows x, y, radius. Gives the fraction of each leg (inf: none)
    and the number of the obstacle met (-1: none), segments first, then discs. Each obstacle stands alone.
    Otherwise as `first_contact`, but brushes are left out unless asked for.

    >>> first_contacts_round([(0, 0), (0, 3)], [(9, 0), (9, 0)], 0.5, [(2, -1, 2, 1)], [(7, 3, 1)])
    (array([0.16666667, 0.61111111]), array([0, 1]))
    """
    want_radius(radius)
    begins, steps = as_points(starts), as_points(deltas)
    walls = as_points(np.reshape(segments, (-1, 2))).reshape(-1, 4)
    rounds = np.asarray(discs, np.float64).reshape(-1, 3)
    if len(begins) != len(steps):
        raise BoardError(f"wants one delta for each start, not {len(steps)} for {len(begins)}")
    if not np.all((np.abs(rounds) <= FARTHEST) & (rounds[:, 2:] >= 0.0)):
        raise BoardError("wants discs with finite places and radii of 0 or more", "discs")
    fractions = np.full(len(begins), np.inf)
    which = np.full(len(begins), -1, np.intp)
    # Most pairs are far apart: circles around the obstacles tell, before anything is worked out.
    middles = np.concatenate([(walls[:, :2] + walls[:, 2:]) / 2, rounds[:, :2]])
    halves = np.concatenate([np.hypot(*(walls[:, 2:] - walls[:, :2]).T) / 2, rounds[:, 2]])
    rays = _rays_of(begins, steps)
    for legs in np.array_split(np.arange(len(begins)), len(begins) * len(middles) // _PAIRS_AT_ONCE + 1):
        leg, obstacle = _pairs_in_reach(rays.of(legs), middles, halves + radius + 2 * tolerance)
        is_wall = obstacle < len(walls)
        first = np.full(len(leg), np.inf)
        for kind, meet, rows in (
            (is_wall, _disc_meets_edges, walls[obstacle[is_wall]]),
            (~is_wall, _disc_meets_discs, rounds[obstacle[~is_wall] - len(walls)]),
        ):
            met = meet(rays.of(legs[leg[kind]]), radius, rows, tolerance)
            first[kind] = np.where(met.blocks | (brushes & (met.near > 0.0)), met.first, np.inf)
        order = np.lexsort((obstacle, first, leg))
        order = order[np.isfinite(first[order])]
        met_leg, where = np.unique(leg[order], return_index=True)
        fractions[legs[met_leg]] = first[order][where]
        which[legs[met_leg]] = obstacle[order][where]
    return fractions, which


def _pairs_in_reach(rays: _Rays, middles: FloatArray, reaches: FloatArray) -> tuple[IntArray, IntArray]:
    """The pairs of a ray and a circle, around a middle, that it comes near."""
    x, y, ux, uy, length = (column[:, None] for column in rays)
    dx, dy = middles[:, 0] - x, middles[:, 1] - y
    along = np.clip(dx * ux + dy * uy, 0.0, length)
    leg, obstacle = np.nonzero(np.hypot(dx - along * ux, dy - along * uy) <= reaches)
    return leg, obstacle


def swept(placed: Placed, path: ArrayLike) -> BaseGeometry:
    """Draw the ground that a base covers while it is shifted along a path, without turning. For display only.

    >>> from simulator.geometry.footprints import Rectangle
    >>> swept(Rectangle(2, 2).at(0, 0), [(0, 0), (4, 0), (4, 3)]).area
    18.0
    """
    corners = as_points(path) - placed.centre
    hulls = []
    outlines = [shapely.get_coordinates(placed.polygon)] if is_curved(placed) else placed.parts
    for here, there in pairwise(corners):
        for outline in outlines:
            both = np.concatenate([outline + here, outline + there])
            hulls.append(shapely.convex_hull(shapely.MultiPoint(both)))
    return union(hulls or [placed.polygon])


class _Meetings(NamedTuple):
    """How a mover meets each of several obstacles, in fractions of its way; inf where it does not."""

    near: FloatArray  #: where the gap first is within the tolerance
    past: FloatArray  #: where it last is
    first: FloatArray  #: the contact itself, at gap 0
    blocks: BoolArray  #: whether it goes on into the obstacle


class _Rays(NamedTuple):
    """Legs as starts, unit directions and lengths."""

    x: FloatArray
    y: FloatArray
    ux: FloatArray
    uy: FloatArray
    length: FloatArray

    def of(self, legs: IntArray) -> _Rays:
        """The rays of some of the legs."""
        return _Rays(*(column[legs] for column in self))


def _rays_of(starts: FloatArray, steps: FloatArray) -> _Rays:
    length = np.hypot(*steps.T)
    length[length <= ROUNDING] = 0.0
    unit = np.divide(steps, length[:, None], out=np.zeros_like(steps), where=length[:, None] > 0.0)
    unit[length == 0.0] = (1.0, 0.0)  # a leg of no length looks somewhere, but gets nowhere
    return _Rays(starts[:, 0], starts[:, 1], unit[:, 0], unit[:, 1], length)


def _meet(near: Interval, contact: FloatArray, deep: BoolArray, length: FloatArray) -> _Meetings:
    """Put meetings together, from inches along the way to fractions of it.

    `contact` is not finite where the gap comes within the tolerance of 0 but does not close.
    """
    begin, end = near
    met = (begin <= length) & (end >= 0.0)
    first = np.clip(np.where(np.isfinite(contact), contact, begin), begin, end)
    scale = np.where(length > 0.0, length, 1.0)
    return _Meetings(
        np.where(met, np.maximum(begin, 0.0), np.inf) / scale,
        np.where(met, np.minimum(end, length), -np.inf) / scale,
        np.where(met, np.clip(first, 0.0, length) + 0.0, np.inf) / scale,  # + 0.0: never -0.0
        met & deep,
    )


def _first_of(meetings: Sequence[_Meetings], brushes: bool) -> tuple[float, bool] | None:
    """The first meeting with one obstacle that is made of several features, such as edges."""
    near, past, first, blocks = (np.concatenate(columns) for columns in zip(*meetings, strict=True))
    blocked_at = float(np.min(first[blocks], initial=np.inf))
    at = blocked_at
    if brushes:
        # A mover that starts in touch and slides from edge to edge never leaves the obstacle: only a feature
        # that comes near after all those before it are past is a new contact.
        order = np.argsort(near, kind="stable")
        left_behind = np.maximum.accumulate(np.concatenate([[0.0], past[order][:-1]])[: len(order)])
        fresh = near[order] > left_behind
        at = min(at, float(np.min(first[order][fresh], initial=np.inf)))
    if math.isinf(at):
        return None
    return at, blocked_at <= at + TOUCH


def _meetings(moving: Placed, step: FloatArray, standing: Solid, tolerance: float) -> list[_Meetings]:
    """All the ways in which a mover meets a thing; there is a closed form for each pair of kinds."""
    radii = radius_of(moving), radius_of(standing)
    if radii[0] is not None and radii[1] is not None:
        disc = np.array([[*centre_of(standing), radii[1]]])
        return [_disc_meets_discs(_ray_of(centre_of(moving), step), radii[0], disc, tolerance)]
    if is_curved(moving) and is_curved(standing):
        return [_ellipses_meet(moving, step, standing, tolerance)]
    if is_curved(moving):
        return _ellipse_meets_straight(moving, step, standing, tolerance)
    if is_curved(standing):
        return _ellipse_meets_straight(standing, -step, moving, tolerance)
    if radii[0] is not None:
        return _point_meets(centre_of(moving), step, standing, tolerance)
    if radii[1] is not None:
        return _point_meets(centre_of(standing), -step, moving, tolerance)
    pairs = near_parts(moving, standing, step, tolerance)
    return [_parts_meet(part, step, other, tolerance) for part, other in pairs] or [_NO_MEETING]


def _ellipse_meets_straight(oval: Solid, step: FloatArray, obstacle: Solid, tolerance: float) -> list[_Meetings]:
    """A moving disc or ellipse and the edges of a straight-sided thing.

    An ellipse is the unit disc in a stretched plane, where edges stay straight and fractions stay the same.
    """
    radius = radius_of(oval)
    centre, edges = centre_of(oval), obstacle.edges
    start, way = centre, step
    if radius is None:
        back = np.linalg.inv(oval.spread)
        edges = ((edges.reshape(-1, 2) - centre) @ back.T).reshape(-1, 4)
        start, way, radius = np.zeros(2), back @ step, 1.0
        tolerance /= np.hypot(*oval.spread).max()
    met = [_disc_meets_edges(_ray_of(start, way), radius, edges, tolerance)]
    if points_in_shape(obstacle, centre[None, :])[0]:
        met.append(_Meetings(np.zeros(1), np.ones(1), np.zeros(1), np.ones(1, np.bool_)))
    return met


def _point_meets(start: FloatArray, step: FloatArray, obstacle: Solid, tolerance: float) -> list[_Meetings]:
    """A moving point and a straight-sided thing: into an area, or across a line."""
    met = _disc_meets_edges(_ray_of(start, step), 0.0, obstacle.edges, tolerance)
    if not obstacle.polygon.area:
        return [met]
    low, high = stretches_inside(start[None, :], (start + step)[None, :], obstacle, tolerance).T
    return [
        met._replace(blocks=np.zeros_like(met.blocks)),
        _Meetings(low, high, low, np.ones(len(low), np.bool_)),
    ]


def _disc_meets_edges(rays: _Rays, radius: float, edges: FloatArray, tolerance: float) -> _Meetings:
    """Moving discs and segments, one to one: rays, and segments with the disc laid round them."""
    px, py, ux, uy, length = rays
    x1, y1, x2, y2 = edges.T
    reach = np.hypot(x2 - x1, y2 - y1)
    is_spot = reach == 0.0
    scale = np.where(is_spot, 1.0, reach)
    ex, ey = np.where(is_spot, 1.0, (x2 - x1) / scale), (y2 - y1) / scale
    off, off_rate = ex * (py - y1) - ey * (px - x1), ex * uy - ey * ux
    along, along_rate = ex * (px - x1) + ey * (py - y1), ex * ux + ey * uy
    beside = band(along, along_rate, 0.0, reach)

    def interval(rho: float, slack: float = 0.0) -> Interval:
        first, last = both(band(off, off_rate, -rho, rho), beside)
        for x, y in ((x1, y1), (x2, y2)):
            begin, end = disc_interval(px - x, py - y, ux, uy, rho, slack)
            first, last = np.minimum(first, begin), np.maximum(last, end)
        return first, last

    contact = interval(radius, tolerance)[0]
    if radius > tolerance:
        begin, end = interval(radius - tolerance)
        deep = (begin <= length) & (end >= 0.0)
    else:  # a point: it has to get from one side to the other
        after = off + off_rate * length
        across = (np.minimum(off, after) < -tolerance) & (np.maximum(off, after) > tolerance)
        deep = across & ~is_spot & (contact >= 0.0) & (contact <= length)
    return _meet(interval(radius + tolerance), contact, deep, length)


def _disc_meets_discs(rays: _Rays, radius: float, discs: FloatArray, tolerance: float) -> _Meetings:
    """Moving discs and discs, one to one."""
    px, py, ux, uy, length = rays
    x, y, radii = discs.T
    ray = (px - x, py - y, ux, uy)
    contact = disc_interval(*ray, radius + radii, tolerance)[0]
    begin, end = disc_interval(*ray, radius + radii - tolerance)
    deep = (begin <= length) & (end >= 0.0)
    return _meet(disc_interval(*ray, radius + radii + tolerance), contact, deep, length)


def _parts_meet(part: FloatArray, step: FloatArray, other: FloatArray, tolerance: float) -> _Meetings:
    """Two convex polygons: a ray and the half-planes around the polygon of all overlapping shifts."""
    _, _, *unit, (length,) = _ray_of(np.zeros(2), step)
    along = np.concatenate(unit)
    normals, room = slacks(part, other)
    rates = normals @ along

    def interval(margin: float) -> tuple[float, float]:
        # A side that the mover keeps its distance from, but for rounding, is no side it crosses.
        level = np.abs(rates) * length <= tolerance
        held = np.where(level, room + margin >= -tolerance * (margin == 0.0), True)
        if not held.all():
            return math.inf, -math.inf
        times = (room + margin)[~level] / rates[~level]
        rising = rates[~level] > 0.0
        return float(np.max(times[~rising], initial=-np.inf)), float(np.min(times[rising], initial=np.inf))

    first, last = interval(0.0)
    contact = first if first <= last else (first + last) / 2
    begin, end = interval(-tolerance)
    deep = begin <= min(end, length) and end >= 0.0
    near_begin, near_end = interval(tolerance)
    if near_begin > near_end:
        near_begin, near_end = math.inf, -math.inf
    near = np.array([near_begin]), np.array([near_end])
    return _meet(near, np.array([contact]), np.array([deep]), np.array([length]))


def _ellipses_meet(moving: Solid, step: FloatArray, standing: Solid, tolerance: float) -> _Meetings:
    """Two ellipses: a ray and the border of their sum, found by bisection on its direction."""
    _, _, *unit, (length,) = _ray_of(np.zeros(2), step)
    along = np.concatenate(unit)
    between = centre_of(standing) - centre_of(moving)
    spreads = [moving.spread, standing.spread]
    ahead, aside = float(along @ between), float(between[0] * along[1] - between[1] * along[0])

    def interval(margin: float) -> tuple[float, float]:
        widest = sum(float(np.hypot(*(spread.T @ [-along[1], along[0]]))) for spread in spreads) + margin
        if abs(aside) > widest:
            return math.inf, -math.inf
        halves = []
        for level in (-aside, aside):
            looking = border_on_line(spreads, margin, along, level)
            border = sum((farthest(spread, looking) for spread in spreads), margin * looking)
            halves.append(float(along @ border))
        return ahead - halves[0], ahead + halves[1]

    begin, end = interval(-tolerance)
    deep = begin <= length and end >= 0.0
    near_begin, near_end = interval(tolerance)
    contact = interval(0.0)[0]
    if math.isinf(contact) and near_begin <= near_end:
        contact = (near_begin + near_end) / 2  # a brush, a hair away
    near = np.array([near_begin]), np.array([near_end])
    return _meet(near, np.array([contact]), np.array([deep]), np.array([length]))


def _ray_of(start: FloatArray, step: FloatArray) -> _Rays:
    return _rays_of(start[None, :], step[None, :])


_NO_MEETING = _Meetings(np.empty(0), np.empty(0), np.empty(0), np.empty(0, np.bool_))
