"""Last turns in the middle of first legs where nothing but whole pieces are left to the goals.

Where legs are priced by begun pieces, at the dearest ground in each, a way may depend on where its last leg's pieces
begin: so that the first few keep off dear ground, and the last one ends at the goal. The places to turn at from which
that can be paid are few inches long, and lie between those of a mesh. Each such stretch begins where the last leg is a
number of whole pieces long, for from just before there it takes one more.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join, nth_rows, pairs_of_equal_rows, pick
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.in_time import PairsInTime, Sources
from simulator.pathing.posed.last_legs import LastTurns, in_reach, may_face, most_of_ways
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.rays import cross, shorter
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turns_aside import least_turns


def before_whole_pieces(
    space: PoseSpace, lower: LowerPrices, legs: CastLegs, goals: Goals, best: FloatArray
) -> LastTurns:
    """Return last turns, in the middle of legs from starts, before legs of whole pieces that could cost less than best.

    Leaps end beyond an edge, not where they are aimed at: of those there are none.
    """
    if space.ground.grain is None or space.leap is not None:
        return LastTurns.none()
    first = _from_starts(space, legs)
    if not len(first):
        return LastTurns.none()
    from_starts, limits = legs.some(first), most_of_ways(space, best)
    sources = Sources(space, lower, goals, from_starts.rays.starts, from_starts.turns.price)
    found = [LastTurns.none()]
    for pairs in sources.in_time(limits):
        some = join([LastTurns.none(), *_of_pairs(space, from_starts, pairs, float(space.ground.grain))])
        turns = pick(from_starts.turns, some.source)
        some = pick(some, may_face(space, goals, some, turns.heading, turns.free, limits))
        found.append(in_reach(space, sources.leasts, from_starts, some, limits))
    every = join(found)
    return every._replace(source=first[every.source])


def _from_starts(space: PoseSpace, legs: CastLegs) -> IntArray:
    """Find the legs from where the mover starts. Later phases begin anywhere: there are others close to every leg."""
    row = np.flatnonzero(legs.turns.covered == 0.0)
    places = np.array(list({start.place for start in space.starts}), np.float64).reshape(-1, 2)
    return row[np.sort(pairs_of_equal_rows(legs.rays.starts[row], places)[0])]


def _of_pairs(space: PoseSpace, legs: CastLegs, pairs: PairsInTime, grain: float) -> Iterator[LastTurns]:
    """Yield the last turns and legs of pairs of a goal and a leg, by the mode of the last leg."""
    of, least_prices = pairs.source, space.ground.least_prices
    ahead, factors = legs.rays.ahead[of], space.factors_of(legs.mode[of])
    along, across = np.sum(ahead * pairs.away, axis=1), np.abs(cross(ahead, pairs.away))
    fewest = np.floor(across / grain) + 1.0
    row, nth = nth_rows(np.maximum(np.ceil(pairs.inches / grain) - fewest, 0.0).astype(np.intp))
    inches = (fewest[row] + nth) * grain
    at = along[row] - np.sqrt(np.maximum(inches**2 - across[row] ** 2, 0.0))
    kept = np.flatnonzero((at > TOUCH) & (at < legs.inches[of[row]]))
    row, at, inches = row[kept], at[kept], inches[kept]
    onward = pairs.away[row] - at[:, None] * ahead[row]
    bearing = np.degrees(np.arctan2(onward[:, 1], onward[:, 0])) - legs.turns.heading[of[row]]
    paid, free = legs.turns.price[of[row]] + least_prices(at) * factors[row], legs.turns.free[of[row]]
    for mode, aside in enumerate(space.asides.tolist()):
        angle = shorter(bearing - aside)
        bound = paid + least_turns(space, free, angle) + least_prices(inches) * float(space.directions.factors[mode])
        modes = np.full(len(row), mode)
        some = LastTurns(pairs.goal[row], of[row], at, angle, modes, inches, bound, bound)
        yield pick(some, np.flatnonzero(bound <= pairs.limit[row]))
