"""A limit of seconds for Python code that knows nothing of it: it is stopped wherever it is.

    within(60.0, play)          # TimeIsUp is raised in it

Another thread watches the clock and has the exception raised in this one, which Python does between two instructions.
So a single call that waits or computes outside Python (a sleep, one of numpy or of GEOS) is finished first. Code that
swallows even this exception is stopped again a second later.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: After so many seconds code that has swallowed the exception is stopped again.
_AGAIN = 1.0


class TimeIsUp(BaseException):
    """The seconds are over. It is no Exception, so that rules and agents that catch those do not catch it."""


def within(seconds: float, work: Callable[[], T]) -> T:
    """Do a work and return its result; raise TimeIsUp in it when it has taken so many seconds, and never behind it."""
    watch = _Watch(threading.get_ident(), seconds)
    try:
        try:
            watch.start()
            return work()
        finally:
            watch.end()
    finally:
        # The exception may have been raised in the line above.
        watch.end()


class _Watch(threading.Thread):
    """Watches the clock for the code of one thread."""

    def __init__(self, watched: int, seconds: float) -> None:
        super().__init__(daemon=True)
        self._watched, self._seconds = watched, seconds
        self._over = threading.Event()
        #: Held while it is decided whether the code is still running.
        self._deciding = threading.Lock()

    def run(self) -> None:
        """Wait, and stop the code if it has not ended by then."""
        patience = self._seconds
        while not self._over.wait(patience):
            with self._deciding:
                if not self._over.is_set():
                    _raise_in(self._watched, TimeIsUp)
            patience = _AGAIN

    def end(self) -> None:
        """Stop watching: from now on nothing is raised, also not what has been announced."""
        with self._deciding:
            self._over.set()
            _raise_in(self._watched, None)


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Have an exception raised in a thread as soon as it runs Python code; None takes back what has not been raised."""
    raised = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
