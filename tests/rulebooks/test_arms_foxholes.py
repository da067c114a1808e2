"""Foxholes in combined_arms: who destroys those in them, for what, and who passes over without effect."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle

HULL = {"armored": True, "size_class": 6}


def dug_in(name="bob", at=(10.5, 0), hole="hole", **fields):
    return piece(name, "on_foot", at, "blue", base=0.5, in_foxhole=hole, **fields)


def against(mobility, *targets, rate=30, terrain=(), **fields):
    return arms_game(piece("A", mobility, rate_original=rate, **{**HULL, **fields}), *targets, terrain=terrain)


def clauses(game, order):
    return [breach.clause for breach in game.breaches(order)]


class TestDestroying:
    """E35, E46: CA-108."""

    @pytest.mark.parametrize(("rate", "approach"), [(30, 10), (24, 8)])
    def test_two_thirds_of_the_rate_over_the_position(self, rate, approach):
        game = against("tracked", dug_in(at=(approach + 0.5, 0)), rate=rate)
        happened = game.do(f"A move over bob: forward {approach + 1}")
        assert happened.ledger.total("inches") == rate
        assert [(line.what, line.clause) for line in happened.ledger][-2:] == [
            ("overrunning bob", "CA-105"),
            ("grinding over bob", "CA-108"),
        ]
        assert sorted(game.state.units) == ["A"]

    def test_not_from_half_an_inch_farther_off(self):
        game = against("tracked", dug_in(at=(11, 0)))
        (short,) = game.breaches("A move over bob: forward 11.5")
        assert short.clause == "CA-106"

    def test_of_the_current_rate(self):
        game = against("tracked", dug_in(at=(5.5, 0)), damage_level=1)
        assert game.do("A move over bob: forward 6").ledger.total("inches") == 5 + Fraction(40, 3)

    def test_everybody_in_one_foxhole(self):
        game = against("walker", dug_in(at=(4, 0.2)), dug_in("cem", (4, -0.2)), rate=24, size_class=4)
        happened = game.do("A move over bob: forward 4.5")
        assert float(happened.ledger.total("inches")) == pytest.approx(3.5 + 16, abs=0.1)
        assert sorted(game.state.units) == ["A"]

    def test_in_two_foxholes_one_alone(self):
        game = against("walker", dug_in(at=(2, 0)), dug_in("cem", (5, 0), "other"), rate=24, size_class=4)
        assert "CA-106" in clauses(game, "A move over bob cem: forward 5.5")
        game.do("A move over bob: forward 2.5")
        assert sorted(game.state.units) == ["A", "cem"]

    def test_the_size_rule_holds(self):
        game = against("tracked", dug_in(), size_class=3)
        assert "CA-104" in clauses(game, "A move over bob: forward 11")

    def test_it_may_be_done_standing_on_the_position(self):
        """Rotations made on it count."""
        game = against("tracked", dug_in(at=(5, 0)))
        happened = game.do("A move over bob: forward 5, turn_left 45, turn_right 45, forward 0.5")
        assert happened.ledger.total("inches") == 4.5 + 20

    def test_reach_counts_it(self):
        sides = tuple(Piece(f"wall{y:g}", "high_wall", rectangle((11, y), (8, 4))) for y in (2.45, -2.45))
        reach = against("tracked", dug_in(), terrain=sides).reach("A", overrunning=True)
        assert reach.cost_at((11, 0)) == 30
        assert reach.cost_at((10.5, 0)) is None
        assert reach.cost_at((11.1, 0)) is None


class TestPassingOver:
    """CA-109."""

    @pytest.mark.parametrize(
        ("mobility", "fields"), [("wheeled", {}), ("grav", {}), ("tracked", {"fully_tracked": False})]
    )
    def test_others_pass_without_effect(self, mobility, fields):
        game = against(mobility, dug_in(), **fields)
        happened = game.do("A move over bob: forward 14")
        assert happened.ledger.total("inches") == 10 + 3 + 3
        assert [event.clause for event in happened.events if event.kind == "passes over"] == ["CA-109"]
        assert sorted(game.state.units) == ["A", "bob"]

    def test_they_may_not_end_on_it(self):
        game = against("wheeled", dug_in())
        assert clauses(game, "A move over bob: forward 10.5") == ["CA-109"]
        assert clauses(game, "A move: forward 10.5") == ["CA-80"]
        assert clauses(game, "A move over bob: forward 11, reverse 0.5") == ["CA-109"]

    @pytest.mark.parametrize("base", [None, 0.5, 1])
    def test_nor_so_near_that_their_base_is_on_it(self, base):
        """CA-80: orders, reach and the position afterwards agree."""
        for inches in (10, 10.5, 11, 11.2, 11.6, 12, 12.5):
            game = against("wheeled", dug_in(), base=base)
            order = f"A move over bob: forward {inches}"
            apart = abs(inches - 10.5) >= 0.5 + (base or 0)
            assert clauses(game, order) == ([] if apart else ["CA-109"])
            known = game.reach("A", overrunning=True).cost_at((inches, 0))
            assert (known is not None) == apart
            if apart:
                assert known == pytest.approx(float(game.do(order).ledger.total("inches")))
                assert not game.faults


class TestCrossedAgain:
    """CA-105, CA-109: those in a foxhole are still there, and each crossing costs what the first one does."""

    @pytest.mark.parametrize("base", [None, 0.3, 0.5, ((1, 0.4), (-1, 0.4), (-1, -0.4), (1, -0.4))])
    @pytest.mark.parametrize(
        ("order", "inches", "crossings"),
        [
            ("forward 13", 13, 1),
            ("forward 13, reverse 5", 18, 2),
            ("forward 11, reverse 3", 14, 2),
            ("forward 11.2, reverse 3.4", 14.6, 2),
            ("forward 6, forward 5.2, reverse 3.4", 14.6, 2),
            ("forward 11, reverse 1, forward 3", 15, 3),
            ("forward 11.2, reverse 0.1, forward 2", 13.3, 1),
            ("forward 10.7, forward 0.1, forward 2.2", 13, 1),
        ],
    )
    def test_at_the_same_price(self, base, order, inches, crossings):
        game = against("wheeled", dug_in(), base=base, dual_driver=True, rate=60)
        happened = game.do(f"A move over bob: {order}")
        assert float(happened.ledger.total("inches")) == pytest.approx(inches + 2 * crossings)
        assert sum(event.kind == "passes over" for event in happened.events) == crossings

    def test_turned_and_driven_back(self):
        game = against("wheeled", dug_in(), rate=120)
        happened = game.do("A move over bob: forward 12, turn_left 180, forward 3")
        assert float(happened.ledger.total("inches")) == 12 + 2 + 100 + 3 + 2

    def test_short_of_the_allowance_the_second_time(self):
        """CA-106."""
        game = against("wheeled", dug_in(), dual_driver=True, rate=18)
        (breach,) = game.breaches("A move over bob: forward 13, reverse 5")
        assert breach.clause == "CA-106"

    def test_reach_and_orders_agree(self):
        """What is reached costs what the order does, wherever it leads over the foxhole."""
        game = against("wheeled", dug_in(), dual_driver=True)
        reach = game.reach("A", overrunning=True)
        for place in ((12, 0), (16, 0), (14, 3), (9, 0), (12, -4), (11.5, 0.5)):
            if reach.cost_at(place) is not None:
                (order,) = reach.orders_to(place)
                assert not game.breaches(order)
                assert float(game.do(order).ledger.total("inches")) == pytest.approx(reach.cost_at(place), abs=1e-3)
                game.undo()


def test_who_is_in_no_foxhole_is_overrun_as_ever():
    game = against("tracked", dug_in(hole=""))
    assert game.do("A move over bob: forward 14").ledger.total("inches") == 10 + 3 + 3
    assert sorted(game.state.units) == ["A"]


def test_who_moves_leaves_its_foxhole():
    """CA-108: the hole stays where it was."""
    game = arms_game(piece("A", "on_foot", in_foxhole="pit"), piece("B", "on_foot", (1, 0), in_foxhole="pit"))
    game.do("A move: turn_left 90")
    assert game.state.unit("A")["in_foxhole"] == "pit"
    again = arms_game(piece("A", "on_foot", in_foxhole="pit"), piece("B", "on_foot", (1, 0), in_foxhole="pit"))
    again.do("A move: forward 3")
    assert (again.state.unit("A")["in_foxhole"], again.state.unit("B")["in_foxhole"]) == ("", "pit")
