"""The table made ready for the planner: what bars a soldier's way, with rough terrain open or closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import shapely
from shapely.geometry import Polygon

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import CONTACT
from simulator.pathing.free import Obstacles, PreparedTable, prepare
from simulator.rulesets.skirmish.obstruction import edges_of, exact_fits, exact_gaps, features_of, room_of
from simulator.rulesets.skirmish.rolls import terrain_roll
from simulator.rulesets.skirmish.units import SkirmishTable, bases_of, enemies, friends, radius_of

#: For the planner bases are so much smaller, so that an exact fit stays open: a board's corners lie on a grid of a
#: millionth of an inch, which may narrow a gap by more than that, and the judge lets a base pass that deep.
_SHAVE = 8e-7
#: How near to what bars a base the outline of an area is drawn, and what turn of it is a corner, in radians.
_AS_DRAWN = 0.003
_SHARP = 0.35
#: Two things so nearly a base's width apart count as an exact fit, as bases are drawn with corners.
_NEAR_FIT = 2e-3
#: Deeper than this in rough ground a soldier does not stand on its edge.
_INSIDE = CONTACT


@clause("SK-16", "SK-17", "SK-49", "SK-53", "SK-63")
def prepared(table: SkirmishTable, unit: Unit, without_obstacles: bool = False) -> PreparedTable:
    """Return the table as the planner wants it, with all that bars a soldier's way.

    Where only the line has to keep off enemies, and one of them is smaller than the soldier, the planner's bases would
    need a radius below nothing: then everything is grown instead, and the soldier taken as a point. So it is where a
    gap just as wide as the base is too narrow: such a gap is closed, and nothing else.
    """
    if not without_obstacles and len(exact_fits(table, unit)):
        return grown(table, unit)
    found = features_of(table)
    foes = bases_of(enemies(table, unit))
    if table.options.enemy_block == "line_only":
        if np.any(foes[:, 2] < radius_of(unit)):
            return grown(table, unit, without_obstacles=without_obstacles)
        foes[:, 2] -= radius_of(unit)
    low_x, low_y, high_x, high_y = table.board.bounds
    box = (low_x, low_y, high_x, high_y)
    pieces = [] if without_obstacles else found.straight_sided
    if not without_obstacles:
        foes = np.concatenate([foes, _round_obstacles(table)])
    areas = [piece.shape.polygon for piece in pieces if isinstance(piece.shape.polygon, Polygon)]
    walls = [edges_of(piece) for piece in pieces if not isinstance(piece.shape.polygon, Polygon)]
    obstacles = Obstacles(foes, np.concatenate([np.zeros((0, 4)), *walls]), areas, box)
    return prepare(obstacles, radius_of(unit) - _SHAVE)


@clause("SK-16", "SK-17", "SK-49", "SK-53", "SK-63")
def grown(
    table: SkirmishTable,
    unit: Unit,
    *,
    rough_is_closed: bool = False,
    only: Sequence[str] | None = None,
    without_obstacles: bool = False,
) -> PreparedTable:
    """Return the table for the base's centre as a point, all else grown by its radius, perhaps with rough closed.

    The planner knows one radius only. An edge grows to a rectangle with two discs at its ends, a base to a larger disc.
    Of rough ground `only` some patches may be closed.
    """
    found, radius = features_of(table), radius_of(unit) - _SHAVE
    foes = bases_of(enemies(table, unit))
    if table.options.enemy_block == "swept_base":
        foes[:, 2] += radius
    discs, areas, edges = [foes], [], np.zeros((0, 4))
    if not without_obstacles:
        edges = np.concatenate([edges, *(edges_of(piece) for piece in found.straight_sided)])
        areas += [cast(Polygon, piece.shape.polygon) for piece in found.straight_sided if piece.shape.polygon.area]
        discs.append(_round_obstacles(table) + np.array([0.0, 0.0, radius]))
    along = (edges[:, 2:] - edges[:, :2]) / np.hypot(*(edges[:, 2:] - edges[:, :2]).T)[:, None]
    across = radius * np.column_stack([-along[:, 1], along[:, 0]])
    for edge, off in zip(edges, across, strict=True):
        areas.append(Polygon([edge[:2] - off, edge[2:] - off, edge[2:] + off, edge[:2] + off]))
    corners = np.unique(edges.reshape(-1, 2), axis=0)
    discs.append(np.column_stack([corners, np.full(len(corners), radius)]))
    if rough_is_closed:
        drawn, spots = _rough_as_obstacles(table, radius, only)
        areas += drawn
        discs.append(spots)
    throats = np.zeros((0, 4)) if without_obstacles else exact_fits(table, unit)
    return prepare(Obstacles(np.concatenate(discs), throats, areas, room_of(table, unit)), 0.0)


@clause("SK-66")
def _round_obstacles(table: SkirmishTable) -> FloatArray:
    """The obstacles drawn as discs, rows x, y, radius.

    The judge takes a polygon of many corners, which lies within the disc and not a ten-thousandth inside for a radius
    of an inch; the planner would have to look past every one of those corners.
    """
    return np.array(list(features_of(table).discs.values()), np.float64).reshape(-1, 3)


@clause("SK-8")
def _rough_as_obstacles(
    table: SkirmishTable, radius: float, only: Sequence[str] | None
) -> tuple[list[Polygon], FloatArray]:
    """Rough ground as polygons and discs that a centre keeps out of, if it is to make no roll."""
    pieces = [piece for piece in features_of(table).rough if only is None or piece.id in only]
    areas = [piece.shape.polygon for piece in pieces if isinstance(piece.shape.polygon, Polygon)]
    if table.options.rough_test == "centre_line":
        return areas, np.zeros((0, 3))
    corners = np.unique(shapely.get_coordinates(areas), axis=0)
    wide = [Polygon(area.buffer(radius, quad_segs=64).exterior) for area in areas]
    return [*areas, *wide], np.column_stack([corners, np.full(len(corners), radius)])


@dataclass(frozen=True, eq=False)
class Grounds:
    """The grounds of one soldier: open to all its ways, and without rough terrain."""

    table: SkirmishTable
    unit: Unit

    @cached_property
    def radius(self) -> float:
        """The radius of the base."""
        return radius_of(self.unit)

    @cached_property
    def has_rough(self) -> bool:
        """Whether there is rough ground that a Terrain roll can fail on."""
        return bool(features_of(self.table).rough_areas) and terrain_roll(self.table, self.unit).chance < 1

    @cached_property
    def open(self) -> PreparedTable:
        """What bars the way."""
        return prepared(self.table, self.unit)

    @cached_property
    def clean(self) -> PreparedTable:
        """What bars a way on which no roll is due."""
        return grown(self.table, self.unit, rough_is_closed=True) if self.has_rough else self.open

    @cached_property
    @clause("SK-49")
    def tight_places(self) -> tuple[FloatArray, FloatArray]:
        """The middles of gaps that the base just fits, at both ends of each, and the directions through them.

        There are none where such gaps do not let it pass.
        """
        found = exact_gaps(self.table, self.unit) if self.table.options.exact_fit_passes else []
        throats = np.array(
            [(*gap.throat.middle, *gap.throat.slide, *gap.throat.through) for gap in found], np.float64
        ).reshape(-1, 6)
        places = np.concatenate([throats[:, :2], throats[:, :2] + throats[:, 2:4]])
        return places, np.tile(throats[:, 4:], (2, 1))

    @cached_property
    @clause("SK-49")
    def axes(self) -> FloatArray:
        """The lines straight through what the base just fits, rows x, y of a place and a direction.

        Ends there and beyond may be lines, which no area shows. Bases and the table's edge leave such room, too.
        """
        width = 2.0 * self.radius
        middles, ways = self.tight_places
        foes = bases_of(enemies(self.table, self.unit))
        corners = shapely.get_coordinates(shapely.box(*self.table.board.bounds))
        sides = shapely.linestrings(np.stack([corners[:-1], corners[1:]], axis=1))
        things = np.concatenate([shapely.points(foes[:, :2]), features_of(self.table).polygons, sides])
        wide = np.concatenate([foes[:, 2], np.zeros(len(things) - len(foes))])
        # Only what is that near can be a fit: things are not compared each with all others.
        far = width + _NEAR_FIT + 2.0 * float(wide.max())
        one, other = shapely.STRtree(things).query(things, predicate="dwithin", distance=far)
        one, other = one[one < other], other[one < other]
        lines = shapely.shortest_line(things[one], things[other])
        apart = shapely.length(lines) - wide[one] - wide[other]
        fit = np.flatnonzero((np.abs(apart - width) <= _NEAR_FIT) & (shapely.length(lines) > 0.0))
        begin, end = shapely.get_coordinates(lines[fit]).reshape(-1, 2, 2).transpose(1, 0, 2)
        across = (end - begin) / np.hypot(*(end - begin).T)[:, None]
        begin, end = begin + wide[one[fit], None] * across, end - wide[other[fit], None] * across
        rows = np.hstack([(begin + end) / 2, -across[:, 1:], across[:, :1]])
        return np.concatenate([np.hstack([middles, ways]), rows])

    @cached_property
    def _no_end(self) -> FloatArray:
        kept_off = friends(self.table, self.unit)
        if self.table.options.enemy_block == "line_only":
            kept_off = [*kept_off, *enemies(self.table, self.unit)]
        return bases_of(kept_off)

    @clause("SK-17", "SK-53", "SK-63")
    def are_free(self, ring: FloatArray) -> BoolArray:
        """Return which corners of a drawn outline have open ground beyond, not just what bars the base all along.

        Sharp corners always count: between two things an outline may have no other end.
        """
        after = np.roll(ring, -1, axis=0)
        touch = self._touch(np.concatenate([ring, (ring + after) / 2]))
        at, ahead = touch[: len(ring)], touch[len(ring) :]
        barred = at & ahead & np.roll(ahead, 1) & np.roll(at, 1) & np.roll(at, -1)
        step = after - ring
        came = np.roll(step, 1, axis=0)
        turn = np.arctan2(came[:, 0] * step[:, 1] - came[:, 1] * step[:, 0], np.sum(came * step, axis=1))
        return np.asarray(~barred | (np.abs(turn) > _SHARP))

    def _touch(self, places: FloatArray) -> BoolArray:
        """Which places are about as near as may be to something that bars every way."""
        found, radius = features_of(self.table), self.radius + _AS_DRAWN
        touch = np.zeros(len(places), np.bool_)
        touch[found.tree.query(shapely.points(places), predicate="dwithin", distance=radius)[0]] = True
        if self.table.options.enemy_block == "swept_base":
            foes = bases_of(enemies(self.table, self.unit))
            apart = np.hypot(places[:, None, 0] - foes[:, 0], places[:, None, 1] - foes[:, 1])
            touch |= np.any(apart <= foes[:, 2] + radius, axis=1)
        low_x, low_y, high_x, high_y = room_of(self.table, self.unit)
        (x, y), near = places.T, _AS_DRAWN
        touch |= (x <= low_x + near) | (x >= high_x - near) | (y <= low_y + near) | (y >= high_y - near)
        return touch

    @property
    def rims(self) -> FloatArray:
        """The circles on which a soldier touches somebody whose base it may pass, but not end on: rows x, y, radius."""
        circles = self._no_end.copy()
        circles[:, 2] += self.radius
        return circles

    def no_end(self, ground: PreparedTable) -> FloatArray:
        """The bases that may be passed but not ended on, as the planner wants them for a ground."""
        return self._no_end if ground.radius else self.rims

    @clause("SK-8")
    def off_rough(self, places: FloatArray) -> BoolArray:
        """Return which places do not lie in rough ground: a way that begins in it is rolled for."""
        off = np.ones(len(places), np.bool_)
        if not self.has_rough:
            return off
        spots = shapely.points(places)
        swept = self.table.options.rough_test == "swept_base"
        for area in features_of(self.table).rough_areas:
            inside = shapely.contains_properly(area.polygon, spots)
            depth = shapely.distance(shapely.boundary(area.polygon), spots)
            off &= ~(inside & (depth > _INSIDE))
            if swept:
                off &= depth >= self.radius - _INSIDE
        return off
