"""Turns toward places as games keep them: rounded, so that a leg that led there seems to lead beside by a little.

Who turned by just the limit of a bracket, or to just the heading to end with, would seem to turn a little too far, and
to be a little off in the end. A leg from where a mover stands may lead beside the place by as much as the place may be
off, so turns that differ from such an angle by no more than that are made by just that angle.

From the middle of an earlier leg nothing of the kind is needed: there the mover turns where the last leg is in line.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import AS_KEPT, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.rays import shorter
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.turn_prices import TurnGroups, TurnPrices


def leeway(inches: FloatArray) -> FloatArray:
    """Return by how many degrees legs of some lengths may lead beside their ends."""
    return np.asarray(np.degrees(np.arctan2(AS_KEPT, inches)))


def are_rigid(states: PoseStates) -> BoolArray:
    """Find the states that no leg led to: a last leg begins just there."""
    return np.asarray(states.inches <= TOUCH)


class TurnsAsKept:
    """Turns from some states, rows, before last legs of some lengths; then they face headings in the end, if any."""

    def __init__(
        self, space: PoseSpace, states: PoseStates, rows: IntArray, inches: FloatArray, facing: FloatArray | None
    ) -> None:
        self._turns = space.turns
        self._some = np.flatnonzero(are_rigid(states)[rows] & (inches > TOUCH))
        state = rows[self._some]
        self._within = leeway(inches[self._some])
        self._free, self._group = states.free[state], pick(states.group, state)
        self._whole = None if facing is None else shorter(facing[self._some] - states.heading[state])

    def made(self, angles: FloatArray) -> FloatArray:
        """Return the angles of the turns that are made for turns by angles straight toward the ends."""
        if not len(self._some):
            return angles
        toward = angles[self._some]
        found = at_limit(self._turns, toward, self._within, self._free, self._group)
        if self._whole is not None:
            last = shorter(self._whole - found)
            just = at_limit(self._turns, last, self._within, self._free + float(self._turns.free_at_end))
            found = np.where((found == toward) & (just != last), shorter(self._whole - just), found)
        made = angles.copy()
        made[self._some] = found
        return made


def at_limit(
    turns: TurnPrices, angles: FloatArray, within: FloatArray, free: FloatArray, group: TurnGroups | None = None
) -> FloatArray:
    """Return angles, those of them that are within so much of one at which the price of a turn changes as just that.

    So many degrees are free of the turns, and they may count with a group of turns before.
    """
    swept = np.abs(angles)
    found = swept.copy()
    marks = np.r_[0.0, turns.limits]
    for before in _counted_before(turns, angles, free, group):
        counted = swept + before
        above = np.clip(np.searchsorted(marks, counted), 1, len(marks) - 1)
        below = counted - marks[above - 1] < marks[above] - counted
        near = np.where(below, marks[above - 1], marks[above])
        found = np.where(np.abs(near - counted) <= within, near - before, found)
    return np.where(found == swept, angles, np.copysign(np.maximum(found, 0.0), angles))


def _counted_before(
    turns: TurnPrices, angles: FloatArray, free: FloatArray, group: TurnGroups | None
) -> Iterator[FloatArray | float]:
    """Yield the degrees that brackets may count besides those of turns, less than nothing where some are free."""
    yield 0.0
    if np.any(free > 0.0):
        yield -free
    if group is not None and turns.separation is not None and np.any(group.sense != 0.0):
        yield np.where(group.sense == np.sign(angles), group.swept, 0.0)
