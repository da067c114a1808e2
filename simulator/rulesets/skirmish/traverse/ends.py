"""Where traverses come down: the far sides that belong to whole rows of places from which they begin.

A traverse straight across leads from each point of an obstacle's face to one place behind it, however far away it
began. So what lies behind is a line: it is followed along the faces and round the corners of the obstacle, from places
within an inch, and between two neighbours found where it is asked for. All lines are followed together, so that a round
of questions is one question.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.obstruction import features_of
from simulator.rulesets.skirmish.traverse.faces import Ends, Row, rows_along
from simulator.rulesets.skirmish.traverse.jumps import CLOSE, Jump, Jumps
from simulator.rulesets.skirmish.traverse.rules import are_legal, over_obstacles
from simulator.rulesets.skirmish.traverse.traced import AT_ONCE, FINE, Followed, Name, Named, Tries
from simulator.rulesets.skirmish.units import radius_of

#: Where such a line begins, ends and turns is found to within this, in inches of the places it is followed from.
_FINEST = 4e-6
#: Pieces of lines of far sides that turn by less than this, in inches, are in line.
_IN_LINE = 1e-9
#: Lines are drawn straight between far sides that are off the true curve by no more than this, in inches.
_SAG = 0.005
#: How often it is closed in on a far side between two neighbours.
_ROUNDS = 30

#: Who comes down this near to a place of a line will do.
_ASHORE = 0.003
#: So many starts are tried for each place at first, then more, then all.
_TRIES = (0, 3, 12, 1_000_000)


class RowBehind(Followed):
    """The far sides of a traverse as a row of places for the next."""

    def __init__(self, landing: Landing) -> None:
        super().__init__(float(landing.line.length))
        self.landing = landing
        # Where the line turns back it ends as much as at its two ends, however short it is.
        step = np.diff(landing.fars, axis=0)
        turns = np.flatnonzero(np.sum(step[1:] * step[:-1], axis=1) < 0.0) + 1
        self.touched += (turns / max(len(step), 1)).tolist()

    def share_at(self, place: XY) -> float:
        """The share at a place of the line."""
        spot, pieces = shapely.Point(place), self.landing.pieces
        if not len(pieces):
            return 0.0
        piece = int(np.argmin(shapely.distance(pieces, spot)))
        return (piece + float(shapely.line_locate_point(pieces[piece], spot, normalized=True))) / len(pieces)

    def on_straights(self, shares: Sequence[float]) -> list[XY | None]:
        """The places at shares where the line is straight: nobody has to ask who comes down there."""
        last = len(self.landing.in_line) - 1
        places: list[XY | None] = []
        for share in shares:
            piece = min(int(share * (last + 1)), last)
            if last < 0 or not self.landing.in_line[piece]:
                places.append(None)
                continue
            (x1, y1), (x2, y2) = self.landing.fars[piece : piece + 2].tolist()
            part = share * (last + 1) - piece
            places.append((x1 + part * (x2 - x1), y1 + part * (y2 - y1)))
        return places

    def shares_of_landing(self, shares: Sequence[float]) -> list[float]:
        """The shares of the line on which the landing was found."""
        known = self.landing.shares
        return [float(share) for share in np.interp(shares, np.linspace(0.0, 1.0, len(known)), known)]


@dataclass(frozen=True, eq=False)
class Landing:
    """A line of far sides: the traverses found along one line, in order; a single one is a point."""

    jumps: tuple[Jump, ...]
    shares: tuple[float, ...]
    followed: Followed
    name: Name

    @cached_property
    def fars(self) -> FloatArray:
        """The far sides, in order."""
        return np.array([jump.far for jump in self.jumps]).reshape(-1, 2)

    @cached_property
    def line(self) -> BaseGeometry:
        """The far sides as a line, or as a point."""
        return shapely.LineString(self.fars) if len(self.jumps) > 1 else shapely.Point(self.jumps[0].far)

    @cached_property
    def pieces(self) -> NDArray[Any]:
        """The line in pieces, from one far side to the next."""
        return np.asarray(shapely.linestrings(np.stack([self.fars[:-1], self.fars[1:]], axis=1)))

    @cached_property
    def in_line(self) -> BoolArray:
        """Which pieces lie exactly in line with one beside them: there what is between far sides is one, too.

        Only told of lines that hang on another: to follow those back costs more with each traverse, others are asked.
        """
        if not isinstance(self.followed, RowBehind):
            return np.zeros(max(len(self.fars) - 1, 0), np.bool_)
        step = np.diff(self.fars, axis=0)
        turn = step[1:, 0] * step[:-1, 1] - step[1:, 1] * step[:-1, 0]
        straight = np.abs(turn) <= _IN_LINE * np.hypot(*step[1:].T)
        return np.append(straight, False) | np.append(False, straight) if len(step) else np.zeros(0, np.bool_)

    def at(self, share: float) -> Jump | None:
        """Return the traverse at a share that has been looked at."""
        return self.followed.seen[share].get(self.name)


# --- looking ---


def look(jumps: Jumps, wanted: Iterable[tuple[Followed, Sequence[float]]]) -> None:
    """Find the traverses at shares of many lines at once."""
    fresh: dict[Followed, dict[float, Named]] = {}
    for followed, shares in wanted:
        own = fresh.setdefault(followed, {})
        own.update((share, {}) for share in shares if share not in followed.seen)
    todo = [(followed, list(shares)) for followed, shares in fresh.items() if shares]
    for followed, share, jump in _ashore(jumps, todo):
        fresh[followed][share] = {jump.over: jump}
    spots = [*_in_rows(todo), *_behind(jumps, todo)]
    for (followed, share, _), found in zip(spots, jumps.from_places([place for *_, place in spots]), strict=True):
        fresh[followed][share] = _named(found)
    # Whole, or not at all: another thread may be reading.
    for followed, found_there in fresh.items():
        followed.seen.update(found_there)


_Spots = list[tuple[Followed, float, XY]]


def _ashore(jumps: Jumps, todo: Sequence[tuple[Followed, list[float]]]) -> Iterator[tuple[Followed, float, Jump]]:
    """Find who comes down at shares of the lines where that is the question."""
    asked = [(line, shares, line.places_at(shares)) for line, shares in todo]
    tried = [(line, shares, line.tries_at(places)) for line, shares, places in asked if places is not None]
    known = [(line, shares, tries) for line, shares, tries in tried if tries is not None]
    for (line, shares, _), told in zip(known, coming_down(jumps, [one for *_, one in known], _ASHORE), strict=True):
        yield from ((line, share, jump) for share, jump in zip(shares, told, strict=True) if jump)


@clause("SK-23")
def coming_down(jumps: Jumps, several: Sequence[Tries], error: float) -> list[list[Jump | None]]:
    """Compute for each place of several lines the most direct legal traverse that comes down there, within an error."""
    if not several:
        return []
    counts = [len(tries.places) for tries in several]
    before = np.cumsum([0, *counts])
    places = np.concatenate([tries.places for tries in several])
    place = np.concatenate([tries.place + first for tries, first in zip(several, before, strict=False)])
    what = np.concatenate([np.full(len(tries.place), tries.what) for tries in several])
    starts = np.concatenate([tries.starts for tries in several])
    aims = np.concatenate([tries.aims for tries in several])
    found: list[Jump | None] = [None] * len(places)
    rank = np.arange(len(place)) - np.searchsorted(place, place)
    open_ = np.ones(len(places), np.bool_)
    for low, high in itertools.pairwise(_TRIES):
        left = np.flatnonzero(open_[place] & (rank >= low) & (rank < high))
        for rows in np.array_split(left, len(left) // AT_ONCE + 1):
            ways = over_obstacles(jumps.climber, place[rows], what[rows], starts[rows], aims[rows], aims[rows])
            ways = ways.of(np.hypot(*(ways.far - places[place[rows]]).T) <= error)
            ways = ways.of(are_legal(ways))
            at, first = np.unique(ways.origin, return_index=True)
            for number, jump in zip(at.tolist(), jumps.told(ways.of(first)), strict=True):
                found[number] = found[number] or jump
            open_[at] = False
    return [found[first : first + count] for first, count in zip(before.tolist(), counts, strict=False)]


def _in_rows(todo: Sequence[tuple[Followed, list[float]]]) -> _Spots:
    """The places of rows to look from: at each share the first that is an end."""
    by_ends: dict[Ends, list[tuple[Row, list[float]]]] = {}
    for row, shares in todo:
        if isinstance(row, Row):
            by_ends.setdefault(row.ends, []).append((row, shares))
    found: _Spots = []
    for ends, rows in by_ends.items():
        tries = np.concatenate([row.tried(shares) for row, shares in rows])
        legal: BoolArray = ends(tries.reshape(-1, 2)).reshape(tries.shape[:2])
        first, there = tries[np.arange(len(tries)), legal.argmax(axis=1)], np.asarray(np.any(legal, axis=1))
        # Of ends so few that all tries miss them the one in the middle is tried.
        left = np.flatnonzero(~there)
        cut, places = _middles(tries[left], rows[0][0].ground)
        kept = ends(places) if len(places) else np.zeros(0, np.bool_)
        first[left[cut[kept]]], there[left[cut[kept]]] = places[kept], True
        asked = [(row, share) for row, shares in rows for share in shares]
        for number in np.flatnonzero(there).tolist():
            found.append((*asked[number], (float(first[number, 0]), float(first[number, 1]))))
    return found


def _middles(tries: FloatArray, ground: BaseGeometry) -> tuple[IntArray, FloatArray]:
    """Where the lines from the nearest place tried to the farthest lie on some ground: which, and half way there."""
    lines = shapely.linestrings(tries[:, [0, -1]])
    met = np.flatnonzero(shapely.intersects(ground, lines))
    parts, row = shapely.get_parts(shapely.intersection(np.asarray(lines)[met], ground), return_index=True)
    long = shapely.length(parts) > 0.0
    middles = shapely.line_interpolate_point(parts[long], 0.5, normalized=True)
    row, first = np.unique(row[long], return_index=True)
    return met[row], shapely.get_coordinates(middles)[first]


def _behind(jumps: Jumps, todo: Sequence[tuple[Followed, list[float]]]) -> _Spots:
    """The places on far sides to look from: all of them are ends."""
    found: _Spots = []
    rows: list[tuple[RowBehind, list[float], list[float]]] = []
    for row, shares in todo:
        if isinstance(row, RowBehind):
            places = row.on_straights(shares)
            found += [(row, share, place) for share, place in zip(shares, places, strict=True) if place is not None]
            left = [share for share, place in zip(shares, places, strict=True) if place is None]
            rows.append((row, left, row.shares_of_landing(left)))
    if rows:
        look(jumps, [(row.landing.followed, there) for row, _, there in rows])
    for row, shares, there in rows:
        before = map(row.landing.at, there)
        found += [(row, share, jump.far) for share, jump in zip(shares, before, strict=True) if jump is not None]
    return found


def _named(there: Sequence[Jump]) -> Named:
    """Name the traverses from one place by what they are of; several of one thing are counted by the ways they lead.

    Of two faces that are equally near all along a row the same one has the same name everywhere.
    """
    by_thing: dict[tuple[str, ...], list[Jump]] = {}
    for jump in there:
        by_thing.setdefault(jump.over, []).append(jump)
    found: Named = {}
    for over, several in by_thing.items():
        if len(several) == 1:
            found[over] = several[0]
        else:
            found |= {(*over, count): jump for count, jump in enumerate(sorted(several, key=_heading))}
    return found


def _heading(jump: Jump) -> float:
    """In which direction it leads, counted from one in which faces seldom look."""
    (x1, y1), (x2, y2) = jump.start, jump.towards or jump.far
    return (math.atan2(y2 - y1, x2 - x1) - 1.0) % (2.0 * math.pi)


# --- following ---


@clause("SK-18", "SK-23", "SK-26")
def landings(
    jumps: Jumps,
    ends: Ends,
    near: BaseGeometry,
    spots: Sequence[XY],
    before: Sequence[Landing] = (),
    more: Iterable[Followed] = (),
) -> list[Landing]:
    """Return the far sides of all that can be traversed from places where a soldier can stand.

    `ends` tells which places these are, `near` is about where they lie; `spots` are places that stand alone, and
    `before` far sides that it came down on; `more` are lines to be followed besides.
    """
    table, unit = jumps.climber.table, jumps.climber.soldier
    within, alone = radius_of(unit) + float(table.tables["traverse.within"]), np.array(spots).reshape(-1, 2)
    behind = [RowBehind(landing) for landing in before]
    rows: list[Followed] = [*behind]
    for number, piece in enumerate(features_of(table).obstacles):
        shape = piece.shape.polygon
        if not (jumps.climber.is_possible[number] or number in jumps.climber.between):
            continue
        _touch(behind, shape, within + FINE)
        touched = alone[shapely.distance(shape, shapely.points(alone)) <= within + TOLERANCE]
        if len(touched) or (not near.is_empty and shapely.distance(shape, near) <= within + TOLERANCE):
            faces = list(rows_along(piece, radius_of(unit), within, ends, near))
            for row in faces:
                row.touched += row.shares_before(touched)
            rows += faces
    found: dict[tuple[str, ...], list[Landing]] = {}
    for landing in follow(jumps, [*more, *rows]):
        _add(found, landing)
    # Most of what stands alone begins before a face: then it comes down on a line that has been found.
    for there in jumps.from_places(spots):
        for name, jump in _named(there).items():
            spot = Followed(0.0)
            spot.seen[0.0] = {name: jump}
            _add(found, Landing((jump,), (0.0,), spot, name))
    return [landing for some in found.values() for landing in some]


def _touch(behind: Sequence[RowBehind], shape: BaseGeometry, within: float) -> None:
    """Note where lines of far sides are nearest to an obstacle, if that is near enough."""
    lines = np.array([row.landing.line for row in behind], object)
    for number in np.flatnonzero(shapely.dwithin(lines, shape, within)).tolist():
        (x, y), *_ = shapely.get_coordinates(shapely.shortest_line(lines[number], shape)).tolist()
        behind[number].touched.append(behind[number].share_at((x, y)))


def follow(jumps: Jumps, rows: Sequence[Followed]) -> list[Landing]:
    """Return the unbroken lines of far sides along many lines, one for each thing that is traversed."""
    shares = [sorted({*row.first_shares, *row.touched}) for row in rows]
    look(jumps, zip(rows, shares, strict=True))
    pairs = [(row, low, high) for row, some in zip(rows, shares, strict=True) for low, high in itertools.pairwise(some)]
    # Where a traverse ceases to be possible is closed in on, and where a line of far sides turns.
    while pairs:
        pairs = [pair for pair in pairs if _may_break(*pair)]
        middles = [(low + high) / 2 for _, low, high in pairs]
        look(jumps, ((row, [middle]) for (row, _, _), middle in zip(pairs, middles, strict=True)))
        halves = []
        for (row, low, high), middle in zip(pairs, middles, strict=True):
            if _is_even(row, low, middle, high):
                row.unbroken |= {(low, middle), (middle, high)}
            else:
                halves += [(row, low, middle), (row, middle, high)]
        pairs = halves
    return [line for row in rows for name in _names(row) for line in _lines(row, name)]


def _may_break(row: Followed, low: float, high: float) -> bool:
    """Whether what lies between two shares has to be looked at."""
    return (high - low) * row.length > _FINEST and bool(row.seen[low] or row.seen[high])


def _is_even(row: Followed, low: float, middle: float, high: float) -> bool:
    """Whether all that is traversed half way comes down half way: then the line between is straight, and whole.

    Past the end of a wall far sides run away much quicker than the places they begin at, and where such a line turns
    back, what comes down half way does not show it but by being off the middle.
    """
    one, half, other = row.seen[low], row.seen[middle], row.seen[high]
    if not one.keys() == half.keys() == other.keys():
        return False
    for name, jump in half.items():
        (x1, y1), (x2, y2), (x, y) = one[name].far, other[name].far, jump.far
        if math.hypot(x - (x1 + x2) / 2, y - (y1 + y2) / 2) > _SAG:
            return False
    return True


def _names(row: Followed) -> list[Name]:
    return sorted({name for found in row.seen.values() for name in found}, key=str)


def _lines(row: Followed, name: Name) -> Iterator[Landing]:
    """Cut what was found along a row into unbroken lines."""
    line: list[float] = []
    for share in sorted(row.seen):
        jump = row.seen[share].get(name)
        if line and (jump is None or not _is_one(row, name, line[-1], share)):
            yield _landing(row, name, line)
            line = []
        if jump is not None:
            line.append(share)
    if line:
        yield _landing(row, name, line)


def _is_one(row: Followed, name: Name, low: float, high: float) -> bool:
    one, other = {name: row.seen[low][name]}, {name: row.seen[high][name]}
    return (low, high) in row.unbroken or row.alike(one, other)


def _landing(row: Followed, name: Name, line: list[float]) -> Landing:
    seen, kept = row.seen, [line[0]]
    for share in line[1:]:  # far sides at one place need no line
        if math.dist(seen[share][name].far, seen[kept[-1]][name].far) > CLOSE:
            kept.append(share)
    return Landing(tuple(seen[share][name] for share in kept), tuple(kept), row, name)


def _add(found: dict[tuple[str, ...], list[Landing]], landing: Landing) -> None:
    """Add a line, unless all its places lie on a line of the same obstacle that is there."""
    spots = np.asarray(shapely.points(landing.fars))
    others = found.setdefault(landing.jumps[0].over, [])
    lines = np.array([other.line for other in others], object)
    near = lines[shapely.dwithin(lines, spots[0], FINE)] if others else lines
    if not any(np.all(shapely.distance(line, spots) <= FINE) for line in near):
        others.append(landing)


# --- one far side ---


class _FarSideSearch(NamedTuple):
    """A far side that is looked for between two neighbours of a line: shares, and where those come down."""

    number: int
    landing: Landing
    place: XY
    low: float
    high: float
    before: XY
    after: XY

    @property
    def middle(self) -> float | None:
        """The share at which it should be found; None where it is not between the two."""
        (x1, y1), (x2, y2), (x, y) = self.before, self.after, self.place
        square = (x2 - x1) ** 2 + (y2 - y1) ** 2
        if square < 1e-18:
            return None
        share = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / square
        return self.low + min(max(share, 0.0), 1.0) * (self.high - self.low) if -1e-6 <= share <= 1.0 + 1e-6 else None

    def closer(self, middle: float, far: XY) -> _FarSideSearch:
        """The same, with a share between the two for one of them."""
        (x1, y1), (x2, y2), (x, y) = self.before, self.after, self.place
        if (x - far[0]) * (x2 - x1) + (y - far[1]) * (y2 - y1) < 0.0:
            return self._replace(high=middle, after=far)
        return self._replace(low=middle, before=far)


def _searches(number: int, landing: Landing, place: XY) -> list[_FarSideSearch]:
    """Where to look for a far side: between those neighbours of a line that it lies near to."""
    if len(landing.jumps) < 2:
        return []
    pieces, shares, jumped = landing.pieces, landing.shares, landing.jumps
    near = shapely.distance(pieces, shapely.Point(place)) <= 0.05 * np.maximum(shapely.length(pieces), FINE)
    return [
        _FarSideSearch(number, landing, place, shares[k], shares[k + 1], jumped[k].far, jumped[k + 1].far)
        for k in np.flatnonzero(near).tolist()
    ]


def jumps_to(jumps: Jumps, wanted: Sequence[tuple[Landing, XY]]) -> list[Jump | None]:
    """Compute for each of many landings and a place the traverse that comes down there; None where none does."""
    found: list[Jump | None] = []
    for landing, place in wanted:
        off = np.hypot(*(landing.fars - place).T)
        at = int(np.argmin(off))
        found.append(landing.jumps[at] if off[at] <= CLOSE else None)
    open_by_line: dict[Followed, list[int]] = {}
    for number in (number for number, jump in enumerate(found) if jump is None):
        open_by_line.setdefault(wanted[number][0].followed, []).append(number)
    asked = [
        (followed, numbers, followed.tries_at(np.array([wanted[number][1] for number in numbers])))
        for followed, numbers in open_by_line.items()
    ]
    known = [(numbers, tries) for _, numbers, tries in asked if tries is not None]
    for (numbers, _), told in zip(known, coming_down(jumps, [tries for _, tries in known], CLOSE), strict=True):
        for number, jump in zip(numbers, told, strict=True):
            found[number] = jump
    alone = [number for _, numbers, tries in asked if tries is None for number in numbers]
    searches = [one for number in alone for one in _searches(number, *wanted[number])]
    for _ in range(_ROUNDS):
        tried = [(one, one.middle) for one in searches if found[one.number] is None]
        open_ = [(one, middle) for one, middle in tried if middle is not None]
        if not open_:
            break
        look(jumps, ((one.landing.followed, [middle]) for one, middle in open_))
        searches = []
        for one, middle in open_:
            jump = one.landing.at(middle)
            if jump is not None and math.dist(jump.far, one.place) <= CLOSE:
                found[one.number] = found[one.number] or jump
            elif jump is not None:
                searches.append(one.closer(middle, jump.far))
    return found
