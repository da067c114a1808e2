"""Contact beside low tops (ME-105): who stands on the ground touches those on top where its base overlaps the outline.

To touch the outline alone is no contact, however near the other base is.
"""

import numpy as np
import pytest
import shapely
from mecha_games import mecha_game, unit

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.contact import in_contact_with

LOW = Piece("low", "rock", rectangle((10, 0), (4, 20)), "elevated", 2)


def beside(target, at=(0.0, 0.0), **options):
    """A, who walks, and B on a top that is low for A, from 8 to 12 inches ahead."""
    mover = unit("A", "walker", at, size_class=5, move=5, skills=["combat_manoeuvres"])
    return mecha_game(mover, unit("B", "walker", target, "blue", level="low"), terrain=(LOW,), options=options)


def require_contact(game, answer, place):
    """Play the orders to an end, and look whom A touches there."""
    played = game.branch()
    for order in answer.orders_to(place):
        played.do(order)
    assert [other.id for other in in_contact_with(played.table, played.state.unit("A"))] == ["B"], place


class TestCharges:
    @pytest.mark.parametrize("seed", range(4))
    def test_all_ends_are_in_contact(self, seed):
        dice = np.random.default_rng([seed, 105])
        game = beside((round(float(8.5 + dice.uniform(0.0, 0.4)), 3), round(float(dice.uniform(-2, 2)), 3)))
        answer = game.reach("A", "charge", target="B")
        places = shapely.get_coordinates(shapely.segmentize(answer.area, 0.1))
        ends = places[np.isfinite(answer.costs_at(places))]
        assert len(ends) > 3
        for place in ends.tolist():
            require_contact(game, answer, tuple(place))

    @pytest.mark.parametrize("tolerance", ["0.01", "0.3"])
    def test_to_touch_the_outline_is_no_contact(self, tolerance):
        game = beside((8.5, 0), contact_tolerance=tolerance)
        answer = game.reach("A", "charge", target="B")
        for at, clauses in [("7.499", ["ME-87"]), ("7.5", ["ME-87"]), ("7.501", [])]:
            assert [breach.clause for breach in game.breaches(f"A charge B: forward {at}")] == clauses
            assert (answer.cost_at((float(at), 0.0)) is None) == bool(clauses)
        assert [reason.clause for reason in answer.why_not((7.5, 0.0)).reasons] == ["ME-87"]


def test_who_manoeuvres_stays_in_contact():
    game = beside((8.5, 0), at=(7.505, 0))
    assert in_contact_with(game.table, game.state.unit("A"))
    answer = game.reach("A", "manoeuvre")
    assert [answer.cost_at((x, 0.0)) for x in (7.5, 7.495)] == [None, None]
    dice = np.random.default_rng(105)
    near = np.array([7.505, 0.0]) + dice.uniform(-0.01, 0.01, (200, 2))
    ends = near[np.isfinite(answer.costs_at(near))]
    assert len(ends) > 20
    for place in ends[:20].tolist():
        require_contact(game, answer, tuple(place))


@pytest.mark.parametrize("tolerance", ["0.01", "0.3"])
@pytest.mark.parametrize(("at", "meet"), [("7.499", False), ("7.5", False), ("7.501", True)])
def test_who_only_touches_the_outline_is_in_contact_with_nobody_on_it(at, meet, tolerance):
    """ME-44, ME-105: neither of the two is, and any move of theirs says so (ME-8)."""
    game = beside((8.5, 0), at=(float(at), 0), contact_tolerance=tolerance)
    for name, other in ("AB", "BA"):
        assert [one.id for one in in_contact_with(game.table, game.table.unit(name))] == [other] * meet
        assert ("ME-8" in [one.clause for one in game.breaches(f"{name} standard")]) == meet
