"""Every start at once is every start by itself."""

from dataclasses import replace

import numpy as np
import pytest
from spaces import random_space
from test_ordered import climbing_space

from simulator.pathing.departures import Departures
from simulator.pathing.kernel.ordered import Ordered, phase_costs
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import UNREACHED, MoveSpaceError, Start


def one_by_one(space, starts, budget, most=None):
    """The least cost of ending in each cell, searched from each start alone."""
    prepared, found = Prepared(space), []
    for layer, row, col in zip(*(column.tolist() for column in starts), strict=True):
        heading, phase = space.layer_labels[layer]
        costs = prepared.search([Start(row, col, heading, phase)], budget).end_costs()
        if most is not None:
            costs = np.where(costs <= np.array(most)[:, None, None], costs, UNREACHED)
        found.append(costs.min(axis=0))
    return np.array(found).reshape(-1, *space.shape)


def together(every, starts):
    parts = [landed.on_board(every.space.shape) for landed in every.landings(starts)]
    return np.concatenate([np.empty((0, *every.space.shape), np.int64), *parts])


@pytest.mark.parametrize("seed", range(40))
def test_a_search_for_all_starts_is_one_for_each(seed):
    rng = np.random.default_rng([seed, 17])
    space = random_space(rng, budget_none=seed % 5 == 0, long=seed % 11 == 0)
    begins = rng.random((space.layers, *space.shape)) < 0.6
    most = rng.integers(0, 12, space.layers).tolist() if seed % 3 == 0 else None
    every = Departures(Prepared(space), begins, space.budget, most)
    starts = every.from_cells(0, begins[0].size)
    assert len(starts.layer) == np.count_nonzero(begins)
    assert (together(every, starts) == one_by_one(space, starts, space.budget, most)).all()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("budget", [None, 3])
def test_so_is_one_in_a_single_pass(seed, budget, monkeypatch):
    monkeypatch.setattr("simulator.pathing.kernel.ordered._SIDE_BY_SIDE", 300)  # several parts
    space, rng = climbing_space(seed), np.random.default_rng(seed)
    ends = rng.random((5, 2, *space.shape)) < 0.7
    space = replace(space, end=None if seed % 4 == 0 else ends, start_is_end=seed % 2 == 0)
    begins = np.zeros((space.layers, *space.shape), np.bool_)
    begins[:2] = rng.random((2, *space.shape)) < 0.4
    every = Departures(Ordered(space, phase_costs(space)), begins, budget)
    starts = every.from_cells(0, begins[0].size)
    assert (together(every, starts) == one_by_one(space, starts, budget)).all()


def test_starts_are_counted_cell_by_cell():
    space = climbing_space(0)
    begins = np.zeros((5, 2, *space.shape), np.bool_)
    begins[0, :, 1, 2:4] = True
    levels = np.arange(space.shape[0])[None, :, None]
    every = Departures(Ordered(space, phase_costs(space)), begins, levels=levels)
    starts = every.from_cells(11, 13)
    assert [column.tolist() for column in starts] == [[0, 1, 0, 1], [1, 1, 1, 1], [2, 2, 3, 3]]
    numbers, labels = every.labels_of(starts)
    assert [labels[number] for number in numbers] == [("n", 1), ("s", 1), ("n", 1), ("s", 1)]
    assert len(every.from_cells(12, 13).layer) == 2
    assert not len(every.from_cells(0, 9).layer)


def test_a_mask_of_another_shape_is_refused():
    space = climbing_space(0)
    with pytest.raises(
        MoveSpaceError, match=r"begins: expected a mask for each layer, shape \(10, 7, 9\) \(got \(7, 9\)\)"
    ):
        Departures(Prepared(space), np.ones(space.shape, np.bool_))
