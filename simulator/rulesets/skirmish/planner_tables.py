"""The table prepared for the planner: what bars a soldier's way, with rough terrain open or closed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import shapely
from shapely.geometry import Polygon

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.standing_room import StandingRoom
from simulator.geometry.tight_fits import lines_through_fits
from simulator.geometry.tolerances import CONTACT, GRID, TOLERANCE
from simulator.pathing.free import Obstacles, PreparedTable, prepare
from simulator.pathing.free.grown import grown_edges
from simulator.pathing.outline_places import AS_DRAWN, open_corners
from simulator.rulesets.skirmish.obstruction import (
    cross_rough,
    enemies_bar_bases,
    exact_fits,
    exact_gaps,
    features_of,
    room_of,
    rough_areas,
    standing_room,
)
from simulator.rulesets.skirmish.rolls import terrain_roll
from simulator.rulesets.skirmish.units import SkirmishTable, bases_of, enemies, friends, radius_of

#: For the planner bases are this much smaller, so that an exact fit stays open: a board's corners lie on a grid of a
#: millionth of an inch, which may narrow a gap by more than that, and the judge lets a base overlap that deep.
_SHAVE = 8e-7
#: Places to bend or stop at lie no deeper than this in the planner's ground: as that is shaved, the judge lets the base
#: go on from there by more than rounding.
_DEEPEST = 0.15 * TOLERANCE
#: The places beside one on the grid that coordinates lie on, itself first.
_BESIDE = GRID * np.array([(0, 0), *((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)], np.float64)
#: A soldier deeper than this in rough ground does not stand on its edge.
_INSIDE = CONTACT


@clause("SK-16", "SK-17", "SK-49", "SK-53", "SK-63")
def prepared(table: SkirmishTable, unit: Unit, without_obstacles: bool = False) -> PreparedTable:
    """Return the table for the planner, with everything that bars a soldier's way.

    Where only the line has to keep off enemies, and one of them is smaller than the soldier, the planner's bases would
    need a negative radius: then everything is grown instead, and the soldier becomes a point. The same holds where a
    gap of exactly the width of the base is too narrow: such a gap is closed, and nothing else.
    """
    if not without_obstacles and len(exact_fits(table, unit)):
        return grown(table, unit)
    found = features_of(table)
    foes = bases_of(enemies(table, unit))
    if not enemies_bar_bases(table):
        if np.any(foes[:, 2] < radius_of(unit)):
            return grown(table, unit, without_obstacles=without_obstacles)
        foes[:, 2] -= radius_of(unit)
    low_x, low_y, high_x, high_y = table.board.bounds
    box = (low_x, low_y, high_x, high_y)
    pieces = [] if without_obstacles else found.obstacles.straight_sided
    if not without_obstacles:
        foes = np.concatenate([foes, _round_obstacles(table)])
    areas = [piece.shape.polygon for piece in pieces if isinstance(piece.shape.polygon, Polygon)]
    walls = [np.asarray(piece.shape.edges) for piece in pieces if not isinstance(piece.shape.polygon, Polygon)]
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
    """Return the table for the base's centre as a point, all else grown by its radius, optionally with rough closed.

    The planner supports one radius only. An edge grows to a rectangle with two discs at its ends, a base to a larger
    disc. Of rough ground `only` some patches may be closed.
    """
    found, radius = features_of(table), radius_of(unit) - _SHAVE
    foes = bases_of(enemies(table, unit))
    if enemies_bar_bases(table):
        foes[:, 2] += radius
    discs, areas, edges = [foes], [], np.zeros((0, 4))
    if not without_obstacles:
        edges = np.concatenate([edges, *(piece.shape.edges for piece in found.obstacles.straight_sided)])
        sided = (piece.shape.polygon for piece in found.obstacles.straight_sided)
        areas += [cast(Polygon, polygon) for polygon in sided if polygon.area]
        discs.append(_round_obstacles(table) + np.array([0.0, 0.0, radius]))
    along, ends = grown_edges(edges, radius)
    areas += along
    discs.append(ends)
    if rough_is_closed:
        drawn, spots = _rough_as_obstacles(table, radius, only)
        areas += drawn
        discs.append(spots)
    throats = np.zeros((0, 4)) if without_obstacles else exact_fits(table, unit)
    return prepare(Obstacles(np.concatenate(discs), throats, areas, room_of(table, unit)), 0.0)


@clause("SK-66")
def _round_obstacles(table: SkirmishTable) -> FloatArray:
    """Return the obstacles drawn as discs, rows x, y, radius.

    The judge uses a polygon of many corners, which lies within the disc and less than a ten-thousandth inside for a
    radius of an inch; the planner would have to look past every one of those corners.
    """
    return features_of(table).obstacles.disc_rows


@clause("SK-8")
def _rough_as_obstacles(
    table: SkirmishTable, radius: float, only: Sequence[str] | None
) -> tuple[list[Polygon], FloatArray]:
    """Return rough ground as polygons and discs that a centre keeps out of to avoid a roll."""
    pieces = [piece for piece in features_of(table).rough if only is None or piece.id in only]
    areas = [piece.shape.polygon for piece in pieces if isinstance(piece.shape.polygon, Polygon)]
    if table.options.rough_test == "centre_line":
        whole = [area.polygon for area in rough_areas(table) if isinstance(area.polygon, Polygon)]
        return whole if only is None else areas, np.zeros((0, 3))
    corners = np.unique(shapely.get_coordinates(areas), axis=0)
    wide = [area.buffer(radius, quad_segs=64) for area in areas]
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
        return bool(rough_areas(self.table)) and terrain_roll(self.table, self.unit).chance < 1

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

        There are none if such gaps do not let it pass.
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
        """The lines straight through gaps that the base just fits, rows x, y of a place and a direction.

        Ends there and beyond may be lines, which no area shows. Bases and the table's edge form such gaps too.
        """
        width = 2.0 * self.radius
        middles, ways = self.tight_places
        foes = bases_of(enemies(self.table, self.unit))
        outlines = features_of(self.table).obstacles.polygons
        rows = lines_through_fits(outlines, foes, self.table.board.bounds, width)
        return np.concatenate([np.hstack([middles, ways]), rows])

    @cached_property
    def _no_end(self) -> FloatArray:
        kept_off = friends(self.table, self.unit)
        if not enemies_bar_bases(self.table):
            kept_off = [*kept_off, *enemies(self.table, self.unit)]
        return bases_of(kept_off)

    @cached_property
    @clause("SK-17", "SK-53", "SK-63")
    def barring(self) -> StandingRoom:
        """All that bars the base of a soldier wherever it goes: obstacles, the table's edge, enemies where they do."""
        foes = bases_of(enemies(self.table, self.unit) if enemies_bar_bases(self.table) else [])
        return replace(standing_room(self.table, self.unit), bases=foes)

    def are_free(self, ring: FloatArray) -> BoolArray:
        """Return which corners of a drawn outline have open ground beyond, not just what bars the base all along."""
        return open_corners(ring, lambda places: self.barring.touched(places, AS_DRAWN))

    @clause("SK-17", "SK-53")
    def are_clear(self, places: FloatArray, ground: PreparedTable | None = None) -> BoolArray:
        """Return at which places the judge lets the base pass beyond doubt: the planner's contact reaches deeper."""
        return np.asarray((ground or self.open).depths(places) <= _DEEPEST)

    def cleared(self, places: FloatArray, are_legal: Callable[[FloatArray], BoolArray]) -> FloatArray:
        """Return the legal ones of some places, those just at the limit moved beside by the grid that they lie on.

        A place rounded to the grid may be as deep in a wall as the judge forgives, and a line to it deeper by a hair.
        """
        clear = self.are_clear(places)
        found, rest = places[clear], places[~clear]
        beside = (rest[:, None] + _BESIDE).reshape(-1, 2)
        fits = are_legal(beside)
        good = (fits & self.are_clear(beside)).reshape(-1, len(_BESIDE))
        moved, at_limit = np.flatnonzero(good.any(axis=1)), fits.reshape(good.shape)[:, 0] & ~good.any(axis=1)
        off = rest[moved] + _BESIDE[good[moved].argmax(axis=1)]
        return np.concatenate([found[are_legal(found)], off, rest[at_limit]])

    @property
    def rims(self) -> FloatArray:
        """The circles on which a soldier touches a base that it may pass, but not end on: rows x, y, radius."""
        circles = self._no_end.copy()
        circles[:, 2] += self.radius
        return circles

    def no_end(self, ground: PreparedTable) -> FloatArray:
        """Return the bases that may be passed but not ended on, in the planner's form for a ground."""
        return self._no_end if ground.radius else self.rims

    @clause("SK-8")
    def off_rough(self, places: FloatArray) -> BoolArray:
        """Return which places do not lie in rough ground: a way that begins in it needs a roll."""
        off = np.ones(len(places), np.bool_)
        if not self.has_rough:
            return off
        swept = self.table.options.rough_test == "swept_base"
        away = self.radius if swept else 0.0
        x, y = places.T
        for area in rough_areas(self.table):
            x1, y1, x2, y2 = area.polygon.bounds
            near = np.flatnonzero((x >= x1 - away) & (x <= x2 + away) & (y >= y1 - away) & (y <= y2 + away))
            spots = shapely.points(places[near])
            inside = shapely.contains_properly(area.polygon, spots)
            depth = shapely.distance(shapely.boundary(area.polygon), spots)
            kept_off = ~(inside & (depth > _INSIDE))
            if swept:
                kept_off &= depth >= self.radius - _INSIDE
            off[near] &= kept_off
        return off

    @clause("SK-8")
    def cross_rough(self, starts: FloatArray, ends: FloatArray) -> BoolArray:
        """Return which straight lines from starts to ends require a Terrain roll."""
        return cross_rough(self.table, self.unit, Paths.of_lines(np.stack([starts, ends], axis=1)))
