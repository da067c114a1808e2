"""The board as bits: for each class of ground and each door one truth value a cell, packed eight to a byte.

Bit b of byte k of a row is column 8 k + b - `8 * pad`: left and right of the board lie at least as many
blocked columns as the widest step crosses, so a shift never carries a unit from the end of one row into the
next.

What a *window* of the board needs is cut out at whole bytes, with no shifting of bits. The window holds all
that a budget can touch. Where it ends inside the board it needs no blocked columns: a step across its edge
would arrive beyond the budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Window
from simulator.pathing.kernel.compile import LevelProgram
from simulator.pathing.move_space import Mask, MoveSpace
from simulator.pathing.seeds import Column, Seeds


class Cut(NamedTuple):
    """A window in the coordinates of the packed bytes."""

    row: int
    byte: int
    height: int
    bytes: int


class BoardBits:
    """The masks of a plan, packed: first those of the classes, then the doors that are not always open."""

    def __init__(self, space: MoveSpace, plan: LevelProgram) -> None:
        self.space = space
        self.plan = plan
        #: How many bytes of blocked columns lie to the left of the board.
        self.pad = -(-plan.widest // 8)
        self.row_bytes = self.pad + -(-(space.shape[1] + plan.widest) // 8)
        self._classes = self._packed([ground.cells for ground in plan.classes])
        self._gates = self._packed(list(plan.gates))
        self._enters = sorted({ground.enter for ground in plan.classes})
        place = {number: i for i, number in enumerate(self._enters)}
        self._enter_of_class = [place[ground.enter] for ground in plan.classes]
        self.space = space
        self._doors = self._doors_of()
        self._refresh()

    def with_masks(self, space: MoveSpace) -> BoardBits:
        """Return the ground for the same board and steps with other masks, as when units have moved."""
        other = object.__new__(BoardBits)
        other.__dict__.update(self.__dict__)
        other.space = space
        if space.leave is not self.space.leave or space.pass_ is not self.space.pass_:
            other._doors = other._doors_of()
        other._refresh()
        return other

    def _doors_of(self) -> list[NDArray[np.uint8] | None]:
        """Describe each exit; None: it is open everywhere."""
        return [self._door(layer, gate) for layer, gate in self.plan.exits]

    def _refresh(self) -> None:
        space = self.space
        if space.enter is None:
            classes = self._classes
        elif space.enter.ndim == 2:
            classes = self._classes & self._packed([space.enter])
        else:
            enters = space.enter.reshape(space.layers, *space.shape)[self._enters]
            classes = self._classes & self._packed(enters)[self._enter_of_class]
        #: The number of the mask that says where each exit is open; None: everywhere.
        self.door_masks: list[int | None] = []
        shut = 0
        for door in self._doors:
            self.door_masks.append(None if door is None else len(classes) + shut)
            shut += door is not None
        self.masks = np.concatenate([classes, *(door[None] for door in self._doors if door is not None)])

    def _door(self, layer: int, gate: int | None) -> NDArray[np.uint8] | None:
        """Describe where a layer may be left through a gate by a unit that has come there, in packed bytes."""
        open_: NDArray[np.uint8] | None = None if gate is None else self._gates[gate]
        for mask in (self.space.holds("leave", layer), self.space.holds("pass_", layer)):
            if mask is not None:
                packed = self._packed([mask])[0]
                open_ = packed if open_ is None else open_ & packed
        return open_

    def may_leave(self, layers: Column, rows: Column, cols: Column, layer: int, gate: int | None) -> Mask:
        """Name which of some states lie in a layer and may be left through a gate, passable or not."""
        chosen: Mask = layers == layer
        for mask in (self.space.holds("leave", layer), None if gate is None else self.plan.gates[gate]):
            if mask is not None:
                chosen = chosen & mask[rows, cols]
        return chosen

    def _packed(self, masks: Sequence[Mask] | Mask) -> NDArray[np.uint8]:
        rows, cols = self.space.shape
        padded = np.zeros((len(masks), rows, 8 * self.row_bytes), bool)
        if len(masks):
            padded[:, :, 8 * self.pad : 8 * self.pad + cols] = masks
        return np.packbits(padded, axis=-1, bitorder="little")

    # --- windows ---

    def cut(self, seeds: Seeds, ticks: int | None) -> Cut:
        """Return the part of the board that the seeds can touch for that many ticks, clipped to the board."""
        rows, cols = self.space.shape
        far_rows, far_cols = self.plan.reach(ticks, self.space.shape)
        (first_row, last_row), (first_col, last_col) = seeds.box
        top, bottom = max(first_row - far_rows, 0), min(last_row + far_rows + 1, rows)
        left = max(first_col - far_cols, -self.plan.widest)
        right = min(last_col + far_cols + 1, cols + self.plan.widest)
        first, last = left // 8 + self.pad, -(-right // 8) + self.pad
        return Cut(top, first, bottom - top, last - first)

    def window(self, cut: Cut) -> Window:
        """Return a cut in the coordinates of the board."""
        return Window(cut.row, 8 * (cut.byte - self.pad), cut.height, 8 * cut.bytes)

    def integers(self, cut: Cut) -> list[int]:
        """Return every mask in a window as one wide integer, row after row, the first column the lowest bit."""
        part = self.masks[:, cut.row : cut.row + cut.height, cut.byte : cut.byte + cut.bytes].tobytes()
        size = cut.height * cut.bytes
        return [int.from_bytes(part[k : k + size], "little") for k in range(0, len(part), size)]
