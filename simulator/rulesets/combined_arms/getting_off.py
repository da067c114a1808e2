"""Where a passenger can end that gets off its transport: set down beside a door, and on from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Element
from simulator.engine.state import Unit
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import PolygonShape
from simulator.geometry.shapes import polygons_of
from simulator.geometry.tolerances import GRID
from simulator.pathing.posed import ANY_HEADING, Headings, Inside, Placing, PoseStart
from simulator.pathing.posed.begins import Line
from simulator.pathing.posed.lines_around import drawn
from simulator.rulesets.combined_arms.beside_doors import beside_doors
from simulator.rulesets.combined_arms.exact_places import exact_lines
from simulator.rulesets.combined_arms.facings import FacedWays, clear_facing, facings, near_facing
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.rulesets.combined_arms.storeys import is_beside
from simulator.rulesets.combined_arms.transport import breaches_anywhere, put_beside
from simulator.rulesets.combined_arms.units import ArmsTable, base_of

#: The corners to a quarter of a circle, drawn from inside: at most a hundredth of an inch is missed.
_ROUND = 6
#: So far a passenger keeps from what it may not stand on, so that outlines need no more corners than that takes.
_CLEAR = 0.01
#: Areas of fewer square inches are single places.
_A_PLACE = 1e-9
#: No ground for any heading.
NOWHERE: Mapping[float, BaseGeometry] = MappingProxyType({})


class Passenger(NamedTuple):
    """A passenger as it is once it has got off: the table then, with the passenger where its transport is."""

    table: ArmsTable
    unit: Unit
    carrier: Unit

    @classmethod
    def of(cls, table: ArmsTable, unit: Unit) -> Passenger:
        """Return a passenger; where it is set down is left open."""
        carrier = table.unit(unit.carrier)
        after = put_beside(table, unit, carrier.place, carrier.heading)
        return cls(after, after.unit(unit.id), carrier)

    def breaches(self, before: ArmsTable) -> Iterable[Breach]:
        """Return the reasons why it cannot get off at all, wherever that is."""
        return breaches_anywhere(before, before.unit(self.unit.id), self.carrier, Fraction(0), boards=False)

    @clause("CA-119", "CA-130")
    def levels(self, moves: ArmsMoves) -> list[int]:
        """Return the numbers of the levels on which it may be set down: as high as its transport, and on its floor."""
        altitude = Fraction(self.carrier["altitude"])
        named = enumerate(moves.levels)
        beside = [(number, one) for number, one in named if is_beside(self.table.setting, self.carrier, one.storey)]
        return [number for number, one in beside if one.altitude == altitude]

    def beginning(self, moves: ArmsMoves, *, barred: bool) -> ArmsMoves:
        """Return what it can do from wherever it may be set down: nothing where that is barred."""
        levels = [] if barred else self.levels(moves)
        return _begun(moves, [one for level in levels for one in self._placings(moves, level, None)])

    def beginning_beside(self, within: BaseGeometry | None, moves: ArmsMoves, level: int) -> ArmsMoves:
        """Return what it can do from wherever on a level it may be set down, in an area or anywhere for None."""
        return _begun(moves, self._placings(moves, level, within))

    def beginning_on(
        self, near: BaseGeometry, moves: ArmsMoves, level: int, facing: Mapping[float, BaseGeometry] = NOWHERE
    ) -> ArmsMoves:
        """Return what it can do from wherever in an area of a level it may stand, facing any way.

        It may also stand in areas of their own for single headings, if those are named.
        """
        found = _placed_in(self.legal(near, moves, level), ANY_HEADING, level)
        for heading, ground in facing.items():
            found += _placed_in(self.legal_facing(heading, ground, moves, level), Headings(heading, heading), level)
        return _begun(moves, found)

    def _placings(self, moves: ArmsMoves, level: int, within: BaseGeometry | None) -> list[Placing]:
        """Where on a level it may be set down: facing any way, or some, where its base is not round."""
        near = self.near(moves, level)
        known, base = self.legal(near, moves, level), base_of(self.unit)
        if isinstance(base, Round):
            return _placed_in(known, ANY_HEADING, level, self._exact(moves, level, 0.0, near, known), within)
        found = _placed_in(known, ANY_HEADING, level, within=within)
        beside = self._beside(moves, level)
        closed = self._closed(moves, level, shapely.buffer(beside, 2 * base.reach))
        for facing in facings(float(self.carrier.heading)):
            near = near_facing(beside, base, facing)
            legal = _areas(clear_facing(near, closed, base, facing))
            lines = () if facing.wide else self._exact(moves, level, facing.first, near, legal)
            found += _placed_in(legal, facing.headings, level, lines, within)
        return found

    @clause("CA-119")
    def _exact(
        self, moves: ArmsMoves, level: int, heading: float, near: BaseGeometry, known: BaseGeometry
    ) -> Iterator[Line]:
        """Where on a level it may be set down that fits exactly, facing a heading, beyond what is known."""
        return exact_lines(self.table, self.carrier, moves, level, heading, near, known)

    def written(self, start: PoseStart, altitude: Fraction) -> list[Element]:
        """Return the element that sets it down where its way begins, at the altitude of its transport."""
        assert altitude == self.unit["altitude"]
        return [Element("unload", {"at": start.place, "heading": float(start.heading)})]

    @clause("CA-119")
    def near(self, moves: ArmsMoves, level: int) -> BaseGeometry:
        """Return where its reference point is near enough to a door or the hull, on a level, facing any way."""
        return shapely.buffer(self._beside(moves, level), base_of(self.unit).inner_radius, quad_segs=_ROUND)

    def _beside(self, moves: ArmsMoves, level: int) -> BaseGeometry:
        """The ground beside its transport that its base has to touch."""
        return beside_doors(self.table, self.carrier, moves.levels[level], _ROUND, outside=False)

    @clause("CA-119")
    def legal_facing(self, heading: float, near: BaseGeometry, moves: ArmsMoves, level: int) -> BaseGeometry:
        """Return the part of an area that it may end on, on a level, facing a heading, if its base is not round."""
        base = base_of(self.unit)
        closed = self._closed(moves, level, shapely.buffer(near, base.reach))
        return _areas(clear_facing(near, closed, base, FacedWays(heading)))

    @clause("CA-119")
    def legal(self, near: BaseGeometry, moves: ArmsMoves, level: int, *, some_way: bool = False) -> BaseGeometry:
        """Return the part of an area that it may end on, on a level, facing any way; with `some_way` one or another."""
        base = base_of(self.unit)
        if near.is_empty:
            return near
        closed = self._solids(moves, level)
        # Drawn from outside, and for bases that are not round as if they were as long each way, or as short.
        reach = (base.inner_radius if some_way else base.reach) / np.cos(np.pi / (4 * _ROUND)) + _CLEAR
        around = shapely.buffer(closed[shapely.dwithin(closed, near, reach)], reach, quad_segs=_ROUND)
        return _areas(shapely.difference(near, shapely.simplify(shapely.union_all(around), _CLEAR)))

    def _closed(self, moves: ArmsMoves, level: int, near: BaseGeometry) -> BaseGeometry:
        """What it may not touch that meets an area, drawn from outside with few corners."""
        closed = self._solids(moves, level)
        around = shapely.buffer(closed[shapely.intersects(closed, near)], _CLEAR, quad_segs=_ROUND)
        return shapely.simplify(shapely.union_all(around), _CLEAR)

    @staticmethod
    def _solids(moves: ArmsMoves, level: int) -> NDArray[Any]:
        """What it may not end on, on a level."""
        there = moves.levels[level]
        return np.array([one.solid.polygon for one in (*there.bars, *there.no_end)], object)


def _areas(ground: BaseGeometry) -> BaseGeometry:
    """The parts of some ground that are more than single places."""
    parts = shapely.get_parts(polygons_of(ground))
    some: BaseGeometry = shapely.union_all(parts[shapely.area(parts) > _A_PLACE])
    return some


def _placed_in(
    ground: BaseGeometry,
    headings: Headings,
    level: int,
    lines: Iterable[Line] = (),
    within: BaseGeometry | None = None,
) -> list[Placing]:
    """The placing of an area and of lines, of what matters within another one; none if there is nothing."""
    some = ground if within is None else shapely.intersection(ground, within, grid_size=GRID)
    areas = [Inside(PolygonShape(*rings_of(part))) for part in shapely.get_parts(_areas(some))]
    met = [one for one in lines if within is None or shapely.intersects(within, drawn(one))]
    return [Placing((*areas, *met), headings, level)] if areas or met else []


def _begun(moves: ArmsMoves, placings: Sequence[Placing]) -> ArmsMoves:
    """What a piece can do that begins at placings: nothing if there are none."""
    budget = moves.space.budget if placings else Fraction(-1)
    starts = () if placings else moves.space.starts
    return replace(moves, space=replace(moves.space, starts=starts, placings=tuple(placings), budget=budget))


def rings_of(polygon: shapely.Polygon) -> tuple[list[tuple[float, float]], list[list[tuple[float, float]]]]:
    """Return the outside of a polygon, and its holes."""
    rings = [shapely.get_coordinates(ring).tolist() for ring in (polygon.exterior, *polygon.interiors)]
    outside, *holes = ([(x, y) for x, y in ring] for ring in rings)
    return outside, holes
