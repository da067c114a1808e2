"""Pieces by kinds, parts of tables, tight fits, crossings, rays: on yards of sheds, wells, hedges and ramps."""

import numpy as np
import pytest
import shapely

from simulator.geometry.outlines import first_crossings, offset_rings, places_along
from simulator.geometry.piece_groups import pieces_of_kinds
from simulator.geometry.pieces import CircleShape, LineShape, Piece, PointShape, rectangle
from simulator.geometry.rays import (
    RayPairs,
    all_across,
    along_edges,
    nearest_on,
    nearest_points,
    overlaps,
    stretch_at,
    total,
)
from simulator.geometry.standing import Standing
from simulator.geometry.table import InchTable
from simulator.geometry.table_parts import breadth_of, part_with, pieces_within
from simulator.geometry.tight_fits import lines_through_fits

YARD = InchTable(
    "Yard",
    40,
    20,
    pieces=[
        Piece("shed", "building", rectangle((5, 5), (4, 2)), "elevated", 2.0),
        Piece("well", "water", CircleShape(12, 6, 1.5)),
        Piece("hedge", "hedge", LineShape([(20, 2), (20, 9), (24, 9)])),
        Piece("brook", "water", LineShape([(30, 0), (30, 19)], width=2)),
        Piece("flag", "building", PointShape(2, 2)),
        Piece("loft", "building", rectangle((5, 5), (2, 1)), "elevated", 3.0, on="shed"),
    ],
)


class TestPiecesOfKinds:
    def test_the_group_of_the_same_kinds_is_made_once(self):
        assert pieces_of_kinds(YARD, ["building", "hedge"]) is pieces_of_kinds(YARD, ("building", "hedge"))

    def test_points_are_left_out_and_discs_have_corners(self):
        buildings, water = pieces_of_kinds(YARD, ["building"]), pieces_of_kinds(YARD, ["water"])
        assert [piece.id for piece in buildings] == ["shed", "loft"]
        assert (len(water), water[0].id, water.disc_rows.tolist()) == (2, "well", [[12, 6, 1.5]])
        assert [piece.id for piece in water.straight_sided] == ["brook"]
        assert water[0].shape.polygon.area == pytest.approx(np.pi * 1.5**2, rel=1e-3)
        assert len(water.edges) == sum(len(piece.shape.edges) for piece in water)

    def test_a_line_with_a_width_is_an_area_and_a_bare_one_is_none(self):
        both = pieces_of_kinds(YARD, ["hedge", "water"])
        assert [round(area.polygon.area, 1) for area in both.areas] == [7.1, 38.0]
        assert both.by_id["hedge"] is both[1]
        assert both.tree.query(shapely.Point(20, 5), predicate="dwithin", distance=0.1).tolist() == [1]


class TestPartsOfTables:
    @pytest.mark.parametrize("seed", range(5))
    def test_what_comes_near_is_what_is_measured_to(self, seed):
        x, y, far = np.random.default_rng(seed).uniform((0, 0, 1), (40, 20, 9)).tolist()
        near = [piece.shape.polygon.distance(shapely.Point(x, y)) <= far for piece in YARD.pieces]
        assert pieces_within(YARD, x, y, far) == np.flatnonzero(near).tolist()

    def test_a_part_has_what_its_pieces_stand_on_and_is_made_once(self):
        part = part_with(YARD, (5,))
        assert [piece.id for piece in part.pieces] == ["shed", "loft"]
        assert part_with(YARD, (5,)) is part
        assert part_with(YARD, tuple(range(6))) is YARD

    def test_nobody_crosses_a_piece_for_longer_than_its_breadth(self):
        assert breadth_of(YARD, 0) == pytest.approx(np.hypot(4, 2))


class TestTightFits:
    @pytest.mark.parametrize("turn", [0.0, 0.5, 2.2])
    def test_between_a_base_and_a_wall_the_line_leads_square_through_the_middle(self, turn):
        away = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        (one, other), (middle,) = np.array([(-3, 0), (3, 0)]) @ away, np.array([(1.0, 1.75)]) @ away
        found = lines_through_fits(
            np.array([shapely.LineString([one, other])]), np.array([[*middle, 0.75]]), (-9, -9, 9, 9), 1
        )
        ((x, y, dx, dy),) = found
        assert (x, y) == pytest.approx(tuple((np.array([1.0, 0.5]) @ away).tolist()))
        assert abs(dx * np.cos(turn) + dy * np.sin(turn)) == pytest.approx(1)

    def test_a_gap_a_hundredth_wider_or_narrower_is_none(self):
        for wide in (0.99, 1.01):
            walls = np.array([shapely.box(-4, -2, 4, 0), shapely.box(-4, wide, 4, 3)])
            assert len(lines_through_fits(walls, np.zeros((0, 3)), (-9, -9, 9, 9), 1.0)) == 0


class TestOutlines:
    @pytest.mark.parametrize("seed", range(4))
    def test_who_stands_on_an_offset_outline_touches(self, seed):
        dice = np.random.default_rng(seed)
        shape = shapely.MultiPoint(dice.uniform(0, 8, (7, 2))).convex_hull
        for ring in offset_rings(shape, 0.75):
            away = shapely.distance(shape, shapely.points(places_along(ring, dice.uniform(0, 1, 50).tolist())))
            assert away == pytest.approx(np.full(50, 0.75), abs=1e-3)

    @pytest.mark.parametrize("seed", range(4))
    def test_the_first_crossing_is_where_shapely_finds_one(self, seed):
        dice = np.random.default_rng(seed)
        edges, starts, places = dice.uniform(0, 9, (5, 4)), dice.uniform(0, 9, (6, 2)), dice.uniform(0, 9, (7, 2))
        shares = first_crossings(edges, starts, places)
        walls = shapely.union_all(shapely.linestrings(edges.reshape(-1, 2, 2)))
        for place, start in np.ndindex(7, 6):
            line = shapely.LineString([starts[start], places[place]])
            met = shapely.get_coordinates(line.intersection(walls))
            told = np.hypot(*(met - starts[start]).T).min() / line.length if len(met) else np.inf
            assert shares[place, start] == pytest.approx(told)


class TestRays:
    """Rays across a barn, a post and a bent fence; inches along them are counted from their starts."""

    THINGS = Standing.of([rectangle((6, 0), (2, 2)), LineShape([(10, -3), (10, 3), (14, 3)])])

    def test_the_nearest_point_of_a_segment_may_be_its_end(self):
        edges = np.array([[0.0, 0.0, 4.0, 0.0]] * 3)
        places = np.array([[1.0, 2.0], [-1.0, 1.0], [9.0, -1.0]])
        assert nearest_on(edges, places).tolist() == [[1, 0], [0, 0], [4, 0]]

    @pytest.mark.parametrize("radius", [0.25, 0.5, 1.0])
    def test_a_base_overlaps_from_where_it_touches_to_where_it_last_does(self, radius):
        rays = RayPairs(np.zeros((1, 2)), np.array([[1.0, 0.0]]), np.array([0, 0]), np.array([0, 1]))
        spans, inside = overlaps(rays, self.THINGS, np.array([radius]))
        assert spans.begin.tolist() == pytest.approx([5 - radius, 10 - radius])
        assert spans.end.tolist() == pytest.approx([7 + radius, 10 + radius])
        assert (inside.begin.tolist(), inside.end.tolist()) == ([5.0], [7.0])
        assert total(spans, np.array([6.0])).tolist() == pytest.approx([1 + radius])
        first, last = stretch_at(spans, np.array([6.0]))
        assert (first.tolist(), last.tolist()) == (pytest.approx([5 - radius]), pytest.approx([7 + radius]))
        assert [end.tolist() for end in stretch_at(spans, np.array([8.5]))] == [[8.5], [8.5]]

    def test_along_an_edge_it_is_measured_and_across_one_not(self):
        starts, ahead = np.array([[8.0, 3.0], [8.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
        rays = RayPairs(starts, ahead, np.arange(2), np.array([1, 1]))
        assert along_edges(rays, self.THINGS, np.array([9.0, 9.0])) == pytest.approx([4, 0], abs=1e-5)
        assert along_edges(rays, self.THINGS, np.array([3.0, 9.0])) == pytest.approx([1, 0], abs=1e-5)
        assert rays.at(np.array([2.0, 5.0])).tolist() == [[10, 3], [13, 0]]

    @pytest.mark.parametrize("seed", range(4))
    def test_the_nearest_points_are_as_near_as_the_thing(self, seed):
        places = np.random.default_rng(seed).uniform((3, -5), (16, 6), (80, 2))
        thing = np.tile([0, 1], 40)
        row, points = nearest_points(self.THINGS, thing, places)
        lines = np.array([shapely.box(5, -1, 7, 1).exterior, shapely.LineString([(10, -3), (10, 3), (14, 3)])])
        assert set(row.tolist()) == set(range(80))
        away = np.hypot(*(points - places[row]).T)
        assert away == pytest.approx(shapely.distance(lines[thing[row]], shapely.points(places[row])), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_straight_across_a_block_the_base_just_touches_it_on_both_sides(seed):
    dice = np.random.default_rng(seed)
    turned = rectangle((0, 0), (6, 1.5), float(dice.uniform(0, 360)))
    places = dice.uniform(-5, 5, (60, 2))
    away = shapely.distance(turned.polygon, shapely.points(places))
    place, thing, ways = all_across(Standing.of([turned]), places, 0.5, 1.0)
    assert set(place.tolist()) >= set(np.flatnonzero((away > 0.01) & (away < 1.49)).tolist())
    outside = away[place] > 0.5
    for row in np.flatnonzero(outside & (ways.reach > 0.51)).tolist():
        line = shapely.LineString([places[place[row]], ways.far[row]])
        assert turned.polygon.distance(shapely.Point(ways.foot[row])) == pytest.approx(0.5, abs=1e-5)
        assert turned.polygon.distance(shapely.Point(ways.far[row])) == pytest.approx(0.5, abs=1e-5)
        assert ways.depth[row] == pytest.approx(line.intersection(turned.polygon).length, abs=1e-5)
        assert not ways.is_hidden[row]
    assert set(thing.tolist()) == {0}
