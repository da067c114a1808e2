"""Legs: moves made in parts, so that fire, damage and a new allowance can come in the middle.

A leg follows a `Path`: straight, round bends, with turns on the spot. Its price is that of the whole. It is cut where
something happens, and each part has its share of the price lines: the parts add up exactly to the whole, wherever it is
cut, and rounding is done once.

>>> firm, soft = LedgerLine("firm ground", 4, 1, "inches"), LedgerLine("soft ground", 2, 2, "inches")
>>> leg = Leg.straight((0, 0), (6, 0), [firm, soft])
>>> [[str(line) for line in part.price] for part in leg.parts([5])]
[['4 inches  firm ground, 4 at 1', '2 inches  soft ground'], ['2 inches  soft ground']]
>>> leg.at(5), leg.paid(5), leg.longest(7)
((5.0, 0.0), Fields(inches=6), Fraction(11, 2))

A turn on the spot along the way is made as a whole, at one length of the leg: events at that length happen before it. A
turn by itself is a leg in degrees, and can be cut like any other.

>>> corner = Path((0, 0), (Straight((0, 0), (5, 0)), Turn((5, 0), 0, 90), Straight((5, 0), (5, 9), heading=90)))
>>> leg = Leg(corner, [LedgerLine("forward", 14)], turns=[[LedgerLine("turn", 1, 12)]])
>>> [[str(line.price) for line in part.price] for part in leg.parts([5, 8])]
[['5'], ['12', '3'], ['6']]
>>> str(leg.pose_at(5)), str(leg.pose_at(8)), leg.longest(16), leg.longest(18)
('5,0 facing 0', '5,3 facing 90', 5, 6)
>>> turn = Path((5, 0), (Turn((5, 0), 0, 60),))
>>> leg = Leg(turn, [LedgerLine("turn", Fraction("67.5"), Fraction(1, 45))], grain=Fraction("22.5"))
>>> leg.length, leg.paid(60), leg.paid(40), str(leg.pose_at(40))
(60, Fields(=Fraction(3, 2)), Fields(=1), '5,0 facing 40')

An action asks who reacts where, moves up to there, plays the reaction, and continues from there:

    questions = [React("fire", who=gun, options=[Along(spans, path=leg.path)]) for gun in guns]
    reactions = yield from reactions_along(questions)
    for at, question in reactions:
        yield moved(leg.part(gone, at), leg.at(at))
        yield from fire(table, question.who, name)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from simulator.engine.ledger import LedgerLine, added
from simulator.engine.questions import LET_PASS, React
from simulator.engine.values import NO_FIELDS, Fields, Number
from simulator.geometry.paths import Path, PathPiece, Straight, Turn
from simulator.geometry.pieces import XY
from simulator.geometry.poses import Pose

#: The largest difference by rounding between two measured lengths of one leg.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class LegPart:
    """A part of a leg: its first and last length, and its share of the price."""

    begin: Number
    end: Number
    of: Number
    price: tuple[LedgerLine, ...]

    @property
    def detail(self) -> Fields:
        """Its detail in events: `{"from": 2, "to": 5, "of": 9}`; none for the whole leg."""
        if self.begin == 0 and self.end == self.of:
            return NO_FIELDS
        return Fields({"from": self.begin, "to": self.end, "of": self.of})


class _Charge(NamedTuple):
    """A line of the price between two counted lengths of the leg; that of a turn is due at one length."""

    begin: Fraction
    end: Fraction
    line: LedgerLine


@dataclass(frozen=True)
class Leg:
    """A path and its cost, in the direction of travel: the amount of each line is a length of the path.

    The length of a path that only turns is in degrees; one that goes nowhere is a climb, with the length of its lines.

    `turns` are the prices of the turns on the spot, one list of lines for each; without it they are free. With a
    `grain` the leg is priced in pieces of that length from its start, and a piece begun counts as a whole: the lines
    then add up to whole pieces. `rounded` rounds the price of the whole in each currency, at the end of the leg.
    """

    path: Path
    lines: Sequence[LedgerLine]
    grain: Number | None = None
    rounded: Callable[[Fraction], Fraction | int] | None = None
    turns: Sequence[Sequence[LedgerLine]] = ()

    def __post_init__(self) -> None:
        on_spot = sum(isinstance(piece, Turn) for piece in self.path.pieces)
        object.__setattr__(self, "lines", tuple(self.lines))
        object.__setattr__(self, "turns", tuple(map(tuple, self.turns)) or ((),) * on_spot)
        if len(self.turns) != on_spot:
            raise ValueError(f"there are prices of {len(self.turns)} turns on the spot, but the leg has {on_spot}")
        if any(line.amount < 0 for line in self.lines):
            raise ValueError("the lines of a leg have amounts of 0 or more")
        over, long = self._over, self._measured
        # Turns may have prices of their own, and no line for their degrees.
        needs_lines = long and (self._goes or self.lines)
        if needs_lines and abs(over - self._counted(self.length if self.grain else long)) > _ROUNDING:
            raise ValueError(f"the lines of a leg of {float(long):.10g} add up to {float(over):.10g}")
        self._check_turns()

    def _check_turns(self) -> None:
        if self.grain is not None and any(0 < length < self.length for length in self.turning_lengths):
            raise ValueError("a turn on the spot cannot be inside a leg counted in pieces: begin another leg after it")
        if any(lines and length >= self.length > 0 for length, lines in self._turns):
            # A leg could not end after its last length but before a turn that cannot be paid.
            raise ValueError("a turn on the spot with a price cannot end a leg: make it a separate leg")

    @classmethod
    def straight(
        cls,
        start: XY,
        end: XY,
        lines: Sequence[LedgerLine],
        grain: Number | None = None,
        rounded: Callable[[Fraction], Fraction | int] | None = None,
    ) -> Leg:
        """Return a straight leg; one that ends where it starts is a climb."""
        return cls(Path(start, (Straight(start, end),) if start != end else ()), lines, grain, rounded)

    # --- lengths ---

    @property
    def start(self) -> XY:
        """Its first place."""
        return self.path.start

    @property
    def end(self) -> XY:
        """Its last place."""
        return self.path.end

    @cached_property
    def length(self) -> Number:
        """Its length: the exact sum of its lines; with a `grain`, from its start to its end."""
        if self.grain is not None and self._measured:
            pieces = round(self._measured / Fraction(self.grain)) * Fraction(self.grain)
            return _plain(pieces if abs(pieces - self._measured) <= _ROUNDING else self._measured)
        return _plain(self._over if self.lines or self._goes else self._measured)

    @cached_property
    def _goes(self) -> bool:
        """Whether it leads anywhere, there and back included."""
        return any(piece.length > 0.0 for piece in self.path.pieces)

    @cached_property
    def _measured(self) -> Fraction:
        """The length of its path; in degrees if it only turns."""
        return sum(map(self._extent, self.path.pieces), Fraction(0))

    @cached_property
    def _over(self) -> Fraction:
        return sum((Fraction(line.amount) for line in self.lines), Fraction(0))

    def _extent(self, piece: PathPiece) -> Fraction:
        return Fraction(abs(piece.turn) if isinstance(piece, Turn) and not self._goes else piece.length)

    @cached_property
    def _ends(self) -> tuple[Fraction, ...]:
        """The lengths at which its pieces end, snapped to the ends of lines and of the leg."""
        whole = Fraction(self.length)
        borders = () if self.grain else accumulate(Fraction(line.amount) for line in self.lines)
        known = (Fraction(0), *borders, whole)
        return tuple(
            min(next((border for border in known if abs(border - end) <= _ROUNDING), end), whole)
            for end in accumulate(map(self._extent, self.path.pieces))
        )

    @property
    def turning_lengths(self) -> tuple[Number, ...]:
        """The lengths at which it turns on the spot."""
        return tuple(_plain(length) for length, _ in self._turns)

    @cached_property
    def _turns(self) -> tuple[tuple[Fraction, tuple[LedgerLine, ...]], ...]:
        begins = (Fraction(0), *self._ends)
        on_spot = [begin for begin, piece in zip(begins, self.path.pieces, strict=False) if isinstance(piece, Turn)]
        return tuple(zip(on_spot, map(tuple, self.turns), strict=True))

    def _settled(self, length: Number) -> Number:
        """Return a length, snapped to a turn on the spot or the end of the leg if it is within rounding of it."""
        known: tuple[Number, ...] = (*self.turning_lengths, self.length)
        return next((one for one in known if abs(Fraction(one) - Fraction(length)) <= _ROUNDING), length)

    # --- places ---

    def at(self, length: Number) -> XY:
        """Return the place at a length."""
        length = self._settled(length)
        if length >= self.length:
            return self.end
        if length <= 0 or not self._goes:
            return self.start
        piece, share = self._piece_at(length)
        return piece.at(share)

    def pose_at(self, length: Number) -> Pose:
        """Return the place and the heading at a length; if it turns on the spot there, those before the turn."""
        pieces = self.path.pieces
        length = self._settled(length)
        if not pieces:
            return Pose(self.start)
        if length >= self.length:
            return Pose(self.end, pieces[-1].heading_at(1.0))
        if length <= 0:
            return Pose(self.start, pieces[0].heading_at(0.0))
        piece, share = self._piece_at(length)
        return Pose(piece.at(share), piece.heading_at(share))

    def _piece_at(self, length: Number) -> tuple[PathPiece, float]:
        """Return the piece that contains a length before the end, and the share of the piece up to there."""
        at, begins = Fraction(length), (Fraction(0), *self._ends)
        known = zip(self.path.pieces, begins, self._ends, strict=False)
        piece, begin, end = next(one for one in known if one[1] < one[2] and at <= one[2])
        return piece, float((at - begin) / (end - begin))

    # --- parts ---

    def part(self, begin: Number, end: Number, stops: bool = False) -> LegPart:
        """Return the part between two lengths; with `stops` the leg is broken off there."""
        begin, end = self._settled(begin), self._settled(end)
        if not 0 <= begin <= end <= self.length:
            raise ValueError(f"there is no part from {begin} to {end} of a leg of {self.length}")
        price = tuple(self._lines_between(begin, end))
        # A leg that has reached its end has been rounded already.
        if self.rounded is not None and (stops or end == self.length) and (begin < self.length or not self.length):
            price = (*price, *self._rounding(end, self.rounded))
        return LegPart(begin, end, self.length, price)

    def parts(self, cuts: Iterable[Number]) -> Iterator[LegPart]:
        """Yield the parts between some lengths, the start and the end."""
        inner = sorted({cut for cut in cuts if 0 < cut < self.length})
        ends: list[Number] = [0, *inner, self.length]
        for begin, end in pairwise(ends):
            yield self.part(begin, end)

    def paid(self, length: Number) -> Fields:
        """Return the amount paid in each currency up to a length, before rounding."""
        return added(NO_FIELDS, self._lines_between(0, self._settled(length)))

    def longest(self, allowance: Number, currency: str | None = None) -> Number:
        """Compute the longest length that can be paid, in one currency or the only one, before rounding.

        It ends at a turn on the spot that cannot be paid. A negative allowance counts as 0.
        """
        left = max(Fraction(allowance), Fraction(0))
        for begin, end, line in self._charges:
            if currency is None or line.currency == currency:
                if line.price > left:
                    gone = begin if begin == end else begin + left / Fraction(line.rate)
                    break
                left -= line.price
        else:
            return self.length
        if self.grain is not None:
            gone -= gone % Fraction(self.grain)
        return _plain(min(gone, Fraction(self.length)))

    def _counted(self, length: Number) -> Fraction:
        """Return the length that counts for the price at a length: whole pieces if it is priced in pieces."""
        if self.grain is None:
            return Fraction(length)
        return math.ceil((Fraction(length) - Fraction(_ROUNDING)) / Fraction(self.grain)) * Fraction(self.grain)

    @cached_property
    def _charges(self) -> tuple[_Charge, ...]:
        """All lines in the order in which they are due; those that continue after a turn on the spot are cut there."""
        found, begin = [], Fraction(0)
        waiting = [_Charge(at, at, line) for at, lines in self._turns for line in lines][::-1]
        for line in self.lines:
            end = begin + Fraction(line.amount)
            if begin == end:
                continue
            while waiting and waiting[-1].begin < end:
                turn = waiting.pop()
                if begin < turn.begin:
                    found.append(_Charge(begin, turn.begin, _share(line, turn.begin - begin)))
                    begin = turn.begin
                found.append(turn)
            found.append(_Charge(begin, end, _share(line, end - begin)))
            begin = end
        return (*found, *waiting[::-1])

    def _lines_between(self, begin: Number, end: Number) -> Iterator[LedgerLine]:
        first, last = self._counted(begin), self._over if end >= self.length else self._counted(end)
        for charge in self._charges:
            if charge.begin == charge.end:
                if begin <= charge.begin < end:
                    yield charge.line
            elif (share := min(charge.end, last) - max(charge.begin, first)) > 0:
                yield _share(charge.line, share)

    def _rounding(self, end: Number, rounded: Callable[[Fraction], Fraction | int]) -> Iterator[LedgerLine]:
        for currency, paid in self.paid(end).items():
            rest = Fraction(rounded(Fraction(paid))) - Fraction(paid)
            if rest:
                clause = next(charge.line.clause for charge in self._charges if charge.line.currency == currency)
                yield LedgerLine("rounded", _plain(rest), 1, currency, clause)


def reactions_along(questions: Iterable[React]) -> Generator[React, Any, list[tuple[Number, React]]]:
    """Ask questions about reactions on a leg in turn; return lengths with their questions, nearest to the start first.

    At equal lengths the order of the questions counts. If a rulebook lets players decide again after each reaction, its
    action asks about the rest of the leg again.
    """
    found: list[tuple[Number, React]] = []
    for question in questions:
        at = yield question
        if at is not LET_PASS:
            found.append((at, question))
    return sorted(found, key=lambda entry: entry[0])


def _share(line: LedgerLine, amount: Fraction) -> LedgerLine:
    return replace(line, amount=_plain(amount))


def _plain(number: Fraction) -> Number:
    return number.numerator if number.denominator == 1 else number
