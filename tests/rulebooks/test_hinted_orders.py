"""Whoever says what is no order is told one that can be given; see `tests/long/hints_untrue.py`."""

import pytest
from dt_games import bike, centred, game
from hinted_orders import POSITIONS, untrue

from simulator.engine.errors import UnreadableOrder
from simulator.engine.orders import Order


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", POSITIONS)
def test_orders_that_are_named_are_legal_or_it_is_said_why_not(kind, seed):
    assert untrue(kind, seed, share=6) == []


def test_an_order_that_was_meant_and_is_forbidden_is_named_with_the_clause():  # DT-59
    table = game(bike(place=(0, 0)), centred(8))
    with pytest.raises(
        UnreadableOrder, match=r"'A1 drive: move'\? The rules forbid it here: DT-59 a mode has to be selected"
    ):
        table.do("A1 move")


def test_the_example_of_one_left_incomplete_is_legal():  # DT-72, DT-74
    table = game(bike(place=(0, 0)), centred(8))
    with pytest.raises(UnreadableOrder, match="reads like 'A1 drive minimum: move'"):
        table.do("A1 drive cruise move")


def test_an_order_built_by_hand_is_answered_with_a_legal_one():  # DT-72
    table = game(bike(place=(0, 0)), centred(8))
    with pytest.raises(UnreadableOrder, match="an order reads like 'A1 drive") as error:
        table.do(Order("A1", "drive", (), {"mode": "cruise"}))
    example = str(error.value).split("reads like '")[1].split("'")[0]
    assert table.breaches(example) == []
