"""grid_runner, one step at a time: the search takes the steps that the judge lets pass, for one and for everybody."""

import numpy as np
import pytest
from grid_runner_boards import RULES, character, game
from test_grid_runner import broken

from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid
from simulator.pathing.move_space import UNREACHED
from simulator.rulesets.grid_runner.movement import DIRECTIONS, after_step
from simulator.rulesets.grid_runner.reach.questions import space_of

DRAWING = ". . # .\n. . . .\n# . . .\n. . . #"
OPEN = [(x, y) for y, row in enumerate(DRAWING.splitlines()) for x, glyph in enumerate(row.split()) if glyph == "."]


def walled():
    """Wall squares, one wall line between squares beside each other and one between squares above each other."""
    east, south = np.zeros((4, 4), bool), np.zeros((4, 4), bool)
    east[1, 1] = south[0, 0] = True
    return SquareGrid.from_text(DRAWING, walls_east=east, walls_south=south)


def with_squares(squares, board, *units, **options):
    """A game in which a human walks so many squares."""
    tables = {f"allotment_table.{options.get('scale', 'm1')}.walk.human.h1": [squares]}
    return Game.new(RULES, board, units, options=options, tables=tables)


class TestOneStep:
    """GR-26: where one square takes a character, past wall squares, wall lines and the board's edge."""

    @pytest.mark.parametrize(("corners", "diagonals"), [("no_cut", 4), ("only_between_two", 12), ("free", 13)])
    @pytest.mark.parametrize("action", ["move", "withdrawal", "one_square_move"])
    def test_the_search_takes_the_steps_that_the_judge_lets_pass(self, corners, diagonals, action):
        found = 0
        for square in OPEN:
            played = with_squares(1, walled(), character("A", "red", square), diagonal_corners=corners)
            legal = {
                after_step(square, number)
                for number, name in enumerate(DIRECTIONS)
                if not broken(played, f"A {action}: {name}")
            }
            reach = played.reach("A", action)
            assert set(reach) == {square, *legal}
            assert {reach.cost_at(place) for place in legal} <= {1}
            found += len(legal)
        # There and back: 14 pairs of squares side by side, and the diagonals that the corners leave open.
        assert found == 2 * (14 + diagonals)

    def test_a_line_of_walls_is_walked_round(self):
        """GR-26: straight on it would be 1 square."""
        played = with_squares(9, walled(), character("A", "red", (1, 1)))
        assert played.reach("A", "move").cost_at((2, 1)) == 3
        assert broken(played, "A move: e") == ["GR-26"]
        assert broken(played, "A move: s, e, n") == []


class TestEverybodyAtOnce:
    """GR-35 to GR-41: each moves as if it were alone in asking, through friends at m2, never through enemies."""

    @pytest.mark.parametrize(
        ("scale", "ends"),
        [
            ("m1", {"A": 1, "F": 2, "B1": 4}),
            ("m2", {"A": 2, "F": 2, "B1": 4}),
            ("m5", {"A": 6, "F": 6, "B1": 6}),
        ],
    )
    def test_in_a_corridor(self, scale, ends):
        walk = f"allotment_table.{scale}.walk.human.h1"
        played = game("@ F . b . .", {"scale": scale}, tables={walk: [6]})
        together = {name: answer.cheapest for name, answer in played.reach_many(action="move")}
        assert list(together) == ["A", "F", "B1"]
        for name, costs in together.items():
            assert np.array_equal(costs, played.reach(name, "move").cheapest)
        assert {name: int((costs < UNREACHED).sum()) for name, costs in together.items()} == ends


class TestTheGraph:
    """GR-26, GR-58: the space of a movement, for those who search it themselves."""

    def test_it_counts_squares_and_knows_what_the_next_diagonal_costs(self):
        table = game("@ .\n. b").table
        move, withdrawal = (space_of(table, table.unit("A"), action) for action in ("move", "withdrawal"))
        assert (move.unit, move.shape, len(move.phases)) == ("square", (2, 2), 2)
        # The first step of a withdrawal is exempt from interception: it sets out from phases of its own.
        assert len(withdrawal.phases) == 4
        assert withdrawal.starts[0].phase not in move.phases


class TestShortfalls:
    """GR-18, GR-27: a figure of 0 is not the same as squares that are spent."""

    def test_nothing_left_of_the_turn_s_total(self):
        """GR-13, option turn_total_cap: a dwarf has 8 squares in the turn, and has walked them."""
        dwarf = character("A", "red", (0, 0), metatype="dwarf", passes=3)
        tables = {"allotment_table.m1.walk.dwarf.h3": [4, 4, 4]}
        played = Game.new(RULES, SquareGrid.open(12, 1), [dwarf], options={"turn_total_cap": True}, tables=tables)
        for _ in range(2):
            played.do("A move: e 4")
            played.do("all done")
        (breach,) = played.breaches("A move: e")
        assert (breach.clause, breach.needed, breach.available) == ("GR-27", 1, 0)

    def test_a_figure_of_0_with_squares_carried_over(self):
        """GR-16, GR-20, option carry_over: 1, 0, 1 at m5, and the first square is not used."""
        human = character("A", "red", (0, 0), passes=3)
        for carried, clause, left in ((True, "GR-27", 1), (False, "GR-18", 0)):
            options = {"scale": "m5", "carry_over": carried}
            played = Game.new(RULES, SquareGrid.open(4, 1), [human], options=options)
            played.do("all done")
            (breach,) = played.breaches("A move: e 2")
            assert (breach.clause, breach.needed, breach.available) == (clause, 2, left)
