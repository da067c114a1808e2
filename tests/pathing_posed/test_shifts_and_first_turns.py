"""Turns that a mesh misses: those at a start that just pass something, and those before the last two of a way."""

import math
from dataclasses import replace

import numpy as np
import pytest
from narrow_ways import along, corridor, way_of
from posed_movers import FORWARD, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, TurnPrices
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
