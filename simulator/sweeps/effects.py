"""What a value changes: paired differences to the reference, with intervals that say how sure they are.

Games with the same scenario, cast and number have the same seed under all settings, so they are compared in pairs: a
value with the first value of the same option or figure, everything else alike. The interval is a percentile bootstrap
over the numbers of the games, since games of one number share their dice: 95 %, 2,000 resamples, a fixed seed.
Proportions of games have Wilson intervals of 95 %.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.sweeps.plan import SweepPlan

RESAMPLES = 2_000
_SEED = 20_240_229
#: The quantile of the normal distribution for 95 %.
_Z = 1.959964
#: The measures of games that are compared, each as the report names it.
COMPARED = {
    "orders": "orders carried out",
    "refused": "orders refused",
    "turns": "turns",
    "rolls": "rolls",
    "moved": "distance moved",
    "nearest": "distance between opponents at the end",
    "gone": "units gone",
    "met": "expectations met",
}


@dataclass(frozen=True)
class Interval:
    """An estimate and its interval of 95 %; without one, there was a single game to learn from."""

    value: float
    low: float | None
    high: float | None
    count: int

    @property
    def is_any(self) -> bool:
        """Whether the value or its interval is anything but 0."""
        return bool(self.value) or self.low != self.high

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


@dataclass(frozen=True)
class Effect:
    """The mean difference of a measure under a value, compared with the reference of its option or figure."""

    scenario: str
    agent: str
    name: str
    value: str
    reference: str
    measure: str
    difference: Interval


def mean_interval(by_number: Mapping[int, Sequence[float]]) -> Interval:
    """Estimate a mean over games, resampling whole numbers of games."""
    sums = np.array([sum(values) for values in by_number.values()], np.float64)
    counts = np.array([len(values) for values in by_number.values()], np.float64)
    mean = float(sums.sum() / counts.sum())
    if len(sums) < 2:
        return Interval(mean, None, None, int(counts.sum()))
    chosen = _resamples(len(sums))
    means = sums[chosen].sum(axis=1) / counts[chosen].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Interval(mean, float(low), float(high), int(counts.sum()))


def _resamples(count: int) -> NDArray[np.int64]:
    return np.random.Generator(np.random.PCG64(_SEED)).integers(count, size=(RESAMPLES, count))


def wilson(hits: int, count: int) -> Interval:
    """Estimate a proportion.

    >>> found = wilson(5, 10)
    >>> round(found.low, 4), round(found.high, 4)
    (0.2366, 0.7634)
    """
    share, z2 = hits / count, _Z * _Z
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z * sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / (1 + z2 / count)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half), count)


def effects(plan: SweepPlan, games: Iterable[Mapping[str, Any]]) -> list[Effect]:
    """Compare every value with its reference, for each scenario, cast and measure."""
    rows = list(games)
    found = []
    for index, one in enumerate(plan.varied):
        column = f"{one.kind}.{one.name}"
        paired = _paired(plan, rows, index)
        for staging in plan.stagings:
            for cast in plan.casts:
                for value in one.texts[1:]:
                    pairs = paired.get((staging.label, cast.label, value), ())
                    for measure in COMPARED:
                        by_number = _differences(pairs, measure)
                        if by_number:
                            interval = mean_interval(by_number)
                            found.append(
                                Effect(staging.label, cast.label, column, value, one.texts[0], measure, interval)
                            )
    return found


Pair = tuple[Mapping[str, Any], Mapping[str, Any]]


def _paired(plan: SweepPlan, rows: Sequence[Mapping[str, Any]], index: int) -> dict[tuple[str, str, str], list[Pair]]:
    """Pair each game under a value with the game under the reference that is alike in everything else."""
    columns = [f"{one.kind}.{one.name}" for one in plan.varied]
    column = columns.pop(index)
    reference = plan.varied[index].texts[0]

    def others(row: Mapping[str, Any]) -> tuple[Any, ...]:
        return (row["scenario"], row["agent"], row["number"], *(row[name] for name in columns))

    references = {others(row): row for row in rows if row[column] == reference}
    found: dict[tuple[str, str, str], list[Pair]] = defaultdict(list)
    for row in rows:
        if row[column] != reference:
            found[row["scenario"], row["agent"], row[column]].append((references[others(row)], row))
    return found


def _differences(pairs: Iterable[Pair], measure: str) -> dict[int, list[float]]:
    """Return the differences of a measure by number; pairs of which one has no such measure are left out."""
    found: dict[int, list[float]] = defaultdict(list)
    for reference, row in pairs:
        if reference[measure] is not None and row[measure] is not None:
            found[row["number"]].append(float(row[measure]) - float(reference[measure]))
    return found
