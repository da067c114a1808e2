"""The inch table: what lies where, what is on top, and which tables cannot be."""

import dataclasses
import math
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import BoardError, NoPlace
from simulator.geometry.board import Label
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import Standing, lengths_over
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import CircleShape, LineShape, Piece, PointShape, PolygonShape, rectangle
from simulator.geometry.table import MAX_PIECES, MAX_STOREYS, EntryArea, InchTable


def box(x, y, width, height):
    return PolygonShape([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def tower(name, shape, **fields):
    return Piece(name, "building", shape, "elevated", **{"height": 4.0} | fields)


RIVER = Piece("river", "river", box(0, 10, 48, 4))
BRIDGE = Piece("bridge", "bridge", box(20, 9, 4, 6), "replacing")
WOOD = Piece("wood", "vegetation", CircleShape(30, 20, 5), "cover")
OAK = Piece("oak", "individual_tree", PointShape(5, 5), "cover", attributes={"tree_cost": 1})
WALL = Piece("wall", "low_obstacle", LineShape([(5, 20), (15, 25)], width=1), "obstacle", height=1.5)
FENCE = Piece("fence", "small_wall", LineShape([(40, 2), (46, 2)]), "obstacle", height=1)
HOUSE = tower("house", box(36, 24, 10, 10), attributes={"top": "flat_ground"})
LOFT = tower("loft", box(38, 26, 4, 4), height=2.5, on="house")
GARDEN = Piece("garden", "vegetation", CircleShape(44, 32, 1), "cover", on="house")
FORD = InchTable(
    "The ford",
    48,
    36,
    ground="firm_ground",
    pieces=(RIVER, BRIDGE, WOOD, OAK, WALL, FENCE, HOUSE, LOFT, GARDEN),
    entry_areas=(EntryArea("south edge", "red", ((0, 0), (48, 0), (48, 2), (0, 2))),),
    labels=(Label(24, 12, "ford"),),
)


class TestWhatLiesWhere:
    @pytest.mark.parametrize(
        ("place", "kind", "height"),
        [
            ((1, 1), "firm_ground", 0),
            ((1, 12), "river", 0),
            ((22, 12), "bridge", 0),
            ((30, 20), "vegetation", 0),
            ((30, 24.999999), "vegetation", 0),
            ((10, 22.5), "low_obstacle", 0),
            ((5, 5), "firm_ground", 0),  # a tree is a point and covers nothing
            ((43, 2), "firm_ground", 0),  # nor does a line without width
            ((37, 25), "building", 4),
            ((40, 28), "building", 6.5),
            ((44, 32), "vegetation", 4),
        ],
    )
    def test_terrain_is_that_of_the_topmost_piece_and_height_of_the_highest_top(self, place, kind, height):
        assert FORD.terrain_at(place) == kind
        assert FORD.height_at(place) == height

    def test_a_border_belongs_to_neither_side(self):
        assert FORD.terrain_at((10, 10)) == "firm_ground"
        assert FORD.terrain_at((30, 25)) == "firm_ground"

    def test_pieces_are_listed_from_the_top_down(self):
        assert FORD.pieces_at((22, 12)) == (BRIDGE, RIVER)
        assert FORD.pieces_at((40, 28)) == (LOFT, HOUSE)
        assert FORD.pieces_at((1, 1)) == ()

    def test_levels_add_up_along_what_stands_on_what(self):
        assert FORD.levels["loft"] == 6.5
        assert FORD.levels["garden"] == 4.0
        assert FORD.levels["wall"] == 1.5
        assert set(FORD.levels) == {piece.id for piece in FORD.pieces}

    def test_a_later_layer_beats_an_earlier_one_whatever_the_order(self):
        for pieces in ((RIVER, BRIDGE), (BRIDGE, RIVER)):
            assert InchTable("t", 48, 36, pieces=pieces).terrain_at((22, 12)) == "bridge"

    def test_within_a_layer_the_later_piece_is_on_top(self):
        marsh = Piece("marsh", "soft_ground", box(0, 8, 48, 8))
        assert InchTable("t", 48, 36, pieces=(RIVER, marsh)).terrain_at((1, 12)) == "soft_ground"
        assert InchTable("t", 48, 36, pieces=(marsh, RIVER)).terrain_at((1, 12)) == "river"

    def test_what_stands_on_a_tower_is_above_towers_that_stand_lower(self):
        low = tower("low", box(0, 0, 10, 10))
        roof_garden = Piece("garden", "vegetation", box(1, 1, 8, 8), "cover", on="low")
        table = InchTable("t", 20, 20, pieces=(roof_garden, low))
        assert table.pieces_at((5, 5)) == (roof_garden, low)

    def test_lengths_are_measured_on_its_pieces(self):
        """CA-E28: a wall's footprint is crossed over its width."""
        wall = LineShape([(10, 0), (10, 36)], width=1)
        table = InchTable("t", 48, 36, pieces=(Piece("wall", "low_obstacle", wall, "obstacle"),))
        way = Paths.of_lines([[(6, 5), (20, 5)]])
        assert lengths_over(way, Standing.of([piece.shape for piece in table.pieces]))[0, 0] == pytest.approx(1.0)


class TestTheEdge:
    @pytest.mark.parametrize("place", [(0, 0), (48, 36), (0, 36), (24, 18), (np.float64(1), np.int64(2))])
    def test_belongs_to_the_table(self, place):
        assert place in FORD

    @pytest.mark.parametrize(
        "place",
        [
            (-0.001, 5),
            (48.001, 5),
            (5, 37),
            (math.nan, 5),
            (math.inf, 5),
            (1,),
            (1, 2, 3),
            "ab",
            None,
            ("1", 2),
        ],
    )
    def test_nothing_else_is_on_it(self, place):
        assert place not in FORD

    def test_asking_beyond_it_says_where_the_table_ends(self):
        for ask in (
            FORD.terrain_at,
            FORD.height_at,
            FORD.pieces_at,
            FORD.outline,
            lambda place: FORD.region([place]),
        ):
            with pytest.raises(NoPlace, match=r"no place \(50, 1\) on this table: x 0 to 48, y 0 to 36"):
                ask((50, 1))

    def test_the_origin_moves_the_edges(self):
        table = InchTable("t", 10, 20, origin=(-5, 3))
        assert table.bounds == (-5, 3, 5, 23)
        assert (-5, 23) in table
        assert (0, 0) not in table


class TestTheLattice:
    def test_is_read_from_the_top_left(self):
        table = InchTable("t", 3, 2)
        assert list(table.places()) == [
            (0.5, 1.5),
            (1.5, 1.5),
            (2.5, 1.5),
            (0.5, 0.5),
            (1.5, 0.5),
            (2.5, 0.5),
        ]

    def test_cells_at_the_edge_may_be_cut(self):
        table = InchTable("t", 2.5, 1)
        assert list(table.places()) == [(0.5, 0.5), (1.5, 0.5), (2.25, 0.5)]
        assert table.outline((2.4, 0.2)).bounds == (2, 0, 2.5, 1)

    @pytest.mark.sampled
    @pytest.mark.parametrize("spacing", [1, 0.1, 0.7, 3, 100])
    def test_cells_cover_the_table_exactly(self, spacing):
        table = InchTable("t", 12, 7)
        places = list(table.places(spacing))
        assert table.region(places, spacing).equals(table.region([(0, 0), *places], spacing))
        assert table.region(places, spacing).area == pytest.approx(84)
        assert sum(table.outline(place, spacing).area for place in places) == pytest.approx(84)

    def test_a_region_has_no_inner_borders(self):
        region = FORD.region([(0.5, 0.5), (1.5, 0.5), (1.2, 0.7)])
        assert region.area == 2
        assert region.geom_type == "Polygon"
        assert FORD.region([]).is_empty

    @pytest.mark.parametrize("spacing", [1.0, 0.5, 1.7])
    def test_the_raster_says_what_the_table_says_at_the_middles(self, spacing):
        raster = FORD.terrain_raster(spacing)
        said = [raster.kinds[code] for code in raster.codes.ravel()]
        assert said == [FORD.terrain_at(place) for place in FORD.places(spacing)]

    def test_the_top_row_of_the_raster_is_the_top_of_the_table(self):
        table = InchTable("t", 4, 4, pieces=(Piece("pond", "lake", box(0, 3, 1, 1)),))
        assert table.terrain_array.kinds == ("lake", "open")
        assert table.terrain_array.codes[:, 0].tolist() == [0, 1, 1, 1]
        assert table.terrain_array.codes.dtype == np.int16

    def test_points_off_the_table_have_no_terrain(self):
        codes = FORD.terrain_at_many([(1, 1), (-1, 1), (math.nan, 1)])
        assert codes[0] >= 0
        assert codes[1:].tolist() == [-1, -1]
        assert FORD.contains_many([(1, 1), (-1, 1), (math.nan, 1)]).tolist() == [True, False, False]

    @pytest.mark.parametrize("spacing", [0, -1, math.nan, math.inf])
    def test_refuses_cells_of_no_size(self, spacing):
        with pytest.raises(BoardError, match="spacing: expected a size of cells above 0"):
            FORD.terrain_raster(spacing)

    def test_refuses_more_cells_than_the_limit(self):
        with pytest.raises(BoardError, match=r"spacing: 0\.01 makes 17280000 cells, at most 4000000 are allowed"):
            FORD.lattice(0.01)

    def test_the_graph_joins_each_cell_to_its_eight_neighbours(self):
        graph = InchTable("t", 4, 3, pieces=(Piece("pond", "lake", box(0, 0, 1, 1)),)).graph
        assert graph.number_of_nodes() == 12
        assert sorted(dict(graph.degree).values()) == [3] * 4 + [5] * 6 + [8] * 2
        assert graph.nodes[(0.5, 0.5)] == {"terrain": "lake"}
        assert graph.nodes[(1.5, 0.5)] == {"terrain": "open"}
        length = nx.shortest_path_length(graph, (0.5, 0.5), (3.5, 2.5), weight="length")
        assert length == pytest.approx(1 + 2 * math.sqrt(2))

    def test_a_bare_table_is_all_ground(self):
        assert set(InchTable("t", 3, 3, ground="desert").terrain_array.codes.ravel()) == {0}


sides = st.floats(1, 5)


@st.composite
def tables(draw):
    pieces = []
    for k in range(draw(st.integers(0, 8))):
        centre = draw(st.tuples(st.floats(6, 14), st.floats(6, 14)))
        layer = draw(st.sampled_from(["ground", "replacing", "cover", "elevated"]))
        shape = draw(
            st.one_of(
                st.builds(rectangle, st.just(centre), st.tuples(st.floats(1, 5), st.floats(1, 5)), st.floats(0, 90)),
                st.builds(CircleShape, st.just(centre[0]), st.just(centre[1]), st.floats(0.5, 4)),
            )
        )
        pieces.append(Piece(f"p{k}", f"kind_{k % 3}", shape, layer))
    return InchTable("t", 20, 20, pieces=tuple(pieces))


class TestLaws:
    @given(table=tables(), points=st.lists(st.tuples(st.floats(0, 20), st.floats(0, 20)), min_size=1, max_size=9))
    @settings(deadline=None, max_examples=60)
    def test_many_points_at_once_are_what_each_is_alone(self, table, points):
        codes = table.terrain_at_many(points)
        assert [table.terrain_kinds[code] for code in codes] == [table.terrain_at(point) for point in points]
        for point in points:
            stack = table.pieces_at(point)
            assert table.terrain_at(point) == (stack[0].kind if stack else "open")
            assert all(table.levels[piece.id] == piece.height for piece in stack)

    @given(table=tables())
    @settings(deadline=None, max_examples=40)
    def test_equal_content_is_an_equal_table_with_an_equal_hash(self, table):
        again = pickle.loads(pickle.dumps(table))
        assert again == table
        assert again.content_hash == table.content_hash


class TestContent:
    def test_is_the_same_on_every_machine(self):
        assert FORD.content_hash == "213662abd3a86198"

    def test_says_everything_of_a_piece(self):
        content = InchTable("t", 48, 36, pieces=(OAK, WALL, WOOD)).content()["pieces"]
        plain = {"height": 0.0, "on": "", "layer": "cover"}
        assert content == [
            plain | {"id": "oak", "kind": "individual_tree", "attributes": {"tree_cost": 1.0}, "point": [5.0, 5.0]},
            {
                "id": "wall",
                "kind": "low_obstacle",
                "layer": "obstacle",
                "height": 1.5,
                "on": "",
                "attributes": {},
                "line": [[5.0, 20.0], [15.0, 25.0]],
                "width": 1.0,
            },
            plain | {"id": "wood", "kind": "vegetation", "attributes": {}, "circle": [30.0, 20.0], "radius": 5.0},
        ]

    def test_names_and_labels_do_not_change_the_hash_but_the_table(self):
        for change in ({"name": "x"}, {"description": "x"}, {"labels": ()}):
            other = dataclasses.replace(FORD, **change)
            assert other.content_hash == FORD.content_hash
            assert other != FORD

    @pytest.mark.parametrize(
        "change",
        [
            {"width": 49},
            {"ground": "soft_ground"},
            {"unit": "centimetre"},
            {"entry_areas": ()},
            {"pieces": FORD.pieces[:-1]},
            {"pieces": FORD.pieces[::-1]},
            {"pieces": (*FORD.pieces[:-1], dataclasses.replace(GARDEN, kind="dense_vegetation"))},
            {"pieces": (*FORD.pieces[:-1], dataclasses.replace(GARDEN, attributes={"wet": True}))},
            {"pieces": (*FORD.pieces[:-1], dataclasses.replace(GARDEN, shape=CircleShape(44, 32, 1.1)))},
        ],
    )
    def test_all_else_changes_the_hash(self, change):
        assert dataclasses.replace(FORD, **change).content_hash != FORD.content_hash

    def test_where_a_ring_starts_and_which_way_it_goes_does_not_matter(self):
        corners = [(0, 10), (48, 10), (48, 14), (0, 14)]
        for ring in (corners[2:] + corners[:2], corners[::-1]):
            pieces = (dataclasses.replace(RIVER, shape=PolygonShape(ring)), *FORD.pieces[1:])
            assert dataclasses.replace(FORD, pieces=pieces) == FORD

    def test_pickling_leaves_out_what_is_worked_out(self):
        table = dataclasses.replace(FORD)
        before = len(pickle.dumps(table))
        assert table.graph.number_of_nodes() == 48 * 36
        assert len(pickle.dumps(table)) == before


class TestRefusals:
    @pytest.mark.parametrize(
        ("fields", "complaint"),
        [
            ({"width": 0}, "width: expected a size above 0 and at most 10000, not 0"),
            ({"height": math.nan}, "height: expected a size above 0 and at most 10000, not nan"),
            ({"width": 10_001}, "width: expected a size above 0 and at most 10000, not 10001"),
            ({"width": True}, "width: expected a size above 0 and at most 10000, not True"),
            ({"origin": (math.inf, 0)}, "expected two finite numbers (x, y)"),
            ({"ground": ""}, "ground: expected a kind of terrain"),
            ({"pieces": (WOOD, RIVER, WOOD)}, "pieces[2].id: 'wood' is already used by pieces[0]"),
            (
                {"pieces": (Piece("pond", "lake", box(40, 1, 9.25, 4)),)},
                "pieces[0]: 'pond' reaches 1.25 over the right edge of the table, x = 48",
            ),
            (
                {"pieces": (WOOD, Piece("pond", "lake", CircleShape(10, 2, 2.5)))},
                "pieces[1]: 'pond' reaches 0.5 over the lower edge of the table, y = 0",
            ),
            (
                {"pieces": (Piece("oak", "individual_tree", PointShape(-1, 2)),)},
                "pieces[0]: 'oak' reaches 1 over the left edge of the table, x = 0",
            ),
            (
                {"entry_areas": (EntryArea("north", "blue", ((0, 30), (5, 30), (5, 37))),)},
                "entry_areas[0]: 'north' reaches 1 over the upper edge of the table, y = 36",
            ),
            (
                {"entry_areas": FORD.entry_areas * 2},
                "entry_areas[1].name: 'south edge' is already used by entry_areas[0]",
            ),
            (
                {"pieces": (HOUSE, dataclasses.replace(LOFT, on="huose"))},
                "pieces[1].on: no piece 'huose' to stand on, did you mean 'house'?",
            ),
            (
                {"pieces": (RIVER, dataclasses.replace(LOFT, on="river"))},
                "pieces[1].on: 'river' lies in the layer ground, only elevated pieces carry",
            ),
            (
                {"pieces": (dataclasses.replace(LOFT, shape=box(44, 26, 4, 4)), HOUSE)},
                "pieces[0].on: 'loft' does not stand wholly on 'house'",
            ),
            (
                {"pieces": (dataclasses.replace(HOUSE, on="loft"), LOFT)},
                "pieces[0].on: stands on itself: house on loft on house",
            ),
            (
                {"pieces": (GARDEN, dataclasses.replace(HOUSE, on="loft"), LOFT)},
                "pieces[0].on: stands on itself: garden on house on loft on house",
            ),
        ],
    )
    def test_say_what_is_wrong_and_where(self, fields, complaint):
        with pytest.raises(BoardError) as refused:
            InchTable(**{"name": "t", "width": 48, "height": 36} | fields)
        assert str(refused.value).startswith(complaint)

    def test_touching_the_edge_is_on_the_table(self):
        InchTable("t", 48, 36, pieces=(Piece("pond", "lake", CircleShape(3, 3, 3)), RIVER))

    @pytest.mark.parametrize(
        ("carrier", "rider", "carried"),
        [
            (box(0, 0, 10, 10), box(0, 0, 10, 10), True),
            (box(0, 0, 10, 10), CircleShape(2, 2, 2), True),
            (box(0, 0, 10, 10), CircleShape(2, 2, 2.001), False),
            (box(0, 0, 10, 10), PointShape(10, 10), True),
            (box(0, 0, 10, 10), LineShape([(0, 5), (10.001, 5)]), False),
            (CircleShape(10, 10, 5), CircleShape(12, 10, 3), True),
            (CircleShape(10, 10, 5), CircleShape(12, 10, 3.001), False),
            (CircleShape(10, 10, 5), box(7, 6, 6, 8), True),
            (CircleShape(10, 10, 5), box(7, 6, 6, 8.001), False),
            (rectangle((10, 10), (6, 4), 33), rectangle((10, 10), (6, 4), 33), True),
        ],
        ids=str,
    )
    def test_a_tower_carries_what_lies_wholly_on_it(self, carrier, rider, carried):
        pieces = (tower("tower", carrier), Piece("rider", "crate", rider, "obstacle", on="tower"))
        if carried:
            assert InchTable("t", 30, 30, (-5, -5), pieces=pieces).levels["rider"] == 4.0
        else:
            with pytest.raises(BoardError, match="does not stand wholly on"):
                InchTable("t", 30, 30, (-5, -5), pieces=pieces)

    def test_no_more_pieces_than_the_limit(self):
        trees = tuple(Piece(f"t{k}", "tree", PointShape(k % 48, k // 200), "cover") for k in range(MAX_PIECES + 1))
        assert len(InchTable("t", 48, 36, pieces=trees[:-1]).pieces) == MAX_PIECES
        with pytest.raises(BoardError, match="pieces: 5001 pieces, at most 5000 fit on a table"):
            InchTable("t", 48, 36, pieces=trees)

    def test_no_more_storeys_than_the_limit(self):
        storeys = [tower("0", box(0, 0, 1, 1))]
        storeys += [tower(str(k), box(0, 0, 1, 1), on=str(k - 1)) for k in range(1, MAX_STOREYS + 1)]
        assert InchTable("t", 9, 9, pieces=tuple(storeys[:-1])).height_at((0.5, 0.5)) == 4.0 * MAX_STOREYS
        with pytest.raises(BoardError, match=f"more than {MAX_STOREYS} pieces stand on one another"):
            InchTable("t", 9, 9, pieces=tuple(storeys))

    def test_an_entry_area_wants_a_name_and_an_area(self):
        with pytest.raises(BoardError, match="name: expected a name"):
            EntryArea("", "red", ((0, 0), (1, 0), (1, 1)))
        with pytest.raises(BoardError, match="points: has no area"):
            EntryArea("north", "red", ((0, 0), (1, 0), (2, 0)))


class TestManyPieces:
    def test_a_full_table_answers_at_once(self):
        rng = np.random.default_rng(2)
        pieces = tuple(
            Piece(f"p{k}", "rubble", rectangle(centre, (2, 1), k), "modifier")
            for k, centre in enumerate(rng.uniform(3, 197, (MAX_PIECES, 2)))
        )
        table = InchTable("t", 200, 200, pieces=pieces)
        codes = table.terrain_raster(1.0).codes
        share = (codes == table.terrain_kinds.index("rubble")).mean()
        assert 0.15 < share < 0.3  # 5000 x 2 square inches on 40,000, some over others
        assert Round(0.5).at(*pieces[0].shape.shell[0]).centre in table
