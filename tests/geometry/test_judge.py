"""The judge of ways for every kind of base: closed forms worked out by hand, poses one by one, and laws."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from judged_ways import BASES, HOOK, depth_at, pose, random_piece, random_things
from measured import distances_to_shape

from simulator.errors import BoardError
from simulator.geometry.footprints import Oval, PolygonBase, Rectangle, Round
from simulator.geometry.path_judge import Standing, first_contacts, first_off, lengths_over, stretches_over
from simulator.geometry.paths import Bend, Paths, Straight, Turn
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, PolygonShape, rectangle

MOTIONS = ("straight", "arc", "turn")
WALL = LineShape([(3, -50), (3, 50)])
INF = math.inf


def judged(base, piece, *things, tolerance=1e-6):
    """The share of one piece after which a base overlaps, None if nowhere."""
    found = first_contacts(Paths.of_pieces([[piece]]), base, Standing.of(things), tolerance)
    return None if found.which[0] < 0 else float(found.share[0])


def close(value):
    return pytest.approx(value, abs=2e-7)


# -- closed forms -----------------------------------------------------------------------------------------------


class TestStraight:
    @pytest.mark.parametrize("heading", [0, 30, 45, 90, 200])
    def test_what_reaches_ahead_meets_a_wall_first(self, heading):
        cos, sin = abs(math.cos(math.radians(heading))), abs(math.sin(math.radians(heading)))
        ahead = {Rectangle(2, 1): cos + 0.5 * sin, Oval(2, 1): math.hypot(cos, 0.5 * sin), Round(0.7): 0.7}
        for base, reach in ahead.items():
            assert judged(base, Straight((0, 0), (4, 0), heading), WALL) == close((3 - reach) / 4)

    def test_a_rectangle_meets_a_disc_with_its_side_or_its_corner(self):
        disc = Round(0.5).at(4, 0)
        assert judged(Rectangle(2, 2), Straight((0, 0), (4, 0)), disc) == close(2.5 / 4)
        lifted = Straight((0, -1.3), (4, -1.3))
        # Its upper corner (1, 1) passes 0.3 below the middle of the disc.
        assert judged(Rectangle(2, 2), lifted, disc) == close((4 - 1 - math.sqrt(0.25 - 0.09)) / 4)

    def test_an_oval_meets_a_disc_and_an_oval_end_on(self):
        way = Straight((0, 0), (8, 0))
        assert judged(Oval(2, 1), way, Round(0.5).at(6, 0)) == close(4.5 / 8)
        assert judged(Oval(2, 1), way, Oval(3, 1).at(6, 0)) == close(3.5 / 8)
        assert judged(Oval(2, 1), replace(way, heading=90), Oval(3, 1).at(6, 0, 90)) == close(5 / 8)

    def test_touching_all_along_is_legal(self):
        for base in (Rectangle(2, 1), Oval(2, 1), Round(0.5), PolygonBase([(-1, -0.5), (1, -0.5), (0, 0.5)])):
            for thing in (LineShape([(-9, 0), (9, 0)]), rectangle((0, -1), (20, 2))):
                assert judged(base, Straight((-5, 0.5), (5, 0.5)), thing) is None
                assert judged(base, Straight((-5, 0.5 - 1e-5), (5, 0.5 - 1e-5)), thing) == 0.0

    def test_just_fitting_between_two(self):
        walls = [rectangle((0, 2), (4, 2)), rectangle((0, -2), (4, 2))]
        assert judged(Rectangle(3, 2), Straight((-6, 0), (6, 0)), *walls) is None
        assert judged(Rectangle(3, 2.001), Straight((-6, 0), (6, 0)), *walls) == close((6 - 2 - 1.5) / 12)
        assert judged(Oval(3, 2), Straight((-6, 0), (6, 0)), *walls) is None

    def test_a_wall_along_a_seam_of_a_base_is_found(self):
        """The hook is cut in two along y = -0.6: a wall that runs in just there is on the border of both halves."""
        wall = LineShape([(4, -0.6), (5, -0.6)])
        assert judged(HOOK, Straight((0, 0), (6, 0)), wall) == close(3 / 6)
        for heading in (0, 37, 90):
            cos, sin = math.cos(math.radians(heading)), math.sin(math.radians(heading))
            for y in (-0.6, -0.7, 0.0):
                ends = [(4 * cos - y * sin, 4 * sin + y * cos), (9 * cos - y * sin, 9 * sin + y * cos)]
                found = judged(HOOK, Straight((0, 0), (6 * cos, 6 * sin), heading), LineShape(ends))
                assert found == pytest.approx(3 / 6, abs=3e-6)


class TestArcs:
    def test_an_oval_keeps_its_heading_and_meets_a_wall(self):
        """On a quarter circle of radius 4 about (0, 0) from (0, -4): x = 4 sin(angle) reaches 3 - 1."""
        quarter = Bend((0, 0), 4, -math.pi / 2, math.pi / 2)
        assert judged(Oval(2, 1), quarter, WALL) == close(math.asin(0.5) / (math.pi / 2))
        assert judged(Rectangle(2, 1), quarter, WALL) == close(math.asin(0.5) / (math.pi / 2))
        assert judged(Oval(2, 1), replace(quarter, heading=90), WALL) == close(math.asin(2.5 / 4) / (math.pi / 2))

    def test_an_arc_within_reach_of_nothing(self):
        for base in BASES.values():
            assert judged(base, Bend((0, 0), 1.0, 0, 6.2), WALL, Round(0.5).at(9, 9), Oval(2, 1).at(-9, 0)) is None

    def test_an_arc_around_a_disc_touches_it_all_the_way(self):
        assert judged(Round(0.5), Bend((3, 0), 1.0, 0, 6), Round(0.5).at(3, 0)) is None
        assert judged(Round(0.51), Bend((3, 0), 1.0, 0, 6), Round(0.5).at(3, 0)) == 0.0

    def test_an_arc_around_the_corner_of_a_piece(self):
        """From beside one side to beside the other, the base on the corner all the way."""
        house = rectangle((1, 1), (2, 2))
        assert judged(Round(0.5), Bend((0, 0), 0.5, -math.pi / 2, -math.pi / 2), house) is None
        assert judged(Round(0.5), Bend((0, 0), 0.5, -math.pi / 2, -math.pi / 2 - 0.1), house) == close(
            math.pi / 2 / (math.pi / 2 + 0.1)
        )

    def test_more_than_one_round(self):
        post = PointShape(0, 2.2)
        begin = math.pi  # a quarter turn left is 3 pi / 2: the top is passed after three quarters
        found = judged(Round(0.5), Bend((0, 0), 2.0, begin, 4 * math.pi), post, tolerance=1e-9)
        cosine = (4 + 2.2**2 - 0.25) / (2 * 2 * 2.2)
        assert found == pytest.approx((1.5 * math.pi - math.acos(cosine)) / (4 * math.pi), abs=1e-6)
        over = stretches_over(
            Paths.of_pieces([[Bend((0, 0), 2.0, begin, 4 * math.pi)]]), Standing.of([post]), Round(0.5)
        )
        assert over.end - over.begin == close([4 * math.acos(cosine)] * 2)


class TestTurns:
    def test_a_rectangle_turns_its_corner_into_a_wall(self):
        wall = LineShape([(-9, 1.5), (9, 1.5)])
        reach, lead = math.hypot(2, 0.5), math.atan2(0.5, 2)
        assert judged(Rectangle(4, 1), Turn((0, 0), 0, 90), wall) == close(
            math.degrees(math.asin(1.5 / reach) - lead) / 90
        )
        assert judged(Rectangle(4, 1), Turn((0, 0), 0, -90), wall) == close(
            math.degrees(math.asin(1.5 / reach) - lead) / 90
        )
        assert judged(Rectangle(4, 1), Turn((0, 0), 0, 20), wall) is None

    def test_an_oval_turns_into_a_wall_and_into_a_post(self):
        """It reaches sqrt(4 sin**2 + 0.25 cos**2) up."""
        up = math.degrees(math.asin(math.sqrt((1.5**2 - 0.25) / (4 - 0.25))))
        assert judged(Oval(4, 1), Turn((0, 0), 0, 90), LineShape([(-9, 1.5), (9, 1.5)])) == close(up / 90)
        # A post at (0, 1) is on the ellipse where (sin / 2)**2 + (cos / 0.5)**2 = 1.
        turned = math.degrees(math.acos(math.sqrt((1 - 0.25) / (4 - 0.25))))
        assert judged(Oval(4, 1), Turn((0, 0), 0, 90), PointShape(0, 1)) == close(turned / 90)

    def test_who_is_round_may_turn_anywhere(self):
        assert judged(Round(0.5), Turn((2.5, 0), 0, 360), WALL) is None
        assert judged(Oval(1, 1), Turn((2.5, 0), 0, 360), WALL) is None
        assert judged(Round(0.6), Turn((2.5, 0), 0, 360), WALL) == 0.0

    def test_a_square_on_a_wall_can_not_turn_at_all(self):
        found = judged(Rectangle(1, 1), Turn((2.5, 0), 0, 90), WALL, tolerance=1e-9)
        assert found == close(0.0)

    def test_the_off_centre_corner_of_a_polygon(self):
        """A point 3 from the reference point sweeps a circle of that radius."""
        needle = PolygonBase([(0, -0.01), (3, 0), (0, 0.01)])
        assert judged(needle, Turn((0, 0), 0, 180), CircleShape(0, 3.5, 1)) == pytest.approx(
            (90 - math.degrees(math.acos((9 + 3.5**2 - 1) / (2 * 3 * 3.5)))) / 180, abs=1e-3
        )


class TestThings:
    def test_who_is_inside_an_area_overlaps_it(self):
        yard = rectangle((0, 0), (40, 40))
        for base in (*BASES.values(), Round(0)):
            for piece in (Straight((0, 0), (1, 0)), Bend((0, 0), 1, 0, 1), Turn((0, 0), 0, 10)):
                assert judged(base, piece, yard) == 0.0
                assert judged(base, piece, LineShape([*yard.shell, yard.shell[0]])) is None

    def test_a_hole_is_not_inside(self):
        ring = PolygonShape([(-9, -9), (9, -9), (9, 9), (-9, 9)], [[(-3, -3), (3, -3), (3, 3), (-3, 3)]])
        for base in (*BASES.values(), Round(0)):
            assert judged(base, Straight((0, 0), (0.5, 0)), ring) is None
            assert 0.0 < judged(base, Straight((0, 0), (6, 0)), ring) <= 0.5

    def test_a_mere_point_crosses_lines_and_enters_areas(self):
        point = Round(0)
        assert judged(point, Straight((0, 0), (6, 0)), WALL) == 0.5
        assert judged(point, Straight((0, 0), (3, 0)), WALL) is None
        assert judged(point, Straight((3, 0), (6, 0)), WALL) is None
        assert judged(point, Bend((0, 0), 6, 0, math.pi), WALL) == close(1 / 3)
        assert judged(point, Bend((0, 0), 3, 0, math.pi), WALL) is None
        assert judged(point, Bend((0, 0), 6, 0, math.pi), LineShape([(3, 0), (3, 5)])) is None
        house = rectangle((4, 0), (2, 2))
        assert judged(point, Straight((3, 0), (5, 0)), house) == 0.0
        assert judged(point, Straight((3, -3), (3, 3)), house) is None
        assert judged(point, Straight((0, 0), (6, 0)), house, CircleShape(2, 0, 1)) == close(1 / 6)
        assert judged(point, Straight((0, 0), (6, 0)), PointShape(3, 0)) is None
        assert judged(point, Straight((0, 0), (6, 0)), Oval(2, 1).at(4, 0, 90)) == close(3.5 / 6)
        assert judged(point, Bend((0, 0), 4, -1, 2), Oval(2, 1).at(4, 0, 90)) == pytest.approx(0.39, abs=0.03)

    def test_numbers_are_those_of_the_things(self):
        things = Standing.of([CircleShape(9, 9, 1), WALL, Oval(2, 1).at(0, 5, 90), rectangle((0, -5), (2, 2))])
        ways = Paths.of_lines([[(0, 0), place] for place in [(9, 8), (9, 0), (0, 9), (0, -9), (1, 1)]])
        found = first_contacts(ways, Rectangle(1, 1), things)
        assert found.which.tolist() == [1, 1, 2, 3, -1]
        assert found.inches[1:] == close([2.5, 3.5, 3.5, INF])
        assert found.piece.tolist() == [0, 1, 2, 3, -1]
        assert np.isnan(found.share[-1])
        assert np.isnan(found.place[-1]).all()
        assert found.place[1, 0] == close(3)
        assert found.place[2] == close([0, 4])

    def test_nothing_at_all(self):
        none, nobody = Standing.of([]), Paths.of_lines([])
        assert first_contacts(Paths.of_lines([[(0, 0), (1, 0)]]), Round(1), none).which.tolist() == [-1]
        assert first_contacts(nobody, Round(1), Standing.of([WALL])).which.tolist() == []
        assert (
            first_contacts(Paths.of_lines([[], [(1, 1)]]), Round(1), Standing.of([WALL])).inches.tolist() == [INF] * 2
        )
        assert lengths_over(nobody, none).shape == (0, 0)
        assert first_off(nobody, Oval(2, 1), (0, 0, 1, 1)).inches.tolist() == []

    def test_thousands_of_corners(self):
        angles = 2 * math.pi * np.arange(4000) / 4000
        drawn = PolygonShape(np.stack([3 * np.cos(angles), 3 * np.sin(angles)], axis=1))
        for base, ahead in ((Round(0.5), 0.5), (Rectangle(2, 1), 1.0), (Oval(2, 1), 1.0)):
            found = judged(base, Straight((-9, 0), (9, 0)), drawn)
            assert found == pytest.approx((9 - 3 - ahead) / 18, abs=2e-2 if isinstance(base, Rectangle) else 1e-5)

    def test_ways_that_can_not_be(self):
        with pytest.raises(BoardError, match="headings"):
            Paths.of_lines([[(0, 0), (1, 0)]], headings=[[0, 0]])
        with pytest.raises(BoardError, match="headings"):
            Paths.of_lines([[(0, 0), (1, 0)]], headings=math.nan)
        with pytest.raises(BoardError, match="finite"):
            Paths.of_pieces([[Straight((0, 0), (math.inf, 0))]])
        with pytest.raises(BoardError, match="finite"):
            Paths.of_lines([[(0, 0), (math.nan, 0)]])


# -- poses one by one -------------------------------------------------------------------------------------------

#: What an oval is made smaller by lies between the tolerance and its share of the longer axis.
DEEP = 3e-6


@pytest.mark.sampled
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_no_pose_overlaps_that_the_judge_denies(first):
    """200 tables. One side only: what sampling finds the judge has found before; and what it tells of holds."""
    names = list(BASES)
    for seed in range(first, first + 20):
        dice = np.random.default_rng(seed)
        base = BASES[names[seed % len(names)]]
        things = [random_things(dice)[k] for k in dice.choice(9, 3, replace=False)]
        standing = Standing.of(things)
        pieces = [random_piece(dice, motion) for motion in MOTIONS]
        found = first_contacts(Paths.of_pieces([[piece] for piece in pieces]), base, standing)
        for k, piece in enumerate(pieces):
            which, share = int(found.which[k]), float(found.share[k])
            until = share if which >= 0 else 2.0
            for sampled in np.linspace(0, 1, 9):
                if sampled < until - 1e-9:
                    depths = [depth_at(base, piece, sampled, thing) for thing in things]
                    assert max(depths) <= DEEP, (seed, piece, sampled)
            if which >= 0:
                thing = things[which]
                if share > 0.0:
                    assert depth_at(base, piece, share, thing) == pytest.approx(0, abs=1e-6), (seed, piece)
                soon = [depth_at(base, piece, min(share + more, 1.0), thing) for more in (1e-5, 1e-3, 1e-2, 0.1)]
                assert max(soon) > 2e-7, (seed, piece)
                for touching in (thing, pose(base, piece, share)):
                    assert distances_to_shape(touching, [found.place[k]])[0] < 1e-6, (seed, piece)


@pytest.mark.sampled
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("name", BASES)
def test_stretches_over_things_are_where_poses_overlap(name, motion):
    base = BASES[name]
    for seed in range(4):
        dice = np.random.default_rng(900 + seed)
        things, piece = random_things(dice), random_piece(dice, motion)
        if motion == "turn":  # a turn has no inches to measure
            continue
        paths = Paths.of_pieces([[piece]])
        over, length = stretches_over(paths, Standing.of(things), base), float(paths.lengths[0])
        for share in np.linspace(0.01, 0.99, 12):
            for number, thing in enumerate(things):
                depth = depth_at(base, piece, share, thing)
                own = over.which == number
                within = bool(np.any((over.begin[own] < share * length) & (over.end[own] > share * length)))
                if abs(depth) > 1e-4:
                    assert within == (depth > 0), (seed, number, share)


# -- laws -------------------------------------------------------------------------------------------------------


def moved_piece(piece, turn, shift, mirrored):
    """The same piece on the table seen otherwise: mirrored in the x axis, turned, shifted."""
    sign = -1.0 if mirrored else 1.0
    angle = math.radians(turn)

    def place(xy):
        x, y = xy[0], sign * xy[1]
        return (
            x * math.cos(angle) - y * math.sin(angle) + shift[0],
            x * math.sin(angle) + y * math.cos(angle) + shift[1],
        )

    heading = sign * piece.heading + turn
    match piece:
        case Straight():
            return Straight(place(piece.start), place(piece.end), heading)
        case Bend():
            return Bend(place(piece.centre), piece.radius, sign * piece.begin + angle, sign * piece.sweep, heading)
        case _:
            return Turn(place(piece.place), heading, sign * piece.turn)


@pytest.mark.sampled
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_same_seen_otherwise_is_judged_the_same(seed, mirrored):
    dice = np.random.default_rng(seed)
    own = {"round": Round(0.6), "oval": Oval(2.4, 1.1), "rectangle": Rectangle(2.2, 1.3)}
    kinds = own if mirrored else BASES
    stand = [(base, *dice.uniform(-4, 4, 2), dice.uniform(0, 360)) for base in kinds.values()]
    pieces = [random_piece(dice, motion) for motion in MOTIONS for _ in range(4)]
    turn, shift = dice.uniform(0, 360), dice.uniform(-20, 20, 2)
    here = Standing.of([base.at(*rest) for base, *rest in stand])
    there = []
    for base, x, y, heading in stand:
        at = moved_piece(Turn((x, y), heading, 0.0), turn, shift, mirrored)
        there.append(base.at(*at.place, at.heading))
    seen = [moved_piece(piece, turn, shift, mirrored) for piece in pieces]
    for base in kinds.values():
        one = first_contacts(Paths.of_pieces([[piece] for piece in pieces]), base, here)
        other = first_contacts(Paths.of_pieces([[piece] for piece in seen]), base, Standing.of(there))
        assert one.which.tolist() == other.which.tolist()
        assert np.allclose(one.share, other.share, atol=1e-7, equal_nan=True)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(10))
def test_a_way_in_one_piece_or_in_two_is_judged_the_same(seed):
    dice = np.random.default_rng(seed)
    standing = Standing.of(random_things(dice))
    ways, cut = [], []
    for _ in range(12):
        start, end = tuple(dice.uniform(-5, 5, 2)), tuple(dice.uniform(-5, 5, 2))
        middle = tuple(np.add(start, end) / 2)
        ways.append([Straight(start, end, 30)])
        cut.append([Straight(start, middle, 30), Straight(middle, end, 30)])
        bend = Bend(start, 2.0, dice.uniform(0, 6), dice.uniform(-6, 6), 30)
        half = replace(bend, sweep=bend.sweep / 2)
        ways.append([bend])
        cut.append([half, replace(half, begin=bend.begin + half.sweep)])
    for base in BASES.values():
        one = first_contacts(Paths.of_pieces(ways), base, standing)
        two = first_contacts(Paths.of_pieces(cut), base, standing)
        assert one.which.tolist() == two.which.tolist()
        assert np.allclose(one.inches, two.inches, atol=1e-6)
        whole, halves = (lengths_over(Paths.of_pieces(some), standing, base) for some in (ways, cut))
        assert np.allclose(whole, halves, atol=1e-5)


@pytest.mark.long
def test_many_at_once_are_judged_as_each_alone():
    dice = np.random.default_rng(3)
    standing = Standing.of(random_things(dice))
    ways = [[random_piece(dice, motion) for motion in dice.permutation(MOTIONS)] for _ in range(15)]
    for base in BASES.values():
        together = first_contacts(Paths.of_pieces(ways), base, standing)
        over = lengths_over(Paths.of_pieces(ways), standing, base)
        for number, way in enumerate(ways):
            alone = first_contacts(Paths.of_pieces([way]), base, standing)
            assert alone.which[0] == together.which[number]
            assert alone.inches[0] == together.inches[number]
            assert np.array_equal(lengths_over(Paths.of_pieces([way]), standing, base)[0], over[number])


def test_a_smaller_base_is_never_barred_sooner():
    dice = np.random.default_rng(5)
    standing = Standing.of(random_things(dice))
    ways = Paths.of_pieces([[random_piece(dice, motion)] for motion in MOTIONS for _ in range(40)])
    for small, large in ((Oval(2, 1), Rectangle(2, 1)), (Oval(2, 1), Round(1)), (Rectangle(2, 1), Rectangle(2.2, 1.1))):
        one, other = (first_contacts(ways, base, standing) for base in (small, large))
        shares = [np.where(found.which >= 0, found.share, 2.0) for found in (one, other)]
        assert np.all(shares[0] >= shares[1] - 1e-6)


# -- lengths over areas ---------------------------------------------------------------------------------------


class TestLengthsOver:
    STRIP = rectangle((2.5, 0), (1, 100))

    def test_the_line_and_what_is_swept(self):
        ways, strip = (
            Paths.of_lines([[(0, 0), (9, 0)], [(0, 0), (2, 0)], [(0, 0), (2.5, 0)]]),
            Standing.of([self.STRIP]),
        )
        assert lengths_over(ways, strip)[:, 0] == close([1, 0, 0.5])
        assert lengths_over(ways, strip, Round(0.5))[:, 0] == close([2, 0.5, 1])
        assert lengths_over(ways, strip, Rectangle(2, 1))[:, 0] == close([3, 1, 1.5])
        assert lengths_over(ways, strip, Oval(2, 1))[:, 0] == close([3, 1, 1.5])

    def test_running_along_the_border_is_not_over_it(self):
        ways = Paths.of_lines([[(2, -3), (2, 3)], [(1.5, -3), (1.5, 3)]])
        assert lengths_over(ways, Standing.of([self.STRIP])).tolist() == [[0], [0]]
        assert lengths_over(ways, Standing.of([self.STRIP]), Round(0.5))[:, 0] == close([6, 0])

    def test_arcs(self):
        half = Paths.of_pieces([[Bend((0, 0), 4, -math.pi / 2, math.pi)]])
        assert lengths_over(half, Standing.of([self.STRIP]))[0, 0] == close(
            2 * 4 * (math.asin(3 / 4) - math.asin(2 / 4))
        )
        assert lengths_over(half, Standing.of([self.STRIP]), Round(0.5))[0, 0] == close(
            2 * 4 * (math.asin(3.5 / 4) - math.asin(1.5 / 4))
        )
        assert lengths_over(half, Standing.of([CircleShape(4, 0, 1)]))[0, 0] == close(2 * 4 * 2 * math.asin(0.5 / 4))

    def test_a_base_deep_inside_counts_though_it_meets_no_border(self):
        wood = Standing.of([rectangle((0, 0), (40, 40))])
        ways = Paths.of_pieces([[Straight((0, 0), (3, 0), 20), Turn((3, 0), 20, 90), Bend((0, 0), 3, 0, 1, 110)]])
        for base in (None, *BASES.values()):
            assert lengths_over(ways, wood, base)[0, 0] == close(6)

    def test_several_stretches_and_areas(self):
        horseshoe = PolygonShape([(1, -1), (4, -1), (4, 1), (3, 1), (3, 0), (2, 0), (2, 1), (1, 1)])
        found = stretches_over(Paths.of_lines([[(0, 0.5), (9, 0.5)]]), Standing.of([self.STRIP, horseshoe]))
        assert found.which.tolist() == [0, 1, 1]
        assert found.begin == close([2, 1, 3])
        assert found.end == close([3, 2, 4])

    @pytest.mark.parametrize("seed", range(6))
    def test_lengths_are_those_of_overlays(self, seed):
        """For a point and for a round base, beside shapely: a drawn way cut with the area, grown by the base or not."""
        dice = np.random.default_rng(seed)
        areas = [rectangle(tuple(dice.uniform(-4, 4, 2)), tuple(dice.uniform(1, 4, 2)), 40 * k) for k in range(5)]
        ways = [[random_piece(dice, motion) for motion in ("straight", "arc")] for _ in range(10)]
        paths, standing = Paths.of_pieces(ways), Standing.of(areas)
        for base, grown in ((None, 0.0), (Round(0.7), 0.7)):
            lengths = lengths_over(paths, standing, base)
            for number, way in enumerate(ways):
                for k, area in enumerate(areas):
                    ground = area.polygon.buffer(grown, quad_segs=200) if grown else area.polygon
                    angles = way[1].begin + np.linspace(0, 1, 3000) * way[1].sweep
                    ring = np.column_stack([np.cos(angles), np.sin(angles)])
                    drawn = shapely.LineString(np.array(way[1].centre) + way[1].radius * ring)
                    straight = shapely.LineString([way[0].start, way[0].end])
                    wanted = drawn.intersection(ground).length + straight.intersection(ground).length
                    assert lengths[number, k] == pytest.approx(wanted, abs=1e-2)


# -- the edge of the table --------------------------------------------------------------------------------------


class TestEdge:
    TABLE = (0.0, 0.0, 20.0, 12.0)

    def off(self, base, piece):
        found = first_off(Paths.of_pieces([[piece]]), base, self.TABLE)
        return (None, -1) if found.which[0] < 0 else (float(found.share[0]), int(found.which[0]))

    def test_straight(self):
        assert self.off(Rectangle(4, 1), Straight((5, 5), (0, 5))) == (close(3 / 5), 0)
        assert self.off(Rectangle(4, 1), Straight((5, 5), (0, 5), 90)) == (close(4.5 / 5), 0)
        assert self.off(Oval(4, 1), Straight((5, 5), (5, 13), 45)) == (close((7 - math.sqrt(2.125)) / 8), 3)
        assert self.off(Round(1), Straight((1, 1), (19, 11))) == (None, -1)
        assert self.off(Round(1), Straight((0.9, 5), (5, 5))) == (0.0, 0)

    def test_arcs(self):
        half = Bend((10, 6), 5.5, 0, math.pi)
        assert self.off(Round(0.5), half) == (None, -1)
        assert self.off(Round(1), half) == (close(math.asin(5 / 5.5) / math.pi), 3)
        assert self.off(Rectangle(1, 2), half) == (close(math.asin(5 / 5.5) / math.pi), 3)

    def test_turns(self):
        reach, lead = math.hypot(2, 0.5), math.atan2(0.5, 2)
        turned = math.degrees(math.asin(1.5 / reach) - lead)
        assert self.off(Rectangle(4, 1), Turn((10, 10.5), 0, 90)) == (close(turned / 90), 3)
        assert self.off(Rectangle(4, 1), Turn((10, 1.5), 0, 90)) == (close(turned / 90), 1)
        up = math.degrees(math.asin(math.sqrt((1.5**2 - 0.25) / (4 - 0.25))))
        assert self.off(Oval(4, 1), Turn((10, 10.5), 0, -90)) == (close(up / 90), 3)
        assert self.off(Round(2), Turn((2, 2), 0, 360)) == (None, -1)

    def test_the_place_is_on_the_edge(self):
        found = first_off(Paths.of_pieces([[Straight((5, 5), (0, 5), 90)]]), Rectangle(4, 1), self.TABLE)
        assert found.place[0, 0] == close(0.0)
        assert found.inches[0] == close(4.5)

    @pytest.mark.parametrize("seed", range(12))
    def test_no_pose_is_off_that_the_judge_denies(self, seed):
        dice = np.random.default_rng(seed)
        table = (-3.0, -3.5, 4.0, 3.0)
        box = shapely.box(*table)
        for base in BASES.values():
            for motion in MOTIONS:
                piece = random_piece(dice, motion)
                found = first_off(Paths.of_pieces([[piece]]), base, table)
                until = float(found.share[0]) if found.which[0] >= 0 else 2.0
                for share in np.linspace(0, 1, 25):
                    low_x, low_y, high_x, high_y = bounds(pose(base, piece, share))
                    over = max(table[0] - low_x, table[1] - low_y, high_x - table[2], high_y - table[3])
                    assert share >= until - 1e-9 or over <= 2e-6
                if 0.0 < until <= 1.0:
                    low_x, low_y, high_x, high_y = bounds(pose(base, piece, until))
                    over = max(table[0] - low_x, table[1] - low_y, high_x - table[2], high_y - table[3])
                    assert over == pytest.approx(0, abs=1e-6)
                    assert box.distance(shapely.Point(found.place[0])) < 1e-6


def bounds(placed):
    """The box around a base, from its farthest points."""
    (low_x, _), (_, low_y), (high_x, _), (_, high_y) = (
        placed.support(way) for way in ((-1, 0), (0, -1), (1, 0), (0, 1))
    )
    return low_x, low_y, high_x, high_y
