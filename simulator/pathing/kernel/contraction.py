"""A board contracted once, so that no search has to walk its corridors square by square.

Cells are taken out of the graph of steps, those with few neighbours first. Where the cheapest way between two
neighbours of a cell leads through it, they are joined by a *shortcut* of the same cost, so costs between the cells
that are left never change. In every round many cells go at once, no two of them neighbours. A few cells that stay to
the end are the *core*, and the costs between them are a table.

A search only looks from the cells of one round to their neighbours of later rounds (`shortcuts`). In a maze that is
two or three neighbours a cell, in some twenty rounds; a level search needs as many levels as the longest way has
steps. Boards without narrow places get more and more neighbours a cell, and are refused: they are searched well
without.

All layers of a cell go together, as blocks of costs from layer to layer. Where there are more than a few layers each
state is a cell of its own: the blocks would be mostly empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel.legal import NO_SEEDS
from simulator.pathing.move_space import MoveSpace
from simulator.pathing.traces import edges

#: The most layers that go together as a block.
_BLOCK_LAYERS = 4
#: So many states at most stay in the core. Their table is complete, so its making grows with the third power.
CORE_STATES = 256
#: The share of the cells left, those with the fewest neighbours, from which a round chooses.
_SHARE = 0.15
#: So many choices a round makes at most among the cells not beside those already chosen.
_CHOICES = 3
#: Fewer cells than this are not worth a further choice.
_FEW = 64
#: With this many neighbours at all remaining cells (states, not cells) a board is not thin.
MOST_NEIGHBOURS = 72
#: The rows are renumbered when no more than this share of them is left.
_RENUMBERED_AT = 0.75
#: Cells are taken out in parts whose tables have about this many entries, to stay in the cache.
_PART = 1 << 17

Ints = NDArray[Any]


class Tier(NamedTuple):
    """The cells taken out in a round, at the places from `first` to before `last`, and their later neighbours.

    Axes: layer left, layer arrived at, neighbour, cell. A cell with fewer neighbours than others has the place after
    the last one as a neighbour, which is never reached.
    """

    first: int
    last: int
    near: NDArray[np.intp]  #: the places of the neighbours: (neighbour, cell)
    up: Ints  #: the costs from the cells to their neighbours
    down: Ints  #: the costs from the neighbours to the cells, with the steps in the cell after that
    inside: Ints | None  #: the costs within each cell: (layer left, layer arrived at, cell)


@dataclass(frozen=True)
class Contraction:
    """A board taken apart: the core first, then the rounds, the last first; a place for each cell in that order."""

    layers: int
    size: int
    #: The place of each cell of the board, `size` for one that no step touches: (blocks of layers, cell).
    place: NDArray[np.intp]
    #: The costs from each state of the core to each: the cells of the first layer, then of the second.
    core: Ints
    rounds: tuple[Tier, ...]
    #: More than any cost; the sum of two still fits the type.
    unreached: int

    @cached_property
    def byte_count(self) -> int:
        """The memory of all arrays."""
        arrays = [array for one in self.rounds for array in one if isinstance(array, np.ndarray)]
        return sum(array.nbytes for array in (self.place, self.core, *arrays))


def contracted(space: MoveSpace, tick: int, unreached: int, most_bytes: int) -> Contraction | None:
    """Contract a board, costs in ticks, all below `unreached`; None if it is too open, or takes too many bytes."""
    steps = edges(space, NO_SEEDS)
    cells, block = space.shape[0] * space.shape[1], space.layers if space.layers <= _BLOCK_LAYERS else 1
    groups = space.layers * cells // block
    # A cell that no step enters, not even from a start, is only ever a start, and those make their first steps alone.
    entered = np.zeros(groups, bool)
    first = steps if space.pass_ is None else edges(space.with_masks(pass_=None), NO_SEEDS)
    entered[first.target % groups] = True
    steps = steps.chosen(entered[steps.source % groups])
    source, target, price = steps.source, steps.target, steps.price // tick
    graph = _Graph(
        block, groups, (source % groups, source // groups), (target % groups, target // groups), price, unreached
    )
    taken = []
    held = 0
    while graph.left.size * block > CORE_STATES:
        one = graph.next_round()
        if one is None:
            return None
        taken.append(one)
        held += sum(array.nbytes for array in one if array is not None)
        if held > most_bytes:
            return None
    return _put_together(graph, taken, groups, space.layers * cells // groups)


def _put_together(graph: _Graph, taken: list[_Taken], groups: int, block: int) -> Contraction:
    """Number the cells by place, and everything in those numbers."""
    core = graph.names[graph.left]
    size = len(core) + sum(len(one.cells) for one in taken)
    place = np.full(groups + 1, size, np.intp)
    place[core] = np.arange(len(core))
    rounds = []
    last = size
    for one in taken:
        place[one.cells] = np.arange(last - len(one.cells), last)
        last -= len(one.cells)
    for one in taken:
        first, count = int(place[one.cells[0]]), len(one.cells)
        rounds.append(Tier(first, first + count, place[one.near], one.up, one.down, one.inside))
    return Contraction(block, size, place[:groups], graph.core_table(), tuple(rounds), graph.unreached)


class _Taken(NamedTuple):
    """What `Tier` holds, in the numbers of cells of the board."""

    cells: Ints
    near: Ints
    up: Ints
    down: Ints
    inside: Ints | None


class _Graph:
    """The cells that are left, a row for each: its neighbours, and the costs to and from them in blocks.

    Rows are longer than needed and filled with a cell that is none, the last row. Neighbours taken out stay in a row
    until the rows are renumbered.
    """

    def __init__(
        self, block: int, groups: int, source: tuple[Ints, Ints], target: tuple[Ints, Ints], price: Ints, unreached: int
    ) -> None:
        self.block, self.unreached = block, unreached
        self.dtype = np.dtype(np.int32 if unreached < 2**31 else np.int64)
        touched = np.zeros(groups, bool)
        touched[source[0]] = touched[target[0]] = True
        #: The number of each row on the board; the last row has the number after the last.
        self.names = np.append(np.flatnonzero(touched), groups)
        rows = len(self.names) - 1
        self.left = np.arange(rows)
        self.degree = np.zeros(rows + 1, np.int64)
        self.used = self.degree.copy()
        #: How many rounds lie below a cell: those taken out beside it, and beside these.
        self.depth = self.degree.copy()
        self.dice = np.random.default_rng(0).permutation(rows + 1)
        self.gone = np.zeros(rows + 1, bool)
        self.gone[rows] = True
        self.inside = np.full((rows + 1, block, block), unreached, self.dtype)
        self.inside[:, range(block), range(block)] = 0
        self.near, self.out, self.back = self._rows(rows, 8)
        row_of = np.zeros(groups, np.int64)
        row_of[self.names[:-1]] = np.arange(rows)
        self.add(row_of[source[0]], source[1], row_of[target[0]], target[1], price.astype(self.dtype))

    def _rows(self, count: int, width: int) -> tuple[Ints, Ints, Ints]:
        near = np.full((count + 1, width), count, np.int32)
        out = np.full((count + 1, width, self.block, self.block), self.unreached, self.dtype)
        return near, out, out.copy()

    # --- steps ---

    def add(self, source: Ints, from_layer: Ints, target: Ints, to_layer: Ints, price: Ints) -> None:
        """Add steps between cells that are not neighbours yet, and steps within cells."""
        here = source == target
        np.minimum.at(self.inside, (source[here], from_layer[here], to_layer[here]), price[here])
        if here.any():
            source, from_layer, target, to_layer, price = (
                column[~here] for column in (source, from_layer, target, to_layer, price)
            )
        if not len(source):
            return
        # Both cells get the other as a neighbour, whichever way the step leads.
        count = len(self.names)
        keys = np.concatenate([source * count + target, target * count + source])
        pairs, place = np.unique(keys, return_inverse=True)
        row, other = pairs // count, pairs % count
        firsts = np.flatnonzero(np.diff(row, prepend=-1))
        more = np.diff(firsts, append=len(row))
        slot = self.used[row] + np.arange(len(row)) - np.repeat(firsts, more)
        self._widen(int(slot.max()) + 1)
        self.near[row, slot] = other
        np.minimum.at(self.out, (source, slot[place[: len(source)]], from_layer, to_layer), price)
        np.minimum.at(self.back, (target, slot[place[len(source) :]], from_layer, to_layer), price)
        self.used[row[firsts]] += more
        self.degree[row[firsts]] += more

    def _widen(self, width: int) -> None:
        before = self.near.shape[1]
        if width > before:
            near, out, back = self._rows(len(self.names) - 1, width + 8)
            near[:, :before], out[:, :before], back[:, :before] = self.near, self.out, self.back
            self.near, self.out, self.back = near, out, back

    # --- a round ---

    def next_round(self) -> _Taken | None:
        """Take out many cells at once; None if all that are left have too many neighbours."""
        if len(self.left) <= _RENUMBERED_AT * (len(self.names) - 1):
            self._renumber()
        chosen = self._chosen()
        if chosen is None:
            return None
        most = max(int(self.degree[chosen].max()), 1)
        side = most * self.block
        near = np.full((len(chosen), most), len(self.names) - 1, np.int32)
        up = np.full((self.block, self.block, most, len(chosen)), self.unreached, self.dtype)
        down = up.copy()
        inside = np.ascontiguousarray(np.moveaxis(_closed(self.inside[chosen]), 0, -1))
        step = max(_PART // side**2, 1)
        bridges = []
        for first in range(0, len(chosen), step):
            part = slice(first, first + step)
            mine, out, back = self._neighbours(chosen[part])
            width = mine.shape[1]
            near[part, :width] = mine
            out, back = (np.ascontiguousarray(np.moveaxis(costs, 0, -1)) for costs in (out, back))  # (n, from, to, k)
            back = _after(back, inside[:, :, part], self.unreached)
            up[:, :, :width, part] = out.transpose(1, 2, 0, 3)
            down[:, :, :width, part] = back.transpose(1, 2, 0, 3)
            if width * self.block > 1:
                bridges.append(self._bridges(np.ascontiguousarray(mine.T), out, back))
        names = self.names[near].T
        self.gone[chosen] = True
        self.left = self.left[~self.gone[self.left]]
        beside = near[near < len(self.names) - 1]
        self.degree -= np.bincount(beside, minlength=len(self.names))
        np.maximum.at(self.depth, near, self.depth[chosen][:, None] + 1)
        if bridges:
            self.add(*(np.concatenate(column) for column in zip(*bridges, strict=True)))
        alone = self.block == 1
        return _Taken(self.names[chosen], np.ascontiguousarray(names), up, down, None if alone else inside)

    def _chosen(self) -> Ints | None:
        """Choose cells with few neighbours, no two of them neighbours."""
        degrees = self.degree[self.left]
        counted = np.cumsum(np.bincount(degrees))
        few = max(int(np.searchsorted(counted, _SHARE * len(self.left))), 2)
        if few * self.block > MOST_NEIGHBOURS:
            return None
        never = np.iinfo(np.int64).max
        asking = self.left[degrees <= few]
        width = int(self.used[asking].max())
        near = self.near[asking, :width]
        rank = np.full(len(self.names), never)
        rank[asking] = ((self.degree[asking] + self.depth[asking]) << 32) + self.dice[asking]
        found = []
        for _ in range(_CHOICES):
            first = rank[asking] < rank[near].min(axis=1, initial=never)
            found.append(asking[first])
            rank[found[-1]] = never
            rank[near[first]] = never
            still = rank[asking] < never
            asking, near = asking[still], near[still]
            if len(asking) < _FEW:
                break
        chosen = np.concatenate(found)
        if not len(chosen):
            return chosen
        # Cells of about as many neighbours with about as long rows come together: a part works at its widest.
        longest = self.used[self.near[chosen, : int(self.used[chosen].max())]].max(axis=1, initial=0)
        return chosen[np.lexsort((longest, self.degree[chosen]))]

    def _neighbours(self, cells: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the neighbours left of some cells, and the costs to and from them: (cell, neighbour, ...)."""
        width, most = int(self.used[cells].max()), int(self.degree[cells].max())
        near = self.near[cells, :width]
        order = np.argsort(self.gone[near], axis=1, kind="stable")[:, :most]
        near = np.take_along_axis(near, order, axis=1)
        lost = self.gone[near]
        out, back = (costs[cells[:, None], order] for costs in (self.out, self.back))
        out[lost] = back[lost] = self.unreached
        near[lost] = len(self.names) - 1
        return near, out, back

    def _bridges(self, near: Ints, out: Ints, back: Ints) -> tuple[Ints, ...]:
        """Find the shortcuts between the neighbours of some cells; return the new ones, and lower the known ones."""
        block, (width, count) = self.block, near.shape
        side = width * block
        slots = self._slots(near)
        known = slots >= 0
        direct = np.where(known[..., None, None], self.out[near[:, None], slots], self.unreached)
        here = self.inside[near]
        for one in range(width):
            direct[one, one] = here[one]
        # (neighbour, layer, neighbour, layer, cell): a table from each state around the cell to each.
        direct = np.ascontiguousarray(direct.transpose(0, 3, 1, 4, 2)).reshape(side, side, count)
        best = direct.copy()
        work = np.empty_like(best)
        for middle in range(side):
            np.add(direct[:, middle, None], direct[None, middle], out=work)
            np.minimum(best, work, out=best)
        through = back[:, :, 0, None, None] + out[None, None, :, 0]
        for layer in range(1, block):
            np.minimum(through, back[:, :, layer, None, None] + out[None, None, :, layer], out=through)
        through = through.reshape(side, side, count)
        source, target, cell = np.nonzero(through < best)
        price = through[source, target, cell]
        (source, from_layer), (target, to_layer) = divmod(source, block), divmod(target, block)
        slot = slots[source, target, cell]
        again = slots[target, source, cell]
        first, then = near[source, cell], near[target, cell]
        old = slot >= 0
        np.minimum.at(self.out, (first[old], slot[old], from_layer[old], to_layer[old]), price[old])
        np.minimum.at(self.back, (then[old], again[old], from_layer[old], to_layer[old]), price[old])
        new = ~old
        return first[new].astype(np.int64), from_layer[new], then[new].astype(np.int64), to_layer[new], price[new]

    def _slots(self, near: Ints) -> Ints:
        """Return where in the row of a neighbour another one stands, -1 if nowhere: (neighbour, neighbour, cell)."""
        width, count = near.shape
        slots = np.full((width, width, count), -1, np.int16)
        sought = np.where(near < len(self.names) - 1, near, -1)
        for slot in range(int(self.used[near].max())):
            np.copyto(slots, slot, where=self.near[near, slot][:, None] == sought)
        return slots

    def _renumber(self) -> None:
        """Keep only the rows of the cells left, and in them only neighbours left."""
        rows = len(self.left)
        number = np.full(len(self.names), rows, np.int32)
        number[self.left] = np.arange(rows)
        width = int(self.used[self.left].max(initial=0))
        before = self.near[self.left, :width]
        alive = ~self.gone[before]
        row, slot = np.nonzero(alive)
        to = (np.cumsum(alive, axis=1) - 1)[row, slot]
        out, back = (costs[self.left[row], slot] for costs in (self.out, self.back))
        kept = np.append(self.left, len(self.names) - 1)
        self.names, self.degree, self.depth = self.names[kept], self.degree[kept], self.depth[kept]
        self.dice, self.inside, self.gone = self.dice[kept], self.inside[kept], self.gone[kept]
        self.used = self.degree.copy()
        self.near, self.out, self.back = self._rows(rows, int(self.degree.max(initial=0)) + 8)
        self.near[row, to] = number[before[row, slot]]
        self.out[row, to], self.back[row, to] = out, back
        self.left = np.arange(rows)

    # --- the end ---

    def core_table(self) -> Ints:
        """Return the costs between all states left: the cells of the first layer, then of the second."""
        self._renumber()
        count, block = len(self.left), self.block
        table = np.full((block, count, block, count), self.unreached, self.dtype)
        row, slot = np.nonzero(self.near[:count] < count)
        other = self.near[row, slot]
        for one in range(block):
            for then in range(block):
                table[one, row, then, other] = self.out[row, slot, one, then]
                table[one, range(count), then, range(count)] = self.inside[:count, one, then]
        whole = table.reshape(block * count, block * count)
        for middle in range(len(whole)):
            np.minimum(whole, whole[:, middle, None] + whole[None, middle], out=whole)
        return whole


def _closed(inside: Ints) -> Ints:
    """Return the least costs from layer to layer of each cell, by any number of steps inside it."""
    closed = inside.copy()
    for middle in range(inside.shape[1]):
        np.minimum(closed, closed[:, :, middle, None] + closed[:, None, middle], out=closed)
    return closed


def _after(back: Ints, inside: Ints, unreached: int) -> Ints:
    """Return the costs of arriving (neighbour, from, to, cell) and then moving inside the cell."""
    if inside.shape[0] == 1:
        return back
    after = back.copy()
    for middle in range(inside.shape[0]):
        np.minimum(after, back[:, :, middle, None] + inside[middle], out=after)
    return np.minimum(after, unreached, out=after)
