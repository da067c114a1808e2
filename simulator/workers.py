"""Several processes that share a list of work; results are yielded in the order of the list, or as they are done.

Each is connected to this process by a pipe and nothing else (no semaphores, no shared memory), so that nothing is left
behind after an interrupt: workers ignore Ctrl-C and end when their pipe closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from multiprocessing import active_children, get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.resource_tracker import ensure_running
from typing import Any, TypeVar

from simulator.interrupts import before_the_end, left_to_us
from simulator.threads import use_one_core

A = TypeVar("A")
B = TypeVar("B")


def shared_out(work: Callable[[A], B], things: Sequence[A], workers: int) -> Iterator[B]:
    """Do the work on each thing in parallel; an exception in a worker is raised here."""
    done: dict[int, B] = {}
    reported = 0
    for index, found in as_done(work, things, workers):
        done[index] = found
        while reported in done:
            yield done.pop(reported)
            reported += 1


def as_done(work: Callable[[A], B], things: Sequence[A], workers: int) -> Iterator[tuple[int, B]]:
    """Do the same, and yield the index of each thing with its result as soon as it is done."""
    idle = _started(work, min(workers, len(things)))
    everybody = list(idle)
    busy: dict[Connection, int] = {}
    sent = 0
    try:
        while (idle and sent < len(things)) or busy:
            while idle and sent < len(things):
                pipe = idle.pop()
                pipe.send(things[sent])
                busy[pipe] = sent
                sent += 1
            for ready in wait(list(busy)):
                pipe = next(pipe for pipe in busy if pipe is ready)
                is_well, found = _received(pipe)
                index = busy.pop(pipe)
                idle.append(pipe)
                if not is_well:
                    raise found
                yield index, found
    finally:
        for pipe in everybody:
            pipe.close()
        _end()


def _received(pipe: Connection) -> tuple[bool, Any]:
    try:
        answer: tuple[bool, Any] = pipe.recv()
    except EOFError:
        raise ChildProcessError("a worker process ended unexpectedly; perhaps the machine is out of memory") from None
    return answer


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
    use_one_core()
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
    workers = active_children()
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.join()
