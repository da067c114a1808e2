"""Oblique travel: legs in directions that no mode has for its own, at one rate, the heading kept."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from any_spaces import any_space
from judged_ends import require_judged
from posed_movers import FORWARD, REVERSE, SIDEWAYS, flat_ground, vehicle
from shapely import Point
from two_legs import least_by_two_legs

from benchmarks.many_movers import OBLIQUE_KINDS, mover
from benchmarks.missed_moves import compared
from benchmarks.random_moves import random_moves
from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    EarlierPhase,
    Headings,
    Mode,
    OffTheEdge,
    Placing,
    PoseLink,
    PoseReach,
    PoseStart,
    PricedGround,
    Rotate,
    Segment,
    TableLevel,
    Travel,
    TurnPrices,
    judged,
)
from simulator.pathing.posed.reference import leg_prices, reference_costs, reference_prices
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.together import PoseReaches
from simulator.pathing.posed.who_gets_there import costs_of_many, started_from
from simulator.pathing.weighted import WeightedReach, planner_for

HALF = Mode("oblique", aside=None, factor=Fraction(2))
FULL = Mode("oblique", aside=None)
#: Sideways at the full rate, and in any other direction but back.
FREELY = (FORWARD, REVERSE, Mode("left", 90), Mode("right", 270), FULL)
ROOT = math.sqrt(3)


def strafer(budget=36, modes=(FORWARD, REVERSE, *SIDEWAYS, HALF), **fields):
    """A vehicle on open ground that travels obliquely at half rate."""
    return replace(vehicle(budget, base=Round(1)), modes=modes, **fields)


class TestTheJudge:
    @pytest.mark.parametrize(
        ("aside", "price"), [(30, 10), (-30, 10), (1e-6, 10), (179.9, 10), (45, 10), (330, 10), (-330, 10)]
    )
    def test_a_leg_in_another_direction_costs_the_oblique_rate(self, aside, price):
        space = strafer()
        found = judged(space, space.starts[0], [Travel(HALF.toward(aside), 5)])
        assert found.is_legal
        assert found.total == price
        radians = math.radians(aside)
        assert found.place == pytest.approx((5 * math.cos(radians), 5 * math.sin(radians)), abs=1e-12)
        assert found.heading == 0

    @pytest.mark.parametrize("aside", [0, 90, 180, 270, -90, 360, 1e-10])
    def test_a_leg_straight_ahead_back_or_aside_is_none(self, aside):
        space = strafer()
        found = judged(space, space.starts[0], [Travel(HALF.toward(aside), 5)])
        assert [one.what for one in found.objections] == ["mode"]
        assert space.directions.in_direction(aside).aside is not None
        assert not space.directions.in_direction(aside).bound

    def test_other_legs_are_priced_by_their_own_modes(self):
        space = strafer(modes=FREELY)
        for mode, price in ((FORWARD, 3), (REVERSE, 6), (FREELY[2], 3)):
            assert judged(space, space.starts[0], [Travel(mode, 3)]).total == price

    def test_nobody_else_travels_obliquely(self):
        space = vehicle(36, base=Round(1))
        found = judged(space, space.starts[0], [Travel(HALF.toward(30), 5)])
        assert [one.what for one in found.objections] == ["mode"]

    def test_a_leg_goes_on_in_its_direction_alone(self):
        """Of begun inches each direction pays for its own."""
        ground = PricedGround((), flat_ground, grain=Fraction(1))
        space = strafer(ground=ground)
        one, other = HALF.toward(30), HALF.toward(40)
        half = Fraction(1, 2)
        assert judged(space, space.starts[0], [Travel(one, half), Travel(one, half)]).total == 2
        assert judged(space, space.starts[0], [Travel(one, half), Travel(other, half)]).total == 4

    def test_a_leg_leads_somewhere(self):
        with pytest.raises(ValueError, match="a leg by 'oblique' names its direction"):
            Travel(HALF, 3)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"modes": (FORWARD, HALF, Mode("crab", None))}, "one mode at most has no direction of its own"),
        ({"earlier": (EarlierPhase(Fraction(3)),)}, "travel obliquely move in one phase"),
        ({"links": "edge"}, "travel obliquely do not leap off edges"),
    ],
)
def test_what_is_not_planned_for_is_refused(fields, message):
    if "links" in fields:
        fields = {
            "above": (TableLevel(PricedGround((), flat_ground)),),
            "links": (OffTheEdge("down", rectangle((0, 0), (4, 4)), Round(1), 1, 0, Fraction(1)),),
        }
    with pytest.raises(ValueError, match=message):
        strafer(**fields)


class TestClosedForms:
    def test_one_leg(self):
        reach = PoseReach(strafer())
        assert reach.costs_at([(-3, 4), (-3, -0.5)]).round(6).tolist() == [10, round(2 * math.hypot(3, 0.5), 6)]
        assert [str(move) for move in reach.moves_to((-3, 4))] == ["5 inches oblique, 126.87 degrees to the left"]

    def test_ahead_and_then_aside_by_60_degrees(self):
        """At half rate each inch aside costs the root of 3, on open ground."""
        reach = PoseReach(strafer())
        for place in ((5, 3), (9, -2), (4, 4)):
            x, y = place
            assert reach.costs_at([place])[0] == pytest.approx(x + ROOT * abs(y), abs=1e-6)
            assert reach.costs_in([place], [0])[0] == pytest.approx(x + ROOT * abs(y), abs=1e-6)

    @pytest.mark.parametrize(
        ("factor", "cosine"), [(Fraction(3, 2), 2 / 3), (Fraction(3), 1 / 3), (Fraction(5, 4), 0.8)]
    )
    def test_at_other_rates(self, factor, cosine):
        reach = PoseReach(strafer(modes=(FORWARD, replace(HALF, factor=factor))))
        slope = math.sqrt(1 - cosine**2) / cosine
        assert reach.costs_at([(8, 1), (6, -2)]).tolist() == pytest.approx([8 + slope, 6 + 2 * slope], abs=1e-5)

    def test_a_turn_to_a_limit_and_then_the_same(self):
        """45 degrees for 6 inches, and to the other side of that by what is missing."""
        reach = PoseReach(strafer(modes=(FORWARD, HALF)))
        for bearing, far in ((50, 20), (55, 24), (130, 8)):
            place = far * math.cos(math.radians(bearing)), far * math.sin(math.radians(bearing))
            ways = [far * 2.0]
            for turn, price in ((0, 0), (45, 6), (90, 12), (135, 24)):
                off = abs(bearing - turn)
                if turn < bearing and off <= 60:
                    ways.append(price + far * (math.cos(math.radians(off)) + ROOT * math.sin(math.radians(off))))
                if turn >= bearing:
                    ways.append(price + far)
            assert reach.costs_at([place])[0] == pytest.approx(min(ways), abs=1e-5)

    def test_at_the_full_rate_any_place_costs_the_straight_line(self):
        reach = PoseReach(strafer(12, modes=FREELY))
        dice = np.random.default_rng(1)
        places = dice.uniform(-8, 8, (60, 2))
        assert reach.costs_at(places) == pytest.approx(np.hypot(*places.T), abs=1e-6)
        assert reach.costs_in(places, np.zeros(60)) == pytest.approx(np.hypot(*places.T), abs=1e-6)

    def test_straight_back_is_in_reverse_but_by_a_hair_aside_it_is_not(self):
        """Two oblique legs as near to straight back as may be cost what those do."""
        reach = PoseReach(strafer(12, modes=FREELY))
        assert reach.costs_at([(-6, 0)])[0] == pytest.approx(6, abs=0.01)
        require_judged(reach.space, reach, [(-6.0, 0.0)])

    def test_past_one_corner(self):
        """The base touches the corner of a wall with its side on both legs, and turns its course beside it."""
        wall = rectangle((4, 5), (2, 10))  # its lower corners at 3,0 and 5,0
        space = strafer(modes=(HALF,), bars=[wall], base=Round(0))
        reach = PoseReach(space)
        found = reach.costs_at([(5, 3.0), (7, 2.0)])
        ahead = [2 * 5 + 2 * 3.0, 2 * 5 + 2 * math.hypot(2, 2)]
        start = replace(space, starts=(PoseStart((0, 3), Fraction(0)),))
        beside = PoseReach(start).costs_at([(7, 2.0)])
        assert found.tolist() == pytest.approx(ahead, abs=1e-5)
        assert beside[0] == pytest.approx(2 * (math.hypot(3, 3) + 2 + math.hypot(2, 2)), abs=1e-4)

    def test_a_round_base_past_the_corner_of_a_wall(self):
        wall = rectangle((4, 5), (0.01, 10))
        space = strafer(modes=(HALF,), bars=[wall], starts=(PoseStart((0, 1), Fraction(0)),))
        reach = PoseReach(space)
        # Tangents from both sides to the circle of the base round the corner, and the arc between them.
        angle = math.asin(1 / math.hypot(4, 1)) + math.atan2(1, 4)
        assert 4 * (4 + angle) - 0.02 < reach.costs_at([(8, 1)])[0] < 4 * 4 / math.cos(angle)


@pytest.mark.long
def test_ways_of_two_legs_are_found():
    """Turn, forward, oblique; oblique, turn, forward; oblique twice past a corner: none is cheaper by 0.05 inches."""
    known = 0
    for seed, name in enumerate(OBLIQUE_KINDS):
        space, dice = mover(name, seed), np.random.default_rng([seed, 7])
        places = np.array(space.starts[0].place) + dice.uniform(-0.5, 0.5, (5, 2)) * float(space.budget)
        for place, cost in zip(places, PoseReach(space).costs_at(places).tolist(), strict=True):
            least = least_by_two_legs(space, place, dice)
            assert cost <= least + 0.05, (name, place)
            known += math.isfinite(least)
    assert known > 8


@pytest.mark.long
@pytest.mark.parametrize("name", OBLIQUE_KINDS)
def test_random_moves_are_known_for_no_more(name):
    space = mover(name, 2)
    found = compared(space, random_moves(space, np.random.default_rng(5), 120))
    for short in (found.at, found.poses):
        assert np.isinf(short.cheaper).sum() <= 1
        assert short.missed_with_spare == 0
        assert short.known.max() < 0.1
    assert found.outside.max() < 0.1


class TestBesideNetworkx:
    @pytest.mark.sampled
    @pytest.mark.parametrize("name", OBLIQUE_KINDS)
    def test_poses_and_ends(self, name):
        space = mover(name, 0)
        space = replace(space, budget=space.budget / 5)
        reach = PoseReach(space)
        states = reach.searched[0].states
        after, prices = np.flatnonzero(states.parent >= 0), reference_prices(space, states)
        found = states.price[states.parent[after]] + leg_prices(space, states)[after]
        assert found == pytest.approx(states.price[after], abs=1e-9)
        assert np.any(states.mode[after] >= len(space.directions.directed))
        assert np.all(prices <= states.price + 1e-9)
        places = np.array(space.starts[0].place) + np.random.default_rng(4).uniform(-1, 1, (4, 2)) * float(space.budget)
        assert np.all(reach.costs_at(places) <= reference_costs(space, states, prices, places) + 1e-9)


class TestEnds:
    @pytest.mark.sampled
    @pytest.mark.parametrize("name", OBLIQUE_KINDS)
    def test_each_has_moves_that_the_judge_accepts(self, name):
        space = mover(name, 4)
        reach, dice = PoseReach(space), np.random.default_rng(6)
        places = np.array(space.starts[0].place) + dice.uniform(-0.6, 0.6, (40, 2)) * float(space.budget)
        assert require_judged(space, reach, places) > 5
        assert require_judged(space, reach, places[:20], headings=dice.uniform(0, 360, 20)) > 2

    # Long: poses are asked one by one; ends are judged in the test before.
    @pytest.mark.long
    @pytest.mark.parametrize("base", [Round(0.6), Rectangle(2, 1), Oval(2.4, 1)])
    def test_headings_at_a_place_cost_what_poses_do(self, base):
        space = strafer(12, base=base, bars=[rectangle((3, 3), (2, 3)), rectangle((-2, -3), (4, 1))])
        reach = PoseReach(space)
        headings = np.arange(0.0, 360.0, 17.0)
        for place in ((5, 1.5), (-3, 2), (1, -5.5)):
            facing = reach.costs_facing(place, headings)
            assert facing == pytest.approx(reach.costs_in([place] * len(headings), headings), abs=0.05)
            for one in reach.headings_at(place):
                assert one.cost >= reach.costs_at([place])[0] - 1e-6

    @pytest.mark.long
    def test_areas_hold_their_ends(self):
        space = mover("skimmer", 5)
        space = replace(space, budget=Fraction(8))
        reach, dice = PoseReach(space), np.random.default_rng(8)
        moves = random_moves(space, dice, 300)
        for heading in (None, 90.0):
            area = reach.area(heading=heading)
            left, bottom, right, top = area.bounds
            places = dice.uniform((left, bottom), (right, top), (400, 2))
            inside = shapely.contains_xy(shapely.buffer(area, -0.01), *places.T)
            facing = None if heading is None else np.full(inside.sum(), heading)
            # The outline knows an end or two that costs on this mesh miss; finer ones have them.
            finer = PoseReach(space, finer=1)
            assert require_judged(space, finer, places[inside], headings=facing) == inside.sum() > 50
            costs = reach.costs_at(places) if heading is None else reach.costs_in(places, [heading] * 400)
            away = shapely.distance(area, shapely.points(places[np.isfinite(costs)]))
            assert away.max() < 0.1
        assert shapely.distance(reach.area(), shapely.points(moves.place)).max() < 0.1

    def test_the_area_is_larger_than_without(self):
        space = strafer(12)
        with_, without = PoseReach(space).area(), PoseReach(replace(space, modes=space.modes[:-1])).area()
        assert with_.area > without.area + 9
        assert with_.buffer(0.05).covers(without)

    # Long: it searches twice, once on a finer mesh; ends on the usual one are tried beside it.
    @pytest.mark.long
    def test_a_finer_mesh_loses_nothing(self):
        space = mover("alien", 6)
        places = np.array(space.starts[0].place) + np.random.default_rng(3).uniform(-6, 6, (30, 2))
        assert np.all(PoseReach(space, finer=1).costs_at(places) <= PoseReach(space).costs_at(places) + 1e-9)


class TestWithAllElse:
    @pytest.mark.sampled("mode0-2")
    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("mode", [HALF, FULL])
    def test_anything_that_the_form_allows(self, seed, mode):
        space = any_space(seed)
        if space.earlier:
            space = replace(space, earlier=())
        space = replace(space, modes=(*space.modes, mode))
        reach, dice = PoseReach(space), np.random.default_rng(seed)
        for level in range(space.level_count):
            places = (12.0, 10.0) + dice.uniform(-1, 1, (16, 2)) * float(space.budget)
            headings = dice.uniform(0, 360, 16)
            for facing in (None, headings):
                costs = reach.costs_at(places, level) if facing is None else reach.costs_in(places, facing, level)
                for row in np.flatnonzero(np.isfinite(costs)).tolist():
                    way = reach.way_to(tuple(places[row]), None if facing is None else facing[row], level)
                    found = judged(space, way.start, way.moves)
                    assert found.is_legal, (places[row], found.objections)
                    assert float(found.total) == pytest.approx(costs[row], abs=1e-6)
                    assert found.place == pytest.approx(tuple(places[row]), abs=1e-5)

    def test_together_as_alone(self):
        spaces = [strafer(8, starts=(PoseStart(place, Fraction(30)),)) for place in ((0, 0), (3, 2), (6, 0))]
        walls = [rectangle((4, 4), (2, 2))]
        spaces = [replace(space, bars=walls) for space in spaces]
        places = np.random.default_rng(2).uniform(-6, 8, (30, 2))
        for space, reach in zip(spaces, PoseReaches(spaces), strict=True):
            assert np.array_equal(reach.costs_at(places), PoseReach(space).costs_at(places))

    def test_who_gets_there(self):
        space = strafer(8, bars=[rectangle((4, 0), (2, 3))])
        places = [(0, 0), (8, 2), (4, -4), (-6, 1)]
        found = costs_of_many(started_from(space, places), (2, 3), heading=0)
        alone = [PoseReach(one).costs_in([(2, 3)], [0])[0] for one in started_from(space, places)]
        assert found.tolist() == pytest.approx(alone)

    def test_levels_and_slanting_links(self):
        level = TableLevel(PricedGround((), flat_ground))
        for slanting in (False, True):
            links = (PoseLink("up", 0, 1, Fraction(3), slanting=slanting),)
            space = strafer(14, above=(level,), links=links)
            places = np.random.default_rng(9).uniform(-6, 6, (12, 2))
            assert require_judged(space, PoseReach(space), places, 1) > 3

    def test_lower_limits_are_made_up_for_obliquely(self):
        space = strafer(8, modes=(FORWARD, HALF), more_than=Fraction(6))
        assert require_judged(space, PoseReach(space), [(2.0, 0.0), (1.0, 1.0), (-1.0, -1.0)]) == 3

    def test_who_is_placed_travels_as_it_is_to_face(self):
        edge = Placing((Segment((0, 0), (12, 0)),), Headings(-90, 90, from_normal=True))
        space = strafer(8, starts=(), placings=(edge,), turns=TurnPrices.flat(9))
        reach = PoseReach(space)
        # Placed facing along the edge it need not turn: straight away from the edge is sideways then.
        assert reach.costs_in([(6, 3), (14, 2)], [0, 0]).tolist() == pytest.approx([6, 2 + 2 * ROOT], abs=1e-4)
        for place, heading in (((6, 3), 0.0), ((14, 2), 0.0), ((3, 3), 45.0), ((-2, 2), 90.0)):
            way = reach.way_to(place, heading)
            found = judged(space, way.start, way.moves)
            assert found.is_legal
            assert float(found.total) == pytest.approx(reach.costs_in([place], [heading])[0])
        area = reach.area(heading=0)
        for place in ((6, 3.5), (13, 2), (-1, 1)):
            assert area.buffer(0.01).covers(Point(place)) == math.isfinite(reach.costs_in([place], [0])[0])

    def test_ground_with_prices_is_left_obliquely_where_it_is_best(self):
        """Along a road and off it: the cosine of the angle is the share of what an inch costs."""
        road = rectangle((10, 0), (40, 1))
        ground = PricedGround([road], lambda under, _: Fraction(1, 2) if under else Fraction(1), least=Fraction(1, 2))
        space = strafer(20, modes=(FORWARD, HALF), ground=ground, base=Round(0), turns=TurnPrices.flat(99))
        reach = PoseReach(space)

        def cost(at):
            inches = math.hypot(16 - at, 4)
            on_road = inches * 0.5 / 4
            return at / 2 + on_road + (inches - on_road) * 2

        least = min(cost(at) for at in np.linspace(0, 16, 16001))
        found = reach.costs_at([(16, 4)])[0]
        assert least - 0.4 <= found <= least + 0.05  # less where it bends once more at the border of the road

    def test_shortfalls(self):
        (short,), _ = shortfalls(PoseReach(strafer(8, turns=TurnPrices.flat(9))), (5, 3), heading=0)
        assert (short.what, round(short.needed, 4)) == ("budget", round(5 + 3 * ROOT, 4))

    def test_free_turns_make_no_use_of_it(self):
        space = strafer(8, turns=TurnPrices.flat(0))
        assert isinstance(planner_for(space), WeightedReach)
        places = np.random.default_rng(1).uniform(-6, 6, (20, 2))
        assert WeightedReach(space).costs_at(places) == pytest.approx(PoseReach(space).costs_at(places), abs=1e-6)
        cheap = replace(space, modes=(REVERSE, FULL))
        assert isinstance(planner_for(cheap), PoseReach)
        with pytest.raises(ValueError, match="travels obliquely for less"):
            WeightedReach(cheap)

    def test_turns_beside_oblique_legs_are_apart_by_their_inches(self):
        space = strafer(36, modes=(FORWARD, HALF))
        turns = [Rotate(90), Travel(HALF.toward(30), 1), Rotate(45)]
        assert judged(space, space.starts[0], turns).total == 12 + 2 + 6
        turns[1] = Travel(HALF.toward(30), Fraction(1, 2))
        assert judged(space, space.starts[0], turns).total == 24 + 1
