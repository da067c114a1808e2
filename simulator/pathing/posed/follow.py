"""Links in a search: where states lead straight up or down, and how they get to where a link begins."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.bins import sectors
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.last_legs import LastLegs, from_states, tried
from simulator.pathing.posed.rays import has_room
from simulator.pathing.posed.space import Extent, PoseSpace
from simulator.pathing.posed.states import PoseStates, rates_of
from simulator.pathing.posed.toll_bins import bins_of
from simulator.pathing.posed.toll_marks import tolls_at_marks
from simulator.pathing.posed.toll_table import TollBits, no_tolls
from simulator.pathing.posed.turn_tolls import clear_of_tolls


def followed(space: PoseSpace, states: PoseStates, first: int) -> Iterator[PoseStates]:
    """Yield the states that links lead to from states, which are numbered from `first`."""
    for number, link in enumerate(space.links):
        begins = states.level == link.origin
        if link.places is not None:
            begins &= np.all(np.abs(states.place - link.places[0]) <= TOUCH, axis=1)
        begins &= space.left_for_legs(states.price, states.travelled) >= float(link.price) - SLACK
        if space.tolls:
            begins &= states.tolls.touched & space.toll_table.run_over == 0
        row = np.flatnonzero(begins)
        if not len(row):
            continue
        some, none = pick(states, row), np.zeros(len(row))
        place = some.place if link.places is None else np.tile(link.places[1], (len(row), 1))
        arrivals = some._replace(
            place=place,
            price=some.price + float(link.price),
            travelled=some.travelled + float(link.price),
            level=np.full(len(row), link.target),
            parent=first + row,
            mode=np.full(len(row), -1),
            inches=none,
            used=none,
            link=np.full(len(row), number),
            tolls=no_tolls(len(row))._replace(gone=some.tolls.gone),
        )
        there = space.on(link.target)
        room = has_room(there, place, some.heading) & clear_of_tolls(there, place, some.heading, some.tolls.gone)
        yield pick(arrivals, room)


class Gate:
    """A place where links begin: how states lead there, kept by their headings."""

    def __init__(self, space: PoseSpace, level: int, place: XY, mesh: float) -> None:
        # The mover does not end there.
        self._space, self.level = space.on_the_way(), level
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
        some = pick(some, self._worth(heading, before.free, some.bound, tolls))
        legs = tried(space, pick(states, some.source), rates[some.source], some, self._goals)
        found = _ended(pick(states, some.source), legs)
        found = found._replace(
            place=np.tile(self._goals.places[0], (len(found.price), 1)), parent=first + some.source[legs.turns.state]
        )
        found = pick(found, np.isfinite(found.price))
        found = pick(found, np.lexsort((found.heading, found.price)))
        return pick(
            found, self._bins.take(found.place, sectors(found.heading), found.free > 0.0, found.price, found.tolls)
        )

    def _worth(self, heading: FloatArray, free: FloatArray, bound: FloatArray, tolls: TollBits) -> BoolArray:
        place = np.tile(self._goals.places[0], (len(bound), 1))
        return self._bins.worth(place, sectors(heading), free > 0.0, bound, tolls)


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
        used=turns.used,
        link=np.full(len(turns.state), -1),
        tolls=legs.tolls,
    )
