"""Contact beside low tops (ME-105): who stands on the ground touches those on top where its base overlaps the outline.

To touch the outline alone is no contact, however near the other base is.
"""

import numpy as np
import pytest
import shapely
from mecha_games import mecha_game, unit
from mecha_heights import block, cited

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.contact import bars_of_contact, in_contact_with

LOW = Piece("low", "rock", rectangle((10, 0), (4, 20)), "elevated", 2)


def beside(target, at=(0.0, 0.0), heading=0, **options):
    """A, who walks, and B on a top that is low for A, from 8 to 12 inches ahead."""
    mover = unit("A", "walker", at, heading=heading, size_class=5, move=5, skills=["combat_manoeuvres"])
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


class TestStops:
    """ME-8, with contact_stops_move: where there is no contact, nothing stops a move."""

    @pytest.mark.parametrize("tolerance", ["0.01", "0.3"])
    def test_who_passes_along_the_outline_goes_on(self, tolerance):
        options = {"contact_stops_move": True, "contact_tolerance": tolerance}
        game = beside((8.5, 3.0), at=(7.495, 0.0), heading=90, **options)
        answer = game.reach("A", "standard")
        assert not game.breaches("A standard: forward 5")
        assert answer.cost_at(Pose((7.495, 5.0), 90)) == 5
        assert [game.write(order) for order in answer.orders_to(Pose((7.495, 5.0), 90))] == ["A: forward 5"]
        assert answer.cost_at(Pose((7.495, 3.0), 135)) == 3

    def test_who_overlaps_it_is_stopped(self):
        game = beside((8.5, 3.0), at=(7.505, 1.0), heading=90, contact_stops_move=True)
        assert "ME-8" in cited(game.breaches("A standard: forward 5"))
        assert game.reach("A", "standard").cost_at(Pose((7.505, 4.0), 135)) is None

    def test_who_comes_across_the_outline_is_stopped_where_contact_begins(self):
        options = {"contact_stops_move": True, "contact_tolerance": "0.3"}
        game = beside((8.6, 0.0), at=(7.4, 0.0), **options)
        assert not game.breaches("A standard: forward 0.1")
        assert not game.breaches("A standard: forward 0.1, turn_left 45")
        assert "ME-8" in cited(game.breaches("A standard: forward 0.2, turn_left 90"))


def test_who_lands_beside_the_outline_does_not_break_away():
    """ME-8, ME-67: from where a jump ends out of contact, any move may follow in the second phase."""
    keep = block("keep", (5.995, 0), (2, 2), 4)
    # It leaves the keep toward the low top, or away from it.
    walls = [block(f"wall {y}", (4, y), (5.8, 4), 20) for y in (-3, 3)]
    mover = unit("A", "walker", (6, 0), size_class=5, move=5, level="keep")
    foe = unit("B", "walker", (8.5, 0), "blue", level="low")
    game = mecha_game(mover, foe, terrain=(LOW, keep, *walls), options={"contact_tolerance": "0.3"})
    end, played = Pose((7.495, 5.0), 90), game.branch()
    orders = game.reach("A", "turn").orders_to(end)
    assert [order.action for order in orders if order.unit == "A"] == ["jump", "standard"]
    for order in orders:
        played.do(order)
    assert played.state.unit("A").place == pytest.approx(end.place)


def test_who_overlaps_no_outline_is_apart():
    """ME-8: in one of two manners, whoever is out of contact is told to be: off the other base, or off the outline."""
    game = beside((8.5, 0.0), contact_tolerance="0.3")
    manners = bars_of_contact(game.table, game.state.unit("A"))
    for at, is_apart in [(7.1, True), (7.4, True), (7.6, False)]:
        base = shapely.Point(at, 0.0).buffer(0.499)
        apart = [not any(base.intersects(bar.polygon) for bar in bars) for bars in manners]
        assert any(apart) == is_apart
