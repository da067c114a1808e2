"""Corridors at any angle, and what ways through them cost."""

import math

import pytest

from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, judged


def along(start, degrees, inches):
    """The place so many inches from another."""
    x, y = start
    return x + inches * math.cos(math.radians(degrees)), y + inches * math.sin(math.radians(degrees))


def corridor(start, degrees, near, far, width):
    """Walls on both sides of a line, from so many inches of it to so many."""
    middle, long = along(start, degrees, (near + far) / 2), far - near
    sides = [along(middle, degrees + side, width / 2 + 0.25) for side in (90, -90)]
    return [rectangle(side, (long, 0.5), degrees) for side in sides]


def way_of(space, place, heading=None):
    """What a way costs, which the judge has to accept at that price."""
    reach = PoseReach(space)
    cost = float((reach.costs_at([place]) if heading is None else reach.costs_in([place], heading))[0])
    way = reach.way_to(place, heading)
    found = judged(space, way.start, way.moves)
    assert found.is_legal
    assert float(found.total) == pytest.approx(cost, abs=1e-6)
    return cost
