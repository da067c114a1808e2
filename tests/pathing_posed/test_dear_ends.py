"""Last pieces of legs to places in dear ground: no leg there costs less than is known, however it comes."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely
from posed_movers import stepper, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.paths import Straight
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, PricedGround, judged
from simulator.pathing.posed.cheapest import CheapestWays
from simulator.pathing.posed.dear_ends import dearer_of, with_dear_ends
from simulator.pathing.posed.goals import WITHIN, Goals
from simulator.pathing.posed.lower_prices import Leasts, LowerPrices

#: What an inch costs over areas: the dearest of them counts, or the cheapest, as on roads through them.
RATES = {
    "dearest": lambda under, _: max((Fraction(2 + number % 3) for number in under), default=Fraction(1)),
    "cheapest": lambda under, _: min((Fraction(1 + number % 3) for number in under), default=Fraction(4)),
    "closed": lambda under, _: None if any(number % 3 == 0 for number in under) else Fraction(1 + len(under)),
}


def patches(seed, count=9):
    dice = np.random.default_rng(seed)
    places, sizes = dice.uniform(-6, 6, (count, 2)), dice.uniform(0.6, 4, (count, 2))
    return [
        Round(float(size[0]) / 2).at(*place)
        if dice.random() < 0.3
        else rectangle(tuple(place), tuple(size), float(dice.integers(0, 4) * 22.5))
        for place, size in zip(places, sizes, strict=True)
    ]


def ends_near_borders(areas, dice, count):
    """Places where a base of half an inch hardly touches something, or hardly not, and others anywhere."""
    rims = [shapely.buffer(area.polygon, 0.5, quad_segs=64).exterior for area in areas]
    found = []
    for number in range(count):
        rim = rims[number % len(rims)]
        at = shapely.line_interpolate_point(rim, float(dice.uniform(0, rim.length)))
        off = dice.choice([0.0, 1e-7, 2e-6, WITHIN / 2, WITHIN, 1e-3, 0.05]) * dice.choice([-1, 1])
        found.append(np.array(at.coords[0]) + off * dice.normal(size=2))
    return np.concatenate([found, dice.uniform(-6, 6, (count, 2))])


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("seed", range(4))
def test_no_leg_costs_less_than_its_last_piece_has_to(seed, rate):
    areas, dice = patches(seed), np.random.default_rng([seed, 1])
    space = stepper(9, areas=areas, rate=RATES[rate])
    places = ends_near_borders(areas, dice, 150)
    goals = with_dear_ends(space, Goals(places, None))
    inches = dice.choice([5e-7, WITHIN, 2e-4, 0.01, 0.5, 0.5 + 1e-6, 1.0, 2.3], len(places))
    ahead = np.radians(dice.choice([0.0, 45.0, 90.0, 200.0, 301.7], len(places)))
    starts = places - inches[:, None] * np.column_stack([np.cos(ahead), np.sin(ahead)])
    least = space.ground.least_prices(inches) + dearer_of(goals, np.arange(len(places)), inches)
    decided = 0
    for start, end, length, known, dearer in zip(starts, places, inches, least, goals.dearer, strict=True):
        price = space.ground.price(Straight(tuple(start.tolist()), tuple(end.tolist())), Fraction(float(length)))
        assert price.barred is not None or float(price.total) >= known - 1e-9
        decided += price.barred is None and dearer > 0.0
    assert decided > 20


@pytest.mark.parametrize("rate", ["dearest", "cheapest"])
@pytest.mark.parametrize("seed", range(4))
def test_no_way_costs_less_than_the_ways_that_are_looked_at(seed, rate):
    """Also where the last turn is made just before the goal, so that the last leg is no longer than is looked at."""
    areas, dice = patches(seed), np.random.default_rng([seed, 2])
    space = stepper(9, areas=areas, rate=RATES[rate])
    places = ends_near_borders(areas, dice, 200)
    goals = with_dear_ends(space, Goals(places, None))
    lower, starts = LowerPrices.of(space), dice.uniform(-5, 5, (len(places), 2))
    starts[::4] = places[::4] + 2e-7
    every = np.arange(len(places))
    for pairs, prices in ((1, None), (1 << 20, lower)):
        leasts = Leasts.of(space, prices, pairs, goals, starts)
        for short in (0.0, WITHIN / 2, 3e-4):
            corner = places + short * dice.normal(size=(len(places), 2))
            inches = np.hypot(*(places - starts).T)
            known = np.maximum(leasts.of_legs(every, every, inches), leasts.from_places(starts, every, inches))
            for number in every.tolist():
                ends = [tuple(row.tolist()) for row in (starts[number], corner[number], places[number])]
                legs = [space.ground.price(Straight(*pair)) for pair in pairwise(ends)]
                assert any(leg.barred is not None for leg in legs) or (
                    float(sum(leg.total for leg in legs)) >= known[number] - 1e-6
                )


@pytest.mark.parametrize("rate", ["dearest", "cheapest"])
def test_a_closer_look_at_legs_counts_their_last_pieces(rate):
    areas, dice = patches(5), np.random.default_rng(6)
    space = stepper(9, areas=areas, rate=RATES[rate])
    places = ends_near_borders(areas, dice, 200)
    goals, every = with_dear_ends(space, Goals(places, None)), np.arange(len(places))
    inches, angle = dice.uniform(0.01, 3, len(places)), dice.uniform(0, 2 * np.pi, len(places))
    ahead = np.column_stack([np.cos(angle), np.sin(angle)])
    starts = places - inches[:, None] * ahead
    prices = np.array(
        [
            float(space.ground.price(Straight(tuple(start), tuple(end)), Fraction(length)).total)
            for start, end, length in zip(starts.tolist(), places.tolist(), inches.tolist(), strict=True)
        ]
    )
    for raster in (LowerPrices.of(space), LowerPrices.of(space).closer):
        known = raster.along(starts, ahead, inches, dearer_of(goals, every, inches))
        assert (known <= prices + 1e-6).all()
        assert np.count_nonzero(known > raster.along(starts, ahead, inches) + 1e-6) > 10


def test_what_is_known_rules_out_ways_and_no_ends(monkeypatch):
    areas = [rectangle((3, 0), (2, 9)), rectangle((-3, 1), (2, 3)), Round(1.5).at(0, 4)]
    space = stepper(5, areas=areas, rate=RATES["dearest"])
    places = np.random.default_rng(3).uniform(-5, 5, (300, 2))
    tried = []
    whole = CheapestWays._try

    def counted(self, some, *others):
        tried.append(len(some.goal))
        return whole(self, some, *others)

    monkeypatch.setattr(CheapestWays, "_try", counted)
    reach = PoseReach(space)
    costs, with_it = reach.costs_at(places), sum(tried)
    tried.clear()
    monkeypatch.setattr("simulator.pathing.posed.cheapest.with_dear_ends", lambda _, goals: goals)
    assert np.array_equal(PoseReach(space).costs_at(places), costs)
    assert with_it < 0.9 * sum(tried)
    for row in np.flatnonzero(np.isfinite(costs))[:40].tolist():
        way = reach.way_to(tuple(places[row].tolist()))
        assert float(judged(space, way.start, way.moves).total) == pytest.approx(costs[row], abs=1e-6)


@pytest.mark.parametrize(
    "space",
    [
        vehicle(6, base=Round(0.5), ground=PricedGround([rectangle((3, 0), (2, 9))], RATES["dearest"])),
        stepper(6, base=Rectangle(1, 2), areas=[rectangle((3, 0), (2, 9))], rate=RATES["dearest"]),
        stepper(
            6,
            ground=PricedGround(
                [rectangle((3, 0), (2, 9))],
                lambda _, climbed: Fraction(3 if climbed else 1),
                slopes={0: 90.0},
                base=Round(0.5),
                grain=Fraction(1, 2),
            ),
        ),
    ],
    ids=["no pieces", "a base with corners", "a slope"],
)
def test_elsewhere_nothing_is_known(space):
    goals = Goals(np.array([(3.0, 0.0)]), None)
    assert with_dear_ends(space, goals).dearer is None
    assert with_dear_ends(space, Goals(goals.places, None, dearer=np.ones(1))).dearer is None
    assert dearer_of(goals, np.zeros(2, int), np.ones(2)).tolist() == [0.0, 0.0]
