"""Lengths that can be worked out by hand: tangents, arcs, contact, starts and goals in odd places."""

import math

import numpy as np
import pytest
import shapely
from exact_check import overlaps

from simulator.errors import BoardError, NoPlace
from simulator.geometry.paths import Bend, Straight
from simulator.pathing.free import Obstacles, TravelQuery, plan, plan_many, prepare, straight_reach
from simulator.pathing.free.reference import VisibilityGraph

R = 0.5
INF = math.inf


def reach(start=(0, 0), budget=9.0, *, radius=R, exact_fit=True, no_end=(), **obstacles):
    return plan(prepare(Obstacles(**obstacles), radius, exact_fit=exact_fit), start, budget, no_end=no_end)


def exactly(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)


class TestRegisterExamples:
    def test_open_table_is_a_disc(self):
        """E5: standing 3, 6, 9 inches for 1, 2, 3 AP."""
        open_table = reach(budget=9)
        assert open_table.cost_at((3, 4)) == 5
        for budget in (3, 6, 9):
            area = open_table.area(0.001, budget=budget)
            assert area.hausdorff_distance(shapely.Point(0, 0).buffer(budget, quad_segs=500)) < 0.001

    def test_round_an_enemy_base(self):
        """E11: two tangents and an arc."""
        enemy = reach(discs=[(3, 0, 0.5)])
        beyond = 2 * math.sqrt(8) + math.pi - 2 * math.acos(1 / 3)
        assert enemy.cost_at((6, 0)) == exactly(beyond)
        assert enemy.cost_at((6, 0)) == pytest.approx(6.3365, abs=5e-5)
        nearer = math.sqrt(8) + math.sqrt(3) + math.pi - math.acos(1 / 3) - math.acos(1 / 2)
        assert enemy.cost_at((5, 0)) == exactly(nearer)
        assert enemy.cost_at((5, 0)) == pytest.approx(5.4239, abs=5e-5)
        assert enemy.cost_at([(2, 0), (2.01, 0), (3.5, 0)]).tolist() == [2, INF, INF]

    def test_round_the_end_of_a_wall(self):
        """E12: two tangents of sqrt(5 - 0.25) and an arc of radius 0.5."""
        wall = reach(walls=[(2, -1, 2, 1)])
        tangent = math.sqrt(5 - 0.25)
        turned = math.pi - 2 * (math.pi / 2 - math.atan2(1, 2)) + 2 * math.asin(0.5 / math.sqrt(5))
        assert wall.cost_at((4, 0)) == exactly(2 * tangent + 0.5 * turned)
        assert wall.cost_at((4, 0)) == pytest.approx(5.0481, abs=5e-5)

    def test_friends_are_passed_and_not_ended_on(self):
        """E17: along the axis only x <= 0.5 and x >= 2.5 are ends; the rim itself is."""
        friend = reach(budget=3, no_end=[(1.5, 0, 0.5)])
        along = [(0.5, 0), (0.51, 0), (1.5, 0), (2.49, 0), (2.5, 0), (3, 0), (3.01, 0)]
        assert friend.ends(along).tolist() == [True, False, False, False, True, True, False]
        assert friend.cost_at((2.5, 0)) == exactly(2.5)
        second_lot = reach(start=(0.5, 0), budget=2, no_end=[(1.5, 0, 0.5)])
        assert (2.5, 0) in second_lot

    def test_running_is_cut_behind_an_enemy(self):
        """E18: directions within asin(1/5) of the axis are cut; straight ahead the run stops at 4."""
        run = straight_reach(prepare(Obstacles(discs=[(5, 0, 0.5)]), R), (0, 0), 9)
        limit = math.asin(1 / 5)
        for angle, free in ((limit + 1e-6, True), (limit - 1e-3, False), (-limit - 1e-6, True), (0.0, False)):
            place = 9 * math.cos(angle), 9 * math.sin(angle)
            assert (place in run) is free
        assert run.cost_at((4, 0)) == 4
        assert (8, 0) not in run
        # The disc less its sector behind the base; before the base the sector is two triangles less a sector.
        sector = limit * 81
        before_base = math.sqrt(24) - (math.pi / 2 - limit)
        assert run.area(0.001).area == pytest.approx(81 * math.pi - sector + before_base, abs=0.05)

    def test_the_edge_of_the_table(self):
        """E25: the base stays wholly on the table."""
        edge = reach(start=(1, 5), budget=2, border=(0, 0, 48, 48))
        assert edge.ends([(0.5, 5), (0.4, 5), (-1, 5)]).tolist() == [True, False, False]


class TestWays:
    def test_pieces_are_lines_and_arcs(self):
        way = reach(discs=[(3, 0, 0.5)]).route_to((6, 0))
        assert [type(piece) for piece in way.pieces] == [Straight, Bend, Straight]
        assert way.length == exactly(2 * math.sqrt(8) + math.pi - 2 * math.acos(1 / 3))
        assert way.at(0) == (0, 0)
        assert way.at(99) == (6, 0)
        assert math.dist(way.at(math.sqrt(8) + 0.1), (3, 0)) == exactly(1.0)

    def test_drawn_ways_keep_within_the_error(self):
        way = reach(discs=[(3, 0, 0.5)]).route_to((6, 0))
        drawn = shapely.LineString(way.points(error=0.001))
        assert way.length - 0.002 < drawn.length <= way.length
        assert drawn.distance(shapely.Point(3, 0)) == pytest.approx(1, abs=0.001)

    def test_to_where_one_stands(self):
        way = reach().route_to((0, 0))
        assert (way.length, way.pieces, way.at(1)) == (0, (), (0, 0))

    def test_nowhere(self):
        with pytest.raises(NoPlace, match=r"no path of at most 9 ends at \(10, 0\)"):
            reach().route_to((10, 0))


class TestGaps:
    """A gap of just the mover's width is open; touching closes, however it comes about."""

    WALL = ((2, -9, 2, -0.5), (2, 0.5, 2, 9))

    def test_an_exact_fit(self):
        assert reach(walls=self.WALL).cost_at((4, 0)) == exactly(4)
        assert reach(walls=self.WALL, exact_fit=False).cost_at((4, 0)) == INF
        wider = [(2, -9, 2, -0.501), (2, 0.501, 2, 9)]
        assert reach(walls=wider, exact_fit=False).cost_at((4, 0)) == pytest.approx(4, abs=1e-5)

    def test_an_exact_fit_between_bases(self):
        pair = [(3, 1, 0.5), (3, -1, 0.5)]
        assert reach(discs=pair).cost_at((6, 0)) == exactly(6)
        assert reach(discs=[(3, 0.999, 0.5), (3, -1, 0.5)], budget=6.1).cost_at((6, 0)) == INF

    def test_from_one_rim_onto_the_other_in_the_gap(self):
        """Through the throat where both rims touch, swinging from one round the other."""
        pair = [(3, 1, 0.5), (3, -1, 0.5)]
        way = reach(start=(2, 1), discs=pair).route_to((4, -1))
        assert way.length == exactly(math.pi)

    def test_a_corridor_of_just_the_width(self):
        corridor = [shapely.box(2, 0.5, 5, 3), shapely.box(2, -3, 5, -0.5)]
        assert reach(polygons=corridor).cost_at((7, 0)) == exactly(7)
        assert reach(polygons=corridor, exact_fit=False, budget=7.5).cost_at((7, 0)) == INF

    def test_obstacles_that_touch_leave_no_gap(self):
        squares = [shapely.box(0, 0, 1, 1), shapely.box(1, 1, 2, 2)]
        for radius in (0.0, 1e-3):
            way = reach(start=(0.5, 1.5), polygons=squares, radius=radius).cost_at((1.5, 0.5))
            assert way > 3.4
        assert reach(start=(0.5, 1.5), polygons=squares, radius=0.0).cost_at((1.5, 0.5)) == exactly(2 + math.sqrt(2))

    def test_a_wall_that_ends_at_another(self):
        tee = [(0, 0, 4, 0), (2, 0, 2, 3)]
        assert reach(start=(1, 1), walls=tee, radius=0.0).cost_at((3, 1)) == exactly(2 * math.hypot(1, 2))

    def test_a_mover_without_size_does_not_slip_along_walls(self):
        """From the corner of a closed polygon to the opposite one it goes along two sides."""
        box = reach(start=(1, 1), polygons=[shapely.box(1, -1, 2, 1)], radius=0.0)
        assert box.cost_at([(2, -1), (2, 1), (1, 0), (1.5, 0)]).tolist() == [exactly(3), 1, 1, INF]

    def test_a_mover_without_size_goes_round_bases(self):
        round_ = reach(discs=[(3, 0, 1)], radius=0.0)
        assert round_.cost_at((6, 0)) == exactly(2 * math.sqrt(8) + math.pi - 2 * math.acos(1 / 3))


class TestOddStarts:
    def test_in_contact(self):
        """Along the rim to the other side, or straight away."""
        touching = reach(start=(2, 0), discs=[(3, 0, 0.5)])
        assert touching.cost_at((4, 0)) == exactly(math.pi)
        assert touching.cost_at((0, 0)) == 2
        assert touching.cost_at((2, 3)) == 3

    def test_in_contact_to_within_a_millionth(self):
        angle = 0.3
        start = (round(3 - math.cos(angle), 6), round(math.sin(angle), 6))
        touching = reach(start=start, discs=[(3, 0, 0.5)])
        assert touching.cost_at((3 + math.cos(angle), -math.sin(angle))) == pytest.approx(math.pi, abs=2e-6)

    def test_wedged_between_two_bases(self):
        wedged = reach(start=(3, 0), discs=[(3, 1, 0.5), (3, -1, 0.5)])
        assert wedged.cost_at((5, 0)) == 2
        assert wedged.cost_at((1, 0)) == 2
        assert wedged.cost_at((3, 2)) == exactly(math.pi)
        assert wedged.ends([(3.1, 0.5), (3.0, 0.1)]).tolist() == [False, False]

    def test_in_a_corner_of_walls(self):
        corner = reach(start=(0.5, 0.5), budget=12, walls=[(0, 0, 5, 0), (0, 0, 0, 5)])
        assert corner.cost_at((3.5, 4.5)) == 5
        assert corner.cost_at((-0.5, 0.5)) == exactly(9 + 0.5 * math.pi)

    def test_on_the_border(self):
        edge = reach(start=(0.5, 0.5), border=(0, 0, 9, 9))
        assert edge.cost_at((0.5, 8.5)) == 8
        assert edge.cost_at((3.5, 4.5)) == 5

    def test_off_the_table_one_may_come_back(self):
        outside = reach(start=(-2, 3), border=(0, 0, 9, 9))
        assert outside.cost_at((1, 3)) == 3
        assert outside.cost_at((0, 3)) == INF

    def test_who_overlaps_a_base_may_leave_it_in_any_direction(self):
        inside = reach(start=(2.5, 0), discs=[(3, 0, 0.5)])
        assert inside.cost_at([(1, 0), (4, 0), (2.1, 0)]).tolist() == [1.5, 1.5, INF]
        assert inside.cost_at((2.5, 0)) == INF

    def test_who_stands_in_a_polygon_may_leave_it_but_not_enter_another(self):
        houses = [shapely.box(0, 0, 4, 4), shapely.box(6, 0, 8, 4)]
        inside = reach(start=(2, 2), polygons=houses)
        assert inside.cost_at((5, 2)) == 3
        assert inside.cost_at([(2, 3), (4.4, 2), (7, 2)]).tolist() == [INF, INF, INF]
        assert not inside.area().intersects(shapely.box(0.1, 0.1, 3.9, 3.9))

    @pytest.mark.parametrize("radius", [0.0, 0.5])
    @pytest.mark.parametrize("depth", [-1e-6, 0.0, 1e-7, 5e-7, 1e-6, 1.4e-6])
    def test_who_touches_a_polygon_stays_outside_it_however_its_place_was_rounded(self, radius, depth):
        """Places are kept to a millionth; so deep is contact, for a point as for a base, and for all who start."""
        house = shapely.box(2, -9, 4, 9)
        there = 2.0 - radius + depth
        beside = plan(prepare(Obstacles(polygons=[house]), radius), [(there, 1.0), (0.0, 0.0)], 6.0)
        assert beside.cost_at((there - 1, 1)) == pytest.approx(1, abs=1e-5)
        assert beside.cost_at([(4.6, 1), (4.6, 0), (3, 1)]).tolist() == [INF, INF, INF]
        assert not beside.area().intersects(shapely.box(2.1, -9, 5, 9))

    def test_no_room_on_the_table_at_all(self):
        tiny = reach(start=(0.4, 0.4), border=(0, 0, 0.8, 0.8))
        assert tiny.cost_at((0.4, 0.4)) == INF
        assert tiny.area().is_empty

    def test_a_budget_of_nothing(self):
        still = reach(budget=0, discs=[(3, 0, 0.5)])
        assert still.ends([(0, 0), (0.001, 0)]).tolist() == [True, False]
        assert still.area().is_empty


class TestOddObstacles:
    def test_none(self):
        assert reach().cost_at([(1, 0), (9, 0), (9.1, 0)]).tolist() == [1, 9, INF]

    def test_a_post(self):
        post = reach(walls=[(3, 0, 3, 0)])
        angle = math.pi - 2 * math.acos(0.5 / 3)
        assert post.cost_at((6, 0)) == exactly(2 * math.sqrt(8.75) + 0.5 * angle)
        assert post.area().area == pytest.approx(reach(discs=[(3, 0, 0)]).area().area, abs=0.05)

    def test_twice_the_same(self):
        twice = reach(discs=[(3, 0, 0.5)] * 2, walls=[(3, 0, 3, 1), (3, 0, 3, 1), (3, 1, 3, 0)])
        once = reach(discs=[(3, 0, 0.5)], walls=[(3, 0, 3, 1)])
        assert twice.cost_at((6, 0)) == exactly(once.cost_at((6, 0)))

    def test_nested_and_overlapping(self):
        outer = shapely.box(2, -2, 5, 2)
        alone = reach(polygons=[outer], budget=12)
        nested = reach(
            polygons=[outer, shapely.box(3, -1, 4, 1)], discs=[(3.5, 0, 0.5)], walls=[(2.5, 0, 4.5, 1)], budget=12
        )
        places = [(7, 0), (6, 3), (3, 3), (3.5, 0)]
        assert nested.cost_at(places).tolist() == [exactly(cost) for cost in alone.cost_at(places)]
        assert nested.area().equals_exact(alone.area(), 1e-6)

    def test_a_courtyard_is_shut(self):
        ring = shapely.box(0, 0, 6, 6).difference(shapely.box(1, 1, 5, 5))
        inside = reach(start=(3, 3), polygons=[ring], budget=20)
        assert inside.cost_at([(4.5, 4.5), (8, 3)]).tolist() == [exactly(math.hypot(1.5, 1.5)), INF]
        assert inside.area().area == pytest.approx(9, abs=1e-3)

    def test_a_sliver(self):
        sliver = reach(polygons=[shapely.Polygon([(2, -1), (2, 1), (2 + 2e-6, 0)])])
        wall = reach(walls=[(2, -1, 2, 1)])
        assert sliver.cost_at((4, 0)) == pytest.approx(wall.cost_at((4, 0)), abs=1e-5)

    def test_thousands_of_corners(self):
        """A circle drawn with 4000 corners is as good as a circle."""
        angles = 2 * math.pi * np.arange(4000) / 4000
        drawn = shapely.Polygon(np.stack([3 + 0.5 * np.cos(angles), 0.5 * np.sin(angles)], axis=1))
        circle = reach(discs=[(3, 0, 0.5)]).cost_at((6, 0))
        assert reach(polygons=[drawn]).cost_at((6, 0)) == pytest.approx(circle, abs=1e-5)

    def test_collinear_walls_in_pieces(self):
        pieces = [(2, y, 2, y + 0.25) for y in np.arange(-1, 1, 0.25)]
        assert reach(walls=pieces).cost_at((4, 0)) == exactly(reach(walls=[(2, -1, 2, 1)]).cost_at((4, 0)))


class TestFinelyDrawn:
    """Outlines with hundreds of corners: followed by express lines, and still every answer exact."""

    @staticmethod
    def blob(corners, seed=0, middle=(5, 0)):
        """An outline with bays and bulges."""
        dice = np.random.default_rng(seed)
        angles = 2 * math.pi * np.arange(corners) / corners
        reach = 2 + sum(dice.uniform(-0.3, 0.3) * np.cos(k * angles + dice.uniform(0, 6)) for k in range(2, 7))
        return shapely.Polygon(np.array(middle) + reach[:, None] * np.column_stack([np.cos(angles), np.sin(angles)]))

    @pytest.mark.sampled
    @pytest.mark.parametrize("radius", [0.0, 0.5])
    @pytest.mark.parametrize("seed", range(3))
    def test_ways_are_legal_and_as_long_as_is_told(self, seed, radius):
        answer = reach(polygons=[self.blob(400, seed)], discs=[(5, 3.4, 0.5)], radius=radius, budget=14)
        places = np.random.default_rng(seed).uniform((1, -5), (10, 5), (40, 2))
        for place in places[answer.ends(places)]:
            way = answer.route_to(tuple(place))
            assert overlaps(way, answer.table.obstacles, radius) == []
            assert way.length == exactly(answer.cost_at(place))

    @pytest.mark.parametrize("seed", range(3))
    def test_lengths_of_a_mover_without_size_are_those_of_the_visibility_graph(self, seed):
        obstacles = Obstacles(polygons=[self.blob(300, seed)])
        goals = np.random.default_rng(seed).uniform((6, -4), (10, 4), (12, 2))
        table = prepare(obstacles, 0.0)
        goals = goals[table.legal(goals)]
        lengths = VisibilityGraph(obstacles, 0.0, np.zeros(2), goals, budget=14).lengths()
        assert plan(table, (0, 0), 14).cost_at(goals) == pytest.approx(lengths, rel=1e-9, abs=1e-9)

    def test_both_ways_round_meet_behind(self):
        """Past the far side it is cheaper to come the other way: neither way is followed beyond."""
        angles = 2 * math.pi * np.arange(1000) / 1000
        ring = np.stack([3 + 0.5 * np.cos(angles), 0.5 * np.sin(angles)], axis=1)
        answer, circle = reach(polygons=[shapely.Polygon(ring)], budget=12), reach(discs=[(3, 0, 0.5)], budget=12)
        around = np.stack([3 + 1.3 * np.cos(angles[::20]), 1.3 * np.sin(angles[::20])], axis=1)
        assert answer.cost_at(around) == pytest.approx(circle.cost_at(around), abs=1e-4)
        labels = answer.found.labels
        arcs = labels.key % (2 * len(answer.table.arcs.circle)) >> 1
        assert np.count_nonzero(answer.table.circles.x[answer.table.arcs.circle[arcs]] < 2.8) == 0

    def test_an_area_is_that_beside_a_true_circle(self):
        angles = 2 * math.pi * np.arange(400) / 400
        ring = np.stack([3 + 0.5 * np.cos(angles), 0.5 * np.sin(angles)], axis=1)
        drawn = reach(polygons=[shapely.Polygon(ring)], budget=6).area()
        true = reach(discs=[(3, 0, 0.5)], budget=6).area()
        assert drawn.symmetric_difference(true).area < 0.05

    def test_a_start_in_contact_sees_what_it_touches(self):
        angles = 2 * math.pi * np.arange(400) / 400
        ring = np.stack([3 + 0.5 * np.cos(angles), 0.5 * np.sin(angles)], axis=1)
        touching = reach(start=(2, 0), polygons=[shapely.Polygon(ring)], budget=2)
        assert touching.area().intersection(shapely.Point(3, 0).buffer(0.98)).area < 1e-3
        assert touching.cost_at([(2, 2), (0, 0), (3, 0)]).tolist() == [2, 2, INF]


class TestOddTables:
    def test_wedged_between_a_base_and_a_wall(self):
        wedged = reach(start=(3, 0), discs=[(3, 1, 0.5)], walls=[(-5, -0.5, 9, -0.5)])
        assert wedged.cost_at([(5, 0), (1, 0)]).tolist() == [2, 2]
        assert wedged.cost_at((3, 2)) == exactly(math.pi)

    def test_on_an_edge_and_along_it(self):
        along = reach(start=(0, 0.5), walls=[(-1, 0, 4, 0)])
        assert along.cost_at((4, 0.5)) == exactly(4)
        assert along.cost_at((4, -0.5)) == exactly(4 + 0.5 * math.pi)

    def test_a_goal_just_where_a_tangent_ends(self):
        enemy = reach(discs=[(3, 0, 0.5)])
        at = 3 - 1 / 3, math.sqrt(8) / 3
        assert enemy.cost_at(at) == exactly(math.sqrt(8))
        assert [type(piece) for piece in enemy.route_to(at).pieces] == [Straight]

    def test_obstacles_that_touch_at_a_corner_and_a_base_that_fits_beside(self):
        squares = [shapely.box(2, -2, 3, 0), shapely.box(3, 0, 4, 2)]
        across = reach(start=(2, 1), polygons=squares, budget=14)
        assert across.cost_at((4, -1)) > 5
        assert overlaps(across.route_to((4, -1)), across.table.obstacles, R) == []

    def test_slivers_side_by_side(self):
        slivers = [shapely.Polygon([(2 + k, -1), (2 + k + 1e-6, 1), (2 + k - 1e-6, 1)]) for k in range(3)]
        walls = [(2 + k, -1, 2 + k, 1) for k in range(3)]
        assert reach(polygons=slivers).cost_at((5, 0)) == pytest.approx(reach(walls=walls).cost_at((5, 0)), abs=1e-4)

    def test_along_the_border_of_the_table(self):
        """A corridor of just the base's width between a house and the edge."""
        corridor = reach(start=(0.5, 0.5), polygons=[shapely.box(2, 1, 6, 8)], border=(0, 0, 9, 9))
        assert corridor.cost_at((8, 0.5)) == exactly(7.5)
        tighter = reach(start=(0.5, 0.5), polygons=[shapely.box(2, 0.999, 6, 8)], border=(0, 0, 9, 8), budget=30)
        assert tighter.cost_at((8, 0.5)) == INF


class TestTouching:
    def test_straight_ahead(self):
        enemy = reach(discs=[(3, 0, 0.5)])
        way = enemy.touching((3, 0, 0.5))
        assert (way.length, way.end) == (exactly(2), (exactly(2), exactly(0)))

    def test_behind_something(self):
        """The other base of two in a row, reached round the first."""
        row = reach(discs=[(3, 0, 0.5), (6, 0, 0.5)])
        way = row.touching((6, 0, 0.5))
        assert way.length == exactly(row.cost_at(way.end))
        assert math.dist(way.end, (6, 0)) == exactly(1)
        rim = [(6 + math.cos(angle), math.sin(angle)) for angle in np.linspace(0, 2 * math.pi, 721)]
        assert way.length <= row.cost_at(rim).min() + 1e-9
        assert way.length > row.cost_at(rim).min() - 1e-3

    def test_a_house_beyond_a_wall(self):
        beyond = reach(walls=[(2, -1, 2, 1)])
        house = shapely.box(4, -3, 5, 3)
        way = beyond.touching(house)
        assert shapely.Point(way.end).distance(house) == exactly(R)
        along = [(3.5, y) for y in np.linspace(-3, 3, 601)]
        assert way.length <= beyond.cost_at(along).min() + 1e-9
        assert way.length > beyond.cost_at(along).min() - 1e-3

    def test_where_the_rim_is_partly_taken(self):
        """The nearest places on the rim are taken by a friend: the corner between both is what is left."""
        taken = reach(discs=[(4, 0, 0.5)], no_end=[(2.5, 0, 0.5)])
        way = taken.touching((4, 0, 0.5))
        assert math.dist(way.end, (4, 0)) == pytest.approx(1, abs=1e-9)
        assert math.dist(way.end, (2.5, 0)) == pytest.approx(1, abs=1e-9)
        rim = np.array([(4 + math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 3601)])
        assert way.length == pytest.approx(taken.cost_at(rim).min(), abs=2e-3)

    def test_in_a_corner_of_two_walls(self):
        niche = reach(walls=[(4, -3, 4, 3)], no_end=[(4, 0, 1.0)])
        way = niche.touching(shapely.LineString([(4, -3), (4, 3)]))
        assert way.end[0] == exactly(3.5)
        assert math.dist(way.end, (4, 0)) == pytest.approx(1.5, abs=1e-9)

    def test_already_there(self):
        assert reach(start=(2, 0), discs=[(3, 0, 0.5)]).touching((3, 0, 0.5)).length == 0

    def test_out_of_reach(self):
        with pytest.raises(NoPlace, match="in contact with the goal"):
            reach(budget=1.9, discs=[(3, 0, 0.5)]).touching((3, 0, 0.5))

    @pytest.mark.parametrize("goal", [(1, 2), (1, 2, -1), shapely.Point()])
    def test_no_goal_at_all(self, goal):
        with pytest.raises(BoardError, match="goal"):
            reach().touching(goal)


class TestStarts:
    def test_several_with_costs_already_paid(self):
        table = prepare(Obstacles(discs=[(3, 0, 0.5)]), R)
        both = plan(table, [(0, 0), (6, 0)], 5, paid=[0, 2])
        assert both.cost_at([(1, 0), (5, 0), (6, 0), (0, 0)]).tolist() == [1, 3, 2, 0]
        assert both.route_to((5, 0)).start == (6, 0)
        assert both.area().contains(shapely.Point(8, 0))
        assert not both.area().contains(shapely.Point(9.1, 0))

    def test_what_is_already_spent_leads_nowhere(self):
        spent = plan(prepare(Obstacles(), R), [(0, 0), (9, 0)], 3, paid=[0, 4])
        assert spent.ends([(0, 0), (9, 0)]).tolist() == [True, False]

    def test_many_questions_in_one_call(self):
        table = prepare(Obstacles(discs=[(3, 0, 0.5)], walls=[(5, -2, 5, 2)]), R)
        starts = [(0, 0), (8, 1), (3, 3)]
        together = plan_many(table, [TravelQuery(start, 6.0 + at) for at, start in enumerate(starts)])
        places = np.random.default_rng(1).uniform(-2, 10, (50, 2))
        for at, (start, answer) in enumerate(zip(starts, together, strict=True)):
            alone = plan(table, start, 6.0 + at)
            assert np.array_equal(answer.cost_at(places), alone.cost_at(places))

    @pytest.mark.parametrize(
        ("starts", "paid", "budget"),
        [([], 0, 1), ((0, math.nan), 0, 1), ((0, 0), -1, 1), ((0, 0), 0, -1), ((0, 0), 0, INF)],
    )
    def test_no_question_at_all(self, starts, paid, budget):
        with pytest.raises(BoardError):
            plan(prepare(Obstacles(), R), starts, budget, paid=paid)


class TestPreparedTables:
    DISCS = ((3, 0, 0.5), (6, 2, 0.5))
    WALLS = ((4, -3, 4, -1), (5, 1, 8, 1))

    def test_the_same_content_is_prepared_once(self):
        one = prepare(Obstacles(self.DISCS, self.WALLS), R)
        assert prepare(Obstacles(self.DISCS, self.WALLS), R) is one
        assert prepare(Obstacles(self.DISCS, self.WALLS), R, exact_fit=False) is not one
        assert one.content_hash != prepare(Obstacles(self.DISCS, self.WALLS), 0.6).content_hash

    def test_a_base_that_moves_leaves_the_terrain_as_it_was(self):
        before = prepare(Obstacles(self.DISCS, self.WALLS), R)
        plan(before, (0, 0), 12)
        known = len(before.terrain.bitangents.lines.length)
        after = before.with_discs([(3.5, 0, 0.5), (6, 2, 0.5)])
        answer = plan(after, (0, 0), 12)
        assert after.terrain is before.terrain
        assert len(before.terrain.bitangents.lines.length) == known
        fresh = plan(prepare(Obstacles([(3.5, 0, 0.5), (6, 2, 0.5)], self.WALLS), R), (0, 0), 12)
        places = np.random.default_rng(2).uniform(-4, 12, (60, 2))
        assert np.array_equal(answer.cost_at(places), fresh.cost_at(places))

    def test_asking_for_more_finds_what_asking_at_once_finds(self):
        little_by_little = prepare(Obstacles(self.DISCS, [*self.WALLS, (0, 5, 1, 5)]), R)
        for budget in (2, 5, 9, 14):
            plan(little_by_little, (0, 0), budget)
        at_once = prepare(Obstacles([*self.DISCS, (40, 40, 1)], [*self.WALLS, (0, 5, 1, 5)]), R)
        places = np.random.default_rng(3).uniform(-4, 12, (60, 2))
        one, other = (plan(table, (0, 0), 14).cost_at(places) for table in (little_by_little, at_once))
        assert np.allclose(one, other, rtol=1e-12, atol=0)

    @pytest.mark.parametrize(
        ("given", "path"),
        [
            ({"discs": [(0, 0, -1)]}, r"discs\[0\]"),
            ({"discs": [(0, 0)]}, "discs"),
            ({"walls": [(0, 0, 1, 1), (0, 0, math.nan, 1)]}, r"walls\[1\]"),
            ({"walls": [("a", 0, 0, 0)]}, "walls"),
            (
                {"polygons": [shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])]},
                r"polygons\[0\]: is not a simple polygon",
            ),
            ({"polygons": [shapely.MultiPolygon()]}, r"polygons\[0\]"),
            ({"border": (3, 0, 2, 5)}, "border"),
        ],
    )
    def test_obstacles_that_can_not_be(self, given, path):
        with pytest.raises(BoardError, match=path):
            Obstacles(**given)

    def test_a_radius_that_can_not_be(self):
        with pytest.raises(BoardError, match="radius"):
            prepare(Obstacles(), -1)


def test_every_way_here_is_legal():
    """The tables above once more, all ways of a lattice through the exact check."""
    tables = [
        {"discs": [(3, 0, 0.5), (3, 1, 0.5), (4.2, -0.8, 0.75)]},
        {"walls": [(2, -9, 2, -0.5), (2, 0.5, 2, 9), (4, -1, 4, 1)], "border": (-1, -4, 8, 4)},
        {"polygons": [shapely.box(2, 0.5, 5, 3), shapely.box(2, -3, 5, -0.5)], "discs": [(6, 0, 0.5)]},
    ]
    for table in tables:
        answer = reach(**table)
        places = np.stack(np.meshgrid(np.arange(-1, 9, 0.9), np.arange(-4, 4, 0.9)), axis=-1).reshape(-1, 2)
        for place in places[answer.ends(places)]:
            way = answer.route_to(tuple(place))
            assert overlaps(way, answer.table.obstacles, R) == []
            assert way.length == exactly(answer.cost_at(place))


@pytest.mark.parametrize("deeper", [0.0, 1e-9, 5e-7, 1.4e-6])
def test_who_touches_a_wall_does_not_see_through_it(deeper):
    """A start in contact may be a hair too near, as positions are kept to a millionth."""
    area = reach((-R + deeper, 0), budget=2, walls=[(0, -3, 0, 3)]).area(0.01)
    assert area.bounds[2] == pytest.approx(-R, abs=1e-5)


class TestMoreThanTheTableTakes:
    """A budget beyond all that can be walked on a table is as good as one that is just enough, and as quick."""

    TABLE = prepare(Obstacles(discs=[(4, 3, 1)], walls=[(6, 0, 6, 5)], border=(0, 0, 10, 6)), 0.5)

    def test_the_area_is_the_whole_free_table(self):
        enough, plenty = (plan(self.TABLE, (1, 1), budget).area(0.002) for budget in (40, 1_000_000))
        assert abs(enough.area - plenty.area) < 0.01
        assert enough.symmetric_difference(plenty).area < 0.02

    def test_bands_go_as_far_as_there_are_places(self):
        bands = plan(self.TABLE, (1, 1), 1_000_000).bands()
        levels = [level for level, _ in bands]
        assert levels[-1] == 1_000_000
        assert 2 < len(levels) <= 9
        assert levels[-2] < 20
        assert all(band.area > 0 for _, band in bands[:-1])
