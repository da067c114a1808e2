"""Copies of this process: each does something, talks with this process through a pipe, and ends.

A copy knows all that this process knows without being sent anything. Whatever it does, this process is as it was: what
the copy finds out and does not say is lost with it. A copy ends by itself when this process is gone.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from simulator.interrupts import before_the_end, left_to_us
from simulator.reading import read_ascii

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

#: How threads are called that only look at what others do, or show it.
ONLOOKER = "simulator-onlooker"
#: How often a copy looks whether this process is still there, in seconds.
_LOOKS = 1.0
#: The copies that are at work, by the numbers of their processes.
_at_work: set[int] = set()


def can_be_made() -> bool:
    """Return whether this system makes copies of processes."""
    return hasattr(os, "fork")


class Copy:
    """A copy of this process that is at work, until `end`; `pipe` leads there, and ends when the copy does."""

    def __init__(self, do: Callable[[Connection], None]) -> None:
        """Have a copy do something, which is handed its end of the pipe; raise OSError if there cannot be one more."""
        from multiprocessing.connection import Pipe

        before_the_end(_end_all)
        _flush_stderr()  # what is still unwritten would be written twice
        self._maker = os.getpid()
        self.pipe, there = Pipe()
        try:
            with left_to_us(), warnings.catch_warnings():
                # Of threads in general: the copy takes up nothing that they hold.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._process = os.fork()
                if self._process == 0:
                    self.pipe.close()
                    _do_and_end(do, there, self._maker)
        except OSError:
            self.pipe.close()
            raise
        finally:
            there.close()
        _at_work.add(self._process)

    def time_used(self) -> str:
        """Return the time of processors that it has used, as Linux writes it."""
        fields = read_ascii(Path(f"/proc/{self._process}/stat"), 4096).rpartition(")")[2].split()
        return " ".join(fields[11:13])

    def end(self) -> None:
        """End it, wherever it is, and wait until it is gone; in another copy it is left alone."""
        self.pipe.close()
        if os.getpid() == self._maker:
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


def _do_and_end(do: Callable[[Connection], None], pipe: Connection, parent: int) -> NoReturn:
    """Do what the copy is for, and end; nothing else of the copied program runs."""
    try:
        _at_work.clear()
        gc.disable()  # looking through what was copied would copy it once more
        threading.Thread(target=_end_without, args=(parent,), daemon=True, name=ONLOOKER).start()
        do(pipe)
    except BaseException:
        traceback.print_exc(file=sys.stderr)
    finally:
        _flush_stderr()
        os._exit(0)


def _end_without(parent: int) -> None:
    """End this process when the one that copied itself is gone: nobody waits for it."""
    while os.getppid() == parent:
        time.sleep(_LOOKS)
    os._exit(1)
