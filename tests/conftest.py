"""Laws that take long, over many generated boards: `make test` tries a sample of them, `make test-all` all of them.

What is marked `sampled` runs some of its cases then: the cheapest where cases differ in price, which the mark names by
the text between their brackets; or all but those that it names as `dear`; or else some that are the same each time and
others for each test. What is marked `long` runs only without `--sample`. Whoever names a file runs all that is in it.
"""

import gc
import sys
import zlib
from collections import Counter

import pytest
from hypothesis import settings

from simulator import cores
from simulator.pathing.weighted.planners import KNOWN

#: In a sample, one case of so many is tried.
EVERY = 16


# Timings never decide a test, and on a busy machine every single example may take long.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def _no_folder_is_left_behind():
    """Rulebooks are looked for along `sys.path`: what a test adds to it is gone for the tests that follow."""
    before = list(sys.path)
    yield
    assert sys.path == before


@pytest.fixture(autouse=True)
def _planners_are_not_known(monkeypatch):
    """What is compared with an answer made anew has to be made anew: see `tests/engine/test_known_planners.py`."""
    KNOWN.clear()
    monkeypatch.setattr(KNOWN, "most_bytes", 0)


@pytest.fixture(autouse=True)
def _works_in_one_process(monkeypatch):
    """Tests keep all cores busy as it is: see `tests/test_cores.py` and what has `cores` in its name."""
    monkeypatch.setattr(cores._Copies, "allowed", False)


@pytest.fixture
def copies_made(monkeypatch):
    """What the copies of this process were made for, one after the other."""
    made, copy = [], cores.Copy

    def counted(do):
        made.append(do)
        return copy(do)

    monkeypatch.setattr(cores, "Copy", counted)
    return made


def pytest_addoption(parser):
    parser.addoption("--sample", action="store_true", help="leave out most cases of the tests that take longest")


def pytest_configure(config):
    about = f"with --sample, these cases are tried, or all but the dear ones; or else one in {EVERY}, and at least one."
    config.addinivalue_line("markers", f"sampled(*cases, dear=()): {about}")
    config.addinivalue_line("markers", "long: with --sample, this is not tried.")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without looking for garbage: thousands of tests stay to the end, and are never looked through again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config, items):
    if not config.getoption("sample"):
        return
    cases = {}
    for item in items:
        cases.setdefault(_test_of(item), []).append(_case_of(item))
    seen = Counter()
    kept, left_out = [], []
    for item in items:
        test = _test_of(item)
        tried = item.get_closest_marker("long") is None
        if (sampled := item.get_closest_marker("sampled")) is not None:
            if sampled.args or sampled.kwargs:
                tried &= _case_of(item) in _named(config, test, sampled, cases[test])
            else:
                tried &= seen[test] % EVERY == zlib.crc32(test.encode()) % min(EVERY, len(cases[test]))
        seen[test] += 1
        (kept if tried else left_out).append(item)
    if left_out:
        items[:] = kept
        config.hook.pytest_deselected(items=left_out)


def _named(config, test, sampled, cases):
    """The cases that a mark names, or all but the dear ones; if these were not asked for, those that were."""
    names = sampled.args or sampled.kwargs["dear"]
    unknown = sorted(set(names) - set(cases))
    if unknown and not any("::" in word for word in config.args):
        raise pytest.UsageError(f"{test} is `sampled` with cases that it does not have: {unknown}")
    tried = [case for case in cases if (case in names) == bool(sampled.args)]
    return tried or cases


def _test_of(item):
    return item.nodeid.partition("[")[0]


def _case_of(item):
    return item.nodeid.partition("[")[2].removesuffix("]")
