"""The hex-dot map: the lattice of DT-1 to DT-5, edges, levels, cones, offset coordinates."""

import math
from collections import deque

import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import BoardError, NoPlace
from simulator.geometry import hex_lattice
from simulator.geometry.board import Area, Label
from simulator.geometry.dots import DotKind, DotMap, Edge
from simulator.geometry.hex_lattice import DIRECTIONS, OffsetLayout, centre, distance, line, rotate, step

dots = st.tuples(st.integers(-12, 12), st.integers(-12, 12))


class TestLattice:
    def test_dt_2_directions_and_their_headings(self):
        assert DIRECTIONS == ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
        for direction, dot in enumerate(DIRECTIONS):
            x, y = centre(dot)
            assert math.degrees(math.atan2(y, x)) % 360 == pytest.approx(60 * direction)
            assert math.hypot(x, y) == pytest.approx(1)

    def test_dt_3_distance_equals_breadth_first_search(self):
        steps, queue = {(0, 0): 0}, deque([(0, 0)])
        while queue:
            dot = queue.popleft()
            if steps[dot] < 8:
                for direction in range(6):
                    beyond = step(dot, direction)
                    if beyond not in steps:
                        steps[beyond] = steps[dot] + 1
                        queue.append(beyond)
        assert len(steps) == 1 + 3 * 8 * 9
        for dot, count in steps.items():
            assert distance((0, 0), dot) == count

    @given(dots, dots, dots)
    def test_distance_is_a_metric(self, a, b, c):
        assert (distance(a, b) == 0) == (a == b)
        assert distance(a, b) == distance(b, a)
        assert distance(a, c) <= distance(a, b) + distance(b, c)

    @given(dots, dots)
    def test_distances_of_arrays_agree(self, a, b):
        across, down = np.array([b[0] - a[0]]), np.array([b[1] - a[1]])
        assert hex_lattice.distances(across, down)[0] == distance(a, b)

    @given(dots, dots, st.integers(-7, 7), st.integers(-7, 7))
    def test_turns_add_up_and_six_are_none(self, dot, about, one, other):
        assert rotate(dot, 6, about) == dot
        assert rotate(rotate(dot, one, about), other, about) == rotate(dot, one + other, about)
        assert distance(rotate(dot, one, about), about) == distance(dot, about)

    @given(dots, st.integers(0, 5), st.integers(-6, 6))
    def test_a_turn_turns_directions(self, dot, direction, sixths):
        turned = rotate(step(dot, direction), sixths, dot)
        assert turned == step(dot, direction + sixths)

    @given(dots)
    def test_the_dot_nearest_to_its_own_point_is_itself(self, dot):
        assert hex_lattice.nearest_dot(*centre(dot)) == dot

    @given(st.floats(-9, 9), st.floats(-9, 9))
    def test_no_dot_is_nearer_than_the_nearest(self, x, y):
        found = hex_lattice.nearest_dot(x, y)
        near = math.dist(centre(found), (x, y))
        assert all(near <= math.dist(centre(step(found, d)), (x, y)) + 1e-9 for d in range(6))

    @given(dots, st.sampled_from(OffsetLayout))
    def test_offset_coordinates_there_and_back(self, dot, layout):
        assert layout.dot(*layout.offset(dot)) == dot

    def test_offset_layouts_shove_what_they_say(self):
        # The cell below right of (column 0, row 0) in each layout.
        assert OffsetLayout.ODD_ROWS.offset(step((0, 0), 5)) == (0, 1)
        assert OffsetLayout.EVEN_ROWS.offset(step((0, 0), 5)) == (1, 1)
        assert OffsetLayout.ODD_COLUMNS.offset(step((0, 0), 0)) == (1, 0)
        assert OffsetLayout.EVEN_COLUMNS.offset(step((0, 0), 0)) == (1, 1)


class TestLines:
    @given(dots, dots)
    def test_lines_are_symmetric_and_start_and_end_where_they_should(self, a, b):
        along = line(a, b)
        assert (along[0], along[-1]) == (a, b)
        assert len(set(along)) == len(along) >= distance(a, b) + 1
        assert set(along) == set(line(b, a))

    @given(dots, dots, st.integers(0, 5))
    def test_turning_the_map_turns_its_lines(self, a, b, sixths):
        assert {rotate(dot, sixths) for dot in line(a, b)} == set(line(rotate(a, sixths), rotate(b, sixths)))

    @given(st.tuples(st.integers(-6, 6), st.integers(-6, 6)))
    def test_lines_are_what_shapely_says_they_touch(self, b):
        through = shapely.LineString([centre((0, 0)), centre(b)])
        reach = distance((0, 0), b) + 1
        near = [(q, r) for q in range(-reach, reach + 1) for r in range(-reach, reach + 1)]
        cells = shapely.polygons(hex_lattice.corners(*np.array(near).T))
        touched = {dot for dot, cell in zip(near, cells, strict=True) if cell.distance(through) < 1e-9}
        assert set(line((0, 0), b)) == touched


class TestCones:
    def test_dt_170_borders_are_inside_the_apex_is_not(self):
        board = DotMap.open(9, 9)
        apex = (2, 4)
        cone = board.cone(apex, 0)
        assert apex not in cone
        assert (apex[0] + 1, apex[1] + 1) in cone  # exactly 30 degrees to the right
        assert step(apex, 1) not in cone
        assert step(apex, 0, 3) in cone

    @given(
        dots,
        st.integers(0, 5),
        st.sampled_from([(30, lambda q, r: 3 * abs(r) <= 2 * q + r), (60, lambda q, r: abs(r) <= 2 * q + r)]),
    )
    def test_the_borders_agree_with_whole_numbers(self, offset, direction, case):
        half_angle, within = case
        q, r = rotate(offset, -direction)
        expected = within(q, r) and (q, r) != (0, 0)
        assert hex_lattice.in_cone(np.array(offset[0]), np.array(offset[1]), direction, half_angle) == expected

    @given(dots)
    def test_six_cones_of_60_degrees_cover_everything(self, offset):
        across, down = np.array(offset[0]), np.array(offset[1])
        covered = any(hex_lattice.in_cone(across, down, direction) for direction in range(6))
        assert covered == (offset != (0, 0))


BUILDING = {".": DotKind(), "B": DotKind("floor", storeys=2), "#": DotKind(impassable=True), "_": DotKind(absent=True)}


class TestMap:
    def test_a_drawing_gives_what_it_shows(self):
        board = DotMap.from_text(
            """
            . B _
             . # .
            """,
            BUILDING,
        )
        assert list(board.places()) == [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)]
        assert board.terrain_at((1, 0)) == "floor"
        assert board.surfaces_at((1, 0)) == (0, 1, 2)  # DT-15: the roof of a two-storey building is level 2
        assert (board.indoors_at((1, 0)), board.indoors_at((1, 0), 2), board.indoors_at((0, 0))) == (True, False, False)
        assert (2, 0) not in board
        assert board.neighbours((0, 0)) == [(1, 0), (0, 1)]

    def test_the_same_drawing_in_the_four_layouts(self):
        drawing = ". . .\n. # .\n. . ."
        degrees = {}
        for layout in OffsetLayout:
            board = DotMap.from_text(drawing, layout=layout)
            (blocked,) = [dot for dot in board.places() if board.impassable[board.index(dot)]]
            assert layout.offset(blocked) == (1, 1)
            assert sorted(layout.offset(dot) for dot in board.places()) == [(c, r) for c in range(3) for r in range(3)]
            degrees[layout] = sorted(degree for _, degree in board.graph.degree)
        assert degrees[OffsetLayout.ODD_ROWS] == degrees[OffsetLayout.ODD_COLUMNS]
        assert degrees[OffsetLayout.EVEN_ROWS] == degrees[OffsetLayout.EVEN_COLUMNS]

    def test_maps_are_cropped_to_their_dots(self):
        wide = DotMap.from_text("_ _ _\n_ . _", BUILDING)
        bare = DotMap.from_kinds((DotKind(),), np.zeros((1, 1), int), first=(1, 1))
        assert wide.present.shape == (1, 1)
        assert list(wide.places()) == [(1, 1)]
        assert wide == bare

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"edges": (Edge("wall", (0, 0), (2, 0)),)}, r"edges\[0\]: \(0, 0\) and \(2, 0\) are not adjacent"),
            ({"edges": (Edge("wall", (0, 0), (-1, 0)),)}, r"edges\[0\]: .* is not between two dots of the map"),
            ({"edges": (Edge("hatch", (0, 0), (1, 0)),)}, r"edges\[0\]: no edge is a 'hatch' \(known: wall"),
            ({"edges": (Edge("wall", (0, 0), (1, 0), (2, 1)),)}, "goes down from storey 2 to 1"),
            (
                {"edges": (Edge("wall", (0, 0), (1, 0)), Edge("door", (1, 0), (0, 0)))},
                r"edges: a door and a wall between \(0, 0\) and \(1, 0\)",
            ),
            ({"storeys": np.full((2, 4), -1)}, "storeys: a building has no negative number of storeys"),
            ({"level": np.full((2, 4), 32_767), "storeys": np.ones((2, 4))}, "storeys: a roof lies above level 32767"),
            ({"level": np.zeros((1, 1))}, r"level: expected one value for each cell, shape \(2, 4\)"),
            ({"dot_spacing": -1}, "dot_spacing: expected a spacing above 0"),
            ({"present": np.zeros((2, 4), bool)}, "present: expected at least one dot"),
            ({"areas": (Area("base", ((9, 9),)),)}, r"areas\[0\]: \(9, 9\) is not on the board"),
        ],
    )
    def test_what_no_map_can_be_made_of(self, fields, message):
        with pytest.raises(BoardError, match=message):
            DotMap.open(4, 2, **({"present": np.ones((2, 4), bool)} | fields))

    def test_barriers_on_different_storeys_share_an_edge(self):
        edges = (Edge("door", (0, 0), (1, 0), (0, 0)), Edge("window", (1, 0), (0, 0), (1, 2)))
        board = DotMap.from_text("B B", BUILDING, edges=edges)
        assert [edge.kind for edge in board.edges] == ["door", "window"]

    def test_dots_off_the_map_are_named(self):
        board = DotMap.open(3, 2)
        for question in (board.terrain_at, board.outline, board.surfaces_at, board.neighbours):
            with pytest.raises(NoPlace, match=r"no dot \(7, 7\)"):
                question((7, 7))

    def test_hashes_ignore_names_and_numbering_only(self):
        board = DotMap.open(3, 2)
        assert board.content_hash == DotMap.open(3, 2, name="Yard", labels=(Label(0, 0, "x"),)).content_hash
        assert board.content_hash == "ab7b965df18060c7"
        walled = DotMap.open(3, 2, edges=(Edge("wall", (0, 0), (1, 0)),))
        assert walled.content_hash != board.content_hash
        assert walled == DotMap.open(3, 2, edges=(Edge("wall", (1, 0), (0, 0)),))
        up = DotMap.open(3, 2, edges=(Edge("ramp", (0, 0), (1, 0), (0, 1)),))
        assert up == DotMap.open(3, 2, edges=(Edge("ramp", (1, 0), (0, 0), (1, 0)),))
        assert up != DotMap.open(3, 2, edges=(Edge("ramp", (0, 0), (1, 0), (1, 0)),))


@st.composite
def maps(draw):
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = (
        DotKind(),
        DotKind("mud", level=1),
        DotKind(impassable=True),
        DotKind("floor", storeys=1),
        DotKind(absent=True),
    )
    codes = rng.choice(5, (height, width), p=[0.5, 0.15, 0.1, 0.15, 0.1])
    codes[0, 0] = 0
    bare = DotMap.from_kinds(kinds, codes, draw(st.sampled_from(OffsetLayout)))
    edges = []
    for dot in bare.places():
        for direction in range(3):
            if step(dot, direction) in bare and rng.random() < 0.2:
                kind = ("wall", "window", "door", "ramp", "stairs", "ladder")[rng.integers(6)]
                edges.append(Edge(kind, dot, step(dot, direction)))
    return DotMap.from_kinds(kinds, codes, bare.layout, edges=tuple(edges))


class TestSteps:
    @given(maps())
    def test_steps_agree_with_the_definition_dot_by_dot(self, board):
        barred = {frozenset((edge.a, edge.b)) for edge in board.edges if edge.kind in ("wall", "window")}
        for dot in board.places():
            expected = [
                beyond
                for beyond in (step(dot, direction) for direction in range(6))
                if beyond in board
                and not board.impassable[board.index(beyond)]
                and frozenset((dot, beyond)) not in barred
            ]
            assert board.neighbours(dot) == expected

    @given(maps())
    def test_the_graph_joins_what_neighbours_names(self, board):
        graph = board.graph
        passable = {dot for dot in board.places() if not board.impassable[board.index(dot)]}
        assert set(graph.nodes) == passable
        for dot in passable:
            assert set(graph[dot]) == set(board.neighbours(dot))
        for edge in board.edges:
            if graph.has_edge(edge.a, edge.b):
                assert edge.kind in graph.edges[edge.a, edge.b]["features"]

    @given(maps())
    def test_edge_arrays_tell_both_ways(self, board):
        array = board.edge_array("wall", "door")
        told = {frozenset((edge.a, edge.b)) for edge in board.edges if edge.kind in ("wall", "door")}
        assert array.sum() == 2 * len(told)
        for direction, row, column in np.argwhere(array).tolist():
            dot = board.place_at(row, column)
            assert board.index(dot) == (row, column)
            assert frozenset((dot, step(dot, direction))) in told

    def test_distance_equals_breadth_first_search_on_an_open_map(self):
        board = DotMap.open(9, 9)
        for dot, steps in nx.single_source_shortest_path_length(board.graph, (2, 4)).items():
            assert steps == distance((2, 4), dot)


class TestPlane:
    @given(maps())
    def test_a_region_has_the_area_of_its_cells_and_lies_in_the_bounds(self, board):
        region = board.region(board.places())
        cell = board.outline(next(board.places())).area
        assert region.area == pytest.approx(cell * board.present.sum())
        assert region.bounds == pytest.approx(board.bounds)

    def test_neighbouring_cells_share_their_corners_to_the_bit(self):
        one = hex_lattice.corners(np.array(3), np.array(-5))
        shared = {tuple(point) for point in one.tolist()}
        for direction in range(6):
            other = hex_lattice.corners(*np.array(step((3, -5), direction)))
            assert len(shared & {tuple(point) for point in other.tolist()}) == 2

    def test_within_counts_1_3n_n_plus_1(self):
        board = DotMap.open(21, 21)
        assert [len(board.within((5, 10), n)) for n in range(5)] == [1 + 3 * n * (n + 1) for n in range(5)]
