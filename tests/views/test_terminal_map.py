"""Maps in characters: what is drawn where, in both forms, and that nothing is lost without a word."""

import pytest

from simulator.formats.boards import load_board, parse_board
from simulator.formats.examples import examples
from simulator.formats.scenarios import load_scenario
from simulator.views.overlays import Overlays, RouteLine, UnitMark
from simulator.views.reach_picture import answer_overlays
from simulator.views.terminal_map import terminal_map

SQUARES = parse_board(
    """
format: 1
board: squares
legend: {".": {terrain: floor}, "#": {wall: true, terrain: floor}, "~": {terrain: water}}
rows: |
  ..#~
  ....
edges: [{wall: [[0, 0], [1, 0]]}, {wall: [[1, 0], [1, 1]]}]
"""
)
DOTS = parse_board(
    """
format: 1
board: dots
legend: {".": {terrain: dust}, "#": {impassable: true, terrain: dust}}
rows: |
  . . .
   . # .
"""
)
TABLE = parse_board(
    """
format: 1
board: table
size: [40, 20]
pieces:
  - {id: mud, kind: mud, rectangle: {centre: [10, 10], size: [20, 20]}}
  - {id: wall, kind: obstacle, layer: obstacle, line: [[30, 0], [30, 20]]}
"""
)


def drawn(board, overlays=None, **how):
    return ["".join(span.text for span in line) for line in terminal_map(board, overlays or Overlays(), **how)]


class TestLattices:
    def test_squares_with_their_walls(self):
        assert drawn(SQUARES)[:2] == [".│._# :", ". . . ."]

    def test_dots_are_shifted(self):
        assert drawn(DOTS)[:2] == [". . .", " . # ."]

    def test_units_and_the_way(self):
        units = [UnitMark(*SQUARES.centre((0, 1)), "ann", "red"), UnitMark(*SQUARES.centre((3, 1)), "abe", "blue")]
        way = RouteLine([SQUARES.centre((0, 1)), SQUARES.centre((2, 1))])
        lines = drawn(SQUARES, Overlays(units=units, routes=[way]))
        assert lines[1] == "A***X B"
        assert lines[3:5] == ["A  ann (red)", "B  abe (blue)"]

    def test_the_legend_names_the_ground(self):
        assert drawn(SQUARES)[2:] == [".  floor", ":  water"]

    def test_what_does_not_fit_is_cut_off_and_said(self):
        lines = drawn(SQUARES, width=4)
        assert lines[:3] == [".│._", ". .", "cut off on the right: the map is 8 characters wide"]

    def test_colours_stand_behind_the_places(self):
        first = terminal_map(SQUARES, Overlays(), coloured=True)[0]
        assert all(span.paper.startswith("#") for span in first)


class TestTables:
    def test_are_sampled_to_the_width(self):
        lines = drawn(TABLE, width=20)
        assert lines[:5] == [
            5 * "."[:0] + line for line in [10 * lines[0][0] + 5 * lines[0][11] + "#" + 4 * lines[0][11]] * 5
        ]
        assert all(len(line) == 20 for line in lines[:5])

    def test_in_colour_each_character_has_two_points(self):
        lines = terminal_map(TABLE, Overlays(), width=20, coloured=True)
        spans = [span for line in lines[:5] for span in line]
        assert {span.text[0] for span in spans} <= {"▀", "#"}
        assert all(span.ink.startswith("#") and span.paper.startswith("#") for span in spans)

    def test_an_odd_number_of_rows_is_filled_up(self):
        board = parse_board("format: 1\nboard: table\nsize: [10, 3]\n")
        assert len([line for line in drawn(board, width=10, coloured=True) if "▀" in line]) == 2


@pytest.mark.parametrize("file", sorted(path.name for path in examples("boards").glob("*.yaml")))
@pytest.mark.parametrize("coloured", [False, True])
def test_every_board_fits_into_80_columns_or_says_so(file, coloured):
    board = load_board(examples("boards") / file)
    lines = drawn(board, coloured=coloured)
    assert all(len(line) <= 80 for line in lines)
    assert lines == drawn(board, coloured=coloured)


@pytest.mark.parametrize(("scenario", "unit"), [("grid_runner/market_chase", "kit"), ("dot_trooper/alley_turn", "ann")])
def test_on_a_lattice_as_many_places_are_drawn_as_counted(scenario, unit):
    game = load_scenario(examples("scenarios") / f"{scenario}.yaml").start()
    overlays = answer_overlays(game.table, game.reach(unit), certain=False)
    lines = drawn(game.board, Overlays(bands=overlays.bands))
    board, legend = lines[: game.board.shape[0]], lines[game.board.shape[0] :]
    assert len(overlays.bands) > 3
    for line, band in zip(legend, overlays.bands, strict=False):
        glyph, label, count = line[0], line[3:].split(": ")[0], int(line.split(": ")[1].split()[0])
        assert label == band.label
        assert sum(row.count(glyph) for row in board) == count
