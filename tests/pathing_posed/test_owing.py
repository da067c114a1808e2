"""Movers that have spent more than they may: they get nowhere, and where they may get to is where they begin."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_movers import vehicle

from simulator.geometry.footprints import Round
from simulator.pathing.posed import PoseLink, TableLevel, even_ground
from simulator.pathing.weighted import planner_for


@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("owed", [0, 1, 30])
@pytest.mark.parametrize("box", [None, (-9, -9, 9, 9), (5, 5, 9, 9)])
def test_the_window_is_where_it_begins(levels, owed, box):
    space = replace(vehicle(4, base=Round(0.5), ground=even_ground(Fraction(1))), budget=Fraction(-owed), box=box)
    if levels > 1:
        above = (TableLevel(even_ground(Fraction(1)), (), (), box),)
        space = replace(space, above=above, links=(PoseLink("up", 0, 1, Fraction(1)),))
    left, bottom, right, top = space.window
    assert right >= left
    assert top >= bottom
    planner = planner_for(space)
    costs = planner.costs_at(np.array([space.starts[0].place, (2.0, 0.0)]))
    assert np.isfinite(costs[0]) == (not owed)
    assert np.isinf(costs[1])
    assert planner.area().area == 0
