"""Who may fire at a piece along an ordered move: from where on, at which amount, altitude and cover, with which odds.

The move is played by its own rule, element by element, on tables of its own; what enemies do is answered here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from simulator.engine.best_case import best_result
from simulator.engine.clauses import clause
from simulator.engine.errors import TableError
from simulator.engine.events import Event
from simulator.engine.number_ranges import Along, Span, span_text
from simulator.engine.orders import Element, Order
from simulator.engine.questions import Choose, Question, React, Roll
from simulator.engine.state import State, Unit
from simulator.geometry.pieces import XY
from simulator.rulesets.combined_arms.actions import begun, made
from simulator.rulesets.combined_arms.bands import Moved, target_amount, target_band
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.fire import AFTER, band_of_firer, roll_to_hit
from simulator.rulesets.combined_arms.under_way import MoveUnderWay
from simulator.rulesets.combined_arms.units import ArmsTable


class BetweenElements(NamedTuple):
    """A piece between two elements of its move, and the table then; neither is changed."""

    state: State
    under_way: MoveUnderWay


class PlayedElement(NamedTuple):
    """What an element comes to: the moment after it, whether the piece goes on, who was asked, which rolls hit."""

    after: BetweenElements
    goes_on: bool
    asked: tuple[React, ...]
    rolls: tuple[tuple[Roll, bool], ...]


@dataclass(frozen=True)
class Exposure:
    """A part of a move in which an enemy may fire at the piece with the same odds."""

    who: str
    element: int  #: the number of the element, counted from 1
    #: From which inch of it to which, or before it or after it.
    when: Span | str
    place: XY  #: one in the part, for which the altitude and the amount are
    altitude: Any
    amount: Fraction  #: what it has spent as a target
    band: str
    roll: Roll
    clause: str = "CA-102"

    @property
    def chance(self) -> Fraction:
        """The chance of a hit."""
        return self.roll.chance

    def __str__(self) -> str:
        when = self.when if isinstance(self.when, str) else span_text(self.when)
        factors = "".join(f", {name} {-number:+d}" for name, number in self.roll.modifiers)
        x, y = self.place
        where = f"{x:g},{y:g} altitude {float(self.altitude):g}, {float(self.amount):.4g} inches spent: {self.band}"
        return f"{self.who} ({self.clause}): element {self.element} {when}, at {where}{factors}, hits {self.chance}"


@dataclass(frozen=True)
class OrderedMove:
    """An ordered move that is played element by element."""

    table: ArmsTable
    order: Order

    @property
    def elements(self) -> Sequence[Element]:
        """The elements of the order, one after the other."""
        return self.order.elements

    def beginning(self) -> BetweenElements:
        """Return the moment before the first element; raise TableError where the piece fires on its way."""
        if any(element.name == "fire" for element in self.elements):
            raise TableError("a move with a shot of its own is foreseen, not asked about by reach")
        return BetweenElements(self.table.state, begun(self.table, self.order))

    def at(self, moment: BetweenElements) -> tuple[ArmsTable, MoveUnderWay]:
        """Return a table and a piece under way to play on with."""
        table = type(self.table)(self.table.setting, moment.state)
        return table, replace(moment.under_way, table=table)

    def play(
        self, moment: BetweenElements, element: Element, fires: Mapping[str, Any], hits: Sequence[bool] = ()
    ) -> PlayedElement:
        """Do an element, where some enemies fire as said; shots that are not said to hit miss."""
        table, under_way = self.at(moment)
        rule, answer = made(table, element, under_way), None
        asked, rolls = list[React](), list[tuple[Roll, bool]]()
        while True:
            try:
                found: Event | Question = rule.send(answer)
            except StopIteration as stop:
                return PlayedElement(
                    BetweenElements(table.state, under_way), bool(stop.value), tuple(asked), tuple(rolls)
                )
            answer = None
            if isinstance(found, Event):
                table.play((found,))
            elif isinstance(found, React):
                asked.append(found)
                answer = fires.get(found.who)
            elif isinstance(found, Choose):
                answer = worst_roll(table, table.unit(found.who), table.unit(self.order.unit))[1]
            elif isinstance(found, Roll):
                is_hit = hits[len(rolls)] if len(rolls) < len(hits) else False
                rolls.append((found, is_hit))
                answer = best_result(found) if is_hit else min(found.chances)

    # --- odds ---

    def parts(self, moment: BetweenElements, number: int, question: React) -> Iterator[tuple[Any, Exposure]]:
        """Yield when an enemy may fire in an element: an answer, and what it means; the odds of each are even."""
        table, under_way = self.at(moment)
        element, firer = self.elements[number], table.unit(question.who)
        for option in question.options:
            for span, sample in option.pieces if isinstance(option, Along) else ():
                inches: Any = sample
                mover = _unit_at(table, under_way, element, Fraction(inches))
                yield sample, _exposure(table, firer, mover, number, span)
            if isinstance(option, str):
                inches = under_way.whole(element) if option == AFTER else Fraction(0)
                mover = _unit_at(table, under_way, element, inches)
                yield option, _exposure(table, firer, mover, number, option)


def _unit_at(table: ArmsTable, under_way: MoveUnderWay, element: Element, amount: Fraction) -> Unit:
    """The piece after a part of an element."""
    unit = table.unit(under_way.name)
    if not amount:
        return unit
    found = under_way.tried(element, amount)
    rotation = sum((charge.price for charge in found.charges if charge.what == "turn"), Fraction(0))
    spent = {
        "spent_translation": Fraction(unit["spent_translation"]) + found.travelled,
        "spent_rotation": Fraction(unit["spent_rotation"]) + rotation,
        "inches_covered": Fraction(unit["inches_covered"]) + found.covered,
        "dearest_rotation": max(unit["dearest_rotation"], found.group.paid if rotation else 0),
    }
    return under_way.space.unit_after(unit, found).put(spent)


def _exposure(table: ArmsTable, firer: Unit, mover: Unit, number: int, when: Span | str) -> Exposure:
    amount = target_amount(table, Moved.of(mover))
    x, y = mover.place
    band, roll = target_band(table, mover), worst_roll(table, firer, mover)[0]
    return Exposure(firer.id, number + 1, when, (float(x), float(y)), mover["altitude"], amount, band, roll)


@clause("CA-98", role="odds")
def worst_roll(table: ArmsTable, firer: Unit, mover: Unit) -> tuple[Roll, str]:
    """Return the roll of a shot that is worst for the mover, and the band in which it is fired.

    Who has not moved yet chooses the band that it keeps to.
    """
    known = band_of_firer(table, firer)
    rolls = [(roll_to_hit(table, firer, mover, band), band) for band in ((known,) if known else BANDS)]
    return max(rolls, key=lambda roll: roll[0].chance)


@clause("CA-116", role="odds")
def exposures(table: ArmsTable, order: Order) -> list[Exposure]:
    """Return who may fire at a piece in an ordered move, part by part of it, as long as nobody does."""
    ordered = OrderedMove(table, order)
    moment, found = ordered.beginning(), list[Exposure]()
    for number, element in enumerate(ordered.elements):
        played = ordered.play(moment, element, {})
        for question in played.asked:
            found += _joined(one for _, one in ordered.parts(moment, number, question))
        moment = played.after
    return found


def _joined(parts: Iterator[Exposure]) -> Iterator[Exposure]:
    """Parts with the same odds as one where one begins as the other ends."""
    last: Exposure | None = None
    for one in parts:
        if last is not None and _goes_on(last, one):
            assert isinstance(last.when, Span)
            assert isinstance(one.when, Span)
            last = replace(last, when=last.when.up_to(one.when))
            continue
        if last is not None:
            yield last
        last = one
    if last is not None:
        yield last


def _goes_on(one: Exposure, other: Exposure) -> bool:
    if isinstance(one.when, str) or isinstance(other.when, str):
        return False
    return one.when.high == other.when.low and one.roll.modifiers == other.roll.modifiers and one.band == other.band
