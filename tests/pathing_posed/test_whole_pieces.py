"""Legs priced by begun pieces: the last begins where all of its pieces are used up and most keep off dear ground."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    PoseReach,
    PoseSpace,
    PoseStart,
    PricedGround,
    Rotate,
    Travel,
    TurnPrices,
    cheapest,
    judged,
)
from simulator.pathing.posed.asked_together import know_together
from simulator.pathing.posed.last_legs import LastTurns

START = (12.0, 10.0)
#: Tables on which at least some ends take a turn at one place alone.
SEEDS = (1, 2, 3)


def patchy(seed):
    """A mover on foot, priced by the half inch under its whole base, among patches of dear ground."""
    dice = np.random.default_rng(seed)
    patches = [
        rectangle(tuple(place), tuple(size), float(dice.integers(0, 90)))
        for place, size in zip(dice.uniform(8.5, 15, (5, 2)), dice.uniform(0.8, 3, (5, 2)), strict=True)
        if np.hypot(*(place - START)) > 1.0
    ]
    base = Round(0.3)
    ground = PricedGround(patches, lambda under, _: Fraction(3 if under else 1), base=base, grain=Fraction(1, 2))
    turns = TurnPrices.in_steps(Fraction(45), Fraction(1, 2))
    start = PoseStart(START, Fraction(int(dice.integers(360))))
    return PoseSpace(base, (start,), Fraction(4), ground, (FORWARD, REVERSE), turns)


def ends_of_two_legs(space, seed, count=600):
    """Where moves of two legs end that can be paid: places, headings, prices."""
    dice, found = np.random.default_rng([seed, 1]), []
    for _ in range(count):
        first, turned = float(dice.uniform(0.05, 2)), float(dice.uniform(-60, 60))
        last = Fraction(int(dice.integers(2, 6)), 2)
        verdict = judged(space, space.starts[0], [Travel(FORWARD, first), Rotate(turned), Travel(FORWARD, last)])
        if verdict.is_legal:
            found.append((*verdict.place, float(verdict.heading), float(verdict.total)))
    x, y, heading, price = np.array(found).T
    return np.column_stack([x, y]), heading, price


@pytest.mark.parametrize("seed", SEEDS)
def test_ends_of_two_legs_are_known(seed):
    space = patchy(seed)
    places, headings, prices = ends_of_two_legs(space, seed)
    reach = PoseReach(space)
    assert len(places) > 10
    assert shapely.distance(reach.area(), shapely.points(places)).max() <= 0.05
    assert np.all(reach.costs_at(places) <= prices + 1e-6)
    some = slice(12)
    facing = reach.costs_in(places[some], headings[some])
    assert np.all(facing <= prices[some] + 1e-6)
    for place, heading, cost in zip(places[some], headings[some], facing, strict=True):
        assert reach.costs_facing(tuple(place), [heading]) == pytest.approx([cost])
        verdict = judged(space, space.starts[0], reach.moves_to(tuple(place), heading))
        assert verdict.is_legal
        assert float(verdict.total) == pytest.approx(cost)


@pytest.mark.parametrize("seed", [2, 3])
def test_some_of_them_lead_from_nowhere_else(seed, monkeypatch):
    """Without turns where whole pieces are left, ends are missed by more than a quarter of an inch."""
    space = patchy(seed)
    places, _, _ = ends_of_two_legs(space, seed)
    monkeypatch.setattr(cheapest, "before_whole_pieces", lambda *_: LastTurns.none())
    reach = PoseReach(space)
    assert shapely.distance(reach.area(), shapely.points(places)).max() > 0.25
    assert np.isinf(reach.costs_at(places)).any()


def test_movers_that_are_asked_about_together_find_the_same_ways():
    spaces = [patchy(seed) for seed in (2, 3)]
    places = np.concatenate([ends_of_two_legs(space, 2)[0][:20] for space in spaces])
    alone = [PoseReach(space).costs_at(places) for space in spaces]
    reaches = [PoseReach(space) for space in spaces]
    know_together(reaches, places)
    assert np.array_equal(np.round([reach.costs_at(places) for reach in reaches], 6), np.round(alone, 6))


def places_straight_on(space):
    """Places ahead of a mover and behind it, where its pieces begin and between."""
    ahead = np.radians(float(space.starts[0].heading))
    far = np.r_[np.arange(0.05, 4.0, 0.11), np.arange(0.5, 4.0, 0.5), -np.arange(0.05, 2.0, 0.17)]
    return np.array(START) + far[:, None] * (np.cos(ahead), np.sin(ahead))


@pytest.mark.parametrize("seed", range(6))
def test_nothing_but_a_turn_ends_a_leg(seed):
    """Straight on the pieces of a leg go on: no way has pieces that begin anew without a turn in between."""
    space = patchy(seed)
    reach, places = PoseReach(space), places_straight_on(space)
    for headings in (None, np.full(len(places), float(space.starts[0].heading))):
        costs = reach.costs_at(places) if headings is None else reach.costs_in(places, headings)
        assert np.isfinite(costs).sum() > 10
        for number, cost in enumerate(costs.tolist()):
            heading = None if headings is None else float(headings[number])
            if np.isfinite(cost):
                verdict = judged(space, space.starts[0], reach.moves_to(tuple(places[number]), heading))
                assert verdict.is_legal, places[number]
                assert float(verdict.total) == pytest.approx(cost), places[number]
    ends = reach.are_ends(places)
    assert ends.tolist() == np.isfinite(reach.costs_at(places)).tolist()
