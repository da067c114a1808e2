"""Memory that was freed goes back to the system."""

import resource
from pathlib import Path

import numpy as np
import pytest

from simulator import freed_memory
from simulator.freed_memory import WORTHWHILE, give_back

needs_glibc = pytest.mark.skipif(freed_memory._glibc() is None, reason="only glibc gives freed memory back")


def held():
    """The bytes that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@needs_glibc
def test_what_is_free_between_arrays_that_stay_is_given_back():
    give_back()
    size = 64 * 1024  # too small to be given back one by one
    arrays = [np.ones(size // 8) for _ in range(4 * WORTHWHILE // size)]
    stay, full = arrays[::100], held()
    del arrays
    assert give_back()
    assert held() < full - 2 * WORTHWHILE
    assert all((one == 1.0).all() for one in stay)


@needs_glibc
def test_little_is_kept():
    give_back()
    assert not give_back()


def test_another_library_keeps_what_is_free(monkeypatch):
    monkeypatch.setattr(freed_memory, "_glibc", lambda: None)
    assert not give_back()


def test_other_systems_have_none(monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    assert freed_memory._glibc.__wrapped__() is None
