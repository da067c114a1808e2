"""A front: all ends at one stage of an activation, and the places from which the next spend starts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.shapes import polygons_of
from simulator.geometry.snapping import union
from simulator.geometry.tolerances import CONTACT, GRID, KEPT_BACK, TOLERANCE
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
from simulator.rulesets.skirmish.front_point.reach import FacingLeg, States
from simulator.rulesets.skirmish.obstruction import may_end
from simulator.rulesets.skirmish.reach.before import Search, SpendStage
from simulator.rulesets.skirmish.reach.legs import SpendLeg

#: How far apart places on the outline of a front are set where lots may not bend, in inches.
_SPACING_OF_STRAIGHTS = 0.05
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

    fronts: Search
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
        return [line for leg in self.legs for line in leg.lines]

    @cached_property
    def anchors(self) -> FloatArray:
        """Where whole lines begin: the start, and the far sides that are reached at just this stage; rows x, y."""
        rows = [np.array([self.fronts.start])] if self.is_start else []
        if self.landings:
            rows.append(np.concatenate([_thinned(landing.fars) for landing, _ in self.landings]))
            rows.append(self._feet)
        return self._leading_on(np.unique(np.concatenate([np.zeros((0, 2)), *rows]), axis=0))

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
        ways = ways[self.lead_on(ways[:, :2])]
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
            if not only_free:
                found = [self._leading_on(ring) for ring in found]
            else:
                free = [self.lead_on(ring) & self.fronts.grounds.are_free(ring) for ring in found]
                grazing = [self._between_grazes(ring, kept) for ring, kept in zip(found, free, strict=True)]
                found = [ring[kept] for ring, kept in zip(found, free, strict=True)] + grazing
            rows += [self.stops_among(np.unique(np.concatenate(found), axis=0)), self.on_rims]
            if only_free:
                rows.append(self.stops_among(self.fronts.stops.to_edges))
        rows.append(self.on_axes)
        if self.run_lines:
            places = np.concatenate([spread_over(line) for line in self.run_lines])
            rows.append(self.stops_among(np.unique(places, axis=0)))
        # Far sides are ends as they were found: there is no need to test them back to where the first traverse began.
        if self.all_landings:
            rows.append(np.unique(np.concatenate([_thinned(landing.fars) for landing in self.all_landings]), axis=0))
        return self._leading_on(np.concatenate([np.zeros((0, 2)), *rows]))

    def lead_on(self, places: FloatArray) -> BoolArray:
        """Return from which places others may lead on to the one that is asked about; all if none is."""
        aim = self.fronts.aim
        return np.ones(len(places), np.bool_) if aim is None else aim.lead_on(places, self.stage.spent)

    def _leading_on(self, places: FloatArray) -> FloatArray:
        return places if self.fronts.aim is None else places[self.lead_on(places)]

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

    def stops_among(self, rows: FloatArray) -> FloatArray:
        """Return those of some places at which a soldier may stop and go on, so that the judge allows both."""
        return self.fronts.grounds.cleared(rows, self._are_legal)

    @cached_property
    def on_rims(self) -> FloatArray:
        """The ends in contact with friends, including those at which a stretch of such ends begins or stops."""
        return self.stops_among(ends_on_circles(self.fronts.grounds.rims, self.area, self._are_legal, _TOO_FAR))

    @cached_property
    @clause("SK-49")
    def on_axes(self) -> FloatArray:
        """The ends on the lines straight through gaps of exact fit: no area shows them, and all beyond depends on them.

        Including those at which a stretch of such ends begins or stops.
        """
        axes, start = self.fronts.grounds.axes, np.array(self.fronts.start)
        found = self.stops_among(self._on_axes_of(self.lines))
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
        """Return at which places a soldier can stand at this stage and may end, of those that may lead on."""
        legal = self.lead_on(rows)
        some = rows[legal]
        legal[legal] = self.ends(some) & may_end(self.fronts.grounds.table, self.fronts.grounds.unit, some)
        return legal

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
        states = States.joined(found)
        return states if self.fronts.aim is None else states.only(self.lead_on(states.places))

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
