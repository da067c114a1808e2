"""Crowded tables for benchmarks of the planners with prices: rectangles anywhere, clear of a start in the middle."""

from __future__ import annotations

import numpy as np

from simulator.geometry.pieces import XY, PolygonShape, rectangle

WIDTH, HEIGHT = 72.0, 48.0
#: The middle of the table.
START: XY = (WIDTH / 2, HEIGHT / 2)


def boxes(dice: np.random.Generator, count: int, sizes: tuple[float, float], clear: float) -> list[PolygonShape]:
    """Rectangles turned any way, with their middles so far from the start."""
    found: list[PolygonShape] = []
    while len(found) < count:
        x, y = dice.uniform((2, 2), (WIDTH - 2, HEIGHT - 2)).tolist()
        if np.hypot(x - START[0], y - START[1]) > clear:
            across, up = dice.uniform(*sizes, 2).tolist()
            found.append(rectangle((x, y), (across, up), float(dice.uniform(0, 90))))
    return found
