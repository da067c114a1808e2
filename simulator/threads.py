"""Threads for work that holds no lock of the interpreter, such as compiled loops and geometry, on several cores.

>>> side_by_side(str.upper, ["a", "b", "c"])
['A', 'B', 'C']
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


class _Limit:
    """How many threads of this process may work at the same time; None: as many as there are cores."""

    threads: int | None = None


def cores() -> int:
    """Return how many processes, or threads, can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def at_once() -> int:
    """Return how many threads of this process may work at the same time."""
    return cores() if _Limit.threads is None else _Limit.threads


def use_one_core() -> None:
    """Work in one thread from now on: other processes keep the other cores busy."""
    _Limit.threads = 1


@contextmanager
def on_one_core() -> Iterator[None]:
    """Work in one thread for a while: copies of this process keep the other cores busy."""
    before, _Limit.threads = _Limit.threads, 1
    try:
        yield
    finally:
        _Limit.threads = before


def side_by_side(work: Callable[[A], B], parts: Sequence[A]) -> list[B]:
    """Do the work on each part, the first of them in this thread; work must not ask for threads itself."""
    if len(parts) < 2 or at_once() < 2:
        return [work(part) for part in parts]
    pool = _pool()
    others = [pool.submit(work, part) for part in parts[1:]]
    try:
        found = [work(parts[0])]
        for part, other in zip(parts[1:], others, strict=True):
            # Whoever waits for a thread that others keep busy does it sooner by itself.
            found.append(work(part) if other.cancel() else other.result())
    finally:
        for other in others:
            other.cancel()
    return found


@cache
def _pool() -> ThreadPoolExecutor:
    """The threads of this process besides the one that asks; made when they are needed first."""
    return ThreadPoolExecutor(max(cores() - 1, 1), "simulator")


if hasattr(os, "register_at_fork"):
    # Threads do not come along to a process that is forked off.
    os.register_at_fork(after_in_child=_pool.cache_clear)
