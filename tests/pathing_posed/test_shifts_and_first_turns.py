"""Turns that a mesh misses: those at a start that just pass something, and those before the last two of a way."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from narrow_ways import along, corridor, way_of
from posed_movers import FORWARD, REVERSE, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, TurnPrices, judged
from simulator.pathing.posed.first_turns import turns_past_things
from simulator.pathing.posed.states import starting

#: Two small turns cost less than one as big as both, if they are an inch apart.
DEAR_AT_ONCE = TurnPrices.of([(45, 2), (90, 6), (135, 12), (180, 16)], separation=1)


class TestFirstTurns:
    @pytest.mark.parametrize(("first", "second"), [(18, 32), (37, 29), (-14, 40)])
    @pytest.mark.parametrize("base", [Round(0.5), Rectangle(1, 1)])
    def test_two_corridors_at_odd_angles(self, first, second, base):
        """Neither of them is seen from the other's limits of turn prices."""
        turns = TurnPrices.of([(45, 3), (90, 6), (180, 12)])
        bend = along((0, 0), first, 7)
        walls = [*corridor((0, 0), first, 1.5, 5, 1.01), *corridor(bend, first + second, 1.5, 5, 1.01)]
        post = along((0, 0), first, 3)
        fence = [rectangle(along(post, first + side, 10.5), (0.5, 19), first) for side in (90, -90)]
        space = vehicle(20, base=base, modes=(FORWARD,), turns=turns, bars=[*walls, *fence])
        place = along(bend, first + second, 6)
        assert way_of(space, place) == pytest.approx(3 + 7 + 3 + 6, abs=0.05)

    def test_what_stands_behind_something_is_not_passed(self):
        pillar, behind = rectangle((4, 0), (1, 3)), rectangle((7, 0), (0.5, 0.5))
        space = vehicle(12, base=Round(0.5), modes=(FORWARD,), turns=TurnPrices.flat(1))
        near = turns_past_things(replace(space, bars=[pillar]), starting(space)).angle
        both = turns_past_things(replace(space, bars=[pillar, behind]), starting(space)).angle
        assert sorted(np.round(near, 6)) == sorted(np.round(both, 6))
        assert np.abs(near).min() == pytest.approx(
            math.degrees(math.atan2(1.5, 3.5) + math.asin(0.5 / math.hypot(3.5, 1.5)))
        )


class TestShifts:
    """The last leg is just an inch long, and the turn before the last two is made to fit."""

    @pytest.mark.parametrize(("x", "y"), [(6.37, 3), (5.5, 2.6), (9.81, 4.2)])
    def test_three_turns_on_open_ground(self, x, y):
        space = vehicle(24, modes=(FORWARD,), turns=DEAR_AT_ONCE)
        aslant = (y - 1) * math.sqrt(2)
        assert way_of(space, (x, y), 135) == pytest.approx(6 + (x - (y - 1)) + aslant + 1, abs=1e-6)

    # Long: many shifts beside an obstacle; those on open ground are tried beside it.
    @pytest.mark.long
    def test_beside_a_wall(self):
        """The leg aslant just passes a corner."""
        open_space = vehicle(24, base=Round(0.5), modes=(FORWARD,), turns=DEAR_AT_ONCE)
        x, y = 6.37, 3
        barred = replace(open_space, bars=[rectangle((4.9, 2.5), (1, 4))])
        free, dearer = way_of(open_space, (x, y), 135), way_of(barred, (x, y), 135)
        finest = float(PoseReach(barred, finer=3).costs_in([(x, y)], 135)[0])
        assert free < dearer - 0.01
        assert dearer == pytest.approx(finest, abs=1e-3)

    def test_a_range_of_headings_costs_the_same(self):
        space = vehicle(24, modes=(FORWARD,), turns=DEAR_AT_ONCE)
        reach = PoseReach(space)
        assert reach.costs_facing((6.37, 3), [135.0])[0] == pytest.approx(reach.costs_in([(6.37, 3)], 135)[0], abs=1e-9)


class TestCarriedLegs:
    """The leg before the last is as short as it may be, and carried along the one before it to where it leads on."""

    #: Two turns, to 90 and by another 45 degrees, cost less than one by 135, if they are an inch apart.
    TURNS = TurnPrices.of([(45, 4), (90, 8), (135, 16), (180, 20)], separation=1)

    @pytest.mark.parametrize("seed", range(4))
    @pytest.mark.parametrize("budget", [24, 40])
    def test_a_little_back_before_two_turns(self, seed, budget):
        """Behind the mover, where going on in reverse and turning about cost nearly the same."""
        dice = np.random.default_rng(seed)
        space = vehicle(budget, modes=(FORWARD, REVERSE), turns=self.TURNS)
        back = dice.uniform(0.02, 0.95, 25)
        last = dice.uniform(8.0, 11.0 - 2.0 * back)
        places = np.column_stack([-back - last / math.sqrt(2), 1.0 + last / math.sqrt(2)])
        reach = PoseReach(space)
        costs = reach.costs_at(places)
        assert np.all(costs <= 2.0 * back + 8.0 + 1.0 + 4.0 + last + 1e-6)
        for place, cost in zip(places[:5].tolist(), costs[:5].tolist(), strict=True):
            verdict = judged(space, space.starts[0], reach.moves_to(place))
            assert verdict.is_legal
            assert float(verdict.total) == pytest.approx(cost, abs=1e-6)

    @pytest.mark.parametrize("off", [-0.5, -0.2, 0.1, 0.6])
    def test_beside_a_post(self, off):
        """What stands where the last leg would lead lets the one before be carried less far, or longer."""
        goal, post = np.array([-7.45, 7.75]), np.array([-4.0, 4.3 + off])
        back, ahead = (one.ravel() for one in np.meshgrid(np.linspace(0, 2, 81), np.linspace(1, 2.5, 61)))
        begin = np.column_stack([-back, ahead])
        leg = shapely.linestrings(np.stack([begin, np.broadcast_to(goal, begin.shape)], axis=1))
        turn = np.degrees(np.arctan2(*(goal - begin).T[::-1])) - 90.0
        clear = shapely.distance(leg, shapely.Point(post)) >= 0.4
        cost = np.where(clear & (turn > 0) & (turn <= 45.0), 2 * back + 8 + ahead + 4 + shapely.length(leg), np.inf)
        post_there = [Round(0.3).at(*post)]
        space = vehicle(28, base=Round(0.1), modes=(FORWARD, REVERSE), turns=self.TURNS, bars=post_there)
        reach = PoseReach(space)
        found = float(reach.costs_at([goal])[0])
        assert 23.94 < found <= cost.min() + 0.02
        verdict = judged(space, space.starts[0], reach.moves_to(goal))
        assert verdict.is_legal
        assert float(verdict.total) == pytest.approx(found, abs=1e-6)

    def test_the_area_behind_has_no_deep_notches(self):
        area = PoseReach(vehicle(24, modes=(FORWARD, REVERSE), turns=self.TURNS)).area()
        dice = np.random.default_rng(5)
        back = dice.uniform(0.0, 1.0, 1000)
        last = dice.uniform(8.0, 11.0 - 2.0 * back)
        places = np.column_stack([-back - last / math.sqrt(2), 1.0 + last / math.sqrt(2)])
        assert shapely.distance(area, shapely.points(places)).max() < 0.12
