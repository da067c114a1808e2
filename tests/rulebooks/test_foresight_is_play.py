"""What foresight lists of an order is exactly what its plays come to, each played by itself, in all three rulebooks."""

import dt_games
import pytest
from foresight_worlds import WORLDS, assert_foreseen_is_played


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("rulebook", WORLDS)
def test_what_is_listed_is_what_some_play_comes_to(rulebook, seed):
    """GR-49, GR-67, DT-17, DT-102, SK-12: each reaction either way, each roll with each result."""
    game, orders = WORLDS[rulebook](seed)
    if orders:
        plays = assert_foreseen_is_played(game, orders, most=1500)
        assert plays is None or plays > 0


class TestHowOften:
    """What one play allows, where many moments are open to somebody."""

    @pytest.fixture
    def guarded(self):
        def make(*units, guards=1):
            board = dt_games.centred(14)
            arc = tuple(board.places())
            foes = [dt_games.trooper(f"B{number}", "blue", (number, 9), arc=arc) for number in range(guards)]
            return dt_games.game([*units, *foes], board)

        return make

    def test_a_flight_once_by_each_who_fires(self, guarded):
        """DT-17: at one flown dot of its choice."""
        game = guarded(dt_games.trooper(place=(0, 0), jet_pack="worn"))
        seen = game.foresee(game.reach("A1", "activate_jet_pack").orders_to((9, 0)))
        assert seen.most_interruptions == 1
        assert len([found for found in seen.interruptions if not found.after]) == 9
        assert seen.follows_all_plays

    def test_a_drive_once_in_each_segment_however_many_fire(self, guarded):
        """DT-102: one attack per set of dots, on vehicle and riders together."""
        game = guarded(*dt_games.bike(place=(0, 0)), guards=2)
        seen = game.foresee(game.reach("A1", "drive").orders_to((6, 0)))
        assert seen.most_interruptions == 2
        assert {found.who for found in seen.interruptions} == {"B0", "B1"}
        assert len(seen.interruptions) > 2
