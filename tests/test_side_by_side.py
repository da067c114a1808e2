"""Work in several threads: what comes back, what is left where something fails, and processes that are forked off."""

import os
import signal
import threading
import time

import pytest

from simulator import threads
from simulator.threads import at_once, side_by_side, use_one_core
from simulator.workers import shared_out


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(threads, "cores", lambda: 2)
    monkeypatch.setattr(threads._Limit, "threads", None)
    threads._pool.cache_clear()
    yield
    threads._pool.cache_clear()


def test_results_come_in_the_order_of_the_parts():
    def slowly(number):
        time.sleep(0.02 if number % 2 else 0.0)
        return number * number

    assert side_by_side(slowly, range(9)) == [number * number for number in range(9)]
    assert side_by_side(slowly, []) == []


def test_the_parts_are_worked_on_at_the_same_time():
    meet = threading.Barrier(2, timeout=20)
    assert sorted(side_by_side(lambda _: meet.wait(), range(2))) == [0, 1]


def test_whoever_asks_does_what_busy_threads_have_not_begun():
    busy, free = threading.Event(), threading.Event()

    def occupy(_):
        busy.set()
        assert free.wait(20)

    other = threads._pool().submit(occupy, 0)
    assert busy.wait(20)
    here = threading.get_ident()
    assert side_by_side(lambda _: threading.get_ident(), range(4)) == [here] * 4
    free.set()
    other.result()


def test_what_fails_is_raised_and_the_rest_is_left():
    done = []

    def fail(number):
        done.append(number)
        if number:
            time.sleep(0.05)
        raise ValueError(f"part {number}")

    with pytest.raises(ValueError, match="part 0"):
        side_by_side(fail, range(20))
    threads._pool().submit(int).result()  # what was left has not been begun by then, nor is it later
    assert len(done) <= 3
    assert side_by_side(str, [1, 2]) == ["1", "2"]


def test_on_one_core_no_thread_is_started():
    use_one_core()
    here = threading.get_ident()
    assert at_once() == 1
    assert side_by_side(lambda _: threading.get_ident(), range(3)) == [here] * 3


def _at_once(_):
    return at_once()


def test_a_worker_process_leaves_the_other_cores_to_the_others():
    assert list(shared_out(_at_once, [0, 1], 2)) == [1, 1]
    assert at_once() == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_process_that_is_forked_off_has_threads_of_its_own():
    assert side_by_side(str, range(3)) == ["0", "1", "2"]
    child = os.fork()
    if not child:
        signal.alarm(20)  # instead of waiting for ever for threads that are not there
        meet, failed = threading.Barrier(2, timeout=5), True
        try:
            failed = sorted(side_by_side(lambda _: meet.wait(), range(2))) != [0, 1]
        finally:
            os._exit(failed)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
