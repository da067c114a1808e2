"""Reach: where a piece can legally end its move, at which altitude, facing which way, and at what price."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.given import chances_given
from simulator.engine.orders import Element, Order, truth, unit_id, whole_number, word
from simulator.engine.posed_orders import MoveWords, move_elements
from simulator.engine.posed_reach import PosedReach
from simulator.engine.reach_questions import Ask
from simulator.engine.state import Unit
from simulator.geometry.pieces import FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.shapes import joined, less
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.ends import HeadingRange
from simulator.pathing.posed import PoseStart, TurnPrices
from simulator.pathing.traces import NoRoute
from simulator.pathing.weighted import planner_for
from simulator.rulesets.combined_arms.bands import by_distance, most_of_band, spent_in_all
from simulator.rulesets.combined_arms.damage import slows_later
from simulator.rulesets.combined_arms.entering import Entrant, is_waiting
from simulator.rulesets.combined_arms.exposure import Exposure, exposures
from simulator.rulesets.combined_arms.features import height_of, pieces_on
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.fire import interceptors
from simulator.rulesets.combined_arms.getting_off import Passenger
from simulator.rulesets.combined_arms.judge import immobile_breaches, no_time_breaches, why_no_move
from simulator.rulesets.combined_arms.leaving import inches_from_edge, leaving_breaches, part_at_edge
from simulator.rulesets.combined_arms.matrix import Mover, altitude_limit
from simulator.rulesets.combined_arms.movement import (
    ArmsMoves,
    MoveLimits,
    compiled,
    ends_aloft,
    least_of,
    most_of_declared,
    slants,
    spending,
)
from simulator.rulesets.combined_arms.odds import certain_limits, chance_of, chances_of_hits
from simulator.rulesets.combined_arms.options import CombinedArmsOptions
from simulator.rulesets.combined_arms.out_of_sight import out_of_sight, seen_on_each
from simulator.rulesets.combined_arms.overruns import overrun_breaches
from simulator.rulesets.combined_arms.safest import WaysUnderFire
from simulator.rulesets.combined_arms.storeys import flights_of
from simulator.rulesets.combined_arms.terrain import LAYER_OF
from simulator.rulesets.combined_arms.units import ArmsTable, column_of, is_enemy, others
from simulator.rulesets.combined_arms.vocabulary import altitude_name, climb_of
from simulator.rulesets.combined_arms.why import against, remedy_aloft

#: The actions with an answer of reach.
REACHES = {
    "move": "where the move of the turn ends",
    "ride": "where it can be with a transport, boarded where that stands or comes to: it rides, gets off and walks on",
}
#: The keywords of a question.
ASKS = {
    "climbing": Ask(truth("true or false: whether it may change its altitude")),
    "overrunning": Ask(truth("true or false: whether it may overrun enemies"), ("move",)),
    "hits": Ask(
        whole_number("how many levels it may lose in mid-move, at whatever point, and still end there", 0, 3),
        ("move",),
    ),
    "leaving": Ask(
        truth("true or false: whether it leaves the board at the end of its move, over the edge"), ("move",)
    ),
    "chances": Ask(
        truth("true or false: whether chances count enemies that fire at it, each at its worst moment"), ("move",)
    ),
    "unseen": Ask(
        truth("true or false: whether it stays out of sight of all enemies that may fire, all the way"), ("move",)
    ),
    "landing": Ask(truth("true or false: whether it enters the board straight down"), ("move",)),
    "firer": Ask(
        word(*BANDS, about=f"the band that it means to keep to for its own fire: {', '.join(BANDS)}"), ("move",)
    ),
    "target": Ask(word(*BANDS, about=f"the band that it means to keep to as a target: {', '.join(BANDS)}"), ("move",)),
    "carrier": Ask(unit_id("the transport that it rides with; by default the one that it is aboard"), ("ride",)),
    "end": Ask(word("on_foot", "aboard", about="whether it is on_foot or aboard at the end"), ("ride",)),
    "turns": Ask(
        whole_number("the turns, 1 or 2: who boards in the first of two gets off in the second", 1, 2), ("ride",)
    ),
}


class ArmsReach(PosedReach[CombinedArmsOptions]):
    """Where a piece can end its move."""

    def __init__(
        self,
        table: ArmsTable,
        mover: Unit,
        action: str,
        moves: ArmsMoves,
        over: Sequence[str],
        barred: Sequence[Breach] = (),
        begins: Callable[[PoseStart, Fraction], list[Element]] | None = None,
        *,
        is_certain: bool = False,
        leaves: bool = False,
        fired_at_on: ArmsTable | None = None,
        minds_enemies: bool = False,
    ) -> None:
        """Store the question and the piece compiled for it; where something bars all it could do, why."""
        super().__init__(table, mover, action, moves.space, MoveWords({}))
        self.moves, self.over, self.barred = moves, tuple(over), tuple(barred)
        #: Returns the elements that bring a piece onto the table where its way begins, at an altitude.
        self._begins = begins
        self._is_certain, self.leaves = is_certain, leaves
        #: The table on which its move begins, where chances count the fire at it.
        self._fired_at_on = fired_at_on
        #: Whether others matter to its ends only where it may touch them: neither by fire nor by sight.
        self.is_by_touch = begins is None and not minds_enemies

    @property
    def knows_headings(self) -> bool:
        """Whether ends have headings: where it ends whenever it is hit is known by place alone."""
        return not self._is_certain and super().knows_headings

    @property
    def level_names(self) -> Sequence[Level]:  # type: ignore[override]  # each answer has altitudes of its own
        """The altitudes of the question."""
        return [str(level.storey) if level.storey else altitude_name(level.altitude) for level in self.moves.levels]

    @clause("CA-138")
    def costs_in(self, places: FloatArray, heading: Heading, level: Level) -> FloatArray:
        """Compute the least costs of ending at many places; a piece that leaves the board does so only at its edge."""
        costs = super().costs_in(places, heading, level)
        return np.where(inches_from_edge(self.table, places) <= TOLERANCE, costs, np.inf) if self.leaves else costs

    def headings_in_each(self, places: FloatArray, level: Level) -> list[Sequence[HeadingRange]]:
        """Return the headings in which it can end at each of many places on a level."""
        ends = np.isfinite(self.costs_in(places, None, level))
        found = iter(super().headings_in_each(places[ends], level))
        return [next(found) if end else () for end in ends.tolist()]

    def _kept(self, area: BaseGeometry) -> BaseGeometry:
        """A piece that leaves the board does so along its edge."""
        return part_at_edge(self.table, area) if self.leaves else area

    # --- chances under fire ---

    @property
    def has_chances(self) -> bool:
        """Whether the question was to count the fire at it."""
        return self._fired_at_on is not None

    @clause("CA-102")
    def chance_at(self, place: Any) -> Fraction:
        """Return the chance of ending at a place by the order that leads there, enemies firing at its worst moments.

        Unless the question was to count that, it is 1 wherever it can end.
        """
        chance = super().chance_at(place)
        if self._fired_at_on is None or not chance:
            return chance
        facing = self.pose_of(place).heading is not None
        return math.prod(chance_of(self._fired_at_on, order, facing=facing) for order in self.orders_to(place)) * chance

    def exposures_to(self, place: Any) -> list[Exposure]:
        """Return who may fire at it on its way to a place, where, and with which odds, as long as nobody does."""
        table = self.table if self._fired_at_on is None else self._fired_at_on
        return [one for order in self.orders_to(place) for one in exposures(table, order)]

    @property
    def certain_area(self) -> BaseGeometry:
        """Where it certainly ends, whichever enemies fire and whenever it is hit."""
        return self.area if self._fired_at_on is None else self._at_least[0][1]

    @clause("CA-92", "CA-102")
    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """Return the area by chance, disjoint, the surest first: all of a band has at least its chance.

        That is the chance of no more hits than leave enough for the way, if everybody fires with the best odds.
        """
        if self._fired_at_on is None:
            return super().chance_bands(levels)
        known, found = self._at_least, list[tuple[Fraction, BaseGeometry]]()
        taken: BaseGeometry = shapely.Polygon()
        for level in [chance for chance, _ in known] if levels is None else chances_given(levels):
            whole = joined([area for chance, area in known if chance >= level])
            rest = less(whole, taken)
            if not rest.is_empty:
                found.append((level, rest))
            taken = whole
        return found

    @cached_property
    def _at_least(self) -> list[tuple[Fraction, BaseGeometry]]:
        """The areas that are reached with some chance at least, the surest first."""
        firers = interceptors(self.table, self.mover)
        chances = chances_of_hits(self.table, self.mover, firers)
        areas = [self._survived(hits) for hits in range(len(chances))]
        return list(zip(reversed(chances), reversed(areas), strict=True))

    def _survived(self, hits: int) -> BaseGeometry:
        """Where it ends whenever it is hit so often."""
        certain = certain_limits(self.table, self.mover, hits)
        budget = min(self.space.budget, certain.budget)
        inches = least_of(self.space.most_inches, certain.covered)
        if inches == self.space.most_inches:
            return self._within(budget)
        return planner_for(replace(self.space, budget=budget, most_inches=inches)).area()

    @property
    def outer_area(self) -> BaseGeometry:
        """No legal end lies outside of it: along the edge an outline stops shorter the more obliquely it meets that."""
        if not self.leaves:
            return super().outer_area
        ground = self._ground_within(self.most, None, None)
        return part_at_edge(self.table, ground.buffer(self.tolerance, quad_segs=16))

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order that leads to a place or pose, climbs spelt out and the enemies named that it overruns."""
        found = self._orders_to(place)
        if not self.leaves:
            return found
        (gone,) = found or [Order(self.mover.id, self.action, [])]
        return [replace(gone, elements=(*gone.elements, Element("leave_board", {})))]

    def _orders_to(self, place: Any) -> list[Order]:
        if self.cost_at(place) is None:
            raise NoRoute(f"{self.mover.id} cannot end at {self.pose_of(place)}")
        if not self.space.placings:
            return [self._written(order) for order in super().orders_to(place)]
        pose = self.pose_of(place)
        if (level := self._cheapest_level(pose)) is None:
            raise NoRoute(f"{self.mover.id} cannot end at {pose}")
        way = self.planner.way_to(pose.place, None if pose.heading is None else float(pose.heading), level)
        assert self._begins is not None  # a placed piece is aboard a transport, or has yet to enter
        first = self._begins(way.start, self.moves.levels[way.start.level].altitude)
        return [self._written(Order(self.mover.id, self.action, [*first, *move_elements(way.moves)]))]

    def _written(self, order: Order) -> Order:
        elements = [climb_of(one["link"]) if one.name == "follow" else one for one in order.elements]
        return replace(order, elements=elements, args={"over": self.over} if self.over else {})

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach, on the altitude where the least is missing."""
        barred = [*why_no_move(self.table, self.mover), *self.barred]
        if self.mover["has_moved"]:
            return barred, ""
        if self.leaves:
            barred += no_time_breaches(self.table, self.mover)
        if self.leaves and (inside := list(leaving_breaches(self.table, self.mover.id, pose.place))):
            return [*barred, *inside], ""
        reasons, remedy = against(self.planner, self.moves, pose, self.numbers_of(pose.level))
        return [*barred, *reasons], remedy or remedy_aloft(self.table, self.mover, reasons)


class MoveReach(ArmsReach):
    """Where the move of a turn ends, and the safest way there under fire."""

    under_fire: WaysUnderFire

    def orders_to(self, place: Any, safest: bool = False) -> list[Order]:
        """Return the order that leads to a place or pose.

        With `safest` it is one with a better chance, if there is a way out of sight of some enemies that has one.
        """
        return self.under_fire.safest(self, place) if safest else super().orders_to(place)


# --- questions ---


@clause("CA-81", "CA-82", "CA-85")
def altitudes_of(table: ArmsTable, unit: Unit) -> Iterator[Fraction]:
    """Yield the altitudes at which something changes for a piece: tops, floors, and clear of other pieces."""
    known = {height_of(table.setting, piece) for piece in pieces_on(table.setting) if piece.kind in LAYER_OF}
    known |= {flight.altitude for flight in flights_of(table.setting, Mover.of(unit))}
    apart = Fraction(table.tables["clearance.inches"])
    for other in others(table, unit):
        known |= {Fraction(other["altitude"]) + apart, Fraction(other["altitude"]) - apart}
    limit, here = altitude_limit(table.setting, column_of(unit)), Fraction(unit["altitude"])
    most = here + spending(table, unit).budget
    top = most if limit is None else min(limit, most)
    yield Fraction(0)
    # Just above the ground what has no height is ignored, and what has is not.
    yield from (altitude for altitude in sorted(known) if 0 < altitude <= top)


def climbs_of(
    table: ArmsTable, unit: Unit, *, climbing: bool, several: bool = False
) -> tuple[list[Fraction], list[tuple[Fraction, Fraction]]]:
    """Return the altitudes at which a piece may be, if it climbs or begins at `several`, and climbs between them."""
    altitudes = sorted({Fraction(unit["altitude"]), *altitudes_of(table, unit)}) if climbing or several else []
    # A climb that slants is cheaper in one go than from altitude to altitude.
    pairs = list(combinations(altitudes, 2) if slants(table) else pairwise(altitudes)) if climbing else []
    return altitudes, [pair for low, high in pairs for pair in ((low, high), (high, low))]


def reach_of(
    table: ArmsTable,
    unit: Unit,
    action: str,
    climbing: bool = False,
    overrunning: bool = False,
    firer: str | None = None,
    target: str | None = None,
    landing: bool = False,
    hits: int = 0,
    leaving: bool = False,
    chances: bool = False,
    unseen: bool = False,
) -> ArmsReach:
    """Compute where the move of a piece ends, perhaps at other altitudes, over enemies, or within a speed band.

    A piece that leaves the board does so from the ends at its edge.

    Those who are aboard a transport get off first, and those who are still to come onto the board do that.
    """
    if unseen and (climbing or landing):
        raise TableError("who is to stay unseen keeps its altitude: unseen does not go with climbing or landing")
    newcomer: Passenger | Entrant | None = None
    barred: list[Breach] = []
    begun_on = table
    if unit.carrier:
        newcomer = Passenger.of(table, unit)
        barred = list(newcomer.breaches(table))
    elif is_waiting(unit):
        # Who may not stop aloft only surely lands, if a hit slows it on its way (CA-92), by coming down at one go.
        straight = bool(hits) and not ends_aloft(table, unit) and not slows_later(table, unit)
        newcomer = Entrant.of(table, unit, lands=landing, straight=straight)
        barred = list(newcomer.breaches())
    elif landing:
        raise TableError(f"{unit.id} is on the table: only pieces that are still to come land")
    if newcomer is not None:
        table, unit = newcomer.table, newcomer.unit
    several = isinstance(newcomer, Entrant)
    altitudes, climbs = climbs_of(table, unit, climbing=climbing, several=several)
    over = [other.id for other in _can_overrun(table, unit, altitudes)] if overrunning else []
    limits = _limits(table, unit, firer, target)
    is_over = bool(unit["has_moved"])
    under_fire = bool(hits and not is_over and interceptors(table, unit))
    # Who has to land comes down in any case where it meant to, and has nothing left then (CA-92).
    if under_fire and not (isinstance(newcomer, Entrant) and newcomer.lands and newcomer.straight):
        certain = certain_limits(table, unit, hits)
        budget = min(limits.budget, certain.budget)
        limits = replace(limits, budget=budget, covered=least_of(limits.covered, certain.covered))
    if leaving and _cannot_leave(table, unit):
        limits = MoveLimits(Fraction(-1))
    moves = compiled(table, unit, altitudes, climbs, over, limits)
    if is_over:
        moves = _staying(moves)

    def answered(hidden_from: Sequence[Unit]) -> MoveReach:
        seen = seen_on_each(table, moves, hidden_from) if hidden_from or unseen else []
        open_ = out_of_sight(moves, seen, stands=newcomer is None) if seen else moves
        if isinstance(newcomer, Entrant):
            open_ = newcomer.beginning(open_, barred=is_over or bool(barred), seen=seen)
        elif newcomer is not None:
            open_ = newcomer.beginning(open_, barred=is_over or bool(barred))
        begins, before = None if newcomer is None else newcomer.written, begun_on if chances else None
        found = MoveReach(
            table,
            unit,
            action,
            open_,
            over,
            barred,
            begins,
            is_certain=under_fire,
            leaves=leaving,
            fired_at_on=before,
            minds_enemies=bool(hits or chances or unseen or hidden_from),
        )
        found.under_fire = WaysUnderFire(begun_on, unit, answered)
        return found

    return answered(interceptors(table, unit) if unseen else ())


@clause("CA-7")
def _staying(moves: ArmsMoves) -> ArmsMoves:
    """Return what is left to a piece whose move of the turn is over: to stay as it is, in its place and heading."""
    # Nothing is free: some pieces rotate, and take floors from the air, at no cost.
    return replace(moves, space=replace(moves.space, turns=TurnPrices.flat(1), links=()))


@clause("CA-7", "CA-87", "CA-121", "CA-138")
def _cannot_leave(table: ArmsTable, unit: Unit) -> bool:
    """Whether a piece does not leave the board this turn, wherever it is."""
    immobile = immobile_breaches(table, unit, leaves=True)
    return bool(unit["has_moved"] or any(immobile) or any(no_time_breaches(table, unit)))


@clause("CA-2", "CA-7")
def _may_spend(table: ArmsTable, unit: Unit) -> MoveLimits:
    """What a piece may spend this turn: what it has spent and no more, once its move is over."""
    return MoveLimits(spent_in_all(unit)) if unit["has_moved"] else spending(table, unit)


def _can_overrun(table: ArmsTable, unit: Unit, altitudes: Iterable[Fraction]) -> Iterator[Unit]:
    """The enemies that a piece can overrun which flies at some altitudes, or stays at its own."""
    lowest = min((Fraction(unit["altitude"]), *altitudes))
    for other in others(table, unit):
        if is_enemy(unit, other) and not list(overrun_breaches(table, unit, other, lowest)):
            yield other


@clause("CA-98", "CA-100")
def _limits(table: ArmsTable, unit: Unit, firer: str | None, target: str | None) -> MoveLimits:
    """What may be spent: in all for its own fire, on all but rotations for fire at it; or what may be covered."""
    limits = _may_spend(table, unit)
    own = None if firer is None else most_of_band(table, unit, firer)
    as_target = None if target is None else most_of_band(table, unit, target)
    # One that only rotates is stationary.
    rotating = as_target if as_target and table.options.target_rotation_counts == "if_moved" else None
    if not by_distance(table):
        budget = least_of(limits.budget, own, rotating)
        assert budget is not None
        return MoveLimits(budget, as_target)
    covered, rotation = least_of(limits.covered, own, as_target), least_of(own, rotating, most_of_declared(table, unit))
    if rotation is not None and unit["dearest_rotation"] > rotation:
        return MoveLimits(Fraction(-1))  # It has been faster already.
    return MoveLimits(limits.budget, None, covered, rotation)
