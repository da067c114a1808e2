"""What a search of a later phase begins with: the poses in which the phase before may end, those that lead farthest.

Who goes on straight, or makes a turn that could still be paid, might have done so before the phase ended. So the next
one begins where legs end since no more can be paid, and before turns that cannot be paid any more, the dearest turns
made that can. Of several such poses in a bin of the search the one is taken that lies farthest ahead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed.bins import PoseBins, sectors
from simulator.pathing.posed.handovers import Handover
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.poses_near_ends import ends_along
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, at_rates, rates_of

#: Numbers are equal if they are after rounding to so many digits.
_DIGITS = 9


class LegsOfPhase(NamedTuple):
    """Legs somewhere on which a phase may end, and the turns made there: which leg, by which angle, how far along."""

    leg: IntArray
    angle: FloatArray
    inches: FloatArray  #: as far as leg and turn are paid for


class PhaseStarts(NamedTuple):
    """What a search begins with, and the legs on which that lies."""

    states: PoseStates
    legs: LegsOfPhase


class _Poses(NamedTuple):
    """Poses of a phase that it may end in, before a last turn."""

    states: PoseStates
    number: IntArray  #: of those that were found; -1: the pose lies on a leg
    leg: IntArray  #: which; -1: the pose was found
    is_end: IntArray  #: 1 where a leg ends, a move starts or a link begins: the phase may end there without a turn


def last_angles(space: PoseSpace) -> FloatArray:
    """Return the turns at the end of a phase: those of a search, and with all free degrees as well."""
    limits = np.r_[0.0, space.turns.limits, 180.0]
    most = limits + float(space.turns.free)
    most = most[(most > 0.0) & (most <= 180.0)]
    return np.unique(np.round(np.r_[angles_of(space), most, -most[most < 180.0]], _DIGITS))


def phase_starts(handover: Handover, mesh: float) -> PhaseStarts:
    """Return what the next phase begins with on a level."""
    space, ends = handover.space, handover.ends
    poses = _poses(handover, mesh)
    if ends is None:
        poses = _farthest_by_what_is_left(handover, poses, mesh)
    else:
        # Whoever goes on straight leaves those poses: what lies farthest ahead stands for nothing then.
        poses = pick(poses, ends.near(poses.states.place))
    states = poses.states
    rates = rates_of(space, states)
    angles = last_angles(space)
    row, angle = np.repeat(np.arange(len(rates)), len(angles)), np.tile(angles, len(rates))
    turns = handover.turned(pick(states, row), rates[row], angle)
    row, angle = row[turns.state], angle[turns.state]
    left = float(space.budget) - turns.price
    # What a step costs at least that the phase might go on with.
    step = float(space.ground.grain or mesh / 4) * space.least_rate
    used_up = (left < step - SLACK) | (space.inches_left(turns.covered) < step - SLACK)
    sense = np.sign(angle).astype(np.intp)
    most = np.zeros((len(rates), 3))
    np.maximum.at(most, (row, sense + 1), np.abs(angle))
    dearest = np.abs(angle) == most[row, sense + 1]
    # Who can turn all round has time left to go on.
    dearest &= most[row].max(axis=1) < 180.0
    dearest = np.where(angle == 0.0, poses.is_end[row] == 1, dearest)
    kept = np.flatnonzero((used_up | dearest) if ends is None else np.ones(len(row), np.bool_))
    kept = kept[handover.may_end(states.place[row[kept]], turns.heading[kept], pick(turns.tolls, kept))]
    turns, row, angle = pick(turns, kept), row[kept], angle[kept]
    alike = np.column_stack([space.turns.layers(turns.free), _where_links_begin(handover, states.place[row])])
    first = _farthest_ahead(handover.next_space, mesh, states.place[row], turns.heading, alike)
    turns, row, angle = pick(turns, first), row[first], angle[first]
    none = np.zeros(len(row))
    numbers = poses.number[row]
    on_leg = np.flatnonzero(numbers < 0)
    once, which = np.unique(row[on_leg], return_inverse=True)
    numbers[on_leg] = handover.earlier.add(pick(states, once))[which.reshape(-1)]
    begun = handover.begun(turns, numbers, states.place[row], np.full(len(row), -1), none, turns.tolls)
    return PhaseStarts(begun, _legs(poses, row, angle, handover))


def _poses(handover: Handover, mesh: float) -> _Poses:
    """The poses that were found, and those on legs: so far apart, at the end, and where all is spent but for a turn."""
    found, legs = handover.found, handover.found.legs
    states = found.states
    count = len(states.price)
    starts = (states.parent < 0) | (states.link >= 0) | _where_links_begin(handover, states.place)
    known = _Poses(states, handover.numbers, np.full(count, -1), starts.astype(np.intp))
    if legs is None:
        return known
    every = np.arange(len(legs.inches))
    marks = np.floor(legs.inches / mesh).astype(np.intp)
    leg = np.repeat(every, marks)
    at = np.asarray((np.arange(len(leg)) - np.repeat(np.cumsum(marks) - marks, marks) + 1) * mesh, np.float64)
    marked = leg, at, np.zeros(len(leg), np.intp)
    parts = []
    rates = rates_of(handover.space, legs.states(every, legs.inches))
    for price in _prices(handover.space):
        at = _paid_with(handover, legs, at_rates(np.full(len(rates), price), rates))
        parts.append((every, at, np.full(len(every), int(price == 0.0), np.intp)))
    if handover.ends is not None:
        parts += [(every, at, np.zeros(len(every), np.intp)) for at in ends_along(handover.ends, legs)]
    leg, at, is_end = join([*parts, marked])
    leg, at, is_end = pick((leg, at, is_end), at > TOUCH)
    states = legs.states(leg, at)
    is_end = np.where(_where_links_begin(handover, states.place), 1, is_end)
    # Of equals the first is taken: where legs end, and what lies on a leg.
    return join([_Poses(states, np.full(len(leg), -1), leg, is_end), known])


def _where_links_begin(handover: Handover, places: FloatArray) -> BoolArray:
    """Find the places where links begin, which the next phase may follow that this one cannot pay for."""
    found = np.zeros(len(places), np.bool_)
    for link in handover.links:
        begins = link.places
        found |= True if begins is None else np.all(np.abs(places - begins[0]) <= TOUCH, axis=1)
    return found


def _prices(space: PoseSpace) -> list[float]:
    """The prices of turns, and that of none, each once, in ascending order."""
    return sorted({0.0, *(float(price) for _, price in space.turns.brackets)})


def _paid_with(handover: Handover, legs: CastLegs, prices: FloatArray) -> FloatArray:
    """How far along legs the mover gets, and may end, when something else has to be paid for as well."""
    left = handover.space.left_for_legs(legs.turns.price + prices, legs.travelled)
    paid = legs.turns.price + prices <= float(handover.space.budget) + SLACK
    at = np.where(paid, np.minimum(legs.rays.lengths_for(left), legs.inches), 0.0)
    return handover.last_ends(legs.rays, at, legs.turns.heading)


def _farthest_by_what_is_left(handover: Handover, poses: _Poses, mesh: float) -> _Poses:
    """Of poses in a bin, by the dearest turn that is paid for there, the one that lies farthest ahead."""
    states, space = poses.states, handover.space
    left = (float(space.budget) - states.price) / rates_of(space, states)
    dearest = np.searchsorted(_prices(space), left + SLACK)
    alike = np.column_stack([dearest, space.turns.layers(states.free), _where_links_begin(handover, states.place)])
    return pick(poses, _farthest_ahead(space, mesh, states.place, states.heading, alike))


def _farthest_ahead(
    space: PoseSpace, mesh: float, places: FloatArray, headings: FloatArray, alike: FloatArray | BoolArray
) -> IntArray:
    """Of poses in each bin of a search that are alike, return the one that lies farthest ahead."""
    cell, corner, shape = PoseBins.grid(mesh, space.window, space.middle)
    column = np.clip(np.floor((places - corner) / cell).astype(np.intp), 0, shape - 1)
    off = np.abs(places - corner - (column + 0.5) * cell).max(axis=1)
    facing = np.radians(headings)
    ahead = places[:, 0] * np.cos(facing) + places[:, 1] * np.sin(facing)
    _, group = rows_once(np.column_stack([column, sectors(headings), alike]))
    order = np.lexsort([*(np.round(key, _DIGITS) for key in (off, -ahead)), group])
    return np.sort(order[np.unique(group[order], return_index=True)[1]])


def _legs(poses: _Poses, row: IntArray, angle: FloatArray, handover: Handover) -> LegsOfPhase:
    """The legs that some poses lie on, each with the turns that are made on it, as far as both are paid for."""
    legs = handover.found.legs
    some = np.flatnonzero(poses.leg[row] >= 0)
    if legs is None or not len(some):
        return LegsOfPhase(some, np.zeros(0), np.zeros(0))
    leg, angle = poses.leg[row[some]], angle[some]
    first, _ = rows_once(np.column_stack([leg, np.round(angle, _DIGITS)]))
    leg, angle = leg[first], angle[first]
    every = np.arange(len(legs.inches))
    free = legs.turns.free[leg]
    rates = rates_of(handover.space, legs.states(every, legs.inches))[leg]
    price = at_rates(handover.space.turns.prices(np.maximum(np.abs(angle) - free, 0.0)), rates)
    ends = np.zeros(len(leg))
    for one in np.unique(price).tolist():
        alike = np.flatnonzero(price == one)
        ends[alike] = _paid_with(handover, legs, np.full(len(every), one))[leg[alike]]
    kept = np.flatnonzero(ends > TOUCH)
    return LegsOfPhase(leg[kept], angle[kept], ends[kept])
