"""Searches of spaces that never turn back: one pass over the table of steps finds everything.

Where everything spent is part of the phase, every step leads to a later phase, and the phase determines the cost. Then
no state is ever reached more cheaply by a second path: each step of the table is made once, for all cells together, on
wide integers of one bit a cell. Such spaces have gates read at departure, and neither planes nor masks on the way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Costs, Window
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, Plane, Start, landing
from simulator.pathing.seeds import Column, Seeds

#: What a kind of step takes beside the cells that may be left by it: a tuple of two, and its numbers.
_KIND_BYTES = 120
#: The cells of all boards that are searched side by side.
_SIDE_BY_SIDE = 2**17


def phase_costs(space: MoveSpace) -> tuple[int, ...] | None:
    """Return the cost of each phase above that of the first, or None where the space is not of this kind."""
    if any(getattr(space, name) is not None for name in ("enter", "pass_", "leave")):
        return None
    if "phase costs" not in space.of_steps:
        space.of_steps["phase costs"] = _phase_costs(space)
    found: tuple[int, ...] | None = space.of_steps["phase costs"]
    return found


def _phase_costs(space: MoveSpace) -> tuple[int, ...] | None:
    number = {phase: place for place, phase in enumerate(space.phases)}
    found: dict[int, int] = {0: 0}
    for step in sorted(space.steps, key=lambda step: number[step.from_phase]):
        before, after = number[step.from_phase], number[step.to_phase]
        plain = step.plane is None and step.surcharge is None and step.gate_at == "departure"
        if before not in found or after <= before or not plain:
            return None
        if found.setdefault(after, found[before] + step.cost) != found[before] + step.cost:
            return None
    known = [found.get(place) for place in range(len(space.phases))]
    return None if None in known else tuple(cost for cost in known if cost is not None)


class Ordered:
    """A space that never turns back, made ready for many searches from its first phase.

    >>> from simulator.pathing.move_space import MoveStep
    >>> far = {"one": 1, "two": 2}
    >>> steps = [MoveStep(name, 0, far[name], None, None, "before", "after", cost=2) for name in far]
    >>> space = MoveSpace((1, 4), steps, phases=("before", "after"), starts=[Start(0, 0, None, "before")])
    >>> ready = Ordered(space, phase_costs(space))
    >>> ready.search().full().min(axis=0).tolist() == [[0, 2, 2, UNREACHED]]
    True
    """

    def __init__(self, space: MoveSpace, costs: Sequence[int]) -> None:
        self.space = space
        self._cost = np.repeat(np.array(costs, np.int64), len(space.headings))
        if "layout" not in space.of_steps:
            space.of_steps["layout"] = _laid_out(space)
        layout: _Layout = space.of_steps["layout"]
        self._program = layout.program
        #: By which shift each kind of step leads on, and the cells that may be left by it.
        self._ways = [
            (d_row * space.shape[1] + d_col, self._door(gate, d_row, d_col)) for gate, d_row, d_col in layout.kinds
        ]

    @property
    def byte_count(self) -> int:
        """How many bytes are kept: masks and doors; the table of steps and the program are shared with other spaces."""
        masks = [*self.space.gates.values(), *([] if self.space.end is None else [self.space.end])]
        doors = sum(sys.getsizeof(door) for _, door in self._ways)
        return sum(mask.nbytes for mask in masks) + doors + len(self._ways) * _KIND_BYTES

    def _door(self, gate: str | None, d_row: int, d_col: int) -> int:
        """Return the cells that may be left by a step, as bits: its gate is open and it stays on the board."""
        rows, cols = self.space.shape
        open_ = np.zeros((rows, cols), np.bool_)
        stays = landing((rows, cols), -d_row, -d_col)
        open_[stays] = True if gate is None else self.space.gates[gate][stays]
        return _bits(open_)

    def search(self, starts: Iterable[Start] | None = None, budget: int | None = None) -> Costs:
        """Find the cost of every state from starts in the first phase, all paid alike."""
        seeds, paid, reached = self._reached(starts)
        rows, cols = self.space.shape
        size = -(-rows * cols // 8)
        bits = np.frombuffer(b"".join(cells.to_bytes(size, "little") for cells in reached), np.uint8)
        bits = np.unpackbits(bits.reshape(len(reached), size), axis=1, count=rows * cols, bitorder="little")
        unreached = int(self._cost.max()) + 1
        open_ = self._within(budget, paid)
        ticks = bits.astype(np.min_scalar_type(unreached), copy=False)
        # A cell that is reached gets the cost of its layer, any other stays above all of them.
        less = np.where(open_, unreached - self._cost, 0).astype(ticks.dtype)
        ticks = (unreached - ticks * less[:, None]).astype(ticks.dtype, copy=False)
        window = Window(0, 0, rows, cols)
        return Costs(self.space, seeds, window, ticks.reshape(-1, rows, cols), unreached, 1, paid, "ordered")

    def cells_of_many(self, queries: Iterable[Sequence[Start]], budget: int | None = None) -> list[Plane]:
        """Return the least cost of each cell of the board for many queries."""
        rows, cols = self.space.shape
        answers = []
        for starts in queries:
            _, paid, reached = self._reached(starts)
            by_cost: dict[int, int] = {}
            for cost, cells, within in zip(self._cost.tolist(), reached, self._within(budget, paid), strict=True):
                if cells and within:
                    by_cost[cost + paid] = by_cost.get(cost + paid, 0) | cells
            answers.append(_least(by_cost, rows * cols).reshape(rows, cols))
        return answers

    @property
    def together(self) -> int:
        """How many starts `ends_of_each` best takes at a time."""
        rows, cols = self.space.shape
        return max(1, _SIDE_BY_SIDE // (rows * cols))

    def ends_of_each(
        self, layers: Column, rows: Column, cols: Column, budget: int | None = None
    ) -> tuple[NDArray[Any], Column]:
        """Return the least cost of ending in each cell for many starts: numbers of prices, and the prices, ascending.

        Numbers are those of (starts, rows, columns); the last price is `UNREACHED`. The boards of all starts lie side
        by side in the wide integers.
        """
        (height, width), count = self.space.shape, len(layers)
        cells = height * width
        # A product with this puts the same cells on every board.
        each = sum(1 << (number * cells) for number in range(count))
        reached = [0] * self.space.layers
        at = np.arange(count) * cells + rows * width + cols
        for layer, place in zip(layers.tolist(), at.tolist(), strict=True):
            reached[layer] |= 1 << place
        begun = list(reached)
        ways = [(shift, door * each) for shift, door in self._ways]
        for here, steps in self._program:
            inside = reached[here]
            if inside:
                for there, kind in steps:
                    shift, door = ways[kind]
                    passed = inside & door
                    reached[there] |= passed << shift if shift >= 0 else passed >> -shift
        by_cost: dict[int, int] = {}
        within = self._within(budget, 0).tolist()
        for layer, (cost, inside) in enumerate(zip(self._cost.tolist(), reached, strict=True)):
            if inside and within[layer]:
                ends = inside & (self._ends[layer] * each)
                ends |= begun[layer] if self.space.start_is_end else 0
                by_cost[cost] = by_cost.get(cost, 0) | ends
        prices = sorted(by_cost)
        ranks = np.full(count * cells, len(prices), np.min_scalar_type(len(prices)))
        for rank in range(len(prices) - 1, -1, -1):
            ranks[_mask(by_cost[prices[rank]], count * cells)] = rank
        return ranks.reshape(count, height, width), np.array([*prices, UNREACHED])

    @cached_property
    def _ends(self) -> list[int]:
        """The cells in which one may end, by layer, as bits."""
        masks = [self.space.holds("end", layer) for layer in range(self.space.layers)]
        everywhere = np.ones(self.space.shape, np.bool_)
        return [_bits(everywhere if mask is None else mask) for mask in masks]

    def _within(self, budget: int | None, paid: int) -> NDArray[np.bool_]:
        return np.ones(len(self._cost), np.bool_) if budget is None else self._cost + paid <= budget

    def _reached(self, starts: Iterable[Start] | None) -> tuple[Seeds, int, list[int]]:
        space = self.space
        begun = space.starts if starts is None else space.checked_starts(starts)
        paid = {start.paid for start in begun} or {0}
        if len(paid) > 1 or any(start.phase != space.phases[0] for start in begun):
            raise ValueError("the starts of an ordered search stand in the first phase and are paid alike")
        reached = [0] * space.layers
        for start in begun:
            layer = space.layer_of(start.heading, start.phase)
            reached[layer] |= 1 << (start.row * space.shape[1] + start.col)
        for here, steps in self._program:
            cells = reached[here]
            if cells:
                for there, kind in steps:
                    shift, door = self._ways[kind]
                    passed = cells & door
                    reached[there] |= passed << shift if shift >= 0 else passed >> -shift
        return Seeds.of(space, begun, None), paid.pop(), reached


class _Layout(NamedTuple):
    """A table of steps in the order of their phases: it does not depend on the ground."""

    #: Each gate and offset that occurs.
    kinds: tuple[tuple[str | None, int, int], ...]
    #: For each layer that is left, in order: where its steps lead, and the number of their kind.
    program: list[tuple[int, list[tuple[int, int]]]]


def _laid_out(space: MoveSpace) -> _Layout:
    number = {phase: place for place, phase in enumerate(space.phases)}
    kinds: dict[tuple[str | None, int, int], int] = {}
    lines = []
    for step in sorted(space.steps, key=lambda step: number[step.from_phase]):
        kind = kinds.setdefault((step.gate, step.d_row, step.d_col), len(kinds))
        here = space.layer_of(step.from_heading, step.from_phase)
        lines.append((here, space.layer_of(step.to_heading, step.to_phase), kind))
    lines.sort(key=itemgetter(0))
    program = [(here, [(there, kind) for _, there, kind in group]) for here, group in groupby(lines, key=itemgetter(0))]
    return _Layout(tuple(kinds), program)


def _bits(cells: Mask) -> int:
    """Return the cells of a mask as bits, the first cell lowest."""
    return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")


def _mask(bits: int, cells: int) -> Mask:
    """Return the cells that are bits as a mask."""
    packed = np.frombuffer(bits.to_bytes(-(-cells // 8), "little"), np.uint8)
    mask: Mask = np.unpackbits(packed, count=cells, bitorder="little").view(np.bool_)
    return mask


def _least(by_cost: Mapping[int, int], cells: int) -> Plane:
    """Return the least cost of each cell, from the cells of each cost as bits."""
    found = np.full(cells, UNREACHED)
    for cost in sorted(by_cost, reverse=True):
        found[_mask(by_cost[cost], cells)] = cost
    return found
