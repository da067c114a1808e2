"""Searches side by side: answers compared first, then timed in turns, as a table of ratios."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

ROUNDS = 7


@dataclass(frozen=True)
class Contender:
    """One way to answer all queries; the time of one that answers only some of them is scaled up."""

    name: str
    run: Callable[[], Any]
    scale: float = 1.0


def timed(contenders: Sequence[Contender]) -> dict[str, list[float]]:
    """Run the contenders in turn, round after round; return the seconds of each round."""
    from simulator.cli.terminal import tracked

    taken: dict[str, list[float]] = {one.name: [] for one in contenders}
    for _ in tracked(range(ROUNDS), "measuring", ROUNDS):
        for one in contenders:
            begun = time.perf_counter()
            one.run()
            taken[one.name].append((time.perf_counter() - begun) * one.scale)
    return taken


def ratio_lines(taken: dict[str, list[float]], queries: int) -> Iterator[str]:
    """Yield the times, and each contender's ratio to the first."""
    ours = next(iter(taken.values()))
    first = median(ours)
    yield f"{'':30}{'ms in all':>12}{'us a query':>12}{'times ours':>12}"
    for name, times in taken.items():
        # The quotient of the medians shown beside it, not the median of quotients.
        taken_by = median(times)
        yield f"{name:30}{taken_by * 1e3:12.2f}{taken_by / queries * 1e6:12.1f}{taken_by / first:12.2f}"
    spread = (max(ours) - min(ours)) / first
    yield (
        f"Median of {ROUNDS} rounds, answers compared first. Ours varied by {spread:.0%} from the fastest round to "
        "the slowest: compare ratios, not times."
    )
