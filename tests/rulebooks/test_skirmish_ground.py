"""skirmish: what stands on the table, judged one place and one way at a time, and for many at once."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from skirmish_tables import block, clauses_broken, game_with, rough, wall

from simulator.engine.answers import Script
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import CircleShape, LineShape, Piece, PointShape, PolygonShape
from simulator.rulesets.skirmish.obstruction import (
    all_barred,
    barred_at,
    crosses_rough,
    may_end,
    narrow_gaps,
    rough_stretches,
    standing_breaches,
)

#: Within the tolerance of SK-16, and beyond it.
HAIR, STEP = 5e-7, 1e-5


def crowded(**more):
    """A house, a wall with a gap too narrow and an exact one, a bog, a friend, a large enemy; 12 by 10 inches."""
    pieces = (
        block(3, 3, 5, 4, name="house"),
        wall((8, 0), (8, 2), name="south"),
        wall((8, 2.8), (8, 5), name="middle"),
        wall((8, 6), (8, 10), name="north"),
        rough(0, 6, 2, 8, "bog"),
    )
    others = (("A2", "red", (6, 6)), ("B1", "blue", (4, 8)))
    return game_with(*pieces, at=(1, 1), others=others, corner=(0, 0), size=12, **more)


def seen(game):
    table = game.table
    return table, table.unit("A1")


def way(*places):
    return Paths.of_lines([list(places)])


class TestPlaces:
    """SK-17, SK-56, SK-63: where a base may stand; touching is allowed."""

    @pytest.mark.parametrize("off", [0, HAIR, STEP])
    @pytest.mark.parametrize(
        ("place", "away", "clause"),
        [
            ((0.5, 5), (-1, 0), "SK-63"),
            ((11.5, 5), (1, 0), "SK-63"),
            ((2, 0.5), (0, -1), "SK-63"),
            ((2, 11.5), (0, 1), "SK-63"),
            ((2.5, 3.5), (1, 0), "SK-17"),
            ((7.5, 1), (1, 0), "SK-17"),
            ((5, 6), (1, 0), "SK-56"),
            ((6, 7), (0, -1), "SK-56"),
            ((3, 8), (1, 0), "SK-56"),
        ],
    )
    def test_limits_are_inclusive(self, place, away, clause, off):
        table, unit = seen(crowded())
        spot = place[0] + off * away[0], place[1] + off * away[1]
        broken = [breach.clause for breach in standing_breaches(table, unit, spot)]
        assert broken == ([clause] if off == STEP else [])
        assert may_end(table, unit, [spot]).tolist() == [not broken]

    def test_large_bases_need_more_room(self):
        """SK-51, SK-56: both radii count, of the mover and of those who stand there."""
        game = game_with(me={"radius": 1.5}, others=(("B1", "blue", (5, 0)), ("A2", "red", (0, 5))))
        table, unit = seen(game)
        assert may_end(table, unit, [(3, 0), (3.1, 0), (0, 3), (0, 3.1)]).tolist() == [True, False, True, False]
        assert clauses_broken(game, "A1: to 3,0") == []

    @pytest.mark.parametrize("radius", [0.5, 0.9])
    def test_many_places_are_judged_as_one_by_one(self, radius):
        table, unit = seen(crowded(me={"radius": radius}))
        places = [(x / 2, y / 2) for x in range(-2, 28) for y in range(-2, 28)]
        ends = may_end(table, unit, places)
        assert ends.tolist() == [not list(standing_breaches(table, unit, place)) for place in places]
        assert 0 < np.count_nonzero(ends) < len(places)

    def test_places_may_be_told_in_fractions(self):
        table, unit = seen(crowded())
        assert may_end(table, unit, [(Fraction(1, 2), 5), (Fraction(1, 3), 5)]).tolist() == [True, False]

    def test_nobody_is_in_the_own_way(self):
        table, unit = seen(crowded())
        assert may_end(table, unit, unit.place).tolist() == [True]

    def test_all_that_is_wrong_is_told_at_once(self):
        game = game_with(
            block(0.6, 0, 3, 3),
            at=(2, 6),
            others=(("A2", "red", (0.5, 0.2)), ("B1", "blue", (0.1, 0.9))),
            corner=(0, 0),
        )
        table, unit = seen(game)
        found = list(standing_breaches(table, unit, (0.3, 0.5)))
        assert [(breach.clause, breach.blocker) for breach in found] == [
            ("SK-63", ""),
            ("SK-17", "block"),
            ("SK-56", "A2"),
            ("SK-56", "B1"),
        ]
        assert str(found[0]) == "SK-63  A1 ends at 0.3,0.5, 0.2 over the table's edge"


class TestWays:
    """SK-16, SK-17, SK-37, SK-48 to SK-55: what bars a way, and after how many inches."""

    def test_all_in_the_order_in_which_it_is_met(self):
        table, unit = seen(crowded())
        found = all_barred(table, unit, way((1, 3.5), (9.9, 3.5), (9.9, 9.9), (3, 9.9), (3, 12)))
        assert [(round(one.inches, 4), one.clause, one.blocker) for one in found] == [
            (1.5, "SK-17", "house"),
            (6.5, "SK-17", "middle"),
            (16.7, "SK-17", "north"),
            (23.8, "SK-63", "edge"),
        ]
        assert found[0].message == "the base does not get past house"

    def test_friends_bar_no_way_and_enemies_do(self):
        """SK-53, SK-55."""
        table, unit = seen(crowded())
        assert all_barred(table, unit, way((5, 5), (7, 7.4))) == []
        (one,) = all_barred(table, unit, way((1, 8), (7, 8)))
        assert (one.inches, one.clause, one.blocker) == (pytest.approx(2), "SK-53", "B1")
        assert one.message == "the line of movement passes through the base of B1"

    @pytest.mark.parametrize(
        ("block_by", "y", "barred"),
        [
            ("swept_base", 8.99, True),
            ("swept_base", 9, False),
            ("line_only", 8.49, True),
            ("line_only", 8.5, False),
        ],
    )
    def test_how_near_an_enemy_is_passed(self, block_by, y, barred):
        """SK-53, option enemy_block."""
        table, unit = seen(crowded(options={"enemy_block": block_by}))
        past = way((1, y), (7, y))
        assert [one.blocker for one in all_barred(table, unit, past)] == ["B1"] * barred
        assert np.isfinite(barred_at(table, unit, past)).tolist() == [barred]

    def test_a_gap_too_narrow_is_named_with_both_its_sides(self):
        """SK-48."""
        table, unit = seen(crowded())
        found = {one.blocker: one for one in all_barred(table, unit, way((7, 2.4), (9, 2.4)))}
        assert {name: one.clause for name, one in found.items()} == {
            "south": "SK-17", "middle": "SK-17", "south and middle": "SK-48",
        }  # fmt: skip
        gap = found["south and middle"]
        assert gap.message == "the gap between south and middle is too narrow for a base 1 wide"
        # s = sqrt(0.25 - 0.16): there the base touches both ends of the gap.
        assert [one.inches for one in found.values()] == pytest.approx([1 - 0.3] * 3)
        # Who meets one side only comes to a wall, not to the gap.
        assert [one.clause for one in all_barred(table, unit, way((7, 1.2), (9, 1.2)))] == ["SK-17"]

    def test_an_exact_fit_passes_unless_an_option_says_otherwise(self):
        """SK-49."""
        through = way((7, 5.5), (9, 5.5))
        for passes in (True, False):
            table, unit = seen(crowded(options={"exact_fit_passes": passes}))
            told = "a gap of just the width of the base is taken as too narrow"
            found = [(one.clause, one.blocker, one.message) for one in all_barred(table, unit, through)]
            assert found == ([] if passes else [("SK-49", "gap", told)])
            assert barred_at(table, unit, through).tolist() == [math.inf if passes else pytest.approx(1)]

    @pytest.mark.parametrize(
        ("start", "end", "inches"),
        [
            ((1, 0), (9, 0), [1]),
            ((9, 0), (1, 0), [3]),
            ((3, 0), (5, 0), []),
            ((4, 0), (9, 0), [2]),
            ((4, 0), (1, 0), [2]),
        ],
    )
    @pytest.mark.parametrize("upright", [False, True])
    def test_of_a_channel_both_mouths_are_shut(self, start, end, inches, upright):
        """SK-49, option exact_fit_passes: between two houses an inch apart, beside or above each other."""
        houses = block(2, 0.5, 6, 5, name="one"), block(2, -5, 6, -0.5, name="other")
        if upright:
            houses = block(0.5, 2, 5, 6, name="one"), block(-5, 2, -0.5, 6, name="other")
            start, end = start[::-1], end[::-1]
        table, unit = seen(game_with(*houses, at=start, options={"exact_fit_passes": False}))
        found = all_barred(table, unit, way(start, end))
        assert {one.clause for one in found} <= {"SK-49"}
        assert [round(one.inches, 5) for one in found][:1] == inches
        assert barred_at(table, unit, way(start, end)).tolist() == [pytest.approx(inches[0]) if inches else math.inf]

    def test_every_exact_fit_is_shut_whatever_the_base(self):
        """SK-49, SK-51, option exact_fit_passes: two gates 3 inches wide in one long wall."""
        walls = wall((3, -20), (3, -9), name="a"), wall((3, -6), (3, 6), name="b"), wall((3, 9), (3, 20), name="c")
        for radius, barred in ((1.4, False), (1.5, True)):
            table, unit = seen(game_with(*walls, me={"radius": radius}, options={"exact_fit_passes": False}))
            for y in (-7.5, 7.5):
                assert np.isfinite(barred_at(table, unit, way((0, y), (9, y)))).tolist() == [barred]

    @pytest.mark.parametrize(
        ("radius", "options"),
        [(0.5, {}), (0.5, {"enemy_block": "line_only"}), (0.5, {"exact_fit_passes": False}), (0.9, {})],
        ids=str,
    )
    def test_many_ways_are_judged_as_one_by_one(self, radius, options):
        table, unit = seen(crowded(me={"radius": radius}, options=options))
        spots = [(1, 1), (6.5, 1.5), (9.5, 2.4), (10, 5.5), (6, 8.9), (0.95, 9)]
        lines = [[start, (start[1], 5), end] for start in spots for end in spots if start != end]
        together = barred_at(table, unit, Paths.of_lines(lines))
        for line, inches in zip(lines, together.tolist(), strict=True):
            found = all_barred(table, unit, way(*line))
            assert (found[0].inches if found else math.inf) == pytest.approx(inches, abs=1e-9)
        assert 0 < np.count_nonzero(np.isfinite(together)) < len(lines)

    def test_the_base_stays_on_the_table_all_the_way(self):
        """SK-63."""
        table, unit = seen(crowded())
        (one,) = all_barred(table, unit, way((2, 2), (2, 0.2), (2, 2)))
        assert (one.inches, one.clause, one.blocker) == (pytest.approx(1.5), "SK-63", "edge")
        assert one.message == "the base leaves the table"


class TestGaps:
    """SK-48 to SK-51: which gaps are too narrow, for whom."""

    def test_it_goes_by_the_base(self):
        game = crowded()
        table, unit = seen(game)
        for radius, names in (
            (0.39, []),
            (0.4, []),
            (0.41, [("south", "middle")]),
            (0.5, [("south", "middle")]),
            (0.51, [("south", "middle"), ("middle", "north")]),
        ):
            found = narrow_gaps(table, unit.put({"radius": radius}))
            assert sorted((gap.over for gap in found), reverse=True) == sorted(names, reverse=True)

    def test_the_throat_is_the_nearest_part_of_a_channel(self):
        """SK-50."""
        houses = block(2, 0.4, 6, 5, name="one"), block(2, -5, 6, -0.4, name="other")
        for x, nearest in ((-3, 2), (4.5, 4.5), (9, 6)):
            (gap,) = narrow_gaps(*seen(game_with(*houses, at=(x, 0))))
            assert sorted(gap.ends) == [(nearest, -0.4), (nearest, 0.4)]

    def test_what_a_gap_is_called(self):
        (gap,) = narrow_gaps(*seen(game_with(wall((0, 0.3), (0, 5), (5, 5), (5, -5), (0, -5), (0, -0.3), name="yard"))))
        assert gap.called == "the gap in yard"


class TestRoughGround:
    """SK-8, SK-9, SK-15, SK-66: from where to where a line leads over rough ground."""

    def test_each_area_in_turn(self):
        areas = rough(4, -1, 5, 1, "far"), rough(1, -1, 2, 1, "near"), rough(1, 3, 2, 5, "aside")
        table, unit = seen(game_with(*areas))
        assert rough_stretches(table, way((0, 0), (9, 0))) == [[(1, 2), (4, 5)]]
        assert rough_stretches(table, way((0, 0), (1, 0))) == [[]]
        assert crosses_rough(table, unit, way((0, 0), (1 + STEP, 0)))
        assert not crosses_rough(table, unit, way((0, 0), (1 + HAIR, 0)))

    @pytest.mark.parametrize(("y", "swept"), [(1.4, True), (1.5, False), (1.6, False), (0.5, True), (3.6, True)])
    def test_the_line_or_all_that_the_base_sweeps(self, y, swept):
        """SK-8, option rough_test: touching an area is not crossing it."""
        areas = rough(2, -1, 3, 1, "near"), rough(2, 4, 3, 5, "far")
        line = way((0, y), (5, y))
        by_line, by_base = (
            game_with(*areas, options={"rough_test": option}) for option in ("centre_line", "swept_base")
        )
        assert crosses_rough(*seen(by_line), line) == (y < 1)
        assert crosses_rough(*seen(by_base), line) == swept

    def test_no_rough_ground_no_roll(self):
        game = game_with(block(2, -1, 3, 1), options={"rough_test": "swept_base"})
        assert not crosses_rough(*seen(game), way((0, 0), (5, 0)))

    def test_a_moat_has_a_dry_inside(self):
        """A line with a width is an area, and one that comes back to its start goes round a hole."""
        moat = Piece("moat", "rough_terrain", LineShape([(-3, -3), (3, -3), (3, 3), (-3, 3), (-3, -3)], width=1))
        table, unit = seen(game_with(moat))
        assert not crosses_rough(table, unit, way((-2, 0), (2, 0)))
        assert rough_stretches(table, way((0, 0), (5, 0))) == [[(2.5, 3.5)]]

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("rough_test", ["centre_line", "swept_base"])
    def test_open_ground_within_rough_ground_stays_open(self, rough_test, seed):
        """A ring, and a horseshoe that a base closes: what takes no roll is certain, and what is certain is played."""
        rng = np.random.default_rng(seed)
        outer = [(-6, -6), (6, -6), (6, 6), (-6, 6)]
        inner = [(-1, -1), (1, -1), (1, 1), (-1, 1)] * rng.uniform(2.0, 4.0, (4, 2)).round(2)
        ring = PolygonShape(outer, [inner.tolist()])
        width = float(rng.uniform(0.2, 0.8))
        horseshoe = PolygonShape([*outer[:3], (width, 6), (width, 2), (3, 2), (3, -3), (-3, -3), (-3, 2), (-width, 2),
                                  (-width, 6), outer[3]])  # fmt: skip
        shape = ring if seed % 2 else horseshoe
        game = game_with(
            Piece("bog", "rough_terrain", shape), me={"threshold_left": 0}, options={"rough_test": rough_test}
        )
        reach, (table, unit) = game.reach("A1", "move"), seen(game)
        places = [place for place in rng.uniform(-3.0, 3.0, (40, 2)).tolist() if math.hypot(*place) <= 3.0]
        dry = [place for place in places if not crosses_rough(table, unit, way((0, 0), place))]
        assert len([place for place in dry if math.hypot(*place) > 2.0]) > 2
        assert all(reach.chance_at(place) == 1 for place in dry)
        sure = [place for place in places if shapely.intersects_xy(reach.certain_area, *place)]
        assert len(sure) >= len(dry) - 1
        for place in sure[:8]:
            twin = game.branch(Script.dice((10,), open_ended=True))
            for order in reach.orders_to(place, safest=True):
                twin.do(order)
            assert twin.state.unit("A1").place == pytest.approx(tuple(place), abs=1e-6)

    @pytest.mark.parametrize("turn", [0.0, 30.0, 90.0, 117.0])
    def test_pieces_that_share_an_edge_are_one(self, turn):
        """A line along the seam is inside; one along the outer edge is not, nor one between mere corners."""
        dice = np.random.default_rng([8, int(turn)])
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

        def turned(*places):
            return [(round(x * cos - y * sin, 6), round(x * sin + y * cos, 6)) for x, y in places]

        def piece(name, x1, y1, x2, y2):
            return Piece(name, "rough_terrain", PolygonShape(turned((x1, y1), (x2, y1), (x2, y2), (x1, y2))))

        left, right = piece("left", 1, 0, 2, 5), piece("right", 2, 1, 3, 4)
        outline = turned((1, 0), (2, 0), (2, 1), (3, 1), (3, 4), (2, 4), (2, 5), (1, 5))
        both = seen(game_with(left, right))
        whole = seen(game_with(Piece("whole", "rough_terrain", PolygonShape(outline))))
        lines = [((2, -1), (2, 2)), ((2, 1.5), (2, 3.5)), ((2, -1), (2, 1)), ((1, -1), (1, 6)), ((2, 4), (2, 6))]
        crossed = [True, True, False, False, False]
        for line, is_crossed in zip(lines, crossed, strict=True):
            assert crosses_rough(*both, way(*turned(*line))) == is_crossed
        lines += [((2, float(a)), (float(x), float(b))) for a, x, b in dice.uniform(-1, 6, (20, 3))]
        for line in lines:
            course = way(*turned(*line))
            assert crosses_rough(*both, course) == crosses_rough(*whole, course)
            spans, expected = (rough_stretches(table, course)[0] for table, _ in (both, whole))
            assert np.array(spans) == pytest.approx(np.array(expected), abs=1e-5)
        corners = seen(game_with(piece("one", 0, 0, 1, 1), piece("other", 1, 1, 2, 2)))
        assert not crosses_rough(*corners, way(*turned((0, 2), (2, 0))))

    @pytest.mark.parametrize("options", [{}, {"rough_test": "swept_base"}, {"measure": "front_point"}])
    @pytest.mark.parametrize("psq", [0, 6])
    def test_where_rough_ground_is_cut_makes_no_difference(self, options, psq):
        """Judge, reach, chances and explanations alike, along the seam and off it."""
        dice = np.random.default_rng([88, psq])
        cut = round(float(dice.uniform(1.5, 2.5)), 3)
        me = {"psq": psq, "threshold_left": 0, "heading": 90.0}
        for start in ((cut, -1), (cut, 1), (0.4, -0.5)):
            tables = (rough(1, 0, cut, 4, "a"), rough(cut, 0, 3, 4, "b")), (rough(1, 0, 3, 4, "a"),)
            parted, whole = (game_with(*some, at=start, me=me, options=options, dice=(10,)) for some in tables)
            reaches = [game.reach("A1", ap=1) for game in (parted, whole)]
            places = [(cut, 1.9), (cut, 3), *map(tuple, dice.uniform((0.0, -1.0), (4.0, 4.0), (3, 2)).tolist())]
            for place in places:
                costs, chances = zip(
                    *((reach.cost_at(place), reach.chance_at(place)) for reach in reaches), strict=True
                )
                assert costs[0] == costs[1]
                assert chances[0] == chances[1]
                if costs[0] is None:
                    told = [[one.clause for one in reach.why_not(place).reasons] for reach in reaches]
                    assert told[0] == told[1]
                order = f"A1: to {place[0]},{place[1]}"
                if not parted.breaches(order):
                    ends = []
                    for game in (parted, whole):
                        twin = game.branch(Script.dice((10,), open_ended=True))
                        twin.do(order)
                        ends.append(twin.state.unit("A1").place)
                    assert ends[0] == pytest.approx(ends[1])

    def test_a_pond_is_round(self):
        table, _ = seen(game_with(Piece("pond", "rough_terrain", CircleShape(4, 0, 1))))
        (((begin, end),),) = rough_stretches(table, way((0, 0), (9, 0)))
        assert (begin, end) == (pytest.approx(3, abs=0.01), pytest.approx(5, abs=0.01))
        assert rough_stretches(table, way((0, 1.01), (9, 1.01))) == [[]]

    def test_which_kinds_are_rough_or_obstacles_is_data(self):
        """SK-6, SK-66: everything else is open ground."""
        marsh = Piece("marsh", "marsh", PolygonShape([(1, -1), (2, -1), (2, 1), (1, 1)]))
        line = way((0, 0), (3, 0))
        table, unit = seen(game_with(marsh))
        assert not crosses_rough(table, unit, line)
        assert all_barred(table, unit, line) == []
        table, unit = seen(game_with(marsh, tables={"rough_ground.kinds": ["marsh"]}))
        assert crosses_rough(table, unit, line)
        table, unit = seen(game_with(marsh, tables={"obstacles.kinds": ["marsh"]}))
        assert [one.blocker for one in all_barred(table, unit, line)] == ["marsh"]


class TestPieces:
    """SK-8, SK-66: what skirmish cannot take is told; points of no meaning to it may stand anywhere."""

    @pytest.mark.parametrize(
        ("kind", "shape", "clauses"),
        [
            ("objective", PointShape(3, 3), []),
            ("rough_terrain", PointShape(3, 3), ["SK-66"]),
            ("obstacle", PointShape(3, 3), ["SK-66"]),
            ("rough_terrain", LineShape([(3, 3), (4, 4)]), ["SK-8"]),
            ("rough_terrain", LineShape([(3, 3), (4, 4)], width=0.1), []),
            ("rough_terrain", CircleShape(3, 3, 1), []),
            ("obstacle", LineShape([(3, 3), (4, 4)]), []),
            ("road", LineShape([(3, 3), (4, 4)]), []),
        ],
    )
    def test_of_each_kind(self, kind, shape, clauses):
        game = game_with(Piece("it", kind, shape))
        assert [fault.clause for fault in game.ruleset.faults(game.table)] == clauses
        if not clauses:
            game.do("A1: to 1,0")
