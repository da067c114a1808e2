"""A straight leg of a move that is made in parts, so that fire, damage and a new allowance fall in its middle.

The price of a leg is that of the whole. It is cut where something happens, and each part has the share of the lines
that it goes over: the parts add up to the whole exactly, wherever it is cut, and what is rounded is rounded once.

>>> firm, soft = LedgerLine("firm ground", 4, 1, "inches"), LedgerLine("soft ground", 2, 2, "inches")
>>> leg = Leg((0, 0), (6, 0), [firm, soft])
>>> [[str(line) for line in part.price] for part in leg.parts([5])]
[['4 inches  firm ground, 4 at 1', '2 inches  soft ground'], ['2 inches  soft ground']]
>>> leg.at(5), leg.paid(5), leg.longest(7)
((5.0, 0.0), Fields(inches=6), Fraction(11, 2))

An action asks who reacts where, goes up to there, lets it happen, and goes on from there:

    reactions = yield from reactions_along(React("fire", who=gun, options=[Along(spans)]) for gun in guns)
    for at, question in reactions:
        yield moved(leg.part(gone, at), leg.at(at))
        yield from fire(table, question.who, name)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from simulator.engine.ledger import LedgerLine, added
from simulator.engine.questions import LET_PASS, React
from simulator.engine.values import NO_FIELDS, Fields, Number

#: How far two measured lengths of one leg may be off each other by rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class LegPart:
    """A part of a leg: from which length of it to which, and its share of the price."""

    begin: Number
    end: Number
    of: Number
    price: tuple[LedgerLine, ...]

    @property
    def detail(self) -> Fields:
        """What an event says of it: `{"from": 2, "to": 5, "of": 9}`; nothing where it is the whole leg."""
        if self.begin == 0 and self.end == self.of:
            return NO_FIELDS
        return Fields({"from": self.begin, "to": self.end, "of": self.of})


@dataclass(frozen=True)
class Leg:
    """A straight leg, and what it costs in the order in which it is gone: each line's amount is a length of the leg.

    One that ends where it starts is a climb or a turn: its length is what the lines say.

    With a `grain` it is priced in pieces of that length from its start on, and one that is begun counts as a whole: the
    lines then add up to whole pieces. `rounded` rounds the price of the whole in each currency, where the leg ends.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    lines: Sequence[LedgerLine]
    grain: Number | None = None
    rounded: Callable[[Fraction], Fraction | int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(self.lines))
        if any(line.amount < 0 for line in self.lines):
            raise ValueError("the lines of a leg go over lengths of 0 and more")
        over, straight = sum(Fraction(line.amount) for line in self.lines), self._straight
        if straight and abs(float(over - self._counted(self.length if self.grain else straight))) > _ROUNDING:
            raise ValueError(f"the lines of a leg of {straight:.10g} go over {float(over):.10g}")

    @cached_property
    def _straight(self) -> float:
        return math.dist(self.start, self.end)

    @cached_property
    def length(self) -> Number:
        """How long it is: what its lines add up to, exactly; with a `grain`, from its start to its end."""
        if self.grain is not None and self._straight:
            straight = Fraction(self._straight)
            pieces = round(straight / Fraction(self.grain)) * Fraction(self.grain)
            return _plain(pieces if abs(pieces - straight) <= _ROUNDING else straight)
        return _plain(sum((Fraction(line.amount) for line in self.lines), Fraction(0)))

    def at(self, length: Number) -> tuple[float, float]:
        """Return the place after a length of it."""
        if length >= self.length:
            return self.end
        share = float(Fraction(length) / Fraction(self.length))
        (x, y), (right, up) = self.start, self.end
        return float(x + share * (right - x)), float(y + share * (up - y))

    def part(self, begin: Number, end: Number, stops: bool = False) -> LegPart:
        """Return the part between two lengths; with `stops` the leg ends there, though it was to be longer."""
        if not 0 <= begin <= end <= self.length:
            raise ValueError(f"there is no part from {begin} to {end} of a leg of {self.length}")
        price = tuple(self._lines_between(self._counted(begin), self._counted(end)))
        if self.rounded is not None and (stops or end == self.length):
            price = (*price, *self._rounding(end, self.rounded))
        return LegPart(begin, end, self.length, price)

    def parts(self, cuts: Iterable[Number]) -> Iterator[LegPart]:
        """Yield the parts between some lengths, the start and the end."""
        inner = sorted({cut for cut in cuts if 0 < cut < self.length})
        ends: list[Number] = [0, *inner, self.length]
        for begin, end in pairwise(ends):
            yield self.part(begin, end)

    def paid(self, length: Number) -> Fields:
        """Return what is paid in each currency when so much of it is gone, before anything is rounded."""
        return added(NO_FIELDS, self._lines_between(Fraction(0), self._counted(length)))

    def longest(self, allowance: Number, currency: str | None = None) -> Number:
        """Compute how much of it can be paid, of one currency or of the only one; what is rounded is not considered."""
        left, gone = Fraction(allowance), Fraction(0)
        for line in self.lines:
            amount = Fraction(line.amount)
            if currency is None or line.currency == currency:
                if line.price > left:
                    gone += max(left, Fraction(0)) / Fraction(line.rate)
                    break
                left -= line.price
            gone += amount
        if self.grain is not None:
            gone -= gone % Fraction(self.grain)
        return _plain(min(gone, Fraction(self.length)))

    def _counted(self, length: Number) -> Fraction:
        """How much of it counts as gone after a length: whole pieces, where it is priced in pieces."""
        if self.grain is None:
            return Fraction(length)
        return math.ceil(Fraction(length) / Fraction(self.grain) - Fraction(_ROUNDING)) * Fraction(self.grain)

    def _lines_between(self, begin: Fraction, end: Fraction) -> Iterator[LedgerLine]:
        before = Fraction(0)
        for line in self.lines:
            after = before + Fraction(line.amount)
            share = min(after, end) - max(before, begin)
            if share > 0:
                yield LedgerLine(line.what, _plain(share), line.rate, line.currency, line.clause)
            before = after

    def _rounding(self, end: Number, rounded: Callable[[Fraction], Fraction | int]) -> Iterator[LedgerLine]:
        for currency, paid in self.paid(end).items():
            rest = Fraction(rounded(Fraction(paid))) - Fraction(paid)
            if rest:
                clause = next(line.clause for line in self.lines if line.currency == currency)
                yield LedgerLine("rounded", _plain(rest), 1, currency, clause)


def reactions_along(questions: Iterable[React]) -> Generator[React, Any, list[tuple[Number, React]]]:
    """Ask who reacts where on a leg, each in turn; returns where and to which question, nearest to the start first.

    Of those at one place the one asked first comes first. Where a rulebook lets the others decide anew after each
    reaction, its action asks about the rest of the leg again.
    """
    found: list[tuple[Number, React]] = []
    for question in questions:
        at = yield question
        if at is not LET_PASS:
            found.append((at, question))
    return sorted(found, key=lambda entry: entry[0])


def _plain(number: Fraction) -> Number:
    return number.numerator if number.denominator == 1 else number
