"""skirmish: the figures of a traverse, worked out by hand, and each reason against one."""

import math
from dataclasses import replace

import pytest
from skirmish_tables import block, clauses_broken, game_with, place_of, wall

from simulator.engine.orders import Order
from simulator.geometry.pieces import LineShape, Piece, PolygonShape
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.traverse.rules import (
    Climber,
    difficulty_by_height,
    from_places,
    in_reach,
    to_traverse,
    traverse_of,
)

ANY = {"traverse_direction": "any_direction"}
LONG = wall((3, -9), (3, 9))


def seen(game):
    table = game.ready_table("A1")
    return table, table.unit("A1")


def over_obstacle(table, unit, name, aim=None):
    """The traverse that an order means, which need not be legal."""
    args = {"obstacle": name} if aim is None else {"obstacle": name, "towards": aim}
    return traverse_of(table, unit, Order("A1", "traverse", args=args))


def opening(width, x=3.0, reach=20.0, height=1.5):
    """Two ends of walls with so much between them."""
    return (
        wall((x, width / 2), (x, reach), name="upper", height=height),
        wall((x, -reach), (x, -width / 2), name="lower", height=height),
    )


#: How a table may lie: x and y of what was along x, in figures that boards hold exactly.
ANYHOW = [(1, 0), (0.6, 0.8), (-0.8, 0.6), (0, -1)]


def laid(place, turn):
    """A place on a table that lies anyhow."""
    (x, y), (along, across) = place, turn
    return round(2 + along * x - across * y, 9), round(across * x + along * y - 1, 9)


def laid_out(piece, turn):
    """A piece on such a table."""
    if isinstance(piece.shape, LineShape):
        return replace(piece, shape=LineShape([laid(point, turn) for point in piece.shape.points]))
    return replace(piece, shape=PolygonShape([laid(point, turn) for point in piece.shape.shell]))


def assert_figures(way, expected, turn):
    """Compare distance, depth, foot and far side with those of a table that lies as drawn."""
    distance, depth, foot, far = expected[0], expected[1], expected[2:4], expected[4:6]
    assert (way.distance, way.depth) == pytest.approx((distance, depth), abs=2e-6)
    assert way.foot == pytest.approx(laid(foot, turn), abs=2e-6)
    assert way.far == pytest.approx(laid(far, turn), abs=2e-6)


def messages(game, order):
    return [str(breach) for breach in game.breaches(order)]


def figures(way):
    """Distance, depth, foot and far side."""
    told = way.distance, way.depth, *way.foot, *way.far
    return tuple(round(value, 6) + 0.0 for value in told)


class TestOver:
    """SK-18, SK-20, SK-22 to SK-24: how far, how hard, how deep, from where to where."""

    @pytest.mark.parametrize("turn", ANYHOW)
    @pytest.mark.parametrize(
        ("at", "radius", "expected"),
        [
            ((1.8, 1), 0.5, (0.7, 1, 2.5, 1, 4.5, 1)),
            ((2.5, 1), 0.5, (0, 1, 2.5, 1, 4.5, 1)),
            ((1, 1), 1, (1, 1, 2, 1, 5, 1)),
            ((5, 1), 0.5, (0.5, 1, 4.5, 1, 2.5, 1)),
            ((3.25, 10), 0.25, (0.75, 18, 3.25, 9.25, 3.25, -9.25)),
        ],
    )
    def test_a_block(self, at, radius, expected, turn):
        piece = laid_out(block(3, -9, 4, 9, 0.8), turn)
        way = over_obstacle(*seen(game_with(piece, at=laid(at, turn), me={"radius": radius})), "block")
        assert_figures(way, expected, turn)
        assert (way.over, way.called, way.difficulty) == (("block",), "block", "poor")
        assert (way.near, way.towards) == (way.foot, None)

    def test_a_thin_block_in_contact(self):
        way = over_obstacle(*seen(game_with(block(3, -9, 3.2, 9), at=(2.5, 1))), "block")
        assert figures(way) == (0, 0.2, 2.5, 1, 3.7, 1)

    def test_a_wall_without_width_is_not_deep(self):
        way = over_obstacle(*seen(game_with(LONG, at=(2, 0))), "wall")
        assert figures(way) == (0.5, 0, 2.5, 0, 3.5, 0)
        assert way.difficulty == "normal"

    @pytest.mark.parametrize("length", [0.5, 2])
    def test_a_wall_climbed_along_is_as_deep_as_long(self, length):
        way = over_obstacle(*seen(game_with(wall((3, 0), (3 + length, 0)), at=(2, 0))), "wall")
        assert figures(way) == (0.5, length, 2.5, 0, 3.5 + length, 0)

    @pytest.mark.parametrize("turn", ANYHOW)
    def test_aslant_it_is_longer(self, turn):
        """SK-23, option traverse_direction: by 5/4 in each figure, along (4, 3)."""
        game = game_with(laid_out(block(3, -9, 4, 9), turn), at=laid((2, 0), turn), options=ANY)
        aim = laid((3, 0.75), turn)
        way = over_obstacle(*seen(game), "block", aim)
        # The base touches when its centre is half an inch from the face, not from the point that is aimed at.
        assert_figures(way, (0.75, 1.25, 2.5, 0.375, 4.5, 1.875), turn)
        assert way.towards == aim

    def test_a_courtyard_is_no_depth(self):
        """SK-24: two wings an inch thick, and a court too narrow to come down in between."""
        wings = PolygonShape([(3, -5), (5.6, -5), (5.6, 5), (4.6, 5), (4.6, -4), (4, -4), (4, 5), (3, 5)])
        game = game_with(Piece("house", "obstacle", wings, "obstacle", 1.0), at=(2, 0))
        assert figures(over_obstacle(*seen(game), "house")) == (0.5, 2, 2.5, 0, 6.1, 0)

    def test_what_lies_behind_the_far_side_is_no_depth(self):
        """SK-24: two wings with room to come down between them."""
        wings = PolygonShape([(3, -5), (8, -5), (8, 5), (6, 5), (6, -4), (4, -4), (4, 5), (3, 5)])
        game = game_with(Piece("house", "obstacle", wings, "obstacle", 1.0), at=(2, 0))
        assert figures(over_obstacle(*seen(game), "house")) == (0.5, 1, 2.5, 0, 4.5, 0)

    def test_past_the_end_of_a_wall_its_end_is_nearest(self):
        """SK-23: along (4, -3) from 0.8 before and 0.6 beyond it."""
        for wall_at in (wall((3, -5), (3, 1)), wall((3, 1), (3, -5))):
            way = over_obstacle(*seen(game_with(wall_at, at=(2.2, 1.6))), "wall")
            assert (way.distance, way.foot) == (pytest.approx(0.5), pytest.approx((2.6, 1.3)))

    def test_each_obstacle_has_its_own_figures(self):
        """Walls, and blocks of several depths, from several places at once."""
        pieces = [
            wall((3, -9), (3, -1), name="wall"),
            block(3, 0, 4, 3, name="thin"),
            block(3, 4, 5.5, 8, name="thick"),
            wall((-9, 3), (-9, 9), name="far"),
        ]
        table, unit = seen(game_with(*pieces))
        ways = from_places(Climber(table, unit), [(2, y) for y in (6, -3, 1.5, 5, 2)])
        assert [(ways.one(row).called, *figures(ways.one(row))[1:]) for row in range(5)] == [
            ("thick", 2.5, 2.5, 6, 6, 6),
            ("wall", 0, 2.5, -3, 3.5, -3),
            ("thin", 1, 2.5, 1.5, 4.5, 1.5),
            ("thick", 2.5, 2.5, 5, 6, 5),
            ("thin", 1, 2.5, 2, 4.5, 2),
        ]

    def test_what_stands_behind_it_is_no_part_of_it(self):
        """SK-23: the far side is behind the obstacle that is named."""
        pieces = LONG, block(9, -9, 10, 9, name="other"), block(3.4, -9, 4.4, 9, name="behind")
        assert figures(over_obstacle(*seen(game_with(*pieces, at=(2, 0))), "wall")) == (0.5, 0, 2.5, 0, 3.5, 0)

    def test_a_face_that_is_only_touched_is_not_climbed(self):
        """SK-17, SK-23: along the side of the house the base touches it; behind the wing it stands clear."""
        hook = PolygonShape([(3, -1), (4, -1), (4, 0.5), (9, 0.5), (9, 3), (3, 3)])
        house = Piece("house", "obstacle", hook, "obstacle", 1.0)
        assert figures(over_obstacle(*seen(game_with(house, at=(2, 0), options=ANY)), "house", (3, 0))) == (
            0.5, 1, 2.5, 0, 4.5, 0,
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("height", "level"),
        [(0, "poor"), (1, "poor"), (1 + TOLERANCE, "poor"), (1.01, "normal"), (2, "normal"), (2.01, "good"),
         (3, "good"), (3.01, "excellent"),
         (4, "excellent"), (4.0000005, "excellent"), (4.01, "impossible")],
    )  # fmt: skip
    def test_the_level_by_height(self, height, level):
        """SK-20."""
        assert difficulty_by_height(game_with().table, height) == level

    def test_a_failure_stays_before_a_friend_at_the_foot(self):
        """SK-14, SK-22."""
        game = game_with(LONG, at=(1.5, 0), others=(("A2", "red", (2.3, 0.8)),))
        way = over_obstacle(*seen(game), "wall")
        assert (way.foot, way.near) == ((2.5, 0), pytest.approx((1.7, 0)))


class TestThrough:
    """SK-50: along the normal of the throat, through its middle; s = sqrt(r^2 - w^2/4)."""

    @pytest.mark.parametrize("turn", ANYHOW)
    @pytest.mark.parametrize(
        ("at", "radius", "width", "expected"),
        [
            ((1.7, 0), 0.5, 0.8, (0.8, 0, 2.7, 0, 3.3, 0)),
            ((4.3, 0), 0.5, 0.8, (0.8, 0, 3.3, 0, 2.7, 0)),
            ((1.7, 0), 0.5, 0.6, (0.8, 0, 2.6, 0, 3.4, 0)),
            ((2.4, 0), 0.5, 0.8, (0.1, 0, 2.7, 0, 3.3, 0)),
            # Of another spot the nearest point of the throat counts: 1.5 and 2 off makes 2.5.
            ((1.5, 2.4), 0.5, 0.8, (2, 0, 2.7, 0, 3.3, 0)),
            ((1, 0), 1.3, 1, (0.7, 0, 1.8, 0, 4.2, 0)),
        ],
    )
    def test_an_opening(self, at, radius, width, expected, turn):
        pieces = [laid_out(piece, turn) for piece in opening(width)]
        table, unit = seen(game_with(*pieces, at=laid(at, turn), me={"radius": radius}))
        way = traverse_of(table, unit, Order("A1", "traverse", args={"obstacle": "lower", "other": "upper"}))
        assert_figures(way, expected, turn)
        assert (way.difficulty, way.called, way.near) == ("normal", "the gap between upper and lower", way.foot)

    @pytest.mark.parametrize("turn", ANYHOW)
    def test_a_slot_is_as_deep_as_its_faces(self, turn):
        """SK-24, SK-50: the base touches the corners 0.4 before and behind 2 inches of faces 0.6 apart."""
        faces = block(0, 0.3, 2, 4, 9, name="north"), block(0, -4, 2, -0.3, 9, name="south")
        pieces = [laid_out(piece, turn) for piece in faces]
        (way,) = in_reach(*seen(game_with(*pieces, at=laid((-1, 0), turn))))
        assert_figures(way, (0.5, 2, -0.4, 0, 2.4, 0), turn)

    def test_two_openings_beside_each_other(self):
        """A post 0.2 wide between them: each has its own width, though their places are near to each other's."""
        post = wall((3, -0.1), (3, 0.1), height=9, name="post")
        upper = wall((3, 0.9), (3, 9), height=9, name="upper")
        lower = wall((3, -9), (3, -0.7), height=9, name="lower")
        found = in_reach(*seen(game_with(upper, post, lower, at=(2.2, 0))))
        assert {way.over: figures(way)[2:] for way in found} == {
            ("post", "lower"): (2.6, -0.4, 3.4, -0.4),
            ("upper", "post"): (2.7, 0.5, 3.3, 0.5),
        }

    def test_two_channels_beside_each_other(self):
        """Blocks 2 inches deep on either side of a post: each channel is left behind its own block."""
        north, south = block(0, 0.7, 2, 5, 9, name="north"), block(0, -5, 1.5, -0.7, 9, name="south")
        post = wall((0, -0.1), (0, 0.1), height=9, name="post")
        found = in_reach(*seen(game_with(north, south, post, at=(-0.8, 0))))
        assert {way.over: figures(way)[2:] for way in found} == {
            ("north", "post"): (-0.4, 0.4, 2.4, 0.4),
            ("south", "post"): (-0.4, -0.4, 1.9, -0.4),
        }

    def test_a_channel_is_near_where_its_throat_is(self):
        """SK-18, SK-50: its faces are parallel, so its throat may be anywhere along them."""
        walls = wall((3, 0.3), (5, 0.3), name="north", height=9), wall((3, -0.3), (5, -0.3), name="south", height=9)
        (way,) = in_reach(*seen(game_with(*walls, at=(3.2, 0.85))))
        assert figures(way) == (0.05, 2, 2.6, 0, 5.4, 0)

    def test_of_two_gaps_the_nearest_is_meant(self):
        """SK-48: where the order tells no point."""
        comb = PolygonShape([(0, 0), (6, 0), (6, 2), (4, 2), (4, 1), (2, 1), (2, 2), (0, 2)])
        beam = PolygonShape([(0, 5), (0, 2.6), (2, 2.6), (2, 3.6), (4, 3.6), (4, 2.6), (6, 2.6), (6, 5)])
        pieces = [Piece(name, "obstacle", shape, "obstacle", 9) for name, shape in (("comb", comb), ("beam", beam))]
        for x, far in ((2.9, -0.4), (3.1, 6.4)):
            table, unit = seen(game_with(*pieces, at=(x, 2.3)))
            way = traverse_of(table, unit, Order("A1", "traverse", args={"obstacle": "comb", "other": "beam"}))
            assert (way.far, way.towards) == (pytest.approx((far, 2.3)), None)

    def test_the_level_is_that_of_the_table(self):
        """SK-20."""
        for level in ("poor", "excellent"):
            table, unit = seen(game_with(*opening(0.8), at=(2, 0), tables={"traverse_difficulty.gap": level}))
            assert [way.difficulty for way in in_reach(table, unit) if len(way.over) == 2] == [level]

    def test_an_exact_fit_is_left_by_a_hair(self):
        """SK-49, option exact_fit_passes."""
        game = game_with(*opening(1, height=9), at=(2, 0), options={"exact_fit_passes": False}, dice=(1,))
        (way,) = in_reach(*seen(game))
        assert way.depth == pytest.approx(0, abs=1e-2)
        assert 3 < way.far[0] < 3.01
        game.do("A1 traverse upper and lower")
        assert clauses_broken(game, "A1: to 5,0") == []


class TestWhatThereIs:
    """SK-18, SK-23, SK-48: what a soldier may traverse from where it stands, and what the orders say."""

    def test_each_way_and_its_order(self):
        corner = wall((-1, 5), (-1, -1), (5, -1))
        found = in_reach(*seen(game_with(corner, block(0.9, -0.5, 2, 9, name="house"), at=(0, 0))))
        assert [way.args for way in found] == [
            {"obstacle": "wall", "towards": (-1.0, 0.0)},
            {"obstacle": "wall", "towards": (0.0, -1.0)},
            {"obstacle": "house"},
        ]
        assert [figures(way)[4:] for way in found] == [(-1.5, 0), (0, -1.5), (2.5, 0)]

    def test_of_a_gap(self):
        found = in_reach(*seen(game_with(*opening(0.8, height=9), at=(2, 0))))
        assert [way.args for way in found] == [{"obstacle": "upper", "other": "lower"}]

    def test_of_two_openings_between_the_same_two(self):
        """SK-48: the order says which, and is taken at its word."""
        comb = PolygonShape([(0, 0), (6, 0), (6, 2), (4, 2), (4, 1), (2, 1), (2, 2), (0, 2)])
        beam = PolygonShape([(0, 5), (0, 2.6), (2, 2.6), (2, 3.6), (4, 3.6), (4, 2.6), (6, 2.6), (6, 5)])
        pieces = [Piece(name, "obstacle", shape, "obstacle", 9) for name, shape in (("comb", comb), ("beam", beam))]
        table, unit = seen(game_with(*pieces, at=(3, 2.1)))
        found = in_reach(table, unit)
        assert sorted(way.args["towards"] for way in found) == [(2, 2.3), (4, 2.3)]
        for way in found:
            meant = traverse_of(table, unit, Order("A1", "traverse", args=way.args))
            assert meant.far == way.far

    def test_what_is_out_of_reach_is_left_out(self):
        """SK-18: 1 inch from the base, the limit included."""
        for x, count in ((1.5, 1), (1.4999995, 1), (1.49, 0)):
            assert len(in_reach(*seen(game_with(LONG, at=(x, 0))))) == count
            assert len(in_reach(*seen(game_with(*opening(0.8, height=9), at=(x, 0))))) == count

    @pytest.mark.parametrize(("gap", "count"), [("normal", 1), ("impossible", 0)])
    def test_from_anywhere(self, gap, count):
        """SK-20: what is low enough, and the throats of gaps unless gaps are impossible."""
        pieces = block(-8, 0, -7, 1, 4, name="low"), block(8, 0, 9, 1, 4.1, name="high"), *opening(0.8, height=9)
        found = to_traverse(*seen(game_with(*pieces, tables={"traverse_difficulty.gap": gap})))
        assert [shape.bounds for shape in found] == [(-8, 0, -7, 1), (3, -0.4, 3, 0.4)][: 1 + count]

    @pytest.mark.parametrize(
        ("towards", "end"), [(None, (-1.5, 0)), ((-1, 0), (-1.5, 0)), ((0.0009, -1), (0, -1.5)), ((0, -1), (0, -1.5))]
    )
    def test_the_aim_may_be_told_in_round_figures(self, towards, end):
        """SK-23: it is straight across exactly a nearest point all the same."""
        corner = wall((-1, 5), (-1, -1), (5, -1))
        table, unit = seen(game_with(corner))
        order = Order("A1", "traverse", args={"obstacle": "wall", "towards": towards})
        assert figures(traverse_of(table, unit, order))[4:] == end

    @pytest.mark.parametrize(("options", "across"), [({}, 0), (ANY, 0.00135)])
    def test_in_any_direction_a_hair_off_is_a_direction_too(self, options, across):
        """SK-23, option traverse_direction: (1, 0.0009) and on to 1.5."""
        table, unit = seen(game_with(LONG, at=(2, 0), options=options))
        order = Order("A1", "traverse", args={"obstacle": "wall", "towards": (3, 0.0009)})
        assert figures(traverse_of(table, unit, order))[4:] == (3.5, across)

    def test_what_is_called_nothing_is_none(self):
        table, unit = seen(game_with(LONG))
        for args in (
            {"obstacle": "well"},
            {"obstacle": "wall", "other": "well"},
            {"obstacle": "wall", "other": "wall"},
        ):
            assert traverse_of(table, unit, Order("A1", "traverse", args=args)) is None


class TestAgainst:
    """Each reason against a traverse, alone."""

    @pytest.mark.parametrize(
        ("pieces", "at", "others", "told"),
        [
            ((LONG,), (1, 0), (), "SK-18  wall is 1.5 inches from the base, a traverse begins within 1"),
            ((wall((3, -9), (3, 9), height=5),), (2, 0), (), "SK-20  wall is too high to be traversed"),
            ((block(3, -9, 6.5, 9),), (2, 0), (), "SK-24  block is 3.5 inches deep here, at most 3 can be traversed"),
            (
                (LONG,),
                (1.5, 0),
                (("B1", "blue", (2.2, 0.9)),),
                "SK-24  the way across passes the base of B1",
            ),
            (
                (LONG, block(3.9, -1, 5, 1)),
                (2, 0),
                (),
                "SK-24  block stands in the way across",
            ),
            (
                (LONG,),
                (2, 0),
                (("A2", "red", (4, 0.2)),),
                "SK-24  A1 would come down at 3.5,0, on the base of A2: 0.5385 apart, less than the required 1",
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_is_told(self, pieces, at, others, told):
        assert told in messages(game_with(*pieces, at=at, others=others), f"A1 traverse {pieces[0].id}")

    def test_a_gap_that_can_not_be_passed(self):
        """SK-20."""
        game = game_with(*opening(0.8), at=(2, 0), tables={"traverse_difficulty.gap": "impossible"})
        told = ["SK-20  the gap between upper and lower cannot be passed"]
        assert messages(game, "A1 traverse upper and lower") == told

    @pytest.mark.parametrize(("y", "refused"), [(1.01, []), (1, []), (0.99, ["SK-24"])])
    def test_how_near_an_enemy_stands_to_the_way(self, y, refused):
        """SK-24, SK-53."""
        game = game_with(LONG, at=(1.5, 0), others=(("B1", "blue", (2.2, y)),))
        assert clauses_broken(game, "A1 traverse wall") == refused
        by_line = game_with(LONG, at=(1.5, 0), others=(("B1", "blue", (2.2, y)),), options={"enemy_block": "line_only"})
        assert clauses_broken(by_line, "A1 traverse wall") == []

    @pytest.mark.parametrize(("y", "refused"), [(0.51, []), (0.5, []), (0.49, ["SK-24"])])
    def test_how_near_another_obstacle_stands_to_the_way(self, y, refused):
        """SK-24."""
        game = game_with(LONG, block(1.8, y, 2.2, 2), at=(1.5, 0))
        assert clauses_broken(game, "A1 traverse wall") == refused

    def test_what_closes_a_gap_further_on(self):
        """SK-16."""
        notch = PolygonShape([(0, -4), (6, -4), (6, 4), (0, 4), (0, 0.3), (2, 0.3), (2, -0.3), (0, -0.3)])
        game = game_with(Piece("house", "obstacle", notch, "obstacle", 9), at=(-1, 0))
        assert "SK-16  house closes the gap, which does not lead through" in messages(
            game, "A1 traverse house and house"
        )

    @pytest.mark.parametrize(("x", "refused"), [(4.5, True), (3.8, True), (3.6, False), (2.7, False)])
    def test_no_gap_is_gone_to_across_its_own_walls(self, x, refused):
        """SK-16: from beside a channel its mouth is come to round the wall's end only."""
        walls = wall((3, 0.3), (6, 0.3), name="north", height=9), wall((3, -0.3), (6, -0.3), name="south", height=9)
        game = game_with(*walls, at=(x, 0.85))
        told = ["SK-16  north stands between A1 and the gap"]
        assert messages(game, "A1 traverse north and south") == (told if refused else [])
        assert len(in_reach(*seen(game))) == (not refused)

    def test_who_stands_on_a_wall_comes_down_nowhere(self):
        """SK-24: there is no direction across it."""
        for options in ({}, ANY):
            game = game_with(LONG, at=(3, 0), options=options)
            assert in_reach(*seen(game)) == []
            assert clauses_broken(game, "A1 traverse wall") == ["SK-24"]

    def test_a_gap_of_just_the_base_s_width_before_another(self):
        """SK-49, option exact_fit_passes."""
        fit = wall((2.2, 0.5), (2.2, 9), name="north"), wall((2.2, -0.5), (2.2, -9), name="south")
        told = "SK-49  a gap of just the width of the base is in the way, and taken as too narrow"
        for passes in (True, False):
            game = game_with(*opening(0.8), *fit, at=(1.5, 0), options={"exact_fit_passes": passes})
            assert messages(game, "A1 traverse upper and lower") == ([] if passes else [told])

    def test_a_gap_of_just_the_base_s_width_in_the_wall_itself(self):
        """SK-49, options exact_fit_passes and traverse_direction: behind it is the other side of the same wall."""
        pen = wall((2.2, -0.5), (2.2, -6), (3, -6), (3, 6), (2.2, 6), (2.2, 0.5))
        for passes in (True, False):
            game = game_with(pen, at=(1.5, 0), options=ANY | {"exact_fit_passes": passes})
            assert clauses_broken(game, "A1 traverse wall towards 3,0") == ([] if passes else ["SK-49"])

    def test_a_gap_of_just_the_base_s_width_on_the_way(self):
        """SK-49, option exact_fit_passes."""
        for passes in (True, False):
            options = {"exact_fit_passes": passes}
            game = game_with(*opening(1, x=2.2, reach=9), wall((2.9, -9), (2.9, 9)), at=(1.5, 0), options=options)
            assert clauses_broken(game, "A1 traverse wall") == ([] if passes else ["SK-49"])
            behind = game_with(*opening(1, x=1, reach=9), wall((2.5, -9), (2.5, 9)), at=(1.6, 0), options=options)
            assert clauses_broken(behind, "A1 traverse wall") == []

    @pytest.mark.parametrize(("x", "refused"), [(3, []), (3.1, ["SK-24", "SK-63"])])
    def test_nobody_comes_down_over_the_edge(self, x, refused):
        """SK-63."""
        game = game_with(wall((x, 1), (x, 3)), at=(x - 1, 2), corner=(0, 0), size=4)
        assert sorted(clauses_broken(game, "A1 traverse wall")) == refused

    def test_ap(self):
        """SK-18, option traverse_ap."""
        me = {"ap_per_activation": 0}
        paid = game_with(LONG, at=(2, 0), me=me)
        assert messages(paid, "A1 traverse wall") == ["SK-18  a traverse takes 1 AP, A1 has 0"]
        assert clauses_broken(game_with(LONG, at=(2, 0), me=me, options={"traverse_ap": 0}), "A1 traverse wall") == []

    @pytest.mark.parametrize(
        ("order", "told"),
        [
            ("traverse well", ["SK-66  there is no obstacle well (known: wall)"]),
            ("traverse wall and well", ["SK-66  there is no obstacle well (known: wall)"]),
            ("traverse well and pit", ["SK-66  there is no obstacle well (known: wall)",
                                       "SK-66  there is no obstacle pit (known: wall)"]),
            ("traverse wall and wall", ["SK-48  there is no gap in wall that is too narrow for a base 1 wide"]),
        ],
    )  # fmt: skip
    def test_names(self, order, told):
        """SK-48, SK-66."""
        assert messages(game_with(LONG, at=(2, 0)), f"A1 {order}") == told

    def test_no_gap_between_two(self):
        """SK-48."""
        told = "SK-48  there is no gap between upper and lower that is too narrow for a base 1 wide"
        assert messages(game_with(*opening(1.2), at=(2, 0)), "A1 traverse upper and lower") == [told]

    @pytest.mark.parametrize(
        ("options", "towards", "told"),
        [
            ({}, "2,0", ["SK-23  a traverse is aimed at a point ahead, not at the soldier's own place"]),
            ({}, "2.5,0", ["SK-23  2.5,0 is not a point of wall: 0.5 inches beside it"]),
            ({}, "3,0.4", ["SK-23  3,0.4 is not the nearest point of wall: 3,0 is 0.0771 nearer"]),
            # Beside it by less than it is farther: the way would be aslant all the same.
            ({}, "3,0.04", ["SK-23  3,0.04 is not the nearest point of wall: 3,0 is 0.0008 nearer"]),
            ({}, "3,-0.0011", ["SK-23  3,-0.0011 is not the nearest point of wall: 3,0 is 0.0001 nearer"]),
            ({}, "3,0", []),
            ({}, "3,-0.0009", []),
            ({}, "3.0009,0", []),
            (ANY, "3,0.04", []),
            (ANY, "3,0.4", []),
            (ANY, "3.01,0.4", ["SK-23  3.01,0.4 is not a point of wall: 0.01 inches beside it"]),
        ],
    )
    def test_aims(self, options, towards, told):
        """SK-23, option traverse_direction."""
        game = game_with(LONG, at=(2, 0), options=options)
        assert messages(game, f"A1 traverse wall towards {towards}") == told

    def test_the_point_is_one_of_the_obstacle_that_is_named(self):
        """SK-23."""
        game = game_with(LONG, block(1, -9, 1.4, 9, name="low"), at=(2.2, 0))
        assert messages(game, "A1 traverse low towards 1.4,0") == []
        assert messages(game, "A1 traverse low towards 3,0") == [
            "SK-23  3,0 is not a point of low: 1.6 inches beside it"
        ]
        assert messages(game, "A1 traverse wall towards 3,0") == []

    def test_of_several_nearest_points_that_next_to_the_aim_is_told(self):
        """SK-23."""
        game = game_with(wall((-1, 5), (-1, -1), (5, -1)), at=(0, 0))
        for aim, told in (("3,-1", "0,-1 is 2.1623 nearer"), ("-1,3", "-1,0 is 2.1623 nearer")):
            (message,) = messages(game, f"A1 traverse wall towards {aim}")
            assert message == f"SK-23  {aim} is not the nearest point of wall: {told}"

    def test_what_is_wrong_with_an_aim_is_all_that_is_wrong(self):
        """SK-23: the figures are those of the way straight across, which there is."""
        game = game_with(LONG, at=(2, 0))
        told = ["SK-23  3,4 is not the nearest point of wall: 3,0 is 3.1232 nearer"]
        assert messages(game, "A1 traverse wall towards 3,4") == told

    @pytest.mark.parametrize("turn", ANYHOW)
    @pytest.mark.parametrize(
        ("at", "aim", "is_first"),
        [
            ((2.5, 1), (7, 1), False),
            ((2.5, 1), (7, 0.5), False),
            ((2.5, 1), (3, 1.5), True),
            ((5.5, 1), (7, 1), True),
            ((5.5, 1), (4, 1.5), True),
            # The far face of a wing is of the same part; that it is too far off is another matter.
            ((5.5, 1), (3, 1), True),
        ],
    )
    def test_the_part_that_is_met_first(self, at, aim, is_first, turn):
        """SK-23: behind a wing of the house stands another; aimed is at what is met first."""
        wings = PolygonShape([(3, -5), (8, -5), (8, 5), (7, 5), (7, -4), (4, -4), (4, 5), (3, 5)])
        house = laid_out(Piece("house", "obstacle", wings, "obstacle", 1.0), turn)
        (x, y) = aim = laid(aim, turn)
        told = messages(game_with(house, at=laid(at, turn), options=ANY), f"A1 traverse house towards {x},{y}")
        assert (f"SK-23  another part of house is met before {x:g},{y:g}" in told) is not is_first

    def test_a_run_and_a_traverse(self):
        """SK-33, option run_and_traverse_same_activation."""
        options = {"run_and_traverse_same_activation": False}
        game = game_with(wall((8, -5), (8, 5)), me={"ap_per_activation": 4}, options=options)
        game.do("A1 run: to 7,0")
        assert messages(game, "A1 traverse wall") == [
            "SK-33  A1 has run in this activation: it cannot traverse as well"
        ]
        assert place_of(game) == (7, 0)
        walked = game_with(LONG, at=(2, 0), options=options)
        assert messages(walked, "A1 traverse wall") == []


def test_depth_by_the_angle():
    """SK-24: along a ray at an angle a block is 1 / cos as deep."""
    for degrees in (10, 30):
        turn = math.radians(degrees)
        game = game_with(block(3, -9, 4, 9), at=(2, 0), options=ANY)
        way = over_obstacle(*seen(game), "block", (3, math.tan(turn)))
        assert way.depth == pytest.approx(1 / math.cos(turn))
        assert way.distance == pytest.approx(1 / math.cos(turn) - 0.5)
