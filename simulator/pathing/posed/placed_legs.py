"""The only legs of ways that begin at a placing: straight from where the mover is placed to where it ends.

Where the heading is free such a way needs no turn: the mover is placed as its leg leads. So the cheapest is the one
from the nearest place unless something stands in the way or the ground has prices. It begins then where the leg just
passes what stands there, where a turn to a limit leads to the heading that is asked for, or between two such places:
those are looked at besides, and the best is closed in on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, SLACK, TOLERANCE, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.begins import Inside
from simulator.pathing.posed.clearings import Passing
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.last_legs import NO_LEG, LastTurns
from simulator.pathing.posed.placed_lines import PlacedLines, Spots, placed_states, states_at, stations
from simulator.pathing.posed.rays import shorter, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.turns_aside import least_of_last_turns, least_turns

#: Places on lines are looked at so many inches apart.
_APART = 1.0
#: So far on either side of the best place others are looked at, so many at once, each time so many times nearer.
_BESIDE, _PARTS, _NEARER, _ROUNDS = 0.5, 8, 4.0, 7
#: So many places are looked at in one go.
_AT_ONCE = 1 << 16
#: Headings are tried so many degrees apart where a base that is not round is placed and stays.
_TRIED = 7.5


class Offered(NamedTuple):
    """Ways from placings, and the states that they begin with, by their sources; and the spots of those."""

    ways: LastTurns
    states: PoseStates
    spots: Spots  #: of the states; without a line for those in areas


class PlacedLegs:
    """The ways that lead straight from the placings of a space on one level to goals."""

    def __init__(self, space: PoseSpace, goals: Goals) -> None:
        self._space, self._goals = space, goals
        self.lines = PlacedLines.of(space.placings)
        count = len(goals.places)
        #: The spot of the best way to each goal so far, and what the best way from anywhere costs at least.
        self._line, self._at = np.full(count, -1), np.zeros(count)
        self._least = np.full(count, np.inf)

    def note(self, offered: Offered, ways: LastTurns) -> None:
        """Remember where ways begin that are the best so far, at most one to a goal."""
        self._line[ways.goal] = offered.spots.line[ways.source]
        self._at[ways.goal] = offered.spots.at[ways.source]

    def rounds(self, best: FloatArray) -> Iterator[Offered]:
        """Yield ways to offer, lot after lot; `best` is what ways have to cost less than, and may fall meanwhile."""
        yield self._staying(best)
        some = np.flatnonzero(self._may_end(best))
        feet = self.lines.feet(self._goals.places[some])
        goal, line = (axis.ravel() for axis in np.indices(feet.shape))
        ends = [
            Spots(line, where.ravel()) for where in (feet, np.zeros_like(feet), np.zeros_like(feet) + self.lines.length)
        ]
        near = self._from(np.tile(some[goal], len(ends)), join(ends), best)
        np.minimum.at(self._least, near.ways.goal, near.ways.bound)
        yield near
        even = stations(self.lines, _APART)
        some = np.flatnonzero(self._open(best))
        each = max(_AT_ONCE // (len(even.line) + 1), 1)
        for first in range(0, len(some), each):
            yield self._between(some[first : first + each], even, best)
        width = _BESIDE
        for _ in range(_ROUNDS):
            some = np.flatnonzero(self._open(best) & (self._line >= 0))
            if not len(some):
                return
            yield self._beside(some, width, best)
            width /= _NEARER

    def _may_end(self, best: FloatArray) -> BoolArray:
        return np.asarray(best > -np.inf)

    def _open(self, best: FloatArray) -> BoolArray:
        """Find the goals to which there may be a better way than is known."""
        found = self._may_end(best)
        if not (np.any(self.lines.rise) or np.any(self.lines.wide < 360.0)) and self._goals.facing is None:
            found &= best > self._least + SLACK
        return found

    def _limits(self, best: FloatArray) -> FloatArray:
        return np.minimum(best - SLACK, float(self._space.budget) + TOLERANCE)

    # --- ways ---

    def _from(self, goal: IntArray, spots: Spots, best: FloatArray) -> Offered:
        """The ways from spots to goals, in each mode, placed as near to where the leg leads as may be."""
        space, lines, goals = self._space, self.lines, self._goals
        away = goals.places[goal] - lines.places(spots)
        inches = np.hypot(away[:, 0], away[:, 1])
        paid, limits = lines.prices(spots), self._limits(best)
        near = np.flatnonzero((paid + inches * space.least_rate <= limits[goal]) & (inches > TOUCH))
        goal, spots, away, inches, paid = pick((goal, spots, away, inches, paid), near)
        bearing = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        free, none = np.full(len(goal), float(space.turns.free)), np.zeros(len(goal))
        found, headings, which = [], [], []
        facing = None if goals.facing is None else goals.facing[goal]
        for heading, angle, modes, arrival in self._placed_for(spots, bearing, facing):
            factors = space.factors_of(modes)
            bound = paid + space.ground.least_prices(inches) * factors + least_turns(space, free, angle)
            if facing is not None:
                last = least_of_last_turns(space, free, shorter(facing - arrival))
                bound = bound + last * space.least_turning
            kept = np.flatnonzero(bound <= limits[goal])
            found.append(pick(LastTurns(goal, modes, none, angle, modes, inches, bound, bound), kept))
            headings.append(heading[kept])
            which.append(kept)
        if not found:
            return self._offered(LastTurns.none(), pick(spots, slice(0)), none[:0])
        return self._offered(join(found), pick(spots, np.concatenate(which)), np.concatenate(headings))

    def _placed_for(
        self, spots: Spots, bearing: FloatArray, facing: FloatArray | None
    ) -> Iterator[tuple[FloatArray, FloatArray, IntArray, FloatArray]]:
        """Yield how a mover may be placed at spots for legs in directions.

        The headings, the turns, the modes of the legs and the headings on them.
        """
        space, lines = self._space, self.lines
        for number, aside in enumerate(space.asides.tolist()):
            wanted = bearing - aside
            heading = lines.nearest_headings(spots, wanted)
            angle = shorter(wanted - heading)
            there = np.abs(angle) <= ROUNDING_OF_ANGLES
            modes = np.full(len(bearing), number)
            yield np.where(there, wanted, heading), np.where(there, 0.0, angle), modes, wanted
        if space.directions.oblique is not None:
            for wanted in [bearing] if facing is None else [bearing, facing]:
                heading = lines.nearest_headings(spots, wanted)
                yield heading, np.zeros(len(bearing)), space.directions.toward(bearing - heading), heading

    def _offered(self, ways: LastTurns, spots: Spots, headings: FloatArray) -> Offered:
        ways = ways._replace(source=np.arange(len(ways.goal)))
        return Offered(ways, states_at(self._space, self.lines, spots, headings), spots)

    def _between(self, some: IntArray, even: Spots, best: FloatArray) -> Offered:
        """The ways from places evenly apart, from where legs just pass things, and from between those."""
        places = self._goals.places[some]
        row = np.repeat(np.arange(len(some)), len(even.line))
        parts = [(row, Spots(np.tile(even.line, len(some)), np.tile(even.at, len(some))))]
        for ray, ahead in self._events(some):
            which, spots = self.lines.met(places[ray], -ahead)
            parts.append((ray[which], spots))
        row, spots = join(parts)
        order = np.lexsort((spots.at, spots.line, row))
        row, spots = row[order], pick(spots, order)
        same = np.flatnonzero((row[1:] == row[:-1]) & (spots.line[1:] == spots.line[:-1]))
        middle = Spots(spots.line[same], (spots.at[same] + spots.at[same + 1]) / 2)
        spots, row = join([spots, middle]), np.r_[row, row[same]]
        return self._from(some[row], spots, best)

    def _events(self, some: IntArray) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield directions of legs to some goals at which something changes: the row of the goal, and the direction."""
        space, goals = self._space, self._goals
        yield from Passing(space).past_things(goals.places[some])
        if goals.facing is None and not np.any(self.lines.wide < 360.0):
            return
        row = np.arange(len(some))
        wanted = [] if goals.facing is None else [goals.facing[some]]
        for heading in wanted:
            for angle in angles_of(space).tolist():
                for aside in space.asides.tolist():
                    yield row, units(heading + angle + aside)
        ends = np.r_[self.lines.low, self.lines.low + self.lines.wide][np.tile(~self.lines.relative, 2)]
        for heading in np.unique(ends).tolist():
            for aside in space.asides.tolist():
                yield row, np.tile(units(np.array([heading + aside])), (len(some), 1))

    def _beside(self, some: IntArray, width: float, best: FloatArray) -> Offered:
        """The ways from places on both sides of the best ones."""
        shares = np.linspace(-1.0, 1.0, 2 * _PARTS + 1)
        line, goal = (np.repeat(column, len(shares)) for column in (self._line[some], some))
        at = (self._at[some, None] + width * shares).ravel()
        return self._from(goal, Spots(line, np.clip(at, 0.0, self.lines.length[line])), best)

    # --- where it is placed and stays ---

    def _staying(self, best: FloatArray) -> Offered:
        """The ways of goals at which the mover may be placed: not to move, and to turn if it has to."""
        goals, limits = self._goals, self._limits(best)
        open_ = np.flatnonzero(self._may_end(best))
        near = self.lines.feet(goals.places[open_])
        row, line = (axis.ravel() for axis in np.indices(near.shape))
        spots = Spots(line, near.ravel())
        off = np.hypot(*(self.lines.places(spots) - goals.places[open_[row]]).T)
        on = np.flatnonzero(off <= TOLERANCE / 2)
        goal, spots = open_[row[on]], pick(spots, on)
        low = self.lines.low[spots.line] + np.where(self.lines.relative[spots.line], self.lines.normals(spots), 0.0)
        columns = [(goal, spots.line, spots.at, self.lines.prices(spots), low, self.lines.wide[spots.line])]
        for number, placing in enumerate(self._space.placings):
            line = np.flatnonzero(self.lines.placing == number)[0]
            for piece in placing.pieces:
                if isinstance(piece, Inside):
                    inside = open_[piece.holds(goals.places[open_])]
                    count, none = len(inside), np.zeros(len(inside))
                    paid, first = np.full(count, float(piece.paid)), np.full(count, placing.headings.first)
                    wide = np.full(count, placing.headings.wide)
                    columns.append((inside, np.full(count, line), none, paid, first, wide))
        goal, line, at, paid, low, wide = join(columns)
        row, heading = self._headings_of_stays(goal, low, wide)
        goal, line, at, paid = goal[row], line[row], at[row], paid[row]
        kept = np.flatnonzero(paid <= limits[goal])
        goal, line, at, paid, heading = goal[kept], line[kept], at[kept], paid[kept], heading[kept]
        none, every = np.zeros(len(goal)), np.arange(len(goal))
        ways = LastTurns(goal, every, none, none, np.full(len(goal), NO_LEG), none, paid, paid)
        states = placed_states(self._space, goals.places[goal], heading, paid, self.lines, line)
        return Offered(ways, states, Spots(np.full(len(goal), -1), at))

    def _headings_of_stays(self, goal: IntArray, low: FloatArray, wide: FloatArray) -> tuple[IntArray, FloatArray]:
        """The headings to be placed with at goals, by the first heading that may be had, and how many degrees span."""
        every, facing = np.arange(len(goal)), self._goals.facing
        ends = [(every, low), (every, low + wide)]
        if facing is not None:
            beyond = np.mod(facing[goal] - low, 360.0)
            inside = np.flatnonzero(beyond <= wide)
            return join([*ends, (inside, facing[goal][inside])])
        ground = self._space.ground.base
        if isinstance(self._space.base, Round) and isinstance(ground, Round | None):
            return ends[0]
        tried = np.arange(0.0, 360.0, _TRIED)
        row, number = np.nonzero(tried <= wide[:, None])
        return join([*ends, (row, low[row] + tried[number])])
