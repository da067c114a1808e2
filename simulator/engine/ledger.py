"""The cost of an order, line by line: item, amount, rate and clause.

Lines are multiplied and added as fractions, whatever their numbers, so a ledger adds up exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from html import escape

from simulator.engine.constraints import is_number
from simulator.engine.values import Fields, Number, freeze, show
from simulator.wording import measure


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One line of a price: `amount` of something at a `rate`, paid in a `currency`.

    >>> line = LedgerLine("forward over difficult ground", amount=4, rate=2, currency="mp", clause="ME-11")
    >>> line.price, str(line)
    (Fraction(8, 1), '8 mp  forward over difficult ground, 4 at 2 (ME-11)')
    """

    what: str
    amount: Number = 1
    rate: Number = 1
    currency: str = ""
    clause: str = ""

    def __post_init__(self) -> None:
        for name in ("amount", "rate"):
            number = freeze(getattr(self, name))
            if not is_number(number):
                raise TypeError(f"the {name} of a price is a number, not {number!r}")
            object.__setattr__(self, name, number)

    @property
    def price(self) -> Fraction:
        """Amount times rate, exactly."""
        return Fraction(self.amount) * Fraction(self.rate)

    def to_fields(self) -> Fields:
        """Return the line as plain data."""
        return Fields(
            {
                "what": self.what,
                "amount": self.amount,
                "rate": self.rate,
                "currency": self.currency,
                "clause": self.clause,
            }
        )

    @classmethod
    def from_fields(cls, fields: Fields) -> LedgerLine:
        """Rebuild a line from its data."""
        return cls(**fields)

    def __str__(self) -> str:
        sum_of = f", {show(self.amount)} at {show(self.rate)}" if self.amount != 1 else ""
        clause = f" ({self.clause})" if self.clause else ""
        return f"{measure(self.price, self.currency)}  {self.what}{sum_of}{clause}"


@dataclass(frozen=True)
class Ledger:
    """The lines of an order or a route, in the order in which they were paid."""

    lines: tuple[LedgerLine, ...] = field(default=())

    def __init__(self, lines: Iterable[LedgerLine] = ()) -> None:
        object.__setattr__(self, "lines", tuple(lines))

    def __iter__(self) -> Iterator[LedgerLine]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def totals(self) -> Fields:
        """The amount paid in each currency."""
        return added(Fields(), self.lines)

    def total(self, currency: str = "") -> Fraction:
        """Return the amount paid in one currency."""
        return Fraction(self.totals.get(currency, 0))

    def _repr_html_(self) -> str:
        rows = [(show(line.price), line.currency, line.what, line.clause) for line in self.lines]
        rows += [(show(total), currency, "in all", "") for currency, total in self.totals.items()]
        cells = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in rows]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>"

    def __str__(self) -> str:
        return "\n".join([*(str(line) for line in self.lines), f"{sums_text(self.totals) or 'nothing'}  in all"])


def sums_text(totals: Mapping[str, Number]) -> str:
    """Return the text of the amount paid in each currency.

    >>> sums_text({"AP": 2, "squares": 1})
    '2 AP, 1 square'
    """
    return ", ".join(measure(total, currency) for currency, total in totals.items())


def added(spent: Fields, lines: Iterable[LedgerLine]) -> Fields:
    """Return the amount spent in each currency, with these lines added."""
    sums: dict[str, Number] = {}
    for line in lines:
        before = sums[line.currency] if line.currency in sums else spent.get(line.currency, 0)
        # Whole numbers, as most prices are, are added as such: a whole fraction is kept as a whole number anyway.
        whole = type(before) is type(line.amount) is type(line.rate) is int
        sums[line.currency] = before + line.amount * line.rate if whole else Fraction(before) + line.price
    return spent.put(sums)
