"""Level programs for compiled code: the plan as tables of numbers, and windows of the board in words of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Window
from simulator.pathing.kernel.batch import KernelAnswer
from simulator.pathing.kernel.batch_words import Frame
from simulator.pathing.kernel.board_bits import BoardBits
from simulator.pathing.kernel.compile import Arrival, LevelProgram, Shift
from simulator.pathing.kernel.fast import compiled
from simulator.pathing.seeds import Seeds, SeedTable

#: A cost is one byte: so many ticks at most.
MOST_TICKS = 254

Table: TypeAlias = NDArray[np.int64]


class Layout(NamedTuple):
    """A plan as compiled code reads it. Sets of cells are numbered: all that a search needs lie in one array.

    The sets of layers come first, so a layer is its own number. A spread has several sets, one for each level for which
    it is kept, rounded up to a power of 2: `first + (level & wrap)` is the one of a level.
    """

    layers: int
    #: Exits with a door: the piece, the layer, the mask of the door.
    doors: Table
    #: What pieces are made of: the piece, 0, whether this comes first, twice what is shifted, rows, columns.
    pieces: Table
    #: What spreads are made of: first, wrap, and the same.
    spreads: Table
    #: Arrivals at one class of ground by either of two spreads: the layer, the mask, twice first, wrap, levels ago.
    arrivals: Table
    #: The same by steps that cost nothing.
    free: Table
    #: The first set of the masks of the board.
    mask: int
    #: The first set for the bits of the count.
    unused: int

    @property
    def byte_count(self) -> int:
        """The memory of the tables."""
        return sum(table.nbytes for table in self if isinstance(table, np.ndarray))


def laid_out(plan: LevelProgram, door_masks: Sequence[int | None], masks: int) -> Layout:
    """Lay out a plan; `door_masks` numbers the masks of its exits, of so many masks."""
    mask = plan.layers
    unused = mask + masks
    doors, where = [], []
    for (layer, _), door in zip(plan.exits, door_masks, strict=True):
        where.append(layer if door is None else unused)
        if door is not None:
            doors.append((unused, layer, mask + door))
            unused += 1
    pieces: list[tuple[int, ...]] = []
    spreads: list[tuple[int, ...]] = []
    for shifts in plan.combined:
        pieces += _moves((unused, 0), shifts, where)
        where.append(unused)
        unused += 1
    rings = []
    for shifts, memory in zip(plan.spreads, plan.memory, strict=True):
        kept = 1 << (max(memory, 1) - 1).bit_length()
        rings.append((unused, kept - 1))
        spreads += _moves(rings[-1], shifts, where)
        unused += kept
    return Layout(
        plan.layers,
        _table(doors, 3),
        _table(pieces, 9),
        _table(spreads, 9),
        _table(_terms(plan.arrivals, mask, rings), 8),
        _table(_terms(plan.free, mask, rings), 8),
        mask,
        unused + 1,  # before it: what is reached in any layer
    )


def _moves(out: tuple[int, int], shifts: Sequence[Shift], where: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield shifts two by two, those by whole words together; a last one alone comes twice."""
    ordered = sorted(shifts, key=lambda shift: shift.d_col != 0)
    for number in range(0, len(ordered), 2):
        one, other = ordered[number], ordered[number : number + 2][-1]
        both = [(where[shift.piece], shift.d_row, shift.d_col) for shift in (one, other)]
        yield (*out, not number, *both[0], *both[1])


def _terms(
    layers: Iterable[Iterable[Arrival]], mask: int, rings: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, ...]]:
    for layer, terms in enumerate(layers):
        for term in terms:
            for number in range(0, len(term.spreads), 2):
                one, other = term.spreads[number], term.spreads[number : number + 2][-1]
                yield (layer, mask + term.ground, *rings[one[0]], one[1], *rings[other[0]], other[1])


def _table(lines: Iterable[tuple[int, ...]], columns: int) -> Table:
    return np.array(list(lines), np.int64).reshape(-1, columns)


_NOTHING = _table([], 4)


class FastLevels:
    """The board of a plan as words of 64 columns, and its searches."""

    def __init__(self, ground: BoardBits, layout: Layout) -> None:
        self.ground, self.layout = ground, layout
        blank = -ground.masks.shape[2] % 8
        padded = np.pad(ground.masks, ((0, 0), (0, 0), (0, blank)))
        self.board: NDArray[np.uint64] = np.ascontiguousarray(padded).view("<u8")

    def search(self, seeds: Seeds, ticks: int) -> tuple[Window, NDArray[Any], int]:
        """Answer one query: its window, costs by state, and the number for "not reached"."""
        ground, pad = self.ground, 8 * self.ground.pad
        cut = ground.cut(seeds, ticks)
        begun = sorted(zip(seeds.price, seeds.layer, seeds.row, seeds.col, strict=True))
        starts = np.array([(0, layer, row, col + pad, price) for price, layer, row, col in begun])
        opened = _NOTHING if ground.space.pass_ is None else self._opened(SeedTable.of([seeds]))
        corners = np.array([(cut.row, 8 * cut.byte)])
        costs = self._played(starts, opened, corners, (cut.height, cut.bytes), ticks, ground.plan.layers)
        return ground.window(cut), costs[0], ticks + 1

    def search_many(self, seeds: SeedTable, ticks: int, by_state: bool) -> KernelAnswer:
        """Answer many queries; without `by_state` only the least cost of each cell is kept."""
        ground, pad = self.ground, 8 * self.ground.pad
        frame = Frame.around(ground, seeds, ticks)
        columns = (seeds.query, seeds.layer, seeds.row, seeds.col + pad, seeds.price)
        starts = np.stack(columns, axis=1)[np.lexsort((seeds.price, seeds.query))]
        opened = _NOTHING if ground.space.pass_ is None else self._opened(seeds)
        corners = np.stack((frame.tops, frame.lefts + pad), axis=1)
        size = frame.height, frame.words * frame.word_bits // 8
        kept = ground.plan.layers if by_state else 1
        return KernelAnswer(
            frame.tops, frame.lefts, self._played(starts, opened, corners, size, ticks, kept), ticks + 1
        )

    def _played(
        self, starts: Table, opened: Table, corners: Table, size: tuple[int, int], ticks: int, kept: int
    ) -> NDArray[np.uint8]:
        plan, (height, eights) = self.ground.plan, size
        words = -(-eights // 8)
        costs = np.empty((len(corners), kept, height, eights), np.uint64)
        # Shifted sets are read beyond their first and last row.
        margin = (plan.longest + 1) * words + plan.widest // 64 + 2
        far = plan.longest, margin, max(plan.memory, default=0)
        shape = height, words, eights, ticks + 1
        compiled.code.levels(self.layout, self.board, corners, starts, opened, far, costs, shape)
        return costs.view(np.uint8)

    def _opened(self, seeds: SeedTable) -> Table:
        """Return query, mask, row and column of the doors that starts may leave by though they are not passable."""
        ground = self.ground
        found = [_NOTHING]
        cols = seeds.col + 8 * ground.pad
        for (layer, gate), door in zip(ground.plan.exits, ground.door_masks, strict=True):
            if door is not None:
                chosen = ground.may_leave(seeds.layer, seeds.row, seeds.col, layer, gate)
                doors = np.full(len(seeds.row), door)
                found.append(np.stack([seeds.query, doors, seeds.row, cols], axis=1)[chosen])
        opened = np.concatenate(found)
        return opened[np.argsort(opened[:, 0], kind="stable")]
