"""Decision places and their links: how far they lie apart on each kind of ground, and the traverses between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.errors import TooMuchAsked
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import Between, PreparedTable, seen_between
from simulator.pathing.links import Link
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.odds.apart import Apart, Block, Rows
from simulator.rulesets.skirmish.reach.fronts import Fronts
from simulator.rulesets.skirmish.traverse.rules import to_traverse

#: The spacing of decision places, in inches.
SPACING = 0.25
#: Places nearer to each other than this are one.
_SAME = 1e-7
#: Places this close to the start are the start: the limits of the judge.
_AT_START = 2 * TOLERANCE
#: How many lengths between places are computed at once.
_LENGTHS_AT_ONCE = 1 << 22
#: How many more inches for each lot the upper bound allows.
MORE_INCHES = 0.05
#: The most decision places for a plan: each is measured against all others.
MOST_PLACES = 7_500
#: The most where all ground is in question: some of it has decision places of its own, which are added.
MOST_FOR_BANDS = 2_000


@dataclass(frozen=True, eq=False)
class Nodes:
    """Decision places, how far they lie apart, and the traverses from them."""

    places: FloatArray
    #: The shortest ways that are not too long to matter, and straight lines, as long as runs where runs may begin.
    ways: Apart
    straight: Apart
    #: The jumps, and the numbers of the places where they begin, come down and stay.
    jumps: tuple[Link, ...]
    begin: IntArray
    far: IntArray
    near: IntArray


def require_few(places: FloatArray, most: int) -> None:
    """Raise TooMuchAsked if there are more decision places than a plan can be searched among."""
    if len(places) > most:
        message = f"where rolls are made, and where they lead, are more than {most:,} places"
        raise TooMuchAsked(f"{message}: the best chance is not searched among so many obstacles")


class Links:
    """The links between decision places, for one question of reach."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts, self.grounds, self.spending = fronts, fronts.grounds, fronts.spending

    @cached_property
    def longest(self) -> float:
        """The inches of the longest move."""
        return max([lot.inches for lot in self.spending.moves], default=0.0)

    def joined(self, places: FloatArray, aimed: Sequence[Link] = ()) -> tuple[list[Link], FloatArray]:
        """Return the traverses from places, besides those in `aimed`, and the places with both sides of them added."""
        places = _once(np.concatenate([places, _sides(aimed, ("start", "near", "far"))]))
        require_few(places, MOST_PLACES)
        jumps, places = self._with_jumps(places)
        return [*jumps, *aimed], places

    def linked(self, jumps: Sequence[Link], places: FloatArray) -> Nodes:
        """Measure how far places lie apart."""
        none, nobody = Apart(0, ()), np.zeros(0, np.intp)
        return self._measured(places, jumps, Nodes(places[:0], none, none, (), nobody, nobody, nobody))

    def added(self, nodes: Nodes, own: FloatArray, aimed: Sequence[Link] = ()) -> Nodes:
        """Add the places of a goal to those shared by all, and the traverses aimed at it."""
        own = np.concatenate([own.reshape(-1, 2), _sides(aimed, ("start", "near", "far"))])
        if not len(own):
            return nodes
        own = _once(own[~_are_near(own, nodes.places, _SAME)])
        jumps, own = self._with_jumps(own)
        return self._measured(np.concatenate([nodes.places, own]), [*nodes.jumps, *jumps, *aimed], nodes)

    def _with_jumps(self, places: FloatArray) -> tuple[list[Link], FloatArray]:
        """Return the traverses from places and from where those lead, and the places with both sides of them added."""
        if not self.fronts.has_traverses:
            return [], places
        table, unit = self.grounds.table, self.grounds.unit
        within = self.fronts.jumps.climber.within + TOLERANCE
        solids = shapely.union_all(to_traverse(table, unit))
        found: list[Link] = []
        fresh, every = places, places
        for _ in range(self.spending.ap):
            near = fresh[shapely.distance(solids, shapely.points(fresh)) <= within]
            jumps = [
                jump
                for there in self.fronts.jumps.from_places([(x, y) for x, y in near.tolist()])
                for jump in there
                if jump.chance > 0 or self.fronts.threshold
            ]
            found += jumps
            sides = _sides(jumps, ("near", "far"))
            sides = np.unique(np.round(sides, 9), axis=0)
            sides = sides[may_end(table, unit, sides)] if len(sides) else sides
            if not len(sides):
                break
            fresh = sides[~_are_near(sides, every, 1e-6)]
            every = np.concatenate([every, fresh])
            require_few(every, MOST_PLACES)
            if not len(fresh):
                break
        return found, every

    def _measured(self, places: FloatArray, jumps: Sequence[Link], known: Nodes) -> Nodes:
        count, fresh = len(known.places), places[len(known.places) :]
        ways, straight = self._blocks(fresh, fresh, count, count)
        if count:
            ways_below, straight_below = self._blocks(fresh, known.places, count, 0)
            all_ways = known.ways.bordered(ways_below, ways)
            all_straight = known.straight.bordered(straight_below, straight)
        else:
            all_ways, all_straight = Apart(len(fresh), (ways,)), Apart(len(fresh), (straight,))
        fresh_jumps = jumps[len(known.jumps) :]
        begin, far, near = (
            _numbers(places, [getattr(jump, name) for jump in fresh_jumps]) for name in ("start", "far", "near")
        )
        kept = np.flatnonzero(far >= 0)
        return Nodes(
            places,
            all_ways,
            all_straight,
            (*known.jumps, *(fresh_jumps[at] for at in kept.tolist())),
            np.append(known.begin, begin[kept]),
            np.append(known.far, far[kept]),
            np.append(known.near, near[kept]),
        )

    def _blocks(self, begins: FloatArray, ends: FloatArray, row: int, column: int) -> tuple[Block, Block]:
        """Return the shortest ways and the straight lines from some places to others."""
        open_ = clean = _Distances(self, self.grounds.open, begins, ends)
        if self.grounds.clean is not self.grounds.open:
            clean = _Distances(self, self.grounds.clean, begins, ends, open_)
        ways, straight, some = Rows(), Rows(), max(1, _LENGTHS_AT_ONCE // max(1, len(ends)))
        for first in range(0, len(begins), some):
            ways_open, straight_open = ways_clean, straight_clean = open_.of(first, min(first + some, len(begins)))
            if clean is not open_:
                ways_clean, straight_clean = clean.of(first, min(first + some, len(begins)))
            ways.add(ways_open, ways_clean)
            straight.add(straight_open, straight_clean)
        return ways.block(row, column), straight.block(row, column)

    def ways(self, begins: FloatArray, ends: FloatArray) -> Apart:
        """Return the shortest ways from some places to others that are not too long to matter."""
        return Apart(len(begins), (self._blocks(begins, ends, 0, 0)[0],))

    def apart(self, ground: PreparedTable, begins: FloatArray, ends: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how far some places are from others: by the shortest way, and straight."""
        return _Distances(self, ground, begins, ends).of(0, len(begins))

    @cached_property
    @clause("SK-28")
    def may_run_later(self) -> bool:
        """Whether there may be AP for a run after a spend that leads away from the start."""
        spending, run = self.spending, self.spending.run
        least = [lot.ap for lot in spending.moves] + [spending.traverse_ap] * self.fronts.has_traverses
        return run is not None and run.ap + min([*least, run.ap]) <= spending.ap

    def fit(self, ground: PreparedTable, places: FloatArray) -> IntArray:
        """Return the numbers of places at which ways may begin or end: where a roll is due, those off rough ground."""
        if ground is self.grounds.open:
            return np.arange(len(places))
        return np.flatnonzero(self.grounds.off_rough(places))


class _Distances:
    """Distances between places on some ground, a few rows at a time: by the shortest way, and straight."""

    def __init__(
        self,
        links: Links,
        ground: PreparedTable,
        begins: FloatArray,
        ends: FloatArray,
        around_less: _Distances | None = None,
    ) -> None:
        """Prepare the searches; `around_less` is the same on ground where less bars the way."""
        self._links, self._count = links, len(ends)
        self._far = links.longest + MORE_INCHES
        # Where a roll is due from the first step there are no clean ways.
        self._rows, self._columns = (links.fit(ground, places) for places in (begins, ends))
        one = begins[self._rows]
        other = one if begins is ends else ends[self._columns]
        seen = None if around_less is None else around_less.sight[np.ix_(self._rows, self._columns)]
        self._ways = self._lines = Between(ground, one, other, self._far, seen)
        self._first, self._last = (np.zeros(0, np.intp),) * 2
        run = links.spending.run.inches + MORE_INCHES if links.spending.run else 0.0
        if run > self._far and links.may_run_later:
            self._lines = Between(ground, one, other, run, seen)
        elif run > self._far:
            # Usually a run takes all AP available, so it begins at the start and nowhere else.
            self._first, self._last = (
                np.flatnonzero(np.hypot(*(rows - links.fronts.start).T) <= _AT_START) for rows in (one, other)
            )
            self._from_start = seen_between(ground, one[self._first], other, run)
            self._to_start = seen_between(ground, one, other[self._last], run)

    @property
    def sight(self) -> BoolArray:
        """Which places are visible from which: all of them are on this ground."""
        return self._lines.sight

    def of(self, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """Return the ways and the straight lines from a range of rows; inf where they are too long to matter."""
        begin, end = np.searchsorted(self._rows, (low, high)).tolist()
        seen = self._seen(begin, end)
        if self._links.spending.is_straight:
            found = np.where(seen <= self._far, seen, np.inf)
        else:
            found = self._ways.lengths(seen, slice(begin, end))
        rows = self._rows[begin:end] - low
        if len(rows) == high - low and len(self._columns) == self._count:
            return found, seen
        straight = np.full((high - low, self._count), np.inf)
        ways = straight.copy()
        straight[np.ix_(rows, self._columns)] = seen
        ways[np.ix_(rows, self._columns)] = found
        return ways, straight

    def _seen(self, begin: int, end: int) -> FloatArray:
        """Return straight lines as long as moves, and where runs may begin as long as runs."""
        seen = self._lines.seen(slice(begin, end))
        if len(self._first):
            mine = (self._first >= begin) & (self._first < end)
            seen[self._first[mine] - begin] = self._from_start[mine]
        if len(self._last):
            seen[:, self._last] = self._to_start[begin:end]
        return seen


def thinned(rows: FloatArray) -> FloatArray:
    """Return one of each group of places closer than about the spacing; the first row stays."""
    if not len(rows):
        return rows.reshape(-1, 2)
    _, first = np.unique(np.floor(rows / (0.7 * SPACING)), axis=0, return_index=True)
    return np.asarray(rows[np.unique(np.append(first, 0))])


def _sides(jumps: Sequence[Link], names: Sequence[str]) -> FloatArray:
    """Return where jumps begin, or stay, or come down."""
    return np.array([getattr(jump, name) for jump in jumps for name in names], np.float64).reshape(-1, 2)


def _are_near(places: FloatArray, others: FloatArray, distance: float) -> BoolArray:
    """Return which places are within a distance of one of the others."""
    near = np.zeros(len(places), np.bool_)
    near[
        shapely.STRtree(np.asarray(shapely.points(others))).query(
            np.asarray(shapely.points(places)), predicate="dwithin", distance=distance
        )[0]
    ] = True
    return near


def _once(rows: FloatArray) -> FloatArray:
    """Return the first of each group of equal places."""
    spots = np.asarray(shapely.points(rows))
    one, other = shapely.STRtree(spots).query(spots, predicate="dwithin", distance=_SAME)
    return np.delete(rows, np.unique(np.maximum(one, other)[one != other]), axis=0)


def _numbers(places: FloatArray, spots_of: Sequence[XY]) -> IntArray:
    """Return the numbers of places; -1 for unknown ones."""
    if not spots_of:
        return np.zeros(0, np.intp)
    tree = shapely.STRtree(np.asarray(shapely.points(places)))
    spots = shapely.points(np.array(spots_of))
    found = np.full(len(spots_of), -1, np.intp)
    at, place = tree.query_nearest(spots, max_distance=2e-6, all_matches=False)
    found[at] = place
    return found
