"""Tables of columns: named tuples of arrays of one length, some of which may be tables themselves.

>>> from typing import NamedTuple
>>> class Places(NamedTuple):
...     x: np.ndarray
...     y: np.ndarray
>>> places = Places(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
>>> rows_of(places, np.array([0, 2])).y.tolist()
[4.0, 6.0]
>>> joined([places, places]).x.tolist()
[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray

Rows = IntArray | BoolArray | slice
TableT = TypeVar("TableT", bound=tuple[Any, ...])


def rows_of(table: TableT, rows: Rows) -> TableT:
    """Return some rows of a table."""
    return _table(table, (rows_of(column, rows) if isinstance(column, tuple) else column[rows] for column in table))


def joined(tables: Sequence[TableT]) -> TableT:
    """Return several tables as one, one below the other."""
    if len(tables) == 1:
        return tables[0]
    columns = (
        joined(column) if isinstance(column[0], tuple) else np.concatenate(column)
        for column in zip(*tables, strict=True)
    )
    return _table(tables[0], columns)


def _table(like: TableT, columns: Iterable[Any]) -> TableT:
    return type(like)(*columns) if hasattr(like, "_fields") else type(like)(columns)
