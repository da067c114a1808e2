"""Tables of columns: named tuples whose fields are arrays of one length, or such tables themselves.

>>> from typing import NamedTuple
>>> class Places(NamedTuple):
...     x: NDArray[np.float64]
...     y: NDArray[np.float64]
>>> places = Places(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
>>> pick(places, np.array([0, 2])).y.tolist()
[4.0, 6.0]
>>> join([places, places]).x.tolist()
[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.intp]
Rows: TypeAlias = Numbers | NDArray[np.bool_] | slice
Table = TypeVar("Table", bound="tuple[Any, ...]")
#: The steps of a key by which rows of a group are distinguished in the search for the first of them.
_BINS = 256


def pick(table: Table, which: Rows) -> Table:
    """Return some of the rows: by number, by mask or as a slice."""
    if isinstance(which, slice):
        return _like(table, [pick(one, which) if isinstance(one, tuple) else one[which] for one in table])
    rows: Numbers = np.flatnonzero(which) if which.dtype == np.bool_ else which.astype(np.intp, copy=False)
    return _taken(table, rows)


def _taken(table: Table, rows: Numbers) -> Table:
    return _like(table, [_taken(one, rows) if isinstance(one, tuple) else one.take(rows, axis=0) for one in table])


def join(tables: Sequence[Table]) -> Table:
    """Return several tables as one."""
    together = zip(*tables, strict=True)
    return _like(
        tables[0], [join(columns) if isinstance(columns[0], tuple) else np.concatenate(columns) for columns in together]
    )


def _like(table: Table, columns: list[Any]) -> Table:
    make: Any = getattr(type(table), "_make", type(table))
    made: Table = make(columns)
    return made


def sorted_once(numbers: Numbers) -> Numbers:
    """Return the different numbers, sorted. For whole numbers that come in runs this is faster than hashing them."""
    ordered = np.sort(numbers)
    once: Numbers = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]]
    return once


def nth_rows(counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return a number of rows for each of some others: which one they are for, and how many come before them.

    >>> [column.tolist() for column in nth_rows(np.array([2, 0, 3]))]
    [[0, 0, 2, 2, 2], [0, 1, 0, 1, 2]]
    """
    of = np.repeat(np.arange(len(counts)), counts)
    return of, np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)


def nth_of_equals(ordered: Numbers) -> Numbers:
    """Return for each of some sorted numbers how many equal ones come before it.

    >>> nth_of_equals(np.array([3, 3, 5, 5, 5])).tolist()
    [0, 1, 0, 1, 2]
    """
    found: Numbers = np.arange(len(ordered)) - np.searchsorted(ordered, ordered, side="left")
    return found


def among_first(groups: Numbers, key: NDArray[np.float64], many: int) -> Numbers:
    """Return, in order, rows that include the first ones of each group by a key, and few others; nothing is sorted.

    >>> among_first(np.array([0, 1, 0, 1, 0]), np.array([4.0, 7.0, 1.0, 9.0, 2.5]), 1).tolist()
    [1, 2]
    """
    least, most = key.min(), key.max()
    if most == least:
        return np.arange(len(key))
    bin_ = np.minimum((key - least) / (most - least) * _BINS, _BINS - 1.0).astype(np.intp)
    held = np.bincount(groups * _BINS + bin_, minlength=(int(groups.max()) + 1) * _BINS).reshape(-1, _BINS)
    last = np.sum(np.cumsum(held, axis=1) < many, axis=1)
    found: Numbers = np.flatnonzero(bin_ <= last[groups])
    return found


def in_lots(group: Numbers, many: int) -> Iterator[Numbers]:
    """Yield the rows of some whole groups after the others, ascending: a lot is complete once it has so many rows.

    >>> [rows.tolist() for rows in in_lots(np.array([4, 0, 4, 2, 0, 2]), 3)]
    [[1, 3, 4, 5], [0, 2]]
    """
    lot = lots_of(np.bincount(group), many)
    order = np.argsort(lot[group], kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(lot[group[order]])) + 1):
        if len(rows):
            yield rows


def lots_of(sizes: Numbers, many: int) -> Numbers:
    """Return for each of some groups the number of its lot: a lot is complete once it has so many rows.

    >>> lots_of(np.array([1, 0, 2, 0, 2]), 3).tolist()
    [0, 0, 0, 1, 1]
    """
    found: Numbers = (np.cumsum(sizes) - sizes) // many
    return found


def pairs_of_equals(some: Numbers, ascending: Numbers) -> tuple[Numbers, Numbers]:
    """Return all pairs of rows with the same number: of some, and of others that ascend.

    >>> [rows.tolist() for rows in pairs_of_equals(np.array([7, 3, 5]), np.array([3, 7, 7, 9]))]
    [[0, 0, 1], [1, 2, 0]]
    """
    low, high = (np.searchsorted(ascending, some, side="left"), np.searchsorted(ascending, some, side="right"))
    row = np.repeat(np.arange(len(some)), high - low)
    return row, np.arange(len(row)) + np.repeat(low - (np.cumsum(high - low) - (high - low)), high - low)


def sums_before(group: Numbers, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each row of groups, numbers that come in runs, the sum of the values before it in its group.

    A sum does not depend on the groups beside, not even by its rounding.

    >>> sums_before(np.array([3, 3, 3, 7, 7]), np.array([1.0, 2.0, 4.0, 5.0, 6.0])).tolist()
    [0.0, 1.0, 3.0, 0.0, 5.0]
    """
    opens = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])[: len(group)])
    sizes = np.diff(np.append(opens, len(group)))
    run = np.repeat(np.arange(len(opens)), sizes)
    nth = np.arange(len(group)) - np.repeat(opens, sizes)
    sums = np.zeros((len(opens), int(sizes.max(initial=0)) + 1))
    sums[run, nth + 1] = values
    found: NDArray[np.float64] = np.cumsum(sums, axis=1)[run, nth]
    return found


def distinct_rows(flags: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Numbers]:
    """Return the different rows of a table of flags, and which of them each row is.

    >>> rows, which = distinct_rows(np.array([[True, False], [False, False], [True, False]]))
    >>> rows.tolist(), which.tolist()
    ([[False, False], [True, False]], [1, 0, 1])
    """
    packed = np.packbits(flags, axis=1, bitorder="little")
    words = np.zeros((len(flags), -(-max(packed.shape[1], 1) // 8) * 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    keys = words.view(np.uint64)
    order = np.lexsort(keys.T)
    ordered = keys[order]
    opens = np.concatenate([[True], np.any(ordered[1:] != ordered[:-1], axis=1)])[: len(order)]
    which = np.empty(len(order), np.intp)
    which[order] = np.cumsum(opens) - 1
    return flags[order[opens]], which


def rows_once(rows: NDArray[np.float64]) -> tuple[Numbers, Numbers]:
    """Return the first row of each kind of a table of numbers, in ascending order, and which of them each row is like.

    >>> once, which = rows_once(np.array([[2.0, 1.0], [0.0, 5.0], [2.0, 1.0]]))
    >>> once.tolist(), which.tolist()
    ([1, 0], [1, 0, 1])
    """
    order = np.lexsort(rows.T[::-1])
    opens = np.concatenate([[True], np.any(rows[order[1:]] != rows[order[:-1]], axis=1)])[: len(order)]
    which = np.empty(len(order), np.intp)
    which[order] = np.cumsum(opens) - 1
    return order[opens], which


def pairs_of_equal_rows(some: NDArray[np.float64], others: NDArray[np.float64]) -> tuple[Numbers, Numbers]:
    """Return all pairs of equal rows, of two tables of numbers.

    >>> [rows.tolist() for rows in pairs_of_equal_rows(np.array([[1.0, 2.0]]), np.array([[3.0, 3.0], [1.0, 2.0]]))]
    [[0], [1]]
    """
    number = rows_once(np.concatenate([some, others]))[1]
    here, there = number[: len(some)], number[len(some) :]
    order = np.argsort(there, kind="stable")
    row, which = pairs_of_equals(here, there[order])
    return row, order[which]
