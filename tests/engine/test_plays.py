"""Every play of an order: foresight follows each question once and finds what all plays come to, one by one."""

import duel_ruleset
import numpy as np
import pytest
from duel_ruleset import fighter
from every_play import assert_foreseen_is_played

from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid


def random_row(seed, nerve=1):
    """Four fighters on a row of twelve squares."""
    random = np.random.default_rng(seed)
    columns = (random.permutation(8)[:4] + 1).tolist()
    names = [("A1", "red"), ("B1", "blue"), ("A2", "red"), ("B2", "blue")]
    units = [
        fighter(name, side, column, nerve=int(random.integers(0, nerve + 1)), shield=int(random.integers(0, 2)))
        for (name, side), column in zip(names, columns, strict=True)
    ]
    return Game.new(duel_ruleset.RULESET, SquareGrid.from_text(" ".join(random.choice([".", ","], 10))), units)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_listed_is_what_some_play_comes_to(seed):
    """Blows, dodges, lunges after dodges, wounds: whatever A1 can be ordered, each play by itself."""
    game, plays = random_row(seed), 0
    for order in ("walk: left 1", "walk: right 2", "strike B1", "pray"):
        try:
            game.foresee(f"A1 {order}")
        except IllegalOrder:
            continue
        plays += assert_foreseen_is_played(game, [f"A1 {order}"], most=100_000)
    assert plays
