"""Memory that was freed, and that the C library keeps for what comes next: much of it goes back to the system.

A large question holds hundreds of megabytes for a moment, in arrays among which lie some that stay. What is free
between those is never given back by itself, so a program that runs for long would hold what its largest question took.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from simulator.reading import read_ascii

#: No less than so many bytes are worth the milliseconds that it takes.
WORTHWHILE = 32 * 1024 * 1024
#: Where Linux says what this process holds, in pages.
_COUNTS = Path("/proc/self/statm")


class _Held:
    """What this process held when memory was given back last, or less since then."""

    least = 0


def give_back() -> bool:
    """Give freed memory back once much more is held than when it was given back last; return whether that was so.

    Only glibc can do it. How much is free does not say whether it is worthwhile: what was given back counts as free.
    """
    library = _glibc()
    if library is None:
        return False
    now = held()
    if now < _Held.least + WORTHWHILE:
        _Held.least = min(_Held.least, now)
        return False
    library.malloc_trim(0)
    _Held.least = held()
    return True


def held() -> int:
    """Return how many bytes of memory this process holds, on Linux."""
    import resource

    return int(read_ascii(_COUNTS, 1024).split()[1]) * resource.getpagesize()


@cache
def _glibc() -> Any:
    """The C library of this process; None if it cannot give anything back."""
    if not sys.platform.startswith("linux") or not _COUNTS.exists():
        return None
    import ctypes

    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_trim"):
        return None
    library.malloc_trim.argtypes = [ctypes.c_size_t]
    return library
