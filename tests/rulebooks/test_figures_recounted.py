"""Each figure of each refusal is counted again; see `tests/long/figures_recounted.py`."""

import pytest
import recounts
import recounts_dot_trooper
import recounts_grid_runner
import recounts_skirmish

RULEBOOKS = {
    "grid_runner": recounts_grid_runner,
    "dot_trooper": recounts_dot_trooper,
    "skirmish": recounts_skirmish,
}


@pytest.mark.parametrize("name", RULEBOOKS)
def test_nobody_writes_figures_that_are_not_recounted(name):
    assert set(RULEBOOKS[name].RECOUNTS) == recounts.sites(name)


def test_so_it_is_in_the_engine():
    assert set(recounts.OF_ALL) == recounts.sites("engine")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "seed"),
    [*(("grid_runner", seed) for seed in range(12)), ("dot_trooper", 3), ("dot_trooper", 4), ("skirmish", 2)],
)
def test_they_are_those_of_the_order_and_the_position(name, seed):
    found, seen = RULEBOOKS[name].wrong(seed)
    assert found == []
    assert len(seen) >= 6
