"""Movers that are asked about the same places together: each answers as it does alone, to the bit."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from crowds_of_movers import crowd, crowd_with_tolls, in_each_others_way
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle
from posed_tables import BOX, MOVERS

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseLink, PoseReach, PricedGround, TableLevel
from simulator.pathing.posed.asked_together import know_together
from simulator.pathing.posed.together import reach_many


def places_among(spaces, count=36, seed=3):
    """Places that movers may get to from where they start, and those of the starts."""
    dice = np.random.default_rng(seed)
    starts = np.array([space.starts[0].place for space in spaces])
    far = np.array([float(space.budget) for space in spaces])
    whose = dice.integers(len(starts), size=count)
    around = starts[whose] + far[whose, None] * dice.uniform(-0.4, 0.4, (count, 2))
    return np.concatenate([starts, np.clip(around, BOX[:2], BOX[2:])])


def assert_known_as_alone(spaces, places, headings=None, *, finer=0):
    """Compare what movers know after they were asked together with what each finds alone; return how many ends."""
    reaches, ends = reach_many(spaces, finer), 0
    for level in range(spaces[0].level_count):
        know_together(reaches, places, headings, level)
        for space, reach in zip(spaces, reaches, strict=True):
            known = reach._last_asked[next(iter(reach._last_asked))][level]
            alone = PoseReach(space, finer)._ways(places, headings, level)
            assert reach._ways(places, headings, level) is known
            assert np.array_equal(known.cost, alone.cost)
            assert [known.way(goal) for goal in range(len(places))] == [alone.way(goal) for goal in range(len(places))]
            ends += int(np.isfinite(alone.cost).sum())
    return ends


def kinds_of(spaces):
    """The kinds of ways of movers, by which they are tried together."""
    return [mover.kind for reach in reach_many(spaces) for _, mover in reach.askings(0)]


@pytest.mark.sampled
@pytest.mark.parametrize("name", MOVERS)
def test_movers_of_one_kind(name):
    spaces = crowd(name, 1, 3, budgets=("1/2", "1/3", "2/3"))
    assert assert_known_as_alone(spaces, places_among(spaces)) > 10


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["disc", "oval", "walker"])
def test_movers_among_things_that_give_way(name):
    spaces = crowd_with_tolls(name, 1, 4, budgets=("1/2", "1/3", "2/3"))
    assert assert_known_as_alone(spaces, places_among(spaces)) > 10


# Long: headings of several movers are searched; their places are tried beside it.
@pytest.mark.long
@pytest.mark.parametrize("name", ["disc", "tank", "walker"])
def test_with_headings(name):
    spaces = crowd_with_tolls(name, 0, 3, budgets=("1", "2/3"))
    places = places_among(spaces, 24)
    headings = float(spaces[0].starts[0].heading) + np.arange(len(places)) * 15.0
    assert assert_known_as_alone(spaces, places, headings) > 5


def test_each_may_not_end_on_other_things():
    spaces = crowd("tank", 2, 3, budgets=("1/2",))
    places = places_among(spaces)
    ponds = [rectangle(tuple(place), (2, 1)) for place in places[4:9]]
    spaces = [replace(space, no_end=ponds[number:]) for number, space in enumerate(spaces)]
    assert len(set(kinds_of(spaces))) == 1
    assert assert_known_as_alone(spaces, places) > 10


def test_a_finer_mesh_and_other_limits():
    spaces = crowd("disc", 0, 3, budgets=("1/2",))
    spaces[1] = replace(spaces[1], most_travelled=Fraction(4))
    spaces[2] = replace(spaces[2], more_than=Fraction(3))
    assert kinds_of(spaces)[2] is None
    assert assert_known_as_alone(spaces, places_among(spaces, 8), finer=1) > 5


# Long: links and headings for several movers; movers on one level are tried beside it.
@pytest.mark.long
def test_levels():
    walls = [rectangle((26, 18), (1, 20)), rectangle((18, 12), (6, 1))]
    upper = TableLevel(PricedGround((), flat_ground), bars=[rectangle((30, 22), (3, 3))], box=BOX)
    links = (PoseLink("rise", 0, 1, Fraction(4)), PoseLink("sink", 1, 0, Fraction(4)))
    spaces = [
        vehicle(20 - 4 * number, base=Round(0.5), modes=(FORWARD, REVERSE), start=(16.0, 15.0 + 2 * number))
        for number in range(3)
    ]
    spaces = in_each_others_way([replace(space, above=(upper,), links=links, box=BOX) for space in spaces], walls)
    assert assert_known_as_alone(spaces, places_among(spaces)) > 20


def test_movers_of_one_kind_are_tried_in_one_lot():
    spaces = crowd_with_tolls("disc", 0, 4)
    kinds = kinds_of([*spaces, replace(spaces[0], tolls=())])
    assert None not in kinds
    assert [kinds.count(kind) for kind in kinds] == [4, 4, 4, 4, 1]


def test_more_places_than_are_kept_at_once():
    spaces = crowd("disc", 0, 2, budgets=("1/3",))
    reaches = reach_many(spaces)
    know_together(reaches, np.zeros((65, 2)))
    assert not any(reach._last_asked for reach in reaches)
