"""skirmish: traverses and gaps at their limits, over each form that an obstacle can have."""

import math

import pytest
from skirmish_tables import block, chosen, clauses_broken, game_with, place_of, rough, wall

from simulator.geometry.pieces import Piece, PolygonShape
from simulator.rulesets.skirmish.obstruction import narrow_gaps
from simulator.rulesets.skirmish.traverse.rules import in_reach

ANY = {"traverse_direction": "any_direction"}


def polygon(*corners, height=1.0, name="house"):
    return Piece(name, "obstacle", PolygonShape(corners), "obstacle", height)


def over(game, order, *answers):
    game.do(order, chosen(*answers))
    return place_of(game)


def ways(game):
    table = game.ready_table("A1")
    return [(way.over, tuple(round(x, 6) + 0.0 for x in way.far)) for way in in_reach(table, table.unit("A1"))]


class TestLimits:
    """SK-18, SK-20, SK-24: limits are inclusive, and a hair beyond them is too much."""

    @pytest.mark.parametrize(("x", "refused"), [(1.5, []), (1.4999995, []), (1.49999, ["SK-18"])])
    def test_one_inch_from_the_base(self, x, refused):
        assert clauses_broken(game_with(wall((3, -9), (3, 9)), at=(x, 0)), "A1 traverse wall") == refused

    @pytest.mark.parametrize(("depth", "refused"), [(3, []), (3.0000005, []), (3.00001, ["SK-24"])])
    def test_three_inches_deep(self, depth, refused):
        game = game_with(block(3, -9, 3 + depth, 9), at=(2, 0))
        assert clauses_broken(game, "A1 traverse block") == refused

    @pytest.mark.parametrize(("height", "needed"), [(1.0000005, 8), (1.00001, 6), (4, 2)])
    def test_bands_of_height(self, height, needed):
        game = game_with(wall((3, -9), (3, 9), height=height), at=(2, 0), dice=(1,))
        assert game.do("A1 traverse wall").answered[0].question.needed == needed

    def test_depth_counts_along_the_ray(self):
        # A bar 2.5 deep is 2.5 / cos(40) = 3.26 deep for whoever climbs it aslant.
        bar = block(3, -9, 5.5, 9)
        aslant = f"A1 traverse block towards 3,{math.tan(math.radians(40)):.9f}"
        assert clauses_broken(game_with(bar, at=(2, 0)), "A1 traverse block") == []
        assert clauses_broken(game_with(bar, at=(2, 0), options=ANY), aslant) == ["SK-24"]

    def test_the_base_may_touch_already(self):
        game = game_with(wall((3, -9), (3, 9)), at=(2.5, 0), dice=(1,))
        assert over(game, "A1 traverse wall") == (3.5, 0)

    def test_past_the_end_of_a_wall(self):  # SK-23: n is the wall's end, the ray leads past it aslant
        game = game_with(wall((3, 1), (3, 9)), at=(2.2, 0.4), dice=(1,))
        assert over(game, "A1 traverse wall") == (3.5, 1.375)

    @pytest.mark.parametrize(("length", "refused"), [(3, []), (3.1, ["SK-24"])])
    def test_a_wall_climbed_along_is_as_deep_as_it_is_long(self, length, refused):
        game = game_with(wall((3, 0), (3 + length, 0)), at=(2, 0))
        assert clauses_broken(game, "A1 traverse wall") == refused

    def test_sliding_along_another_face_is_only_a_touch(self):
        # In the corner of an L the base touches one arm all the way to the other, and that is no overlap.
        corner = wall((-5, -0.5), (3, -0.5), (3, 5))
        game = game_with(corner, at=(2, 0), dice=(1,), options=ANY)
        assert over(game, "A1 traverse wall towards 3,0") == (3.5, 0)


class TestForms:
    """SK-23: straight across the nearest point; the player picks among ties."""

    def test_ties_are_the_players_choice(self):
        game = game_with(wall((-1, 5), (-1, -1), (5, -1)), dice=(1,), at=(0, 0))
        assert ways(game) == [(("wall",), (-1.5, 0)), (("wall",), (0, -1.5))]
        for towards, end in (("-1,0", (-1.5, 0)), ("0,-1", (0, -1.5))):
            assert over(game.branch(), f"A1 traverse wall towards {towards}") == end

    def test_out_of_a_notch_over_one_wall_of_it(self):
        notch = polygon((-4, -4), (4, -4), (4, 4), (1, 4), (1, -1), (-1, -1), (-1, 4), (-4, 4))
        game = game_with(notch, at=(0, 2), dice=(1,))
        assert [way for way, _ in ways(game)] == [("house",), ("house",)]
        assert over(game, "A1 traverse house towards 1,2") == (4.5, 2)

    def test_two_arms_with_room_between_are_climbed_one_by_one(self):
        arms = polygon((3, -5), (8, -5), (8, 5), (7, 5), (7, -4), (4, -4), (4, 5), (3, 5))
        game = game_with(arms, at=(2, 0), dice=(1, 1))
        assert over(game, "A1 traverse house") == (4.5, 0)

    def test_the_aim_is_the_part_that_is_met_first(self):
        arms = polygon((3, -5), (8, -5), (8, 5), (7, 5), (7, -4), (4, -4), (4, 5), (3, 5))
        game = game_with(arms, at=(2.5, 0), options=ANY)
        assert "SK-23" in clauses_broken(game, "A1 traverse house towards 7,0")

    def test_any_direction_is_still_within_an_inch(self):
        game = game_with(wall((3, -9), (3, 9)), at=(2, 0), options=ANY)
        assert clauses_broken(game, "A1 traverse wall towards 3,1.1") == []
        assert clauses_broken(game, "A1 traverse wall towards 3,1.2") == ["SK-18"]

    @pytest.mark.parametrize(("towards", "clause"), [("2,0", "SK-23"), ("2.5,0", "SK-23"), ("3,0.4", "SK-23")])
    def test_what_is_no_aim(self, towards, clause):
        game = game_with(wall((3, -9), (3, 9)), at=(2, 0))
        assert clauses_broken(game, f"A1 traverse wall towards {towards}") == [clause]


class TestBothSides:
    """SK-22, SK-24, SK-56: nobody comes down, or stays before it, on somebody's base."""

    LONG = wall((3, -24), (3, 24))

    def test_a_failure_stops_before_a_friend_at_the_foot(self):
        game = game_with(self.LONG, at=(1.5, 0), others=(("A2", "red", (2.3, 0.8)),), dice=(10,))
        game.do("A1 traverse wall", chosen("near_side"))
        assert place_of(game) == (1.7, 0)
        assert math.dist((1.7, 0), (2.3, 0.8)) == pytest.approx(1)

    def test_a_friend_in_the_way_is_passed(self):
        game = game_with(self.LONG, at=(1.5, 0), others=(("A2", "red", (2.3, 0.8)),), dice=(1,))
        assert over(game, "A1 traverse wall") == (3.5, 0)

    def test_an_enemy_beside_the_way_by_option(self):
        beside = (("B1", "blue", (2.4, 0.8)),)
        assert clauses_broken(game_with(self.LONG, at=(2, -0.15), others=beside), "A1 traverse wall") == ["SK-24"]
        lenient = game_with(self.LONG, at=(2, -0.15), others=beside, options={"enemy_block": "line_only"})
        assert clauses_broken(lenient, "A1 traverse wall") == []

    def test_another_obstacle_in_the_way(self):
        post = block(2.2, 0.3, 2.4, 0.5, name="post")
        assert clauses_broken(game_with(self.LONG, post, at=(1.6, 0)), "A1 traverse wall") == ["SK-24"]

    def test_not_off_the_table(self):
        game = game_with(wall((0.5, 0), (0.5, 9)), at=(1.2, 5), corner=(0, 0))
        assert set(clauses_broken(game, "A1 traverse wall")) == {"SK-24", "SK-63"}

    @pytest.mark.parametrize("stance", ["standing", "crouching", "prone"])
    def test_in_any_stance_and_without_a_terrain_roll(self, stance):  # SK-25
        game = game_with(self.LONG, rough(-9, -9, 9, 9), at=(2, 0), me={"stance": stance}, dice=(1,))
        assert [entry.question.what for entry in game.do("A1 traverse wall").answered] == ["Traverse roll"]
        assert game.state.unit("A1")["ap"] == 2

    def test_penalties_can_make_it_hopeless(self):  # SK-7, SK-58
        game = game_with(self.LONG, at=(2, 0), me={"incoming_fire": 3, "threshold_left": 0}, dice=(1,))
        happened = game.do("A1 traverse wall")
        assert float(happened.answered[0].question.chance) == 0
        assert place_of(game) == (2.5, 0)


class TestGapsOfEveryKind:
    """SK-48 to SK-51: where the base does not get through between two faces, whoever's they are."""

    #: A yard of one bent wall with a gate 0.8 wide in its west side.
    YARD = wall((0, 0.4), (0, 5), (8, 5), (8, -5), (0, -5), (0, -0.4), height=9, name="yard")

    def test_the_gate_in_one_bent_wall(self):
        game = game_with(self.YARD, at=(-1, 0), dice=(6,))
        assert clauses_broken(game, "A1 traverse yard") == ["SK-20"]
        assert ways(game) == [(("yard", "yard"), (0.3, 0))]
        assert over(game, "A1 traverse yard and yard") == (0.3, 0)

    def test_a_larger_base_and_a_smaller_one(self):  # SK-51
        small = game_with(self.YARD, at=(-1, 0), me={"radius": 0.4})
        assert clauses_broken(small, "A1: to 1,0") == []
        assert clauses_broken(small, "A1 traverse yard and yard") == ["SK-48"]
        large = game_with(self.YARD, at=(-2, 0), me={"radius": 1.5}, dice=(1,))
        s = math.sqrt(1.5**2 - 0.4**2)
        assert over(large, "A1 traverse yard and yard") == (round(s, 6), 0)

    def test_a_notch_that_leads_nowhere(self):
        notch = polygon((0, -4), (6, -4), (6, 4), (0, 4), (0, 0.3), (2, 0.3), (2, -0.3), (0, -0.3), height=9)
        game = game_with(notch, at=(-1, 0))
        assert "SK-16" in clauses_broken(game, "A1 traverse house and house")

    def test_a_slot_right_through_a_block(self):
        # Two blocks joined by an arch of one piece further up: still one obstacle with a slot 0.6 wide, 2 deep.
        slot = polygon((0, -4), (2, -4), (2, -0.3), (0, -0.3), height=9, name="south")
        arch = polygon((0, 0.3), (2, 0.3), (2, 4), (0, 4), height=9, name="north")
        game = game_with(slot, arch, at=(-1, 0), dice=(6,))
        assert over(game, "A1 traverse north and south") == (2.4, 0)

    @pytest.mark.parametrize(("depth", "refused"), [(3, []), (3.01, ["SK-24"])])
    def test_a_slot_has_a_depth_too(self, depth, refused):
        low = polygon((0, -4), (depth, -4), (depth, -0.3), (0, -0.3), height=9, name="south")
        high = polygon((0, 0.3), (depth, 0.3), (depth, 4), (0, 4), height=9, name="north")
        game = game_with(low, high, at=(-1, 0))
        assert clauses_broken(game, "A1 traverse north and south") == refused

    def test_a_wedge_is_no_gap(self):
        assert narrow(game_with(wall((0, 0), (5, 0), name="one"), wall((0, 0.001), (5, 4), name="two"))) == 1
        assert narrow(game_with(wall((5, 4), (0, 0), (5, 0)))) == 0

    def test_a_jog_in_a_wall_is_no_gap(self):
        assert narrow(game_with(wall((-5, 0), (0, 0), (0, 0.5), (5, 0.5)))) == 0
        assert narrow(game_with(block(0, 0, 0.5, 5))) == 0

    def test_two_openings_between_the_same_two(self):
        comb = polygon((0, 0), (6, 0), (6, 2), (4, 2), (4, 1), (2, 1), (2, 2), (0, 2), name="comb")
        beam = polygon((0, 5), (0, 2.6), (2, 2.6), (2, 3.6), (4, 3.6), (4, 2.6), (6, 2.6), (6, 5), name="beam")
        game = game_with(comb, beam, at=(-1, 2.3), dice=(1,))
        assert over(game, "A1 traverse comb and beam") == (2.4, 2.3)
        between = game_with(comb, beam, at=(3, 2), dice=(1,))
        through = [far for over, far in ways(between) if over == ("comb", "beam")]
        assert sorted(through) == [(-0.4, 2.3), (6.4, 2.3)]
        for towards, end in (("2,2.3", (-0.4, 2.3)), ("4,2.3", (6.4, 2.3))):
            assert over(between.branch(), f"A1 traverse comb and beam towards {towards}") == end

    def test_the_table_s_edge_is_no_side_of_a_gap(self):
        # Beside the edge the base would hang over it, so nothing is gained by a roll.
        game = game_with(wall((5, 0.6), (5, 9), height=9), at=(4, 0.5), corner=(0, 0))
        assert narrow(game) == 0
        assert "SK-17" in clauses_broken(game, "A1: to 6,0.5")

    def test_a_friend_beyond_a_gap(self):
        others = (("A2", "red", (1, 0)),)
        assert "SK-24" in clauses_broken(game_with(self.YARD, at=(-1, 0), others=others), "A1 traverse yard and yard")

    def test_a_gap_between_enemies_is_none(self):  # SK-54
        game = game_with(at=(0, 0), others=(("B1", "blue", (1, 0.8)), ("B2", "blue", (1, -0.8))))
        assert clauses_broken(game, "A1 traverse B1 and B2") == ["SK-66", "SK-66"]
        assert ways(game) == []

    def test_what_is_no_gap_says_so(self):
        game = game_with(wall((3, -9), (3, 9)), at=(2, 0))
        assert clauses_broken(game, "A1 traverse wall and wall") == ["SK-48"]


class TestExactFits:
    """SK-49: a gap of just the base's width."""

    def opening(self, width):
        return [wall((3, width / 2), (3, 20), name="upper"), wall((3, -20), (3, -width / 2), name="lower")]

    @pytest.mark.parametrize(("width", "gaps"), [(0.99999, 1), (0.9999995, 0), (1, 0), (1.0000005, 0), (1.00001, 0)])
    def test_it_passes(self, width, gaps):
        assert narrow(game_with(*self.opening(width), at=(1.7, 0))) == gaps

    @pytest.mark.parametrize(("width", "gaps"), [(0.99999, 1), (0.9999995, 1), (1, 1), (1.0000005, 1), (1.00001, 0)])
    def test_it_is_too_narrow_by_option(self, width, gaps):
        assert narrow(game_with(*self.opening(width), at=(1.7, 0), options={"exact_fit_passes": False})) == gaps

    def test_it_is_climbed_through_by_option(self):
        game = game_with(*self.opening(1), at=(1.7, 0), options={"exact_fit_passes": False}, dice=(6,))
        x, y = over(game, "A1 traverse upper and lower")
        assert (x, y) == (pytest.approx(3, abs=2e-3), 0)
        assert x > 3
        assert clauses_broken(game, "A1: to 5,0") == []
        assert clauses_broken(game, "A1: to 2,0") == ["SK-49"]


def narrow(game):
    table = game.ready_table("A1")
    return len(narrow_gaps(table, table.unit("A1")))


@pytest.mark.parametrize("die", range(1, 11))
@pytest.mark.parametrize("choice", ["near_side", "suffer_threshold"])
def test_every_roll_and_choice(die, choice):
    """SK-19, SK-21, SK-22: ten results, two choices, four ends."""
    game = game_with(wall((3, -24), (3, 24)), at=(1.5, 0), dice=(die,))
    happened = game.do("A1 traverse wall", chosen(choice) if die > 6 else None)
    made, saved = die <= 6, die > 6 and choice == "suffer_threshold"
    assert place_of(game) == ((3.5, 0) if made or saved else (2.5, 0))
    assert game.state.unit("A1")["threshold_left"] == (2 if saved else 3)
    assert happened.ledger.total("AP") == 1
    assert len(happened.answered) == (1 if made else 2)


def test_no_threshold_no_choice():  # SK-62
    game = game_with(wall((3, -24), (3, 24)), at=(1.5, 0), me={"threshold_left": 0}, dice=(10,))
    assert len(game.do("A1 traverse wall").answered) == 1
    assert place_of(game) == (2.5, 0)
