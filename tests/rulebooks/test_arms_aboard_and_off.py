"""The cheapest way aboard a transport of combined_arms that stands, and who cannot get off it at all."""

import math

import pytest
import shapely
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.combined_arms.boarding import cheapest_boarding
from simulator.rulesets.combined_arms.getting_off import Passenger, rings_of
from simulator.rulesets.combined_arms.movement import compiled


def apc(mobility="wheeled", **fields):
    given = {"base": ((2, 1), (2, -1), (-2, -1), (-2, 1)), "rate_original": 24, **fields}
    return piece("apc", mobility, given.pop("at", (0, 0)), **given)


def boards(unit, carrier, **settings):
    table = arms_game(unit, carrier, **settings).table
    return cheapest_boarding(table, unit, carrier)


def written(found):
    return [(element.name, dict(element.args)) for element in found.order.elements]


class TestBoarding:
    """CA-117 to CA-125: a man on foot, an inch from the hull or from a door."""

    def test_at_the_hull_he_walks_nowhere(self):
        found = boards(piece("bob", "on_foot", (-3, 0)), apc())
        assert (written(found), found.paid, list(found.against)) == ([("load", {"carrier": "apc"})], 0, [])
        assert (found.order.unit, found.order.action) == ("bob", "move")
        bob, carrier = found.table.unit("bob"), found.table.unit("apc")
        assert (bob.place, bob.carrier, bob["has_moved"], bob["busy_until"]) == (None, "apc", True, 1)
        assert carrier["busy_until"] == 1

    def test_straight_ahead_he_walks_the_shortest_way(self):
        """E37, 3 inches from the hull: he walks 2."""
        found = boards(piece("bob", "on_foot", (-5, 0)), apc())
        (leg, _), (last, args) = (written(found)[0], written(found)[-1])
        assert (leg, last, args) == ("forward", "load", {"carrier": "apc"})
        assert float(found.paid) == pytest.approx(2, abs=1e-3)
        assert found.table.unit("apc")["busy_until"] == 2

    def test_backwards_he_turns_for_an_inch_and_walks(self):
        """E37, facing away: he turns for 1 and walks 2, half his turn."""
        found = boards(piece("bob", "on_foot", (-5, 0), heading=180), apc())
        assert float(found.paid) == pytest.approx(3, abs=1e-3)

    def test_to_a_door(self):
        """CA-119: to the door in the rear it is 3 inches from beside the hull."""
        found = boards(piece("bob", "on_foot", (-6, 0)), apc(doors=((-2, 0),)))
        assert float(found.paid) == pytest.approx(3, abs=1e-3)

    @pytest.mark.parametrize(("far", "clause"), [(9, "CA-125"), (20, "CA-119")])
    def test_too_far_off(self, far, clause):
        """CA-125: by his whole turn he gets there, and does not get in."""
        found = boards(piece("bob", "on_foot", (-far, 0)), apc())
        assert (found.order, found.paid) == (None, 0)
        assert [one.clause for one in found.against] == [clause]

    def test_beside_ground_that_he_may_not_stand_on(self):
        """CA-119: where a river runs along the hull he walks to the next place within an inch of it."""
        rear = Piece("river", "river", rectangle((-2.5, 0.45), (1.2, 1)))
        found = boards(piece("bob", "on_foot", (-5, 0)), apc(), terrain=(rear,))
        assert float(found.paid) == pytest.approx(2.1, abs=1e-3)  # 2 ahead, and a side-step by 0.05 past its corner
        around = Piece("river", "river", rectangle((0, 0), (8, 6)))
        bank = boards(piece("bob", "on_foot", (-5, 0)), apc("grav"), terrain=(around,))
        assert (bank.order, bool(bank.against)) == (None, True)

    def test_where_it_is_full(self):
        found = boards(piece("bob", "on_foot", (-3, 0)), apc(capacity=0))
        assert [one.clause for one in found.against] == ["CA-118"]


def passenger(mobility, carrier, **fields):
    unit = piece("bob", mobility, None, carrier="apc", **fields)
    table = arms_game(unit, carrier).table
    return Passenger.of(table, unit), table


class TestGettingOff:
    @pytest.mark.parametrize(
        ("mobility", "carrier", "clauses"),
        [
            ("on_foot", apc(), []),
            ("on_foot", apc(moved_until=2), []),
            ("on_foot", apc(moved_until=3), ["CA-127"]),
            ("on_foot", apc(damage_level=2, spent_translation=1), ["CA-133"]),
            ("jetpack", apc("helicopter", altitude=8), []),
            ("gravpack", apc("helicopter", altitude=1), ["CA-130"]),
            ("jetpack", apc("helicopter", altitude=13), ["CA-130"]),
            ("on_foot", apc(doors=((-2, 0), (2, 0)), heading=30), []),
        ],
    )
    def test_who_cannot_wherever_that_is(self, mobility, carrier, clauses):
        """CA-119, CA-127, CA-130, CA-133: whichever door it takes, and however it faces."""
        found, table = passenger(mobility, carrier)
        assert [one.clause for one in found.breaches(table)] == clauses

    def test_a_passenger_with_a_long_base_turned_as_its_transport(self):
        found, table = passenger("on_foot", apc(doors=((-2, 0),), heading=90), base=((3, 0.2), (3, -0.2), (-3, 0)))
        assert list(found.breaches(table)) == []

    def test_it_is_where_the_transport_is_until_it_is_set_down(self):
        found, _ = passenger("on_foot", apc(at=(3, 4), heading=30))
        assert (found.unit.place, found.unit.heading, found.carrier.id) == ((3, 4), 30, "apc")
        assert found.unit["transferred"] == "unloaded"

    def begun(self, *terrain, barred=False):
        unit, carrier = piece("bob", "on_foot", None, carrier="apc"), apc()
        found = Passenger.of(arms_game(unit, carrier, terrain=terrain).table, unit)
        return found.beginning(compiled(found.table, found.unit), barred=barred)

    def test_it_begins_wherever_it_may_be_set_down(self):
        """CA-119: within an inch of a hull of 4 by 2 inches, with its thirds left."""
        moves = self.begun()
        (placing,) = moves.space.placings
        assert sum(one.area.polygon.area for one in placing.pieces) == pytest.approx(12 + math.pi, abs=0.2)
        assert (moves.space.starts, moves.space.budget) == ((), 4)

    @pytest.mark.parametrize("how", ["barred", "in a lake"])
    def test_or_nowhere(self, how):
        lake = Piece("lake", "lake", rectangle((0, 0), (30, 30)))
        moves = self.begun(barred=True) if how == "barred" else self.begun(lake)
        assert moves.space.placings == ()
        assert moves.space.budget == -1
        assert len(moves.space.starts) == 1


def test_the_outside_of_an_area_and_its_holes():
    ring = shapely.box(0, 0, 9, 9).difference(shapely.box(2, 2, 4, 4))
    outside, holes = rings_of(ring)
    assert (len(outside), [len(hole) for hole in holes]) == (5, [5])
    assert set(holes[0]) == {(2, 2), (4, 2), (4, 4), (2, 4)}
