"""A limit of inches besides the budget: roads cheaper than the ground, ways that are dearer and shorter."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from any_spaces import START, any_space, costs_anywhere
from judged_ends import require_judged
from posed_lattice import lattice_ends
from posed_movers import FORWARD, REVERSE, vehicle

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    Arc,
    EarlierPhase,
    EndPhase,
    Follow,
    Mode,
    OffTheEdge,
    Placing,
    PoseLink,
    PoseReach,
    PoseSpace,
    PoseStart,
    PricedGround,
    Rotate,
    TableLevel,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.layers import Layers
from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.together import reach_many
from simulator.pathing.posed.who_gets_there import costs_of_many, started_from
from simulator.pathing.weighted import WeightedReach, planner_for

#: A road along the x axis, at half the price.
ROAD = rectangle((0, 0), (80, 1))


def on_road(under, climbed):
    """Half an inch for each inch of the road."""
    del climbed
    return Fraction(1, 2) if under else Fraction(1)


def driver(budget=12, most=None, **more):
    """A mover on a road that leads ahead of it."""
    ground = more.pop("ground", PricedGround([ROAD], on_road, least=Fraction(1, 2)))
    most = None if most is None else Fraction(most)
    return vehicle(budget, ground=ground, base=Round(0.5), most_inches=most, **more)


def verdict(space, *moves):
    """The verdict on moves from the start."""
    return judged(space, space.starts[0], moves)


# --- the judge ---


class TestJudge:
    def test_inches_of_legs_count_whatever_they_cost(self):
        space = driver(12, 8)
        assert verdict(space, Travel(FORWARD, 8)).is_legal
        (one,) = verdict(space, Travel(FORWARD, 8.5)).objections
        assert (one.what, one.needed, one.available) == ("inches", Fraction(17, 2), 8)

    def test_reverse_is_as_far_as_it_is_dear(self):
        found = verdict(driver(12, 8), Travel(REVERSE, 5), Travel(FORWARD, 2))
        assert found.covered == 7
        assert found.is_legal

    def test_turns_cover_nothing(self):
        found = verdict(driver(12, 8), Rotate(90), Rotate(-90), Travel(FORWARD, 4))
        assert found.covered == 4

    def test_what_was_covered_before_counts(self):
        space = driver(12, 8)
        start = replace(space.starts[0], covered=Fraction(3))
        assert judged(space, start, [Travel(FORWARD, 5)]).is_legal
        assert [one.what for one in judged(space, start, [Travel(FORWARD, 5.1)]).objections] == ["inches"]

    def test_links_cover_what_they_say(self):
        lift = PoseLink("lift", 0, 1, Fraction(1), inches=Fraction(6))
        space = driver(12, 8, above=(TableLevel(even_ground(Fraction(1))),), links=(lift,))
        assert verdict(space, Travel(FORWARD, 2), Follow(lift)).is_legal
        assert [one.what for one in verdict(space, Travel(FORWARD, 3), Follow(lift)).objections] == ["inches"]

    def test_a_slanting_link_covers_what_it_adds(self):
        rise = PoseLink("rise", 0, 1, Fraction(3), slanting=True)
        ground = even_ground(Fraction(1))
        space = driver(12, 8, ground=ground, above=(TableLevel(ground),), links=(rise,))
        assert verdict(space, Travel(FORWARD, 4), Follow(rise)).covered == 5

    def test_each_phase_counts_its_own(self):
        space = driver(12, 4, earlier=(EarlierPhase(Fraction(12), most_inches=Fraction(6)),))
        assert verdict(space, Travel(FORWARD, 6), EndPhase(), Travel(FORWARD, 4)).is_legal
        found = verdict(space, Travel(FORWARD, 7), EndPhase(), Travel(FORWARD, 5))
        assert [(one.what, one.phase, one.available) for one in found.objections] == [
            ("inches", 0, 6),
            ("inches", 1, 4),
        ]


# --- closed forms ---


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("most", "place", "cost"),
    [
        (None, (24, 0), 12),
        (None, (24.1, 0), math.inf),
        (12, (12, 0), 6),
        (12, (12.1, 0), math.inf),
        (12, (-6, 0), 6),
        (12, (0, 8), 12),
        (7, (0, 8), math.inf),
        (0, (0, 0), 0),
        (0, (0.1, 0), math.inf),
    ],
)
def test_on_a_road_and_off_it(most, place, cost):
    # Half an inch of road is crossed on the way to (0, 8), after a turn of 90 degrees that costs 4.
    expected = cost - 0.25 if place == (0, 8) and math.isfinite(cost) else cost
    space = driver(12, most)
    assert PoseReach(space).costs_at([place]) == pytest.approx([expected])
    require_judged(space, PoseReach(space), np.array([place], float))


def test_turns_may_be_paid_for_where_no_inch_is_left():
    reach = PoseReach(driver(12, 5, modes=(FORWARD,)))
    assert reach.costs_in([(5, 0), (5, 0), (5.1, 0)], [90, 45, 0]) == pytest.approx([6.5, 4.5, math.inf])


def test_the_area_on_open_ground_is_a_disc():
    space = replace(driver(40, 6, ground=even_ground(Fraction(1))), turns=TurnPrices.flat(1), modes=(FORWARD,))
    assert PoseReach(space).area(0.01).area == pytest.approx(math.pi * 36, rel=0.01)


# --- dearer and shorter ---

MUD, BYPASS = rectangle((4, 0), (4, 2)), rectangle((4.5, 3), (9, 1))
BEND = [
    *(rectangle((11.2, -1), (4, 0.6)), rectangle((13.2, 1.5), (0.6, 8)), rectangle((10.5, 2), (1.4, 2.4))),
    *(rectangle((10.0, 5.2), (7, 0.6)), rectangle((7.5, 4.0), (0.6, 2.6)), rectangle((9, 3.2), (3, 0.4))),
]


def past_the_mud(most):
    """Mud ahead, a road round it, and behind both a way that winds."""

    def rate(under, climbed):
        del climbed
        return Fraction(3) if 0 in under else Fraction(1, 2) if 1 in under else Fraction(1)

    ground = PricedGround([MUD, BYPASS], rate, least=Fraction(1, 2))
    limits = {"most_inches": None if most is None else Fraction(most), "box": (-1, -3, 14, 7)}
    start = PoseStart((0, 0), Fraction(0))
    return PoseSpace(
        Round(0.4), (start,), Fraction(40), ground, (FORWARD,), TurnPrices.flat(Fraction(1, 2)), BEND, **limits
    )


class TestDearerAndShorter:
    place = (9, 4.2)

    def test_where_the_cheapest_way_is_too_long_a_shorter_one_is_taken(self):
        cheap, short = PoseReach(past_the_mud(None)), PoseReach(past_the_mud(18))
        covered = [
            judged(reach.space, reach.space.starts[0], reach.moves_to(self.place)).covered for reach in (cheap, short)
        ]
        assert covered[0] > 18 >= covered[1]
        assert cheap.costs_at([self.place])[0] < short.costs_at([self.place])[0] < math.inf
        assert require_judged(short.space, short, np.array([self.place])) == 1

    def test_with_states_told_apart_by_price_alone_it_would_be_lost(self, monkeypatch):
        monkeypatch.setattr(Layers, "of", lambda space, _: Layers(space.turns))
        assert PoseReach(past_the_mud(18)).costs_at([self.place])[0] == math.inf

    def test_a_finer_mesh_loses_nothing(self):
        costs = [PoseReach(past_the_mud(18), finer).costs_at([self.place])[0] for finer in (0, 1)]
        assert costs[1] <= costs[0] + 1e-9


# --- laws ---


def limited(space, inches):
    """The same space with a limit of inches, in all of its phases; climbs of its links count."""
    most = Fraction(inches)
    earlier = tuple(replace(phase, most_inches=most) for phase in space.earlier)
    links = tuple(replace(link, inches=link.price) for link in space.links)
    return replace(space, most_inches=most, earlier=earlier, links=links)


#: A search that tells states apart by inches keeps more of them, and now and then finds a way that is cheaper.
CHEAPER = 0.3


# Long: three whole searches are compared; each end of one is judged in the next test.
@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_larger_limit_loses_no_end_and_a_huge_one_is_none(seed):
    space = any_space(seed)
    few, more, huge = (costs_anywhere(space, reach_of(limited(space, inches)), seed) for inches in (2, 4, 1000))
    for fewer, larger in ((few, more), (more, huge)):
        assert np.isfinite(larger[np.isfinite(fewer)]).all()
        assert np.max(larger[np.isfinite(fewer)] - fewer[np.isfinite(fewer)], initial=0.0) <= CHEAPER
    assert huge.tolist() == costs_anywhere(space, reach_of(space), seed).tolist()


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [0, 2, 3, 5, 130])
def test_each_end_has_a_legal_move_at_its_cost(seed):
    space = limited(any_space(seed), "7/2")
    reach, dice = reach_of(space), np.random.default_rng(seed)
    ends = 0
    for level in range(space.level_count):
        places, headings = np.array(START) + dice.uniform(-4, 4, (10, 2)), dice.uniform(0, 360, 10)
        for facing in (None, headings):
            costs = reach.costs_at(places, level) if facing is None else reach.costs_in(places, facing, level)
            for row in np.flatnonzero(np.isfinite(costs)).tolist():
                way = reach.way_to(tuple(places[row]), None if facing is None else float(facing[row]), level)
                found = judged(space, way.start, way.moves)
                assert found.is_legal, found.objections
                assert float(found.total) == pytest.approx(costs[row], abs=1e-6)
                ends += 1
    assert ends


def test_the_area_holds_ends_alone_and_all_that_was_seen():
    space = driver(12, 5, box=(-9, -9, 9, 9), bars=[rectangle((3, 1.5), (1, 1))])
    reach = PoseReach(space)
    area, places = reach.area(), np.random.default_rng(1).uniform(-6, 6, (200, 2))
    inside = shapely.contains_xy(area.buffer(-1e-3), places)
    ends = np.isfinite(reach.costs_at(places))
    assert inside.sum() > 30
    assert np.all(ends[inside])
    assert np.all(shapely.dwithin(area, shapely.points(places[ends]), 0.1))
    assert area.within(Round(5.001).at(0, 0).polygon.buffer(1e-6))


class TestLattice:
    """All moves on a lattice, priced by the judge; of those to one pose the shorter ones are followed as well."""

    patch = (rectangle((1.6, -1.4), (1.7, 1.3), 35), rectangle((1, 0.2), (8, 0.8), 10))
    walls = (rectangle((2.5, 0.9), (0.6, 1.4), 20), rectangle((-1.5, -2.2), (2.0, 0.5), 65))

    def space(self, most):
        def rate(under, climbed):
            del climbed
            return Fraction(2) if 0 in under else Fraction(1, 2) if 1 in under else Fraction(1)

        ground = PricedGround(self.patch, rate, least=Fraction(1, 2))
        turns = TurnPrices.of([(45, Fraction(1, 2)), (90, 1), (180, 2)], separation=1)
        more = {"bars": self.walls, "box": (-4, -3, 5, 4), "heading": 10, "turns": turns}
        return vehicle(4, base=Round(0.3), modes=(FORWARD,), ground=ground, most_inches=Fraction(most), **more)

    @pytest.mark.sampled
    @pytest.mark.parametrize("most", [2, 3, 4])
    def test_no_move_of_turns_to_limits_and_legs_of_the_mesh_is_cheaper(self, most):
        space = self.space(most)
        ends, reach = lattice_ends(space, 45, 1), PoseReach(space)
        places, headings = np.array([end.place for end in ends]), np.array([end.heading for end in ends])
        costs = np.array([end.cost for end in ends])
        assert len(ends) > 10
        assert np.max(reach.costs_at(places) - costs) <= 1e-9
        assert np.max(reach.costs_in(places, headings) - costs) <= 1e-9
        assert require_judged(space, reach, places[:20], headings=headings[:20]) == min(len(places), 20)


# --- why not ---


class TestWhyNot:
    def test_inches_are_missed(self):
        found, _ = shortfalls(PoseReach(driver(12, 8)), (10, 0))
        assert [(one.what, one.needed, one.available) for one in found] == [("inches", 10, 8)]

    # Long: reasons are searched at many prices; those of other places are tried beside it.
    @pytest.mark.long
    def test_of_a_way_that_is_shorter_than_the_cheapest(self):
        reach = PoseReach(past_the_mud(Fraction(35, 2)))
        (short,), _ = shortfalls(reach, (9, 4.2))
        assert (short.what, short.available) == ("inches", 17.5)
        cheapest = PoseReach(past_the_mud(None))
        covered = judged(cheapest.space, cheapest.space.starts[0], cheapest.moves_to((9, 4.2))).covered
        assert 17.5 < short.needed < covered
        assert np.isfinite(PoseReach(past_the_mud(Fraction(short.needed))).costs_at([(9, 4.2)])[0])

    def test_both_are_missed(self):
        found, _ = shortfalls(PoseReach(driver(12, 8)), (0, 13))
        assert [one.what for one in found] == ["budget", "inches"]


# --- many movers, and other planners ---


def test_together_and_alone_are_the_same():
    starts = ((5, 0), (8, 9), (None, 20))
    spaces = [replace(driver(10, most), starts=(PoseStart((x, 0), Fraction(0)),)) for most, x in starts]
    spaces += [replace(spaces[1], starts=(PoseStart((0, 6), Fraction(90)),))]
    places = np.random.default_rng(2).uniform((-8, -6), (24, 8), (40, 2))
    for one, reach in zip(spaces, reach_many(spaces), strict=True):
        assert reach.costs_at(places).tolist() == PoseReach(one).costs_at(places).tolist()


def test_who_gets_there():
    places = [(0, 0), (2, 0), (6, 0), (14, 0)]
    assert costs_of_many(started_from(driver(12, 9), places), (10, 0)).tolist() == [math.inf, 4, 2, 4]


class TestFreeDirections:
    def mover(self, most):
        free = {"turns": TurnPrices.flat(0), "modes": (FORWARD,)}
        return replace(past_the_mud(most), bars=(), **free)

    def test_a_limit_that_matters_is_for_the_planner_that_knows_it(self):
        assert isinstance(planner_for(self.mover(9)), PoseReach)
        assert isinstance(planner_for(self.mover(1000)), WeightedReach)
        with pytest.raises(ValueError, match="inches are limited"):
            WeightedReach(self.mover(9))

    def test_the_straight_way_through_mud(self):
        # 8 inches straight ahead cost 16: half of them are mud.
        costs = [planner_for(self.mover(most)).costs_at([(8, 0)])[0] for most in (8, 1000)]
        assert costs[0] == pytest.approx(16, abs=1e-6)
        assert costs[1] < 11


def test_where_it_is_placed_what_was_covered_counts():
    rim = Placing((Arc((0, 0), 1.0, 0, 360),), covered=Fraction(3))
    space = replace(driver(12, 8, ground=even_ground(Fraction(1, 2))), starts=(), placings=(rim,))
    reach = PoseReach(space)
    assert np.isfinite(reach.costs_at([(6, 0), (6.1, 0)])).tolist() == [True, False]
    way = reach.way_to((6, 0))
    assert way.start.covered == 3
    assert judged(space, way.start, way.moves).is_legal


def test_what_is_wasted_covers_inches():
    modes = (FORWARD, Mode("reverse", 180, Fraction(1)))
    space = driver(12, 9, ground=even_ground(Fraction(1)), modes=modes, more_than=Fraction(6))
    places = np.array([(1.0, 0.0), (2.0, 0.0), (7.0, 0.0)])
    assert require_judged(space, PoseReach(space), places) >= 1


def test_leaps_are_refused():
    leap = OffTheEdge("leap", rectangle((0, 0), (8, 8)), Round(0.5), 1, 0)
    with pytest.raises(ValueError, match="inches are not limited"):
        driver(12, 9, above=(TableLevel(even_ground(Fraction(1))),), links=(leap,))
