"""Following curves of links: sampled, bisected where they break or bend, and searched for single places.

A finder of a rulebook returns the links from places. Here it is called for whole rows of places: neighbours whose links
come down side by side belong to one curve, and between neighbours that differ the beginning, end or turn of a curve is
found by bisection. Many curves are followed together, so each round is one call with many rows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.links.curves import (
    FINE,
    Costs,
    LinkCurve,
    Name,
    Named,
    OnwardCurve,
    RowCurve,
    Stands,
    TracedCurve,
    Tries,
)
from simulator.pathing.links.link import CLOSE, Link

#: Where a curve begins, ends and turns is found to within this, in inches of the places it is followed from: well above
#: what the planner forgives, so that each bisection ends on one side.
_FINEST = 4e-6
#: Curves are drawn straight between far sides that are off the true curve by no more than this, in inches: half of what
#: areas may fall short by.
_SAG = 0.005
#: How often it is closed in on a far side between two neighbours.
_ROUNDS = 30
#: What comes down this near to a place of a curve will do while the curve is drawn, in inches.
_NEAR_ENOUGH = 0.003
#: So many tries are made for each place at first, then more, then all: most places are reached by the most direct one.
_TRIES = (0, 3, 12, 1_000_000)
#: So many places before a share are looked at before the others are.
_FIRST = 3
#: Breaks are closed in on at so many shares together: each round takes long, even for a few.
_TOGETHER = 64
#: So many tries are made together.
_AT_ONCE = 20_000


class Finder(Protocol):
    """The links of a rulebook: those from places, and tests of whether some come down at certain places."""

    def from_places(self, places: Sequence[XY]) -> list[list[Link]]:
        """Return the legal links from each of many places at which the mover stands."""

    def try_out(self, tries: Tries, error: float) -> Iterable[tuple[int, Link]]:
        """Yield for places of some tries the first of them that is legal and comes down there, within an error."""


# --- looking ---


#: The links at shares of curves, by name.
_Found = dict[TracedCurve, dict[float, Named]]


def _look(finder: Finder, lines: Iterable[tuple[TracedCurve, Sequence[float]]]) -> None:
    """Find the links at shares of many curves at once, each share once, and note them on the curves."""
    # Whole, or not at all: another thread may be reading.
    for traced, found_there in _found_at(finder, lines).items():
        traced.seen.update(found_there)


def _found_at(finder: Finder, lines: Iterable[tuple[TracedCurve, Sequence[float]]]) -> _Found:
    """Return the links at shares of many curves, but for those that are noted on them."""
    fresh: _Found = {}
    for traced, shares in lines:
        own = fresh.setdefault(traced, {})
        own.update((share, {}) for share in shares if share not in traced.seen)
    todo = [(traced, list(shares)) for traced, shares in fresh.items() if shares]
    for traced, share, link in _coming_down(finder, todo):
        fresh[traced][share] = {link.over: link}
    spots = [*_in_rows(todo), *_behind(finder, todo)]
    for (traced, share, _), found in zip(spots, finder.from_places([place for *_, place in spots]), strict=True):
        fresh[traced][share] = _named(found)
    return fresh


_Spots = list[tuple[TracedCurve, float, XY]]


def _coming_down(
    finder: Finder, todo: Sequence[tuple[TracedCurve, list[float]]]
) -> Iterator[tuple[TracedCurve, float, Link]]:
    """Find what comes down at shares of the curves where that is the question."""
    sampled = [(line, shares, line.places_at(shares)) for line, shares in todo]
    tried = [(line, shares, line.tries_at(places)) for line, shares, places in sampled if places is not None]
    known = [(line, shares, tries) for line, shares, tries in tried if tries is not None]
    found = first_links(finder, [tries for *_, tries in known], _NEAR_ENOUGH)
    for (line, shares, _), landed in zip(known, found, strict=True):
        yield from ((line, share, link) for share, link in zip(shares, landed, strict=True) if link)


def first_links(finder: Finder, several: Sequence[Tries], error: float) -> list[list[Link | None]]:
    """Compute for each place of several lists of tries the most direct link that comes down there, within an error."""
    if not several:
        return []
    counts = [len(tries.places) for tries in several]
    before = np.cumsum([0, *counts])
    whole = Tries(
        np.concatenate([tries.places for tries in several]),
        np.concatenate([tries.place + first for tries, first in zip(several, before, strict=False)]),
        np.concatenate([tries.what for tries in several]),
        np.concatenate([tries.starts for tries in several]),
        np.concatenate([tries.aims for tries in several]),
    )
    found: list[Link | None] = [None] * len(whole.places)
    rank = np.arange(len(whole.place)) - np.searchsorted(whole.place, whole.place)
    open_ = np.ones(len(whole.places), np.bool_)
    for low, high in itertools.pairwise(_TRIES):
        left = np.flatnonzero(open_[whole.place] & (rank >= low) & (rank < high))
        for rows in np.array_split(left, len(left) // _AT_ONCE + 1):
            for number, link in finder.try_out(whole.of(rows), error):
                found[number] = found[number] or link
                open_[number] = False
    return [found[first : first + count] for first, count in zip(before.tolist(), counts, strict=False)]


def _in_rows(todo: Sequence[tuple[TracedCurve, list[float]]]) -> _Spots:
    """Return the places of rows to look from: at each share the first that is an end, or the cheapest of them."""
    by_mover: dict[tuple[Stands, Costs | None], list[tuple[RowCurve, list[float]]]] = {}
    for row, shares in todo:
        if isinstance(row, RowCurve):
            by_mover.setdefault((row.stands, row.costs), []).append((row, shares))
    found: _Spots = []
    for (stands, costs), rows in by_mover.items():
        tries = np.concatenate([row.row.places_before(shares) for row, shares in rows])
        there, rank = _first_ends(stands, tries) if costs is None else _cheapest_ends(stands, costs, tries)
        first = tries[np.arange(len(tries)), rank]
        # Of ends so few that all tries miss them the one in the middle is tried.
        left = np.flatnonzero(~there)
        cut, places = _middles(tries[left], rows[0][0].ground)
        kept = stands(places) if len(places) else np.zeros(0, np.bool_)
        first[left[cut[kept]]], there[left[cut[kept]]] = places[kept], True
        sampled = [(row, share) for row, shares in rows for share in shares]
        for number in np.flatnonzero(there).tolist():
            found.append((*sampled[number], (float(first[number, 0]), float(first[number, 1]))))
    return found


def _first_ends(stands: Stands, tries: FloatArray) -> tuple[BoolArray, IntArray]:
    """Find of each row of places whether any is an end, and which is the first; most rows begin with one."""
    there, rank = np.zeros(len(tries), np.bool_), np.zeros(len(tries), np.intp)
    for low, high in itertools.pairwise((0, _FIRST, tries.shape[1])):
        left = np.flatnonzero(~there)
        legal = stands(tries[left, low:high].reshape(-1, 2)).reshape(len(left), -1) if len(left) else there[:0, None]
        there[left], rank[left] = legal.any(axis=1), low + legal.argmax(axis=1)
    return there, np.where(there, rank, 0)


def _cheapest_ends(stands: Stands, costs: Costs, tries: FloatArray) -> tuple[BoolArray, IntArray]:
    """Find of each row of places whether any is an end, and which is the cheapest."""
    legal = stands(tries.reshape(-1, 2)).reshape(tries.shape[:2])
    prices = np.where(legal, costs(tries.reshape(-1, 2)).reshape(legal.shape), np.inf)
    return np.asarray(legal.any(axis=1)), prices.argmin(axis=1)


def _middles(tries: FloatArray, ground: BaseGeometry) -> tuple[IntArray, FloatArray]:
    """Where the lines from the nearest place tried to the farthest lie on some ground: which, and half way there."""
    lines = shapely.linestrings(tries[:, [0, -1]])
    met = np.flatnonzero(shapely.intersects(ground, lines))
    parts, row = shapely.get_parts(shapely.intersection(np.asarray(lines)[met], ground), return_index=True)
    long = shapely.length(parts) > 0.0
    middles = shapely.line_interpolate_point(parts[long], 0.5, normalized=True)
    row, first = np.unique(row[long], return_index=True)
    return met[row], shapely.get_coordinates(middles)[first]


def _behind(finder: Finder, todo: Sequence[tuple[TracedCurve, list[float]]]) -> _Spots:
    """Return the places on far sides to look from: all of them are ends."""
    found: _Spots = []
    rows: list[tuple[OnwardCurve, list[float], list[float]]] = []
    for row, shares in todo:
        if isinstance(row, OnwardCurve):
            places = row.on_straights(shares)
            found += [(row, share, place) for share, place in zip(shares, places, strict=True) if place is not None]
            left = [share for share, place in zip(shares, places, strict=True) if place is None]
            rows.append((row, left, row.shares_before(left)))
    if rows:
        _look(finder, [(row.curve.traced, there) for row, _, there in rows])
    for row, shares, there in rows:
        before = map(row.curve.at, there)
        found += [(row, share, link.far) for share, link in zip(shares, before, strict=True) if link is not None]
    return found


def _named(there: Sequence[Link]) -> Named:
    """Name the links from one place by what they are of; several of one thing are counted by the ways they lead.

    Of two faces that are equally near all along a row the same one has the same name everywhere.
    """
    by_thing: dict[tuple[str, ...], list[Link]] = {}
    for link in there:
        by_thing.setdefault(link.over, []).append(link)
    found: Named = {}
    for over, several in by_thing.items():
        if len(several) == 1:
            found[over] = several[0]
        else:
            found |= {(*over, count): link for count, link in enumerate(sorted(several, key=_heading))}
    return found


def _heading(link: Link) -> float:
    """In which direction it leads, counted from one in which faces seldom look."""
    (x1, y1), (x2, y2) = link.start, link.towards or link.far
    return (math.atan2(y2 - y1, x2 - x1) - 1.0) % (2.0 * math.pi)


# --- following ---


#: Two neighbouring shares of a curve.
_Pair = tuple[TracedCurve, float, float]


def link_curves(finder: Finder, rows: Sequence[TracedCurve], spots: Sequence[XY] = ()) -> list[LinkCurve]:
    """Return the far sides of all links from rows of places and from single spots, each curve once.

    Most spots lie on a row, and what comes down from there is on a curve that has been found: only others are added.
    """
    found: dict[tuple[str, ...], list[LinkCurve]] = {}
    for curve in follow(finder, rows):
        _add(found, curve)
    for there in finder.from_places(spots):
        for name, link in _named(there).items():
            spot = TracedCurve(0.0)
            spot.seen[0.0] = {name: link}
            _add(found, LinkCurve((link,), (0.0,), spot, name))
    return [curve for some in found.values() for curve in some]


def follow(finder: Finder, rows: Sequence[TracedCurve]) -> list[LinkCurve]:
    """Return the unbroken curves of far sides along many curves, one for each thing that is crossed.

    All are followed together, so that each round is one call of the finder.
    """
    shares = [sorted({*row.first_shares, *row.touched}) for row in rows]
    _look(finder, zip(rows, shares, strict=True))
    pairs = [(row, low, high) for row, some in zip(rows, shares, strict=True) for low, high in itertools.pairwise(some)]
    # Where a link ceases to be possible is closed in on, and where a curve of far sides turns.
    while pairs := [pair for pair in pairs if _may_break(*pair)]:
        depth = max((_TOGETHER // len(pairs) + 1).bit_length() - 1, 1)
        found = _found_at(finder, ((row, _middles_of(low, high, depth)) for row, low, high in pairs))
        pairs = [part for pair in pairs for part in _halved(*pair, found, depth)]
    return [line for row in rows for name in _names(row) for line in _lines(row, name)]


def _middles_of(low: float, high: float, depth: int) -> list[float]:
    """Return the share half way between two, and those half way between it and them, so many halvings deep."""
    if not depth:
        return []
    middle = (low + high) / 2
    return [middle, *_middles_of(low, middle, depth - 1), *_middles_of(middle, high, depth - 1)]


def _halved(row: TracedCurve, low: float, high: float, found: _Found, depth: int) -> list[_Pair]:
    """Halve what lies between two shares by what was found, so many times where it may break; return what is left.

    What was found elsewhere is not noted: how deep is halved at once makes no difference.
    """
    middle = (low + high) / 2
    if middle not in row.seen:
        row.seen[middle] = found[row][middle]
    if _is_even(row, low, middle, high):
        row.unbroken |= {(low, middle), (middle, high)}
        return []
    halves = [(row, low, middle), (row, middle, high)]
    if depth == 1:
        return halves
    return [part for half in halves if _may_break(*half) for part in _halved(*half, found, depth - 1)]


def _may_break(row: TracedCurve, low: float, high: float) -> bool:
    """Return whether what lies between two shares has to be looked at."""
    return (high - low) * row.length > _FINEST and bool(row.seen[low] or row.seen[high])


def _is_even(row: TracedCurve, low: float, middle: float, high: float) -> bool:
    """Return whether all that is crossed half way comes down half way: then the curve between is straight, and whole.

    Past the end of a wall far sides run away much quicker than the places they begin at, and where such a line turns
    back, what comes down half way does not show it but by being off the middle.
    """
    one, half, other = row.seen[low], row.seen[middle], row.seen[high]
    if not one.keys() == half.keys() == other.keys():
        return False
    for name, link in half.items():
        (x1, y1), (x2, y2), (x, y) = one[name].far, other[name].far, link.far
        if math.hypot(x - (x1 + x2) / 2, y - (y1 + y2) / 2) > _SAG:
            return False
    return True


def _names(row: TracedCurve) -> list[Name]:
    return sorted({name for found in row.seen.values() for name in found}, key=str)


def _lines(row: TracedCurve, name: Name) -> Iterator[LinkCurve]:
    """Cut what was found along a row into unbroken lines."""
    line: list[float] = []
    for share in sorted(row.seen):
        link = row.seen[share].get(name)
        if line and (link is None or not _is_one(row, name, line[-1], share)):
            yield _curve(row, name, line)
            line = []
        if link is not None:
            line.append(share)
    if line:
        yield _curve(row, name, line)


def _is_one(row: TracedCurve, name: Name, low: float, high: float) -> bool:
    one, other = {name: row.seen[low][name]}, {name: row.seen[high][name]}
    return (low, high) in row.unbroken or row.alike(one, other)


def _curve(row: TracedCurve, name: Name, line: list[float]) -> LinkCurve:
    seen, kept = row.seen, [line[0]]
    for share in line[1:]:  # far sides at one place need no line
        if math.dist(seen[share][name].far, seen[kept[-1]][name].far) > CLOSE:
            kept.append(share)
    return LinkCurve(tuple(seen[share][name] for share in kept), tuple(kept), row, name)


def _add(found: dict[tuple[str, ...], list[LinkCurve]], curve: LinkCurve) -> None:
    """Add a curve, unless all its places lie on one over the same things that is there."""
    spots = np.asarray(shapely.points(curve.fars))
    others = found.setdefault(curve.links[0].over, [])
    lines = np.array([other.line for other in others], object)
    near = lines[shapely.dwithin(lines, spots[0], FINE)] if others else lines
    if not any(np.all(shapely.distance(line, spots) <= FINE) for line in near):
        others.append(curve)


# --- one far side ---


class _FarSideSearch(NamedTuple):
    """A far side that is looked for between two neighbours of a line: shares, and where those come down."""

    number: int
    curve: LinkCurve
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
        """Return the same, with a share between the two for one of them."""
        (x1, y1), (x2, y2), (x, y) = self.before, self.after, self.place
        if (x - far[0]) * (x2 - x1) + (y - far[1]) * (y2 - y1) < 0.0:
            return self._replace(high=middle, after=far)
        return self._replace(low=middle, before=far)


def _searches(number: int, curve: LinkCurve, place: XY) -> list[_FarSideSearch]:
    """Return where to look for a far side: between those neighbours of a line that it lies near to."""
    if len(curve.links) < 2:
        return []
    pieces, shares, links = curve.pieces, curve.shares, curve.links
    near = shapely.distance(pieces, shapely.Point(place)) <= 0.05 * np.maximum(shapely.length(pieces), FINE)
    return [
        _FarSideSearch(number, curve, place, shares[k], shares[k + 1], links[k].far, links[k + 1].far)
        for k in np.flatnonzero(near).tolist()
    ]


def links_to(finder: Finder, ends: Sequence[tuple[LinkCurve, XY]]) -> list[Link | None]:
    """Compute for each of many curves and a place the link that comes down there; None where none does.

    Between two neighbours of a curve it is closed in on, by secants: far sides move on evenly, or nearly so.
    """
    found: list[Link | None] = []
    for curve, place in ends:
        off = np.hypot(*(curve.fars - place).T)
        at = int(np.argmin(off))
        found.append(curve.links[at] if off[at] <= CLOSE else None)
    open_by_line: dict[TracedCurve, list[int]] = {}
    for number in (number for number, link in enumerate(found) if link is None):
        open_by_line.setdefault(ends[number][0].traced, []).append(number)
    sampled = [
        (traced, numbers, traced.tries_at(np.array([ends[number][1] for number in numbers])))
        for traced, numbers in open_by_line.items()
    ]
    known = [(numbers, tries) for _, numbers, tries in sampled if tries is not None]
    for (numbers, _), landed in zip(known, first_links(finder, [tries for _, tries in known], CLOSE), strict=True):
        for number, link in zip(numbers, landed, strict=True):
            found[number] = link
    alone = [number for _, numbers, tries in sampled if tries is None for number in numbers]
    searches = [one for number in alone for one in _searches(number, *ends[number])]
    for _ in range(_ROUNDS):
        tried = [(one, one.middle) for one in searches if found[one.number] is None]
        open_ = [(one, middle) for one, middle in tried if middle is not None]
        if not open_:
            break
        _look(finder, ((one.curve.traced, [middle]) for one, middle in open_))
        searches = []
        for one, middle in open_:
            link = one.curve.at(middle)
            if link is not None and math.dist(link.far, one.place) <= CLOSE:
                found[one.number] = found[one.number] or link
            elif link is not None:
                searches.append(one.closer(middle, link.far))
    return found
