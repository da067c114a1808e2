"""More costs in closed form: worked examples of combined_arms, roads, dear ground under a whole base, open groups."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from posed_movers import FORWARD, LEFTWARD, REVERSE, stepper, vehicle
from test_posed_closed_forms import QUARTERS, checked

from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Mode, PricedGround, TurnGroup, TurnPrices, even_ground


class TestWorkedExamples:
    """E42, E44 and E48 of combined_arms."""

    def test_a_wheeled_weapon_turns_and_goes_on(self):
        space = vehicle(3, modes=(FORWARD,))
        assert checked(space, (0, 2)) == pytest.approx(3)
        assert checked(space, (0, 2.1)) == math.inf

    def test_sideways_on_soft_ground(self):
        soft, dear = even_ground(Fraction(2)), TurnPrices.flat(99)
        jointed = vehicle(6, modes=(FORWARD, Mode("left", 90)), ground=soft, turns=dear)
        assert checked(jointed, (0, 3)) == 6
        assert checked(jointed, (0, 3.1)) == math.inf
        assert checked(vehicle(12, modes=(FORWARD, LEFTWARD), turns=dear), (0, 3)) == 6

    @pytest.mark.parametrize(("rate", "half", "back"), [(36, 18, 24), (16, 8, 11)])
    def test_the_linear_table(self, rate, half, back):
        linear = [(45 * n, math.floor(Fraction(rate * n, 6) + Fraction(1, 2))) for n in (1, 2, 3, 4)]
        space = vehicle(rate, modes=(FORWARD,), turns=TurnPrices.of(linear, separation=1))
        assert checked(space, (0, 0), 135) == checked(space, (0, 0), -135) == half
        assert checked(space, (0, 0), 180) == back


class TestOpenGroups:
    """A mover that starts half an inch after a left turn of 90 degrees for 12 inches."""

    @pytest.mark.sampled(dear=["90-18", "-90-12"])
    @pytest.mark.parametrize(("heading", "paid"), [(45, 12), (90, 18), (-45, 6), (-90, 12)])
    def test_turns_of_the_same_sense_are_priced_together(self, heading, paid):
        space = vehicle(36, modes=(FORWARD,))
        group = TurnGroup(1, Fraction(90), Fraction(12), Fraction(1, 2))
        start = replace(space.starts[0], group=group, paid=Fraction(3))
        assert checked(replace(space, starts=(start,)), (0, 0), heading) == 3 + paid
        assert checked(replace(space, starts=(start,)), (0.4, 0), heading) == pytest.approx(3.4 + paid)
        # As soon as an inch is gone each is priced by itself.
        alone = {45: 6, 90: 12, -45: 6, -90: 12}[heading]
        assert checked(replace(space, starts=(start,)), (0.5, 0), heading) == 3.5 + alone


class TestRoads:
    # Long: three ways are searched; a road thinner than the base is tried beside it.
    @pytest.mark.long
    def test_on_to_it_along_it_and_off(self):
        rate = {0: Fraction(1), 1: Fraction(1, 2)}
        road = rectangle((0, 3.5), (200, 1))
        ground = PricedGround([road], lambda under, _: rate[len(under)], least=Fraction(1, 2))
        space = vehicle(60, modes=(FORWARD,), ground=ground, turns=QUARTERS, heading=90)
        for far in (11, 20, 37.25):
            # Three inches to the road, two turns for 2 each, an inch across it in all, and two beyond.
            assert checked(space, (far, 6)) == pytest.approx(3 + 2 + far / 2 + 2 + 1 / 2 + 2, abs=1e-6)

    @pytest.mark.parametrize("width", [0.1, 0.01])
    def test_thinner_than_the_base(self, width):
        ground = PricedGround(
            [rectangle((0, 0), (200, width))], lambda under, _: Fraction(1, 2 if under else 1), least=Fraction(1, 2)
        )
        space = vehicle(12, base=Rectangle(2.5, 1.5), modes=(FORWARD, REVERSE), ground=ground)
        assert checked(space, (24, 0)) == 12
        assert checked(space, (-12, 0)) == 12
        assert checked(space, (24.1, 0)) == math.inf


class TestTheWholeBase:
    """The dearest ground under any part of the base counts, in each begun half inch."""

    @pytest.mark.sampled(dear=[f"{far}-{base}" for far in (5, 6.3) for base in ("base1-1.0", "base2-1.5", "base3-0.5")])
    @pytest.mark.parametrize(
        ("base", "half"), [(Round(0.5), 0.5), (Oval(2, 1), 1.0), (Rectangle(3, 1), 1.5), (Rectangle(1, 3), 0.5)]
    )
    @pytest.mark.parametrize("far", [1, 3, 5, 6.3])
    def test_across_a_strip(self, base, half, far):
        strip = rectangle((3.5, 0), (1, 30))
        space = stepper(
            20, base=base, modes=(FORWARD,), areas=[strip], rate=lambda under, _: Fraction(2 if under else 1)
        )
        pieces = [n / 2 for n in range(math.ceil(2 * far))]
        known = sum(1 if 3 - half < min(begin + 0.5, far) and begin < 4 + half else 0.5 for begin in pieces)
        assert checked(space, (far, 0)) == known


class TestTwoLimitsAtOnce:
    @pytest.mark.parametrize(
        ("far", "heading", "cost"),
        [(4, 0, 4), (4, 90, 8), (4.1, 0, math.inf), (2, 180, 12), (4, 180, math.inf), (2.1, 180, math.inf)],
    )
    def test_legs_for_a_third_of_it_at_most(self, far, heading, cost):
        # Turns of 90 and 180 degrees cost 4 and 10.
        space = vehicle(12, modes=(FORWARD,), most_travelled=Fraction(4))
        assert checked(space, (far, 0), heading) == cost

    @pytest.mark.parametrize(("far", "heading", "cost"), [(6.1, 0, 6.1), (6, 45, 8), (4.1, 45, 6.1)])
    def test_more_than_half_of_it(self, far, heading, cost):
        space = vehicle(12, modes=(FORWARD,), more_than=Fraction(6))
        assert checked(space, (far, 0), heading) == pytest.approx(cost)


def test_two_turns_at_their_places_cut_the_corner_of_one():
    # To face a quarter to the left 4 inches ahead and 3 aside: two turns of 45 degrees are as dear as one of 90.
    space = vehicle(36, modes=(FORWARD,))
    assert checked(space, (4, 3), 90) == pytest.approx(1 + 6 + math.sqrt(18) + 6, abs=1e-6)
    assert checked(space, (4, 3)) == pytest.approx(6 + 5, abs=1e-6)
