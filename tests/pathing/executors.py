"""The executors of the kernel in two sets: those of numpy, and those of compiled code, which need numba."""

import pytest

from simulator.pathing.kernel.fast import compiled
from simulator.pathing.kernel.fast_buckets import DEAREST
from simulator.pathing.kernel.prepared import COMPILED, METHODS

NUMPY = tuple(method for method in METHODS if method not in COMPILED)
needs_numba = pytest.mark.skipif(not compiled.is_installed, reason="numba is not installed (extra `fast`)")
#: Tests take `methods`, and run once with each set.
each_set = pytest.mark.parametrize(
    "methods", [pytest.param(NUMPY, id="numpy"), pytest.param(COMPILED, id="numba", marks=needs_numba)]
)


def able(prepared, methods, starts=None):
    """Those of some executors that can answer: bits need prices that fit, and buckets none that is too high."""
    starts = prepared.space.starts if starts is None else starts
    tick, least = prepared.plan.tick, min((start.paid for start in starts), default=0)
    if any((start.paid - least) % tick for start in starts):
        return [method for method in methods if method == "relax"]
    bits = ("wide", "words", "levels") if prepared.plan.has_bits else ()
    dear = ("buckets",) if prepared.space.dearest // tick > DEAREST else ()
    others = [method for method in methods if method not in ("wide", "words", "levels", *dear)]
    return [*others, *(method for method in methods if method in bits)]
