"""Leaps over an edge in closed form, and ruled out by what lies before the edge: nothing is lost by either."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from edges_of_roofs import bent_roof, walker

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import PolygonShape, rectangle
from simulator.pathing.posed import EarlierPhase, OffTheEdge, PhasedReach, PoseReach, last_legs
from simulator.pathing.posed.landing_lines import LandingLine
from simulator.pathing.posed.lower_prices import LowerPrices

L_SHAPE = PolygonShape([(-4, -4), (4, -4), (4, 0), (0, 0), (0, 4), (-4, 4)])
COURT = PolygonShape([(-6, -6), (6, -6), (6, 6), (-6, 6)], [[(-2, -2), (2, -2), (2, 2), (-2, 2)]])
#: From its rim discs leap past its bends, farther than is looked around a place.
RIM = PolygonShape([(-20, 21), (-20, -8), (-13, -9), (-6, -4), (-2, 4), (6, 8.5), (15, 10), (17, 21)])
RADII = (0.25, 0.6, 1.0, 2.0)


def courses_to(outline, places, dice, count=24):
    """Directions in which places may be landed on, of length 1: any, even ones, and those just past a corner."""
    row = np.repeat(np.arange(len(places)), count)
    angle = np.radians(dice.uniform(0, 360, len(row)))
    angle[::3] = np.radians(dice.choice(np.arange(0, 360, 22.5), len(angle[::3])))
    corners = np.array(outline.polygon.exterior.coords)
    past = np.arange(1, len(row), 3)
    away = places[row[past]] - corners[dice.integers(0, len(corners), len(past))]
    angle[past] = np.arctan2(away[:, 1], away[:, 0])
    return row, np.column_stack([np.cos(angle), np.sin(angle)])


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(8))
def test_a_disc_passes_over_an_edge_as_any_base_does(seed):
    dice = np.random.default_rng([seed, 61])
    for outline in (rectangle((0, 0), (8, 8)), L_SHAPE, COURT, *(bent_roof(dice) for _ in range(3))):
        for radius in RADII:
            edge = OffTheEdge("leap", outline, Round(radius), 1, 0)
            places = LandingLine(edge, 0.0, 0.05).places(0.4)
            row, ahead = courses_to(outline, places, dice)
            found = edge.passages(places[row], np.zeros(len(row)), ahead)
            expected = edge._passages_of_base(places[row], np.zeros(len(row)), ahead)
            lands = np.isfinite(expected)
            assert np.array_equal(np.isfinite(found), lands)
            assert np.allclose(found[lands], expected[lands], atol=2e-6)
            # Where it fits on the roof at all, it leaps off it.
            if radius < 1 and len(outline.shell) < 7:
                assert lands.sum() > 100


@pytest.mark.parametrize("seed", range(4))
def test_what_is_known_to_lie_inside_a_roof_does_with_all_that_is_beside(seed):
    dice = np.random.default_rng([seed, 63])
    roof, by = bent_roof(dice), 0.5
    closer = LowerPrices.of(replace(walker(8, roof=roof, base=Round(by)), links=())).closer
    apart = closer.cells.apart
    places, away = dice.uniform(-9, 9, (40, 2)), dice.uniform(-9, 9, (30, 20, 2))
    far, place, way = np.nonzero(closer.inside_around(roof.polygon, by, places, away))
    assert len(far) > 50
    for _ in range(5):
        # Anywhere in the cell, and in those beside it.
        some = places[place] + away[far, way] + dice.uniform(-apart, apart, (len(far), 2))
        assert shapely.contains_xy(roof.polygon, *some.T).all()
        assert np.min(shapely.distance(roof.polygon.boundary, shapely.points(some))) >= by
    # Much of what is inside is known to be.
    deep = shapely.buffer(roof.polygon, -by - 4 * apart)
    inside = shapely.contains_xy(deep, *(places[None, :, None] + away[:, None]).T).T
    assert len(far) >= inside.sum() * 0.9


def leapers(seed):
    """Movers on a bent roof, of all kinds of bases, grains and phases, each with the planner for it."""
    dice = np.random.default_rng([seed, 62])
    roof, start = bent_roof(dice), (0.3, 0.2)
    heading = int(dice.integers(360))
    for base in (Round(0.5), Rectangle(1.2, 0.7)):
        for grain in (None, Fraction(1, 2)):
            yield PoseReach, walker(6, roof=roof, base=base, start=start, heading=heading, grain=grain, free=45)
    rim = walker(6, roof=RIM, base=Round(0.5), start=(0, 9), heading=-60, grain=Fraction(1, 2))
    yield PoseReach, replace(rim, budget=Fraction(5 + seed, 2))
    two = walker(3, roof=roof, base=Round(0.5), start=start, heading=heading, grain=Fraction(1, 2))
    yield PhasedReach, replace(two, earlier=(EarlierPhase(Fraction(4)),))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(5))
def test_answers_are_the_same_with_a_look_before_the_edge_and_without(seed, monkeypatch):
    landed = 0
    for plan, space in leapers(seed):
        found = []
        for worth in (1, 10**9):
            monkeypatch.setattr(last_legs, "WORTH", worth)
            reach = plan(space)
            places = reach.landing_places(0, 0.8)
            some = places[::5]
            found.append((reach.costs_at(places), reach.costs_in(some, np.linspace(0, 300, len(some)))))
        (costs, facing), (costs_, facing_) = found
        landed += np.isfinite(costs).sum()
        assert np.allclose(costs, costs_, atol=1e-6)
        assert np.allclose(facing, facing_, atol=1e-6)
    assert landed > 20
