"""Fronts: where a soldier can stand after a number of AP, built spend by spend.

Rolls are either lucky, each that can succeed does, or they fail whenever they can. A failure is undone by Threshold or
avoided: so there is one front for each number of AP spent, of Threshold suffered, for both kinds of luck, and for each
stance. The lucky ones hold what is possible, the others what is certain.

Where lots can be cut anywhere, ways lead straight from the *anchors*, the start and the far sides of traverses, as
whole lines of several lots: they are exact. Elsewhere the next spend starts from the outline of the last front:
whatever is reached from inside it passes its outline with more inches left. Places on the outline are set `SPACING`
apart, its corners and the rims of friends among them, so an area falls short by the difference between arc and chord,
and no more: `TOLERANCE_OF_AREAS`, which tests verify. Where that difference decides whether rough ground can be crossed
or a traverse begun at all, exact places are added: see `stops` and `touches`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.shapes import polygons_of
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import CONTACT, GRID, KEPT_BACK, TOLERANCE
from simulator.pathing.free import FreeReach, PreparedTable, plan, straight_reach
from simulator.pathing.free.grazes import between_grazes
from simulator.pathing.links import Link, LinkCurve, links_to
from simulator.pathing.outline_places import (
    SAME,
    SPACING,
    ends_on_circles,
    ends_on_lines,
    rings_of,
    spread_over,
    thinned,
)
from simulator.rulesets.skirmish.any_direction.far_sides import far_sides_of
from simulator.rulesets.skirmish.front_point.reach import FacingLeg, States
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.before import SpendStage
from simulator.rulesets.skirmish.reach.legs import SpendLeg
from simulator.rulesets.skirmish.reach.spends import Lot, Spending
from simulator.rulesets.skirmish.reach.touches import Touches
from simulator.rulesets.skirmish.reach.waypoints import Stops
from simulator.rulesets.skirmish.traverse.ends import landings
from simulator.rulesets.skirmish.traverse.jumps import Jumps
from simulator.rulesets.skirmish.traverse.rules import to_traverse

#: How far apart places on the outline of a front are set where lots may not bend, in inches.
_SPACING_OF_STRAIGHTS = 0.05
#: Nothing that the rules allow lies farther outside an area than this, in inches.
TOLERANCE_OF_AREAS = 0.01
#: By how much bisected limits are overestimated, in inches: the planner's contact, less what is kept back.
_TOO_FAR = CONTACT - KEPT_BACK
#: For more places than this the area is drawn before they are tested.
_FEW = 3
#: No end is farther from an area than this.
_NEAR = 0.2


def _thinned(line: FloatArray) -> FloatArray:
    """Return few enough places of a line that they are still no farther apart than the spacing, both ends included."""
    return np.asarray(line[thinned(line)])


@dataclass(eq=False)
class Front:
    """All ends at one stage."""

    fronts: Fronts
    stage: SpendStage
    #: The front with one AP less, as fewer AP suffice where more do; and those in another stance.
    earlier: tuple[Front, ...] = ()
    legs: list[SpendLeg[Front]] = field(default_factory=list)
    facing_legs: list[FacingLeg[Front]] = field(default_factory=list)
    landings: list[tuple[LinkCurve, Front]] = field(default_factory=list)
    is_start: bool = False

    @cached_property
    def all_earlier(self) -> list[Front]:
        """This front and all before it, the latest first."""
        found: dict[Front, None] = {self: None}
        for front in self.earlier:
            found |= dict.fromkeys(front.all_earlier)
        return list(found)

    @property
    def is_empty(self) -> bool:
        """Whether there are no ends here."""
        return not any(
            front.is_start or front.legs or front.facing_legs or front.landings for front in self.all_earlier
        )

    def ends(self, places: FloatArray) -> BoolArray:
        """Return at which places a soldier can stand at this stage."""
        rows = places.reshape(-1, 2)
        found = self.walked(rows)
        for front in self.all_earlier:
            if front.landings and not found.all():
                left = np.flatnonzero(~found)
                found[left] = front._on_straights(rows[left])
                left = np.flatnonzero(~found)
                found[left] = [jumped is not None for jumped in front.jumps_to(rows[left])]
        return found

    def walked(self, places: FloatArray) -> BoolArray:
        """Return at which places a soldier can stand whose last spend was no traverse, or who stays where it stood."""
        rows = places.reshape(-1, 2)
        found: BoolArray = np.zeros(len(rows), np.bool_)
        if not self.is_beyond_start:
            found = np.asarray(np.hypot(*(rows - self.fronts.start).T) <= TOLERANCE)
        near: BoolArray = np.ones(len(rows), np.bool_)
        if len(rows) > _FEW and not len(self.fronts.grounds.axes):
            near = np.asarray(shapely.dwithin(self.ground, shapely.points(rows), _NEAR))
        for leg in self._legs_by_cost:
            left = np.flatnonzero(~found & (near | bool(leg.lot.least)))
            if len(left):
                found[left] = leg.ends(rows[left])
        return found

    @cached_property
    def _legs_by_cost(self) -> list[SpendLeg[Front] | FacingLeg[Front]]:
        """All lots that end here, those that are cut apart last."""
        legs = [leg for front in self.all_earlier for leg in front.all_legs]
        return sorted(legs, key=lambda leg: isinstance(leg, SpendLeg) and leg.must_be_cut)

    @cached_property
    def _straights(self) -> shapely.STRtree:
        return shapely.STRtree(np.concatenate([landing.pieces[landing.in_line] for landing, _ in self.landings]))

    def _on_straights(self, places: FloatArray) -> BoolArray:
        """Return which places lie between two far sides of a straight line: they need not be traced back one by one."""
        found = np.zeros(len(places), np.bool_)
        spots = np.asarray(shapely.points(places))
        found[self._straights.query(spots, predicate="dwithin", distance=GRID / 10)[0]] = True
        some = np.flatnonzero(found)
        found[some] = may_end(self.fronts.grounds.table, self.fronts.grounds.unit, places[some])
        return found

    def jumps_to(self, places: FloatArray) -> list[tuple[Link, Front] | None]:
        """Compute for each of many places the traverse that comes down there, and the front it begins on."""
        found: list[tuple[Link, Front] | None] = [None] * len(places)
        lines = np.array([landing.line for landing, _ in self.landings], object)
        number, row = shapely.STRtree(np.asarray(shapely.points(places))).query(
            lines, predicate="dwithin", distance=SAME
        )
        order = np.lexsort((number, row))
        number, row = number[order], row[order]
        # The lines found first are tested first: where traverses are free, later ones depend on all before.
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        for turn in range(int(rank.max(initial=-1)) + 1):
            open_ = [at for at in np.flatnonzero(rank == turn).tolist() if found[row[at]] is None]
            if open_:
                self._follow_lines(places, number[open_], row[open_], found)
        return found

    def _follow_lines(
        self, places: FloatArray, number: IntArray, row: IntArray, found: list[tuple[Link, Front] | None]
    ) -> None:
        """Test whether places are far sides on some lines, one line for each place."""
        pairs = [(self.landings[k], r) for k, r in zip(number.tolist(), row.tolist(), strict=True)]
        spots = [(landing, (float(places[r, 0]), float(places[r, 1]))) for (landing, _), r in pairs]
        tried: dict[Front, list[tuple[Link, int]]] = {}
        for ((_, front), r), jump in zip(pairs, links_to(self.fronts.jumps, spots), strict=True):
            if jump is not None:
                tried.setdefault(front, []).append((jump, r))
        for front, some in tried.items():
            for (jump, r), legal in zip(some, front.ends(np.array([jump.start for jump, _ in some])), strict=True):
                if legal:
                    found[r] = jump, front

    @property
    def all_legs(self) -> list[SpendLeg[Front] | FacingLeg[Front]]:
        """The lots that end here."""
        return [*self.legs, *self.facing_legs]

    @cached_property
    def ground(self) -> BaseGeometry:
        """The area, prepared for tests of many places."""
        shapely.prepare(self.area)
        return self.area

    @cached_property
    def polygons(self) -> list[BaseGeometry]:
        """The ground of each way to end here."""
        return [*(leg.area for leg in self.all_legs), *(front.area for front in self.earlier)]

    @cached_property
    def area(self) -> BaseGeometry:
        """The ends as polygons, none of them outside what the rules allow."""
        found = [part for part in self.polygons if part.area]
        whole = union(found) if found else shapely.Polygon()
        # Overlays may leave lines beside the ground.
        return polygons_of(whole) if whole.geom_type == "GeometryCollection" else whole

    @cached_property
    def lines(self) -> list[BaseGeometry]:
        """The ends that are lines or single places."""
        return [*(landing.line for landing in self.all_landings), *self.run_lines]

    @property
    def all_landings(self) -> list[LinkCurve]:
        """The far sides among the ends."""
        return [landing for front in self.all_earlier for landing, _ in front.landings]

    @cached_property
    def run_lines(self) -> list[BaseGeometry]:
        """The ends of runs that have to go all their inches."""
        return [line for front in self.all_earlier for line in front.own_run_lines]

    @cached_property
    def own_run_lines(self) -> list[BaseGeometry]:
        """The ends of runs at just this stage that have to go all their inches."""
        return [line for leg in self.all_legs for line in leg.lines]

    @cached_property
    def anchors(self) -> FloatArray:
        """Where whole lines begin: the start, and the far sides that are reached at just this stage; rows x, y."""
        rows = [np.array([self.fronts.start])] if self.is_start else []
        if self.landings:
            rows.append(np.concatenate([_thinned(landing.fars) for landing, _ in self.landings]))
            rows.append(self._feet)
        return np.unique(np.concatenate([np.zeros((0, 2)), *rows]), axis=0)

    @cached_property
    def _feet(self) -> FloatArray:
        """The feet of perpendiculars from corners and bases to straight lines of far sides: there ways are shortest.

        Only ways that are free and not too long count: what cannot be touched makes no difference.
        """
        spending, ground = self.fronts.spending, self.fronts.grounds.open
        far = spending.farthest(spending.ap - self.stage.spent) + TOLERANCE
        circles = ground.circles
        middles, found = np.stack([circles.x, circles.y], axis=1), [np.zeros((0, 4))]
        for landing, _ in self.landings:
            if len(landing.links) < 2:
                continue
            near = np.flatnonzero(shapely.distance(landing.line, shapely.points(middles)) <= far + circles.measured)
            begin, step = landing.fars[:-1], np.diff(landing.fars, axis=0)
            length = np.hypot(*step.T)
            along = step / length[:, None]
            foot = np.sum((middles[near, None] - begin) * along, axis=2)
            for side in (circles.measured[near], -circles.measured[near]):
                at = foot + side[:, None]
                circle, piece = np.nonzero((at > 0.0) & (at < length))
                spots = begin[piece] + at[circle, piece][:, None] * along[piece]
                touched = middles[near][circle] + side[circle][:, None] * along[piece]
                found.append(np.hstack([spots, touched]))
        ways = np.concatenate(found)
        ways = ways[np.hypot(*(ways[:, 2:] - ways[:, :2]).T) <= far]
        ways = ways[~ground.barred(ways, from_contact=True)]
        rows: FloatArray = np.unique(np.round(ways[:, :2], 9), axis=0).astype(np.float64)
        return rows[[one is not None for one in self.jumps_to(rows)]] if len(rows) else rows

    @cached_property
    def sources(self) -> FloatArray:
        """The places from which the next spend starts: rows x, y. Nobody leaves an area where something bars it."""
        return self._on_outline(only_free=True)

    @cached_property
    def outline(self) -> FloatArray:
        """Places all along the outline, lines and single places among them: rows x, y."""
        return self._on_outline(only_free=False)

    def _on_outline(self, *, only_free: bool) -> FloatArray:
        rows = [np.array([self.fronts.start])] if not self.is_beyond_start else []
        if self.area.area:
            spacing = _SPACING_OF_STRAIGHTS if self.fronts.spending.is_straight else SPACING
            found = rings_of(self.area, spacing)
            if only_free:
                free = [self.fronts.grounds.are_free(ring) for ring in found]
                grazing = [self._between_grazes(ring, kept) for ring, kept in zip(found, free, strict=True)]
                found = [ring[kept] for ring, kept in zip(found, free, strict=True)] + grazing
            rows += [self._legal(np.unique(np.concatenate(found), axis=0)), self.on_rims]
            if only_free:
                rows.append(self._legal(self.fronts.stops.to_edges))
        rows.append(self.on_axes)
        if self.run_lines:
            places = np.concatenate([spread_over(line) for line in self.run_lines])
            rows.append(self._legal(np.unique(places, axis=0)))
        # Far sides are ends as they were found: there is no need to test them back to where the first traverse began.
        if self.all_landings:
            rows.append(np.unique(np.concatenate([_thinned(landing.fars) for landing in self.all_landings]), axis=0))
        return np.concatenate([np.zeros((0, 2)), *rows])

    def _between_grazes(self, ring: FloatArray, free: BoolArray) -> FloatArray:
        """Return places between those of an outline, where straight lines that graze something would miss ends."""
        lengths = self._straight_lengths
        if not lengths:
            return ring[:0]
        ends, grounds = np.roll(ring, -1, axis=0), self.fronts.grounds
        kept = free | np.roll(free, -1)
        both = dict.fromkeys((grounds.open, grounds.clean))
        return np.concatenate([between_grazes(ring[kept], ends[kept], ground, lengths) for ground in both])

    @property
    def _straight_lengths(self) -> set[float]:
        """The inches of the lots that lead on from here in one straight line."""
        spending = self.fronts.spending
        left = spending.ap - self.stage.spent
        lots = [lot for lot in (*spending.moves, spending.run) if lot is not None and lot.ap <= left and not lot.least]
        straight = [lot for lot in lots if spending.is_straight or lot.action == "run"]
        lengths = {lot.inches for lot in straight}
        if self.fronts.grounds.has_rough:
            lengths |= {lot.failed for lot in straight}
        return {inches for inches in lengths if inches > 0.0}

    @property
    def is_beyond_start(self) -> bool:
        """Whether the start itself is no end at this stage."""
        return not any(front.is_start for front in self.all_earlier)

    def _legal(self, rows: FloatArray) -> FloatArray:
        kept = np.flatnonzero(may_end(self.fronts.grounds.table, self.fronts.grounds.unit, rows))
        return rows[kept[self.ends(rows[kept])]]

    @cached_property
    def on_rims(self) -> FloatArray:
        """The ends in contact with friends, including those at which a stretch of such ends begins or stops."""
        return ends_on_circles(self.fronts.grounds.rims, self.area, self._are_legal, _TOO_FAR)

    @cached_property
    @clause("SK-49")
    def on_axes(self) -> FloatArray:
        """The ends on the lines straight through gaps of exact fit: no area shows them, and all beyond depends on them.

        Including those at which a stretch of such ends begins or stops.
        """
        axes, start = self.fronts.grounds.axes, np.array(self.fronts.start)
        found = self._legal(self._on_axes_of(self.lines))
        return np.concatenate([found, ends_on_lines(axes, start, self._far_along_axes, self._are_legal, _TOO_FAR)])

    @property
    def _far_along_axes(self) -> float:
        """An upper bound on the distance of ends from the start."""
        spending = self.fronts.spending
        crossed = [math.dist(jump.start, jump.far) for landing in self.all_landings for jump in landing.links]
        return spending.farthest(spending.ap) + spending.ap * max(crossed, default=0.0)

    def _on_axes_of(self, lines: Sequence[BaseGeometry]) -> FloatArray:
        """Return where the lines straight through gaps of exact fit cross lines of ends: rows x, y."""
        axes, start = self.fronts.grounds.axes, np.array(self.fronts.start)
        if not len(axes) or not lines:
            return np.zeros((0, 2))
        ways = axes[:, 2:]
        feet = axes[:, :2] + np.sum((start - axes[:, :2]) * ways, axis=1)[:, None] * ways
        far = self._far_along_axes * ways
        straight = shapely.linestrings(np.stack([feet - far, feet + far], axis=1))
        crossings = shapely.intersection(np.asarray(straight)[:, None], np.array(lines, object))
        return np.asarray(shapely.get_coordinates(crossings))

    def _are_legal(self, rows: FloatArray) -> BoolArray:
        """Return at which places a soldier can stand at this stage and may end: prepared for repeated places."""
        return self.ends(rows) & may_end(self.fronts.grounds.table, self.fronts.grounds.unit, rows)

    @cached_property
    def states(self) -> States:
        """The places and headings from which the next spend starts, where moves are measured from front to front."""
        found = [front.states for front in self.earlier]
        if self.is_start:
            found.append(States.of([self.fronts.start], float(self.fronts.grounds.unit.heading or 0.0)))
        found += [leg.states for leg in self.facing_legs]
        for landing, front in self.landings:
            kept = thinned(landing.fars)
            row, headings = front.turned_at(np.array([landing.links[at].start for at in kept.tolist()]))
            found.append(States(landing.fars[kept[row]], headings))
        row, headings = self.turned_at(self.on_axes)
        found.append(States(self.on_axes[row], headings))
        return States.joined(found)

    @clause("SK-3", "SK-23")
    def turned_at(self, places: FloatArray) -> tuple[IntArray, FloatArray]:
        """Compute with which facings a soldier can stand at places: rows of places, and headings in degrees."""
        found: list[tuple[IntArray, FloatArray]] = []
        for front in self.all_earlier:
            if front.is_start:
                row = np.flatnonzero(np.hypot(*(places - self.fronts.start).T) <= TOLERANCE)
                found.append((row, np.full(len(row), float(self.fronts.grounds.unit.heading or 0.0))))
            found += [leg.turned_at(places) for leg in front.facing_legs]
            jumped = front.jumps_to(places) if front.landings else []
            for at, (jump, before) in ((at, one) for at, one in enumerate(jumped) if one is not None):
                row, headings = before.turned_at(np.array([jump.start]))
                found.append((np.full(len(row), at), headings))
        rows = np.concatenate([np.zeros(0, np.intp), *[row for row, _ in found]])
        headings = np.concatenate([np.zeros(0), *[headings for _, headings in found]])
        both = np.unique(np.column_stack([rows, headings]), axis=0)
        return both[:, 0].astype(np.intp), both[:, 1]


class Fronts:
    """The fronts of one question."""

    def __init__(self, grounds: Grounds, spending: Spending, threshold: int, token: bool | None) -> None:
        self.grounds, self.spending, self.threshold, self.token = grounds, spending, threshold, token
        unit = grounds.unit
        self.start: XY = (float(unit.place[0]), float(unit.place[1]))
        self._made: dict[SpendStage, Front] = {}

    @cached_property
    def stops(self) -> Stops:
        """The places at which it may best stop."""
        return Stops(self.grounds, self.spending, self.start)

    @cached_property
    def has_traverses(self) -> bool:
        """Whether the soldier can come near anything to traverse."""
        spending, table = self.spending, self.grounds.table
        if not spending.may_traverse:
            return False
        far = spending.farthest(spending.ap) + self.jumps.climber.within + TOLERANCE
        spot = shapely.Point(self.start)
        return any(shapely.distance(thing, spot) <= far for thing in to_traverse(table, self.grounds.unit))

    @cached_property
    def is_cut_anywhere(self) -> bool:
        """Whether a line of several lots can be cut anywhere: no bases to avoid, and lines that may bend."""
        return not (self.spending.is_straight or self.spending.is_by_front or len(self.grounds.rims))

    @cached_property
    def can_fail(self) -> bool:
        """Whether there is any roll that may spoil a spend."""
        return self.grounds.has_rough or self.has_traverses

    @cached_property
    @clause("SK-12", "SK-22", "SK-58", "SK-62")
    def has_hopeless(self) -> bool:
        """Whether there is a roll that never succeeds, so that only Threshold helps."""
        hopeless = self.has_traverses and not all(self.jumps.chances)
        return hopeless or (self.grounds.has_rough and self.spending.terrain_chance == 0)

    def possible(self, spent: int) -> list[Front]:
        """Return the fronts of all that is possible with `spent` AP: each roll succeeds that can."""
        return self.fronts_after(spent, self.threshold, is_lucky=True)

    def certain(self, spent: int) -> list[Front]:
        """Return the fronts of all that is certain with `spent` AP, whatever the dice show."""
        return self.fronts_after(spent, self.threshold, is_lucky=False)

    def stage(
        self,
        spent: int,
        *,
        paid: int = 0,
        is_lucky: bool = False,
        stance: str = "",
        ran: bool = False,
        crossed: bool = False,
    ) -> SpendStage:
        """Return a stage in its canonical form, the same for equivalent ones."""
        # Where traverses are free more of them may be paid for with Threshold than AP are spent.
        most = spent if self.spending.traverse_ap else max(spent, self.threshold)
        kept = 0 if not self.can_fail or (is_lucky and not self.has_hopeless) else min(paid, most)
        return SpendStage(spent, kept, is_lucky and self.can_fail, stance or self.spending.stance, ran, crossed)

    def fronts_after(self, spent: int, threshold: int, *, is_lucky: bool) -> list[Front]:
        """Return the fronts after at most `spent` AP, with at most `threshold` Threshold, that count as ends."""
        ran = {None: (False, True), True: (True,), False: (False,)}[self.token]
        if self.token is True and self.grounds.unit["running"]:
            ran = (True, False)
        crossed = (False, True) if self.spending.is_exclusive and self.has_traverses else (False,)
        stances = (self.spending.stance,) if self.spending.is_stance_free else self.spending.stances
        stages = [
            self.stage(spent, paid=threshold, is_lucky=is_lucky, stance=stance, ran=one, crossed=other)
            for one in ran
            for other in crossed
            for stance in stances
        ]
        return [front for front in map(self.front, dict.fromkeys(stages)) if not front.is_empty]

    def front(self, stage: SpendStage) -> Front:
        """Return the front of a stage."""
        if stage not in self._made:
            self._made[stage] = self._build(stage)
        return self._made[stage]

    def _build(self, stage: SpendStage) -> Front:
        is_start = stage.stance == self.spending.stance and not (stage.spent or stage.ran or stage.crossed)
        earlier = [self.front(self._from(stage, 1))] if stage.spent else []
        if self.spending.stance_ap <= stage.spent:
            others = self.spending.may_become(stage.stance)
            earlier += [self.front(self._from(stage, self.spending.stance_ap, stance=other)) for other in others]
        kept = [front for front in earlier if not front.is_empty]
        front = Front(self, stage, tuple(kept), is_start=is_start)
        self._add_moves(front)
        if stage.ran:
            self._add_runs(front)
        if self.has_traverses:
            self._add_traverses(front)
            self._drop_idle(front)
        return front

    # --- lines ---

    def _from(self, stage: SpendStage, ap: int, paid: int = 0, **changed: Any) -> SpendStage:
        """Return the stage before a spend of `ap` AP, with `paid` less Threshold."""
        before = stage._replace(spent=stage.spent - ap, paid=stage.paid - paid, **changed)
        return self.stage(
            before.spent,
            paid=before.paid,
            is_lucky=before.is_lucky,
            stance=before.stance,
            ran=before.ran,
            crossed=before.crossed,
        )

    @clause("SK-2", "SK-5", "SK-12")
    def _add_moves(self, front: Front) -> None:
        stage = front.stage
        moves = self.spending.moves_in(stage.stance)
        if not moves or not stage.spent:
            return
        self._add_whole_moves(front)
        if not (self.is_cut_anywhere and not stage.ran and self._is_all_open(stage)):
            for lot in moves:
                if lot.ap <= stage.spent:
                    self._add_lot(front, lot)

    @clause("SK-12", "SK-35", "SK-62")
    def _is_all_open(self, stage: SpendStage) -> bool:
        """Whether all lines may lead through rough ground: there is none, or each roll succeeds or is paid for."""
        return not self.grounds.has_rough or self._is_made(stage) or stage.paid >= stage.spent

    def _is_made(self, stage: SpendStage) -> bool:
        """Whether Terrain rolls succeed at a stage."""
        return stage.is_lucky and self.spending.terrain_chance > 0

    @clause("SK-5", "SK-64")
    def _add_whole_moves(self, front: Front) -> None:
        """Add the lines of several moves from all anchors before."""
        if self.spending.is_by_front:
            return
        stage, longest = front.stage, self._longest_move
        for before, rest in self._anchored(front):
            lot = longest[stage.stance]
            lots = (lot,) * (rest // lot.ap)
            if not lots or not len(before.anchors):
                continue
            if self._is_all_open(stage):
                self._add_whole(front, before, lots, self.grounds.open, sum(one.inches for one in lots))
            else:
                self._add_whole(front, before, lots, self.grounds.clean, sum(one.inches for one in lots))
                self._add_whole(front, before, lots, self.grounds.open, sum(one.failed for one in lots))

    @cached_property
    def _longest_move(self) -> dict[str, Lot]:
        """The longest move for the price of a single one, in each stance."""
        return {
            stance: max(self.spending.moves_in(stance), key=lambda lot: (-lot.ap, lot.inches))
            for stance in self.spending.stances
        }

    def _anchored(self, front: Front) -> Iterator[tuple[Front, int]]:
        """Yield the fronts before one, in its stance or one from which it is taken up, with the AP left from there."""
        stage = front.stage
        for spent in range(stage.spent):
            rest = stage.spent - spent
            yield self.front(self._from(stage, rest)), rest
            for other in self.spending.may_become(stage.stance):
                if self.spending.stance_ap < rest:
                    yield self.front(self._from(stage, rest, stance=other)), rest - self.spending.stance_ap

    def _add_whole(
        self, front: Front, before: Front, lots: tuple[Lot, ...], ground: PreparedTable, inches: float
    ) -> None:
        starts = before.anchors
        if ground is not self.grounds.open:
            starts = starts[self.grounds.off_rough(starts)]
        if not len(starts) or inches <= 0.0:
            return
        if ground is self.grounds.open and inches < sum(lot.inches for lot in lots):
            lots = tuple(lot._replace(inches=lot.failed) for lot in lots)
        straight = self.spending.is_straight or any(lot.action == "run" for lot in lots)
        front.legs.append(SpendLeg(before, lots, self._planned(ground, starts, inches, straight), ground, True))

    def _add_lot(self, front: Front, lot: Lot) -> None:
        """Add one lot from the outline of the front before: over rough ground, or by ways that no failure spoils."""
        stage, is_run = front.stage, lot.action == "run"
        changed = {"ran": False} if is_run else {}
        before = self.front(self._from(stage, lot.ap, **changed))
        if not self.grounds.has_rough or self._is_made(stage):
            self._add_leg(front, before, lot, self.grounds.open, lot.inches)
            return
        if stage.paid and (not is_run or self.grounds.table.options.run_threshold):
            saved = self.front(self._from(stage, lot.ap, 1, **changed))
            self._add_leg(front, saved, lot, self.grounds.open, lot.inches)
            if saved is before:
                return
        self._add_leg(front, before, lot, self.grounds.clean, lot.inches)
        if not is_run or not self.token:
            self._add_leg(front, before, lot, self.grounds.open, min(lot.failed, lot.inches))

    def _add_leg(self, front: Front, before: Front, lot: Lot, ground: PreparedTable, inches: float) -> None:
        if before.is_empty or inches < 0.0 or (inches == 0.0 and lot.action != "run") or lot.least > inches:
            return
        if self.spending.is_by_front:
            states = before.states
            if ground is not self.grounds.open:
                states = states.only(self.grounds.off_rough(states.places))
            bends = lot.action == "move" and not self.spending.is_straight
            if len(states.places):
                front.facing_legs.append(FacingLeg(before, lot, ground, self.grounds, states, inches, bends))
            return
        starts = before.sources
        if ground is not self.grounds.open:
            starts = starts[self.grounds.off_rough(starts)]
        if len(starts):
            straight = lot.action == "run" or self.spending.is_straight
            front.legs.append(SpendLeg(before, (lot,), self._planned(ground, starts, inches, straight), ground))

    def _planned(self, ground: PreparedTable, starts: Any, inches: float, straight: bool = False) -> FreeReach:
        search = straight_reach if straight else plan
        return search(ground, starts, max(inches - KEPT_BACK, 0.0), no_end=self.grounds.no_end(ground))

    @clause("SK-28", "SK-29", "SK-30", "SK-33", "SK-34", "SK-35", "SK-37")
    def _add_runs(self, front: Front) -> None:
        stage = front.stage
        run = self.spending.run_in(stage.stance)
        if run is None or run.ap > stage.spent or (self.spending.is_exclusive and stage.crossed):
            return
        self._add_lot(front, run)
        if not self.spending.is_by_front and not run.least:
            self._add_whole_runs(front, run)

    def _add_whole_runs(self, front: Front, run: Lot) -> None:
        """Add the straight lines of a run with moves before it, or after it, from all anchors before."""
        saved = self.grounds.table.options.run_threshold and front.stage.paid >= front.stage.spent
        is_open = not self.grounds.has_rough or self._is_made(front.stage) or saved
        ground = self.grounds.open if is_open else self.grounds.clean
        moves = self._longest_move.get(front.stage.stance) if self.spending.moving else None
        for before, rest in self._anchored(Front(self, front.stage._replace(ran=False))):
            if run.ap > rest or not len(before.anchors):
                continue
            more = (moves,) * ((rest - run.ap) // moves.ap) if moves is not None else ()
            for lots in dict.fromkeys([(run, *more), (*more, run)]):
                self._add_whole(front, before, lots, ground, sum(lot.inches for lot in lots))

    # --- traverses ---

    @clause("SK-18", "SK-25", "SK-33")
    def _add_traverses(self, front: Front) -> None:
        """Add the far sides; where traverses are free, those of the front itself, until there are no more.

        A free traverse can be tried until it succeeds: it counts as safe if it can succeed at all.
        """
        stage, cost = front.stage, self.spending.traverse_ap
        if cost > stage.spent or (self.spending.is_exclusive and (stage.ran or not stage.crossed)):
            return
        if not cost:
            self._add_free_traverses(front)
            return
        for crossed in (False, True) if self.spending.is_exclusive else (False,):
            before = self.front(self._from(stage, cost, crossed=crossed))
            front.landings += [(one, before) for one in self.landings_from(before) if self._succeeds(stage, one)]
            if stage.paid:
                saved = self.front(self._from(stage, cost, 1, crossed=crossed))
                front.landings += [(one, saved) for one in self.landings_from(saved) if not self._succeeds(stage, one)]

    @clause("SK-21", "SK-22", "SK-58")
    def _succeeds(self, stage: SpendStage, landing: LinkCurve) -> bool:
        """Whether the roll for a traverse succeeds at a stage; free ones are tried until they do."""
        chance = landing.links[0].chance
        return chance == 1 or (chance > 0 and (stage.is_lucky or not self.spending.traverse_ap))

    def _add_free_traverses(self, front: Front) -> None:
        stage = front.stage
        pending = [Front(self, stage, front.earlier, list(front.legs), list(front.facing_legs), [], front.is_start)]
        if self.spending.is_exclusive:
            pending.append(self.front(stage._replace(crossed=False)))
        if stage.paid:
            saved = self.front(self._from(stage, 0, 1))
            paid = [(one, saved) for one in self.landings_from(saved) if not self._succeeds(stage, one)]
            front.landings += paid
            pending.append(Front(self, stage, landings=paid))
        while pending:
            before = pending.pop()
            known = shapely.union_all([landing.line.buffer(TOLERANCE_OF_AREAS) for landing, _ in front.landings])
            fresh = [
                (landing, before)
                for landing in self._landings_of(before)
                if self._succeeds(stage, landing) and not shapely.covers(known, landing.line)
            ]
            if fresh:
                front.landings += fresh
                pending.append(Front(self, stage, landings=fresh))

    def _drop_idle(self, front: Front) -> None:
        """Drop far sides that a soldier reaches without traversing."""
        if not front.landings:
            return
        ground = union([shape for shape in front.polygons if shape.area] or [shapely.Polygon()])
        shapely.prepare(ground)
        front.landings = [one for one in front.landings if not shapely.covers(ground, one[0].line)]

    def landings_from(self, front: Front) -> list[LinkCurve]:
        """Return the far sides of all traverses from a front."""
        if front.is_empty:
            return []
        if front.stage not in self._landings:
            self._landings[front.stage] = self._landings_of(front)
        return self._landings[front.stage]

    @cached_property
    def _landings(self) -> dict[SpendStage, list[LinkCurve]]:
        return {}

    @cached_property
    def jumps(self) -> Jumps:
        """The traverses from single places."""
        return Jumps(self.grounds.table, self.grounds.unit)

    def _landings_of(self, front: Front) -> list[LinkCurve]:
        spots = [self.start] if not front.is_beyond_start else []
        for line in front.run_lines:
            spots += [(float(x), float(y)) for x, y in shapely.get_coordinates(line)]
        touching = self.touches.of(front)
        spots += [(x, y) for x, y in np.concatenate([touching, front.on_axes]).tolist()]
        in_any_direction = self.grounds.table.options.traverse_direction == "any_direction"
        more = far_sides_of(self.jumps, np.concatenate([front.outline, touching])) if in_any_direction else ()
        return landings(self.jumps, front.walked, front.area, spots, front.all_landings, more)

    @cached_property
    def touches(self) -> Touches:
        """The places at which it may just come within reach of what can be traversed."""
        return Touches(self.jumps.climber, self.grounds)
