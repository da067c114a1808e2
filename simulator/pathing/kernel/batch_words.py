"""Level programs on machine words: many queries side by side, or one on a whole board.

A set of cells is a flat array in the order (row, word, query). So the rows that can change up to a level are one
contiguous slice for all queries together, a step of d_row rows is an offset of that slice, and a step of d_col columns
is a shift of the words, with overflowing bits carried into the next word.

The numpy calls of a level and their slices depend only on the program and the size of the windows. They are recorded
once, as a *tape*, and played for every batch of that size.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel.board_bits import BoardBits
from simulator.pathing.kernel.compile import LevelProgram, Shift
from simulator.pathing.seeds import SeedTable

#: One call: a numpy function and its arguments, the array for the result last.
Call: TypeAlias = tuple[Callable[..., Any], tuple[Any, ...]]
#: Rows of a window, the last one excluded.
Rows: TypeAlias = tuple[int, int]
#: A budget usually is what ends a search; then it is checked only every this many times whether anything still changes.
_SELDOM = 8
#: The starts of each level: layer, indices of words, bits.
Due: TypeAlias = dict[int, list[tuple[int, Any, Any]]]


#: Bytes of bits that are unpacked at a time: the result fits into the L1 cache.
_BLOCK = 16384


@dataclass(frozen=True)
class Frame:
    """Windows of one size, one for each query. `tops` and `lefts` are their positions on the board."""

    tops: NDArray[np.int64]
    lefts: NDArray[np.int64]
    height: int
    words: int
    word_bits: int
    #: The rows of the windows that can contain starts.
    start_rows: Rows

    @classmethod
    def around(cls, ground: BoardBits, seeds: SeedTable, ticks: int | None) -> Frame:
        """Return windows that contain everything the queries can touch within a number of ticks."""
        rows, cols = ground.space.shape
        far_rows, far_cols = ground.plan.reach(ticks, ground.space.shape)
        span_rows, span_cols = seeds.spans
        height, width = span_rows + 2 * far_rows + 1, span_cols + 2 * far_cols + 1
        first_row, _, first_col, _ = seeds.boxes
        tops, lefts = first_row - far_rows, (first_col - far_cols) // 8 * 8
        start_rows = far_rows, far_rows + span_rows + 1
        if height >= rows:
            height, tops, start_rows = rows, np.zeros_like(tops), (0, rows)
        width += 7  # rounding `lefts` down to whole bytes may add as much
        if width >= cols + ground.plan.widest:
            width, lefts = cols + ground.plan.widest, np.zeros_like(lefts)
        word_bits = 32 if width <= 32 else 64
        return cls(tops, lefts, height, -(-width // word_bits), word_bits, start_rows)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, words in a row, queries."""
        return self.height, self.words, len(self.tops)

    def part(self, first: int, count: int) -> Frame:
        """Return the windows of some of the queries; beyond the last query its window is repeated."""
        chosen = np.minimum(np.arange(first, first + count), len(self.tops) - 1)
        return replace(self, tops=self.tops[chosen], lefts=self.lefts[chosen])

    def cut(self, masks: NDArray[np.uint8], pad: int) -> NDArray[Any]:
        """Cut the windows of all queries out of packed masks, in the shape (masks, rows, words, queries)."""
        word_bytes = self.word_bits // 8
        rows, row_bytes = masks.shape[1:]
        above = max(0, -int(self.tops.min()))
        below = max(0, int(self.tops.max()) + self.height - rows)
        first = self.lefts // 8 + pad
        before = max(0, -int(first.min()))
        after = max(0, int(first.max()) + word_bytes * self.words - row_bytes)
        count = len(masks)
        padded = np.zeros((count, above + rows + below, before + row_bytes + after), masks.dtype)
        padded[:, above : above + rows, before : before + row_bytes] = masks
        rows, row_bytes = padded.shape[1:]
        beginning = (count, rows, row_bytes - word_bytes + 1)
        words: NDArray[Any] = np.ndarray(  # the word that begins at each byte
            beginning, f"<u{word_bytes}", padded, strides=(rows * row_bytes, row_bytes, 1)
        )
        row = self.tops + above + np.arange(self.height)[:, None, None]
        byte = first + before + word_bytes * np.arange(self.words)[:, None]
        cut: NDArray[Any] = words[:, row, byte]
        return cut

    def due(self, seeds: SeedTable) -> Due:
        """Return the starts of each level."""
        due: Due = {}
        for level in np.unique(seeds.price).tolist():
            for layer in np.unique(seeds.layer[seeds.price == level]).tolist():
                chosen = (seeds.price == level) & (seeds.layer == layer)
                place = self.place(seeds.query[chosen], seeds.row[chosen], seeds.col[chosen])
                due.setdefault(level, []).append((layer, *place))
        return due

    def place(self, query: NDArray[np.int64], rows: NDArray[np.int64], cols: NDArray[np.int64]) -> tuple[Any, Any]:
        """Return the indices (row, word, query) of cells of the board, and the bit of each in its word."""
        word, bit = np.divmod(cols - self.lefts[query], self.word_bits)
        one = np.dtype(f"<u{self.word_bits // 8}").type(1)
        return (rows - self.tops[query], word, query), np.left_shift(one, bit.astype(one.dtype))

    def masks(self, ground: BoardBits, seeds: SeedTable) -> NDArray[Any]:
        """Cut the windows of all queries out of the masks of the ground. Even an impassable start may be left."""
        masks = self.cut(ground.masks, ground.pad)
        for (layer, gate), door in zip(ground.plan.exits, ground.door_masks, strict=True):
            if door is not None and ground.space.pass_ is not None:
                chosen = ground.may_leave(seeds.layer, seeds.row, seeds.col, layer, gate)
                place, bits = self.place(seeds.query[chosen], seeds.row[chosen], seeds.col[chosen])
                np.bitwise_or.at(masks[door], place, bits)
        return masks


class Tape:
    """The recorded calls of a program for windows of one size, and their arrays."""

    def __init__(self, ground: BoardBits, frame: Frame, by_state: bool) -> None:
        self.plan = ground.plan
        self.by_state = by_state
        self.start_rows = frame.start_rows
        self.shape = frame.shape
        self.word_bits = frame.word_bits
        self.dtype = np.dtype(f"<u{frame.word_bits // 8}")
        self.column = frame.shape[2]
        self.row = frame.words * self.column
        self.size = frame.height * self.row
        #: Levels this far apart use the same arrays, if they do not differ otherwise.
        self.period = math.lcm(*(max(memory, 1) for memory in self.plan.memory))
        self.oldest = max(self.plan.memory, default=0)
        #: Blocked cells before and after each set: a shifted slice may extend beyond the set.
        self.margin = (self.plan.longest + 1) * self.row + (self.plan.widest // self.word_bits + 1) * self.column

        def sets(count: int) -> NDArray[Any]:
            return _aligned_zeros((count, self.margin + self.size + self.margin), self.dtype)

        made = (
            len(self.plan.unions)
            + len(self.plan.smears)
            + len(self.plan.joins)
            + sum(d is not None for d in ground.door_masks)
        )
        self.masks = sets(len(ground.masks))
        self.reached = sets(self.plan.layers)
        self.made = sets(made)
        #: Pieces shifted by columns for several spreads: computed once, and read at an offset of rows.
        self._aside = {key: sets(levels) for key, levels in _moved_once(self.plan).items()}
        self._read_there = {
            number: spread[0]
            for number, spread in enumerate(self.plan.spreads)
            if len(spread) == 1 and (spread[0].piece, spread[0].d_col) in self._aside
        }
        self.past = [
            sets(0 if number in self._read_there else max(memory, 1)) for number, memory in enumerate(self.plan.memory)
        ]
        self.work, self.carry = sets(2)
        #: Bit i of the count of levels at which a cell is reached, by layer (or for all layers together).
        self.planes: list[NDArray[Any]] = []
        free = iter(self.made)
        self.doors = ground.door_masks
        self.pieces = [
            self.reached[layer] if door is None else next(free)
            for (layer, _), door in zip(self.plan.exits, self.doors, strict=True)
        ]
        self.pieces += list(free)
        self._views: dict[tuple[int, int, int], NDArray[Any]] = {}
        self._levels: dict[tuple[int, Rows], tuple[list[Call], list[Call], list[Call]]] = {}
        self._counts: dict[tuple[int, Rows], list[Call]] = {}
        self._played: dict[int, tuple[list[Call], list[Call], list[Call]]] = {}
        #: The number of calls in those lists.
        self._calls = 0
        self._bit_counts = [np.array(bits, self.dtype) for bits in range(self.word_bits)]

    @property
    def byte_count(self) -> int:
        """The memory used by the arrays."""
        moved = (*self.past, *self._aside.values())
        arrays = (self.masks, self.reached, self.made, *moved, *self.planes, self.work, self.carry)
        # A view is a numpy object; a call is a pair of references, most of them shared between levels.
        held: int = sum(array.nbytes for array in arrays)
        return held + 300 * len(self._views) + 100 * self._calls

    # --- playing ---

    def play(self, masks: NDArray[Any], due: Due, ticks: int | None) -> int:
        """Run the levels up to a budget, or until nothing more is reached; return the number of levels."""
        for array in (self.reached, self.made, *self.past, *self._aside.values(), *self.planes):
            array.fill(0)
        self.masks[:, self.margin : self.margin + self.size] = masks.reshape(len(masks), self.size)
        cells = self.reached[:, self.margin : self.margin + self.size].reshape(-1, *self.shape)
        last_start = max(due)
        before = None
        level = 0
        often = max(self.oldest, 1) * (1 if ticks is None else _SELDOM)
        while ticks is None or level <= ticks:
            for layer, place, bits in due.get(level, ()):
                np.bitwise_or.at(cells[layer], place, bits)
            calls, closure, counting = self._played.get(level) or self._recorded(level)
            for function, arguments in calls:
                function(*arguments)
            if closure:
                self._close(self._level(level)[1], closure)
            for function, arguments in counting:
                function(*arguments)
            level += 1
            if level % often == 0 and level > last_start:
                if before is not None and np.array_equal(before, self.reached):
                    break
                before = self.reached.copy()
        return level

    def _recorded(self, level: int) -> tuple[list[Call], list[Call], list[Call]]:
        """Return all calls of a level: arrivals and expansion, closure, counting."""
        arrivals, expansion, closure = self._level(level)
        self._played[level] = ([*arrivals, *expansion], closure, self._counting(level))
        self._calls += sum(map(len, self._played[level]))
        return self._played[level]

    def _close(self, expansion: list[Call], closure: list[Call]) -> None:
        """Repeat the free steps until nothing is added."""
        while True:
            before = self.reached.copy()
            for function, arguments in closure:
                function(*arguments)
            if np.array_equal(before, self.reached):
                return
            for function, arguments in expansion:
                function(*arguments)

    def counts(self, levels: int, out: NDArray[Any]) -> None:
        """Write the number of levels at which each cell is not reached: (queries, layers or 1, rows, words, bits)."""
        packed = []
        for i in range(levels.bit_length()):
            plane = np.moveaxis(self.planes[i].reshape(-1, *self.shape), 3, 0)[: len(out)]
            plane = np.invert(plane, order="C") if (levels >> i) % 2 else np.ascontiguousarray(plane)
            packed.append(plane.reshape(-1).view(np.uint8))
        cells = out.reshape(-1)
        for first in range(0, len(packed[0]), _BLOCK):
            block = cells[8 * first : 8 * (first + _BLOCK)]
            block[:] = np.unpackbits(packed[-1][first : first + _BLOCK], bitorder="little")
            for plane in packed[-2::-1]:
                block += block
                block |= np.unpackbits(plane[first : first + _BLOCK], bitorder="little")

    # --- recording ---

    def _rows(self, level: int) -> Rows:
        """Return the rows that can be reached up to a level."""
        far, _ = self.plan.reach(level, (self.shape[0], self.word_bits * self.shape[1]))
        return max(self.start_rows[0] - far, 0), min(self.start_rows[1] + far, self.shape[0])

    def _around(self, rows: Rows) -> Rows:
        """Return the rows within one step of some rows."""
        return max(rows[0] - self.plan.longest, 0), min(rows[1] + self.plan.longest, self.shape[0])

    def _level(self, level: int) -> tuple[list[Call], list[Call], list[Call]]:
        """Return the calls of a level, recorded when first needed. Equal levels share them."""
        rows = self._rows(level)
        alike = level >= self.oldest and rows == self._rows(level - self.oldest)
        key = (level % self.period if alike else -1 - level, rows)
        if key not in self._levels:
            self._levels[key] = (
                list(self._arrivals(level)),
                list(self._expansion(level)),
                list(self._closure(level)) if any(self.plan.free) else [],
            )
        return self._levels[key]

    def _view(self, array: NDArray[Any], rows: Rows, offset: int = 0) -> NDArray[Any]:
        """Return rows of a set, shifted by an offset. Equal views are one object, to stay in the cache."""
        first, last = (self.margin + row * self.row + offset for row in rows)
        key = (array.__array_interface__["data"][0], first, last)
        if key not in self._views:
            self._views[key] = array[first:last]
        return self._views[key]

    def _spread(self, number: int, level: int, rows: Rows) -> NDArray[Any]:
        """Return rows of a spread of a level; they are kept as long as later levels read them."""
        if number in self._read_there:
            return self._moved_aside(self._read_there[number], level, rows)
        past = self.past[number]
        return self._view(past[level % len(past)], rows)

    def _moved_aside(self, shift: Shift, level: int, rows: Rows) -> NDArray[Any]:
        """Return rows of a piece that was shifted by columns at a level; the shift by rows is only an offset."""
        kept = self._aside[shift.piece, shift.d_col]
        return self._view(kept[level % len(kept)], rows, -shift.d_row * self.row)

    def _arrivals(self, level: int) -> Iterator[Call]:
        now = self._rows(level)
        for layer, terms in enumerate(self.plan.arrivals):
            for term in terms:
                ago = [(g, level - n) for g, n in term.spreads if n <= level]
                if ago:
                    grown = [self._around(self._rows(then)) for _, then in ago]
                    rows = max(now[0], min(r[0] for r in grown)), min(now[1], max(r[1] for r in grown))
                    sets = [self._spread(g, then, rows) for g, then in ago]
                    yield from self._arrival(layer, term.ground, sets, rows)

    def _closure(self, level: int) -> Iterator[Call]:
        rows = self._rows(level)
        for layer, terms in enumerate(self.plan.free):
            for term in terms:
                sets = [self._spread(g, level, rows) for g, _ in term.spreads]
                yield from self._arrival(layer, term.ground, sets, rows)

    def _arrival(self, layer: int, ground: int, sets: list[NDArray[Any]], rows: Rows) -> Iterator[Call]:
        """R[layer] |= M[ground] & (the first set | the next | ...)."""
        work, reached = self._view(self.work, rows), self._view(self.reached[layer], rows)
        touched = sets[0]
        for more in sets[1:]:
            yield np.bitwise_or, (touched, more, work)
            touched = work
        yield np.bitwise_and, (touched, self._view(self.masks[ground], rows), work)
        yield np.bitwise_or, (reached, work, reached)

    def _counting(self, level: int) -> list[Call]:
        """Return the calls that add a level to the count: its bit i changes at every 2**i-th level."""
        bits = (level ^ (level + 1)).bit_length()
        rows = self._rows(level)
        if (bits, rows) not in self._counts:
            kept = len(self.reached) if self.by_state else 1
            while len(self.planes) < bits:
                self.planes.append(np.zeros((kept, self.size), self.dtype))
            self._counts[bits, rows] = list(self._count(bits, rows))
        return self._counts[bits, rows]

    def _count(self, bits: int, rows: Rows) -> Iterator[Call]:
        first, last = rows[0] * self.row, rows[1] * self.row
        every = [self._view(layer, rows) for layer in self.reached]
        if not self.by_state and len(every) > 1:
            work = self._view(self.work, rows)
            yield np.bitwise_or, (every[0], every[1], work)
            for layer in every[2:]:
                yield np.bitwise_or, (work, layer, work)
            every = [work]
        for bit in range(bits):
            for layer, plane in zip(every, self.planes[bit], strict=True):
                yield np.bitwise_xor, (plane[first:last], layer, plane[first:last])

    def _expansion(self, level: int) -> Iterator[Call]:
        rows = self._rows(level)
        for piece, (layer, _) in enumerate(self.plan.exits):
            door = self.doors[piece]
            if door is not None:
                shut, out = self._view(self.masks[door], rows), self._view(self.pieces[piece], rows)
                yield np.bitwise_and, (self._view(self.reached[layer], rows), shut, out)
        number = len(self.plan.exits)
        for shifts in self.plan.combined:
            yield from self._gathered(shifts, rows, self._view(self.pieces[number], rows))
            number += 1
        for (piece, d_col), kept in self._aside.items():
            yield from self._gathered((Shift(piece, 0, d_col),), rows, self._view(kept[level % len(kept)], rows))
        wider = self._around(rows)
        for number, spread in enumerate(self.plan.spreads):
            if number not in self._read_there:
                yield from self._gathered(spread, wider, self._spread(number, level, wider), level)

    def _gathered(
        self, shifts: Sequence[Shift], rows: Rows, out: NDArray[Any], level: int | None = None
    ) -> Iterator[Call]:
        """Yield the calls that OR shifted pieces into `out`, first those that need no shift of bits.

        With a level, pieces already shifted by columns at that level are reused.
        """
        gathered: NDArray[Any] | None = None
        for shift in sorted(shifts, key=lambda shift: shift.d_col != 0):
            work = out if gathered is None else self._view(self.work, rows)
            if level is not None and (shift.piece, shift.d_col) in self._aside:
                parts = [(self._moved_aside(shift, level, rows), list[Call]())]
            else:
                parts = list(self._moved(shift, rows, work))
            for moved, calls in parts:
                yield from calls
                if gathered is not None:
                    yield np.bitwise_or, (gathered, moved, out)
                    gathered = out
                else:
                    gathered = moved
        if gathered is not None and gathered is not out:
            yield np.copyto, (out, gathered)

    def _moved(self, shift: Shift, rows: Rows, out: NDArray[Any]) -> Iterator[tuple[NDArray[Any], list[Call]]]:
        """Yield a shifted piece and the calls that write it to `out`; then the bits carried between words."""
        piece = self.pieces[shift.piece]
        words, bits = divmod(abs(shift.d_col), self.word_bits)
        sign = 1 if shift.d_col > 0 else -1
        towards, back = (np.left_shift, np.right_shift) if sign > 0 else (np.right_shift, np.left_shift)
        base = -shift.d_row * self.row
        if shift.d_col == 0:
            yield self._view(piece, rows, base), []
            return
        if words < self.shape[1]:
            source = self._view(piece, rows, base - sign * words * self.column)
            if bits == 0:
                yield source, []
            elif bits == 1 and sign > 0:
                yield out, [(np.add, (source, source, out))]
            else:
                yield out, [(towards, (source, self._bit_counts[bits], out))]
        if bits and words + 1 < self.shape[1]:
            source = self._view(piece, rows, base - sign * (words + 1) * self.column)
            carry = self._view(self.carry, rows)
            yield carry, [(back, (source, self._bit_counts[self.word_bits - bits], carry))]


def _moved_once(plan: LevelProgram) -> dict[tuple[int, int], int]:
    """Return the pieces that are shifted by the same columns more than once, and the number of levels to keep each.

    Only pieces that are the whole of a spread are kept: the spread is then read from the shifted piece.
    """
    uses = Counter((shift.piece, shift.d_col) for spread in plan.spreads for shift in spread if shift.d_col)
    levels: dict[tuple[int, int], int] = {}
    for spread, memory in zip(plan.spreads, plan.memory, strict=True):
        key = spread[0].piece, spread[0].d_col
        if len(spread) == 1 and uses[key] > 1:
            levels[key] = max(memory, 1, levels.get(key, 0))
    return levels


def _aligned_zeros(shape: tuple[int, int], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return zeros aligned to a cache line, so that whole rows of many queries are aligned, too."""
    size = shape[0] * shape[1] * dtype.itemsize
    raw = np.zeros(size + 64, np.uint8)
    first = -raw.__array_interface__["data"][0] % 64
    return raw[first : first + size].view(dtype).reshape(shape)
