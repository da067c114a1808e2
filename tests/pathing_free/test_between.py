"""Lengths between many places at once are those that one question after the other gives."""

import numpy as np
import pytest
import shapely
from sample_tables import legal_place, random_table

from simulator.pathing.free import Obstacles, lengths_between, plan, prepare, seen_between, straight_reach

RADII = (0.5, 0.0, 0.3, 1.0)
LONGEST = 6.0


def placed(seed):
    """A table, and places on it: anywhere, and on the outline of what can be reached, in contact with things."""
    table = prepare(random_table(seed, walls=2 if RADII[seed % 4] else 0), RADII[seed % 4])
    start = legal_place(table, seed)
    outline = shapely.get_coordinates(plan(table, start, LONGEST).area())
    dice = np.random.default_rng(seed)
    anywhere = dice.uniform(0.5, 13.5, (25, 2))
    places = np.concatenate([[start], anywhere, dice.choice(outline, 25)])
    return table, places[table.legal(places)]


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(24))
def test_lengths_are_those_of_single_questions(seed):
    table, places = placed(seed)
    lengths = lengths_between(table, places, places[::-1], LONGEST)
    for place, row in zip(places, lengths, strict=True):
        single = plan(table, place, LONGEST).cost_at(places[::-1])
        assert np.array_equal(np.isfinite(row), np.isfinite(single))
        assert np.allclose(row, single, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_straight_lengths_are_those_of_straight_moves(seed):
    table, places = placed(seed)
    seen = seen_between(table, places, places, LONGEST)
    assert np.array_equal(seen, seen.T)
    for place, row in zip(places, seen, strict=True):
        assert np.array_equal(row, straight_reach(table, place, LONGEST).cost_at(places))


@pytest.mark.parametrize("seed", range(12))
def test_the_way_back_is_as_long(seed):
    table, places = placed(seed)
    # A hair beside a corner, but not at it, a mover without size may be seen past it from one side only.
    off = np.hypot(places[:, None, 0] - table.circles.x, places[:, None, 1] - table.circles.y).min(axis=1)
    places = places[(off == 0.0) | (off > 3e-6)]
    lengths = lengths_between(table, places, places, LONGEST)
    short = (lengths < LONGEST - 1e-6) | (lengths.T < LONGEST - 1e-6)
    assert np.allclose(lengths[short], lengths.T[short], rtol=1e-9, atol=1e-9)


def test_who_stands_in_something_leaves_it_and_bars_nobody_else():
    table = prepare(Obstacles(discs=[(3, 0, 0.5), (8, 0, 0.5)]), radius=0.5)
    begins = np.array([(2.5, 0.0), (0.0, 0.0)])
    ends = np.array([(6.0, 0.0), (0.0, 3.0)])
    lengths = lengths_between(table, begins, ends, 9.0)
    for begin, row in zip(begins, lengths, strict=True):
        assert np.allclose(row, plan(table, begin, 9.0).cost_at(ends), rtol=1e-12)
    assert lengths[0, 0] == 3.5
    assert lengths[1, 0] > 6.0


def test_more_segments_than_are_tested_at_once_are_barred_as_each_by_itself():
    table = prepare(random_table(3), 0.5)
    ends = np.random.default_rng(3).uniform(0, 14, (30000, 4))
    barred = table.barred(ends)
    assert 0.1 < barred.mean() < 0.9
    some = np.arange(0, 30000, 7)
    assert np.array_equal(barred[some], table.barred(ends[some]))


def test_no_places_have_no_lengths():
    table = prepare(Obstacles(discs=[(3, 0, 0.5)]), radius=0.5)
    assert lengths_between(table, np.zeros((0, 2)), [(1, 1)], 5.0).shape == (0, 1)
    assert lengths_between(table, [(1, 1)], np.zeros((0, 2)), 5.0).shape == (1, 0)
