"""mecha: climbs (ME-51 to ME-57), with the examples E22, E23 and the climb of E29."""

import math
from fractions import Fraction

import pytest
from mecha_heights import KEEP, block, cited, game, told, unit, where

from simulator.geometry.pieces import CircleShape, Piece, PolygonShape
from simulator.geometry.poses import Pose
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.elevated import class_of_height
from simulator.rulesets.mecha.figures import TABLES

FOOT = (19.5, 24)


def wall(height, **more):
    return block("wall", (24, 24), (8, 8), height, **more)


class TestHeights:
    @pytest.mark.parametrize(
        ("inches", "size_class"),
        [
            ("1.5", 0),
            ("1.6", 1),
            ("4", 2),
            ("4.1", 3),
            ("5", 3),
            ("6.5", 4),
            ("8", 5),
            ("8.5", 6),
            ("9.5", 6),
            ("9.6", 7),
        ],
    )
    def test_e22_classes_of_heights(self, inches, size_class):
        assert class_of_height(TABLES, Fraction(inches)) == size_class


class TestWhoClimbs:
    def test_e23_a_mecha_climbs_two_size_classes_more(self):
        play = game(unit(FOOT, size_class=1), pieces=[wall(5)])
        assert not play.breaches("A1 climb wall")
        happened = play.do("A1 climb wall")
        assert told(happened) == ["declares", "climbs"]
        (climbed,) = (event for event in happened.events if event.kind == "climbs")
        assert (climbed.unit, climbed.clause, climbed.place) == ("A1", "ME-51", (20.5, 24))
        assert dict(climbed.detail) == {"terrain": "wall"}
        assert where(play) == ((20.5, 24), "wall")
        assert play.table.unit("A1")["ap_spent"] == 2

    @pytest.mark.parametrize(
        ("fields", "height", "clause", "figures"),
        [
            ({}, 5.5, "ME-54", (4, 3)),
            ({"free_hands": 1}, 5, "ME-52", (2, 1)),
            ({"kind": "vehicle", "free_hands": 2}, 5, "ME-52", (None, None)),
            ({"ap": 1}, 5, "ME-7", (2, 1)),
            ({"used_weapons": True}, 5, "ME-53", (None, None)),
        ],
    )
    def test_e23_who_does_not(self, fields, height, clause, figures):
        play = game(unit(FOOT, **({"size_class": 1} | fields)), pieces=[wall(height)])
        (breach,) = play.breaches("A1 climb wall")
        assert (breach.clause, (breach.needed, breach.available)) == (clause, figures)
        assert clause != "ME-54" or (breach.blocker, breach.place) == ("wall", (20, 24))
        assert play.reach("A1", "climb").area.is_empty
        assert cited(play.reach("A1", "climb").why_not((20.5, 24)).reasons) == [clause]
        before = play.table.state
        with pytest.raises(Exception, match=clause):
            play.do("A1 climb wall")
        assert play.table.state == before

    def test_too_high_is_said_from_afar_as_well(self):
        """ME-54, ME-55: size class 4 for a mecha of 1, which stands 6 inches off."""
        found = game(unit((13.5, 24), size_class=1), pieces=[wall(5.5)]).breaches("A1 climb wall")
        assert [(one.clause, one.needed, one.available, one.place) for one in found] == [
            ("ME-54", 4, 3, (13.5, 24)),
            ("ME-55", Fraction(1, 100), 6, (13.5, 24)),
        ]

    def test_nobody_climbs_where_it_never_moves(self):
        """ME-16: in terrain with a rate of 0 a unit may be set up, and does not move even if something lets it."""
        pad, rates = block("pad", (19, 24), (2, 4)), {"move_table.walker.rough": 0}
        pad = Piece("pad", "rough", pad.shape)
        play = game(unit(FOOT), pieces=[KEEP, pad], tables=rates)
        assert cited(play.breaches("A1 climb keep")) == ["ME-16"]
        reach = play.reach("A1", "climb")
        assert reach.area.is_empty
        assert cited(reach.why_not((20.5, 24)).reasons) == ["ME-16"]
        assert play.reach("A1", "turn").cost_at((20.5, 24)) is None
        assert not game(unit(FOOT), pieces=[KEEP, pad]).breaches("A1 climb keep")

    @pytest.mark.parametrize(("hands", "told"), [(0, "0 free hands or claws"), (1, "1 free hand or claw")])
    def test_how_many_hands_it_has(self, hands, told):
        """ME-52."""
        (breach,) = game(unit(FOOT, free_hands=hands)).breaches("A1 climb keep")
        assert breach.message == f"A1 has {told}: climbing takes 2"

    def test_infantry_climbs(self):
        assert not game(unit(FOOT, kind="infantry", size_class=0)).breaches("A1 climb keep")

    def test_no_weapons_afterwards(self):
        play = game(unit(FOOT))
        play.do("A1 climb keep")
        assert play.table.unit("A1")["no_weapons_this_turn"]

    def test_not_in_contact_with_an_enemy(self):
        play = game(unit(FOOT), unit((18.5, 24), name="B1", side="blue"))
        (breach,) = play.breaches("A1 climb keep")
        assert (breach.clause, breach.blocker) == ("ME-8", "B1")

    def test_only_once_the_hands_are_on_it(self):
        (breach,) = game(unit((19.4, 24))).breaches("A1 climb keep")
        assert (breach.clause, float(breach.needed), float(breach.available)) == ("ME-55", 0.01, 0.1)
        assert not game(unit((19.491, 24))).breaches("A1 climb keep")
        assert not game(unit((19.45, 24)), contact_tolerance=0.1).breaches("A1 climb keep")

    def test_an_edge_drawn_in_two_parts_is_one(self):
        """ME-55, ME-56: it touches the wall where they meet, in one place."""
        parts = PolygonShape([(20, 20), (28, 20), (28, 28), (20, 28), (20, 24)])
        play = game(unit(FOOT), pieces=[Piece("keep", "building", parts, "elevated", height=4)])
        play.do("A1 climb keep")
        assert where(play) == ((20.5, 24), "keep")

    def test_only_elevated_terrain(self):
        pieces = [KEEP, Piece("wood", "woodland", block("w", (10, 10), (4, 4)).shape, "ground")]
        assert cited(game(unit(FOOT), pieces=pieces).breaches("A1 climb wood")) == ["ME-51"]


class TestFacing:
    @pytest.mark.parametrize(("heading", "legal"), [(0, True), (45, True), (315, True), (46, False), (180, False)])
    def test_within_45_degrees(self, heading, legal):
        breaches = game(unit(FOOT, heading)).breaches("A1 climb keep")
        assert cited(breaches) == ([] if legal else ["ME-55"])

    def test_the_tolerance_is_an_option(self):
        assert not game(unit(FOOT, 80), facing_tolerance_deg=90).breaches("A1 climb keep")
        (breach,) = game(unit(FOOT, 20), facing_tolerance_deg=10).breaches("A1 climb keep")
        assert (breach.needed, breach.available) == (10, 20)

    def test_after_a_free_turn(self):
        play = game(unit(FOOT, 100))
        assert cited(play.breaches("A1 climb keep")) == ["ME-55"]
        play.do("A1 free_turn: turn_right 60")
        play.do("A1 climb keep")
        assert (*where(play), play.table.unit("A1").heading) == ((20.5, 24), "keep", 40)


class TestWhere:
    def test_straight_across_the_edge_and_the_heading_kept(self):
        play = game(unit((19.5, 22.3), 30))
        play.do("A1 climb keep")
        assert (*where(play), play.table.unit("A1").heading) == ((20.5, 22.3), "keep", 30)

    def test_a_base_that_does_not_fit_on_top(self):
        (breach,) = game(unit((19.5, 20.3))).breaches("A1 climb keep")
        assert (breach.clause, breach.blocker) == ("ME-56", "keep")
        narrow = block("keep", (24, 24), (0.8, 8), 4)
        assert cited(game(unit((23.1, 24)), pieces=[narrow]).breaches("A1 climb keep")) == ["ME-56"]

    def test_never_at_a_corner(self):
        off = 0.5 * math.sqrt(0.5)
        (breach,) = game(unit((20 - off, 20 - off), 45)).breaches("A1 climb keep")
        assert breach.message == "at a corner of keep its base never fits"

    def test_somebody_is_there(self):
        play = game(unit(FOOT), unit((21, 24), name="B1", side="blue", level="keep"))
        (breach,) = play.breaches("A1 climb keep")
        assert (breach.clause, breach.blocker, breach.place) == ("ME-56", "B1", (20.5, 24))
        # Contact up there does not matter: it is another level.
        assert not game(unit(FOOT), unit((21.5, 24), name="B1", side="blue", level="keep")).breaches("A1 climb keep")

    def test_stacked_terrain_above(self):
        tower = block("tower", (20.9, 24), (1, 1), 3, on="keep")
        play = game(unit(FOOT), pieces=[KEEP, tower])
        assert [(one.clause, one.blocker) for one in play.breaches("A1 climb keep")] == [("ME-56", "tower")]

    def test_up_stacked_terrain_by_the_height_still_to_go(self):
        tower = block("tower", (26, 24), (4, 4), 4, on="keep")
        play = game(unit((23.5, 24), level="keep", size_class=0), pieces=[KEEP, tower])
        assert not play.breaches("A1 climb tower")
        play.do("A1 climb tower")
        assert where(play) == ((24.5, 24), "tower")

    def test_e29_from_the_lower_roof(self):
        low, high = block("low", (20, 24), (8, 8), 4), block("high", (28, 24), (8, 8), 8)
        play = game(unit((23.5, 24), level="low", size_class=0), pieces=[low, high])
        play.do("A1 climb high")
        assert where(play) == ((24.5, 24), "high")
        (breach,) = game(unit((32.5, 24), 180, size_class=0), pieces=[low, high]).breaches("A1 climb high")
        assert (breach.clause, breach.needed, breach.available) == ("ME-54", 5, 2)

    def test_nothing_lower_is_climbed(self):
        low, high = block("low", (20, 24), (8, 8), 4), block("high", (28, 24), (8, 8), 8)
        play = game(unit((24.5, 24), 180, level="high"), pieces=[low, high])
        assert cited(play.breaches("A1 climb low")) == ["ME-51"]
        assert cited(play.breaches("A1 climb high")) == ["ME-57"]

    def test_round_terrain(self):
        tower = Piece("tower", "rock", CircleShape(24, 24, 5), "elevated", height=4)
        for degrees in (0, 33, 100.7, 249):
            x, y = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            play = game(unit((24 + 5.505 * x, 24 + 5.505 * y), degrees + 180), pieces=[tower])
            play.do("A1 climb tower")
            place, level = where(play)
            assert level == "tower"
            assert math.dist(place, (24 + 4.5 * x, 24 + 4.5 * y)) < 0.02
            assert not list(RULESET.faults(play.table))


#: A building with a yard: its concave corner is at 24,24.
ANGLE = Piece(
    "angle",
    "building",
    PolygonShape([(24, 16), (32, 16), (32, 32), (16, 32), (16, 24), (24, 24)]),
    "elevated",
    height=4,
)


class TestConcaveCorners:
    def test_the_contact_is_named(self):
        play = game(unit((23.5, 23.5), 45), pieces=[ANGLE])
        (breach,) = play.breaches("A1 climb angle")
        assert (breach.clause, breach.available) == ("ME-56", 2)
        assert "at 23.5,24" in breach.message
        assert "at 24,23.5" in breach.message
        play.do("A1 climb angle at 24,23.5")
        assert where(play) == ((24.5, 23.5), "angle")

    def test_one_that_it_faces_needs_no_name(self):
        play = game(unit((23.5, 23.5), 100), pieces=[ANGLE])
        play.do("A1 climb angle")
        assert where(play) == ((23.5, 24.5), "angle")

    def test_a_place_where_it_does_not_touch(self):
        (breach,) = game(unit((23.5, 23.5), 45), pieces=[ANGLE]).breaches("A1 climb angle at 24,22")
        assert (breach.clause, breach.place) == ("ME-55", (24, 22))
        assert breach.message == "A1 does not touch angle at 24,22: at 23.5,24 or at 24,23.5"

    def test_reach_has_both(self):
        play = game(unit((23.5, 23.5), 45), pieces=[ANGLE])
        reach = play.reach("A1", "climb")
        assert [reach.cost_at(place) for place in [(24.5, 23.5), (23.5, 24.5), (23.5, 23.5)]] == [0, 0, None]
        for place in [(24.5, 23.5), (23.5, 24.5)]:
            other = game(unit((23.5, 23.5), 45), pieces=[ANGLE])
            for order in reach.orders_to(place):
                other.do(order)
            assert where(other) == (place, "angle")


class TestDown:
    def test_only_by_option(self):
        inside = unit((20.5, 24), 180, level="keep")
        (breach,) = game(inside).breaches("A1 climb keep")
        assert breach.clause == "ME-57"
        play = game(inside, climb_down=True)
        play.do("A1 climb keep")
        assert where(play) == ((19.5, 24), "ground")

    def test_the_same_conditions(self):
        def down(heading=180, pieces=(KEEP,), **fields):
            return cited(
                game(unit((20.5, 24), heading, level="keep", **fields), pieces=pieces, climb_down=True).breaches(
                    "A1 climb keep"
                )
            )

        assert down() == []
        assert down(0) == ["ME-55"]
        assert down(free_hands=1) == ["ME-52"]
        assert down(pieces=[block("keep", (24, 24), (8, 8), 8)]) == ["ME-54"]
        assert down(pieces=[KEEP, block("shed", (19, 24), (1.5, 4), 2)]) == ["ME-56"]

    def test_onto_a_lower_roof(self):
        play = game(
            unit((20.5, 24), 180, level="keep"), pieces=[KEEP, block("shed", (18, 24), (4, 4), 2)], climb_down=True
        )
        play.do("A1 climb keep")
        assert where(play) == ((19.5, 24), "shed")

    @pytest.mark.parametrize("size_class", [2, 4, 5, 9])
    @pytest.mark.parametrize("aside", [0, 3.5, 4.0, 5.0])
    @pytest.mark.parametrize(("height", "beside"), [(2.5, 2.5), (2.5, 1), (2.5, 4), (4, 4), (4, 2.5), (1.5, 1.5)])
    def test_beside_another_roof(self, height, beside, aside, size_class):
        """ME-67, ME-105, ME-106: down where a jump over the same edge leads, and onto no roof that is as high."""
        roofs = [block("a", (24, 24), (8, 8), height), block("b", (32, 24 + aside), (8, 8), beside)]
        play = game(unit((27.5, 24), level="a", size_class=size_class), pieces=roofs, climb_down=True)
        jump, down = play.breaches("A1 jump: forward 0, jump_off"), play.breaches("A1 climb a")
        assert bool(down) == bool(jump), (down, jump)
        reach, jumped = play.reach("A1", "climb"), play.branch()
        if down:
            assert all(reach.cost_at(Pose((28.5, 24), None, level)) is None for level in ("ground", "a"))
            if beside <= height:
                assert set(cited(down)) <= set(cited(reach.why_not((28.5, 24)).reasons))
            return
        jumped.do("A1 jump: forward 0, jump_off")
        play.do("A1 climb a")
        assert where(play) == where(jumped)
        place, level = where(play)
        assert reach.cost_at(Pose(place, None, level)) is not None

    def test_wall_to_wall(self):
        """ME-106: neighbouring tops of one height have no way between them, whatever the size of the unit."""
        roofs = [block("a", (24, 24), (8, 8), 2.5), block("b", (32, 24), (8, 8), 2.5)]
        play = game(unit((27.5, 24), level="a", size_class=5), pieces=roofs, climb_down=True)
        (breach,) = play.breaches("A1 climb a")
        assert (breach.clause, breach.blocker) == ("ME-106", "a")
        assert "only a lower top serves as the ground" in breach.message

    @pytest.mark.parametrize("degrees", [33, 100.7, 249])
    def test_off_round_terrain(self, degrees):
        """ME-56, ME-57: straight across the edge, whichever way that is."""
        x, y = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        tower = Piece("tower", "rock", CircleShape(24, 24, 5), "elevated", height=4)
        one = unit((24 + 4.497 * x, 24 + 4.497 * y), degrees, level="tower")
        play = game(one, pieces=[tower], climb_down=True)
        play.do("A1 climb tower")
        place, level = where(play)
        assert level == "ground"
        assert math.dist(place, (24 + 5.5 * x, 24 + 5.5 * y)) < 0.02

    def test_reach_and_back(self):
        play = game(unit((20.5, 24), 100, level="keep"), climb_down=True)
        for order in play.reach("A1", "climb").orders_to((19.5, 24)):
            play.do(order)
        assert where(play) == ((19.5, 24), "ground")
        assert game(unit((20.5, 24), 100, level="keep")).reach("A1", "climb").area.is_empty


class TestReach:
    @pytest.mark.sampled
    @pytest.mark.parametrize("split", [False, True])
    @pytest.mark.parametrize("heading", [0, 30, 60, 100, 135, 200, 260, 300])
    def test_headings_are_those_of_play(self, heading, split):
        """Every order of a free turn before or after a climb ends in a reported heading, and each of them has one."""
        options = {"free_turn_split": split}
        reach = game(unit(FOOT, heading), **options).reach("A1", "climb")
        ranges = reach.headings_at((20.5, 24)) if not reach.area.is_empty else ()
        reported = {degrees for degrees in range(0, 360, 5) if reach.cost_at(Pose((20.5, 24), degrees)) is not None}
        played = set()
        for before in range(-90, 91, 5):
            for after in range(-90, 91, 5):
                if (before and after) if not split else abs(before) + abs(after) > 90:
                    continue
                aside = abs((heading + before + 180) % 360 - 180)
                if aside <= 45:
                    played.add((heading + before + after) % 360)
        assert reported == played
        assert bool(ranges) == bool(played)
        for degrees in sorted(played)[::5]:
            play = game(unit(FOOT, heading), **options)
            for order in reach.orders_to(Pose((20.5, 24), degrees)):
                play.do(order)
            assert (*where(play), float(play.table.unit("A1").heading)) == ((20.5, 24), "keep", degrees)
        for degrees in set(range(0, 360, 5)) - played:
            with pytest.raises(NoRoute):
                reach.orders_to(Pose((20.5, 24), degrees))

    def test_a_track_has_no_free_turn(self):
        four = game(unit(FOOT, 100, mobility="track")).reach("A1", "climb")
        assert four.area.is_empty
        assert cited(four.why_not((20.5, 24)).reasons) == ["ME-55"]

    def test_why_not(self):
        reach = game(unit(FOOT)).reach("A1", "climb")
        assert str(reach.why_not((20.5, 25)).reasons[0]) == "ME-56  climbs lead straight across the edge: to 20.5,24"
        assert cited(reach.why_not(Pose((20.5, 24), 180)).reasons) == ["ME-35"]
        assert cited(game(unit((10, 10))).reach("A1", "climb").why_not((20.5, 24)).reasons) == ["ME-55"]
        assert cited(game(unit((10, 10)), pieces=[]).reach("A1", "climb").why_not((20.5, 24)).reasons) == ["ME-51"]
