"""Counting diagonal steps on squares, and the resulting distances.

>>> distance((0, 0), (3, 3), DiagonalCount.ONE_TWO)
4
>>> distance((0, 0), (3, 3), DiagonalCount.ONE_TWO, parity=1)
5
>>> distance((0, 0), (3, 1), DiagonalCount.THREE_HALVES)
Fraction(7, 2)
"""

from __future__ import annotations

import math
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Number = int | Fraction | float


class DiagonalCount(Enum):
    """The cost of the diagonals of one movement, in straight steps. The values are used in files."""

    ONE = "1"  #: every diagonal 1 (a chess king)
    ONE_TWO = "1-2"  #: 1, 2, 1, 2 ... in turn
    TWO_ONE = "2-1"  #: 2, 1, 2, 1 ... in turn
    THREE_HALVES = "3/2"  #: every diagonal 1 1/2, exactly
    TWO = "2"  #: every diagonal 2 (no better than going round the corner)
    ROOT_TWO = "sqrt2"  #: every diagonal its true length

    @property
    def alternates(self) -> bool:
        """Whether the price of a diagonal depends on how many came before it."""
        return self in (DiagonalCount.ONE_TWO, DiagonalCount.TWO_ONE)

    def price(self, straight: int, diagonal: int, parity: int = 0) -> Number:
        """Return the price of straight and diagonal steps; with odd parity the alternation starts at its other end.

        >>> [DiagonalCount.ONE_TWO.price(0, n) for n in range(7)]
        [0, 1, 3, 4, 6, 7, 9]
        """
        if self is DiagonalCount.ROOT_TWO:
            return straight + diagonal * math.sqrt(2)
        if self is DiagonalCount.THREE_HALVES:
            return straight + Fraction(3 * diagonal, 2)
        if self.alternates:
            dear_first = (parity + (self is DiagonalCount.TWO_ONE)) % 2
            return straight + diagonal + (diagonal + dear_first) // 2
        return straight + diagonal * int(self.value)


def distance(
    a: tuple[int, int], b: tuple[int, int], count: DiagonalCount = DiagonalCount.ONE, parity: int = 0
) -> Number:
    """Return the cheapest price from square to square without obstacles.

    The alternating counts are not metrics: two single diagonals cost 1 each, both together 3. They satisfy the
    triangle inequality if the parity is carried on.
    """
    across, down = abs(b[0] - a[0]), abs(b[1] - a[1])
    return count.price(abs(across - down), min(across, down), parity)


def distances(
    across: NDArray[Any], down: NDArray[Any], count: DiagonalCount = DiagonalCount.ONE, parity: int = 0
) -> NDArray[Any]:
    """Return `distance` for whole arrays of offsets: integers, exact halves or floats, depending on the count."""
    across, down = np.abs(across), np.abs(down)
    diagonal = np.minimum(across, down)
    straight = np.maximum(across, down) - diagonal
    if count is DiagonalCount.ROOT_TWO:
        return np.asarray(straight + diagonal * math.sqrt(2))
    if count is DiagonalCount.THREE_HALVES:
        return np.asarray(straight + 1.5 * diagonal)
    if count.alternates:
        dear_first = (parity + (count is DiagonalCount.TWO_ONE)) % 2
        return np.asarray(straight + diagonal + (diagonal + dear_first) // 2)
    return np.asarray(straight + diagonal * int(count.value))
