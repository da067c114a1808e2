"""The arithmetic of hex-dot maps: dots (q, r), six directions, distances, turns, lines and cones.

Directions count counter-clockwise from east, r grows down the page (DT-2); in the plane dot (q, r) lies at
x = q + r / 2, y = -r * sqrt(3) / 2, so direction d has heading 60 * d.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Dot = tuple[int, int]

DIRECTIONS: tuple[Dot, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
DIRECTION_NAMES = ("E", "NE", "NW", "W", "SW", "SE")
ROW_HEIGHT = math.sqrt(3) / 2


def step(dot: Dot, direction: int, dots: int = 1) -> Dot:
    """Return the dot `dots` steps away in a direction, which counts modulo 6.

    >>> step((0, 0), 1, 3), step((0, 0), -1)
    ((3, -3), (0, 1))
    """
    across, down = DIRECTIONS[direction % 6]
    return dot[0] + dots * across, dot[1] + dots * down


def distance(a: Dot, b: Dot) -> int:
    """Return the number of steps between two dots (DT-3).

    >>> distance((0, 0), (2, -1))
    2
    """
    across, down = b[0] - a[0], b[1] - a[1]
    return max(abs(across), abs(down), abs(across + down))


def distances(across: NDArray[Any], down: NDArray[Any]) -> NDArray[Any]:
    """Return `distance` for whole arrays of offsets."""
    return np.asarray(np.maximum(np.maximum(np.abs(across), np.abs(down)), np.abs(across + down)))


def rotate(dot: Dot, sixths: int, about: Dot = (0, 0)) -> Dot:
    """Turn a dot about another by `sixths` times 60 degrees, left positive.

    >>> rotate((1, 0), 1), rotate((1, 0), -1)
    ((1, -1), (0, 1))
    """
    across, down = dot[0] - about[0], dot[1] - about[1]
    for _ in range(sixths % 6):
        across, down = across + down, -across
    return about[0] + across, about[1] + down


def centre(dot: Dot) -> tuple[float, float]:
    """Return the centre of a dot in the plane (DT-170)."""
    return dot[0] + dot[1] / 2, -dot[1] * ROW_HEIGHT if dot[1] else 0.0


def nearest_dot(x: float, y: float) -> Dot:
    """Return the dot nearest to a point of the plane; on a border of cells, one of the nearest."""
    r = -y / ROW_HEIGHT
    q = x - r / 2
    whole = [round(q), round(r), round(-q - r)]
    off = [abs(whole[0] - q), abs(whole[1] - r), abs(whole[2] + q + r)]
    worst = off.index(max(off))
    if worst == 0:
        whole[0] = -whole[1] - whole[2]
    elif worst == 1:
        whole[1] = -whole[0] - whole[2]
    return whole[0], whole[1]


def corners(q: NDArray[Any], r: NDArray[Any]) -> NDArray[np.float64]:
    """Return the six corners of the cells around dots, [dot, corner, xy]; shared corners are equal to the bit."""
    # In half steps across and sixths of sqrt(3) up, every corner has whole coordinates.
    across = np.array([1, 0, -1, -1, 0, 1])
    up = np.array([1, 2, 1, -1, -2, -1])
    x = (2 * q + r)[..., None] + across
    y = -3 * r[..., None] + up
    return np.stack([x / 2, y * (math.sqrt(3) / 6)], axis=-1)


def line(a: Dot, b: Dot) -> list[Dot]:
    """Return every dot whose cell the straight line between two dots touches, from `a` to `b`. Exact: integers only.

    >>> line((0, 0), (2, 0)), line((0, 0), (1, 1))
    ([(0, 0), (1, 0), (2, 0)], [(0, 0), (0, 1), (1, 0), (1, 1)])
    """
    steps = distance(a, b)
    if steps == 0:
        return [a]
    across, down = b[0] - a[0], b[1] - a[1]
    # Candidates: the rounded points of the line and their neighbours.
    along = np.arange(steps + 1)
    rounded = np.stack([np.rint(across * along / steps), np.rint(down * along / steps)], 1).astype(np.int64)
    around = np.array([(dq, dr) for dq in (-1, 0, 1) for dr in (-1, 0, 1)])
    q, r = np.unique((rounded[:, None] + around).reshape(-1, 2), axis=0).T
    # A cell is where three linear forms stay within 1 of the dot's; the line runs through each at a constant speed.
    low_top, low_bottom = np.zeros_like(q), np.ones_like(q)
    high_top, high_bottom = np.ones_like(q), np.ones_like(q)
    touched = np.ones(q.shape, np.bool_)
    for of_q, of_r in ((1, -1), (1, 2), (2, 1)):
        speed, place = of_q * across + of_r * down, of_q * q + of_r * r
        if speed == 0:
            touched &= np.abs(place) <= 1
            continue
        if speed < 0:
            speed, place = -speed, -place
        enters, leaves = place - 1, place + 1  # both over `speed`
        later = enters * low_bottom > low_top * speed
        low_top, low_bottom = np.where(later, enters, low_top), np.where(later, speed, low_bottom)
        sooner = leaves * high_bottom < high_top * speed
        high_top, high_bottom = np.where(sooner, leaves, high_top), np.where(sooner, speed, high_bottom)
    touched &= low_top * high_bottom <= high_top * low_bottom
    q, r = q[touched], r[touched]
    order = np.lexsort((r, q, q * (2 * across + down) + r * (across + 2 * down)))
    return [(a[0] + int(q[i]), a[1] + int(r[i])) for i in order]


def in_cone(across: NDArray[Any], down: NDArray[Any], direction: float, half_angle: float = 30.0) -> NDArray[np.bool_]:
    """Return a mask of the offsets within `half_angle` degrees either side of a direction, borders included (DT-170).

    The apex itself is not in its cone. `direction` may lie between the six (1.5 is straight up the page).
    """
    x, y = across + down / 2, -down * ROW_HEIGHT
    off = np.abs((np.degrees(np.arctan2(y, x)) - 60 * direction + 180) % 360 - 180)
    # Two dots of a map are at least 1e-6 degrees apart as seen from a third, so this decides the border exactly.
    return np.asarray((off <= half_angle + 1e-9) & ((across != 0) | (down != 0)))


class OffsetLayout(Enum):
    """The layout of maps with (column, row) coordinates: which rows or columns are shifted by half a step."""

    ODD_ROWS = "odd_rows"  #: odd rows half a step to the right
    EVEN_ROWS = "even_rows"  #: even rows half a step to the right
    ODD_COLUMNS = "odd_columns"  #: odd columns half a step down (the lattice turned by 30 degrees)
    EVEN_COLUMNS = "even_columns"  #: even columns half a step down

    def dot(self, column: int, row: int) -> Dot:
        """Return the dot at an offset place.

        >>> OffsetLayout.ODD_ROWS.dot(0, 1), OffsetLayout.EVEN_ROWS.dot(0, 1)
        ((0, 1), (-1, 1))
        """
        if self in (OffsetLayout.ODD_ROWS, OffsetLayout.EVEN_ROWS):
            return column - self._shoved(row), row
        return column, row - self._shoved(column)

    def offset(self, dot: Dot) -> tuple[int, int]:
        """Return the (column, row) of a dot: the inverse of `dot`."""
        if self in (OffsetLayout.ODD_ROWS, OffsetLayout.EVEN_ROWS):
            return dot[0] + self._shoved(dot[1]), dot[1]
        return dot[0], dot[1] + self._shoved(dot[0])

    def _shoved(self, number: int) -> int:
        even = self in (OffsetLayout.EVEN_ROWS, OffsetLayout.EVEN_COLUMNS)
        return (number + 1) // 2 if even else number // 2
