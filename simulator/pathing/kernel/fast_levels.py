"""Level programs for compiled code: the plan as tables of numbers, and windows of the board in words of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Window
from simulator.pathing.kernel.batch import KernelAnswer
from simulator.pathing.kernel.batch_words import Frame
from simulator.pathing.kernel.board_bits import BoardBits
from simulator.pathing.kernel.compile import Arrival, LevelProgram, Shift
from simulator.pathing.kernel.dispatch import lanes, open_levels, threads
from simulator.pathing.kernel.fast import compiled
from simulator.pathing.seeds import Seeds, SeedTable
from simulator.threads import at_once, side_by_side

#: The most levels of a search without a limit.
_ENDLESS = 2**31 - 1

Table: TypeAlias = NDArray[np.int64]
_Item = TypeVar("_Item")


class Layout(NamedTuple):
    """A plan as compiled code reads it. Sets of cells are numbered: all that a search needs lie in one array.

    The sets of layers come first, so a layer is its own number. A spread has several sets, one for each level for which
    it is kept, rounded up to a power of 2: `first + (level & wrap)` is the one of a level.
    """

    layers: int
    #: Exits with a door: the piece, the layer, the mask of the door.
    doors: Table
    #: What pieces are made of: the piece, 0, whether this comes first, how many are shifted by whole words (0: two by
    #: any bits), three times what is shifted, rows, columns.
    pieces: Table
    #: What spreads are made of: first, wrap, and the same.
    spreads: Table
    #: Arrivals at one class of ground, by one spread and by either of two, see `_terms`.
    arrivals: tuple[Table, Table]
    #: The same by steps that cost nothing.
    free: tuple[Table, Table]
    #: The first set of the masks of the board.
    mask: int
    #: The first set for the bits of the count.
    unused: int

    @property
    def byte_count(self) -> int:
        """The memory of the tables."""
        tables = (self.doors, self.pieces, self.spreads, *self.arrivals, *self.free)
        return sum(table.nbytes for table in tables)


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
        _table(pieces, 13),
        _table(spreads, 13),
        _terms(plan.arrivals, mask, rings),
        _terms(plan.free, mask, rings),
        mask,
        unused + 1,  # before it: what is reached in any layer
    )


def _moves(out: tuple[int, int], shifts: Sequence[Shift], where: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield shifts by whole words in threes, and the others in pairs; a last one alone comes again."""
    is_first = True
    for count, chosen in ((3, [s for s in shifts if not s.d_col]), (2, [s for s in shifts if s.d_col])):
        for number in range(0, len(chosen), count):
            some = chosen[number : number + count]
            whole = 0 if count == 2 else max(len(some), 2)
            every = [number for shift in _filled(some, 3) for number in (where[shift.piece], shift.d_row, shift.d_col)]
            yield (*out, is_first, whole, *every)
            is_first = False


def _terms(layers: Iterable[Iterable[Arrival]], mask: int, rings: Sequence[tuple[int, int]]) -> tuple[Table, Table]:
    """Return arrivals by one spread, four a line, and by either of two, two a line; the last of a line come again.

    A line holds four times first, wrap and levels ago of a spread, those of an arrival together; then the layer, and
    the masks of the arrivals.
    """
    alone: list[tuple[int, ...]] = []
    paired: list[tuple[int, ...]] = []
    for layer, terms in enumerate(layers):
        each = [(mask + term.ground, *((*rings[n], ago) for n, ago in term.spreads)) for term in terms]
        pairs = [(ground, *some[k : k + 2]) for ground, *some in each for k in range(0, len(some) - 1, 2)]
        rest = [(ground, some[-1]) for ground, *some in each if len(some) % 2]
        for lines, found, count in ((alone, rest, 4), (paired, pairs, 2)):
            for number in range(0, len(found), count):
                grounds, *spreads = zip(*_filled(found[number : number + count], count), strict=True)
                ordered = chain.from_iterable(zip(*spreads, strict=True))
                lines.append((*chain.from_iterable(ordered), layer, *grounds))
    return _table(alone, 17), _table(paired, 15)


def _filled(some: Sequence[_Item], count: int) -> list[_Item]:
    """Return so many items: the last one again and again where there are fewer."""
    return [*some, *(count - len(some)) * [some[-1]]]


def _table(lines: Iterable[tuple[int, ...]], columns: int) -> Table:
    return np.array(list(lines), np.int64).reshape(-1, columns)


_NOTHING = _table([], 4)


class _Numbered(NamedTuple):
    """Queries as compiled code reads them, numbered from 0: lines that begin with the number of a query, sorted."""

    starts: Table  #: layer, row, column and price
    opened: Table  #: mask, row and column of the doors that starts may leave by though they are not passable
    corners: Table  #: by query, the first row and column of its window

    def part(self, queries: range) -> _Numbered:
        """Return some of the queries."""

        def lines(table: Table) -> Table:
            first, last = np.searchsorted(table[:, 0], (queries.start, queries.stop))
            found: Table = table[first:last].copy()
            found[:, 0] -= queries.start
            return found

        return _Numbered(lines(self.starts), lines(self.opened), self.corners[queries.start : queries.stop])


class FastLevels:
    """The board of a plan as words of 64 columns, and its searches."""

    def __init__(self, ground: BoardBits, layout: Layout) -> None:
        self.ground, self.layout = ground, layout
        blank = -ground.masks.shape[2] % 8
        padded = np.pad(ground.masks, ((0, 0), (0, 0), (0, blank)))
        self.board: NDArray[np.uint64] = np.ascontiguousarray(padded).view("<u8")
        self._memory = max(ground.plan.memory, default=0)

    def search(self, seeds: Seeds, ticks: int | None) -> tuple[Window, NDArray[Any], int]:
        """Answer one query: its window, costs by state, and the number for "not reached"."""
        ground, pad = self.ground, 8 * self.ground.pad
        cut = ground.cut(seeds, ticks)
        begun = sorted(zip(seeds.price, seeds.layer, seeds.row, seeds.col, strict=True))
        starts = np.array([(0, layer, row, col + pad, price) for price, layer, row, col in begun])
        opened = _NOTHING if ground.space.pass_ is None else self._opened(SeedTable.of([seeds]))
        corners = np.array([(cut.row, 8 * cut.byte)])
        asked = _Numbered(starts, opened, corners)
        costs, unreached = self._played(asked, (cut.height, cut.bytes), ticks, ground.plan.layers)
        return ground.window(cut), costs[0], unreached

    def search_many(self, seeds: SeedTable, ticks: int | None, by_state: bool) -> KernelAnswer:
        """Answer many queries; without `by_state` only the least cost of each cell is kept."""
        ground, pad = self.ground, 8 * self.ground.pad
        frame = Frame.around(ground, seeds, ticks)
        columns = (seeds.query, seeds.layer, seeds.row, seeds.col + pad, seeds.price)
        starts = np.stack(columns, axis=1)[np.lexsort((seeds.price, seeds.query))]
        opened = _NOTHING if ground.space.pass_ is None else self._opened(seeds)
        corners = np.stack((frame.tops, frame.lefts + pad), axis=1)
        size = frame.height, frame.words * frame.word_bits // 8
        kept = ground.plan.layers if by_state else 1
        costs, unreached = self._played(_Numbered(starts, opened, corners), size, ticks, kept)
        return KernelAnswer(frame.tops, frame.lefts, costs, unreached)

    def _played(
        self, asked: _Numbered, size: tuple[int, int], ticks: int | None, kept: int
    ) -> tuple[NDArray[Any], int]:
        plan, count, (height, eights) = self.ground.plan, len(asked.corners), size
        words = -(-eights // 8)
        most = _ENDLESS if ticks is None else min(ticks + 1, _ENDLESS)
        dtype = np.min_scalar_type(most)
        costs = np.empty((count, kept, height, 8 * eights), dtype)
        # Shifted sets are read beyond their first and last row.
        margin = (plan.longest + 1) * words + plan.widest // 64 + 2
        far = plan.longest, margin, self._memory
        shape = height, words, most, dtype.itemsize
        together = lanes(height * words, count)

        def answered(some: _Numbered, octets: NDArray[np.uint8]) -> int:
            """Write the costs of some queries."""
            unreached: int = compiled.code.levels(
                self.layout, self.board, some.corners, some.starts, some.opened, far, octets, shape, together
            )
            return unreached

        if count == 1:
            return costs, answered(asked, costs.view(np.uint8))
        expected = open_levels(plan, self.ground.space.shape) if ticks is None else ticks + 1
        parts = threads(plan, height * words, expected, count, at_once())
        each = -(-count // (parts * together)) * together
        shared = [range(at, min(at + each, count)) for at in range(0, count, each)]
        rows = [costs[part.start : part.stop] for part in shared]
        found = side_by_side(
            lambda number: answered(asked.part(shared[number]), rows[number].view(np.uint8)), range(len(shared))
        )
        for some, unreached in zip(rows, found, strict=True):
            # Few queries may be done before the last level, and then count no further.
            if unreached < max(found):
                some[some == unreached] = max(found)
        return costs, max(found)

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
