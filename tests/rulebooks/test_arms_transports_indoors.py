"""Boarding and getting off in combined_arms in buildings: on the floor of the transport (CA-68, CA-119)."""

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.combined_arms.boarding import cheapest_boarding

FLOORS = 3


def house(name="keep", middle=(0, 0), size=(20, 20), **said):
    said = {"floors": FLOORS, "floor_height": 2, "vehicle_entry": True, "vehicle_floors": (0, 1, 2), **said}
    return Piece(name, "building", rectangle(middle, size), "elevated", height=6, attributes=said)


#: Infantry gets in by a door in its western wall alone.
HALL = house(doors=((-10, 0),))


def alone(*units, terrain=(), **settings):
    return arms_game(*units, data={"initiative": tuple(unit.id for unit in units)}, terrain=terrain, **settings)


def carrier(at=(0, 0), **fields):
    return piece("T", "tracked", at, **{"doors": ((-2, 0),), "base": 1, **fields})


def aboard(**fields):
    return piece("A", "on_foot", None, carrier="T", **fields)


def clauses(game, order):
    return [breach.clause for breach in game.breaches(order)]


@pytest.mark.parametrize("floor", range(FLOORS))
class TestOnItsFloor:
    def test_it_is_set_down_there(self, floor):
        game = alone(aboard(), carrier(floor=floor), terrain=(house(),))
        assert game.faults == ()
        game.do("A move: unload at -2.5,0.5, forward 1")
        there = game.state.unit("A")
        assert (there.place, there["floor"], there["building"]) == ((-1.5, 0.5), floor, "")

    def test_at_a_wall_it_stays_on_its_side(self, floor):
        game = alone(aboard(), carrier((-7.5, 0), floor=floor), terrain=(house(),))
        game.do("A move: unload at -10,0.5 facing 180")
        there = game.state.unit("A")
        assert (there["floor"], there["building"]) == (floor, "keep")

    @pytest.mark.parametrize("other", range(FLOORS))
    def test_who_boards_is_there(self, floor, other):
        game = alone(piece("A", "on_foot", (-2.5, 0), floor=other), carrier(floor=floor), terrain=(house(),))
        assert clauses(game, "A move: load T") == ([] if floor == other else ["CA-119"])
        if floor == other:
            game.do("A move: load T")
            game.do("T move: forward 2")
            assert (game.state.unit("A")["floor"], game.state.unit("A").carrier) == (0, "T")

    def test_not_out_of_a_window(self, floor):
        """On the ground the wall does not stop infantry; an upper floor ends there."""
        game = alone(aboard(), carrier((-7.5, 0), floor=floor), terrain=(house(),))
        assert clauses(game, "A move: unload at -10.3,0 facing 180") == (["CA-119"] if floor else [])

    def test_next_door_is_no_floor_of_the_same_building(self, floor):
        """Two houses with one wall between them."""
        both = house(), house("barn", (-20, 0))
        game = alone(piece("A", "on_foot", (-10.3, 0), floor=floor), carrier((-7.5, 0), floor=floor), terrain=both)
        assert set(clauses(game, "A move: load T")) == ({"CA-119"} if floor else set())


def test_what_is_told():
    """CA-119."""
    game = alone(piece("A", "on_foot", (-2.5, 0)), carrier(floor=1), terrain=(house(),))
    assert [breach.message for breach in game.breaches("A move: load T")] == ["A is on floor 0, and T on floor 1"]
    both = house(), house("barn", (-20, 0))
    game = alone(piece("A", "on_foot", (-10.3, 0), floor=1), carrier((-7.5, 0), floor=1), terrain=both)
    message = "A is not in the building in which T is on floor 1"
    assert message in [breach.message for breach in game.breaches("A move: load T")]


@pytest.mark.sampled
@pytest.mark.parametrize("terrain", [(house(),), (HALL,)], ids=["open", "by its door"])
@pytest.mark.parametrize("floor", range(FLOORS))
@pytest.mark.parametrize("seed", range(3))
def test_reach_and_judge_agree(terrain, floor, seed):
    """Near a wall, an enemy and a friend on the same floor and on another: who gets off where, by both."""
    rng = np.random.default_rng(seed)
    place = (float(rng.uniform(-8, -6)), float(rng.uniform(-3, 3)))
    x, y = place[0] - 2, place[1]
    others = (
        piece("X", "on_foot", (x + 0.6, y + 0.3), "blue", floor=floor, base=0.3),
        piece("Y", "on_foot", (x, y - 0.5), floor=(floor + 1) % FLOORS, base=0.3),
    )
    base = [None, 0.2][seed % 2]
    rider = aboard(**({} if base is None else {"base": base}))
    game = alone(rider, carrier(place, floor=floor), *others, terrain=terrain)
    beside = game.reach("A").within(0)
    for place in (np.array([x, y]) + rng.uniform(-1.6, 1.6, (60, 2))).round(3).tolist():
        legal = not game.breaches(f"A move: unload at {place[0]},{place[1]}")
        away = float(beside.distance(shapely.Point(place)))
        assert legal or away > 0, place
        assert away <= 0.1 or not legal, place


@pytest.mark.parametrize("terrain", [(house(),), (HALL,)], ids=["open", "by its door"])
@pytest.mark.parametrize("floor", range(FLOORS))
class TestReach:
    def test_it_walks_on_there(self, terrain, floor):
        """CA-66, CA-128: from an inch ahead of the door, 6 inches at double rate."""
        game = alone(aboard(), carrier(floor=floor), terrain=terrain)
        reach, level = game.reach("A"), f"keep/{floor}" if floor or terrain == (HALL,) else "0"
        assert reach.cost_at((-2.5, 0)) == 0
        assert [str(name) for name in reach.level_names if not reach.area_of(level=name).is_empty] == [level]
        assert reach.cost_at((5, 0)) == pytest.approx(3, abs=0.01)
        (order,) = reach.orders_to((3, 2))
        game.do(order)
        there = game.state.unit("A")
        assert (there.place, there["floor"]) == (pytest.approx((3, 2), abs=1e-5), floor)

    def test_a_goal_on_it(self, terrain, floor):
        game = alone(aboard(), carrier(floor=floor), terrain=terrain)
        game.do("A move to 2,1")
        assert (game.state.unit("A").place, game.state.unit("A")["floor"]) == (pytest.approx((2, 1)), floor)

    def test_rides(self, terrain, floor):
        """It drives two thirds of its 12 inches at double rate, and they get off beside it."""
        transport = carrier(floor=floor, rate_original=6)
        units = transport, aboard(), piece("X", "on_foot", (4, 6), "blue", floor=(floor + 1) % FLOORS)
        ride = arms_game(*units, terrain=terrain).reach("A", "ride")
        assert ride.cost_at((6, 0)) == 0
        for end in ((6, 0), (-3, 4), (3, -2)):
            game = arms_game(*units, terrain=terrain)
            for order in ride.orders_to(end):
                game.do(order)
            there = game.state.unit("A")
            assert (there.place, there["floor"]) == (pytest.approx(end, abs=1e-3), floor)

    def test_the_cheapest_way_aboard(self, terrain, floor):
        """It turns for nothing on its way straight ahead: 3 inches at double rate."""
        unit, transport = piece("A", "on_foot", (-6, 0), floor=floor), carrier(floor=floor)
        found = cheapest_boarding(arms_game(unit, transport, terrain=terrain).table, unit, transport)
        assert found.order is not None
        assert float(found.paid) == pytest.approx(1.5, abs=1e-3)

    def test_fetched(self, terrain, floor):
        units = carrier(floor=floor, rate_original=6), piece("A", "on_foot", (-8, 0), floor=floor)
        ride = arms_game(*units, terrain=terrain).reach("A", "ride", carrier="T", end="aboard")
        game = arms_game(*units, terrain=terrain)
        assert ride.cost_at((-1, 0)) is not None
        for order in ride.orders_to((-1, 0)):
            game.do(order)
        assert game.state.unit("A").carrier == "T"


def test_down_the_stairs_to_where_it_stops():
    """CA-119: who begins upstairs boards on the ground."""
    stairs = Piece("stairs", "stairs", rectangle((-6, 0), (1, 1)), "replacing", on="keep", attributes={"run": 1})
    units = carrier(rate_original=6), piece("A", "on_foot", (-6, 0), floor=1)
    ride = arms_game(*units, terrain=(house(), stairs)).reach("A", "ride", carrier="T", end="aboard")
    assert ride.cost_at((-1, 0)) is not None


class TestInAndOut:
    """CA-68: vehicles drive through the walls of a building whose doors infantry has to use."""

    def ends(self, at, end, **fields):
        units = carrier(at, rate_original=12, **fields), aboard()
        ride = arms_game(*units, terrain=(HALL,)).reach("A", "ride")
        if ride.cost_at(end) is None:
            return None
        game = arms_game(*units, terrain=(HALL,))
        for order in ride.orders_to(end):
            game.do(order)
        return game.state.unit("A").place

    def test_out_of_it(self):
        assert self.ends((8, 0), (13, 0), doors=((1, 0),)) == pytest.approx((13, 0), abs=1e-3)

    def test_into_it(self):
        assert self.ends((-14, 0), (-8, 0), doors=((1, 0),)) == pytest.approx((-8, 0), abs=1e-3)

    def test_through_no_wall(self):
        """Where it stands at the wall outside, nobody gets off into the building."""
        game = alone(aboard(), carrier((-11.8, 0), doors=((1, 0),)), terrain=(HALL,))
        assert clauses(game, "A move: unload at -9.9,0") == ["CA-119"]
        assert game.reach("A").within(0).distance(shapely.Point(-9.9, 0)) > 0.1
        assert clauses(game, "A move: unload at -10.4,0") == []
