"""What foresight lists of an order is exactly what its plays come to, each played by itself, in all three rulebooks."""

import pytest
from foresight_worlds import WORLDS, assert_foreseen_is_played


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("rulebook", WORLDS)
def test_what_is_listed_is_what_some_play_comes_to(rulebook, seed):
    """GR-49, GR-67, DT-17, DT-102, SK-12: each reaction either way, each roll with each result."""
    game, orders = WORLDS[rulebook](seed)
    if orders:
        plays = assert_foreseen_is_played(game, orders, most=1500)
        assert plays is None or plays > 0
