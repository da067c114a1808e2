"""An engine in this process, and a game in it."""

import pytest
from asked_engine import ROOT, Asked


@pytest.fixture
def asked():
    return Asked(ROOT)


@pytest.fixture
def market(asked):
    return asked("new", scenario="scenarios/grid_runner/market_chase.yaml", seed=7)["game"]
