"""Arrays over the cells of a lattice: frozen, canonical, shifted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.errors import BoardError, NoPlace


def array_text(array: NDArray[Any]) -> str:
    """Describe the kind of an array, for error messages.

    >>> array_text(np.zeros((2, 3)))
    'an array of 2 x 3 float64'
    """
    return f"an array of {' x '.join(map(str, array.shape)) or 'one'} {array.dtype}"


def rows_of_two(places: ArrayLike, what: str) -> NDArray[Any]:
    """Return many places as rows of two finite numbers, none as no rows; raise NoPlace, which says `what` places are.

    >>> rows_of_two([], "places are pairs").shape
    (0, 2)
    """
    try:
        rows = np.asarray(places)
    except ValueError:  # of different lengths
        raise NoPlace(f"{what}; not rows of different lengths") from None
    if not rows.size and rows.ndim == 1:
        return np.empty((0, 2))
    if rows.ndim != 2 or rows.shape[1] != 2 or rows.dtype.kind not in "iuf" or not np.isfinite(rows).all():
        raise NoPlace(f"{what}; not {array_text(rows)}")
    return rows


def kind_numbers(codes: ArrayLike, kinds: Sequence[object]) -> NDArray[np.intp]:
    """Return the number of a kind for each cell as a board takes them, true and false as 1 and 0; raise BoardError.

    >>> kind_numbers([[True, False]], ["open", "wall"])
    array([[1, 0]])
    """
    try:
        numbers = np.asarray(codes)
    except ValueError:  # rows of different lengths
        raise BoardError("expected rows and columns of cells, and these rows differ in length", "codes") from None
    if numbers.ndim != 2 or not numbers.size or numbers.dtype.kind not in "biu":
        raise BoardError(f"expected whole numbers in rows and columns, not {array_text(numbers)}", "codes")
    if numbers.min() < 0 or numbers.max() >= len(kinds):
        raise BoardError(f"numbers kinds from 0 to {len(kinds) - 1}, not {numbers.min()} to {numbers.max()}", "codes")
    return numbers.astype(np.intp)


def shifted(array: NDArray[Any], down: int, across: int, beyond: Any = False) -> NDArray[Any]:
    """Return for every cell the value `down` rows and `across` columns away; `beyond` off the array.

    >>> shifted(np.array([[1, 2, 3]]), 0, 1, beyond=0)
    array([[2, 3, 0]])
    """
    rows, columns = array.shape
    seen = np.full_like(array, beyond)
    if abs(down) < rows and abs(across) < columns:
        to = (slice(max(0, -down), rows - max(0, down)), slice(max(0, -across), columns - max(0, across)))
        of = (slice(max(0, down), rows - max(0, -down)), slice(max(0, across), columns - max(0, -across)))
        seen[to] = array[of]
    return seen


def frozen_array(values: Any, dtype: Any, shape: tuple[int, ...], path: str) -> NDArray[Any]:
    """Return a read-only copy of an array; refuse a wrong shape and values that do not fit."""
    raw = np.asarray(values)
    if raw.shape != shape:
        raise BoardError(f"expected one value for each cell, shape {shape}, not {raw.shape}", path)
    array = np.array(raw, dtype=dtype)
    if not np.array_equal(array, raw):
        raise BoardError(f"holds a value that {np.dtype(dtype).name} cannot", path)
    array.setflags(write=False)
    return array


def canonical_terrain(
    kinds: tuple[str, ...], codes: NDArray[Any], on_board: NDArray[np.bool_] | None = None
) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """Keep only the kinds in use, sorted by name, so that equal boards have equal arrays."""
    if codes.size and (codes.min() < 0 or codes.max() >= len(kinds)):
        raise BoardError(f"codes must lie in 0..{len(kinds) - 1}, the kinds are {', '.join(kinds)}", "terrain")
    # Counted, as np.unique loads masked arrays, which takes longer than many a query.
    used = np.flatnonzero(np.bincount((codes if on_board is None else codes[on_board]).ravel().astype(np.intp)))
    ordered = sorted({kinds[code] for code in used})
    if len(ordered) > 255:
        raise BoardError(f"{len(ordered)} kinds of terrain, at most 255 fit on a board", "terrain")
    recode = np.zeros(len(kinds), np.uint8)
    for code in used:
        recode[code] = ordered.index(kinds[code])
    canonical = recode[codes]
    if on_board is not None:
        canonical[~on_board] = 0
    canonical.setflags(write=False)
    return tuple(ordered), canonical
