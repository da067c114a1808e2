"""Traverses: over an obstacle within 1 inch, or through a gap too narrow for the base.

Many are found and judged at once, as flat arrays with one row for each; an order is a batch of one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.gaps import shares_of_slides
from simulator.geometry.path_judge import every_overlap, first_beyond
from simulator.geometry.paths import Path, Paths, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.rays import (
    RayPairs,
    across,
    nearest_on,
    nearest_points,
    overlaps,
    stretch_at,
)
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.movement import ap_breaches, are_exclusive, legal_stop
from simulator.rulesets.skirmish.obstruction import (
    Gap,
    exact_mouths,
    features_of,
    gaps_of,
    is_exact_fit,
    may_end,
    room_of,
    standing_breaches,
    width_to_enemies,
)
from simulator.rulesets.skirmish.rolls import LEVELS
from simulator.rulesets.skirmish.shortfalls import available_inches, inches_text, needed_inches
from simulator.rulesets.skirmish.units import SkirmishTable, bases_of, enemies, radius_of

#: How close to an obstacle's border a point counts as one of its points: people type places in round figures.
_ON_IT = 1e-3


@dataclass(frozen=True)
class Traverse:
    """One traverse: of what, how hard, and the places on this side and the other."""

    over: tuple[str, ...]
    called: str  #: what is traversed, as named in messages
    difficulty: str  #: a success level, or "impossible"
    distance: float  #: from the base's edge, at the start
    depth: float
    foot: XY  #: where the base first touches
    near: XY  #: where a failure leaves the soldier: at the foot, or before a friend who stands there
    far: XY
    towards: XY | None = None  #: the point that it is aimed at, if an order has to name it

    @property
    def args(self) -> dict[str, Any]:
        """The arguments of an order for this traverse."""
        names: dict[str, Any] = dict(zip(("obstacle", "other"), self.over, strict=False))
        return names if self.towards is None else names | {"towards": self.towards}


@clause("SK-18", role="figure")
def traverse_within(table: SkirmishTable) -> float:
    """Return how far from the edge of the base a traverse may begin, in inches."""
    return float(table.tables["traverse.within"])


@clause("SK-24", role="figure")
def max_depth(table: SkirmishTable) -> float:
    """Return how deep an obstacle may be where it is traversed, in inches."""
    return float(table.tables["traverse_max_depth.inches"])


@clause("SK-20")
def difficulty_by_height(table: SkirmishTable, height: float) -> str:
    """Return the level of the roll over an obstacle of a height."""
    up_to = table.tables["traverse_difficulty.up_to"]
    for level in LEVELS:
        if height <= float(up_to[level]) + TOLERANCE:
            return level
    return "impossible"


@dataclass(frozen=True, eq=False)
class Climber:
    """A soldier and everything that it may traverse, numbered: first the obstacles, then the gaps too narrow for it."""

    table: SkirmishTable
    soldier: Unit

    @cached_property
    @clause("SK-18")
    def within(self) -> float:
        """How far its centre may be from what it traverses, in inches."""
        return radius_of(self.soldier) + traverse_within(self.table)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """The gaps."""
        return gaps_of(self.table, self.soldier)

    @cached_property
    def obstacles(self) -> int:
        """The number of obstacles."""
        return len(features_of(self.table).obstacles)

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """The names of the obstacles of each."""
        return [*((piece.id,) for piece in features_of(self.table).obstacles), *(gap.over for gap in self.gaps)]

    @cached_property
    def called(self) -> list[str]:
        """The name of each in messages."""
        return [*(piece.id for piece in features_of(self.table).obstacles), *(gap.called for gap in self.gaps)]

    @cached_property
    @clause("SK-20", "SK-50")
    def levels(self) -> list[str]:
        """How hard each is to traverse."""
        heights = [piece.height for piece in features_of(self.table).obstacles]
        through = str(self.table.tables["traverse_difficulty.gap"])
        return [*(difficulty_by_height(self.table, height) for height in heights), *(through for _ in self.gaps)]

    @cached_property
    def is_possible(self) -> BoolArray:
        """Which of them can be traversed at all."""
        return np.array([level != "impossible" for level in self.levels], np.bool_)

    @cached_property
    def between(self) -> IntArray:
        """The numbers of the two obstacles of each gap."""
        return np.array([gap.throat.between for gap in self.gaps], np.intp).reshape(-1, 2)

    @cached_property
    def throats(self) -> FloatArray:
        """The throat of each gap where its slide begins, the slide, and the direction through it."""
        rows = [(*gap.throat.one, *gap.throat.other, *gap.throat.slide, *gap.throat.through) for gap in self.gaps]
        return np.array(rows, np.float64).reshape(-1, 8)

    @cached_property
    def passages(self) -> list[BaseGeometry]:
        """Where the throats of each gap lie: a line, between parallel faces an area."""
        ends = np.concatenate([self.throats[:, :4], self.throats[:, :4] + np.tile(self.throats[:, 4:6], 2)], axis=1)
        return [shapely.MultiPoint(four).convex_hull for four in ends.reshape(-1, 4, 2)]

    @property
    def things(self) -> list[BaseGeometry]:
        """Where each of them lies."""
        return [*(piece.shape.polygon for piece in features_of(self.table).obstacles), *self.passages]

    def throats_near(self, gap: IntArray, places: FloatArray) -> FloatArray:
        """Return throats of gaps as near as possible to a place each, rows x1, y1, x2, y2."""
        ends, slide = self.throats[gap, :4], self.throats[gap, 4:6]
        share = shares_of_slides((ends[:, :2] + ends[:, 2:]) / 2, slide, places)
        return np.asarray(ends + np.tile(share[:, None] * slide, 2))


@dataclass(frozen=True, eq=False)
class Traverses:
    """Many traverses of one soldier, legal or not, one for each row."""

    climber: Climber
    origin: IntArray  #: the number of the place where it begins, among those of the question
    what: IntArray
    start: FloatArray
    towards: FloatArray  #: the point that it is aimed at, if an order has to name it; else nan
    distance: FloatArray
    depth: FloatArray
    foot: FloatArray
    far: FloatArray
    is_hidden: BoolArray  #: whether another part of the obstacle stands before the point that it is aimed at

    def of(self, rows: IntArray | BoolArray) -> Traverses:
        """Return some of the rows."""
        arrays = {one.name: getattr(self, one.name)[rows] for one in fields(self) if one.name != "climber"}
        return Traverses(self.climber, **arrays)

    def and_then(self, others: Traverses) -> Traverses:
        """Return these and others, in order of the places where they begin."""
        pairs = ((one.name, getattr(self, one.name), getattr(others, one.name)) for one in fields(self)[1:])
        whole = Traverses(self.climber, **{name: np.concatenate([mine, other]) for name, mine, other in pairs})
        return whole.of(np.argsort(whole.origin, kind="stable"))

    @property
    def is_gap(self) -> BoolArray:
        """Which of them lead through gaps."""
        return np.asarray(self.what >= self.climber.obstacles)

    @cached_property
    def owners(self) -> IntArray:
        """The numbers of the obstacles traversed; rows of two, the same twice where it is one."""
        both = np.concatenate([np.repeat(np.arange(self.climber.obstacles), 2).reshape(-1, 2), self.climber.between])
        return np.asarray(both[self.what])

    @cached_property
    @clause("SK-13", "SK-14", "SK-22")
    def near(self) -> FloatArray:
        """Where failures leave the soldier: at the foot, or before a friend who stands there."""
        table, soldier, near = self.climber.table, self.climber.soldier, self.foot.copy()
        for row in np.flatnonzero(~may_end(table, soldier, self.foot)).tolist():
            start, foot = _place(self.start[row]), _place(self.foot[row])
            line = Path(start, (Straight(start, foot),))
            inches = legal_stop(table, soldier, line, line.length)
            near[row] = foot if inches >= line.length else line.at(inches)
        return near

    def one(self, row: int) -> Traverse:
        """Return one of them."""
        towards = _place(self.towards[row]) if np.isfinite(self.towards[row, 0]) else None
        figures = float(self.distance[row]), float(self.depth[row])
        places = _place(self.foot[row]), _place(self.near[row]), _place(self.far[row])
        what = self.what[row]
        thing = self.climber.names[what], self.climber.called[what], self.climber.levels[what]
        return Traverse(*thing, *figures, *places, towards)


def _place(row: FloatArray) -> XY:
    return float(row[0]), float(row[1])


# --- which there are ---


@clause("SK-18", "SK-20", "SK-48")
def to_traverse(table: SkirmishTable, soldier: Unit) -> list[BaseGeometry]:
    """Return everything that a soldier might traverse from somewhere: low enough obstacles, and throats of gaps."""
    climber = Climber(table, soldier)
    return [
        thing for thing, is_possible in zip(climber.things, climber.is_possible.tolist(), strict=True) if is_possible
    ]


@clause("SK-18", "SK-20", "SK-23", "SK-24")
def over_obstacles(
    climber: Climber, origin: IntArray, what: IntArray, starts: FloatArray, aims: FloatArray, towards: FloatArray
) -> Traverses:
    """Return the traverses of obstacles, each across a point that it is aimed at.

    `towards` are the aims that an order has to name, nan where the obstacle's name is enough.
    """
    radius = radius_of(climber.soldier)
    ways = across(features_of(climber.table).obstacles.standing, what, starts, aims, radius)
    distance = ways.reach - radius
    return Traverses(climber, origin, what, starts, towards, distance, ways.depth, ways.foot, ways.far, ways.is_hidden)


@clause("SK-50")
def through_gaps(climber: Climber, origin: IntArray, gap: IntArray, starts: FloatArray) -> Traverses:
    """Return the traverses of gaps that are too narrow: along the normals of their throats, through the middle."""
    things, radius = features_of(climber.table).obstacles.standing, radius_of(climber.soldier)
    throat, unit = climber.throats_near(gap, starts), climber.throats[gap, 6:]
    middle = (throat[:, :2] + throat[:, 2:]) / 2
    unit = np.where(np.sum(unit * (middle - starts), axis=1)[:, None] < 0.0, -unit, unit)
    # A gap of just the base's width, if that is too narrow, is left by a hair's breadth.
    is_fit = np.array([is_exact_fit(climber.soldier, one) for one in climber.gaps], np.bool_)
    wide = np.where(is_fit[gap], radius + 2 * TOLERANCE, radius)
    ray, over = np.repeat(np.arange(len(gap)), 2), climber.between[gap].ravel()
    ways = [RayPairs(middle, direction, ray, over) for direction in (unit, -unit)]
    none = np.zeros(len(gap))
    behind, before = (stretch_at(overlaps(way, things, wide)[0], none)[1] for way in ways)
    width = np.hypot(*(throat[:, 2:] - throat[:, :2]).T)
    thin = np.sqrt(np.maximum(radius**2 - width**2 / 4, 0.0))
    distance = np.hypot(*(nearest_on(throat, starts) - starts).T) - radius
    depth = np.maximum(behind + before - 2 * thin, 0.0)
    foot, far, what = ways[1].at(before), ways[0].at(behind), climber.obstacles + gap
    return Traverses(climber, origin, what, starts, middle, distance, depth, foot, far, none > 0.0)


@clause("SK-50")
def _each_once(ways: Traverses) -> Traverses:
    """Return of traverses of gaps between the same places the one with the nearest throat.

    A channel has mouths, but is one gap. Aims are named only if there are several gaps between the same two.
    """
    ways = ways.of(np.lexsort((ways.what, ways.distance, ways.origin)))
    sides = np.round(np.column_stack([ways.foot, ways.far]), 6) + 0.0
    ways = ways.of(np.sort(np.unique(np.column_stack([ways.origin, sides]), axis=0, return_index=True)[1]))
    pair = np.column_stack([ways.origin, np.sort(ways.owners, axis=1)])
    _, same, count = np.unique(pair, axis=0, return_inverse=True, return_counts=True)
    is_only = count[same.ravel()] == 1
    return replace(ways, towards=np.where(is_only[:, None], np.nan, ways.towards))


@clause("SK-18", "SK-48", "SK-50")
def from_places(climber: Climber, places: ArrayLike) -> Traverses:
    """Return every legal traverse from each of many places: across each nearest point, and through each gap."""
    rows, found = np.asarray(places, np.float64).reshape(-1, 2), features_of(climber.table)
    within = climber.within + TOLERANCE
    origin, what = found.obstacles.tree.query(shapely.points(rows), predicate="dwithin", distance=within)
    low = np.flatnonzero(climber.is_possible[what])
    low = low[np.lexsort((what[low], origin[low]))]
    origin, what = origin[low], what[low]
    at, aims = nearest_points(found.obstacles.standing, what, rows[origin])
    is_tied = np.bincount(at, minlength=len(what))[at] > 1
    towards = np.where(is_tied[:, None], aims, np.nan)
    over = over_obstacles(climber, origin[at], what[at], rows[origin[at]], aims, towards)
    origin, gap = (index.ravel() for index in np.indices((len(rows), len(climber.gaps))))
    throats = climber.throats_near(gap, rows[origin])
    near = np.flatnonzero(np.hypot(*(nearest_on(throats, rows[origin]) - rows[origin]).T) <= within)
    ways = over
    if len(near):  # usually there is no gap near, and a few places recur very often
        ways = over.and_then(_each_once(through_gaps(climber, origin[near], gap[near], rows[origin[near]])))
    return ways.of(are_legal(ways))


def in_reach(table: SkirmishTable, soldier: Unit) -> list[Traverse]:
    """Return every legal traverse of a soldier where it stands."""
    ways = from_places(Climber(table, soldier), [soldier.place])
    return [ways.one(row) for row in range(len(ways.what))]


# --- the traverse of an order ---


@clause("SK-18", "SK-23", "SK-50")
def _ordered(climber: Climber, order: Order) -> Traverses | None:
    """Return the traverse that an order describes, None if there is no such obstacle or gap."""
    found, place = features_of(climber.table), np.array([climber.soldier.place], np.float64)
    names, aim = [order["obstacle"], *([order["other"]] if order.get("other") else [])], order.get("towards")
    if any(name not in found.obstacles.by_id for name in names):
        return None
    towards = np.full((1, 2), np.nan) if aim is None else np.array([aim], np.float64)
    if len(names) == 1:
        what = np.array([list(found.obstacles.by_id).index(names[0])])
        _, nearest = nearest_points(found.obstacles.standing, what, place)
        return over_obstacles(climber, what * 0, what, place, _aim(climber, nearest, towards), towards)
    gaps = np.array([k for k, gap in enumerate(climber.gaps) if sorted(gap.over) == sorted(names)], np.intp)
    if not len(gaps):
        return None
    spots = np.broadcast_to(place if aim is None else towards, (len(gaps), 2))
    throats = climber.throats_near(gaps, np.broadcast_to(place, (len(gaps), 2)))
    first = gaps[[np.argmin(np.hypot(*(nearest_on(throats, spots) - spots).T))]]
    return replace(through_gaps(climber, first * 0, first, place), towards=towards)


@clause("SK-23")
def _aim(climber: Climber, nearest: FloatArray, towards: FloatArray) -> FloatArray:
    """Return the point across which it leads: a nearest one, the one named or the one closest to that.

    People type round figures; the judge decides whether what they name is close enough.
    """
    if np.isnan(towards[0, 0]) or math.dist(towards[0], climber.soldier.place) < TOLERANCE:
        return nearest[:1]
    if climber.table.options.traverse_direction == "any_direction":
        return towards
    return nearest[[np.argmin(np.hypot(*(nearest - towards).T))]]


def traverse_of(table: SkirmishTable, soldier: Unit, order: Order) -> Traverse | None:
    """Return the traverse that an order describes, None if there is no such obstacle or gap."""
    ordered = _ordered(Climber(table, soldier), order)
    return None if ordered is None else ordered.one(0)


# --- judging ---


class BatchFault(NamedTuple):
    """A fault of some of many traverses: of which, and the breach of each."""

    broken: BoolArray
    breaches: Callable[[int], Iterable[Breach]]


def are_legal(ways: Traverses) -> BoolArray:
    """Return which of many traverses are legal; costlier checks run only on those that are left."""
    legal = np.ones(len(ways.what), np.bool_)
    for judge in JUDGES:
        rows = np.flatnonzero(legal)
        if len(rows):
            for fault in judge(ways if len(rows) == len(legal) else ways.of(rows)):
                legal[rows[fault.broken]] = False
    return legal


@clause("SK-18", "SK-20", "SK-24", role="judge")
def _figure_faults(ways: Traverses) -> Iterator[BatchFault]:
    """Judge the figures of traverses: near enough, low enough, not too deep."""
    climber = ways.climber
    within, deepest = traverse_within(climber.table), max_depth(climber.table)

    def too_far(row: int) -> Iterator[Breach]:
        what, distance = climber.called[ways.what[row]], needed_inches(float(ways.distance[row]))
        if climber.table.options.traverse_direction == "any_direction" and np.isfinite(ways.towards[row, 0]):
            message = f"the point of {what} that is aimed at is {distance:.10g} inches from the base"
        else:
            message = f"{what} is {distance:.10g} inches from the base"
        message += f", a traverse begins within {within:.10g}"
        yield Breach("SK-18", message, distance, within, what)

    def too_high(row: int) -> Iterator[Breach]:
        what = climber.called[ways.what[row]]
        why = "cannot be passed" if ways.is_gap[row] else "is too high to be traversed"
        yield Breach("SK-20", f"{what} {why}", blocker=what)

    def too_deep(row: int) -> Iterator[Breach]:
        what, depth = climber.called[ways.what[row]], needed_inches(float(ways.depth[row]))
        message = f"{what} is {depth:.10g} inches deep here, at most {deepest:.10g} can be traversed"
        yield Breach("SK-24", message, depth, deepest, what, _place(ways.far[row]))

    yield BatchFault(ways.distance > within + TOLERANCE, too_far)
    yield BatchFault(~climber.is_possible[ways.what], too_high)
    yield BatchFault(ways.depth > deepest + TOLERANCE, too_deep)


@clause("SK-16", "SK-24", "SK-49", "SK-53", "SK-54", "SK-63", role="judge")
def _way_faults(ways: Traverses) -> Iterator[BatchFault]:
    """Judge what else stands on the way to obstacles and across them: enemies, other obstacles, the table's edge."""
    table, soldier = ways.climber.table, ways.climber.soldier
    radius, found, foes = radius_of(soldier), features_of(table), enemies(table, soldier)
    way = Paths.of_lines(np.stack([ways.start, ways.foot, ways.far], axis=1))
    by_foes = every_overlap(way, width_to_enemies(table, soldier), (), bases_of(foes), TOLERANCE)
    yield _met(
        ways,
        by_foes,
        [
            Breach("SK-24", f"the way across passes the base of {foe.id}", blocker=foe.id, place=foe.place)
            for foe in foes
        ],
    )
    edges, owner = found.obstacles.standing.segments, found.obstacles.standing.segment_owner
    row, edge = every_overlap(way, radius, edges, (), TOLERANCE)
    strange = np.all(ways.owners[row] != owner[edge, None], axis=1)
    yield _met(
        ways,
        (row[strange], owner[edge[strange]]),
        [Breach("SK-24", f"{piece.id} stands in the way across", blocker=piece.id) for piece in found.obstacles],
    )
    if len(gaps := np.flatnonzero(ways.is_gap)):
        yield _across_its_own(ways, gaps, ways.start, ways.foot, f"stands between {soldier.id} and the gap")
        yield _across_its_own(ways, gaps, ways.foot, ways.far, "closes the gap, which does not lead through")
    if mouths := exact_mouths(table, soldier):
        row, mouth = every_overlap(way, 0.0, [np.ravel(gap.ends) for gap in mouths], (), TOLERANCE)
        over = np.sort([gap.throat.between for gap in mouths], axis=1)
        strange = np.any(np.sort(ways.owners[row], axis=1) != over[mouth], axis=1) | ~ways.is_gap[row]
        fit = "a gap of just the width of the base is in the way, and taken as too narrow"
        yield _met(ways, (row[strange], np.zeros(int(strange.sum()), np.intp)), [Breach("SK-49", fit)])
    beyond = np.isfinite(first_beyond(way, room_of(table, soldier), TOLERANCE))
    yield BatchFault(
        beyond, lambda row: [Breach("SK-63", "the way across leaves the table", place=_place(ways.far[row]))]
    )


@clause("SK-16")
def _across_its_own(ways: Traverses, gaps: IntArray, begin: FloatArray, end: FloatArray, throats: str) -> BatchFault:
    """Judge lines to gaps and through them: not across the obstacles that they are between."""
    found = features_of(ways.climber.table)
    lines = Paths.of_lines(np.stack([begin[gaps], end[gaps]], axis=1))
    row, edge = every_overlap(lines, 0.0, found.obstacles.standing.segments, (), TOLERANCE)
    owner = found.obstacles.standing.segment_owner[edge]
    own = np.any(ways.owners[gaps[row]] == owner[:, None], axis=1)
    breaches = [Breach("SK-16", f"{piece.id} {throats}", blocker=piece.id) for piece in found.obstacles]
    return _met(ways, (gaps[row[own]], owner[own]), breaches)


def _met(ways: Traverses, pairs: tuple[IntArray, IntArray], breaches: Sequence[Breach]) -> BatchFault:
    """Return the fault of ways that meet something: pairs of a way and the number of a breach."""
    row, number = pairs
    broken = np.bincount(row, minlength=len(ways.what)) > 0
    return BatchFault(broken, lambda one: [breaches[number] for number in np.unique(number[row == one]).tolist()])


@clause("SK-24", role="judge")
def _end_faults(ways: Traverses) -> Iterator[BatchFault]:
    """Judge the far sides: a legal end."""
    table, soldier = ways.climber.table, ways.climber.soldier

    def against_row(row: int) -> Iterator[Breach]:
        for one in standing_breaches(table, soldier, _place(ways.far[row]), "would come down"):
            yield Breach("SK-24", one.message, one.needed, one.available, one.blocker, one.place)

    yield BatchFault(~may_end(table, soldier, ways.far), against_row)


@clause("SK-23", role="judge")
def _aim_faults(ways: Traverses) -> Iterator[BatchFault]:
    """Judge the points of obstacles that are aimed at: on them, and a nearest one unless any will do."""
    table, found = ways.climber.table, features_of(ways.climber.table)
    is_aimed = np.isfinite(ways.towards[:, 0]) & ~ways.is_gap
    polygons = found.obstacles.polygons[np.where(is_aimed, ways.what, 0)]
    aims = np.where(is_aimed[:, None], ways.towards, ways.start)
    aimed = np.where(is_aimed, np.hypot(*(aims - ways.start).T), np.inf)
    off = np.where(is_aimed, shapely.distance(polygons, shapely.points(aims)), 0.0)
    ahead, on_it = aimed >= TOLERANCE, off <= _ON_IT

    itself = Breach("SK-23", "a traverse is aimed at a point ahead, not at the soldier's own place")

    def beside(row: int) -> Iterator[Breach]:
        name, aim = ways.climber.called[ways.what[row]], f"{aims[row, 0]:g},{aims[row, 1]:g}"
        away = needed_inches(float(off[row]))
        message = f"{aim} is not a point of {name}: {away:.10g} inches beside it"
        yield Breach("SK-23", message, away, 0, name, _place(aims[row]))

    yield BatchFault(~ahead, lambda _: [itself])
    yield BatchFault(ahead & ~on_it, beside)
    if table.options.traverse_direction == "any_direction":

        def hidden(row: int) -> Iterator[Breach]:
            name, aim = ways.climber.called[ways.what[row]], f"{aims[row, 0]:g},{aims[row, 1]:g}"
            message = f"another part of {name} is met before {aim}"
            yield Breach("SK-23", message, blocker=name, place=_place(aims[row]))

        yield BatchFault(is_aimed & ahead & on_it & ways.is_hidden, hidden)
        return
    rows = np.flatnonzero(is_aimed & ahead & on_it)
    at, points = nearest_points(found.obstacles.standing, ways.what[rows], ways.start[rows])
    beside_it = np.zeros(len(is_aimed))
    beside_it[rows] = np.inf
    np.minimum.at(beside_it, rows[at], np.hypot(*(points - aims[rows[at]]).T))

    def farther(row: int) -> Iterator[Breach]:
        name, aim = ways.climber.called[ways.what[row]], f"{aims[row, 0]:g},{aims[row, 1]:g}"
        x, y = min(map(_place, points[rows[at] == row]), key=lambda point: math.dist(point, aims[row]))
        nearest = available_inches(math.dist((x, y), ways.start[row]))
        farther = needed_inches(float(aimed[row]))
        nearer = inches_text(farther - nearest)
        message = f"{aim} is not the nearest point of {name}: {x:g},{y:g} is {nearer} nearer"
        yield Breach("SK-23", message, farther, nearest, name, _place(aims[row]))

    yield BatchFault(beside_it > _ON_IT, farther)


#: The checks of traverses, in the order in which they are reported.
JUDGES = (_aim_faults, _figure_faults, _way_faults, _end_faults)


@clause("SK-18", "SK-33", role="judge")
def before_traversing(table: SkirmishTable, soldier: Unit) -> Iterator[Breach]:
    """Yield the reasons why a soldier cannot traverse now, whatever the obstacle."""
    yield from ap_breaches(soldier, int(table.options.traverse_ap), "SK-18", "a traverse")
    if soldier["has_run"] and are_exclusive(table):
        yield Breach("SK-33", f"{soldier.id} has run in this activation: it cannot traverse as well")


@clause("SK-18", "SK-23", "SK-48", "SK-66", role="judge")
def order_breaches(table: SkirmishTable, soldier: Unit, order: Order) -> Iterator[Breach]:
    """Judge the order to traverse."""
    yield from before_traversing(table, soldier)
    names = [order["obstacle"], *([order["other"]] if order.get("other") else [])]
    known = features_of(table).obstacles.by_id
    strange = [name for name in names if name not in known]
    for name in strange:
        yield Breach("SK-66", f"there is no obstacle {name} (known: {', '.join(known) or 'none'})")
    if strange:
        return
    ordered = _ordered(Climber(table, soldier), order)
    if ordered is None:
        width, one, other = needed_inches(2 * radius_of(soldier)), *names
        where = f"in {one}" if one == other else f"between {one} and {other}"
        yield Breach("SK-48", f"there is no gap {where} that is too narrow for a base {width:.10g} wide", width)
        return
    for judge in JUDGES:
        for fault in judge(ordered):
            if fault.broken[0]:
                yield from fault.breaches(0)
