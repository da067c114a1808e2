"""The compiled loops, by numba. Only `fast` imports this module, when that pays.

`levels` runs a program of levels (`fast_levels` lays it out) on words of 64 bits; `buckets` takes single states from a
queue of buckets (`fast_buckets`). Both read what they are given, write one array of costs, and hold no lock meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np

from simulator.pathing.kernel.fast_levels import Layout

_Function = TypeVar("_Function", bound=Callable[..., Any])

#: Why compiled code cannot be kept on this machine for the next process; empty: it is kept.
not_kept = ""


def _compiled(function: _Function) -> _Function:
    """Compile a function when it is first called; keep the code on disk where there is a place for it."""
    global not_kept
    options: dict[str, Any] = {"nogil": True, "boundscheck": False, "error_model": "numpy"}
    try:
        compiled: _Function = numba.njit(cache=True, **options)(function)
    except RuntimeError as error:  # neither the folder of this file nor that of the user can be written to
        not_kept = str(error)
        compiled = numba.njit(**options)(function)
    return compiled


# --- levels ---

_ONE, _LAST, _WORD, _BYTE = np.uint64(1), np.uint64(63), np.uint64(64), np.uint64(255)
#: The bits of each byte as eight bytes, in one word.
_EIGHT = np.unpackbits(np.arange(256, dtype=np.uint8), bitorder="little").view("<u8")


@_compiled
def _moves(sets: Any, size: int, table: Any, level: int, across: int, begin: int, length: int) -> None:
    """Compute sets that are made of shifted ones, two at a time."""
    for line in range(len(table)):
        out = np.uint64((table[line, 0] + (level & table[line, 1])) * size + begin)
        shift, other_shift = across * table[line, 4] + table[line, 5], across * table[line, 7] + table[line, 8]
        one = np.uint64(table[line, 3] * size + begin - (shift >> 6))
        other = np.uint64(table[line, 6] * size + begin - (other_shift >> 6))
        if (shift | other_shift) & 63 == 0:
            if table[line, 2]:
                for i in range(np.uint64(length)):
                    sets[out + i] = sets[one + i] | sets[other + i]
            else:
                for i in range(np.uint64(length)):
                    sets[out + i] |= sets[one + i] | sets[other + i]
            continue
        # Bits leave each word for the next one. A shift of 64 bits is none at all, hence it is made in two.
        up, other_up = np.uint64(shift & 63), np.uint64(other_shift & 63)
        down, other_down = _LAST - up, _LAST - other_up
        kept = np.uint64(0) if table[line, 2] else ~np.uint64(0)
        for i in range(np.uint64(length)):
            here = sets[one + i] << up | sets[one + i - _ONE] >> down >> _ONE
            there = sets[other + i] << other_up | sets[other + i - _ONE] >> other_down >> _ONE
            sets[out + i] = sets[out + i] & kept | here | there


@_compiled
def _doors(sets: Any, size: int, table: Any, begin: int, length: int) -> None:
    """Compute what may be left through each door."""
    for line in range(len(table)):
        out = np.uint64(table[line, 0] * size + begin)
        reached = np.uint64(table[line, 1] * size + begin)
        door = np.uint64(table[line, 2] * size + begin)
        for i in range(np.uint64(length)):
            sets[out + i] = sets[reached + i] & sets[door + i]


@_compiled
def _arrivals(sets: Any, size: int, table: Any, level: int, begin: int, length: int) -> bool:
    """Add what arrives at a level; return whether anything is new."""
    new = np.uint64(0)
    for line in range(len(table)):
        layer = np.uint64(table[line, 0] * size + begin)
        ground = np.uint64(table[line, 1] * size + begin)
        one = np.uint64((table[line, 2] + ((level - table[line, 4]) & table[line, 3])) * size + begin)
        other = np.uint64((table[line, 5] + ((level - table[line, 7]) & table[line, 6])) * size + begin)
        for i in range(np.uint64(length)):
            before = sets[layer + i]
            after = before | (sets[ground + i] & (sets[one + i] | sets[other + i]))
            new |= before ^ after
            sets[layer + i] = after
    return bool(new != 0)


@_compiled
def _cut(sets: Any, size: int, begin: int, board: Any, top: int, left: int, height: int, words: int) -> None:
    """Copy a window of every mask of the board; beyond the board nothing is open."""
    rows, row_words = board.shape[1], board.shape[2]
    bits, first = np.uint64(left & 63), left >> 6
    for mask in range(board.shape[0]):
        for row in range(max(0, -top), min(height, rows - top)):
            for word in range(words):
                here = first + word
                found = np.uint64(0)
                if 0 <= here < row_words:
                    found = board[mask, row + top, here] >> bits
                if bits != 0 and 0 <= here + 1 < row_words:
                    found |= board[mask, row + top, here + 1] << (_WORD - bits)
                sets[mask * size + begin + row * words + word] = found


@_compiled
def _is_empty(sets: Any, size: int, layers: int, begin: int, length: int) -> bool:
    """Whether nothing is reached in some words of any layer."""
    found = np.uint64(0)
    for layer in range(layers):
        for i in range(length):
            found |= sets[np.uint64(layer * size + begin + i)]
    return bool(found == 0)


@_compiled
def _count(sets: Any, size: int, layout: Layout, kept: int, changed: int, begin: int, length: int) -> None:
    """Change some bits of the count of levels at which a cell is reached: in each layer, or in any of them."""
    layers, planes = layout.layers, layout.unused
    counted = 0
    if kept < layers:
        counted = planes - 1
        into = np.uint64(counted * size + begin)
        for i in range(np.uint64(length)):
            sets[into + i] = sets[np.uint64(begin) + i]
        for layer in range(1, layers):
            first = np.uint64(layer * size + begin)
            for i in range(np.uint64(length)):
                sets[into + i] |= sets[first + i]
    bit = 0
    while changed >> bit:
        if changed >> bit & 1:
            for layer in range(kept):
                into = np.uint64((planes + bit * kept + layer) * size + begin)
                first = np.uint64((counted + layer) * size + begin)
                for i in range(np.uint64(length)):
                    sets[into + i] ^= sets[first + i]
        bit += 1


@_compiled
def _unpack(sets: Any, size: int, kept: int, planes: int, bits: int, begin: int, costs: Any, shape: Any) -> None:
    """Write the number of levels at which each cell is not reached, eight cells at a time."""
    height, words, eights, levels = shape
    for layer in range(kept):
        for row in range(height):
            for eight in range(eights):
                i = begin + row * words + (eight >> 3)
                place = np.uint64(8 * (eight & 7))
                cost = np.uint64(0)
                for bit in range(bits):
                    plane = sets[np.uint64((planes + bit * kept + layer) * size + i)] >> place
                    if levels >> bit & 1:
                        plane = ~plane
                    cost |= _EIGHT[plane & _BYTE] << np.uint64(bit)
                costs[layer, row, eight] = cost


@_compiled
def levels(
    layout: Layout, board: Any, windows: Any, starts: Any, opened: Any, far: Any, costs: Any, shape: Any
) -> None:
    """Answer queries one by one, in `costs` (queries, layers or 1, rows, eights of columns): a byte for each cell.

    `board` holds the masks (mask, row, words of 64 columns), `windows` the first row and column of each query in it,
    `starts` query, layer, row, column and price, sorted by query and price, `opened` the query, mask, row and column
    of starts that are not passable, `far` the most rows of a step, the words that it may cross, and the most levels
    back that anything is read, `shape` the rows of a window, its words and eights, and the number of levels.
    """
    height, words, last_level = shape[0], shape[1], shape[3]
    layers, doors, pieces, spreads, arrivals, free, mask, planes = layout
    kept, bits, across = costs.shape[1], 0, 64 * words
    while last_level >> bits:
        bits += 1
    size = height * words + 2 * far[1]
    sets = np.zeros((planes + bits * kept) * size, np.uint64)
    start = open_ = 0
    for query in range(len(windows)):
        if query:
            sets[:] = 0
        top, left = windows[query, 0], windows[query, 1]
        _cut(sets, size, mask * size + far[1], board, top, left, height, words)
        while open_ < len(opened) and opened[open_, 0] == query:
            row, col = opened[open_, 2] - top, opened[open_, 3] - left
            sets[(mask + opened[open_, 1]) * size + far[1] + row * words + (col >> 6)] |= _ONE << np.uint64(col & 63)
            open_ += 1
        low, high = height, 0
        last = start
        while last < len(starts) and starts[last, 0] == query:
            low, high = min(low, starts[last, 2] - top), max(high, starts[last, 2] - top + 1)
            last += 1
        if len(free):  # free steps can lead anywhere within a level
            low, high = 0, height
        level = unchanged = 0
        while level < last_level and (start < last or unchanged < far[2]):
            unchanged += 1
            while start < last and starts[start, 4] == level:
                row, col = starts[start, 2] - top, starts[start, 3] - left
                sets[starts[start, 1] * size + far[1] + row * words + (col >> 6)] |= _ONE << np.uint64(col & 63)
                start += 1
                unchanged = 0
            upper, lower = max(low - far[0], 0), min(high + far[0], height)
            if _arrivals(sets, size, arrivals, level, far[1] + upper * words, (lower - upper) * words):
                unchanged = 0
            more = True
            while more:
                while upper < low and _is_empty(sets, size, layers, far[1] + upper * words, words):
                    upper += 1
                while lower > high and _is_empty(sets, size, layers, far[1] + (lower - 1) * words, words):
                    lower -= 1
                low, high = upper, lower
                begin, length = far[1] + low * words, (high - low) * words
                _doors(sets, size, doors, begin, length)
                _moves(sets, size, pieces, level, across, begin, length)
                upper, lower = max(low - far[0], 0), min(high + far[0], height)
                begin, length = far[1] + upper * words, (lower - upper) * words
                _moves(sets, size, spreads, level, across, begin, length)
                more = _arrivals(sets, size, free, level, begin, length)
                if more:
                    unchanged = 0
            _count(sets, size, layout, kept, level ^ (level + 1), far[1] + low * words, (high - low) * words)
            level += 1
        rest = 0  # the bits of the count that the levels left out would change, though nothing else changes
        for bit in range(bits):
            rest |= (((last_level >> bit) - (level >> bit)) & 1) << bit
        _count(sets, size, layout, kept, rest, far[1] + low * words, (high - low) * words)
        _unpack(sets, size, kept, planes, bits, far[1], costs[query], shape)
        start = last


# --- buckets ---


@_compiled
def _wider(queue: Any) -> Any:
    """Return the same queue with room for twice as many states in each bucket."""
    wider = np.empty((queue.shape[0], 2 * queue.shape[1]), queue.dtype)
    wider[:, : queue.shape[1]] = queue
    return wider


@_compiled
def buckets(prices: Any, far: Any, costs: Any, begun: Any, unreached: int, width: int, ring: int) -> None:
    """Lower the costs of all states until no step makes one cheaper.

    `prices` are those of the steps of each state (state, step), the highest number for a step that cannot be made,
    `far` says how much higher the number of the state is to which it leads (layer, step). `costs` hold what is paid
    for the states `begun`, ascending, and elsewhere `unreached`: no state gets a cost that is not below it. A bucket
    holds costs of some `width`, and from no bucket does a step lead beyond the next `ring` of them.
    """
    never = np.iinfo(prices.dtype).max
    cells = np.uint32(len(costs) // len(far))
    queue = np.empty((ring, 1024), np.int32)
    filled = np.zeros(ring, np.int64)
    waiting = next_begun = 0
    first = np.int64(0)  # the least cost that belongs to this bucket
    now = 0
    while waiting > 0 or next_begun < len(begun):
        if waiting == 0:
            first = np.int64(costs[begun[next_begun]])
        while next_begun < len(begun) and costs[begun[next_begun]] < first + width:
            if filled[now] == queue.shape[1]:
                queue = _wider(queue)
            queue[now, filled[now]] = begun[next_begun]
            filled[now] += 1
            waiting += 1
            next_begun += 1
        taken = 0
        while taken < filled[now]:
            state = queue[now, taken]
            taken += 1
            paid = np.int64(costs[state])
            if paid < first:  # found cheaper after it was put here, and looked at already
                continue
            layer = np.uint32(state) // cells
            for step in range(prices.shape[1]):
                price = prices[state, step]
                if price == never:
                    continue
                there = state + far[layer, step]
                offered = paid + np.int64(price)
                before = np.int64(costs[there])
                if offered >= before:
                    continue
                costs[there] = offered
                ahead = np.uint32(offered - first)
                if width > 1:
                    ahead //= np.uint32(width)
                if ahead > 0 and before != unreached and before < first + (np.int64(ahead) + 1) * width:
                    continue  # it waits there already
                into = now + np.int64(ahead)
                if into >= ring:
                    into -= ring
                if filled[into] == queue.shape[1]:
                    queue = _wider(queue)
                queue[into, filled[into]] = there
                filled[into] += 1
                waiting += 1
        waiting -= filled[now]
        filled[now] = 0
        first += width
        now = now + 1 if now + 1 < ring else 0
