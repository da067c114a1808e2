"""The longest part of a leg that a limit allows: as near as halving comes to it, and much sooner."""

from fractions import Fraction

import numpy as np
import pytest

from simulator.rulesets.combined_arms.longest import longest


def halved(whole, used, most):
    """The same by halving alone."""
    low, high = Fraction(0), whole
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if used(middle) <= most else (low, middle)
    return low


def growing(seed, leaps):
    """What is used along a way of some stretches, each at a rate of its own, with leaps between; how long it is."""
    dice = np.random.default_rng(seed)
    inches = [Fraction(int(part), 8) for part in dice.integers(1, 40, 5)]
    rates = [Fraction(int(part), 2) for part in dice.integers(1, 5, 5)]
    extra = [Fraction(int(part) * leaps, 2) for part in dice.integers(0, 6, 5)]

    def used(length):
        spent = Fraction(0)
        for stretch, rate, leap in zip(inches, rates, extra, strict=True):
            spent += min(length, stretch) * rate
            length -= stretch
            if length < 0:
                break
            spent += leap
        return spent

    return sum(inches), used


@pytest.mark.parametrize("leaps", [0, 1])
@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_halving_comes_to(seed, leaps):  # CA-92
    whole, used = growing(seed, leaps)
    for share in (Fraction(1, 50), Fraction(1, 3), Fraction(5, 7), Fraction(99, 100)):
        most = used(whole) * share
        found = longest(whole, used, most)
        assert abs(found - halved(whole, used, most)) <= whole / 2**49
        assert used(found) <= most or found == 0


@pytest.mark.parametrize("seed", range(12))
def test_where_nothing_leaps_it_takes_few_trials(seed):
    whole, used = growing(seed, 0)
    tried = []
    longest(whole, lambda length: tried.append(length) or used(length), used(whole) * Fraction(4, 5))
    assert len(tried) < 14


def test_where_nothing_is_allowed_it_is_next_to_nothing():
    assert longest(Fraction(8), lambda length: length + 5, Fraction(5)) <= Fraction(8, 2**49)
