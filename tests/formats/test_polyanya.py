"""The Polyanya format: meshes, queries, ways on them, and what is said of broken files."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import FileError, LimitReached
from simulator.formats.polyanya import load_queries, load_table, parse_mesh, parse_queries, parse_table
from simulator.pathing.free import plan, prepare
from simulator.pathing.free.solids import obstacles_on

RING = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
SQUARE = "mesh\n2\n4 1\n0 0 1 0\n2 0 1 0\n2 2 1 0\n0 2 1 0\n4 0 1 2 3 -1 -1 -1 -1\n"


def mesh_of(cells):
    """The text of a mesh of unit squares, given by their lower left corners."""
    cells = list(cells)
    number = {cell: at for at, cell in enumerate(cells)}
    corners = sorted({(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)})
    vertex = {corner: at for at, corner in enumerate(corners)}
    lines = ["mesh", "2", f"{len(corners)} {len(cells)}"]
    for x, y in corners:
        around = [number.get((x + dx, y + dy), -1) for dx, dy in ((0, 0), (-1, 0), (-1, -1), (0, -1))]
        lines.append(f"{x} {y} 4 {' '.join(map(str, around))}")
    for x, y in cells:
        ring = [vertex[x, y], vertex[x + 1, y], vertex[x + 1, y + 1], vertex[x, y + 1]]
        across = [number.get(cell, -1) for cell in ((x - 1, y), (x, y - 1), (x + 1, y), (x, y + 1))]
        lines.append(f"4 {' '.join(map(str, ring))} {' '.join(map(str, across))}")
    return "\n".join(lines) + "\n"


def shortest(text, start, goal, budget=99.0):
    return plan(prepare(obstacles_on(parse_table(text)), radius=0.0), start, budget).cost_at(goal)


class TestMeshes:
    def test_a_square(self):
        mesh = parse_mesh(SQUARE, "a.mesh")
        assert mesh.vertices == ((0, 0), (2, 0), (2, 2), (0, 2))
        assert mesh.polygons == ((0, 1, 2, 3),)
        assert mesh.neighbours == ((-1, -1, -1, -1),)

    def test_blanks_and_line_breaks_are_alike(self):
        assert parse_mesh(SQUARE.replace("\n", "  ")) == parse_mesh(SQUARE)

    def test_the_neighbour_stands_at_the_corner_after_the_edge(self):
        mesh = parse_mesh(mesh_of([(0, 0), (1, 0)]))
        assert mesh.neighbours == ((-1, -1, 1, -1), (0, -1, -1, -1))

    def test_a_hole_becomes_a_piece(self):
        board = parse_table(mesh_of(RING), name="ring")
        assert (board.name, board.bounds) == ("ring", (0, 0, 3, 3))
        assert [(piece.layer, piece.shape.polygon.bounds) for piece in board.pieces] == [("obstacle", (1, 1, 2, 2))]

    def test_so_does_what_lies_between_the_ground_and_its_bounds(self):
        """Wherever the mesh lies: what is open and what is closed make up the table together."""
        board = parse_table(mesh_of([(-3, 5), (-2, 5), (-2, 6), (0, 7), (-1, 7), (-1, 6), (-2, 7)]))
        assert board.bounds == (-3, 5, 1, 8)
        assert sum(piece.shape.polygon.area for piece in board.pieces) == pytest.approx(12 - 7)
        assert [board.terrain_at(place) for place in ((-0.5, 6.5), (0.5, 5.5))] == ["open", "closed"]

    def test_no_ground_at_all(self):
        with pytest.raises(FileError, match="the mesh has no polygon"):
            parse_table("mesh 2 0 0")

    def test_what_is_larger_than_a_table(self):
        with pytest.raises(
            FileError, match="the mesh is not a valid table: width: expected a size above 0 and at most 10000"
        ):
            parse_table(SQUARE.replace("2 0 1 0\n2 2", "20000 0 1 0\n20000 2"))


class TestWays:
    def test_straight_where_nothing_stands(self):
        assert shortest(SQUARE, (0.25, 0.25), (1.25, 1.0)) == pytest.approx(1.25, rel=1e-12)

    def test_round_a_hole(self):
        """From the middle of one side to the middle of the opposite one: to the corner, along the side, back."""
        length = 2 * math.hypot(0.5, 0.5) + 1
        assert shortest(mesh_of(RING), (0.5, 1.5), (2.5, 1.5)) == pytest.approx(length, rel=1e-9)

    def test_along_two_sides_of_the_hole(self):
        assert shortest(mesh_of(RING), (1, 1), (2, 2)) == pytest.approx(2.0, rel=1e-9)

    def test_round_one_corner(self):
        bend = [(0, 0), (1, 0), (1, 1)]
        length = math.hypot(0.75, 0.75) + math.hypot(0.5, 0.5)
        assert shortest(mesh_of(bend), (0.25, 0.25), (1.5, 1.5)) == pytest.approx(length, rel=1e-9)

    def test_ground_that_touches_at_a_corner_alone_is_not_joined(self):
        assert shortest(mesh_of([(0, 0), (1, 1)]), (0.5, 0.5), (1.5, 1.5)) == math.inf

    def test_a_corner_of_two_holes_does_not_let_through(self):
        """Two holes touch at (2, 2): the way goes round one of them, its outer corner included."""
        cells = [(x, y) for x in range(4) for y in range(4) if (x, y) not in ((1, 1), (2, 2))]
        length = 2 * math.hypot(0.5, 0.5) + 2
        assert shortest(mesh_of(cells), (1.5, 2.5), (2.5, 1.5)) == pytest.approx(length, rel=1e-9)

    def test_ways_keep_off_the_outside(self):
        cells = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)]
        assert shortest(mesh_of(cells), (1, 1.5), (2, 1.5)) == pytest.approx(2.0, rel=1e-9)

    def test_queries_of_a_file(self, tmp_path):
        (tmp_path / "ring.mesh").write_text(mesh_of(RING), "ascii")
        length = 2 * math.hypot(0.5, 0.5) + 1
        (tmp_path / "ring.scen").write_text(f"version 1\n0\tring.mesh\t3\t3\t0.5\t1.5\t2.5\t1.5\t{length!r}\n", "ascii")
        table = prepare(obstacles_on(load_table(tmp_path / "ring.mesh")), radius=0.0)
        (query,) = load_queries(tmp_path / "ring.scen")
        assert (query.bucket, query.map_name) == (0, "ring.mesh")
        assert plan(table, query.start, 9.0).cost_at(query.goal) == pytest.approx(query.length, rel=1e-9)


class TestBrokenFiles:
    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("", "1:1", "the file ends where 'mesh' was expected"),
            ("grid\n2\n", "1:1", "has to begin with the word 'mesh'"),
            ("mesh\n1\n", "2:1", "only meshes of versions 2 and 3"),
            ("mesh\n2\n4 x\n", "3:3", "the number of polygons has to be a whole number"),
            ("mesh\n2\n1 0\n0 nan 0\n", "4:3", "y has to be a finite number"),
            ("mesh\n2\n1 0\n0 1_0 0\n", "4:3", "y has to be a finite number"),
            ("mesh\n2\n1 0\n0 0 1 0\n", "4:7", "a polygon has to be a whole number from -1 to -1"),
            ("mesh\n2\n4 1\n0 0 0\n", "4:1", "the file ends where x was expected"),
            (SQUARE + "7\n", "9:1", "the mesh is complete, but '7' follows"),
            (SQUARE.replace("4 0 1 2 3", "4 0 1 2 4"), "8:9", "a vertex has to be a whole number from 0 to 3"),
            (SQUARE.replace("4 0 1 2 3", "4 0 3 2 1"), "8:1", "polygon 0: is not convex"),
            (SQUARE.replace("4 0 1 2 3", "4 0 1 2 2"), "8:1", "polygon 0: has one vertex twice"),
            (SQUARE.replace("-1 -1 -1 -1", "-1 0 -1 -1"), "8:1", "polygon 0: names 0 as neighbour across the edge 0-1"),
        ],
    )
    def test_meshes(self, text, place, message):
        with pytest.raises(FileError, match=message) as caught:
            parse_mesh(text, "a.mesh")
        assert str(caught.value).startswith(f"a.mesh:{place}: ")

    def test_every_wrong_polygon_is_named(self):
        text = mesh_of([(0, 0), (1, 0)]).replace("-1 -1 1 -1", "-1 -1 -1 -1").replace("0 -1 -1 -1\n", "-1 -1 1 -1\n")
        with pytest.raises(FileError) as caught:
            parse_mesh(text)
        assert {fault.path for fault in caught.value.faults} == {"polygon 0", "polygon 1"}

    def test_beyond_the_limit(self):
        with pytest.raises(FileError, match="from 0 to 1000000"):
            parse_mesh("mesh 2 1000001 1")

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("0 a 8 8 1 1", "6 fields"),
            ("x a 8 8 1 1 2 2 1", "the bucket has to be a whole number"),
            ("0 a 8 8 1 inf 2 2 1", "expected a finite number"),
            ("0 a 8 8 1 1 2 2 -2", "the length has to be a number from 0, or -1 for no way"),
        ],
    )
    def test_queries(self, line, message):
        with pytest.raises(FileError, match=message) as caught:
            parse_queries(f"version 1\n{line}\n", "a.scen")
        assert caught.value.faults[0].line == 2

    def test_a_query_without_a_way(self):
        (query,) = parse_queries("version 1\n0 a.mesh 3 3 1 1 2 2 -1\n")
        assert query.length == math.inf

    def test_queries_without_a_version(self):
        with pytest.raises(FileError, match="'version 1'"):
            parse_queries("0 a 8 8 1 1 2 2 1")

    def test_all_wrong_queries_are_named(self):
        with pytest.raises(FileError) as caught:
            parse_queries("version 1\n0 a\n\n0 b\n")
        assert [fault.line for fault in caught.value.faults] == [2, 4]

    def test_files_that_can_not_be_read(self, tmp_path):
        with pytest.raises(FileError, match="No such file"):
            load_table(tmp_path / "none.mesh")
        (tmp_path / "odd.mesh").write_bytes(b"mesh\n\xff")
        with pytest.raises(FileError, match="byte 5 is not an ASCII"):
            load_table(tmp_path / "odd.mesh")

    def test_files_that_are_too_large(self, tmp_path, monkeypatch):
        monkeypatch.setattr("simulator.formats.polyanya._MOST_BYTES", 4)
        (tmp_path / "big.mesh").write_text(SQUARE)
        with pytest.raises(LimitReached, match="longer than 4 bytes, which is the most allowed"):
            load_table(tmp_path / "big.mesh")

    @settings(deadline=None, max_examples=200)
    @given(st.text())
    def test_any_text_is_read_or_refused(self, text):
        for parse in (parse_mesh, parse_queries):
            try:
                parse(text)
            except FileError as error:
                assert error.faults

    @settings(deadline=None, max_examples=300)
    @given(st.integers(0, 40), st.sampled_from(["-1", "0", "3", "1e9", "x", "", "-", "٣", "1.5"]))
    def test_a_mesh_with_one_word_changed_is_read_or_refused(self, at, word):
        words = SQUARE.split()
        words[at % len(words)] = word
        try:
            parse_table(" ".join(words))
        except FileError as error:
            assert error.faults[0].line == 1
