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

_ONE, _LAST, _WORD = np.uint64(1), np.uint64(63), np.uint64(64)
#: A word of eight bytes of one.
_EVERY = np.uint64(0x0101010101010101)
#: So many bits of the counts are there at first, where there may be any number.
_FIRST_BITS = 10
#: The bits of each byte as eight bytes, in one word.
_EIGHT = np.unpackbits(np.arange(256, dtype=np.uint8), bitorder="little").view("<u8")


@_compiled
def _moves(sets: Any, size: int, table: Any, level: int, across: int, lanes: int, begin: int, length: int) -> None:
    """Compute sets that are made of shifted ones: of three at a time by whole words, of two at a time by any bits."""
    for line in range(len(table)):
        is_first, whole = table[line, 2] != 0, table[line, 3]
        out = np.uint64((table[line, 0] + (level & table[line, 1])) * size + begin)
        shift, other_shift = across * table[line, 5] + table[line, 6], across * table[line, 8] + table[line, 9]
        one = np.uint64(table[line, 4] * size + begin - (shift >> 6) * lanes)
        other = np.uint64(table[line, 7] * size + begin - (other_shift >> 6) * lanes)
        if whole:
            third = np.uint64(table[line, 10] * size + begin - (across * table[line, 11] >> 6) * lanes)
            if not is_first:
                for i in range(np.uint64(length)):
                    sets[out + i] |= sets[one + i] | sets[other + i] | sets[third + i]
            elif whole == 3:
                for i in range(np.uint64(length)):
                    sets[out + i] = sets[one + i] | sets[other + i] | sets[third + i]
            else:
                for i in range(np.uint64(length)):
                    sets[out + i] = sets[one + i] | sets[other + i]
            continue
        # Bits leave each word for the next one. A shift of 64 bits is none at all, hence it is made in two.
        up, other_up, back = np.uint64(shift & 63), np.uint64(other_shift & 63), np.uint64(lanes)
        down, other_down = _LAST - up, _LAST - other_up
        kept = np.uint64(0) if is_first else ~np.uint64(0)
        for i in range(np.uint64(length)):
            here = sets[one + i] << up | sets[one + i - back] >> down >> _ONE
            there = sets[other + i] << other_up | sets[other + i - back] >> other_down >> _ONE
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
def _spread(table: Any, line: int, term: int, size: int, level: int, begin: int) -> Any:
    """Return where the spread begins that may arrive by a term of a line: the one of so many levels ago."""
    column = 3 * term
    ago = table[line, column + 2]
    return np.uint64((table[line, column] + ((level - ago) & table[line, column + 1])) * size + begin)


@_compiled
def _arrivals(sets: Any, size: int, single: Any, double: Any, level: int, begin: int, length: int) -> bool:
    """Add what arrives at a level, by one spread or by either of two; return whether anything is new.

    Both loops are written out, with so few sets in each that they run in vectors.
    """
    new = np.uint64(0)
    for line in range(len(single)):
        layer = np.uint64(single[line, 12] * size + begin)
        ground_1 = np.uint64(single[line, 13] * size + begin)
        ground_2 = np.uint64(single[line, 14] * size + begin)
        ground_3 = np.uint64(single[line, 15] * size + begin)
        ground_4 = np.uint64(single[line, 16] * size + begin)
        spread_1 = _spread(single, line, 0, size, level, begin)
        spread_2 = _spread(single, line, 1, size, level, begin)
        spread_3 = _spread(single, line, 2, size, level, begin)
        spread_4 = _spread(single, line, 3, size, level, begin)
        for i in range(np.uint64(length)):
            before = sets[layer + i]
            after = before | sets[ground_1 + i] & sets[spread_1 + i] | sets[ground_2 + i] & sets[spread_2 + i]
            after |= sets[ground_3 + i] & sets[spread_3 + i] | sets[ground_4 + i] & sets[spread_4 + i]
            new |= before ^ after
            sets[layer + i] = after
    for line in range(len(double)):
        layer = np.uint64(double[line, 12] * size + begin)
        ground_1 = np.uint64(double[line, 13] * size + begin)
        ground_2 = np.uint64(double[line, 14] * size + begin)
        spread_1 = _spread(double, line, 0, size, level, begin)
        other_1 = _spread(double, line, 1, size, level, begin)
        spread_2 = _spread(double, line, 2, size, level, begin)
        other_2 = _spread(double, line, 3, size, level, begin)
        for i in range(np.uint64(length)):
            before = sets[layer + i]
            after = before | sets[ground_1 + i] & (sets[spread_1 + i] | sets[other_1 + i])
            after |= sets[ground_2 + i] & (sets[spread_2 + i] | sets[other_2 + i])
            new |= before ^ after
            sets[layer + i] = after
    return bool(new != 0)


@_compiled
def _cut(
    sets: Any, size: int, begin: int, lanes: int, board: Any, top: int, left: int, height: int, words: int
) -> None:
    """Copy a window of every mask of the board to one lane; beyond the board nothing is open."""
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
                sets[mask * size + begin + (row * words + word) * lanes] = found


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
def _unpack(
    octets: Any, size: int, layout: Layout, rows: Any, first_row: int, lanes: int, costs: Any, shape: Any
) -> None:
    """Write the number of levels at which each cell is not reached, row by row of all lanes, eight cells at a time.

    `costs` (lanes, layers or 1, rows, bytes) hold the bytes of each cell, the lowest first.
    """
    height, words, levels, each = shape
    kept, length, columns = costs.shape[1], 8 * words * lanes, costs.shape[3] // each
    counts = np.empty(length, np.uint64)
    cells = counts.view(np.uint8)
    for layer in range(kept):
        for row in range(height):
            place = np.uint64(8 * ((layout.unused + layer) * size + first_row) + row * length)
            for byte in range(each):
                counts[:] = np.uint64(levels >> 8 * byte & 255) * _EVERY
                bit = 0
                while bit < 8 and levels >> (8 * byte + bit):
                    if rows[0] <= row < rows[1]:
                        shift = np.uint64(bit)
                        for i in range(np.uint64(length)):
                            counts[i] ^= _EIGHT[octets[place + i]] << shift
                    place += np.uint64(8 * kept * size)
                    bit += 1
                for lane in range(len(costs)):
                    for word in range(words):
                        first = 64 * (word * lanes + lane)
                        if each == 1:  # nearly always, and then they are copied as they lie
                            for i in range(min(64, columns - 64 * word)):
                                costs[lane, layer, row, 64 * word + i] = cells[first + i]
                        else:
                            for i in range(min(64, columns - 64 * word)):
                                costs[lane, layer, row, (64 * word + i) * each + byte] = cells[first + i]


@_compiled
def levels(
    layout: Layout, board: Any, windows: Any, starts: Any, opened: Any, far: Any, costs: Any, shape: Any, lanes: int
) -> int:
    """Answer queries, so many side by side, in the bytes of `costs`; return the number for "not reached".

    Of each set the same words of all queries that are answered together, its lanes, lie next to each other.
    `board` holds the masks (mask, row, words of 64 columns), `windows` the first row and column of each query in it,
    `starts` query, layer, row, column and price, sorted by query and price, `opened` the query, mask, row and column
    of starts that are not passable, `far` the most rows of a step, the words that it may cross, and the most levels
    back that anything is read, `shape` the rows of a window, its words, the most levels, and the bytes of a cell.
    """
    height, words, last_level, each = shape
    layers, doors, pieces, spreads, arrivals, free, mask, planes = layout
    kept, across = costs.shape[1], 64 * words
    is_alone = lanes >= len(windows)
    bits = 0
    while last_level >> bits and not (is_alone and bits == _FIRST_BITS):
        bits += 1
    first_row, row_size = far[1] * lanes, words * lanes
    size = height * row_size + 2 * first_row
    sets = np.zeros((planes + bits * kept) * size, np.uint64)
    waiting = np.zeros((lanes, 2), np.int64)  # the next start of each lane, and the end of its starts
    last = open_ = 0
    for group in range(0, len(windows), lanes):
        if group:
            sets[:] = 0
        low, high, to_come = height, 0, 0
        beyond = min(group + lanes, len(windows))
        for query in range(group, beyond):
            lane, top, left = query - group, windows[query, 0], windows[query, 1]
            _cut(sets, size, mask * size + first_row + lane, lanes, board, top, left, height, words)
            while open_ < len(opened) and opened[open_, 0] == query:
                row, col = opened[open_, 2] - top, opened[open_, 3] - left
                word = first_row + (row * words + (col >> 6)) * lanes + lane
                sets[(mask + opened[open_, 1]) * size + word] |= _ONE << np.uint64(col & 63)
                open_ += 1
            waiting[lane, 0] = last
            while last < len(starts) and starts[last, 0] == query:
                low, high = min(low, starts[last, 2] - top), max(high, starts[last, 2] - top + 1)
                last += 1
            waiting[lane, 1] = last
            to_come += last - waiting[lane, 0]
        if len(free[0]) or len(free[1]):  # free steps can lead anywhere within a level
            low, high = 0, height
        level = unchanged = 0
        while level < last_level and (to_come or unchanged < far[2]):
            unchanged += 1
            for query in range(group, beyond if to_come else group):
                lane, top, left = query - group, windows[query, 0], windows[query, 1]
                start = waiting[lane, 0]
                while start < waiting[lane, 1] and starts[start, 4] == level:
                    row, col = starts[start, 2] - top, starts[start, 3] - left
                    word = first_row + (row * words + (col >> 6)) * lanes + lane
                    sets[starts[start, 1] * size + word] |= _ONE << np.uint64(col & 63)
                    start += 1
                    to_come -= 1
                    unchanged = 0
                waiting[lane, 0] = start
            upper, lower = max(low - far[0], 0), min(high + far[0], height)
            begin, length = first_row + upper * row_size, (lower - upper) * row_size
            if _arrivals(sets, size, arrivals[0], arrivals[1], level, begin, length):
                unchanged = 0
            more = True
            while more:
                while upper < low and _is_empty(sets, size, layers, first_row + upper * row_size, row_size):
                    upper += 1
                while lower > high and _is_empty(sets, size, layers, first_row + (lower - 1) * row_size, row_size):
                    lower -= 1
                low, high = upper, lower
                begin, length = first_row + low * row_size, (high - low) * row_size
                _doors(sets, size, doors, begin, length)
                _moves(sets, size, pieces, level, across, lanes, begin, length)
                upper, lower = max(low - far[0], 0), min(high + far[0], height)
                begin, length = first_row + upper * row_size, (lower - upper) * row_size
                _moves(sets, size, spreads, level, across, lanes, begin, length)
                more = _arrivals(sets, size, free[0], free[1], level, begin, length)
                if more:
                    unchanged = 0
            if (level + 1) >> bits:
                wider = np.zeros((planes + (bits + _FIRST_BITS) * kept) * size, np.uint64)
                wider[: len(sets)] = sets
                sets = wider
                bits += _FIRST_BITS
            begin, length = first_row + low * row_size, (high - low) * row_size
            _count(sets, size, layout, kept, level ^ (level + 1), begin, length)
            level += 1
        if is_alone:
            last_level = level
        rest = 0  # the bits of the count that the levels left out would change, though nothing else changes
        for bit in range(bits):
            rest |= (((last_level >> bit) - (level >> bit)) & 1) << bit
        _count(sets, size, layout, kept, rest, first_row + low * row_size, (high - low) * row_size)
        shape = height, words, last_level, each
        _unpack(sets.view(np.uint8), size, layout, (low, high), first_row, lanes, costs[group:beyond], shape)
    return int(last_level)


# --- buckets ---


@_compiled
def _wider(queue: Any) -> Any:
    """Return the same queue with room for twice as many states in each bucket."""
    wider = np.empty((queue.shape[0], 2 * queue.shape[1]), queue.dtype)
    wider[:, : queue.shape[1]] = queue
    return wider


@_compiled
def buckets(
    prices: Any, steps: Any, board: Any, window: Any, costs: Any, begun: Any, unreached: int, width: int, ring: int
) -> None:
    """Lower the costs of all states of a window until no step makes one cheaper.

    `prices` are those of the steps of each state of the board (state, step), the highest number for a step that cannot
    be made; `steps` say how many layers, rows and columns further each leads (layer, step, axis). `board` are the
    rows and columns of the board, `window` its first row and column and its rows and columns. `costs` hold what is
    paid for the states `begun`, ascending, and elsewhere `unreached`: no state gets a cost that is not below it, and
    no step that costs less leads out of the window. A bucket holds costs of some `width`, and from no bucket does a
    step lead beyond the next `ring` of them.
    """
    never = np.iinfo(prices.dtype).max
    row_size, cells = np.uint32(window[3]), np.uint32(window[2] * window[3])
    is_whole = window[2] == board[0] and window[3] == board[1]
    far = np.empty((len(steps), steps.shape[1]), np.int64)
    for layer in range(len(steps)):
        for step in range(steps.shape[1]):
            layers, rows, cols = steps[layer, step]
            far[layer, step] = (layers * window[2] + rows) * window[3] + cols
    queue = np.empty((ring, 256), np.int32)
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
            here = np.uint32(state) // cells  # its layer
            line = np.int64(state)
            if not is_whole:
                cell = np.uint32(state) - here * cells
                row = cell // row_size
                place = here * np.uint32(board[0]) + row + np.uint32(window[0])
                line = np.int64(place * np.uint32(board[1]) + (cell - row * row_size) + np.uint32(window[1]))
            for step in range(prices.shape[1]):
                price = prices[line, step]
                if price == never:
                    continue
                offered = paid + np.int64(price)
                if offered >= unreached:
                    continue
                there = state + far[here, step]
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
