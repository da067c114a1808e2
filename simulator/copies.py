"""A copy of this process that answers one question, through a pipe, and ends.

It knows all that this process knows without being sent anything. Whatever it does, this process is as it was before:
what the copy finds out besides its answer is lost with it. A copy ends by itself when this process is gone.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from simulator.interrupts import before_the_end, left_to_us
from simulator.reading import read_ascii

#: How threads are called that only look at what others do, or show it.
ONLOOKER = "simulator-onlooker"
_MOST_AT_ONCE = 2**16
#: How often a copy looks whether this process is still there, in seconds.
_LOOKS = 1.0
#: The copies that are at work, by the numbers of their processes.
_at_work: set[int] = set()


def can_be_made() -> bool:
    """Return whether this system makes copies of processes."""
    return hasattr(os, "fork")


class Copy:
    """A copy of this process that is at work on an answer, until `end`."""

    def __init__(self, answer: Callable[[], bytes]) -> None:
        """Start it; raise OSError if there cannot be one more process."""
        before_the_end(_end_all)
        _flush_stderr()  # what is still unwritten would be written twice
        parent = os.getpid()
        self._pipe, writing = os.pipe()
        try:
            with left_to_us(), warnings.catch_warnings():
                # Of threads in general: the copy takes up nothing that they hold.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process = os.fork()
                if self._process == 0:
                    os.close(self._pipe)
                    _answer_and_end(answer, writing, parent)
        except OSError:
            os.close(self._pipe)
            os.close(writing)
            raise
        _at_work.add(self._process)
        os.close(writing)
        self._found = bytearray()

    def answer(self, seconds: float) -> bytes | None:
        """Wait for the answer; None: it takes longer than some seconds. A copy that fails answers nothing."""
        until = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self._pipe], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return None
            piece = os.read(self._pipe, _MOST_AT_ONCE)
            if not piece:
                return bytes(self._found)
            self._found += piece

    def time_used(self) -> str:
        """Return the time of processors that it has used, as Linux writes it."""
        fields = read_ascii(Path(f"/proc/{self._process}/stat"), 4096).rpartition(")")[2].split()
        return " ".join(fields[11:13])

    def end(self) -> None:
        """End it, wherever it is, and wait until it is gone."""
        os.close(self._pipe)
        _end(self._process)


def _flush_stderr() -> None:
    with suppress(Exception):  # it is closed, or full: then nothing is written there
        sys.stderr.flush()


def _end(process: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(process, 0)
    _at_work.discard(process)


def _end_all() -> None:
    for process in list(_at_work):
        _end(process)


# --- in the copy ---


def _answer_and_end(answer: Callable[[], bytes], pipe: int, parent: int) -> NoReturn:
    """Write the answer to the pipe and end; nothing else of the copied program runs."""
    try:
        _at_work.clear()
        gc.disable()  # looking through what was copied would copy it once more
        threading.Thread(target=_end_without, args=(parent,), daemon=True, name=ONLOOKER).start()
        data = answer()
        with os.fdopen(pipe, "wb") as stream:
            stream.write(data)
    except BaseException:
        traceback.print_exc(file=sys.stderr)
    finally:
        _flush_stderr()
        os._exit(0)


def _end_without(parent: int) -> None:
    """End this process when the one that asked is gone: nobody waits for the answer."""
    while os.getppid() == parent:
        time.sleep(_LOOKS)
    os._exit(1)
