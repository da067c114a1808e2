"""Ctrl-C ends the program immediately, with one line and without a traceback.

Python raises KeyboardInterrupt in whatever code is running, and libraries that are being imported or cleaned up swallow
it or print it. So the program does not let it be raised: it cleans up and exits. Programs that import the package are
not affected.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

EXIT_CODE = 130
#: The functions to call before the program ends.
_last_things: list[Callable[[], None]] = []


def is_the_program() -> bool:
    """Return whether this process was started as `simulator` or `python -m simulator`, not by an importing program."""
    words = sys.orig_argv
    if sys.argv[:1] == ["-m"]:  # while Python still searches for the module to run
        return "-m" in words and words[words.index("-m") + 1 :][:1] == ["simulator"]
    name = "".join(sys.argv[:1]).replace("\\", "/").rpartition("/")[2]
    return name.partition(".")[0] == "simulator"


def end_at_interrupt() -> None:
    """Make Ctrl-C end the program from now on."""
    signal.signal(signal.SIGINT, _end)


def before_the_end(do: Callable[[], None]) -> None:
    """Call a function before Ctrl-C ends the program."""
    if do not in _last_things:
        _last_things.append(do)


@contextmanager
def left_to_us() -> Iterator[None]:
    """Let processes and threads started meanwhile ignore Ctrl-C: this process ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(number: int, frame: object) -> None:
    del frame
    signal.signal(number, signal.SIG_IGN)
    for do in _last_things:
        with suppress(Exception):  # after any failure the others still run, and the program still ends
            do()
    with suppress(OSError):
        # An unfinished line is erased, and a hidden cursor is shown again.
        wiped = b"\r\x1b[K\x1b[?25h" if os.isatty(2) else b""
        os.write(2, wiped + b"simulator: interrupted\n")
    os._exit(EXIT_CODE)
