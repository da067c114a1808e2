"""What would help over several passes of a turn does, and nothing smaller (GR-20)."""

import pytest
from passes_explained import untrue


@pytest.mark.sampled
@pytest.mark.parametrize("seeds", [range(20), range(20, 40), range(40, 60)])
def test_remedies_come_true(seeds):
    tried = []
    assert [one for seed in seeds for one in untrue(seed, tried)] == []
    assert any(tried)
