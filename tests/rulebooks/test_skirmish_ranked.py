"""Values kept by rank are those that plain arithmetic makes of them."""

import numpy as np
import pytest

from simulator.rulesets.skirmish.odds.ranked import Ranked

CHANCES = [0.0, 0.0, 0.16, 0.36, 0.4, 0.6, 0.64, 1.0]
SHAPE = 9, 5


def drawn(dice, shape=SHAPE, kinds=8):
    """Values of places by goals, of so many of the chances."""
    return dice.choice(dice.permutation(CHANCES)[:kinds], shape)


def same(ranked, values):
    """Whether ranked values are these, with levels in order and ranks of a few bytes."""
    assert np.all(np.diff(ranked.levels) > 0)
    assert ranked.levels[0] == 0.0
    assert ranked.ranks.dtype.itemsize == 1 + (len(ranked.levels) > 256)
    return np.allclose(ranked.values, values, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
class TestArithmetic:
    def test_the_highest_of_several(self, seed):
        dice = np.random.default_rng(seed)
        several = [drawn(dice, kinds=dice.integers(1, 8)) for _ in range(dice.integers(1, 5))]
        assert same(Ranked.highest([Ranked.of(values) for values in several]), np.maximum.reduce(several))

    @pytest.mark.parametrize("shape", [SHAPE, (1, SHAPE[1]), (1, 1)])
    def test_what_is_made_of_two(self, shape, seed):
        """Few values by a table of all pairs, many one by one."""
        dice = np.random.default_rng(seed)
        for made in (drawn(dice), dice.random(SHAPE)):
            missed = drawn(dice, shape)
            mixed = Ranked.of(made).mixed(Ranked.of(missed), lambda one, other: 0.4 * one + 0.6 * other)
            assert same(mixed, 0.4 * made + 0.6 * missed)
            better = Ranked.of(made).mixed(Ranked.of(missed), lambda one, other: np.where(one > other, one, 0.0))
            assert same(better, np.where(made > missed, made, 0.0))

    def test_rows_that_are_raised(self, seed):
        """Several values may be meant for one row; what is not raised stays as it was, here and in the original."""
        dice = np.random.default_rng(seed)
        values, count = drawn(dice, kinds=4), dice.integers(0, 14)
        rows, to = dice.integers(0, SHAPE[0], count), drawn(dice, (count, SHAPE[1]))
        before = Ranked.of(values)
        raised = before.raised(rows, Ranked.of(to))
        expected = values.copy()
        np.maximum.at(expected, rows, to)
        assert same(raised, expected)
        assert same(before, values)

    def test_parts_and_one_value(self, seed):
        dice = np.random.default_rng(seed)
        values, rows, mask = drawn(dice), dice.integers(0, SHAPE[0], 6), dice.random(SHAPE) < 0.5
        ranked = Ranked.of(values)
        assert same(ranked.rows(rows), values[rows])
        assert np.array_equal(ranked.only(mask).values, np.where(mask, values, 0.0))
        assert same(Ranked.where(mask, 0.4), np.where(mask, 0.4, 0.0))
        assert same(Ranked.where(mask, 0.0), np.zeros(SHAPE))


def test_more_values_than_a_byte_can_number():
    values = np.linspace(0.0, 1.0, 300).reshape(20, 15)
    few = Ranked.of(np.where(values > 0.5, 0.5, 0.0))
    both = Ranked.highest([Ranked.of(values), few])
    assert same(both, np.maximum(values, few.values))
    assert same(few.raised(np.arange(20), Ranked.of(values)), np.maximum(values, few.values))


def test_what_differs_by_rounding_alone_is_one_level():
    values = np.array([[0.4, 0.4 + 1e-14, 0.4 - 1e-14, 1e-13]])
    assert Ranked.of(values).ranks.tolist() == [[1, 1, 1, 0]]
