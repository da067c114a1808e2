"""Processes that answer questions, one question each at a time.

A search can only be stopped with its process. So a question that takes too long, or whose page no longer waits for it,
ends the process that works on it; the next question starts another one. A page is answered by the process that answered
it before, if that one is free: it knows the game.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any, NamedTuple

from simulator.interrupts import before_the_end, left_to_us

#: A page asks on at once or not for a while: it has so many seconds before anything else is worked on.
_PATIENCE = 1.0


class Reply(NamedTuple):
    """A status of HTTP, and a JSON document."""

    status: int
    body: bytes


def refusal(status: int, message: str, **more: Any) -> Reply:
    """Return why a question has no answer."""
    return Reply(status, json.dumps({"error": {"message": message, "reasons": [], **more}}).encode())


@dataclass(eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection

    def stop(self) -> None:
        """End the process; nobody receives its answer."""
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def ask(self, question: str, body: bytes) -> Reply:
        """Wait for the answer to a question; raise EOFError or OSError if the process has ended."""
        self.pipe.send((question, body))
        status, answer = self.pipe.recv()
        return Reply(status, answer)


@dataclass
class Workers:
    """So many processes, started when they are needed."""

    scenarios: Mapping[str, Path]
    count: int = 2
    #: The seconds after which a question is stopped.
    seconds: float = 120.0
    #: Whether they work on what may be asked next while nobody asks.
    ahead: bool = True
    _idle: list[_Worker] = field(default_factory=list)
    _busy: set[_Worker] = field(default_factory=set)
    _last: dict[str, _Worker] = field(default_factory=dict)
    _free: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def answer(self, page: str, question: str, body: bytes) -> Reply:
        """Answer a question of a page; when this is cancelled, the work on it stops."""
        worker = await self._taken(page)
        done = False
        try:
            reply = await asyncio.wait_for(asyncio.to_thread(worker.ask, question, body), self.seconds)
            done = True
            return reply
        except TimeoutError:
            return refusal(503, f"stopped after {self.seconds:g} seconds of work; ask about less, or in smaller steps")
        except (EOFError, OSError):
            return refusal(500, "the process that worked on it has ended unexpectedly; ask again")
        finally:
            await self._release(worker, page, alive=done)

    async def _taken(self, page: str) -> _Worker:
        async with self._free:
            await self._free.wait_for(lambda: self._idle or len(self._busy) < self.count)
            known = self._last.get(page)
            if known in self._idle and known is not None:
                worker = known
                self._idle.remove(worker)
            elif len(self._idle) + len(self._busy) < self.count or not self._idle:
                worker = self._started()
            else:
                # The one that has been idle for longest: others may be asked by their pages again.
                worker = self._idle.pop(0)
            self._busy.add(worker)
            return worker

    async def _release(self, worker: _Worker, page: str, alive: bool) -> None:
        if not alive:
            worker.stop()
        # A page that is closed meanwhile must not keep this from being done.
        await asyncio.shield(self._put_back(worker, page, alive))

    async def _put_back(self, worker: _Worker, page: str, alive: bool) -> None:
        async with self._free:
            self._busy.discard(worker)
            self._last = {one: by for one, by in self._last.items() if by is not worker}
            if alive:
                self._idle.append(worker)
                self._last[page] = worker
            self._free.notify()

    def _started(self) -> _Worker:
        before_the_end(self.stop)
        ensure_running()  # started later, it would let interrupts through again
        context = get_context("spawn")
        here, there = context.Pipe()
        with left_to_us():
            process = context.Process(target=work, args=(dict(self.scenarios), there, self.ahead), daemon=True)
            process.start()
        there.close()
        return _Worker(process, here)

    def stop(self) -> None:
        """End all processes."""
        for worker in (*self._idle, *self._busy):
            worker.stop()
        self._idle.clear()


def work(scenarios: Mapping[str, Path], pipe: Connection, ahead: bool) -> None:
    """Answer questions until the pipe is closed; look `ahead` as long as there is none."""
    from simulator.live.answering import Answering

    answering = Answering(scenarios)
    # The server has ended, or does not wait for an answer any more.
    with suppress(EOFError, BrokenPipeError):
        while True:
            patience = _PATIENCE
            while ahead and not pipe.poll(patience) and answering.look_ahead():
                patience = 0.0
            question, body = pipe.recv()
            pipe.send(tuple(answering.reply(question, body)))
