"""Costs in closed form: open ground to the last tenth of an inch, reverse or turning, begun half inches, hills."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper, vehicle
from shapely import Point

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, PricedGround, TurnPrices, judged

ALL_WAYS = (FORWARD, REVERSE, *SIDEWAYS)
#: Turns of a quarter are all that can be paid: those a hair smaller are no cheaper way round anything.
QUARTERS = TurnPrices.of([(90 - 1e-7, 50), (90, 2), (180, 50)])


def checked(space, place, heading=None):
    """The cost of a place, with a move that the judge accepts at that cost; inf where there is none."""
    reach = PoseReach(space)
    (cost,) = (reach.costs_at([place]) if heading is None else reach.costs_in([place], heading)).tolist()
    if math.isfinite(cost):
        verdict = judged(space, space.starts[0], reach.moves_to(place, heading))
        assert verdict.is_legal, verdict.objections
        assert verdict.place == pytest.approx(place, abs=1e-6)
        assert float(verdict.total) == pytest.approx(cost, abs=1e-6)
    return cost


def at(inches, degrees):
    """A place so far from the start, in a direction."""
    return inches * math.cos(math.radians(degrees)), inches * math.sin(math.radians(degrees))


MOVERS = {
    "grav": vehicle(36, modes=ALL_WAYS),
    "tracked": vehicle(30, modes=(FORWARD, REVERSE)),
    "on foot": vehicle(6, modes=(FORWARD,), turns=TurnPrices.flat(1)),
}


class TestReachOfEveryMover:
    """Example E43 of combined_arms, each limit kept and passed by a tenth of an inch."""

    @pytest.mark.sampled(dear=["grav-30--45-6", "grav-24--90-12", "tracked-20--90-10"])
    @pytest.mark.parametrize(
        ("name", "far", "direction", "turn"),
        [
            ("grav", 36, 0, 0),
            ("grav", 30, 45, 6),
            ("grav", 30, -45, 6),
            ("grav", 24, 90, 12),
            ("grav", 24, -90, 12),
            ("tracked", 30, 0, 0),
            ("tracked", 25, 45, 5),
            ("tracked", 20, 90, 10),
            ("tracked", 20, -90, 10),
            ("on foot", 6, 0, 0),
            ("on foot", 5, 90, 1),
            ("on foot", 5, 180, 1),
            ("on foot", 5, -123.4, 1),
        ],
    )
    def test_to_the_last_inch(self, name, far, direction, turn):
        space = MOVERS[name]
        assert checked(space, at(far, direction)) == pytest.approx(far + turn, abs=1e-6)
        assert checked(space, at(far - 2, direction)) == pytest.approx(far - 2 + turn, abs=1e-6)
        assert checked(space, at(far + 0.1, direction)) == math.inf

    @pytest.mark.parametrize(("name", "far"), [("grav", 18), ("tracked", 15)])
    def test_in_reverse(self, name, far):
        assert checked(MOVERS[name], (-far, 0)) == 2 * far
        assert checked(MOVERS[name], (-far - 0.1, 0)) == math.inf

    def test_sideways(self):
        # Half as far as a turn leaves for legs; farther only after that turn.
        for far in (3, 6, 11.5):
            assert checked(MOVERS["grav"], (0, far)) == pytest.approx(2 * far, abs=1e-6)
        assert checked(MOVERS["grav"], (0, 12.5)) == pytest.approx(12 + 12.5, abs=1e-6)


class TestReverseOrTurning:
    @pytest.mark.parametrize("far", [0.5, 3.99, 4, 4.01, 7.5])
    def test_straight_back(self, far):
        space = vehicle(12, modes=(FORWARD, REVERSE), turns=TurnPrices.flat(4))
        assert checked(space, (-far, 0)) == pytest.approx(min(2 * far, 4 + far), abs=1e-6)

    @pytest.mark.parametrize(("far", "direction"), [(3, 170), (9, 170), (3, 140), (6.5, 136), (8, -150), (2, 179)])
    def test_aslant(self, far, direction):
        # In reverse after a turn of up to 45 degrees for 3, or ahead after a larger one for 7.
        turns = TurnPrices.of([(45, 3), (180, 7)], separation=1)
        space = vehicle(20, modes=(FORWARD, REVERSE), turns=turns)
        assert checked(space, at(far, direction)) == pytest.approx(min(3 + 2 * far, 7 + far), abs=1e-6)

    def test_the_heading_to_end_with_decides(self):
        space = vehicle(30, modes=(FORWARD, REVERSE), turns=TurnPrices.flat(4))
        # Facing back it has to turn in any case, and then it goes ahead.
        assert checked(space, (-3, 0), 0) == 6
        assert checked(space, (-3, 0), 180) == 7


class TestTwoTurnsOrOne:
    def test_an_inch_apart_they_are_priced_each_by_itself(self):
        # Up to 135 degrees at once cost 24, and 180 cost 30; 90, an inch, and 90 cost 25.
        space = vehicle(36, modes=(FORWARD,))
        assert checked(space, (-0.75, 1)) == pytest.approx(24 + 1.25, abs=1e-6)
        for far in (1.5, 4, 11):
            assert checked(space, (-far, 1)) == pytest.approx(24 + 1 + far, abs=1e-6)

    def test_with_separation_zero_they_are_wherever_they_are_made(self):
        turns = TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)], separation=0)
        space = vehicle(36, modes=(FORWARD,), turns=turns)
        # As soon as the first turn is made and a hair is gone, the second one is priced by itself.
        for aside in (0.25, 0.9, 3):
            assert checked(space, (-5, aside)) == pytest.approx(24 + math.hypot(5, aside), abs=1e-6)
        assert checked(space, (-5, 0)) == pytest.approx(30 + 5, abs=1e-6)


class TestRemainders:
    """Each leg is paid by begun half inches from where it starts."""

    @pytest.mark.parametrize("far", [0.2, 0.5, 0.51, 2, 2.2, 2.5, 2.74, 4.4])
    def test_straight(self, far):
        begun = math.ceil(2 * far) / 2
        assert checked(stepper(12, modes=(FORWARD, REVERSE)), (far, 0)) == begun
        assert checked(stepper(12, modes=(FORWARD, REVERSE)), (-far, 0)) == min(2 * begun, 4 + begun)

    @pytest.mark.parametrize(("ahead", "aside"), [(2.2, 1.3), (2.5, 1.5), (3.9, 0.4), (1.0, 0.6)])
    def test_two_legs_have_two_remainders(self, ahead, aside):
        # No turn can be paid that leads there, but the walker goes sideways.
        dear = TurnPrices.flat(50)
        ways = (FORWARD, SIDEWAYS[0])
        space = vehicle(
            30, modes=ways, turns=dear, ground=PricedGround((), lambda *_: Fraction(1), grain=Fraction(1, 2))
        )
        known = math.ceil(2 * ahead) / 2 + 2 * math.ceil(2 * aside) / 2
        assert checked(space, (ahead, aside)) == known

    @pytest.mark.parametrize("degrees", [10, 22.5, 23, 45, 67.4])
    def test_a_turn_of_begun_steps_and_a_leg(self, degrees):
        space = stepper(12, modes=(FORWARD,))
        known = math.ceil(degrees / 22.5) / 2 + 2.5
        assert checked(space, at(2.3, degrees)) == known
        assert checked(stepper(12, free=90, modes=(FORWARD,)), at(2.3, degrees)) == 2.5


class TestFreeDegrees:
    """90 degrees of one turn are free, the first or the last."""

    @pytest.mark.parametrize("heading", [20, 90, 90.5, -112.5, 113, 180])
    @pytest.mark.parametrize("far", [0, 2.3])
    def test_the_last_turn(self, far, heading):
        space = stepper(12, free=90, modes=(FORWARD,))
        known = math.ceil(2 * far) / 2 + math.ceil(max(abs(heading) - 90, 0) / 22.5) / 2
        assert checked(space, (far, 0), heading) == known
        assert PoseReach(space).costs_facing((far, 0), [heading])[0] == known

    @pytest.mark.parametrize("onward", [67.5, 90, 100, 135])
    def test_the_better_of_two(self, onward):
        # 45 degrees to begin with cost an inch, or half of what is free is lost.
        known = 2.5 + min(math.ceil(onward / 22.5) / 2, 1 + math.ceil(max(onward - 90, 0) / 22.5) / 2)
        assert checked(stepper(12, free=90, modes=(FORWARD,)), at(2.3, 45), 45 + onward) == known

    def test_an_area_with_a_heading(self):
        ends = PoseReach(stepper(6, free=90, modes=(FORWARD,))).area(heading=90)
        assert ends.covers(Point(5.9, 0))
        assert ends.covers(Point(0, -1.9))
        assert not ends.covers(Point(0, -2.6))

    def test_what_a_start_has_left(self):
        space = stepper(12, free=90, modes=(FORWARD,))
        for free, known in ((0, 2), (45, 1), (None, 0), (180, 0)):
            start = replace(space.starts[0], free=None if free is None else Fraction(free))
            assert checked(replace(space, starts=(start,)), (0, 0), 90) == known


class TestHills:
    """Straight uphill, or round the hill by turns of a quarter."""

    HILL = rectangle((7, 0), (6, 4))

    def space(self, uphill):
        rate = {0: Fraction(1), 1: Fraction(uphill)}
        ground = PricedGround([self.HILL], lambda _, climbed: rate[len(climbed)], slopes={0: 0})
        return vehicle(60, modes=(FORWARD,), turns=QUARTERS, ground=ground)

    @pytest.mark.sampled(dear=["1", "3"])
    @pytest.mark.parametrize("uphill", [1, Fraction(3, 2), Fraction(8, 3), 3, 10])
    def test_the_cheaper_of_both(self, uphill):
        # Over it 14 inches, 6 of them uphill; round it 4 inches more and three turns.
        over, around = 8 + 6 * float(uphill), 14 + 4 + 3 * 2
        assert checked(self.space(uphill), (14, 0)) == pytest.approx(min(over, around), abs=1e-6)

    def test_down_it_costs_nothing_more(self):
        ground = PricedGround([self.HILL], lambda _, climbed: Fraction(9 if climbed else 1), slopes={0: 180})
        assert checked(vehicle(30, modes=(FORWARD,), turns=QUARTERS, ground=ground), (14, 0)) == 14


class TestStrips:
    """Legs across and along strips of other prices, where no turn can be paid."""

    @pytest.mark.parametrize("heading", [0, 30, 75.5])
    def test_across_two_borders(self, heading):
        strip = rectangle((5, 0), (2, 200))
        rate = {0: Fraction(1), 1: Fraction(3)}
        ground = PricedGround([strip], lambda under, _: rate[len(under)])
        space = vehicle(90, modes=(FORWARD,), ground=ground, heading=heading, turns=TurnPrices.flat(99))
        assert checked(space, at(9 / math.cos(math.radians(heading)), heading)) == pytest.approx(
            (7 + 3 * 2) / math.cos(math.radians(heading)), abs=1e-6
        )

    def test_on_to_a_road_and_along_it(self):
        road = rectangle((0, 3.5), (200, 1))
        rate = {0: Fraction(1), 1: Fraction(1, 2)}
        ground = PricedGround([road], lambda under, _: rate[len(under)], least=Fraction(1, 2))
        space = vehicle(40, modes=(FORWARD,), ground=ground, turns=QUARTERS, heading=90)
        # Along its near border, which counts as the road.
        assert checked(space, (20, 3)) == pytest.approx(3 + 2 + 20 / 2, abs=1e-6)
        assert checked(space, (20, 3.7)) == pytest.approx(3 + 0.7 / 2 + 2 + 20 / 2, abs=1e-6)


class TestRectanglesInCorridors:
    @pytest.mark.parametrize("width", [1.0, 1.5])
    def test_as_wide_as_the_base(self, width):
        walls = [rectangle((10, 1 + width / 2), (8, 2)), rectangle((10, -1 - width / 2), (8, 2))]
        space = vehicle(24, base=Rectangle(2.5, width), modes=(FORWARD, REVERSE), bars=walls)
        assert checked(space, (20, 0)) == 20
        wider = vehicle(22, base=Rectangle(2.5, width + 0.001), modes=(FORWARD, REVERSE), bars=walls)
        assert checked(wider, (20, 0)) == math.inf

    def test_it_cannot_turn_inside(self):
        walls = [rectangle((10, 2), (12, 2)), rectangle((10, -2), (12, 2))]
        space = vehicle(36, base=Rectangle(2.5, 1.9), modes=(FORWARD,), bars=walls)
        reach = PoseReach(space)
        assert reach.costs_in([(10, 0)] * 3, [0, 45, 180]).tolist() == [10, math.inf, math.inf]
        assert checked(space, (19, 0), 90) == 19 + 12

    def test_one_turn_that_exactly_clears_a_corner(self):
        wall = rectangle((0, 10), (18, 18))
        space = vehicle(40, base=Round(1), modes=(FORWARD,), bars=[wall], turns=QUARTERS)
        for far in (10, 10.75, 13.3):
            assert checked(space, (far, 15)) == pytest.approx(far + 2 + 15, abs=1e-6)
        assert np.isinf(PoseReach(space).costs_at([(9.99, 15)])[0])
