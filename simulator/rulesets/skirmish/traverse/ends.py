"""Where traverses come down: the far sides that belong to whole rows of places from which they begin.

A traverse straight across leads from each point of an obstacle's face to one place behind it, however far away it
began. So the places behind form a curve: it is followed along the faces and round the corners of the obstacle, from
places within an inch, and from the far sides of traverses before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.outline_rows import rows_along
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.links import LinkCurve, OnwardCurve, RowCurve, TracedCurve, link_curves
from simulator.pathing.links.curves import FINE, Stands
from simulator.rulesets.skirmish.obstruction import features_of
from simulator.rulesets.skirmish.traverse.jumps import Jumps
from simulator.rulesets.skirmish.units import radius_of

#: Whether traverses may matter that begin no more than so many inches beside a shape.
Worth: TypeAlias = Callable[[BaseGeometry, float], bool]


@clause("SK-18", "SK-23", "SK-26")
def landings(
    jumps: Jumps,
    ends: Stands,
    near: BaseGeometry,
    spots: Sequence[XY],
    before: Sequence[LinkCurve] = (),
    more: Iterable[TracedCurve] = (),
    worth: Worth | None = None,
) -> list[LinkCurve]:
    """Return the far sides of everything that can be traversed from places where a soldier can stand.

    `ends` tests which places these are, `near` is roughly where they lie; `spots` are single places, and `before` far
    sides on which it came down; `more` are further lines to follow. What is not `worth` it is left out.
    """
    table, unit = jumps.climber.table, jumps.climber.soldier
    within, alone = jumps.climber.within, np.array(spots).reshape(-1, 2)
    behind = [OnwardCurve(curve) for curve in before if worth is None or worth(curve.line, 0.0)]
    rows: list[TracedCurve] = [*behind]
    for number, shape in enumerate(features_of(table).obstacles.polygons):
        if not (jumps.climber.is_possible[number] or number in jumps.climber.between):
            continue
        if worth is not None and not worth(shape, within + FINE):
            continue
        _touch(behind, shape, within + FINE)
        touched = alone[shapely.distance(shape, shapely.points(alone)) <= within + TOLERANCE]
        if len(touched) or (not near.is_empty and shapely.distance(shape, near) <= within + TOLERANCE):
            for face in rows_along(shape, radius_of(unit), within):
                row = RowCurve(face, ends, near)
                row.touched += face.shares_before(touched)
                rows.append(row)
    return link_curves(jumps, [*more, *rows], spots)


def _touch(behind: Sequence[OnwardCurve], shape: BaseGeometry, within: float) -> None:
    """Record where lines of far sides are nearest to an obstacle, if that is near enough."""
    lines = np.array([row.curve.line for row in behind], object)
    for number in np.flatnonzero(shapely.dwithin(lines, shape, within)).tolist():
        (x, y), *_ = shapely.get_coordinates(shapely.shortest_line(lines[number], shape)).tolist()
        behind[number].touched.append(behind[number].share_at((x, y)))
