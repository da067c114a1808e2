"""Ground beside friends and houses, where nobody may stop: what lies behind them is part of the area (CA-80, CA-84)."""

import pytest
import shapely

from benchmarks.arms_tables import game_with


@pytest.mark.parametrize(("table", "end"), [(3, (33.68825289, 26.63357037)), (6, (33.70244447, 22.65835182))])
def test_what_a_soldier_just_gets_to_is_in_the_area(table, end):
    """A step aside, and straight on: with the last of the allowance no part of what samples an inch apart see."""
    reach = game_with("on_foot", table, 30, 16).reach("A")
    assert reach.costs_at([end])[0] <= reach.planner.space.budget
    assert shapely.distance(reach.planner.area(0.05), shapely.Point(end)) < 0.01
