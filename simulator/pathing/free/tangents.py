"""Straight lines that touch two circles, in closed form over arrays.

A circle is run round in one of two directions: `turn` +1 is counter-clockwise, its centre on the left; -1 is
clockwise. A point is a circle of radius 0, and its turn means nothing. Where a line leaves one circle and reaches
another, both run in given turns, there is at most one such line: the inner or outer tangent that bends nowhere back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.free.obstacles import Floats

#: Circles that overlap by less than this are taken as touching, and points this near to a rim as on it.
CLOSE = 1e-8

TWO_PI = 2.0 * np.pi


class Tangents(NamedTuple):
    """Lines as unit directions and the lengths of the parts between their two ends; nan where there is none."""

    ux: Floats
    uy: Floats
    length: Floats


def tangents(dx: Floats, dy: Floats, leaving: Floats, reaching: Floats, slack: float = CLOSE) -> Tangents:
    """Return the line from one circle to another whose centre lies (dx, dy) away.

    `leaving` and `reaching` are turn times radius. The centre lies to the left of the line by that much, at each
    end. Circles of which one holds the other by up to `slack` are taken as touching from within.

    >>> line = tangents(np.array([3.0]), np.array([0.0]), np.array([0.0]), np.array([-1.0]))
    >>> line.length.round(4), line.uy.round(4)
    (array([2.8284]), array([0.3333]))
    """
    across = reaching - leaving
    square = dx * dx + dy * dy
    length = square - across * across
    if slack:
        distance = np.sqrt(square)
        near = (length < 0.0) & (np.abs(across) <= distance + slack)
        across = np.where(near, np.copysign(distance, across), across)
        length = np.where(near, 0.0, length)
    with np.errstate(invalid="ignore", divide="ignore"):
        length = np.sqrt(length)
        ux = (length * dx + across * dy) / square
        uy = (length * dy - across * dx) / square
    return Tangents(ux, uy, length)


def rim_angle(ux: Floats, uy: Floats, turn: Floats | NDArray[np.int8]) -> Floats:
    """Return the angle, seen from the centre, at which a circle run in a turn has this direction; in [0, 2 pi)."""
    angle = np.arctan2(-turn * ux, turn * uy)
    return np.where(angle < 0.0, angle + TWO_PI, angle)
