"""Memory that was freed goes back to the system."""

from types import SimpleNamespace

import numpy as np
import pytest

from simulator import freed_memory
from simulator.freed_memory import WORTHWHILE, give_back, held

needs_glibc = pytest.mark.skipif(freed_memory._glibc() is None, reason="only glibc gives freed memory back")


def with_much_between(arrays):
    """Some arrays that stay; those between them, too small to be given back one by one, are free again."""
    size = 64 * 1024
    return [np.ones(size // 8) for _ in range(arrays * WORTHWHILE // size)][::100]


@needs_glibc
def test_what_is_free_between_arrays_that_stay_is_given_back_each_time_and_once():
    give_back()
    stay = []
    for _ in range(2):
        stay += with_much_between(4)
        full = held()
        assert give_back()
        assert held() < full - 2 * WORTHWHILE
        # It still counts as free, and is not given back again.
        assert not give_back()
    assert all((one == 1.0).all() for one in stay)


@needs_glibc
def test_little_is_kept():
    give_back()
    stay = [np.ones(WORTHWHILE // 32)]
    assert not give_back()
    assert stay[0].all()


def test_what_is_held_more_counts_from_the_least_since_the_last_time(monkeypatch):
    """However slowly it grows; and what went back by itself is not missed."""
    step = WORTHWHILE // 4
    steps = iter([12, 15, 16, 11, 8, 11, 12, 9])
    monkeypatch.setattr(freed_memory, "_glibc", lambda: SimpleNamespace(malloc_trim=lambda _: 1))
    monkeypatch.setattr(freed_memory, "held", lambda: next(steps) * step)
    monkeypatch.setattr(freed_memory._Held, "least", 12 * step)
    assert [give_back() for _ in range(6)] == [False, False, True, False, False, True]
    assert freed_memory._Held.least == 9 * step


def test_another_library_keeps_what_is_free(monkeypatch):
    monkeypatch.setattr(freed_memory, "_glibc", lambda: None)
    assert not give_back()


def test_other_systems_have_none(monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    assert freed_memory._glibc.__wrapped__() is None
