"""Legs that ended in states, as long as they may be: what else can be reached from turns anywhere on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import pick, rows_once
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.slides import legs_to
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates


def whole_legs(
    space: PoseSpace, before: PoseStates, states: PoseStates, *alike: FloatArray | IntArray
) -> tuple[CastLegs, tuple[IntArray, IntArray]]:
    """Return legs that ended in some states as long as they may be, each once: which, and the first row of each.

    Rows that differ in other columns are not alike.
    """
    first, family = alike_legs(before, states, *alike)
    states, before = pick(states, first), pick(before, first)
    spent = states.travelled - before.travelled
    left = space.left_for_legs(states.price - spent, before.travelled)
    longest = space.longest_legs(left, states.mode, before.covered)
    group = states.group._replace(inches=states.group.inches + longest - states.inches)
    since = states.since + longest - states.inches
    legs = legs_to(space, before, states._replace(inches=longest, since=since, group=group))
    left = space.left_for_legs(legs.turns.price, legs.travelled)
    return replace(legs, inches=legs.rays.lengths_for(left)), (family, first)


def alike_legs(before: PoseStates, states: PoseStates, *alike: FloatArray | IntArray) -> tuple[IntArray, IntArray]:
    """Number the legs that ended in some states, parts of one leg alike: the first row of each, and which each row is.

    Rows that differ in other columns are not alike.
    """
    columns = [np.round(states.heading, 6), states.mode, *(np.round(column, 6) for column in alike)]
    return rows_once(np.column_stack([*_begins(before), *columns]))


def _begins(states: PoseStates) -> list[FloatArray | IntArray]:
    """What distinguishes states as those that legs start from: not their numbers, which depend on who is asked."""
    paid = [states.price, states.travelled, states.free, *states.group, states.since, states.covered]
    return [states.place, states.heading, *paid, states.level, states.tolls.rows]
