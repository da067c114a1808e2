"""The free arcs of circles: those outside all other discs and capsules, and on the table.

Shortest ways bend only along such arcs. An arc is defined by its circle, the angle of its beginning, in [0, 2 pi), and
its extent counter-clockwise; a whole circle begins at 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.pathing.columns import join, pick, sorted_once
from simulator.pathing.free.obstacles import Box, Floats, Ints
from simulator.pathing.free.tangents import TWO_PI

#: Free arcs shorter than this, in radians, are rounding errors.
_NO_ARC = 1e-9


#: Numbers of circles, and of the discs or lines that may cover parts of them.
Pairs = tuple[Ints, Ints]


class Covers(NamedTuple):
    """Covered arcs: their circles, the angles of their beginnings, and their extents counter-clockwise."""

    circle: Ints
    begin: Floats
    extent: Floats


class Arcs(NamedTuple):
    """Free arcs, by circle and then by the angle of their beginning."""

    circle: Ints
    begin: Floats
    extent: Floats


def covered_by_discs(circles: Floats, discs: Floats, slack: float, pairs: Pairs) -> Covers:
    """Return the arcs of circles that lie inside discs; both are rows x, y, radius, and only some pairs matter."""
    at, disc = pairs
    dx, dy = discs[disc, 0] - circles[at, 0], discs[disc, 1] - circles[at, 1]
    own, other = circles[at, 2], discs[disc, 2] - slack
    distance = np.hypot(dx, dy)
    whole = distance + own <= other
    met = whole | ((distance < own + other) & (own < distance + other) & (other > 0.0))
    at, dx, dy, own, other, distance, whole = (a[met] for a in (at, dx, dy, own, other, distance, whole))
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = (distance * distance + own * own - other * other) / (2.0 * distance * own)
    half = np.where(whole, np.pi, np.arccos(np.clip(cosine, -1.0, 1.0)))
    return Covers(at, np.arctan2(dy, dx) - half, 2.0 * half)


def covered_by_walls(circles: Floats, walls: Floats, room: float, slack: float, pairs: Pairs) -> Covers:
    """Return the arcs of circles that lie beside walls, nearer to them than `room`; only some pairs matter."""
    at, wall = pairs
    long = np.hypot(*(walls[wall, 2:] - walls[wall, :2]).T)
    at, wall, long = at[long > 0.0], wall[long > 0.0], long[long > 0.0]
    vx, vy = (walls[wall, 2] - walls[wall, 0]) / long, (walls[wall, 3] - walls[wall, 1]) / long
    from_x, from_y = circles[at, 0] - walls[wall, 0], circles[at, 1] - walls[wall, 1]
    along, side = vx * from_x + vy * from_y, vx * from_y - vy * from_x
    radius, room = circles[at, 2], room - slack
    kept = (np.abs(side) < radius + room) & (along > -radius) & (along < long + radius)
    at, long, vx, vy, along, side, radius = (a[kept] for a in (at, long, vx, vy, along, side, radius))
    # The angles at which the circle may enter or leave the strip beside the wall; nothing changes between two of them.
    sines = np.arcsin(np.clip(np.stack([(room - side) / radius, (-room - side) / radius], axis=1), -1.0, 1.0))
    cosines = np.arccos(np.clip(np.stack([-along / radius, (long - along) / radius], axis=1), -1.0, 1.0))
    turns = np.sort(np.hstack([sines, np.pi - sines, cosines, -cosines]) % TWO_PI, axis=1)
    following = np.hstack([turns[:, 1:], turns[:, :1] + TWO_PI])
    middle = (turns + following) / 2
    ahead = along[:, None] + radius[:, None] * np.cos(middle)
    inside = (np.abs(side[:, None] + radius[:, None] * np.sin(middle)) < room) & (ahead > 0.0) & (ahead < long[:, None])
    row, column = np.nonzero(inside & (following > turns))
    heading = np.arctan2(vy, vx)
    return Covers(at[row], turns[row, column] + heading[row], (following - turns)[row, column])


def covered_by_border(circles: Floats, border: Box, slack: float) -> Covers:
    """Return the arcs of circles that lie outside a rectangle."""
    x, y, radius = circles.T
    parts = []
    for quarter, room in enumerate((border[2] - x, border[3] - y, x - border[0], y - border[1])):
        room = room + slack
        at = np.flatnonzero(room < radius)
        with np.errstate(divide="ignore"):
            half = np.arccos(np.clip(room[at] / radius[at], -1.0, 1.0))
        parts.append(Covers(at, quarter * np.pi / 2 - half, 2.0 * half))
    return join(parts)


def free_arcs(circles: int, covers: Covers) -> Arcs:
    """Return the arcs of a number of circles that the covers leave free."""
    seen, first = np.unique(covers.circle, return_index=True)
    whole = np.setdiff1d(np.arange(circles), seen, assume_unique=True)
    # Angles are measured from the beginning of one cover of the circle, so that no free arc crosses the seam.
    origin = np.zeros(circles)
    origin[seen] = covers.begin[first]
    begin = np.mod(covers.begin - origin[covers.circle], TWO_PI)
    begin[begin > TWO_PI - 1e-13] = 0.0
    over = np.flatnonzero(begin + covers.extent > TWO_PI)
    circle = np.concatenate([covers.circle, covers.circle[over], seen])
    begin = np.concatenate([begin, begin[over] - TWO_PI, np.full(len(seen), TWO_PI)])
    extent = np.concatenate([covers.extent, covers.extent[over], np.zeros(len(seen))])
    order = np.lexsort((begin, circle))
    circle, begin, extent = circle[order], begin[order], extent[order]
    # One running maximum serves all circles: each has its own band of numbers, 64 apart.
    band = circle * 64.0
    farthest = np.maximum.accumulate(begin + extent + band) - band
    gap = (circle[1:] == circle[:-1]) & (begin[1:] - farthest[:-1] > _NO_ARC)
    at, opens, closes = circle[1:][gap], farthest[:-1][gap], begin[1:][gap]
    arcs = Arcs(
        np.concatenate([at, whole]),
        np.concatenate([np.mod(opens + origin[at], TWO_PI), np.zeros(len(whole))]),
        np.concatenate([closes - opens, np.full(len(whole), TWO_PI)]),
    )
    order = np.lexsort((arcs.begin, arcs.circle))
    return pick(arcs, order)


def near_discs(circles: Floats, discs: Floats) -> Pairs:
    """Return the pairs of circles and discs whose boxes meet."""
    if not len(circles) or not len(discs):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    tree = shapely.STRtree(_disc_boxes(discs))
    at, disc = tree.query(_disc_boxes(circles))
    return unique_pairs(at, disc)


def near_arcs(circles: Floats, arcs: Arcs, lines: shapely.STRtree, room: float) -> Pairs:
    """Return the pairs of circles and lines in which the line is nearer than `room` to a free arc."""
    centre, radius = circles[arcs.circle, :2], circles[arcs.circle, 2]
    middle = arcs.begin + arcs.extent / 2
    short = arcs.extent < np.pi
    reach = np.where(short, radius * arcs.extent / 2, radius)
    on_rim = centre + radius[:, None] * np.stack([np.cos(middle), np.sin(middle)], axis=1)
    places = shapely.points(np.where(short[:, None], on_rim, centre))
    at, line = lines.query(places, predicate="dwithin", distance=reach + room)
    return unique_pairs(arcs.circle[at], line)


def unique_pairs(one: Ints, other: Ints) -> Pairs:
    """Return each pair once, by the first number and then by the second."""
    most = np.intp(other.max(initial=0) + 1)
    packed = sorted_once(one * most + other)
    return packed // most, packed % most


def _disc_boxes(discs: Floats) -> NDArray[np.object_]:
    x, y, radius = discs.T
    return np.asarray(shapely.box(x - radius, y - radius, x + radius, y + radius))
