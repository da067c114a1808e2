"""A sign of life on a terminal during a long computation."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from simulator.cli.terminal import is_watched, show_line, wipe_line
from simulator.copies import ONLOOKER

#: The seconds between two updates of the line on a terminal.
_BEAT = 1.0


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """Show the seconds spent on `what` on standard error, if it is a terminal; erase the line at the end.

    Yield what takes note of how far it has got: that is shown, too.
    """
    known = [""]

    def note(text: str) -> None:
        known[0] = f"; {text}"

    if not is_watched():
        yield note
        return
    done = threading.Event()

    def report() -> None:
        seconds = 0
        while not done.wait(_BEAT):
            seconds += 1
            show_line(f"{what}: {seconds} s{known[0]}")
        if seconds:
            wipe_line()

    reporter = threading.Thread(target=report, daemon=True, name=ONLOOKER)
    reporter.start()
    try:
        yield note
    finally:
        done.set()
        reporter.join()
