"""Runs that have to go all their inches (SK-30), begun anywhere on a front, not only on its outline."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.pieces import FloatArray
from simulator.geometry.snapping import union
from simulator.pathing.free import PreparedTable
from simulator.pathing.free.exact_lines import ends_from_area, ends_from_lines, starts_for
from simulator.pathing.outline_places import SPACING
from simulator.rulesets.skirmish.reach.before import Before


@clause("SK-29", "SK-30")
def begins(before: Before, ground: PreparedTable, inches: float, places: FloatArray) -> FloatArray:
    """Compute for each place a start on the front at exactly this distance on a free line; nan if there is none.

    Where rough ground is closed no run begins in it: the ground itself bars only ways into it.
    """
    grounds = before.fronts.grounds
    may_begin = None if ground is grounds.open else grounds.off_rough
    return starts_for(before, ground, inches, places, before.fronts.start, may_begin)


@clause("SK-29", "SK-30")
def ends_of(before: Before, ground: PreparedTable, inches: float) -> BaseGeometry:
    """Return the ground on which runs of exactly `inches` end that begin in the area before, or on far sides."""
    walked = ends_from_area(before.area, ground, inches) if before.area.area else shapely.Polygon()
    jumped = ends_from_lines(lines_of_far_sides(before), ground, inches)
    return union([walked, jumped]) if jumped.area else walked


def lines_of_far_sides(before: Before) -> list[BaseGeometry]:
    """Return the lines of far sides that runs begin on, where they extend beyond the area before."""
    lines = shapely.union_all([one.line for one in before.all_landings if len(one.links) > 1])
    rest = shapely.line_merge(shapely.difference(lines, before.area))
    return [part for part in shapely.get_parts(rest) if part.length > SPACING]
