"""Test every documented limit: its most expensive input, in a process of its own, within seconds and bytes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from simulator.cli.limit_cases import LimitCase

#: The most that each case may take: seconds of processor time, and bytes at the peak.
MOST_SECONDS = 20.0
MOST_BYTES = 1_500_000_000
#: Exit codes of an answer: yes, the rules say no, a faulty file, a stated limit.
_ANSWERED = (0, 1, 3, 4)


class Measured(NamedTuple):
    """The time and memory that a case took; `code` is the exit status of its command."""

    case: LimitCase
    seconds: float
    peak: int
    code: int

    @property
    def passes(self) -> bool:
        """Whether it was answered, or refused as beyond a limit, within the time and memory allowed."""
        return self.code in _ANSWERED and self.seconds <= MOST_SECONDS and self.peak <= MOST_BYTES


def measure_case(case: LimitCase) -> Measured:
    """Run a case in a folder and a process of its own, and measure it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = case.make(folder)
        words = [file.name if word == "FILE" else word for word in case.command]
        argv = [sys.executable, "-m", "simulator", *words]
        place = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part), "NO_COLOR": "1"}
        nothing = subprocess.DEVNULL
        begun = subprocess.Popen(argv, cwd=folder, env=place, stdin=nothing, stdout=nothing, stderr=nothing)
        try:
            _, status, usage = os.wait4(begun.pid, 0)
        except BaseException:
            begun.kill()
            raise
        begun.returncode = os.waitstatus_to_exitcode(status)
    kilobytes = 1 if sys.platform == "darwin" else 1024
    return Measured(case, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * kilobytes, begun.returncode)


def measure_cases(cases: Sequence[LimitCase]) -> Iterator[Measured]:
    """Measure cases one after another."""
    yield from map(measure_case, cases)


def table(found: Sequence[Measured]) -> Iterator[str]:
    """Yield the measurements as a table in Markdown."""
    yield "| limit | at it | command | seconds of processor time | peak, MB | exit | holds |"
    yield "|---|---|---|---:|---:|---:|---|"
    for case, seconds, peak, code in found:
        passes = "yes" if Measured(case, seconds, peak, code).passes else "**no**"
        command = " ".join(word for word in case.command if word not in ("FILE", "out.svg", "out.html"))
        limits = ", ".join(f"`{name}`" for name in case.limits)
        yield f"| {limits} | {case.what} | `{command}` | {seconds:.1f} | {peak / 1e6:.0f} | {code} | {passes} |"
