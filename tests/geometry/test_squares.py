"""The square grid: building, steps, lines, areas, hashes."""

import re

import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import BoardError, NoPlace
from simulator.geometry.board import MAX_CELLS, Area, Label
from simulator.geometry.diagonals import DiagonalCount, distance
from simulator.geometry.dots import DotKind, DotMap
from simulator.geometry.rows import RowsError
from simulator.geometry.squares import STEPS, Corners, SquareGrid, SquareKind, line

squares = st.tuples(st.integers(-15, 15), st.integers(-15, 15))


@st.composite
def grids(draw):
    """Small boards with walls on squares and edges, levels and terrain, all random."""
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    east, south = rng.random((height, width)) < 0.2, rng.random((height, width)) < 0.2
    east[:, -1] = south[-1] = False
    return SquareGrid(
        terrain_kinds=("open", "mud", "water"),
        terrain=rng.integers(0, 3, (height, width)),
        walls=rng.random((height, width)) < 0.2,
        walls_east=east,
        walls_south=south,
        impeded=rng.random((height, width)) < 0.1,
        level=rng.integers(-2, 3, (height, width)),
    )


class TestBuilding:
    def test_a_drawing_gives_what_it_shows(self):
        board = SquareGrid.from_text(
            """
            . # ~
            , . .
            """,
            {
                ".": SquareKind(),
                "#": SquareKind(wall=True),
                "~": SquareKind("water", level=-1),
                ",": SquareKind(impeded=True),
            },
        )
        assert (board.width, board.height) == (3, 2)
        assert board.terrain_at((2, 0)) == "water"
        assert board.height_at((2, 0)) == -1
        assert np.argwhere(board.walls).tolist() == [[0, 1]]
        assert np.argwhere(board.impeded).tolist() == [[1, 0]]
        assert list(board.places())[:4] == [(0, 0), (1, 0), (2, 0), (0, 1)]

    def test_arrays_can_not_be_written_to(self):
        with pytest.raises(ValueError, match="read-only"):
            SquareGrid.open(3, 3).level[0, 0] = 4

    def test_unknown_glyphs_and_ragged_rows_name_the_place(self):
        with pytest.raises(RowsError, match=r"rows\[1\]: the legend has no '\?'") as caught:
            SquareGrid.from_text("...\n.?.")
        assert (caught.value.row, caught.value.column) == (1, 1)
        with pytest.raises(RowsError, match="2 glyphs, but the first row has 3"):
            SquareGrid.from_text("...\n..")
        with pytest.raises(RowsError, match="empty"):
            SquareGrid.from_text("\n\n")
        with pytest.raises(RowsError, match="it has: none"):
            SquareGrid.from_text(".", {})

    def test_more_squares_than_the_limit_are_refused(self):
        SquareGrid.open(MAX_CELLS, 1)
        with pytest.raises(BoardError, match="at most 4000000"):
            SquareGrid.open(MAX_CELLS + 1, 1)

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"walls": np.zeros((2, 2), bool)}, r"walls: expected one value for each cell, shape \(2, 3\)"),
            ({"level": np.full((2, 3), 40_000)}, "level: holds a value that int16 cannot"),
            ({"level": np.full((2, 3), 0.5)}, "level: holds a value that int16 cannot"),
            ({"walls_east": np.ones((2, 3), bool)}, "walls_east: has a wall beyond the rim"),
            ({"square_size": 0.0}, "square_size: expected a size above 0"),
            ({"square_size": float("nan")}, "square_size: expected a size above 0"),
            ({"terrain": np.zeros((0, 3), int)}, "terrain: expected rows and columns"),
            ({"terrain": np.full((2, 3), 7)}, r"terrain: codes must lie in 0\.\.0"),
            ({"areas": (Area("base", ((9, 9),)),)}, r"areas\[0\]: \(9, 9\) is not on the board"),
            ({"areas": (Area("", ((0, 0),)),)}, r"areas\[0\]: expected a name"),
        ],
    )
    def test_what_no_board_can_be_made_of(self, fields, message):
        with pytest.raises(BoardError, match=message):
            SquareGrid.open(3, 2, **fields)

    def test_places_off_the_board_are_named(self):
        board = SquareGrid.open(3, 2)
        for question in (board.terrain_at, board.height_at, board.outline, board.centre, board.neighbours):
            with pytest.raises(NoPlace, match=r"no square \(3, 0\).*columns 0\.\.2, rows 0\.\.1"):
                question((3, 0))
        assert "a1" not in board
        assert (0.5, 0) not in board


class TestFromArrays:
    @pytest.mark.parametrize("build", [SquareGrid.from_kinds, DotMap.from_kinds], ids=["squares", "dots"])
    @pytest.mark.parametrize(
        ("codes", "message"),
        [
            (np.ones((2, 2)), "expected whole numbers in rows and columns, not an array of 2 x 2 float64"),
            (np.ones(3, int), "an array of 3 int64"),
            (np.zeros((0, 4), int), "an array of 0 x 4 int64"),
            ([["wall"]], "an array of 1 x 1 <U4"),
            ([[0, 1], [0]], "these rows differ in length"),
            ([[0, 2]], "numbers kinds from 0 to 1, not 0 to 2"),
            ([[-1, 0]], "numbers kinds from 0 to 1, not -1 to 0"),
        ],
        ids=str,
    )
    def test_numbers_that_are_no_kinds_are_told(self, build, codes, message):
        kinds = {"SquareGrid": SquareKind, "DotMap": DotKind}[build.__self__.__name__]
        with pytest.raises(BoardError, match=f"^codes: .*{re.escape(message)}$"):
            build((kinds(), kinds("wall")), codes)

    def test_true_and_false_are_the_second_kind_and_the_first(self):
        board = SquareGrid.from_kinds((SquareKind(), SquareKind(wall=True)), np.eye(2, 3) > 0)
        assert board.walls.tolist() == [[True, False, False], [False, True, False]]
        assert board == SquareGrid.from_kinds((SquareKind(), SquareKind(wall=True)), [[1, 0, 0], [0, 1, 0]])


class TestHash:
    def test_no_two_areas_have_one_name(self):
        areas = (Area("gate", ((0, 0),)), Area("yard", ((1, 0),)), Area("gate", ((1, 1),)))
        with pytest.raises(BoardError, match=r"^areas\[2\]\.name: 'gate' is already used by areas\[0\]$"):
            SquareGrid.open(3, 3, areas=areas)
        with pytest.raises(BoardError, match=r"^areas\[2\]\.name: 'gate' is already used by areas\[0\]$"):
            DotMap.open(3, 3, areas=areas)

    def test_names_and_labels_do_not_count_everything_else_does(self):
        board = SquareGrid.open(3, 2)
        renamed = SquareGrid.open(3, 2, name="Hall", description="large", labels=(Label(1, 1, "desk"),))
        assert renamed.content_hash == board.content_hash
        assert renamed != board
        for fields in (
            {"level": np.eye(2, 3)},
            {"impeded": np.eye(2, 3) > 0},
            {"square_size": 2},
            {"unit": "inch"},
            {"areas": (Area("base", ((0, 0),)),)},
        ):
            assert SquareGrid.open(3, 2, **fields).content_hash != board.content_hash

    def test_the_order_of_the_legend_does_not_count(self):
        one = SquareGrid.from_kinds((SquareKind("mud"), SquareKind("open")), np.array([[0, 1]]))
        other = SquareGrid.from_kinds((SquareKind("open"), SquareKind("unused"), SquareKind("mud")), np.array([[2, 0]]))
        assert one == other
        assert hash(one) == hash(other)

    def test_a_known_board_has_the_same_hash_on_every_machine(self):
        assert SquareGrid.open(3, 2).content_hash == "469802bf23deb92d"


def test_an_area_holds_each_place_once():
    one = SquareGrid.open(3, 2, areas=(Area("base", ((1, 0), (0, 0), (1, 0))),))
    assert one.areas[0].places == ((0, 0), (1, 0))
    assert one == SquareGrid.open(3, 2, areas=(Area("base", ((0, 0), (1, 0))),))


class TestSteps:
    def test_walls_on_squares_close_corners_by_option(self):
        board = SquareGrid.from_text(". #\n. .")
        assert board.neighbours((0, 0)) == [(0, 1)]
        assert board.neighbours((0, 0), corners=Corners.ONLY_BETWEEN_TWO) == [(0, 1), (1, 1)]
        pinched = SquareGrid.from_text(". #\n# .")
        assert pinched.neighbours((0, 0), corners=Corners.ONLY_BETWEEN_TWO) == []
        assert pinched.neighbours((0, 0), corners=Corners.FREE) == [(1, 1)]

    def test_a_wall_line_through_a_corner_is_never_crossed(self):
        east = np.array([[True, False], [True, False]])
        board = SquareGrid.open(2, 2, walls_east=east)
        for corners in Corners:
            assert board.neighbours((0, 0), corners=corners) == [(0, 1)]

    def test_a_wall_end_at_a_corner_bars_cutting_only(self):
        board = SquareGrid.open(2, 2, walls_east=np.array([[True, False], [False, False]]))
        assert board.neighbours((0, 0)) == [(0, 1)]
        assert board.neighbours((0, 0), corners=Corners.ONLY_BETWEEN_TWO) == [(0, 1), (1, 1)]
        assert board.neighbours((0, 0), corners=Corners.FREE) == [(0, 1), (1, 1)]

    @given(grids(), st.sampled_from(Corners))
    def test_steps_agree_with_the_definition_square_by_square(self, board, corners):
        assert_gates_as_defined(board, corners)

    @given(grids())
    def test_between_open_squares_every_step_can_be_taken_back(self, board):
        for corners in Corners:
            for place in board.places():
                if not board.walls[board.index(place)]:
                    for beyond in board.neighbours(place, corners=corners):
                        assert place in board.neighbours(beyond, corners=corners)

    @given(grids())
    @settings(max_examples=40)
    def test_the_graph_joins_what_neighbours_names(self, board):
        graph = board.graph
        open_places = {place for place in board.places() if not board.walls[board.index(place)]}
        assert set(graph.nodes) == open_places
        for place in open_places:
            assert set(graph[place]) == set(board.neighbours(place))
        for a, b, diagonal in graph.edges(data="diagonal"):
            assert diagonal == (a[0] != b[0] and a[1] != b[1])

    def test_distance_equals_breadth_first_search_on_an_open_board(self):
        graph = SquareGrid.open(9, 7).graph
        for place, steps in nx.single_source_shortest_path_length(graph, (2, 3)).items():
            assert steps == distance((2, 3), place, DiagonalCount.ONE)


def assert_gates_as_defined(board, corners):
    def walled(a, b):
        """Whether a wall stands on the edge between two orthogonal neighbours, or one is off the board."""
        if b not in board or a not in board:
            return True
        (left, top) = min(a, b)
        array = board.walls_east if a[1] == b[1] else board.walls_south
        return bool(array[top, left])

    gates = board.step_gates(corners)
    for place in board.places():
        for number, (dx, dy) in enumerate(STEPS):
            to = (place[0] + dx, place[1] + dy)
            is_open = to in board and not board.walls[board.index(to)]
            if is_open and dx and dy:
                sides = ((to[0], place[1]), (place[0], to[1]))
                ways = [not walled(place, side) and not walled(side, to) for side in sides]
                clear = [way and not board.walls[board.index(side)] for way, side in zip(ways, sides, strict=True)]
                is_open = {Corners.NO_CUT: all(clear), Corners.ONLY_BETWEEN_TWO: any(clear), Corners.FREE: any(ways)}[
                    corners
                ]
            elif is_open:
                is_open = not walled(place, to)
            assert gates[number][board.index(place)] == is_open, (place, to, corners)


class TestLines:
    @given(squares, squares, st.booleans())
    def test_lines_are_symmetric(self, a, b, corners):
        assert set(line(a, b, corners=corners)) == set(line(b, a, corners=corners))

    @given(squares, squares)
    def test_lines_are_what_shapely_says_they_touch(self, a, b):
        through = shapely.LineString([a, b])
        low = (min(a[0], b[0]) - 1, min(a[1], b[1]) - 1)
        high = (max(a[0], b[0]) + 1, max(a[1], b[1]) + 1)
        touched, entered = set(), set()
        for x in range(low[0], high[0] + 1):
            for y in range(low[1], high[1] + 1):
                square = shapely.box(x - 0.5, y - 0.5, x + 0.5, y + 0.5)
                if square.distance(through) < 1e-9:
                    touched.add((x, y))
                if square.buffer(-1e-7).intersects(through) or (x, y) in (a, b):
                    entered.add((x, y))
        assert set(line(a, b)) == touched
        assert set(line(a, b, corners=False)) == entered

    @given(squares, squares)
    def test_a_line_starts_and_ends_where_it_should_and_names_nobody_twice(self, a, b):
        along = line(a, b)
        assert (along[0], along[-1]) == (a, b)
        assert len(set(along)) == len(along)


class TestPlane:
    def test_squares_lie_with_row_0_at_the_top(self):
        board = SquareGrid.open(4, 3)
        assert board.bounds == (0, 0, 4, 3)
        assert board.centre((0, 0)) == (0.5, 2.5)
        assert board.outline((3, 2)).equals(shapely.box(3, 0, 4, 1))

    @given(st.integers(0, 8), st.integers(0, 6))
    def test_the_square_at_a_centre_is_the_square(self, column, row):
        board = SquareGrid.open(9, 7)
        assert board.square_at(*board.centre((column, row))) == (column, row)

    @given(st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1))
    def test_a_region_has_the_area_of_its_squares(self, places):
        assert SquareGrid.open(6, 6).region(places).area == len(places)

    def test_no_places_no_region(self):
        assert SquareGrid.open(2, 2).region([]).is_empty

    def test_areas_by_distance_and_rectangle(self):
        board = SquareGrid.open(9, 9)
        assert board.rectangle((2, 3), (1, 2)) == [(1, 2), (2, 2), (1, 3), (2, 3)]
        # GR-26 E11: squares in reach by allotment on an empty grid.
        sizes = [len(board.within((4, 4), reach, DiagonalCount.ONE_TWO)) for reach in range(5)]
        assert sizes == [1, 9, 21, 37, 61]
