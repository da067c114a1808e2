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

Who asks about one place alone names it as the aim: what cannot lead there with the AP that are left is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import Any

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import KEPT_BACK, TOLERANCE
from simulator.pathing.free import FreeReach, PreparedTable, plan, straight_reach
from simulator.pathing.links import LinkCurve
from simulator.pathing.links.curves import Stands
from simulator.rulesets.skirmish.any_direction.far_sides import far_sides_of
from simulator.rulesets.skirmish.front_point.reach import FacingLeg
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.before import SpendStage
from simulator.rulesets.skirmish.reach.front import Front
from simulator.rulesets.skirmish.reach.least_ap import LeastAp
from simulator.rulesets.skirmish.reach.legs import SpendLeg
from simulator.rulesets.skirmish.reach.lost_runs import LostRun, ShortenedRun
from simulator.rulesets.skirmish.reach.spends import Lot, Spending
from simulator.rulesets.skirmish.reach.touches import Touches
from simulator.rulesets.skirmish.reach.waypoints import Stops
from simulator.rulesets.skirmish.traverse.ends import Worth, landings
from simulator.rulesets.skirmish.traverse.jumps import Jumps
from simulator.rulesets.skirmish.traverse.rules import to_traverse

#: Nothing that the rules allow lies farther outside an area than this, in inches.
TOLERANCE_OF_AREAS = 0.01


class Fronts:
    """The fronts of one question."""

    def __init__(
        self, grounds: Grounds, spending: Spending, threshold: int, token: bool | None, aim: LeastAp | None = None
    ) -> None:
        self.grounds, self.spending, self.threshold, self.token, self.aim = grounds, spending, threshold, token, aim
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
        lost: bool = False,
    ) -> SpendStage:
        """Return a stage in its canonical form, the same for equivalent ones."""
        # Where traverses are free more of them may be paid for with Threshold than AP are spent.
        most = spent if self.spending.traverse_ap else max(spent, self.threshold)
        kept = 0 if not self.can_fail or (is_lucky and not self.has_hopeless) else min(paid, most)
        return SpendStage(spent, kept, is_lucky and self.can_fail, stance or self.spending.stance, ran, crossed, lost)

    def fronts_after(self, spent: int, threshold: int, *, is_lucky: bool) -> list[Front]:
        """Return the fronts after at most `spent` AP, with at most `threshold` Threshold, that count as ends."""
        crossed = (False, True) if self.spending.is_exclusive and self.has_traverses else (False,)
        stances = (self.spending.stance,) if self.spending.is_stance_free else self.spending.stances
        stages = [
            self.stage(spent, paid=threshold, is_lucky=is_lucky, stance=stance, ran=ran, crossed=other, lost=lost)
            for ran, lost in self._runs_at_ends
            for other in crossed
            for stance in stances
        ]
        return [front for front in map(self.front, dict.fromkeys(stages)) if not front.is_empty]

    @cached_property
    @clause("SK-31", "SK-35")
    def _runs_at_ends(self) -> list[tuple[bool, bool]]:
        """Whether it has run at the ends that count, and whether the run has cost it the token."""
        if self.token is None:
            return [(False, False), (True, False)]
        has_token = {(False, False): self.has_token, (True, False): True}
        if self.surely_loses:
            has_token[True, True] = False
        return [run for run, has in has_token.items() if has is self.token]

    @cached_property
    @clause("SK-35", "SK-58")
    def surely_loses(self) -> bool:
        """Whether a run through rough ground ends without the token whatever the dice show."""
        return self.spending.run is not None and self.grounds.has_rough and self.spending.terrain_chance == 0

    @cached_property
    @clause("SK-31")
    def has_token(self) -> bool:
        """Whether it is Running already, from a run earlier in its activation."""
        return bool(self.grounds.unit["running"])

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
            lost=before.lost,
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

    def _add_lot(self, front: Front, lot: Lot, **changed: bool) -> None:
        """Add one lot from the outline of the front before: over rough ground, or by ways that no failure spoils."""
        stage, is_run = front.stage, lot.action == "run"
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
            self._add_shortened(front, before, lot)

    def _add_leg(
        self, front: Front, before: Front, lot: Lot, ground: PreparedTable, inches: float, *, loses: bool = False
    ) -> None:
        if before.is_empty or inches < 0.0 or (inches == 0.0 and lot.action != "run") or lot.least > inches:
            return
        if self.spending.is_by_front:
            states = before.states
            if ground is not self.grounds.open:
                states = states.only(self.grounds.off_rough(states.places))
            bends = lot.action == "move" and not self.spending.is_straight
            if len(states.places):
                front.facing_legs.append(FacingLeg(before, lot, ground, self.grounds, states, inches, bends, loses))
            return
        starts = before.sources
        if ground is not self.grounds.open:
            starts = starts[self.grounds.off_rough(starts)]
        if len(starts):
            straight = lot.action == "run" or self.spending.is_straight
            kind = LostRun if loses else SpendLeg
            front.legs.append(kind(before, (lot,), self._planned(ground, starts, inches, straight), ground))

    def _planned(self, ground: PreparedTable, starts: Any, inches: float, straight: bool = False) -> FreeReach:
        search = straight_reach if straight else plan
        return search(ground, starts, max(inches - KEPT_BACK, 0.0), no_end=self.grounds.no_end(ground))

    @clause("SK-28", "SK-29", "SK-30", "SK-33", "SK-34", "SK-35", "SK-37")
    def _add_runs(self, front: Front) -> None:
        stage = front.stage
        run = self.spending.run_in(stage.stance)
        if run is None or run.ap > stage.spent or (self.spending.is_exclusive and stage.crossed):
            return
        for ran, lost in self._runs_before(stage, run):
            if stage.lost:
                self._add_lost_run(front, run, ran=ran, lost=lost)
            else:
                self._add_lot(front, run, ran=ran, lost=lost)
        if not self.spending.is_by_front and not run.least and not stage.lost:
            self._add_whole_runs(front, run)

    @clause("SK-28", "SK-35")
    def _runs_before(self, stage: SpendStage, run: Lot) -> list[tuple[bool, bool]]:
        """Return whether there may have been a run before another, and whether that has cost it the token."""
        if stage.spent < 2 * run.ap:
            return [(False, False)]
        # Unless the token is required a stage includes the runs that cost it.
        is_lost_apart = bool(self.token) and self.grounds.has_rough and not self._is_made(stage)
        return [(False, False), (True, False), *([(True, True)] if is_lost_apart else [])]

    @clause("SK-35", "SK-36")
    def _add_lost_run(self, front: Front, run: Lot, **changed: bool) -> None:
        """Add the run that costs the token: through rough ground, with a roll that fails."""
        before, inches = self.front(self._from(front.stage, run.ap, **changed)), min(run.failed, run.inches)
        self._add_leg(front, before, run, self.grounds.open, inches, loses=True)
        self._add_shortened(front, before, run)

    @clause("SK-30", "SK-35", "SK-58")
    def _add_shortened(self, front: Front, before: Front, lot: Lot) -> None:
        """Add a run that has to go farther than it gets, as its roll never succeeds."""
        if not lot.is_shorter_failed or self.spending.terrain_chance or self.spending.is_by_front or before.is_empty:
            return
        reach = self._planned(self.grounds.open, before.sources, lot.inches, straight=True)
        front.legs.append(ShortenedRun(before, (lot,), reach, self.grounds.open))

    def _add_whole_runs(self, front: Front, run: Lot) -> None:
        """Add the straight lines of runs with moves before them, or after them, from all anchors before."""
        saved = self.grounds.table.options.run_threshold and front.stage.paid >= front.stage.spent
        is_open = not self.grounds.has_rough or self._is_made(front.stage) or saved
        ground = self.grounds.open if is_open else self.grounds.clean
        moves = self._longest_move.get(front.stage.stance) if self.spending.moving else None
        for ran, lost in self._runs_before(front.stage, run):
            for before, rest in self._anchored(Front(self, front.stage._replace(ran=ran, lost=lost))):
                if run.ap > rest or not len(before.anchors):
                    continue
                for lots in _with_runs(run, moves, rest):
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
        """Drop far sides that a soldier reaches without traversing: nothing need be followed from them."""
        if not front.landings or (self.aim is not None and front.stage.spent == self.spending.ap):
            return
        front.landings = [one for one in front.landings if not shapely.covers(front.ground, one[0].line)]

    def landings_from(self, front: Front) -> list[LinkCurve]:
        """Return the far sides of all traverses from a front."""
        if front.is_empty:
            return []
        if front.stage not in self._landings:
            found = self._landings_of(front)
            if self.aim is not None:
                spent = front.stage.spent + self.spending.traverse_ap
                found = [one for one in found if self.aim.leads_on(one.line, spent)]
            self._landings[front.stage] = found
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
        return landings(
            self.jumps, self._stands(front), front.area, spots, front.all_landings, more, self._worth(front)
        )

    def _stands(self, front: Front) -> Stands:
        """Return what tells where on a front a soldier can stand from where a traverse may lead on."""
        aim = self.aim
        if aim is None:
            return front.walked

        def stands(places: FloatArray) -> BoolArray:
            there = aim.are_worth_crossing_from(places, front.stage.spent)
            there[there] = front.walked(places[there])
            return there

        return stands

    def _worth(self, front: Front) -> Worth | None:
        """Return what tells whether traverses from beside a shape may lead on from a front; None: all of them."""
        if self.aim is None:
            return None
        return partial(self.aim.is_worth_crossing, spent=front.stage.spent)

    @cached_property
    def touches(self) -> Touches:
        """The places at which it may just come within reach of what can be traversed."""
        return Touches(self.jumps.climber, self.grounds)


@clause("SK-5", "SK-28")
def _with_runs(run: Lot, move: Lot | None, ap: int) -> list[tuple[Lot, ...]]:
    """Return the lots that so many AP buy with at least one run, and moves before all runs or after them."""
    found: dict[tuple[Lot, ...], None] = {}
    for count in range(1, ap // run.ap + 1):
        runs = (run,) * count
        more = (move,) * ((ap - count * run.ap) // move.ap) if move is not None else ()
        found |= dict.fromkeys([(*runs, *more), (*more, *runs)])
    return list(found)
