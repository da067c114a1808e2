"""Things that are passed at a price: closed forms, what the judge says, and laws on generated tables."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, stepper, vehicle
from posed_tables import START
from toll_tables import (
    MOVERS_WITH_TOLLS,
    ahead_of,
    barred_instead,
    crowded_start,
    prices_by_networkx,
    toll_mover,
    uphill_costs_more,
)

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import PolygonShape, rectangle
from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import (
    Follow,
    KnockDown,
    PoseLink,
    PoseReach,
    PoseStart,
    PricedGround,
    Rotate,
    RunOver,
    TableLevel,
    TollsSoFar,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.reference import reference_costs
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.weighted import WeightedReach

EVEN = even_ground(Fraction(1))


def tree(x, y, price=1):
    return KnockDown(Round(0).at(x, y), uphill_costs_more(price))


def foe(x, y, base=Round(0.5), factor=3, heading=0.0):  # noqa: B008 - bases never change
    return RunOver(base.at(x, y, heading), Fraction(factor))


def tank(*tolls, **more):
    """A mover that goes forward, and turns for 4 inches."""
    more = {"base": Round(1), "modes": (FORWARD,), "turns": TurnPrices.flat(4), **more}
    return vehicle(36, tolls=tolls, **more)


def cost(space, place, heading=None):
    reach = PoseReach(space)
    return float((reach.costs_at([place]) if heading is None else reach.costs_in([place], heading))[0])


def verdict(space, *moves):
    return judged(space, space.starts[0], moves)


def kinds(found):
    return [(one.what, one.toll) for one in found.objections]


class TestTreesOnTheWay:
    def test_one_is_paid_for_when_the_base_meets_it(self):
        space = tank(tree(5, 0))
        assert PoseReach(space).costs_at([(4, 0), (4.1, 0), (8, 0)]).tolist() == pytest.approx([4, 5.1, 9])
        found = verdict(space, Travel(FORWARD, 4), Travel(FORWARD, 4))
        assert (found.total, found.tolls.gone, found.travelled) == (9, {0}, 9)
        assert [(one.what, one.toll, one.price) for one in found.charges if one.what == "toll"] == [("toll", 0, 1)]

    # Long: ways round at several tolls; a way over a tree is tried beside it.
    @pytest.mark.long
    def test_going_round_is_cheaper_only_where_the_tree_is_dear(self):
        turns = TurnPrices.of([(15, 2), (30, 4), (90, 12), (180, 20)])
        cheap, dear = tank(tree(10, 0, 3), turns=turns), tank(tree(10, 0, 12), turns=turns)
        assert cost(cheap, (20, 0)) == pytest.approx(23)
        assert 24 < cost(dear, (20, 0)) < 30
        assert cost(dear, (20, 0)) == pytest.approx(cost(barred_instead(dear), (20, 0)))

    def test_one_that_has_been_knocked_down_is_gone(self):
        space = tank(tree(3, 0), modes=(FORWARD, REVERSE))
        found = verdict(space, Travel(FORWARD, 4), Travel(REVERSE, 4), Travel(FORWARD, 6))
        assert found.total == 4 + 1 + 8 + 6

    def test_uphill_it_costs_more(self):
        hill = PricedGround([rectangle((0, 0), (80, 80))], lambda *_: Fraction(1), slopes={0: 0.0})
        for heading, paid in ((0, 10), (90, 9), (180, 9)):
            x, y = round(math.cos(math.radians(heading))), round(math.sin(math.radians(heading)))
            space = tank(tree(5 * x, 5 * y), ground=hill, heading=heading)
            assert cost(space, (8 * x, 8 * y)) == pytest.approx(paid)
            assert verdict(space, Travel(FORWARD, 8)).total == paid

    def test_it_goes_by_the_ground_at_the_tree_not_at_the_mover(self):
        mud = PricedGround([rectangle((5, 0), (0.5, 9))], lambda *_: Fraction(1))
        price = KnockDown(Round(0).at(5, 0), lambda under, _: Fraction(5 if 0 in under else 1))
        assert cost(tank(price, ground=mud), (4.5, 0)) == pytest.approx(9.5)

    def test_where_the_rule_names_no_price_it_bars_the_way(self):
        space = tank(KnockDown(Round(0).at(5, 0), lambda *_: None), turns=TurnPrices.flat(99))
        assert PoseReach(space).costs_at([(4, 0), (4.1, 0), (8, 0)]).tolist() == [4, math.inf, math.inf]
        assert kinds(verdict(space, Travel(FORWARD, 8))) == [("bars", 0)]

    def test_one_under_the_base_at_the_start_is_paid_for_with_the_first_leg(self):
        space = tank(tree(0.5, 0))
        assert PoseReach(space).costs_at([(0, 0), (0, 0.2), (3, 0)]).tolist() == pytest.approx([0, 5.2, 4])
        assert cost(space, (0, 0), 90) == 4
        assert verdict(space, Rotate(90)).total == 4

    @pytest.mark.parametrize(("budget", "far"), [(4, 4), (4.5, 4), (5, 4), (5.5, 4.5), (7, 6)])
    def test_who_cannot_pay_stops_before_it(self, budget, far):
        area = PoseReach(tank(tree(5, 0), budget=budget, turns=TurnPrices.flat(99))).area()
        assert area.bounds == pytest.approx((0, 0, far, 0), abs=1e-5)

    def test_prices_are_added_to_whole_pieces_of_a_grain(self):
        space = stepper(9, tolls=[tree(3, 0, Fraction(1, 3))])
        for inches, paid in ((2.4, 2.5), (2.5, 2.5), (2.6, 3 + 1 / 3), (5, 5 + 1 / 3)):
            assert cost(space, (inches, 0)) == pytest.approx(paid)
            assert float(verdict(space, Travel(FORWARD, inches)).total) == pytest.approx(paid)


class TestTreesMetByTurning:
    long = Rectangle(4, 1)
    near = KnockDown(Round(0.2).at(0, 1.5), lambda *_: Fraction(1))

    def test_a_turn_pays_without_a_slope(self):
        hill = PricedGround([rectangle((0, 0), (80, 80))], lambda *_: Fraction(1), slopes={0: 90.0})
        space = tank(tree(0, 1.5), base=self.long, ground=hill)
        found = verdict(space, Rotate(90))
        assert [(one.what, one.price) for one in found.charges] == [("turn", 4), ("toll", 1)]
        assert found.travelled == 1

    def test_costs_headings_and_what_follows(self):
        reach = PoseReach(tank(self.near, base=self.long))
        assert reach.costs_in([(0, 0), (0, 0)], [60, 90]).tolist() == [4, 5]
        assert reach.costs_at([(0, 10)]).tolist() == pytest.approx([15])
        ranges = {round(one.last, 2): one.cost for one in reach.headings_at((0, 0))}
        assert ranges == {0.0: 0, 62.18: 4, 297.82: 5, 360.0: 4}

    def test_what_counts_as_travelled_limits_it(self):
        reach = PoseReach(tank(self.near, base=self.long, most_travelled=Fraction(5)))
        # Farther out even two turns that miss the tree lead there by more than five inches of legs.
        assert reach.costs_at([(0, 4), (0, 4.95)]).tolist() == pytest.approx([9, math.inf])

    def test_it_may_be_met_by_the_last_turn(self):
        space = tank(KnockDown(Round(0.2).at(6, 1.5), lambda *_: Fraction(1)), base=self.long)
        assert cost(space, (6, 0), 90) == pytest.approx(11)
        (start,) = space.starts
        found = judged(space, start, PoseReach(space).moves_to((6, 0), 90))
        assert (found.total, found.tolls.gone) == (11, {0})


class TestRunningOver:
    @pytest.mark.parametrize(("base", "long"), [(Round(0.5), 1), (Rectangle(2, 1), 2), (Rectangle(1, 3), 1)])
    def test_the_stretch_costs_three_times_as_much(self, base, long):
        space = tank(foe(10, 0, base))
        assert cost(space, (20, 0)) == pytest.approx(20 + 2 * long)
        found = verdict(space, Travel(FORWARD, 20))
        assert (round(float(found.total), 9), found.tolls.gone) == (20 + 2 * long, {0})
        (charge,) = (one for one in found.charges if one.what == "toll")
        assert (round(float(charge.amount), 9), charge.rate, charge.ground.rate) == (long, 2, 1)

    @pytest.mark.sampled(dear=["False-6.5"])
    @pytest.mark.parametrize(("off_road", "paid"), [(False, 6.5), (True, 26)])
    def test_on_a_road_it_costs_three_times_the_rate_of_the_road(self, off_road, paid):
        """Example E34 of combined_arms."""
        road = PricedGround(
            [rectangle((8, 20 if off_road else 0), (40, 2))],
            lambda under, _: Fraction(1, 2) if under else Fraction(2),
            least=Fraction(1, 2),
        )
        space = tank(foe(6.5, 0), ground=road, base=Round(0.5))
        assert cost(space, (11, 0)) == pytest.approx(paid)
        assert verdict(space, Travel(FORWARD, 11)).total == paid

    def test_the_mode_counts_and_a_grain_does_not(self):
        assert cost(tank(foe(-5, 0), modes=(FORWARD, REVERSE)), (-10, 0)) == pytest.approx(4 + 12)
        back = tank(foe(-5, 0), modes=(REVERSE,))
        assert cost(back, (-10, 0)) == pytest.approx(2 * 12)
        halves = stepper(12, tolls=[foe(5.1, 0, Round(0.3))], base=Round(0.5))
        found = verdict(halves, Travel(FORWARD, 8))
        assert float(found.total) == pytest.approx(8 + 2 * 0.6)
        assert cost(halves, (8, 0)) == pytest.approx(9.2)

    def test_no_end_from_the_first_touch_to_the_far_side(self):
        space = tank(foe(5, 0), turns=TurnPrices.flat(99))
        places = [(x, 0) for x in (3.5, 3.6, 5, 5.4, 5.5, 5.6)]
        assert PoseReach(space).costs_at(places).tolist() == pytest.approx(
            [3.5, math.inf, math.inf, math.inf, 7.5, 7.6]
        )
        objections = [kinds(verdict(space, Travel(FORWARD, x))) for x, _ in places]
        assert objections == [[], [("end", 0)], [("end", 0)], [("end", 0)], [], []]
        parts = sorted(part.bounds for part in shapely.get_parts(PoseReach(space).area()))
        assert [part[0::2] for part in parts] == [pytest.approx((0, 3.5), abs=1e-5), pytest.approx((5.5, 34), abs=1e-5)]

    @pytest.mark.parametrize(("budget", "far"), [(6, 3.5), (7.4, 3.5), (8, 6)])
    def test_who_cannot_pay_stops_before_it(self, budget, far):
        area = PoseReach(tank(foe(5, 0), budget=budget, turns=TurnPrices.flat(99))).area()
        assert area.bounds == pytest.approx((0, 0, far, 0), abs=1e-5)

    def test_one_that_is_only_grazed_bars_the_way(self):
        space = tank(foe(5, 0.8), turns=TurnPrices.flat(99))
        touch = 5 - math.sqrt(1.5**2 - 0.8**2)
        assert PoseReach(space).area().bounds == pytest.approx((0, 0, touch, 0), abs=1e-5)
        (one,) = verdict(space, Travel(FORWARD, 9)).objections
        assert (one.what, one.toll, one.inches) == ("bars", 0, pytest.approx(touch, abs=1e-5))

    def test_one_behind_the_other(self):
        space = tank(foe(8, 0), foe(12, 0), foe(14, 0))
        assert cost(space, (20, 0)) == pytest.approx(26)
        assert cost(space, (10, 0)) == pytest.approx(12)
        # Between the last two there is no room: one is touched before the other is crossed.
        assert kinds(verdict(space, Travel(FORWARD, 13))) == [("end", 2)]

    def test_turning_over_it_and_leaving_elsewhere(self):
        space = tank(foe(5, 0, Rectangle(2, 2)), turns=TurnPrices.of([(89, 30), (180, 4)]))
        found = verdict(space, Travel(FORWARD, 5), Rotate(90), Travel(FORWARD, 4))
        assert (found.objections, found.total) == ((), 5 + 2 * 1 + 4 + 4 + 2 * 1)
        assert cost(space, (5, 4), 90) == pytest.approx(17)

    def test_backing_out_is_no_crossing(self):
        space = tank(foe(5, 0, Rectangle(2, 2)), modes=(FORWARD, REVERSE))
        found = verdict(space, Travel(FORWARD, 5), Travel(REVERSE, 5))
        assert kinds(found) == [("bars", 0)]
        assert kinds(verdict(space, Travel(FORWARD, 3.2), Travel(REVERSE, 3))) == [("bars", 0)]
        assert kinds(verdict(space, Travel(FORWARD, 5), Rotate(100), Travel(FORWARD, 9))) == [("bars", 0)]

    def test_when_it_is_gone_its_place_is_free(self):
        space = tank(foe(5, 0), modes=(FORWARD, REVERSE))
        assert cost(space, (5, 0)) == pytest.approx(4.5 + 3 + 1)
        found = verdict(space, Travel(FORWARD, 6), Rotate(180), Travel(FORWARD, 3))
        assert (found.objections, found.total) == ((), 8 + 4 + 3)

    def test_a_long_base_keeps_touch_while_it_turns(self):
        long, beside = Rectangle(4, 1), foe(0, 1.5, Round(0.3))
        space = tank(beside, base=long)
        assert kinds(verdict(space, Rotate(90))) == [("end", 0)]
        assert kinds(verdict(space, Rotate(170))) == [("bars", 0)]
        found = verdict(space, Rotate(90), Travel(FORWARD, 6))
        assert (found.objections, found.total) == ((), 4 + 6 + 2 * Fraction(found.charges[-1].amount))
        # Setting off a little sideways costs less than the whole way across.
        assert 4 + 6 < cost(space, (0, 6)) < 4 + 6 + 1.2
        # A turn alone does not end there: across it, round, back over the free place, and round again.
        assert cost(space, (0, 0), 90) == pytest.approx(4 + (1.8 + 1.2) + 4 + 1.8 + 4)

    def test_why_a_mover_cannot_end_on_it(self):
        space = tank(foe(20, 0, Rectangle(30, 80)), turns=TurnPrices.flat(9))
        (short,), _ = shortfalls(PoseReach(replace(space, budget=Fraction(10))), (15, 0))
        assert (short.what, short.toll) == ("end", 0)


class TestLeastPrices:
    """Foxholes: who runs over one spends a share of the allowance there (CA-108)."""

    hole = RunOver(Round(0.5).at(10.5, 0), Fraction(3), Fraction(20))

    def test_the_rest_is_paid_where_the_reference_point_leaves(self):
        """Example E35 of combined_arms: an approach of 10 and 20 over the position are all of 30 inches."""
        space = tank(self.hole, budget=30, turns=TurnPrices.flat(99))
        assert PoseReach(space).costs_at([(9, 0), (11, 0), (11.01, 0)]).tolist() == [9, pytest.approx(30), math.inf]
        found = verdict(space, Travel(FORWARD, 11))
        assert (found.objections, found.total, found.travelled, found.tolls.gone) == ((), 30, 30, {0})
        assert [(one.what, one.price) for one in found.charges] == [("leg", 11), ("toll", 2), ("toll", 17)]
        further = replace(space, tolls=[RunOver(Round(0.5).at(11, 0), Fraction(3), Fraction(20))])
        assert kinds(verdict(further, Travel(FORWARD, 11.5))) == [("budget", None)]
        assert PoseReach(further).area().bounds == pytest.approx((0, 0, 9.5, 0), abs=1e-5)

    def test_two_are_too_many(self):
        """Example E46 of combined_arms: a walker spends 16 of 24 inches over one foxhole."""
        two = [RunOver(Round(0.5).at(x, 0), Fraction(3), Fraction(16)) for x in (3, 6)]
        space = tank(*two, budget=24, turns=TurnPrices.flat(99))
        assert PoseReach(space).costs_at([(4.5, 0), (6.5, 0)]).tolist() == [pytest.approx(2.5 + 16 + 1), math.inf]
        assert kinds(verdict(space, Travel(FORWARD, 6.5))) == [("budget", None)]

    def test_who_spends_more_than_that_pays_for_it(self):
        mud = PricedGround([rectangle((10.5, 0), (4, 4))], lambda under, _: Fraction(8 if under else 1))
        space = tank(self.hole, ground=mud, budget=60, turns=TurnPrices.flat(99))
        assert cost(space, (13, 0)) == pytest.approx(8.5 + 1.5 * 8 + 24 + 1.5 * 8 + 0.5)

    @pytest.mark.parametrize(("price", "paid"), [(4, 20), (15, 21), (19, 25)])
    def test_turns_inside_count(self, price, paid):
        hole = RunOver(rectangle((10, 0), (2, 2)), Fraction(3), Fraction(20))
        walls = [rectangle((3, y), (10, 1)) for y in (-1.6, 1.6)]
        space = tank(hole, turns=TurnPrices.of([(89, 99), (180, price)]), budget=40, bars=walls)
        found = verdict(space, Travel(FORWARD, 10), Rotate(90), Travel(FORWARD, 4))
        assert (found.objections, found.total) == ((), 9 + paid + 3)
        assert cost(space, (10, 4), 90) == pytest.approx(9 + paid + 3)

    def test_turns_beside_it_do_not(self):
        space = tank(self.hole, turns=TurnPrices.flat(1))
        moves = [Travel(FORWARD, 9.5), Rotate(10), Rotate(-10), Travel(FORWARD, 1.5)]
        assert verdict(space, *moves).total == 10 + 20
        moves = [Travel(FORWARD, 10), Rotate(10), Travel(FORWARD, 2)]
        assert float(verdict(space, *moves).total) == pytest.approx(
            10 + 1 + 20 + 2 - 2 * 0.5 * math.cos(math.radians(10)), abs=0.02
        )

    def test_what_was_spent_there_is_known_later(self):
        space = tank(self.hole, turns=TurnPrices.flat(4))
        first = verdict(space, Travel(FORWARD, 10.25), Rotate(5))
        assert first.tolls.spent_over == Fraction(3, 4) + 4
        begun = PoseStart(first.place, first.heading, first.total, first.travelled, tolls=first.tolls)
        later = replace(space, starts=(begun,))
        rest = judged(later, begun, [Travel(FORWARD, 3)])
        whole = verdict(space, Travel(FORWARD, 10.25), Rotate(5), Travel(FORWARD, 3))
        assert rest.is_legal
        assert rest.total == whole.total
        assert PoseReach(later).costs_at([rest.place]).tolist() == [pytest.approx(float(whole.total))]

    def test_what_counts_as_travelled(self):
        space = tank(self.hole, most_travelled=Fraction(29), turns=TurnPrices.flat(99))
        assert PoseReach(space).costs_at([(11, 0)]).tolist() == [math.inf]
        assert kinds(verdict(space, Travel(FORWARD, 11))) == [("legs", None)]

    def test_refused(self):
        with pytest.raises(ValueError, match="least price of a thing is 0 or more"):
            RunOver(Round(0.5).at(0, 0), Fraction(3), Fraction(-1))
        hook = PolygonShape([(5, 5), (9, 5), (9, 9), (8, 9), (8, 6), (5, 6)])
        with pytest.raises(ValueError, match="are convex"):
            tank(RunOver(hook, Fraction(3), Fraction(1)))
        with pytest.raises(ValueError, match="do not overlap"):
            tank(*(RunOver(Round(0.5).at(x, 5), Fraction(3), Fraction(1)) for x in (5, 5.9)))


class TestGoingOn:
    def test_a_start_knows_what_is_gone(self):
        space = tank(foe(5, 0), tree(8, 0))
        begun = PoseStart((5, 0), Fraction(0), tolls=TollsSoFar(frozenset({0, 1})))
        later = replace(space, starts=(begun,))
        assert PoseReach(later).costs_at([(5.2, 0), (12, 0)]).tolist() == pytest.approx([0.2, 7])

    def test_the_end_of_a_move_is_the_start_of_the_next(self):
        space = tank(foe(5, 0), tree(9, 0))
        first = verdict(space, Travel(FORWARD, 5))
        begun = PoseStart(first.place, first.heading, first.total, first.travelled, tolls=first.tolls)
        whole, rest = verdict(space, Travel(FORWARD, 12)), judged(space, begun, [Travel(FORWARD, 7)])
        assert rest.is_legal
        assert (rest.total, rest.tolls.gone) == (whole.total, whole.tolls.gone) == (15, {0, 1})


class TestOtherLevels:
    links = (PoseLink("rise", 0, 1, Fraction(2)), PoseLink("sink", 1, 0, Fraction(2)))

    def test_tolls_stand_on_the_first_level(self):
        space = tank(foe(5, 0), tree(9, 0), above=(TableLevel(EVEN),), links=self.links, turns=TurnPrices.flat(99))
        reach = PoseReach(space)
        assert reach.costs_at([(5, 0), (9, 0)], level=1).tolist() == pytest.approx([7, 11])
        # It cannot land on what stands there.
        assert reach.costs_at([(5, 0), (20, 0)], level=0).tolist() == pytest.approx([math.inf, 20 + 2 + 1])
        for place, level in (((9, 0), 1), ((20, 0), 0)):
            start, moves = reach.way_to(place, level=level)
            assert judged(space, start, moves).is_legal

    def test_nobody_rises_from_what_is_not_crossed(self):
        space = tank(foe(5, 0), above=(TableLevel(EVEN),), links=self.links)
        start, moves = PoseReach(space).way_to((9, 0), level=1)
        assert judged(space, start, moves).is_legal
        rise = [Travel(FORWARD, 4), Follow(self.links[0])]
        assert ("bars", 0) in kinds(judged(space, start, rise))


class TestRefused:
    def test_too_many(self):
        with pytest.raises(ValueError, match="62 tolls at most"):
            tank(*(tree(x, 5) for x in range(63)))

    def test_cheaper_than_the_ground(self):
        with pytest.raises(ValueError, match="1 or more times"):
            foe(0, 0, factor=Fraction(1, 2))

    def test_less_than_nothing(self):
        with pytest.raises(ValueError, match="costs 0 or more"):
            PoseReach(tank(tree(3, 0, -1))).costs_at([(9, 0)])

    def test_where_directions_are_free(self):
        with pytest.raises(ValueError, match="there are tolls"):
            WeightedReach(tank(tree(3, 0), turns=TurnPrices.flat(0))).costs_at([(9, 0)])


@cache
def searched(name, seed, share="2/3"):
    """What a mover on a generated table with tolls reaches."""
    return PoseReach(toll_mover(name, seed, share))


@pytest.mark.parametrize(("name", "seed"), MOVERS_WITH_TOLLS)
class TestGeneratedTablesWithTolls:
    def places(self, space, seed, count=30):
        dice = np.random.default_rng([seed, 1])
        places = dice.uniform(-1, 1, (count, 2)) * min(float(space.budget) * 0.7, 9.0) + START
        return np.concatenate([places, [START + 4.0 * ahead_of(space)]]), dice

    @pytest.mark.sampled
    def test_each_end_has_a_move_that_the_judge_accepts_at_that_cost(self, name, seed):
        reach = searched(name, seed)
        space = reach.space
        places, dice = self.places(space, seed)
        headings, tolls = dice.uniform(0, 360, len(places)), 0
        for facing, costs in ((None, reach.costs_at(places)), (headings, reach.costs_in(places, headings))):
            ways = reach.moves_to_each(places, facing)
            for row, moves in enumerate(ways):
                assert (moves is not None) == np.isfinite(costs[row])
                if moves is not None:
                    found = judged(space, space.starts[0], moves)
                    assert found.is_legal, found.objections
                    assert float(found.total) == pytest.approx(float(costs[row]), abs=1e-6)
                    assert found.place == pytest.approx(tuple(places[row].tolist()), abs=1e-6)
                    tolls += any(charge.what == "toll" for charge in found.charges)
        assert tolls > 0 or name == "walker"  # it has few inches, and goes round what is there

    @pytest.mark.sampled("track-1")
    def test_between_nothing_and_bars(self, name, seed):
        space = searched(name, seed).space
        places, _ = self.places(space, seed, 60)
        tolls = searched(name, seed).costs_at(places)
        nothing, dearer, bars = (
            PoseReach(one).costs_at(places)
            for one in (
                replace(space, tolls=()),
                replace(space, tolls=[dearer_than(toll) for toll in space.tolls]),
                barred_instead(space),
            )
        )
        assert np.any(tolls > nothing + 1e-6)
        # Bins keep one of several states that are nearly alike, so a few ends cost a little more than they might.
        for less, more in ((nothing, tolls), (tolls, dearer), (dearer, bars)):
            assert np.mean(less > more + 1e-6) <= 0.08


def dearer_than(toll):
    """The same thing at a higher price."""
    if isinstance(toll, RunOver):
        return RunOver(toll.thing, toll.factor + 2, toll.least + 2)
    return KnockDown(toll.thing, uphill_costs_more(3))


@pytest.mark.sampled("track-3/5")
@pytest.mark.parametrize(("name", "share"), [("disc", "1/3"), ("tank", "1/3"), ("track", "3/5")])
def test_networkx_and_the_judge_find_no_pose_and_no_end_cheaper(name, share):
    space = crowded_start(name, 0, share)
    reach = PoseReach(space)
    states = reach.searched[0].states
    assert np.any(states.tolls.gone)
    prices = prices_by_networkx(space, states)
    places = np.random.default_rng(4).uniform(-1, 1, (4, 2)) * float(space.budget) * 0.5 + START
    known = reference_costs(space, states, prices, places)
    assert np.all(reach.costs_at(places) <= known + 1e-9)
    assert np.isfinite(known).any()


# Long: every place of an area is judged; single places are tried beside it.
@pytest.mark.long
@pytest.mark.parametrize(("name", "heading"), [("disc", None), ("disc", 30.0), ("tank", None)])
def test_places_of_an_area_are_ends(name, heading):
    reach = searched(name, 0, "1")
    area = reach.area(heading=heading)
    places = np.random.default_rng(6).uniform(-1, 1, (300, 2)) * 9 + START
    known = np.isfinite(reach.costs_at(places) if heading is None else reach.costs_in(places, heading))
    inside = shapely.contains_xy(polygons_of(area), places[:, 0], places[:, 1])
    assert inside.sum() > 40
    assert np.mean(known[inside]) > 0.99
    assert np.mean(shapely.distance(area, shapely.points(places[known])) > 0.1) < 0.03
