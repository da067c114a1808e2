"""Without what a clause is said to be broken by, the answer is another; see `tests/long/no_causes.py`."""

import pytest
from causes import untrue


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("kind", "seeds", "count", "least"),
    [("squares", range(40), 8, 200), ("dots", range(24), 6, 50), ("table", range(0, 24, 2), 4, 8)],
)
def test_what_is_named_as_the_cause_is_one(kind, seeds, count, least):
    tried = []
    assert [(seed, one) for seed in seeds for one in untrue(kind, seed, count, tried)] == []
    assert sum(tried) >= least
