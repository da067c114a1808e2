"""Where a transport can stop for a piece to walk up to it and board: what a drive to fetch somebody has to end in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.bitmaps import Bitmap
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import shrunk
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.rays import units
from simulator.pathing.traces import NoRoute
from simulator.rulesets.combined_arms.beside_hull import farthest_beside, ground_beside, ground_in_poses
from simulator.rulesets.combined_arms.boarding import WalkToBoard, cheapest_boarding
from simulator.rulesets.combined_arms.reach import ArmsReach, reach_of
from simulator.rulesets.combined_arms.transport import breaches_anywhere, most_on_foot
from simulator.rulesets.combined_arms.units import ArmsTable, base_of

#: The least width and the greatest number of the cells in which the ground that it walks to is drawn.
_CELL, _CELLS = 0.02, 4_000_000
#: The spacing in inches of the places tried beside a transport, around its ground and within it.
_AROUND, _WITHIN = 0.1, 0.25
#: How many of them are tried first, and how many places there are in a lot of poses.
_FIRST, _AT_ONCE = 12, 400_000


@dataclass(frozen=True, eq=False)
class Pickup:
    """The poses of a transport in which a piece can board it at the end of a walk in the same turn."""

    table: ArmsTable  #: with the transport gone from where it stood
    unit: Unit
    carrier: Unit
    approach: WalkToBoard  #: where the piece can walk in time to board

    @classmethod
    def all_of(cls, table: ArmsTable, unit: Unit, carrier: Unit) -> list[Pickup]:
        """Return where a piece can be fetched this turn, from the ground and from each storey."""
        gone = type(table)(table.setting, table.state.with_unit(carrier.put(place=None)))
        walked = reach_of(gone, unit, "move")
        space = walked.space
        most = min(space.budget, most_on_foot(table, unit))
        if most != space.budget:
            walked = ArmsReach(gone, unit, "move", replace(walked.moves, space=replace(space, budget=most)), ())
        return [cls(gone, unit, carrier, one) for one in WalkToBoard.all_of(walked, carrier)]

    @property
    def walked(self) -> ArmsReach:
        """Where the piece can walk in time to board."""
        return self.approach.walked

    # --- where it can board ---

    @cached_property
    def _on_foot(self) -> BaseGeometry:
        """Where it can stand to board."""
        return self.approach.area

    @cached_property
    def _closed(self) -> BaseGeometry:
        """What may be between it and a door."""
        closed = self.approach.closed
        shapely.prepare(closed)
        return closed

    @cached_property
    def _ground(self) -> BaseGeometry:
        """The ground beside a transport at 0,0 that faces along +x."""
        parts = ground_beside(self.table, self.unit, self.carrier)
        return shapely.union_all([shapely.Polygon(part) for part in parts])

    @cached_property
    def _beside(self) -> FloatArray:
        """Places on that ground: those spread the most come first."""
        ground = self._ground
        if ground.is_empty:
            return np.zeros((0, 2))
        left, bottom, right, top = ground.bounds
        x, y = np.meshgrid(np.arange(left, right, _WITHIN), np.arange(bottom, top, _WITHIN))
        inside = np.column_stack([x.ravel(), y.ravel()])
        inside = inside[shapely.contains_xy(ground, *inside.T)]
        rings = shapely.get_rings(shapely.get_parts(ground))
        around = [shapely.line_interpolate_point(ring, np.arange(0.0, ring.length, _AROUND)) for ring in rings.tolist()]
        places = np.concatenate([inside, shapely.get_coordinates(np.concatenate(around))])
        order = np.argsort(np.arange(len(places)) * 0.618033988749895 % 1.0, kind="stable")
        return np.asarray(places[order])

    @property
    def _far(self) -> float:
        return float(np.hypot(*self._beside.T).max(initial=0.0))

    @cached_property
    def _ground_beside(self) -> Bitmap:
        """The same as cells of which all places will do."""
        ground = self._ground
        return Bitmap.of(shapely.buffer(ground, -0.75 * _CELL, quad_segs=2), ground.bounds, _CELL)

    @cached_property
    def _corners(self) -> FloatArray:
        """Where it can stand at the corners of that ground, which cells leave out, and on lines beside it."""
        parts = shapely.get_parts(self._on_foot)
        ground = shapely.simplify(parts[shapely.get_dimensions(parts) == 2], _CELL)
        lines = shapely.segmentize(parts[shapely.get_dimensions(parts) < 2], _AROUND)
        places = shapely.get_coordinates(np.concatenate([ground, lines]))
        return np.asarray(places[np.isfinite(self.approach.costs_of(places))])

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """The least x and y of all places of such poses, and the greatest."""
        left, bottom, right, top = self._on_foot.bounds if len(self._beside) else (np.nan,) * 4
        far = self._far
        return left - far, bottom - far, right + far, top + far

    @cached_property
    def _map(self) -> Bitmap:
        """Where it can stand to board: cells of which all places will do."""
        left, bottom, right, top = self._on_foot.bounds
        cell = max(_CELL, float(np.sqrt((right - left) * (top - bottom) / _CELLS)))
        within = shapely.buffer(self._on_foot, -0.75 * cell, quad_segs=2)
        return Bitmap.of(within, (left, bottom, right, top), cell)

    @cached_property
    def _on_foot_roughly(self) -> Bitmap:
        """Wide cells in which it can stand to board somewhere."""
        cells = self._map.cells.copy()
        column, row = ((self._corners - self._map.corner) / self._map.apart).astype(np.intp).T
        cells[np.minimum(row, cells.shape[0] - 1), np.minimum(column, cells.shape[1] - 1)] = True
        return self._map._replace(cells=cells).coarser(max(round(_WITHIN / self._map.apart), 1))

    @cached_property
    def _near(self) -> Bitmap:
        """Where its reference point may be for that."""
        return _grown(self._on_foot_roughly, self._far)

    @cached_property
    def _near_doors(self) -> Bitmap:
        """Where a door may be for that."""
        return _grown(self._on_foot_roughly, float(self.table.options.door_radius) + base_of(self.unit).reach)

    def near(self, places: FloatArray) -> BoolArray:
        """Find the places in which the transport may be for the piece to board it, whichever way it faces."""
        if self._on_foot.is_empty or not len(self._beside):
            return np.zeros(len(places), np.bool_)
        return self._near.has(places)

    def has(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find the poses of the transport in which the piece can board it."""
        found = self.near(places)
        rows = np.flatnonzero(found)
        rows = rows[self._is_clear(places[rows], headings[rows])]
        found[:] = False
        lot = max(_AT_ONCE // max(len(self._beside), len(self._corners), 1), 1)
        for first in range(0, len(rows), lot):
            some = rows[first : first + lot]
            found[some] = self._is_beside(places[some], headings[some])
        if not self._closed.is_empty:
            some = np.flatnonzero(found)
            far = farthest_beside(self.table, self.unit, self.carrier)
            some = some[shapely.dwithin(self._closed, shapely.points(places[some]), far)]
            ground = ground_in_poses(self.table, self.unit, self.carrier, self._closed, places[some], headings[some])
            found[some] = shapely.intersects(shrunk(self._on_foot, self._map.apart), ground)
        return found

    def _is_beside(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        cos, sin = units(headings).T
        found, near = np.zeros(len(places), np.bool_), np.ones(len(places), np.bool_)
        if doors := self.carrier["doors"]:
            x, y = np.array(doors, np.float64).T
            turned = np.stack([np.outer(cos, x) - np.outer(sin, y), np.outer(sin, x) + np.outer(cos, y)], axis=2)
            near = np.asarray(self._near_doors.has(turned + places[:, None]).any(axis=1))
        for some in (self._beside[:_FIRST], self._beside[_FIRST:]):
            row = np.flatnonzero(near & ~found)
            x, y = some.T
            around = np.stack(
                [
                    np.outer(cos[row], x) - np.outer(sin[row], y) + places[row, :1],
                    np.outer(sin[row], x) + np.outer(cos[row], y) + places[row, 1:],
                ],
                axis=2,
            )
            found[row] = self._map.has(around).any(axis=1)
        row = np.flatnonzero(near & ~found)
        away = self._corners[None] - places[row, None]
        ahead, aside = cos[row, None], sin[row, None]
        x, y = away[..., 0], away[..., 1]
        corners = np.stack([ahead * x + aside * y, ahead * y - aside * x], axis=2)
        found[row] = self._ground_beside.has(corners).any(axis=1)
        return found

    def _is_clear(self, places: FloatArray, headings: FloatArray) -> BoolArray:
        """Find the poses in which the transport does not stop on the piece, which is still where it begins."""
        here, hull = np.array(self.unit.place, np.float64), base_of(self.carrier).at(0.0, 0.0, 0.0).polygon
        reach = base_of(self.unit).reach - TOLERANCE
        if hull.is_empty or not base_of(self.carrier).reach:
            return np.asarray(np.hypot(*(places - here).T) >= reach)
        far = base_of(self.carrier).reach + max(reach, 0.0)
        clear: BoolArray = np.asarray(np.hypot(*(places - here).T) > far)
        row = np.flatnonzero(~clear)
        cos, sin = units(headings[row]).T
        x, y = (here - places[row]).T
        there = shapely.points(cos * x + sin * y, cos * y - sin * x)
        meets = shapely.contains_properly(hull, there) if reach < 0.0 else shapely.dwithin(hull, there, reach)
        clear[row] = ~meets
        return clear

    # --- how it boards ---

    def breaches(self) -> list[Breach]:
        """Return the reasons why the piece cannot board, wherever the transport stops."""
        standing = type(self.table)(self.table.setting, self.table.state.with_unit(self.carrier))
        return list(breaches_anywhere(standing, self.unit, self.carrier, Fraction(0), boards=True))

    def too_far(self, carrier: Unit, place: XY) -> Breach:
        """Return why it does not get aboard a transport that stops at a place."""
        most = float(self.walked.space.budget)
        message = f"{self.unit.id} does not get to {carrier.id} there, facing as it would, for {most:g} inches"
        return Breach("CA-125", message, None, most, carrier.id, place)

    def order(self, carrier: Unit) -> Order:
        """Return the order by which it boards, for the least price, once the transport has stopped for it."""
        table = type(self.table)(self.table.setting, self.table.state.with_unit(carrier))
        found = cheapest_boarding(table, self.unit, carrier, self.approach)
        if found.order is None:
            raise NoRoute("; ".join(breach.message for breach in found.against))
        return found.order


def _grown(cells: Bitmap, inches: float) -> Bitmap:
    """Cells from which some others may be so near, with all around them."""
    apart = cells.apart
    more = int(np.ceil((inches + apart) / apart))
    around = Bitmap(cells.corner - more * apart, apart, np.pad(cells.cells, more))
    return around.grown(inches + apart)
