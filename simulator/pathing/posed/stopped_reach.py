"""Where a mover can end that something stops: `PoseReach` for moves that end where they come to touch things.

Which stops a place touches is known before any search. So ends are told apart by them: those that touch none, those
that touch one, and so on. For each kind the last leg alone may lead up to just these stops, and all legs keep off the
others; the search for the ways before the last leg is one and the same.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseStart, Touch, TurnPrices, even_ground
>>> post, starts = Round(1).at(5, 0), (PoseStart((0, 0), Fraction(0)),)
>>> turns, forward = TurnPrices.in_steps(45, 1), (Mode("forward"),)
>>> space = PoseSpace(
...     Round(1), starts, Fraction(14), even_ground(Fraction(1)), forward, turns, [post], stops=[Touch(post)]
... )
>>> reach = StoppedReach(space)
>>> reach.costs_at([(3, 0), (9, 0)]).round(2).tolist()  # it may end there, or go round
[3.0, 13.01]
>>> reach.costs_in([(3, 0), (2.9, 0)], 180).round(2).tolist()  # in touch it turns no more
[inf, 6.9]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import joined
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed.drawn_reach import area_in_touch
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.phased_reach import PhasedReach, reach_of
from simulator.pathing.posed.planner import PosePlanner, WaysToGoals
from simulator.pathing.posed.reach import ROUGH, PoseReach
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.stops import Leavable, Stop, as_bar, touched
from simulator.pathing.posed.ways import Way

#: The numbers of the stops that an end touches.
_Met = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class StoppedReach(PosePlanner):
    """The ends of a space with stops."""

    finer: int = 0
    #: The only place that is asked about; None: any may be.
    goal: XY | None = None
    mesh: float = MESH  #: of the first search

    def toward(self, space: PoseSpace, place: XY, *, roughly: bool = False) -> PosePlanner:
        """Return the same for another space, of which no other place is asked about: it may leave out what lies off."""
        mesh = ROUGH if roughly else MESH
        if space.stops:
            return StoppedReach(space, self.finer, place, mesh)
        return reach_of(space, self.finer) if space.earlier else PoseReach(space, self.finer, place, mesh)

    # --- by what is touched ---

    @cached_property
    def _parts(self) -> dict[_Met, PoseReach]:
        return {}

    def part(self, met: _Met) -> PoseReach:
        """Return the reach of the ends that touch just some stops, by their numbers."""
        if met not in self._parts:
            self._parts[met] = self._made(self.part_of_space(met))
        return self._parts[met]

    def _made(self, space: PoseSpace) -> PoseReach:
        if space.earlier:
            phased, first = PhasedReach(space, self.finer), self.part(()) if space.met else None
            if isinstance(first, PhasedReach):
                # So do all phases before the last one.
                vars(phased)["before"] = first.before
            return phased
        if self.goal is not None:
            return PoseReach(space, self.finer, self.goal, self.mesh)
        found = PoseReach(space, self.finer)
        if space.met:
            # The ways before the last leg keep off all stops, whatever that ends in touch with.
            vars(found)["searched"] = self.part(()).searched
        return found

    def part_of_space(self, met: _Met) -> PoseSpace:
        """Return the space in which moves end in touch with just some stops: all others bar the way of all legs."""
        space, begun = self.space, self._begun
        off = [number for number in range(len(space.stops)) if number not in met]
        bars = [as_bar(space.stops[number]) for number in off if not space.stops[number].level]
        here = [number for number in off if not space.stops[number].level]
        first = len(space.bars)
        leavable = [Leavable(first + at, space.stops[one]) for at, one in enumerate(here) if begun[one]]
        above = tuple(
            replace(
                level,
                bars=(
                    *level.bars,
                    *(as_bar(space.stops[one]) for one in off if space.stops[one].level == number),
                ),
            )
            for number, level in enumerate(space.above, start=1)
        )
        stops = [Stop(space.stops[number], bool(begun[number])) for number in met]
        return replace(
            space,
            bars=(*space.bars, *bars),
            above=above,
            leavable=leavable,
            touch=(*space.touch, *(one.touch for one in stops)),
            met=stops,
            stops=(),
        )

    @cached_property
    def _begun(self) -> BoolArray:
        """Which stops the mover may touch where it begins, and leave.

        Where there are links it does not leave them: by a link it could come back into touch, and go on.
        """
        space = self.space
        if space.links:
            return np.zeros(len(space.stops), np.bool_)
        found = np.full(len(space.stops), bool(space.placings))
        for start in space.starts:
            found |= touched(space.stops, space.base, np.array([start.place], np.float64), start.level)[0]
        return found

    def _by_met(self, places: FloatArray, level: int) -> Iterator[tuple[PoseReach, IntArray]]:
        """Yield the reaches for places on a level, by what those touch, with the rows of the places."""
        found = touched(self.space.stops, self.space.base, places, level)
        kinds, which = np.unique(found, axis=0, return_inverse=True)
        for number, kind in enumerate(kinds):
            yield self.part(tuple(np.flatnonzero(kind).tolist())), np.flatnonzero(which.ravel() == number)

    # --- answers ---

    def _ways_to(self, goals: Goals, level: int) -> WaysToGoals:
        cost = np.full(len(goals.places), np.inf)
        parts = list[tuple[WaysToGoals, IntArray]]()
        for reach, rows in self._by_met(goals.places, level):
            ways = reach._ways_to(goals.some(rows), level)
            cost[rows] = ways.cost
            parts.append((ways, rows))
        return _WaysOfParts(cost, parts)

    def _headings_at_each(self, places: FloatArray, step: float, level: int) -> list[tuple[HeadingRange, ...]]:
        found: list[tuple[HeadingRange, ...]] = [()] * len(places)
        for reach, rows in self._by_met(places, level):
            some = reach.headings_at_each(places[rows], step, level)
            for row, ranges in zip(rows.tolist(), some, strict=True):
                found[row] = ranges
        return found

    def _costs_facing(self, place: XY, headings: FloatArray, level: int) -> FloatArray:
        ((reach, _),) = self._by_met(np.array([place], np.float64), level)
        return reach.costs_facing(place, headings, level)

    def _drawn(self, error: float, heading: float | None, level: int, besides: BaseGeometry | None) -> BaseGeometry:
        touch = self.space.on(level).touch
        if touch:
            return area_in_touch(self, touch, heading, level, besides)
        lines = [
            area_in_touch(self, [replace(one, level=0)], heading, level, besides)
            for one in self.space.stops
            if one.level == level
        ]
        return joined([self.part(()).area(error, heading, level, besides=besides), *lines])


@dataclass(frozen=True, eq=False)
class _WaysOfParts:
    """The cheapest ways to goals, of several lots."""

    cost: FloatArray
    parts: Sequence[tuple[WaysToGoals, IntArray]]

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal; None if there is none."""
        for ways, rows in self.parts:
            at = np.flatnonzero(rows == goal)
            if len(at):
                return ways.way(int(at[0]))
        raise IndexError(goal)
