"""What may stand in a field: what is said of it and what fits, for every combination of limits."""

from fractions import Fraction
from itertools import product

import pytest

from simulator.engine.constraints import WORD, WORDS, number_value, or_nothing, whole_value

VALUES = (-1, 0, 1, 1.5, 2, Fraction(5, 2), 3, 4, 99)


@pytest.mark.parametrize(
    ("least", "most", "says"),
    [
        (None, None, "a whole number"),
        (1, None, "a whole number of 1 or more"),
        (None, 3, "a whole number of at most 3"),
        (0, 9, "a whole number from 0 to 9"),
    ],
)
def test_it_says_its_limits(least, most, says):
    assert whole_value(least, most).about == or_nothing(whole_value(least, most)).about == says
    assert number_value("a whole number", least=least, most=most).about == says


def test_it_says_what_it_has_to_lie_above():
    assert number_value().about == "a number"
    assert number_value("a length", above=0).about == "a length above 0"
    assert number_value("a length", above=0, most=3).about == "a length above 0 and up to 3"


@pytest.mark.parametrize(("least", "above", "most"), [*product((None, 1, 2), (None, 0, 1), (None, 2, 3))])
def test_just_what_lies_within_the_limits_fits(least, above, most):
    within = [
        value
        for value in VALUES
        if not (least is not None and value < least)
        and not (above is not None and value <= above)
        and not (most is not None and value > most)
    ]
    wanted = number_value(least=least, above=above, most=most)
    assert [value for value in VALUES if wanted.fits(value)] == within
    if above is None:
        whole = whole_value(least, most)
        assert [value for value in VALUES if whole.fits(value)] == [one for one in within if isinstance(one, int)]


@pytest.mark.parametrize("odd", [True, False, None, "1", "", (), (1,), ("a", 1), b"a"])
def test_what_is_no_number_fits_no_limits(odd):
    assert not whole_value().fits(odd)
    assert not number_value().fits(odd)
    assert or_nothing(whole_value()).fits(odd) == (odd is None)
    assert WORD.fits(odd) == isinstance(odd, str)
    assert WORDS.fits(odd) == (odd == ())


def test_words_are_a_list_of_words():
    assert WORDS.fits(("a", "b"))
    assert not WORDS.fits(["a"])  # plain data have tuples for lists
