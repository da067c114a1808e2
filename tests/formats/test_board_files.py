"""What board files say and what boards come of it: edges in order, overrides, areas, layouts, shapes."""

import math

import numpy as np
import pytest

from simulator.errors import BoardError, FileError
from simulator.formats import squares_file
from simulator.formats.boards import check_board, load_board, parse_board
from simulator.geometry.board import Label
from simulator.geometry.dots import Edge
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, rectangle

GRID = """
format: 1
board: squares
legend:
  ".": {}
  "#": {wall: true}
  "B": {terrain: floor}
rows: |
  .....
  .BB#.
  .BB..
"""
MAP = """
format: 1
board: dots
legend:
  ".": {}
  "B": {terrain: floor, storeys: 2}
  "_": {absent: true}
rows: |
  . . . .
   . B B .
  . _ . .
"""


def grid(more=""):
    return parse_board(GRID + more)


def dots(more="", drawing=MAP):
    return parse_board(drawing + more)


def faults(text):
    with pytest.raises(FileError) as caught:
        parse_board(text)
    return [str(fault) for fault in caught.value.faults]


class TestNames:
    def test_without_one_a_board_is_called_as_its_file(self, tmp_path):
        path = tmp_path / "ford.yaml"
        path.write_text(GRID)
        assert load_board(path).name == "ford"
        path.write_text(GRID + "name: ''\n")
        assert load_board(path).name == ""
        assert grid().name == ""

    def test_a_sound_file_has_no_faults(self, tmp_path):
        path = tmp_path / "ford.yaml"
        path.write_text(GRID)
        assert check_board(path) == []
        path.write_text(GRID + "x: 1\n")
        assert [fault.path for fault in check_board(str(path))] == ["x"]

    def test_what_only_a_constructor_refuses_is_a_fault_at_the_part_it_names(self, monkeypatch):
        def refuse(document, source, name):
            raise BoardError("expected another name", "areas[0].name")

        monkeypatch.setattr(squares_file, "KIND", squares_file.KIND._replace(build=refuse))
        text = GRID + "areas:\n  - {name: gate, squares: []}\n"
        assert faults(text) == ["<text>:13:12: areas[0].name: expected another name"]


class TestSquares:
    def test_a_legend_says_what_glyphs_mean(self):
        board = parse_board(
            GRID.replace('".": {}', '".": {terrain: mud, level: -2, impeded: true}') + "square: {size: 2.5, unit: yard}"
        )
        assert board.terrain_at((0, 0)) == "mud"
        assert board.height_at((0, 0)) == -2
        assert board.impeded[0, 0]
        assert board.walls[1, 3]
        assert board.scale == (2.5, "yard")

    def test_a_drawing_may_be_spaced_and_surrounded_by_blank_lines(self):
        spaced = GRID.replace("  .....\n", "\n  . . . . .\n").replace("  .BB..\n", "   .B B..  \n\n\n")
        assert parse_board(spaced) == grid()

    def test_a_drawing_in_one_line(self):
        assert parse_board("format: 1\nboard: squares\nlegend: {'.': {}}\nrows: ...\n").width == 3

    def test_walls_between_squares(self):
        board = grid("edges:\n  - wall: [[0, 0], [1, 0]]\n  - wall: [[4, 2], [4, 1]]\n")
        assert np.argwhere(board.walls_east).tolist() == [[0, 0]]
        assert np.argwhere(board.walls_south).tolist() == [[1, 4]]

    def test_a_wall_line_runs_from_corner_to_corner(self):
        board = grid("edges:\n  - wall_line: [[0, 1], [2, 1], [2, 3], [4, 3]]\n".replace(", [4, 3]", ""))
        assert np.argwhere(board.walls_south).tolist() == [[0, 0], [0, 1]]
        assert np.argwhere(board.walls_east).tolist() == [[1, 1], [2, 1]]

    def test_walls_around_glyphs_and_a_door_in_them(self):
        board = grid("edges:\n  - wall_around: 'B'\n  - open: [[1, 0], [1, 1]]\n")
        assert np.argwhere(board.walls_south).tolist() == [[0, 2]]
        assert np.argwhere(board.walls_east).tolist() == [[1, 0], [1, 2], [2, 0], [2, 2]]

    def test_entries_are_carried_out_in_order(self):
        opened = "  - open: [[1, 0], [1, 1]]\n"
        around = "  - wall_around: 'B'\n"
        assert grid(f"edges:\n{opened}{around}").walls_south[0, 1]
        assert not grid(f"edges:\n{around}{opened}").walls_south[0, 1]

    def test_overrides_change_what_they_name_and_nothing_else(self):
        board = grid("overrides: [{from: [2, 1], to: [0, 0], level: 3}, {at: [1, 1], terrain: mud, wall: true}]")
        assert board.level.tolist() == [[3, 3, 3, 0, 0], [3, 3, 3, 0, 0], [0] * 5]
        assert board.terrain_at((1, 1)) == "mud"
        assert board.walls[1, 1]
        assert board.terrain_at((2, 1)) == "floor"

    def test_a_later_override_wins(self):
        board = grid("overrides:\n  - {at: [0, 0], level: 1}\n  - {at: [0, 0], level: 2}\n")
        assert board.height_at((0, 0)) == 2

    def test_levels_as_numbers(self):
        levels = "levels: |\n  0 1 2 3 +4\n  -1 0 0 0 0\n  0 0 0 0 0\n"
        assert grid(levels).level.tolist() == [[0, 1, 2, 3, 4], [-1, 0, 0, 0, 0], [0] * 5]
        assert grid(levels + "overrides: [{at: [0, 0], level: 9}]").height_at((0, 0)) == 9

    def test_an_area_lists_each_square_once(self):
        board = grid(
            "areas:\n  - {name: gate, side: red, squares: [[1, 1]], rectangles: [[[2, 1], [0, 0]], [[0, 0], [0, 1]]]}\n"
        )
        (area,) = board.areas
        assert (area.name, area.side) == ("gate", "red")
        assert area.places == ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1))

    def test_an_area_may_be_empty_if_it_says_so(self):
        assert grid("areas: [{name: none, squares: []}]").areas[0].places == ()

    def test_labels_lie_on_squares_or_anywhere(self):
        board = grid(
            "labels:\n  - {at: [1, 2], text: a}\n  - {at: [-1, -1], text: b}\n  - {point: [0.25, -3], text: c}\n"
        )
        assert board.labels == (Label(1.5, 0.5, "a"), Label(-0.5, 3.5, "b"), Label(0.25, -3, "c"))

    def test_all_that_is_wrong_is_told_at_once(self):
        """A key unknown in one edge hides neither the next edge nor an unknown glyph."""
        text = (
            GRID.replace(".BB..", ".BBx.")
            + "edges:\n  - {wal: [[0, 0], [1, 0]]}\n  - wall: [[0, 0], [7, 0]]\nname: 5\n"
        )
        assert faults(text) == [
            "<text>:11:6: rows: the legend has no 'x' (it has: . # B)",
            "<text>:13:6: edges[0].wal: no such key 'wal'; did you mean 'wall'? "
            "(known: wall, wall_line, wall_around, open)",
            "<text>:15:7: name: expected a text, in quotes where it looks like something else (got 5)",
        ]
        assert faults(text.replace("x", "B"))[1] == (
            "<text>:14:20: edges[1].wall[1]: [7, 0] is not on the board: columns 0 to 4, rows 0 to 2"
        )


class TestDots:
    def test_a_legend_says_what_glyphs_mean(self):
        board = dots("dot: {spacing: 2, unit: metre}\n", MAP.replace('".": {}', '".": {impassable: true, level: 1}'))
        assert board.impassable[board.index((0, 0))]
        assert board.height_at((0, 0)) == 1
        assert board.surfaces_at((1, 1)) == (0, 1, 2)
        assert (0, 2) not in board
        assert board.scale == (2, "metre")

    @pytest.mark.parametrize(
        ("layout", "dot"),
        [("odd_rows", (0, 1)), ("even_rows", (-1, 1)), ("odd_columns", (0, 1)), ("even_columns", (0, 1))],
    )
    def test_the_layout_says_which_dot_a_place_is(self, layout, dot):
        legend = "{'.': {}, 'x': {terrain: mud}}"
        text = f"format: 1\nboard: dots\nlayout: {layout}\nlegend: {legend}\nrows: |\n  ..\n  x.\n"
        board = parse_board(text)
        assert board.layout is OffsetLayout(layout)
        assert [place for place in board.places() if board.terrain_at(place) == "mud"] == [dot]

    def test_a_map_may_begin_anywhere(self):
        text = MAP.replace("  . . . .\n   . B B .\n  . _ . .\n", "  . B\n . .\n").replace("|", "|1")
        board = dots("first: [4, 7]\n", text)
        assert board.layout.offset(next(place for place in board.places() if board.terrain_at(place) == "floor")) == (
            5,
            7,
        )
        axial = dots(f"coordinates: axial\nfirst: {list(board.layout.dot(4, 7))}\n", text)
        assert axial == board

    def test_places_may_be_axial(self):
        offset = dots("areas: [{name: a, dots: [[2, 1], [0, 2]]}]\noverrides: [{from: [0, 0], to: [1, 1], level: 1}]\n")
        axial = dots(
            "coordinates: axial\nareas: [{name: a, dots: [[2, 1], [-1, 2]]}]\n"
            "overrides: [{from: [0, 0], to: [1, 1], level: 1}]\n"
        )
        assert axial == offset

    def test_something_around_glyphs(self):
        board = dots("edges:\n  - {kind: window, around: B}\n")
        assert {edge.kind for edge in board.edges} == {"window"}
        inside = {(1, 1), (2, 1)}
        assert all(len({edge.a, edge.b} & inside) == 1 for edge in board.edges)
        assert len(board.edges) == 9  # of ten, one leads to the hole

    def test_a_later_barrier_replaces_an_earlier_one(self):
        board = dots("edges:\n  - {kind: wall, around: B}\n  - {kind: door, between: [[1, 1], [0, 1]]}\n")
        assert [edge.kind for edge in board.edges if (0, 1) in (edge.a, edge.b)] == ["door"]

    def test_on_some_storeys_only_those_are_replaced(self):
        """A wall on all storeys stands from the lowest ground to the highest roof of its two dots."""
        board = dots(
            "edges:\n  - {kind: wall, around: B}\n  - {kind: door, between: [[0, 1], [1, 1]], levels: [0, 0]}\n"
            "  - {kind: open, between: [[1, 1], [0, 1]], levels: [2, 5]}\n"
        )
        edge = ((0, 1), (1, 1))
        assert [one for one in board.edges if (one.a, one.b) == edge] == [
            Edge("door", *edge, (0, 0)),
            Edge("wall", *edge, (1, 1)),
        ]

    def test_a_barrier_on_other_storeys_stays(self):
        board = dots(
            "edges:\n  - {kind: door, between: [[0, 1], [1, 1]], levels: [0, 0]}\n"
            "  - {kind: window, between: [[0, 1], [1, 1]], levels: [1, 2]}\n"
        )
        assert [(edge.kind, edge.levels) for edge in board.edges] == [("door", (0, 0)), ("window", (1, 2))]

    def test_open_takes_barriers_away_and_leaves_stairs(self):
        board = dots(
            "edges:\n  - {kind: stairs, between: [[1, 1], [2, 1]], levels: [0, 1]}\n"
            "  - {kind: wall, between: [[1, 1], [2, 1]]}\n  - {kind: open, between: [[2, 1], [1, 1]]}\n"
        )
        assert board.edges == (Edge("stairs", (1, 1), (2, 1), (0, 1)),)

    def test_stairs_between_the_same_levels_are_replaced_from_either_end(self):
        board = dots(
            "edges:\n  - {kind: stairs, between: [[1, 1], [2, 1]], levels: [0, 1]}\n"
            "  - {kind: ladder, between: [[2, 1], [1, 1]], levels: [1, 0]}\n"
            "  - {kind: ramp, between: [[2, 1], [1, 1]], levels: [2, 1]}\n"
        )
        assert board.edges == (Edge("ladder", (1, 1), (2, 1), (0, 1)), Edge("ramp", (1, 1), (2, 1), (1, 2)))

    def test_rectangles_of_an_area_leave_holes_out(self):
        board = dots("areas: [{name: a, rectangles: [[[0, 2], [2, 2]]]}]\n")
        assert board.areas[0].places == ((-1, 2), (1, 2))

    def test_an_override_may_close_a_hole(self):
        assert (0, 2) in dots("overrides: [{at: [1, 2], absent: false, terrain: mud}]\n")

    def test_storeys_as_numbers(self):
        board = dots("storeys: |\n  0 0 0 0\n  0 3 1 0\n  0 0 0 0\n")
        assert board.surfaces_at((1, 1)) == (0, 1, 2, 3)

    def test_labels_lie_on_dots_or_anywhere(self):
        board = dots("labels:\n  - {at: [1, 1], text: a}\n  - {point: [1, 1], text: b}\n")
        assert board.labels == (Label(1.5, -math.sqrt(3) / 2, "a"), Label(1, 1, "b"))

    @pytest.mark.parametrize("margins", [(0, 1, 0), (0, 0, 0), (2, 4, 2)])
    def test_shoved_rows_may_be_drawn_shoved(self, margins):
        rows = "".join(" " * (2 + margin) + ". .\n" for margin in margins)
        text = f"format: 1\nboard: dots\nlegend: {{'.': {{}}}}\nrows: |2\n{rows}"
        assert len(list(parse_board(text).places())) == 6


class TestTables:
    def table(self, pieces):
        return parse_board(f"format: 1\nboard: table\nsize: [40, 30]\norigin: [-10, -10]\npieces:\n{pieces}")

    def piece(self, entry):
        (piece,) = self.table(f"  - {entry}\n").pieces
        return piece

    def test_the_table_itself(self):
        table = parse_board(
            "format: 1\nboard: table\nsize: [40, 30.5]\norigin: [-10, 5]\nground: mud\nunit: cm\nname: x\n"
        )
        assert table.bounds == (-10, 5, 30, 35.5)
        assert table.terrain_at((0, 10)) == "mud"
        assert table.scale == (1, "cm")

    def test_shapes(self):
        assert self.piece("{id: a, kind: x, polygon: [[0, 0], [2, 0], [0, 2]]}").shape.polygon.area == 2
        assert self.piece(
            "{id: a, kind: x, polygon: [[0, 0], [4, 0], [0, 4]], holes: [[[1, 1], [2, 1], [1, 2]]]}"
        ).shape.polygon.area == pytest.approx(7.5)
        assert self.piece("{id: a, kind: x, line: [[0, 0], [2, 0]], width: 0.5}").shape == LineShape(
            [(0, 0), (2, 0)], 0.5
        )
        assert self.piece("{id: a, kind: x, point: [1, 2]}").shape == PointShape(1, 2)
        assert self.piece("{id: a, kind: x, circle: {centre: [1, 2], radius: 3}}").shape == CircleShape(1, 2, 3)
        assert self.piece("{id: a, kind: x, rectangle: {centre: [1, 2], size: [3, 4], turned: NW}}").shape == rectangle(
            (1, 2), (3, 4), 135
        )

    def test_what_a_piece_says_of_itself(self):
        piece = self.piece(
            "{id: a, kind: slope, layer: modifier, point: [0, 0], height: 2,"
            " uphill: north-east, doors: [[1, 1]], floors: 3}"
        )
        assert (piece.layer, piece.height) == ("modifier", 2)
        assert dict(piece.attributes) == {"uphill": 45, "doors": ((1, 1),), "floors": 3}

    def test_what_it_does_not_say_it_does_not_have(self):
        assert dict(self.piece("{id: a, kind: x, point: [0, 0]}").attributes) == {}

    def test_one_piece_on_another(self):
        table = self.table(
            "  - {id: hut, kind: hut, layer: elevated, height: 1, on: hill,"
            " rectangle: {centre: [0, 0], size: [2, 2]}}\n"
            "  - {id: hill, kind: hill, layer: elevated, circle: {centre: [0, 0], radius: 5}, height: 2}\n"
        )
        assert table.height_at((0, 0)) == 3

    def test_areas_and_labels(self):
        table = parse_board(
            "format: 1\nboard: table\nsize: [40, 30]\n"
            "entry_areas:\n  - {name: north, side: blue, polygon: [[0, 25], [40, 25], [40, 30]]}\n"
            "labels:\n  - {at: [10, 4.5], text: The ford}\n"
        )
        assert [(area.name, area.side) for area in table.entry_areas] == [("north", "blue")]
        assert table.labels == (Label(10, 4.5, "The ford"),)
