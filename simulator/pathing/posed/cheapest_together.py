"""The cheapest ways of several movers to the same goals, tried together: each finds those that it finds alone.

Candidates are found for one mover after the other; what takes long is to try them, in many small lots. Lots of several
movers are tried as one, with the mover of each row, see `as_one`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.as_one import LowerPricesAsOne, SpacesAsOne, kind_of
from simulator.pathing.posed.cheapest import CheapestWays, too_dear
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.last_legs import LastTurns, from_states
from simulator.pathing.posed.leaps import legs_from_legs
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.raster_cells import shut_over
from simulator.pathing.posed.search import FoundOnLevel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.whole_pieces import before_whole_pieces


class AskingMover(NamedTuple):
    """A mover that asks for ways: its space, the prices there, and what each search found for it."""

    space: PoseSpace
    lower: LowerPrices
    found: Sequence[FoundOnLevel]
    most: float  #: what may be spent in the end: in the space it is a little more

    @property
    def kind(self) -> Hashable | None:
        """What two movers have to have in common for their ways to be tried together; None: such ways are not."""
        space = self.space
        at_ends = space.leap, space.slant, space.ends, space.more_than, space.directions.oblique
        if any(one is not None for one in at_ends) or space.passes or space.placings or space.earlier:
            return None
        return len(self.found), space.toll_table.level, kind_of(space, self.lower)


class WaysOfSeveral(CheapestWays):
    """The cheapest ways of movers of one kind: the goals of the first one, then those of the next, and so on."""

    def __init__(self, movers: Sequence[AskingMover], goals: Goals) -> None:
        count = len(movers)
        facing = None if goals.facing is None else np.tile(goals.facing, count)
        every = Goals(np.tile(goals.places, (count, 1)), facing)
        rows = np.repeat(np.arange(count), len(goals.places))
        spaces = [mover.space for mover in movers]
        fits = np.concatenate([goals.have_room(space) for space in spaces])
        lower = LowerPricesAsOne.of_several([mover.lower for mover in movers])
        super().__init__(SpacesAsOne.of(spaces).by(rows), lower.by(rows), every, fits)
        self._movers, self._alone = movers, goals
        self._shut = np.array([shut_over(space) for space in spaces])
        self._most = np.array([mover.most for mover in movers])[rows]

    def of_mover(self, number: int) -> CheapestWays:
        """Return the ways of one mover."""
        mover, count = self._movers[number], len(self._alone.places)
        return self.to_some(mover.space, mover.lower, self._alone, np.arange(count) + number * count)

    def find(self, mesh: float) -> None:
        """Find the ways by all searches, as those of one mover are found."""
        for number in range(len(self._movers[0].found)):
            found = [mover.found[number] for mover in self._movers]
            counts = [len(one.every.price) for one in found]
            first = np.cumsum([0, *counts[:-1]]).tolist()
            self.begin(join([_renumbered(one.every, of) for one, of in zip(found, first, strict=True)]))
            legs = [_legs_of(one, of) for one, of in zip(found, first, strict=True)]
            states = [_renumbered(one.states, of) for one, of in zip(found, first, strict=True)]
            self._offer_states(states, [one.rates for one in found])
            self._offer_legs(legs)
            self.try_gaps(legs, mesh)
            self._pass_corners_of(states, [one.rates for one in found], mesh)
            self.refine(mesh, self._most)

    def _offer_states(self, states: Sequence[PoseStates], rates: Sequence[FloatArray]) -> None:
        """Offer the last turns and legs straight from states, by mover."""
        first = np.cumsum([0, *map(len, rates)]).tolist()
        found = [LastTurns.none()]
        for number, (space, lower, *_) in enumerate(self._movers):
            if len(rates[number]):
                some = from_states(space, lower, states[number], rates[number], self._alone, self._to_beat_of(number))
                found.append(self._of_all(some, number, first[number]))
        self._offer_straight(join(found), join(states), np.concatenate(rates))

    def _offer_legs(self, legs: Sequence[CastLegs | None]) -> None:
        """Offer last turns in the middle of legs, by mover; at last those that whole pieces follow alone."""
        for turns_in in (legs_from_legs, before_whole_pieces):
            found = [LastTurns.none()]
            for number, ((space, lower, *_), cast) in enumerate(zip(self._movers, legs, strict=True)):
                if cast is not None:
                    some = turns_in(space, lower, cast, self._alone, self._to_beat_of(number))
                    found.append(self._of_all(some, number, 0))
            self._offer_from(join(found), legs)

    def _pass_corners_of(self, states: Sequence[PoseStates], rates: Sequence[FloatArray], mesh: float) -> None:
        """Try ways from beside that dear ground makes too dear, by mover."""
        if not self._passes_corners:
            return
        first = np.cumsum([0, *map(len, rates)]).tolist()
        best = self._to_beat_above(self._most).reshape(len(self._movers), -1)
        found = [LastTurns.none()]
        for number, mover in enumerate(self._movers):
            if len(rates[number]):
                some = too_dear(mover.space, states[number], rates[number], self._alone, best[number])
                found.append(self._of_all(some, number, first[number]))
        some, every = join(found), join(states)
        self._pass_corners(some, pick(every, some.source), np.concatenate(rates)[some.source], mesh)

    def _offer_from(self, some: LastTurns, legs: Sequence[CastLegs | None]) -> None:
        """Offer last turns in the middle of some movers' legs."""

        def states_of(some: LastTurns) -> PoseStates:
            whose, parts, rows = self._whose(some.goal), [], []
            for number in np.unique(whose).tolist():
                cast, row = legs[number], np.flatnonzero(whose == number)
                assert cast is not None
                parts.append(cast.states(some.source[row], some.at[row]))
                rows.append(row)
            made: PoseStates = pick(join(parts), np.argsort(np.concatenate(rows)))
            return made

        self._offer_turning(some, states_of)

    def _to_beat_of(self, number: int) -> FloatArray:
        """What a way of a mover to each goal has to cost less than."""
        found: FloatArray = self.to_beat.reshape(len(self._movers), -1)[number]
        return found

    def _of_all(self, some: LastTurns, number: int, first: int) -> LastTurns:
        """Candidates of a mover, by the numbers of goals and sources among those of all; its first source has one."""
        return some._replace(goal=some.goal + number * len(self._alone.places), source=some.source + first)

    # --- what is asked of one mover after the other ---

    def _space_of(self, number: int) -> PoseSpace:
        return self._movers[number].space

    def _lower_of(self, number: int) -> LowerPrices:
        return self._movers[number].lower

    def _shut_over(self, goal: IntArray) -> FloatArray | float:
        return np.asarray(self._shut[self._whose(goal)])


def _renumbered(states: PoseStates, first: int) -> PoseStates:
    """States of which the first one is to have another number than 0."""
    return states._replace(parent=np.where(states.parent >= 0, states.parent + first, states.parent))


def _legs_of(found: FoundOnLevel, first: int) -> CastLegs | None:
    """The legs that a search cast from states of which the first one has another number than 0."""
    legs = found.legs
    return None if legs is None else replace(legs, turns=legs.turns._replace(state=legs.turns.state + first))
