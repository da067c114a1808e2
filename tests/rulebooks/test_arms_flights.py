"""Flights in combined_arms: jetpacks on roofs, from floor to floor, in and out (CA-68, CA-71, CA-84)."""

import random
from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

AROUND = {"floors": 3, "floor_height": 3}
KEEP = Piece("keep", "building", rectangle((0, 0), (12, 10)), "elevated", height=9, attributes=AROUND)
SHUT = Piece(
    "keep", "building", rectangle((0, 0), (12, 10)), "elevated", height=9, attributes={**AROUND, "doors": ((-6, 0),)}
)


def game(*units, terrain=(KEEP,), **settings):
    return arms_game(*units, terrain=terrain, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def clauses(table, order):
    return [breach.clause for breach in table.breaches(order)]


class TestFromOutside:
    def test_up_outside_and_in_at_a_window(self):
        """CA-71: the climb is paid, the step onto the floor is not."""
        table = game(piece("A", "jetpack", (-10, 0)))
        happened = table.do('A move: climb 6, forward 6, take "keep floor 2", forward 1')
        assert happened.ledger.total("inches") == 13
        unit = table.state.unit("A")
        assert (unit.place, unit["floor"], unit["altitude"]) == ((-3, 0), 2, 0)
        assert list(table.faults) == []

    def test_out_again_and_down(self):
        table = game(piece("A", "jetpack", (-3, 0), heading=180, floor=2))
        happened = table.do('A move: take "keep floor 2 out", forward 6, descend 6')
        assert happened.ledger.total("inches") == 12
        unit = table.state.unit("A")
        assert (unit.place, unit["floor"], unit["altitude"]) == ((-9, 0), 0, 0)

    def test_in_the_air_it_is_as_high_as_the_floor_was(self):
        """CA-82, CA-85: higher than 12 inches it does not fly, and it cannot come down farther than it is up."""
        table = game(piece("A", "jetpack", (-3, 0), heading=180, floor=2))
        assert clauses(table, 'A move: take "keep floor 2 out", forward 6, climb 6') == []
        assert "CA-82" in clauses(table, 'A move: take "keep floor 2 out", forward 6, climb 6.5')
        assert "CA-84" in clauses(table, 'A move: take "keep floor 2 out", forward 6, descend 6.5')

    @pytest.mark.parametrize(("altitude", "clauses_"), [(2, ["CA-71", "CA-84"]), (3, []), (4, ["CA-71", "CA-84"])])
    def test_only_as_high_as_the_floor(self, altitude, clauses_):
        table = game(piece("A", "jetpack", (-10, 0)))
        assert clauses(table, f'A move: climb {altitude}, forward 6, take "keep floor 1"') == clauses_

    def test_only_inside(self):
        """A piece with a base has room for it on the floor."""
        table = game(piece("A", "jetpack", (-10, 0), base=0.5))
        assert clauses(table, 'A move: climb 3, forward 4.4, take "keep floor 1"') == ["CA-68"]
        assert clauses(table, 'A move: climb 3, forward 4.5, take "keep floor 1"') == []

    def test_it_ends_on_a_floor(self):
        """CA-84: in a house one is on a floor, not in the air between two; through it the way is free."""
        table = game(piece("A", "jetpack", (-10, 0)))
        assert clauses(table, "A move: climb 4, forward 6") == ["CA-84"]
        assert clauses(table, "A move: climb 3, forward 6") == ["CA-84"]
        assert clauses(table, "A move: climb 4, forward 17") == []
        hanging = game(piece("A", "jetpack", (0, 0), altitude=4))
        assert [breach.clause for breach in hanging.faults] == ["CA-84"]

    @pytest.mark.parametrize("mobility", ["gravpack", "grav", "thruster", "helicopter"])
    def test_nobody_else_flies_there(self, mobility):
        """CA-68, CA-71: gravpacks climb ladders, vehicles take stairs."""
        attributes = {**AROUND, "floor_height": 1, "vehicle_entry": True, "vehicle_floors": (0, 1, 2)}
        open_ = Piece("keep", "building", rectangle((0, 0), (12, 10)), height=9, attributes=attributes)
        table = game(piece("A", mobility, (-10, 0)), terrain=(open_,))
        assert "CA-71" in clauses(table, 'A move: climb 1, forward 5, take "keep floor 1"')
        assert "CA-68" in clauses(table, "A move: climb 1, forward 6")


class TestRoofs:
    def test_a_roof_is_no_floor(self):
        """CA-84, CA-86: who stands on it is in the air, which those may who end aloft."""
        table = game(piece("A", "jetpack", (-10, 0)))
        happened = table.do("A move: climb 9, forward 10")
        assert happened.ledger.total("inches") == 19
        assert (table.state.unit("A")["altitude"], list(table.faults)) == (9, [])
        must_land = game(piece("A", "jetpack", (-10, 0), can_hover=False))
        assert clauses(must_land, "A move: climb 9, forward 10") == ["CA-86"]

    def test_in_through_the_roof(self):
        """CA-68: infantry gets in anywhere, unless doors are listed."""
        order = 'A move: forward 3, descend 3, take "keep floor 2", forward 1'
        on_roof = piece("A", "jetpack", (-3, 0), altitude=9)
        table = game(on_roof)
        assert table.do(order).ledger.total("inches") == 7
        assert table.state.unit("A")["floor"] == 2
        assert "CA-68" in clauses(game(on_roof, terrain=(SHUT,)), order)


class TestBehindDoors:
    def test_from_floor_to_floor(self):
        """CA-71: without a ladder, for as many inches as the floors are apart."""
        table = game(piece("A", "jetpack", (-3, 0), floor=0), terrain=(SHUT,))
        happened = table.do('A move: take "keep floor 1", forward 2, take "keep floor 2", take "keep floor 1"')
        assert happened.ledger.total("inches") == 11
        assert table.state.unit("A")["floor"] == 1
        assert clauses(game(piece("A", "gravpack", (-3, 0)), terrain=(SHUT,)), 'A move: take "keep floor 1"') == [
            "CA-71"
        ]

    def test_by_the_door_alone(self):
        table = game(piece("A", "jetpack", (-10, 0)), terrain=(SHUT,))
        assert "CA-71" in clauses(table, 'A move: climb 3, forward 6, take "keep floor 1"')
        reach = table.reach("A", climbing=True)
        # To the door, through it, and up inside.
        assert reach.cost_at(Pose((-3, 0), None, "keep/1")) == pytest.approx(7 + 3, abs=0.01)


class TestReach:
    def test_every_floor_and_the_roof(self):
        reach = game(piece("A", "jetpack", (-10, 0))).reach("A", climbing=True)
        costs = [reach.cost_at(Pose((-4, 0), None, level)) for level in ("keep/1", "keep/2", 9, 0, 3)]
        assert costs == [9, 12, 15, 6, None]
        assert game(piece("A", "jetpack", (-10, 0))).reach("A").cost_at(Pose((-4, 0), None, 0)) == 6

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(4))
    def test_each_end_is_played_at_its_cost(self, seed):
        """Houses of any number of floors, with doors and without."""
        rng = random.Random(seed)
        height = rng.choice([1, 2, Fraction(5, 2)])
        attributes = {"floors": rng.choice([2, 3, 4]), "floor_height": height}
        attributes |= {"doors": ((-4, 0),)} if seed % 2 else {}
        house = Piece("keep", "building", rectangle((0, 0), (8, 6)), height=10, attributes=attributes)
        base = rng.choice([{}, {"base": 0.4}])
        start = piece("A", "jetpack", (rng.uniform(-9, -6), rng.uniform(-6, 6)), heading=rng.uniform(0, 360), **base)
        table = game(start, terrain=(house,))
        reach, found = table.reach("A", climbing=True), 0
        for level in reach.known_levels:
            place = (rng.uniform(-3, 3), rng.uniform(-2, 2))
            cost = reach.cost_at(Pose(place, None, level))
            if cost is None:
                continue
            (order,) = reach.orders_to(Pose(place, None, level))
            played = table.branch()
            assert list(played.breaches(order)) == []
            assert float(played.do(order).ledger.total("inches")) == pytest.approx(cost, abs=1e-4)
            assert str(played.table.setting.ruleset.pose_of(played.table, played.state.unit("A")).level) == str(level)
            found += 1
        assert found >= 2
