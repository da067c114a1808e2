"""Where a mover can end after several phases, and by what: `PoseReach` for spaces with phases before the last one.

The search of the last phase begins wherever the phase before may end. Costs are what is spent in the last phase:
nothing where an earlier phase leads already, since a mover may stay there.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, EarlierPhase, PoseSpace, PoseStart, TurnPrices, even_ground
>>> start, forward = PoseStart((0, 0), Fraction(0)), Mode("forward")
>>> even, turns = even_ground(Fraction(1)), TurnPrices.flat(4)
>>> space = PoseSpace(Round(1), (start,), Fraction(9), even, (forward,), turns, earlier=(EarlierPhase(Fraction(3)),))
>>> reach = PhasedReach(space)
>>> reach.costs_at([(2, 0), (12, 0), (12.1, 0), (3, 5)]).round(6).tolist()
[0.0, 9.0, inf, 9.0]
>>> for move in reach.moves_to((3, 5)):
...     print(move)
3 inches forward
end of the phase
90 degrees to the left
5 inches forward
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.area import DrawnArea
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.drawings import PaidFor
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.handovers import Handover, from_before
from simulator.pathing.posed.headings import CostsByHeading, Facing, without_limits
from simulator.pathing.posed.last_legs import NO_LEG
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.moves import EndPhase, Move
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.phase_starts import PhaseStarts, phase_starts
from simulator.pathing.posed.planner import PosePlanner, WaysToGoals
from simulator.pathing.posed.pockets import Pockets, both, rest
from simulator.pathing.posed.reach import PoseReach, with_slack
from simulator.pathing.posed.search import MESH, Searched, search
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.spanning_legs import SpanningLegs
from simulator.pathing.posed.spanning_sweeps import SpanningFans, StripsBefore
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.turned_ends import TurnedEnds
from simulator.pathing.posed.turning_after import TurnAfter, TurnedAfter, clear_ground, turns_after
from simulator.pathing.posed.ways import LastLinks, Way, Ways, moves_before, turn_and_leg

#: The fans of about so many of the states that a phase begins with are drawn first.
_FIRST_FANS = 32
#: No more last legs from an earlier phase are tried for a place that an area may lack.
_MOST = 256
#: How true the outline of an earlier phase is.
_FINE = 0.05


def reach_of(space: PoseSpace, finer: int = 0) -> PoseReach:
    """Return the reach of a space, of one phase or of several; `finer` as for `PoseReach`."""
    return PhasedReach(space, finer) if space.earlier else PoseReach(space, finer)


def can_begin(reach: PosePlanner) -> bool:
    """Whether there is anything that the last phase begins with: none if the one before cannot end where it has to."""
    return not isinstance(reach, PhasedReach) or any(len(found.states.price) for found in reach.searched)


@dataclass(frozen=True, eq=False)
class PhasedReach(PoseReach):
    """The ends of a space after all its phases."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.space.earlier:
            raise ValueError("PoseReach plans for moves of one phase")

    @property
    def ends_anywhere(self) -> bool:
        """Whether the mover may stay wherever it may stand when the phase before the last one ends."""
        return self.space.earlier[-1].ends is None and self.space.ends is None

    @cached_property
    def before(self) -> PoseReach:
        """The reach of all phases but the last one."""
        return reach_of(self.space.before_last, self.finer)

    def share(self, known: Callable[[PoseReach], PoseReach]) -> None:
        """Look at its other spaces, that of the phases before among them, by what `known` returns for their reaches."""
        super().share(known)
        vars(self)["before"] = known(self.before)

    @cached_property
    def turns_after(self) -> tuple[TurnAfter, ...]:
        """The turns that the last phase may pay for where the phase before ends."""
        return turns_after(self.space, self.before)

    @cached_property
    def _earlier(self) -> tuple[NumberedStates, ...]:
        """The states of the phase before, by search."""
        return tuple(NumberedStates(searched.states) for searched in self.before.searched)

    @cached_property
    def _handovers(self) -> tuple[tuple[Handover, ...], ...]:
        """How the phase before ends, by search and level."""
        space, before = self.space, self.before
        return tuple(
            tuple(
                Handover(
                    before.space.on(level),
                    space.on(level),
                    searched.on(before.space, level),
                    earlier,
                    level,
                    space.earlier[-1].refreshes,
                    [link for link in space.links if isinstance(link, PoseLink) and link.origin == level],
                )
                for level in range(space.level_count)
            )
            for searched, earlier in zip(before.searched, self._earlier, strict=True)
        )

    @cached_property
    def _begins(self) -> tuple[tuple[PhaseStarts, ...], ...]:
        """What the last phase begins with, by search and level."""
        return tuple(
            tuple(phase_starts(handover, MESH / 2**number) for handover in levels)
            for number, levels in enumerate(self._handovers)
        )

    @cached_property
    def searched(self) -> tuple[Searched, ...]:
        """What each search of the last phase found."""
        return tuple(
            search(
                self.space.way, self.lower, self.mesh / 2**number, join([begins.states for begins in levels]), self._aim
            )
            for number, levels in enumerate(self._begins)
        )

    def _offer_before(
        self, found: CheapestWays, goals: Goals, number: int, last: LastLinks, most: int | None = None
    ) -> None:
        handover, begins = self._handovers[number][last.level], self._begins[number][last.level]
        spanning = SpanningLegs(handover, with_slack(last), self.lower[last.level], goals)
        if len(handover.found.states.price):
            found.offer_made(*spanning.straight(found.to_beat), most=most)
        if handover.found.legs is not None:
            found.offer_made(*spanning.turning(found.to_beat), most=most)
            found.offer_made(*spanning.aside(begins.legs, found.to_beat), most=most)

    def _pockets(
        self,
        last: LastLinks,
        places: FloatArray,
        most: FloatArray,
        heading: float | None,
        *,
        turning_on_legs: bool = False,
    ) -> Pockets | None:
        found = self._pockets_of_phases(last, places, most, heading, turning_on_legs=turning_on_legs)
        return None if found is None else StripsBefore(self._handovers[0][last.level]).with_states_before(found)

    def _pockets_of_phases(
        self, last: LastLinks, places: FloatArray, most: FloatArray, heading: float | None, *, turning_on_legs: bool
    ) -> Pockets | None:
        found = super()._pockets(last, places, most, heading, turning_on_legs=turning_on_legs)
        if turning_on_legs:
            return found
        left = rest(found, len(places))
        goals = Goals(places[left], None if heading is None else np.full(len(left), heading))
        ways = CheapestWays(last.space, self.lower[last.level], goals, limits=most[left] + 2 * SLACK)
        # Where that phase ends in some poses alone, most of them lead to none.
        tried = _MOST if self.space.earlier[-1].ends is None else None
        for number in range(len(self._handovers)):
            self._offer_before(ways, goals, number, last, tried)
        ends = np.flatnonzero(np.isfinite(ways.cost))
        if not len(ends):
            return found
        sources, legs = ways.last_legs(ends)
        # The leg that led to them was one of the phase before.
        sources = sources._replace(mode=np.full(len(ends), NO_LEG))
        row = left[ends]
        return both(found, Pockets(row, places[row], sources, sources, legs.turns.heading, legs.mode))

    def _direct_ways(self, goals: Goals, level: int) -> Ways:
        some, ways = self._endings(goals, level)
        stays = self.before._ways_to(goals, level) if self._asks_before(goals) else None
        return _PhasedWays(self.space, goals, self.searched, some, ways, self, stays, level)

    def _asks_before(self, goals: Goals) -> bool:
        """Whether the phase before leads to goals by what no last leg of that phase is: links, and turns at its end."""
        if not self.ends_anywhere:
            return False
        turns = goals.facing is not None and not (self.space.touch or self.space.far_from)
        return bool(self.space.links) or turns

    def _may_end_by(self, lot: PaidFor) -> bool:
        del lot
        return True

    def _first_fans(self, last: LastLinks) -> PoseStates:
        begins = self._begins[0][last.level].states
        return pick(begins, np.arange(0, len(begins.price), max(len(begins.price) // _FIRST_FANS, 1)))

    def _draw_before(self, area: DrawnArea, last: LastLinks, heading: float | None) -> None:
        """Draw what the phase before leads to, and legs straight on from where that starts."""
        if not last.links and self.ends_anywhere:
            area.add_ground(self.before.area(_FINE, heading, last.level, besides=area.besides))
        if not last.links and heading is not None:
            for turn in self.turns_after:
                ground = turn.before.area(_FINE, heading, last.level, besides=area.besides)
                area.add_ground(ground if not turn.price else clear_ground(self.space.on(last.level), ground))
        handover = self._handovers[0][last.level]
        area.before = StripsBefore(handover)
        states = handover.found.states
        first = join([pick(states, np.flatnonzero(states.parent < 0)), handover.near_ends])
        if len(first.price):
            area.add(SpanningFans(handover, first, heading))

    def _costs_by_heading(self, places: FloatArray, level: int) -> CostsByHeading:
        def costs_of(which: IntArray, headings: FloatArray) -> Facing:
            return without_limits(self.costs_in(places[which], headings, level), self.space.turns)

        return costs_of

    def moves_before(
        self, search: int, state: PoseStates, states: NumberedStates | None = None
    ) -> tuple[PoseStates, list[Move]]:
        """Return the start that a state of a search, a table of one row, comes from, and the moves from there to it.

        The states of the search may be more than those that it kept.
        """
        states = NumberedStates(self.searched[search].states) if states is None else states
        first, moves = moves_before(self.space, states, state)
        before = self._earlier[search].rows(from_before(first.parent))
        turning = turn_and_leg(self.space, before, first)
        if isinstance(self.before, PhasedReach):
            start, earlier = self.before.moves_before(search, before)
        else:
            start, earlier = moves_before(self.before.space, self._earlier[search], before)
        return start, [*earlier, *turning, EndPhase(), *moves]


@dataclass(frozen=True, eq=False)
class _PhasedWays(Ways):
    """The cheapest ways of several phases."""

    reach: PhasedReach
    stays: WaysToGoals | None  #: what the phase before leads to
    level: int

    @cached_property
    def _moving(self) -> FloatArray:
        """The least costs of ways that lead on in the last phase, or where the mover may stay."""
        if self.stays is None:
            return super().cost
        return np.where(np.isfinite(self.stays.cost), 0.0, super().cost)

    @cached_property
    def _turned(self) -> TurnedAfter:
        return TurnedAfter(self.space, self.reach.turns_after, self.goals, self.level, self._moving)

    @cached_property
    def cost(self) -> FloatArray:
        """The least cost of each goal: nothing where the mover may stay."""
        return np.asarray(np.minimum(self._moving, self._turned.cost))

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal; None if there is none."""
        if (turned := self._turned.way(goal)) is not None:
            return turned
        way = None if self.stays is None else self.stays.way(goal)
        return super().way(goal) if way is None else Way(way.start, (*way.moves, EndPhase()))

    def _before(self, ways: CheapestWays | TurnedEnds, search: int, state: PoseStates) -> tuple[PoseStates, list[Move]]:
        return self.reach.moves_before(search, state, ways.states_of(search))
