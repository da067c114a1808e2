"""The judge of written moves: the examples of both registers, and what is refused and why."""

from fractions import Fraction

import pytest
from posed_movers import FORWARD, LEFTWARD, REVERSE, RIGHTWARD, SIDEWAYS, flat_ground, sixths, stepper, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Mode, PoseReach, PricedGround, Rotate, Travel, TurnPrices, judged


def forward(inches):
    return Travel(FORWARD, inches)


def left(degrees, free=0):
    return Rotate(degrees, free)


def verdict(space, *moves):
    return judged(space, space.starts[0], moves)


def costs(inside, outside=1):
    """The rule of ground that costs one thing on any area and another off them."""

    def rate(under, climbed):
        del climbed
        return None if under and inside is None else Fraction(inside if under else outside)

    return rate


def soft(rate):
    """Ground of another price everywhere."""
    return PricedGround((), costs(rate, rate))


class TestBrackets:
    """Legs by the inch, turns by brackets of the rate (examples E1 to E5, E20, E24, E26, E43 of combined_arms)."""

    def test_all_of_thirty_six_inches(self):
        found = verdict(vehicle(36), forward(5), left(45), forward(9), left(90), forward(4))
        assert [charge.price for charge in found.charges] == [5, 6, 9, 12, 4]
        assert found.is_legal
        assert found.total == 36
        assert found.heading == 135

    def test_a_turn_that_is_not_affordable(self):
        found = verdict(vehicle(36), forward(31), left(45))
        assert [(one.what, one.needed, one.available) for one in found.objections] == [("budget", 37, 36)]

    @pytest.mark.parametrize(("angle", "price"), [(45, 5), (63, 10), (90, 10), (90.001, 20), (180, 25), (0, 0)])
    def test_soft_ground_changes_no_turn(self, angle, price):
        found = verdict(vehicle(30, ground=soft(2)), left(angle), forward(2))
        assert found.total == price + 4

    def test_turns_of_one_sense_on_the_spot_are_one(self):
        tank = vehicle(36)
        assert verdict(tank, left(90), left(90)).total == 30
        assert verdict(tank, left(90), forward(1), left(90)).total == 25
        assert verdict(tank, left(90), forward(0.999), left(90)).total > 30
        assert verdict(tank, left(90), left(-90)).total == 24
        # Grouping makes nothing cheaper: 270 degrees cost 30 + 12 in all, the second turn by itself 24.
        assert verdict(tank, left(135), left(135)).total == 24 + 24

    def test_with_separation_zero_only_those_on_the_very_spot(self):
        tank = vehicle(36, turns=TurnPrices(sixths(36).brackets, separation=Fraction(0)))
        assert verdict(tank, left(90), left(90)).total == 30
        assert verdict(tank, left(90), forward(0.25), left(90)).total == 24.25

    def test_there_and_back_is_travel(self):
        moves = (left(90), forward(0.5), Travel(REVERSE, 0.5), left(90))
        assert verdict(vehicle(36), *moves).total == 12 + 0.5 + 1 + 12

    def test_directions(self):
        found = verdict(vehicle(18), Travel(LEFTWARD, 3), Travel(REVERSE, 2), Travel(RIGHTWARD, 1))
        assert found.total == 12
        assert found.place == pytest.approx((-2, 2))
        assert [one.what for one in verdict(vehicle(18, modes=(FORWARD,)), Travel(LEFTWARD, 1)).objections] == ["mode"]

    @pytest.mark.parametrize(
        ("rate", "moves"),
        [
            (36, [forward(36)]),
            (36, [left(45), forward(30)]),
            (36, [left(90), forward(24)]),
            (36, [Travel(REVERSE, 18)]),
            (30, [left(90), forward(20)]),
        ],
    )
    def test_to_the_last_inch(self, rate, moves):
        assert verdict(vehicle(rate), *moves).is_legal
        *before, last = moves
        longer = Travel(last.mode, last.inches + 0.1)
        assert [one.what for one in verdict(vehicle(rate), *before, longer).objections] == ["budget"]

    def test_two_limits_at_once(self):
        slow = vehicle(36, most_travelled=Fraction(12))
        assert verdict(slow, left(90), forward(12), left(90)).is_legal
        assert [one.what for one in verdict(slow, forward(12.5)).objections] == ["legs"]


class TestHalfInches:
    """Legs by half inches, turns by started steps (examples E2 to E16 and E30 of mecha)."""

    track = stepper(6)
    walker = stepper(6, free=90, modes=(FORWARD, REVERSE, *SIDEWAYS))

    @pytest.mark.parametrize(("angle", "price"), [(60, 1.5), (22.5, 0.5), (23, 1), (90, 2), (180, 4)])
    def test_turns(self, angle, price):
        assert verdict(self.track, left(angle)).total == price

    def test_legs_are_rounded_up_each_as_a_whole(self):
        assert verdict(self.track, forward(2.2)).total == 2.5
        assert verdict(self.track, forward(4.4)).total == 4.5
        assert verdict(self.track, forward(2.2), left(22.5), forward(2.2)).total == 5.5
        assert verdict(self.track, forward(1.2), forward(1.2)).total == 2.5
        assert verdict(self.track, forward(1.2), left(30), left(-30), forward(1.2)).total == 2.5
        assert verdict(self.track, Travel(REVERSE, 0.5)).total == 1

    def test_a_free_turn_once(self):
        assert verdict(self.walker, forward(3), left(90, free=90), forward(3)).total == 6
        assert verdict(self.walker, left(135, free=90)).total == 1
        assert verdict(self.walker, left(30), left(90, free=90)).total == 1
        assert verdict(self.walker, left(60), left(-60)).total == 0
        used_up = verdict(self.walker, left(30, free=30), forward(1), left(60, free=60))
        assert used_up.total == 1 + Fraction(3, 2)

    def test_the_free_turn_ends_a_leg_though_it_costs_nothing(self):
        assert verdict(self.walker, forward(1.2), left(90, free=90), forward(1.2)).total == 3

    def test_infantry_turns_by_45_degrees(self):
        soldier = stepper(4, step=45)
        assert [verdict(soldier, left(angle)).total for angle in (180, 45, 46)] == [2, 0.5, 1]

    def test_turns_cost_what_the_ground_does(self):
        wheel = stepper(8, rate=costs(4, 4))
        assert verdict(wheel, left(45), forward(1)).total == 8
        assert verdict(wheel, left(20), forward(1.5)).total == 8
        assert verdict(wheel, forward(2)).is_legal

    def test_a_turn_costs_the_dearest_ground_that_the_base_stands_on(self):
        patch = [rectangle((0.7, 0), (0.5, 0.5))]
        assert verdict(stepper(8, areas=patch, rate=costs(4)), left(45)).total == 4
        assert verdict(stepper(8, areas=patch, rate=costs(4), base=Round(0.4)), left(45)).total == 1
        assert verdict(stepper(8, areas=[rectangle((0, 0), (9, 9))], rate=costs(4)), left(45)).total == 4

    def test_the_dearest_ground_under_any_part_of_the_base(self):
        beyond = [rectangle((13, 0), (20, 40))]
        track = stepper(6, areas=beyond, rate=costs(2))
        found = verdict(track, forward(4))
        assert found.total == 5.5
        assert [(charge.amount, charge.rate) for charge in found.charges] == [(2.5, 1), (1.5, 2)]
        centre = PricedGround(beyond, costs(2), grain=Fraction(1, 2))
        assert verdict(stepper(6, ground=centre), forward(4.5)).total == 6
        # A piece that is begun on cheap ground and ends on dear ground is dear.
        assert verdict(track, forward(2.6)).total == 2.5 + 1

    @pytest.mark.parametrize("inches", [2e-9, 1e-8, 1e-7, 1e-6, 1.5e-6, 1e-5, 0.3])
    @pytest.mark.parametrize("base", [Round(0.5), Rectangle(1, 2)])
    def test_the_ground_under_the_base_however_short_a_leg_is(self, inches, base):
        beside, below = [rectangle((2.2, 0), (4, 4))], [rectangle((0, 0), (9, 9))]
        for areas in (beside, below):
            track = stepper(6, areas=areas, rate=costs(4), base=base)
            for leg, price in ((forward(inches), 2), (Travel(REVERSE, inches), 4)):
                assert verdict(track, leg).total == price
            assert verdict(track, Travel(REVERSE, inches), forward(inches)).total == 6

    def test_ends_that_waste_next_to_nothing_cost_what_is_played(self):
        run = stepper(24, areas=[rectangle((2.2, 0.4), (4, 4))], rate=costs(4), more_than=Fraction(5))
        reach = PoseReach(run)
        for heading in range(0, 360, 15):
            found = verdict(run, *reach.moves_to((0, 0), heading))
            assert found.is_legal, heading
            assert float(found.total) == pytest.approx(reach.costs_in([(0, 0)], [heading])[0]), heading
        assert reach.costs_at([(0, 0)]) == [6]

    def test_more_than_a_move(self):
        run = stepper(12, more_than=Fraction(6))
        assert [one.what for one in verdict(run, forward(6)).objections] == ["least"]
        assert verdict(run, forward(6.5)).is_legal
        assert verdict(run, forward(5), left(90)).total == 7
        assert [one.what for one in verdict(run, forward(12.5)).objections] == ["budget"]


class TestWhatBarsTheWay:
    wall = rectangle((10, 0), (1, 8))

    def test_touching_is_legal_and_entering_is_not(self):
        tank = vehicle(36, base=Round(1), bars=[self.wall])
        assert verdict(tank, forward(8.5)).is_legal
        (one,) = verdict(tank, forward(8.6)).objections
        assert (one.what, one.thing, round(one.inches, 6)) == ("bars", 0, 8.5)

    def test_a_turning_corner_sweeps(self):
        tank = vehicle(36, base=Rectangle(4, 2), bars=[rectangle((0, 3), (10, 2))])
        assert verdict(tank, forward(3)).is_legal
        assert [(one.move, one.what) for one in verdict(tank, left(90)).objections] == [(0, "bars")]

    def test_the_edge_of_the_table(self):
        whole = vehicle(36, base=Round(1), start=(5, 5), box=(0, 0, 20, 20))
        assert verdict(whole, forward(14)).is_legal
        assert [(one.what, one.thing) for one in verdict(whole, forward(14.1)).objections] == [("edge", 2)]
        point = vehicle(36, base=Round(1), start=(5, 5), box=(0, 0, 20, 20), whole_base_on_table=False)
        assert verdict(point, forward(15)).is_legal

    def test_who_may_be_passed_is_not_to_be_ended_on(self):
        tank = vehicle(36, base=Round(1), no_end=[Round(1).at(10, 0)])
        assert verdict(tank, forward(12)).is_legal
        assert verdict(tank, forward(8)).is_legal
        assert [(one.what, one.thing) for one in verdict(tank, forward(8.5)).objections] == [("end", 0)]

    def test_closed_ground(self):
        tank = vehicle(36, ground=PricedGround([self.wall], costs(None)))
        (one,) = verdict(tank, forward(12)).objections
        assert (one.what, one.inches) == ("ground", 9.5)
        assert verdict(tank, forward(9.5)).is_legal

    def test_along_the_border_of_closed_ground_but_not_between_two(self):
        closed = [rectangle((10, 2), (8, 4)), rectangle((10, -2), (8, 4))]
        assert verdict(vehicle(36, ground=PricedGround(closed[:1], costs(None))), forward(20)).is_legal
        assert not verdict(vehicle(36, ground=PricedGround(closed, costs(None))), forward(20)).is_legal


class TestGround:
    def test_along_a_border_the_better_side_counts(self):
        strip = [rectangle((10, 2), (10, 4))]
        for inside, price in ((3, 20), (Fraction(1, 2), 15)):
            ground = PricedGround(strip, costs(inside), least=Fraction(1, 2))
            assert verdict(vehicle(36, ground=ground), forward(20)).total == price

    @pytest.mark.parametrize("inside", [3, Fraction(1, 2), None])
    def test_a_side_on_which_bars_stand_is_not_the_better_one(self, inside):
        """Alone if bars stand on both sides one of them counts."""
        strip, swamp = rectangle((10, 2), (10, 4)), rectangle((10, -5), (60, 10))

        def rate(under, climbed):
            return None if 0 in under and inside is None else Fraction(inside if 0 in under else 2 if under else 1)

        for barred, price in (({0}, 30), ({0, 1}, 15 if inside == Fraction(1, 2) else 30)):
            ground = PricedGround(
                [strip, swamp], rate, least=Fraction(1, 2), barred=lambda under, barred=barred: bool(under & barred)
            )
            assert verdict(vehicle(60, ground=ground), forward(20)).total == price

    def test_uphill_is_any_gain_or_within_45_degrees(self):
        hill = [rectangle((0, 0), (40, 40))]

        def rate(under, climbed):
            assert under == {0}
            return Fraction(2 if climbed else 1)

        ground = PricedGround(hill, rate, slopes={0: 90.0})
        tank = vehicle(36, ground=ground)
        assert verdict(tank, forward(4)).total == 4  # along the contour
        assert verdict(tank, left(1), forward(4)).total == 6 + 8
        assert verdict(tank, left(-1), forward(4)).total == 6 + 4
        assert verdict(tank, left(90), Travel(REVERSE, 4)).total == 12 + 8  # downhill, backward

    def test_a_road_thinner_than_a_base(self):
        road = [rectangle((10, 0), (20, 0.5))]
        ground = PricedGround(road, costs(Fraction(1, 2)), least=Fraction(1, 2))
        assert verdict(vehicle(36, base=Round(2), ground=ground), forward(20)).total == 10

    def test_lines_name_the_ground(self):
        areas = [rectangle((5, 0), (4, 9)), rectangle((6, 0), (4, 9))]

        def rate(under, climbed):
            return Fraction(1 + len(under) + len(climbed))

        ground = PricedGround(areas, rate)
        found = verdict(vehicle(36, ground=ground), forward(10))
        lines = [(charge.amount, charge.rate, sorted(charge.ground.under)) for charge in found.charges]
        assert lines == [(3, 1, []), (1, 2, [0]), (3, 3, [0, 1]), (1, 2, [1]), (2, 1, [])]


def test_the_parts_of_a_verdict_add_up():
    found = verdict(vehicle(36, ground=soft("3/2")), forward(2), left(45), forward(3))
    assert found.travelled == Fraction(15, 2)
    assert found.total == found.travelled + 6
    assert found.is_legal
    assert not found.path.is_straight


def test_nothing_at_all_is_a_legal_move():
    found = verdict(vehicle(36, bars=[rectangle((10, 0), (1, 8))], box=(-5, -5, 50, 50)))
    assert found.is_legal
    assert (found.total, found.place, found.heading) == (0, (0, 0), 0)


def test_modes_are_told_apart_by_all_they_are():
    dual = Mode("reverse", 180)
    tank = vehicle(36, modes=(FORWARD, dual), ground=PricedGround((), flat_ground))
    assert verdict(tank, Travel(dual, 4)).total == 4
    assert [one.what for one in verdict(tank, Travel(REVERSE, 4)).objections] == ["mode"]


def test_a_turn_on_a_slope_climbs_nothing():
    # Turns cost what the ground costs where the mover stands; it leads uphill only where it moves.
    for uphill in (0.0, 90.0, 180.0):
        hill = PricedGround(
            [rectangle((0, 0), (9, 9))], lambda _, climbed: Fraction(2 if climbed else 1), slopes={0: uphill}
        )
        assert verdict(stepper(6, ground=hill), left(45)).total == 1
