"""Searches of spaces that never turn back: one pass over the table of steps finds everything.

Where everything spent is part of the phase, every step leads to a later phase, and the phase determines the cost. Then
no state is ever reached more cheaply by a second path: each step of the table is made once, for all cells together, on
wide integers of one bit a cell. Such spaces have gates read at departure, and neither planes nor masks on the way.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Costs, Window
from simulator.pathing.move_space import UNREACHED, MoveSpace, Plane, Start, landing
from simulator.pathing.seeds import Seeds

#: What a line of the program takes: a tuple of three, and its numbers.
_LINE_BYTES = 120


def phase_costs(space: MoveSpace) -> tuple[int, ...] | None:
    """Return the cost of each phase above that of the first, or None where the space is not of this kind."""
    if any(getattr(space, name) is not None for name in ("enter", "pass_", "leave")):
        return None
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
        number = {phase: place for place, phase in enumerate(space.phases)}
        doors: dict[tuple[str | None, int, int], int] = {}
        program = []
        for step in sorted(space.steps, key=lambda step: number[step.from_phase]):
            key = (step.gate, step.d_row, step.d_col)
            if key not in doors:
                doors[key] = self._door(*key)
            here, there = (
                space.layer_of(step.from_heading, step.from_phase),
                space.layer_of(step.to_heading, step.to_phase),
            )
            program.append((here, there, step.d_row * space.shape[1] + step.d_col, doors[key]))
        #: For each layer that is left, in order: where its steps lead, by which shift, through which door.
        self._program = [
            (here, [(there, shift, door) for _, there, shift, door in group])
            for here, group in groupby(sorted(program, key=lambda line: line[0]), key=lambda line: line[0])
        ]

    @property
    def byte_count(self) -> int:
        """How many bytes are kept: masks, doors and the program; the table of steps is shared with other spaces."""
        masks = [*self.space.gates.values(), *([] if self.space.end is None else [self.space.end])]
        lines = sum(1 + len(steps) for _, steps in self._program)
        doors = {id(door): sys.getsizeof(door) for _, steps in self._program for _, _, door in steps}
        return sum(mask.nbytes for mask in masks) + sum(doors.values()) + lines * _LINE_BYTES

    def _door(self, gate: str | None, d_row: int, d_col: int) -> int:
        """Return the cells that may be left by a step, as bits: its gate is open and it stays on the board."""
        rows, cols = self.space.shape
        open_ = np.zeros((rows, cols), np.bool_)
        stays = landing((rows, cols), -d_row, -d_col)
        open_[stays] = True if gate is None else self.space.gates[gate][stays]
        return int.from_bytes(np.packbits(open_, bitorder="little").tobytes(), "little")

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
        size = -(-rows * cols // 8)
        answers = []
        for starts in queries:
            _, paid, reached = self._reached(starts)
            by_cost: dict[int, int] = {}
            for cost, cells, within in zip(self._cost.tolist(), reached, self._within(budget, paid), strict=True):
                if cells and within:
                    by_cost[cost] = by_cost.get(cost, 0) | cells
            found = np.full(rows * cols, UNREACHED)
            for cost in sorted(by_cost, reverse=True):
                packed = np.frombuffer(by_cost[cost].to_bytes(size, "little"), np.uint8)
                found[np.unpackbits(packed, count=rows * cols, bitorder="little").view(np.bool_)] = cost + paid
            answers.append(found.reshape(rows, cols))
        return answers

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
                for there, shift, door in steps:
                    passed = cells & door
                    reached[there] |= passed << shift if shift >= 0 else passed >> -shift
        return Seeds.of(space, begun, None), paid.pop(), reached
