"""The ground of combined_arms asked for directly: shapes and heights of features, prices, barriers, trees, the edge."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator.engine.game import Game
from simulator.geometry.pieces import CircleShape, LineShape, Piece, PointShape, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.features import (
    height_of,
    ignores,
    prices_for,
    shape_of,
    tree_price,
    trees_of,
)
from simulator.rulesets.combined_arms.leaving import inches_from_edge, leaving_breaches, part_at_edge
from simulator.rulesets.combined_arms.matrix import Mover

HALF = Fraction(1, 2)
LINE = LineShape([(0, -5), (0, 5)])
SQUARE = rectangle((0, 0), (10, 10))
OAK = Piece("oak", "individual_tree", PointShape(3, 4))


def area(kind, shape=SQUARE, height=0.0, **attributes):
    return Piece(kind, kind, shape, height=height, attributes=attributes)


def setting(*terrain, **settings):
    return arms_game(piece("A", "on_foot", (40, 40)), terrain=terrain, **settings).table.setting


def prices(mobility, *terrain, altitude=0, **settings):
    return prices_for(setting(*terrain, **settings), Mover.of(piece("A", mobility)), Fraction(altitude))


class TestShapes:
    @pytest.mark.parametrize("kind", ["low_obstacle", "high_wall", "antitank_obstacle"])
    def test_obstacles_drawn_as_lines_are_an_inch_wide(self, kind):
        """CA-63: linear_obstacle_width; a width of its own holds."""
        assert shape_of(setting(), area(kind, LINE)).polygon.bounds == (-0.5, -5, 0.5, 5)
        wide = setting(options={"linear_obstacle_width": 3})
        assert shape_of(wide, area(kind, LINE)).polygon.bounds == (-1.5, -5, 1.5, 5)
        own = LineShape([(0, -5), (0, 5)], 2.0)
        assert shape_of(wide, area(kind, own)) is own

    @pytest.mark.parametrize(("kind", "shape"), [("road", LINE), ("low_obstacle", SQUARE), ("river", SQUARE)])
    def test_all_else_is_as_it_is_drawn(self, kind, shape):
        assert shape_of(setting(), area(kind, shape)) is shape

    @pytest.mark.parametrize(
        ("kind", "height", "known"),
        [
            ("low_obstacle", 0.0, Fraction(3, 2)),
            ("antitank_obstacle", 0.0, Fraction(3, 2)),
            ("vegetation", 0.0, 3),
            ("dense_vegetation", 0.0, 5),
            ("high_wall", 0.0, 6),
            ("building", 0.0, 6),
            ("river", 0.0, 0),
            ("vegetation", 2.5, Fraction(5, 2)),
            ("soft_ground", 2.0, 2),
        ],
    )
    def test_heights(self, kind, height, known):
        """CA-81."""
        assert height_of(setting(), area(kind, height=height)) == known

    @pytest.mark.parametrize(
        ("mobility", "altitude", "height", "over"),
        [
            ("grav", 3, 3, True),
            ("grav", Fraction(29, 10), 3, False),
            ("grav", 1, 0, True),
            ("grav", 0, 0, False),
            ("hover", 1, 0, False),
            ("helicopter", 1, 1, True),
        ],
    )
    def test_who_passes_over_them(self, mobility, altitude, height, over):
        """CA-74, CA-81: from the ground nobody does, and hover vehicles never."""
        assert ignores(Mover.of(piece("A", mobility)), Fraction(altitude), Fraction(height)) is over


class TestPrices:
    """CA-77, CA-78, CA-81: what an inch costs over features, by their numbers; and what a tree does there."""

    @pytest.mark.parametrize(
        ("mobility", "terrain", "altitude", "inch", "tree"),
        [
            ("walker", [], 0, 1, 1),
            ("walker", ["soft_ground"], 0, 2, 2),
            ("walker", ["soft_ground", "vegetation"], 0, 4, 2),
            ("walker", ["vegetation", "low_obstacle"], 0, 4, 2),
            ("walker", ["soft_ground", "road"], 0, HALF, HALF),
            ("walker", ["road", "soft_ground", "vegetation"], 0, HALF, HALF),
            ("walker", ["road", "ford"], 0, 2, 2),
            ("walker", ["ford", "road"], 0, HALF, HALF),
            ("walker", ["road", "low_obstacle"], 0, 1, 1),
            ("grav", ["vegetation"], 0, 2, 1),
            ("grav", ["vegetation"], 3, 1, 1),
            ("grav", ["vegetation"], 2, 2, 1),
        ],
    )
    def test_layers_multiply(self, mobility, terrain, altitude, inch, tree):
        found = prices(mobility, *(area(kind) for kind in terrain), altitude=altitude)
        under = frozenset(range(len(terrain)))
        assert found.price(under, frozenset()) == inch
        assert found.tree_rate(under, frozenset()) == tree

    @pytest.mark.parametrize(
        ("terrain", "climbed", "inch"),
        [
            (["slope"], [0], 2),
            (["slope"], [], 1),
            (["soft_ground", "slope"], [1], 4),
            (["road", "slope"], [1], 1),
            (["ford", "slope"], [1], 4),
            (["bridge", "slope"], [1], 1),
            (["slope", "building"], [0], HALF),  # not indoors
        ],
    )
    def test_slopes(self, terrain, climbed, inch):
        """CA-51, CA-78."""
        found = prices("on_foot", *(area(kind, **({"uphill": 0} if kind == "slope" else {})) for kind in terrain))
        assert found.price(frozenset(range(len(terrain))), frozenset(climbed)) == inch

    @pytest.mark.parametrize(
        ("terrain", "inch"),
        [(["soft_ground", "vegetation"], 2), (["road", "low_obstacle"], 2), (["road"], HALF), ([], 1)],
    )
    def test_the_worst_alone_is_an_option(self, terrain, inch):
        """CA-77: terrain_combination."""
        options = {"terrain_combination": "worst_only"}
        found = prices("walker", *(area(kind) for kind in terrain), options=options)
        assert found.price(frozenset(range(len(terrain))), frozenset()) == inch

    @pytest.mark.parametrize(
        ("terrain", "options", "inch"),
        [
            (["building", "rubble"], {}, 1),
            (["building", "rubble"], {"rubble_factor": "1/4"}, 2),
            (["rubble"], {}, 1),
            (["road", "rubble"], {}, HALF),
            (["building"], {}, HALF),
        ],
    )
    def test_rubble_counts_in_buildings(self, terrain, options, inch):
        """CA-67."""
        found = prices("on_foot", *(area(kind) for kind in terrain), options=options)
        assert found.price(frozenset(range(len(terrain))), frozenset()) == inch

    @pytest.mark.parametrize(("ground", "inch"), [("soft_ground", 2), ("firm_ground", 1)])
    def test_bare_ground_is_that_of_the_table(self, ground, inch):
        """CA-49, CA-50."""
        board = InchTable("Test", 96, 96, (-48, -48), ground=ground)
        known = Game.new(RULESET, board, [piece("A", "walker")]).table.setting
        walker = Mover.of(piece("A", "walker"))
        assert prices_for(known, walker, Fraction(0)).price(frozenset(), frozenset()) == inch

    def test_in_the_air_a_slope_does_not_count(self):
        """CA-51, CA-81: for one whom a scenario slows uphill."""
        hill, known = area("slope", uphill=0), {"terrain.uphill.grav": "1/2"}
        for altitude, inch in ((0, 2), (1, 1)):
            found = prices("grav", hill, altitude=altitude, tables=known)
            assert found.price(frozenset({0}), frozenset({0})) == inch

    def test_where_it_is_the_same_as_farther_down_it_is_that(self):
        wood = area("vegetation")
        known, grav = setting(wood), Mover.of(piece("A", "grav"))
        low, middle, high = (prices_for(known, grav, Fraction(altitude)) for altitude in (0, 2, 3))
        assert middle is low
        assert high is not low
        assert prices_for(known, grav, Fraction(4)) is high


class TestBarriers:
    """CA-78, CA-79, CA-80."""

    def shut(self, mobility, *terrain, altitude=0):
        found = prices(mobility, *terrain, altitude=altitude).barriers
        return [(sorted(one.id for one in bar.pieces), bar.solid.polygon.area) for bar in found]

    def test_what_is_impassable(self):
        assert self.shut("tracked", area("river"), area("soft_ground")) == [(["river"], 100)]
        assert self.shut("grav", area("river")) == []

    def test_without_what_replaces_it(self):
        bridge = area("bridge", rectangle((0, 0), (10, 4)))
        found = self.shut("tracked", area("river"), bridge)
        assert [(names, round(size, 6)) for names, size in found] == [(["river"], 30), (["river"], 30)]

    def test_obstacles_stand_on_roads(self):
        assert self.shut("tracked", area("high_wall"), area("road")) == [(["high_wall"], 100)]

    def test_of_replacing_features_the_later_lies_on_top(self):
        assert self.shut("tracked", area("road"), area("building")) == [(["building"], 100)]
        assert self.shut("tracked", area("building"), area("road")) == []

    def test_those_that_touch_along_a_line_are_one(self):
        two = (area("river", rectangle((0, 0), (4, 4))), area("lake", rectangle((4, 0), (4, 4))))
        assert self.shut("tracked", *two) == [(["lake", "river"], 32)]

    def test_round_ones_stay_round(self):
        (bar,) = prices("tracked", area("lake", CircleShape(0, 0, 3))).barriers
        assert isinstance(bar.solid, CircleShape)
        bridge = area("bridge", rectangle((0, 0), (10, 2)))
        assert len(prices("tracked", area("lake", CircleShape(0, 0, 3)), bridge).barriers) == 2

    def test_which_piece_is_nearest(self):
        two = (area("river", rectangle((0, 0), (4, 4))), area("lake", rectangle((4, 0), (4, 4))))
        (bar,) = prices("tracked", *two).barriers
        assert [bar.at(place).id for place in ((-3, 0), (7, 0))] == ["river", "lake"]

    @pytest.mark.parametrize("kind", ["river", "dense_vegetation", "lake"])
    def test_what_is_replaced_does_not_bar(self, kind):
        """CA-78: under a house there is no lake, though that goes on around it."""
        lake, house = area(kind), area("building", rectangle((0, 0), (4, 4)))
        for terrain in ((lake, house), (house, lake)):
            (bar,) = prices("tracked", *terrain).barriers
            assert [bar.at(place).id for place in ((0, 0), (1.9, 0), (2.1, 0), (4, 4))] == [
                *["building"] * 2,
                *[kind] * 2,
            ]


class TestTrees:
    """CA-60, CA-62, CA-81."""

    def test_those_below_whose_top_it_is(self):
        for altitude, met in ((0, ["oak"]), (2, ["oak"]), (3, [])):
            found = trees_of(
                setting(OAK, area("river")), Mover.of(piece("A", "grav")), Fraction(altitude), has_base=True
            )
            assert [one.id for one, _ in found] == met

    def test_a_piece_without_a_base_has_to_run_through_it(self):
        known, grav = setting(OAK), Mover.of(piece("A", "grav"))
        ((_, trunk),) = trees_of(known, grav, Fraction(0), has_base=False)
        assert trunk.polygon.bounds == pytest.approx((3, 4, 3, 4), abs=2e-3)
        assert trunk.polygon.area > 0
        ((_, point),) = trees_of(known, grav, Fraction(0), has_base=True)
        assert point is OAK.shape

    def test_what_they_cost(self):
        dear = Piece("elm", "individual_tree", PointShape(0, 0), attributes={"tree_cost": 3})
        assert [tree_price(setting(), tree) for tree in (OAK, dear)] == [1, 3]
        assert [tree_price(setting(options={"tree_cost": 2}), tree) for tree in (OAK, dear)] == [2, 3]


class TestCheapGround:
    """What no inch costs less than, on the ground that may be cheap and off it: searches rely on both."""

    KINDS = ("soft_ground", "river", "ford", "road", "bridge", "slope", "rubble", "vegetation", "dense_vegetation")
    MOVERS = ("on_foot", "jetpack", "crew_weapon", "grav", "hover", "tracked", "walker", "wheeled")

    @pytest.mark.parametrize("seed", range(12))
    def test_no_combination_of_areas_costs_less(self, seed):
        dice = np.random.default_rng(seed)
        kinds = dice.choice([*self.KINDS, "building", "low_obstacle", "high_wall"], 14)
        terrain = [
            Piece(f"piece {number}", str(kind), SQUARE, attributes={"uphill": 0.0} if kind == "slope" else {})
            for number, kind in enumerate(kinds)
        ]
        rows = ("firm_ground", "soft_ground", "road", "uphill", "across_or_down", "vegetation", "ford")
        figures = {
            f"terrain.{row}.{mobility}": dice.choice([0.25, 0.5, 1, 1.5, 2, 3]).item()
            for row in rows
            for mobility in self.MOVERS
            if dice.random() < 0.4 * (seed > 2)
        }
        combined = str(dice.choice(["multiply", "worst_only"]))
        for mobility in self.MOVERS:
            known = prices(mobility, *terrain, options={"terrain_combination": combined}, tables=figures)
            ground, open_ = known.ground, [one.multiplier is not None for one in known.features]
            assert ground.least <= ground.least_off_cheap
            for _ in range(150):
                there = (dice.random(len(open_)) < dice.choice([0.05, 0.2, 0.5])) & open_
                under = frozenset(np.flatnonzero(there).tolist())
                slopes = [one for one in under if known.features[one].kind == "slope"]
                climbed = frozenset(one for one in slopes if dice.random() < 0.5)
                assert ground.rate(under, climbed) >= ground.least_over(under)

    def test_roads_are_cheap(self):
        ground = prices("wheeled", area("road"), area("soft_ground"), area("bridge", rectangle((20, 0), (4, 4)))).ground
        assert (ground.least, ground.least_off_cheap, ground.cheap) == (HALF, 1, frozenset({0, 2}))
        hover = prices("grav", area("road"), area("soft_ground")).ground
        assert (hover.least, hover.least_off_cheap, hover.cheap) == (1, 1, frozenset())


class TestTheEdge:
    """CA-138."""

    def test_how_far_off_it_is(self):
        table = arms_game(piece("A", "grav")).table
        places = np.array([(0, 0), (40, 0), (-45, 0), (0, 46), (0, -47), (48, 48), (47, -46)], float)
        assert inches_from_edge(table, places).tolist() == [48, 8, 3, 2, 1, 0, 1]

    @pytest.mark.parametrize(("place", "inches"), [((48, 0), None), ((0, -48), None), ((47.5, 0), 0.5), ((0, 40), 8)])
    def test_only_there_a_piece_leaves(self, place, inches):
        table = arms_game(piece("A", "grav")).table
        found = [(one.clause, one.needed, one.available, one.place) for one in leaving_breaches(table, "A", place)]
        assert found == ([] if inches is None else [("CA-138", inches, 0, place)])

    def test_how_far_is_told(self):
        table = arms_game(piece("A", "grav")).table
        messages = [one.message for place in ((0, 40), (47, 0)) for one in leaving_breaches(table, "A", place)]
        assert messages == ["A is 8 inches from the edge of the board", "A is 1 inch from the edge of the board"]

    def test_the_part_of_an_area_that_is_on_it(self):
        table = arms_game(piece("A", "grav")).table
        assert part_at_edge(table, shapely.box(40, 40, 60, 60)).length == 16
        assert part_at_edge(table, shapely.box(0, 0, 9, 9)).is_empty
