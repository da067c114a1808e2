"""The ground of mecha: which areas cost a unit what, where it may not be, and where it may be and never moves."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from mecha_games import mecha_game, unit

from simulator.geometry.pieces import Piece, PolygonShape, rectangle
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.elevated import top_of, tops_on
from simulator.rulesets.mecha.features import MechaGround, off_the_top, walls

BOG = Piece("bog", "difficult", rectangle((10, 0), (4, 4)))
WOOD = Piece("wood", "woodland", rectangle((20, 0), (4, 4)))
STONES = Piece("stones", "rough", rectangle((-10, 0), (4, 4)))
STATUE = Piece("statue", "statue", rectangle((-30, 0), (4, 4)))
KEEP = Piece("keep", "building", rectangle((0, 20), (6, 6)), "elevated", 4)
LOW = Piece("low", "rock", rectangle((0, -20), (6, 6)), "elevated", 2)
ALL = (BOG, WOOD, STONES, KEEP, LOW)
#: Movement terrains of the land.
LAND = ("flat_ground", "difficult", "very_difficult", "rough")


def ground(one, *pieces, tables=None, **options):
    """The ground of one level for a unit."""
    table = mecha_game(one, terrain=pieces or ALL, tables=tables, options=options).table
    return MechaGround(table.setting, one, top_of(table.setting, one))


def named(areas):
    """Areas by name, each with what an inch costs."""
    return {one.name: one.rate for one in areas}


def rates(priced, places, y=0):
    """What an inch costs at places along a line; None where the base may not be."""
    found = [priced.rate_at(x, y) for x in places]
    return [line and line.rate for line in found]


class TestAreas:
    @pytest.mark.parametrize(
        ("mobility", "size_class", "rates"),
        [
            ("walker", 2, {"bog": 2, "wood": 4, "stones": 1}),
            ("track", 2, {"bog": 2, "wood": None, "stones": 1}),
            ("wheel", 0, {"bog": 4, "wood": 4, "stones": 2}),
            ("walker", 5, {"bog": 2, "wood": 4, "stones": 1, "low": 4}),
            ("track", 5, {"bog": 2, "wood": None, "stones": 1, "low": None}),
        ],
    )
    def test_features_and_low_tops(self, mobility, size_class, rates):
        """ME-11, ME-98, ME-99, ME-105, ME-108: elevated terrain is none, but for whom it is low."""
        found = ground(unit("A", mobility, size_class=size_class))
        assert named(found.areas) == rates
        assert (found.plain, found.plain_rate) == ("flat_ground", 1)
        assert {one.name for one in found.closed()} == {name for name, rate in rates.items() if rate is None}
        assert {one.clause for one in found.closed()} <= {"ME-19"}

    def test_none_on_a_top(self):
        """ME-106: its ground is flat unless data say otherwise, whatever lies beneath."""
        flat = ground(unit("A", "wheel", (0, 20), level="keep"))
        assert (flat.areas, flat.plain, flat.plain_rate) == ((), "flat_ground", 1)
        yard = Piece("keep", "building", rectangle((0, 20), (6, 6)), "elevated", 4, attributes={"top": "difficult"})
        rubble = ground(unit("A", "wheel", (0, 20), level="keep"), yard)
        assert (rubble.plain, rubble.plain_rate) == ("difficult", 4)

    def test_a_low_top_that_is_closed_is_named(self):
        """ME-19, ME-105: very difficult ground is closed to tracks of any size."""
        game = mecha_game(unit("A", "track", (0, -16), heading=270, size_class=5), terrain=ALL)
        assert [(one.clause, one.blocker) for one in game.breaches("A standard: forward 1")] == [("ME-19", "low")]


class TestBareGround:
    """ME-12, ME-18, ME-103: the dearest under the base counts, bare ground as well, where some feature is cheaper."""

    def test_where_a_feature_is_cheaper(self):
        found = ground(unit("A", "track"), STONES, BOG, tables={"move_table.track.rough": Fraction(1, 2)})
        assert named(found.around) == {"flat_ground": 1}
        (rest,) = found.around
        inside = [rest.shape.polygon.contains(shapely.Point(x, 0)) for x in (0, 47, -10, 10, -12.1, -11.9)]
        assert inside == [True, True, False, False, True, False]
        priced = found.priced()
        assert rates(priced, (0, -10, -8.2, -7.4, 10, 12.4)) == [1, Fraction(1, 2), 1, 1, 2, 2]

    def test_and_where_none_is(self):
        found = ground(unit("A", "track"), STONES, BOG)
        assert found.around == ()
        assert rates(found.priced(), (0, -10, 7.4, 7.6, 10)) == [1, 1, 1, 2, 2]

    @pytest.mark.parametrize(("rate", "closed", "still"), [("cant", 1, 0), (0, 0, 1)])
    def test_that_is_closed_or_never_moved_on(self, rate, closed, still):
        """ME-15, ME-16."""
        found = ground(unit("A", "track", (10, 0)), BOG, tables={"move_table.track.flat_ground": rate})
        assert [(one.name, one.clause) for one in found.closed()] == [("flat_ground", "ME-19")] * closed
        assert [(one.name, one.clause) for one in found.still] == [("flat_ground", "ME-16")] * still
        assert not found.holds(found.unit)
        outside = ground(unit("A", "track", (7.6, 0)), BOG, tables={"move_table.track.flat_ground": rate})
        assert outside.holds(outside.unit) == bool(still)

    @pytest.mark.parametrize(("x", "held"), [(-10, True), (-7.6, True), (-7.5, False), (0, False)])
    def test_that_a_unit_stands_on(self, x, held):
        """ME-16: with any part of its base; the stones end at -8."""
        found = ground(unit("A", "track", (x, 0)), STONES, tables={"move_table.track.rough": 0})
        assert found.holds(found.unit) == held


class TestUnder:
    def test_the_base_or_its_centre(self):
        """ME-18, option terrain_under, E14: the bog begins at 8; on a top it is always the base."""
        base, centre = (ground(unit("A", "track"), BOG, terrain_under=under).priced() for under in ("base", "centre"))
        assert rates(base, (7.4, 7.6, 8.1)) == [1, 2, 2]
        assert rates(centre, (7.4, 7.6, 8.1)) == [1, 1, 2]
        for under in ("base", "centre"):
            top = ground(unit("A", "track", (0, 20), level="keep"), KEEP, terrain_under=under).priced()
            assert rates(top, (2.4, 2.6, 3.1), 20) == [1, None, None]

    @pytest.mark.parametrize(("granularity", "grain"), [("half_inch", Fraction(1, 2)), ("proportional", None)])
    def test_pieces(self, granularity, grain):
        """ME-17, option granularity."""
        assert ground(unit("A", "track"), BOG, granularity=granularity).priced().grain == grain


def stacked(number):
    """Features about the middle of a table that lie on each other in places, and the movement terrain that each is."""
    dice = np.random.default_rng(number)
    words = [str(dice.choice(LAND)) for _ in range(5)]
    corners = [(dice.uniform(-3, 3, 2).round(2).tolist(), dice.uniform(2, 7, 2).round(2).tolist()) for _ in words]
    return [Piece(f"{word} {at}", word, rectangle(*corners[at])) for at, word in enumerate(words)]


def dearest(one, pieces, bare, place, under):
    """What an inch costs a unit at a place, by hand; None: it may not be there, or borders are too near to tell."""
    rates = RULESET.tables["move_table"][one["mobility"]]
    spot, base = shapely.Point(place), shapely.Point(place).buffer(0.5, 64)
    if any(0.48 < spot.distance(piece.shape.polygon.boundary) < 0.52 for piece in pieces):
        return None
    if any(spot.distance(piece.shape.polygon.boundary) < 0.02 for piece in pieces):
        return None
    here = [rates[piece.kind] for piece in pieces if piece.shape.polygon.intersects(base)]
    outside = [bare] if not shapely.union_all([piece.shape.polygon for piece in pieces]).covers(base) else []
    if "cant" in (*here, *(rates[word] for word in outside)):
        return None
    if under == "centre":
        over = [rates[piece.kind] for piece in pieces if piece.shape.polygon.intersects(spot)]
        return max(over, default=rates[bare])
    return max([*here, *(rates[word] for word in outside)])


class TestOverlaps:
    """ME-103: where features overlap, the dearest rate applies."""

    @pytest.mark.parametrize("under", ["base", "centre"])
    def test_difficult_ground_on_a_meadow_in_difficult_ground(self, under):
        meadow = Piece("meadow", "flat_ground", rectangle((0, 0), (20, 20)))
        mud = Piece("mud", "difficult", rectangle((0, 0), (6, 6)))
        played = mecha_game(
            unit("A", "walker"), terrain=(meadow, mud), ground="difficult", options={"terrain_under": under}
        )
        assert played.reach("A", "standard").cost_at((1, 0)) == 2
        assert played.do("A standard: forward 1").ledger.total("mp") == 2

    @pytest.mark.parametrize("under", ["base", "centre"])
    @pytest.mark.parametrize("bare", LAND)
    @pytest.mark.parametrize("mobility", ["walker", "four_legged_walker", "track", "wheel", "hover"])
    @pytest.mark.parametrize("number", range(4))
    def test_of_stacks_of_features(self, number, mobility, bare, under):
        """By hand, on bare ground of all kinds: the base counts, or what lies under its centre (ME-18)."""
        one, pieces = unit("A", mobility), stacked(number)
        table = mecha_game(one, terrain=tuple(pieces), ground=bare, options={"terrain_under": under}).table
        found = MechaGround(table.setting, one)
        priced, closed = found.priced(), [area.solid.polygon for area in found.closed()]
        asked = 0
        for place in np.random.default_rng(number).uniform(-7, 7, (80, 2)).round(3).tolist():
            wanted = dearest(one, pieces, bare, place, under)
            if wanted is None or any(shapely.Point(place).distance(area) < 0.5 for area in closed):
                continue
            asked += 1
            assert priced.rate_at(*place).rate == wanted, place
        assert asked or RULESET.tables["move_table"][mobility][bare] == "cant"


class TestTops:
    def test_walls(self):
        """ME-105, ME-106: on the ground all but low tops; on a top only what is higher."""
        tower = Piece("tower", "building", rectangle((12, 20), (6, 6)), "elevated", 9)

        def names(one):
            table = mecha_game(one, terrain=(KEEP, LOW, tower)).table
            found = walls(table.setting, one, top_of(table.setting, one))
            assert {wall.clause for wall in found} <= {"ME-106"}
            return {wall.name for wall in found}

        assert names(unit("A", "walker")) == {"keep", "low", "tower"}
        assert names(unit("A", "walker", size_class=5)) == {"keep", "tower"}
        assert names(unit("A", "walker", (0, 20), level="keep")) == {"tower"}
        assert names(unit("A", "walker", (0, 20), level="keep", size_class=99)) == {"tower"}
        assert names(unit("A", "walker", (12, 20), level="tower")) == set()

    def test_off_a_ring(self):
        """ME-106: all around it, and its yard."""
        shape = PolygonShape([(0, 0), (12, 0), (12, 12), (0, 12)], [[(4, 4), (8, 4), (8, 8), (4, 8)]])
        ring = Piece("ring", "building", shape, "elevated", 4)
        table = mecha_game(unit("A", "walker", (-9, -9)), terrain=(ring,)).table
        (top,) = tops_on(table.setting)
        assert top.polygon.area == 144 - 16
        outside, yard = off_the_top(unit("A", "walker"), top)
        assert outside.polygon.contains(shapely.Point(-20, 6))
        assert not outside.polygon.intersects(shapely.box(0.1, 0.1, 11.9, 11.9))
        assert yard.polygon.area == 16


def test_scenery_costs_nothing():
    """ME-101: what the rules do not know is no ground of its own."""
    assert ground(unit("A", "track"), STATUE).areas == ()
