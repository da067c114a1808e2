"""Straight moves past barriers: only stretches over their grid are looked at, however far the moves lead."""

import numpy as np
import pytest

from simulator.geometry.path_judge import first_overlaps
from simulator.geometry.paths import Paths
from simulator.pathing.free.barriers import Barriers, _Listing


def random_lines(seed, count=400, far=40.0):
    """Lines across a wide table, some upright or level, some of no length."""
    dice = np.random.default_rng([seed, 1])
    lines = dice.uniform(-far, far, (count, 4))
    lines[:40, 2] = lines[:40, 0]
    lines[40:80, 3] = lines[40:80, 1]
    lines[80:90, 2:] = lines[80:90, :2]
    lines[90:140, :2] = dice.uniform(-3, 3, (50, 2))
    return lines


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [1, 2, 9])
def test_what_is_barred_is_what_overlaps(count, seed):
    """By the judge of paths, which has no grid: few discs in a small part of the table."""
    dice, lines = np.random.default_rng([seed, count]), random_lines(seed)
    discs = np.column_stack([dice.uniform(-3, 3, (count, 2)), dice.uniform(0.2, 1.5, count)])
    barriers = Barriers(discs, np.zeros((0, 4)), 0.0, 1e-6)
    judged = np.isfinite(first_overlaps(Paths.of_lines(lines.reshape(-1, 2, 2)), 0.0, discs=discs).inches)
    assert np.array_equal(barriers.barred(lines), judged)
    assert 0 < judged.sum() < len(lines)


@pytest.mark.parametrize("seed", range(4))
def test_rays_get_as_far_as_the_judge_lets_them(seed):
    dice, starts = np.random.default_rng([seed, 2]), random_lines(seed)[:, :2]
    discs = np.column_stack([dice.uniform(-3, 3, (5, 2)), dice.uniform(0.2, 1.5, 5)])
    starts = starts[np.all(np.hypot(*(starts[:, None] - discs[:, :2]).transpose(2, 0, 1)) > discs[:, 2], axis=1)]
    angle, limit = dice.uniform(0, 2 * np.pi, len(starts)), dice.uniform(1, 60, len(starts))
    angle[::2] = np.arctan2(*(discs[0, :2] - starts[::2]).T[::-1])
    ahead = np.column_stack([np.cos(angle), np.sin(angle)])
    barriers = Barriers(discs, np.zeros((0, 4)), 0.0, 1e-6)
    found = barriers.cast(*starts.T, *ahead.T, limit, np.zeros(len(starts), np.bool_))
    lines = np.stack([starts, starts + limit[:, None] * ahead], axis=1)
    judged = first_overlaps(Paths.of_lines(lines), 0.0, discs=discs).inches
    assert found.length == pytest.approx(np.minimum(judged, limit), abs=1e-4)
    assert (found.stopper >= 0).sum() > len(starts) / 4


def test_past_a_single_post_few_steps_are_made(monkeypatch):
    """Its grid is a thousandth of an inch wide: in cells of that a line across a table has tens of thousands."""
    asked, pairs = [], _Listing.pairs
    monkeypatch.setattr(_Listing, "pairs", lambda listing, cells: asked.append(len(cells)) or pairs(listing, cells))
    barriers = Barriers(np.array([[1.0, 2.0, 0.0]]), np.array([[1.0, 2.0, 1.0, 2.0]]), 0.0, 1e-6)
    lines = random_lines(0)
    assert not barriers.barred(lines).any()
    x, y, dx, dy = (lines[90:] - np.array([0, 0, 0, 0])).T
    barriers.cast(x, y, np.cos(dx), np.sin(dx), np.abs(dy), np.zeros(len(x), np.bool_))
    assert len(asked) < 100
