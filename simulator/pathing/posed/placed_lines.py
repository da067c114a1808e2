"""The lines of placings as a table: places, normals, headings and prices after so many inches of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.begins import Arc
from simulator.pathing.posed.placings import Placing
from simulator.pathing.posed.rays import units
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.toll_table import no_tolls
from simulator.pathing.posed.turn_prices import TurnGroups
from simulator.pathing.posed.turn_tolls import under_bases


class Spots(NamedTuple):
    """Places on lines: which line, and after how many inches of it."""

    line: IntArray
    at: FloatArray


class PlacedLines(NamedTuple):
    """Lines to begin on, one row each."""

    round: BoolArray  #: whether it is an arc
    begin: FloatArray  #: where it begins; of an arc its middle
    ahead: FloatArray  #: of a segment; of length 1
    radius: FloatArray
    first: FloatArray  #: the bearing where an arc begins, in degrees
    length: FloatArray
    paid: FloatArray
    rise: FloatArray  #: of what has been paid, for each inch
    low: FloatArray  #: the first heading in degrees
    wide: FloatArray  #: how many degrees headings span
    relative: BoolArray  #: whether they are relative to the normal
    travelled: FloatArray
    covered: FloatArray
    level: IntArray
    placing: IntArray  #: the number of the placing

    @classmethod
    def of(cls, placings: Sequence[Placing]) -> PlacedLines:
        """Return the lines of placings, those around areas among them."""
        found = [(line, placing, number) for number, placing in enumerate(placings) for line in placing.lines]
        arcs = np.array([isinstance(line, Arc) for line, _, _ in found], np.bool_)
        corners = [
            (line.middle, line.middle) if isinstance(line, Arc) else (line.begin, line.end) for line, _, _ in found
        ]
        begin, end = np.array(corners, np.float64).reshape(-1, 2, 2).transpose(1, 0, 2)
        length = np.array([line.length for line, _, _ in found], np.float64)
        away = end - begin
        far = np.hypot(away[:, 0], away[:, 1])
        paid = np.array([float(line.paid) for line, _, _ in found])
        last = np.array([float(line.paid if line.paid_at_end is None else line.paid_at_end) for line, _, _ in found])
        headings = [placing.headings for _, placing, _ in found]
        return cls(
            arcs,
            begin,
            np.where(far[:, None] > 0.0, away / np.where(far > 0.0, far, 1.0)[:, None], (1.0, 0.0)),
            np.array([line.radius if isinstance(line, Arc) else 0.0 for line, _, _ in found]),
            np.array([line.first if isinstance(line, Arc) else 0.0 for line, _, _ in found]),
            length,
            paid,
            np.where(length > 0.0, (last - paid) / np.where(length > 0.0, length, 1.0), 0.0),
            np.array([one.first for one in headings], np.float64),
            np.array([one.wide for one in headings], np.float64),
            np.array([one.from_normal for one in headings], np.bool_),
            np.array([float(placing.travelled) for _, placing, _ in found]),
            np.array([float(placing.covered) for _, placing, _ in found]),
            np.array([placing.level for _, placing, _ in found], np.intp),
            np.array([number for _, _, number in found], np.intp),
        )

    # --- after so many inches of them ---

    def places(self, spots: Spots) -> FloatArray:
        """Return the places of spots, rows x, y."""
        line, at = spots
        straight = self.begin[line] + at[:, None] * self.ahead[line]
        arc = np.flatnonzero(self.round[line])
        if len(arc):
            which = line[arc]
            bearing = self.first[which] + np.degrees(at[arc] / self.radius[which])
            straight[arc] = self.begin[which] + self.radius[which, None] * units(bearing)
        return np.asarray(straight)

    def normals(self, spots: Spots) -> FloatArray:
        """Return the directions to the left of lines, in degrees."""
        line, at = spots
        straight = np.degrees(np.arctan2(self.ahead[line, 1], self.ahead[line, 0])) + 90.0
        turned = np.degrees(at / np.where(self.round, self.radius, 1.0)[line])
        return np.where(self.round[line], self.first[line] + turned + 180.0, straight)

    def prices(self, spots: Spots) -> FloatArray:
        """Return what has been paid there."""
        return np.asarray(self.paid[spots.line] + self.rise[spots.line] * spots.at)

    def nearest_headings(self, spots: Spots, headings: FloatArray) -> FloatArray:
        """Return the headings that may be had at spots nearest to some."""
        line = spots.line
        low = self.low[line] + np.where(self.relative[line], self.normals(spots), 0.0)
        beyond, wide = np.mod(headings - low, 360.0), self.wide[line]
        nearer_first = 360.0 - beyond < beyond - wide
        outside = np.where(nearer_first, 0.0, wide)
        return np.where((beyond <= wide) | (wide >= 360.0), headings, low + outside)

    # --- where lines are seen ---

    def feet(self, places: FloatArray) -> FloatArray:
        """Compute after how many inches lines are nearest to places, an array [place, line]."""
        away = places[:, None] - self.begin
        straight = np.sum(away * self.ahead, axis=2)
        bearing = np.degrees(np.arctan2(away[..., 1], away[..., 0]))
        turned = np.mod(bearing - self.first, 360.0)
        round_ = self.round
        radius = np.where(round_, self.radius, 1.0)
        most = np.degrees(self.length / radius)
        # Beyond its ends the nearer end of an arc is nearest.
        beyond = turned > most
        turned = np.where(beyond, np.where(turned - most < 360.0 - turned, most, 0.0), turned)
        return np.where(round_, np.radians(turned) * radius, np.clip(straight, 0.0, self.length))

    def met(self, places: FloatArray, backward: FloatArray) -> tuple[IntArray, Spots]:
        """Find where lines meet rays from places, rows x, y of length 1: the number of the ray, and the spot."""
        away = places[:, None] - self.begin
        ahead, back = self.ahead, backward[:, None]
        over = back[..., 0] * ahead[:, 1] - back[..., 1] * ahead[:, 0]
        slanting = np.abs(over) > TOUCH
        safe = np.where(slanting, over, 1.0)
        along = (back[..., 0] * away[..., 1] - back[..., 1] * away[..., 0]) / safe
        far = (ahead[:, 0] * away[..., 1] - ahead[:, 1] * away[..., 0]) / safe
        hit = slanting & ~self.round & (far > TOUCH) & (along >= -TOUCH) & (along <= self.length + TOUCH)
        ray, line = np.nonzero(hit)
        found = [(ray, line, np.clip(along[ray, line], 0.0, self.length[line]))]
        for number in np.flatnonzero(self.round).tolist():
            middle = away[:, number]
            inward = -np.sum(middle * backward, axis=1)
            root = inward**2 - np.sum(middle**2, axis=1) + self.radius[number] ** 2
            for sign in (-1.0, 1.0):
                far_ = inward + sign * np.sqrt(np.maximum(root, 0.0))
                there = middle + far_[:, None] * backward
                turned = np.mod(np.degrees(np.arctan2(there[:, 1], there[:, 0])) - self.first[number], 360.0)
                at = np.radians(turned) * self.radius[number]
                row = np.flatnonzero((root >= 0.0) & (far_ > TOUCH) & (at <= self.length[number] + TOUCH))
                found.append((row, np.full(len(row), number), np.minimum(at[row], self.length[number])))
        ray, line, at = join(found)
        return ray, Spots(line, at)


def stations(lines: PlacedLines, apart: float | FloatArray) -> Spots:
    """Return places on lines, their ends among them, so far apart at most; that may differ by line."""
    count = np.maximum(np.ceil(lines.length / apart - TOUCH), 0.0).astype(np.intp)
    line = np.repeat(np.arange(len(count)), count + 1)
    number = np.arange(len(line)) - np.repeat(np.cumsum(count + 1) - count - 1, count + 1)
    return Spots(line, number * (lines.length / np.maximum(count, 1))[line])


def states_at(space: PoseSpace, lines: PlacedLines, spots: Spots, headings: FloatArray) -> PoseStates:
    """Return the states that begin at spots of a space on one level, with headings."""
    place, line = lines.places(spots), spots.line
    return placed_states(space, place, headings, lines.prices(spots), lines, line)


def placed_states(
    space: PoseSpace,
    place: FloatArray,
    headings: FloatArray,
    price: FloatArray,
    lines: PlacedLines,
    line: IntArray,
) -> PoseStates:
    """Return the states of movers that are placed, each by a line of its placing; what is under bases is touched."""
    count = len(price)
    none, numbers, tolls = np.zeros(count), np.full(count, -1), no_tolls(count)
    if space.tolls and count:
        tolls = tolls._replace(touched=under_bases(space, place, headings))
    group = TurnGroups(none, none, none, none)
    free = np.full(count, float(space.turns.free))
    travelled, covered, level = pick((lines.travelled, lines.covered, lines.level), line)
    before = numbers, numbers, none, none, none, numbers
    return PoseStates(place, headings, price, travelled, free, group, level, *before, tolls, covered)
