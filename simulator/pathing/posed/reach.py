"""Where a mover can end, at a place or in a pose, at what price, by which moves: the answer of the planner over poses.

The poses to turn at are searched; the last turns and the last leg are exact: any heading, any length, whatever the
mesh. So each end that is reported has a move that the judge accepts at that price, and what may be missing are ends
that need an earlier turn at just one place.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, PricedGround, TurnPrices
>>> sixths = TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)], separation=1)
>>> ground = PricedGround((), lambda under, climbed: Fraction(1))
>>> space = PoseSpace(Round(1), (PoseStart((0, 0), Fraction(0)),), Fraction(36), ground, (Mode("forward"),), sixths)
>>> reach = PoseReach(space)
>>> reach.costs_at([(36, 0), (0, 24), (0, 24.1)]).round(6).tolist()
[36.0, 36.0, inf]
>>> for move in reach.moves_to((0, 24)):
...     print(move)
90 degrees to the left
24 inches forward
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed.area import DrawnArea, sample_places
from simulator.pathing.posed.arrivals import ArrivingWays
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.headings import heading_ranges
from simulator.pathing.posed.last_legs import Goals, from_legs, from_states, shorter
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.moves import Move, Rotate, Travel
from simulator.pathing.posed.pockets import pockets
from simulator.pathing.posed.search import MESH, Searched, angles_of, search
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, starting
from simulator.pathing.traces import NoRoute

#: An area is grown so often at most where ends lie beside its outline.
_ROUNDS_OF_OUTLINES = 8


@dataclass(frozen=True, eq=False)
class PoseReach:
    """The ends of a space: costs are floats, exact but for rounding; moves are exact, and priced by the judge.

    `finer` is how often the mesh of the search is halved: what was an end stays one, and costs no more.
    """

    space: PoseSpace
    finer: int = 0

    @cached_property
    def searched(self) -> tuple[Searched, ...]:
        """The poses that the mover may turn at and the legs between them, as each search found them."""
        meshes = [MESH / 2**level for level in range(self.finer + 1)]
        return tuple(search(self.space, self._lower, mesh) for mesh in meshes)

    @cached_property
    def _lower(self) -> LowerPrices:
        return LowerPrices.of(self.space)

    @cached_property
    def _rates(self) -> tuple[FloatArray, ...]:
        return tuple(rates_of(self.space, found.states) for found in self.searched)

    # --- costs ---

    def costs_at(self, places: ArrayLike) -> FloatArray:
        """Compute the least cost of ending at each of many places (rows x, y), facing any way; inf where it cannot."""
        return self._cheapest(Goals(np.asarray(places, np.float64).reshape(-1, 2), None)).cost

    def costs_in(self, places: ArrayLike, headings: ArrayLike) -> FloatArray:
        """Compute the least cost of ending at each of many places with a heading in degrees."""
        rows = np.asarray(places, np.float64).reshape(-1, 2)
        return self._cheapest(Goals(rows, np.broadcast_to(np.asarray(headings, np.float64), (len(rows),)))).cost

    def headings_at(self, place: XY, step: float = 0.5) -> tuple[HeadingRange, ...]:
        """Return the headings in which the mover can end at a place, as ranges, each with the cost of its dearest.

        Headings are tried 5 degrees apart, at the limits of brackets, and where costs rise by more than a step between.
        """
        arrivals = ArrivingWays(self.space, self.searched, self._rates, place)
        if arrivals.heading is None:
            return ()
        return heading_ranges(arrivals.costs_in, arrivals.heading + angles_of(self.space), step)

    # --- areas ---

    def area(self, error: float = 0.05, heading: float | None = None) -> BaseGeometry:
        """Draw the ground that the mover can end on, facing any way, or with a heading in degrees.

        Polygons, and lines and points where ends have no ground. Each place has a move that leads there. Outlines fall
        short of true ones by the error; farther out, ends that need turns at just one place may be missing.
        """
        space = self.space
        area = DrawnArea(space, starting(space), error, heading)
        if heading is None:
            for states, legs in self.searched:
                if legs is not None:
                    area.cover_ends(states, legs)
        # On its way a mover may be where it could not end: such areas need not be of one piece.
        of_one_piece = heading is None and space.more_than is None and not space.no_end
        places = area.beside() if of_one_piece else area.missing(sample_places(space))
        for _ in range(_ROUNDS_OF_OUTLINES):
            found = pockets(space, self._lower, self.searched, self._rates, places, heading)
            if found is None:
                break
            area.cover_pockets(found)
            places = area.beside()
        stands = np.array([start.place for start in space.starts], np.float64).reshape(-1, 2)
        costs = self.costs_at(stands) if heading is None else self.costs_in(stands, heading)
        area.add_places(stands[np.isfinite(costs)])
        return area.drawn()

    # --- the cheapest ways ---

    def _cheapest(self, goals: Goals) -> CheapestWays:
        found = CheapestWays(self.space, self._lower, goals)
        if not len(goals.places):
            return found
        for searched, rates in zip(self.searched, self._rates, strict=True):
            self._offer(found, searched, rates, goals)
            found.next_search()
        return found

    def _offer(self, found: CheapestWays, searched: Searched, rates: FloatArray, goals: Goals) -> None:
        """Offer the last legs that what one search found leads to."""
        states, legs = searched
        straight = join(list(from_states(self.space, states, rates, goals)))
        found.offer(straight, lambda some: pick(states, some.source))
        if legs is not None:
            turning = join(list(from_legs(self.space, legs, angles_of(self.space), goals, found.cost)))
            found.offer(turning, lambda some: legs.states(some.source, some.at))
            found.slide(states, MESH)

    # --- how ---

    def moves_to(self, place: XY, heading: float | None = None) -> tuple[Move, ...]:
        """Return the moves that end at a place at the least cost, with a heading if one is named; raises NoRoute."""
        (moves,) = self.moves_to_each([place], None if heading is None else [heading])
        if moves is None:
            raise NoRoute(f"no move ends at {place[0]:g},{place[1]:g}")
        return moves

    def moves_to_each(self, places: ArrayLike, headings: ArrayLike | None = None) -> list[tuple[Move, ...] | None]:
        """Return for each of many places, or poses, the moves that end there at the least cost; None: no move does."""
        rows = np.asarray(places, np.float64).reshape(-1, 2)
        facing = None if headings is None else np.broadcast_to(np.asarray(headings, np.float64), (len(rows),))
        found = self._cheapest(Goals(rows, facing))
        return [
            self._moves(found, goal, None if facing is None else float(facing[goal]))
            if np.isfinite(found.cost[goal])
            else None
            for goal in range(len(rows))
        ]

    def _moves(self, found: CheapestWays, goal: int, heading: float | None) -> tuple[Move, ...]:
        search_number, state, legs = found.way(goal)
        moves = self._moves_before(self.searched[search_number].states, state)
        moves += _turn(float(state.heading[0]), float(legs.turns.heading[0]), float(legs.turns.used[0]))
        if legs.inches[0] > TOUCH:
            moves.append(Travel(self.space.modes[int(legs.mode[0])], Fraction(float(legs.inches[0]))))
        if heading is not None:
            turn = float(shorter(np.array([heading - float(legs.turns.heading[0])]))[0])
            moves += [Rotate(Fraction(turn))] if turn else []
        return tuple(moves)

    def _moves_before(self, states: PoseStates, state: PoseStates) -> list[Move]:
        """The moves that lead to a state, a table of one row."""
        moves = list[Move]()
        while state.parent[0] >= 0:
            before = pick(states, state.parent)
            leg = Travel(self.space.modes[int(state.mode[0])], Fraction(float(state.inches[0])))
            moves = [*_turn(float(before.heading[0]), float(state.heading[0]), float(state.used[0])), leg, *moves]
            state = before
        return moves


def _turn(before: float, after: float, used: float) -> list[Move]:
    """The turn from one heading to another, none where they are the same."""
    degrees = Fraction(after) - Fraction(before)
    return [Rotate(degrees, Fraction(used))] if degrees else []
