"""Phases and points, ground, turns and contact of mecha: what each clause decides, and what each option changes."""

import re
from fractions import Fraction

import pytest
from mecha_games import mecha_game, unit

from simulator.engine.errors import OptionError
from simulator.geometry.pieces import LineShape, Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha import RULESET


def clauses(game, order):
    """The clauses of the reasons against an order."""
    return [breach.clause for breach in game.breaches(order)]


def mp(game, order):
    """The movement points that an order costs."""
    return game.do(order).ledger.total("mp")


class TestPhases:
    def test_movement_phases(self):
        """ME-1: two of them, whatever lies between and after."""
        game = mecha_game(unit("A", "walker"), unit("B", "track", (20, 0), "blue"))
        phases = [phase.name for phase in game.table.clock.phases]
        assert phases == ["movement_1", "attack_1", "movement_2", "attack_2"]
        game.do("all done")
        assert game.table.clock.phase.name == "movement_2"

    def test_phase_list(self):
        """ME-1: other phases by option, the movement phases in their order."""
        game = mecha_game(unit("A", "walker"), options={"phase_list": "movement_1, movement_2, end"})
        assert [phase.name for phase in game.table.clock.phases] == ["movement_1", "movement_2", "end"]
        for wrong in ("movement_2, movement_1", "movement_1", "movement_1, movement_2, movement_1"):
            with pytest.raises(OptionError, match="phase_list"):
                mecha_game(unit("A", "walker"), options={"phase_list": wrong})

    def test_one_declared_action_in_a_phase(self):
        """ME-2, ME-4: an action is declared, and takes the place of all others in the phase."""
        game = mecha_game(unit("A", "walker"), unit("B", "track", (20, 0), "blue"))
        happened = game.do("A standard: forward 1")
        assert happened.events[0].kind in ("go begins", "declares")
        declared = next(event for event in happened.events if event.kind == "declares")
        assert (declared.clause, declared.detail["action"]) == ("ME-4", "standard")
        assert game.table.unit("A")["acted_1"] == "standard"
        assert "ME-2" in clauses(game, "A manoeuvre: forward 1")

    @pytest.mark.parametrize(
        ("action", "ap", "moves"),
        [
            *(
                ("standard", 1, 1),
                ("run", 2, 2),
                ("climb", 2, 0),
                ("break_away", 1, 1),
                ("jump", 1, 1),
                ("charge", 2, 2),
            ),
            *((action, 1, "1/2") for action in ("manoeuvre", "enter_unit", "unload", "exit_unit")),
            ("straighten_up", 1, 0),
        ],
    )
    def test_what_actions_cost_and_give(self, action, ap, moves):
        """ME-6: the table."""
        assert (RULESET.tables[f"action.{action}.ap"], RULESET.tables[f"action.{action}.moves"]) == (
            ap,
            Fraction(moves),
        )
        assert action in {form.name for form in RULESET.vocabulary.actions}

    def test_who_may(self):
        """ME-5, ME-70: a manoeuvre takes a skill, a climb two free hands."""
        game = mecha_game(unit("A", "walker"), unit("V", "track", (10, 0)))
        assert clauses(game, "A manoeuvre: forward 1") == ["ME-70"]
        skilled = mecha_game(unit("A", "walker", skills=["combat_manoeuvres"]))
        assert clauses(skilled, "A manoeuvre: forward 3") == []

    def test_half_a_move(self):
        """ME-9: of 5 it is 2.5."""
        game = mecha_game(unit("A", "walker", move=5, skills=["combat_manoeuvres"]))
        assert game.reach("A", "manoeuvre").cost_at((2.5, 0)) == 2.5
        assert clauses(game, "A manoeuvre: forward 3") == ["ME-10"]

    def test_points_by_option(self):
        """ME-7: so many in each turn, or not tracked."""
        few = mecha_game(unit("A", "walker"), options={"ap_per_turn": 1})
        assert clauses(few, "A run: forward 7") == ["ME-7"]
        untracked = mecha_game(unit("A", "walker", ap=0), options={"ap_per_turn": None})
        assert clauses(untracked, "A run: forward 7") == []
        assert untracked.do("A run: forward 7").ledger.total("ap") == 0

    def test_points_come_back(self):
        """ME-7: at the start of each turn."""
        game = mecha_game(unit("A", "track", ap=2))
        game.do("A run: forward 7")
        assert game.table.unit("A")["ap_spent"] == 2
        game.do("all done")
        assert (game.table.clock.turn, game.table.unit("A")["ap_spent"]) == (2, 0)


class TestGround:
    def test_two_words(self):
        """ME-13: standard ground is flat ground."""
        yard = Piece("yard", "standard_ground", rectangle((0, 0), (8, 8)))
        assert mp(mecha_game(unit("A", "wheel"), terrain=(yard,)), "A standard: forward 2") == 2

    @pytest.mark.parametrize(("mobility", "rate"), [("walker", 4), ("hover", 1), ("track", None)])
    def test_deep_water(self, mobility, rate):
        """ME-14: a hover is on it, others are in it."""
        lake = Piece("lake", "deep_water", rectangle((23, 0), (40, 40)))
        game = mecha_game(unit("A", mobility, (2.5, 0)), terrain=(lake,))
        assert clauses(game, "A standard: forward 1") == ([] if rate else ["ME-19"])
        if rate:
            assert mp(game, "A standard: forward 1") == rate

    @pytest.mark.parametrize(
        ("size", "rate"), [(0, 2), (1, 4), (3, 4), (4, 4)], ids=["small", "first", "last of the middle", "large"]
    )
    def test_woodland_by_size(self, size, rate):
        """ME-98: one feature, other ground for other sizes."""
        wood = Piece("wood", "woodland", rectangle((0, 0), (8, 8)))
        assert mp(mecha_game(unit("A", "walker", size_class=size), terrain=(wood,)), "A standard: forward 1") == rate

    def test_a_feature_may_name_its_ground(self):
        """ME-102: then size does not matter."""
        bog = Piece("bog", "difficult", rectangle((0, 0), (8, 8)))
        for size in (0, 3, 9):
            game = mecha_game(unit("A", "wheel", size_class=size, move=8), terrain=(bog,))
            assert mp(game, "A standard: forward 1") == 4

    def test_the_dearest_of_several(self):
        """ME-103: and nothing is dearer than ground that is closed."""
        bog = Piece("bog", "difficult", rectangle((0, 0), (20, 20)))
        stones = Piece("stones", "rough", rectangle((0, 0), (20, 20)))
        wood = Piece("wood", "woodland", rectangle((6, 0), (4, 20)))
        game = mecha_game(unit("A", "track"), terrain=(stones, bog, wood))
        assert clauses(game, "A standard: forward 3.6") == ["ME-10", "ME-19"]
        assert mp(game, "A standard: forward 1") == 2

    def test_a_wall_as_a_feature_or_elevated(self):
        """ME-108: as a feature it follows the table of features, as elevated terrain its height."""
        line = LineShape([(3, -5), (3, 5)], 0.5)
        feature, elevated = Piece("wall", "small_wall", line), Piece("wall", "small_wall", line, "elevated", 2)
        assert mp(mecha_game(unit("A", "track"), terrain=(feature,)), "A standard: forward 5") == 5
        assert clauses(mecha_game(unit("A", "track"), terrain=(elevated,)), "A standard: forward 5") == ["ME-106"]

    def test_stated_size_class(self):
        """ME-104: the stated one counts before that of the height."""
        low = Piece("low", "rock", rectangle((6, 0), (4, 20)), "elevated", 1)
        stated = Piece("low", "rock", rectangle((6, 0), (4, 20)), "elevated", 1, attributes={"size_class": 3})
        giant = {"size_class": 6, "move": 16}
        assert clauses(mecha_game(unit("A", "walker", **giant), terrain=(low,)), "A standard: forward 5") == []
        assert "ME-106" in clauses(mecha_game(unit("A", "walker", **giant), terrain=(stated,)), "A standard: forward 5")

    def test_feature_table(self):
        """ME-100, ME-101: the table is data, decided before the game, with a terrain for each band of sizes."""
        wood = Piece("wood", "woodland", rectangle((0, 0), (8, 8)))
        easy = {"feature_table.woodland": ["rough", "rough", "rough"]}
        assert mp(mecha_game(unit("A", "wheel"), terrain=(wood,), tables=easy), "A standard: forward 1") == 2
        with pytest.raises(
            OptionError, match=re.escape("feature_table.woodland: expected a terrain for each of 3 bands")
        ):
            mecha_game(unit("A", "wheel"), tables={"feature_table.woodland": ["rough"]})

    def test_height_table(self):
        """ME-107: heights are data."""
        keep = Piece("keep", "building", rectangle((6, 0), (4, 20)), "elevated", 3)
        climber = {"heading": 0, "size_class": 0}
        assert clauses(mecha_game(unit("A", "walker", (3.5, 0), **climber), terrain=(keep,)), "A climb keep") == []
        steep = {"height_table.up_to": [0.5, 1, 1.5, 2, 2.5, 3]}
        game = mecha_game(unit("A", "walker", (3.5, 0), **climber), terrain=(keep,), tables=steep)
        assert clauses(game, "A climb keep") == ["ME-54"]


class TestDirections:
    def test_sideways(self):
        """ME-21, ME-22: walkers only, or whom the option lists."""
        assert mp(mecha_game(unit("A", "walker")), "A standard: sideways_left 1") == 2
        assert clauses(mecha_game(unit("A", "track")), "A standard: sideways_left 1") == ["ME-23"]
        listed = mecha_game(unit("A", "track"), options={"sideways_types": "track"})
        assert mp(listed, "A standard: sideways_left 1") == 2

    def test_nobody_moves_aslant(self):
        """ME-23, ME-46: to get there it turns first, and gets no farther than its Move."""
        reach = mecha_game(unit("A", "track")).reach("A")
        assert reach.cost_at(Pose((2, 2), 45)) == Fraction(4)
        assert reach.cost_at(Pose((2, 2), 0)) == 5


class TestTurns:
    def test_whose_special_rules(self):
        """ME-27: walkers have theirs, tracks and wheels none."""
        assert [bool(RULESET.tables["free_turn"].get(one)) for one in ("walker", "track", "wheel")] == [
            True,
            False,
            False,
        ]

    def test_on_dear_ground(self):
        """ME-32: the dearest that the base overlaps where it stands."""
        bog = Piece("bog", "difficult", rectangle((2.4, 0), (4, 20)))
        assert mp(mecha_game(unit("A", "track"), terrain=(bog,)), "A standard: turn_left 45") == 2
        aside = mecha_game(unit("A", "track", (-0.1, 0)), terrain=(bog,))
        assert mp(aside, "A standard: turn_left 45") == 1

    def test_about_the_centre(self):
        """ME-33: which stays."""
        game = mecha_game(unit("A", "track", (3, 4), base=2))
        game.do("A standard: turn_left 90")
        assert (game.table.unit("A").place, game.table.unit("A").heading) == ((3, 4), 90)

    def test_freely_in_contact(self):
        """ME-36, ME-40: a free turn is no Break Away, a turn that is paid takes one."""
        game = mecha_game(unit("A", "walker"), unit("B", "track", (1, 0), "blue"))
        assert clauses(game, "A free_turn: turn_left 90") == []
        assert clauses(game, "A standard: turn_left 90") == ["ME-8"]
        assert clauses(game, "A break_away: turn_left 90") == []

    def test_after_the_action_and_without_one(self):
        """ME-35: the free turn takes no Move Action; in portions by option alone."""
        game = mecha_game(unit("A", "walker"), unit("B", "track", (20, 0), "blue"))
        game.do("A standard: forward 1")
        game.do("A free_turn: turn_left 60")
        assert "ME-35" in clauses(game, "A free_turn: turn_left 30")
        split = mecha_game(unit("A", "walker"), unit("B", "track", (20, 0), "blue"), options={"free_turn_split": True})
        split.do("A free_turn: turn_left 60")
        assert clauses(split, "A free_turn: turn_left 30") == []
        assert clauses(split, "A free_turn: turn_left 31") == ["ME-35"]


class TestContact:
    @pytest.mark.parametrize(("gap", "touches"), [(0, True), (0.01, True), (0.02, False), (-0.01, True)])
    def test_bases_touch_within_the_tolerance(self, gap, touches):
        """ME-44: gaps and overlaps of a hundredth of an inch."""
        game = mecha_game(unit("A", "walker"), unit("B", "track", (1 + gap, 0), "blue"))
        assert not list(RULESET.faults(game.table))
        assert clauses(game, "A standard: backward 1") == (["ME-8"] if touches else [])

    def test_contact_tolerance(self):
        """ME-44: by option wider."""
        wide = mecha_game(
            unit("A", "walker"), unit("B", "track", (1.09, 0), "blue"), options={"contact_tolerance": "0.1"}
        )
        assert clauses(wide, "A standard: backward 1") == ["ME-8"]

    def test_manoeuvres_keep_contact(self):
        """ME-71, ME-72: with all whom it touched, and nobody attacks."""
        skilled = unit("A", "walker", skills=["combat_manoeuvres"])
        game = mecha_game(skilled, unit("B", "track", (1, 0), "blue"))
        assert clauses(game, "A manoeuvre: backward 1") == ["ME-71"]
        happened = game.do("A manoeuvre: turn_left 90 free 90")
        assert happened.answered == ()

    def test_charges_are_runs_into_contact(self):
        """ME-87, ME-88: more than a Move, and an opposing target that is touched at the end."""
        game = mecha_game(unit("A", "walker"), unit("B", "track", (9, 0), "blue"), unit("C", "track", (0, 9)))
        assert clauses(game, "A charge B: forward 7") == ["ME-87"]
        assert clauses(game, "A charge B: forward 8") == []
        assert clauses(game, "A charge C: turn_left 90 free 90, forward 8") == ["ME-88"]
        near = mecha_game(unit("A", "walker"), unit("B", "track", (4, 0), "blue"))
        assert clauses(near, "A charge B: forward 3") == ["ME-88"]
        free = mecha_game(unit("A", "walker"), unit("B", "track", (4, 0), "blue"), options={"charge_minimum": "none"})
        assert clauses(free, "A charge B: forward 3") == []

    @pytest.mark.parametrize(("minimum", "legal"), [("spent", True), ("displacement", False), ("none", True)])
    def test_run_minimum(self, minimum, legal):
        """ME-50: more than a Move is spent, or lies between start and end, or nothing of that."""
        game = mecha_game(unit("A", "walker"), options={"run_minimum": minimum})
        assert (clauses(game, "A run: forward 5, turn_left 90") == []) is (minimum != "displacement")
        assert (clauses(game, "A run: forward 3") == []) is (minimum == "none")
        assert (game.reach("A", "run").cost_at((3, 0)) is not None) is legal
        assert game.reach("A", "run").cost_at((7, 0)) == 7
