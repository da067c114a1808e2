"""Links in a search: where states lead straight up or down, and how they get to where a link begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.bins import sectors
from simulator.pathing.posed.edges import OffTheEdge
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.lane_search import angles_of
from simulator.pathing.posed.last_legs import LastLegs, from_states, tried
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.rays import Rays, has_room, may_turn, passes_freely
from simulator.pathing.posed.space import Extent, PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of, turned
from simulator.pathing.posed.toll_bins import bins_of
from simulator.pathing.posed.toll_marks import tolls_at_marks
from simulator.pathing.posed.toll_table import TollBits
from simulator.pathing.posed.turn_tolls import met_by_links


def followed(space: PoseSpace, states: PoseStates, first: int) -> Iterator[PoseStates]:
    """Yield the states that links lead to from states, which are numbered from `first`."""
    for number, link in enumerate(space.links):
        if isinstance(link, OffTheEdge):
            continue
        begins = states.level == link.origin
        if link.places is not None:
            begins &= np.all(np.abs(states.place - link.places[0]) <= TOUCH, axis=1)
        begins &= space.left_for_legs(states.price, states.travelled) >= link.prices_after(states.since) - SLACK
        begins &= space.may_cover(states.covered + link.lengths_after(states.since))
        if space.tolls:
            begins &= states.tolls.touched & space.toll_table.run_over == 0
        row = np.flatnonzero(begins)
        row = row[link.leads_freely(space.base, states.heading[row])]
        if not len(row):
            continue
        some = pick(states, row)
        place = some.place if link.places is None else np.tile(link.places[1], (len(row), 1))
        price, inches = link.prices_after(some.since), link.lengths_after(some.since)
        yield _arrived(space, number, some, place, first + row, price, inches)


def _arrived(
    space: PoseSpace,
    number: int,
    states: PoseStates,
    places: FloatArray,
    parents: IntArray,
    price: FloatArray,
    inches: FloatArray,
) -> PoseStates:
    """Return the states in which a link ends that leads from states to places at a price, where there is room.

    What they meet there is paid for as well.
    """
    link, none = space.links[number], np.zeros(len(parents))
    there = space.on(link.target)
    straight = isinstance(link, PoseLink) and link.places is None
    met = met_by_links(there, places, states.heading, states.tolls, straight=straight)
    price = price + met.price
    arrivals = states._replace(
        place=places,
        price=states.price + price,
        travelled=states.travelled + price,
        covered=states.covered + inches,
        group=states.group._replace(inches=states.group.inches + float(link.walked)),
        level=np.full(len(parents), link.target),
        parent=parents,
        mode=np.full(len(parents), -1),
        inches=none,
        since=none,
        used=none,
        link=np.full(len(parents), number),
        tolls=met.tolls,
    )
    room = has_room(there, places, states.heading) & np.isfinite(met.price)
    if met.price.any():
        room &= space.left_for_legs(states.price, states.travelled) >= price - SLACK
    return pick(arrivals, room)


def legs_at_edges(space: PoseSpace, level: int, states: PoseStates, numbers: IntArray) -> CastLegs | None:
    """Return legs of no inches from states on a level that touch the outline of an edge there, after turns of a search.

    None: no state does.
    """
    edges = [edge for edge in space.links if isinstance(edge, OffTheEdge) and not edge.ends and edge.origin == level]
    return legs_of_none(space.on(level), edges, level, states, numbers)


def legs_of_none(
    here: PoseSpace, edges: Sequence[OffTheEdge], level: int, states: PoseStates, numbers: IntArray
) -> CastLegs | None:
    """Return legs of no inches on a level from states that touch the outline of an edge, after turns of a search."""
    row = np.flatnonzero(
        np.logical_or.reduce([np.zeros(len(numbers), np.bool_), *(edge.touch(states.place) for edge in edges)])
    )
    if not len(row):
        return None
    some, angles = pick(states, row), angles_of(here)
    which = np.repeat(np.arange(len(row)), len(angles))
    turns = turned(here, some, rates_of(here, some), which, np.tile(angles, len(row)))
    before = some.heading[turns.state]
    free = here.can_pay(turns.price) & may_turn(here, some.place[turns.state], before, turns.heading - before)
    turns = pick(turns, np.repeat(np.flatnonzero(free), len(here.asides)))
    mode, none = np.tile(np.arange(len(here.asides)), int(free.sum())), np.zeros(len(turns.state))
    rays = Rays.cast(here, some.place[turns.state], turns.heading, mode, none)
    travelled = some.travelled[turns.state] + turns.toll
    return CastLegs(turns._replace(state=numbers[row][turns.state]), mode, travelled, rays, none, level)


def leapt(space: PoseSpace, legs: CastLegs) -> Iterator[tuple[PoseStates, PoseStates]]:
    """Yield by edge the states in which legs touch its outline from inside, and those that leaps lead to from there.

    The parents of the latter are rows of the former. Where a leap ends the move, no state is worth keeping.
    """
    for number, edge in enumerate(space.links):
        if not isinstance(edge, OffTheEdge) or edge.ends or edge.origin != legs.level:
            continue
        heading, rays = legs.turns.heading, legs.rays
        after = edge.exits(rays.starts, heading, rays.ahead, legs.inches)
        row = np.flatnonzero(np.isfinite(after))
        touching = legs.states_at_edges(row, after[row])
        length = edge.lengths(touching.place, heading[row], rays.ahead[row])
        leaps = ~np.isnan(length)
        leaps &= space.left_for_legs(touching.price, touching.travelled) >= float(edge.price) - SLACK
        row, some, length = row[leaps], pick(touching, leaps), length[leaps]
        places = some.place + length[:, None] * rays.ahead[row]
        free = passes_freely(space.on(edge.origin), space.on(edge.target), some.place, places, heading[row])
        some = pick(some, free)
        price, none = np.full(len(some.price), float(edge.price)), np.zeros(len(some.price))
        yield some, _arrived(space, number, some, places[free], np.arange(len(some.price)), price, none)


class Gate:
    """A place where links begin: how states lead there, kept by their headings.

    Where a link `parts` turns that are priced together, a turn there may be worth its while before the next one.
    """

    def __init__(self, space: PoseSpace, level: int, place: XY, mesh: float, *, parts: bool = False) -> None:
        # The mover does not end there.
        self._space, self.level, self._parts = space.on_the_way(), level, parts
        self._goals = Goals(np.array([place], np.float64), None)
        self._bins = bins_of(mesh, space, Extent(*place, *place), place)

    def arrivals(self, states: PoseStates, first: int) -> PoseStates:
        """Return the states at the place that states on its level lead to, better ones than are known.

        The states that they come from are numbered from `first`.
        """
        space = self._space
        rates = rates_of(space, states)
        some = from_states(space, None, states, rates, self._goals, np.array([np.inf]))
        heading = states.heading[some.source] + some.angle
        before = pick(states, some.source)
        away = self._goals.places[0] - before.place
        ahead = away / np.maximum(some.inches, TOUCH)[:, None]
        tolls = tolls_at_marks(space, before.place, ahead, before.tolls, np.arange(len(away)), some.inches)
        least = space.ground.least_prices(some.inches) * space.factors_of(some.mode)
        paid = some.bound, before.travelled + least, before.covered + some.inches
        layer = self._bins.layers.numbers(space, before.free, *paid)
        some = pick(some, self._worth(heading, layer, some.bound, tolls))
        legs = tried(space, pick(states, some.source), rates[some.source], some, self._goals)
        found = _ended(pick(states, some.source), legs)
        found = found._replace(
            place=np.tile(self._goals.places[0], (len(found.price), 1)), parent=first + some.source[legs.turns.state]
        )
        return self._best_of(pick(found, np.isfinite(found.price)))

    def turned(self, states: PoseStates, first: int) -> PoseStates:
        """Return the states that turns to limits lead to from arrivals, better ones than are known.

        The arrivals are numbered from `first`.
        """
        space = self._space
        count = len(states.price)
        angles = np.concatenate([space.turns.limits, -space.turns.limits])
        if not self._parts or not count or len(angles) <= 2:
            return pick(states, slice(0))
        which = np.repeat(np.arange(count), len(angles))
        turns = turned(space, states, rates_of(space, states), which, np.tile(angles, count))
        before = pick(states, turns.state)
        kept = space.can_pay(turns.price) & may_turn(
            space, before.place, before.heading, turns.heading - before.heading
        )
        none = np.zeros(len(kept))
        found = before._replace(
            heading=turns.heading,
            price=turns.price,
            travelled=before.travelled + turns.toll,
            free=turns.free,
            group=turns.group,
            mode=np.full(len(kept), -1),
            inches=none,
            used=turns.used,
            link=np.full(len(kept), -1),
            tolls=turns.tolls,
            parent=first + turns.state,
        )
        return self._best_of(pick(found, kept))

    def _best_of(self, states: PoseStates) -> PoseStates:
        """Take those of some states at the place, the cheapest first, that are better than all that are known."""
        found = pick(states, np.lexsort((states.heading, states.price)))
        layer = self._bins.layers.numbers(self._space, found.free, found.price, found.travelled, found.covered)
        cells = self._cells(len(found.price))
        return pick(found, self._bins.take(cells, sectors(found.heading), layer, found.price, found.tolls))

    def _worth(self, heading: FloatArray, layer: IntArray, bound: FloatArray, tolls: TollBits) -> BoolArray:
        return self._bins.worth(self._cells(len(bound)), sectors(heading), layer, bound, tolls)

    def _cells(self, count: int) -> IntArray:
        """The cell of the goal, so many times."""
        return self._bins.cells(np.tile(self._goals.places[0], (count, 1)), np.zeros(count, np.intp))


def _ended(states: PoseStates, legs: LastLegs) -> PoseStates:
    """The states in which last legs end, each leg from the state of its turn; the places are still missing."""
    turns = legs.turns
    before = pick(states, turns.state)
    moved = legs.inches > 0.0
    return before._replace(
        heading=turns.heading,
        price=legs.cost,
        travelled=before.travelled + turns.toll + np.where(moved, legs.cost - turns.price, 0.0),
        free=turns.free,
        group=turns.group._replace(inches=turns.group.inches + legs.inches),
        mode=np.where(moved, legs.mode, -1),
        inches=legs.inches,
        since=turns.since + legs.inches,
        used=turns.used,
        link=np.full(len(turns.state), -1),
        tolls=legs.tolls,
        covered=turns.covered + legs.inches,
    )
