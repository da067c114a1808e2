"""What would help to places behind obstacles does; see `tests/long/remedies_behind_obstacles.py`."""

import pytest
from behind_obstacles import untrue


@pytest.mark.parametrize("seed", [1, 2, 4, 5])
def test_remedies_come_true(seed):
    assert untrue(seed, count=1) == []
