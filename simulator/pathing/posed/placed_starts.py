"""The poses that a search begins with where a mover may be placed: places on lines, with headings that may be of use.

Headings lie evenly apart, and lead past what stands in the way, along what the ground favours, and to links. From such
a pose a leg leads straight on: with another heading the mover would be placed. Where headings are limited, it turns
from the first and the last of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join, pick, rows_once
from simulator.pathing.posed.begins import Inside
from simulator.pathing.posed.bins import SECTORS
from simulator.pathing.posed.clearings import Passing
from simulator.pathing.posed.courses import Courses
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.placed_lines import PlacedLines, Spots, placed_states, stations
from simulator.pathing.posed.rays import has_room
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates, starting

#: Where headings span fewer degrees, places lie closer together: what matters is where the mover is placed.
_NARROW, _CLOSER = 45.0, 0.25
#: Headings are one if they are after rounding to so many digits.
_DIGITS = 9


class PlacedStarts(NamedTuple):
    """The poses of a space to begin with at its placings."""

    straight: PoseStates  #: that legs lead from straight on
    turning: PoseStates  #: to turn at


class _Placed(NamedTuple):
    """Where a mover is placed, and with which heading."""

    place: FloatArray
    paid: FloatArray
    line: IntArray  #: one of the placing
    at: FloatArray
    inside: BoolArray  #: of an area, on none of its lines


def placed_starts(space: PoseSpace, mesh: float, levels: Iterable[int]) -> PlacedStarts:
    """Return the poses on some levels."""
    none = pick(starting(space), slice(0))
    found = [_on_level(space, space.on(level), mesh) for level in levels if space.placings]
    return (
        PlacedStarts(*(join([none, *part]) for part in zip(*found, strict=True))) if found else PlacedStarts(none, none)
    )


def _on_level(space: PoseSpace, here: PoseSpace, mesh: float) -> PlacedStarts:
    lines = PlacedLines.of(here.placings)
    if not here.placings:
        none = pick(starting(space), slice(0))
        return PlacedStarts(none, none)
    level = here.placings[0].level
    links = [link for link in space.links if isinstance(link, PoseLink) and link.origin == level]
    gates = np.array([link.places[0] for link in links if link.places is not None]).reshape(-1, 2)
    # Who goes straight up or down from anywhere may do so from anywhere in an area.
    anywhere = any(link.places is None for link in links)
    poses = _places(here, lines, gates, mesh, inside=anywhere)
    poses = pick(poses, np.flatnonzero(poses.paid <= float(space.budget) + SLACK))
    row, heading = _headings(here, lines, poses, gates)
    spots = Spots(poses.line[row], poses.at[row])
    admitted = np.flatnonzero(lines.nearest_headings(spots, heading) == heading)
    ranged = np.flatnonzero(lines.wide[poses.line] < 360.0)
    low = lines.low + 0.0
    every = Spots(poses.line[ranged], poses.at[ranged])
    low = low[every.line] + np.where(lines.relative[every.line], lines.normals(every), 0.0)
    ends = np.r_[low, low + lines.wide[every.line]]
    turning = np.r_[ranged, ranged]
    straight = np.r_[row[admitted], turning], np.r_[heading[admitted], ends]
    return PlacedStarts(_states(here, lines, poses, *straight), _states(here, lines, poses, turning, ends))


def _states(here: PoseSpace, lines: PlacedLines, poses: _Placed, row: IntArray, heading: FloatArray) -> PoseStates:
    """The poses in which the mover has room, each once."""
    once = rows_once(np.column_stack([row, np.round(np.mod(heading, 360.0), _DIGITS)]))[0]
    row, heading = row[once], heading[once]
    room = has_room(here, poses.place[row], heading)
    row, heading = row[room], heading[room]
    return placed_states(here, poses.place[row], heading, poses.paid[row], lines, poses.line[row])


def _places(here: PoseSpace, lines: PlacedLines, gates: FloatArray, mesh: float, *, inside: bool) -> _Placed:
    """Places on lines a mesh apart, and those nearest to where links begin; in areas where lines are not enough."""
    spots = stations(lines, np.where(lines.wide < _NARROW, mesh * _CLOSER, mesh))
    feet = lines.feet(gates)
    line = np.tile(np.arange(feet.shape[1]), len(gates))
    spots = join([spots, Spots(line, feet.ravel())])
    found = [_Placed(lines.places(spots), lines.prices(spots), *spots, np.zeros(len(spots.at), np.bool_))]
    for number, placing in enumerate(here.placings):
        if not inside and placing.headings.wide >= 360.0:
            continue
        line_of = np.flatnonzero(lines.placing == number)[0]
        for piece in placing.pieces:
            if isinstance(piece, Inside):
                left, bottom, right, top = placing.bounds
                x, y = np.meshgrid(np.arange(left, right, mesh), np.arange(bottom, top, mesh))
                places = np.column_stack([x.ravel(), y.ravel()])
                places = places[piece.holds(places)]
                count = len(places)
                paid, at = np.full(count, float(piece.paid)), np.zeros(count)
                found.append(_Placed(places, paid, np.full(count, line_of), at, np.ones(count, np.bool_)))
    return join(found)


def _headings(here: PoseSpace, lines: PlacedLines, poses: _Placed, gates: FloatArray) -> tuple[IntArray, FloatArray]:
    """Headings that may be of use, by the row of the pose."""
    count = len(poses.paid)
    every = np.arange(count)
    normal = np.where(lines.length[poses.line] > 0.0, lines.normals(Spots(poses.line, poses.at)), 0.0)
    normal = np.where(poses.inside, 0.0, normal)
    evenly = np.arange(SECTORS) * (360.0 / SECTORS)
    directions = [(row, np.degrees(np.arctan2(-ahead[:, 1], -ahead[:, 0]))) for row, ahead in _past(here, poses)]
    for gate in gates:
        away = gate - poses.place
        directions.append((every, np.degrees(np.arctan2(away[:, 1], away[:, 0]))))
    found = [(np.repeat(every, SECTORS), (normal[:, None] + evenly).ravel())]
    found += [(row, degrees - aside) for row, degrees in directions for aside in here.asides.tolist()]
    found.append(Courses(here).on(poses.place, normal))
    return join(found)


def _past(here: PoseSpace, poses: _Placed) -> list[tuple[IntArray, FloatArray]]:
    """The directions opposite to legs that just pass things on their way from poses."""
    return list(Passing(here).past_things(poses.place))
