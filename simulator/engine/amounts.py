"""Amounts as they are kept: exact fractions, whole numbers where they are whole, without the noise of measuring."""

from __future__ import annotations

from fractions import Fraction

from simulator.engine.values import Number

#: Numbers are measured this closely; one as near a fraction with so small a denominator is that fraction.
_MEASURED = Fraction(1, 10**9)
_SIMPLE = 360
#: The digits of an inch to which places are kept.
PLACE_DIGITS = 9


def tidy(number: Fraction) -> Number:
    """Return a number without the digits that only measuring made of it.

    >>> tidy(Fraction(16.333333333333332)), tidy(Fraction(0.1 + 0.2)), tidy(Fraction(8))
    (Fraction(49, 3), Fraction(3, 10), 8)
    """
    near = number.limit_denominator(_SIMPLE)
    return plain(near if abs(near - number) <= _MEASURED else Fraction(round(number / _MEASURED)) * _MEASURED)


def plain(number: Fraction) -> Number:
    """Return a whole number as one."""
    return number.numerator if number.denominator == 1 else number
