"""Small generated tables: bases, walls and polygons, apart or overlapping."""

import numpy as np
import shapely

from simulator.pathing.free import Obstacles


def random_table(seed, *, discs=3, walls=2, polygons=3, size=14.0):
    dice = np.random.default_rng(seed)
    places = dice.uniform(0, size, (discs, 2))
    bases = np.column_stack([places, dice.choice([0.5, 0.75, 1.0], discs)])
    middle = dice.uniform(0, size, (walls, 2))
    half = dice.uniform(-2, 2, (walls, 2))
    shapes = [random_polygon(dice, size) for _ in range(polygons)]
    lines = np.hstack([middle - half, middle + half])
    return Obstacles(np.round(bases, 6), np.round(lines, 6), shapes, (0.0, 0.0, size, size))


def random_polygon(dice, size):
    """A star-shaped polygon, often not convex."""
    corners = int(dice.integers(3, 7))
    angles = np.sort(dice.uniform(0, 2 * np.pi, corners) / 3 + 2 * np.pi * np.arange(corners) / corners)
    reach = dice.uniform(0.4, 1.8, corners)
    middle = dice.uniform(0, size, 2)
    ring = np.round(middle + reach[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1), 6)
    polygon = shapely.Polygon(ring)
    return polygon if polygon.is_valid else shapely.convex_hull(polygon)


def legal_place(table, seed, size=14.0):
    dice = np.random.default_rng(seed)
    places = np.round(dice.uniform(0.5, size - 0.5, (200, 2)), 6)
    return places[np.flatnonzero(table.legal(places))[0]]
