"""skirmish: the lines on which traverses come down, as they are drawn from a patch of ground, worked out by hand."""

import math
import sys
from fractions import Fraction

import numpy as np
import pytest
import shapely
from skirmish_tables import block, game_with, wall

from simulator.engine.orders import Order
from simulator.geometry.pieces import Piece, PolygonShape
from simulator.pathing.links import Link, links_to
from simulator.rulesets.skirmish.any_direction.far_sides import far_sides_of
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS
from simulator.rulesets.skirmish.traverse.ends import landings
from simulator.rulesets.skirmish.traverse.jumps import Jumps, traverse_order
from simulator.rulesets.skirmish.traverse.rules import order_breaches, traverse_of

ANY = {"traverse_direction": "any_direction"}
WALL = wall((3, -2), (3, 2))
#: Before the wall, as near to it as a base may come.
BEFORE = shapely.box(0, -6, 2.5, 6)
NOWHERE = shapely.Polygon()


def jumps_of(*pieces, **said):
    """The traverses of A1 on a table."""
    table = game_with(*pieces, **said).ready_table("A1")
    return Jumps(table, table.unit("A1"))


def on(ground):
    """Which places are ends: all of some ground."""
    return lambda rows: shapely.intersects_xy(ground.buffer(1e-9), *rows.reshape(-1, 2).T)


def from_ground(jumps, ground, **said):
    """The lines of far sides from all of some ground."""
    return landings(jumps, on(ground), ground, [], **said)


def assert_drawn(found, *expected, off=0.007):
    """Compare lines, put together, with others."""
    mine = shapely.union_all([landing.line for landing in found])
    whole = shapely.union_all([shapely.LineString(line) for line in expected])
    for one, other in ((mine, whole), (whole, mine)):
        spots = shapely.points(shapely.get_coordinates(shapely.segmentize(one, 0.05)))
        assert shapely.distance(other, spots).max() <= off


def ends_of(landing):
    """The first and the last far side of a line, in order of y."""
    return sorted(landing.fars[[0, -1]][:, 1].tolist())


def check_orders(jumps, found, ground=None):
    """Each traverse of a line is one that an order says, from an end to where it is told to come down."""
    table, unit = jumps.climber.table, jumps.climber.soldier
    for jump in (jump for landing in found for jump in landing.links[:: max(len(landing.links) // 4, 1)]):
        there = unit.put(place=jump.start)
        assert ground is None or ground.distance(shapely.Point(jump.start)) < 1e-6
        assert not list(order_breaches(table, there, traverse_order(jump, "A1")))
        assert traverse_of(table, there, traverse_order(jump, "A1")).far == pytest.approx(jump.far, abs=1e-6)


class TestStraightAcross:
    """SK-18, SK-23: each point of a face leads to one place behind it, from however far."""

    def test_behind_a_wall(self):
        jumps = jumps_of(WALL)
        found = from_ground(jumps, BEFORE)
        assert_drawn(found, [(3.5, -2), (3.5, 2)])
        check_orders(jumps, found, BEFORE)
        assert {jump.chance for landing in found for jump in landing.links} == {Fraction(3, 5)}
        assert {landing.name for landing in found} == {("wall",)}

    def test_behind_a_block_and_back(self):
        """From all round it, corners too: the far sides are all round it but for the corners themselves."""
        around = shapely.box(-1, -4, 5, 5).difference(shapely.box(1, -1, 3, 2).buffer(0.5 - 1e-7))
        jumps = jumps_of(block(1, -1, 3, 2))
        found = from_ground(jumps, around)
        check_orders(jumps, found, around)
        for side in ([(3.5, -1), (3.5, 2)], [(0.5, -1), (0.5, 2)], [(1, 2.5), (3, 2.5)], [(1, -1.5), (3, -1.5)]):
            spots = shapely.points(np.linspace(*side, 21))
            assert shapely.distance(shapely.union_all([one.line for one in found]), spots).max() <= 0.007

    def test_only_from_within_an_inch(self):
        """SK-18: 1 and the radius from the wall."""
        for x, count in ((1.51, 1), (1.49, 0)):
            strip = shapely.box(0, -1, x, 1)
            assert len(from_ground(jumps_of(wall((3, -9), (3, 9))), strip)) == count

    @pytest.mark.parametrize(("height", "count"), [(4, 1), (4.1, 0)])
    def test_what_is_too_high_has_none(self, height, count):
        """SK-20."""
        assert len(from_ground(jumps_of(wall((3, -9), (3, 9), height=height)), shapely.box(2, -1, 2.5, 1))) == count

    def test_lines_end_where_ends_do(self):
        (landing,) = from_ground(jumps_of(wall((3, -9), (3, 9))), shapely.box(2, -0.3217, 2.4, 0.7123))
        assert ends_of(landing) == pytest.approx([-0.3217, 0.7123], abs=2e-4)

    def test_lines_break_at_friends(self):
        """SK-24, SK-56: nobody comes down nearer than 1 inch to a friend 0.6 behind the line."""
        jumps = jumps_of(wall((3, -9), (3, 9)), others=(("A2", "red", (4.1, 0.25)),))
        found = from_ground(jumps, shapely.box(2, -2, 2.4, 2))
        one, other = sorted(map(ends_of, found))
        assert one == pytest.approx([-2, 0.25 - 0.8], abs=2e-4)
        assert other == pytest.approx([0.25 + 0.8, 2], abs=2e-4)

    @pytest.mark.parametrize("x", [2.31, 1.61])
    def test_of_a_narrow_strip_too(self, x):
        """A strip too narrow to be hit by chance, however far from the wall."""
        strip = shapely.box(x, -1, x + 0.02, 1)
        jumps = jumps_of(wall((3, -9), (3, 9)))
        (landing,) = from_ground(jumps, strip)
        assert ends_of(landing) == pytest.approx([-1, 1], abs=2e-4)
        assert {round(jump.start[0], 6) for jump in landing.links} == {round(x + 0.01, 6)}
        check_orders(jumps, [landing], strip)

    def test_from_both_sides(self):
        found = from_ground(jumps_of(WALL), shapely.box(2, -1, 2.4, 1).union(shapely.box(3.6, 0, 4, 1)))
        assert sorted((landing.fars[0, 0].item(), *ends_of(landing)) for landing in found) == [
            pytest.approx((2.5, 0, 1), abs=2e-4),
            pytest.approx((3.5, -1, 1), abs=2e-4),
        ]

    @pytest.mark.parametrize("turn", [(1, 0), (0.6, 0.8), (0, -1)])
    def test_behind_a_step_the_line_leaps(self, turn):
        """Behind the low part at 4.5; from half an inch before the step behind its corner (5, 0), round it."""

        def laid(x, y):
            return turn[0] * x - turn[1] * y - 7, turn[1] * x + turn[0] * y + 5

        def back(fars):
            (x, y), (along, across) = (fars - (-7, 5)).T, turn
            return along * x + across * y, along * y - across * x

        step = PolygonShape([laid(*corner) for corner in ((3, -5), (4, -5), (4, 0), (5, 0), (5, 5), (3, 5))])
        ground = shapely.Polygon([laid(*corner) for corner in ((2, -2), (2.4, -2), (2.4, 1), (2, 1))])
        found = from_ground(jumps_of(Piece("house", "obstacle", step, "obstacle", 1.0), at=laid(0, 0)), ground)
        low, high = sorted((back(landing.fars) for landing in found), key=lambda places: places[0].min())
        assert low[0] == pytest.approx(4.5, abs=1e-6)
        assert (low[1].min(), low[1].max()) == pytest.approx((-2, -0.5), abs=2e-4)
        assert (high[1].min(), high[1].max()) == pytest.approx((-0.5, 1), abs=2e-4)
        assert high[0] == pytest.approx(5 + np.sqrt(np.maximum(0.25 - np.minimum(high[1], 0) ** 2, 0)), abs=1e-6)
        line = shapely.LineString(np.column_stack(high))
        for angle in np.linspace(0.02, 1.55, 60):
            assert line.distance(shapely.Point(5 + 0.5 * math.cos(angle), -0.5 * math.sin(angle))) < 0.006

    @pytest.mark.sampled
    @pytest.mark.parametrize("left", np.linspace(-2.1, -2.0, 12, endpoint=False).round(4).tolist())
    def test_over_a_wall_lengthwise_the_line_folds(self, left):
        """Along one arm of an angle, from where one came down beside its other arm: past the corner it turns back."""
        jumps = jumps_of(wall((0, 5), (0, 0), (6, 0)), wall((left, -1.1), (7, -1.1), name="low"))
        first = from_ground(jumps, shapely.box(-4, -4, 9, -1.6))
        lines = shapely.union_all([landing.line for landing in from_ground(jumps, NOWHERE, before=first)])
        rows = [(x, -0.6) for x in np.concatenate([np.arange(-0.05, 0.05, 0.0005), np.arange(-2, 0.4, 0.01)]).tolist()]
        told = [jump.far for there in jumps.from_places(rows) for jump in there if jump.over == ("wall",)]
        assert len(told) > 200
        assert shapely.distance(lines, shapely.points(told)).max() <= TOLERANCE_OF_AREAS

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(12))
    def test_wherever_one_begins_one_comes_down_on_a_line(self, seed):
        """Bent walls, all ground around them: near corners far sides leap, fold and run away."""
        rng = np.random.default_rng(seed)
        steps = rng.uniform(-4, 4, (5, 2)).round(1)
        bent = np.cumsum(steps, axis=0) - steps.sum(axis=0) / 2
        pieces = [wall(*map(tuple, bent[:3].tolist())), wall(*map(tuple, (bent[3:] + 3).tolist()), name="other")]
        around = shapely.difference(
            shapely.box(-12, -12, 12, 12),
            shapely.union_all([piece.shape.polygon for piece in pieces]).buffer(0.5 + 1e-7),
        )
        jumps = jumps_of(*pieces)
        lines = shapely.union_all([landing.line for landing in from_ground(jumps, around)])
        spots = shapely.points(rng.uniform(-12, 12, (40_000, 2)))
        near = spots[
            shapely.contains(around, spots)
            & (shapely.distance(spots, shapely.union_all([p.shape.polygon for p in pieces])) < 1.5)
        ]
        told = [
            jump.far
            for there in jumps.from_places(list(map(tuple, shapely.get_coordinates(near).tolist())))
            for jump in there
        ]
        assert len(told) > 500
        assert shapely.distance(lines, shapely.points(told)).max() <= TOLERANCE_OF_AREAS

    def test_two_gaps_between_the_same_two(self):
        """SK-48: each is told by its throat."""
        comb = PolygonShape([(0, 0), (6, 0), (6, 2), (4, 2), (4, 1), (2, 1), (2, 2), (0, 2)])
        beam = PolygonShape([(0, 5), (0, 2.6), (2, 2.6), (2, 3.6), (4, 3.6), (4, 2.6), (6, 2.6), (6, 5)])
        pieces = [Piece(name, "obstacle", shape, "obstacle", 9) for name, shape in (("comb", comb), ("beam", beam))]
        found = from_ground(jumps_of(*pieces, at=(3, 2.3)), shapely.box(2.9, 2.2, 3.1, 2.4))
        assert sorted((landing.name, landing.links[0].far) for landing in found) == [
            (("comb", "beam", 0), pytest.approx((-0.4, 2.3))),
            (("comb", "beam", 1), pytest.approx((6.4, 2.3))),
        ]

    def test_half_way_between_two_arms(self):
        """From all along there both are equally near: two lines, looked for no closer than any others."""
        jumps = jumps_of(wall((0, 1), (8, 1), (8, -1), (0, -1), name="bow"))
        middle = shapely.LineString([(0.5, 0), (6.5, 0)]).buffer(1e-3, cap_style="flat")
        found = from_ground(jumps, middle)
        assert_drawn([one for one in found if len(one.links) > 1], [(0.5, 1.5), (6.5, 1.5)], [(0.5, -1.5), (6.5, -1.5)])
        assert sum(len(row.seen) for row in {landing.traced for landing in found}) < 1500

    def test_through_a_gap(self):
        """SK-50: from all over there one place behind it."""
        walls = wall((3, 0.4), (3, 9), name="one", height=9), wall((3, -9), (3, -0.4), name="other", height=9)
        found = from_ground(jumps_of(*walls), shapely.box(1.5, -1, 2.5, 1))
        assert [(landing.name, len(landing.links)) for landing in found] == [(("one", "other"), 1)]
        assert found[0].links[0].far == pytest.approx((3.3, 0))
        assert found[0].line.geom_type == "Point"

    def test_from_single_places(self):
        """Without any ground: from the places that stand alone."""
        jumps = jumps_of(WALL)
        found = landings(jumps, on(NOWHERE), NOWHERE, [(2, 1), (2, -0.5), (0, 0)])
        assert [landing.fars.tolist() for landing in found] == [[[3.5, 1]], [[3.5, -0.5]]]
        assert [landing.links[0].start for landing in found] == [(2, 1), (2, -0.5)]

    def test_from_where_one_came_down(self):
        """SK-26: over one wall to the next, and back."""
        jumps = jumps_of(wall((3, -2), (3, 2), name="first"), wall((4.2, -9), (4.2, 9), height=2.5, name="second"))
        (first,) = [one for one in from_ground(jumps, BEFORE) if one.name == ("first",)]
        low, high = sorted(first.line.bounds[1::2])
        found = landings(jumps, on(NOWHERE), NOWHERE, [], [first])
        by_name = {landing.name: landing for landing in found}
        assert set(by_name) == {("first",), ("second",)}
        assert_drawn([by_name["first",]], [(2.5, low), (2.5, high)])
        assert_drawn([by_name["second",]], [(4.7, low), (4.7, high)])
        assert {jump.chance for jump in by_name["second",].links} == {Fraction(2, 5)}
        check_orders(jumps, found, first.line)


class TestOneFarSide:
    """SK-23: for any place on a line the traverse that comes down just there."""

    def test_on_a_line(self):
        jumps = jumps_of(WALL)
        (landing,) = from_ground(jumps, shapely.box(2, -1, 2.4, 1))
        wanted = [(landing, (3.5, y)) for y in (-1, -0.777, 0.0123, 0.9999, 1)]
        for (_, place), jump in zip(wanted, links_to(jumps, wanted), strict=True):
            assert jump.far == pytest.approx(place, abs=1e-6)
            assert jump.start[1] == pytest.approx(place[1], abs=1e-6)

    @pytest.mark.parametrize("turn", [(0.6, 0.8), (-0.8, 0.6), (0, -1), (-1, 0)])
    def test_on_a_table_that_lies_anyhow(self, turn):
        """Turned and moved, from all of a patch before a wall and past its end."""

        def laid(x, y):
            return turn[0] * x - turn[1] * y - 7, turn[1] * x + turn[0] * y + 5

        jumps = jumps_of(wall(laid(3, -2), laid(3, 2)), at=laid(0, 0))
        patch = shapely.Polygon([laid(2, -1), laid(2.4, -1), laid(2.4, 3.2), laid(2, 3.2)])
        found = from_ground(jumps, patch)
        assert_drawn(found, [laid(3.5, -1), laid(3.5, 2)])
        check_orders(jumps, found, patch)
        for y in (-0.987, 0.1234, 1.9, 1.99):
            near = [(one, laid(3.5, y)) for one in found if one.line.distance(shapely.Point(laid(3.5, y))) < 1e-3]
            assert any(jump and jump.far == pytest.approx(laid(3.5, y), abs=1e-6) for jump in links_to(jumps, near))

    def test_on_a_curve(self):
        """Round the corner of a step: the place itself, not the straight line between two neighbours."""
        step = PolygonShape([(3, -5), (4, -5), (4, 0), (5, 0), (5, 5), (3, 5)])
        jumps = jumps_of(Piece("house", "obstacle", step, "obstacle", 1.0))
        found = from_ground(jumps, shapely.box(2, -2, 2.4, 1))
        high = max(found, key=lambda landing: landing.fars[0, 0])
        for angle in (0.31, 0.77, 1.23):
            place = 5 + 0.5 * math.cos(angle), -0.5 * math.sin(angle)
            (jump,) = links_to(jumps, [(high, place)])
            assert jump.far == pytest.approx(place, abs=1e-6)
            inside = 5 + 0.499 * math.cos(angle), -0.499 * math.sin(angle)
            assert links_to(jumps, [(high, inside)]) == [None]

    def test_beside_it_is_none(self):
        jumps = jumps_of(WALL)
        (landing,) = from_ground(jumps, shapely.box(2, -1, 2.4, 1))
        wanted = [(landing, place) for place in ((3.5, 1.01), (3.5, -1.01), (3.501, 0), (4, 0), (2, 0))]
        assert links_to(jumps, wanted) == [None] * len(wanted)

    @pytest.mark.parametrize("turn", [(1, 0), (0.6, 0.8), (0, -1)])
    def test_round_a_corner_far_sides_run_away(self, turn):
        """Past the end of a wall aslant: from 1.2 before its end, under an angle a, to 2 - 0.5 tan a behind it."""

        def laid(x, y):
            return turn[0] * x - turn[1] * y - 7, turn[1] * x + turn[0] * y + 5

        jumps = jumps_of(wall(laid(3, -2), laid(3, 2)), at=laid(0, 0))
        angles = np.radians(np.linspace(15, 65, 60))
        rim = [
            laid(3 - d * math.cos(a), 2 + d * math.sin(a))
            for d, some in ((1.21, angles), (1.19, angles[::-1]))
            for a in some
        ]
        found = from_ground(jumps, shapely.Polygon(rim))
        for degrees in (20, 35, 50, 60):
            place = laid(3.5, 2 - 0.5 * math.tan(math.radians(degrees)))
            near = [(landing, place) for landing in found if landing.line.distance(shapely.Point(place)) < 1e-3]
            (jump, *_) = [jump for jump in links_to(jumps, near) if jump]
            assert jump.far == pytest.approx(place, abs=1e-6)
            start = laid(3 - 1.2 * math.cos(math.radians(degrees)), 2 + 1.2 * math.sin(math.radians(degrees)))
            assert jump.start == pytest.approx(start, abs=0.02)
        # It is one line, though neighbours on it come down much farther apart than they begin.
        assert max(landing.line.length for landing in found) > 0.5 * (
            math.tan(math.radians(60)) - math.tan(math.radians(20))
        )

    def test_where_it_is_known_already(self):
        jumps = jumps_of(WALL)
        (landing,) = from_ground(jumps, shapely.box(2, -1, 2.4, 1))
        for jump in landing.links:
            assert links_to(jumps, [(landing, jump.far)]) == [jump]

    def test_on_a_single_place(self):
        """SK-50: that to which a gap leads."""
        walls = wall((3, 0.4), (3, 9), name="one", height=9), wall((3, -9), (3, -0.4), name="other", height=9)
        jumps = jumps_of(*walls)
        (landing,) = from_ground(jumps, shapely.box(1.5, -1, 2.5, 1))
        assert links_to(jumps, [(landing, (3.3, 0)), (landing, (3.3, 0.1))]) == [landing.links[0], None]

    def test_after_another(self):
        jumps = jumps_of(wall((3, -2), (3, 2), name="first"), wall((4.2, -9), (4.2, 9), name="second"))
        (first,) = [one for one in from_ground(jumps, shapely.box(2, -1, 2.4, 1)) if one.name == ("first",)]
        (second,) = [one for one in landings(jumps, on(NOWHERE), NOWHERE, [], [first]) if one.name == ("second",)]
        (jump,) = links_to(jumps, [(second, (4.7, 0.321))])
        assert (jump.start, jump.far) == (pytest.approx((3.5, 0.321), abs=1e-6), pytest.approx((4.7, 0.321), abs=1e-6))


class TestInAnyDirection:
    """SK-23, option traverse_direction: far sides lie on the shore, the outline grown by the base's radius."""

    def test_from_one_place(self):
        """From 1 inch before a long wall 1.5 inches aslant: 1.5 tan(acos(1 / 1.5)) to either side."""
        jumps = jumps_of(wall((3, -9), (3, 9)), options=ANY)
        (found,) = landings(jumps, on(NOWHERE), NOWHERE, [], more=far_sides_of(jumps, np.array([[2.0, 0.0]])))
        most = 1.5 * math.sqrt(1.5**2 - 1)
        assert ends_of(found) == pytest.approx([-most, most], abs=2e-4)
        assert np.ptp(found.fars[:, 0]) == pytest.approx(0, abs=1e-6)
        check_orders(jumps, [found])
        (jump,) = links_to(jumps, [(found, (3.5, 1.234))])
        assert jump.towards == pytest.approx((3, 1.234 / 1.5))
        assert links_to(jumps, [(found, (3.5, most + 0.01)), (found, (3.6, 0))]) == [None, None]

    @pytest.mark.sampled
    @pytest.mark.parametrize("turn", [(1, 0), (0.6, 0.8)])
    def test_where_the_ways_to_a_shore_meet_the_obstacle(self, turn):
        """From all starts to all places, up to 1.5 inches: where the straight line first meets it, nearest first."""

        def laid(x, y):
            return turn[0] * x - turn[1] * y, turn[1] * x + turn[0] * y

        hook = shapely.Polygon([laid(*corner) for corner in ((3, 0), (6, 0), (6, 3), (5, 3), (5, 1), (3, 1))])
        house = Piece("house", "obstacle", PolygonShape(list(hook.exterior.coords)[:-1]), "obstacle", 1.0)
        jumps = jumps_of(house, at=laid(0, 0), options=ANY)
        grid = [laid(0.25 * x, 0.25 * y) for x in range(6, 31) for y in range(-6, 19)]
        starts = np.array([place for place in grid if 0.5 <= hook.distance(shapely.Point(place)) <= 1.5])
        (shore,) = far_sides_of(jumps, starts)
        places = shore.places_at(np.linspace(0, 1, 120, endpoint=False).tolist())
        tries = shore.tries_at(places)
        assert len(places) * len(shore.starts) > 20_000
        found = {
            (number, *start): aim
            for number, start, aim in zip(tries.place.tolist(), tries.starts.tolist(), tries.aims.tolist(), strict=True)
        }
        away = np.hypot(*(tries.aims - tries.starts).T)
        assert np.all(np.diff(tries.place + away / 10) > -1e-12)
        seen = 0
        for number, place in enumerate(places.tolist()):
            for start in shore.starts.tolist():
                line = shapely.LineString([start, place])
                met = shapely.intersection(hook.boundary, line)
                if met.is_empty and hook.boundary.distance(line) < 1e-6:
                    continue  # it grazes a corner
                length = shapely.distance(met, shapely.Point(start)) if not met.is_empty else 9.0
                aim = found.get((number, *start))
                if abs(length - 1.5) > 1e-5:
                    assert (aim is not None) == (length <= 1.5)
                if aim is not None:
                    seen += 1
                    assert math.dist(aim, start) == pytest.approx(length, abs=1e-6)
                    assert hook.boundary.distance(shapely.Point(aim)) < 1e-6
        assert seen > 1000

    def test_the_most_direct_way_is_taken(self):
        jumps = jumps_of(wall((3, -9), (3, 9)), options=ANY)
        starts = np.array([[2.0, -0.9], [2.0, 0.1], [2.0, 0.9]])
        (shore,) = far_sides_of(jumps, starts)
        (found,) = landings(jumps, on(NOWHERE), NOWHERE, [], more=[shore])
        wanted = [(3.5, 0.11), (3.5, -0.55), (3.5, 1.2)]
        told = links_to(jumps, [(found, place) for place in wanted])
        assert [jump.start for jump in told] == [(2, 0.1), (2, -0.9), (2, 0.9)]

    @pytest.mark.parametrize("count", [2, 5, 40])
    def test_where_the_most_direct_ways_are_barred_others_are_tried(self, count):
        """SK-24: an enemy bars the way of all who are near the place, however many; one from aside comes there."""
        starts = np.array([[1.9, y] for y in np.linspace(-0.1, 0.1, count)] + [[1.9, 0.8]])
        others = (("B1", "blue", (2.2, -0.85)),)
        jumps = jumps_of(wall((3, -9), (3, 9)), options=ANY, others=others)
        (shore,) = far_sides_of(jumps, starts)
        (found,) = landings(jumps, on(NOWHERE), NOWHERE, [], more=[shore])
        check_orders(jumps, [found])
        (jump,) = links_to(jumps, [(found, (3.5, 0.2))])
        assert jump.start == (1.9, 0.8)

    @pytest.mark.parametrize(("x", "height", "count"), [(1.5, 1, 1), (1.49, 1, 0), (1.5, 4.1, 0)])
    def test_which_obstacles_have_shores(self, x, height, count):
        """SK-18, SK-20: within an inch, and low enough."""
        jumps = jumps_of(wall((3, -9), (3, 9), height=height), options=ANY)
        assert len(list(far_sides_of(jumps, np.array([[x, 0.0]])))) == count

    def test_a_courtyard_has_a_shore_inside(self):
        ring = wall((0, 0), (6, 0), (6, 6), (0, 6), (0, 0))
        jumps = jumps_of(ring, at=(3, 3), options=ANY)
        outside, inside = sorted((shore.length for shore in far_sides_of(jumps, np.array([[1.0, 3.0]]))), reverse=True)
        assert (outside, inside) == (pytest.approx(24 + math.pi, abs=1e-2), pytest.approx(20, abs=1e-2))


class TestOrders:
    """SK-18, SK-48: what is said to traverse."""

    @pytest.mark.parametrize(
        ("over", "towards", "args"),
        [
            (("wall",), None, {"obstacle": "wall"}),
            (("one", "other"), None, {"obstacle": "one", "other": "other"}),
            (("wall",), (1.0, 2.0), {"obstacle": "wall", "towards": (1.0, 2.0)}),
        ],
    )
    def test_the_order(self, over, towards, args):
        order = traverse_order(Link((0, 0), over, (1, 0), (2, 0), Fraction(1), towards), "A1")
        assert order == Order("A1", "traverse", args=args)

    def test_chances(self):
        """SK-20, SK-58: by height, with the soldier's INS; over 4 inches none."""
        pieces = [wall((x, -9), (x, 9), height=h, name=f"w{h}") for x, h in ((3, 1), (5, 2), (7, 3), (9, 4), (11, 5))]
        jumps = jumps_of(*pieces, me={"ins": 5})
        found = [jumps.from_place((x - 0.5, 0)) for x in (3, 5, 7, 9, 11)]
        told = [[jump.chance for jump in some if jump.far[0] > jump.start[0]] for some in found]
        assert told == [[Fraction(7, 10)], [Fraction(1, 2)], [Fraction(3, 10)], [Fraction(1, 10)], []]
        assert jumps.chances[-1] == 0

    def test_each_place_is_asked_about_once(self):
        jumps = jumps_of(WALL)
        one, other, again = jumps.from_places([(2, 0), (2, 1), (2, 0)])
        assert one is again
        assert one is jumps.from_place((2, 0))
        assert (one[0].far, other[0].far) == ((3.5, 0), (3.5, 1))


@pytest.mark.sampled(dear=[f"pieces{number}-100000" for number in range(3)])
@pytest.mark.parametrize("together", [1, 5, 64, 100_000])
@pytest.mark.parametrize(
    "pieces",
    [
        (WALL,),
        (block(3, -2, 4, 2), wall((5, -3), (6, 1))),
        (wall((3, -2), (3, 0), (4, 2)), wall((3, 3), (6, 3), name="other")),
    ],
)
def test_how_many_places_are_looked_at_together_makes_no_difference(monkeypatch, pieces, together):
    def lines():
        jumps, ground = jumps_of(*pieces), shapely.box(-1, -3.3, 2.5, 3.3)
        first = from_ground(jumps, ground)
        return [(landing.links, landing.shares) for landing in (*first, *from_ground(jumps, NOWHERE, before=first))]

    usual = lines()
    monkeypatch.setattr(sys.modules["simulator.pathing.links.follow"], "_TOGETHER", together)
    assert usual == lines() != []
