"""What an explanation claims is tried out: remedies, nearest ends, figures; see `tests/long/claims_untrue.py`."""

import pytest
from explained import hints_untrue, untrue
from one_truth import POSITIONS
from skirmish_tables import game_with, wall


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", ["squares", "dots"])
def test_on_a_lattice_claims_come_true(kind, seed):
    assert untrue(kind, seed) == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [1, 3])
def test_on_a_table_claims_come_true(seed):
    assert untrue("table", seed, count=2) == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", POSITIONS)
def test_orders_named_as_examples_are_legal(kind, seed):
    game, _ = POSITIONS[kind](seed)
    assert hints_untrue(game) == []


def test_over_a_wall_it_takes_less_than_round_it():  # SK-18
    reach = game_with(wall((3, -20), (3, 20))).reach("A1", ap=1)
    why = reach.why_not((3.5, 0))
    assert why.remedy == "1 AP more"
    assert [(one.clause, one.needed, one.available) for one in why.reasons] == [("SK-17", 3.5, 2.5), ("SK-18", 2, 1)]


@pytest.mark.parametrize(
    ("action", "place", "remedy"),
    [
        ("move", (-3.249, 0), "0.249 inches more"),
        ("run", (-9.2, 0), "0.2 inches more"),
        ("turn", (-9.249, 0), "1 AP more"),
    ],
)
def test_one_length_has_one_figure(action, place, remedy):  # SK-2, SK-30
    why = game_with().reach("A1", action).why_not(place)
    assert why.remedy == remedy
    (reason,) = why.reasons
    assert reason.needed - reason.available == pytest.approx(abs(place[0]) - reason.available, abs=1e-9)
    assert f"{abs(place[0]):g} inches" in reason.message
    assert str(why).startswith(f"{place[0]:g},0 cannot be reached")
