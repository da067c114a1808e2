"""Places that fit exactly: where a passenger is set down that touches what it may not stand on (CA-119).

Areas to be set down in are drawn a little inside of what they are, so a lane as wide as a base, or the one place beside
a door that has to be touched, is none. These are lines and single places, found as a judge of orders sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray, radius_of
from simulator.geometry.footprints import Base, Round
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.begins import Line, Segment
from simulator.pathing.posed.lines_around import drawn, lines_around, marks_of, parts_where
from simulator.pathing.posed.rays import may_stand
from simulator.rulesets.combined_arms.beside_doors import FINE, INSIDE, beside_doors
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.rulesets.combined_arms.transport import door_places
from simulator.rulesets.combined_arms.units import ArmsTable, placed

#: Lines no farther from the known area than this, and a share of the reach of a base, add nothing to it.
_HARDLY, _SHARE = 0.03, 0.02


@clause("CA-119", role="search")
def exact_lines(
    table: ArmsTable,
    carrier: Unit,
    moves: ArmsMoves,
    level: int,
    heading: float,
    near: BaseGeometry,
    known: BaseGeometry,
) -> Iterator[Line]:
    """Yield the lines and single places of an area where a passenger is set down, beyond the ground that is known.

    It faces a heading, which does not matter to a round base.
    """
    base, there = moves.space.base, moves.levels[level]
    around = shapely.buffer(near, TOLERANCE + _HARDLY)
    shapely.prepare(around)
    solids = [one.solid for one in (*there.bars, *there.no_end)]
    met = [one for one in solids if shapely.dwithin(one.polygon, around, base.reach)]
    doors = np.array(door_places(carrier) or [carrier.place], np.float64).reshape(-1, 2)
    lines = [
        line for one in met for line in lines_around(one, base, heading) if shapely.intersects(around, drawn(line))
    ]
    if not base.reach:
        lines += [Segment((x, y), (x, y)) for x, y in doors.tolist()]
    is_beside = _beside(table, carrier, moves, level, heading)

    def is_place(places: FloatArray) -> BoolArray:
        found = is_beside(places)
        found[found] = may_stand(moves.space.on(level), places[found], np.full(int(found.sum()), heading))
        return found

    hardly = shapely.buffer(known, _HARDLY + _SHARE * base.reach, quad_segs=2)
    shapely.prepare(hardly)
    for line in parts_where(lines, is_place, np.concatenate([marks_of(lines), _where_touched(base, heading, doors)])):
        if not shapely.covers(hardly, drawn(line)):
            yield line


def _where_touched(base: Base, heading: float, doors: FloatArray) -> FloatArray:
    """Where the reference point is when a corner of a base is at a door; of a round one, when that is in its middle."""
    if isinstance(base, Round):
        return doors
    corners = np.concatenate(base.at(0.0, 0.0, heading).parts)
    return np.asarray((doors[:, None] - corners).reshape(-1, 2))


def _beside(
    table: ArmsTable, carrier: Unit, moves: ArmsMoves, level: int, heading: float
) -> Callable[[FloatArray], BoolArray]:
    """What finds the places of a base from which a passenger gets to a door, as the judge of orders does."""
    base, near = moves.space.base, float(table.options.door_radius) + INSIDE
    ground = beside_doors(table, carrier, moves.levels[level], FINE, outside=True)
    doors: list[Solid] = [Round(0.0).at(*door) for door in door_places(carrier)] or [placed(carrier)]
    shapely.prepare(ground)

    def found(places: FloatArray) -> BoolArray:
        here, reach = _standing(base, heading, places)
        away = np.min([_distances(here, door) for door in doors], axis=0) - reach
        beside: BoolArray = np.asarray(away <= near)
        middles = shapely.points(places[beside])
        open_ = shapely.dwithin(middles, ground, base.inner_radius + INSIDE)
        beside[beside] = open_ | shapely.dwithin(here[beside], ground, INSIDE)
        return beside

    return found


def _standing(base: Base, heading: float, places: FloatArray) -> tuple[FloatArray, float]:
    """A base at many places: its outline, or its middle and how far that reaches around it."""
    if isinstance(base, Round):
        return np.asarray(shapely.points(places)), base.radius
    outline = base.at(0.0, 0.0, heading).polygon
    corners = shapely.get_coordinates(outline)
    copies = np.full(len(places), outline, object)
    return np.asarray(shapely.set_coordinates(copies, (places[:, None] + corners).reshape(-1, 2))), 0.0


def _distances(shapes: FloatArray, thing: Solid) -> FloatArray:
    """How far shapes are from a thing, which may be round."""
    radius = radius_of(thing)
    if radius is None:
        return np.asarray(shapely.distance(shapes, thing.polygon))
    return np.maximum(shapely.distance(shapes, shapely.Point(thing.parts[0][0])) - radius, 0.0)
