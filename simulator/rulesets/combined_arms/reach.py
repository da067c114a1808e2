"""Reach: where a piece can legally end its move, at which altitude, facing which way, and at what price."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Element, Order, truth, unit_id, whole_number, word
from simulator.engine.posed_orders import MoveWords, move_elements
from simulator.engine.posed_reach import PosedReach
from simulator.engine.reach_questions import Ask
from simulator.engine.state import Unit
from simulator.geometry.poses import Level, Pose
from simulator.pathing.posed import PoseStart
from simulator.pathing.traces import NoRoute
from simulator.rulesets.combined_arms.bands import most_of_band, own_amount
from simulator.rulesets.combined_arms.damage import lowered
from simulator.rulesets.combined_arms.entering import Entrant, is_waiting
from simulator.rulesets.combined_arms.features import height_of, pieces_on
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.fire import interceptors
from simulator.rulesets.combined_arms.getting_off import Passenger
from simulator.rulesets.combined_arms.judge import why_no_move
from simulator.rulesets.combined_arms.matrix import altitude_limit
from simulator.rulesets.combined_arms.movement import ArmsMoves, MoveLimits, compiled, slants, spending
from simulator.rulesets.combined_arms.options import CombinedArmsOptions
from simulator.rulesets.combined_arms.overruns import overrun_breaches
from simulator.rulesets.combined_arms.terrain import LAYER_OF
from simulator.rulesets.combined_arms.units import ArmsTable, column_of, is_enemy, others
from simulator.rulesets.combined_arms.vocabulary import altitude_name, climb_of
from simulator.rulesets.combined_arms.why import against, remedy_aloft

#: The actions with an answer of reach.
REACHES = {
    "move": "where the move of the turn ends",
    "ride": "where it can be with a transport: it walks, boards, rides, gets off and walks on, in one turn or two",
}
#: The keywords of a question.
ASKS = {
    "climbing": Ask(truth("true or false: whether it may change its altitude")),
    "overrunning": Ask(truth("true or false: whether it may overrun enemies"), ("move",)),
    "hits": Ask(
        whole_number("how many levels it may lose in mid-move, whenever that is, and end there all the same", 0, 3),
        ("move",),
    ),
    "landing": Ask(truth("true or false: whether it comes onto the board straight down"), ("move",)),
    "firer": Ask(
        word(*BANDS, about=f"the band that it means to keep to for its own fire: {', '.join(BANDS)}"), ("move",)
    ),
    "target": Ask(word(*BANDS, about=f"the band that it means to keep to as a target: {', '.join(BANDS)}"), ("move",)),
    "carrier": Ask(unit_id("the transport that it rides with; by default the one that it is aboard"), ("ride",)),
    "end": Ask(word("on_foot", "aboard", about="whether it is on_foot or aboard at the end"), ("ride",)),
    "turns": Ask(whole_number("the turns, 1 or 2: in the first of two it boards", 1, 2), ("ride",)),
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
    ) -> None:
        """Store the question and the piece compiled for it; where something bars all it could do, why."""
        super().__init__(table, mover, action, moves.space, MoveWords({}))
        self.moves, self.over, self.barred = moves, tuple(over), tuple(barred)
        #: Returns the elements that bring a piece onto the table where its way begins, at an altitude.
        self._begins = begins
        self._is_certain = is_certain

    @property
    def knows_headings(self) -> bool:
        """Whether ends have headings: where it ends whenever it is hit is known by place alone."""
        return not self._is_certain and super().knows_headings

    @property
    def level_names(self) -> Sequence[Level]:  # type: ignore[override]  # each answer has altitudes of its own
        """The altitudes of the question."""
        return [str(level.storey) if level.storey else altitude_name(level.altitude) for level in self.moves.levels]

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order that leads to a place or pose, climbs spelt out and the enemies named that it overruns."""
        if not self.space.placings:
            return [self._written(order) for order in super().orders_to(place)]
        pose = self.pose_of(place)
        if (level := self._cheapest_level(pose)) is None:
            raise NoRoute(f"{self.mover.id} cannot end at {pose}")
        way = self.planner.way_to(pose.place, None if pose.heading is None else float(pose.heading), level)
        assert self._begins is not None  # whoever is placed is aboard a transport, or still to come
        first = self._begins(way.start, self.moves.levels[way.start.level].altitude)
        return [self._written(Order(self.mover.id, self.action, [*first, *move_elements(way.moves)]))]

    def _written(self, order: Order) -> Order:
        elements = [climb_of(one["link"]) if one.name == "follow" else one for one in order.elements]
        return replace(order, elements=elements, args={"over": self.over} if self.over else {})

    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why a pose is out of reach, on the altitude where the least is missing."""
        reasons, remedy = against(self.planner, self.moves, pose, self.numbers_of(pose.level))
        return [*self.barred, *why_no_move(self.table, self.mover), *reasons], remedy or remedy_aloft(
            self.table, self.mover, reasons
        )


# --- questions ---


@clause("CA-81", "CA-82", "CA-85")
def altitudes_of(table: ArmsTable, unit: Unit) -> Iterator[Fraction]:
    """Yield the altitudes at which something changes for a piece: tops of features, and clear of other pieces."""
    known = {height_of(table.setting, piece) for piece in pieces_on(table.setting) if piece.kind in LAYER_OF}
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
) -> ArmsReach:
    """Compute where the move of a piece ends, perhaps at other altitudes, over enemies, or within a speed band.

    Those who are aboard a transport get off first, and those who are still to come onto the board do that.
    """
    newcomer: Passenger | Entrant | None = None
    barred: list[Breach] = []
    if unit.carrier:
        newcomer = Passenger.of(table, unit)
        barred = list(newcomer.breaches(table))
    elif is_waiting(unit):
        newcomer = Entrant.of(table, unit, lands=landing)
        barred = list(newcomer.breaches())
    elif landing:
        raise TableError(f"{unit.id} is on the table: only pieces that are still to come land")
    if newcomer is not None:
        table, unit = newcomer.table, newcomer.unit
    several = isinstance(newcomer, Entrant)
    altitudes, climbs = climbs_of(table, unit, climbing=climbing, several=several)
    over = [other.id for other in _can_overrun(table, unit)] if overrunning else []
    limits = _limits(table, unit, firer, target)
    under_fire = bool(hits and interceptors(table, unit))
    if under_fire:
        limits = replace(limits, budget=min(limits.budget, certain_allowance(table, unit, hits)))
    moves = compiled(table, unit, altitudes, climbs, over, limits)
    if newcomer is None:
        return ArmsReach(table, unit, action, moves, over, is_certain=under_fire)
    moves = newcomer.beginning(moves, barred=bool(barred))
    return ArmsReach(table, unit, action, moves, over, barred, newcomer.written, is_certain=under_fire)


@clause("CA-92")
def certain_allowance(table: ArmsTable, unit: Unit, hits: int) -> Fraction:
    """Return what a move may cost that a piece completes whenever it is hit so often: at worst that is at its very end.

    What is spent by then was spent at the prices from before the hit.
    """
    hurt = lowered(table, unit, hits)
    return max(own_amount(unit), Fraction(0) if hurt is None else spending(table, hurt).budget)


def _can_overrun(table: ArmsTable, unit: Unit) -> Iterator[Unit]:
    for other in others(table, unit):
        if is_enemy(unit, other) and not list(overrun_breaches(table, unit, other, Fraction(unit["altitude"]))):
            yield other


@clause("CA-98", "CA-100")
def _limits(table: ArmsTable, unit: Unit, firer: str | None, target: str | None) -> MoveLimits:
    """What may be spent: in all for its own fire, on all but rotations for fire at it."""
    limits = spending(table, unit)
    own = None if firer is None else most_of_band(table, unit, firer)
    travelled = None if target is None else most_of_band(table, unit, target)
    return MoveLimits(limits.budget if own is None else min(limits.budget, own), travelled)
