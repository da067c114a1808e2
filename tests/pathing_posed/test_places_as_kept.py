"""Ends as games keep them, rounded to nine digits: what led there leads there, at no higher price."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from judged_ends import require_judged
from posed_movers import FORWARD, REVERSE, SIDEWAYS, flat_ground, stepper, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Mode, PoseReach, PricedGround, Rotate, Travel, TurnPrices, judged

HALF = Mode("oblique", aside=None, factor=Fraction(2))
WAYS = (FORWARD, REVERSE, *SIDEWAYS)
#: Angles of turns: limits of brackets, and others.
ANGLES = (22.5, 30, 45, 60, 67.5, 90, 20, 135, 13, 110)
KINDS = ("vehicle", "tank", "oblique", "steps", "free", "portions", "grouped", "flat")


def mover(kind, seed):
    """A mover of a kind that faces somewhere, by a road and a wall."""
    dice = np.random.default_rng(seed)
    start, heading = tuple(dice.uniform(-1, 1, 2).round(3).tolist()), int(dice.choice([0, 30, 33, 45, 90, 200, 270]))
    more = {"start": start, "heading": heading, "bars": [rectangle((7, 0), (1, 9))]}
    road = {
        "areas": [rectangle((0, 4), (20, 2), 10)],
        "rate": lambda under, _: Fraction(1, 2) if under else Fraction(1),
    }
    ground = PricedGround(road["areas"], road["rate"], least=Fraction(1, 2))
    match kind:
        case "vehicle":
            return vehicle(12, base=Round(0.4), ground=ground, modes=WAYS, **more)
        case "tank":
            return vehicle(12, base=Rectangle(1, 0.7), ground=ground, modes=(FORWARD, REVERSE), **more)
        case "oblique":
            return replace(vehicle(12, base=Round(0.4), ground=ground, modes=WAYS, **more), modes=(*WAYS, HALF))
        case "steps":
            halves = replace(ground, base=Round(0.5), grain=Fraction(1, 2))
            return stepper(6, ground=halves, modes=WAYS, **more)
        case "free":
            return stepper(6, free=90, modes=WAYS, **more)
        case "portions":
            turns = TurnPrices.in_steps(22.5, Fraction(1, 2), free=60, free_in_portions=True)
            return vehicle(8, base=Round(0.5), turns=turns, modes=WAYS, **more)
        case "grouped":
            turns = TurnPrices.of([(45, 1), (90, 2), (135, 4), (180, 5)], separation=2)
            return vehicle(9, base=Round(0.5), turns=turns, modes=WAYS, **more)
        case _:
            return vehicle(9, turns=TurnPrices.flat(2), ground=PricedGround((), flat_ground), modes=WAYS, **more)


def played(space, dice, legs):
    """Some legal move of so many legs, with turns before or after them."""
    while True:
        moves = []
        for _ in range(legs):
            if dice.uniform() < 0.8:
                moves.append(Rotate(Fraction(float(dice.choice(ANGLES) * dice.choice([1, -1])))))
            mode = space.modes[int(dice.integers(len(space.modes)))]
            if mode.aside is None:
                mode = mode.toward(float(dice.choice([30, 60, 120, 205])))
            moves.append(Travel(mode, Fraction(int(dice.choice([1, 2, 4, 7, 12])), 4)))
        if dice.uniform() < 0.3:
            moves.append(Rotate(Fraction(float(dice.choice(ANGLES)))))
        verdict = judged(space, space.starts[0], moves)
        if verdict.is_legal:
            return verdict


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("legs", [1, 2])
@pytest.mark.parametrize("kind", KINDS)
def test_where_a_move_led_it_leads(kind, legs, seed):
    space, dice = mover(kind, seed), np.random.default_rng([seed, legs])
    reach, found = PoseReach(space), [played(space, dice, legs) for _ in range(12)]
    exact = np.array([verdict.place for verdict in found])
    places, headings = exact.round(9), np.array([float(one.heading) for one in found])
    prices = np.array([float(one.total) for one in found])
    if legs > 1:
        # Two legs that are needed just so may be missed, but not for the rounding.
        prices = np.maximum(prices, reach.costs_in(exact, headings))
    assert np.all(reach.costs_at(places) <= prices + 1e-6)
    assert np.all(reach.costs_in(places, headings) <= prices + 1e-6)
    for place, heading, price in list(zip(places.tolist(), headings.tolist(), prices.tolist(), strict=True))[:4]:
        (cost,) = reach.costs_facing(tuple(place), [heading])
        assert cost <= price + 1e-6
    require_judged(space, reach, places)
    require_judged(space, reach, places, headings=headings)


@pytest.mark.parametrize("mode", WAYS, ids=str)
@pytest.mark.parametrize("angle", [0, 30, 45, -45, 67.5, -90])
@pytest.mark.parametrize("inches", [0.01, 0.25, 1, 3])
def test_all_of_the_budget_may_be_spent_on_one_leg(mode, angle, inches):
    turns = TurnPrices.in_steps(22.5, Fraction(1, 2))
    space = vehicle(1, base=Round(0.5), modes=WAYS, turns=turns, heading=12)
    moves = [Rotate(Fraction(angle)), Travel(mode, Fraction(inches))] if angle else [Travel(mode, Fraction(inches))]
    price = judged(replace(space, budget=Fraction(20)), space.starts[0], moves).total
    space = replace(space, budget=price)
    end = judged(space, space.starts[0], moves)
    places, headings = np.array([end.place]).round(9), np.array([float(end.heading)])
    for finer in (0, 1):
        reach = PoseReach(space, finer=finer)
        assert reach.costs_in(places, headings)[0] <= float(price) + 1e-6
        assert reach.costs_facing(tuple(places[0].tolist()), headings)[0] <= float(price) + 1e-6
        assert require_judged(space, reach, places, headings=headings) == 1
