"""What lies straight ahead of poses to turn at: rays in all headings, closer together where their ends need it.

From a pose a mover turns to any heading and travels as far as it may and can pay. A turn costs the same within a
bracket, so between two limits the ends of the legs are a curve that only the ground and what stands there interrupt.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.rays import Rays, may_turn
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, turned

#: Degrees between the first rays of a fan.
_APART = 15.0


class PoseRays(NamedTuple):
    """Rays of fans, ordered by fan and angle."""

    fan: IntArray  #: the number of the state times the number of modes, and the mode
    angle: FloatArray  #: degrees from the heading of the state, from -180 to 180
    near: FloatArray  #: rows x, y: where legs along the ray are long enough to end
    far: FloatArray  #: and where they end at last
    inches: FloatArray  #: how far that is


def fans(space: PoseSpace, states: PoseStates, error: float) -> NDArray[np.object_]:
    """Draw the places where legs from states can end, a polygon for each state and mode of travel.

    The ends of rays are exact; between them a fan is straight, and misses the true curve by no more than the error.
    """
    return _drawn(states, space, cast_fans(space, states, error))


def cast_fans(space: PoseSpace, states: PoseStates, error: float) -> PoseRays:
    """Cast the rays of the fans of some states."""
    rates, modes = rates_of(space, states), len(space.modes)
    limits = space.turns.limits
    limits = np.r_[limits, limits + 3 * ROUNDING_OF_ANGLES]  # the last place of a bracket, and the first of the next
    angles = np.unique(np.r_[np.arange(-180.0, 180.0 + _APART, _APART), limits, -limits])
    count = len(states.price) * modes
    found = _cast(space, states, rates, np.repeat(np.arange(count), len(angles)), np.tile(angles, count))
    while len(wanting := np.flatnonzero(_wanting(found, error))):
        middle = (found.angle[wanting] + found.angle[wanting + 1]) / 2
        found = join([found, _cast(space, states, rates, found.fan[wanting], middle)])
        found = pick(found, np.lexsort((found.angle, found.fan)))
    return found


def _wanting(rays: PoseRays, error: float) -> BoolArray:
    """Find the rays between which and the next another one has to be cast."""
    gap = np.radians(np.diff(rays.angle))
    longest = np.maximum(rays.inches[1:], rays.inches[:-1])
    bulge = longest * (1.0 - np.cos(gap / 2.0))
    unlike = np.abs(np.diff(rays.inches)) > np.maximum(error, longest * gap / 2.0)
    same = rays.fan[1:] == rays.fan[:-1]
    return np.asarray(same & (longest * gap > error) & (unlike | (bulge > error)))


def _cast(space: PoseSpace, states: PoseStates, rates: FloatArray, fan: IntArray, angle: FloatArray) -> PoseRays:
    state, mode = np.divmod(fan, len(space.modes))
    turns = turned(space, states, rates, state, angle)
    # With degrees that are free a turn is made in two ways: the cheaper one leads farther.
    row = np.r_[np.arange(len(fan)), np.flatnonzero((states.free[state] > 0.0) & (np.abs(angle) > 0.0))]
    order = np.lexsort((turns.price, row))
    turns = pick(turns, order[np.unique(row[order], return_index=True)[1]])
    left = space.left_for_legs(turns.price, states.travelled[state])
    starts, before = states.place[state], states.heading[state]
    left[~may_turn(space, starts, before, turns.heading - before)] = 0.0
    longest = left / (float(space.ground.least) * space.factors[mode])
    rays = Rays.cast(space, starts, turns.heading, mode, longest)
    every = np.arange(len(fan))
    inches = rays.lengths_for(left) * (left > 0.0)
    short = np.zeros(len(fan))
    if space.more_than is not None:
        short = np.minimum(rays.lengths_for(np.maximum(float(space.more_than) - turns.price, 0.0)), inches)
    return PoseRays(fan, angle, rays.places(every, short), rays.places(every, inches), inches)


def _drawn(states: PoseStates, space: PoseSpace, rays: PoseRays) -> NDArray[np.object_]:
    """One polygon for each fan: there along the far ends, back along the near ones."""
    count = len(states.price) * len(space.modes)
    number = np.arange(len(rays.fan))
    corners = np.concatenate([rays.far, rays.near])
    fan = np.concatenate([rays.fan, rays.fan])
    order = np.lexsort((np.concatenate([number, 2 * len(number) - number]), fan))
    size = np.bincount(fan, minlength=count)
    rings: Any = shapely.linearrings(corners[order], indices=np.repeat(np.arange(count), size))
    reached = np.bincount(rays.fan, rays.inches, minlength=count) > SLACK
    return np.asarray(shapely.make_valid(shapely.polygons(rings[reached])))
