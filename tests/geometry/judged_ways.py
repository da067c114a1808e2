"""Random ways and things for the judge, and a plain check that knows nothing of it: poses one by one."""

import math

import numpy as np
from measured import clearance

from simulator.geometry.footprints import Oval, PolygonBase, Rectangle, Round
from simulator.geometry.paths import Bend, Straight, Turn
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, PolygonShape, rectangle

ARROW = PolygonBase([(1.5, 0), (-1, 1), (-0.2, 0), (-1, -1)])
HOOK = PolygonBase([(-1, -1), (1, -1), (1, 1), (0.6, 1), (0.6, -0.6), (-1, -0.6)])
BASES = {
    "round": Round(0.6),
    "oval": Oval(2.4, 1.1),
    "rectangle": Rectangle(2.2, 1.3),
    "triangle": PolygonBase([(1.2, 0.3), (-0.8, 0.9), (-0.6, -0.7)]),
    "arrow": ARROW,
    "hook": HOOK,
}


def random_piece(dice, motion):
    start, heading = tuple(dice.uniform(-4, 4, 2)), float(dice.uniform(0, 360))
    if motion == "straight":
        return Straight(start, tuple(np.add(start, dice.uniform(-6, 6, 2))), heading)
    if motion == "arc":
        return Bend(start, float(dice.uniform(0.2, 4)), dice.uniform(0, 7), dice.uniform(-6.2, 6.2), heading)
    return Turn(start, heading, float(dice.uniform(-360, 360)))


def random_things(dice):
    """One of each kind, somewhere."""

    def spot():
        return tuple(dice.uniform(-4, 4, 2))

    turns = (np.arange(7) + dice.uniform(0, 0.8, 7)) * 2 * math.pi / 7
    middle, reach = spot(), dice.uniform(0.4, 1.8, 7)
    star = [(middle[0] + r * math.cos(t), middle[1] + r * math.sin(t)) for r, t in zip(reach, turns, strict=True)]
    return [
        rectangle(spot(), (1.5, 0.8), dice.uniform(0, 360)),
        PolygonShape(star),
        LineShape([spot(), spot()]),
        PointShape(*spot()),
        CircleShape(*spot(), dice.uniform(0.3, 1)),
        Round(0.5).at(*spot()),
        Oval(2, 0.8).at(*spot(), dice.uniform(0, 360)),
        Rectangle(1, 2).at(*spot(), dice.uniform(0, 360)),
        ARROW.at(*spot(), dice.uniform(0, 360)),
    ]


def pose(base, piece, share):
    """The base after a share of a piece."""
    if isinstance(piece, Straight):
        x, y = np.add(piece.start, share * np.subtract(piece.end, piece.start))
        return base.at(x, y, piece.heading)
    if isinstance(piece, Bend):
        angle = piece.begin + share * piece.sweep
        x, y = piece.centre[0] + piece.radius * math.cos(angle), piece.centre[1] + piece.radius * math.sin(angle)
        return base.at(x, y, piece.heading)
    return base.at(*piece.place, piece.heading + share * piece.turn)


def depth_at(base, piece, share, thing):
    """How deep the two overlap; below 0 the gap."""
    return -clearance(pose(base, piece, share), thing)
