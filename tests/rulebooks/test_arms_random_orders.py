"""Random legal moves of six movers of combined_arms over generated tables: reach knows their ends, for no more.

The long run on more tables is `python -m benchmarks.missed_orders`.
"""

import numpy as np
import pytest

from benchmarks.arms_tables import MOVERS, game_with
from benchmarks.missed_orders import check_orders, compared, question_of
from benchmarks.random_orders import judged_moves, many_moves

#: Moves of each mover; what a move may cost less than reported, in inches, and leave unspent where its end is missed.
COUNT, SPARE = 12, 0.1


@pytest.mark.sampled("on_foot")
@pytest.mark.parametrize("mover", MOVERS)
def test_orders_are_accepted_and_their_ends_known(mover):
    """CA-3: an order is legal at the price that its moves have one after the other, and reach finds no dearer way."""
    game = game_with(mover, 3, 12, 6)
    reach = game.reach("A", **question_of(mover))
    dice = np.random.default_rng(4)
    moves = judged_moves(reach.space, dice, COUNT)
    assert len({move.end.place for move in moves}) > COUNT / 2
    moves += many_moves(reach.space, dice, COUNT)
    check_orders(game, reach, moves)
    for move in moves:
        cost = float(reach.planner.costs_at([move.end.place], move.end.level)[0])
        paid, most = float(move.end.paid), float(reach.space.budget)
        assert cost <= paid + SPARE or (np.isinf(cost) and paid > most - SPARE)


# Long: many orders under fire; those of one unit alone are tried beside it.
@pytest.mark.long
def test_ends_within_the_band_of_a_target_are_known():
    """CA-98, CA-100: legs within a band and rotations from all of the allowance; areas hold all such ends."""
    game = game_with("wheeled", 3, 12, 6)
    reach = game.reach("A", target="slow")
    assert reach.space.binding.legs
    dice = np.random.default_rng(4)
    moves = judged_moves(reach.space, dice, COUNT) + many_moves(reach.space, dice, 4 * COUNT)
    check_orders(game, reach, moves[:: COUNT // 2])
    found = compared(reach, moves)
    for short in (found.at, found.poses):
        assert short.missed_with_spare == 0
        assert short.known.max() < SPARE
    assert found.outside.max() < SPARE
