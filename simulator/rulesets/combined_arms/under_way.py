"""A move under way: the elements of an order made one by one, in parts where something happens in the middle.

A piece that is damaged on its way goes on as it was ordered with what it has left then, as far as that gets it: a leg
or a climb ends where nothing is left, and at a rotation or a transfer that it cannot pay for any more its move ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from simulator.engine.amounts import plain, tidy
from simulator.engine.clauses import clause
from simulator.engine.orders import Element
from simulator.engine.state import Unit
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import JudgedMove, Move, PoseStart, Rotate, judged
from simulator.pathing.posed.tolls import TollsSoFar, stays_when_crossed
from simulator.rulesets.combined_arms.bands import Moved
from simulator.rulesets.combined_arms.judge import standing_breaches
from simulator.rulesets.combined_arms.longest import longest
from simulator.rulesets.combined_arms.movement import ArmsMoves, AtAltitude, altitude_at_end, compiled, slants
from simulator.rulesets.combined_arms.overruns import overrun_by
from simulator.rulesets.combined_arms.rates import LEGS
from simulator.rulesets.combined_arms.units import ArmsTable
from simulator.rulesets.combined_arms.vocabulary import CLIMBS, TURNS, moves_of_elements

#: What is done at one go or not at all: rotations; stairs, ladders and doors.
AT_ONE_GO = (*TURNS, "take")
#: How often the length at which a piece may stand is halved, and the steps back to it.
_HALVINGS, _STEPS = 50, 64
#: Limits may be exceeded by as much, as the judge allows.
_SLACK = Fraction(TOLERANCE)


@dataclass
class MoveUnderWay:
    """A piece in the middle of its move; it is judged on from where it is."""

    table: ArmsTable
    name: str
    over: Sequence[str]
    space: ArmsMoves
    start: PoseStart
    there: Unit  #: the piece as it is where its way begins, once it has come onto the table
    plan: Moved  #: what it would have done in all after the whole move
    rotations: list[Rotate] = field(default_factory=list)  #: those that it has made
    risen: Fraction = Fraction(0)  #: how much of the climb that it is in it has made
    was_hit: bool = False  #: whether it may be unable to go on as it was ordered
    given_way: tuple[int, ...] = ()  #: the numbers of what gave way to the part that it made last
    #: The verdicts on what was tried, as the table is now: what is tried whole is then made.
    _verdicts: dict[tuple[Move, PoseStart], JudgedMove] = field(default_factory=dict, init=False, repr=False)

    @property
    def level(self) -> AtAltitude:
        """Where it is."""
        return self.space.levels[self.start.level]

    def renew(self, *altitudes: Fraction) -> None:
        """Compile the piece once more as the table is now, with climbs to some altitudes."""
        unit = self.table.unit(self.name)
        here = Fraction(unit["altitude"])
        over = [name for name in self.over if name in self.table.state.units]
        climbs = [(here, other) for other in altitudes]
        kept = {name: getattr(self.start, name) for name in ("place", "heading", "group", "since_link")}
        before, self.space = self.space, compiled(self.table, unit, altitudes, climbs, over)
        self.start = replace(
            self.space.space.starts[0], **kept, tolls=_numbered_anew(self.start.tolls, before, self.space)
        )
        self._verdicts.clear()

    @clause("CA-110", role="play")
    def gone_after(self, element: Element, whole: Fraction, name: str) -> Fraction | None:
        """Return the inches of a leg after which an enemy is overrun, with all in its foxhole; None: it is not."""

        def gone(inches: Fraction) -> bool:
            crossed = self.tried(element, inches).tolls.gone - self.start.tolls.gone
            over = [thing.name for thing in map(self.space.tolls.__getitem__, crossed) if thing.clause == "CA-106"]
            return name in overrun_by(self.table, self.table.unit(self.name), over)

        if not gone(whole):
            return None
        return Fraction(tidy(longest(whole, lambda inches: Fraction(gone(inches)), Fraction(0))))

    # --- one element ---

    @staticmethod
    def whole(element: Element) -> Fraction:
        """Return all of an element: its degrees or its inches; stairs, ladders and doors are 1."""
        return Fraction(element.get("angle", element.get("inches", 1)))

    def written(self, element: Element, amount: Fraction) -> Move:
        """Return the move that an element is, or the first inches of it."""
        here = self.level.altitude
        if element.name in CLIMBS:
            amount = self._as_high(element, amount)
            there = here + CLIMBS[element.name] * amount
            known = self.space.altitudes
            links = [link for link in self.space.space.links if link.origin == self.start.level]
            if there not in known or not any(getattr(link, "target", None) == known[there] for link in links):
                self.renew(there)
        if element.name in CLIMBS or element.name in LEGS:
            element = Element(element.name, {**element.args, "inches": amount})
        known, modes = self.space.altitudes, self.space.space.modes
        ways, level = self.space.ways, self.start.level
        slanting = slants(self.table)
        (move,) = moves_of_elements([element], here, known, modes, slanting=slanting, ways=ways, level=level)
        return move

    def _as_high(self, element: Element, amount: Fraction) -> Fraction:
        """How much of an element there is to be made: nobody who has come down descends below the ground."""
        descends = element.name in CLIMBS and CLIMBS[element.name] < 0
        return min(amount, self.level.altitude) if descends else amount

    def tried(self, element: Element, amount: Fraction) -> JudgedMove:
        """Judge an element, or the first inches of it, without making it."""
        move = self.written(element, amount)
        start = self._rising(element, amount)
        known = self._verdicts.get((move, start))
        if known is None:
            known = self._verdicts[move, start] = judged(self.space.space, start, [move])
        return known

    def _rising(self, element: Element, amount: Fraction) -> PoseStart:
        """Where it begins; within a climb that slants (CA-85), as if after as many inches as make up its price."""
        if element.name not in CLIMBS or not self.risen or not amount or not slants(self.table):
            return self.start
        inches = float(self.start.since_link)
        price = math.hypot(inches, self.risen + amount) - math.hypot(inches, self.risen)
        return replace(self.start, since_link=Fraction((float(amount) ** 2 - price**2) / (2 * price)))

    def go(self, element: Element, amount: Fraction) -> JudgedMove:
        """Make an element, or the first inches of it."""
        found = self.tried(element, amount)
        if isinstance(move := self.written(element, amount), Rotate):
            self.rotations.append(move)
        self.given_way = tuple(sorted((found.tolls.gone - self.start.tolls.gone) | self._passed(found)))
        is_whole = element.name not in CLIMBS or self.risen + amount >= element["inches"]
        self.risen = Fraction(0) if is_whole else self.risen + amount
        self.start = replace(
            self.start,
            place=found.place,
            heading=found.heading,
            paid=found.total,
            travelled=self.start.travelled + found.travelled,
            group=found.group,
            level=found.level,
            tolls=found.tolls,
            since_link=found.since_link if is_whole else self.start.since_link,
            covered=self.start.covered + found.covered,
        )
        return found

    def _passed(self, found: JudgedMove) -> set[int]:
        """The numbers of those in foxholes that a part of a move has crossed and that are still there (CA-109)."""
        tolls = self.space.space.tolls
        staying = {number for number, toll in enumerate(tolls) if stays_when_crossed(toll)}
        return {charge.toll for charge in found.charges if charge.toll in staying} - found.tolls.touched

    # --- what is left after damage ---

    @clause("CA-92")
    def affordable(self, element: Element, amount: Fraction) -> Fraction:
        """Return how much of an element it can still pay for; of what is done at one go all or nothing.

        Who has come down to the ground, since it was hit, does not descend any farther.
        """
        amount = self._as_high(element, amount)
        if not amount and element.name in CLIMBS:
            return amount
        if element.name in AT_ONE_GO:
            return amount if self.may_make(element, amount) else Fraction(0)
        limits = self.space.space
        paid = self.inches_for(element, amount, max(limits.budget - self.start.paid, Fraction(0)))
        if limits.most_inches is None:
            return paid
        return self.inches_covering(element, paid, max(limits.most_inches - self.start.covered, Fraction(0)))

    @clause("CA-92")
    def may_make(self, element: Element, amount: Fraction) -> bool:
        """Whether it can still pay for all of an element, and may cover as many inches."""
        found, limits = self.tried(element, amount), self.space.space
        covers = limits.most_inches is None or self.start.covered + found.covered <= limits.most_inches + _SLACK
        return found.total <= max(limits.budget, self.start.paid) + _SLACK and (covers or not found.covered)

    def inches_covering(self, element: Element, whole: Fraction, inches: Fraction) -> Fraction:
        """Return the first part of a leg or climb that covers a number of inches; all of it if it covers no more."""
        if self.tried(element, whole).covered <= inches:
            return whole
        if not (element.name in CLIMBS and slants(self.table)):
            return min(whole, inches)
        return Fraction(tidy(longest(whole, lambda inches_of: self.tried(element, inches_of).covered, inches)))

    def inches_for(self, element: Element, whole: Fraction, price: Fraction) -> Fraction:
        """Return after how many inches of a leg or climb so much has been spent on it; all of it if less is."""
        found = self.tried(element, whole)
        if found.travelled <= price:
            return whole
        if element.name in CLIMBS and not slants(self.table):
            return price  # CA-85: an inch costs an inch
        if all(charge.what == "leg" for charge in found.charges):
            inches, left = Fraction(0), price
            for charge in found.charges:
                if charge.price > left:
                    return Fraction(tidy(inches + left / charge.rate))
                inches, left = inches + charge.amount, left - charge.price
        # What is knocked down or run over is paid at one place.
        return Fraction(tidy(longest(whole, lambda inches: self.tried(element, inches).travelled, price)))

    @clause("CA-92", "CA-106", role="play")
    def stopped_by(self, element: Element, amount: Fraction) -> str:
        """Return the clause by which it cannot go on after so much of an element: short of whom it overruns, or not."""
        over = [one for one in self.tried(element, amount).objections if one.toll is not None]
        return "CA-106" if over else "CA-92"

    @clause("CA-92")
    def resting(self, element: Element, amount: Fraction) -> Fraction:
        """Return the last length of an element, up to so much, at which it may stand; that length itself if at none."""
        if element.name not in LEGS or self._may_stand(element, amount):
            return amount
        steps = [amount * step / _STEPS for step in range(_STEPS, -1, -1)]
        for high, low in pairwise(steps):
            if self._may_stand(element, low):
                for _ in range(_HALVINGS):
                    middle = (low + high) / 2
                    low, high = (middle, high) if self._may_stand(element, middle) else (low, middle)
                # An overlap of the tolerance is none, but nobody has to stand so near.
                apart = Fraction(tidy(max(low - _SLACK, Fraction(0))))
                return apart if self._may_stand(element, apart) else low
        return amount

    def _may_stand(self, element: Element, amount: Fraction) -> bool:
        """Whether it may end its move there, or below, if it comes down then."""
        found = self.tried(element, amount)
        there = self.space.unit_after(self.table.unit(self.name), found)
        altitude = altitude_at_end(self.table, there)
        if altitude != there["altitude"]:
            return not any(standing_breaches(self.table, there.put(altitude=plain(altitude))))
        return not any(one.what == "end" for one in found.objections)


def _numbered_anew(tolls: TollsSoFar, before: ArmsMoves, after: ArmsMoves) -> TollsSoFar:
    """Return what has been made of trees and enemies so far by the numbers that they have now."""
    numbers = {(thing.clause, thing.name): number for number, thing in enumerate(after.tolls)}

    def anew(some: Iterable[int]) -> frozenset[int]:
        things = ((before.tolls[number].clause, before.tolls[number].name) for number in some)
        return frozenset(numbers[thing] for thing in things if thing in numbers)

    return tolls._replace(gone=anew(tolls.gone), touched=anew(tolls.touched))
