"""Several processes that share a list of work; results are yielded in the order of the list.

Each is connected to this process by a pipe and nothing else (no semaphores, no shared memory), so that nothing is left
behind after an interrupt: workers ignore Ctrl-C and end when their pipe closes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.resource_tracker import ensure_running
from typing import Any, TypeVar

from simulator.interrupts import before_the_end, left_to_us

A = TypeVar("A")
B = TypeVar("B")


def cores() -> int:
    """Return how many processes can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared_out(work: Callable[[A], B], things: Sequence[A], workers: int) -> Iterator[B]:
    """Do the work on each thing in parallel; an exception in a worker is raised here."""
    idle = _started(work, min(workers, len(things)))
    everybody = list(idle)
    busy: dict[Connection, int] = {}
    done: dict[int, tuple[bool, Any]] = {}
    sent = reported = 0
    try:
        while reported < len(things):
            while idle and sent < len(things):
                pipe = idle.pop()
                pipe.send(things[sent])
                busy[pipe] = sent
                sent += 1
            for ready in wait(list(busy)):
                pipe = next(pipe for pipe in busy if pipe is ready)
                done[busy.pop(pipe)] = pipe.recv()
                idle.append(pipe)
            while reported in done:
                is_well, found = done.pop(reported)
                if not is_well:
                    raise found
                reported += 1
                yield found
    finally:
        for pipe in everybody:
            pipe.close()
        _end()


def _started(work: Callable[[Any], Any], count: int) -> list[Connection]:
    context = get_context("spawn")
    before_the_end(_end)
    ensure_running()  # started later, it would let interrupts through again
    pipes = []
    with left_to_us():
        for _ in range(count):
            here, there = context.Pipe()
            context.Process(target=_serve, args=(work, there), daemon=True).start()
            there.close()
            pipes.append(here)
    return pipes


def _serve(work: Callable[[Any], Any], pipe: Connection) -> None:
    while True:
        try:
            thing = pipe.recv()
        except EOFError:
            return
        try:
            answer = (True, work(thing))
        except Exception as error:
            answer = (False, error)
        try:
            pipe.send(answer)
        except BrokenPipeError:
            return


def _end() -> None:
    for worker in active_children():
        worker.kill()
