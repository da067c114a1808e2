"""The ground that a mover can end on: what legs from poses to turn at sweep, all together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.shapes import together
from simulator.geometry.tolerances import GRID
from simulator.pathing.columns import pick
from simulator.pathing.posed.between_rays import Shapes
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.pockets import Pockets
from simulator.pathing.posed.ray_ends import cast
from simulator.pathing.posed.rays import legs_between
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.slides import legs_to
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.sweeps_of_rays import Aims, LegStrips, PoseFans, RaySweep
from simulator.pathing.posed.swept_area import KnownGround, Swept
from simulator.pathing.posed.tangents import Touching

#: So many fans are added at once: the next are those of ends that are still missing.
_AT_ONCE = 24
#: An outline is looked at so many inches outside of it, at places so far apart.
_BESIDE, _APART = 0.07, 0.5
#: How many corners a quarter of a circle is drawn with.
_ROUND = 32
#: Ground of fewer square inches is a line.
_NO_GROUND = 1e-7
#: Lines that lie nearer to ground are its border.
_BESIDE_GROUND = 1e-3


def sample_places(space: PoseSpace, apart: float = MESH) -> FloatArray:
    """Return places all over the part of the table that a mover may get to."""
    left, bottom, right, top = space.window
    x, y = np.meshgrid(np.arange(left, right + apart, apart), np.arange(bottom, top + apart, apart))
    return np.stack([np.minimum(x, right).ravel(), np.minimum(y, top).ravel()], axis=1)


class DrawnArea:
    """The area of the fans that were added so far."""

    def __init__(self, space: PoseSpace, states: PoseStates, error: float, facing: float | None = None) -> None:
        self._space, self._error, self._facing = space, error, facing
        self._touching = Touching(space)
        self._seen = np.zeros(0, np.intp)  #: cells of a grid in which nothing was found beside the outline
        self._area: BaseGeometry = shapely.Polygon()
        self._known: KnownGround | None = None
        self._lines: list[Shapes] = []
        self._places: list[BaseGeometry] = []
        self._free = Round(space.base.inner_radius)
        self._samples = self._standing(sample_places(space))
        self.add(PoseFans(space, states, facing))

    # --- what is added ---

    def add(self, sweep: RaySweep, missing: FloatArray | None = None) -> None:
        """Add the ground that a sweep ends on; what is known to be missing is looked at closely."""
        known = self._known if missing is None or self._known is None else self._known.without(missing)
        swept = Swept(self._space, sweep, self._error, known, self._facing)
        swept.refine(self._touching)
        polygons, lines = swept.drawn()
        self._lines.append(lines)
        if len(polygons):
            # What crosses itself may leave lines behind, which are no ground.
            parts = shapely.get_parts(shapely.get_parts(shapely.make_valid(polygons)))
            self._area = shapely.union_all([self._area, *parts[shapely.area(parts) > _NO_GROUND]])
        self._known = KnownGround(self._area, self._error, self._samples)

    def cover_ends(self, states: PoseStates, legs: CastLegs) -> None:
        """Add what legs that were cast lead to, until the ends of all of them are in the area."""
        ends, source = legs.rays.places(np.arange(len(legs.mode)), legs.inches), legs.turns.state
        turned = legs.turns.heading != states.heading[source]
        self.cover(ends[turned], states, source[turned])
        # Without a turn, in another mode than before, a leg is a line, and what leads there is the strip beside it.
        straight = np.flatnonzero(~turned)
        straight = straight[self.is_missing(ends[straight])]
        if not len(straight):
            return
        self._add_lines(pick(states, source[straight]), legs.mode[straight])
        later = straight[states.mode[source[straight]] >= 0]
        sources = pick(states, source[later])
        before = pick(states, sources.parent)
        self._cover_along(Pockets(ends[later], sources, before, legs.turns.heading[later], legs.mode[later]))

    def cover(self, ends: FloatArray, states: PoseStates, source: IntArray) -> None:
        """Add the fans of the states that ends have as their source, until no end is missing."""
        left = np.flatnonzero(self.is_missing(ends))
        while len(left):
            # Those first that most of the missing ends come from.
            sources, count = np.unique(source[left], return_counts=True)
            some = sources[np.argsort(-count, kind="stable")][:_AT_ONCE]
            drawn = np.isin(source[left], some)
            order = np.argsort(some, kind="stable")
            number = order[np.searchsorted(some[order], source[left[drawn]])]
            aims = Aims(number, ends[left[drawn]])
            self.add(PoseFans(self._space, pick(states, some), self._facing, aims), aims.place)
            left = left[~drawn]
            left = left[self.is_missing(ends[left])]

    def cover_pockets(self, found: Pockets) -> None:
        """Add the fans of poses from which pockets are reached, and strips where those are lines in them."""
        self._seen = np.setdiff1d(self._seen, _cells(found.places))
        self.cover(found.places, found.sources, np.arange(len(found.places)))
        self._cover_along(pick(found, found.sources.mode >= 0))

    def _cover_along(self, found: Pockets) -> None:
        """Add the strips of legs in the middle of which last legs start that lead to what is missing."""
        found = pick(found, np.flatnonzero(self.is_missing(found.places)))
        if len(found.mode):
            legs, (family, first) = _whole_legs(self._space, found)
            aims = Aims(family, found.places)
            self.add(LegStrips(self._space, legs, found.heading[first], found.mode[first], aims), found.places)

    def _add_lines(self, states: PoseStates, mode: IntArray) -> None:
        """Add legs without a turn before them."""
        fans = PoseFans(self._space, states, self._facing)
        family = np.arange(len(mode)) * len(self._space.modes) + mode
        rays, ends = cast(self._space, fans, family, np.zeros(len(mode)), self._facing)
        sides = [rays.places(ends.ray, inches) for inches in (ends.near, ends.far)]
        self._lines.append(np.asarray(shapely.linestrings(np.stack(sides, axis=1)), object))

    def add_places(self, places: FloatArray) -> None:
        """Add single places."""
        self._places += map(shapely.Point, places.tolist())

    # --- what is missing ---

    def is_missing(self, places: FloatArray) -> BoolArray:
        """Find the places that are not in the area."""
        assert self._known is not None
        return self._known.lacks(places)

    def missing(self, places: FloatArray) -> FloatArray:
        """Return the places that are not in the area, and where the mover might stand."""
        return self._standing(places[self.is_missing(places)])

    def _standing(self, places: FloatArray) -> FloatArray:
        """Return the places at which the disc inside of the base stands on nothing that bars the way."""
        stands = legs_between(places, places, np.zeros(len(places)))
        return places[np.isinf(first_lengths(stands, self._free, self._space.bars_standing))]

    def beside(self) -> FloatArray:
        """Return places just outside the outline, all along it, on the table; one in each cell of a grid.

        Cells that have been looked at are not again, unless something was found there.
        """
        grown = shapely.buffer(self._area, _BESIDE, quad_segs=2)
        places = shapely.get_coordinates(shapely.segmentize(grown, _APART))
        left, bottom, right, top = self._space.window
        places = places[(places >= (left, bottom)).all(axis=1) & (places <= (right, top)).all(axis=1)]
        cells = _cells(places)
        cells, first = np.unique(cells, return_index=True)
        new = ~np.isin(cells, self._seen)
        self._seen = np.concatenate([self._seen, cells[new]])
        return self.missing(places[first[new]])

    # --- the answer ---

    def drawn(self) -> BaseGeometry:
        """Return the area less the places where the mover may not stand, and lines beyond it.

        Between two rays a fan is straight, and may cut off a corner of what stands there.
        """
        kept_off = _grown(self._space.bars, self._free.radius)
        ground = shapely.difference(self._area, kept_off)
        lines = np.concatenate(self._lines)
        beside = shapely.buffer(ground, _BESIDE_GROUND)
        shapely.prepare(beside)
        lines = lines[~shapely.covers(beside, lines)]
        merged = shapely.simplify(shapely.line_merge(shapely.union_all(lines, grid_size=GRID)), GRID)
        return together([ground], [merged, *self._places])


def _whole_legs(space: PoseSpace, found: Pockets) -> tuple[CastLegs, tuple[IntArray, IntArray]]:
    """The legs that ended where last legs start, as long as they may be, each once: which, and the first of each."""
    states = found.sources
    alike = np.stack(
        [states.parent, np.round(states.heading, 6), states.mode, np.round(found.heading, 6), found.mode], axis=1
    )
    _, first, family = np.unique(alike, axis=0, return_index=True, return_inverse=True)
    states, before = pick(states, first), pick(found.before, first)
    spent = states.travelled - before.travelled
    longest = space.longest_legs(space.left_for_legs(states.price - spent, before.travelled), states.mode)
    group = states.group._replace(inches=states.group.inches + longest - states.inches)
    legs = legs_to(space, before, states._replace(inches=longest, group=group))
    left = space.left_for_legs(legs.turns.price, legs.travelled)
    return replace(legs, inches=legs.rays.lengths_for(left)), (family.reshape(-1), first)


def _cells(places: FloatArray) -> IntArray:
    return np.asarray(np.round(places / _APART * 2).astype(np.intp) @ np.array([1 << 24, 1]))


def _grown(things: Sequence[Solid], inches: float) -> BaseGeometry:
    """Things with all places nearer than so many inches, and hardly more: circles are drawn from outside."""
    polygons = np.array([thing.polygon for thing in things], object)
    return shapely.union_all(shapely.buffer(polygons, inches / math.cos(math.pi / (4 * _ROUND)), quad_segs=_ROUND))
