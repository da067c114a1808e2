"""What rotations cost: shares of the current rate by brackets of the angle, rounded, grouped by sense."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.pathing.posed import NO_GROUP, Follow, Move, Rotate, Travel, TurnPrices
from simulator.rulesets.combined_arms.figures import share
from simulator.rulesets.combined_arms.rates import current_rate, turns_freely
from simulator.rulesets.combined_arms.units import ArmsTable, column_of

#: Of a piece without allowance, which may not rotate: more than it can pay.
_NEVER = TurnPrices.flat(1)
#: No rotation is wider (CA-47); those that are priced together may be, and count as this one.
_WIDEST = Fraction(180)
#: The price of a rotation that would count as a higher band than it may.
_TOO_DEAR = Fraction(10**6)


@clause("CA-36", "CA-37", "CA-38", "CA-47", role="figure")
def brackets_of(table: ArmsTable, unit: Unit) -> Iterable[tuple[Fraction, Fraction]]:
    """Return the brackets of angles of a piece, each its upper limit and the share of the rate that it costs."""
    who = column_of(unit)
    if unit.type == "infantry" and table.options.infantry_turning != "sixth_any_angle":
        if table.options.infantry_turning == "free":
            return [(Fraction(180), Fraction(0))]
        who = "grav"
    row = table.tables[f"turn.{table.options.turn_table}.{who}"]
    return zip(map(Fraction, row["up_to"]), map(share, row["share"]), strict=True)


@clause("CA-44", "CA-45")
def rounded(table: ArmsTable, price: Fraction) -> Fraction:
    """Round the price of a rotation to the nearest whole inch, halves up."""
    if table.options.turn_cost_rounding == "exact":
        return price
    return Fraction(math.floor(price + Fraction(1, 2)))


@clause("CA-39", "CA-41", "CA-42", "CA-43", "CA-46", "CA-48", "CA-87", "CA-16")
def turn_prices(table: ArmsTable, unit: Unit, most: Fraction | None = None) -> TurnPrices:
    """Return what rotations of a piece cost; neither terrain nor the way it travels matters.

    Those that cost more than `most`, alone or priced together, cost more than any piece can pay.
    """
    rate = current_rate(table, unit)
    if not rate:
        # A sixth of nothing is nothing, and yet an immobile piece does not rotate.
        return TurnPrices.flat(0) if turns_freely(unit) else _NEVER
    prices = [(limit, rounded(table, part * rate)) for limit, part in brackets_of(table, unit)]
    if most is not None:
        prices = [(limit, price if price <= most else _TOO_DEAR) for limit, price in prices]
    return TurnPrices.of(prices, separation=Fraction(table.options.turn_separation_inches))


@clause("CA-46", "CA-97")
def widest_rotation(moves: Iterable[Move]) -> Fraction:
    """Return the widest angle that some moves sweep at once, those in one sense one after the other together.

    >>> widest_rotation([Rotate(Fraction(90)), Rotate(Fraction(-30)), Rotate(Fraction(-70))])
    Fraction(100, 1)
    """
    widest = swept = Fraction(0)
    for move in moves:
        if isinstance(move, Rotate) and move.degrees:
            swept = Fraction(move.degrees) + (swept if (swept > 0) == (move.degrees > 0) else 0)
            widest = max(widest, abs(swept))
    return min(widest, _WIDEST)


@clause("CA-46", "CA-97")
def dearest_rotation(prices: TurnPrices, moves: Iterable[Move]) -> Fraction:
    """Return what the dearest rotation of some moves costs, those that are priced together as one."""
    group, dearest = NO_GROUP, Fraction(0)
    for move in moves:
        if isinstance(move, Rotate):
            _, group = prices.turn(group, move.degrees)
            dearest = max(dearest, group.paid)
        elif isinstance(move, Travel):
            group = group.after(move.inches)
        elif isinstance(move, Follow):
            group = group.after(move.link.walked)
    return dearest
