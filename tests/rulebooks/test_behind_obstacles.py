"""What would help to places behind obstacles does; see `tests/long/remedies_behind_obstacles.py`."""

import pytest
from behind_obstacles import untrue


@pytest.mark.parametrize("seed", [4, 6, 10, 11, 16, 17, 22, 23, 28, 29])
def test_remedies_come_true(seed):
    assert untrue(seed, count=1) == []
