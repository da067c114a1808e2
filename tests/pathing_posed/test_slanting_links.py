"""Slanting links: altitude that is changed along legs, by closed forms, by random flights and beside the judge."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from judged_ends import require_judged
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    Follow,
    PoseLink,
    PoseReach,
    PricedGround,
    RecordedReach,
    Rotate,
    TableLevel,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.reference import reference_costs, reference_prices
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.together import reach_many

OPEN = PricedGround((), flat_ground)
UP, DOWN = PoseLink("rise", 0, 1, Fraction(4), slanting=True), PoseLink("sink", 1, 0, Fraction(4), slanting=True)
WALL = rectangle((9, 0), (1, 60))


def flyer(points=24, **more):
    """A mover that rises and sinks by 4 inches along its legs."""
    more.setdefault("modes", (FORWARD, REVERSE))
    more.setdefault("turns", TurnPrices.flat(3))
    return vehicle(points, base=Round(0.5), above=(TableLevel(OPEN),), links=more.pop("links", (UP, DOWN)), **more)


class TestPrices:
    def test_a_rise_costs_the_slanted_way(self):
        reach = PoseReach(flyer())
        costs = reach.costs_at([(0, 0), (3, 0), (10, 0)], level=1)
        assert costs == pytest.approx([4, 5, math.hypot(10, 4)])
        assert [str(move) for move in reach.moves_to((3, 0), level=1)] == ["3 inches forward", "rise"]

    def test_up_and_down_again(self):
        space = flyer(bars=[WALL])
        reach = PoseReach(space)
        # Over the wall at altitude: up along 8 inches to where it bars, and down along the other 8.
        assert reach.costs_at([(16, 0)]) == pytest.approx([2 * math.hypot(8, 4)])
        assert require_judged(space, reach, [(16, 0), (16, 3), (12, 1)]) == 3

    def test_turns_do_not_part_the_legs_of_a_rise(self):
        space = flyer()
        moves = [Travel(FORWARD, 3), Rotate(90), Travel(FORWARD, 5), Follow(UP), Travel(FORWARD, 2)]
        verdict = judged(space, space.starts[0], moves)
        assert float(verdict.total) == pytest.approx(math.hypot(8, 4) + 3 + 2)
        assert verdict.since_link == 2
        assert float(verdict.travelled) == pytest.approx(math.hypot(8, 4) + 2)
        reach = PoseReach(space)
        assert reach.costs_at([(3, 7)], level=1)[0] <= float(verdict.total) + 1e-9

    def test_dear_ground_and_modes_are_paid_for_by_the_inch(self):
        space = flyer(ground=even_ground(Fraction(2)), heading=180)
        # Three inches backward at four times the price, and by how much the slanted way is longer.
        assert judged(space, space.starts[0], [Travel(REVERSE, 3), Follow(UP)]).total == 12 + 2
        # Or up at once, and backward on even ground.
        assert PoseReach(space).costs_in([(3, 0)], [180], level=1) == pytest.approx([4 + 6])
        assert PoseReach(replace(space, bars=[])).costs_in([(-3, 0)], [180], level=1) == pytest.approx([4 + 3])

    def test_the_same_in_parts(self):
        space = flyer()
        first = judged(space, space.starts[0], [Travel(FORWARD, 3)])
        start = replace(space.starts[0], place=first.place, paid=first.total, since_link=first.since_link)
        assert judged(space, start, [Follow(UP)]).total == 5
        assert PoseReach(replace(space, starts=(start,))).costs_at([(3, 0)], level=1) == pytest.approx([5])

    def test_only_the_first_of_several_links_is_slanted_for(self):
        higher = PoseLink("rise on", 1, 2, Fraction(3), slanting=True)
        space = replace(flyer(), above=(TableLevel(OPEN), TableLevel(OPEN)), links=(UP, DOWN, higher))
        reach = PoseReach(space)
        assert judged(space, space.starts[0], [Travel(FORWARD, 3), Follow(UP), Follow(higher)]).total == 8
        # Best straight up to both, a part of the way for each: the first rise ends between two places of the mesh.
        assert math.hypot(3, 7) - 1e-9 <= reach.costs_at([(3, 0)], level=2)[0] <= math.hypot(3, 7) + 0.05
        assert require_judged(space, reach, [(3, 0), (8, 2), (5, -4)], level=2) == 3

    def test_limits(self):
        space = replace(flyer(12), most_travelled=Fraction(6))
        most = math.sqrt(36 - 16)
        assert PoseReach(space).costs_at([(most - 1e-3, 0), (most + 1e-3, 0)], level=1)[1] == math.inf
        assert PoseReach(space).costs_at([(most - 1e-3, 0)], level=1) == pytest.approx([6], abs=1e-2)
        assert np.isinf(PoseReach(flyer(5)).costs_at([(3.001, 0)], level=1)[0])

    def test_headings(self):
        space = flyer()
        reach = PoseReach(space)
        for facing in (0.0, 45.0, 200.0):
            assert reach.costs_facing((3, 0), [facing], level=1) == pytest.approx(
                reach.costs_in([(3, 0)], [facing], level=1)
            )
        assert reach.costs_in([(3, 0)], [90], level=1) == pytest.approx([8])
        assert reach.headings_at((3, 0), level=1)

    def test_records_reasons_and_many(self):
        spaces = [flyer(12, start=(x, 0)) for x in (0, 1, 5)]
        for space, reach in zip(spaces, reach_many(spaces), strict=True):
            places = [(6, 1), (9, 0), (0, 4)]
            assert reach.costs_at(places, 1).tolist() == PoseReach(space).costs_at(places, 1).tolist()
            assert RecordedReach(space).costs_at(places, 1) == pytest.approx(reach.costs_at(places, 1))
        short = shortfalls(PoseReach(flyer(4)), (3, 0), level=1)[0][0]
        assert (short.what, short.needed, short.available) == ("budget", pytest.approx(5), 4)


class TestRefused:
    def test_cheap_ground_before_it(self):
        with pytest.raises(ValueError, match="'rise' is slanting: on the level before it no inch"):
            flyer(ground=even_ground(Fraction(1, 2)))

    def test_a_lower_limit(self):
        with pytest.raises(ValueError, match="'rise' is slanting: no move has to spend more"):
            replace(flyer(), more_than=Fraction(3))

    def test_from_place_to_place(self):
        with pytest.raises(ValueError, match="a slanting link leads straight up or down: 'stairs'"):
            PoseLink("stairs", 0, 1, Fraction(3), ((0.0, 0.0), (1.0, 0.0)), slanting=True)


class TestAreas:
    def test_a_free_flyer_rises_within_a_circle(self):
        space = flyer(5, turns=TurnPrices.flat(0), links=(replace(UP, price=Fraction(3)),))
        area = PoseReach(space).area(level=1)
        # The farthest of rises at once, and of those along the way: 4 inches.
        assert math.sqrt(area.area / math.pi) == pytest.approx(4, abs=0.05)

    @pytest.mark.sampled
    @pytest.mark.parametrize("heading", [None, 30.0])
    def test_all_that_is_drawn_is_an_end(self, heading):
        wood = PricedGround([rectangle((5, 0), (4, 4))], lambda under, _: Fraction(2 if under else 1))
        space = flyer(14, bars=[rectangle((0, 6), (20, 1))], ground=wood)
        reach, dice = PoseReach(space), np.random.default_rng(2)
        area = reach.area(level=1, heading=heading)
        places = dice.uniform(-12, 12, (80, 2))
        inside = places[shapely.contains_xy(shapely.buffer(area, -1e-3), places)]
        assert len(inside) > 10
        headings = None if heading is None else np.full(len(inside), heading)
        assert require_judged(space, reach, inside, level=1, headings=headings) == len(inside)
        # And nearly all ends are drawn.
        costs = reach.costs_at(places, 1) if heading is None else reach.costs_in(places, np.full(80, heading), 1)
        missing = np.isfinite(costs) & ~shapely.contains_xy(shapely.buffer(area, 0.1), places)
        assert missing.sum() <= 2


def random_flight(dice):
    """A leg or two on each level, with turns between: the moves, and what they cost by hand."""
    moves, price, since = [], 0.0, 0.0
    for link in (UP, DOWN, None)[: int(dice.integers(1, 4))]:
        for _ in range(int(dice.integers(1, 3))):
            angle, inches = float(dice.choice([0.0, dice.uniform(-180, 180)])), float(dice.uniform(0.2, 4))
            mode = FORWARD if dice.uniform() < 0.8 else REVERSE
            moves += (
                [Rotate(Fraction(angle)), Travel(mode, Fraction(inches))] if angle else [Travel(mode, Fraction(inches))]
            )
            price += 3.0 * bool(angle) + inches * float(mode.factor)
            since += inches
        if link is not None:
            moves.append(Follow(link))
            price, since = price + math.hypot(since, 4) - since, 0.0
    return moves, price


@pytest.mark.parametrize("seed", range(3))
def test_random_flights_cost_what_they_do_by_hand_and_are_ends(seed):
    dice = np.random.default_rng([seed, 8])
    space = flyer(18)
    reach = PoseReach(space)
    flights = [flight for flight in (random_flight(dice) for _ in range(40)) if flight[1] <= 18]
    verdicts = [judged(space, space.starts[0], moves) for moves, _ in flights]
    prices = np.array([price for _, price in flights])
    assert all(verdict.is_legal for verdict in verdicts)
    assert [float(verdict.total) for verdict in verdicts] == pytest.approx(prices)
    for level in (0, 1):
        rows = [row for row, verdict in enumerate(verdicts) if verdict.level == level]
        places = np.array([verdicts[row].place for row in rows]).reshape(-1, 2)
        assert require_judged(space, reach, places, level) == len(rows) > 5
        assert np.all(reach.costs_at(places, level) <= prices[rows] + 1e-6)


def test_beside_networkx_and_the_judge():
    space = flyer(7, modes=(FORWARD,), turns=TurnPrices.flat(2))
    reach = PoseReach(space)
    states = reach.searched[0].states
    prices = reference_prices(space, states)
    assert np.all(prices <= states.price + 1e-9)
    places = np.array([(3.0, 0.5), (-2.0, 1.0)])
    assert np.all(reach.costs_at(places, 1) <= reference_costs(space, states, prices, places, 1) + 1e-9)


@pytest.mark.sampled("False")
@pytest.mark.parametrize("mirrored", [True, False])
def test_turned_and_mirrored_tables(mirrored):
    bar = rectangle((5, 2), (1, 3))
    places = np.array([(7.0, 2.0), (3.0, 4.0), (8.0, -2.0), (-3.0, 1.0)])
    other = rectangle((5, -2), (1, 3)) if mirrored else rectangle((-2, 5), (3, 1))
    moved = places * (1, -1) if mirrored else np.column_stack([-places[:, 1], places[:, 0]])
    for level in (0, 1):
        costs = PoseReach(flyer(14, bars=[bar])).costs_at(places, level)
        turned = PoseReach(flyer(14, bars=[other], heading=0 if mirrored else 90)).costs_at(moved, level)
        assert turned == pytest.approx(costs, abs=1e-6)
