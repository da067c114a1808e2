"""Chances and charges against play under options and figures, at moments of a turn; see `grid_runner_chances`.

A slice of what `tests/long/grid_runner_reach.py` asks for as long as one likes.
"""

import pytest
from grid_runner_boards import game
from grid_runner_chances import chain_differences, compared

#: Which positions are asked about here.
CHANCES, CHAINS, CHARGES = range(20, 36), (*range(100, 130), 133, 172, 189, 257), (61, 62, 63, 65, 69, 71, 73, 77, 87)


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
