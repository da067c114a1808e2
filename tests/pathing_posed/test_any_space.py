"""Laws of whatever the form allows: each end has a move that the judge accepts at its cost, alone and among others."""

import math

import numpy as np
import pytest
import shapely
from any_spaces import START, any_space

from simulator.geometry.tolerances import GRID
from simulator.pathing.posed import judged
from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.planner import KEPT

#: So many places are asked about at once, and so many of them once more by themselves.
PLACES, ALONE = 24, 5


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [*range(5), 130, 201])
def test_each_end_has_a_legal_move_at_its_cost(seed):
    space, dice = any_space(seed), np.random.default_rng(seed)
    reach, far = reach_of(space), float(space.budget)
    for level in range(space.level_count):
        places = np.array(START) + dice.uniform(-far, far, (PLACES, 2))
        turned = np.where(
            dice.uniform(size=PLACES) < 0.5, 22.5 * dice.integers(0, 16, PLACES), dice.uniform(0, 360, PLACES)
        )
        facing = turned + (float(space.starts[0].heading) if space.starts else 0.0)
        alone = {int(row): float(reach.costs_at([places[row]], level)[0]) for row in range(ALONE)}
        for headings in (None, facing):
            costs = reach.costs_at(places, level) if headings is None else reach.costs_in(places, headings, level)
            if headings is None:
                assert [costs[row] for row in alone] == pytest.approx(list(alone.values()), abs=1e-7)
            for row in np.flatnonzero(np.isfinite(costs)).tolist():
                place, heading = tuple(places[row].tolist()), None if headings is None else float(headings[row])
                way = reach.way_to(place, heading, level)
                found = judged(space, way.start, way.moves)
                assert found.is_legal, (place, heading, found.objections)
                assert float(found.total) == pytest.approx(costs[row], abs=1e-6), (place, heading)
                assert found.place == pytest.approx(place, abs=1e-5)
                assert found.level == level
                if heading is not None:
                    assert math.cos(math.radians(float(found.heading) - heading)) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.sampled("0", "7")
@pytest.mark.parametrize("seed", range(12))
def test_what_is_asked_for_any_way_to_it_is_an_end_if_it_costs_something(seed):
    space, dice = any_space(seed), np.random.default_rng(seed)
    reach, far = reach_of(space), float(space.budget)
    for level in range(space.level_count):
        places = np.array(START) + dice.uniform(-far, far, (3 * PLACES, 2))
        facing = dice.uniform(0, 360, 3 * PLACES)
        assert np.array_equal(reach.are_ends(places, None, level), np.isfinite(reach.costs_at(places, level)))
        some = slice(None, PLACES)
        ends = np.isfinite(reach.costs_in(places[some], facing[some], level))
        assert np.array_equal(reach.are_ends(places[some], facing[some], level), ends)


@pytest.mark.parametrize("first", ["are_ends", "costs_at"])
def test_to_ask_whether_it_is_an_end_makes_it_no_dearer(first):
    """What was found for the one question does not answer the other."""
    space = any_space(0)
    places = np.array(START) + np.random.default_rng(0).uniform(-1, 1, (KEPT, 2)) * float(space.budget)
    asked, fresh = reach_of(space), reach_of(space)
    getattr(asked, first)(places)
    assert np.array_equal(asked.costs_at(places), fresh.costs_at(places))


@pytest.mark.parametrize("seed", [3, 5, 17])
def test_outlines_have_hardly_a_corner_that_could_be_left_out(seed):
    """Outlines of fans and strips lie upon each other, and cross there again and again."""
    area = reach_of(any_space(seed)).area(0.02)
    corners = shapely.get_num_coordinates(shapely.simplify(area, GRID))
    assert area.is_valid
    assert 100 < shapely.get_num_coordinates(area) < 1.1 * corners
