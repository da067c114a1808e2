"""Poses to turn at, with what decides the price of whatever follows, and the turns made from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.toll_table import TollBits
from simulator.pathing.posed.turn_prices import NO_GROUP, TurnGroups
from simulator.pathing.posed.turn_tolls import met_by_turns, spent_by_turns, tolls_at_starts


class PoseStates(NamedTuple):
    """Poses to turn at, one row each; see `search`."""

    place: FloatArray
    heading: FloatArray  #: degrees, sums of what was turned, not brought into one circle
    price: FloatArray
    travelled: FloatArray  #: the part of the price that legs cost
    free: FloatArray  #: the degrees that may still be turned for nothing
    group: TurnGroups
    level: IntArray
    parent: IntArray  #: the state before; -1 at a start
    mode: IntArray  #: of the leg that ended here; -1 at a start and where a link ended here
    inches: FloatArray  #: how long that leg was
    since: FloatArray  #: the inches of all legs since the last link, or since the move began
    used: FloatArray  #: the degrees that were turned for nothing before that leg
    link: IntArray  #: the link that ended here; -1 if none did
    tolls: TollBits
    covered: FloatArray  #: the inches of all legs and links so far


def starting(space: PoseSpace) -> PoseStates:
    """Return the states that a space starts with."""
    starts = space.starts
    groups = np.array([[float(value) for value in start.group] for start in starts]).reshape(-1, len(NO_GROUP))
    free = [space.turns.free if start.free is None else min(start.free, space.turns.free) for start in starts]
    none = np.zeros(len(starts))
    numbers = np.full(len(starts), -1)
    return PoseStates(
        np.array([start.place for start in starts], np.float64).reshape(-1, 2),
        np.array([float(start.heading) for start in starts]),
        np.array([float(start.paid) for start in starts]),
        np.array([float(start.travelled) for start in starts]),
        np.array([float(degrees) for degrees in free]),
        TurnGroups(*groups.T),
        np.array([start.level for start in starts], np.intp),
        numbers,
        numbers,
        none,
        np.array([float(start.since_link) for start in starts]),
        none,
        numbers,
        tolls_at_starts(space),
        np.array([float(start.covered) for start in starts]),
    )


class Turned(NamedTuple):
    """Turns made from states: which state, the heading after, all that is paid, and what the turn leaves behind."""

    state: IntArray
    heading: FloatArray
    price: FloatArray
    free: FloatArray
    group: TurnGroups
    used: FloatArray
    since: FloatArray  #: the inches of legs since the last link
    toll: FloatArray  #: the part of the price that was paid for what the turn knocked down
    tolls: TollBits
    covered: FloatArray  #: the inches of all legs and links so far


def turned(space: PoseSpace, states: PoseStates, rates: FloatArray, state: IntArray, angles: FloatArray) -> Turned:
    """Make turns by angles of at most 180 degrees, each from a state; where degrees are free, with and without them.

    The space is asked by the rows of the states. Where a toll bars a turn its price is inf.
    """
    turns, group = space.turns, pick(states.group, state)
    price, after = turns.turns(group, angles)
    price = at_rates(price, rates[state])
    swept, none = np.abs(angles), np.zeros(len(angles))
    there, place = space.by_rows(state), states.place[state]
    toll, tolls = met_by_turns(there, place, states.heading[state], angles, pick(states.tolls, state))
    paid, heading = states.price[state] + toll, states.heading[state] + angles
    spent = spent_by_turns(there, place, price, tolls)
    since, covered = states.since[state], states.covered[state]
    found = [Turned(state, heading, paid + price, states.free[state], after, none, since, toll, spent, covered)]
    for freely, used in turns.portions(states.free[state], swept):
        of, angle = state[freely], angles[freely]
        price = at_rates(turns.prices(swept[freely] - used), rates[of])
        found.append(
            Turned(
                of,
                heading[freely],
                paid[freely] + price,
                turns.left_of(states.free[of], used),
                pick(after, freely),
                np.copysign(used, angle),
                since[freely],
                toll[freely],
                spent_by_turns(there.by_rows(freely), place[freely], price, pick(tolls, freely)),
                covered[freely],
            )
        )
    return join(found)


def at_rates(prices: FloatArray, rates: FloatArray) -> FloatArray:
    """Multiply prices of turns by rates: what costs nothing costs nothing on closed ground, too."""
    return np.multiply(prices, rates, where=prices > 0.0, out=np.zeros(np.broadcast(prices, rates).shape))


def rates_of(space: PoseSpace, states: PoseStates) -> FloatArray:
    """Compute what turns are multiplied by at states: the rate of the ground there, where it counts."""
    if not space.turns.times_rate:
        return np.ones(len(states.price))
    return space.ground.rates_at(states.place, np.mod(states.heading, 360.0))
