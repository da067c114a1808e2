"""Where traverses come down: the far sides that belong to whole rows of places from which they begin.

A traverse straight across leads from each point of an obstacle's face to one place behind it, however far away it
began. So what lies behind is a line: it is followed along the faces and round the corners of the obstacle, from places
within an inch, and between two neighbours found where it is asked for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.rulesets.skirmish.ground import edges_of, features_of
from simulator.rulesets.skirmish.rolls import traverse_roll
from simulator.rulesets.skirmish.soldiers import SkirmishTable, radius_of
from simulator.rulesets.skirmish.traverses import Traverse, in_reach, order_breaches, traverses_of

#: How far apart the places are from which a line of far sides is followed, in inches.
STEP = 0.4
#: Where such a line begins and ends is found to within this, in inches.
_FINE = 0.006
_FINE_SLANTED = 0.1
#: Lines are drawn straight between far sides that are off the true curve by no more than this, in inches.
_SAG = 0.005
#: How far from the obstacle the places are tried from which it may be traversed, as shares of what is allowed.
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_CLOSE = 1e-6

Ends = Callable[[FloatArray], BoolArray]


class Jump(NamedTuple):
    """One traverse, from where it begins: what of, where it comes down and stays, its chance, and where it is aimed."""

    start: XY
    over: tuple[str, ...]
    near: XY
    far: XY
    chance: Fraction
    towards: XY | None = None

    def order(self, soldier: str) -> Order:
        """The order to traverse."""
        args: dict[str, object] = {"obstacle": self.over[0]}
        if len(self.over) == 2:
            args["other"] = self.over[1]
        if self.towards is not None:
            args["towards"] = self.towards
        return Order(soldier, "traverse", (), args)


class Row(NamedTuple):
    """A row of places to traverse from: for shares of it, places tried one after the other, and what is aimed at."""

    length: float
    #: To within what, in inches, it is found where a traverse begins and ceases to be possible.
    fine: float
    starts: Callable[[FloatArray], FloatArray]  #: shares -> shares by tries by x, y
    aim: Callable[[float], XY] | None = None


Name = tuple[object, ...]
Named = dict[Name, Jump]


@dataclass(frozen=True, eq=False)
class Landing:
    """A line of far sides: the traverses found along one row of places, in order; a single one is a point."""

    jumps: tuple[Jump, ...]
    shares: tuple[float, ...]
    jump_at: Callable[[float], Jump | None] = field(repr=False)

    @cached_property
    def fars(self) -> FloatArray:
        """The far sides, in order."""
        return np.array([jump.far for jump in self.jumps]).reshape(-1, 2)

    @cached_property
    def line(self) -> BaseGeometry:
        """The far sides as a line, or as a point."""
        return shapely.LineString(self.fars) if len(self.jumps) > 1 else shapely.Point(self.jumps[0].far)

    def jump_to(self, place: XY) -> Jump | None:
        """Give the traverse that comes down at a place, or None where none of this line does."""
        for jump in self.jumps:
            if math.dist(jump.far, place) <= _CLOSE:
                return jump
        for number in range(len(self.jumps) - 1):
            piece = shapely.LineString([self.jumps[number].far, self.jumps[number + 1].far])
            if shapely.distance(piece, shapely.Point(place)) <= 0.05 * max(piece.length, _FINE):
                found = self._between(number, place)
                if found is not None:
                    return found
        return None

    def _between(self, number: int, place: XY) -> Jump | None:
        """Close in on a place between two neighbours."""
        low, high = self.shares[number], self.shares[number + 1]
        before, after = self.jumps[number].far, self.jumps[number + 1].far
        for _ in range(30):
            along = (after[0] - before[0], after[1] - before[1])
            square = along[0] ** 2 + along[1] ** 2
            if square < 1e-18:
                return None
            share = ((place[0] - before[0]) * along[0] + (place[1] - before[1]) * along[1]) / square
            if not -1e-6 <= share <= 1.0 + 1e-6:
                return None
            middle = low + min(max(share, 0.0), 1.0) * (high - low)
            jump = self.jump_at(middle)
            if jump is None:
                return None
            if math.dist(jump.far, place) <= _CLOSE:
                return jump
            past = (place[0] - jump.far[0]) * along[0] + (place[1] - jump.far[1]) * along[1] < 0.0
            low, before, high, after = (low, before, middle, jump.far) if past else (middle, jump.far, high, after)
        return None


class Jumps:
    """The traverses of one soldier, each place asked about once."""

    def __init__(self, table: SkirmishTable, unit: Unit) -> None:
        self.table, self.unit = table, unit
        self._known: dict[XY, list[Jump]] = {}

    def from_place(self, place: XY) -> list[Jump]:
        """Give the traverses straight across from a place, those that lead nowhere left out."""
        if place not in self._known:
            there = self.unit.put(place=place)
            ways = in_reach(self.table, there)
            self._known[place] = [
                _jump(self.table, there, way) for way in ways if math.dist(way.near, way.far) > _CLOSE
            ]
        return self._known[place]

    @clause("SK-18", "SK-23", "SK-26")
    def landings(
        self, ends: Ends, near: BaseGeometry, spots: Sequence[XY], before: Sequence[Landing] = ()
    ) -> list[Landing]:
        """Give the far sides of all that can be traversed from places where a soldier can stand.

        `ends` tells which places these are, `near` is about where they lie; `spots` are places that stand alone, and
        `before` far sides that it came down on.
        """
        found: list[Landing] = []
        for spot in spots:
            for jump in self.from_place(spot):
                _add(found, Landing((jump,), (0.0,), lambda _share, jump=jump: jump))  # type: ignore[misc]
        rows: list[tuple[Row, Ends]] = [(_row_on(landing), _anywhere) for landing in before]
        if not near.is_empty:
            within = radius_of(self.unit) + float(self.table.tables["traverse.within"])
            for piece in features_of(self.table).obstacles:
                if shapely.distance(piece.shape.polygon, near) <= within:
                    rows += [(row, ends) for row in _rows_along(self.table, self.unit, edges_of(piece))]
        for row, there in rows:
            for landing in _followed(self, row, there):
                _add(found, landing)
        if self.table.options.traverse_direction == "any_direction":
            for landing in found:
                count = len(landing.jumps)
                for number in sorted({0, count // 2, count - 1}):
                    for slanted in _slanted(self, landing.jumps[number]):
                        _add(found, slanted)
        return found


def _jump(table: SkirmishTable, there: Unit, way: Traverse) -> Jump:
    chance = traverse_roll(table, there, way.difficulty).chance
    return Jump(tuple(there.place), way.over, way.near, way.far, chance, way.towards)


def _called(jump: Jump) -> Name:
    """What tells the traverses from one place apart: what of, and which gap or point of it if there are several."""
    at = () if jump.towards is None else (round(jump.towards[0], 6), round(jump.towards[1], 6))
    return (*jump.over, *at)


def _by_name(jumps: Sequence[Jump]) -> Named:
    return {_called(jump): jump for jump in jumps}


def _add(found: list[Landing], landing: Landing) -> None:
    """Add a line, unless all its places lie on lines that are there, with no better chance."""
    spots = shapely.points(landing.fars)
    for other in found:
        same = other.jumps[0].over == landing.jumps[0].over and other.jumps[0].chance >= landing.jumps[0].chance
        if same and np.all(shapely.distance(other.line, spots) <= _FINE):
            return
    found.append(landing)


def _rows_along(table: SkirmishTable, unit: Unit, edges: FloatArray) -> Iterator[Row]:
    """The rows of places along the faces of an obstacle and round its corners, nearest first."""
    radius, within = radius_of(unit), float(table.tables["traverse.within"])
    out = radius + within * np.array(_SHARES)

    for edge in edges:
        along = edge[2:] - edge[:2]
        length = float(np.hypot(*along))
        for side in (1.0, -1.0):
            off = side * np.array([-along[1], along[0]]) / length

            def beside(
                shares: FloatArray, start: FloatArray = edge[:2], along: FloatArray = along, off: FloatArray = off
            ) -> FloatArray:
                return np.asarray((start + shares[:, None] * along)[:, None] + out[:, None] * off)

            yield Row(length, _FINE, beside)
    for corner in np.unique(edges.reshape(-1, 2), axis=0):

        def around(shares: FloatArray, corner: FloatArray = corner) -> FloatArray:
            turned = 2.0 * np.pi * shares
            away = np.stack([np.cos(turned), np.sin(turned)], axis=1)
            return np.asarray(corner + out[:, None] * away[:, None])

        yield Row(2.0 * math.pi * radius, _FINE, around)


def _row_on(landing: Landing) -> Row:
    """The far sides of a traverse as a row of places for the next."""
    shares = np.array(landing.shares)

    def on(wanted: FloatArray) -> FloatArray:
        jumps = [landing.jump_at(share) for share in np.interp(wanted, np.linspace(0.0, 1.0, len(shares)), shares)]
        return np.array([(np.nan, np.nan) if jump is None else jump.far for jump in jumps])[:, None]

    return Row(float(landing.line.length), _FINE, on)


class _Followed:
    """A row of places, and the traverses that have been looked for from it."""

    def __init__(self, jumps: Jumps, row: Row, ends: Ends) -> None:
        self.jumps, self.row, self.ends = jumps, row, ends
        self.seen: dict[float, Named] = {}

    def look(self, shares: list[float]) -> None:
        """Find the traverses at some shares."""
        new = np.array([share for share in shares if share not in self.seen])
        if not len(new):
            return
        starts = self.row.starts(new)
        there = self.ends(starts.reshape(-1, 2)).reshape(starts.shape[:2])
        for share, tried, legal in zip(new.tolist(), starts.tolist(), there, strict=True):
            first = tuple(tried[int(np.argmax(legal))]) if legal.any() else None
            self.seen[share] = {} if first is None else self._jumps(first, share)

    def _jumps(self, start: XY, share: float) -> Named:
        if self.row.aim is not None:
            return _aimed(self.jumps, start, self.row.aim(share))
        return _by_name(self.jumps.from_place(start))

    def at(self, share: float) -> Named:
        """Give the traverses at a share."""
        self.look([share])
        return self.seen[share]


def _followed(jumps: Jumps, row: Row, ends: Ends) -> list[Landing]:
    """The lines of far sides along a row of places, one for each thing that is traversed."""
    followed = _Followed(jumps, row, ends)
    shares = np.linspace(0.0, 1.0, max(math.ceil(row.length / STEP), 1) + 1).tolist()
    followed.look(shares)
    _find_breaks(followed, shares)
    return [line for over in _all_over(followed.seen) for line in _lines(followed, over)]


def _all_over(seen: dict[float, Named]) -> list[Name]:
    return sorted({over for jumps in seen.values() for over in jumps}, key=str)


def _find_breaks(followed: _Followed, shares: list[float]) -> None:
    """See to it that where a traverse ceases to be possible between two places is known exactly enough."""
    pairs = list(itertools.pairwise(shares))
    while True:
        seen = followed.seen
        wide = [
            (low, high)
            for low, high in pairs
            if (high - low) * followed.row.length > followed.row.fine
            and not (_alike(seen[low], seen[high]) and _is_straight(followed, low, high))
        ]
        if not wide:
            return
        followed.look([(low + high) / 2 for low, high in wide])
        pairs = [half for low, high in wide for half in ((low, (low + high) / 2), ((low + high) / 2, high))]


def _is_straight(followed: _Followed, low: float, high: float) -> bool:
    """Whether the far sides between two shares lie on a straight line, as far as those in the middle tell."""
    ends = followed.seen[low], followed.seen[high]
    if not ends[0]:
        return True
    followed.look([(low + high) / 2])
    middle = followed.seen[(low + high) / 2]
    for over, jump in middle.items():
        if over in ends[0] and over in ends[1]:
            line = shapely.LineString([ends[0][over].far, ends[1][over].far])
            if shapely.distance(line, shapely.Point(jump.far)) > _SAG:
                return False
    return True


def _alike(some: Named, others: Named) -> bool:
    """Whether the same things are traversed, to far sides that lie together as their near sides do."""
    if some.keys() != others.keys():
        return False
    for over, jump in some.items():
        other = others[over]
        apart, begun = math.dist(jump.far, other.far), math.dist(jump.near, other.near)
        if jump.chance != other.chance or apart > 4.0 * begun + _FINE:
            return False
    return True


def _lines(followed: _Followed, over: Name) -> Iterator[Landing]:
    """Cut what was found along a row into unbroken lines."""
    line: list[float] = []
    for share in sorted(followed.seen):
        jump = followed.seen[share].get(over)
        if line and (jump is None or not _alike({over: followed.seen[line[-1]][over]}, {over: jump})):
            yield _landing(followed, over, line)
            line = []
        if jump is not None:
            line.append(share)
    if line:
        yield _landing(followed, over, line)


def _landing(followed: _Followed, over: Name, line: list[float]) -> Landing:
    seen, kept = followed.seen, [line[0]]
    for share in line[1:]:  # far sides at one place need no line
        if math.dist(seen[share][over].far, seen[kept[-1]][over].far) > _CLOSE:
            kept.append(share)
    return Landing(tuple(seen[share][over] for share in kept), tuple(kept), lambda share: followed.at(share).get(over))


# --- in any direction ---


@clause("SK-23")
def _slanted(jumps: Jumps, jump: Jump) -> Iterator[Landing]:
    """The lines of far sides that one place leads to if it may aim at any point of the obstacle."""
    if len(jump.over) == 2:
        return
    for x1, y1, x2, y2 in features_of(jumps.table).by_id[jump.over[0]].shape.edges.tolist():

        def here(shares: FloatArray) -> FloatArray:
            return np.tile(np.array(jump.start), (len(shares), 1, 1))

        def aim(share: float, a: XY = (x1, y1), b: XY = (x2, y2)) -> XY:
            return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])

        yield from _followed(jumps, Row(math.hypot(x2 - x1, y2 - y1), _FINE_SLANTED, here, aim), _anywhere)


def _anywhere(places: FloatArray) -> BoolArray:
    return np.isfinite(places[:, 0])


def _aimed(jumps: Jumps, start: XY, towards: XY) -> Named:
    table, there = jumps.table, jumps.unit.put(place=start)
    found = []
    for piece in features_of(table).obstacles:
        if shapely.distance(piece.shape.polygon, shapely.Point(towards)) > _CLOSE:
            continue
        order = Order(there.id, "traverse", (), {"obstacle": piece.id, "towards": towards})
        ways = traverses_of(table, there, order)
        if ways and not any(order_breaches(table, there.put(ap=9, has_run=False), order)):
            found.append(_jump(table, there, ways[0]))
    return {jump.over: jump for jump in found}
