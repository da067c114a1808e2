"""Where a mover can end that something stops: `PoseReach` for moves that end where they come to touch things.

Which stops a place touches is known before any search. So ends are told apart by them: those that touch none, those
that touch one, and so on. For each kind the last leg alone may lead up to just these stops, and all legs keep off the
others; the search for the ways before the last leg is one and the same.

Of some stops something else has to be overlapped as well. Ways keep off those in either of two manners: off all of the
stops, or off all that has to be overlapped.

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
from functools import cached_property, partial
from itertools import chain

import numpy as np
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import joined
from simulator.pathing.ends import HeadingRange, cheapest_ranges
from simulator.pathing.posed.drawn_reach import area_in_touch
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.phased_reach import PhasedReach, reach_of
from simulator.pathing.posed.planner import PosePlanner, WaysToGoals
from simulator.pathing.posed.reach import ROUGH, PoseReach
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.stops import Leavable, Stop, kept_off, touched
from simulator.pathing.posed.ways import Way

#: The numbers of the stops that an end touches.
_Met = tuple[int, ...]
#: Ends by what they touch, with their rows: the reaches that know the ways there.
_Parts = tuple[tuple[PoseReach, ...], IntArray]


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
    def _parts(self) -> dict[tuple[_Met, bool], PoseReach]:
        return {}

    def part(self, met: _Met, *, beside: bool = False) -> PoseReach:
        """Return the reach of the ends that touch just some stops, by their numbers.

        `beside` is whether ways keep off what has to be overlapped to touch the stops, where there is such a thing.
        """
        if (met, beside) not in self._parts:
            self._parts[met, beside] = self._made(self.part_of_space(met, beside=beside), beside=beside)
        return self._parts[met, beside]

    @cached_property
    def _manners(self) -> tuple[bool, ...]:
        """In which manners ways keep off stops."""
        return (False, True) if any(one.over is not None for one in self.space.stops) else (False,)

    def _in_all_manners(self, met: _Met) -> tuple[PoseReach, ...]:
        return tuple(self.part(met, beside=beside) for beside in self._manners)

    def _made(self, space: PoseSpace, *, beside: bool) -> PoseReach:
        if space.earlier:
            phased = PhasedReach(space, self.finer)
            first = self.part((), beside=beside) if space.met else None
            if isinstance(first, PhasedReach):
                # So do all phases before the last one.
                vars(phased)["before"] = first.before
            return phased
        if self.goal is not None:
            return PoseReach(space, self.finer, self.goal, self.mesh)
        found = PoseReach(space, self.finer)
        if space.met:
            # The ways before the last leg keep off all stops, whatever that ends in touch with.
            vars(found)["searched"] = self.part((), beside=beside).searched
        return found

    def part_of_space(self, met: _Met, *, beside: bool = False) -> PoseSpace:
        """Return the space in which moves end in touch with just some stops: all others bar the way of all legs."""
        space, begun = self.space, self._begun
        off = [number for number in range(len(space.stops)) if number not in met]
        keeps_off = partial(kept_off, beside=beside)
        bars = [keeps_off(space.stops[number]) for number in off if not space.stops[number].level]
        here = [number for number in off if not space.stops[number].level]
        first = len(space.bars)
        leavable = [Leavable(first + at, space.stops[one]) for at, one in enumerate(here) if begun[one]]
        above = tuple(
            replace(
                level,
                bars=(
                    *level.bars,
                    *(keeps_off(space.stops[one]) for one in off if space.stops[one].level == number),
                ),
            )
            for number, level in enumerate(space.above, start=1)
        )
        stops = [Stop(space.stops[number], bool(begun[number]), beside) for number in met]
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

    def _by_met(self, places: FloatArray, level: int) -> Iterator[_Parts]:
        """Yield the reaches for places on a level, by what those touch, with the rows of the places."""
        found = touched(self.space.stops, self.space.base, places, level)
        kinds, which = np.unique(found, axis=0, return_inverse=True)
        for number, kind in enumerate(kinds):
            yield self._in_all_manners(tuple(np.flatnonzero(kind).tolist())), np.flatnonzero(which.ravel() == number)

    # --- answers ---

    def _ways_to(self, goals: Goals, level: int) -> WaysToGoals:
        cost = np.full(len(goals.places), np.inf)
        parts = list[tuple[WaysToGoals, IntArray]]()
        for reaches, rows in self._by_met(goals.places, level):
            for reach in reaches:
                ways = reach._ways_to(goals.some(rows), level)
                cost[rows] = np.minimum(cost[rows], ways.cost)
                parts.append((ways, rows))
        return _WaysOfParts(cost, parts)

    def _headings_at_each(self, places: FloatArray, step: float, level: int) -> list[tuple[HeadingRange, ...]]:
        found: list[tuple[HeadingRange, ...]] = [()] * len(places)
        for reaches, rows in self._by_met(places, level):
            several = [reach.headings_at_each(places[rows], step, level) for reach in reaches]
            for row, *ranges in zip(rows.tolist(), *several, strict=True):
                found[row] = ranges[0] if len(ranges) == 1 else cheapest_ranges(chain.from_iterable(ranges))
        return found

    def _costs_facing(self, place: XY, headings: FloatArray, level: int) -> FloatArray:
        ((reaches, _),) = self._by_met(np.array([place], np.float64), level)
        costs = np.array([reach.costs_facing(place, headings, level) for reach in reaches], np.float64)
        return np.asarray(costs.min(axis=0))

    def _drawn(self, error: float, heading: float | None, level: int, besides: BaseGeometry | None) -> BaseGeometry:
        touch = self.space.on(level).touch
        if touch:
            return area_in_touch(self, touch, heading, level, besides)
        lines = [
            area_in_touch(self, [replace(one, level=0)], heading, level, besides)
            for one in self.space.stops
            if one.level == level
        ]
        return joined([*(one.area(error, heading, level, besides=besides) for one in self._in_all_manners(())), *lines])


@dataclass(frozen=True, eq=False)
class _WaysOfParts:
    """The cheapest ways to goals, of several lots."""

    cost: FloatArray
    parts: Sequence[tuple[WaysToGoals, IntArray]]

    def way(self, goal: int) -> Way | None:
        """Return the way to a goal; None if there is none."""
        known = [(ways, int(at)) for ways, rows in self.parts for at in np.flatnonzero(rows == goal)]
        if not known:
            raise IndexError(goal)
        ways, at = min(known, key=lambda one: float(one[0].cost[one[1]]))
        return ways.way(at)
