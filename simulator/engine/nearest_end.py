"""The end nearest to a place, by the ground around the place alone: all of the rest is too far off to matter.

Some end is known sooner than an area: a leg leads to most ends that a search has found. The nearest end is no farther
off, so ground is drawn no farther off than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from simulator.geometry.board import Board
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.standing_room import Box

#: The digits of places if hundredths of an inch are not enough.
_DIGITS = 4
#: Hundredths of an inch around a spot: outlines are exact to one of them, and rounding moves a spot by half of one.
_AROUND = np.stack(np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)), -1).reshape(-1, 2) / 100
#: So many of them are asked about at once, the nearest ones first.
_SPOTS = 8
#: So many likely ends are asked about, the nearest ones, and then so many: if none of those is one, few of them are.
_LIKELY = (16, 32, 384)
#: Ground is drawn so much farther off than ends that are near enough, as a share and in inches: circles have corners,
#: and what is drawn is looked for a little inside of them.
_SHARE, _BEYOND = 1.01, 0.1


class GroundOfEnds(Protocol):
    """What is asked of an answer of reach on an inch table: see `TableReach`."""

    tolerance: float
    most: Any

    @property
    def levels(self) -> Iterable[Any]:
        """The costs at which bands end."""

    @property
    def start(self) -> XY:
        """The place of the mover."""

    @property
    def board(self) -> Board[Any]:
        """The table."""

    def cost_at(self, place: Any) -> Any:
        """Return what ending at a place or in a pose costs; None if it cannot."""

    def costs_at(self, places: Sequence[Pose]) -> FloatArray:
        """Compute the same for many poses; inf where it cannot."""

    def within_besides(
        self, cost: Any, ground: BaseGeometry | None, *, heading: Heading = None, level: Level = None
    ) -> BaseGeometry:
        """Return the ends for at most a cost for who has some ground anyhow."""

    def box_within(self, cost: Any) -> Box | None:
        """Return a box around all ends for at most a cost; None: it is not known."""

    def likely_ends(self, level: Level) -> FloatArray:
        """Return places, most of which are ends."""

    def end_near(self, place: XY, level: Level) -> shapely.Point | None:
        """Return an end that is hardly farther off than the nearest; None: none is known before all are drawn."""


def nearest_end(answer: GroundOfEnds, place: XY, *, heading: Heading = None, level: Level = None) -> XY | None:
    """Return the end nearest to a place, the cheapest of equally near ones; None if it cannot end anywhere.

    With a heading or a level it is the nearest of those ends. It is in hundredths of an inch if there is one that is,
    else in the digits in which places are written: so it can be ordered.
    """
    there, some = shapely.Point(place), None
    # With a heading ends lie in lines and patches all over, and few legs end with just that one.
    if heading is None:
        some = answer.end_near(place, level)
    far = None if some is None else _ground_beyond(answer, there, some.distance(there) + answer.tolerance)
    ends = answer.within_besides(answer.most, far, heading=heading, level=level)
    # Outlines fall short of true ones: the end that is known may lie just beyond.
    if some is not None and not ends.distance(there) <= some.distance(there) + answer.tolerance:
        ends = some
    if ends.is_empty:
        return answer.start if answer.cost_at(Pose(answer.start, heading, level)) is not None else None
    if heading is None and level is None:
        ends = _cheapest_near(answer, ends, there, far)
    found, _ = nearest_points(ends, there)
    spot = _nearest_spot(answer, place, np.round((found.x, found.y), 2) + _AROUND, heading, level)
    if spot is not None:
        return spot
    finer = np.round((found.x, found.y), _DIGITS) + _AROUND / 100
    # If ends are lines, as for a run of exactly one length, only their corners may be exact ends.
    for spots in (finer, np.array([(found.x, found.y)]), shapely.get_coordinates(ends)):
        exact = spots[np.isfinite(_costs(answer, spots, heading, level))]
        if len(exact):
            x, y = exact[np.hypot(*(exact - place).T).argmin()].tolist()
            rounded = round(x, _DIGITS), round(y, _DIGITS)
            return rounded if answer.cost_at(Pose(rounded, heading, level)) is not None else (x, y)
    return None


def _nearest_spot(answer: GroundOfEnds, place: XY, spots: FloatArray, heading: Heading, level: Level) -> XY | None:
    """Return that one of some spots that is an end and nearest to a place, the cheapest of equally near ones."""
    away = np.hypot(*(spots - place).T).round(6)
    order = np.argsort(away, kind="stable")
    spots, away = spots[order], away[order]
    begin = 0
    while begin < len(spots):
        # Equally near ones are asked about together.
        last = away[min(begin + _SPOTS, len(spots)) - 1]
        end = int(np.searchsorted(away, last, side="right"))
        costs = _costs(answer, spots[begin:end], heading, level)
        ends = begin + np.flatnonzero(np.isfinite(costs))
        if len(ends):
            nearest = ends[away[ends] == away[ends[0]]]
            x, y = np.round(spots[nearest[np.argmin(costs[nearest - begin])]], 2).tolist()
            return x, y
        begin = end
    return None


def _costs(answer: GroundOfEnds, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
    return answer.costs_at([Pose((x, y), heading, level) for x, y in places.tolist()])


def likely_end(answers: Sequence[GroundOfEnds], place: XY, level: Level) -> shapely.Point | None:
    """Return the likely end of one of some answers nearest to a place that is one; None: there is none among the first.

    Each answer is asked about its own.
    """
    every = [_apart(answer.likely_ends(level)) for answer in answers]
    whose = np.repeat(np.arange(len(every)), [len(some) for some in every])
    likely = np.concatenate([np.zeros((0, 2)), *every])
    order = np.argsort(np.hypot(*(likely - place).T), kind="stable")
    first = 0
    for many in _LIKELY:
        row = order[first : first + many]
        is_end = np.zeros(len(row), np.bool_)
        for number in np.unique(whose[row]).tolist():
            own = np.flatnonzero(whose[row] == number)
            is_end[own] = np.isfinite(_costs(answers[number], likely[row[own]], None, level))
        if is_end.any():
            return shapely.Point(likely[row[np.argmax(is_end)]])
        first += many
    return None


def _apart(places: FloatArray) -> FloatArray:
    """Return one of the places in each hundredth of an inch, in their order: many legs end beside what bars them."""
    _, first = np.unique(np.round(places, 2), axis=0, return_index=True)
    return places[np.sort(first)]


def _ground_beyond(answer: GroundOfEnds, there: shapely.Point, inches: float) -> BaseGeometry:
    """Return all of the table that is farther off."""
    left, bottom, right, top = answer.board.bounds
    table = shapely.box(left - _BEYOND, bottom - _BEYOND, right + _BEYOND, top + _BEYOND)
    return shapely.difference(table, shapely.buffer(there, _SHARE * inches + _BEYOND))


def _cheapest_near(
    answer: GroundOfEnds, ends: BaseGeometry, there: shapely.Point, far: BaseGeometry | None
) -> BaseGeometry:
    """Return the ends of the lowest cost of which one is hardly farther off than the nearest of all ends.

    Most places are near the dearest ends alone.
    """
    away = ends.distance(there) + answer.tolerance
    for cost in reversed([cost for cost in answer.levels if cost < answer.most]):
        around = answer.box_within(cost)
        if around is not None and shapely.box(*around).distance(there) > away:
            break
        cheaper = answer.within_besides(cost, far)
        if cheaper.is_empty or cheaper.distance(there) > away:
            break
        ends = cheaper
    return ends
