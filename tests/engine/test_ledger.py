"""Ledgers add up exactly, whatever numbers they are made of."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.ledger import Ledger, LedgerLine, added
from simulator.engine.values import Fields, from_text, to_text

NUMBERS = (
    st.integers(-1000, 1000) | st.fractions(max_denominator=1000) | st.floats(-1e6, 1e6, allow_nan=False, width=32)
)
LINES = st.builds(
    LedgerLine, st.text(max_size=5), NUMBERS, NUMBERS, st.sampled_from(["mp", "AP", ""]), st.just("ME-11")
)


@settings(deadline=None)
@given(st.lists(LINES, max_size=12))
def test_the_running_price_ends_at_the_total(lines):
    spent = Fields()
    for line in lines:
        spent = added(spent, [line])
    ledger = Ledger(lines)
    assert spent == ledger.totals
    for currency in ("mp", "AP", ""):
        by_hand = sum((Fraction(line.amount) * Fraction(line.rate) for line in lines if line.currency == currency), 0)
        assert ledger.total(currency) == by_hand


@settings(deadline=None)
@given(LINES)
def test_a_line_comes_back_from_plain_data(line):
    back = LedgerLine.from_fields(from_text(to_text(line.to_fields())))
    assert back == line
    assert back.price == line.price


def test_a_tenth_ten_times_is_one():
    assert Ledger([LedgerLine("a step", Fraction(1, 10))] * 10).total() == 1


def test_it_reads_like_a_bill():
    lines = [
        LedgerLine("forward over difficult ground", 4, 2, "mp", "ME-11"),
        LedgerLine("turn left 60", 3, Fraction(1, 2), "mp"),
    ]
    assert str(Ledger(lines)) == (
        "8 mp  forward over difficult ground, 4 at 2 (ME-11)\n1.5 mp  turn left 60, 3 at 0.5\n9.5 mp  in all"
    )
    assert str(Ledger()) == "nothing  in all"


@pytest.mark.parametrize("wrong", ["1", None, True, (1,)])
def test_a_price_is_made_of_numbers(wrong):
    with pytest.raises(TypeError, match="is a number"):
        LedgerLine("odd", amount=wrong)
