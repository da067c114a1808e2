"""What is too far off to matter is left out of a space, and changes no answer."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from any_spaces import any_space
from posed_flyers import flyer
from posed_movers import FORWARD, REVERSE
from stopping_tables import stopping_space, written_moves

from simulator.geometry.footprints import Oval, Round
from simulator.geometry.paths import Straight
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    EarlierPhase,
    PoseReach,
    PoseSpace,
    PoseStart,
    PricedGround,
    Rotate,
    Touch,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.how_far import HowFar
from simulator.pathing.posed.shortfalls import least_shortfalls
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.weighted import planner_for
from simulator.pathing.weighted.reach import WeightedReach


def mover(bars=(), *, budget=6, **more):
    start = PoseStart((0, 0), Fraction(0))
    turns, even = TurnPrices.flat(1), even_ground(Fraction(1))
    return PoseSpace(Round(1), (start,), Fraction(budget), even, (FORWARD, REVERSE), turns, list(bars), **more)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_nothing_near_is_left_out_and_nothing_far_off_is_kept(seed):
    dice = np.random.default_rng(seed)
    spots = dice.uniform(-20, 20, (60, 2)).tolist()
    things = [Round(float(dice.uniform(0.2, 3))).at(*spot) for spot in spots[:20]]
    things += [Oval(3.0, 1.0).at(*spot, float(dice.uniform(0, 360))) for spot in spots[20:40]]
    things += [rectangle(spot, tuple(dice.uniform(0.2, 6, 2)), float(dice.uniform(0, 90))) for spot in spots[40:]]
    boxes = np.array([(0.0, 0.0, 0.0, 0.0), (3.0, 4.0, 5.0, 9.0)])
    for far in (0.0, 2.5, 8.0):
        near = HowFar(boxes, far, 1.0, 1.0).may_come_near(things, 0.0)
        for thing, is_near in zip(things, near.tolist(), strict=True):
            true = min(
                thing.polygon.distance(box) for box in (rectangle((4, 6.5), (2, 5)).polygon, Round(0).at(0, 0).polygon)
            )
            # Boxes are compared: what is near by its box may be farther by itself, but not by more than its size.
            assert is_near or true > far - 0.01
            assert not is_near or true <= far + 6.0
    assert len(HowFar(boxes, 9.0, 1.0, 1.0).may_come_near([], 0.0)) == 0


def any_moves(space, dice):
    """A turn and a leg, once or twice, as long as the budget lasts on cheap ground or shorter."""
    found = []
    for _ in range(int(dice.integers(1, 3))):
        found.append(Rotate(Fraction(float(dice.uniform(-180, 180))) if dice.random() < 0.7 else Fraction(45)))
        inches = float(dice.choice([0.3, 1.0])) * float(dice.uniform(0, 2)) * float(space.budget)
        found.append(Travel(space.modes[int(dice.integers(len(space.modes)))], Fraction(inches)))
    return found if dice.random() < 0.8 else found[1:]


def roads(seed):
    """A mover that turns for nothing, among roads at half and at a third of the price and mud at twice."""
    dice = np.random.default_rng([seed, 8])
    spots = dice.uniform(-12, 12, (6, 2)).tolist()
    areas = [rectangle(spot, (float(dice.uniform(2, 20)), 1.5), float(dice.uniform(0, 180))) for spot in spots[:4]]
    areas += [Oval(6.0, 3.0).at(*spots[4], 40.0), rectangle(spots[5], (5, 5))]
    rates = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(2)]

    def rate(under, _):
        return max((rates[number] for number in under), default=Fraction(1))

    ground = PricedGround(areas, rate, least=Fraction(1, 3), cheap=frozenset({0, 1, 2}), least_off_cheap=Fraction(1))
    return PoseSpace(Round(0.5), (PoseStart((0, 0), Fraction(0)),), Fraction(5), ground, (FORWARD,), TurnPrices.flat(0))


@pytest.mark.parametrize("seed", range(8))
def test_wherever_a_mover_gets_over_cheap_ground_is_known_to_be_near(seed):
    space, dice = roads(seed), np.random.default_rng(seed)
    places = dice.uniform(-14, 14, (400, 2))
    ends = np.isfinite(planner_for(space).costs_at(places))
    posts = [Round(0.01).at(*place) for place in places.tolist()]
    near = space.how_far.may_come_near(posts, 0.0)
    assert np.all(near[ends])
    assert space.may_get_to(places)[ends].all()
    assert 20 <= ends.sum() <= near.sum() < 300
    # Nothing is known about what an inch costs off roads.
    plain = replace(space, ground=replace(space.ground, cheap=None))
    assert np.all(plain.how_far.may_come_near(posts, 0.0)[near])
    assert plain.farthest == 15.0 >= space.farthest


def test_the_rule_is_held_to_what_ground_costs_off_roads():
    road = rectangle((5, 0), (4, 4))
    ground = PricedGround(
        [road, rectangle((9, 0), (4, 4))],
        lambda under, _: Fraction(1, 2 if under else 1),
        least=Fraction(1, 2),
        cheap=frozenset({0}),
        least_off_cheap=Fraction(1),
    )
    assert ground.price(Straight((0, 0), (6, 0))).total == Fraction(9, 2)
    with pytest.raises(ValueError, match="off cheap areas an inch costs 1/2 or more, not 0"):
        PricedGround([road], ground.rate, least=Fraction(1, 2), cheap=frozenset({0}))
    with pytest.raises(ValueError, match=r"an inch costs 1/2 over \[1\], less than the least, 1"):
        ground.price(Straight((0, 0), (10, 0)))


@pytest.mark.sampled("0", "1", "2")
@pytest.mark.parametrize("seed", range(24))
def test_the_same_moves_are_legal_and_cost_as_much_with_all_that_is_left_out(seed):
    dice, whole = np.random.default_rng(seed), any_space(seed)
    whole = replace(whole, budget=whole.budget / 3, earlier=(), more_than=None, far_from=())
    if not whole.starts:
        whole = replace(whole, starts=(PoseStart((12.0, 10.0), Fraction(0)),), placings=())
    near, legal = whole.near, 0
    assert len(near.bars) < len(whole.bars)
    for _ in range(150):
        moves = any_moves(whole, dice)
        found, known = (judged(space, space.starts[0], moves) for space in (whole, near))
        assert found.is_legal == known.is_legal, moves
        assert found.total == known.total
        legal += found.is_legal
    assert legal > 0


@pytest.mark.parametrize("seed", range(8))
def test_what_stops_nobody_is_left_out(seed):
    far = Touch(Round(1.2).at(19, 19), 0.01)
    whole = stopping_space(seed)
    whole = replace(whole, budget=Fraction(5), stops=[*whole.stops, far], bars=[*whole.bars, Round(1.19).at(19, 19)])
    near = whole.near
    assert len(near.stops) < len(whole.stops)
    assert far not in near.stops
    for moves in written_moves(whole, seed, 60):
        found, known = (judged(space, space.starts[0], moves) for space in (whole, near))
        assert (found.is_legal, found.total) == (known.is_legal, known.total)


def test_what_is_nowhere_near_stops_nobody_from_being_planned_for_as_if_it_were_not_there():
    whole = mover([Round(0.9).at(20, 0)], stops=(Touch(Round(0.9).at(20, 0)),))
    assert isinstance(planner_for(replace(whole, budget=Fraction(30))), StoppedReach)
    assert isinstance(planner_for(whole), PoseReach)


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("budget", [3, 9])
@pytest.mark.parametrize("place", [(15, 0), (10.6, 0), (0, 12), (20, 3)])
def test_what_is_missing_goes_by_all_that_stops_a_mover(place, budget, free):
    """Nothing that stops it is near with its own budget; with what a way there takes it is."""
    post = Round(0.9).at(12.5, 0)
    whole = replace(mover([post], budget=budget, stops=(Touch(post),)), turns=TurnPrices.flat(0 if free else 1))
    known = planner_for(whole)
    assert not isinstance(known, StoppedReach)
    assert isinstance(known, WeightedReach) is free
    level, found, _ = least_shortfalls(known, place, None, [0], whole)
    expected = least_shortfalls(StoppedReach(whole), place, None, [0])
    assert (level, [short._replace(way=None) for short in found]) == (
        expected[0],
        [short._replace(way=None) for short in expected[1]],
    )
    assert found


@pytest.mark.parametrize("off", [-0.05, 0.05])
def test_what_a_mover_just_comes_to_is_kept(off):
    """A wall that a leg of the whole budget ends at, a hair before and a hair after it."""
    wall = rectangle((7 + off + 0.5, 0), (1, 30))
    near = mover([wall]).near
    assert len(near.bars) == 1
    assert PoseReach(near).costs_at([(6 + off, 0)]).tolist() == ([5.95] if off < 0 else [np.inf])
    assert len(mover([rectangle((7.7, 0), (1, 30))]).near.bars) == 0


@pytest.mark.parametrize("paid", [6, 9])
def test_who_has_nothing_left_to_spend_is_near_to_what_it_touches(paid):
    touching, off = Round(0.5).at(1.55, 0), Round(0.5).at(1.65, 0)
    start = PoseStart((0, 0), Fraction(0), Fraction(paid))
    for limits in ({}, {"most_inches": Fraction(0)}):
        assert list(replace(mover([touching, off]), starts=(start,), **limits).near.bars) == [touching]


def test_each_level_and_each_phase_keeps_what_is_near():
    post, oak = Round(0.5).at(4, 0), Round(0.5).at(30, 0)
    phases = (EarlierPhase(Fraction(6), no_end=(oak, post)),)
    near = mover([oak, post], no_end=[post, oak], earlier=phases).near
    assert (list(near.bars), list(near.no_end), list(near.earlier[0].no_end)) == ([post], [post], [post])
    # Both phases together lead so far.
    assert len(mover([Round(0.5).at(13, 0)], earlier=phases).near.bars) == 1
    whole = flyer(3, Round(0.6))
    low = replace(whole, budget=Fraction(2))
    assert [len(level.bars) for level in low.near.above] < [len(level.bars) for level in low.above]
    assert len(low.near.bars) < len(low.bars)


def test_what_is_near_is_near_to_that():
    near = mover([Round(0.5).at(4, 0), Round(0.5).at(30, 0)]).near
    assert near.near is near


def test_spaces_that_differ_far_off_are_known_as_one():
    one, other = mover([Round(0.5).at(4, 0), Round(0.5).at(30, 0)]), mover([Round(0.5).at(0, 25), Round(0.5).at(4, 0)])
    assert one.near.contents == other.near.contents
    farther = [replace(space, budget=Fraction(40)).near.contents for space in (one, other)]
    assert farther[0] != farther[1]


def test_reasons_name_what_stands_there_by_its_number_in_the_whole_space():
    """Whether it is far off, as the first wall, or near."""
    walls = [rectangle((20, 0), (2, 60)), rectangle((-4, 0), (2, 3))]
    whole = mover(walls)
    reach = planner_for(whole)
    assert len(reach.space.bars) == 1
    for place, number in (((-4.0, 0.0), 1), ((20.0, 3.0), 0)):
        _, (found,), _ = least_shortfalls(reach, place, None, [0], whole)
        assert (found.what, found.thing) == ("bars", number)
    _, (beyond,), _ = least_shortfalls(reach, (22.5, 0.0), None, [0], whole)
    assert beyond.what == "way"
    # The same reach is asked for someone beside whom no such wall stands.
    open_ = mover(walls[1:])
    assert open_.near.contents == reach.space.contents
    _, (beyond,), _ = least_shortfalls(reach, (22.5, 0.0), None, [0], open_)
    assert beyond.what == "budget"
