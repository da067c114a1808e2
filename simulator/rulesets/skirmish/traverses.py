"""Traverses: over an obstacle within 1 inch, or through a gap too narrow for the base."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.convex import band, both, disc_interval
from simulator.geometry.courses import Courses, first_beyond, first_overlaps
from simulator.geometry.measures import intervals_inside
from simulator.geometry.pieces import XY, FloatArray, Piece, PointShape
from simulator.pathing.continuous import Segment
from simulator.rulesets.skirmish.ground import (
    Gap,
    edges_of,
    features_of,
    is_exact_fit,
    narrow_gaps,
    room_of,
    standing_breaches,
)
from simulator.rulesets.skirmish.movement import LineOfMovement, ap_breaches, legal_stop
from simulator.rulesets.skirmish.rolls import LEVELS
from simulator.rulesets.skirmish.soldiers import TOLERANCE, SkirmishTable, bases_of, enemies, radius_of

#: From where to where along a ray, in inches.
Stretch: TypeAlias = tuple[float, float]
#: Longer than any obstacle that may be traversed is deep.
_FAR = 1e4
#: How near to an obstacle's border a point counts as one of its points: people type places in round figures.
_ON_IT = 1e-3


@dataclass(frozen=True)
class Traverse:
    """One traverse: what of, how hard, and the places on this side and the other."""

    over: tuple[str, ...]
    difficulty: str  #: a success level, or "impossible"
    distance: float  #: from the base's edge, at the start
    depth: float
    foot: XY  #: where the base first touches
    near: XY  #: where a failure leaves the soldier: at the foot, or before a friend who stands there
    far: XY
    towards: XY | None = None  #: the point that it is aimed at, where an order has to say so
    gap: Gap | None = None  #: what is passed, where that is a gap

    @property
    def called(self) -> str:
        """What is traversed, as people say it."""
        return self.gap.called if self.gap else self.over[0]

    @property
    def args(self) -> dict[str, Any]:
        """What the order to do this says."""
        said: dict[str, Any] = dict(zip(("obstacle", "other"), self.over, strict=False))
        return said if self.towards is None else said | {"towards": self.towards}


@clause("SK-20")
def difficulty_by_height(table: SkirmishTable, height: float) -> str:
    """Give the level of the roll over an obstacle so high."""
    up_to = table.tables["traverse_difficulty.up_to"]
    for level in LEVELS:
        if height <= float(up_to[level]) + TOLERANCE:
            return level
    return "impossible"


def _overlapped(edges: FloatArray, start: XY, unit: XY, radius: float) -> tuple[FloatArray, FloatArray]:
    """For each edge the stretch of a ray, in inches, that is nearer to it than a radius; none ends before it begins."""
    x1, y1, x2, y2 = edges.T
    length = np.hypot(x2 - x1, y2 - y1)
    ex, ey = (x2 - x1) / length, (y2 - y1) / length
    px, py, (ux, uy) = start[0] - x1, start[1] - y1, unit
    off, off_rate = ex * py - ey * px, ex * uy - ey * ux
    along, along_rate = ex * px + ey * py, ex * ux + ey * uy
    first, last = both(band(off, off_rate, -radius, radius), band(along, along_rate, 0.0, length))
    for x, y in ((x1, y1), (x2, y2)):
        direction = np.full(len(x), ux), np.full(len(x), uy)
        begin, end = disc_interval(start[0] - x, start[1] - y, *direction, radius)
        first, last = np.minimum(first, begin), np.maximum(last, end)
    return first, last


def _stretches(table: SkirmishTable, over: Iterable[str], start: XY, unit: XY, radius: float) -> list[Stretch]:
    """Where along a ray, in inches, a base overlaps some obstacles; a mere touch in passing does not count."""
    spans: list[Stretch] = []
    far = (start[0] + _FAR * unit[0], start[1] + _FAR * unit[1])
    for name in over:
        piece = features_of(table).by_id[name]
        first, last = _overlapped(edges_of(piece), start, unit, radius)
        deep_first, deep_last = _overlapped(edges_of(piece), start, unit, radius - TOLERANCE)
        is_met = deep_first < deep_last
        spans += zip(first[is_met].tolist(), last[is_met].tolist(), strict=True)
        if piece.shape.polygon.area:
            spans += [(a * _FAR, b * _FAR) for a, b in intervals_inside(start, far, piece.shape).tolist()]
    joined: list[Stretch] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1] + TOLERANCE:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def _stretch_at(stretches: Iterable[Stretch], inches: float) -> Stretch:
    """The stretch that a point of the ray is in; the bare point, where it is in none."""
    for begin, end in stretches:
        if begin <= inches + TOLERANCE and end > inches:
            return begin, end
    return inches, inches


def _on_ray(start: XY, unit: XY, inches: float) -> XY:
    return start[0] + inches * unit[0], start[1] + inches * unit[1]


@clause("SK-13", "SK-14", "SK-22")
def _near_side(table: SkirmishTable, soldier: Unit, foot: XY) -> XY:
    """Where a soldier stays that goes up to an obstacle: at its foot, or before a friend who stands there."""
    line = LineOfMovement(tuple(soldier.place), (Segment(tuple(soldier.place), foot),))
    inches = legal_stop(table, soldier, line, line.length)
    return foot if inches >= line.length else line.at(inches)


@clause("SK-18", "SK-20", "SK-23", "SK-24")
def over_obstacle(table: SkirmishTable, soldier: Unit, name: str, towards: XY | None = None) -> Traverse:
    """Give the traverse of one obstacle: straight across its nearest point, or across another that it is aimed at."""
    piece, radius = features_of(table).by_id[name], radius_of(soldier)
    centre: XY = tuple(soldier.place)
    aim = _nearest_points(piece, centre)[0] if towards is None else towards
    reach = math.dist(centre, aim)
    unit = ((aim[0] - centre[0]) / reach, (aim[1] - centre[1]) / reach)
    contact, far = _stretch_at(_stretches(table, (name,), centre, unit, radius), reach)
    if piece.shape.polygon.area:
        inside = intervals_inside(centre, _on_ray(centre, unit, far), piece.shape)
        depth = float(np.sum(inside[:, 1] - inside[:, 0])) * far
    else:
        # A wall without width is no depth at all, unless it is climbed from its end, all along.
        wall = shapely.buffer(piece.shape.polygon, TOLERANCE)
        along = float(shapely.length(shapely.intersection(wall, LineString([centre, _on_ray(centre, unit, far)]))))
        depth = max(along - 2 * TOLERANCE, 0.0)
    level = difficulty_by_height(table, piece.height)
    foot = _on_ray(centre, unit, max(contact, 0.0))
    near = _near_side(table, soldier, foot)
    return Traverse((name,), level, reach - radius, depth, foot, near, _on_ray(centre, unit, far), towards)


def _nearest_points(piece: Piece, centre: XY) -> list[XY]:
    """The points of an obstacle that are nearest to a place: one, or several equally near."""
    edges = edges_of(piece)
    faces = shapely.linestrings(edges.reshape(-1, 2, 2))
    lines = shapely.shortest_line(faces, shapely.Point(centre))
    points = shapely.get_coordinates(lines)[::2]
    away = shapely.length(lines)
    near = np.round(points[away <= away.min() + TOLERANCE], 9)
    return [(x, y) for x, y in np.unique(near, axis=0).tolist()]


@clause("SK-20", "SK-50")
def through_gap(table: SkirmishTable, soldier: Unit, gap: Gap) -> Traverse:
    """Give the traverse of a gap that is too narrow: along the normal of its throat, through the middle of it."""
    radius, width, unit = radius_of(soldier), gap.throat.width, gap.throat.through
    centre, middle = tuple(soldier.place), gap.throat.middle
    if unit[0] * (middle[0] - centre[0]) + unit[1] * (middle[1] - centre[1]) < 0.0:
        unit = (-unit[0], -unit[1])
    back = (-unit[0], -unit[1])
    # A gap of just the base's width, where that is too narrow, is left by the width of a hair.
    wide = radius + 2 * TOLERANCE if is_exact_fit(soldier, gap) else radius
    behind = _stretch_at(_stretches(table, gap.over, middle, unit, wide), 0.0)[1]
    before = _stretch_at(_stretches(table, gap.over, middle, back, wide), 0.0)[1]
    thin = math.sqrt(max(radius**2 - width**2 / 4, 0.0))
    distance = gap.throat.distance(centre) - radius
    depth = max(behind + before - 2 * thin, 0.0)
    level = str(table.tables["traverse_difficulty.gap"])
    foot = _on_ray(middle, back, before)
    near = _near_side(table, soldier, foot)
    return Traverse(gap.over, level, distance, depth, foot, near, _on_ray(middle, unit, behind), gap=gap)


@clause("SK-18", "SK-23", "SK-50")
def traverses_of(table: SkirmishTable, soldier: Unit, order: Order) -> list[Traverse]:
    """Give the traverses that an order can mean, that which it means first; none where nothing is so called."""
    names = [order["obstacle"], *([order["other"]] if order.get("other") else [])]
    towards: XY | None = order.get("towards")
    if any(name not in features_of(table).by_id for name in names):
        return []
    if len(names) == 1:
        return [over_obstacle(table, soldier, names[0], _aim(table, soldier, names[0], towards))]
    gaps = [gap for gap in narrow_gaps(table, soldier) if sorted(gap.over) == sorted(names)]
    return _through(table, soldier, gaps, tuple(soldier.place) if towards is None else towards)


@clause("SK-23")
def _aim(table: SkirmishTable, soldier: Unit, name: str, towards: XY | None) -> XY | None:
    """The point that is aimed at: straight across exactly a nearest one, though people type round figures."""
    if towards is None or math.dist(towards, soldier.place) < TOLERANCE:
        return None
    if table.options.traverse_direction == "any_direction":
        return towards
    nearest = _nearest_points(features_of(table).by_id[name], tuple(soldier.place))
    meant = min(nearest, key=lambda point: math.dist(point, towards))
    return meant if math.dist(meant, towards) <= _ON_IT else towards


def traverse_of(table: SkirmishTable, soldier: Unit, order: Order) -> Traverse | None:
    """Give the traverse that an order means, or None where there is no such obstacle or gap."""
    return next(iter(traverses_of(table, soldier, order)), None)


def _through(table: SkirmishTable, soldier: Unit, gaps: Iterable[Gap], spot: XY) -> list[Traverse]:
    """The traverses of gaps, that with the throat nearest to a spot first. A channel has mouths, but is one gap."""
    found: dict[tuple[float, ...], Traverse] = {}
    for gap in sorted(gaps, key=lambda gap: gap.throat.distance(spot)):
        way = through_gap(table, soldier, gap)
        found.setdefault(tuple(np.round((*way.foot, *way.far), 6).tolist()), way)
    return list(found.values())


@clause("SK-18", "SK-20", "SK-48")
def to_traverse(table: SkirmishTable, soldier: Unit) -> list[BaseGeometry]:
    """Give all that a soldier might traverse from somewhere: obstacles that are low enough, and throats of gaps."""
    low = [
        piece.shape.polygon
        for piece in features_of(table).obstacles
        if difficulty_by_height(table, piece.height) != "impossible"
    ]
    is_open = table.tables["traverse_difficulty.gap"] != "impossible"
    gaps = narrow_gaps(table, soldier) if is_open else []
    return [*low, *(LineString(gap.ends) for gap in gaps)]


@clause("SK-18", "SK-48", "SK-50")
def in_reach(table: SkirmishTable, soldier: Unit) -> list[Traverse]:
    """Give every legal traverse of a soldier where it stands: across each nearest point, and through each gap."""
    within = float(table.tables["traverse.within"]) + radius_of(soldier) + TOLERANCE
    spot, found = shapely.Point(soldier.place), []
    for piece in features_of(table).obstacles:
        if shapely.distance(piece.shape.polygon, spot) <= within:
            nearest = _nearest_points(piece, tuple(soldier.place))
            aims = [None] if len(nearest) == 1 else nearest
            found += [over_obstacle(table, soldier, piece.id, aim) for aim in aims]
    gaps = [gap for gap in narrow_gaps(table, soldier) if gap.throat.distance(tuple(soldier.place)) <= within]
    through = _through(table, soldier, gaps, tuple(soldier.place))
    for way in through:
        is_only = sum(sorted(other.over) == sorted(way.over) for other in through) == 1
        found.append(way if is_only else replace(way, towards=way.gap.throat.middle if way.gap else None))
    return [one for one in found if not any(traverse_breaches(table, soldier, one))]


@clause("SK-18", "SK-20", "SK-24", "SK-54")
def traverse_breaches(table: SkirmishTable, soldier: Unit, traverse: Traverse) -> Iterator[Breach]:
    """Judge a traverse: near enough, low enough, not too deep, a way straight across, a legal end behind."""
    what, within = traverse.called, float(table.tables["traverse.within"])
    if traverse.distance > within + TOLERANCE:
        told = f"{what} is {traverse.distance:.4g} inches from the base, a traverse begins within {within:g}"
        yield Breach("SK-18", told, within, traverse.distance, what)
    if traverse.difficulty == "impossible":
        why = "can not be passed" if traverse.gap else "is too high to be traversed"
        yield Breach("SK-20", f"{what} {why}", blocker=what)
    deepest = float(table.tables["traverse_max_depth.inches"])
    if traverse.depth > deepest + TOLERANCE:
        told = f"{what} is {traverse.depth:.4g} inches deep here, at most {deepest:g} can be traversed"
        yield Breach("SK-24", told, deepest, traverse.depth, what, traverse.far)
    yield from _in_the_way(table, soldier, traverse)
    for breach in standing_breaches(table, soldier, traverse.far, "would come down"):
        yield Breach("SK-24", breach.message, breach.needed, breach.available, breach.blocker, breach.place)


@clause("SK-16", "SK-24", "SK-49", "SK-53", "SK-54", "SK-63")
def _in_the_way(table: SkirmishTable, soldier: Unit, traverse: Traverse) -> Iterator[Breach]:
    """Judge what else stands on the way to an obstacle and across it: enemies, other obstacles, the table's edge."""
    way = Courses.of_lines([[soldier.place, traverse.foot, traverse.far]])
    across = Courses.of_lines([[traverse.foot, traverse.far]])
    radius, found = radius_of(soldier), features_of(table)
    for enemy in enemies(table, soldier):
        wide = 0.0 if table.options.enemy_block == "line_only" else radius
        if math.isfinite(first_overlaps(way, wide, (), bases_of([enemy]), TOLERANCE).inches[0]):
            yield Breach("SK-24", f"the way across passes the base of {enemy.id}", blocker=enemy.id, place=enemy.place)
    drawn = LineString([soldier.place, traverse.foot, traverse.far])
    for piece in found.obstacles:
        if piece.id not in traverse.over:
            # Most are far off: only those that the base may touch are judged.
            near = shapely.distance(piece.shape.polygon, drawn) <= radius
            if near and math.isfinite(first_overlaps(way, radius, edges_of(piece), (), TOLERANCE).inches[0]):
                yield Breach("SK-24", f"{piece.id} stands in the way across", blocker=piece.id)
        elif len(traverse.over) == 2 and math.isfinite(first_overlaps(across, 0.0, edges_of(piece), ()).inches[0]):
            yield Breach("SK-16", f"the gap does not lead through: {piece.id} closes it", blocker=piece.id)
    for gap in narrow_gaps(table, soldier):
        is_fit = is_exact_fit(soldier, gap) and sorted(gap.over) != sorted(traverse.over)
        if is_fit and math.isfinite(first_overlaps(way, 0.0, [np.ravel(gap.ends)], (), TOLERANCE).inches[0]):
            yield Breach("SK-49", "a gap of just the width of the base is in the way, and taken as too narrow")
    if math.isfinite(float(first_beyond(way, room_of(table, soldier), TOLERANCE)[0])):
        yield Breach("SK-63", "the way across leaves the table", place=traverse.far)


@clause("SK-18", "SK-23", "SK-33", "SK-48", "SK-66")
def order_breaches(table: SkirmishTable, soldier: Unit, order: Order) -> Iterator[Breach]:
    """Judge the order to traverse."""
    yield from ap_breaches(soldier, int(table.options.traverse_ap), "SK-18", "a traverse")
    if soldier["has_run"] and not table.options.run_and_traverse_same_activation:
        yield Breach("SK-33", f"{soldier.id} has run in this activation: it can not traverse as well")
    names = [order["obstacle"], *([order["other"]] if order.get("other") else [])]
    known = features_of(table).by_id
    strange = [name for name in names if name not in known]
    for name in strange:
        yield Breach("SK-66", f"there is no obstacle {name} (known: {', '.join(known) or 'none'})")
    if strange:
        return
    way = traverse_of(table, soldier, order)
    if way is None:
        width, one, other = 2 * radius_of(soldier), *names
        where = f"in {one}" if one == other else f"between {one} and {other}"
        yield Breach("SK-48", f"there is no gap {where} that is too narrow for a base {width:g} wide", width)
        return
    if order.get("towards") is not None and len(names) == 1:
        yield from _aim_breaches(table, soldier, names[0], order["towards"])
    yield from traverse_breaches(table, soldier, way)


@clause("SK-23")
def _aim_breaches(table: SkirmishTable, soldier: Unit, name: str, towards: XY) -> Iterator[Breach]:
    """Judge the point of an obstacle that a traverse is aimed at: on it, and a nearest one unless any will do."""
    piece, centre = features_of(table).by_id[name], soldier.place
    at, aimed = f"{towards[0]:g},{towards[1]:g}", math.dist(centre, towards)
    off = float(shapely.distance(piece.shape.polygon, PointShape(*towards).polygon))
    if aimed < TOLERANCE:
        yield Breach("SK-23", "a traverse is aimed at a point ahead, not at the soldier's own place")
    elif off > _ON_IT:
        yield Breach("SK-23", f"{at} is no point of {name}: {off:.4g} inches beside it", 0, off, name, towards)
    elif table.options.traverse_direction == "straight_across":
        nearest = float(shapely.distance(piece.shape.polygon, shapely.Point(centre)))
        if aimed > nearest + _ON_IT:
            told = f"{at} is not the nearest point of {name}: {aimed - nearest:.4g} farther"
            yield Breach("SK-23", told, nearest, aimed, name, towards)
    else:
        ahead = (towards[0] - centre[0]) / aimed, (towards[1] - centre[1]) / aimed
        radius = radius_of(soldier)
        stretches = _stretches(table, (name,), (centre[0], centre[1]), ahead, radius)
        contact, _ = _stretch_at(stretches, aimed)
        if any(end > TOLERANCE and begin < contact for begin, end in stretches):
            yield Breach("SK-23", f"another part of {name} is met before {at}", blocker=name, place=towards)
