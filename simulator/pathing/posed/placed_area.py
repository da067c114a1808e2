"""The ground that a mover is on by being placed, and that which the legs lead to that it is placed for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, radius_of
from simulator.geometry.footprints import PolygonBase, Round
from simulator.geometry.pieces import FloatArray
from simulator.geometry.sums import clear_of
from simulator.geometry.tolerances import SLACK, TOLERANCE
from simulator.pathing.posed.area import DrawnArea, grown
from simulator.pathing.posed.begins import Arc, Inside, Line
from simulator.pathing.posed.contact_lines import parts_that_end
from simulator.pathing.posed.oblique_sweeps import ObliqueFans
from simulator.pathing.posed.placed_lines import PlacedLines, Spots, stations
from simulator.pathing.posed.placed_sweeps import PlacedFans, PlacedStrips, placed_facing
from simulator.pathing.posed.placings import Placing
from simulator.pathing.posed.space import PoseSpace

#: Fans lie so many inches apart on segments, and on arcs.
_APART, _ON_ARCS = 1.0, 0.5
#: Headings are few within so many degrees; movers keep so many inches clear then.
_FEW, _CLEAR = 30.0, 1e-3


def add_placed(
    area: DrawnArea, space: PoseSpace, facing: float | None, ends: Callable[[FloatArray], BoolArray]
) -> None:
    """Add what placings lead to on one level; `ends` finds the places that can be ended on, of rows x, y."""
    lines = PlacedLines.of(space.placings)
    area.add_ground(_grounds(space, facing))
    parts = parts_that_end(list(_drawn_lines(space)), lambda _, places: ends(places), np.zeros((0, 2)))
    area.add_ground(shapely.GeometryCollection(list(parts)))
    points = [
        line.begin
        for placing in space.placings
        for line in placing.lines
        if not line.length and not isinstance(line, Arc)
    ]
    places = np.array(points, np.float64).reshape(-1, 2)
    area.add_places(places[ends(places)])
    if space.modes:
        area.add(PlacedStrips(space, lines, facing))
        spots = fan_spots(lines)
        area.add(PlacedFans(space, lines, spots, facing))
        if space.directions.oblique is not None:
            area.add(ObliqueFans(space, placed_facing(space, lines, spots, facing), facing))


def fan_spots(lines: PlacedLines) -> Spots:
    """Return the spots from which fans are drawn."""
    even, dense = stations(lines, _APART), stations(lines, _ON_ARCS)
    line, at = (
        np.concatenate([one[~lines.round[even.line]], other[lines.round[dense.line]]])
        for one, other in zip(even, dense, strict=True)
    )
    return Spots(line, at)


def _drawn_lines(space: PoseSpace) -> Iterator[shapely.LineString]:
    """Yield the lines of placings as drawn ones; arcs with sides that are true to a part of the tolerance."""
    for placing in space.placings:
        for piece in placing.pieces:
            if not isinstance(piece, Inside) and piece.length:
                yield shapely.LineString(_corners(piece))


def _corners(line: Line) -> FloatArray:
    count = 1
    if isinstance(line, Arc):
        angle = 2.0 * math.acos(1.0 - min(TOLERANCE / 4.0 / line.radius, 1.0))
        count = max(math.ceil(line.length / line.radius / angle), 1)
    return np.array([line.place(share * line.length) for share in np.linspace(0.0, 1.0, count + 1).tolist()])


def _grounds(space: PoseSpace, facing: float | None) -> BaseGeometry:
    """The parts of areas in which a mover may be placed whichever way it faces, or a few ways alone, and end there."""
    found = [
        (placing, piece.area.polygon)
        for placing in space.placings
        for piece in placing.pieces
        if isinstance(piece, Inside) and _ends_where_placed(space, placing, piece, facing)
    ]
    if not found:
        return shapely.Polygon()
    reach, things = space.base.reach, [*space.bars, *space.no_end]
    parts = [area for placing, area in found if not _faces_few_ways(space, placing)]
    ground = shapely.difference(shapely.union_all(parts), grown(things, reach))
    ground = shapely.union_all([ground, *(_clear(space, *one) for one in found if _faces_few_ways(space, one[0]))])
    if space.box is not None:
        inset = reach if space.whole_base_on_table else 0.0
        left, bottom, right, top = space.box
        ground = shapely.intersection(ground, shapely.box(left + inset, bottom + inset, right - inset, top - inset))
    counts = space.ground.base
    closed = [space.ground.areas[number] for number in _closed(space)]
    return shapely.difference(ground, grown(closed, 0.0 if counts is None else counts.reach))


def _faces_few_ways(space: PoseSpace, placing: Placing) -> bool:
    """Whether it matters which way a mover faces in a placing, and that is known closely."""
    return placing.headings.wide <= _FEW and isinstance(space.base, PolygonBase)


def _clear(space: PoseSpace, placing: Placing, area: BaseGeometry) -> BaseGeometry:
    """The part of an area in which a mover is clear of what it may not stand on, facing one of a few ways."""
    near = shapely.buffer(area, space.base.reach)
    around = [one.polygon for one in (*space.bars, *space.no_end) if shapely.intersects(one.polygon, near)]
    # Round outlines are drawn from inside.
    things = [shapely.buffer(one, _CLEAR, join_style="mitre") for one in around]
    return clear_of(area, things, space.base, placing.headings.first, placing.headings.wide)


def _ends_where_placed(space: PoseSpace, placing: Placing, piece: Inside, facing: float | None) -> bool:
    """Whether a mover that is placed in an area may end there, facing as is asked for, for what can be spent."""
    turned = 0.0
    if facing is not None and not placing.headings.have(facing, 0.0):
        beyond = (facing - placing.headings.last) % 360.0
        turned = min(beyond, (placing.headings.first - facing) % 360.0)
        if space.turns.times_rate or not isinstance(space.base, Round) or space.tolls:
            return False
    free = np.array([float(space.turns.most_free)])
    price = float(space.turns.prices(np.maximum(np.array([turned]) - free, 0.0))[0]) if turned else 0.0
    paid = float(piece.paid) + price
    enough = space.more_than is None or paid > float(space.more_than) + SLACK
    return enough and paid <= float(space.budget) + SLACK and not space.passes and radius_of(piece.area) != 0.0


def _closed(space: PoseSpace) -> Iterator[int]:
    """Yield the areas of the ground that are closed, by themselves or together with one other."""
    count = range(len(space.ground.areas))
    for number in count:
        if any(space.ground.rate(frozenset({number, other}), frozenset()) is None for other in count):
            yield number
