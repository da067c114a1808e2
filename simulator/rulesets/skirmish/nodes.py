"""Decision places and what links them: how far they lie apart on each kind of ground, and what can be traversed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.continuous import PreparedTable, Question, plan_many
from simulator.rulesets.skirmish.fronts import Fronts
from simulator.rulesets.skirmish.ground import features_of, may_end
from simulator.rulesets.skirmish.jumps import Jump
from simulator.rulesets.skirmish.soldiers import TOLERANCE

#: How far apart decision places are set, in inches.
SPACING = 0.25
#: How many inches more for each lot the bound from above allows.
SLACK = 0.05


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


class Links:
    """What links decision places, for one question of reach."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts, self.grounds, self.spending = fronts, fronts.grounds, fronts.spending

    @cached_property
    def longest(self) -> float:
        """The inches of the longest move."""
        return max([lot.inches for lot in self.spending.moves], default=0.0)

    def linked(self, places: FloatArray) -> Nodes:
        """Measure how far places lie apart, and find what can be traversed from them."""
        jumps, places = self._with_jumps(places)
        none = np.full((len(places), len(places)), np.inf)
        np.fill_diagonal(none, 0.0)
        return self._measured(places, jumps, Nodes(places[:0], *(none[:0, :0],) * 4, (), *(np.zeros(0, np.intp),) * 3))

    def added(self, nodes: Nodes, own: FloatArray) -> Nodes:
        """Add the places of a goal to those shared by all."""
        if not len(own):
            return nodes
        apart = np.hypot(own[:, None, 0] - nodes.places[:, 0], own[:, None, 1] - nodes.places[:, 1])
        own = own[apart.min(axis=1) > 1e-7]
        jumps, own = self._with_jumps(own)
        return self._measured(np.concatenate([nodes.places, own]), [*nodes.jumps, *jumps], nodes)

    def _with_jumps(self, places: FloatArray) -> tuple[list[Jump], FloatArray]:
        """Find the traverses from places, and from where those lead to; both sides of them become places, too."""
        if not self.fronts.has_traverses:
            return [], places
        table, unit = self.grounds.table, self.grounds.unit
        within = self.grounds.radius + float(table.tables["traverse.within"]) + TOLERANCE
        solids = shapely.union_all([piece.shape.polygon for piece in features_of(table).obstacles])
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
            sides = np.array([place for jump in jumps for place in (jump.near, jump.far)]).reshape(-1, 2)
            sides = np.unique(np.round(sides, 9), axis=0)
            sides = sides[may_end(table, unit, sides)] if len(sides) else sides
            if not len(sides):
                break
            apart = np.hypot(sides[:, None, 0] - every[:, 0], sides[:, None, 1] - every[:, 1]).min(axis=1)
            fresh = sides[apart > 1e-6]
            every = np.concatenate([every, fresh])
            if not len(fresh):
                break
        return found, every

    def _measured(self, places: FloatArray, jumps: Sequence[Jump], known: Nodes) -> Nodes:
        old, count = len(known.places), len(places)
        fresh = np.arange(old, count)
        kinds: list[tuple[FloatArray, FloatArray]] = []
        ways = seen = np.zeros((0, 0))
        for ground, before, seen_before in (
            (self.grounds.open, known.open, known.straight),
            (self.grounds.clean, known.clean, known.straight_clean),
        ):
            if ground is self.grounds.open or self.grounds.clean is not self.grounds.open:
                ways, seen = self.apart(ground, places, fresh, np.arange(count))
            kinds.append((_grown(before, ways, fresh), _grown(seen_before, seen, fresh)))
        begin, far, near = (
            _numbers(places, [getattr(jump, name) for jump in jumps]) for name in ("start", "far", "near")
        )
        kept = np.flatnonzero(far >= 0)
        jumps = tuple(jumps[at] for at in kept.tolist())
        (open_, straight), (clean, straight_clean) = kinds
        return Nodes(places, open_, clean, straight, straight_clean, jumps, begin[kept], far[kept], near[kept])

    def apart(
        self, ground: PreparedTable, places: FloatArray, rows: IntArray, columns: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """How far some places are from others: by the shortest way, and straight."""
        far = self.longest + SLACK
        run = self.spending.run.inches + SLACK if self.spending.run else 0.0
        fit = np.ones(len(places), np.bool_)
        if ground is not self.grounds.open:
            fit = self.grounds.off_rough(places)
        begin, end = places[rows], places[columns]
        apart = np.hypot(begin[:, None, 0] - end[:, 0], begin[:, None, 1] - end[:, 1])
        near = (apart <= max(far, run)) & fit[rows][:, None] & fit[columns]
        one, other = np.nonzero(near)
        straight = np.full(apart.shape, np.inf)
        barred = ground.barred(np.hstack([begin[one], end[other]]), from_contact=True)
        straight[one[~barred], other[~barred]] = apart[one[~barred], other[~barred]]
        ways = np.where(straight <= far, straight, np.inf)
        if not self.spending.is_straight:
            bent = near & (apart <= far) & np.isinf(straight)
            bent &= self._past_corners(ground, begin, end, far, bent)
            some = np.flatnonzero(bent.any(axis=1))
            reaches = plan_many(ground, [Question(begin[row], far) for row in some.tolist()])
            for row, reach in zip(some.tolist(), reaches, strict=True):
                targets = np.flatnonzero(bent[row])
                ways[row, targets] = reach.cost_at(end[targets])
        return ways, straight

    def _past_corners(
        self, ground: PreparedTable, begin: FloatArray, end: FloatArray, far: float, bent: BoolArray
    ) -> BoolArray:
        """Between which places a way can lead past some corner or base without being too long."""
        found = np.zeros(bent.shape, np.bool_)
        if not bent.any():
            return found
        circles = ground.circles
        for cx, cy, radius in zip(circles.x, circles.y, circles.measured, strict=True):
            before, after = (
                np.maximum(np.hypot(rows[:, 0] - cx, rows[:, 1] - cy) - radius, 0.0) for rows in (begin, end)
            )
            some, others = np.flatnonzero(before <= far), np.flatnonzero(after <= far)
            if len(some) and len(others):
                found[np.ix_(some, others)] |= before[some][:, None] + after[others] <= far
        return found


def thinned(rows: FloatArray) -> FloatArray:
    """Of places nearer to each other than about the spacing, keep one; the first row stays."""
    if not len(rows):
        return rows.reshape(-1, 2)
    _, first = np.unique(np.floor(rows / (0.7 * SPACING)), axis=0, return_index=True)
    return np.asarray(rows[np.unique(np.append(first, 0))])


def _grown(before: FloatArray, rows: FloatArray, fresh: IntArray) -> FloatArray:
    """A square of distances with the rows of new places added, on both sides."""
    count = rows.shape[1]
    whole = np.full((count, count), np.inf)
    old = len(before)
    whole[:old, :old] = before
    whole[fresh] = rows
    whole[:, fresh] = rows.T
    return whole


def _numbers(places: FloatArray, wanted: Sequence[XY]) -> IntArray:
    """Which places these are; -1 for those that are none."""
    if not wanted:
        return np.zeros(0, np.intp)
    tree = shapely.STRtree([shapely.Point(place) for place in places])
    spots = shapely.points(np.array(wanted))
    found = np.full(len(wanted), -1, np.intp)
    at, place = tree.query_nearest(spots, max_distance=2e-6, all_matches=False)
    found[at] = place
    return found
