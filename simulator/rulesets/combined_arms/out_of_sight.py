"""Ground in sight of the enemies that may fire: closed to a piece that is to get somewhere without being fired at.

What is called in sight is never too little. Buildings and high walls hide a piece from each enemy as they do when that
asks for a line of sight; growth, which hides by how much of it is in between, is not relied upon.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY, FloatArray, PolygonShape
from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import KnockDown, PoseLink, PricedGround
from simulator.pathing.posed.ground import RateOf, Under
from simulator.rulesets.combined_arms.features import ArmsSetting, height_of, pieces_on, shape_of
from simulator.rulesets.combined_arms.fire import eye_of
from simulator.rulesets.combined_arms.movement import ArmsMoves, AtAltitude
from simulator.rulesets.combined_arms.sight import SOLID, SightSpots
from simulator.rulesets.combined_arms.storeys import height_of_floor
from simulator.rulesets.combined_arms.units import ArmsTable

#: The corners to a quarter of a circle, drawn from outside.
_ROUND = 16
#: Outlines hide as if so much smaller, and ground in sight is so much larger than drawn.
_CLEAR = 1e-3
#: The least length of a shadow in inches.
_FAR = 1e4


@clause("CA-102")
def seen_on_each(table: ArmsTable, moves: ArmsMoves, enemies: Iterable[Unit]) -> list[BaseGeometry]:
    """Return the ground of each level on which some enemies see a piece."""
    firers = list(enemies)
    return [_seen_on(table, level, firers) for level in moves.levels]


@clause("CA-102")
def out_of_sight(moves: ArmsMoves, seen: Sequence[BaseGeometry], *, stands: bool) -> ArmsMoves:
    """Return what a piece can do where nobody sees it, by the ground of each level that is in sight.

    Who `stands` on the table and is seen there stays where it is. Flights are left out, since they begin anywhere.
    """
    space = moves.space
    first, *above = (_closed(ground, area) for ground, area in zip(_grounds(moves), seen, strict=True))
    (start,) = space.starts[:1]
    if stands and shapely.intersects_xy(seen[start.level], *start.place):
        return replace(moves, space=replace(space, budget=start.paid, links=()))
    links = tuple(link for link in space.links if isinstance(link, PoseLink) and _is_hidden(link, seen))
    levels = tuple(replace(level, ground=ground) for level, ground in zip(space.above, above, strict=True))
    tolls = tuple(_by_terrain(toll, moves) if isinstance(toll, KnockDown) else toll for toll in space.tolls)
    return replace(moves, space=replace(space, ground=first, above=levels, links=links, tolls=tolls))


def _by_terrain(toll: KnockDown, moves: ArmsMoves) -> KnockDown:
    """Price what is knocked down by the terrain there alone, also where it stands in sight."""
    counts = [len(ground.areas) for ground in _grounds(moves)]
    return replace(toll, price={level: _OfFirst(counts[level], rule) for level, rule in toll.prices.items()})


@dataclass(frozen=True)
class _OfFirst:
    """A price by the first so many areas: those that are added behind them make no difference."""

    count: int
    rate: RateOf

    def __call__(self, under: Under, climbed: Under) -> Fraction | None:
        return self.rate(frozenset(number for number in under if number < self.count), climbed)


def _grounds(moves: ArmsMoves) -> Iterator[PricedGround]:
    yield moves.space.ground
    yield from (level.ground for level in moves.space.above)


def _is_hidden(link: PoseLink, seen: Sequence[BaseGeometry]) -> bool:
    if link.places is None:
        return False
    ends = zip((link.origin, link.target), link.places, strict=True)
    return not any(shapely.intersects_xy(seen[level], *place) for level, place in ends)


def _closed(ground: PricedGround, seen: BaseGeometry) -> PricedGround:
    """Ground of which a part is closed to the reference point."""
    parts = [_shape(part) for part in shapely.get_parts(polygons_of(seen))]
    count = len(ground.areas)

    def rate(under: Under, climbed: Under) -> Fraction | None:
        return None if any(number >= count for number in under) else ground.rate(under, climbed)

    def barred(under: Under) -> bool:
        return ground.is_barred(frozenset(number for number in under if number < count))

    return replace(ground, areas=[*ground.areas, *parts], rate=rate, barred=barred)


def _shape(polygon: shapely.Polygon) -> PolygonShape:
    rings = [shapely.get_coordinates(ring)[:-1].tolist() for ring in (polygon.exterior, *polygon.interiors)]
    return PolygonShape(rings[0], rings[1:])


# --- what an enemy sees ---


def _seen_on(table: ArmsTable, level: AtAltitude, enemies: list[Unit]) -> BaseGeometry:
    altitude = float(level.altitude) + _floor_height(table.setting, level)
    found = [_seen_by(table, eye_of(table, one), altitude, float(one["weapon_range"])) for one in enemies]
    around = shapely.buffer(shapely.union_all(found), _CLEAR, quad_segs=1)
    return shapely.intersection(around, shapely.box(*table.board.bounds))


def _floor_height(setting: ArmsSetting, level: AtAltitude) -> float:
    if level.storey is None:
        return 0.0
    piece = next(piece for piece in pieces_on(setting) if piece.id == level.storey.building)
    return float(height_of_floor(piece, level.storey.floor))


def _seen_by(table: ArmsTable, eye: SightSpots, altitude: float, within: float) -> BaseGeometry:
    """The ground on which a piece at an altitude is seen from an eye within a number of inches."""
    (x, y), low = eye.place[0].tolist(), float(eye.altitude[0])
    flat = within**2 - (altitude - low) ** 2
    if flat < 0:
        return shapely.Polygon()
    reach = (math.sqrt(flat) + _CLEAR) / math.cos(math.pi / (4 * _ROUND))
    seen = shapely.buffer(shapely.Point(x, y), reach, quad_segs=_ROUND)
    hidden = []
    for piece in pieces_on(table.setting):
        if piece.kind not in SOLID:
            continue
        outline = shape_of(table.setting, piece).polygon
        span = _span(low, altitude, float(height_of(table.setting, piece)))
        if span is None or shapely.dwithin(outline, shapely.Point(x, y), _CLEAR):
            continue
        shadow = _shadow(shapely.buffer(outline, -_CLEAR), (x, y), span)
        # Who is in a house is seen in its windows.
        hidden.append(shapely.difference(shadow, shapely.buffer(outline, _CLEAR)))
    return shapely.difference(seen, shapely.union_all(hidden))


def _span(low: float, high: float, top: float) -> tuple[float, float] | None:
    """How many times as far away as an outline, least and most, a line of sight hits the ground that runs into it."""
    if low < top and high < top:
        return 1.0, math.inf
    if low >= top and high >= top:
        return None
    crossing = (top - low) / (high - low)
    if low >= top:
        return 1.0, 1.0 / crossing if crossing else math.inf
    return (1.0 / crossing if crossing else math.inf), math.inf


def _shadow(outline: BaseGeometry, eye: XY, span: tuple[float, float]) -> BaseGeometry:
    """The ground behind an outline, from one multiple of its distance to another."""
    if outline.is_empty or math.isinf(span[0]):
        return shapely.Polygon()
    away = shapely.distance(outline, shapely.Point(eye))
    near, far = span[0], max(min(span[1], _FAR / away), span[0])
    corners = [_scaled(outline, eye, times) for times in (near, far)]
    sides = []
    for ring in shapely.get_rings(shapely.get_parts(outline)):
        places = shapely.get_coordinates(ring) - eye
        begin, end = places[:-1], places[1:]
        quads = np.stack([near * begin, near * end, far * end, far * begin], axis=1) + eye
        sides += [shapely.convex_hull(shapely.multipoints(quad)) for quad in quads]
    return shapely.union_all([*corners, *(one for one in sides if one.area)])


def _scaled(outline: BaseGeometry, eye: XY, times: float) -> BaseGeometry:
    def grown(places: FloatArray) -> FloatArray:
        return np.asarray((places - eye) * times + eye)

    return shapely.transform(outline, grown)
