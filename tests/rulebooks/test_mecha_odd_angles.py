"""Ends in stories that a free turn by an odd angle leads to, with a leg and one more turn after it: ME-29, ME-34."""

from pathlib import Path

import pytest
import shapely

from simulator.formats.scenarios import load_scenario

STORIES = Path(__file__).parents[2] / "scenarios" / "mecha"
#: Beside what stands in their way; they spend all that they have.
ENDS = {
    ("at_the_crossing", "giant"): [(7.747, 28.702), (4.252, 28.769)],
    ("edge_of_the_copse", "mule"): [(-14.481, 16.77), (-14.244, 16.891), (-14.322, 16.795)],
}


@pytest.mark.parametrize(("story", "unit"), ENDS)
def test_areas_hold_them_and_the_first_is_moved_to(story, unit):
    game = load_scenario(STORIES / f"{story}.yaml").start()
    reach, places = game.reach(unit), ENDS[story, unit]
    assert shapely.distance(reach.area, shapely.points(places)).max() <= 0.1
    (order,) = reach.orders_to(places[0])
    paid = game.do(order).ledger
    assert float(paid.total("mp")) == pytest.approx(6)
    assert game.state.unit(unit).place == pytest.approx(places[0], abs=1e-3)
