"""What stops a sweep as a whole; games that fail are rows of its results."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.errors import SimulatorError


class SweepRefused(SimulatorError):
    """A folder that holds another sweep or map, or one of a plan that has changed. `reasons` lists the differences."""

    exit_code = 2

    def __init__(self, message: str, reasons: Sequence[str] = ()) -> None:
        super().__init__("\n".join([message, *(f"  {reason}" for reason in reasons)]))
        self.reasons = tuple(reasons)


class ClusterFailed(SimulatorError):
    """A scheduler that does not answer, or workers that cannot play the games."""

    exit_code = 2


class PackageMissing(SimulatorError):
    """An extra of the package that is not installed."""

    exit_code = 2
