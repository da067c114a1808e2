"""Overruns in combined_arms asked for directly: who may, whom, over which ground, and who is destroyed."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, PointShape
from simulator.rulesets.combined_arms.overruns import (
    destroyed_with,
    destroys_foxholes,
    ground_of,
    overrun_breaches,
    overrun_toll,
    position_of,
    together_with,
)


def tank(mobility="tracked", **fields):
    return piece("A", mobility, **{"armored": True, "size_class": 6, **fields})


def target(mobility="on_foot", at=(10, 0), **fields):
    return piece(fields.pop("name", "B"), mobility, at, fields.pop("side", "blue"), **fields)


def against(attacker, other, altitude=0, **settings):
    table = arms_game(attacker, other, **settings).table
    found = overrun_breaches(table, attacker, other, Fraction(altitude))
    return [(one.clause, one.needed, one.available, one.blocker) for one in found]


class TestWhoMayOverrunWhom:
    def test_an_armored_vehicle_a_small_enough_enemy(self):
        assert against(tank(), target()) == []

    def test_not_an_unarmored_one(self):
        """CA-103."""
        assert against(tank(armored=False), target()) == [("CA-103", None, None, "B")]

    @pytest.mark.parametrize("mobility", ["on_foot", "crew_weapon", "helicopter"])
    def test_only_vehicles(self, mobility):
        """CA-103: no infantry, no weapon, and no aircraft, armored or not."""
        fields = {"armored": True} if mobility == "helicopter" else {}
        attacker = piece("A", mobility, size_class=6, **fields)
        assert against(attacker, target()) == [("CA-103", None, None, "B")]
        # Of others the sizes are not compared.
        assert against(attacker, target(size_class=5)) == [("CA-103", None, None, "B")]

    def test_no_friend(self):
        """CA-103."""
        assert against(tank(), target(side="red")) == [("CA-103", None, None, "B")]

    @pytest.mark.parametrize(
        ("mobility", "fields", "clauses"),
        [
            ("on_foot", {}, []),
            ("crew_weapon", {}, []),
            ("wheeled", {"size_class": 3}, ["CA-103"]),
            ("wheeled", {"size_class": 3, "armored": True}, []),
        ],
    )
    def test_unarmored_vehicles_are_an_option(self, mobility, fields, clauses):
        """CA-103: overrun_targets."""
        other = target(mobility, **fields)
        assert against(tank(), other) == []
        listed = against(tank(), other, options={"overrun_targets": "listed_only"})
        assert listed == [(one, None, None, "B") for one in clauses]

    @pytest.mark.parametrize(("size", "most"), [(6, 3), (5, 2), (4, 1)])
    def test_three_size_classes_smaller(self, size, most):
        """E12 (CA-104)."""
        for other in (target("wheeled", size_class=most), target(size_class=most)):
            assert against(tank(size_class=size), other) == []
        for other in (target("wheeled", size_class=most + 1), target(size_class=most + 1)):
            assert against(tank(size_class=size), other) == [("CA-104", most + 1, most, "B")]

    def test_men_and_weapons_are_of_size_1(self):
        """CA-104."""
        assert against(tank(size_class=4), target()) == against(tank(size_class=4), target("crew_weapon")) == []
        assert against(tank(size_class=3), target()) == [("CA-104", 1, 0, "B")]

    def test_whom_the_sizes_are_compared_with_is_an_option(self):
        """CA-104: overrun_size_scope."""
        options = {"overrun_size_scope": "vehicles_only"}
        assert against(tank(size_class=2), target(), options=options) == []
        assert against(tank(size_class=2), target("wheeled", size_class=1), options=options) == [("CA-104", 1, -1, "B")]

    def test_the_difference_can_be_set(self):
        assert against(tank(), target(size_class=4), tables={"overrun.size_classes": 2}) == []

    def test_nobody_upstairs(self):
        """CA-111."""
        assert against(tank(), target(floor=1)) == [("CA-111", 1, 0, "B")]

    @pytest.mark.parametrize(("altitude", "fields"), [(Fraction(1, 2), {}), (0, {"altitude": Fraction(1, 2)})])
    def test_both_on_the_ground(self, altitude, fields):
        """CA-111."""
        attacker, other = tank("grav"), target("gravpack", **fields)
        assert against(attacker, other, altitude) == [("CA-111", None, None, "B")]
        (told,) = overrun_breaches(arms_game(attacker, other).table, attacker, other, Fraction(altitude))
        assert told.message == f"{'A' if altitude else 'B'} is not on the ground"


class TestGround:
    """CA-105: the base of a target, or an inch of ground; CA-108: all of a foxhole."""

    @pytest.mark.parametrize(("options", "across"), [({}, 1), ({"overrun_default_stretch": 3}, 3)])
    def test_of_a_target_without_a_base(self, options, across):
        other = target(at=(10, 2))
        ground = ground_of(arms_game(other, options=options).table, other)
        assert ground.polygon.bounds == pytest.approx(
            (10 - across / 2, 2 - across / 2, 10 + across / 2, 2 + across / 2)
        )

    def test_of_a_base(self):
        other = target("wheeled", (10, 2), base=((2, 1), (2, -1), (-2, -1), (-2, 1)), heading=90)
        assert ground_of(arms_game(other).table, other).polygon.bounds == pytest.approx((9, 0, 11, 4))

    def test_of_a_foxhole(self):
        """All that lies between those in it, and of nobody else."""
        hole = {"in_foxhole": "pit", "base": 0.5}
        units = (
            target(at=(10, 0), **hole),
            target(name="C", at=(13, 0), **hole),
            target(name="D", at=(16, 0), in_foxhole="other", base=0.5),
            target(name="E", at=(19, 0), base=0.5),
        )
        table = arms_game(*units).table
        assert [one.id for one in together_with(table, units[0])] == ["B", "C"]
        assert [one.id for one in together_with(table, units[2])] == ["D"]
        assert [one.id for one in together_with(table, units[3])] == ["E"]
        assert position_of(table, units[0]).polygon.bounds == pytest.approx((9.5, -0.5, 13.5, 0.5), abs=0.01)
        assert position_of(table, units[3]).polygon.bounds == pytest.approx((18.5, -0.5, 19.5, 0.5), abs=0.01)

    def test_those_without_a_foxhole_are_not_in_one_together(self):
        units = (target(), target(name="C", at=(13, 0)))
        assert [one.id for one in together_with(arms_game(*units).table, units[0])] == ["B"]


class TestFoxholes:
    """CA-108, CA-109, CA-110."""

    @pytest.mark.parametrize(
        ("mobility", "fields", "destroys"),
        [
            ("tracked", {}, True),
            ("tracked", {"fully_tracked": True}, True),
            ("tracked", {"fully_tracked": False}, False),
            ("walker", {}, True),
            ("walker", {"fully_tracked": False}, True),
            ("wheeled", {}, False),
            ("wheeled", {"fully_tracked": True}, False),
            ("grav", {}, False),
            ("on_foot", {}, False),
            ("helicopter", {}, False),
        ],
    )
    def test_who_destroys_those_in_them(self, mobility, fields, destroys):
        attacker = piece("A", mobility, size_class=6, **fields)
        assert destroys_foxholes(attacker) is destroys

    @pytest.mark.parametrize(
        ("mobility", "dug_in", "fields", "least"),
        [
            ("tracked", True, {}, 20),
            ("tracked", True, {"damage_level": 1}, Fraction(40, 3)),  # of the current rate
            ("walker", True, {}, 16),
            ("wheeled", True, {}, 0),
            ("tracked", False, {}, 0),
        ],
    )
    def test_what_has_to_be_spent_over_them(self, mobility, dug_in, fields, least):
        """Two thirds of the rate; three times the price of the ground in any case."""
        attacker, other = tank(mobility, **fields), target(in_foxhole="pit" if dug_in else "")
        toll = overrun_toll(arms_game(attacker, other).table, attacker, other)
        assert (toll.factor, toll.least) == (3, least)
        assert toll.thing.polygon.bounds == pytest.approx((9.5, -0.5, 10.5, 0.5), abs=0.01)

    def test_the_figures_can_be_set(self):
        attacker, other = tank(), target(in_foxhole="pit")
        table = arms_game(attacker, other, tables={"overrun.factor": 4, "foxhole.share": "1/2"}).table
        toll = overrun_toll(table, attacker, other)
        assert (toll.factor, toll.least) == (4, 15)

    @pytest.mark.parametrize(
        ("mobility", "dug_in", "gone"),
        [
            ("tracked", True, ["B", "C"]),
            ("walker", True, ["B", "C"]),
            ("wheeled", True, []),
            ("wheeled", False, ["B"]),
            ("tracked", False, ["B"]),
        ],
    )
    def test_who_is_destroyed(self, mobility, dug_in, gone):
        hole = {"in_foxhole": "pit" if dug_in else ""}
        attacker, other = tank(mobility), target(**hole)
        table = arms_game(attacker, other, target(name="C", at=(13, 0), **hole)).table
        assert [one.id for one in destroyed_with(table, attacker, other)] == gone


def test_trees_and_overruns_are_told_where_they_happen():
    """CA-60, CA-110: not where the leg ends."""
    trees = (Piece("oak", "individual_tree", PointShape(3, 0)), Piece("elm", "individual_tree", PointShape(9, 0)))
    mover = piece("A", "tracked", armored=True, size_class=6)
    here = arms_game(mover, piece("E", "on_foot", (6, 0), "blue", base=0.5), terrain=trees)
    happened = here.do("A move over E: forward 20")
    told = {one.kind: [] for one in happened.events}
    for one in happened.events:
        told[one.kind].append(one.place)
    assert (sorted(told["knocks down"]), told["overruns"]) == ([(3, 0), (9, 0)], [(6, 0)])
