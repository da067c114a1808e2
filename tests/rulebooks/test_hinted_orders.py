"""Whoever says what is no order is told one that can be given; see `tests/long/hints_untrue.py`."""

import pytest
from dt_games import bike, centred, game
from hinted_orders import POSITIONS, untrue
from mecha_duels import enemy, unit
from mecha_duels import game as duel

from simulator.engine.errors import UnreadableOrder
from simulator.engine.orders import Order


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", POSITIONS)
def test_orders_that_are_named_are_legal_or_it_is_said_why_not(kind, seed):
    assert untrue(kind, seed, share=30 if kind == "inches" else 6) == []


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


def _named(game, text):
    """The first unit that is named in the answer to an order of A that was left incomplete, after A itself."""
    with pytest.raises(UnreadableOrder) as error:
        game.read(text)
    words = str(error.value).splitlines()[-1].replace("'", " ").replace(":", " ").split()
    return next((game.state.unit(word) for word in words if word in game.state.units and word != "A"), None)


@pytest.mark.parametrize("seed", range(1, 4))
def test_charges_are_shown_on_opponents_and_carriers_are_friends(seed):  # ME-74, ME-88
    game = POSITIONS["inches"](seed)
    for text in ("A charge", "A charge:", "A charge ?", "A charge red9: forward 8"):
        assert _named(game, text).side == "blue"
    for text in ("A enter_unit", "A enter_unit:", "A unload: set_down ?"):
        assert getattr(_named(game, text), "side", "red") == "red"


def test_no_charge_is_shown_where_there_is_nobody_to_charge():  # ME-88
    game = duel(unit("A"), unit("A2", at=(30, 24)))
    assert _named(game, "A charge") is None
    assert _named(game, "A enter_unit").id == "A2"
    assert _named(duel(unit("A"), enemy()), "A enter_unit") is None
