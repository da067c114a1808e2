"""Chances under fire: how surely a piece ends a move as ordered, each enemy firing at the moment that is worst for it.

Every enemy that may fire chooses whether and when, knowing all that has happened before the element; every roll is
followed with both of its results. Moments between which nothing changes are one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

from simulator.engine.amounts import plain
from simulator.engine.clauses import clause
from simulator.engine.orders import Order
from simulator.engine.questions import React
from simulator.engine.state import Unit
from simulator.errors import TooMuchAsked
from simulator.rulesets.combined_arms.actions import ended
from simulator.rulesets.combined_arms.bands import Moved, most_of_band, spent_in_all
from simulator.rulesets.combined_arms.damage import lowered_in_mid_move
from simulator.rulesets.combined_arms.exposure import BetweenElements, OrderedMove, PlayedElement, exposures, worst_roll
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.fire import interceptors
from simulator.rulesets.combined_arms.movement import MoveLimits, spending
from simulator.rulesets.combined_arms.rates import LEGS, current_rate, original_rate
from simulator.rulesets.combined_arms.units import ArmsTable
from simulator.rulesets.combined_arms.vocabulary import CLIMBS

#: Elements for which the moment of a hit does not matter to a piece that goes on, except for what is in the way.
_EVEN = (*LEGS, *CLIMBS)
#: Places and headings so near each other, in inches and degrees, are one: ways in several parts add up their rounding.
_SAME = 1e-5
#: So many elements are played at most to find a chance.
MOST_PLAYED = 2000


@clause("CA-92", "CA-102")
def chance_of(table: ArmsTable, order: Order, *, facing: bool = False) -> Fraction:
    """Return the chance that a piece ends an ordered move where that leads, and `facing` so, whatever enemies do.

    Raise TooMuchAsked where more would have to be played than `MOST_PLAYED` elements.
    """
    unit = table.unit(order.unit)
    if lowered_in_mid_move(table, unit) is None:
        return _unhit(table, order)
    return _Chances(OrderedMove(table, order), facing).of_all()


@clause("CA-92")
def certain_limits(table: ArmsTable, unit: Unit, hits: int) -> MoveLimits:
    """Return what a move may spend and cover that a piece completes whenever it is hit so often.

    At worst it is hit at its very end: what is spent by then was spent at the prices from before the hit.
    """
    hurt = lowered_in_mid_move(table, unit, hits)
    if hurt is None:
        return MoveLimits(spent_in_all(unit))
    left = spending(table, hurt)
    covered = None if left.covered is None else max(left.covered, Fraction(unit["inches_covered"]))
    return MoveLimits(max(spent_in_all(unit), left.budget), covered=covered)


def _keeps_within(moved: Moved, limits: MoveLimits) -> bool:
    """Whether what a piece will have done is within some limits."""
    return moved.spent <= limits.budget and (limits.covered is None or moved.covered <= limits.covered)


@clause("CA-94", "CA-102")
def chances_of_hits(table: ArmsTable, unit: Unit, firers: Iterable[Unit]) -> list[Fraction]:
    """Return the chances of at most 0, 1, ... hits if all of some enemies fire with their best odds.

    How far the piece has moved by then is theirs to choose.
    """
    amounts = [Fraction(0), *(most_of_band(table, unit, band) for band in BANDS)]
    amounts.append(original_rate(table, unit))
    moved = [plain(most) for most in amounts if most is not None]
    movers = [unit.put(spent_translation=most, inches_covered=most) for most in moved]
    exactly = [Fraction(1)]
    for firer in firers:
        chance = max(worst_roll(table, firer, mover)[0].chance for mover in movers)
        fewer, as_many = [Fraction(0), *exactly], [*exactly, Fraction(0)]
        exactly = [one * chance + other * (1 - chance) for one, other in zip(fewer, as_many, strict=True)]
    return list(accumulate(exactly))


@clause("CA-93")
def _unhit(table: ArmsTable, order: Order) -> Fraction:
    """The chance of infantry, which any hit removes: that of no hit by anybody, each at its best moment."""
    best = dict[str, Fraction]()
    for one in exposures(table, order):
        best[one.who] = max(one.chance, best.get(one.who, Fraction(0)))
    return math.prod((1 - chance for chance in best.values()), start=Fraction(1))


@dataclass
class _Chances:
    """The chances of an ordered move from each moment on."""

    ordered: OrderedMove
    facing: bool
    known: dict[Any, Fraction] = field(default_factory=dict)
    played: int = 0
    planned: Unit | None = None

    def of_all(self) -> Fraction:
        """Return the chance of the whole move."""
        begin = moment = self.ordered.beginning()
        for element in self.ordered.elements:
            moment = self.ordered.play(moment, element, {}).after
        self.planned = self._at_the_end(moment)
        return self._from(begin, 0)

    def _from(self, moment: BetweenElements, number: int) -> Fraction:
        """The chance from before an element on."""
        under_way = moment.under_way
        key = number, moment.state.position_hash, under_way.start, under_way.risen
        if key not in self.known:
            self.known[key] = self._found(moment, number)
        return self.known[key]

    def _found(self, moment: BetweenElements, number: int) -> Fraction:
        if number == len(self.ordered.elements):
            return Fraction(int(self._as_planned(moment)))
        if self._is_sure(moment):
            return Fraction(1)
        quiet = self._play(moment, number, {}, ())
        chance = self._after(quiet, number)
        if not quiet.asked or not chance:
            return chance
        offers = [[None, *self._moments(moment, number, question)] for question in quiet.asked]
        for when in product(*offers):
            fires = {one.who: at for one, at in zip(quiet.asked, when, strict=True) if at is not None}
            if fires:
                chance = min(chance, self._under(moment, number, fires))
        return chance

    def _under(self, moment: BetweenElements, number: int, fires: Mapping[str, Any]) -> Fraction:
        """The chance where some enemies fire in an element as said: over all results of their rolls."""
        chance, waiting = Fraction(0), list[tuple[bool, ...]]([()])
        while waiting:
            hits = waiting.pop()
            played = self._play(moment, number, fires, hits)
            shares = (roll.chance if is_hit else 1 - roll.chance for roll, is_hit in played.rolls)
            share = math.prod(shares, start=Fraction(1))
            if share:
                chance += share * self._after(played, number)
            for later in range(len(hits), len(played.rolls)):
                if played.rolls[later][0].chance:
                    waiting.append((*hits, *[False] * (later - len(hits)), True))
        return chance

    def _after(self, played: PlayedElement, number: int) -> Fraction:
        if played.goes_on:
            return self._from(played.after, number + 1)
        return Fraction(int(self._as_planned(played.after)))

    @clause("CA-92")
    def _is_sure(self, moment: BetweenElements) -> bool:
        """Whether all who may still fire cannot stop it: the whole move is paid with what they would leave it.

        Boarding takes time besides, of which a slower piece has less left.
        """
        table, under_way = self.ordered.at(moment)
        unit = table.state.units.get(under_way.name)
        if unit is None or unit.place is None or self.ordered.elements[-1].name == "load":
            return False
        firers = len(interceptors(table, unit))
        hurt = lowered_in_mid_move(table, unit, firers)
        if hurt is None or not current_rate(table, hurt):
            return not firers and hurt is not None and _keeps_within(under_way.plan, spending(table, hurt))
        return _keeps_within(under_way.plan, certain_limits(table, unit, firers))

    def _moments(self, moment: BetweenElements, number: int, question: React) -> Iterator[Any]:
        """When an enemy may fire in an element: at the first moment of each of its odds.

        After a hit the rest of a leg costs the same wherever on it that was, so later moments are no worse for the
        piece; but what is run over or knocked down on the way may.
        """
        seen = set[Fraction]()
        every = bool(moment.under_way.space.tolls) or self.ordered.elements[number].name not in _EVEN
        for at, exposure in self.ordered.parts(moment, number, question):
            if every or exposure.chance not in seen:
                yield at
            seen.add(exposure.chance)

    def _play(
        self, moment: BetweenElements, number: int, fires: Mapping[str, Any], hits: tuple[bool, ...]
    ) -> PlayedElement:
        self.played += 1
        if self.played > MOST_PLAYED:
            raise TooMuchAsked(f"the chance of this move takes more than {MOST_PLAYED} plays of its parts")
        return self.ordered.play(moment, self.ordered.elements[number], fires, hits)

    # --- ends ---

    def _at_the_end(self, moment: BetweenElements) -> Unit | None:
        """The piece when its move is over; None if it is gone."""
        table, under_way = self.ordered.at(moment)
        if under_way.name not in table.state.units:
            return None
        table.play(ended(table, under_way.name))
        return table.state.units.get(under_way.name)

    def _as_planned(self, moment: BetweenElements) -> bool:
        unit, planned = self._at_the_end(moment), self.planned
        if unit is None or planned is None:
            return unit is planned
        names = ["floor", "building", "left_board", *(["altitude"] if planned.place is not None else [])]
        if any(unit[name] != planned[name] for name in names) or unit.carrier != planned.carrier:
            return False
        return _is_near(unit, planned) and (not self.facing or _faces_alike(unit, planned))


def _is_near(one: Unit, other: Unit) -> bool:
    """Whether two pieces are at one place, or off the table."""
    if one.place is None or other.place is None:
        return one.place is other.place
    return math.dist(one.place, other.place) <= _SAME


def _faces_alike(one: Unit, other: Unit) -> bool:
    apart = abs(float(one.heading) - float(other.heading)) % 360
    return min(apart, 360 - apart) <= _SAME
