"""The most memory that something held: a call, for what is timed, or a process.

A call is made once more for it, untimed, while every allocation of Python and numpy is recorded, which makes Python
code take two to four times as long. Not seen is what C libraries allocate by themselves: the geometries of GEOS beneath
shapely, the queue of scipy's Dijkstra, the graphs of rustworkx and tcod. What was held before does not count, as caches
do that were filled while the call was timed. A process is measured by the system, with all of that, and with Python
itself and all modules.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

if sys.platform != "win32":
    import resource

#: What Linux says about this process.
_STATUS = Path("/proc/self/status")


def peak_of(call: Callable[[], object]) -> float:
    """Return how many MB more than before Python and numpy held at most during a call."""
    tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        call()
        return (tracemalloc.get_traced_memory()[1] - before) / 1e6
    finally:
        tracemalloc.stop()


def process_peak() -> float:
    """Return how many MB this process has held at most.

    Linux is asked for the memory of the program that runs: its `ru_maxrss` begins with that of the process that started
    this one, which may have held more.
    """
    for line in _STATUS.read_text(encoding="ascii").splitlines() if _STATUS.exists() else ():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    return resident(resource.getrusage(resource.RUSAGE_SELF))


def resident(usage: resource.struct_rusage) -> float:
    """Return the MB of a process that has ended, but never less than the one that started it held by then."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def peak_text(*peaks: float | None) -> str:
    """Return peaks side by side, in three digits each, as `12.3 / 0.012 / -` with a dash for what was not measured."""
    return " / ".join(map(_figures, peaks))


def _figures(peak: float | None) -> str:
    if peak is None:
        return "-"
    if peak < 0.001:
        return "<0.001"
    return f"{peak:.{3 if peak < 1 else 2 if peak < 10 else 1 if peak < 100 else 0}f}"
