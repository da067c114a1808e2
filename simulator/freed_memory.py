"""Memory that was freed, and that the C library keeps for what comes next: much of it goes back to the system.

A large question holds hundreds of megabytes for a moment, in arrays among which lie some that stay. What is free
between those is never given back by itself, so a program that runs for long would hold what its largest question took.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

#: No less than so many bytes are worth the milliseconds that it takes.
WORTHWHILE = 32 * 1024 * 1024

#: What glibc counts, in its order, see `man mallinfo2`.
_COUNTS = (
    *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
    *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
)


def give_back() -> bool:
    """Give freed memory back where that is worthwhile; only glibc can do it. Return whether any was given back."""
    library = _glibc()
    if library is None or library.mallinfo2().fordblks < WORTHWHILE:
        return False
    return bool(library.malloc_trim(0))


@cache
def _glibc() -> Any:
    """The C library of this process; None if it cannot say how much is free, or not give it back."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    class Counts(ctypes.Structure):
        """What it counts; free are `fordblks` bytes."""

        _fields_ = [(name, ctypes.c_size_t) for name in _COUNTS]

    library = ctypes.CDLL(None)
    if not (hasattr(library, "mallinfo2") and hasattr(library, "malloc_trim")):
        return None
    library.mallinfo2.restype = Counts
    library.malloc_trim.argtypes = [ctypes.c_size_t]
    return library
