"""Ends in stories that only ways past corners of the ground lead to: CA-52, CA-56, CA-57."""

from pathlib import Path

import pytest
import shapely

from simulator.formats.scenarios import load_scenario

ALDER = Path(__file__).parents[2] / "scenarios" / "combined_arms" / "bridge_at_alder.yaml"
#: Where the duck gets to for no more than that: past the corner of the bridge it meets neither mud nor river, and there
#: it may still turn, on either side of the post.
ENDS = {(48.7, 17.0): 29.86, (57.725, 20.876): 29.99, (54.188, 20.38): 29.57, (47.712, 19.044): 27.43}


# Long: the duck's area takes most of it; areas of crowded tables with bridges and patches are tried beside it.
@pytest.mark.long
def test_the_duck_drives_over_the_bridge_and_past_the_post():
    reach = load_scenario(ALDER).start().reach("duck")
    costs = reach.costs_at(list(ENDS))
    assert (costs <= list(ENDS.values())).all()
    assert shapely.distance(reach.area, shapely.points(list(ENDS))).max() <= 0.1
    for place, cost in zip(ENDS, costs, strict=True):
        (order,) = reach.orders_to(place)
        game = load_scenario(ALDER).start()
        assert float(game.do(order).ledger.total("inches")) == pytest.approx(cost, abs=1e-6)
        assert game.state.unit("duck").place == pytest.approx(place, abs=1e-3)
