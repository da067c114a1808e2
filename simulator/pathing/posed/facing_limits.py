"""The headings at which a base that stands at a place just has room: past them it would overlap something."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.edges_of_table import over_sides
from simulator.geometry.footprints import Round
from simulator.geometry.movers import mover_of
from simulator.geometry.path_judge import overlaps_along
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans, joined, merged
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.posed.space import PoseSpace


class FacingLimits(NamedTuple):
    """Headings in degrees at places, sorted by the number of the place."""

    place: IntArray
    heading: FloatArray

    @classmethod
    def at(cls, space: PoseSpace, places: FloatArray) -> FacingLimits:
        """Find them, the space asked by the rows of the places; bases that are round have none."""
        if isinstance(space.base, Round) or not len(places):
            return cls(np.zeros(0, np.intp), np.zeros(0))
        # Half a turn each way, from a heading of 0.
        row, sense = np.repeat(np.arange(len(places)), 2), np.tile([1.0, -1.0], len(places))
        count, there = len(row), places[row]
        rows, none, zeros = np.arange(count), np.zeros(count), np.zeros_like(there)
        turns = Paths(rows, there, there, zeros, none, none, none, none, 180.0 * sense, count)
        over, meets = overlaps_along(turns, space.bars_standing, space.base, TOUCH), space.meets
        if meets is not None:
            over = pick(over, meets[row[over.path], over.which])
        barred = [Spans(over.path, over.begin, over.end)]
        if space.box is not None and space.whole_base_on_table:
            beyond = over_sides(turns, mover_of(space.base), np.array(space.box), TOUCH)
            barred.append(beyond._replace(row=beyond.row // 4))
        spans = merged(joined(barred), slack=TOUCH)
        turn, share = np.r_[spans.row, spans.row], np.r_[spans.begin, spans.end]
        inside = np.flatnonzero((share > 0.0) & (share < 1.0))
        order = inside[np.argsort(turn[inside], kind="stable")]
        return cls(row[turn[order]], 180.0 * (sense[turn] * share)[order])
