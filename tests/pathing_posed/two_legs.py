"""The cheapest move of two legs to a place, by chance: many are made, then others like the best of them."""

import numpy as np

from simulator.pathing.columns import pick
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.rays import Rays, aimed, may_turn
from simulator.pathing.posed.states import rates_of, starting, turned

#: So many moves are made at once, and so often; each time others like the best ones, nearer to them.
_MOVES, _ROUNDS, _BEST, _NEARER = 3000, 6, 50, 0.35


def least_by_two_legs(space, place, dice):
    """What the cheapest of many moves of two legs from the first start to a place costs; inf if none leads there."""
    tries, spread, best = _tries(space, dice, _MOVES), 1.0, np.inf
    for _ in range(_ROUNDS):
        costs = _costs(space, place, *tries)
        order = np.argsort(costs)[:_BEST]
        if not np.isfinite(costs[order[0]]):
            return best
        best = min(best, float(costs[order[0]]))
        angle, mode, inches, last = (np.repeat(column[order], _MOVES // _BEST) for column in tries)
        spread *= _NEARER
        angle = np.where(np.isin(angle, _limits(space)), angle, angle + dice.normal(0, 20 * spread, len(angle)))
        if space.directions.oblique is not None:
            aside = space.asides_of(mode) + dice.normal(0, 20 * spread, len(mode))
            mode = np.where(are_oblique(mode), space.directions.toward(aside), mode)
        inches = np.maximum(inches + dice.normal(0, 2 * spread, len(inches)), 0.0)
        tries = np.clip(angle, -180, 180), mode, inches, last
    return best


def _limits(space):
    return np.r_[0.0, space.turns.limits, -space.turns.limits]


def _tries(space, dice, count):
    """First turns, modes and inches of first legs, and modes of last ones."""
    limits = _limits(space)
    angle = np.where(dice.uniform(size=count) < 0.6, dice.choice(limits, count), dice.uniform(-180, 180, count))
    first, last = dice.integers(0, len(space.modes), (2, count))
    if space.directions.oblique is not None:
        oblique = space.directions.toward(dice.uniform(0, 360, count))
        first, last = (np.where(row == len(space.directions.directed), oblique, row) for row in (first, last))
    inches = dice.uniform(0, float(space.budget), count) * dice.uniform(size=count)
    return angle, first, inches, last


def _costs(space, place, angle, mode, inches, last):
    """What moves cost: a turn and a leg, and on to the place by a leg that is oblique or after a turn to there."""
    every = np.arange(len(angle))
    states = pick(starting(space), np.zeros(len(angle), np.intp))
    price, states, legal = _gone(space, states, angle, mode, inches)
    away = np.asarray(place) - states.place
    bearing, far = np.degrees(np.arctan2(away[:, 1], away[:, 0])), np.hypot(*away.T)
    turn, onward = aimed(space, states.heading, np.zeros(len(every)), last, bearing)
    cost, _, goes = _gone(space, states._replace(price=price), turn, onward, far)
    return np.where(legal & goes & (cost <= float(space.budget)), cost, np.inf)


def _gone(space, states, angle, mode, inches):
    """Turn and go: what it costs, where it leads, and whether that is legal."""
    every = np.arange(len(angle))
    turns = pick(turned(space, states, rates_of(space, states), every, angle), every)
    rays = Rays.cast(space, states.place, turns.heading, mode, inches)
    price = turns.price + rays.prices(every, np.minimum(inches, rays.length))
    group = turns.group._replace(inches=turns.group.inches + inches)
    legal = may_turn(space, states.place, states.heading, angle) & (rays.length >= inches - 1e-9)
    after = states._replace(place=rays.places(every, inches), heading=turns.heading, group=group)
    return price, after, legal
