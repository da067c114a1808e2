"""The plan on wide integers: one query, each set of cells one Python integer, however large its window.

An integer holds a window row after row, so a step of (d_row, d_col) is a shift by d_row * width + d_col bits.
"""

from __future__ import annotations

from functools import reduce
from operator import or_, xor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel.bigint_code import Flood
from simulator.pathing.kernel.board_bits import BoardBits, Cut
from simulator.pathing.seeds import Seeds

#: Up to this many starts are converted to bits one by one, more of them by an array.
_FEW = 8


def search_wide(ground: BoardBits, flood: Flood, seeds: Seeds, ticks: int | None) -> tuple[Cut, NDArray[Any], int]:
    """Find the cost of all that the seeds reach within a budget; what is paid for them counts in ticks too.

    Return the window, costs in ticks in the shape (layers, height, width), and the number for "not reached".
    """
    cut = ground.cut(seeds, ticks)
    masks = ground.integers(cut)
    due = _due(ground, seeds, cut)
    doors = _doors(ground, seeds, cut, masks)
    history = flood(ticks, 8 * cut.bytes, masks, doors, due)
    levels = len(history[0])
    size = cut.height * cut.bytes
    every = (1 << 8 * size) - 1
    # The cost of a cell is the number of levels at which it is not yet reached. Bit i of a count changes at
    # every 2**i-th of them, so it is the parity of how many of those levels find the cell unreached.
    planes = []
    for i in range(levels.bit_length()):
        every_so_many = slice((1 << i) - 1, None, 1 << i)
        odd = every if (levels >> i) % 2 else 0
        planes += [reduce(xor, reached[every_so_many], odd).to_bytes(size, "little") for reached in history]
    packed = np.frombuffer(b"".join(planes), np.uint8).reshape(levels.bit_length(), -1)
    ticks_taken = counted(np.unpackbits(packed, axis=-1, bitorder="little"))
    return cut, ticks_taken.reshape(len(history), cut.height, 8 * cut.bytes), levels


def counted(bits: NDArray[np.uint8]) -> NDArray[Any]:
    """Put numbers together from their bits, the lowest first along the first axis."""
    dtype = np.uint8 if len(bits) <= 8 else np.uint16 if len(bits) <= 16 else np.uint32
    number: NDArray[Any] = bits[-1].astype(dtype)
    for plane in bits[-2::-1]:
        number += number
        number |= plane
    return number


def _due(ground: BoardBits, seeds: Seeds, cut: Cut) -> dict[int, list[tuple[int, int]]]:
    """Compute for each level what starts there: layer and cells."""
    chosen: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for layer, row, col, paid in zip(seeds.layer, seeds.row, seeds.col, seeds.price, strict=True):
        chosen.setdefault((paid, layer), []).append((row, col))
    due: dict[int, list[tuple[int, int]]] = {}
    for (paid, layer), places in chosen.items():
        due.setdefault(paid, []).append((layer, _bits(ground, cut, places)))
    return due


def _doors(ground: BoardBits, seeds: Seeds, cut: Cut, masks: list[int]) -> list[int]:
    """Compute for each exit where it is open; 0 for one that has no door. A start need not be passable."""
    doors, begun = [], set(seeds.layer)
    for (layer, gate), door in zip(ground.plan.exits, ground.door_masks, strict=True):
        if door is None:
            doors.append(0)
        elif layer not in begun:
            doors.append(masks[door])
        else:
            layers, rows, cols, _ = seeds.arrays
            chosen = ground.may_leave(layers, rows, cols, layer, gate)
            places = list(zip(rows[chosen].tolist(), cols[chosen].tolist(), strict=True))
            doors.append(masks[door] | _bits(ground, cut, places))
    return doors


def _bits(ground: BoardBits, cut: Cut, places: list[tuple[int, int]]) -> int:
    """Return cells of the board as bits of a window."""
    width = 8 * cut.bytes
    left = 8 * (cut.byte - ground.pad)
    if len(places) <= _FEW:
        return reduce(or_, [1 << (row - cut.row) * width + col - left for row, col in places], 0)
    cells = np.zeros((cut.height, width), bool)
    rows, cols = np.array(places).T
    cells[rows - cut.row, cols - left] = True
    return int.from_bytes(np.packbits(cells, bitorder="little").tobytes(), "little")
