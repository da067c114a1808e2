"""Degrees that are free for the turn that ends a move besides, as if a phase followed in which the mover only turns."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper
from posed_tables import random_moves

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    EarlierPhase,
    PhasedReach,
    PoseReach,
    PricedGround,
    Rotate,
    Travel,
    TurnPrices,
    judged,
)


def with_free_end(space, degrees, **more):
    """The space with so many degrees free at the end besides."""
    return replace(space, turns=replace(space.turns, free_at_end=Fraction(degrees)), **more)


def then_turning(space):
    """The space followed by a phase in which the mover makes its free turn, and nothing else."""
    return replace(space, earlier=(EarlierPhase(space.budget),), budget=Fraction(0))


def mud(under, climbed):
    """Twice the price on the area."""
    del climbed
    return Fraction(2) if under else Fraction(1)


def board(number):
    """A stepper among things, some of them dear ground."""
    random = np.random.default_rng(number)
    spots = random.uniform(-6, 6, (5, 2))
    bars = [rectangle((x, y), (1.5, 1.0), float(random.uniform(0, 180))) for x, y in spots if math.hypot(x, y) > 2]
    areas = [rectangle((2.0, 3.0), (3, 2))]
    ground = PricedGround(areas, mud, base=Round(0.5), grain=Fraction(1, 2))
    free = [45, 90][number % 2]
    modes = (FORWARD, REVERSE, *SIDEWAYS) if number % 3 else (FORWARD, REVERSE)
    return stepper(4, free=free, modes=modes, ground=ground, bars=bars), free


@cache
def freer(number):
    """What is reached on a board with the free turn once more at the end."""
    return PoseReach(with_free_end(*board(number)))


# Long: two searches with phases are compared; random moves are tried beside it.
@pytest.mark.long
@pytest.mark.parametrize("number", range(6))
def test_it_is_a_phase_of_turning(number):
    one, two = freer(number), PhasedReach(then_turning(board(number)[0]))
    random = np.random.default_rng(number + 100)
    places, headings = random.uniform(-5, 5, (150, 2)), random.uniform(0, 360, 150)
    ends = np.isfinite(one.costs_in(places, headings))
    assert ends.any()
    assert not ends.all()
    assert ends.tolist() == np.isfinite(two.costs_in(places, headings)).tolist()
    assert np.isfinite(one.costs_at(places)).tolist() == np.isfinite(two.costs_at(places)).tolist()
    heading = (30.0, 200.0)[number % 2]
    apart = shapely.symmetric_difference(one.area(heading=heading), two.area(heading=heading))
    assert apart.buffer(-0.06).is_empty


@pytest.mark.parametrize("number", range(6))
def test_judge_and_planner_agree(number):
    reach, random = freer(number), np.random.default_rng(number)
    space = reach.space
    places, headings = random.uniform(-5, 5, (60, 2)), random.uniform(0, 360, 60)
    costs = reach.costs_in(places, headings)
    for place, heading, cost, moves in zip(places, headings, costs, reach.moves_to_each(places, headings), strict=True):
        assert (moves is None) == math.isinf(cost)
        if moves is not None:
            found = judged(space, space.starts[0], moves)
            assert found.is_legal
            assert float(found.total) == pytest.approx(cost, abs=1e-6)
            assert found.place == pytest.approx(tuple(place), abs=1e-6)
            assert math.cos(math.radians(float(found.heading) - heading)) == pytest.approx(1.0)


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(4))
def test_no_random_move_ends_where_it_knows_no_end(number):
    reach, dice = freer(number), np.random.default_rng(number)
    space = reach.space
    moves = [random_moves(space, dice) for _ in range(300)]
    found = [judged(space, space.starts[0], one) for one in moves]
    ends = [one for one in found if one.is_legal]
    costs = reach.costs_in([one.place for one in ends], [float(one.heading) for one in ends])
    assert all(cost <= float(one.total) + 1e-6 for cost, one in zip(costs, ends, strict=True))


def test_headings_are_wider_by_it():
    # 4 inches ahead take all there is; half an inch less leaves a turn of 22.5 degrees.
    space = stepper(4)
    (narrow,) = PoseReach(space).headings_at((3.5, 0))
    (wide,) = PoseReach(with_free_end(space, 45)).headings_at((4, 0))
    assert (narrow.first, narrow.last) == pytest.approx((337.5, 22.5))
    assert (wide.first, wide.last) == pytest.approx((315, 45))
    costs = PoseReach(with_free_end(space, 45)).costs_in([(3.5, 0)] * 3, [45, 67.5, 68])
    assert costs.tolist() == [3.5, 4, math.inf]


def test_moves_that_have_to_spend_enough():
    space = with_free_end(stepper(8, free=90, more_than=Fraction(4), modes=(FORWARD, REVERSE, *SIDEWAYS)), 90)
    reach = PoseReach(space)
    assert reach.costs_in([(5, 0)], [90]).tolist() == [5]
    assert reach.costs_in([(3, 0)], [180]).tolist() == [4.5]
    (moves,) = reach.moves_to_each([(5, 0)], [170])
    assert judged(space, space.starts[0], moves).is_legal


def test_it_is_no_turn_of_those_that_are_priced_together():
    with pytest.raises(ValueError, match="free degrees or are priced together"):
        TurnPrices(((Fraction(180), Fraction(1)),), separation=Fraction(1), free_at_end=Fraction(90))


def test_of_several_phases_that_of_the_last_one_is_freer():
    space = replace(stepper(4), earlier=(EarlierPhase(Fraction(4)),), budget=Fraction(4))
    reach = PhasedReach(with_free_end(space, 90))
    assert reach.costs_in([(8, 0), (8, 0), (7.5, 0)], [90, 91, 91]).tolist() == [4, math.inf, 4]


def test_only_the_last_turn_is_free():
    space = with_free_end(stepper(8), 90)
    first = judged(space, space.starts[0], [Rotate(90), Travel(FORWARD, 2)])
    last = judged(space, space.starts[0], [Travel(FORWARD, 2), Rotate(90)])
    assert (first.total, last.total) == (4, 2)
