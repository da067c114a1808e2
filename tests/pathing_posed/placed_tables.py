"""Movers of generated tables that begin at placings, random starts of those, and random legal moves."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
from posed_tables import mover, random_moves

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Arc, Headings, Inside, Placing, PoseStart, Segment, judged
from simulator.pathing.posed.rays import has_room

#: By name: places on a line, on an arc, in an area and at a point, with all headings or some.
PLACINGS = {
    "line": Placing((Segment((20, 14), (29, 20)),)),
    "arc": Placing((Arc((24, 18), 3, 20, 200),)),
    "area": Placing((Inside(rectangle((24, 18), (5, 3), 20)), Inside(Round(1.5).at(15, 10), Fraction(1)))),
    "point": Placing.at((24, 18)),
    "edge": Placing((Segment((10, 2), (38, 2), Fraction(0), Fraction(6)),), Headings(-90, 90, from_normal=True)),
    "away": Placing((Arc((24, 18), 3, 135, 225),), Headings(180, 180, from_normal=True)),
    "north": Placing((Segment((20, 18), (28, 18)),), Headings(60, 120)),
}


def placed(name, seed, where, share="1/2"):
    """A mover of a generated table at a placing, with a part of its budget."""
    space = mover(name, seed)
    return replace(space, starts=(), placings=(PLACINGS[where],), budget=space.budget * Fraction(share))


def random_start(placing, dice):
    """Any start that a placing admits; whether there is room is another matter."""
    piece = placing.pieces[int(dice.integers(len(placing.pieces)))]
    normal = 0.0
    if isinstance(piece, Inside):
        left, bottom, right, top = piece.area.polygon.bounds
        while True:
            place = tuple(dice.uniform((left, bottom), (right, top)).tolist())
            if piece.along(place) is not None:
                break
    else:
        along = float(dice.choice([0.0, piece.length, dice.uniform(0.0, 1.0) * piece.length]))
        place, normal = piece.place(along), piece.normal(along)
    headings = placing.headings
    heading = headings.first + dice.uniform(0.0, 1.0) * headings.wide + (normal if headings.from_normal else 0.0)
    return PoseStart(place, Fraction(heading), placing.paid_at(place, heading))


def has_room_at(space, start):
    """Whether a mover has room at a start."""
    return bool(has_room(space, np.array([start.place]), np.array([float(start.heading)]))[0])


def placed_ends(space, dice, count, tries=4000):
    """Verdicts of random legal moves from random starts; some of them are hardly more than the first leg."""
    found = []
    for _ in range(tries):
        start = random_start(space.placings[0], dice)
        moves = random_moves(space, dice)
        verdict = judged(space, start, moves[-1:] if dice.uniform() < 0.3 else moves)
        if verdict.is_legal:
            found.append(verdict)
        if len(found) == count:
            break
    return found


def turned(placing, angle, mirrored=False):
    """A placing turned about (0, 0) by so many degrees, or mirrored at the x axis first."""

    def place(at):
        x, y = at
        y = -y if mirrored else y
        cos, sin = (round(math.cos(math.radians(angle)), 12), round(math.sin(math.radians(angle)), 12))
        return (cos * x - sin * y, sin * x + cos * y)

    sign, one = (-1, placing.headings) if mirrored else (1, placing.headings)
    first, last = sorted((sign * one.first, sign * one.last))
    extra = 0.0 if one.from_normal else angle
    pieces = []
    for piece in placing.pieces:
        if isinstance(piece, Segment):
            begin, end = place(piece.begin), place(piece.end)
            paid = piece.paid, piece.paid_at_end
            if mirrored:
                begin, end, paid = end, begin, (piece.paid if paid[1] is None else paid[1], piece.paid)
            pieces.append(Segment(begin, end, *paid))
        else:
            bearings = sorted((sign * piece.first, sign * piece.last))
            pieces.append(Arc(place(piece.middle), piece.radius, *(one + angle for one in bearings)))
    return Placing(tuple(pieces), Headings(first + extra, last + extra, one.from_normal))
