"""The rulebook grid_runner, clause by clause: passes, walking and running, whose square is open, what is judged."""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from grid_runner_boards import RULES, character, game

from simulator.engine.clauses import Coverage, Register
from simulator.engine.errors import IllegalOrder, OptionError
from simulator.engine.game import Game
from simulator.formats.scenarios import load_scenario
from simulator.geometry.squares import SquareGrid
from simulator.pathing.traces import NoRoute
from simulator.rulesets.grid_runner.allotments import allotment, divided, turn_total
from simulator.rulesets.grid_runner.units import METATYPES, MODES

ROOT = Path(__file__).resolve().parents[2]
PAGE = Register.read(ROOT / "docs/rules/grid_runner.md")
CASES = sorted((ROOT / "tests/cases/grid_runner").glob("*.yaml"))


def broken(played, order):
    """The clauses that forbid an order."""
    return [breach.clause for breach in played.breaches(order)]


def table_of(clause):
    """The rows of the table of a clause, as the page prints it."""
    rows = [line.strip().strip("|").split("|") for line in PAGE[clause].text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


class TestThePage:
    """The page of the rulebook and the program say the same."""

    @pytest.mark.parametrize(
        ("clause", "path"),
        [
            ("GR-8", "m1.walk"),
            ("GR-9", "m1.run"),
            ("GR-14", "m2.walk"),
            ("GR-15", "m2.run"),
            ("GR-16", "m5.walk"),
            ("GR-17", "m5.run"),
        ],
    )
    def test_allotments_are_those_printed(self, clause, path):
        rows = table_of(clause)
        assert [row[0].split()[0] for row in rows] == list(METATYPES)
        for row in rows:
            figures = RULES.tables[f"allotment_table.{path}.{row[0].split()[0]}"]
            assert [", ".join(map(str, figures[f"h{high}"])) for high in (1, 2, 3, 4)] == row[1:]

    @pytest.mark.parametrize(("clause", "scale"), [("GR-83", "m1"), ("GR-84", "m2"), ("GR-85", "m5")])
    def test_weapon_ranges_are_those_printed(self, clause, scale):
        rows = table_of(clause)
        assert len(rows) == 24
        assert {row[0]: tuple(row[1:]) for row in rows} == dict(RULES.tables[f"weapon_range.{scale}"])

    def test_every_clause_is_in_the_program_and_tested(self):
        coverage = Coverage.of(PAGE, RULES.options, RULES.tables, [ROOT / "tests/rulebooks", ROOT / "tests/cases"])
        assert len(PAGE) == 95
        assert coverage.unimplemented() == ()
        assert coverage.uncovered() == ()
        assert [id for id in coverage.unknown() if id.startswith("GR-")] == []

    def test_every_option_is_declared_with_its_default(self):
        named = {name: clause.id for clause in PAGE.values() for name in clause.options}
        assert named.pop("allotment_table") == "GR-10"  # the tables are data
        declared = RULES.options.declared
        assert set(named) <= set(declared)
        for name, clause in named.items():
            assert clause in declared[name].clause
        # Beside those of the register: the scale, the order of attacks, and corners, which stand among the gaps.
        assert set(declared) - set(named) == {"scale", "interception_order", "diagonal_corners"}


class TestCases:
    """The worked examples, played as scenarios."""

    @pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
    def test_comes_out_as_the_page_says(self, path):
        account = load_scenario(path).run()
        assert account.ok, "\n".join(str(check) for check in account.failures)

    def test_none_is_missing(self):
        assert sorted({int(path.stem[1:3]) for path in CASES}) == list(range(1, 31))


class TestScale:
    """GR-1, GR-2: squares of 1, 2 or 5 metres; 1 unless said otherwise."""

    def test_the_default_is_1_m(self):
        assert game("@ .").setting.options.scale == "m1"

    def test_another_scale_is_another_table(self):
        assert [game("@ .", {"scale": scale}).reach("A", "move").budget for scale in ("m1", "m2", "m5")] == [12, 5, 2]


class TestPasses:
    """GR-4 to GR-7, GR-19: how many passes a turn has."""

    def test_as_many_as_the_fastest_has(self):
        played = game("@ b c", fields={"B1": {"passes": 3}, "C1": {"passes": 2}})
        assert [phase.name for phase in played.state.clock.phases] == [f"pass {n} of 3" for n in (1, 2, 3)]

    def test_a_change_shows_from_the_next_turn_on(self):
        """GR-5."""
        played = game("@ b", fields={"B1": {"passes": 2}})
        played.do("A has_passes 3")
        played.do("B1 has_passes 1")
        assert len(played.state.clock.phases) == 2
        played.do("all done")
        assert broken(played, "A act free") == ["GR-24"]
        assert broken(played, "B1 act free") == []
        played.do("all done")
        assert (played.state.clock.turn, len(played.state.clock.phases)) == (2, 3)

    def test_the_division_rule_gives_the_printed_cells_but_seven(self):
        """GR-6."""
        odd = Counter()
        for scale in ("m1", "m2", "m5"):
            played = game("@ .", {"scale": scale})
            ruled = game("@ .", {"scale": scale, "allotment_source": "division_rule"})
            for mode in MODES:
                # Elf and ork have the row of the human at every scale.
                for metatype in ("dwarf", "human", "troll"):
                    unit = character("X", "red", (1, 0), metatype=metatype)
                    for high in (1, 2, 3, 4):
                        printed, divided_ = (
                            [allotment(one.table, unit, mode, high, number) for number in range(high)]
                            for one in (played, ruled)
                        )
                        odd[f"{scale} {mode} {metatype} H {high}"] = printed != divided_
        assert sorted(+odd) == [
            "m1 run dwarf H 3",
            "m1 walk dwarf H 3",
            "m1 walk troll H 3",
            "m5 walk dwarf H 3",
            "m5 walk dwarf H 4",
            "m5 walk human H 3",
            "m5 walk human H 4",
        ]

    @pytest.mark.parametrize("high", [1, 2, 3, 4])
    @pytest.mark.parametrize(
        ("clause", "scale", "mode"),
        [("GR-8", "m1", "walk"), ("GR-9", "m1", "run"), ("GR-14", "m2", "walk"),
         ("GR-15", "m2", "run"), ("GR-16", "m5", "walk"), ("GR-17", "m5", "run")],
    )  # fmt: skip
    def test_every_printed_figure_is_what_can_be_moved(self, clause, scale, mode, high):
        """GR-8 to GR-18, GR-31: down a corridor so many squares are legal, and not one more."""
        for row in table_of(clause):
            fields = {"metatype": row[0].split()[0], "mode": mode, "passes": high}
            played = game("@" + " ." * 40, {"scale": scale}, {"A": fields})
            for printed in map(int, row[high].split(", ")):
                assert len(played.reach("A", "move")) == printed + 1
                assert not printed or broken(played, f"A move: e {printed}") == []
                assert broken(played, f"A move: e {printed + 1}") == (["GR-27"] if printed else ["GR-18"])
                played.do("all done")

    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("scale", ["m1", "m2", "m5"])
    @pytest.mark.parametrize("high", [1, 2, 3, 4, 5, 7])
    def test_every_figure_by_the_division_rule(self, scale, mode, high):
        """GR-6, GR-19: the quotient, and one more in as many of the first passes as the rest says."""
        options = {"scale": scale, "allotment_source": "division_rule", "h_above_4": "division_rule"}
        for metatype in METATYPES:
            played = game("@" + " ." * 40, options, {"A": {"metatype": metatype, "mode": mode, "passes": high}})
            total = RULES.tables[f"allotment_table.{scale}.{mode}.{metatype}.h1"][0]
            found = []
            for _ in range(high):
                found.append(len(played.reach("A", "move")) - 1)
                played.do("all done")
            assert found == [total // high + (number < total % high) for number in range(high)]

    def test_the_rest_of_a_division_goes_to_the_first_passes(self):
        assert [divided(7, 4, number) for number in range(4)] == [2, 2, 2, 1]

    def test_above_four_is_an_error_or_divided(self):
        """GR-19."""
        with pytest.raises(OptionError, match=r"A\.passes: the tables end at 4 passes, and this is 5 \(GR-19\)"):
            game("@ .", fields={"A": {"passes": 5}})
        played = game("@ .", {"h_above_4": "division_rule"}, {"A": {"passes": 5}})
        assert [allotment(played.table, played.table.unit("A"), "walk", 5, n) for n in range(5)] == [3, 3, 2, 2, 2]

    def test_elf_and_ork_go_as_the_human_at_m1_and_every_figure_can_be_replaced(self):
        """GR-10."""
        tables = {"allotment_table.m1.walk.elf.h1": [13]}
        for metatype, usual, changed in (("human", 12, 12), ("ork", 12, 12), ("elf", 12, 13)):
            fields = {"A": {"metatype": metatype}}
            assert game("@ .", fields=fields).reach("A", "move").budget == usual
            assert game("@ .", fields=fields, tables=tables).reach("A", "move").budget == changed

    def test_labels_are_other_totals_at_m1_only(self):
        """GR-11, GR-12."""
        for scale, walk, run in (("m1", 10, 25), ("m2", 5, 12)):
            table = game("@ .", {"m1_totals": "labels", "scale": scale}).table
            assert (turn_total(table, table.unit("A"), "walk"), turn_total(table, table.unit("A"), "run")) == (
                walk,
                run,
            )

    def test_the_total_can_cap_the_turn(self):
        """GR-13."""
        for capped, last in ((False, 3), (True, 2)):
            played = game("@ . . . . . . . . .", {"turn_total_cap": capped}, {"A": {"passes": 3, "metatype": "dwarf"}})
            for _ in range(2):
                played.do("A move: e 3")
                played.do("all done")
            assert played.reach("A", "move").budget == last
            assert broken(played, "A move: e 3") == (["GR-27"] if capped else [])

    def test_squares_left_over_are_lost_or_carried_over(self):
        """GR-20."""
        for carried, squares in ((False, 6), (True, 10)):
            played = game("@ . . . . . . . . . . . .", {"carry_over": carried}, {"A": {"passes": 2}})
            played.do("A move: e 2")
            played.do("all done")
            assert played.reach("A", "move").budget == squares
            played.do("all done")
            assert played.reach("A", "move").budget == 6  # never into the next turn

    def test_a_figure_of_0_is_no_movement(self):
        """GR-18."""
        played = game("@ . .", {"scale": "m5"}, {"A": {"passes": 4}})
        played.do("all done")
        assert broken(played, "A move: e") == ["GR-18"]
        assert str(played.reach("A", "move").why_not((1, 0)).reasons[0]).startswith(
            "GR-18  A does not move in this pass"
        )


class TestOrderOfAPass:
    """GR-21 to GR-25: one movement, before the actions or after them."""

    def test_before_or_after_but_once(self):
        played = game("@ . . . .", fields={"A": {"passes": 2}})
        played.do("A move: e")
        assert broken(played, "A move: e") == ["GR-21"]
        played.do("A act simple")
        assert broken(played, "A move: e") == ["GR-21"]
        played.do("all done")
        played.do("A act simple")
        played.do("A move: e")
        assert played.state.clock.turn == 2  # nothing was left to do: its go, the pass and the turn were over

    def test_nothing_follows_a_movement_that_followed_an_action(self):
        """GR-22."""
        played = game("@ . . b", fields={"A": {"passes": 2}})
        played.do("A act free")
        played.do("A move: e")
        assert "GR-21" in broken(played, "A act simple")

    def test_with_split_move_a_part_before_and_the_rest_after(self):
        """GR-21."""
        played = game("@ . . . . . . . . . . . . .", {"split_move": True})
        played.do("A move: e 5")
        assert broken(played, "A move: e") == ["GR-21"]  # the two parts have the actions between them
        played.do("A act simple")
        assert played.reach("A", "move").budget == 7
        assert broken(played, "A move: e 8") == ["GR-27"]
        played.do("A move: e 7")
        assert played.state.clock.turn == 2

    def test_starting_to_run_is_no_action_that_a_movement_has_to_follow(self):
        """GR-23."""
        played = game("@ . . .")
        played.do("A start_run")
        played.do("A move: e")
        assert broken(played, "A act complex") == []

    @pytest.mark.parametrize("action", ["withdrawal", "one_square_move", "tumble"])
    def test_after_these_the_movement_comes_last(self, action):
        """GR-23, GR-59."""
        played = game("@ . . b")
        played.do(f"A {action}: e")
        assert "GR-21" in broken(played, "A act free")
        assert "GR-21" in broken(played, "A move: e")

    def test_without_a_pass_of_its_own_a_character_still_moves(self):
        """GR-24."""
        played = game("@ . . b", fields={"B1": {"passes": 2}})
        played.do("all done")
        assert broken(played, "A move: e") == []
        assert broken(played, "A act free") == ["GR-24"]
        assert broken(played, "A withdrawal: e") == ["GR-57"]

    def test_actions_of_a_pass(self):
        """GR-24: a free one and two simple or a complex one; a simple one may be spent as a free one."""
        played = game("@ . .", fields={"A": {"passes": 4}})
        for kinds, left in (
            (("free", "free", "free"), []),
            (("simple", "simple", "free"), []),
            (("complex", "free"), []),
            (("simple",), ["free", "simple"]),
            (("free", "simple"), ["free", "simple"]),
        ):
            branch = played.branch()
            for kind in kinds:
                branch.do(f"A act {kind}")
            assert [kind for kind in ("free", "simple", "complex") if not broken(branch, f"A act {kind}")] == left

    def test_who_delays_comes_back_and_moves_once(self):
        """GR-25."""
        played = game("@ . . . b")
        played.do("A move: e")
        played.do("A delay")
        played.do("B1 act complex")
        assert broken(played, "A move: e") == ["GR-21"]
        played.do("A act free")
        played.do("A delay")
        played.do("A act complex")
        assert played.state.clock.turn == 2  # nothing was left to anybody

    def test_it_may_also_move_with_the_delayed_action(self):
        """GR-25."""
        played = game("@ . . . b")
        played.do("A delay")
        played.do("B1 act free")
        played.do("A act simple")
        played.do("A move: e")
        assert played.state.unit("A").place == (1, 0)

    def test_who_does_not_delay_has_had_its_go(self):
        """GR-25."""
        played = game("@ . . . b")
        played.do("A move: e")
        played.do("B1 act free")
        assert [str(breach) for breach in played.breaches("A act free")] == ["GR-4   A has had its go in pass 1 of 1"]


class TestSteps:
    """GR-26, GR-27: what steps cost, and past which walls they go."""

    @pytest.mark.parametrize(
        ("reset", "pass_2", "turn_2"), [("pass", 1, 1), ("turn", 2, 1), ("never", 2, 2)]
    )  # fmt: skip
    def test_the_alternation_restarts(self, reset, pass_2, turn_2):
        played = game(". . . . . .\n" * 5 + "@ . . . . .", {"diagonal_parity_reset": reset}, {"A": {"passes": 2}})
        played.do("A move: ne")
        played.do("all done")
        assert played.branch().do("A move: ne").ledger.total("squares") == pass_2
        played.do("all done")
        assert played.do("A move: ne").ledger.total("squares") == turn_2

    @pytest.mark.parametrize(
        ("corners", "past_one", "between_two"),
        [("no_cut", False, False), ("only_between_two", True, False), ("free", True, True)],
    )
    def test_diagonals_past_walls(self, corners, past_one, between_two):
        """GR-26: what the corners of walls do."""
        one = game("@ #\n. .", {"diagonal_corners": corners})
        two = game("@ #\n# .", {"diagonal_corners": corners})
        assert (broken(one, "A move: se") == []) is past_one
        assert (broken(two, "A move: se") == []) is between_two

    def test_characters_never_block_a_diagonal(self):
        assert broken(game("@ b\nC ."), "A move: se") == []

    def test_all_reasons_are_told_with_place_and_figures(self):
        """GR-27."""
        played = game("@ # b F . . . . . . . . . . .")
        told = played.breaches("A move: e 14")
        assert [(breach.clause, breach.blocker, breach.place) for breach in told] == [
            ("GR-26", "wall", (1, 0)),
            ("GR-27", "", (14, 0)),
            ("GR-35", "F", (3, 0)),
            ("GR-36", "B1", (2, 0)),
        ]
        assert (told[1].needed, told[1].available) == (14, 12)
        assert told[1].message == "the movement costs 14 squares, A has 12 left: 2 short"

    def test_the_board_ends(self):
        assert [str(breach) for breach in game("@ .").breaches("A move: n")] == ["GR-26  the board ends n of 0,0"]

    def test_walls_between_squares(self):
        board = SquareGrid.from_text(". .\n. .", walls_east=[[True, False], [False, False]])
        played = Game.new(RULES, board, [character("A", "red", (0, 0))])
        assert [str(breach) for breach in played.breaches("A move: e")] == [
            "GR-26  the step e from 0,0 runs into a wall"
        ]
        assert [str(breach) for breach in played.breaches("A move: se")] == [
            "GR-26  the step se from 0,0 cuts the corner of a wall"
        ]

    def test_the_ledger_adds_up_line_by_line(self):
        assert str(game(". . .\n. . .\n@ . .").do("A move: ne 2").ledger).splitlines() == [
            "1 square  diagonal step ne to 1,1 (GR-26)",
            "2 squares  diagonal step ne to 2,0 (GR-26)",
            "3 squares  in all",
        ]


class TestRunning:
    """GR-28 to GR-31: starting, running on, stopping."""

    def test_the_whole_allotment_is_the_running_figure(self):
        """GR-28, GR-31."""
        played = game("@ .")
        assert (played.reach("A", "move").budget, played.reach("A", "move", mode="run").budget) == (12, 24)
        happened = played.do("A start_run")
        assert str(happened.ledger) == "1 free action  start run (GR-28)\n1 free action  in all"
        assert (played.reach("A", "move").budget, played.state.unit("A")["free_left"]) == (24, 0)

    def test_only_once_and_only_before_the_movement(self):
        played = game("@ . .")
        played.do("A start_run")
        assert broken(played, "A start_run") == ["GR-29"]
        played = game("@ . .")
        played.do("A move: e")
        assert broken(played, "A start_run") == ["GR-28"]

    def test_without_an_action_in_the_pass(self):
        """GR-28."""
        for allowed in (False, True):
            played = game("@ . . b", {"run_start_without_pass": allowed}, {"B1": {"passes": 2}})
            played.do("all done")
            assert broken(played, "A start_run") == ([] if allowed else ["GR-28"])
            assert bool(played.reach("A", "move", mode="run").refused) is not allowed

    def test_keeps_running_over_passes_and_turns(self):
        """GR-29."""
        played = game("@ . . .", fields={"A": {"passes": 2}})
        played.do("A start_run")
        for _ in range(3):
            played.do("all done")
        assert (played.state.clock.turn, played.state.unit("A")["mode"]) == (2, "run")

    @pytest.mark.parametrize("state", ["prone", "immobilised"])
    def test_falling_or_being_held_ends_it(self, state):
        """GR-29."""
        played = game("@ . . .", fields={"A": {"mode": "run"}})
        played.do(f"A becomes {state}")
        assert played.state.unit("A")["mode"] == "walk"
        assert broken(played, "A start_run") == ["GR-29"]
        assert broken(played, "A move: e") == ["GR-45"]
        played.do(f"A becomes {'standing' if state == 'prone' else 'mobile'}")
        assert broken(played, "A move: e") == []
        assert played.state.unit("A")["mode"] == "walk"

    def test_stops_at_the_start_of_its_pass_only_and_walks_in_it(self):
        """GR-30."""
        played = game("@ . . .", fields={"A": {"mode": "run"}})
        assert broken(game("@ ."), "A stop_run") == ["GR-30"]
        acted = played.branch()
        acted.do("A act free")
        assert broken(acted, "A stop_run") == ["GR-30"]
        happened = played.do("A stop_run")
        assert len(happened.ledger) == 0
        assert played.reach("A", "move").budget == 12
        assert broken(played, "A start_run") == ["GR-30"]


class TestSprinting:
    """GR-32 to GR-34: a Running Test for squares of running movement."""

    def test_squares_are_for_one_pass(self):
        """GR-32."""
        played = game("@ . .", fields={"A": {"mode": "run", "passes": 2}})
        assert broken(played, "A sprint") == []
        played.do("A sprint", answers=[2])
        assert played.reach("A", "move").budget == 12 + 4
        assert broken(played, "A sprint") == ["GR-32"]
        played.do("all done")
        assert played.reach("A", "move").budget == 12

    @pytest.mark.parametrize(("rounding", "squares"), [("total", 2), ("per_hit", 3)])
    def test_halves_are_rounded_up_in_total_or_per_hit(self, rounding, squares):
        """GR-33."""
        played = game("@ . .", {"scale": "m5", "sprint_round": rounding}, {"A": {"mode": "run"}})
        played.do("A sprint", answers=[3])
        assert played.reach("A", "move").budget == 5 + squares

    def test_a_walker_gets_none(self):
        """GR-34."""
        assert broken(game("@ . ."), "A sprint") == ["GR-34"]

    @pytest.mark.parametrize(("kind", "left"), [("simple", 1), ("complex", 0), ("none", 2)])
    def test_what_it_takes(self, kind, left):
        """GR-34, GR-23: after it the movement comes last."""
        played = game("@ . .", {"sprint_action": kind}, {"A": {"mode": "run"}})
        played.do("A sprint", answers=[0])
        assert played.state.unit("A")["simple_left"] == left
        played.do("A move: e")
        # Where it was an action the movement was the last thing of the go, and with it of the turn.
        assert (played.state.clock.turn == 2) is (kind != "none")

    def test_a_pool_is_rolled_as_the_figures_say(self):
        played = game("@ . .", fields={"A": {"mode": "run", "running": 4}}, tables={"test.hit_on": 4})
        assert played.do("A sprint").question.dice == "4D6>=4"


class TestWhoseSquare:
    """GR-35 to GR-41: who may be passed, on whom one may stop."""

    @pytest.mark.parametrize(
        ("scale", "friend", "enemy", "stop_friend", "stop_enemy"),
        [
            ("m1", "GR-35", "GR-36", "GR-37", "GR-37"),
            ("m2", None, "GR-38", "GR-39", "GR-39"),
            ("m5", None, None, None, None),
        ],
    )
    @pytest.mark.parametrize("state", [{}, {"prone": True}, {"immobilised": True}])
    def test_by_scale(self, scale, friend, enemy, stop_friend, stop_enemy, state):
        """GR-41: prone and immobilised characters occupy their squares like any other."""
        tables = {f"allotment_table.{scale}.walk.human.h1": [9]}
        for glyph, closed, stop in (("F", friend, stop_friend), ("f", enemy, stop_enemy)):
            name = "F" if glyph == "F" else "F1"
            played = game(f"@ {glyph} . .", {"scale": scale}, {name: state}, tables=tables)
            assert broken(played, "A move: e 2") == [closed] * bool(closed)
            assert broken(played, "A move: e") == sorted({clause for clause in (closed, stop) if clause})

    def test_grappling_ones_too(self):
        """GR-41."""
        units = [character("A", "red", (0, 0)), character("F", "red", (1, 0), grappling="B", holds=True)]
        units.append(character("B", "blue", (1, 0), grappling="F"))
        played = Game.new(RULES, SquareGrid.open(3, 1), units, options={"scale": "m2"})
        assert broken(played, "A move: e 2") == ["GR-38"]

    def test_a_position_that_can_not_be_is_told(self):
        """GR-37, GR-79: scenarios are checked for it."""
        walls = SquareGrid.from_text(". . #")
        units = [character("A", "red", (0, 0)), character("B", "blue", (0, 0)), character("C", "red", (2, 0))]
        units += [character("D", "red", (5, 5)), character("E", "red", (1, 0), grappling="A")]
        faults = RULES.faults(Game.new(RULES, walls, units).table)
        assert [(fault.clause, str(fault.message).split(":")[0]) for fault in faults] == [
            ("GR-37", "B stands on the square of A without grappling"),
            ("GR-41", "C stands in a wall"),
            ("GR-41", "D"),
            ("GR-79", "E grapples with A, who does not grapple with it"),
        ]


class TestWhyNot:
    """Every refusal of a square names the clause, the blocker, the shortfall and the nearest end."""

    @pytest.mark.parametrize(
        ("drawing", "place", "clause", "blocker", "nearest"),
        [
            ("@ . b .", (2, 0), "GR-37", "B1", (1, 0)),
            ("@ b .", (2, 0), "GR-36", "B1", (0, 0)),
            ("@ F .", (2, 0), "GR-35", "F", (0, 0)),
            ("@ # .", (1, 0), "GR-26", "wall", (0, 0)),
            ("@ # .", (2, 0), "GR-26", "wall", (0, 0)),
            ("@" + " ." * 15, (14, 0), "GR-27", "", (12, 0)),
        ],
    )
    def test_the_first_thing_in_the_way(self, drawing, place, clause, blocker, nearest):
        why = game(drawing).reach("A", "move").why_not(place)
        assert why
        assert (why.reasons[0].clause, why.reasons[0].blocker, why.nearest) == (clause, blocker, nearest)

    def test_the_shortfall(self):
        why = game("@" + " ." * 15).reach("A", "move").why_not((14, 0))
        assert (why.reasons[0].needed, why.reasons[0].available) == (14, 12)
        assert "2 short" in str(why)

    def test_what_can_be_reached_says_so(self):
        why = game("@ . .").reach("A", "move").why_not((2, 0))
        assert not why
        assert str(why) == "2,0 can be reached, for 2 squares"

    def test_whatever_forbids_to_move_at_all_comes_first(self):
        played = game("@ . .", fields={"A": {"prone": True}})
        assert played.reach("A", "move").why_not((2, 0)).reasons[0].clause == "GR-45"
        assert len(played.reach("A", "move")) == 1
        assert game("@ . .", {"scale": "m5"}).reach("A", "one_square_move").why_not((1, 0)).reasons[0].clause == "GR-56"
        assert game("@ . .").reach("A", "one_square_move").why_not((2, 0)).reasons[0].clause == "GR-55"


class TestPlanning:
    """Orders by goal: a way with the best chance, the cheapest of those; by way of squares the cheapest."""

    def test_goes_round_an_enemy_that_could_intercept(self):
        played = game(". . . . .\n. . . . .\n. . . . .\n. . . . .\n@ . b . .")
        happened = played.do("A move to 4,4")
        assert not happened.answered
        assert happened.state.unit("A").place == (4, 4)

    def test_by_way_of_squares(self):
        happened = game(". . .\n. . .\n@ . .").do("A move to 2,2 via 1,1")
        assert happened.ledger.total("squares") == 2 + 1

    def test_what_can_not_be_reached_is_refused_with_the_reason(self):
        with pytest.raises(IllegalOrder, match="GR-36"):
            game("@ b .").do("A move to 2,0")
        with pytest.raises(NoRoute, match="already stands on 0,0"):
            game("@ b .").do("A move to 0,0")

    def test_orders_can_be_listed_and_all_are_legal(self):
        tables = {"allotment_table.m1.walk.human.h1": [2]}
        played = game(". . .\n@ b .\n. . .", fields={"A": {"weapon": "taser"}}, tables=tables)
        orders = list(played.legal("A"))
        assert all(order in played.legal("A") for order in orders)
        assert len({played.write(order) for order in orders}) == len(orders)
        kinds = Counter(order.action for order in orders)
        assert kinds == {
            "move": 6,
            "withdrawal": 6,
            "one_square_move": 4,
            "tumble": 7,  # also straight through
            "start_run": 1,
            "delay": 1,
            "act": 3,
            "melee_attack": 1,
            "grapple": 1,
            "ranged_attack": 1,
        }


def test_chances_may_be_written_as_players_write_them():
    """GR-51: the chance of damage is given as a fraction, a decimal or a text."""
    for chance in (Fraction(1, 3), "1/3"):
        played = game("@ b . .", fields={"B1": {"damage_chance": chance}})
        assert played.reach("A", "move").chance_at((0, 0)) == 1
