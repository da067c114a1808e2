"""Fronts: where a soldier can stand after so many AP, built spend by spend.

A spend that a roll can spoil is *unsafe*. What can be reached with none of them is certain; with t of them it is
certain to whoever may suffer t Threshold; with any number of them it is possible. So there is one front for each number
of AP spent and of unsafe spends.

The next spend starts from the outline of the last front: whatever is reached from inside it passes its outline with
more inches left. Places on the outline are set `SPACING` apart, its corners and the rims of friends among them, so an
area falls short by what an arc falls short of its chord, and no more: `TOLERANCE_OF_AREAS`, which tests hold it to.
Where that little decides whether rough ground can be crossed at all, exact places are added: see `stops`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import GRID, union
from simulator.pathing.continuous import PreparedTable, Reach, plan, straight_reach
from simulator.pathing.continuous.prepared import CONTACT
from simulator.rulesets.skirmish.facings import FacingLeg, States
from simulator.rulesets.skirmish.ground import may_end
from simulator.rulesets.skirmish.grounds import Grounds
from simulator.rulesets.skirmish.jumps import Jump, Jumps
from simulator.rulesets.skirmish.landings import Landing, jumps_to, landings
from simulator.rulesets.skirmish.rolls import LEVELS, traverse_roll
from simulator.rulesets.skirmish.shores import shores
from simulator.rulesets.skirmish.soldiers import TOLERANCE
from simulator.rulesets.skirmish.spends import Lot, Spending
from simulator.rulesets.skirmish.stops import Stops
from simulator.rulesets.skirmish.traverses import to_traverse

#: As many unsafe spends as one likes: what is possible if every roll succeeds.
ANY = 99
#: How far apart places on the outline of a front are set, in inches; where lots may not bend, nearer.
SPACING = 0.15
_SPACING_OF_STRAIGHTS = 0.05
#: Nothing that the rules allow lies farther outside an area than this, in inches.
TOLERANCE_OF_AREAS = 0.01
#: How far the corners of an outline are from the true one, in inches.
_DRAWN = 0.002
_ROUNDS_OF_HALVING = 24
#: The planner's limits are inclusive to within a little more than the judge's: so much is kept back.
KEPT_BACK = 6e-7
#: For more places than this the area is drawn before they are asked about.
_FEW = 3
#: No end is farther from an area than this.
_NEAR = 0.2
#: How many corners a quarter of a circle is drawn with: within a thousandth of an inch for the longest lots.
_ROUND = 48
#: Lines nearer to each other than this are one.
_SAME = 1e-3


def _spread_over(line: BaseGeometry) -> FloatArray:
    """Give places all along a line, exactly on it, those among its corners that shape it."""
    places = shapely.points(shapely.get_coordinates(shapely.segmentize(shapely.simplify(line, _SAME), SPACING)))
    return shapely.get_coordinates(shapely.shortest_line(line, places))[::2]


def _thinned(line: FloatArray) -> FloatArray:
    """Of places along a line, keep so many that they are no farther apart than the spacing, both ends among them."""
    along = np.append(0.0, np.cumsum(np.hypot(*np.diff(line, axis=0).T)))
    kept = np.unique(np.append(np.searchsorted(along, np.arange(0.0, along[-1], SPACING), side="right") - 1, 0))
    return np.asarray(line[np.unique(np.append(kept, len(line) - 1))])


class Stage(NamedTuple):
    """How far an activation has come: AP spent, how many spends were unsafe, whether it ran, whether it traversed."""

    spent: int
    unsafe: int
    ran: bool = False
    crossed: bool = False


@dataclass(eq=False)
class Leg:
    """Lots that lead from one front to the next, straight from the planner."""

    before: Front
    lot: Lot
    reach: Reach
    #: Whether it leads all the way from the start: several lots in one, which are cut apart.
    is_whole: bool = False
    #: All that bars its ways; the planner's own table may hold only a part of that.
    ground: PreparedTable | None = None

    def ends(self, places: FloatArray) -> BoolArray:
        """Tell at which places it ends."""
        if not self.lot.least:
            return np.asarray(self.reach.ends(places))
        return np.asarray(self.reach.ends(places)) & (self._straight(places) >= self.lot.least - TOLERANCE)

    def _straight(self, places: FloatArray) -> FloatArray:
        """How far places are from the start that they are reached from."""
        return np.asarray(self.reach.cost_at(places.reshape(-1, 2)))

    @property
    def area(self) -> BaseGeometry:
        """Where it ends, as polygons; nothing where only lines of an exact length will do."""
        if self.lot.least:
            return shapely.Polygon()
        return self._grown() if self._is_open else self.reach.area(_DRAWN, "inner")

    @property
    def _is_open(self) -> bool:
        """Whether nothing at all bars a way, so that all directions are alike."""
        ground, far = self.ground, self.reach.budget + 2 * CONTACT
        if ground is None or self.is_whole or not self.before.area.area:
            return False
        circles = ground.circles
        if np.any(shapely.distance(shapely.points(circles.x, circles.y), self.before.area) <= far + circles.radius):
            return False
        return not np.any(shapely.distance(ground.terrain.edge_lines, self.before.area) <= far + ground.terrain.room)

    def _grown(self) -> BaseGeometry:
        """The front before, grown by the lot: what is reached where nothing is in the way."""
        starts = shapely.union_all([self.before.area, shapely.MultiPoint(self.before.sources)])
        grown: BaseGeometry = starts.buffer(self.reach.budget, quad_segs=_ROUND)
        if self.reach.table.terrain.border is not None:
            grown = shapely.intersection(grown, shapely.box(*self.reach.table.terrain.border))
        x, y, radius = self.reach.no_end.T
        wide = (radius + self.reach.table.radius) / np.cos(np.pi / (4 * _ROUND))
        taken = shapely.union_all(shapely.buffer(shapely.points(x, y), wide, quad_segs=_ROUND))
        return shapely.difference(grown, taken, grid_size=GRID)

    @property
    def lines(self) -> list[BaseGeometry]:
        """Where it ends, as lines: the circle on which a run ends that has to go all its inches."""
        if not self.lot.least:
            return []
        angles = np.linspace(0.0, 2.0 * np.pi, 721)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        found: list[shapely.LineString] = []
        for start in self.before.outline:
            rows = start + self.lot.inches * ring
            there = self.ends(rows)
            both = np.flatnonzero(there[1:] & there[:-1])
            found += [shapely.LineString(rows[at : at + 2]) for at in both.tolist()]
        return [shapely.line_merge(shapely.MultiLineString(found))] if found else []


@dataclass(eq=False)
class Front:
    """All ends at one stage."""

    fronts: Fronts
    stage: Stage
    #: The front with an AP less: who can get somewhere with fewer can with more.
    before: Front | None = None
    legs: list[Leg] = field(default_factory=list)
    facing_legs: list[FacingLeg] = field(default_factory=list)
    landings: list[tuple[Landing, Front]] = field(default_factory=list)
    is_start: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing ends here at all."""
        return not (self.is_start or self.legs or self.facing_legs or self.landings) and (
            self.before is None or self.before.is_empty
        )

    def ends(self, places: FloatArray) -> BoolArray:
        """Tell at which places a soldier can stand at this stage."""
        rows = places.reshape(-1, 2)
        found = self.walked(rows)
        front: Front | None = self
        while front is not None and not found.all():
            if front.landings:
                left = np.flatnonzero(~found)
                found[left] = front._on_straights(rows[left])
                left = np.flatnonzero(~found)
                found[left] = [jumped is not None for jumped in front.jumps_to(rows[left])]
            front = front.before
        return found

    def walked(self, places: FloatArray) -> BoolArray:
        """Tell at which places a soldier can stand whose last spend was no traverse, or who stays where it stood."""
        rows = places.reshape(-1, 2)
        found: BoolArray = np.zeros(len(rows), np.bool_)
        if self.is_start:
            found = np.asarray(np.hypot(*(rows - self.fronts.start).T) <= TOLERANCE)
        spots = shapely.points(rows)
        near: BoolArray = np.ones(len(rows), np.bool_)
        if len(rows) > _FEW:
            near = np.asarray(shapely.dwithin(self.ground, spots, _NEAR))
        for leg in self.all_legs:
            left = np.flatnonzero(~found & (near | bool(leg.lot.least)))
            if len(left):
                found[left] = leg.ends(rows[left])
        if self.before is not None and not found.all():
            left = np.flatnonzero(~found)
            found[left] = self.before.walked(rows[left])
        return found

    @cached_property
    def _straights(self) -> shapely.STRtree:
        return shapely.STRtree(np.concatenate([landing.pieces[landing.in_line] for landing, _ in self.landings]))

    def _on_straights(self, places: FloatArray) -> BoolArray:
        """Which places lie between two far sides of a straight line: they need not be followed back one by one."""
        found = np.zeros(len(places), np.bool_)
        spots = np.asarray(shapely.points(places))
        found[self._straights.query(spots, predicate="dwithin", distance=GRID / 10)[0]] = True
        some = np.flatnonzero(found)
        found[some] = may_end(self.fronts.grounds.table, self.fronts.grounds.unit, places[some])
        return found

    def jumps_to(self, places: FloatArray) -> list[tuple[Jump, Front] | None]:
        """Give for each of many places the traverse that comes down there, and the front it begins on."""
        found: list[tuple[Jump, Front] | None] = [None] * len(places)
        lines = np.array([landing.line for landing, _ in self.landings], object)
        number, row = shapely.STRtree(np.asarray(shapely.points(places))).query(
            lines, predicate="dwithin", distance=_SAME
        )
        order = np.lexsort((number, row))
        number, row = number[order], row[order]
        # The lines that were found first are asked first: where traverses cost nothing, later ones hang on all before.
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        for turn in range(int(rank.max(initial=-1)) + 1):
            open_ = [at for at in np.flatnonzero(rank == turn).tolist() if found[row[at]] is None]
            if open_:
                self._ask_lines(places, number[open_], row[open_], found)
        return found

    def _ask_lines(
        self, places: FloatArray, number: IntArray, row: IntArray, found: list[tuple[Jump, Front] | None]
    ) -> None:
        """Look whether places are far sides on some lines, one line for each place."""
        wanted = [(self.landings[k], r) for k, r in zip(number.tolist(), row.tolist(), strict=True)]
        asked = [(landing, (float(places[r, 0]), float(places[r, 1]))) for (landing, _), r in wanted]
        tried: dict[Front, list[tuple[Jump, int]]] = {}
        for ((_, front), r), jump in zip(wanted, jumps_to(self.fronts.jumps, asked), strict=True):
            if jump is not None:
                tried.setdefault(front, []).append((jump, r))
        for front, some in tried.items():
            for (jump, r), legal in zip(some, front.ends(np.array([jump.start for jump, _ in some])), strict=True):
                if legal:
                    found[r] = jump, front

    @property
    def all_legs(self) -> list[Leg | FacingLeg]:
        """The lots that end here."""
        return [*self.legs, *self.facing_legs]

    @cached_property
    def ground(self) -> BaseGeometry:
        """The area, made ready to be asked about many places."""
        shapely.prepare(self.area)
        return self.area

    @cached_property
    def polygons(self) -> list[BaseGeometry]:
        """What each way to end here reaches."""
        parts = [leg.area for leg in self.all_legs]
        return [*parts, *([] if self.before is None else [self.before.area])]

    @cached_property
    def area(self) -> BaseGeometry:
        """The ends as polygons, none of them outside what the rules allow."""
        found = [part for part in self.polygons if part.area]
        return union(found) if found else shapely.Polygon()

    @cached_property
    def lines(self) -> list[BaseGeometry]:
        """The ends that are lines or single places."""
        return [*(landing.line for landing in self.all_landings), *self.run_lines]

    @property
    def all_landings(self) -> list[Landing]:
        """The far sides among the ends."""
        own = [landing for landing, _ in self.landings]
        return own if self.before is None else [*own, *self.before.all_landings]

    @cached_property
    def run_lines(self) -> list[BaseGeometry]:
        """The ends of runs that have to go all their inches."""
        own = [line for leg in self.all_legs for line in leg.lines]
        return own if self.before is None else [*own, *self.before.run_lines]

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
            rings = shapely.get_parts(shapely.get_rings(shapely.segmentize(shapely.get_parts(self.area), spacing)))
            found = [shapely.get_coordinates(ring)[:-1] for ring in rings]
            if only_free:
                found = [ring[self.fronts.grounds.are_free(ring)] for ring in found]
            rows += [self._legal(np.unique(np.concatenate(found), axis=0)), self.on_rims]
            if only_free:
                rows.append(self._legal(self.fronts.stops.to_edges))
        if self.run_lines:
            places = np.concatenate([_spread_over(line) for line in self.run_lines])
            rows.append(self._legal(np.unique(places, axis=0)))
        # Far sides are ends as they have been found: nobody has to ask again, back to where the first traverse began.
        if self.all_landings:
            rows.append(np.unique(np.concatenate([_thinned(landing.fars) for landing in self.all_landings]), axis=0))
        return np.concatenate([np.zeros((0, 2)), *rows])

    @property
    def is_beyond_start(self) -> bool:
        """Whether the start itself is no end at this stage."""
        front: Front | None = self
        while front is not None:
            if front.is_start:
                return False
            front = front.before
        return True

    def _legal(self, rows: FloatArray) -> FloatArray:
        kept = np.flatnonzero(may_end(self.fronts.grounds.table, self.fronts.grounds.unit, rows))
        return rows[kept[self.ends(rows[kept])]]

    @cached_property
    def on_rims(self) -> FloatArray:
        """Ends in contact with friends, those among them at which a stretch of such ends begins or ceases."""
        rims = self.fronts.grounds.rims
        near = shapely.distance(shapely.points(rims[:, :2]), self.area) <= rims[:, 2] + SPACING
        found = [np.zeros((0, 2))]
        for x, y, radius in rims[near].tolist():
            count = max(int(2.0 * np.pi * radius / (SPACING / 2)), 24)
            angles = 2.0 * np.pi * np.arange(count + 1) / count

            def at(angles: FloatArray, x: float = x, y: float = y, radius: float = radius) -> FloatArray:
                return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)

            def legal(angles: FloatArray, at: Callable[[FloatArray], FloatArray] = at) -> BoolArray:
                rows = at(angles)
                return self.ends(rows) & may_end(self.fronts.grounds.table, self.fronts.grounds.unit, rows)

            there = legal(angles)
            change = np.flatnonzero(there[1:] != there[:-1])
            inside = np.where(there[change], angles[change], angles[change + 1])
            outside = np.where(there[change], angles[change + 1], angles[change])
            for _ in range(_ROUNDS_OF_HALVING if len(change) else 0):
                middle = (inside + outside) / 2
                ends = legal(middle)
                inside, outside = np.where(ends, middle, inside), np.where(ends, outside, middle)
            found += [at(angles[:-1][there[:-1]]), at(inside)]
        return np.concatenate(found)

    @cached_property
    def states(self) -> States:
        """The places and headings from which the next spend starts, where moves are measured from front to front."""
        found = [] if self.before is None else [self.before.states]
        if self.is_start:
            found.append(States.of([self.fronts.start], float(self.fronts.grounds.unit.heading or 0.0)))
        found += [leg.states for leg in self.facing_legs]
        for landing, front in self.landings:
            found += [front.states.at(jump.start).moved_to(jump.far) for jump in landing.jumps]
        return States.joined(found)


class Fronts:
    """The fronts of one question."""

    def __init__(self, grounds: Grounds, spending: Spending, threshold: int, token: bool | None) -> None:
        self.grounds, self.spending, self.threshold, self.token = grounds, spending, threshold, token
        unit = grounds.unit
        self.start: XY = (float(unit.place[0]), float(unit.place[1]))
        self._made: dict[Stage, Front] = {}

    @cached_property
    def stops(self) -> Stops:
        """The places at which it may best stop."""
        return Stops(self.grounds, self.spending, self.start)

    @cached_property
    def has_traverses(self) -> bool:
        """Whether anything to traverse can be come near to."""
        spending, table = self.spending, self.grounds.table
        if not spending.may_traverse:
            return False
        longest = max([lot.inches / lot.ap for lot in spending.moves], default=0.0)
        far = spending.ap * longest + self.grounds.radius + float(table.tables["traverse.within"]) + TOLERANCE
        if spending.run:
            far = max(far, (spending.ap - spending.run.ap) * longest + spending.run.inches + self.grounds.radius + 1.0)
        spot = shapely.Point(self.start)
        return any(shapely.distance(thing, spot) <= far for thing in to_traverse(table, self.grounds.unit))

    @cached_property
    def is_plain(self) -> bool:
        """Whether lots make no difference: nobody to keep off, nothing to traverse, lines that may bend."""
        bound = self.spending.is_straight or self.spending.is_by_front
        return not (bound or len(self.grounds.rims) or self.has_traverses)

    @cached_property
    def can_fail(self) -> bool:
        """Whether there is any roll that may spoil a spend."""
        return self.grounds.has_rough or self.has_traverses

    @cached_property
    @clause("SK-12", "SK-22", "SK-58", "SK-62")
    def kinds(self) -> tuple[int, ...]:
        """With how many unsafe spends ends are possible: any number, and where some never succeed, those paid for."""
        table, unit = self.grounds.table, self.grounds.unit
        chances = [self.spending.terrain_chance, *(traverse_roll(table, unit, level).chance for level in LEVELS)]
        return (ANY, self.threshold) if self.threshold and not all(chances) else (ANY,)

    def possible(self, spent: int) -> list[Front]:
        """Give the fronts of all that is possible after so many AP."""
        found = [front for unsafe in self.kinds for front in self.fronts_after(spent, unsafe)]
        return list(dict.fromkeys(found))

    def stage(self, spent: int, unsafe: int, ran: bool = False, crossed: bool = False) -> Stage:
        """Name a stage, one name for those that are the same."""
        kept = unsafe if unsafe >= ANY else min(unsafe, spent)
        return Stage(spent, kept if self.can_fail else 0, ran, crossed)

    def fronts_after(self, spent: int, unsafe: int) -> list[Front]:
        """Give the fronts after so many AP at most, with so many unsafe spends at most, that count as ends."""
        ran = {None: (False, True), True: (True,), False: (False,)}[self.token]
        crossed = (False, True) if self.spending.is_exclusive and self.has_traverses else (False,)
        stages = [self.stage(spent, unsafe, one, other) for one in ran for other in crossed]
        if self.token is True and self.grounds.unit["running"]:
            stages += [self.stage(spent, unsafe, False, other) for other in crossed]
        return [front for front in map(self.front, stages) if not front.is_empty]

    def front(self, stage: Stage) -> Front:
        """Give the front of a stage."""
        if stage not in self._made:
            self._made[stage] = self._build(stage)
        return self._made[stage]

    def _build(self, stage: Stage) -> Front:
        front = Front(self, stage, is_start=stage.spent == 0 and not stage.ran and not stage.crossed)
        if stage.spent:
            front.before = self.front(self.stage(stage.spent - 1, stage.unsafe, stage.ran, stage.crossed))
        self._add_moves(front)
        if stage.ran:
            self._add_runs(front)
        if self.has_traverses:
            self._add_traverses(front)
            self._drop_idle(front)
        return front

    # --- lines ---

    def _from(
        self, stage: Stage, ap: int, is_unsafe: bool, ran: bool | None = None, crossed: bool | None = None
    ) -> Stage:
        return self.stage(
            stage.spent - ap,
            stage.unsafe - (is_unsafe and stage.unsafe < ANY),
            stage.ran if ran is None else ran,
            stage.crossed if crossed is None else crossed,
        )

    @clause("SK-2", "SK-5", "SK-12")
    def _add_moves(self, front: Front) -> None:
        stage = front.stage
        all_may_fail = stage.unsafe >= stage.spent and self._may_be_unsafe(stage, self.spending.moves)
        if self.is_plain and not stage.ran and (not self.grounds.has_rough or all_may_fail):
            if stage.spent and self.spending.moves:
                self._add_whole(front)
            return
        for lot in self.spending.moves:
            if lot.ap <= stage.spent:
                self._add_lot(front, lot, ran=None)

    @clause("SK-12", "SK-35", "SK-62")
    def _may_be_unsafe(self, stage: Stage, lots: Sequence[Lot | None]) -> bool:
        """Whether rolls may be due on lots at a stage: all there are succeed, or Threshold undoes each failure."""
        if stage.unsafe >= ANY:
            return self.spending.terrain_chance > 0
        saves_runs = bool(self.grounds.table.options.run_threshold)
        return stage.unsafe > 0 and (saves_runs or not any(lot is not None and lot.action == "run" for lot in lots))

    def _add_whole(self, front: Front) -> None:
        first = self.spending.moves[0]
        lots = front.stage.spent // first.ap
        whole = Lot("move", lots * first.ap, lots * first.inches, 0.0)
        start = self.front(self.stage(0, 0))
        front.legs.append(Leg(start, whole, self._planned(self.grounds.open, start.sources, whole.inches), True))

    def _add_lot(self, front: Front, lot: Lot, ran: bool | None) -> None:
        """Add the safe and the unsafe ways of one lot; a safe one keeps off rough ground, or within an inch less."""
        stage = front.stage
        safe = self.front(self._from(stage, lot.ap, False, ran))
        if not self.grounds.has_rough:
            self._add_leg(front, safe, lot, self.grounds.open, lot.inches)
            return
        unsafe = None
        if self._may_be_unsafe(stage, [lot]):
            unsafe = self.front(self._from(stage, lot.ap, True, ran))
            self._add_leg(front, unsafe, lot, self.grounds.open, lot.inches)
        if unsafe is safe:
            return
        self._add_leg(front, safe, lot, self.grounds.clean, lot.inches)
        if lot.action == "move" or not self.token:
            self._add_leg(front, safe, lot, self.grounds.open, min(lot.failed, lot.inches))

    def _add_leg(self, front: Front, before: Front, lot: Lot, ground: PreparedTable, inches: float) -> None:
        if before.is_empty or inches <= 0.0 or lot.least > inches:
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
            front.legs.append(Leg(before, lot, self._planned(ground, starts, inches, straight), ground=ground))

    def _planned(self, ground: PreparedTable, starts: Any, inches: float, straight: bool = False) -> Reach:
        asked = straight_reach if straight else plan
        return asked(ground, starts, inches - KEPT_BACK, no_end=self.grounds.no_end(ground))

    @clause("SK-28", "SK-29", "SK-30", "SK-33", "SK-34", "SK-35", "SK-37")
    def _add_runs(self, front: Front) -> None:
        run = self.spending.run
        if run is None or run.ap > front.stage.spent or (self.spending.is_exclusive and front.stage.crossed):
            return
        self._add_lot(front, run, ran=False)

    # --- traverses ---

    @clause("SK-18", "SK-25", "SK-33")
    def _add_traverses(self, front: Front) -> None:
        """Add the far sides; where traverses cost nothing, those of the front itself, until there are no more.

        What costs nothing can be tried until it succeeds: it counts as safe if it can succeed at all.
        """
        stage, cost = front.stage, self.spending.traverse_ap
        if cost > stage.spent or (self.spending.is_exclusive and (stage.ran or not stage.crossed)):
            return
        if not cost:
            self._add_free_traverses(front)
            return
        crossed_before = (False, True) if self.spending.is_exclusive else (False,)
        for crossed in crossed_before:
            safe = self.front(self._from(stage, cost, False, crossed=crossed))
            unsafe = self.front(self._from(stage, cost, True, crossed=crossed)) if stage.unsafe else safe
            for landing in self.landings_from(unsafe):
                chance = landing.jumps[0].chance
                if chance == 1 or (chance > 0 if stage.unsafe >= ANY else stage.unsafe > 0):
                    front.landings.append((landing, unsafe))
            if safe is not unsafe:
                front.landings += [(one, safe) for one in self.landings_from(safe) if one.jumps[0].chance == 1]

    def _add_free_traverses(self, front: Front) -> None:
        stage = front.stage
        pending = [Front(self, stage, front.before, list(front.legs), list(front.facing_legs), [], front.is_start)]
        if self.spending.is_exclusive:
            pending.append(self.front(stage._replace(crossed=False)))
        while pending:
            before = pending.pop()
            known = shapely.union_all([landing.line.buffer(TOLERANCE_OF_AREAS) for landing, _ in front.landings])
            fresh = [
                (landing, before)
                for landing in self._landings_of(before)
                if landing.jumps[0].chance > 0 and not shapely.covers(known, landing.line)
            ]
            if fresh:
                front.landings += fresh
                pending.append(Front(self, stage, landings=fresh))

    def _drop_idle(self, front: Front) -> None:
        """Forget far sides to which a soldier gets without traversing."""
        if not front.landings:
            return
        ground = union([shape for shape in front.polygons if shape.area] or [shapely.Polygon()])
        shapely.prepare(ground)
        front.landings = [one for one in front.landings if not shapely.covers(ground, one[0].line)]

    def landings_from(self, front: Front) -> list[Landing]:
        """Give the far sides of all traverses from a front."""
        if front.is_empty:
            return []
        if front.stage not in self._landings:
            self._landings[front.stage] = self._landings_of(front)
        return self._landings[front.stage]

    @cached_property
    def _landings(self) -> dict[Stage, list[Landing]]:
        return {}

    @cached_property
    def jumps(self) -> Jumps:
        """The traverses from single places."""
        return Jumps(self.grounds.table, self.grounds.unit)

    def _landings_of(self, front: Front) -> list[Landing]:
        spots = [self.start] if not front.is_beyond_start else []
        for line in front.run_lines:
            spots += [(float(x), float(y)) for x, y in shapely.get_coordinates(line)]
        in_any_direction = self.grounds.table.options.traverse_direction == "any_direction"
        more = shores(self.jumps, front.outline) if in_any_direction else ()
        return landings(self.jumps, front.walked, front.area, spots, front.all_landings, more)
