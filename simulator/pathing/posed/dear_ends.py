"""What the last piece of a leg costs at least, by the ground that the leg ends on.

Where begun pieces of legs are paid whole, each by the dearest ground in it, no leg to a place in dear ground ends in a
cheap piece. Outlines of areas run along such ground, and of most places beside them nothing else is as soon known.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import things_over
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.goals import WITHIN, Goals
from simulator.pathing.posed.rays import legs_between
from simulator.pathing.posed.space import PoseSpace


def with_dear_ends(space: PoseSpace, goals: Goals) -> Goals:
    """Return goals with what is known of the last pieces of legs to them."""
    ground, places = space.ground, goals.places
    base, grain = ground.base, ground.grain
    # Legs that leap end elsewhere, and what a slope costs depends on where they come from.
    leads_elsewhere = space.leap is not None or bool(ground.slopes)
    if type(space) is not PoseSpace or grain is None or not isinstance(base, Round) or leads_elsewhere:
        return replace(goals, dearer=None)
    stands = legs_between(places, places, np.zeros(len(places)))
    under = np.zeros((2, len(places), ground.standing.count), np.bool_)
    # Where the ground is the same so near, it is that of the last inches of a way, even if a turn is made just there.
    under[0][things_over(stands, ground.standing, base, 2 * WITHIN)] = True
    under[1][things_over(stands, ground.standing, Round(float(base.radius) + 2 * WITHIN))] = True
    same = np.flatnonzero((under[0] == under[1]).all(axis=1))
    dearer = np.zeros(len(places))
    dearer[same] = (ground.rates_over(under[0][same]) - float(ground.least)) * float(grain)
    return replace(goals, dearer=np.minimum(dearer, float(space.budget) + 1.0))


def dearer_of(goals: Goals, goal: IntArray, inches: FloatArray) -> FloatArray:
    """By how much legs of some lengths to goals cost more, at least, than over the cheapest ground."""
    if goals.dearer is None:
        return np.zeros(len(goal))
    return np.where(inches > WITHIN, goals.dearer[goal], 0.0)
