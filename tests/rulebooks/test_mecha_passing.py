"""Bases of mecha in each other's way: who may pass whom, who is on one level, and what is contact."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from mecha_games import mecha_game, unit

from simulator.engine.errors import OptionError
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.contact import gap_between, in_contact_with, opponents_near, stops_of, touches
from simulator.rulesets.mecha.passing import bases_in_the_way, may_pass, near_by, on_one_level, shrunk

LOW = Piece("low", "rock", rectangle((10, 0), (6, 6)), "elevated", 2)
KEEP = Piece("keep", "building", rectangle((20, 0), (6, 6)), "elevated", 4)


def one_overlaps(one, piece):
    """Whether the base of a unit overlaps a piece."""
    return shapely.Point(one.place).distance(piece.shape.polygon) < float(one["base"])


def passes(mover, other, **options):
    """Whether a unit may move through another."""
    return may_pass(mecha_game(mover, other, options=options).table, mover, other)


class TestWhoMayPass:
    @pytest.mark.parametrize(
        ("mover", "other", "side", "may"),
        [
            ((1, "walker"), (4, "walker"), "red", True),
            ((1, "walker"), (3, "walker"), "red", False),
            ((1, "walker"), (4, "track"), "red", False),
            ((1, "walker"), (4, "walker"), "blue", False),
            ((5, "track"), (2, "hover"), "red", True),
            ((5, "track"), (3, "hover"), "red", False),
            ((4, "walker"), (1, "four_legged_walker"), "red", True),
            ((1, "walker"), (4, "infantry"), "red", False),
            ((1, "walker"), (4, "wheel"), "red", False),
            ((1, "walker"), (4, "static"), "red", False),
        ],
    )
    def test_friends_three_classes_apart_that_walk_or_hover(self, mover, other, side, may):
        """ME-42, E15: larger or smaller; all three conditions are needed."""
        one = unit("A", mover[1], size_class=mover[0])
        assert passes(one, unit("X", other[1], (5, 0), side, size_class=other[0])) == may

    @pytest.mark.parametrize(
        ("option", "over_walker", "over_track", "both"),
        [("obstacle", True, False, True), ("mover", False, True, True), ("both", False, False, True)],
    )
    def test_whose_type_counts(self, option, over_walker, over_track, both):
        """ME-42, option pass_type_of: a track over a walker, a walker over a track, a walker over a walker."""
        small = {name: unit("A", name, size_class=1) for name in ("walker", "track")}
        large = {name: unit("X", name, (5, 0), size_class=4) for name in ("walker", "track")}
        found = [
            passes(small[mover], large[other], pass_type_of=option)
            for mover, other in (("track", "walker"), ("walker", "track"), ("walker", "walker"), ("track", "track"))
        ]
        assert found == [over_walker, over_track, both, False]


class TestLevels:
    @pytest.mark.parametrize(
        ("size_class", "here", "there", "meet"),
        [
            (2, "ground", "ground", True),
            (2, "ground", "low", False),
            (4, "ground", "low", False),
            (5, "ground", "low", True),
            (5, "ground", "keep", False),
            (9, "ground", "keep", True),
            (9, "keep", "low", False),
            (9, "keep", "keep", True),
            (9, "low", "ground", False),
        ],
    )
    def test_a_top_that_is_low_for_who_stands_on_the_ground(self, size_class, here, there, meet):
        """ME-105, E21: T 1 for U 5 and T 2 for U 9; from the ground only, not from a top."""
        places = {"ground": (0, 0), "low": (10, 0), "keep": (20, 0)}
        beside = {"ground": (0, 5), "low": (10, 2), "keep": (20, 2)}
        one = unit("A", "walker", places[here], size_class=size_class, level=here)
        other = unit("B", "walker", beside[there], "blue", level=there)
        table = mecha_game(one, other, terrain=(LOW, KEEP)).table
        assert on_one_level(table, one, other) == meet
        assert on_one_level(table, other, one) == meet
        assert [near.id for near in near_by(table, one)] == ["B"] * meet

    def test_a_giant_touches_who_stands_on_a_low_top(self):
        """ME-8, ME-44, ME-105."""
        one = unit("A", "walker", (6.2, 0), size_class=5, base=1)
        other = unit("B", "walker", (7.7, 0), "blue", level="low")
        game = mecha_game(one, other, terrain=(LOW,))
        assert [found.id for found in in_contact_with(game.table, one)] == ["B"]
        assert [found.clause for found in game.breaches("A standard: backward 1")] == ["ME-8"]

    @pytest.mark.parametrize("tolerance", ["0.01", "0.3", "1"])
    @pytest.mark.parametrize("mobility", ["walker", "four_legged_walker", "infantry", "track", "wheel", "hover"])
    @pytest.mark.parametrize("turned", [0.0, 90.0, 200.0])
    def test_contact_beside_a_low_top(self, turned, mobility, tolerance):
        """ME-8, ME-44, ME-105: bases on it count while the base below overlaps its outline; where it may not, never."""
        dice = np.random.default_rng(7)
        low = Piece("low", "rock", rectangle((0, 0), (6, 6), turned), "elevated", 2)
        edge = (np.cos(np.radians(turned)), np.sin(np.radians(turned)))
        for _ in range(12):
            above, below = dice.uniform(0, 1.2), dice.uniform(-0.5, 1.2)
            away = (2.5 - above, 3.5 + below)
            units = [
                unit(name, kind, tuple(round(float(far * one), 6) for one in edge), side, size_class=size, level=level)
                for name, kind, far, side, size, level in (
                    ("A", mobility, away[1], "red", 5, "ground"),
                    ("B", "walker", away[0], "blue", 2, "low"),
                )
            ]
            game = mecha_game(*units, terrain=(low,), options={"contact_tolerance": tolerance})
            one, other = (game.table.unit(name) for name in "AB")
            over = one_overlaps(one, low) and mobility in ("walker", "four_legged_walker", "infantry")
            meet = over and abs(gap_between(one, other)) <= Fraction(tolerance)
            assert [found.id for found in in_contact_with(game.table, one)] == ["B"] * meet, units
            assert [found.id for found in in_contact_with(game.table, other)] == ["A"] * meet, units
            for order in ("A standard", "B standard"):
                found = {(breach.clause, breach.blocker) for breach in game.breaches(order)}
                assert ("ME-8" in {clause for clause, _ in found}) == meet, units

    @pytest.mark.parametrize(("mobility", "charges"), [("walker", True), ("track", False), ("hover", False)])
    def test_charges_onto_a_low_top(self, mobility, charges):
        """ME-88, ME-105: those who may not be on very difficult ground end no charge in contact with those there."""
        one = unit("A", mobility, (3, 0), size_class=5)
        other = unit("B", "walker", (7.5, 0), "blue", level="low")
        game = mecha_game(one, other, terrain=(LOW,), options={"charge_minimum": "none"})
        refused = [(found.clause, found.blocker) for found in game.breaches("A charge B: forward 3.5")]
        assert (("ME-88", "B") in refused) != charges
        assert game.reach("A", "charge").targets.keys() == ({"B"} if charges else set())
        # From the top nobody gets at those who stand beside it, until they overlap it.
        assert ("ME-88", "A") in [(found.clause, found.blocker) for found in game.breaches("B charge A: forward 1")]
        assert "A" not in game.reach("B", "charge").targets


class TestObstacles:
    @pytest.mark.parametrize(("base", "tolerance", "radius"), [(1, "0.01", 0.99), (2, "0.5", 1.5), ("0.5", "0.5", 0)])
    def test_overlaps_that_count_as_contact_are_none(self, base, tolerance, radius):
        """ME-43: by no more than contact_tolerance; nothing is left of a base that is as wide."""
        other = unit("B", "walker", (3, 4), "blue", base=Fraction(base))
        table = mecha_game(unit("A", "walker"), other, options={"contact_tolerance": tolerance}).table
        found = shrunk(table, other)
        x, y, far_x, far_y = found.polygon.bounds if radius else (3, 4, 3, 4)
        assert ((x + far_x) / 2, (y + far_y) / 2) == pytest.approx((3, 4))
        assert (far_x - x) / 2 == pytest.approx(radius, abs=0.01)

    @pytest.mark.parametrize("bases", [("0.5", "0.5"), ("0.25", "0.75"), ("0.3", "0.2")])
    @pytest.mark.parametrize("order", ["forward 2.4", "forward 2.6", "forward 3", "forward 6"])
    def test_bases_that_are_no_wider_than_the_tolerance_bar_nobody(self, order, bases):
        """ME-41, ME-43, ME-44: no overlap of theirs is more than contact, on the way or at the end."""
        mover, foe = unit("A", "walker", base=Fraction(bases[0])), unit("E", "track", (3, 0.1), "blue")
        foe = foe.put(base=Fraction(bases[1]))
        game = mecha_game(mover, foe, options={"contact_tolerance": 1})
        assert game.breaches(f"A standard: {order}") == []
        assert game.reach("A", "standard").cost_at((float(order.split()[1]), 0)) is not None
        game.do(f"A standard: {order}")
        assert game.faults == ()

    @pytest.mark.parametrize("tolerance", ["0.2", "0.25", "0.3", "0.5", "0.74", "0.75", "1"])
    def test_overlaps_of_more_than_a_base(self, tolerance):
        """ME-43, option contact_tolerance: it is at most as wide as either base, or as both; nothing else is played."""
        small = unit("B", "walker", (3, 0), "blue", base=Fraction(1, 4), heading=180)
        units, most = [unit("A", "walker"), small], Fraction(tolerance)
        if Fraction(1, 4) < most < Fraction(3, 4):
            with pytest.raises(
                OptionError, match=r"expected at most 0.25, the radius of the base of B, or at least 0.75"
            ):
                mecha_game(*units, options={"contact_tolerance": tolerance})
            return
        game = mecha_game(*units, options={"contact_tolerance": tolerance})
        for name, start, ahead in (("A", 0, 1), ("B", 3, -1)):
            for inches in (2.23 + float(tolerance), 2.27 + float(tolerance)):
                legal = inches < 2.25 + most or most >= Fraction(3, 4)
                assert (game.breaches(f"{name} standard: forward {inches:.6f}") == []) == legal
                assert (game.reach(name, "standard").cost_at((start + ahead * inches, 0)) is not None) == legal

    def test_whom_it_may_pass_it_may_not_end_on(self):
        """ME-41, ME-42, ME-43: those on other levels are in nobody's way."""
        mover = unit("A", "walker", size_class=1)
        passable, friend = unit("P", "walker", (5, 0), size_class=4), unit("F", "walker", (0, 5))
        foe, above = unit("B", "walker", (0, -5), "blue", size_class=4), unit("K", "walker", (20, 0), level="keep")
        table = mecha_game(mover, passable, friend, foe, above, terrain=(KEEP,)).table
        bars, no_end = bases_in_the_way(table, mover)
        assert [(one.name, one.clause) for one in bars] == [("F", "ME-41"), ("B", "ME-41")]
        assert [(one.name, one.clause) for one in no_end] == [("P", "ME-43")]


class TestContact:
    @pytest.mark.parametrize("tolerance", ["0.01", "0.2"])
    @pytest.mark.parametrize("apart", [-1.5, -1, -0.5, 0, 0.5, 1, 1.5])
    def test_gaps_and_overlaps_up_to_the_tolerance(self, tolerance, apart):
        """ME-44, option contact_tolerance: the bases are 1 and 1/2 inches wide."""
        gap = apart * float(tolerance)
        one, other = unit("A", "walker", base=1), unit("B", "walker", (1.5 + gap, 0), "blue")
        table = mecha_game(one, other, options={"contact_tolerance": tolerance}).table
        assert gap_between(one, other) == pytest.approx(gap)
        assert touches(table, one, other) == (abs(apart) <= 1)

    def test_with_opposing_units_alone(self):
        """ME-8, ME-44: of those on its level."""
        mover, friend = unit("A", "walker"), unit("F", "walker", (0, 1))
        near, far = unit("B", "walker", (1, 0), "blue"), unit("D", "walker", (0, -5), "blue")
        table = mecha_game(mover, friend, near, far).table
        assert [one.id for one in opponents_near(table, mover)] == ["B", "D"]
        assert [one.id for one in in_contact_with(table, mover)] == ["B"]

    def test_who_is_not_on_the_table_touches_nobody(self):
        """ME-86: nor does who is aboard, whatever its carrier touches."""
        aboard, off = unit("A", "infantry", None, carrier="C"), unit("O", "walker", None)
        truck = unit("C", "track", slots=2, size_class=4)
        table = mecha_game(aboard, off, truck, unit("B", "walker", (1, 0), "blue")).table
        assert [in_contact_with(table, table.unit(name)) for name in ("A", "O")] == [[], []]
        assert [one.id for one in in_contact_with(table, table.unit("C"))] == ["B"]

    @pytest.mark.parametrize("stops", [False, True])
    def test_whom_moves_end_at(self, stops):
        """ME-8, option contact_stops_move: at opposing units, and not by default."""
        mover, friend, foe = unit("A", "walker"), unit("F", "walker", (0, 4)), unit("B", "walker", (4, 0), "blue")
        table = mecha_game(mover, friend, foe, options={"contact_stops_move": stops}).table
        assert [one.id for one in stops_of(table, mover)] == ["B"] * stops

    @pytest.mark.parametrize(("tolerance", "found"), [("0.01", ["ME-87"]), ("0.05", [])])
    def test_a_charge_ends_in_contact_within_the_tolerance(self, tolerance, found):
        """ME-44, ME-87: 4 hundredths of an inch from its target."""
        game = mecha_game(
            unit("A", "walker"), unit("B", "walker", (9, 0), "blue"), options={"contact_tolerance": tolerance}
        )
        assert [one.clause for one in game.breaches("A charge B: forward 7.96")] == found
