"""Things that give way on several levels: gone on all of them at once, met by legs, turns and links."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, vehicle
from toll_tables import prices_by_networkx, uphill_costs_more
from tolls_on_levels import storeys, tower

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import (
    EarlierPhase,
    EndPhase,
    Follow,
    KnockDown,
    OffTheEdge,
    PhasedReach,
    PoseLink,
    PoseReach,
    PoseStart,
    RecordedReach,
    Rotate,
    RunOver,
    TableLevel,
    TollsSoFar,
    Travel,
    TurnPrices,
    Wanted,
    even_ground,
    judged,
)
from simulator.pathing.posed.reference import reference_costs

EVEN = even_ground(Fraction(1))
UP, DOWN, HIGHER, LOWER = storeys(1)


def tall(x, y, *prices, by_links=False):
    """A tree with a price on each level from the first one up."""
    return KnockDown(Round(0).at(x, y), dict(enumerate(map(uphill_costs_more, prices))), by_links)


def flyer(*tolls, **more):
    """A mover on three levels that turns for 4 inches."""
    above = (TableLevel(EVEN), TableLevel(EVEN))
    fields = {"base": Round(1), "modes": (FORWARD, REVERSE), "turns": TurnPrices.flat(4), "above": above}
    return vehicle(36, tolls=tolls, **fields | {"links": (UP, DOWN, HIGHER, LOWER)} | more)


def verdict(space, *moves):
    return judged(space, space.starts[0], moves)


def kinds(found):
    return [(one.what, one.toll) for one in found.objections]


def paid_for_tolls(found):
    return [(charge.move, charge.toll, charge.price) for charge in found.charges if charge.what == "toll"]


def lowest(space, *places):
    """The costs of places, by level."""
    reach = PoseReach(space)
    return [reach.costs_at(places, level).round(6).tolist() for level in range(3)]


class TestOneThingOnSeveralLevels:
    def test_each_level_has_its_price_and_above_the_top_it_is_not_met(self):
        space = flyer(tall(5, 0, 1, 2))
        for links, paid in (((), 9), ((UP,), 11), ((UP, HIGHER), 10)):
            assert verdict(space, *map(Follow, links), Travel(FORWARD, 8)).total == paid
        assert lowest(space, (8, 0)) == [[9], [10], [10]]

    def test_felled_low_it_is_gone_when_passing_high_and_the_other_way_round(self):
        space = flyer(tall(5, 0, 1, 2))
        there, back = Travel(FORWARD, 8), Travel(REVERSE, 8)
        low_first = verdict(space, there, Follow(UP), back)
        assert (low_first.total, low_first.tolls.gone, low_first.objections) == (8 + 1 + 1 + 16, {0}, ())
        high_first = verdict(space, Follow(UP), there, Follow(DOWN), back)
        assert (high_first.total, high_first.tolls.gone, high_first.objections) == (1 + 8 + 2 + 1 + 16, {0}, ())

    def test_it_bars_the_level_on_which_its_rule_names_no_price(self):
        shut = KnockDown(Round(0).at(5, 0), {0: uphill_costs_more(1), 1: lambda *_: None})
        space = flyer(shut, turns=TurnPrices.flat(99), links=(UP,))
        assert kinds(verdict(space, Follow(UP), Travel(FORWARD, 8))) == [("bars", 0)]
        reach = PoseReach(space)
        assert reach.costs_at([(4, 0), (8, 0)], 1).tolist() == [5, 10]  # the latter by felling it from below
        assert PoseReach(replace(space, budget=Fraction(9))).costs_at([(8, 0)], 1).tolist() == [math.inf]

    def test_one_that_stands_above_the_first_level_alone(self):
        sign = KnockDown(Round(0).at(5, 0), {1: uphill_costs_more(3)})
        assert lowest(flyer(sign), (8, 0)) == [[8], [9], [10]]
        assert verdict(flyer(sign), Follow(UP), Travel(FORWARD, 8)).total == 12

    def test_what_is_run_over_on_a_level_is_met_there_alone(self):
        space = flyer(RunOver(Round(0.5).at(5, 0), Fraction(3), levels=(1,)), turns=TurnPrices.flat(99))
        assert verdict(space, Follow(UP), Travel(FORWARD, 8)).total == 1 + 8 + 2
        assert kinds(verdict(space, Follow(UP), Travel(FORWARD, 5), Follow(DOWN))) == [("bars", 0)]
        assert lowest(space, (5, 0)) == [[5], [1 + 4.5 + 3 + 1], [7]]


class TestWhereLinksEnd:
    def test_what_still_stands_bars_the_way_or_is_knocked_down(self):
        moves = [Follow(UP), Follow(HIGHER), Travel(FORWARD, 5), Follow(LOWER)]
        assert kinds(verdict(flyer(tall(5, 0, 1, 2)), *moves)) == [("bars", 0)]
        found = verdict(flyer(tall(5, 0, 1, 2, by_links=True)), *moves)
        assert (found.objections, found.total, paid_for_tolls(found)) == ((), 10, [(3, 0, 2)])

    def test_it_is_paid_for_without_a_slope_and_counts_as_travelled(self):
        hill = replace(EVEN, areas=[rectangle((0, 0), (80, 80))], slopes={0: 0.0})
        space = flyer(tall(5, 0, 1, by_links=True), ground=hill)
        found = verdict(space, Follow(UP), Travel(FORWARD, 5), Follow(DOWN))
        assert (found.objections, found.total, found.travelled) == ((), 8, 8)
        assert verdict(space, Travel(FORWARD, 5)).total == 7

    # Long: poses with headings on two levels; costs of places there are tried beside it.
    @pytest.mark.long
    def test_search_comes_down_on_it_where_that_is_the_way(self):
        """Walls all around: only from above."""
        court = [rectangle((5, y), (4, 1)) for y in (1.5, -1.5)] + [rectangle((x, 0), (1, 4)) for x in (3.5, 6.5)]
        for by_links, paid in ((False, math.inf), (True, 1 + 5 + 1 + 2)):
            space = flyer(tall(5, 0, 2, by_links=by_links), bars=court, links=(UP, DOWN))
            reach = PoseReach(space)
            assert reach.costs_at([(5, 0)]).tolist() == [paid]
            assert reach.costs_in([(5, 0)], 90).tolist() == [paid + 4]
            assert reach.costs_facing((5, 0), [0.0, 90.0]).tolist() == [paid, paid + 4]
            assert PoseReach(replace(space, budget=Fraction(17, 2))).costs_at([(5, 0)]).tolist() == [math.inf]
            if by_links:
                start, moves = reach.way_to((5, 0), 90)
                assert judged(space, start, moves).total == paid + 4

    def test_stairs_lead_onto_it_as_well(self):
        stairs = PoseLink("stairs", 0, 1, Fraction(1), ((3.0, 0.0), (7.0, 0.0)))
        for by_links, paid in ((False, math.inf), (True, 6)):
            space = flyer(KnockDown(Round(0).at(7, 0), {1: uphill_costs_more(2)}, by_links), links=(stairs,))
            assert PoseReach(space).costs_at([(7, 0)], 1).tolist() == [paid]

    def test_leaps_lead_onto_it_as_well(self):
        roof = rectangle((0, 0), (8, 8))
        leap = OffTheEdge("leap", roof, Round(1), 1, 0, Fraction(1))
        for by_links, paid in ((False, math.inf), (True, 3 + 1 + 2)):
            tree = KnockDown(Round(0).at(5.5, 0), {0: uphill_costs_more(2)}, by_links)
            space = flyer(tree, bars=[roof], above=(TableLevel(EVEN),), links=(leap,), turns=TurnPrices.flat(30))
            space = replace(space, starts=(PoseStart((0, 0), Fraction(0), level=1),))
            reach = PoseReach(space)
            assert reach.costs_at([(5, 0)]).tolist() == [pytest.approx(paid)]
            found = verdict(space, Travel(FORWARD, 3), Follow(leap), Travel(FORWARD, 2))
            assert kinds(found) == ([] if by_links else [("bars", 0)])
            assert reach.costs_at([(7, 0)]).tolist() == [pytest.approx(paid + 2)]

    def test_what_the_last_turn_knocks_down_is_gone_below(self):
        sapling = KnockDown(Round(0.2).at(6, 1.5), {0: uphill_costs_more(5), 1: uphill_costs_more(1)})
        space = flyer(sapling, base=Rectangle(4, 1), links=(UP, DOWN))
        found = verdict(space, Follow(UP), Travel(FORWARD, 6), Rotate(90), Follow(DOWN))
        assert (found.objections, found.total) == ((), 1 + 6 + 4 + 1 + 1)
        reach = PoseReach(space)
        assert reach.costs_in([(6, 0)], 90).tolist() == pytest.approx([13])
        assert reach.costs_facing((6, 0), [90.0]).tolist() == pytest.approx([13])

    # Long: poses with headings on two levels; costs of places there are tried beside it.
    @pytest.mark.long
    def test_headings_and_areas_know_what_stands_below(self):
        """Also where things stand on the first level alone."""
        post = KnockDown(Round(0.2).at(6, 1.5), uphill_costs_more(30))
        moat = [rectangle((3, 0), (1, 40))]
        space = flyer(post, base=Rectangle(4, 1), bars=moat, links=(UP, DOWN), turns=TurnPrices.flat(1))
        reach = PoseReach(space)
        assert reach.costs_facing((6, 0), [0.0, 90.0]).tolist() == [8, math.inf]
        assert reach.costs_in([(6, 0), (6, 0)], [0.0, 90.0]).tolist() == [8, math.inf]
        bare = flyer(
            KnockDown(Round(0.5).at(9, 0), uphill_costs_more(30)),
            bars=moat,
            links=(UP, DOWN),
            turns=TurnPrices.flat(99),
        )
        parts = [part.bounds[::2] for part in shapely.get_parts(PoseReach(bare).area())]
        ahead = sorted((near, far) for near, far in parts if far > max(near, 0.0) + 0.01 and near > 2)
        assert ahead == [pytest.approx((4.5, 7.5), abs=1e-3), pytest.approx((10.5, 34), abs=1e-3)]


class TestUnderTheStart:
    """What the base stands on at the start is paid for with the first leg among it, not with a climb."""

    def test_within_it_a_climb_costs_nothing_more(self):
        space = flyer(tall(0.5, 0, 1, 2))
        assert verdict(space, Follow(UP)).total == 1
        found = verdict(space, Follow(UP), Travel(FORWARD, 3))
        assert (found.total, paid_for_tolls(found)) == (1 + 2 + 3, [(1, 0, 2)])
        assert verdict(space, Follow(UP), Follow(DOWN), Travel(FORWARD, 3)).total == 2 + 1 + 3
        assert lowest(space, (0, 0), (3, 0)) == [[0, 4], [1, 5], [2, 5]]

    def test_above_its_top_it_is_left_behind_and_bars_the_way_back(self):
        space = flyer(tall(0.5, 0, 1, 2))
        found = verdict(space, Follow(UP), Follow(HIGHER), Travel(FORWARD, 3))
        assert (found.total, found.tolls.gone, found.objections) == (5, frozenset(), ())
        assert kinds(verdict(space, Follow(UP), Follow(HIGHER), Follow(LOWER))) == [("bars", 0)]

    def test_a_start_higher_up(self):
        space = replace(flyer(tall(0.5, 0, 1, 2)), starts=(PoseStart((0, 0), Fraction(0), level=1),))
        assert verdict(space, Travel(FORWARD, 3)).total == 5
        assert verdict(space, Follow(DOWN), Travel(FORWARD, 3)).total == 1 + 1 + 3
        assert lowest(space, (0, 0), (3, 0)) == [[1, 5], [0, 5], [1, 4]]

    def test_the_end_of_a_move_is_the_start_of_the_next(self):
        space = flyer(tall(0.5, 0, 1, 2))
        first = verdict(space, Follow(UP))
        begun = PoseStart(first.place, first.heading, first.total, first.travelled, level=1, tolls=first.tolls)
        assert first.tolls == TollsSoFar(touched=frozenset({0}))
        assert judged(space, begun, [Follow(DOWN), Travel(FORWARD, 3)]).total == 1 + 1 + 1 + 3


class TestOtherParts:
    def test_a_slanting_climb_meets_what_its_leg_meets(self):
        """The leg is made on the level that is left."""
        rise, sink = storeys(3, slanting=True, levels=2)
        space = flyer(tall(3, 0, 1), links=(rise, sink), turns=TurnPrices.flat(99))
        assert float(verdict(space, Travel(FORWARD, 4), Follow(rise)).total) == 5 + 1
        sinking = verdict(space, Follow(rise), Travel(FORWARD, 3.5), Follow(sink))
        assert kinds(sinking) == [("bars", 0)]
        assert float(verdict(space, Follow(rise), Travel(FORWARD, 4.5), Follow(sink)).total) == 3 + math.hypot(3, 4.5)
        assert PoseReach(space).costs_at([(4, 0)], 1).tolist() == pytest.approx([2 + math.sqrt(13)])  # up before it

    # Long: poses with headings on two levels; costs of places there are tried beside it.
    @pytest.mark.long
    def test_records_are_levels_of_their_own(self):
        hop = PoseLink("hop", 1, 0, Fraction(1), ((9.0, 0.0), (11.0, 0.0)), flags=frozenset({"hop"}))
        space = flyer(tall(5, 0, 1, 2), tall(15, 0, 3, 2), links=(UP, DOWN, hop))
        reach = RecordedReach(space)
        wanted = Wanted(frozenset({"hop"}))
        assert reach.costs_at([(13, 0), (17, 0)], 0, wanted).tolist() == pytest.approx([14, 21])
        moves = reach.moves_to((17, 0), wanted=wanted)
        assert (verdict(space, *moves).total, verdict(space, *moves).objections) == (21, ())
        assert reach.costs_at([(17, 0)], 1, wanted).tolist() == pytest.approx([21])

    def test_what_one_phase_knocks_down_is_gone_in_the_next(self):
        space = flyer(tall(3, 0, 1, 2), budget=Fraction(9), earlier=(EarlierPhase(Fraction(4)),), links=(UP, DOWN))
        reach = PhasedReach(space)
        places = [(3, 0), (8, 0), (10, 0)]
        for level in (0, 1):
            known = reach.costs_at(places, level)
            for place, cost in zip(places, known.tolist(), strict=True):
                start, moves = reach.way_to(place, level=level)
                found = judged(space, start, moves)
                assert (found.is_legal, float(found.total)) == (True, pytest.approx(cost))

    def test_what_stands_under_a_start_stays_through_phases(self):
        space = flyer(tall(0.5, 0, 1, 2), budget=Fraction(9), earlier=(EarlierPhase(Fraction(1)),), links=(UP, DOWN))
        found = verdict(space, Follow(UP), EndPhase(), Travel(FORWARD, 6))
        assert (found.is_legal, found.total) == (True, 6 + 2)
        reach = PhasedReach(space)
        start, moves = reach.way_to((6, 0), level=1)
        found = judged(space, start, moves)
        assert (found.is_legal, float(found.total)) == (True, pytest.approx(reach.costs_at([(6, 0)], 1)[0]))

    def test_refused(self):
        for levels in ((), (0, 3)):
            with pytest.raises(ValueError, match="stands on one or more of the levels"):
                flyer(RunOver(Round(1).at(9, 9), Fraction(2), levels=levels))
        leap = OffTheEdge("leap", rectangle((0, 0), (8, 8)), Round(1), 1, 0)
        assert flyer(tall(9, 9, 1), links=(leap,)).links == (leap,)
        with pytest.raises(ValueError, match="leads off a level where things stand"):
            flyer(tall(9, 9, 1, 1), links=(leap,))
        holes = [RunOver(Round(1).at(9, 9), Fraction(2), Fraction(1), levels=(level,)) for level in (0, 1)]
        assert len(flyer(*holes).tolls) == 2  # they overlap on different levels


# Long: every end is judged; the next test has a few, beside networkx.
@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_each_end_has_a_move_that_the_judge_accepts_at_that_cost(seed):
    space = tower(seed)
    reach = PoseReach(space)
    dice = np.random.default_rng(seed)
    things = [toll.thing.polygon.centroid.coords[0] for toll in space.tolls]
    places = np.concatenate([dice.uniform(-4, 4, (8, 2)), things + dice.uniform(-0.4, 0.4, (len(things), 2))])
    headings, ends, passed = dice.uniform(0, 360, len(places)), 0, 0
    for level in range(3):
        for facing in (None, headings):
            known = reach.costs_at(places, level) if facing is None else reach.costs_in(places, facing, level)
            for row, moves in enumerate(reach.moves_to_each(places, facing, level)):
                assert (moves is not None) == np.isfinite(known[row])
                if moves is not None:
                    found = verdict(space, *moves)
                    assert found.is_legal, (found.objections, moves)
                    assert float(found.total) == pytest.approx(float(known[row]), abs=1e-6)
                    assert found.level == level
                    ends, passed = ends + 1, passed + len(paid_for_tolls(found))
        one = int(dice.integers(len(places)))
        faced = reach.costs_facing(tuple(places[one].tolist()), headings[:4], level)
        assert faced.tolist() == pytest.approx(reach.costs_in(places[[one] * 4], headings[:4], level).tolist())
    assert ends > 12
    assert passed > 0


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [0, 1])
def test_networkx_and_the_judge_find_no_pose_and_no_end_cheaper(seed):
    space = tower(seed, budget=3)
    reach = PoseReach(space)
    states = reach.searched[0].states
    assert np.any(states.tolls.gone)
    prices = prices_by_networkx(space, states)
    places = np.random.default_rng(seed).uniform(-2, 2, (3, 2))
    for level in range(3):
        assert np.all(reach.costs_at(places, level) <= reference_costs(space, states, prices, places, level) + 1e-9)


# Long: every place of an area is judged; single places are tried above.
@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 3])
def test_places_of_an_area_are_ends(seed):
    space = tower(seed, budget=4)
    reach = PoseReach(space)
    for level in (0, 1):
        area = reach.area(level=level)
        places = np.random.default_rng(6).uniform(-4, 4, (150, 2))
        known = np.isfinite(reach.costs_at(places, level))
        inside = shapely.contains_xy(polygons_of(area), places[:, 0], places[:, 1])
        assert inside.sum() > 10
        assert np.mean(known[inside]) > 0.98
        assert np.mean(shapely.distance(area, shapely.points(places[known])) > 0.1) < 0.05
