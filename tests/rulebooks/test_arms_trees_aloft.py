"""Trees in combined_arms at every altitude below their top (CA-60, CA-61, CA-81): some fell them, others go round."""

from fractions import Fraction

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, PointShape, rectangle
from simulator.geometry.poses import Pose
from simulator.rulesets.combined_arms.vocabulary import altitude_name


def oak(x=5.0, y=0.0, name="oak", **fields):
    return Piece(name, "individual_tree", PointShape(x, y), **fields)


def game(*terrain, others=(), options=None, **fields):
    names = ("A", *(other.id for other in others))
    mover = piece("A", fields.pop("mobility", "grav"), **fields)
    return arms_game(mover, *others, terrain=terrain, options=options or {}, data={"initiative": names})


def played(table, order, answers=None):
    """What an order costs, what it fells, and the lines for that."""
    happened = table.do(f"A move: {order}", answers)
    lines = [str(line) for line in happened.ledger if "knocking" in str(line)]
    return float(happened.ledger.total("inches")), table.state.data["felled"], lines


def clauses(table, order):
    return [breach.clause for breach in table.breaches(f"A move: {order}")]


class TestBelowItsTop:
    @pytest.mark.parametrize("altitude", [0, 1, 2.5])
    def test_who_may_fells_it_at_its_price(self, altitude):
        up = f"climb {altitude}, " if altitude else ""
        line = "1 inch  knocking down oak (CA-60)"
        assert played(game(oak()), f"{up}forward 10") == (11 + altitude, ("oak",), [line])

    def test_at_its_top_it_is_passed_over(self):
        assert played(game(oak()), "climb 3, forward 10, descend 3") == (16, (), [])
        assert played(game(oak(height=4)), "climb 3, forward 10, descend 3") == (
            17,
            ("oak",),
            ["1 inch  knocking down oak (CA-60)"],
        )

    def test_its_price_is_that_of_the_tree_on_any_ground(self):
        """CA-61, CA-62: soft ground and vegetation do not count for a grav vehicle."""
        ground = (
            Piece("bog", "soft_ground", rectangle((5, 0), (4, 4))),
            Piece("wood", "vegetation", rectangle((5, 0), (2, 2))),
        )
        dear = oak(attributes={"tree_cost": 3})
        assert played(game(*ground, dear), "climb 2, forward 10")[0] == 2 + 10 + 2 + 3

    @pytest.mark.parametrize(
        ("mobility", "fields"), [("grav", {"size_class": 2}), ("gravpack", {}), ("jetpack", {}), ("helicopter", {})]
    )
    def test_it_bars_the_way_of_others(self, mobility, fields):
        table = game(oak(), mobility=mobility, **fields)
        assert clauses(table, "climb 2, forward 6") == ["CA-60"]
        table = game(oak(), mobility="jetpack")
        assert clauses(table, "climb 3, forward 6, descend 3") == []
        assert clauses(table, "climb 3, forward 5, descend 3") == ["CA-60"]

    def test_who_cannot_pay_stops_before_it(self):
        (breach,) = game(oak()).breaches("A move: climb 2, forward 34")
        assert (breach.clause, breach.needed, breach.available) == ("CA-3", 35, 34)
        (breach,) = game(oak()).breaches("A move: climb 3, forward 5, descend 3, forward 25")
        assert (breach.clause, breach.needed, breach.available) == ("CA-3", 25, 24)


class TestOneTreeAtAllAltitudes:
    def test_felled_low_it_is_gone_when_passing_high_and_the_other_way_round(self):
        assert played(game(oak()), "forward 10, climb 2, reverse 10") == (
            10 + 1 + 2 + 20,
            ("oak",),
            ["1 inch  knocking down oak (CA-60)"],
        )
        assert played(game(oak()), "climb 2, forward 10, descend 2, reverse 5")[:2] == (2 + 10 + 1 + 2 + 10, ("oak",))

    def test_later_moves_find_it_gone(self):
        second = piece("B", "grav", (0, 8))
        table = game(oak(), others=(second,))
        table.do("A move: climb 2, forward 6")
        table.do("B move: forward 1")
        assert played(table, "reverse 6") == (12, ("oak",), [])

    def test_who_comes_down_on_it_fells_it(self):
        """CA-60: its base passes over the point, below the top; without a slope, as in a rotation."""
        hill = Piece("hill", "slope", rectangle((5, 0), (30, 30)), attributes={"uphill": 0.0})
        for order, paid in (("descend 3", 12), ("descend 1", 10)):
            assert played(game(oak(), hill), f"climb 3, forward 5, {order}")[:2] == (paid, ("oak",))
        assert played(game(oak(), base=1), "climb 3, forward 6, descend 3, reverse 2")[:2] == (17, ("oak",))

    def test_who_stands_on_it_at_the_start_pays_with_the_first_leg_below_its_top(self):
        under = oak(0.5)
        assert played(game(under, base=1), "climb 2") == (2, (), [])
        assert played(game(under, base=1), "climb 2, forward 4")[:2] == (7, ("oak",))
        assert played(game(under, base=1), "climb 3, forward 4") == (7, (), [])
        assert played(game(under, base=1), "climb 2, descend 2, forward 4")[:2] == (9, ("oak",))

    def test_a_slanting_climb_meets_what_its_leg_meets(self):
        """CA-85, option vertical_geometry: the leg is made at the altitude that is left."""
        slanting = {"vertical_geometry": "euclid"}
        paid, felled, _ = played(game(oak(2.0), options=slanting), "forward 3, climb 4")
        assert (paid, felled) == (pytest.approx(5 + 1), ("oak",))
        paid, felled, _ = played(game(oak(2.0), options=slanting), "climb 4, forward 3, descend 4")
        assert (paid, felled) == (pytest.approx(4 + 5), ())
        paid, felled, _ = played(game(oak(3.0), options=slanting), "climb 4, forward 3, descend 4")
        assert (paid, felled) == (pytest.approx(4 + 5 + 1), ("oak",))

    def test_it_falls_once_where_fire_parts_a_descent(self):
        gun = piece("G", "tracked", (5, 20), "blue", weapon_range=60)
        table = game(oak(), oak(-3, name="elm"), others=(gun,))
        happened = table.do(
            "A move: reverse 3, climb 3, forward 8, descend 3", [None, None, None, 1.5, "stationary", 2]
        )
        assert [event.detail["tree"] for event in happened.events if event.kind == "knocks down"] == ["elm", "oak"]
        assert table.state.data["felled"] == ("elm", "oak")
        assert float(happened.ledger.total("inches")) == 6 + 1 + 3 + 8 + 3 + 1


class TestReach:
    def test_every_altitude(self):
        wall = Piece("wall", "low_obstacle", rectangle((0, 20), (1, 1)))
        reach = game(oak(), wall).reach("A", climbing=True)
        assert reach.level_names == [0, "1.5", 3]
        assert [reach.cost_at(Pose((10, 0), None, level)) for level in reach.level_names] == [11, 12.5, 13]
        (order,) = reach.orders_to(Pose((10, 0), None, "1.5"))
        assert float(game(oak(), wall).do(order).ledger.total("inches")) == 12.5

    # Long: reach at several altitudes; single flights are tried beside it.
    @pytest.mark.long
    def test_why_not(self):
        reach = game(oak(), damage_level=2, speed_grade="slow").reach("A", climbing=True)
        answer = reach.why_not(Pose((8, 0), None, 0))
        assert [(reason.clause, reason.needed, reason.available) for reason in answer.reasons] == [("CA-3", 9, 8)]

    # Long: reach at several altitudes; single flights are tried beside it.
    @pytest.mark.long
    @pytest.mark.parametrize("seed", range(1))
    def test_ends_among_trees_of_several_heights_are_played_at_their_price(self, seed):
        """CA-3: what reach says is legal, and costs that."""
        dice = np.random.default_rng(seed)

        spots = np.random.default_rng(seed + 10).uniform(-4, 4, (6, 2)).round(2).tolist()
        trees = [oak(1.6, 0.0), oak(2.6, 0.1, "elm", height=2)]
        trees += [oak(x, y, f"tree{number}", height=(1, 2, 3)[number % 3]) for number, (x, y) in enumerate(spots)]
        base = (None, 0.6, [[-0.8, -0.5], [0.8, -0.5], [0.8, 0.5], [-0.8, 0.5]])[seed]
        table = game(*trees, damage_level=2, speed_grade="slow", **({} if base is None else {"base": base}))
        reach = table.reach("A", climbing=True)
        felled, found = 0, 0
        for level in reach.known_levels:
            for place in [(1.6, 0.0), *dice.uniform(-4, 4, (7, 2)).round(2).tolist()]:
                pose = Pose(tuple(place), None, level)
                if pose not in reach:
                    continue
                (order,) = reach.orders_to(pose)
                there = table.branch()
                assert there.breaches(there.write(order)) == []
                happened = there.do(order)
                assert float(happened.ledger.total("inches")) == pytest.approx(reach.cost_at(pose), abs=1e-4)
                assert altitude_name(Fraction(there.state.unit("A")["altitude"])) == level
                found, felled = found + 1, felled + len(there.state.data["felled"])
        assert found > 8
        assert felled > 0
