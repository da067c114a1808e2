"""Chances and charges against play under options and figures, at moments of a turn; see `grid_runner_chances`.

A slice of what `tests/long/grid_runner_reach.py` asks for as long as one likes.
"""

import pytest
from grid_runner_boards import game
from grid_runner_chances import chain_differences, compared, in_one_pass, order_differences

#: Which positions are asked about here.
CHANCES, CHAINS, CHARGES = (
    (*range(20, 36), 277),
    (*range(100, 130), 133, 172, 189, 257),
    (61, 62, 63, 65, 69, 71, 73, 77, 87),
)


@pytest.mark.sampled
@pytest.mark.parametrize("part", range(4))
def test_chances_of_one_pass(part):
    """GR-32, GR-33, GR-48 to GR-51, GR-57, GR-58, GR-64, GR-67, GR-68: at a pace, sprinting, with given chances."""
    for seed in CHANCES[part::4]:
        assert list(compared("chances", seed, reference=seed % 8 == 0) or ()) == []


@pytest.mark.sampled("1")
@pytest.mark.parametrize("part", range(3))
def test_chances_of_several_passes(part):
    """GR-13, GR-20, GR-21, GR-24, GR-48, GR-49: whoever is stopped is out of the chain."""
    for seed in CHAINS[part::3]:
        assert list(compared("chains", seed) or ()) == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", CHARGES)
def test_charge_lanes(seed):
    """GR-74, GR-75: squares, prices and chances, each attack given to the judge after its movement."""
    assert list(compared("charges", seed, reference=seed == 62) or ()) == []


#: A square or two in each of four passes.
SHORT = {"allotment_table.m1.walk.human.h4": [2, 1, 1, 1]}


def test_past_two_guards_over_four_passes():
    """GR-48, GR-49: at the start of each pass the guards have their free action back."""
    guards = {"B1": {"damage_chance": "1/4"}, "C1": {"damage_chance": "1/3"}}
    played = game(". b . .\n@ . . c\n. . . .", {}, {"A": {"passes": 4}, **guards}, tables=SHORT)
    reach = played.reach("A", "move", passes=4)
    assert {reach.chance_at(place) for place in reach} > {1}
    assert list(chain_differences(played, 4, "move", "")) == []


#: Three squares at each scale.
THREE = {f"allotment_table.{scale}.walk.human.h1": [3] for scale in ("m1", "m2", "m5")}
GUARDS = {"B1": {"damage_chance": "1/2"}, "C1": {"damage_chance": 1}, "A": {"agility_gymnastics": 1}}


@pytest.mark.sampled
@pytest.mark.parametrize("options", [{}, {"tumble_first": "gm"}, {"tumble_push": "any_interception"}])
@pytest.mark.parametrize("drawing", [". . .\n@ b .\n. . c", ". b .\n@ c .\n. . ."])
@pytest.mark.parametrize("spent", [(), ("B1",), ("B1", "C1")])
def test_the_safest_tumble_takes_the_fewest_squares_that_are_as_safe(drawing, options, spent):
    """GR-66, GR-68: where enemies have used their free actions, straight through them is as safe as round them."""
    played = game(drawing, {"scale": "m1", **options}, GUARDS, tables=THREE)
    for name in spent:
        played.do(f"{name} act free")
    reach = played.reach("A", "tumble")
    assert list(order_differences(played, reach, in_one_pass(played, "tumble"), None, "tumble")) == []


def test_a_tumble_by_its_goal_takes_the_fewest_squares():
    """GR-66: nobody can intercept it, so the way is straight through."""
    played = game(". . .\n@ b .\n. . .", {"free_actions_per_pass": 0}, tables=THREE)
    assert played.do("A tumble to 2,1", answers=[0]).ledger.total("squares") == 2
