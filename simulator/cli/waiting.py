"""A sign of life on a terminal while something is worked out that takes longer than a moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from simulator.cli.terminal import is_watched, show_line, wipe_line

#: After so many seconds, and then as often, a line says so on a terminal.
_BEAT = 1.0


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Show on standard error, if that is a terminal, for how long `what` has been worked on; nothing of it stays."""
    if not is_watched():
        yield
        return
    done = threading.Event()

    def tell() -> None:
        seconds = 0
        while not done.wait(_BEAT):
            seconds += 1
            show_line(f"{what}: {seconds} s")
        if seconds:
            wipe_line()

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
