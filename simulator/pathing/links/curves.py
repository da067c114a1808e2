"""Curves of links: those along which links are looked for, and those on which their far sides lie.

From each place of a row a link leads to one place behind what it leads over. So what lies behind is a curve, or
several: it is sampled at shares of the row's length, and bisected where it begins, ends and turns (see `follow`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.outline_rows import OutlineRow
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.links.link import Link

#: How far apart the places are from which a curve is followed at first, in inches.
STEP = 0.1
#: Far sides so near to each other may belong together, in inches.
FINE = 0.006
#: Pieces of curves that turn by less than this, in inches, are in line: rounding of far sides, far below the grid.
_IN_LINE = 1e-9

#: Finds at which of many places (rows x, y) a mover can stand.
Stands = Callable[[FloatArray], BoolArray]
#: Computes what standing at each of many places (rows x, y) costs; inf where a mover cannot.
Costs = Callable[[FloatArray], FloatArray]
#: What a link is called along a curve: what it leads over, and a number where there are several of one thing.
Name = tuple[object, ...]
Named = dict[Name, Link]


class Tries(NamedTuple):
    """Links that may come down at places, one row each: which place, across what, from where, aimed where.

    They stand in order of places, and the most direct ones first.
    """

    places: FloatArray
    place: IntArray
    what: IntArray
    starts: FloatArray
    aims: FloatArray

    def of(self, rows: IntArray) -> Tries:
        """Return some of the rows, of the same places."""
        return Tries(self.places, self.place[rows], self.what[rows], self.starts[rows], self.aims[rows])


class TracedCurve:
    """A curve along which links are looked for: at shares of its length, by name.

    What it is depends on who derives from it: a row of places to begin at, or one of places to come down at.
    """

    def __init__(self, length: float) -> None:
        self.length = length
        self.seen: dict[float, Named] = {}
        #: Shares that are looked at besides: where something just comes within reach.
        self.touched: list[float] = []
        #: Neighbouring shares between which a far side was found half way, too: there is no break.
        self.unbroken: set[tuple[float, float]] = set()

    @property
    def first_shares(self) -> list[float]:
        """The shares at which it is looked first."""
        count = max(math.ceil(self.length / STEP), 1) + 1
        return [float(share) for share in np.linspace(0.0, 1.0, count)]

    def alike(self, some: Named, others: Named) -> bool:
        """Return whether the same things are crossed, to far sides that lie together as their near sides do.

        Past the end of a wall far sides run away quicker than the places they begin at, but not four times as quick.
        """
        if some.keys() != others.keys():
            return False
        for over, link in some.items():
            other = others[over]
            apart, begun = math.dist(link.far, other.far), math.dist(link.near, other.near)
            if apart > 4.0 * begun + FINE:
                return False
        return True

    def places_at(self, shares: Sequence[float]) -> FloatArray | None:  # noqa: ARG002
        """Return the places at shares on a curve of places to come down at; None on one of places to begin at."""
        return None

    def tries_at(self, places: FloatArray) -> Tries | None:  # noqa: ARG002
        """Return the links that may come down at places, where these are known."""
        return None


class RowCurve(TracedCurve):
    """Places before an outline to begin at: at each share one at which the mover stands.

    It is the nearest one, or with `costs` the cheapest: where links have prices in inches, who may begin an inch before
    a wall does so.
    """

    def __init__(
        self, row: OutlineRow, stands: Stands, ground: BaseGeometry, step: float = STEP, costs: Costs | None = None
    ) -> None:
        """Take a row, where a mover stands, and about where that is: places too few to be met are looked for there.

        `step` is how far apart places are looked at first, in inches; costs behind the row exceed by half of it.
        """
        super().__init__(row.length)
        self.row, self.stands, self.ground, self.step, self.costs = row, stands, ground, step, costs

    @property
    def first_shares(self) -> list[float]:
        """The nodes, and places between them: what lies behind turns where the outline does."""
        return self.row.spread(self.step)


class OnwardCurve(TracedCurve):
    """The far sides of links as a row of places for the next link, which may begin there immediately."""

    def __init__(self, curve: LinkCurve) -> None:
        super().__init__(float(curve.line.length))
        self.curve = curve
        # Where the line turns back it ends as much as at its two ends, however short it is.
        step = np.diff(curve.fars, axis=0)
        turns = np.flatnonzero(np.sum(step[1:] * step[:-1], axis=1) < 0.0) + 1
        self.touched += (turns / max(len(step), 1)).tolist()

    def share_at(self, place: XY) -> float:
        """Return the share at a place of the line."""
        spot, pieces = shapely.Point(place), self.curve.pieces
        if not len(pieces):
            return 0.0
        piece = int(np.argmin(shapely.distance(pieces, spot)))
        return (piece + float(shapely.line_locate_point(pieces[piece], spot, normalized=True))) / len(pieces)

    def on_straights(self, shares: Sequence[float]) -> list[XY | None]:
        """Return the places at shares where the line is straight, so that no search is needed."""
        last = len(self.curve.in_line) - 1
        places: list[XY | None] = []
        for share in shares:
            piece = min(int(share * (last + 1)), last)
            if last < 0 or not self.curve.in_line[piece]:
                places.append(None)
                continue
            (x1, y1), (x2, y2) = self.curve.fars[piece : piece + 2].tolist()
            part = share * (last + 1) - piece
            places.append((x1 + part * (x2 - x1), y1 + part * (y2 - y1)))
        return places

    def shares_before(self, shares: Sequence[float]) -> list[float]:
        """The shares, on the curve that the links were found along, at which links lead to shares of this one."""
        known = self.curve.shares
        return [float(share) for share in np.interp(shares, np.linspace(0.0, 1.0, len(known)), known)]


@dataclass(frozen=True, eq=False)
class LinkCurve:
    """A curve of far sides: the links found along one row, in order; a single one is a point."""

    links: tuple[Link, ...]
    shares: tuple[float, ...]
    traced: TracedCurve
    name: Name

    @cached_property
    def fars(self) -> FloatArray:
        """The far sides, in order."""
        return np.array([link.far for link in self.links]).reshape(-1, 2)

    @cached_property
    def line(self) -> BaseGeometry:
        """The far sides as a line, or as a point."""
        return shapely.LineString(self.fars) if len(self.links) > 1 else shapely.Point(self.links[0].far)

    @cached_property
    def pieces(self) -> NDArray[Any]:
        """The line in pieces, from one far side to the next."""
        return np.asarray(shapely.linestrings(np.stack([self.fars[:-1], self.fars[1:]], axis=1)))

    @cached_property
    def in_line(self) -> BoolArray:
        """Which pieces lie exactly in line with one beside them: there what is between far sides is one, too.

        Only known for lines that depend on another: following those back costs more with each link.
        """
        if not isinstance(self.traced, OnwardCurve):
            return np.zeros(max(len(self.fars) - 1, 0), np.bool_)
        step = np.diff(self.fars, axis=0)
        turn = step[1:, 0] * step[:-1, 1] - step[1:, 1] * step[:-1, 0]
        straight = np.abs(turn) <= _IN_LINE * np.hypot(*step[1:].T)
        return np.append(straight, False) | np.append(False, straight) if len(step) else np.zeros(0, np.bool_)

    def at(self, share: float) -> Link | None:
        """Return the link at a share that has been looked at."""
        return self.traced.seen[share].get(self.name)
