"""skirmish, played through orders: the worked examples of its register, and each option's difference."""

import math

import pytest
from skirmish_tables import block, chosen, clauses_broken, game_with, place_of, rough, wall

from simulator.engine.errors import IllegalOrder, OptionError
from simulator.geometry.pieces import CircleShape, LineShape, Piece, PointShape
from simulator.rulesets.skirmish import make_soldier


class TestStandardMoves:
    """SK-1 to SK-5: 3, 2 or 1 inches for an AP, up to that; each AP a line of its own."""

    @pytest.mark.parametrize(("stance", "inches"), [("standing", 3), ("crouching", 2), ("prone", 1)])
    def test_inches_by_stance(self, stance, inches):  # E1
        game = game_with(me={"stance": stance})
        assert clauses_broken(game, f"A1: to {inches},0") == []
        assert clauses_broken(game, f"A1: to {inches + 0.01},0") == ["SK-2"]

    def test_the_figures_of_a_line_that_is_too_long_add_up(self):
        (breach,) = game_with(me={"stance": "prone"}).breaches("A1: to 2,1")
        assert breach.message == "the line is 2.2361 inches long, 1.2361 more than the 1 allowed"

    def test_up_to_the_inches_and_the_rest_is_lost(self):
        game = game_with()
        game.do("A1: to 1,0")
        assert game.state.unit("A1")["ap"] == 2
        assert clauses_broken(game, "A1: to 5,0") == ["SK-2"]

    def test_the_line_may_bend(self):
        assert clauses_broken(game_with(), "A1: to 1,0, to 1,2") == []
        assert clauses_broken(game_with(options={"path_shape": "straight_per_ap"}), "A1: to 1,0, to 1,2") == ["SK-4"]

    def test_ap_are_not_pooled_unless_the_option_says_so(self):
        assert clauses_broken(game_with(), "A1 move ap 2: to 6,0") == ["SK-5"]
        game = game_with(options={"pool_ap": True})
        game.do("A1 move ap 2: to 6,0")
        assert game.state.unit("A1")["ap"] == 1

    def test_turning_round_costs_no_inches(self):  # E6
        game = game_with(me={"heading": 180})
        assert clauses_broken(game, "A1: to 3,0, facing 0") == []
        game = game_with(me={"heading": 180}, options={"measure": "front_point"})
        assert clauses_broken(game, "A1: to 3,0, facing 0") == ["SK-2"]
        assert clauses_broken(game, "A1: to 2,0, facing 0") == []

    def test_turning_on_the_spot_moves_the_front(self):  # SK-3
        large = {"radius": 1.0, "heading": 180, "stance": "prone"}
        assert clauses_broken(game_with(me=large), "A1: facing 0") == []
        by_front = game_with(me=large, options={"measure": "front_point"})
        assert clauses_broken(by_front, "A1: facing 0") == ["SK-2"]
        assert clauses_broken(by_front, "A1: facing 240") == []

    def test_the_ledger_adds_up(self):
        happened = game_with().do("A1: to 1,0, to 1,1.5")
        assert happened.ledger.total("AP") == 1
        assert float(happened.ledger.total("inches")) == 2.5

    def test_the_base_stays_on_the_table(self):  # E25
        game = game_with(at=(1, 5), me={"stance": "prone"}, corner=(0, 0))
        assert clauses_broken(game, "A1: to 0.5,5") == []
        assert clauses_broken(game, "A1: to 0.4,5") == ["SK-63", "SK-63"]


class TestRoughTerrain:
    """SK-8 to SK-15: a roll for a line that crosses rough ground; an inch lost, or Threshold suffered."""

    STRIP = rough(2, -9, 3, 9)

    def test_the_roll_is_due_though_the_end_is_clear(self):  # E4
        game = game_with(rough(1, -9, 2, 9), dice=(6,))
        happened = game.do("A1: to 3,0")
        assert [str(entry.question.what) for entry in happened.answered] == ["Terrain roll"]
        assert place_of(game) == (3, 0)

    def test_a_failure_costs_an_inch_or_threshold(self):  # E7
        game = game_with(self.STRIP, dice=(7,))
        game.do("A1: to 3,0", chosen("lose_inch"))
        assert place_of(game) == (2, 0)
        game = game_with(self.STRIP, dice=(7,))
        game.do("A1: to 3,0", chosen("suffer_threshold"))
        assert place_of(game) == (3, 0)
        assert game.state.unit("A1")["threshold_left"] == 2

    def test_prone_in_rough_ground_gets_nowhere(self):  # E9
        game = game_with(rough(-9, -9, 9, 9), me={"stance": "prone", "threshold_left": 0}, dice=(10,))
        game.do("A1: to 1,0")
        assert place_of(game) == (0, 0)

    def test_a_short_line_is_not_shortened_and_nothing_is_asked(self):  # E10
        game = game_with(rough(-9, -9, 9, 9), dice=(10,))
        happened = game.do("A1: to 2,0")
        assert place_of(game) == (2, 0)
        assert len(happened.answered) == 1

    def test_running_along_the_edge_is_not_crossing(self):
        game = game_with(rough(-9, 0, 9, 9))
        assert game.do("A1: to 3,0").answered == ()
        swept = game_with(rough(-9, 0, 9, 9), options={"rough_test": "swept_base"}, dice=(1,))
        assert len(swept.do("A1: to 3,0").answered) == 1

    def test_one_roll_for_several_areas(self):
        game = game_with(rough(0.5, -1, 1, 1, "one"), rough(1.5, -1, 2, 1, "two"), dice=(1,))
        assert len(game.do("A1: to 3,0").answered) == 1

    def test_a_shortened_line_stops_before_a_friend(self):  # SK-14
        game = game_with(self.STRIP, others=(("A2", "red", (1.9, 0)),), dice=(10,))
        game.do("A1: to 3,0", chosen("lose_inch"))
        assert place_of(game) == (0.9, 0)

    def test_penalties_make_the_roll_harder(self):  # SK-7, SK-59
        game = game_with(self.STRIP, me={"incoming_fire": 1, "health": 1}, dice=(2,))
        roll = game.do("A1: to 3,0").answered[0].question
        assert roll.needed == 2


class TestObstacles:
    """SK-16 to SK-26: round it, or over it."""

    LONG = wall((3, -24), (3, 24))

    def test_round_the_end_of_a_wall(self):  # E12
        game = game_with(wall((2, -1), (2, 1)))
        assert "SK-17" in clauses_broken(game, "A1: to 2.6,0")
        leg = math.sqrt(5 - 0.25)
        assert 2 * leg + 0.5 * math.radians(78.972) == pytest.approx(5.0481, abs=1e-4)

    def test_traverse_within_an_inch(self):  # E14
        assert clauses_broken(game_with(self.LONG, at=(1.5, 0)), "A1 traverse wall") == []
        assert clauses_broken(game_with(self.LONG, at=(1.4, 0)), "A1 traverse wall") == ["SK-18"]

    def test_over_failed_and_over_again(self):  # E13
        game = game_with(self.LONG, at=(1.5, 0), dice=(7, 6))
        game.do("A1 traverse wall", chosen("near_side"))
        assert place_of(game) == (2.5, 0)
        game.do("A1 traverse wall")
        assert place_of(game) == (3.5, 0)
        game.do("A1: to 6.5,0")

    def test_threshold_gets_it_over(self):
        game = game_with(self.LONG, at=(1.5, 0), dice=(10,))
        game.do("A1 traverse wall", chosen("suffer_threshold"))
        assert place_of(game) == (3.5, 0)
        assert game.state.unit("A1")["threshold_left"] == 2

    def test_a_low_block_and_one_that_is_too_deep(self):  # E15
        game = game_with(block(3, -9, 4, 9, 0.8), at=(2, 0), dice=(8,))
        game.do("A1 traverse block")
        assert place_of(game) == (4.5, 0)
        game = game_with(block(3, -9, 4, 9, 0.8), at=(2, 0), dice=(9,))
        game.do("A1 traverse block", chosen("near_side"))
        assert place_of(game) == (2.5, 0)
        assert clauses_broken(game_with(block(3, -9, 6.5, 9), at=(2, 0)), "A1 traverse block") == ["SK-24"]

    @pytest.mark.parametrize(("height", "needed"), [(1, 8), (1.5, 6), (3, 4), (3.5, 2)])
    def test_difficulty_goes_by_height(self, height, needed):  # SK-20
        game = game_with(wall((3, -9), (3, 9), height=height), at=(2, 0), dice=(1,))
        assert game.do("A1 traverse wall").answered[0].question.needed == needed

    def test_too_high_is_impossible(self):
        assert clauses_broken(game_with(wall((3, -9), (3, 9), height=4.1), at=(2, 0)), "A1 traverse wall") == ["SK-20"]

    def test_any_direction(self):
        order = "A1 traverse wall towards 3,0.5"
        assert clauses_broken(game_with(self.LONG, at=(2, 0)), order) == ["SK-23"]
        game = game_with(self.LONG, at=(2, 0), options={"traverse_direction": "any_direction"}, dice=(1,))
        game.do(order)
        x, y = place_of(game)
        assert (x, y) == (3.5, pytest.approx(0.75))

    def test_a_free_traverse(self):
        game = game_with(self.LONG, at=(2, 0), options={"traverse_ap": 0}, dice=(1,))
        game.do("A1 traverse wall")
        assert game.state.unit("A1")["ap"] == 3

    def test_not_past_an_enemy_or_onto_a_friend(self):
        for side in ("red", "blue"):
            game = game_with(self.LONG, at=(2, 0), others=(("X", side, (4, 0)),))
            assert "SK-24" in clauses_broken(game, "A1 traverse wall")


class TestGaps:
    """SK-48 to SK-52: a gap too narrow for the base is an obstacle."""

    def opening(self, width):
        return [wall((3, width / 2), (3, 20), name="upper"), wall((3, -20), (3, -width / 2), name="lower")]

    def test_too_narrow_takes_a_traverse(self):  # E16
        game = game_with(*self.opening(0.8), at=(1.7, 0), dice=(6,))
        assert "SK-48" in clauses_broken(game, "A1: to 4,0")
        game.do("A1 traverse upper and lower")
        assert place_of(game) == (3.3, 0)
        game = game_with(*self.opening(0.8), at=(1.7, 0), dice=(7,))
        game.do("A1 traverse lower and upper", chosen("near_side"))
        assert place_of(game) == (2.7, 0)

    def test_an_exact_fit_is_walked_through(self):
        assert clauses_broken(game_with(*self.opening(1.0), at=(1.7, 0)), "A1: to 4,0") == []
        closed = game_with(*self.opening(1.0), at=(1.7, 0), options={"exact_fit_passes": False})
        assert clauses_broken(closed, "A1: to 4,0") == ["SK-49"]
        assert "SK-48" in clauses_broken(game_with(*self.opening(1.0), at=(1.7, 0)), "A1 traverse upper and lower")

    @pytest.mark.parametrize(("width", "free"), [(4, True), (2, False), (2.5, False), (3, True)])
    def test_the_four_gaps(self, width, free):  # E3
        game = game_with(*self.opening(width), at=(0.5, 0), me={"radius": 1.5})
        assert ("SK-48" in clauses_broken(game, "A1: to 3,0")) is not free
        small = game_with(*self.opening(width), at=(0.5, 0))
        assert clauses_broken(small, "A1: to 3,0") == []


class TestRunning:
    """SK-27 to SK-37: one straight line of up to 9 inches, for 3 AP, with a token."""

    def test_nine_inches_and_a_token(self):  # E2, E18
        game = game_with()
        game.do("A1 run: to 9,0")
        assert game.state.unit("A1")["running"] is True
        assert clauses_broken(game_with(), "A1 run: to 9.1,0") == ["SK-30"]
        assert clauses_broken(game_with(), "A1 run: to 4,0, to 4,4") == ["SK-29"]

    def test_only_standing_and_with_three_ap(self):  # E20
        assert clauses_broken(game_with(me={"stance": "crouching"}), "A1 run: to 5,0") == ["SK-27"]
        game = game_with(me={"stance": "crouching"})
        game.do("A1 change_stance standing")
        assert clauses_broken(game, "A1 run: to 5,0") == ["SK-28"]

    @pytest.mark.parametrize(("die", "end", "running"), [(6, 9, True), (7, 8, False)])
    def test_rough_ground_on_a_run(self, die, end, running):  # E19
        game = game_with(rough(2, -9, 3, 9), dice=(die,))
        game.do("A1 run: to 9,0")
        assert (place_of(game), game.state.unit("A1")["running"]) == ((end, 0), running)

    def test_a_short_run_keeps_its_length_but_not_the_token(self):  # SK-36
        game = game_with(rough(2, -9, 3, 9), dice=(7,))
        game.do("A1 run: to 7,0")
        assert (place_of(game), game.state.unit("A1")["running"]) == ((7, 0), False)

    def test_threshold_saves_a_run_only_by_option(self):
        game = game_with(rough(2, -9, 3, 9), dice=(7,), options={"run_threshold": True})
        game.do("A1 run: to 9,0", chosen("suffer_threshold"))
        assert (place_of(game), game.state.unit("A1")["running"]) == ((9, 0), True)

    def test_an_enemy_stops_it(self):  # E18
        game = game_with(others=(("B1", "blue", (5, 0)),))
        assert clauses_broken(game, "A1 run: to 4,0") == []
        assert "SK-53" in clauses_broken(game, "A1 run: to 9,0")
        for degrees, free in ((11.5, False), (11.6, True)):
            x, y = 9 * math.cos(math.radians(degrees)), 9 * math.sin(math.radians(degrees))
            assert ("SK-53" not in clauses_broken(game, f"A1 run: to {x},{y}")) is free

    def test_the_least_length_is_an_option(self):
        assert clauses_broken(game_with(options={"run_min_inches": 9}), "A1 run: to 5,0") == ["SK-30"]

    def test_how_long_the_token_stays(self):
        for until, after_round in (("next_activation", True), ("round_end", False)):
            game = game_with(options={"running_until": until})
            game.do("A1 run: to 9,0")
            game.do("B9 done")
            assert game.state.unit("A1")["running"] is after_round
            game.do("A1: to 9,1")
            assert game.state.unit("A1")["running"] is False

    @pytest.mark.parametrize("allowed", [True, False])
    def test_a_traverse_after_a_run(self, allowed):  # SK-33
        options = {"ap_per_activation": 4, "run_and_traverse_same_activation": allowed}
        game = game_with(wall((8, -5), (8, 5)), options=options)
        game.do("A1 run: to 7,0")
        assert clauses_broken(game, "A1 traverse wall") == ([] if allowed else ["SK-33"])

    @pytest.mark.parametrize("allowed", [True, False])
    def test_a_traverse_before_a_run(self, allowed):  # SK-33
        options = {"ap_per_activation": 4, "run_and_traverse_same_activation": allowed}
        game = game_with(wall((1, -5), (1, 5)), dice=(1,), options=options)
        game.do("A1 traverse wall")
        assert clauses_broken(game, "A1 run: to 9,0") == ([] if allowed else ["SK-33"])


class TestBases:
    """SK-53 to SK-56: enemies bar the way, friends only the end."""

    def test_friends_are_passed_and_not_ended_on(self):  # E17
        game = game_with(others=(("A2", "red", (1.5, 0)),))
        for x, legal in ((0.5, True), (0.6, False), (2.4, False), (2.5, True), (3, True)):
            assert (clauses_broken(game, f"A1: to {x},0") == []) is legal, x

    def test_crouching_past_a_friend_to_the_exact_touch(self):  # E17
        game = game_with(me={"stance": "crouching"}, others=(("A2", "red", (1.5, 0)),))
        game.do("A1: to 0.5,0")
        game.do("A1: to 2.5,0")
        assert place_of(game) == (2.5, 0)

    def test_an_enemy_is_gone_round(self):  # E11
        game = game_with(others=(("B1", "blue", (3, 0)),))
        assert clauses_broken(game, "A1: to 2,0") == []
        assert clauses_broken(game, "A1: to 2.1,0") == ["SK-53", "SK-56"]

    def test_only_the_line_by_option(self):
        others = (("B1", "blue", (1.5, 0.8)),)
        assert clauses_broken(game_with(others=others), "A1: to 3,0") == ["SK-53"]
        lenient = game_with(others=others, options={"enemy_block": "line_only"})
        assert clauses_broken(lenient, "A1: to 3,0") == []
        assert (
            clauses_broken(
                game_with(others=(("B1", "blue", (1.5, 0.8)),), options={"enemy_block": "line_only"}), "A1: to 3,0"
            )
            == []
        )


class TestDodging:
    """SK-38 to SK-47: a reaction, for an AP to come or for Threshold."""

    def attacked(self, order, answers, dice=(), options=None, me=None):
        game = game_with(at=(3, 4), others=(("B1", "blue", (0, 0)),), dice=dice, options=options, me=me)
        happened = game.do(order, chosen(*answers))
        return game, happened

    def test_avoided_and_shifted(self):  # E22
        game, happened = self.attacked("B1 attack A1 base normal made normal", ["normal"], (6,))
        assert place_of(game) == (3.6, 4.8)
        assert happened.events[-1].kind == "is missed"
        assert game.state.unit("A1")["ap_owed"] == 1

    @pytest.mark.parametrize(
        ("base", "made", "dodge", "left"),
        [
            ("normal", "good", "normal", "normal"),
            ("normal", "good", "good", ""),
            ("poor", "good", "normal", "normal"),
            ("poor", "good", "good", "poor"),
            ("poor", "good", "excellent", ""),
        ],
    )
    def test_levels_come_off(self, base, made, dodge, left):  # E23
        _, happened = self.attacked(f"B1 attack A1 base {base} made {made}", [dodge], (1,))
        assert happened.events[-1].detail.get("level", "") == left

    def test_penalties_on_a_dodge(self):  # E24
        _, happened = self.attacked("B1 attack A1 made normal", ["normal"], (4,), me={"incoming_fire": 1})
        assert happened.answered[1].question.needed == 4
        assert happened.events[-1].kind == "is missed"

    def test_a_failed_dodge_is_paid_and_does_nothing(self):  # SK-46
        game, happened = self.attacked("B1 attack A1 made normal", ["normal"], (7,))
        assert (place_of(game), happened.events[-1].kind) == ((3, 4), "is hit")
        assert game.state.unit("A1")["ap_owed"] == 1

    def test_an_ap_spent_on_a_dodge_is_missing_later(self):  # E20
        game, _ = self.attacked("B1 attack A1 made normal", ["normal"], (7,))
        assert clauses_broken(game, "A1 run: to 3,10") == ["SK-28"]
        game.do("A1: to 3,5")
        assert game.state.unit("A1")["ap"] == 1

    def test_after_the_activation_it_costs_threshold(self):  # SK-40
        game = game_with(at=(3, 4), others=(("B1", "blue", (0, 0)),), dice=(7,))
        game.do("A1 done")
        game.do("B1 attack A1 made normal", chosen("normal"))
        assert game.state.unit("A1")["threshold_left"] == 2

    def test_nobody_dodges_without_anything_to_pay(self):
        game = game_with(at=(3, 4), others=(("B1", "blue", (0, 0)),), me={"threshold_left": 0})
        game.do("A1 done")
        assert game.do("B1 attack A1 made normal").answered == ()

    def test_cut_short_by_a_wall(self):  # SK-41
        game = game_with(wall((4, -9), (4, 9)), at=(3, 0), others=(("B1", "blue", (0, 0)),), dice=(1,))
        game.do("B1 attack A1 made normal", chosen("normal"))
        assert place_of(game) == (3.5, 0)

    def test_a_running_target_is_harder_to_hit(self):  # E21
        game = game_with(at=(3, 0), others=(("B1", "blue", (0, 0)),), me={"running": True}, dice=(5,))
        happened = game.do("B1 attack A1")
        roll = happened.answered[0].question
        assert float(roll.chance) == 0.4
        assert happened.events[-1].kind == "is missed"

    def test_options_of_the_dodge(self):
        game, happened = self.attacked(
            "B1 attack A1 made normal", ["normal"], (3,), {"dodge_attribute": "PSQ"}, {"psq": 3}
        )
        assert happened.answered[1].question.needed == 3
        game, _ = self.attacked("B1 attack A1 made normal", ["normal", 90], (1,), {"dodge_direction": "any_away"})
        assert place_of(game) == (3, 5)
        game, happened = self.attacked("B1 attack A1", ["normal"], (1, 9), {"dodge_timing": "before_attack_roll"})
        assert [entry.question.what for entry in happened.answered] == ["dodge", "dodge roll", "attack roll"]
        assert place_of(game) == (3.6, 4.8)

    @pytest.mark.parametrize(("option", "end"), [(False, (4, 0)), (True, (3, 0))])
    def test_rough_ground_under_a_dodge(self, option, end):
        game = game_with(
            rough(2, -3, 9, 3),
            at=(3, 0),
            others=(("B1", "blue", (0, 0)),),
            dice=(1, 10),
            options={"dodge_terrain_roll": option},
            me={"threshold_left": 0},
        )
        game.do("B1 attack A1 made normal", chosen("normal"))
        assert place_of(game) == end

    def test_a_source_underneath_leaves_the_direction_open(self):
        game = game_with(at=(3, 0), others=(("B1", "blue", (9, 0)),), dice=(1,))
        game.do("B1 attack A1 made normal from 3,0", chosen("normal", 90))
        assert place_of(game) == (3, 1)


class TestRounds:
    """SK-61, SK-64, SK-65: three AP, a stance for one of them, sides in turn."""

    @pytest.mark.parametrize("ap", [3, 2, 4])
    def test_ap_per_activation(self, ap):
        game = game_with(options={"ap_per_activation": ap})
        game.do("A1 change_stance crouching")
        assert game.state.unit("A1")["ap"] == ap - 1

    def test_ap_are_data_of_a_soldier(self):  # SK-61
        game = game_with(me={"ap_per_activation": 5})
        game.do("A1 run: to 9,0")
        assert game.state.unit("A1")["ap"] == 2

    def test_the_target_goes_on_in_steps(self):  # SK-58: T = attribute + 2 * (2 - rank - penalty)
        for psq, fire, needed in ((6, 0, 6), (10, 0, 10), (20, 5, 10), (20, 9, 2), (1, 9, -17)):
            game = game_with(rough(-9, -9, 9, 9), me={"psq": psq, "incoming_fire": fire}, dice=(10,))
            roll = game.do("A1: to 2,0").answered[0].question
            assert roll.needed == needed
            assert float(roll.chance) == min(max(needed, 0), 10) / 10

    def test_sides_alternate_and_statuses_reset(self):
        game = game_with()
        with pytest.raises(IllegalOrder, match="SK-65"):
            game.do("B9: to 22,22")
        game.do("A1 done")
        assert game.state.unit("A1")["status"] == "activated"
        game.do("B9 done")
        assert game.state.unit("A1")["status"] == "not_activated"
        assert game.state.clock.turn == 2

    def test_faults_of_a_position(self):
        game = game_with(block(-1, -1, 1, 1))
        assert [breach.clause for breach in game.ruleset.faults(game.table)] == ["SK-17"]


class TestPieces:
    """SK-8, SK-66: obstacles are polygons or lines, rough terrain is areas; a disc is a polygon of many corners."""

    def test_a_round_statue(self):
        statue = Piece("statue", "obstacle", CircleShape(3, 0, 0.5), "obstacle", 1.0)
        game = game_with(statue, at=(1.5, 0), dice=(1,))
        assert clauses_broken(game, "A1: to 2,0") == []
        assert set(clauses_broken(game, "A1: to 2.1,0")) == {"SK-17"}
        game.do("A1 traverse statue")
        assert place_of(game) == (4, 0)

    def test_a_ditch_is_a_line_with_a_width(self):
        ditch = Piece("ditch", "rough_terrain", LineShape([(2, -5), (2, 5)], width=0.5))
        assert len(game_with(ditch, dice=(1,)).do("A1: to 3,0").answered) == 1
        assert game_with(ditch).do("A1: to 1.7,0").answered == ()

    @pytest.mark.parametrize(
        ("piece", "clause"),
        [
            (Piece("post", "obstacle", PointShape(3, 3), "obstacle", 1.0), "SK-66"),
            (Piece("thorn", "rough_terrain", PointShape(3, 3)), "SK-66"),
            (Piece("rope", "rough_terrain", LineShape([(3, 3), (4, 4)])), "SK-8"),
        ],
        ids=lambda value: getattr(value, "id", value),
    )
    def test_what_is_no_area_is_refused(self, piece, clause):
        game = game_with(piece)
        assert [breach.clause for breach in game.ruleset.faults(game.table)] == [clause]

    @pytest.mark.parametrize(
        "fields",
        [{"radius": 0}, {"radius": -1}, {"radius": "big"}, {"radius": 1e6}, {"psq": 1.5}, {"health": -1}, {"ap": True}],
        ids=str,
    )
    def test_figures_of_a_soldier_are_checked(self, fields):
        with pytest.raises(OptionError, match=next(iter(fields))):
            make_soldier("A1", "red", (0, 0), **fields)

    @pytest.mark.parametrize("path", ["terrain.roll.level", "traverse_difficulty.gap", "dodge.roll.level"])
    def test_levels_in_the_tables_are_checked(self, path):  # SK-10, SK-20, SK-42
        game = game_with(tables={path: "superb"})
        (fault,) = game.ruleset.faults(game.table)
        assert path in fault.message

    def test_a_gap_may_be_impossible_by_table(self):
        sides = wall((3, 0.4), (3, 9), name="upper"), wall((3, -9), (3, -0.4), name="lower")
        game = game_with(*sides, at=(2, 0), tables={"traverse_difficulty.gap": "impossible"})
        assert clauses_broken(game, "A1 traverse upper and lower") == ["SK-20"]

    @pytest.mark.parametrize(
        ("tables", "order", "clauses"),
        [
            ({"inches.standing": 4}, "A1: to 4,0", []),
            ({"run.inches": 12}, "A1 run: to 12,0", []),
            ({"cost.run.ap": 4}, "A1 run: to 3,0", ["SK-28"]),
            ({"cost.change_stance": 4}, "A1 change_stance prone", ["SK-64"]),
            ({"cost.move": 4}, "A1: to 1,0", ["SK-1"]),
            ({"traverse.within": 2}, "A1 traverse wall", []),
            ({"traverse_difficulty.up_to.normal": 1, "traverse.within": 2}, "A1 traverse wall", []),
        ],
        ids=str,
    )
    def test_every_figure_can_be_replaced(self, tables, order, clauses):
        game = game_with(wall((2.5, 2), (2.5, -2), height=1.5), at=(0, 3.2) if "to" in order else (0, 0), tables=tables)
        order = order.replace(",0", ",3.2")
        assert clauses_broken(game, order) == clauses
