"""Each test of a query runs on the vectorised search and on the reference."""

import pytest

from simulator.pathing.search import prepared


@pytest.fixture(params=["numpy", "networkx"])
def make(request):
    """Make a move space ready for questions, by one of the two engines."""
    return lambda space: prepared(space, request.param)
