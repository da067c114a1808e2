"""Random legal moves of the movers of mecha over generated tables: reach knows their ends, for no more.

The long run on more tables is `python -m benchmarks.missed_mecha`.
"""

import numpy as np
import pytest

from benchmarks.mecha_tables import MOVERS, game_with
from benchmarks.missed_mecha import check_orders, question_of
from benchmarks.random_mecha import judged_moves, many_moves

#: Moves of each mover, and by how many movement points one may be cheaper than reported.
COUNT, SPARE = 8, 0.1


@pytest.mark.sampled
@pytest.mark.parametrize("mover", MOVERS)
def test_orders_are_accepted_and_their_ends_known(mover):
    """ME-10, ME-17, ME-29: an order is legal at the price of its moves, and reach finds no dearer way."""
    game, dice = game_with(mover, 3, 8, 4), np.random.default_rng(4)
    reach = game.reach("A", **question_of(mover))
    moves = judged_moves(reach.space, dice, COUNT) + many_moves(reach.space, dice, COUNT)
    assert len({move.end.place for move in moves}) > COUNT / 2
    check_orders(game, reach, moves)
    costs = reach.planner.costs_at([move.end.place for move in moves], 0)
    for move, cost in zip(moves, costs.tolist(), strict=True):
        paid, most = float(move.end.paid), float(reach.space.budget)
        assert cost <= paid + SPARE or (np.isinf(cost) and paid > most - SPARE)
