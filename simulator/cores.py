"""Work that holds the lock of the interpreter, such as many small steps in numpy, on every core of this machine.

Threads cannot share such work: copies of this process do. They are made on Linux, and only while no other thread is at
work in this package: it might hold a lock that nobody would open in the copy. Elsewhere all is done here. The results
are the same.

>>> on_every_core(str.upper, ["a", "b", "c"])
['A', 'B', 'C']
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from simulator.copies import ONLOOKER, Copy
from simulator.threads import at_once, on_one_core, use_one_core

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

A = TypeVar("A")
B = TypeVar("B")

#: No more processes share work: each works out some things that the others do, too.
_MOST_PROCESSES = 8
#: A copy that uses no processor for so many seconds waits for something that will not happen.
_STANDS_STILL = 10.0
#: Things are numbered by so many bytes, all of which a pipe holds at once.
_NUMBER_BYTES, _MOST_NUMBERED = 2, 2**11


class _Copies:
    """Whether copies are made: none once one has stood still. And who has had some made that may be idle."""

    allowed = True
    helpers: weakref.ref[Helpers[Any, Any]] | None = None


def processes_at_once() -> int:
    """Return how many processes may share work now: this one, and copies of it."""
    can = sys.platform.startswith("linux") and _Copies.allowed
    return min(at_once(), _MOST_PROCESSES) if can and _nobody_else_is_at_work() else 1


def on_every_core(work: Callable[[A], B], things: Sequence[A]) -> list[B]:
    """Do the work on each thing, whoever is free on the next; the results, which are pickled, in the order of things.

    What the work finds out besides is lost where a copy has done it: it must not matter.
    """
    done: dict[int, B] = {}
    count = min(processes_at_once(), len(things))
    if count > 1 and len(things) <= _MOST_NUMBERED:
        with suppress(OSError):  # there are too many processes, or open files: the rest is done here
            done = _shared_out(work, things, count - 1)
    # So is what a copy has not brought back: where work fails, its error is raised here.
    return [done[number] if number in done else work(thing) for number, thing in enumerate(things)]


class Helpers(Generic[A, B]):
    """This process and copies of it that are made once, for work on other things again and again, until `end`.

    They do not know what has been found out here since they were made: it must not matter. Things are pickled, too.
    Work may pause for long between two askings: when others need helpers meanwhile, these end, and are made anew.
    """

    def __init__(self, work: Callable[[A], B]) -> None:
        self._work = work
        self._copies: list[Copy] | None = None

    def each(self, things: Sequence[A]) -> list[B]:
        """Do the work on a few things, one in each process; return the results in their order."""
        if len(things) > 1 and self._copies is None:
            self._copies = self._made()
        copies = (self._copies or [])[: len(things) - 1]
        first = len(things) - len(copies)
        asked = [copy for copy, thing in zip(copies, things[first:], strict=True) if self._sent(copy, thing)]
        try:
            with on_one_core() if asked else nullcontext():
                found = [self._work(thing) for thing in things[:first]]
        except BaseException:
            self.end()  # what the copies have been asked for nobody takes any more
            raise
        for copy, thing in zip(copies, things[first:], strict=True):
            brought = _brought(copy) if copy in asked else []
            found += brought or [self._work(thing)]
            if not brought:
                self._leave(copy)
        return found

    def _made(self) -> list[Copy]:
        copies, count = list[Copy](), processes_at_once() - 1
        others = None if _Copies.helpers is None else _Copies.helpers()
        if count and others is not None:
            others.end()
            others._copies = None
        with suppress(OSError):  # there are too many processes, or open files: so many do
            for _ in range(count):
                copies.append(Copy(partial(_do_each, self._work)))
        _Copies.helpers = weakref.ref(self)
        return copies

    def _sent(self, copy: Copy, thing: A) -> bool:
        with suppress(OSError):  # it is gone
            copy.pipe.send(thing)
            return True
        return False

    def _leave(self, copy: Copy) -> None:
        copy.end()
        self._copies = [one for one in self._copies or [] if one is not copy]

    def end(self) -> None:
        """End all copies."""
        for copy in self._copies or []:
            copy.end()
        self._copies = []

    def __enter__(self) -> Helpers[A, B]:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


class Meanwhile(Generic[B]):
    """Work that a copy of this process does while this one goes on, if there is a core for it; else when it is needed.

    What the work finds out besides what it returns, which is pickled, may be lost: it must not matter.
    """

    def __init__(self, work: Callable[[], B]) -> None:
        self._work, self._alone = work, ExitStack()
        self._copy: Copy | None = None
        if processes_at_once() > 1:
            with suppress(OSError):  # there are too many processes, or open files
                self._copy = Copy(partial(_do_once, work))
                self._alone.enter_context(on_one_core())

    def result(self) -> B:
        """Wait for what the work returns; raise what it raises."""
        brought = [] if self._copy is None else _brought(self._copy)
        self.end()
        return brought[0] if brought else self._work()

    def end(self) -> None:
        """End the copy: nobody needs the result, or it is there."""
        if self._copy is not None:
            self._copy.end()
        self._copy = None
        self._alone.close()

    def __enter__(self) -> Meanwhile[B]:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def shares(count: int, least: int = 1) -> list[slice]:
    """Return the shares of so many rows for processes at once, each of every other row or so, of no fewer than `least`.

    Rows beside each other tend to take about as long.
    """
    parts = max(min(processes_at_once(), count // least), 1)
    return [slice(part, None, parts) for part in range(parts)]


def on_every_core_by_rows(work: Callable[[slice], Sequence[B]], count: int, least: int) -> list[B]:
    """Do the work on so many rows, no fewer than `least` in one process; the results by row."""
    parts = shares(count, least)
    found = list[Any]([None]) * count
    for part, some in zip(parts, on_every_core(work, parts), strict=True):
        found[part] = some
    return found


def _shared_out(work: Callable[[A], B], things: Sequence[A], count: int) -> dict[int, B]:
    """Do the work on things with so many copies; return what was done by the numbers of things, perhaps not all."""
    numbers, writing = os.pipe()
    copies = list[Copy]()
    try:
        with os.fdopen(writing, "wb") as stream:
            for number in range(len(things)):
                stream.write(number.to_bytes(_NUMBER_BYTES, "little"))
        for _ in range(count):
            copies.append(Copy(partial(_do_numbered, work, things, numbers)))
        with on_one_core():
            done = {number: work(things[number]) for number in _taken(numbers)}
        for copy in copies:
            for brought in _brought(copy):
                done |= brought
        return done
    finally:
        for copy in copies:
            copy.end()
        os.close(numbers)


def _taken(numbers: int) -> Iterator[int]:
    """Take numbers from a pipe, which others take from, too, until there are no more."""
    while taken := os.read(numbers, _NUMBER_BYTES):
        yield int.from_bytes(taken, "little")


def _brought(copy: Copy) -> list[Any]:
    """Wait for what a copy brings back; nothing if it has failed, or stands still."""
    before = ""
    while not copy.pipe.poll(_STANDS_STILL):
        if (used := copy.time_used()) == before:
            _Copies.allowed = False
            return []
        before = used
    with suppress(EOFError, OSError):
        found: list[Any] = copy.pipe.recv()
        return found
    return []


def _nobody_else_is_at_work() -> bool:
    """Whether no other thread is in this package, but for those that only look at what others do."""
    here = threading.get_ident()
    onlookers = {thread.ident for thread in threading.enumerate() if thread.name == ONLOOKER}
    others = [frame for ident, frame in sys._current_frames().items() if ident != here and ident not in onlookers]
    return not any(_is_in_this_package(frame) for frame in others)


def _is_in_this_package(frame: FrameType | None) -> bool:
    package = __name__.partition(".")[0]
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == package:
            return True
        frame = frame.f_back
    return False


# --- in a copy ---


def _do_numbered(work: Callable[[A], B], things: Sequence[A], numbers: int, pipe: Connection) -> None:
    """Do the work on things as their numbers are taken, and send what was done by its number."""
    use_one_core()
    done: dict[int, B] = {}
    with suppress(Exception):  # it is done once more where it can be raised
        for number in _taken(numbers):
            done[number] = work(things[number])
    _send(pipe, [done])


def _do_once(work: Callable[[], B], pipe: Connection) -> None:
    """Do the work, and send the result."""
    use_one_core()
    _send_result(work, pipe)


def _do_each(work: Callable[[A], B], pipe: Connection) -> None:
    """Do the work on each thing that is sent, and send the result, until the pipe is closed."""
    use_one_core()
    with suppress(EOFError, OSError):  # who sends them is gone, perhaps without having read all that was sent
        while True:
            _send_result(partial(work, pipe.recv()), pipe)


def _send_result(work: Callable[[], B], pipe: Connection) -> None:
    """Do some work, and send what it returns; nothing if it fails."""
    found = list[B]()
    with suppress(Exception):  # it is done once more where it can be raised
        found = [work()]
    _send(pipe, found)


def _send(pipe: Connection, found: list[Any]) -> None:
    """Send what was done; nothing if that cannot be sent."""
    try:
        data = pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
    except Exception:  # whatever refuses to be pickled raises what it likes; it is done once more where it is needed
        data = pickle.dumps([])
    with suppress(OSError):  # nobody waits for it
        pipe.send_bytes(data)
