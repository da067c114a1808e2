"""Roofs to leap off, and leaps by closed geometry: what they cost and where they land, none of it by the planner."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import shapely
from posed_movers import FORWARD, REVERSE, SIDEWAYS, flat_ground

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import PolygonShape, rectangle
from simulator.pathing.posed import (
    Follow,
    OffTheEdge,
    PoseSpace,
    PoseStart,
    PricedGround,
    Rotate,
    TableLevel,
    Travel,
    TurnPrices,
)

FAR = 60.0
ROOF = rectangle((0, 0), (8, 8))
ALL_WAYS = (FORWARD, REVERSE, *SIDEWAYS)


def around(outline):
    """All of the table but an outline."""
    return PolygonShape([(-FAR, -FAR), (FAR, -FAR), (FAR, FAR), (-FAR, FAR)], [outline.shell])


def top_of(outline, base, grain=None, bars=()):
    """The level on a roof: what is around it is closed to the base."""
    closed = [around(outline), *(PolygonShape(hole) for hole in outline.holes)]
    ground = PricedGround(closed, lambda under, _: None if under else Fraction(1), base=base, grain=grain)
    return TableLevel(ground, bars)


def walker(points=5, *, roof=ROOF, base=None, start=(0, 0), heading=0, grain=None, free=90, **more):
    """A mover on a roof, which may leap off it to the ground: 22.5 degrees cost half an inch, some are free."""
    base = base or Round(1)
    edge = {name: more.pop(name) for name in ("ends", "price", "turn_after") if name in more}
    edge = OffTheEdge("jump", roof, base, 1, 0, flags=frozenset({"jump"}), **{"ends": True, **edge})
    more.setdefault("above", (top_of(roof, base, grain, more.pop("on_top", ())),))
    more.setdefault("links", (edge,))
    more.setdefault("turns", TurnPrices.in_steps(Fraction(45, 2), Fraction(1, 2), times_rate=True, free=free))
    starts = (PoseStart(start, Fraction(heading), level=len(more["above"])),)
    bars = (roof, *more.pop("bars", ()))
    ground = PricedGround((), flat_ground, grain=grain)
    return PoseSpace(base, starts, Fraction(points), ground, more.pop("modes", ALL_WAYS), bars=bars, **more)


def bent_roof(dice, around_it=(0.0, 0.0)):
    """A roof with corners that lead in as well as out."""
    while True:
        count = int(dice.integers(4, 11))
        angles, far = np.sort(dice.uniform(0, 2 * np.pi, count)), dice.uniform(2, 8, count)
        corners = np.array(around_it) + far[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        if shapely.Polygon(corners).is_valid:
            return PolygonShape([(float(x), float(y)) for x, y in corners.tolist()])


@dataclass(frozen=True)
class Leap:
    """A leap off a convex roof: its moves, what they cost and where it lands."""

    moves: tuple
    price: float
    place: tuple[float, float]
    heading: float


def exit_after(corners, radius, place, ahead):
    """After how many inches a disc inside a convex outline, counter-clockwise, first touches it."""
    found = math.inf
    for (x, y), (u, v) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        out = np.array([v - y, x - u]) / math.hypot(u - x, v - y)
        if out @ ahead > 1e-12:
            found = min(found, (out @ (np.array([x, y]) - place) - radius) / (out @ ahead))
    return found


def clear_after(corners, radius, place, ahead):
    """After how many inches a disc that overlaps a convex outline is clear of it: of its corners and of its sides."""
    found = 0.0
    for corner, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        off = place - corner
        half = off @ ahead
        inside = half**2 - off @ off + radius**2
        if inside > 0:
            found = max(found, -half + math.sqrt(inside))
        side = (other - corner) / np.hypot(*(other - corner))
        out = np.array([side[1], -side[0]])
        if out @ ahead > 1e-12:
            far = (radius - out @ off) / (out @ ahead)
            along = (off + far * ahead) @ side
            if 0 <= along <= np.hypot(*(other - corner)):
                found = max(found, far)
    return found


def turn_price(degrees, free=0.0):
    """Half an inch for each begun step of 22.5 degrees."""
    return 0.5 * math.ceil(max(abs(degrees) - free, 0.0) / 22.5 - 1e-9)


def random_leap(space, dice):
    """A turn, a leg on the roof, another turn and a leg over the edge; None where the first leg leads off the roof."""
    (start,), (edge,) = space.starts, space.links
    corners, radius = np.array(edge.outline.polygon.exterior.coords)[:-1], edge.base.radius
    if not edge.outline.polygon.exterior.is_ccw:
        corners = corners[::-1]
    place, heading, price, moves = np.array(start.place), float(start.heading), 0.0, []
    for last in (False, True):
        angle = float(dice.choice([0.0, 45.0, -45.0, 90.0, 22.5, dice.uniform(-180, 180)]))
        mode = space.modes[int(dice.choice([0, 0, 0, dice.integers(len(space.modes))]))]
        heading += angle
        course = math.radians(heading + mode.aside)
        ahead = np.array([math.cos(course), math.sin(course)])
        room = exit_after(corners, radius, place, ahead)
        inches = room if last else float(dice.uniform(0, 1)) * min(room, float(space.budget))
        moves += [Rotate(Fraction(angle)), Travel(mode, Fraction(inches))]
        price += turn_price(angle) + inches * float(mode.factor)
        place = place + inches * ahead
    place = place + clear_after(corners, radius, place, ahead) * ahead
    return Leap((*moves, Follow(edge)), price + float(edge.price), tuple(place.tolist()), heading)
