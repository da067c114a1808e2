"""The nearest places at which a round base has room among solids, on the table: all of them, in closed form.

The centre of such a base keeps away from straight sides by its radius, and from corners and round bases. So a nearest
place lies straight away from one of these, or where the borders of two of them meet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, centre_of, is_curved, radius_of
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE, TOUCH

#: Places that differ in distance by less than this are equally near.
ALIKE = 1e-6
#: Places so near to a border are on it.
_BORDERS = 4e-6


class _Circle(NamedTuple):
    """Places at a distance from a corner, or from the centre of a round thing."""

    centre: XY
    radius: float


class _BesideLine(NamedTuple):
    """Places at a distance from a straight side."""

    start: XY
    end: XY


@dataclass(frozen=True, eq=False)
class Room:
    """Where a round base may be: clear of solids, and on the table."""

    base: Round
    solids: Sequence[Solid]
    box: tuple[float, float, float, float]

    # --- which places have room ---

    @cached_property
    def _standing(self) -> Standing:
        return Standing.of(self.solids)

    def has(self, places: FloatArray) -> BoolArray:
        """Find the places, rows x, y, at which the base has room."""
        left, bottom, right, top = self.box
        reach = self.base.radius - TOLERANCE
        x, y = places[:, 0], places[:, 1]
        inside = (x >= left + reach) & (x <= right - reach) & (y >= bottom + reach) & (y <= top - reach)
        if not len(places) or not self.solids:
            return np.asarray(inside)
        spots = Paths.of_legs(places, places, np.zeros(len(places)))
        return np.asarray(inside & np.isinf(first_lengths(spots, self.base, self._standing)))

    # --- borders ---

    @cached_property
    def _borders(self) -> tuple[list[_Circle], list[_BesideLine]]:
        circles: list[_Circle] = []
        sides: list[_BesideLine] = []
        reach = self.base.radius
        for solid in self.solids:
            radius = radius_of(solid)
            if radius is not None:
                x, y = centre_of(solid).tolist()
                circles.append(_Circle((x, y), radius + reach))
                continue
            if is_curved(solid):
                raise ValueError("room is looked for among round and straight-sided things")
            for x, y, far_x, far_y in solid.edges.tolist():
                circles.append(_Circle((x, y), reach))
                sides += _beside((x, y), (far_x, far_y), reach)
        left, bottom, right, top = self.box
        corners = [
            (left + reach, bottom + reach),
            (right - reach, bottom + reach),
            (right - reach, top - reach),
            (left + reach, top - reach),
        ]
        sides += [_BesideLine(one, other) for one, other in zip(corners, [*corners[1:], corners[0]], strict=True)]
        return circles, sides

    def away_from_borders(self, place: XY) -> list[XY]:
        """Return the directions straight toward, and straight away from, the things that a place borders on."""
        circles, sides = self._borders
        (x, y), found = place, []
        for one in circles:
            away = math.dist(one.centre, place)
            if abs(away - one.radius) <= _BORDERS and away > TOUCH:
                found.append(((x - one.centre[0]) / away, (y - one.centre[1]) / away))
        for side in sides:
            length = math.dist(side.start, side.end)
            if length > TOUCH and math.dist(_on_side(side, place), place) <= _BORDERS:
                found.append(((side.end[1] - side.start[1]) / length, (side.start[0] - side.end[0]) / length))
        return [ahead for ahead_x, ahead_y in found for ahead in ((ahead_x, ahead_y), (-ahead_x, -ahead_y))]

    def nearest(self, place: XY, most: float = math.inf) -> list[XY]:
        """Return the places nearest to one at which the base has room, all that are equally near; none: no room.

        Those farther off than `most` may be missing. Where every place around the centre of a round thing is as near,
        only those straight along x and y are returned.
        """
        if self.has(np.array([place]))[0]:
            return [place]
        circles, sides = self._borders
        straight = [
            *(spot for one in circles for spot in _on_circle(one, place)),
            *(_on_side(one, place) for one in sides),
        ]
        best = self._best(place, straight)
        reach = min(math.dist(best[0], place), most) if best else most
        from_circles = [abs(math.dist(one.centre, place) - one.radius) for one in circles]
        from_sides = [math.dist(_on_side(one, place), place) for one in sides]
        found: list[XY] = []
        for limit in self._limits(reach):
            # Where borders meet no farther off than that, both of them are no farther off.
            near = [one for one, away in zip(circles, from_circles, strict=True) if away <= limit + ALIKE]
            beside = [one for one, away in zip(sides, from_sides, strict=True) if away <= limit + ALIKE]
            found = self._best(place, [*best, *_crossings(near, beside)])
            if found and math.dist(found[0], place) + ALIKE <= limit:
                break
        return found

    def _limits(self, most: float) -> Iterator[float]:
        """Yield how far to look, ever farther, and at last as far as that."""
        left, bottom, right, top = self.box
        limit = 4 * self.base.radius
        while limit < min(most, right - left + top - bottom):
            yield limit
            limit *= 2
        yield most

    def _best(self, place: XY, spots: Sequence[XY]) -> list[XY]:
        """The nearest of some places that have room."""
        if not spots:
            return []
        places = np.array(spots)
        places = places[self.has(places)]
        away = np.hypot(*(places - place).T)
        if not len(away):
            return []
        near = places[away <= away.min() + ALIKE]
        kept: list[XY] = []
        for x, y in sorted(near.tolist()):
            if all(math.dist((x, y), one) > ALIKE for one in kept):
                kept.append((x, y))
        return kept


def _beside(start: XY, end: XY, reach: float) -> Iterator[_BesideLine]:
    """Yield the lines along a side at a distance from it, on either hand."""
    length = math.dist(start, end)
    if length <= TOUCH:
        return
    x, y = (end[0] - start[0]) / length * reach, (end[1] - start[1]) / length * reach
    for sign in (1, -1):
        yield _BesideLine((start[0] - sign * y, start[1] + sign * x), (end[0] - sign * y, end[1] + sign * x))


def _on_circle(circle: _Circle, place: XY) -> Iterator[XY]:
    """Yield the places of a circle nearest to a place."""
    away = math.dist(circle.centre, place)
    (x, y), radius = circle
    if away <= TOUCH:
        yield from ((x + radius, y), (x, y + radius), (x - radius, y), (x, y - radius))
    else:
        yield x + (place[0] - x) * radius / away, y + (place[1] - y) * radius / away


def _on_side(side: _BesideLine, place: XY) -> XY:
    """Return the place of a side nearest to a place."""
    (x, y), (far_x, far_y) = side
    along_x, along_y = far_x - x, far_y - y
    square = along_x**2 + along_y**2
    share = ((place[0] - x) * along_x + (place[1] - y) * along_y) / square if square else 0.0
    share = min(max(share, 0.0), 1.0)
    return x + share * along_x, y + share * along_y


def _crossings(circles: Sequence[_Circle], sides: Sequence[_BesideLine]) -> Iterator[XY]:
    """Yield the places where borders meet."""
    for number, one in enumerate(circles):
        for other in circles[:number]:
            yield from _of_circles(one, other)
        for side in sides:
            yield from _of_circle_and_side(one, side)
    for number, side in enumerate(sides):
        for beside in sides[:number]:
            met = shapely.intersection(shapely.LineString(side), shapely.LineString(beside))
            yield from ((x, y) for x, y in shapely.get_coordinates(met).tolist())


def _of_circles(one: _Circle, other: _Circle) -> Iterator[XY]:
    away = math.dist(one.centre, other.centre)
    if away <= TOUCH:
        return
    along = (away**2 + one.radius**2 - other.radius**2) / (2 * away)
    square = one.radius**2 - along**2
    if square < 0:
        return
    (x, y), aside = one.centre, math.sqrt(square)
    ahead_x, ahead_y = (other.centre[0] - x) / away, (other.centre[1] - y) / away
    for sign in (1, -1):
        yield x + along * ahead_x - sign * aside * ahead_y, y + along * ahead_y + sign * aside * ahead_x


def _of_circle_and_side(circle: _Circle, side: _BesideLine) -> Iterator[XY]:
    (x, y), (far_x, far_y) = side
    length = math.dist(side.start, side.end)
    if length <= TOUCH:
        return
    ahead_x, ahead_y = (far_x - x) / length, (far_y - y) / length
    to_x, to_y = circle.centre[0] - x, circle.centre[1] - y
    along, off = to_x * ahead_x + to_y * ahead_y, to_x * ahead_y - to_y * ahead_x
    square = circle.radius**2 - off**2
    if square < 0:
        return
    for sign in (1, -1):
        at = along + sign * math.sqrt(square)
        if -TOUCH <= at <= length + TOUCH:
            yield x + at * ahead_x, y + at * ahead_y
