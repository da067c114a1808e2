"""Reach against play under every option, every figure and at every moment of a turn; see `grid_runner_positions`.

A slice of what `tests/long/grid_runner_reach.py` asks for as long as one likes.
"""

import pytest
from exhaustive_grid_runner import NoDamage
from grid_runner_boards import RULES, game
from grid_runner_positions import MOMENTS, asked_at, figure_variants, option_variants
from grid_runner_reach_play import differences, over_passes

from simulator.rulesets.grid_runner.figures import TABLES

WALK = "allotment_table.m1.walk.human"


class TestOnePass:
    """GR-20 to GR-41, GR-47 to GR-59, GR-62 to GR-66: ends, costs and certain squares."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(100, 116))
    def test_what_is_asked_is_what_is_played(self, seed):
        if (position := asked_at(seed, several=False)) is not None:
            assert list(differences(position[0], most=4, reference=seed % 4 == 0)) == []

    def test_every_option_figure_and_moment_has_its_turn(self):
        options = list(option_variants())
        assert {name for one in options for name, _ in one.options} | {"scale"} == set(RULES.options.declared)
        for name, option in RULES.options.declared.items():
            told = {dict(one.options).get(name, one.scale) for one in options}
            assert set(option.values) <= told
        figures = [one.tables[0][0] for one in figure_variants()]
        for path in TABLES:
            # A figure of 0 has nothing below it, and the groups of weapons are no figures.
            assert figures.count(path) >= (1 if TABLES[path] == 0 else 2) or path.startswith("weapon_group.")
        assert len(MOMENTS) == 31


class TestSeveralPasses:
    """GR-13, GR-20, GR-26, GR-28 to GR-30: chains of movements, and orders that play them."""

    @pytest.mark.parametrize("seed", range(24))
    def test_what_is_asked_is_what_is_played(self, seed):
        if (position := asked_at(seed, several=True)) is not None:
            played, question = position
            assert list(over_passes(played, *question)) == []

    @pytest.mark.parametrize("options", [{"carry_over": True}, {"turn_total_cap": True}], ids=str)
    def test_a_one_square_move_uses_one_square(self, options):
        """GR-20: of the 4 squares of its pass 3 go on, and 4 come; the total of 12 caps nothing."""
        played = corridor(options)
        reach = played.reach("A", "one_square_move", passes=2)
        assert reach.cost_at((8, 0)) == (2 if "carry_over" in options else None)
        assert reach.cost_at((5, 0)) == 2
        assert (9, 0) not in reach

    def test_who_has_moved_1_of_4_carries_3_on(self):
        """GR-20."""
        played = corridor({"carry_over": True})
        played.do("A move: e")
        assert played.reach("A", "move", passes=2).cost_at((8, 0)) == 2
        next_pass(played)
        assert played.reach("A", "move").budget == 7

    @pytest.mark.parametrize(("squares", "carried"), [(0, 4), (2, 4), (3, 3), (6, 0)])
    def test_squares_of_a_sprint_are_neither_carried_nor_counted(self, squares, carried):
        """GR-13, GR-20: 1 hit gives 2 squares; what is used beyond them is the figure's."""
        figures = {f"allotment_table.m1.run.human.h{passes}": [4] * passes for passes in (1, 2)}
        for options in ({"carry_over": True}, {"carry_over": True, "turn_total_cap": True}):
            played = corridor(options, {"mode": "run"}, {**figures, "allotment_table.m1.run.human.h1": [8]})
            played.do("A sprint", answers=[1])
            if squares:
                played.do(f"A move: e {squares}")
            farthest = played.reach("A", "move", passes=2)
            next_pass(played)
            assert played.reach("A", "move").budget == 4 + carried
            # Before it has moved the chain may use all of them; then what is left.
            last = squares + 4 + carried if squares else 10
            assert farthest.cost_at((last, 0)) == 2
            assert farthest.cost_at((last + 1, 0)) is None

    def test_what_a_figure_left_unused_is_carried_whatever_the_cap(self):
        """GR-13, GR-20: running 7, then standing at a walk: its 3 squares go on to the pass in which it runs again."""
        played = corridor(
            {"carry_over": True, "turn_total_cap": True}, {"mode": "run", "metatype": "dwarf", "passes": 3}, {}
        )
        played.do("A move: e 7")
        next_pass(played)
        played.do("A stop_run")
        assert played.reach("A", "move").budget == 1  # the walking total of 8
        next_pass(played)
        assert played.reach("A", "move").budget == 1
        assert played.reach("A", "move", mode="run").budget == 10

    def test_a_walk_is_one_from_the_pass_on_in_which_running_can_be_stopped(self):
        """GR-30."""
        played = corridor({}, {"mode": "run"})
        played.do("A move: e")
        reach = played.reach("A", "move", mode="walk", passes=2)
        assert reach.cost_at((5, 0)) == 2
        assert (6, 0) not in reach
        assert [played.write(order) for order in reach.orders_to((5, 0))] == ["all done", "A stop_run", "A: e 4"]


def corridor(options, fields=None, tables=None):
    """A, a human of two passes with a walking figure of 4 in each, in a long corridor with C at its end."""
    figures = {f"{WALK}.h2": [4, 4]} if tables is None else tables
    return game(
        "@" + " ." * 24 + " C", options, {"A": {"passes": 2, **(fields or {})}}, answers=NoDamage(), tables=figures
    )


def next_pass(played):
    here = played.state.clock.number
    while played.state.clock.number == here:
        played.do("all done")


def test_the_squares_of_a_sprint_are_a_runners():
    """GR-34: who fell walks, and what it had sprinted up is lost."""
    played = corridor({"split_move": True}, {"mode": "run"})
    played.do("A sprint", answers=[1])
    assert played.reach("A", "move").budget == 12 + 2
    played.do("A becomes prone")
    played.do("A becomes standing")
    assert played.reach("A", "move").budget == 4
