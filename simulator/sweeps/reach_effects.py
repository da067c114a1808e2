"""What an option or a figure changes in reach maps, start by start.

Starts are compared in pairs: the same place, heading and level under a value and under the reference of its option or
figure, everything else alike. All starts are there, so there is nothing to estimate: differences are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.sweeps.reach_map_file import ReachMap
from simulator.sweeps.reach_map_text import ground_of, ground_unit, start_text
from simulator.sweeps.reach_plan import ReachPlan

#: The measures of starts that are compared, each as the report names it.
GROUND, COST = "ground it gets to", "cost that covers half of its ends"
#: Reads a map of the sweep by its number; None if it has none.
Reader = Callable[[int], ReachMap | None]


@dataclass(frozen=True)
class Pair:
    """Two maps that differ in one value, and their common starts by their numbers in each."""

    before: ReachMap
    after: ReachMap
    numbers: tuple[NDArray[np.int64], NDArray[np.int64]]

    @classmethod
    def of(cls, before: ReachMap, after: ReachMap) -> Pair:
        """Pair the starts of two maps of one board."""
        one, other = _names(before), _names(after)
        if one == other:
            every = np.arange(len(one))
            return cls(before, after, (every, every))
        at = {name: number for number, name in enumerate(one)}
        common = [(at[name], number) for number, name in enumerate(other) if name in at]
        numbers = np.array(common, np.int64).reshape(-1, 2)
        return cls(before, after, (numbers[:, 0], numbers[:, 1]))

    @property
    def only(self) -> tuple[int, int]:
        """How many starts only the first has, and how many only the second: where it may stand differs too."""
        common = len(self.numbers[0])
        return len(self.before) - common, len(self.after) - common

    def differences(self, measure: str) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """Return how much more each common start has after than before, what it had, and its number after.

        Starts without an answer in one of the maps are left out.
        """
        before, after = (_values(one, measure)[own] for one, own in zip(self._maps, self.numbers, strict=True))
        known = np.isfinite(before) & np.isfinite(after)
        return (after - before)[known], before[known], self.numbers[1][known]

    @property
    def _maps(self) -> tuple[ReachMap, ReachMap]:
        return self.before, self.after


@dataclass(frozen=True)
class Extreme:
    """The start with the largest difference one way."""

    difference: float
    start: str


@dataclass(frozen=True)
class ReachEffect:
    """What a value changes for the starts of a unit in a scenario, compared with the reference."""

    scenario: str
    unit: str
    name: str
    value: str
    reference: str
    measure: str
    #: The unit of the measure.
    measured_in: str
    #: How many pairs of starts there are, and in how many of them it is more or less.
    starts: int
    more: int
    less: int
    #: The mean under the reference, and by how much it differs.
    mean: float
    difference: float
    most: Extreme | None
    least: Extreme | None
    #: The starts that there are only under the reference, and only under the value.
    only_before: int
    only_after: int

    @property
    def is_any(self) -> bool:
        """Whether anything differs."""
        return bool(self.more or self.less or self.only_before or self.only_after)


class ValueChange(NamedTuple):
    """A value compared with the reference of what is varied, for one scenario and unit; all by their indices."""

    staging: int
    asking: int
    varied: int
    value: int


def value_changes(plan: ReachPlan) -> Iterator[ValueChange]:
    """Yield every value with every scenario and unit, in the order of the report."""
    for number, one in enumerate(plan.varied):
        for value in range(1, len(one.values)):
            for staging, asking in product(range(len(plan.stagings)), range(len(plan.askings))):
                yield ValueChange(staging, asking, number, value)


def pairs(plan: ReachPlan, read: Reader, of: ValueChange) -> Iterator[Pair]:
    """Yield the pairs of a change: one for each combination of all that is varied besides."""
    for settings in plan.settings:
        if settings[of.varied] == of.value:
            pair = _pair(plan, read, of, settings)
            if pair is not None:
                yield pair


def pair_of_references(plan: ReachPlan, read: Reader, of: ValueChange) -> Pair | None:
    """Return the pair of a change with all that is varied besides at its references; None if a map failed."""
    settings = tuple(of.value if number == of.varied else 0 for number in range(len(plan.varied)))
    return _pair(plan, read, of, settings)


def _pair(plan: ReachPlan, read: Reader, of: ValueChange, settings: tuple[int, ...]) -> Pair | None:
    reference = (*settings[: of.varied], 0, *settings[of.varied + 1 :])
    before, after = (read(plan.number_of(of.staging, of.asking, some)) for some in (reference, settings))
    return None if before is None or after is None else Pair.of(before, after)


def reach_effects(plan: ReachPlan, read: Reader) -> Iterator[ReachEffect]:
    """Compare every value with its reference, for each scenario, unit and measure."""
    for of in value_changes(plan):
        found = list(pairs(plan, read, of))
        for measure in (GROUND, COST) if found else ():
            yield _effect(plan, found, of, measure)


def _effect(plan: ReachPlan, found: list[Pair], of: ValueChange, measure: str) -> ReachEffect:
    one = plan.varied[of.varied]
    told = [pair.differences(measure) for pair in found]
    differences, before = (np.concatenate([some[part] for some in told]) for part in (0, 1))
    only = [pair.only for pair in found]
    return ReachEffect(
        plan.stagings[of.staging].label,
        plan.askings[of.asking].label,
        f"{one.kind}.{one.name}",
        one.texts[of.value],
        one.texts[0],
        measure,
        ground_unit(found[0].after) if measure == GROUND else str(found[0].after.about["cost_unit"]),
        len(differences),
        int(np.count_nonzero(differences > 0)),
        int(np.count_nonzero(differences < 0)),
        float(before.mean()) if before.size else 0.0,
        float(differences.mean()) if differences.size else 0.0,
        _extreme(found, told, 1),
        _extreme(found, told, -1),
        sum(before for before, _ in only),
        sum(after for _, after in only),
    )


def _extreme(found: list[Pair], told: list[Any], sign: int) -> Extreme | None:
    """Return the first of the starts with the largest difference of a sign; None if none has that sign."""
    best: Extreme | None = None
    for pair, (differences, _, numbers) in zip(found, told, strict=True):
        if not differences.size:
            continue
        at = int(np.argmax(sign * differences))
        if sign * differences[at] > (0.0 if best is None else sign * best.difference):
            best = Extreme(float(differences[at]), start_text(pair.after, int(numbers[at])))
    return best


def changed_places(pair: Pair) -> NDArray[np.float64]:
    """Return by how much the ground that a unit gets to differs, [row, column]: the mean of the starts in a place.

    Where nothing differs it is nan.
    """
    differences, _, numbers = pair.differences(GROUND)
    cells = pair.after.arrays["cell"][numbers]
    size = pair.after.arrays["present"].size
    counts = np.bincount(cells, minlength=size)
    mean: NDArray[np.float64] = np.divide(
        np.bincount(cells, differences, size), counts, out=np.full(size, np.nan), where=counts > 0
    )
    mean[mean == 0] = np.nan
    return mean.reshape(pair.after.shape)


def _values(found: ReachMap, measure: str) -> NDArray[np.float64]:
    """Return a measure of each start; nan without an answer."""
    if measure == COST:
        costs: NDArray[np.float64] = found.arrays["cost_quantiles"][:, 1].astype(np.float64)
        return costs
    ground: NDArray[np.float64] = np.where(found.arrays["answered"], ground_of(found), np.nan)
    return ground


def _names(found: ReachMap) -> list[tuple[Any, ...]]:
    """Return each start as a value that can be compared: unlike nan, a text is equal to itself."""
    arrays = found.arrays
    labels = [arrays[name].astype(str).tolist() for name in ("heading", "level")]
    return list(zip(arrays["cell"].tolist(), *labels, strict=True))
