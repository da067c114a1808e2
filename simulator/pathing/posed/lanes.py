"""Lanes of a search: a mover on one of its levels each. Those of one kind are worked on together.

The number of its lane is in the `level` of a state, and what is asked about states is asked with those numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed.as_one import LowerPricesAsOne, SpacesAsOne, kind_of
from simulator.pathing.posed.bins import DearestAround, PoseBins, sectors
from simulator.pathing.posed.courses import Courses
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.first_turns import (
    FirstTurns,
    PassingTurns,
    are_starts,
    at_corners,
    cornering_turns,
    farther,
    passing_turns,
)
from simulator.pathing.posed.layers import Layers
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.oblique_legs import oblique_passing
from simulator.pathing.posed.passages import Passages
from simulator.pathing.posed.rays import Rays
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of
from simulator.pathing.posed.toll_bins import bins_of, bins_of_several
from simulator.pathing.posed.toll_table import TollBits

#: For so many inches off cheap ground a pose can get onto it, about as far as one in the same bin lies.
_ONTO_CHEAP = 1.0
#: Prices and distances are equal if they are after rounding to so many digits.
_DIGITS = 9


class Lane(NamedTuple):
    """A mover on one level."""

    space: PoseSpace
    lower: LowerPrices
    level: int


class Lanes:
    """Lanes of one kind, by their numbers among all lanes of a search."""

    def __init__(self, lanes: Mapping[int, Lane], count: int, mesh: float) -> None:
        """Join lanes of one kind; `count` is the number of all lanes of the search."""
        #: By the number of each lane, its level.
        self.numbers = {number: lane.level for number, lane in lanes.items()}
        self._row = np.full(count, -1)
        self._row[list(lanes)] = np.arange(len(lanes))
        spaces, rasters = [lane.space for lane in lanes.values()], [lane.lower for lane in lanes.values()]
        self._spaces = SpacesAsOne.of(spaces) if len(lanes) > 1 else None
        self._rasters = LowerPricesAsOne.of_several(rasters) if len(lanes) > 1 else None
        self._courses = [Courses(lane.space, lane.lower) for lane in lanes.values()]
        self._are_alike = all(courses.like(self._courses[0]) for courses in self._courses)
        self._passages = Passages.of_several(spaces, self._spaces or spaces[0])
        self._middles = np.array([space.middle for space in spaces])
        #: Poses on cheap ground are kept apart: they lead farther than others in their bins.
        has_cheap = any(courses.has_cheap for courses in self._courses)
        self._bins = [_bins(mesh, spaces) for _ in range(1 + has_cheap)]
        self._spaces_apart, self._rasters_apart, self._onto_cheap = spaces, rasters, _ONTO_CHEAP * mesh
        #: What is the same in all lanes: modes, turns, the least that an inch costs.
        self.space = self._spaces or spaces[0]
        self._lower = rasters[0]

    def has(self, lanes: IntArray) -> BoolArray:
        """Find which of some lanes are among these."""
        return np.asarray(self._row[lanes] >= 0)

    def space_by(self, lanes: IntArray) -> PoseSpace:
        """Return the space for questions about rows in lanes."""
        return self.space if self._spaces is None else self._spaces.by(self._row[lanes])

    def lower_by(self, lanes: IntArray) -> LowerPrices:
        """Return the raster for questions about legs in lanes."""
        return self._lower if self._rasters is None else self._rasters.by(self._row[lanes])

    def lots(self, states: PoseStates, most: int) -> Iterator[PoseStates]:
        """Yield states in lots of whole lanes, of no more states than that unless they are in one lane."""
        counts = np.bincount(self._row[states.level], minlength=len(self.numbers))
        lot = np.zeros(len(counts), np.intp)
        number, size = 0, 0
        for lane, count in enumerate(counts.tolist()):
            if size and size + count > most:
                number, size = number + 1, 0
            lot[lane], size = number, size + count
        if not number:
            if len(states.price):
                yield states
            return
        of = lot[self._row[states.level]]
        for one in range(number + 1):
            rows = np.flatnonzero(of == one)
            if len(rows):
                yield pick(states, rows)

    # --- what the ground favours ---

    def favoured(self, states: PoseStates) -> tuple[IntArray, FloatArray]:
        """Return the headings that the ground under states favours: the row of the state, and the heading."""
        if self._are_alike:
            whose, facing = self._row[states.level], np.mod(states.heading, 360.0)
            return Courses.on_several(self._courses, whose, states.place, facing)
        rows, headings = [np.zeros(0, np.intp)], [np.zeros(0)]
        for lane, row in self._by_lane(states.level):
            pose, heading = self._courses[lane].on(states.place[row], np.mod(states.heading[row], 360.0))
            rows.append(row[pose])
            headings.append(heading)
        return np.concatenate(rows), np.concatenate(headings)

    def first_turns(self, states: PoseStates) -> FirstTurns:
        """Return the turns from starts after which a leg just passes something, or a corner where prices change."""
        starts = list(self._starts(states))
        past = self._first_legs(states, passing_turns, farther, starts)
        corners = self._first_legs(states, cornering_turns, at_corners, starts)
        return join([past, corners])

    def _first_legs(
        self,
        states: PoseStates,
        passing: Callable[[PoseSpace, PoseStates], PassingTurns],
        chosen: Callable[[PoseStates, Sequence[PassingTurns], Callable[[IntArray], PoseSpace]], FirstTurns],
        lanes: Iterable[tuple[int, IntArray]],
    ) -> FirstTurns:
        """Return the legs that get farther than what is beside them, from some rows of the states by lane."""
        found = []
        for lane, row in lanes:
            turns = passing(self._spaces_apart[lane], pick(states, row))
            found.append(turns._replace(state=row[turns.state]))
        if not found:
            return FirstTurns.none()
        return chosen(states, found, lambda rows: self.space_by(states.level[rows]))

    def oblique_legs(self, states: PoseStates, modes: IntArray) -> tuple[IntArray, IntArray]:
        """Return the oblique legs that lead from states as they face: the row of the state, and the mode.

        They are made in some modes, and along what the ground favours.
        """
        directions, every = self.space.directions, np.arange(len(states.price))
        state, heading = self.favoured(states)
        found = [
            (np.repeat(every, len(modes)), np.tile(modes, len(every))),
            (state, directions.toward(heading - states.heading[state])),
        ]
        row, mode = join(found)
        once = np.flatnonzero(are_oblique(mode))
        once = once[rows_once(np.stack([row[once], mode[once]], axis=1))[0]]
        return row[once], mode[once]

    def past_things(self, states: PoseStates) -> FirstTurns:
        """Return the oblique legs from states that just pass something."""
        return self._first_legs(states, oblique_passing, farther, self._by_lane(states.level))

    def at_starts(self, states: PoseStates) -> IntArray:
        """Return the rows of the states that are starts."""
        found = [np.zeros(0, np.intp), *(row for _, row in self._starts(states))]
        return np.concatenate(found)

    def _starts(self, states: PoseStates) -> Iterator[tuple[int, IntArray]]:
        """Yield of each lane the rows of the states that are starts, if there are any."""
        first = np.flatnonzero(states.parent == -1)
        for lane, some in self._by_lane(states.level[first]):
            row = first[some]
            row = row[are_starts(self._spaces_apart[lane], pick(states, row))]
            if len(row):
                yield lane, row

    def crossings(self, states: PoseStates, within: float) -> tuple[IntArray, FloatArray, FloatArray, IntArray]:
        """Return where the legs that ended in states cross lines through narrow passages, in their last inches.

        The row of the state, after how many inches of the leg, and the heading and the mode to pass with.
        """
        found = [(np.zeros(0, np.intp), np.zeros(0), np.zeros(0), np.zeros(0, np.intp))]
        for lane, row in self._by_lane(states.level):
            passages = self._passages[lane]
            crossed = passages.crossed(self.space, pick(states, row), within)
            state, heading, mode = row[crossed.state], passages.heading[crossed.line], passages.mode[crossed.line]
            found.append((state, crossed.at, heading, mode))
            if self.space.directions.oblique is not None and isinstance(self.space.base, Round):
                # A round base passes whichever way it faces.
                once, facing = np.flatnonzero(mode == 0), states.heading[state]
                mode = self.space.directions.toward(heading + self.space.asides_of(mode) - facing)
                found.append(pick((state, crossed.at, facing, mode), once))
        return join(found)

    def borders(self, lanes: IntArray, rays: Rays, inches: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return where rays enter or leave cheap ground: which ray, and after how many inches."""
        plain = np.array([courses.plain for courses in self._courses])
        return rays.borders(inches, plain[self._row[lanes]])

    def rates_of(self, states: PoseStates) -> FloatArray:
        """Compute what turns are multiplied by at states, see `states.rates_of`."""
        if not self.space.turns.times_rate:
            return np.ones(len(states.price))
        found = np.empty(len(states.price))
        for lane, row in self._by_lane(states.level):
            found[row] = self._courses[lane].known.rates_at(states.place[row])
        near = np.flatnonzero(np.isnan(found))
        found[near] = rates_of(self.space_by(states.level[near]), pick(states, near))
        return found

    def _by_lane(self, lanes: IntArray) -> Iterator[tuple[int, IntArray]]:
        """Yield the rows of each lane."""
        if self._spaces is None:
            yield 0, np.arange(len(lanes))
            return
        for lane in range(len(self.numbers)):
            rows = np.flatnonzero(self._row[lanes] == lane)
            if len(rows):
                yield lane, rows

    def _are_cheap(self, lanes: IntArray, place: FloatArray, heading: FloatArray | None) -> BoolArray:
        """Find the poses on cheap ground, or without headings the places that may be on it."""
        found = np.zeros(len(lanes), np.bool_)
        for lane, row in self._by_lane(lanes):
            courses = self._courses[lane]
            if courses.has_cheap:
                row = row[self._rasters_apart[lane].rates_at(place[row]) < courses.plain]
                found[row] = heading is None or courses.are_cheap(place[row], np.mod(heading[row], 360.0))
        return found

    # --- bins ---

    @property
    def layers(self) -> Layers:
        """What states in a bin are told apart by, besides their headings."""
        return self._bins[0].layers

    def layers_of(self, states: PoseStates, more: FloatArray | float = 0.0, inches: float = 0.0) -> IntArray:
        """Return the layers of states, or of those that legs lead to from there for so much more and so many inches."""
        paid = states.price + more, states.travelled + more, states.covered + inches
        return self.layers.numbers(self.space_by(states.level), states.free, *paid)

    def _cells(self, lanes: IntArray, place: FloatArray) -> IntArray:
        """The cells of bins that places in lanes lie in."""
        return self._bins[0].cells(place, self._row.take(lanes))

    def around(self, marks: int) -> DearestAround | None:
        """Return the dearest that is known around each cell; None if that takes longer than so many marks themselves.

        Or if there are several lanes.
        """
        if self._spaces is not None:
            return None
        found = [bins.around(marks) for bins in self._bins]
        return None if None in found else DearestAround.joined([one for one in found if one is not None])

    def worth(
        self, lanes: IntArray, place: FloatArray, sector: IntArray, layer: IntArray, price: FloatArray, tolls: TollBits
    ) -> BoolArray:
        """Find which states cost less than what their bins hold, without keeping them."""
        cells = self._cells(lanes, place)
        found = self._bins[0].worth(cells, sector, layer, price, tolls)
        if len(self._bins) > 1:
            row = np.flatnonzero(~found)
            row = row[self._are_cheap(lanes[row], place[row], None)]
            found[row] = self._bins[1].worth(cells[row], sector[row], layer[row], price[row], pick(tolls, row))
        return found

    def holds(self, states: PoseStates) -> BoolArray:
        """Find which of the states that were kept nothing better came after."""
        cells, sector = self._cells(states.level, states.place), sectors(states.heading)
        layer = self.layers_of(states)
        found = [bins.holds(cells, sector, layer, states.price, states.tolls) for bins in self._bins]
        if len(found) > 1:
            # Whether a pose is on cheap ground only matters where that makes a difference.
            row = np.flatnonzero(found[0] != found[1])
            cheap = row[self._are_cheap(states.level[row], states.place[row], states.heading[row])]
            found[0][cheap] = found[1][cheap]
        return found[0]

    def take(self, states: PoseStates) -> PoseStates:
        """Keep of some states, the cheapest first, those that nothing in their bins is as good as; return these."""
        cells, sector = self._cells(states.level, states.place), sectors(states.heading)
        asked = cells, sector, self.layers_of(states), states.price, states.tolls
        # Whether they are on cheap ground or not.
        order = np.flatnonzero(np.logical_or.reduce([bins.worth(*asked) for bins in self._bins]))
        order = order[self._cheapest_first(states, order)]
        cells, sector, layer, price, tolls = pick(asked, order)
        if len(self._bins) == 1:
            return pick(states, order[self._bins[0].take(cells, sector, layer, price, tolls)])
        states = pick(states, order)
        is_cheap = self._are_cheap(states.level, states.place, states.heading)
        taken = []
        for bins, row in zip(self._bins, (np.flatnonzero(~is_cheap), np.flatnonzero(is_cheap)), strict=True):
            taken.append(row[bins.take(cells[row], sector[row], layer[row], price[row], pick(tolls, row))])
        plain, cheap = taken
        # A pose on cheap ground is as good as one beside it, and that leads onto it for a little more.
        onto = self._onto_cheap * np.array([courses.plain for courses in self._courses])
        more = onto[self._row[states.level[plain]]]
        farther = self.layers_of(pick(states, plain), more, self._onto_cheap)
        self._bins[1].note(cells[plain], sector[plain], farther, price[plain] + more, pick(tolls, plain))
        self._bins[0].note(cells[cheap], sector[cheap], layer[cheap], price[cheap], pick(tolls, cheap))
        return pick(states, np.sort(np.concatenate(taken)))

    def _cheapest_first(self, states: PoseStates, row: IntArray) -> IntArray:
        """Return the order in which rows of states are kept: of equals those in the middle of their cells first.

        Then those nearer to the middle of the table, and those that face away from it: so it does not matter how a
        table is turned or mirrored.
        """
        level, place, heading, price = pick((states.level, states.place, states.heading, states.price), row)
        off = self._bins[0].off_middle(place, self._row[level])
        away, facing = place - self._middles[self._row[level]], np.radians(heading)
        ahead = away[:, 0] * np.cos(facing) + away[:, 1] * np.sin(facing)
        keys = (-ahead, np.hypot(away[:, 0], away[:, 1]), off, price)
        return np.lexsort([np.round(key, _DIGITS) for key in keys])


def _bins(mesh: float, spaces: Sequence[PoseSpace]) -> PoseBins:
    if len(spaces) > 1:
        return bins_of_several(mesh, spaces)
    return bins_of(mesh, spaces[0], spaces[0].window, spaces[0].middle)


def lanes_by_kind(lanes: Sequence[Lane], mesh: float) -> list[Lanes]:
    """Return the lanes of a search, those of one kind together; the levels of one mover take turns."""
    kinds = defaultdict[tuple[object, ...], dict[int, Lane]](dict)
    for number, lane in enumerate(lanes):
        key = (lane.level, *kind_of(lane.space, lane.lower)) if len(lanes) > 1 else ()
        kinds[key][number] = lane
    return [Lanes(some, len(lanes), mesh) for some in kinds.values()]
