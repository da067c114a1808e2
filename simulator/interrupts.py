"""Ctrl-C: the program ends at once, with one line and without a traceback, whatever it is doing.

Python raises KeyboardInterrupt somewhere in whatever runs just then, and libraries that are being imported or cleaned
up swallow it or print it. So the program does not let it be raised: it tidies up and is gone. Who imports the package
in a program of their own is not affected.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

EXIT_CODE = 130
#: What has to be done before the program ends.
_last_things: list[Callable[[], None]] = []


def is_the_program() -> bool:
    """Whether this process was started as `simulator` or `python -m simulator`, and not by somebody who imports it."""
    words = sys.orig_argv
    if sys.argv[:1] == ["-m"]:  # so it is while Python looks for the module that it is to run
        return "-m" in words and words[words.index("-m") + 1 :][:1] == ["simulator"]
    name = "".join(sys.argv[:1]).replace("\\", "/").rpartition("/")[2]
    return name.partition(".")[0] == "simulator"


def end_at_interrupt() -> None:
    """From now on Ctrl-C ends the program."""
    signal.signal(signal.SIGINT, _end)


def before_the_end(do: Callable[[], None]) -> None:
    """Have something done before Ctrl-C ends the program."""
    if do not in _last_things:
        _last_things.append(do)


@contextmanager
def left_to_us() -> Iterator[None]:
    """Processes and threads that are started meanwhile take no notice of Ctrl-C: this process ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(number: int, frame: object) -> None:
    del frame
    signal.signal(number, signal.SIG_IGN)
    for do in _last_things:
        with suppress(Exception):  # whatever fails, the others are to be done, and the program is to end
            do()
    with suppress(OSError):
        # A line that is being worked on and a cursor that is hidden are put right.
        wiped = b"\r\x1b[K\x1b[?25h" if os.isatty(2) else b""
        os.write(2, wiped + b"simulator: interrupted\n")
    os._exit(EXIT_CODE)
