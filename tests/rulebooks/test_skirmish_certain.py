"""skirmish: what is called certain is certain, on an open table with one patch of rough ground."""

import pytest
import shapely
from skirmish_tables import game_with

from simulator.geometry.pieces import Piece, PolygonShape


@pytest.mark.parametrize(("x", "is_certain"), [(4.5, True), (4.7, False), (5.0, False), (5.6, False)])
def test_a_patch_that_stands_alone_is_no_open_ground(x, is_certain):
    """SK-12: 2.625 inches to its edge, then 3 - 1 = 2 more; nothing else stands on the table."""
    bog = Piece("bog", "rough_terrain", PolygonShape([(2, -5), (5, -6), (6, 2), (3, 3)]))
    reach = game_with(bog, me={"threshold_left": 0}).reach("A1", ap=2)
    assert reach.certain_area.covers(shapely.Point(x, 0)) is is_certain
    assert (reach.chance_at((x, 0)) == 1) is is_certain
