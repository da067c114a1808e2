"""Outlines for a page: whole numbers, relative steps, each different one kept once.

A number counts fifths of a pixel of the board at its usual size, which is finer than anybody sees. Few outlines are
written as path data. Those of reach are many, and most of a page: they are written ring by ring, as the same holes are
found in many of them, and in digits that the page makes paths of again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.board import Lattice
from simulator.views.svg import Sheet

#: How many numbers there are to a pixel.
FINENESS = 5
#: How far a simplified outline may lie from the true one, in pixels.
_TOLERANCE = 0.6
#: What steps are written with: five bits to a digit, the lowest first; the sixth says that more follow.
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_BITS, _MORE = 5, 32

Points = NDArray[np.float64]
#: A ring in whole numbers: where it begins, and the steps from there; rows x, y.
Steps = NDArray[np.int64]


@dataclass
class Pool:
    """Texts by number; the same text has the same number."""

    texts: list[str] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """Return the number of a text, a new one where it is new."""
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]


def outline(shape: BaseGeometry, sheet: Sheet, origin: tuple[float, float] = (0.0, 0.0)) -> str:
    """Write an area as path data, its corners relative to an origin on the sheet.

    >>> outline(shapely.box(0, 0, 2, 1), Sheet(0, 0, 0, 1, 10))
    'M0 50v-50h100v50z'
    """
    return "".join(_path(steps) for steps in _rings(shape, sheet, origin))


def _path(steps: Steps) -> str:
    words = [f"M{steps[0, 0]} {steps[0, 1]}"]
    for x, y in steps[1:].tolist():
        words.append(f"l{x} {y}" if x and y else f"h{x}" if x else f"v{y}")
    return "".join(words) + "z"


def packed(shape: BaseGeometry, sheet: Sheet) -> list[str]:
    """Write an area in digits, a text for each ring: where it begins, and the steps along it.

    >>> packed(shapely.box(0, 0, 2, 1), Sheet(0, 0, 0, 1, 10))
    ['AkDAjDoGAAkD']
    """
    return ["".join(map(_digits, steps.ravel().tolist())) for steps in _rings(shape, sheet)]


def _digits(number: int) -> str:
    """Write a whole number, its sign in the lowest bit.

    >>> [_digits(number) for number in (0, -1, 1, 15, 16, -16)]
    ['A', 'B', 'C', 'e', 'gB', 'f']
    """
    left, written = (2 * number if number >= 0 else -2 * number - 1), ""
    while left >= _MORE:
        written += DIGITS[left % _MORE + _MORE]
        left >>= _BITS
    return written + DIGITS[left]


def _rings(shape: BaseGeometry, sheet: Sheet, origin: tuple[float, float] = (0.0, 0.0)) -> Iterator[Steps]:
    """Yield the rings of an area, simplified: where each begins, and the steps along it, the last but one closes it.

    The same ring begins at the same corner wherever it is found.
    """
    simple = shapely.simplify(shapely.normalize(shape), _TOLERANCE / sheet.pixels)
    for part in shapely.get_parts(simple):
        if part.geom_type != "Polygon" or part.is_empty:
            continue
        for ring in (part.exterior, *part.interiors):
            corners = np.asarray(sheet.all(shapely.get_coordinates(ring))) - origin
            whole = np.rint(corners * FINENESS).astype(np.int64)
            steps = np.diff(whole, axis=0)[:-1]  # the last one is drawn by closing the ring
            steps = steps[np.any(steps != 0, axis=1)]
            if len(steps) > 1:
                yield np.concatenate([whole[:1], steps])


class Cells:
    """The cells of a lattice by number, row by row, and how a page finds them again."""

    def __init__(self, board: Lattice, sheet: Sheet) -> None:
        places = list(board.places())
        at = np.array([board.index(place) for place in places])
        centres = np.array([board.centre(place) for place in places])
        self._row, self._column = at.T
        self._x, self._y = centres.T
        self._shape = board.shape
        self.columns = board.shape[1]
        # Cells lie evenly: where the first one of the arrays lies, and the way to the next one along and down, follow
        # from any three that are on the board.
        even = np.column_stack([np.ones(len(at)), at[:, 1], at[:, 0]])
        first, along, down = np.linalg.lstsq(even, np.array(sheet.all(centres)), rcond=None)[0]
        self.origin, self.along, self.down = _whole(first), _whole(along), _whole(down)
        self.cell = outline(board.outline(places[0]), sheet, sheet.at(*centres[0].tolist()))

    def written(self, regions: list[BaseGeometry]) -> str:
        """Write which cell lies in which region: runs of letters, `3a` for three cells in the first one, `.` for none.

        >>> from simulator.geometry.squares import SquareGrid
        >>> board = SquareGrid.open(4, 1)
        >>> Cells(board, Sheet(0, 0, 0, 1, 10)).written([shapely.box(0, 0, 1, 1), shapely.box(1, 0, 3, 1)])
        'a2b'
        """
        here = np.full(self._x.shape, -1)
        for number, region in enumerate(regions):
            shapely.prepare(region)
            here[shapely.contains_xy(region, self._x, self._y)] = number
        grid = np.full(self._shape, -1)
        grid[self._row, self._column] = here
        codes = grid.ravel()
        starts = np.flatnonzero(np.diff(codes, prepend=-2))
        lengths = np.diff(starts, append=codes.size)
        runs = list(zip(codes[starts].tolist(), lengths.tolist(), strict=True))
        if runs and runs[-1][0] < 0:
            runs.pop()
        return "".join(f"{length if length > 1 else ''}{'.' if code < 0 else _letter(code)}" for code, length in runs)


def _letter(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[number]


def _whole(point: Points) -> tuple[float, float]:
    # First to nine digits: what the solver leaves behind them differs from machine to machine.
    x, y = (round(round(value, 9), 3) for value in (point * FINENESS).tolist())
    return x, y


def nested(regions: list[BaseGeometry]) -> list[BaseGeometry]:
    """Compute for each region all that lies in it or in one before it, so that no border is drawn twice.

    Only areas count: a line or a point that was left over from cutting cannot be filled.

    >>> point = shapely.GeometryCollection([shapely.box(1, 0, 2, 1), shapely.Point(9, 9)])
    >>> [region.area for region in nested([shapely.box(0, 0, 1, 1), point])]
    [1.0, 2.0]
    """
    found: list[BaseGeometry] = []
    for region in regions:
        flat = shapely.get_parts(shapely.get_parts(region))
        areas = flat[shapely.get_dimensions(flat) == 2]
        found.append(shapely.union_all([*found[-1:], *areas], grid_size=1e-6))
    return found
