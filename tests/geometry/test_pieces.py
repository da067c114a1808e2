"""Shapes and pieces: what they cover, and what is refused with which words."""

import copy
import math
import pickle

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import BoardError
from simulator.geometry.pieces import (
    ATTRIBUTES,
    MAX_VERTICES,
    CircleShape,
    LineShape,
    Piece,
    PointShape,
    PolygonShape,
    rectangle,
)

PAIR = "shell[{}]: expected two finite numbers (x, y) up to 1000000, not"
SQUARE = [(0, 0), (10, 0), (10, 10), (0, 10)]
ONE_OF_EACH = [
    PolygonShape(SQUARE, [[(2, 2), (4, 2), (4, 4)]]),
    LineShape([(0, 0), (3, 0), (3, 3)], width=1),
    LineShape([(0, 0), (3, 0), (3, 3)]),
    PointShape(1, 2),
    CircleShape(1, 2, 3),
]


class TestPolygonShape:
    def test_covers_its_shell_without_its_holes(self):
        assert PolygonShape(SQUARE, [[(2, 2), (4, 2), (4, 4), (2, 4)]]).polygon.area == 96.0

    def test_a_closed_ring_and_repeated_points_say_the_same_as_the_plain_ring(self):
        assert PolygonShape([*SQUARE, (0, 0)]) == PolygonShape(SQUARE)
        assert PolygonShape([(0, 0), (0, 0), *SQUARE[1:]]) == PolygonShape(SQUARE)
        assert PolygonShape([(0, 1e-9), *SQUARE[1:]]) == PolygonShape(SQUARE)

    def test_corners_are_put_on_the_grid(self):
        assert PolygonShape([(0.1 + 0.2, 0), (1, 0), (1, 1 / 3)]).shell == (
            (0.3, 0.0),
            (1.0, 0.0),
            (1.0, 0.333333),
        )

    def test_arrays_are_taken_too(self):
        assert PolygonShape(np.array(SQUARE)) == PolygonShape(SQUARE)

    def test_a_hole_may_touch_the_shell_in_a_point(self):
        assert PolygonShape(SQUARE, [[(0, 5), (2, 4), (2, 6)]]).polygon.area == 98.0

    @pytest.mark.parametrize(
        ("shell", "complaint"),
        [
            ([(0, 0), (2, 2), (2, 0), (0, 2)], "shell: crosses or touches itself at (1, 1)"),
            ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "shell: crosses or touches itself at (2, 0)"),
            ([(0, 0), (1, 1), (5, 5)], "shell: has no area: all its points lie on one straight line"),
            ([(0, 0), (1, 0), (0, 0)], "shell: expected at least 3 different points, has 2"),
            ([], "shell: expected at least 3 different points, has 0"),
            (
                [(0, 0), (1, math.nan), (1, 1)],
                PAIR.format(1) + " (1, nan)",
            ),
            (
                [(0, 0), (1, 0), (1, -math.inf)],
                PAIR.format(2) + " (1, -inf)",
            ),
            (
                [(2e6, 0), (1, 0), (1, 1)],
                PAIR.format(0) + " (2000000.0, 0)",
            ),
            (
                [(0, 0), ("1", 0), (1, 1)],
                PAIR.format(1) + " ('1', 0)",
            ),
            (
                [(0, 0), (True, 0), (1, 1)],
                PAIR.format(1) + " (True, 0)",
            ),
            (
                [(0, 0), (1, 0, 0), (1, 1)],
                PAIR.format(1) + " (1, 0, 0)",
            ),
            ("square", "shell: expected a list of points (x, y), not 'square'"),
            (7, "shell: expected a list of points (x, y), not 7"),
        ],
    )
    def test_refuses_a_shell_that_can_not_be(self, shell, complaint):
        with pytest.raises(BoardError) as refused:
            PolygonShape(shell)
        assert str(refused.value) == complaint

    @pytest.mark.parametrize(
        ("holes", "complaint"),
        [
            ([[(20, 2), (21, 2), (21, 3)]], "holes[0]: lies outside the shell, at (20.75, 2.5)"),
            (
                [[(2, 2), (3, 2), (3, 3)], [(8, 2), (13, 2), (13, 3)]],
                "holes[1]: reaches outside the shell, at",
            ),
            (
                [[(2, 2), (5, 2), (5, 5)], [(4, 2), (6, 2), (6, 3)]],
                "holes: cross or share an edge with one another",
            ),
            (
                [[(0, 2), (5, 2), (5, 5), (0, 5)]],
                "holes: cross or share an edge with one another or the shell at (0, ",
            ),
            ([[(2, 2), (3, 3)]], "holes[0]: expected at least 3 different points, has 2"),
        ],
    )
    def test_refuses_holes_that_can_not_be(self, holes, complaint):
        with pytest.raises(BoardError) as refused:
            PolygonShape(SQUARE, holes)
        assert str(refused.value).startswith(complaint)

    def test_takes_no_more_corners_than_the_limit(self):
        angles = np.linspace(0, 2 * math.pi, MAX_VERTICES, endpoint=False)
        ring = np.column_stack([1000 * np.cos(angles), 1000 * np.sin(angles)])
        assert len(PolygonShape(ring).shell) == MAX_VERTICES
        with pytest.raises(BoardError, match=f"has {MAX_VERTICES + 1} corners, at most {MAX_VERTICES} are allowed"):
            PolygonShape([*ring.tolist(), (999.999, -0.3)])
        with pytest.raises(BoardError, match="with its holes"):
            PolygonShape(ring, [[(0, 0), (1, 0), (0, 1)]])


class TestLineShape:
    def test_without_a_width_covers_nothing(self):
        assert LineShape([(0, 0), (10, 0)]).polygon.area == 0.0

    def test_with_a_width_is_cut_off_square(self):
        assert LineShape([(0, 0), (10, 0)], width=1).polygon.equals(shapely.box(0, -0.5, 10, 0.5))

    def test_bends_are_mitred(self):
        assert LineShape([(0, 0), (4, 0), (4, 4)], width=1).polygon.area == pytest.approx(8.0)

    @pytest.mark.parametrize(
        ("points", "width", "complaint"),
        [
            ([(0, 0)], 0, "points: expected at least 2 different points"),
            ([(0, 0), (0, 1e-9)], 0, "points: expected at least 2 different points"),
            ([(0, 0), (1, 0)], -1, "width: may not be below 0, but is -1"),
            ([(0, 0), (1, 0)], math.nan, "width: expected a finite number up to 1000000, not nan"),
            ([(0, 0), (1, 0)], "1", "width: expected a number, not '1'"),
        ],
    )
    def test_refuses_what_is_no_line(self, points, width, complaint):
        with pytest.raises(BoardError) as refused:
            LineShape(points, width)
        assert str(refused.value) == complaint


class TestCirclesAndPoints:
    def test_the_drawing_of_a_circle_keeps_to_the_stated_error(self):
        drawn = CircleShape(3, 4, 2).polygon
        radii = np.hypot(*(shapely.get_coordinates(shapely.segmentize(drawn, 0.001)) - (3, 4)).T)
        assert radii.max() <= 2 * (1 + 1e-12)
        assert radii.min() >= 2 * (1 - 8e-5)

    @pytest.mark.parametrize("radius", [0, -1, math.inf, math.nan, True, "2"])
    def test_a_circle_wants_a_radius_above_0(self, radius):
        with pytest.raises(BoardError, match="radius: "):
            CircleShape(0, 0, radius)

    @pytest.mark.parametrize("build", [lambda x: PointShape(x, 0), lambda x: CircleShape(x, 0, 1)])
    def test_refuse_a_place_that_is_none(self, build):
        with pytest.raises(BoardError, match="expected two finite numbers"):
            build(math.nan)


class TestRectangle:
    def test_a_quarter_turn_is_exact(self):
        assert set(rectangle((5, 5), (4, 2), turned=90).shell) == {
            (4.0, 3.0),
            (6.0, 3.0),
            (6.0, 7.0),
            (4.0, 7.0),
        }

    @given(st.floats(-720, 720), st.floats(0.1, 100), st.floats(0.1, 100))
    @settings(deadline=None, max_examples=50)
    def test_keeps_its_area_however_turned(self, turned, length, width):
        area = rectangle((1, 2), (length, width), turned).polygon.area
        assert area == pytest.approx(length * width, abs=1e-6 * (length + width) * 2)

    def test_refuses_sides_of_no_length_and_angles_that_are_none(self):
        with pytest.raises(BoardError, match=r"size\[1\]: must be above 0"):
            rectangle((0, 0), (1, 0))
        with pytest.raises(BoardError, match="turned: expected a finite number of degrees"):
            rectangle((0, 0), (1, 1), math.nan)


class TestWhatMeasuresNeed:
    @pytest.mark.parametrize("shape", ONE_OF_EACH[:2], ids=["holed", "strip"])
    def test_convex_parts_cover_the_shape_exactly_once(self, shape):
        parts = [shapely.Polygon(part) for part in shape.parts]
        assert sum(part.area for part in parts) == pytest.approx(shape.polygon.area)
        assert shapely.union_all(parts).symmetric_difference(shape.polygon).area < 1e-9

    def test_parts_run_counter_clockwise_whichever_way_they_were_given(self):
        for corners in (SQUARE, SQUARE[::-1]):
            (part,) = PolygonShape(corners).parts
            assert shapely.is_ccw(shapely.LinearRing(part))

    def test_a_bare_line_falls_into_segments_and_a_point_into_itself(self):
        assert [part.tolist() for part in ONE_OF_EACH[2].parts] == [[[0, 0], [3, 0]], [[3, 0], [3, 3]]]
        assert [part.tolist() for part in ONE_OF_EACH[3].parts] == [[[1, 2]]]

    def test_edges_are_the_whole_border(self):
        holed = ONE_OF_EACH[0]
        lengths = np.hypot(*(holed.edges[:, 2:] - holed.edges[:, :2]).T)
        assert len(lengths) == 7
        assert lengths.sum() == pytest.approx(holed.polygon.length)

    def test_arrays_can_not_be_written_to(self):
        for shape in ONE_OF_EACH:
            for array in (*shape.parts, shape.edges, shape.spread):
                assert not array.flags.writeable


class TestPiece:
    def test_fills_in_the_plain_values(self):
        piece = Piece("pond", "lake", CircleShape(0, 0, 3))
        assert (piece.layer, piece.height, piece.on, dict(piece.attributes)) == ("ground", 0.0, "", {})

    def test_attributes_are_read_into_their_types_and_can_not_be_changed(self):
        given = {
            "uphill": -90,
            "doors": [[1, 2], (3, 4)],
            "vehicle_floors": [2, 0, 2],
            "joins": (1, 0),
        }
        piece = Piece("p", "building", CircleShape(0, 0, 3), attributes=given)
        assert dict(piece.attributes) == {
            "doors": ((1.0, 2.0), (3.0, 4.0)),
            "joins": (0, 1),
            "uphill": 270.0,
            "vehicle_floors": (0, 2),
        }
        with pytest.raises(TypeError):
            piece.attributes["uphill"] = 0.0

    @pytest.mark.parametrize("shape", ONE_OF_EACH, ids=lambda shape: type(shape).__name__)
    def test_survives_copying_and_pickling(self, shape):
        piece = Piece("a", "wall", shape, "obstacle", 2, attributes={"paved": True})
        for again in (pickle.loads(pickle.dumps(piece)), copy.deepcopy(piece)):
            assert again == piece
            assert hash(again) == hash(piece)
            assert again.shape.polygon.equals(piece.shape.polygon)

    @pytest.mark.parametrize(
        ("fields", "complaint"),
        [
            ({"id": " "}, "id: expected a name without blanks around it, not ' '"),
            ({"kind": "High Wall"}, "kind: expected a word in lower_snake case, not 'High Wall'"),
            (
                {"layer": "elevatd"},
                "layer: no such layer, did you mean 'elevated'? (known: ground, replac",
            ),
            ({"height": -1}, "height: may not be below 0, but is -1"),
            (
                {"layer": "elevated"},
                "shape: is elevated and needs a top to stand on: a line",
            ),
            (
                {"attributes": {"flors": 2}},
                "attributes.flors: no such attribute, did you mean 'floors'?",
            ),
            ({"attributes": {"zzz": 2}}, "attributes.zzz: no such attribute (known: cover,"),
        ],
    )
    def test_refuses_what_no_piece_can_be(self, fields, complaint):
        plain = {"id": "a", "kind": "tree", "shape": PointShape(0, 0)}
        with pytest.raises(BoardError) as refused:
            Piece(**(plain | fields))
        assert str(refused.value).startswith(complaint)

    @pytest.mark.parametrize(
        ("name", "bad"),
        [
            ("uphill", math.nan),
            ("uphill", "north"),
            ("paved", 1),
            ("wet", "yes"),
            ("floors", 0),
            ("floors", True),
            ("floor_height", 0),
            ("doors", [(0, "a")]),
            ("doors", 5),
            ("tree_cost", -1),
            ("tree_cost", math.inf),
            ("vehicle_entry", None),
            ("vehicle_floors", "01"),
            ("vehicle_floors", [0.5]),
            ("vehicle_ok", 0),
            ("joins", [1]),
            ("joins", [1, 1]),
            ("run", 0),
            ("run", "3"),
            ("size_class", -1),
            ("size_class", 1.0),
            ("top", "Flat Ground"),
            ("cover", ""),
        ],
    )
    def test_refuses_an_attribute_of_the_wrong_kind_and_says_what_is_wanted(self, name, bad):
        with pytest.raises(BoardError) as refused:
            Piece("a", "tree", PointShape(0, 0), attributes={name: bad})
        assert refused.value.path == f"attributes.{name}"
        assert refused.value.message == f"expected {ATTRIBUTES[name].wants}, not {bad!r}"

    def test_every_attribute_has_a_value_that_it_takes(self):
        good = {
            "cover": "hard",
            "doors": [],
            "floor_height": 2.5,
            "floors": 3,
            "joins": [0, 1],
            "paved": False,
            "run": 4,
            "size_class": 0,
            "top": "difficult",
            "tree_cost": 0,
            "uphill": 370,
            "vehicle_entry": True,
            "vehicle_floors": [],
            "vehicle_ok": True,
            "wet": False,
        }
        assert set(good) == set(ATTRIBUTES)
        assert set(Piece("a", "tree", PointShape(0, 0), attributes=good).attributes) == set(ATTRIBUTES)
