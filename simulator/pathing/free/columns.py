"""Tables of columns: named tuples whose fields are arrays of one length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from simulator.pathing.free.obstacles import Bools, Ints

Table = TypeVar("Table", bound="tuple[Any, ...]")


def pick(table: Table, which: Ints | Bools | slice) -> Table:
    """Return some of the rows: by number, by mask or as a slice."""
    make: Any = type(table)
    picked: Table = make(*(column[which] for column in table))
    return picked


def join(tables: Sequence[Table]) -> Table:
    """Return several tables as one."""
    make: Any = type(tables[0])
    joined: Table = make(*(np.concatenate(columns) for columns in zip(*tables, strict=True)))
    return joined


def sorted_once(numbers: Ints) -> Ints:
    """Return the different numbers, sorted. For whole numbers that come in runs this is faster than hashing them."""
    ordered = np.sort(numbers)
    once: Ints = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)]]
    return once
