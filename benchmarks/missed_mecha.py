"""What reach of mecha misses: random legal moves that end where it knows no end, or for less than it reports.

    python -m benchmarks.missed_mecha [--movers walker,track] [--tables 20] [--moves 20000] [--seed 0] [--areas]

The movers go over generated tables with features of every kind, buildings, friends and enemies; the runner has to spend
more than its Move (ME-50), the others make a standard move. Of their moves one in 250 is made by the judge alone, the
others go on from those by thousands at once; of every 400 one is written as an order, which the rulebook has to accept
at the same price. Ends are compared with `costs_at`, one in five with `costs_in`, and all with the area drawn to an
error of 0.05 inches.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from benchmarks.mecha_tables import MOVERS, game_with
from benchmarks.missed_moves import POSES, SPARE
from benchmarks.missed_orders import Subject, measured
from benchmarks.random_mecha import many_moves
from benchmarks.random_orders import RandomMove
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.posed_orders import move_elements
from simulator.rulesets.mecha.move_judge import moves_for
from simulator.rulesets.mecha.move_reach import MechaReach

LEGEND = f"""\
Ends that reach does not know, and those of them with more than {SPARE:g} movement points left; by how much moves were
cheaper than reported, in the mean of the ends that are known, in 95 % of them, and at most; the same of poses, one in
{POSES} of the moves; how many ends lie more than {SPARE:g} inches from the area, and the farthest.
"""


def question_of(mover: str) -> dict[str, Any]:
    """What is asked of a mover: the Move Action."""
    return {"action": "run" if mover == "runner" else "standard"}


def order_of(reach: MechaReach, move: RandomMove) -> Order:
    """Return a move as an order."""
    return Order(reach.mover.id, reach.action, move_elements(move.moves))


def check_orders(game: Game[Any], reach: MechaReach, moves: Sequence[RandomMove]) -> None:
    """Raise AssertionError unless the rulebook accepts moves as orders, at their prices."""
    for move in moves:
        order = order_of(reach, move)
        assert game.breaches(order) == [], (game.write(order), game.breaches(order))
        space, written = moves_for(game.table, game.table.unit(reach.mover.id), order)
        total = space.judged(written).total
        assert abs(total - move.end.paid) < 1e-6, (game.write(order), total, move.end.paid)


MECHA = Subject(MOVERS, game_with, question_of, many_moves, check_orders, order_of, pieces=40, bases=16, orders=400)


if __name__ == "__main__":
    sys.exit(measured(MECHA, __doc__, LEGEND))
