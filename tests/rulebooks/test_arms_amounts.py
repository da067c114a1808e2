"""Amounts as combined_arms keeps them: exact where they are simple, else to a thousand-millionth of an inch."""

from fractions import Fraction

import pytest

from simulator.engine.amounts import plain, tidy


@pytest.mark.parametrize(
    ("measured", "kept"),
    [
        (Fraction(16.333333333333332), Fraction(49, 3)),
        (Fraction(0.1 + 0.2), Fraction(3, 10)),
        (Fraction(1, 360), Fraction(1, 360)),
        (Fraction(3.141592653589793), Fraction(3141592654, 10**9)),  # no simple fraction is near
        (Fraction(1, 3) + Fraction(1, 10**9), Fraction(1, 3)),  # as near as that is the fraction
        (Fraction(1, 3) + Fraction(3, 10**9), Fraction(333333336, 10**9)),
        (Fraction(-2.5), Fraction(-5, 2)),
        (Fraction(8), 8),
    ],
)
def test_without_the_noise_of_measuring(measured, kept):
    assert tidy(measured) == kept


def test_whole_numbers_are_whole():
    assert type(plain(Fraction(8))) is type(tidy(Fraction(8.0000000000001))) is int
    assert type(plain(Fraction(1, 2))) is Fraction
