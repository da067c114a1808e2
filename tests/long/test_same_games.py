"""Random games under three hash seeds; see `same_games` for more of them."""

import pytest
import same_games

from simulator.rulesets import OURS

#: Why a piece cannot get somewhere takes seconds where turns cost.
GAMES = {"combined_arms": 2, "mecha": 5}


# Long: whole games; `test_log` has the same for a short one.
@pytest.mark.long
@pytest.mark.parametrize("rulebook", OURS)
def test_the_logs_of_a_game_are_equal_to_the_byte(rulebook):
    count = GAMES.get(rulebook, 20)
    played = list(same_games.compare([rulebook], count, 0))
    assert len(played) == count
    assert [lines for lines in played if len(set(lines)) > 1] == []
    # Games that are all alike would prove little.
    assert len({lines[0].split()[-1] for lines in played}) == count


def test_a_game_that_depends_on_the_order_of_a_set_is_found(tmp_path):
    """Two games that differ by nothing but their number have different digests, and one twice has the same."""
    one, other = ("grid_runner", 0, 1), ("grid_runner", 0, 2)
    first, again, second = (same_games.RandomGame(*game, tmp_path).digest() for game in (one, one, other))
    assert first == again != second
