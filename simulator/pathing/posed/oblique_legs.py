"""Which oblique legs a search casts: a leg that may lead anywhere leads where it may be of use.

A leg leads obliquely before one that is cheaper, or after it. On even ground the best way makes the same angle between
them whatever the goal is, so legs in those directions are cast, and others evenly between. From a start legs also lead
just past what stands in the way.
"""

from __future__ import annotations

import math

import numpy as np

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.first_turns import PassingTurns
from simulator.pathing.posed.oblique_sweeps import ObliqueFans
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.tangents import Touching

#: Oblique legs leave a pose so many degrees apart.
_APART = 30.0
#: Round bases are led round things by bends of so many degrees.
_BENDS = np.array([30.0, 60.0])
#: Directions are the same if they are after rounding to so many digits.
_DIGITS = 9


def oblique_asides(space: PoseSpace) -> FloatArray:
    """Return the directions in which oblique legs leave any pose, in degrees to the left of where it faces."""
    oblique = space.directions.oblique
    assert oblique is not None
    found = [np.arange(0.0, 360.0, _APART)]
    for aside, factor in zip(space.asides.tolist(), space.directions.factors.tolist(), strict=True):
        share = factor / float(oblique.factor)
        if share < 1.0:
            off = math.degrees(math.acos(share))
            found.append(np.array([aside + off, aside - off]))
    return np.unique(np.round(np.mod(np.concatenate(found), 360.0), _DIGITS))


def beyond_things(space: PoseSpace) -> FloatArray:
    """Return how far beyond what an oblique leg passes others begin that lead on round it, in inches.

    A point bends just there. A round base that bends by so many degrees touches it once more on the next leg.
    """
    if not isinstance(space.base, Round) or not space.base.radius:
        return np.zeros(1)
    return np.asarray(space.base.radius * np.tan(np.radians(_BENDS) / 2))


def oblique_passing(space: PoseSpace, states: PoseStates) -> PassingTurns:
    """Return the oblique legs from states that pass something, and after them those beside."""
    fans = ObliqueFans(space, states)
    family = np.arange(len(fans.modes))
    left = space.left_for_legs(states.price, states.travelled)
    longest = space.longest_legs(left, fans.modes, states.covered)
    found = Touching(space).tangents(fans, family, states.place, longest, np.zeros(len(family)))
    family, aside = np.tile(found.family, 2), np.concatenate([found.at, found.beside])
    outset, modes = fans.outset(family, aside), fans.modes_at(family, aside)
    left, none = space.left_for_legs(outset.turns.price, outset.travelled), np.zeros(len(family))
    return PassingTurns(
        family,
        none,
        modes,
        np.tile(found.near, 2),
        np.tile(found.met, 2),
        outset.turns.heading,
        left,
        outset.turns.tolls,
        outset.turns.covered,
    )
