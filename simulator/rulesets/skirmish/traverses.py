"""Traverses: over an obstacle within 1 inch, or through a gap too narrow for the base."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import LineString

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.convex import band, both, disc_interval
from simulator.geometry.courses import Courses, first_beyond, first_overlaps
from simulator.geometry.measures import intervals_inside
from simulator.geometry.pieces import XY, FloatArray, Piece, PointShape
from simulator.rulesets.skirmish.ground import edges_of, features_of, narrow_pairs, room_of, standing_breaches
from simulator.rulesets.skirmish.movement import ap_breaches
from simulator.rulesets.skirmish.rolls import LEVELS
from simulator.rulesets.skirmish.soldiers import TOLERANCE, SkirmishTable, bases_of, enemies, radius_of

#: Longer than any obstacle that may be traversed is deep.
_FAR = 1e5


@dataclass(frozen=True)
class Traverse:
    """One traverse: what of, how hard, and the places on this side and the other."""

    over: tuple[str, ...]
    difficulty: str  #: a success level, or "impossible"
    distance: float  #: from the base's edge, at the start
    depth: float
    near: XY
    far: XY


@clause("SK-20")
def difficulty_by_height(table: SkirmishTable, height: float) -> str:
    """Give the level of the roll over an obstacle so high."""
    up_to = table.tables["traverse_difficulty.up_to"]
    for level in LEVELS:
        if height <= float(up_to[level]) + TOLERANCE:
            return level
    return "impossible"


def _within(edges: FloatArray, start: XY, unit: XY, radius: float) -> list[tuple[float, float]]:
    """The stretches of a ray, in inches, that are nearer to some edges than a radius; overlapping ones joined."""
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
    met = [(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True) if a < b]
    return _joined(met)


def _joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for a, b in sorted(spans):
        if found and a <= found[-1][1] + TOLERANCE:
            found[-1] = (found[-1][0], max(b, found[-1][1]))
        else:
            found.append((a, b))
    return found


def _out_of(table: SkirmishTable, over: tuple[str, ...], start: XY, unit: XY, radius: float, after: float) -> float:
    """How far along a ray the base is free of some obstacles, at `after` or behind it."""
    spans: list[tuple[float, float]] = []
    far = (start[0] + _FAR / 10 * unit[0], start[1] + _FAR / 10 * unit[1])
    for name in over:
        piece = features_of(table).by_id[name]
        spans += _within(edges_of(piece), start, unit, radius)
        if piece.shape.polygon.area:
            spans += [(a * _FAR / 10, b * _FAR / 10) for a, b in intervals_inside(start, far, piece.shape).tolist()]
    for begin, end in _joined(spans):
        if begin <= after + TOLERANCE and end > after:
            return end
    return after


def _on_ray(start: XY, unit: XY, inches: float) -> XY:
    return start[0] + inches * unit[0], start[1] + inches * unit[1]


@clause("SK-18", "SK-20", "SK-23", "SK-24")
def over_obstacle(table: SkirmishTable, soldier: Unit, name: str, towards: XY | None = None) -> Traverse:
    """Give the traverse of one obstacle: straight across its nearest point, or another where that is chosen."""
    piece, radius = features_of(table).by_id[name], radius_of(soldier)
    centre: XY = tuple(soldier.place)
    line = shapely.shortest_line(piece.shape.polygon, shapely.Point(centre))
    (nearest, _) = shapely.get_coordinates(line).tolist()
    distance = math.dist(centre, nearest) - radius
    aim: XY = tuple(nearest) if towards is None else towards
    reach = math.dist(centre, aim)
    unit = ((aim[0] - centre[0]) / reach, (aim[1] - centre[1]) / reach)
    meets = _within(edges_of(piece), centre, unit, radius)
    contact = min((begin for begin, _ in meets if begin > -radius), default=reach - radius)
    near = reach - radius if towards is None else max(contact, 0.0)
    far = _out_of(table, (name,), centre, unit, radius, reach)
    depth = 0.0
    if piece.shape.polygon.area:
        inside = intervals_inside(centre, _on_ray(centre, unit, far), piece.shape)
        depth = float(np.sum(inside[:, 1] - inside[:, 0])) * far
    level = difficulty_by_height(table, piece.height)
    return Traverse((name,), level, distance, depth, _on_ray(centre, unit, near), _on_ray(centre, unit, far))


@clause("SK-50")
def _throat(one: Piece, other: Piece, centre: XY) -> LineString:
    """The shortest segment between two obstacles; between parallel faces, that nearest to a place."""
    a, b = one.shape.polygon, other.shape.polygon
    width = float(shapely.distance(a, b))
    faces = [LineString([row[:2], row[2:]]) for row in edges_of(one)]
    spots = [shapely.shortest_line(face, shapely.Point(centre)).coords[0] for face in faces]
    ends = [end for face in faces for end in face.coords]
    across = [shapely.shortest_line(a, shapely.Point(row[:2])).coords[0] for row in edges_of(other)]
    lines = [shapely.shortest_line(shapely.Point(spot), b) for spot in (*spots, *ends, *across)]
    tied = [line for line in (shapely.shortest_line(a, b), *lines) if line.length <= width + TOLERANCE]
    return min(tied, key=lambda line: float(shapely.distance(line, shapely.Point(centre))))


@clause("SK-20", "SK-50")
def through_gap(table: SkirmishTable, soldier: Unit, pair: tuple[str, str]) -> Traverse:
    """Give the traverse of a gap that is too narrow: along the normal of its throat, through the middle of it."""
    radius, by_id = radius_of(soldier), features_of(table).by_id
    throat = _throat(by_id[pair[0]], by_id[pair[1]], tuple(soldier.place))
    (x1, y1), (x2, y2) = shapely.get_coordinates(throat).tolist()
    width = math.hypot(x2 - x1, y2 - y1)
    centre, middle = tuple(soldier.place), ((x1 + x2) / 2, (y1 + y2) / 2)
    unit = ((y1 - y2) / width, (x2 - x1) / width)
    if unit[0] * (middle[0] - centre[0]) + unit[1] * (middle[1] - centre[1]) < 0.0:
        unit = (-unit[0], -unit[1])
    back = (-unit[0], -unit[1])
    behind = _out_of(table, pair, middle, unit, radius, 0.0)
    before = _out_of(table, pair, middle, back, radius, 0.0)
    thin = math.sqrt(max(radius**2 - width**2 / 4, 0.0))
    distance = float(shapely.distance(throat, shapely.Point(centre))) - radius
    depth = max(behind + before - 2 * thin, 0.0)
    level = str(table.tables["traverse_difficulty.gap"])
    return Traverse(pair, level, distance, depth, _on_ray(middle, back, before), _on_ray(middle, unit, behind))


def traverse_of(table: SkirmishTable, soldier: Unit, order: Order) -> Traverse | None:
    """Give the traverse that an order names, or None where there is no such obstacle or gap."""
    names = [order["obstacle"], *([order["other"]] if order.get("other") else [])]
    if any(name not in features_of(table).by_id for name in names):
        return None
    if len(names) == 1:
        return over_obstacle(table, soldier, names[0], order.get("towards"))
    return through_gap(table, soldier, (names[0], names[1]))


@clause("SK-18", "SK-48", "SK-50")
def in_reach(table: SkirmishTable, soldier: Unit) -> list[Traverse]:
    """Give every legal traverse of a soldier where it stands."""
    within = float(table.tables["traverse.within"]) + radius_of(soldier) + TOLERANCE
    spot = shapely.Point(soldier.place)
    near = [p.id for p in features_of(table).obstacles if shapely.distance(p.shape.polygon, spot) <= within]
    found = [over_obstacle(table, soldier, name) for name in near]
    pairs = narrow_pairs(table, soldier)
    found += [through_gap(table, soldier, pair) for pair in pairs if set(pair) & set(near)]
    return [one for one in found if not any(traverse_breaches(table, soldier, one))]


@clause("SK-18", "SK-20", "SK-24", "SK-54")
def traverse_breaches(table: SkirmishTable, soldier: Unit, traverse: Traverse) -> Iterator[Breach]:
    """Judge a traverse: near enough, low enough, not too deep, a way straight across, a legal end behind."""
    what, within = " and ".join(traverse.over), float(table.tables["traverse.within"])
    if traverse.distance > within + TOLERANCE:
        told = f"{what} is {traverse.distance:.4g} inches from the base, a traverse begins within {within:g}"
        yield Breach("SK-18", told, within, traverse.distance, what)
    if traverse.difficulty == "impossible":
        yield Breach("SK-20", f"{what} is too high to be traversed", blocker=what)
    deepest = float(table.tables["traverse_max_depth.inches"])
    if traverse.depth > deepest + TOLERANCE:
        told = f"{what} is {traverse.depth:.4g} inches deep here, at most {deepest:g} can be traversed"
        yield Breach("SK-24", told, traverse.depth, deepest, what, traverse.far)
    ray = Courses.of_lines([[soldier.place, traverse.near, traverse.far]])
    radius = radius_of(soldier)
    for enemy in enemies(table, soldier):
        at = first_overlaps(ray, radius, (), bases_of([enemy]), TOLERANCE).inches[0]
        if math.isfinite(at):
            yield Breach("SK-24", f"the way across passes the base of {enemy.id}", blocker=enemy.id, place=enemy.place)
    for piece in features_of(table).obstacles:
        if piece.id not in traverse.over:
            at = first_overlaps(ray, radius, edges_of(piece), (), TOLERANCE).inches[0]
            if math.isfinite(at):
                yield Breach("SK-24", f"{piece.id} stands in the way across", blocker=piece.id)
    if math.isfinite(float(first_beyond(ray, room_of(table, soldier), TOLERANCE)[0])):
        yield Breach("SK-63", "the way across leaves the table", place=traverse.far)
    for breach in standing_breaches(table, soldier, traverse.far, "would come down"):
        yield Breach("SK-24", breach.message, breach.needed, breach.available, breach.blocker, breach.place)


@clause("SK-18", "SK-23", "SK-33", "SK-48")
def order_breaches(table: SkirmishTable, soldier: Unit, order: Order) -> Iterator[Breach]:
    """Judge the order to traverse."""
    yield from ap_breaches(soldier, int(table.options.traverse_ap), "SK-18", "a traverse")
    if soldier["has_run"] and not table.options.run_and_traverse_same_activation:
        yield Breach("SK-33", f"{soldier.id} has run in this activation: it can not traverse as well")
    traverse = traverse_of(table, soldier, order)
    if traverse is None:
        known = ", ".join(features_of(table).by_id) or "none"
        yield Breach("SK-66", f"there is no such obstacle (known: {known})")
        return
    if len(traverse.over) == 2 and tuple(sorted(traverse.over)) not in {
        tuple(sorted(pair)) for pair in narrow_pairs(table, soldier)
    }:
        width = 2 * radius_of(soldier)
        told = f"between {traverse.over[0]} and {traverse.over[1]} is no gap too narrow for a base {width:g} wide"
        yield Breach("SK-48", told, width)
    towards = order.get("towards")
    if towards is not None:
        yield from _aim_breaches(table, soldier, traverse, towards)
    yield from traverse_breaches(table, soldier, traverse)


@clause("SK-23")
def _aim_breaches(table: SkirmishTable, soldier: Unit, traverse: Traverse, towards: XY) -> Iterator[Breach]:
    """Judge the point of the obstacle that a traverse is aimed at: on it, and a nearest one unless any will do."""
    solid = features_of(table).by_id[traverse.over[0]].shape.polygon
    off = float(shapely.distance(solid, PointShape(*towards).polygon))
    if off > 1e-3:
        yield Breach("SK-23", f"{towards[0]:g},{towards[1]:g} is no point of {traverse.over[0]}", 0, off)
    more = math.dist(soldier.place, towards) - radius_of(soldier) - traverse.distance
    if table.options.traverse_direction == "straight_across" and more > 1e-3:
        told = f"{towards[0]:g},{towards[1]:g} is not the nearest point of {traverse.over[0]}: {more:.4g} farther"
        yield Breach("SK-23", told, traverse.distance, traverse.distance + more)
    if math.dist(soldier.place, towards) < 1e-9:
        yield Breach("SK-23", "a traverse is aimed at a point ahead, not at the soldier's own place")
