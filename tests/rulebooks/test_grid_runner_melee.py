"""The rulebook grid_runner: threatened areas, interception, withdrawing, tumbling, charging, grappling."""

from fractions import Fraction

import pytest
from grid_runner_boards import RULES, character, game
from test_grid_runner import broken

from simulator.engine.answers import Policy
from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.interception import triggered
from simulator.rulesets.grid_runner.odds.walking import TooManyWays


def asked(happened):
    """Who was asked what, in turn."""
    return [(entry.question.who, entry.question.what) for entry in happened.answered]


def triggers_of(played, square):
    return [enemy.id for enemy in triggered(played.table, played.table.unit("A"), square)]


class TestThreatenedAreas:
    """GR-42 to GR-46: which squares an enemy threatens."""

    @pytest.mark.parametrize("scale", ["m1", "m2"])
    def test_the_eight_around_it_and_not_its_own(self, scale):
        """GR-43."""
        played = game(". . . . .\n. . . . .\n. . b . .\n. . . . .\n@ . . . .", {"scale": scale})
        found = [(x, y) for y in range(5) for x in range(5) if triggers_of(played, (x, y))]
        assert found == [(x, y) for y in (1, 2, 3) for x in (1, 2, 3) if (x, y) != (2, 2)]

    def test_its_own_square_alone_at_m5(self):
        """GR-44."""
        played = game("@ . b .", {"scale": "m5"})
        assert [x for x in range(4) if triggers_of(played, (x, 0))] == [2]

    def test_it_ignores_walls(self):
        assert triggers_of(game("@ # b\n. . ."), (1, 1)) == ["B1"]

    @pytest.mark.parametrize("state", ["prone", "immobilised"])
    def test_not_of_one_who_lies_or_is_held(self, state):
        """GR-45."""
        assert triggers_of(game("@ b", fields={"B1": {state: True}}), (0, 0)) == []

    @pytest.mark.parametrize("held_threatens", [False, True])
    def test_of_neither_party_of_a_grapple_unless_the_held_one_may(self, held_threatens):
        """GR-45."""
        units = [character("A", "red", (0, 0)), character("H", "blue", (1, 0), grappling="R", holds=True)]
        units += [character("R", "green", (1, 0), grappling="H")]
        played = Game.new(RULES, SquareGrid.open(3, 1), units, options={"held_threatens": held_threatens})
        assert triggers_of(played, (0, 0)) == (["R"] if held_threatens else [])

    def test_friends_threaten_nobody(self):
        """GR-46."""
        assert triggers_of(game("@ F"), (0, 0)) == []

    def test_whom_it_threatens_it_can_attack(self):
        """GR-42, GR-43, GR-44."""
        assert broken(game("@ b"), "A melee_attack B1") == []
        assert broken(game("@ . b"), "A melee_attack B1") == ["GR-43"]
        assert broken(game("@ b", {"scale": "m5"}), "A melee_attack B1") == ["GR-44"]
        assert broken(game("@ F"), "A melee_attack F") == ["GR-42"]
        for state in ("prone", "immobilised"):
            (breach,) = game("@ b", fields={"A": {state: True}}).breaches("A melee_attack B1")
            assert str(breach) == f"GR-45  A is {state}: it threatens nobody"


class TestInterception:
    """GR-47 to GR-53: who may strike at a mover, when, with what, and what comes of it."""

    def test_damage_stops_it_where_it_stands(self):
        """GR-50, GR-51."""
        played = game("@ b . .\n. . . .")
        happened = played.do("A move: s, e 3", answers=["unarmed", "damage"])
        assert happened.state.unit("A").place == (0, 0)
        assert [event.kind for event in happened.events if event.unit == "A"][-2:] == ["stopped", "has moved"]
        assert broken(played, "A move: s") == ["GR-51"]
        assert broken(played, "A act complex") == []  # its movement came first, its actions are left

    def test_without_damage_it_goes_on(self):
        """GR-51."""
        happened = game("@ b . .\n. . . .").do("A move: s, e", answers=["unarmed", "no damage"])
        assert happened.state.unit("A").place == (1, 1)

    def test_on_a_friends_square_it_goes_back_to_where_it_might_have_stopped(self):
        """GR-51."""
        played = game("@ . F b\n. . . .\n. . . .", {"scale": "m2"})
        happened = played.do("A move: e 2, sw", answers=["unarmed", "damage"])
        assert [event.place for event in happened.events if event.kind == "step"] == [(1, 0), (2, 0)]
        assert happened.state.unit("A").place == (1, 0)

    def test_two_friends_in_a_row(self):
        """GR-51: back over both."""
        tables = {"allotment_table.m2.walk.human.h1": [9]}
        played = game("@ F G . .\n. . . b .", {"scale": "m2"}, tables=tables)
        happened = played.do("A move: e 3", answers=["unarmed", "damage"])
        assert happened.state.unit("A").place == (0, 0)

    def test_one_after_the_other_and_the_rest_keep_their_free_action(self):
        """GR-50."""
        played = game("b . .\n@ . .\nc . .")
        happened = played.do("A move: e", answers=["unarmed", "damage"])
        assert asked(happened) == [("B1", "intercept A"), ("B1", "attack on A")]
        assert happened.state.unit("C1")["free_left"] == 1

    def test_in_the_order_the_caller_gives(self):
        """GR-50."""
        played = game("b . .\n@ . .\nc . .", {"interception_order": ["C1"]})
        assert asked(played.do("A move: e", answers=[None, None])) == [("C1", "intercept A"), ("B1", "intercept A")]

    @pytest.mark.parametrize("free", [0, 1, 2])
    def test_as_often_as_it_has_free_actions(self, free):
        """GR-49."""
        played = game("@ . . .\n. b . .\n. . . .", {"free_actions_per_pass": free})
        happened = played.do("A move: e 2", answers=["unarmed", "no damage"] * min(free, 2))
        assert sum(what == "intercept A" for _, what in asked(happened)) == min(free, 2)

    def test_in_the_next_pass_it_has_them_again(self):
        """GR-49."""
        played = game("@ b .\n. . .", fields={"A": {"passes": 2}})
        played.do("A move: s", answers=["unarmed", "no damage"])
        assert played.state.unit("B1")["free_left"] == 0
        played.do("all done")
        assert played.state.unit("B1")["free_left"] == 1

    @pytest.mark.parametrize(
        ("weapon", "ways"),
        [("sword", ("sword", "unarmed")), ("", ("unarmed",)), ("heavy_pistol", ("improvised", "unarmed"))],
    )
    def test_with_what_it_has_readied_or_unarmed(self, weapon, ways):
        """GR-52, GR-53: a firearm is not shot."""
        played = game("@ b", fields={"B1": {"weapon": weapon}})
        assert played.branch().breaches("A move: e") != []
        question = game("@ b .\n. . .", fields={"B1": {"weapon": weapon}}).do("A move: s").question
        assert (question.options, question.default, question.clause) == (ways, None, "GR-49")

    def test_the_dice_fall_by_the_chance_that_was_given(self):
        """GR-51."""
        for chance, outcomes in (
            (Fraction(1, 3), {"damage": Fraction(1, 3), "no damage": Fraction(2, 3)}),
            (1, {"damage": 1}),
        ):
            played = game("@ b .\n. . .", fields={"B1": {"damage_chance": chance}})
            question = played.do("A move: s", answers=["unarmed"]).question
            assert dict(question.chances) == outcomes

    def test_everything_that_may_happen_is_shown_beforehand(self):
        """GR-48, GR-49, GR-52."""
        played = game(
            "@ . . . .\n. b . c .", fields={"B1": {"weapon": "knife"}, "C1": {"free_left": 1}},
        )  # fmt: skip
        reach = played.reach("A", "move")
        told = [str(trigger) for trigger in reach.triggers(reach.route_to((4, 0)))]
        assert told == [
            "step 1, out of 0,0: B1, knife or unarmed (GR-48)",
            "step 2, out of 1,0: B1, knife or unarmed (GR-48)",
            "step 3, out of 2,0: B1, knife or unarmed (GR-48)",
            "step 3, out of 2,0: C1, unarmed (GR-48)",
            "step 4, out of 3,0: C1, unarmed (GR-48)",
        ]
        assert reach.threats((2, 0)) == ("B1", "C1")


class TestChances:
    """What is certain, what is possible, and how likely, past enemies who are taken to strike when they can."""

    def test_the_chance_is_that_of_the_interceptions_made(self):
        """GR-49: one free action, one attack, however many triggers."""
        played = game("@ . . .", fields={"A": {"metatype": "human"}})
        assert played.reach("A", "move").chance_at((3, 0)) == 1
        corridor = game("# # # # # #\n@ . . . . .\n# # b # # #", fields={"B1": {"damage_chance": Fraction(1, 4)}})
        reach = corridor.reach("A", "move")
        assert [reach.chance_at((x, 1)) for x in range(6)] == [1, 1, *[Fraction(3, 4)] * 4]
        assert [bool(reach.certain[1, x]) for x in range(6)] == [True, True, False, False, False, False]
        assert reach.possible[1].all()

    def test_with_two_free_actions_two_attacks(self):
        corridor = game("# # # # # #\n@ . . . . .\n# # b # # #", {"free_actions_per_pass": 2})
        reach = corridor.reach("A", "move", chances={"B1": Fraction(1, 4)})
        assert [reach.chance_at((x, 1)) for x in range(6)] == [1, 1, Fraction(3, 4), *[Fraction(9, 16)] * 3]

    def test_a_detour_may_be_worth_it(self):
        played = game(". . . . .\n. . . . .\n. . b . .\n@ . . . .")
        reach = played.reach("A", "move")
        assert reach.chance_at((4, 3)) == 1
        assert reach.safest_route_to((4, 3)).cost > reach.cost_at((4, 3))

    def test_who_is_stopped_for_certain_arrives_never(self):
        played = game("# b #\n@ . .\n# # #", fields={"B1": {"damage_chance": 1}})
        reach = played.reach("A", "move")
        assert (reach.chance_at((2, 1)), (2, 1) in reach) == (0, True)
        assert reach.safest_route_to((2, 1)).end == (2, 1)

    def test_withdrawal_and_one_square_move_start_unhindered(self):
        """GR-54, GR-57, GR-58."""
        drawing = ". . . . .\n. . . . .\n. . @ b ."
        fields = {"B1": {"damage_chance": 1}}
        assert not game(drawing, fields=fields).reach("A", "move").certain[1, 1]
        assert game(drawing, fields=fields).reach("A", "withdrawal").certain[0, 0]
        assert game(drawing, fields=fields).reach("A", "one_square_move").certain[1, 1]

    def test_coming_back_to_the_start_of_a_withdrawal_is_not_exempt(self):
        """GR-58."""
        happened = game(". @ b").do("A withdrawal: w, e, w", answers=[None])
        assert asked(happened) == [("B1", "intercept A")]

    def test_too_many_ways_are_refused_not_cut_short(self, monkeypatch):
        for module in ("walking", "tumbling"):
            monkeypatch.setattr(f"simulator.rulesets.grid_runner.odds.{module}.MOST_SEARCHES", 2)
        played = game("# b # c # d #\n@ . . . . . .\n# # # # # # #")
        with pytest.raises(TooManyWays, match="more than 2 searches"):
            played.reach("A", "move").chance_at((6, 1))
        with pytest.raises(TooManyWays):
            played.reach("A", "tumble").chance_at((6, 1))


class TestLeavingMelee:
    """GR-54 to GR-61: One-Square-Move, Withdrawal, and what may come with them."""

    def test_what_they_cost(self):
        """GR-54, GR-57, GR-62."""
        for action, kind in (("one_square_move", "free"), ("withdrawal", "simple"), ("tumble", "complex")):
            ledger = game("@ .").do(f"A {action}: e").ledger
            assert ledger.total(f"{kind} action") == 1

    def test_other_actions_may_precede(self):
        """GR-59."""
        played = game(". @ b")
        played.do("A act simple")
        assert broken(played, "A withdrawal: w") == []
        assert broken(played, "A tumble: w") == ["GR-24"]  # no complex action is left

    def test_not_after_the_movement_began(self):
        """GR-59."""
        played = game(". . @ b", {"split_move": True})
        played.do("A move: w", answers=[None])
        played.do("A act free")
        assert broken(played, "A withdrawal: w") == ["GR-59"]
        assert broken(played, "A move: w") == []

    def test_at_odd_parity_a_single_step_is_no_diagonal(self):
        """GR-55."""
        played = game(". . .\n. @ .\n. . .", {"diagonal_parity_reset": "never"}, {"A": {"parity": 1}})
        assert broken(played, "A one_square_move: ne") == ["GR-55"]
        assert len(played.reach("A", "one_square_move")) == 5

    def test_it_needs_an_allotment(self):
        """GR-55."""
        played = game("@ .", {"scale": "m2"}, tables={"allotment_table.m2.walk.human.h1": [0]})
        assert "GR-18" in broken(played, "A one_square_move: e")

    def test_firing_in_melee_costs_3_dice(self):
        """GR-61."""
        for drawing, dice in (("@ b", -3), ("@ . b", 0)):
            played = game(drawing, fields={"A": {"weapon": "smg"}})
            (shot,) = [event for event in played.do("A ranged_attack B1").events if event.kind == "shoots"]
            assert (shot.detail["in_melee"], shot.detail["dice"]) == (dice, dice)


class TestTumbling:
    """GR-62 to GR-73: the course, the test, the line of enemies, pushing."""

    PAST = ". . . . .\n@ b . . .\n. . . . ."

    def line(self, played, order, answers):
        happened = played.do(order, answers=answers)
        (event,) = [event for event in happened.events if event.kind == "tumble"]
        return event.detail["line"], event.detail["threshold"]

    @pytest.mark.parametrize(("counts", "line"), [("interceptors", ()), ("near_any", (("B1", 1),))])
    def test_which_enemies_count(self, counts, line):
        """GR-63: one into whose area the course only enters at its end could not intercept."""
        played = game("@ . . b", {"tumble_counts": counts})
        answers = [1] if line else []
        assert self.line(played, "A tumble: e 2", answers) == (line, len(line))

    def test_success_is_free_of_interceptions(self):
        """GR-64, GR-65."""
        happened = game(self.PAST).do("A tumble: e 2", answers=[2])
        assert asked(happened) == [("A", "agility and gymnastics")]
        assert happened.answered[0].question.needed == 2
        assert happened.state.unit("A").place == (2, 1)

    def test_the_course_costs_squares_and_takes_no_sprint(self):
        """GR-66."""
        assert game(self.PAST).do("A tumble: e 2", answers=[2]).ledger.total("squares") == 2
        played = game("@" + " ." * 30, {"sprint_action": "none"}, {"A": {"mode": "run"}})
        played.do("A sprint", answers=[1])
        assert broken(played, "A tumble: e") == ["GR-66"]
        assert broken(game("@" + " ." * 30), "A tumble: e 13") == ["GR-27"]

    @pytest.mark.parametrize(
        ("rule", "hits", "first"),
        [
            ("hits", 0, "B1"),
            ("hits", 1, "B1"),
            ("hits", 2, "C1"),
            ("hits_plus_one", 0, "B1"),
            ("hits_plus_one", 1, "C1"),
            ("hits_plus_one", 2, "D1"),
        ],
    )
    def test_who_intercepts_first(self, rule, hits, first):
        """GR-67: the enemy that holds unit max(1, hits), or hits + 1."""
        played = game(". b . c . d .\n@ . . . . . .", {"tumble_first": rule}, answers=Policy("never"))
        happened = played.do("A tumble: e 6", answers=[hits])
        assert asked(happened)[1] == (first, "intercept A")

    def test_the_gm_may_choose(self):
        """GR-67."""
        played = game(". b . c . d .\n@ . . . . . .", {"tumble_first": "gm"})
        happened = played.do("A tumble: e 6", answers=[1, "D1", None, None])
        assert [who for who, _ in asked(happened)] == ["A", "gm", "D1", "D1"]

    def test_of_several_at_one_step_the_nearest_to_the_next_square_comes_first(self):
        """GR-67."""
        played = game("c . . .\n@ . . .\n. b . .", answers=Policy("never"))
        assert asked(played.do("A tumble: ne, e 2", answers=[0]))[1:3] == [("C1", "intercept A"), ("B1", "intercept A")]
        named = game("c . . .\n@ . . .\n. b . .", {"interception_order": ["B1"]}, answers=Policy("never"))
        assert asked(named.do("A tumble: ne, e 2", answers=[0]))[1] == ("B1", "intercept A")

    def test_each_attacks_once_at_most_and_not_those_before(self):
        """GR-68."""
        played = game(". b . c .\n@ . . . .", {"free_actions_per_pass": 3})
        happened = played.do("A tumble: e 4", answers=[1, "unarmed", "no damage", "unarmed", "no damage"])
        assert [who for who, what in asked(happened) if what == "intercept A"] == ["B1", "C1"]
        assert happened.state.unit("A").place == (4, 1)

    def test_full_defense_until_the_movement_is_complete(self):
        """GR-69."""
        played = game(self.PAST)
        played.do("A tumble: e 2", answers=[0])
        assert played.table.unit("A")["full_defense_melee"] is True
        played.answer(None)
        assert played.state.unit("A")["full_defense_melee"] is False

    def test_through_an_opponents_square_and_never_to_stop_there(self):
        """GR-70, GR-71."""
        assert broken(game(self.PAST), "A tumble: e") == ["GR-71"]
        assert broken(game("@ F ."), "A tumble: e 2") == ["GR-35"]
        played = game("@ b .", fields={"B1": {"prone": True}})
        assert self.line(played, "A tumble: e 2", [1]) == ((("B1", 1),), 1)  # near nobody, but through one

    def test_who_is_passed_pushes_where_it_likes(self):
        """GR-72: into any empty square beside it, the tumbler's own included."""
        played = game(". # . . .\n@ b . . .\n. F . . .")
        played.do("A tumble: e 2", answers=[0, "unarmed", "damage"])
        assert (played.question.who, played.question.clause) == ("B1", "GR-72")
        assert sorted(played.question.options) == [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)]
        happened = played.answer((2, 2))
        assert (happened.state.unit("A").place, happened.state.unit("A")["stopped"]) == ((2, 2), True)

    def test_one_that_is_not_passed_stops_it(self):
        """GR-72, GR-51: on the square of another it goes back."""
        played = game(". . . c .\n@ b . . .\n. . . . .")
        happened = played.do("A tumble: e 3", answers=[2, None, None, "unarmed", "damage"])
        assert happened.state.unit("A").place == (2, 1)
        back = game("# c # # #\n@ b . . .\n# # # # #")
        happened = back.do("A tumble: e 2", answers=[0, None, None, "unarmed", "damage"])
        assert [event.place for event in happened.events if event.kind == "step"] == [(1, 1)]
        assert happened.state.unit("A").place == (0, 1)

    @pytest.mark.parametrize("push", ["damage", "any_interception"])
    def test_a_push_may_not_need_damage(self, push):
        """GR-72."""
        played = game(self.PAST, {"tumble_push": push})
        played.do("A tumble: e 2", answers=[0, "unarmed", "no damage"])
        assert (played.question is not None) is (push == "any_interception")

    def test_at_m5_squares_can_be_passed_anyway(self):
        """GR-73: nothing is added, and those in squares that the course leaves count."""
        tables = {"allotment_table.m5.walk.human.h1": [5]}
        played = game("@ b . c", {"scale": "m5"}, tables=tables)
        assert self.line(played, "A tumble: e 3", [1]) == ((("B1", 1),), 1)

    def test_the_chance_of_a_course(self):
        """GR-64, GR-67, GR-68: the test, or a failure after which nobody in line does damage."""
        played = game(
            "# b # c #\n@ . . . .\n# # # # #",
            fields={"A": {"agility_gymnastics": 2}, "C1": {"damage_chance": Fraction(1, 4)}},
        )
        # Threshold 2. 0 or 1 hit, chance 8/9: B1 first, then C1: 1/2 x 3/4. 2 hits, chance 1/9: success.
        assert played.reach("A", "tumble").chance_at((4, 1)) == Fraction(1, 9) + Fraction(8, 9) * Fraction(3, 8)
        assert played.reach("A", "tumble", pool=0).chance_at((4, 1)) == Fraction(3, 8)
        sure = played.reach("A", "tumble", chances={"B1": 0, "C1": 0})
        assert sure.certain[1, 4]

    def test_under_the_gm_the_worst_is_reckoned_with(self):
        """GR-67."""
        played = game("# b # c #\n@ . . . .\n# # # # #", {"tumble_first": "gm"}, {"A": {"agility_gymnastics": 0}})
        assert played.reach("A", "tumble").chance_at((4, 1)) == Fraction(1, 4)


class TestCharging:
    """GR-74, GR-75: room, a straight run, and the dice."""

    def test_the_bonus_dice(self):
        """GR-75."""
        for dice in (2, 5):
            played = game("@ . . . . b", {"charge_bonus_dice": dice})
            played.do("A move: e 4")
            (event,) = [event for event in played.do("A charge_attack B1").events if event.kind == "strikes"]
            assert event.detail["bonus_dice"] == dice

    @pytest.mark.parametrize(
        ("drawing", "path", "clauses"),
        [
            ("@ . . . . b .\n. . . . . . .", "e 4", []),
            ("@ . . . . b .\n. . . . . . .", "se, e 3", []),
            ("@ . . , . b .\n. . . . . . .", "e 4", ["GR-74"]),
            ("@ . . . . b .\n. . . . . . .", "e 3, se, n", ["GR-74"]),
        ],
    )
    def test_each_step_leads_nearer_over_clear_squares(self, drawing, path, clauses):
        """GR-74."""
        played = game(drawing, answers=Policy("never"))
        played.do(f"A move: {path}")
        assert broken(played, "A charge_attack B1") == clauses

    def test_with_any_path_only_the_number_counts(self):
        """GR-74."""
        played = game("@ . b\n. . .\n. . .", {"charge_path": "any"}, answers=Policy("never"))
        played.do("A move: s 2, e, n")
        assert broken(played, "A charge_attack B1") == []
        played = game("@ , b\n. . .\n. . .", {"charge_path": "any"}, answers=Policy("never"))
        played.do("A move: s, e, n")
        assert broken(played, "A charge_attack B1") == ["GR-74"]

    def test_a_charger_may_have_to_run(self):
        """GR-75."""
        played = game("@ . . . . b", {"charge_requires_running": True})
        assert played.reach("A", "charge_attack", target="B1").refused[0].clause == "GR-75"
        assert (4, 0) in played.reach("A", "charge_attack", target="B1", mode="run")
        played.do("A move: e 4")
        assert broken(played, "A charge_attack B1") == ["GR-75"]

    def test_at_the_end_of_the_movement_and_in_the_same_pass(self):
        """GR-75."""
        played = game("@ . . . . b", fields={"A": {"passes": 2}})
        played.do("A move: e 4")
        acted = played.branch()
        acted.do("A act free")
        assert broken(acted, "A charge_attack B1") == ["GR-75"]
        played.do("all done")
        assert broken(played, "A charge_attack B1") == ["GR-75"]

    def test_lanes(self):
        """GR-74: the ends from which the attack is a charge, and the ways that make it one."""
        lanes = game("@ . . . . b\n. . . # . .").reach("A", "charge_attack", target="B1")
        assert sorted(lanes) == [(4, 0)]
        wide = game(". . . . . .\n@ . . . . b\n. . . . . .").reach("A", "charge_attack", target="B1")
        assert sorted(wide) == [(4, 0), (4, 1), (4, 2)]
        assert played_charge(wide, (4, 2))


def played_charge(lanes, place):
    """Whether a way of a lane is one: every step leads nearer."""
    places = lanes.route_to(place).places
    return [max(5 - x, abs(1 - y)) for x, y in places] == list(range(5, 0, -1))


class TestGrappling:
    """GR-76 to GR-79: onto the defender's square, off it again, and neither moves."""

    def test_a_success_puts_the_attacker_on_the_square(self):
        """GR-76."""
        played = game("@ b", fields={"A": {"mode": "run"}})
        happened = played.do("A grapple B1", answers=["holds"])
        attacker, defender = happened.state.unit("A"), happened.state.unit("B1")
        assert (attacker.place, attacker["grappling"], attacker["holds"], attacker["mode"]) == (
            (1, 0),
            "B1",
            True,
            "walk",
        )
        assert (defender.place, defender["grappling"], defender["holds"]) == ((1, 0), "A", False)
        assert list(RULES.faults(played.table)) == []
        assert broken(played, "A move: w") == ["GR-79"]
        assert len(played.reach("A", "move")) == 1

    def test_a_failure_changes_nothing(self):
        """GR-76."""
        happened = game("@ b").do("A grapple B1", answers=["fails"])
        assert happened.state.unit("A").place == (0, 0)

    def test_only_one_at_a_time(self):
        """GR-79."""
        played = game("@ b C", fields={"A": {"grapple_chance": 1}})
        played.do("A grapple B1", answers=["holds"])
        played.do("all done")
        assert broken(played, "A grapple B1") == ["GR-79", "GR-79"]

    def test_the_defender_goes_to_an_empty_square_beside_it(self):
        """GR-77: no squares, no trigger."""
        played = game("@ b .\n. . #")
        played.do("A grapple B1", answers=["holds"])
        played.do("B1 break_grapple")
        assert played.question.who == "B1"
        assert sorted(played.question.options) == [(0, 0), (0, 1), (1, 1), (2, 0)]
        happened = played.answer((2, 0))
        assert (happened.state.unit("B1").place, happened.state.unit("A").place) == ((2, 0), (1, 0))
        assert len(happened.ledger) == 0

    def test_or_to_the_nearest_empty_one(self):
        """GR-77."""
        twin = game("# b # .\n@ # # .")
        twin.do("A grapple B1", answers=["holds"])
        twin.do("A break_grapple")
        assert twin.question.options == ((0, 1),)
        walled = Game.new(
            RULES,
            SquareGrid.from_text(". # . ."),
            [character("A", "red", (0, 0), grappling="B", holds=True), character("B", "blue", (0, 0), grappling="A")],
        )
        walled.do("B break_grapple", answers=[(2, 0)])
        assert walled.state.unit("B").place == (2, 0)

    def test_at_m5_nobody_moves(self):
        """GR-78."""
        units = [character("A", "red", (0, 0)), character("B1", "blue", (0, 0))]
        played = Game.new(RULES, SquareGrid.open(2, 1), units, options={"scale": "m5"})
        played.do("A grapple B1", answers=["holds"])
        happened = played.do("A break_grapple")
        assert happened.state.unit("B1").place == (0, 0)
        assert broken(played, "B1 break_grapple") == ["GR-77"]

    @pytest.mark.parametrize(("out", "left"), [("B1", "A"), ("A", "B1")])
    def test_when_one_is_out_the_other_is_free_and_goes_aside(self, out, left):
        """GR-77, GR-79."""
        played = game("@ b .")
        played.do("A grapple B1", answers=["holds"])
        played.do(f"{out} becomes out")
        assert (played.question.who, played.question.options) == (left, ((2, 0), (0, 0)))
        happened = played.answer((2, 0))
        assert happened.state.unit(left)["grappling"] == ""
        assert happened.state.unit(left).place == (2, 0)
        assert broken(played, f"{left} break_grapple") == ["GR-77"]

    def test_at_m5_who_is_left_stays(self):
        """GR-78."""
        units = [character("A", "red", (0, 0)), character("B1", "blue", (0, 0))]
        played = Game.new(RULES, SquareGrid.open(2, 1), units, options={"scale": "m5"})
        played.do("A grapple B1", answers=["holds"])
        assert played.do("B1 becomes out").question is None
        assert played.state.unit("A").place == (0, 0)

    def test_what_befalls_somebody_is_said_out_of_turn_and_has_to_be_new(self):
        """GR-45."""
        played = game("@ b .")
        played.do("A act complex")
        assert broken(played, "B1 becomes standing") == ["GR-45"]
        played.do("B1 becomes prone")
        assert broken(played, "B1 becomes prone") == ["GR-45"]
        assert played.state.clock.unit == "A"  # nobody's go was begun or ended by it
