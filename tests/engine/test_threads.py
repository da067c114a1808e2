"""Threads that share boards, games and answers find what one thread finds alone."""

import threading

import numpy as np
import pytest
from side_by_side import SCENARIOS, differing, everybody, prepared_space, prepared_tables, rulebook

from simulator.byte_cache import ByteCache, bytes_of, kept

ROOMS = {
    "prepared space": prepared_space(1),
    "prepared tables": prepared_tables(1, count=6),
    "everybody's reach": everybody(1),
    **{name: rulebook(name, 1, places=1, short=True) for name in SCENARIOS},
}


@pytest.mark.sampled("grid_runner")
@pytest.mark.parametrize("room", ROOMS)
def test_four_threads_find_what_one_finds(room):
    assert differing(ROOMS[room], threads=4, seed=1) == []


def test_what_is_kept_stays_within_its_bytes_and_drops_what_was_not_used_longest():
    store = ByteCache(most_bytes=5000, weigh=lambda made: len(made))
    for number in range(5):
        store.get(number, lambda: b"x" * 1000)
        store.get(0, lambda: b"")
    assert store.byte_count <= 5000
    assert [number for number in range(5) if store.take(number) is not None] == [0, 2, 3, 4]
    assert (len(store), store.byte_count) == (0, 0)
    assert store.get("large", lambda: b"x" * 9000) == b"x" * 9000
    assert len(store) == 0


def test_what_grows_is_weighed_again():
    store = ByteCache(most_bytes=10_000, weigh=len, grows=True)
    first = store.get("first", lambda: bytearray(100))
    store.get("second", lambda: bytearray(100))
    first.extend(bytes(20_000))
    assert store.get("first", bytearray) is first
    second = store.get("second", bytearray)
    assert len(store) == 1
    assert store.get("second", bytearray) is second


def test_what_is_asked_for_stays_where_what_was_used_before_has_grown():
    store = ByteCache(most_bytes=10_000, weigh=len, grows=True)
    first = store.get("first", lambda: bytearray(4000))
    store.get("second", lambda: bytearray(4000)).extend(bytes(4000))
    assert store.get("first", bytearray) is first
    assert len(store) == 1
    assert store.byte_count < 10_000


def test_what_has_grown_beyond_the_limit_goes_alone():
    store = ByteCache(most_bytes=10_000, weigh=len, grows=True)
    others = [store.get(number, lambda: bytearray(1000)) for number in range(3)]
    store.get("large", lambda: bytearray(1000)).extend(bytes(20_000))
    assert [store.get(number, bytearray) for number in range(3)] == others
    assert len(store) == 3


def test_to_ask_for_the_same_again_weighs_nothing():
    weighed = []
    store = ByteCache(most_bytes=10_000, weigh=lambda made: weighed.append(made) or len(made), grows=True)
    for _ in range(5):
        store.get("one", lambda: bytearray(100))
    assert len(weighed) == 1
    store.get("other", lambda: bytearray(100))
    assert len(weighed) == 3


def test_what_has_grown_is_weighed_when_another_is_asked_for():
    store = ByteCache(most_bytes=10_000, weigh=len, grows=True)
    for number in range(50):
        store.get(number, lambda: bytearray(100)).extend(bytes(3000))
        assert store.byte_count <= 10_000
    assert len(store) == 3
    store.clear()
    for number in range(50):
        assert store.find(number) is None
        store.give_back(number, bytearray(100))
        made = store.find(number)
        made.extend(bytes(3000))
    assert len(store) == 3


def test_what_is_lent_is_lent_to_one_alone():
    store, began, worked = ByteCache(most_bytes=10**6), threading.Barrier(4), []

    def work():
        began.wait()
        for _ in range(200):
            mine = store.take("scratch") or [0]
            before = mine[0] = mine[0] + 1
            worked.append(mine[0] == before)
            store.give_back("scratch", mine)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(worked) == 800
    assert all(worked)


def test_what_lives_anyway_is_not_counted():
    class Board:
        known_as_itself = True

        def __init__(self):
            self.squares = np.zeros(10**5)

    assert bytes_of([Board(), np.zeros(10)]) < 1000


def test_a_function_keeps_what_it_returns_and_weighs_arrays():
    calls = []

    @kept(megabytes=0.1)
    def zeros(count):
        calls.append(count)
        return np.zeros(count)

    assert zeros(1000) is zeros(1000)
    assert zeros(10**5).nbytes == 8 * 10**5  # too large to be kept
    assert zeros(10**5).nbytes == 8 * 10**5
    assert calls == [1000, 10**5, 10**5]
    assert bytes_of((np.zeros(100), {"a": np.zeros(100)})) >= 1600
