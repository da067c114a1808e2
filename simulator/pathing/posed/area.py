"""The ground that a mover can end on: what legs from poses to turn at sweep, all together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.shapes import shrunk, together, where_wide
from simulator.geometry.tolerances import GRID, TOLERANCE
from simulator.pathing.columns import pick, rows_once
from simulator.pathing.posed.between_rays import Shapes
from simulator.pathing.posed.directions import are_oblique
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.oblique_sweeps import ObliqueFans
from simulator.pathing.posed.pockets import Pockets, before_them
from simulator.pathing.posed.ray_ends import cast
from simulator.pathing.posed.rays import legs_between
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.spanning_sweeps import StripsBefore
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.sweeps_of_rays import Aims, LegStrips, PoseFans, RaySweep
from simulator.pathing.posed.swept_area import KnownGround, Swept
from simulator.pathing.posed.tangents import Touching
from simulator.pathing.posed.whole_legs import alike_legs, whole_legs

#: So many fans, or strips, are added at once: the next are those of ends that are still missing.
_FANS, _STRIPS = 48, 48
#: An outline is looked at so many inches outside of it, at places so far apart.
_BESIDE, _APART = 0.05, 0.25
#: Where something was found so near, it is looked at more closely, at places so far apart.
_NEARBY, _CLOSE = 0.3, 0.1
#: Cracks that are nowhere so far from both sides are left as they are: more fans would leave more of those.
_CRACK = 0.01
#: Parts that lie apart are looked for no farther from the rest than this.
_AROUND = 0.5
#: How many corners a quarter of a circle is drawn with.
_ROUND = 32
#: Corners that are no sharper than this are wholly inside of what is drawn around them with straight sides.
_MITRE = 10.0
#: Whether a mover might end on a leg is looked up at the ends of so many parts of it.
_SHARES = 6
#: Ground of fewer square inches is a line.
_NO_GROUND = 1e-7
#: Ground that is hardly wider than this, in inches, is a line.
_THIN = 1e-5
#: Lines that lie nearer to ground are its border.
_BESIDE_GROUND = 1e-3


def sample_places(space: PoseSpace, apart: float = MESH) -> FloatArray:
    """Return places all over the part of the table that a mover may get to."""
    left, bottom, right, top = space.window
    x, y = np.meshgrid(np.arange(left, right + apart, apart), np.arange(bottom, top + apart, apart))
    return np.stack([np.minimum(x, right).ravel(), np.minimum(y, top).ravel()], axis=1)


def standing(space: PoseSpace, places: FloatArray) -> FloatArray:
    """Return the places at which the disc inside of the base stands on nothing that bars the way."""
    stands = legs_between(places, places, np.zeros(len(places)))
    return places[np.isinf(first_lengths(stands, Round(space.base.inner_radius), space.bars_standing))]


class DrawnArea:
    """The area of the fans that were added so far."""

    def __init__(
        self,
        space: PoseSpace,
        states: PoseStates,
        error: float,
        facing: float | None = None,
        samples: FloatArray | None = None,
        besides: BaseGeometry | None = None,
    ) -> None:
        """Draw the fans of states; ground `besides` is known to be ends without being drawn.

        `samples` are places all over at which the mover might stand, if they are known.
        """
        self._space, self._error, self._facing, self.besides = space, error, facing, besides
        self._touching = Touching(space)
        self._seen = np.zeros(0, np.intp)  #: cells of a grid in which nothing was found beside the outline
        self._found = np.zeros((0, 2))  #: what was found last
        self._between = set[tuple[float, ...]]()  #: places in narrow gaps that have been looked at
        self._area: BaseGeometry = shapely.Polygon()
        self._known: KnownGround | None = None
        self._lines: list[Shapes] = [np.zeros(0, object)]
        self._places: list[BaseGeometry] = []
        self._free = Round(space.base.inner_radius)
        #: Places all over the part of the table that the mover may get to, where it might stand.
        self.samples = standing(space, sample_places(space)) if samples is None else self._on_table(samples)
        #: What is known of a phase before the one that is drawn, if there is one.
        self.before: StripsBefore | None = None
        for fans in _fans(space, states, facing):
            self.add(fans)

    # --- what is added ---

    def add(self, sweep: RaySweep, missing: FloatArray | None = None, *, closely: bool = False) -> None:
        """Add the ground that a sweep ends on; rays are cast to what is known to be missing, see `Swept`."""
        if not len(sweep.first()[0]):
            self._known = self._known or self._known_now()
            return
        known = self._known if missing is None or self._known is None else self._known.without(missing)
        swept = Swept(self._space, sweep, self._error, known, self._facing, closely)
        swept.refine(self._touching)
        polygons, lines = swept.drawn()
        # What lies in one line cannot be made valid.
        polygons = polygons[shapely.area(shapely.convex_hull(polygons)) > _NO_GROUND]
        self._add_drawn_lines(lines)
        if len(polygons):
            # What crosses itself may leave lines behind, which are no ground.
            parts = shapely.get_parts(shapely.get_parts(shapely.make_valid(polygons)))
            parts = parts[shapely.area(parts) > _NO_GROUND]
            # Most of them lie in what is known, and are sooner left out than united with it.
            shapely.prepare(self._area)
            parts = parts[~shapely.covers(self._area, parts)]
            if self.besides is not None:
                parts = parts[~shapely.covers(self.besides, parts)]
            # Outlines that nearly coincide cross again and again: corners that are that close together are left out.
            self._area = shapely.simplify(shapely.union_all([self._area, *parts]), GRID)
        self._known = self._known_now()

    def add_ground(self, ground: BaseGeometry) -> None:
        """Add ground, and the lines and places beside it, that is known to be ends."""
        parts = shapely.get_parts(ground)
        flat = shapely.get_dimensions(parts)
        self._add_drawn_lines(parts[flat == 1])
        self._places += parts[flat == 0].tolist()
        self._area = shapely.union_all([self._area, *parts[flat == 2]])
        self._known = self._known_now()

    def _known_now(self) -> KnownGround:
        return KnownGround(self._area, self._error, self.samples, self.besides)

    def cover_ends(self, states: PoseStates, legs: CastLegs, placed: IntArray) -> None:
        """Add what legs that were cast lead to, until the ends of all of them are in the area.

        Of those that a mover is placed for, from states with some numbers, the ground is known.
        """
        ends, source = legs.rays.places(np.arange(len(legs.mode)), legs.inches), legs.turns.state
        row = np.flatnonzero(self.is_missing(ends) & ~np.isin(source, placed))
        if self._space.passes:
            row = row[self._have_room_on(legs, row)]
        sources = pick(states, source[row])
        before = before_them(sources, NumberedStates(states))
        found = Pockets(row, ends[row], sources, before, legs.turns.heading[row], legs.mode[row])
        found = found if self.before is None else self.before.with_states_before(found)
        self._cover_from_before(found)
        found = pick(found, np.flatnonzero(self.is_missing(found.places)))
        sources, heading, mode = found.sources, found.heading, found.mode
        straight = np.flatnonzero((heading == sources.heading) & ~are_oblique(mode))
        if len(straight):
            self._add_lines(pick(sources, straight), mode[straight])
        # Strips cover most of it at once. Fans of legs without a turn are lines: what leads there is the strip beside.
        self._cover_along(found)
        self.cover_with_fans(pick(found, (heading != sources.heading) | are_oblique(mode)))

    def _have_room_on(self, legs: CastLegs, row: IntArray) -> BoolArray:
        """Find the legs on which the mover might end: what it passes after them may leave no room anywhere on them.

        Room between the places looked at is not seen; what is ended on there is found beside the outline or by samples.
        """
        shares = np.linspace(0.0, 1.0, _SHARES + 1)[1:]
        places = legs.rays.places(np.repeat(row, _SHARES), (legs.inches[row, None] * shares).ravel())
        return np.asarray(Goals(places, None).have_room(self._space).reshape(-1, _SHARES).any(axis=1))

    def cover_pockets(self, found: Pockets, *, besides: bool = False) -> None:
        """Add the fans of poses from which pockets are reached, and strips where those are lines in them.

        They may be `besides` those that were covered before.
        """
        order = [self.cover_with_fans, self._cover_along]
        self._cover_from_before(found)
        for cover in order if self._facing is None else order[::-1]:
            cover(found)
        if self._facing is not None and not isinstance(self._space.base, Round):
            self._cover_along(found, closely=True)
            self.cover_with_fans(found, closely=True)
        # Where nothing could be added there is no use in looking once more.
        covered = found.places[~self.is_missing(found.places)]
        self._found = np.concatenate([self._found, covered]) if besides else covered
        for apart in (_APART, _CLOSE):
            self._seen = np.setdiff1d(self._seen, _cells(self._found, apart))

    def cover_with_fans(self, found: Pockets, at_once: int = _FANS, *, closely: bool = False) -> None:
        """Add fans that lead to places, so many at once, those first that most of the missing places come from."""
        left = pick(found, np.flatnonzero(self.is_missing(found.places)))
        while len(left.mode):
            sources = left.sources
            paid = [sources.price, sources.travelled, sources.free, *sources.group]
            if self._space.slant is not None:
                paid.append(sources.since)
            if self._space.inches_bind:
                paid.append(sources.covered)
            first, number = rows_once(np.column_stack([sources.place, sources.heading, *paid, sources.tolls.rows]))
            drawn = _of_the_most(number, at_once)
            some, state = np.unique(number[drawn], return_inverse=True)
            aims = Aims(state, left.mode[drawn], left.places[drawn])
            for fans in _fans(self._space, pick(sources, first[some]), self._facing, aims):
                self.add(fans, aims.place, closely=closely)
            left = self._still_missing(left, drawn)

    def _cover_along(self, found: Pockets, *, closely: bool = False) -> None:
        """Add the strips of legs in the middle of which last legs start that lead to what is missing."""
        left = pick(found, np.flatnonzero((found.sources.mode >= 0) & self.is_missing(found.places)))
        while len(left.mode):
            drawn = _of_the_most(alike_legs(left.before, left.sources, left.heading, left.mode)[1], _STRIPS)
            some = pick(left, drawn)
            legs, (family, first) = whole_legs(self._space, some.before, some.sources, some.heading, some.mode)
            aims = Aims(family, some.mode, some.places)
            strips = LegStrips(self._space, legs, some.heading[first], some.mode[first], aims)
            self.add(strips, some.places, closely=closely)
            left = self._still_missing(left, drawn)

    def _cover_from_before(self, found: Pockets) -> None:
        """Add the strips of legs of the phase before, where the one that leads to what is missing began on them."""
        if self.before is None:
            return
        left = pick(found, np.flatnonzero(self.before.lead_to(found) & self.is_missing(found.places)))
        while len(left.mode):
            drawn = _of_the_most(self.before.numbers(left), _STRIPS)
            some = pick(left, drawn)
            self.add(self.before.sweep(some), some.places)
            left = self._still_missing(left, drawn)

    def _still_missing(self, found: Pockets, drawn: IntArray) -> Pockets:
        """Those of pockets that were not drawn, and that are missing yet."""
        rest = np.delete(np.arange(len(found.mode)), drawn)
        return pick(found, rest[self.is_missing(found.places[rest])])

    def _add_lines(self, states: PoseStates, mode: IntArray) -> None:
        """Add legs without a turn before them."""
        fans = PoseFans(self._space, states, self._facing)
        family = np.arange(len(mode)) * len(self._space.asides) + mode
        rays, ends = cast(self._space, fans, family, np.zeros(len(mode)), self._facing)
        sides = [rays.places(ends.ray, inches) for inches in (ends.near, ends.far)]
        self._add_drawn_lines(np.asarray(shapely.linestrings(np.stack(sides, axis=1)), object))

    def _add_drawn_lines(self, lines: Shapes) -> None:
        if self.besides is not None:
            shapely.prepare(self.besides)
            lines = lines[~shapely.covers(self.besides, lines)]
        self._lines.append(lines)

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
        return standing(self._space, places[self.is_missing(places)])

    def missing_samples(self) -> FloatArray:
        """Return the samples that are not in the area."""
        return self.samples[self.is_missing(self.samples)]

    def beside(self) -> FloatArray:
        """Return places just outside the outline, all along it, on the table; one in each cell of a grid.

        Cells are smaller near what was found last. Those that have been looked at are not again, unless something was
        found there.
        """
        grown = self._grown()
        near = shapely.buffer(shapely.multipoints(self._found), _NEARBY, quad_segs=2)
        found = []
        for ground, apart in ((grown.boundary, _APART), (shapely.intersection(grown.boundary, near), _CLOSE)):
            places = self._on_table(shapely.get_coordinates(shapely.segmentize(ground, apart)))
            cells = _cells(places, apart)
            cells, first = np.unique(cells, return_index=True)
            new = ~np.isin(cells, self._seen)
            self._seen = np.concatenate([self._seen, cells[new]])
            found.append(places[first[new]])
        return self.missing(np.concatenate(found))

    def _grown(self) -> BaseGeometry:
        """The area and the lines outside of it, grown: who gets a little way ahead may get a little aside, too.

        With a heading most of an area may be lines, with no ends beside them.
        """
        grown = shapely.buffer(self._area, _BESIDE, quad_segs=2)
        if self._facing is not None:
            return grown
        lines = np.concatenate(self._lines)
        shapely.prepare(grown)
        # Grown all together, thousands of lines that cross each other take a hundred times as long.
        aside = shapely.buffer(lines[~shapely.covers(grown, lines)], _BESIDE, quad_segs=2)
        return shapely.union_all([grown, *aside])

    def beside_ground(self, ground: BaseGeometry) -> FloatArray:
        """Return places just outside the outline of some other ground, all along it, that are missing."""
        outline = shapely.buffer(ground, _BESIDE, quad_segs=2).boundary
        return self.missing(self._on_table(shapely.get_coordinates(shapely.segmentize(outline, _APART))))

    def _on_table(self, places: FloatArray) -> FloatArray:
        """Return the places in the part of the table that the mover may get to."""
        left, bottom, right, top = self._space.window
        return places[(places >= (left, bottom)).all(axis=1) & (places <= (right, top)).all(axis=1)]

    def beyond_no_end(self) -> FloatArray:
        """Return places around what the mover may pass over and not end on: ground there need not hang together."""
        things, reach = shapely.union_all([one.polygon for one in self._space.no_end]), self._space.base.reach
        near = shapely.buffer(things, reach + 2 * MESH, quad_segs=2)
        shapely.prepare(near)
        samples = sample_places(self._space)
        samples = samples[shapely.contains_xy(near, samples[:, 0], samples[:, 1])]
        # Beyond this line a base overlaps none of them, whichever way it faces.
        line = shapely.buffer(things, reach + _BESIDE, quad_segs=_ROUND).boundary
        # What nobody may end on may be much larger than the table.
        here = shapely.intersection(line, shapely.box(*self._space.window))
        along = shapely.get_coordinates(shapely.segmentize(here, _APART))
        return self.missing(np.concatenate([samples, along]))

    def around(self) -> FloatArray:
        """Return places all around the area, for parts of it that lie apart, and that `beside` does not see."""
        places = sample_places(self._space, _AROUND / 2)
        near = shapely.buffer(self._area, _AROUND, quad_segs=2)
        shapely.prepare(near)
        return self.missing(places[shapely.contains_xy(near, places[:, 0], places[:, 1])])

    def between(self) -> FloatArray:
        """Return a place in the midst of each crack between fans, which is too narrow for `beside` to see.

        Those that have been looked at are not again.
        """
        closed = shrunk(shapely.buffer(self._area, _BESIDE, quad_segs=2), _BESIDE)
        cracks = shapely.difference(closed, self._area)
        inside = shapely.point_on_surface(shapely.get_parts(shapely.buffer(cracks, -_CRACK, quad_segs=2)))
        places = self.missing(self._on_table(shapely.get_coordinates(inside)))
        new = np.array([place not in self._between for place in map(tuple, places.tolist())], np.bool_)
        self._between.update(map(tuple, places.tolist()))
        return places[new]

    # --- the answer ---

    @property
    def ground(self) -> BaseGeometry:
        """What was added so far, corners of what stands there not yet taken away."""
        return self._area

    def drawn(self) -> BaseGeometry:
        """Return the area less the places where the mover may not stand, and lines beyond it.

        Between two rays a fan is straight, and may cut off a corner of what stands there.
        """
        # Where the mover just fits, the ground is as wide as what it may overlap by for rounding.
        kept_off = grown(self._space.bars, max(self._free.radius - 2 * TOLERANCE, 0.0))
        ground = shapely.difference(self._area, kept_off)
        ground, thin = _thin_apart(ground)
        lines = np.concatenate([*self._lines, thin])
        beside = shapely.buffer(ground, _BESIDE_GROUND)
        shapely.prepare(beside)
        lines = lines[~shapely.covers(beside, lines)]
        merged = shapely.simplify(shapely.line_merge(shapely.union_all(lines, grid_size=GRID)), GRID)
        return together([ground], [merged, *self._places])


def _fans(space: PoseSpace, states: PoseStates, facing: float | None, aims: Aims | None = None) -> Iterator[RaySweep]:
    """Yield the fans of states, those of oblique legs apart; with aims as far as those are led to."""
    if aims is None:
        yield PoseFans(space, states, facing)
        if space.directions.oblique is not None:
            yield ObliqueFans(space, states, facing)
        return
    oblique = are_oblique(aims.mode)
    if not oblique.all():
        yield PoseFans(space, states, facing, pick(aims, ~oblique))
    if oblique.any():
        yield ObliqueFans(space, states, facing, pick(aims, oblique))


def _thin_apart(ground: BaseGeometry) -> tuple[BaseGeometry, Shapes]:
    """Return ground without the parts that are hardly wider than a line, and the borders of those."""
    wide = where_wide(ground, _THIN)
    parts = shapely.get_parts(shapely.difference(ground, wide))
    thin = parts[shapely.length(parts) > 2 * _BESIDE_GROUND]
    if not len(thin):
        return ground, np.zeros(0, object)
    return shapely.intersection(ground, wide), np.asarray(shapely.boundary(thin))


def _of_the_most(number: IntArray, many: int) -> IntArray:
    """Find the rows with those numbers, so many at most, that most rows have."""
    numbers, count = np.unique(number, return_counts=True)
    return np.flatnonzero(np.isin(number, numbers[np.argsort(-count, kind="stable")[:many]]))


def _cells(places: FloatArray, apart: float) -> IntArray:
    """Number the cells of a grid that places are in, two to a place each way; each grid has numbers of its own."""
    cells = np.round(places / apart * 2).astype(np.intp) @ np.array([1 << 24, 1])
    return np.asarray(2 * cells + (apart == _CLOSE))


def grown(things: Sequence[Solid], inches: float) -> BaseGeometry:
    """Return things with all places nearer than so many inches, and hardly more: circles are drawn from outside."""
    polygons = np.array([thing.polygon for thing in things], object)
    outside = shapely.buffer(polygons, inches / math.cos(math.pi / (4 * _ROUND)), quad_segs=_ROUND)
    # Beside straight sides not even a little more.
    beside = shapely.buffer(polygons, inches, join_style="mitre", mitre_limit=_MITRE)
    return shapely.union_all(shapely.intersection(outside, beside))
