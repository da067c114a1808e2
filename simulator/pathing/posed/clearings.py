"""Turning places from which a leg just passes what would have stopped it.

A search turns at places on a mesh. Where a leg from one of them is stopped, one from a little farther along, or a
little before, may pass beside what stops it, and only from just there: the base touches the thing with one side. Those
places are computed, from how far the thing extends across the leg, on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Base, Round
from simulator.geometry.movers import mover_of
from simulator.geometry.path_judge import Overlaps, first_met, stretches_over
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.rays import Rays, cross, legs_between, units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, Turned

#: More than there are combinations of areas.
_FAR_MORE = 1 << 32
#: A tangent to a thing is looked for at the corner that is farthest out, which another may be after the next turn.
_CORNERS = 4
#: The cosine and sine of the angle by which a first guess at a tangent is off the middle of a thing.
_ASIDE = (0.9, 0.4358898943540673)


class Clearings(NamedTuple):
    """Places on the legs that ended in states, from where a ray would have passed what it met."""

    ray: IntArray  #: the row of the ray that met it
    at: FloatArray  #: after how many inches of the leg before


class Passing:
    """How a mover passes things that bar its way and areas."""

    def __init__(self, space: PoseSpace) -> None:
        self.space, ground = space, space.ground
        self._things, self._areas = _Extents(space.bars_standing), _Extents(ground.standing)
        self._tolls = _Extents(space.toll_table.standing)
        #: How far the base extends to both sides of its way, and what of it counts on ground.
        self._sides, self._sides_on_ground = _Sides(space, space.base), _Sides(space, ground.base or Round(0.0))

    def by(self, space: PoseSpace) -> Passing:
        """Return the same for questions about the rows of a space, where that is several as one."""
        view = copy(self)
        view.space = space
        return view

    def met_by(self, legs: Paths) -> Overlaps:
        """Find after how many inches something stops each leg, and the number of that thing; -1: none does."""
        return first_met(legs, self.space.base, self.space.bars_standing, meets=self.space.meets)

    def clearings(
        self, states: PoseStates, turns: Turned, mode: IntArray, longest: FloatArray, rays: Rays, within: float
    ) -> Clearings:
        """Find them for rays that follow turns, and would be as long as `longest` were they free.

        The places lie within so many inches of where the rays were cast from.
        """
        state = turns.state
        before = units(states.heading[state] + self.space.asides_of(states.mode[state]))
        # So many inches a ray is moved to its left for each inch that it begins farther along the leg before.
        shift = cross(rays.ahead, before)
        shifts = (states.mode[state] >= 0) & (np.abs(shift) > TOLERANCE)
        stopped = np.flatnonzero(shifts & (rays.length < longest - TOUCH))
        assert rays.barred_by is not None
        thing = rays.barred_by[stopped]
        over, area = self._areas_under(rays)
        met, kept = thing >= 0, shifts[over]
        priced, toll = self._tolls_met(rays, np.flatnonzero(shifts), longest, turns.heading)
        found = []
        for extents, sides, ray, what in (
            (self._things, self._sides, stopped[met], thing[met]),
            (self._areas, self._sides_on_ground, over[kept], area[kept]),
            (self._tolls, self._sides, priced, toll),
        ):
            left = np.stack([-rays.ahead[ray, 1], rays.ahead[ray, 0]], axis=1)
            here = np.sum(rays.starts[ray] * left, axis=1)
            low, high = extents.across(what, left)
            on_left, on_right = sides.of(mode[ray]).T
            for there in (high + on_right, low - on_left):
                farther = (there - here) / shift[ray]
                at = states.inches[state[ray]] + farther
                near = np.flatnonzero((np.abs(farther) <= within) & (np.abs(farther) > TOUCH) & (at > TOUCH))
                found.append(Clearings(ray[near], at[near]))
        return join(found)

    def _tolls_met(
        self, rays: Rays, row: IntArray, longest: FloatArray, headings: FloatArray
    ) -> tuple[IntArray, IntArray]:
        """The tolls that some rays would meet were they free: pairs of a ray and a toll."""
        if not self.space.tolls:
            return row[:0], row[:0]
        starts = rays.starts[row]
        legs = legs_between(starts, starts + longest[row, None] * rays.ahead[row], headings[row])
        table = self.space.toll_table
        met = stretches_over(legs, table.standing, self.space.base)
        met = pick(met, table.by_rows(row).numbers_of(met.path, met.which) >= 0)
        return row[met.path], met.which

    def _areas_under(self, rays: Rays) -> tuple[IntArray, IntArray]:
        """The areas that rays lead over: pairs of a ray and an area."""
        stretches = rays.stretches
        inside = stretches.begin < rays.length[stretches.leg] - TOUCH
        pairs = np.unique(stretches.leg[inside] * _FAR_MORE + stretches.which[inside])
        ray, number = np.divmod(pairs, _FAR_MORE)
        numbers, of = np.unique(number, return_inverse=True)
        areas = [sorted(self.space.ground.combination(one)[0]) for one in numbers.tolist()]
        count = np.array([len(some) for some in areas], np.intp)[of.reshape(-1)]
        first = np.cumsum([0, *(len(some) for some in areas)])[of.reshape(-1)]
        flat = np.array([area for some in areas for area in some], np.intp)
        row = np.repeat(np.arange(len(ray)), count)
        part = np.arange(len(row)) - (np.cumsum(count) - count)[row] + first[row]
        found = np.unique(np.stack([ray[row], flat[part]], axis=1), axis=0)
        return found[:, 0], found[:, 1]

    def directions(
        self, thing: IntArray, mode: IntArray, goals: FloatArray, ahead: FloatArray, headings: FloatArray
    ) -> FloatArray:
        """Return the directions, rows x, y, in which legs to goals just pass things.

        The things lie on the same side of them as of legs in the directions `ahead`; nan where a goal is too near. The
        headings are those of oblique legs.
        """
        return _passing(self._things, self._sides, _Legs(thing, mode, goals, headings), ahead)

    def beside(self, thing: IntArray, mode: IntArray, goals: FloatArray, headings: FloatArray) -> Iterator[FloatArray]:
        """Yield the directions in which legs to goals just pass things, first on one side, then on the other."""
        # Only of oblique legs the headings count: from wherever the others come, they pass a thing the same way.
        turning = np.where(are_oblique(mode), headings, 0.0)
        once, which = rows_once(np.column_stack([thing, mode, turning, goals]))
        legs = _Legs(thing[once], mode[once], goals[once], headings[once])
        for found in _beside(self._things, self._sides, legs):
            yield found[which]

    def past_things(self, places: FloatArray) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the directions in which legs to places just pass things that bar the way, and areas.

        Both sides of all things in each mode: the row of the place, and the direction, rows x, y of length 1.
        """
        for extents, sides in ((self._things, self._sides), (self._areas, self._sides_on_ground)):
            row, thing = (axis.ravel() for axis in np.indices((len(places), extents.count)))
            for mode in sides.unlike if len(row) else ():
                legs = _Legs(thing, np.full(len(row), mode), places[row], np.zeros(len(row)))
                for found in _beside(extents, sides, legs):
                    known = np.flatnonzero(np.isfinite(found[:, 0]))
                    yield row[known], found[known]


class _Sides:
    """How far a base extends to the left of its way, and to the right."""

    def __init__(self, space: PoseSpace, base: Base) -> None:
        self._space, self._mover = space, mover_of(base)
        self._by_mode = self._mover.extents(-space.asides)[:, [1, 3]]

    @property
    def unlike(self) -> list[int]:
        """Of the modes with directions of their own by which it extends as far, one each."""
        found: list[int] = np.unique(self._by_mode, axis=0, return_index=True)[1].tolist()
        return found

    def of(self, mode: IntArray, asides: FloatArray | None = None) -> FloatArray:
        """Return the same by modes, rows left, right; of oblique ones perhaps as if they led another way."""
        oblique = np.flatnonzero(are_oblique(mode))
        if not len(oblique):
            return np.asarray(self._by_mode[mode])
        found = np.zeros((len(mode), 2))
        directed = np.delete(np.arange(len(mode)), oblique)
        found[directed] = self._by_mode[mode[directed]]
        aside = self._space.asides_of(mode[oblique]) if asides is None else asides[oblique]
        found[oblique] = self._mover.extents(-aside)[:, [1, 3]]
        return found


class _Legs(NamedTuple):
    """Legs to goals that are to pass things, each in a mode; with the headings of oblique ones."""

    thing: IntArray
    mode: IntArray
    goals: FloatArray
    headings: FloatArray


def _beside(extents: _Extents, sides: _Sides, legs: _Legs) -> Iterator[FloatArray]:
    """Yield the directions in which legs to goals just pass things, on each side; nan where a goal is too near."""
    toward = legs.goals - extents.middles[legs.thing]
    far = np.hypot(toward[:, 0], toward[:, 1])
    toward /= np.where(far > TOUCH, far, np.nan)[:, None]
    for sense in (1.0, -1.0):
        x, y = _ASIDE[0], sense * _ASIDE[1]
        yield _passing(extents, sides, legs, toward @ np.array([[x, y], [-y, x]]))


def _passing(extents: _Extents, sides: _Sides, legs: _Legs, ahead: FloatArray) -> FloatArray:
    """The directions in which legs to goals just pass things, on the same side of them as in directions `ahead`."""
    thing, mode, goals, headings = legs
    oblique = bool(are_oblique(mode).any())
    left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    low, high = extents.across(thing, left)
    on_left = (low + high) / 2 > np.sum(goals * left, axis=1)
    sign, width = np.where(on_left, 1.0, -1.0), np.where(on_left, *sides.of(mode).T)
    for _ in range(_CORNERS):
        if oblique:
            aside = np.degrees(np.arctan2(ahead[:, 1], ahead[:, 0])) - headings
            width = np.where(on_left, *sides.of(mode, np.nan_to_num(aside)).T)
        inward = sign[:, None] * np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
        part = extents.farthest(thing, inward)
        away = extents.place[part] - goals
        off, far = width + extents.reach(part, inward), np.hypot(away[:, 0], away[:, 1])
        with np.errstate(invalid="ignore", divide="ignore"):
            # What lies on the left of the leg lies on the right of the way back from the goal.
            back = np.arctan2(away[:, 1], away[:, 0]) + sign * np.arcsin(off / far)
        ahead = -np.stack([np.cos(back), np.sin(back)], axis=1)
    return ahead


class _Extents:
    """How far things extend: corners, discs and ovals, those of one thing after the other."""

    def __init__(self, standing: Standing) -> None:
        corners, discs, ovals = standing.segments.reshape(-1, 2), standing.discs, standing.ovals
        owner = np.concatenate([np.repeat(standing.segment_owner, 2), standing.disc_owner, standing.oval_owner])
        order = np.argsort(owner, kind="stable")
        self._first = np.searchsorted(owner[order], np.arange(standing.count + 1))
        self.place = np.concatenate([corners, discs[:, :2], ovals[:, :2]])[order]
        none = np.zeros((len(corners), 2))
        self._axes = np.concatenate([none, np.repeat(discs[:, 2:], 2, axis=1), ovals[:, 2:4]])[order]
        self._turned = np.concatenate([np.zeros(len(corners) + len(discs)), ovals[:, 4]])[order]
        self.count = standing.count

    @property
    def middles(self) -> FloatArray:
        """The places in the middle of things, a row each."""
        parts = np.diff(self._first)
        total = np.zeros((self.count, 2))
        np.add.at(total, np.repeat(np.arange(self.count), parts), self.place)
        return np.asarray(total / np.maximum(parts, 1)[:, None])

    def reach(self, part: IntArray, toward: FloatArray) -> FloatArray:
        """Compute how far parts extend from their places along directions."""
        (x, y), cos, sin = toward.T, np.cos(self._turned[part]), np.sin(self._turned[part])
        return np.asarray(
            np.hypot(self._axes[part, 0] * (x * cos + y * sin), self._axes[part, 1] * (y * cos - x * sin))
        )

    def across(self, thing: IntArray, toward: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute how far things extend along directions, rows x, y of length 1: from how far to how far."""
        part, row, begin = self._parts(thing)
        reach, middle = self.reach(part, toward[row]), np.sum(self.place[part] * toward[row], axis=1)
        if not len(thing):
            return middle, middle
        return np.minimum.reduceat(middle - reach, begin), np.maximum.reduceat(middle + reach, begin)

    def farthest(self, thing: IntArray, toward: FloatArray) -> IntArray:
        """Return the part of each thing that extends farthest along a direction."""
        part, row, begin = self._parts(thing)
        far = self.reach(part, toward[row]) + np.sum(self.place[part] * toward[row], axis=1)
        far[np.isnan(far)] = -np.inf
        if not len(thing):
            return part
        most = np.flatnonzero(far == np.maximum.reduceat(far, begin)[row])
        return np.asarray(part[most[np.searchsorted(row[most], np.arange(len(thing)))]])

    def _parts(self, thing: IntArray) -> tuple[IntArray, IntArray, IntArray]:
        """The parts of things, which thing's each is, and where those of each begin."""
        count = self._first[thing + 1] - self._first[thing]
        begin = np.cumsum(count) - count
        row = np.repeat(np.arange(len(thing)), count)
        return np.arange(len(row)) - begin[row] + self._first[thing][row], row, begin
