"""Random legal moves in a `PoseSpace`, many at once: what a planner has to be at least as good as.

Moves of one to four turns are made leg by leg by the functions that the planner prices with; a sample of them is
written out and judged, and has to be legal at just the price that was computed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed import Move, PoseSpace, Rotate, Travel, judged
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.rays import Rays, legs_between, may_turn
from simulator.pathing.posed.states import PoseStates, Turned, rates_of, starting, turned

#: No move has more turns.
MOST_TURNS = 4
#: So many moves are begun at once, and of those that come to an end so many are judged.
_AT_ONCE, JUDGED = 2048, 12
#: Of the moves begun so many have 1, 2, 3 and 4 turns: the more turns, the fewer can be paid.
_SHARES = (0.08, 0.16, 0.28, 0.48)
#: Legs are at least so long, in inches.
_LEAST = 0.01


class RandomMoves(NamedTuple):
    """Moves, one row each: where they end, what they cost, and their turns and legs by number (columns)."""

    place: FloatArray
    heading: FloatArray
    price: FloatArray
    angle: FloatArray
    used: FloatArray  #: the degrees of each turn that are made for nothing
    mode: IntArray  #: of each leg; -1: none
    inches: FloatArray

    def written(self, space: PoseSpace, row: int) -> list[Move]:
        """Write one out."""
        found: list[Move] = []
        columns = zip(self.angle[row], self.used[row], self.mode[row], self.inches[row], strict=True)
        for angle, used, mode, inches in columns:
            if angle:
                found.append(Rotate(Fraction(float(angle)), Fraction(float(used))))
            if mode >= 0:
                found.append(Travel(space.directions.numbered(int(mode)), Fraction(float(inches))))
        return found


def random_moves(space: PoseSpace, dice: np.random.Generator, count: int) -> RandomMoves:
    """Make so many legal moves from the first start of a space; raise AssertionError if the judge differs."""
    parts, made = list[RandomMoves](), 0
    while made < count:
        batch = _batch(space, dice)
        for row in range(min(JUDGED, len(batch.price))):
            verdict = judged(space, space.starts[0], batch.written(space, row))
            assert verdict.is_legal, (verdict.objections, batch.written(space, row))
            assert abs(float(verdict.total) - batch.price[row]) < 1e-6, (verdict.charges, batch.price[row])
        parts.append(batch)
        made += len(batch.price)
    return pick(join(parts), slice(count))


def _batch(space: PoseSpace, dice: np.random.Generator) -> RandomMoves:
    """Begin many moves, and keep those that are legal."""
    count = _AT_ONCE
    states = pick(starting(space), np.zeros(count, np.intp))
    numbers = dice.choice(MOST_TURNS, count, p=_SHARES) + 1  # of turns
    ends_with_a_turn = dice.uniform(size=count) < 0.3
    shape = (count, MOST_TURNS)
    made = RandomMoves(
        states.place,
        states.heading,
        states.price,
        np.zeros(shape),
        np.zeros(shape),
        np.full(shape, -1),
        np.zeros(shape),
    )
    found = list[RandomMoves]()
    for number in range(MOST_TURNS):
        last = numbers == number + 1
        legs = ~(last & ends_with_a_turn)
        keeps, states, made = _onward(space, dice, number, last, legs, states, made)
        last, numbers, ends_with_a_turn = last[keeps], numbers[keeps], ends_with_a_turn[keeps]
        found.append(pick(made._replace(place=states.place, heading=states.heading, price=states.price), last))
        states, made = pick(states, ~last), pick(made, ~last)
        numbers, ends_with_a_turn = numbers[~last], ends_with_a_turn[~last]
    every = join(found)
    return pick(every, dice.permutation(np.flatnonzero(_may_end(space, every))))


def _onward(
    space: PoseSpace,
    dice: np.random.Generator,
    number: int,
    last: BoolArray,
    legs: BoolArray,
    states: PoseStates,
    made: RandomMoves,
) -> tuple[IntArray, PoseStates, RandomMoves]:
    """Go on by one turn and, some of them, a leg; return which of the moves could."""
    mode = _modes(space, dice, states)
    angle = _angles(space, dice, states, mode)
    turns = _one_of_each(dice, turned(space, states, rates_of(space, states), np.arange(len(angle)), angle))
    free = may_turn(space, states.place, states.heading, angle) & (turns.price <= float(space.budget))
    left = space.left_for_legs(turns.price, states.travelled)
    rays = Rays.cast(space, states.place, turns.heading, mode, space.longest_legs(left, mode, states.covered))
    # Not the very last of the slack: two ways to sum it up would differ.
    most = rays.lengths_for(left if space.ground.grain else left - 2 * SLACK)
    inches = np.where(legs, _shares_of_legs(dice, last) * most, 0.0)
    row = np.flatnonzero(free & ((inches > _LEAST) | ~legs))
    price = np.where(legs, rays.prices(np.arange(len(angle)), inches), 0.0)
    made.angle[:, number], made.used[:, number] = angle, turns.used
    made.mode[:, number], made.inches[:, number] = np.where(legs, mode, -1), inches
    after = states._replace(
        place=rays.places(np.arange(len(angle)), inches),
        heading=turns.heading,
        price=turns.price + price,
        travelled=states.travelled + price,
        covered=states.covered + inches,
        free=turns.free,
        group=turns.group._replace(inches=turns.group.inches + inches),
        mode=mode,
    )
    return row, pick(after, row), pick(made, row)


def _shares_of_legs(dice: np.random.Generator, last: BoolArray) -> FloatArray:
    """How much of what could be paid legs use: often all of it at the end of a move, mostly little before."""
    any_share, whole = dice.uniform(size=(2, len(last)))
    return np.asarray(np.where(last, np.where(whole < 0.4, 1.0, any_share), any_share**2))


def _modes(space: PoseSpace, dice: np.random.Generator, states: PoseStates) -> IntArray:
    """Modes of next legs: the first of them more often than the others."""
    any_mode = dice.integers(len(space.modes), size=len(states.mode))
    modes = np.asarray(np.where(dice.uniform(size=len(any_mode)) < 0.5, 0, any_mode))
    if space.directions.oblique is None:
        return modes
    oblique = modes >= len(space.directions.directed)
    anywhere = space.directions.toward(dice.uniform(0.0, 360.0, len(modes)))
    return np.asarray(np.where(oblique, anywhere, modes))


def _angles(space: PoseSpace, dice: np.random.Generator, states: PoseStates, mode: IntArray) -> FloatArray:
    """Angles of next turns: to limits of brackets, small ones and any; none only where another mode follows."""
    count = len(mode)
    limits = np.r_[space.turns.limits, 180.0]
    kind, sense = dice.uniform(size=count), dice.choice([-1.0, 1.0], count)
    # Small ones more often, since they can be paid.
    bracket = (dice.uniform(size=count) ** 2 * len(limits)).astype(np.intp)
    angle = np.where(kind < 0.4, limits[bracket], dice.uniform(0.0, np.where(kind < 0.8, 45.0, 180.0)))
    none = (states.mode != mode) & (dice.uniform(size=count) < np.where(are_oblique(mode), 0.6, 0.15))
    return np.asarray(np.where(none, 0.0, sense * angle))


def _one_of_each(dice: np.random.Generator, turns: Turned) -> Turned:
    """Of turns with and without free degrees one of each state, any."""
    order = dice.permutation(len(turns.state))
    return pick(turns, order[np.unique(turns.state[order], return_index=True)[1]])


def _may_end(space: PoseSpace, moves: RandomMoves) -> BoolArray:
    """Find the moves that may end where they do, and spend what they have to."""
    stands = legs_between(moves.place, moves.place, np.mod(moves.heading, 360.0))
    legal = np.isinf(first_lengths(stands, space.base, space.no_end_standing))
    if space.more_than is not None:
        legal &= moves.price > float(space.more_than) + SLACK
    return np.asarray(legal)
