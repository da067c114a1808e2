"""The first rows of each group, found without sorting all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.pathing.columns import among_first

ROWS = st.lists(st.tuples(st.integers(0, 5), st.floats(-1e6, 1e6)), min_size=1, max_size=300)


@given(ROWS, st.integers(1, 40))
def test_the_first_of_each_group_are_among_them_in_order(rows, many):
    groups, key = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = among_first(groups, key, many)
    assert np.all(np.diff(found) > 0)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        # Of equal keys any may be asked for: all that are no greater than the last of the first have to be there.
        last = np.sort(key[own])[min(many, len(own)) - 1]
        assert set(own[key[own] <= last]) <= set(found)


@pytest.mark.parametrize("many", [1, 8, 64])
def test_few_besides_are_among_them(many):
    groups, key = np.repeat(np.arange(10), 10_000), np.random.default_rng(1).uniform(0, 30, 100_000)
    assert 10 * many <= len(among_first(groups, key, many)) <= 10 * (many + 100)


def test_rows_that_are_all_alike_are_all_among_them():
    assert among_first(np.zeros(4, dtype=np.intp), np.full(4, 2.5), 1).tolist() == [0, 1, 2, 3]


def test_keys_may_differ_by_the_least_there_is():
    assert among_first(np.zeros(2, dtype=np.intp), np.array([5e-324, 0.0]), 1).tolist() == [1]
