"""The cheapest way into base contact with a disc, a polygon or a line.

The places in contact form the goal's rim: arcs around discs and corners, and lines beside edges. Along a rim the cost
is least where a way meets it perpendicularly, or where its free part ends: so the only candidates are perpendicular
lines onto every part of the rim, and the places where the rim meets obstacles or forbidden ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.errors import BoardError
from simulator.geometry.tolerances import CONTACT
from simulator.pathing.columns import join, pick
from simulator.pathing.free.goals import Candidates, Ends, FoundWays, cheapest_ends, cheapest_free, lines_to
from simulator.pathing.free.obstacles import Floats, Ints
from simulator.pathing.free.tangents import rim_angle


class Rim(NamedTuple):
    """The places where a base touches a goal: circles (rows x, y, radius) and lines (rows x1, y1, x2, y2).

    The goal lies to the left of each line.
    """

    circles: Floats
    lines: Floats
    #: The goal itself, for measuring distances; for a disc, its centre.
    goal: BaseGeometry
    distance: float

    def touched_at(self, places: Floats) -> Floats:
        """Compute the gaps between places and contact with the goal: 0 in contact, negative if overlapping."""
        return np.asarray(shapely.distance(shapely.points(places), self.goal)) - self.distance


def rim_of(goal: ArrayLike | BaseGeometry, radius: float) -> Rim:
    """Return the rim on which a base of a radius touches a goal.

    >>> rim_of((3, 0, 0.5), 0.5).circles
    array([[3., 0., 1.]])
    >>> rim_of(shapely.box(0, 0, 2, 2), 0.5).lines.shape
    (8, 4)
    """
    if not isinstance(goal, BaseGeometry):
        x, y, base = _three(goal)
        return Rim(np.array([[x, y, base + radius]]), np.zeros((0, 4)), shapely.Point(x, y), base + radius)
    bodies = [body for body in shapely.get_parts(shapely.get_parts(goal)) if not body.is_empty]
    rings = [ring for body in bodies for ring in shapely.get_parts(body.boundary if body.area else body)]
    runs = [shapely.get_coordinates(ring) for ring in rings]
    if not runs:
        raise BoardError("expected a goal that is not empty", "goal")
    edges = np.concatenate([np.hstack([run[:-1], run[1:]]) for run in runs])
    edges = edges[np.any(edges[:, :2] != edges[:, 2:], axis=1)]
    corners = np.unique(np.concatenate(runs), axis=0)
    circles = np.column_stack([corners, np.full(len(corners), radius)])
    return Rim(circles, offset_lines(edges, radius), goal, radius)


def _three(goal: ArrayLike) -> tuple[float, float, float]:
    row = np.asarray(goal, np.float64)
    if row.shape != (3,) or not np.all(np.isfinite(row)) or row[2] < 0.0:
        raise BoardError(f"expected a disc (x, y, radius) or a shape, not {goal!r}", "goal")
    return float(row[0]), float(row[1]), float(row[2])


def offset_lines(edges: Floats, distance: float) -> Floats:
    """Return the lines beside edges, one on each side, with its edge on the left."""
    along = edges[:, 2:] - edges[:, :2]
    length = np.hypot(*along.T)
    edges, along = edges[length > 0.0], along[length > 0.0] / length[length > 0.0, None]
    right = distance * np.stack([along[:, 1], -along[:, 0]], axis=1)
    start, end = edges[:, :2], edges[:, 2:]
    return np.concatenate([np.hstack([start + right, end + right]), np.hstack([end - right, start - right])])


def contacts(source: FoundWays, rim: Rim, stops: Rim) -> tuple[Candidates, Floats]:
    """Return lines that meet a rim perpendicularly, and the places on it that may be cheapest since it ends there.

    `stops` are the circles and lines at which the part of the rim where a base may end stops.
    """
    circles = source.circles()
    square = [lines_to(source, rim.circles[:, :2], rim.circles[:, 2], circles)]
    square += [_square_to_lines(source, rim.lines, circles)]
    candidates = join(square)
    places = np.concatenate(
        [
            _circles_and_circles(rim.circles, stops.circles),
            _circles_and_lines(rim.circles, stops.lines),
            _circles_and_lines(stops.circles, rim.lines),
            _lines_and_lines(rim.lines, stops.lines),
            np.stack([source.found.starts.x, source.found.starts.y], axis=1)[source.starts],
        ]
    )
    touching = np.abs(rim.touched_at(places)) <= CONTACT
    ends = candidates.segment[:, :2]
    on_rim = np.flatnonzero(np.abs(rim.touched_at(ends)) <= CONTACT)
    return pick(candidates, on_rim), np.unique(places[touching], axis=0)


def _square_to_lines(source: FoundWays, lines: Floats, circles: Ints) -> Candidates:
    """Return lines from starts and labelled arcs that meet lines perpendicularly from their right."""
    table, found = source.table, source.found
    along = lines[:, 2:] - lines[:, :2]
    length = np.hypot(*along.T)
    along = along / length[:, None]
    parts = []
    starts = source.starts
    line, nth = (a.ravel() for a in np.indices((len(lines), len(starts))))
    start = starts[nth]
    begin = np.stack([found.starts.x[start], found.starts.y[start]], axis=1)
    none = np.zeros(len(line))
    parts.append(_dropped(lines, along, length, line, begin, found.starts.paid[start], -1 - start, none))
    line, nth = (a.ravel() for a in np.indices((len(lines), len(circles))))
    circle = circles[nth]
    ux, uy = -along[line, 1], along[line, 0]
    for turn in (1.0, -1.0):
        turns = np.full(len(line), turn)
        arc, place = table.locate(circle, turns, rim_angle(ux, uy, turns))
        some = np.flatnonzero(arc >= 0)
        paid, label = source.leaving(arc[some], place[some])
        reach = turn * table.circles.measured[circle[some]]
        begin = np.stack(
            [
                table.circles.x[circle[some]] + reach * uy[some],
                table.circles.y[circle[some]] - reach * ux[some],
            ],
            axis=1,
        )
        parts.append(_dropped(lines, along, length, line[some], begin, paid, label, place[some]))
    candidates = join(parts)
    return pick(candidates, np.flatnonzero(candidates.cost <= source.budget + CONTACT))


def _dropped(
    lines: Floats,
    along: Floats,
    length: Floats,
    line: Ints,
    begin: Floats,
    paid: Floats,
    label: Ints,
    place: Floats,
) -> Candidates:
    """Return candidates for the perpendiculars from places to lines, if they meet them."""
    from_start = begin - lines[line, :2]
    ahead = np.sum(from_start * along[line], axis=1)
    right = along[line, 1] * from_start[:, 0] - along[line, 0] * from_start[:, 1]
    foot = lines[line, :2] + ahead[:, None] * along[line]
    meets = np.flatnonzero((ahead >= 0.0) & (ahead <= length[line]) & (right >= 0.0) & np.isfinite(paid))
    cost = paid + right
    dropped = Candidates(np.zeros(len(line), np.intp), cost, np.hstack([foot, begin]), label, place)
    return pick(dropped, meets)


def _circles_and_circles(some: Floats, others: Floats) -> Floats:
    one, other = (a.ravel() for a in np.indices((len(some), len(others))))
    x, y, radius = some[one].T
    dx, dy = others[other, 0] - x, others[other, 1] - y
    distance = np.hypot(dx, dy)
    with np.errstate(divide="ignore", invalid="ignore"):
        ahead = (distance**2 + radius**2 - others[other, 2] ** 2) / (2 * distance)
        aside = np.sqrt(radius**2 - ahead**2)
        ux, uy = dx / distance, dy / distance
    points = [np.stack([x + ahead * ux - s * aside * uy, y + ahead * uy + s * aside * ux], axis=1) for s in (1, -1)]
    return _finite(np.concatenate(points))


def _circles_and_lines(circles: Floats, lines: Floats) -> Floats:
    one, other = (a.ravel() for a in np.indices((len(circles), len(lines))))
    start, along = lines[other, :2], lines[other, 2:] - lines[other, :2]
    length = np.hypot(*along.T)
    along = along / length[:, None]
    to_centre = circles[one, :2] - start
    ahead = np.sum(to_centre * along, axis=1)
    aside = along[:, 0] * to_centre[:, 1] - along[:, 1] * to_centre[:, 0]
    with np.errstate(invalid="ignore"):
        half = np.sqrt(circles[one, 2] ** 2 - aside**2)
    places = [start + (ahead + s * half)[:, None] * along for s in (1, -1)]
    return _finite(np.concatenate(places))


def _lines_and_lines(some: Floats, others: Floats) -> Floats:
    one, other = (a.ravel() for a in np.indices((len(some), len(others))))
    start, along = some[one, :2], some[one, 2:] - some[one, :2]
    their_start, theirs = others[other, :2], others[other, 2:] - others[other, :2]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = ((their_start - start)[:, 0] * theirs[:, 1] - (their_start - start)[:, 1] * theirs[:, 0]) / (
            along[:, 0] * theirs[:, 1] - along[:, 1] * theirs[:, 0]
        )
    share[~((share >= 0.0) & (share <= 1.0))] = np.nan
    return _finite(start + share[:, None] * along)


def _finite(places: Floats) -> Floats:
    kept: Floats = places[np.all(np.isfinite(places), axis=1)]
    return kept


def cheaper(source: FoundWays, candidates: Candidates, places: Floats) -> Ends:
    """Return the cheapest of all candidates, which have one goal, and of the ways to places: one row."""
    square = cheapest_free(source.table, candidates._replace(goal=np.zeros_like(candidates.goal)), 1)
    at_places = cheapest_ends(source, places)
    both = join([square, at_places])
    best = int(np.argmin(both.cost))
    return pick(both, slice(best, best + 1))
