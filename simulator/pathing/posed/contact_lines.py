"""Where a round base can end that has to touch things: lines along their outlines, and points.

Who touches a thing stands on a line around it, hardly wider than a line is drawn. So that line is asked about place by
place, and closed in on where ends begin and cease. It is drawn inside the gap that counts as contact: all of its places
touch the thing, and what is between two neighbours that are ends is one.

>>> from simulator.geometry.pieces import rectangle
>>> wall = Touch(rectangle((5, 0), (2, 8)))
>>> half = contact_lines([wall], 1.0, lambda places: places[:, 0] < 5.0, np.zeros((1, 2)))
>>> half.bounds[0], round(half.length, 2)  # 8 inches along the wall, an inch and two quarters of a circle beyond
(2.995, 13.15)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from simulator.geometry.convex import BoolArray, IntArray, radius_of
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.shapes import lines_of, together
from simulator.geometry.tolerances import GRID
from simulator.pathing.posed.touch import Touch

#: Of the gap that counts as contact, so much is left open by the corners of a line, and its sides take no more of it.
_OPEN, _SAGITTA = 0.5, 0.3
#: The sides of a quarter of a circle that bars keep the base off.
_ROUND = 32
#: Places are asked about so many inches apart.
_APART = 0.25
#: Where ends begin and cease is closed in on by so many halvings: to a thousandth of an inch.
_HALVINGS = 8


def contact_lines(
    touch: Sequence[Touch],
    radius: float,
    ends: Callable[[FloatArray], BoolArray],
    near: FloatArray,
    bars: Sequence[Solid] = (),
    besides: BaseGeometry | None = None,
) -> BaseGeometry:
    """Draw the places at which a base touches all of some things and can end; `ends` finds those, of rows x, y.

    Where only a short part of a line is within reach, that part is near a place that the mover comes from: near those,
    rows x, y, the line is looked at besides. Lines are cut where `bars` keep the base off, on however short a part. In
    ground that is known `besides` nothing is asked about or drawn.
    """
    first, *others = touch
    whole = _line_around(first, radius)
    for other in others:
        whole = whole.intersection(_ring_around(other, radius))
    if len(bars):
        whole = lines_of(whole).difference(shapely.union_all([_kept_off(bar, radius) for bar in bars]))
    if besides is not None:
        whole = lines_of(whole).difference(besides)
    lines = [line for line in shapely.get_parts(lines_of(whole)) if line.length > GRID]
    return together([], parts_that_end(lines, lambda _, places: ends(places), near))


def _line_around(one: Touch, radius: float) -> BaseGeometry:
    """The line of places at which a base touches a thing, as a line with corners."""
    return _grown(one, radius + _OPEN * one.within, _SAGITTA * one.within).boundary


def _ring_around(one: Touch, radius: float) -> BaseGeometry:
    """The ground on which a base touches a thing, and a little less."""
    sagitta = _SAGITTA * one.within
    return _grown(one, radius + one.within, sagitta).difference(_grown(one, radius + sagitta, sagitta))


def _grown(one: Touch, by: float, sagitta: float) -> BaseGeometry:
    """A thing grown by a width, its arcs as sides of which none lies deeper than a sagitta."""
    round_ = radius_of(one.thing)
    radius = by if round_ is None else by + round_
    quarter = max(math.ceil(math.pi / 4 / math.acos(max(1.0 - sagitta / radius, -1.0))), 2)
    grown = one.thing.polygon if round_ is None else shapely.Point(one.thing.parts[0][0])
    return grown.buffer(radius, quad_segs=quarter)


def _kept_off(bar: Solid, radius: float) -> BaseGeometry:
    """The ground on which a base overlaps a bar, hardly less: its arcs have their corners on the outline."""
    round_ = radius_of(bar)
    if round_ is None:
        return bar.polygon.buffer(radius)
    return shapely.Point(bar.parts[0][0]).buffer(radius + round_, quad_segs=_ROUND)


def parts_that_end(
    lines: Sequence[shapely.LineString],
    ends: Callable[[IntArray, FloatArray], BoolArray],
    near: FloatArray,
    apart: float = _APART,
) -> Iterator[BaseGeometry]:
    """Yield the parts of lines on which a mover can end, line by line; such a part may be a point.

    `ends` finds those among places, rows x, y, each with the number of its line. All lines are asked about together,
    `apart` inches at most: of shorter parts only those are found that are nearest to some places, `near`.
    """
    if not len(lines):
        return
    inches = [_looked_at(line, near, apart) for line in lines]
    count = np.array([len(some) for some in inches])
    owner, inch = np.repeat(np.arange(len(lines)), count), np.concatenate(inches)
    drawn = np.array(lines, object)
    known = ends(owner, _at(drawn[owner], inch))
    turns = np.flatnonzero((known[1:] != known[:-1]) & (owner[1:] == owner[:-1]))
    good, bad, of_turn = inch[turns + known[turns + 1]], inch[turns + known[turns]], owner[turns]
    for _ in range(_HALVINGS if len(turns) else 0):
        middle = (good + bad) / 2
        found = ends(of_turn, _at(drawn[of_turn], middle))
        good, bad = np.where(found, middle, good), np.where(found, bad, middle)
    for number, (line, first) in enumerate(zip(lines, np.cumsum(count) - count, strict=True)):
        some, is_end = inches[number], known[first : first + count[number]]
        borders = np.sort(np.r_[some[:1][is_end[:1]], good[of_turn == number], some[-1:][is_end[-1:]]])
        for begin, end in borders.reshape(-1, 2).tolist():
            yield substring(line, begin, end)


def _looked_at(line: shapely.LineString, near: FloatArray, apart: float) -> FloatArray:
    """After how many inches a line is looked at: evenly, and nearest to some places."""
    count = max(math.ceil(line.length / apart), 2)
    nearest = shapely.line_locate_point(line, shapely.points(near))
    return np.unique(np.r_[np.linspace(0.0, line.length, count + 1), nearest])


def _at(lines: Any, inches: FloatArray) -> FloatArray:
    """The places of lines after so many inches each."""
    return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(lines, inches)))
