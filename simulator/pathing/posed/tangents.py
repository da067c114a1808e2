"""Rays that just pass something: between two of them nothing new comes into the way.

What a base sweeps on a straight leg is a strip as wide as the base is across. A corner or a disc comes into the way
where it touches a side of that strip. So the legs of a sweep change their ends, or the slope of their ends, only at
rays that are known beforehand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.footprints import Base
from simulator.geometry.movers import mover_of
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.rays import units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.sweeps_of_rays import RaySweep, bearings_past

#: A ray beside a tangent, on the side of what it touches, cuts into it so deep; overlaps are deeper than a millionth.
_DEEP = 1e-5
#: How wide a strip of oblique travel is follows from where it leads, and that from how wide it is: so often.
_CLOSER = 4


class PassingRays(NamedTuple):
    """Rays that just pass something: which family, where in it, beside which side they meet it, how far that is."""

    family: IntArray
    at: FloatArray
    beside: FloatArray  #: a ray that meets what this one passes
    near: FloatArray  #: inches of the ray before that at least
    met: FloatArray  #: inches of a ray from the place itself up to just beside what it passes


class _Marks(NamedTuple):
    """What rays may touch: discs, of radius 0 for corners; and how wide a strip is on both sides [mark, mode]."""

    place: FloatArray
    radius: FloatArray
    left: FloatArray
    right: FloatArray
    base: IntArray  #: of oblique legs as wide as one of the bases, by its number; -1: of no width


class Touching:
    """What the rays of a space may touch; that may be the areas of the ground alone."""

    def __init__(self, space: PoseSpace, *, ground_alone: bool = False) -> None:
        self._space, self._reach = space, space.base.reach
        self._bases = [mover_of(base) for base in (space.base, space.ground.base) if base is not None]
        asides = space.asides
        ground = join(
            [_marks(space.ground.standing, space.ground.base, asides, 1), _places(space.ground.crossings, asides)]
        )
        if ground_alone:
            self._marks = ground
            return
        parts = [_marks(space.bars_standing, space.base, asides), _marks(space.no_end_standing, space.base, asides)]
        parts.append(ground)
        if space.tolls:
            standing = space.toll_table.standing
            parts += [_marks(standing, space.base, asides), _marks(standing, None, asides)]
        if space.box is not None:
            parts.append(_corners_of(space))
        self._marks = join(parts)

    def tangents(
        self, sweep: RaySweep, family: IntArray, start: FloatArray, inches: FloatArray, along: FloatArray
    ) -> PassingRays:
        """Return the rays of some families that just pass something.

        All rays of a family lie within some inches of a place, and start no farther along a leg from it than `along`.
        """
        marks, modes = self._marks, sweep.modes[family]
        away = marks.place - start[:, None]
        far = np.hypot(away[..., 0], away[..., 1])
        row, mark = np.nonzero(far - marks.radius <= inches[:, None] + self._reach + marks.left.max(initial=0.0))
        far, mode = far[row, mark], modes[row]
        found = []
        for sign, width in ((1.0, marks.left), (-1.0, marks.right)):
            if are_oblique(mode).any():
                wide, at = self._met_obliquely(sweep, family[row], mark, sign)
                off = sign * (wide + marks.radius[mark])
            else:
                off = sign * (width[mark, mode] + marks.radius[mark])
                at = sweep.meeting(family[row], marks.place[mark], off)
            met = np.sqrt(np.maximum(far**2 - off**2, 0.0))
            near = met - self._reach - marks.radius[mark] - along[row]
            aside = np.degrees(_DEEP / np.maximum(far, 1.0)) * sign * sweep.nearer(family[row])
            found.append(pick(PassingRays(family[row], at, at + aside, near, met), np.flatnonzero(~np.isnan(at))))
        return join(found)

    def lines_to(
        self, goals: FloatArray, starts: FloatArray, mode: IntArray, within: float
    ) -> tuple[IntArray, FloatArray]:
        """Return the directions, rows x, y, in which legs to goals just pass what lies near legs from some starts.

        That is no farther from those than so many inches. The row of each goal comes first. No leg is oblique.
        """
        marks, away = self._marks, goals - starts
        far = np.hypot(away[:, 0], away[:, 1])
        ahead = away / np.maximum(far, TOLERANCE)[:, None]
        left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
        wide = np.maximum(marks.left, marks.right).max(axis=1, initial=0.0) + marks.radius + within
        along = ahead @ marks.place.T - np.sum(ahead * starts, axis=1)[:, None]
        aside = left @ marks.place.T - np.sum(left * starts, axis=1)[:, None]
        row, mark = np.nonzero((np.abs(aside) <= wide) & (along >= -wide) & (along <= far[:, None] + wide))
        found = []
        for sign, width in ((1.0, marks.left), (-1.0, marks.right)):
            # Seen from the goal, what lies on the left of a leg is on the right.
            back = bearings_past(marks.place[mark] - goals[row], -sign * (width[mark, mode[row]] + marks.radius[mark]))
            known = np.flatnonzero(np.isfinite(back))
            found.append((row[known], -units(back[known])))
        return join(found)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to touch."""
        return not len(self._marks.place)

    def _met_obliquely(
        self, sweep: RaySweep, family: IntArray, mark: IntArray, sign: float
    ) -> tuple[FloatArray, FloatArray]:
        """How wide strips are on one side where they touch marks, and the rays; a base is as wide as its leg leads."""
        marks, at, wide = self._marks, np.zeros(len(mark)), np.zeros(len(mark))
        for _ in range(_CLOSER):
            asides = np.nan_to_num(self._space.asides_of(sweep.modes_at(family, np.nan_to_num(at))))
            for number, mover in enumerate(self._bases):
                of = np.flatnonzero(marks.base[mark] == number)
                wide[of] = mover.extents(-asides[of])[:, 1 if sign > 0.0 else 3]
            at = sweep.meeting(family, marks.place[mark], sign * (wide + marks.radius[mark]))
        return wide, at


def _marks(standing: Standing, base: Base | None, asides: FloatArray, number: int = 0) -> _Marks:
    """What stands there, as far as a base counts; the number is that of the base."""
    ends = np.unique(standing.segments.reshape(-1, 2), axis=0)
    ovals = standing.ovals
    place = np.concatenate([ends, standing.discs[:, :2], ovals[:, :2], ovals[:, :2]])
    radius = np.concatenate([np.zeros(len(ends)), standing.discs[:, 2], ovals[:, 2], ovals[:, 3]])
    extents = np.zeros((len(asides), 4)) if base is None else mover_of(base).extents(-asides)
    left, right = (np.tile(extents[:, side], (len(place), 1)) for side in (1, 3))
    return _Marks(place, radius, left, right, np.full(len(place), -1 if base is None else number))


def _corners_of(space: PoseSpace) -> _Marks:
    """The corners of the table, as far in as the base keeps from them."""
    assert space.box is not None
    left, bottom, right, top = space.box
    inside = float(mover_of(space.base).extents(np.zeros(1)).min()) if space.whole_base_on_table else 0.0
    x, y = np.meshgrid((left + inside, right - inside), (bottom + inside, top - inside))
    return _places(np.stack([x.ravel(), y.ravel()], axis=1), space.asides)


def _places(places: FloatArray, asides: FloatArray) -> _Marks:
    """Places that rays may pass through, however wide the base is."""
    count, none = len(places), np.zeros((len(places), len(asides)))
    return _Marks(places, np.zeros(count), none, none, np.full(count, -1))
