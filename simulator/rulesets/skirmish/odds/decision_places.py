"""Decision places and what links them: how far they lie apart on each kind of ground, and what can be traversed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.errors import TooMuchAsked
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.continuous import PreparedTable, lengths_between, seen_between
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.reach.fronts import Fronts
from simulator.rulesets.skirmish.traverse.jumps import Jump
from simulator.rulesets.skirmish.traverse.rules import to_traverse
from simulator.rulesets.skirmish.units import TOLERANCE

#: How far apart decision places are set, in inches.
SPACING = 0.25
#: Places nearer to each other than this are one.
_SAME = 1e-7
#: Places so near to the start are the start: the limits of the judge.
_AT_START = 2 * TOLERANCE
#: How many inches more for each lot the bound from above allows.
SLACK = 0.05
#: A plan is searched among so many decision places at most: each is measured against all others.
MOST_PLACES = 8_000
#: And among so many where all ground is asked about: some of it has decision places of its own, which are added.
MOST_FOR_BANDS = 2_000


@dataclass(frozen=True, eq=False)
class Nodes:
    """Decision places, how far they lie apart, and what can be traversed from them."""

    places: FloatArray
    #: Shortest ways: open to all, and on which no roll is due; inf where they are too long to matter.
    open: FloatArray
    clean: FloatArray
    #: Straight lines, the same.
    straight: FloatArray
    straight_clean: FloatArray
    #: The jumps, and the numbers of the places where they begin, come down and stay.
    jumps: tuple[Jump, ...]
    begin: IntArray
    far: IntArray
    near: IntArray


def want_few(places: FloatArray, most: int) -> None:
    """Raise TooMuchAsked where there are more decision places than a plan is searched among."""
    if len(places) > most:
        told = f"where rolls are made, and where they lead, are more than {most:,} places"
        raise TooMuchAsked(f"{told}: the best chance is not searched among so many obstacles")


class Links:
    """What links decision places, for one question of reach."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts, self.grounds, self.spending = fronts, fronts.grounds, fronts.spending

    @cached_property
    def longest(self) -> float:
        """The inches of the longest move."""
        return max([lot.inches for lot in self.spending.moves], default=0.0)

    def joined(self, places: FloatArray, aimed: Sequence[Jump] = ()) -> tuple[list[Jump], FloatArray]:
        """Find what can be traversed from places, besides what is `aimed`; both sides of it are joined to them."""
        places = _once(np.concatenate([places, _sides(aimed, ("start", "near", "far"))]))
        want_few(places, MOST_PLACES)
        jumps, places = self._with_jumps(places)
        return [*jumps, *aimed], places

    def linked(self, jumps: Sequence[Jump], places: FloatArray) -> Nodes:
        """Measure how far places lie apart."""
        none = np.zeros((0, 0))
        return self._measured(places, jumps, Nodes(places[:0], *(none,) * 4, (), *(np.zeros(0, np.intp),) * 3))

    def added(self, nodes: Nodes, own: FloatArray, aimed: Sequence[Jump] = ()) -> Nodes:
        """Add the places of a goal to those shared by all, and the traverses aimed at it."""
        own = np.concatenate([own.reshape(-1, 2), _sides(aimed, ("start", "near", "far"))])
        if not len(own):
            return nodes
        apart = np.hypot(own[:, None, 0] - nodes.places[:, 0], own[:, None, 1] - nodes.places[:, 1])
        own = _once(own[apart.min(axis=1) > _SAME])
        jumps, own = self._with_jumps(own)
        return self._measured(np.concatenate([nodes.places, own]), [*nodes.jumps, *jumps, *aimed], nodes)

    def _with_jumps(self, places: FloatArray) -> tuple[list[Jump], FloatArray]:
        """Find the traverses from places, and from where those lead to; both sides of them become places, too."""
        if not self.fronts.has_traverses:
            return [], places
        table, unit = self.grounds.table, self.grounds.unit
        within = self.grounds.radius + float(table.tables["traverse.within"]) + TOLERANCE
        solids = shapely.union_all(to_traverse(table, unit))
        found: list[Jump] = []
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
            apart = np.hypot(sides[:, None, 0] - every[:, 0], sides[:, None, 1] - every[:, 1]).min(axis=1)
            fresh = sides[apart > 1e-6]
            every = np.concatenate([every, fresh])
            want_few(every, MOST_PLACES)
            if not len(fresh):
                break
        return found, every

    def _measured(self, places: FloatArray, jumps: Sequence[Jump], known: Nodes) -> Nodes:
        fresh = places[len(known.places) :]
        open_, straight = self._grown(self.grounds.open, fresh, known.places, known.open, known.straight)
        clean, straight_clean = open_, straight
        if self.grounds.clean is not self.grounds.open:
            clean, straight_clean = self._grown(
                self.grounds.clean, fresh, known.places, known.clean, known.straight_clean
            )
        begin, far, near = (
            _numbers(places, [getattr(jump, name) for jump in jumps]) for name in ("start", "far", "near")
        )
        kept = np.flatnonzero(far >= 0)
        jumps = tuple(jumps[at] for at in kept.tolist())
        return Nodes(places, open_, clean, straight, straight_clean, jumps, begin[kept], far[kept], near[kept])

    def _grown(
        self, ground: PreparedTable, fresh: FloatArray, known: FloatArray, ways: FloatArray, straight: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Distances between known places with those of fresh ones added, on both sides."""
        among, seen_among = self.apart(ground, fresh, fresh)
        if not len(known):
            return among, seen_among
        across, seen_across = self.apart(ground, fresh, known)
        grown = np.block([[ways, across.T], [across, among]])
        return grown, np.block([[straight, seen_across.T], [seen_across, seen_among]])

    def apart(self, ground: PreparedTable, begins: FloatArray, ends: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How far some places are from others: by the shortest way, and straight."""
        far = self.longest + SLACK
        # Where a roll is due from the first step there are no clean ways.
        rows, columns = (self._fit(ground, places) for places in (begins, ends))
        one = begins[rows]
        other = one if begins is ends else ends[columns]
        seen = self._seen(ground, one, other, far)
        if self.spending.is_straight:
            found = np.where(seen <= far, seen, np.inf)
        else:
            found = lengths_between(ground, one, other, far, seen)
        if len(rows) == len(begins) and len(columns) == len(ends):
            return found, seen
        straight = np.full((len(begins), len(ends)), np.inf)
        ways = straight.copy()
        straight[np.ix_(rows, columns)] = seen
        ways[np.ix_(rows, columns)] = found
        return ways, straight

    def _seen(self, ground: PreparedTable, one: FloatArray, other: FloatArray, far: float) -> FloatArray:
        """How far places are from others in straight lines: as long as moves, and where runs may begin as long as runs.

        Mostly a run takes all AP there are, so it begins at the start and nowhere else.
        """
        run = self.spending.run.inches + SLACK if self.spending.run else 0.0
        if run <= far or self._may_run_later:
            return seen_between(ground, one, other, max(far, run))
        seen = seen_between(ground, one, other, far)
        first, last = (np.flatnonzero(np.hypot(*(rows - self.fronts.start).T) <= _AT_START) for rows in (one, other))
        if len(first):
            seen[first] = seen_between(ground, one[first], other, run)
        if len(last):
            seen[:, last] = seen_between(ground, one, other[last], run)
        return seen

    @cached_property
    @clause("SK-28")
    def _may_run_later(self) -> bool:
        """Whether there may be AP for a run after a spend that leads away from the start."""
        spending = self.spending
        least = [lot.ap for lot in spending.moves] + [spending.traverse_ap] * self.fronts.has_traverses
        return spending.run is not None and spending.run.ap + min(least, default=spending.ap) <= spending.ap

    def _fit(self, ground: PreparedTable, places: FloatArray) -> IntArray:
        if ground is self.grounds.open:
            return np.arange(len(places))
        return np.flatnonzero(self.grounds.off_rough(places))


def thinned(rows: FloatArray) -> FloatArray:
    """Of places nearer to each other than about the spacing, keep one; the first row stays."""
    if not len(rows):
        return rows.reshape(-1, 2)
    _, first = np.unique(np.floor(rows / (0.7 * SPACING)), axis=0, return_index=True)
    return np.asarray(rows[np.unique(np.append(first, 0))])


def _sides(jumps: Sequence[Jump], names: Sequence[str]) -> FloatArray:
    """Where jumps begin, or stay, or come down."""
    return np.array([getattr(jump, name) for jump in jumps for name in names], np.float64).reshape(-1, 2)


def _once(rows: FloatArray) -> FloatArray:
    """Of places that are the same, keep the first."""
    spots = np.asarray(shapely.points(rows))
    one, other = shapely.STRtree(spots).query(spots, predicate="dwithin", distance=_SAME)
    return np.delete(rows, np.unique(np.maximum(one, other)[one != other]), axis=0)


def _numbers(places: FloatArray, wanted: Sequence[XY]) -> IntArray:
    """Which places these are; -1 for those that are none."""
    if not wanted:
        return np.zeros(0, np.intp)
    tree = shapely.STRtree(np.asarray(shapely.points(places)))
    spots = shapely.points(np.array(wanted))
    found = np.full(len(wanted), -1, np.intp)
    at, place = tree.query_nearest(spots, max_distance=2e-6, all_matches=False)
    found[at] = place
    return found
