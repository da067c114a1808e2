"""One truth for a number that is shown in several places, on all boards; see `tests/long/numbers_at_odds.py`."""

import pytest
from one_truth import at_odds, at_odds_in_what_is_shown

from simulator import parse_scenario

ORCHARD = """
format: 1
ruleset: skirmish
board:
  board: table
  size: [24, 18]
  pieces:
    - {id: shed, kind: obstacle, layer: obstacle, rectangle: {centre: [12, 10], size: [4, 5]}, height: 3}
    - {id: mud, kind: rough_terrain, layer: ground, polygon: [[9, 0], [15, 0], [14.5, 6], [9.5, 6]]}
units:
  ana: {type: soldier, side: red, at: [6, 8]}
  ben: {type: soldier, side: red, at: [9, 12]}
  rook: {type: soldier, side: blue, at: [16, 13]}
turns: [["ana: to 8,8"]]
"""


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["squares", "dots"])
def test_on_a_lattice_everything_says_the_same(kind, seed):
    assert at_odds(kind, seed) == []


@pytest.mark.sampled("1")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_on_a_table_everything_says_the_same(seed):
    assert at_odds("table", seed) == []


def test_a_way_over_the_corner_of_a_shed_is_in_the_band_of_its_chance():  # SK-18, SK-23
    game = parse_scenario(ORCHARD).start()
    reach = game.reach("ana")
    assert str(reach.chance_at((16, 8))) == "2/5"
    assert {str(level): round(area.area, 1) for level, area in reach.chance_bands()}["2/5"] > 10
    assert at_odds_in_what_is_shown(game, reach) == []
