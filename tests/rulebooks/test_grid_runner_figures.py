"""The rulebook grid_runner at its edges: figures, comparisons and clause ids that a small slip would put wrong."""

import numpy as np
import pytest
from grid_runner_boards import RULES, character, game
from test_grid_runner import broken

from simulator.engine.errors import OptionError
from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.allotments import allotment, sprint_squares, sprinted, squares_left
from simulator.rulesets.grid_runner.charging import charge_breaches, squares_apart, striking_distance
from simulator.rulesets.grid_runner.interception import Trigger, triggers_on
from simulator.rulesets.grid_runner.movement import (
    budget_of,
    directions_of,
    elements_of,
    ledger_of,
    squares_of,
    standing_masks,
    start_of,
    threatened_squares,
)
from simulator.rulesets.grid_runner.ranges import (
    ANSWERS,
    RangeAnswer,
    bands_around,
    bands_of,
    counted_distance,
    drawn_bands,
    range_band,
)
from simulator.rulesets.grid_runner.tumbling import line_of, push_squares
from simulator.rulesets.grid_runner.units import (
    as_chance,
    can_strike,
    held_fast,
    may_stop_on,
    threatens,
    threatens_at_all,
)

SCALES = ("m1", "m2", "m5")


def messages(played, order):
    """The reasons against an order, in words."""
    return [str(breach) for breach in played.breaches(order)]


def new_game(board, *units, **options):
    return Game.new(RULES, board, units, options=options)


def pair_in_a_grapple(**options):
    """H of blue holds R of red on one square; A of red stands beside them."""
    units = [character("A", "red", (0, 0)), character("H", "blue", (1, 0), grappling="R", holds=True)]
    return new_game(SquareGrid.open(3, 2), *units, character("R", "red", (1, 0), grappling="H"), **options)


class TestSteps:
    """GR-26: paths, their spelling and their price."""

    def test_runs_of_one_direction_are_taken_together(self):
        directions = [0, 0, 0, 1, 1, 4]
        elements = elements_of(directions)
        assert [(element.name, element.get("squares", 1)) for element in elements] == [("e", 3), ("ne", 2), ("w", 1)]
        assert directions_of(elements) == directions

    @pytest.mark.parametrize(("parity", "prices"), [(0, [1, 1, 2, 1]), (1, [2, 1, 1, 2])])
    def test_the_price_of_a_path_line_by_line(self, parity, prices):
        directions = [1, 0, 1, 7]
        lines = ledger_of(directions, squares_of((2, 5), directions), parity)
        assert [line.what for line in lines] == [
            "diagonal step ne to 3,4",
            "step e to 4,4",
            "diagonal step ne to 5,3",
            "diagonal step se to 6,4",
        ]
        assert [(line.amount, line.rate, line.currency, line.clause) for line in lines] == [
            (1, price, "squares", "GR-26") for price in prices
        ]
        with pytest.raises(ValueError, match="zip"):
            ledger_of(directions, squares_of((2, 5), directions[:2]), parity)

    @pytest.mark.parametrize(("first_step", "phase"), [(False, "diagonal"), (True, "first step, diagonal")])
    @pytest.mark.parametrize("parity", [0, 1])
    def test_a_search_sets_out_where_the_character_stands(self, first_step, phase, parity):
        played = game(". . .\n. . @", {"diagonal_parity_reset": "never"}, {"A": {"parity": parity}})
        start = start_of(played.table, played.table.unit("A"), first_step)
        assert (start.row, start.col, start.phase) == (1, 2, f"{phase} costs {parity + 1}")

    @pytest.mark.parametrize(
        ("drawing", "path", "told"),
        [
            ("@ # .", "e 2", ["GR-26  1,0 is a wall"]),
            ("@ .\n# .", "se", ["GR-26  the step se from 0,0 cuts the corner of a wall"]),
            ("@ .", "n 2", ["GR-26  the board ends n of 0,0"]),
            ("@ b .", "e 2", ["GR-36  B1 stands on 1,0: an enemy's square cannot be moved through"]),
            ("@ F .", "e 2", ["GR-35  F stands on 1,0: a friend's square cannot be moved through"]),
        ],
    )
    def test_what_is_in_the_way_is_told(self, drawing, path, told):
        assert messages(game(drawing, {"diagonal_corners": "no_cut"}), f"A move: {path}") == told

    def test_a_shortfall_is_told_in_squares(self):
        """GR-18, GR-27."""
        (breach,) = game("@" + " ." * 15).breaches("A move: e 14")
        assert (breach.needed, breach.available, breach.place) == (14, 12, (14, 0))
        assert str(breach) == "GR-27  the movement costs 14 squares, A has 12 left: 2 short"
        still = game("@ . .", tables={"allotment_table.m1.walk.human.h1": [0]})
        (breach,) = still.breaches("A move: e 2")
        assert (breach.clause, breach.needed, breach.available, breach.place) == ("GR-18", 2, 0, (2, 0))


class TestMasks:
    """GR-35 to GR-48: the arrays of a search say what the conditions say, square by square."""

    DRAWING = "b . . . c\n. F . . .\n@ . . # d"

    @pytest.mark.parametrize("scale", SCALES)
    def test_threatened_squares(self, scale):
        table = game(self.DRAWING, {"scale": scale}, {"C1": {"prone": True}}).table
        for named in (["B1"], ["D1"], ["C1"], ["B1", "C1", "D1"]):
            enemies = [table.unit(name) for name in named]
            found = threatened_squares(table, enemies)
            assert (found.shape, found.dtype) == ((3, 5), np.bool_)
            for row, column in np.ndindex(found.shape):
                assert found[row, column] == any(threatens(table, enemy, (column, row)) for enemy in enemies)

    def test_one_who_is_held_may_threaten(self):
        """GR-45."""
        for held_threatens in (False, True):
            table = pair_in_a_grapple(held_threatens=held_threatens).table
            assert not threatened_squares(table, [table.unit("H")]).any()
            assert threatened_squares(table, [table.unit("R")]).any() == held_threatens
            assert threatens_at_all(table, table.unit("A"))

    @pytest.mark.parametrize("tumbling", [False, True])
    @pytest.mark.parametrize("scale", SCALES)
    def test_where_others_stand(self, scale, tumbling):
        table = game(self.DRAWING, {"scale": scale}).table
        enter, end = standing_masks(table, table.unit("A"), tumbling)
        open_to = {"m1": tumbling, "m2": tumbling, "m5": True}[scale]
        assert [bool(enter[0, 0]), bool(enter[1, 1]), bool(enter[2, 3])] == [open_to, scale != "m1", False]
        assert [bool(end[0, 0]), bool(end[1, 1]), bool(end[2, 3])] == [scale == "m5", scale == "m5", False]
        assert enter[2, 0]
        assert end[2, 0]
        assert may_stop_on(table, table.unit("A"), (0, 0)) == (scale == "m5")
        assert may_stop_on(table, table.unit("A"), (2, 2))


class TestSquaresLeft:
    """GR-13, GR-20, GR-32 to GR-34, GR-55: what a pass still has."""

    @pytest.mark.parametrize(
        ("scale", "rounding", "squares"),
        [("m1", "total", 6), ("m2", "total", 3), ("m5", "total", 2), ("m1", "per_hit", 6), ("m5", "per_hit", 3)],
    )
    def test_of_a_sprint(self, scale, rounding, squares):
        table = game("@ .", {"scale": scale, "sprint_round": rounding}).table
        assert sprint_squares(table, 3) == squares
        assert sprinted(table, table.unit("A").put({"sprint_hits": 3})) == squares
        assert sprinted(table, table.unit("A")) == 0

    @pytest.mark.parametrize(("spent", "left"), [(0, 12), (5, 7), (12, 0), (15, 0)])
    def test_never_below_0(self, spent, left):
        table = game("@ .").table
        unit = table.unit("A").put({"spent": spent})
        assert squares_left(table, unit) == left
        assert budget_of(table, unit, "move", extra=2) == left + 2
        assert budget_of(table, unit, "one_square_move") == min(left, 1)
        assert budget_of(table, unit, "move", "run") == 24 - spent

    @pytest.mark.parametrize("state", [{"prone": True}, {"immobilised": True}, {"grappling": "B"}])
    def test_none_for_who_is_held(self, state):
        """GR-79."""
        unit = character("A", "red", (0, 0), **state)
        table = game("@ .").table
        assert budget_of(table, unit, "move", extra=3) == 0
        assert (
            held_fast(unit)
            == {
                "prone": "A is prone and has to get up first",
                "immobilised": "A is immobilised",
                "grappling": "A is grappling with B and cannot move until that breaks",
            }[next(iter(state))]
        )

    def test_the_figure_of_one_pass(self):
        """GR-7."""
        table = game("@ .", {"scale": "m5"}).table
        troll = character("T", "red", (0, 0), metatype="troll")
        assert [allotment(table, troll, "walk", 2, number) for number in (0, 1)] == [2, 1]


class TestPositions:
    """GR-19, GR-37 to GR-41, GR-50, GR-76: what is wrong with a setting or a position, and of whom it is said."""

    def faults(self, *units, rows=". . #", **options):
        played = Game.new(RULES, SquareGrid.from_text(rows), units, options=options, begin=False)
        return [(fault.clause, fault.blocker, fault.place) for fault in RULES.faults(played.table)]

    def test_above_four_passes(self):
        """GR-19."""
        fast = character("A", "red", (0, 0), passes=5)
        assert self.faults(fast) == [("GR-19", "A", None)]
        assert self.faults(fast, h_above_4="division_rule") == []
        assert self.faults(character("A", "red", (0, 0), passes=4)) == []

    def test_who_is_named_has_to_be_there(self):
        """GR-50."""
        assert [
            clause for clause, _, _ in self.faults(character("A", "red", (0, 0)), interception_order=["A", "Z"])
        ] == ["GR-50"]

    @pytest.mark.parametrize(
        ("place", "holds", "sound"), [((0, 0), True, True), ((0, 0), False, False), ((1, 0), True, False)]
    )
    def test_of_a_pair_in_a_grapple_one_holds_on_one_square(self, place, holds, sound):
        """GR-76."""
        found = self.faults(
            character("A", "red", (0, 0), grappling="B", holds=holds), character("B", "blue", place, grappling="A")
        )
        assert found == ([] if sound else [("GR-76", "A", (0, 0)), ("GR-76", "B", place)])

    def test_all_are_looked_at(self):
        """GR-37, GR-39, GR-41: also those after one who is off the table."""
        away = character("A", "red", None)
        first, second = (character(name, "red", (0, 0)) for name in ("B", "C"))
        found = self.faults(away, first, second, character("D", "red", (2, 0)))
        assert found == [("GR-37", "C", (0, 0)), ("GR-41", "D", (2, 0))]
        assert self.faults(first, second, scale="m2") == [("GR-39", "C", (0, 0))]
        assert self.faults(first, second, scale="m5") == []

    @pytest.mark.parametrize("held", ["prone", "immobilised"])
    def test_nobody_runs_who_is_held_fast(self, held):
        """GR-29: falling prone or being immobilised ends it."""
        assert self.faults(character("A", "red", (0, 0), mode="run")) == []
        assert self.faults(character("A", "red", (0, 0), **{held: True})) == []
        assert self.faults(character("A", "red", (0, 0), mode="run", **{held: True})) == [("GR-29", "A", (0, 0))]


class TestTriggers:
    """GR-48, GR-49, GR-51: what is told of an interception, before and after."""

    SQUARES = ((0, 0), (0, 1), (0, 0), (0, 1))

    @pytest.mark.parametrize(
        ("action", "steps"),
        [("move", [0, 1, 2]), ("withdrawal", [1, 2]), ("one_square_move", []), ("tumble", [0, 1, 2])],
    )
    def test_which_steps_are_exempt(self, action, steps):
        """GR-54, GR-57, GR-58."""
        table = game("@ b\n. .").table
        found = triggers_on(table, table.unit("A"), action, list(self.SQUARES))
        assert [trigger.step for trigger in found] == steps

    def test_who_has_no_free_action_left_is_named_all_the_same(self):
        trigger = Trigger(0, (3, 4), "B1", False, ("sword", "unarmed"))
        assert str(trigger) == "step 1, out of 3,4: B1, no free action left (GR-48)"
        table = game("@ b\n. .", {"free_actions_per_pass": 0}).table
        assert [trigger.able for trigger in triggers_on(table, table.unit("A"), "move", [(0, 0), (0, 1)])] == [False]

    def test_an_attack_says_who_with_what_where_and_why(self):
        played = game(". .\n@ b\n. .", fields={"B1": {"weapon": "sword"}})
        happened = played.do("A move: s")
        asked = happened.question
        assert (asked.clause, asked.place, dict(asked.detail)) == ("GR-49", (0, 1), {"mover": "A"})
        happened = played.answer("sword")
        detail = {"mover": "A", "weapon": "sword"}
        (told,) = [event for event in happened.events if event.kind == "intercepts"]
        assert (told.unit, told.clause, told.place, dict(told.detail)) == ("B1", "GR-49", (0, 1), detail)
        asked = happened.question
        assert (asked.what, asked.who, asked.clause, asked.place) == ("attack on A", "B1", "GR-51", (0, 1))
        assert dict(asked.detail) == detail


class TestTheJudge:
    """What a pass, a target or a state forbids."""

    @pytest.mark.parametrize(
        ("order", "spent"),
        [("melee_attack B1", "simple"), ("grapple B1", "simple"), ("ranged_attack B1 with bow", "complex")],
    )
    def test_attacks_take_their_action(self, order, spent):
        """GR-24: melee is complex, a shot is simple."""
        played = game("@ b C")
        assert broken(played, f"A {order}") == []
        played.do(f"A act {spent}")
        assert broken(played, f"A {order}") == ["GR-24"]

    def test_why_somebody_threatens_nobody(self):
        """GR-45."""
        played = pair_in_a_grapple()
        assert messages(played, "A melee_attack H") == []
        free = new_game(
            SquareGrid.open(3, 1),
            character("A", "red", (0, 0), grappling="C"),
            character("C", "blue", (0, 0), grappling="A", holds=True),
            character("B", "blue", (1, 0)),
        )
        assert messages(free, "A melee_attack B") == ["GR-45  A is grappling: it threatens nobody"]
        assert messages(free, "A melee_attack C") == []
        assert can_strike(free.table, free.table.unit("A"), free.table.unit("C"))

    @pytest.mark.parametrize(
        ("scale", "clause", "how"), [("m1", "GR-43", "side by side"), ("m5", "GR-44", "in one square")]
    )
    def test_how_the_two_of_a_melee_stand(self, scale, clause, how):
        (breach,) = game("@ . b", {"scale": scale}).breaches("A melee_attack B1")
        assert str(breach) == f"{clause}  A on 0,0 does not threaten B1 on 2,0: in melee they stand {how}"
        assert (breach.blocker, breach.place) == ("B1", (2, 0))

    def test_a_shot_is_measured_by_the_metric_of_the_table(self):
        """GR-93."""
        tables = {"weapon_range.m1.taser": ["0-1", "2", "3", "4"]}
        drawing = "@ . . . .\n" + ". . . . .\n" * 3 + ". . . . b"
        for metric, clauses in (("chebyshev", []), ("diagonal_121", ["GR-90"]), ("euclidean_floor", ["GR-90"])):
            played = game(drawing, {"range_metric": metric}, {"A": {"weapon": "taser"}}, tables=tables)
            assert broken(played, "A ranged_attack B1") == clauses
            for breach in played.breaches("A ranged_attack B1"):
                assert (breach.needed, breach.available) == (counted_distance(metric, (0, 0), (4, 4)), 4)

    def test_what_is_no_weapon_of_the_tables_is_told(self):
        """GR-82."""
        (told,) = messages(game("@ b", fields={"A": {"weapon": "bwo"}}), "A ranged_attack B1")
        assert told.startswith("GR-82  'bwo' is not in the range tables; did you mean 'bow'")
        (told,) = messages(game("@ b"), "A ranged_attack B1")
        assert told == "GR-82  A has readied nothing: name what it shoots or throws, as in: with bow"

    @pytest.mark.parametrize(
        ("now", "before"),
        [("immobilised", "mobile"), ("mobile", "immobilised"), ("prone", "standing"), ("standing", "prone")],
    )
    def test_a_change_has_to_be_one(self, now, before):
        """GR-45."""
        played = game("@ b", fields={"A": {"prone": now == "prone", "immobilised": now == "immobilised"}})
        assert messages(played, f"A becomes {now}") == [f"GR-45  A is {now} already"]
        assert broken(played, f"A becomes {before}") == []
        assert broken(played, "A becomes out") == []

    @pytest.mark.parametrize(("rule", "most"), [("error", 4), ("division_rule", 9)])
    def test_passes_end_where_the_tables_end(self, rule, most):
        """GR-19."""
        played = game("@ b", {"h_above_4": rule}, {"A": {"passes": 4}})
        found = [passes for passes in (3, 4, 5, 9) if not broken(played, f"B1 has_passes {passes}")]
        assert found == [passes for passes in (3, 4, 5, 9) if passes <= most]
        if rule == "error":
            (breach,) = played.breaches("B1 has_passes 5")
            assert (breach.clause, breach.needed, breach.available) == ("GR-19", 5, 4)


class TestCharging:
    """GR-74, GR-75."""

    @pytest.mark.parametrize("metric", ["diagonal_121", "chebyshev", "euclidean_floor"])
    def test_a_distance_is_that_of_the_offset(self, metric):
        """GR-93."""
        for one, other in (((3, 5), (1, 9)), ((8, 2), (3, 3)), ((4, 4), (4, 4))):
            offset = (other[0] - one[0], other[1] - one[1])
            assert counted_distance(metric, one, other) == counted_distance(metric, (0, 0), offset)

    def test_how_far_apart(self):
        assert squares_apart((1, 5), (2, 9)) == 4
        assert squares_apart((7, 1), (2, 3)) == 5
        assert [striking_distance(scale) for scale in SCALES] == [1, 1, 0]

    def test_who_has_to_run_and_runs(self):
        for mode, clauses in (("walk", ["GR-75"]), ("run", [])):
            played = game("@ . . . . b", {"charge_requires_running": True}, {"A": {"mode": mode}})
            played.do("A move: e 4")
            assert broken(played, "A charge_attack B1") == clauses

    @pytest.mark.parametrize(("scale", "counted"), [("m2", 1), ("m5", 0)])
    def test_the_target_need_not_leave_its_square_clear_at_m5_only(self, scale, counted):
        played = game("@ . . . b", {"scale": scale})
        path = ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0))
        unit = played.table.unit("A").put({"path": path, "path_clear": (True, True, True, False)})
        found = list(charge_breaches(played.table, unit, played.table.unit("B1")))
        assert [breach.place for breach in found] == [(4, 0)] * counted


class TestRangeMaps:
    """GR-80 to GR-93: what is drawn is what the query says, wherever the shooter stands."""

    @pytest.mark.parametrize("strength", [0, 1, 3])
    def test_around_any_square(self, strength):
        table = game("@ . . . .\n. . # . .\n. . . . .").table
        for place in ((3, 1), (0, 2), (4, 0)):
            found = bands_around(table, place, "bow", strength)
            assert found.dtype == np.int8
            for row, column in np.ndindex(found.shape):
                distance = counted_distance("diagonal_121", place, (column, row))
                assert ANSWERS[found[row, column]] == range_band(table, "bow", distance, strength).band

    def test_str_counts_in_a_drawing(self):
        """GR-92."""
        tables = {"weapon_range.m1.bow": ["0-S", "to 2S", "to 3S", "to 4S"]}
        table = game("@ . . . . .", tables=tables).table
        assert drawn_bands(table, (0, 0), "bow", 1) == "@ S M L E ."
        assert drawn_bands(table, (0, 0), "bow") == "@ . . . . ."

    def test_without_a_str_nothing_is_thrown_or_shot_by_hand(self):
        """GR-92: Str times the factor is 0 squares in every band."""
        table = game("@ .").table
        for weapon in ("bow", "throwing_knife", "grenade_standard"):
            assert [range_band(table, weapon, distance).band for distance in (0, 1)] == ["short", "out_of_range"]
            assert [band and band.most for band in bands_of(table, weapon)] == [0, 0, 0, 0]
            assert bands_around(table, (0, 0), weapon).tolist() == [
                [ANSWERS.index("short"), ANSWERS.index("out_of_range")]
            ]

    def test_an_answer_reads_well(self):
        assert str(RangeAnswer("too_close", None, 3, "GR-91")) == "3 squares: too close (GR-91)"
        assert str(RangeAnswer("long", -2, 15, "GR-86")) == "15 squares: long, -2 dice (GR-86)"

    @pytest.mark.parametrize(
        ("weapon", "distance", "band", "clause"),
        [
            ("taser", 99, "out_of_range", "GR-90"),
            ("grenade_launcher", 2, "too_close", "GR-91"),
            ("assault_rifle", 51, "not_covered", "GR-89"),
        ],
    )
    def test_an_answer_without_a_band_keeps_its_distance(self, weapon, distance, band, clause):
        """GR-89 to GR-91."""
        assert range_band(game("@ .").table, weapon, distance) == RangeAnswer(band, None, distance, clause)

    def test_no_weapon_no_bands(self):
        with pytest.raises(OptionError) as error:
            bands_around(game("@ .").table, (0, 0), "sword")
        assert error.value.path == "weapon"


class TestTumbling:
    """GR-63 to GR-72."""

    def test_what_the_line_says_of_each_enemy(self):
        """GR-63, GR-70: B1 is passed, and triggered by the first step; C1 lies, and is passed only."""
        played = game(". . . . . .\n@ . b . c .", {"tumble_counts": "near_any"}, {"C1": {"prone": True}})
        squares = [(x, 1) for x in range(6)]
        line = line_of(played.table, played.table.unit("A"), squares)
        assert [(one.enemy, one.units, one.step, one.passed) for one in line] == [
            ("B1", 2, 1, True),
            ("C1", 1, 4, True),
        ]

    def test_one_near_the_end_comes_last(self):
        """GR-63."""
        played = game("@ . . b", {"tumble_counts": "near_any"})
        (only,) = line_of(played.table, played.table.unit("A"), [(0, 0), (1, 0), (2, 0)])
        assert (only.enemy, only.units, only.step, only.passed) == ("B1", 1, 2, False)

    def test_the_square_set_out_from_is_not_moved_through(self):
        """GR-70."""
        table = new_game(
            SquareGrid.open(4, 1),
            character("A", "red", (0, 0)),
            character("B", "blue", (0, 0), prone=True),
            scale="m2",
        ).table
        assert line_of(table, table.unit("A"), [(0, 0), (1, 0), (2, 0)]) == []

    def test_the_test_and_who_comes_first_are_asked_by_their_clauses(self):
        """GR-64, GR-67, GR-69."""
        played = game(". b . c .\n@ . . . .", {"tumble_first": "gm"})
        played.do("A tumble: e 4")
        asked = played.question
        assert (asked.what, asked.who, asked.clause, asked.target) == ("agility and gymnastics", "A", "GR-64", 2)
        happened = played.answer(0)
        (told,) = [event for event in happened.events if event.kind == "tumble fails"]
        assert (told.unit, told.clause) == ("A", "GR-69")
        asked = happened.question
        assert (asked.what, asked.who, asked.clause) == ("who intercepts first", "gm", "GR-67")
        assert (asked.default, list(asked.options)) == ("B1", ["B1", "C1"])

    def test_a_push_is_from_where_the_enemy_stands(self):
        """GR-72."""
        played = game(". . . . .\n. . . . .\n@ . . b #\n. . . . .")
        found = push_squares(played.table, played.table.unit("B1"), played.table.unit("A"))
        assert sorted(found) == [(x, y) for x in (2, 3, 4) for y in (1, 2, 3) if (x, y) not in ((3, 2), (4, 2))]

    def test_it_is_attacked_with_what_was_chosen(self):
        """GR-52, GR-68, GR-72."""
        played = game(". . . .\n@ b . .\n. . . .", fields={"B1": {"weapon": "heavy_pistol"}})
        played.do("A tumble: e 2", answers=[0])
        assert played.question.options == ("improvised", "unarmed")
        happened = played.answer("improvised")
        assert happened.question.detail["weapon"] == "improvised"
        happened = played.answer("damage")
        assert happened.question.what == "where A is pushed"


class TestFields:
    """GR-4, GR-51, GR-76, GR-92: the figures of a character."""

    @pytest.mark.parametrize(
        ("field", "value", "told"),
        [
            ("passes", 0, "passes: expected a whole number of 1 or more, not 0 (GR-4)"),
            ("passes", True, "passes: expected a whole number of 1 or more, not yes (GR-4)"),
            ("str", -1, "str: expected a whole number of 0 or more, not -1 (GR-92)"),
            ("agility_gymnastics", -1, "agility_gymnastics: expected a whole number of 0 or more, not -1 (GR-64)"),
            ("running", -1, "running: expected a whole number of 0 or more, not -1 (GR-32)"),
            ("damage_chance", 2, "damage_chance: expected a chance from 0 to 1, such as 0.3 or 1/3, not 2 (GR-51)"),
            (
                "grapple_chance",
                "1/0",
                "grapple_chance: expected a chance from 0 to 1, such as 0.3 or 1/3, not 1/0 (GR-76)",
            ),
            ("weapon", 7, "weapon: expected a word, not 7 (GR-52)"),
            ("prone", 1, "prone: no such value; known: false, true"),
        ],
    )
    def test_what_makes_no_sense_is_told(self, field, value, told):
        with pytest.raises(OptionError) as error:
            character("A", "red", (0, 0), **{field: value})
        assert error.value.message == told

    @pytest.mark.parametrize("field", ["str", "agility_gymnastics", "running"])
    def test_0_makes_sense(self, field):
        assert character("A", "red", (0, 0), **{field: 0})[field] == 0

    @pytest.mark.parametrize("given", [0, 1, "0", "1", 0.0, 1.0])
    def test_a_chance_may_be_none_or_certain(self, given):
        assert as_chance(given, "chance") == int(float(given))

    @pytest.mark.parametrize("given", [True, False, -0.1, 1.01, "x", None])
    def test_no_chance(self, given):
        with pytest.raises(OptionError) as error:
            as_chance(given, "A.damage_chance")
        assert error.value.path == "A.damage_chance"
