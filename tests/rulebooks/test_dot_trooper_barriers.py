"""DT-12, DT-164: where barriers stand does not change in a game, so it is reckoned once for a map and level."""

import pytest
from dt_games import random_map

from simulator.engine.game import Game
from simulator.geometry.hex_lattice import step
from simulator.rulesets.dot_trooper import RULESET
from simulator.rulesets.dot_trooper.surroundings import CLOSED, DotSurroundings


@pytest.mark.parametrize("seed", range(4))
def test_they_are_those_of_the_edges_whoever_asks_in_whatever_order(seed):
    board = random_map(seed, radius=4, buildings=True)
    table = Game.new(RULESET, board, [RULESET.make_unit("A1", "trooper", "red", (0, 0))], begin=False).table
    for level in (1, 0, 2, 0, 1):
        ground = DotSurroundings.of(table, table.unit("A1"))
        walks, windows = ground.walks(level), ground.windows(level)
        for dot in board.places():
            for way in range(6):
                other = step(dot, way)
                if other in board:
                    stands = ground.barrier_at(dot, other, level)
                    assert walks[way][board.index(dot)] == (stands not in CLOSED)
                    assert windows[way][board.index(dot)] == (stands in ("window", "door"))


def test_what_is_kept_can_not_be_written_to():
    board = random_map(7, radius=3, buildings=True)
    table = Game.new(RULESET, board, [RULESET.make_unit("A1", "trooper", "red", (0, 0))], begin=False).table
    ground, again = (DotSurroundings.of(table, table.unit("A1")) for _ in range(2))
    assert ground.windows(0) is again.windows(0)
    with pytest.raises(ValueError, match="read-only"):
        ground.windows(0)[:] = True
