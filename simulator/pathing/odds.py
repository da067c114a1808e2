"""Reach under dice: the best odds of arriving within the budget, where a step that fails ends the movement.

The odds of a plan are the product of the chances of its steps. P(c)[state] is the best product over all
plans that cost c or less:

    P(c)[to] = max over steps:  P(c - price)[from] * chance

All steps into all states are taken together, level by level. Chances given as `Fraction` are reckoned
exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from types import EllipsisType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Costs, Window
from simulator.pathing.move_space import Mask, MoveSpaceError, Start
from simulator.pathing.reference import GraphCosts, odds_by_level
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import edges

#: So many odds are held at once at most, 512 MB of them; a question that needs more is refused.
MOST_HELD = 1 << 26


class Odds:
    """The best odds of every state of a window, for every budget up to the one asked for."""

    def __init__(self, costs: Costs, levels: NDArray[Any]) -> None:
        self._costs = costs
        self.space, self.window = costs.space, costs.window
        #: Odds for 0, 1, 2, ... ticks: (levels, layers, height, width).
        self.levels = levels

    @property
    def array(self) -> NDArray[Any]:
        """The best odds of arriving in each state within the budget, in the shape (layers, height, width)."""
        last: NDArray[Any] = self.levels[-1]
        return last

    @cached_property
    def ends(self) -> Mask:
        """Whether each state of the window is an end, in the shape of `array`."""
        return self._costs.ends

    def at(self, row: int, col: int, *label: Any) -> Any:
        """Return the best odds of arriving in a state, or in a cell in any state; 0 if out of reach."""
        return self._within(row, col, label)[-1]

    def front(self, row: int, col: int, *label: Any) -> list[tuple[int, Any]]:
        """Return what better odds cost: pairs of cost and odds, each dearer and better than the one before.

        Only ends count. Of a cell all its states do, of a state only it.
        """
        odds = self._within(row, col, label, only_ends=True)
        before = [0, *odds[:-1]]
        return [
            (self._costs.paid + level * self._costs.tick, now)
            for level, (now, then) in enumerate(zip(odds, before, strict=True))
            if now > then
        ]

    def _within(self, row: int, col: int, label: tuple[Any, ...], only_ends: bool = False) -> list[Any]:
        top, left, height, width = self.window
        layers = [self.space.layer_of(*label)] if label else list(range(self.space.layers))
        if not (0 <= row - top < height and 0 <= col - left < width):
            return [0] * len(self.levels)
        if only_ends:
            layers = [layer for layer in layers if self.ends[layer, row - top, col - left]]
        if not layers:
            return [0] * len(self.levels)
        best: list[Any] = self.levels[:, layers, row - top, col - left].max(axis=1).tolist()
        return best


def best_odds(prepared: Searcher, starts: Iterable[Start] | None = None, budget: int | EllipsisType = ...) -> Odds:
    """Find the best odds of arriving in every state within the budget, which has to be a number.

    >>> from simulator.pathing.move_space import MoveSpace, MoveStep
    >>> steps = [MoveStep("jump", 0, 2, cost=2, chance=0.5), MoveStep("walk", 0, 1, cost=2)]
    >>> from simulator.pathing.search import prepared
    >>> odds = best_odds(prepared(MoveSpace((1, 5), steps, starts=[Start(0, 0)], budget=8)))
    >>> odds.at(0, 2), odds.at(0, 4), odds.front(0, 2)
    (1.0, 1.0, [(2, 0.5), (4, 1.0)])
    """
    space = prepared.space
    spent = space.budget if budget is ... else budget
    if spent is None:
        raise MoveSpaceError("odds want a budget", "budget")
    costs = prepared.search(starts, spent)
    seeds = costs.seeds
    exact = any(isinstance(step.chance, Fraction) for step in space.steps)
    dtype = object if exact else np.float64
    if not len(seeds):
        return Odds(costs, np.zeros((1, *costs.array.shape), dtype))
    if isinstance(costs, GraphCosts):
        _want_room(spent + 1, 0, space.layers * space.shape[0] * space.shape[1])
        return Odds(costs, odds_by_level(costs, spent, dtype))
    ticks = (spent - costs.paid) // costs.tick
    (rows, cols), _ = costs.overlap
    part = space.part(rows, cols)
    layers, start_rows, start_cols, paid = seeds.arrays
    local = Seeds([axis.tolist() for axis in (layers, start_rows - rows.start, start_cols - cols.start, paid)])
    legal = edges(part, local)
    price = legal.price // costs.tick
    cells = part.layers * part.shape[0] * part.shape[1]
    longest = int(price[price <= ticks].max(initial=0))
    _want_room(ticks + 1, longest, cells)
    chance = np.array([step.chance for step in part.steps], dtype)
    paying = _Arrivals(legal.source, legal.target, price, chance[legal.step], (price > 0) & (price <= ticks))
    free = _Arrivals(legal.source, legal.target, price, chance[legal.step], price == 0)
    # The levels before the first one hold no odds, so that looking back needs no care.
    odds = np.zeros((longest + ticks + 1, cells), dtype)
    begins = np.ravel_multi_index(
        (layers, start_rows - rows.start, start_cols - cols.start), (part.layers, *part.shape)
    )
    level_of = (paid - costs.paid) // costs.tick
    for level in range(longest, longest + ticks + 1):
        now = odds[level]
        if level > longest:
            now[:] = odds[level - 1]
        now[begins[level_of == level - longest]] = 1
        paying.raise_odds(odds.reshape(-1), level, now)
        while free.raise_odds(odds.reshape(-1), level, now):
            pass
    shape = (ticks + 1, part.layers, *part.shape)
    return Odds(_on_part(costs), odds[longest:].reshape(shape))


def _want_room(levels: int, before: int, cells: int) -> None:
    """Refuse a question whose odds would not fit, instead of cutting it short."""
    held = (levels + before) * cells
    if held > MOST_HELD:
        raise MoveSpaceError(
            f"{levels} levels of {cells} states are too many to hold ({held}, at most {MOST_HELD}); "
            "choose a larger unit or a smaller budget",
            "budget",
        )


def _on_part(costs: Costs) -> Costs:
    """Return the same costs in a window that does not hang over the edge of the board."""
    (rows, cols), inside = costs.overlap
    window = Window(rows.start, cols.start, rows.stop - rows.start, cols.stop - cols.start)
    ticks = costs.ticks[:, inside[0], inside[1]]
    return Costs(costs.space, costs.seeds, window, ticks, costs.unreached_tick, costs.tick, costs.paid, costs.method)


class _Arrivals:
    """Steps sorted by where they lead, so that the best into each state is one call of numpy."""

    def __init__(self, source: Any, target: Any, price: Any, chance: Any, which: Any) -> None:
        order = np.flatnonzero(which)
        order = order[np.argsort(target[order], kind="stable")]
        self.source, self.price, self.chance = source[order], price[order], chance[order]
        self.target, self.first = np.unique(target[order], return_index=True)

    def raise_odds(self, odds: NDArray[Any], level: int, now: NDArray[Any]) -> bool:
        """Raise the odds of this level by all the steps; says whether any became better."""
        if not self.target.size:
            return False
        from_there = odds[(level - self.price) * now.size + self.source]
        best = np.maximum.reduceat(from_there * self.chance, self.first)
        better = best > now[self.target]
        now[self.target[better]] = best[better]
        return bool(better.any())
