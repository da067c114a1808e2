"""The obstacles of a round base, as flat arrays.

Four kinds of things: discs (round bases), walls (segments without width), polygons (their border is a ring of walls,
their inside is closed), and the border of the table, a rectangle on which the base has to stay wholly.
Each disc, wall and polygon is a thing of its own, numbered in the order discs, walls, polygons.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import Polygon

from simulator.errors import BoardError

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Box = tuple[float, float, float, float]

_LARGEST = 1e6


@dataclass(frozen=True, eq=False)
class Obstacles:
    """The obstacles on one table.

    `discs` has rows x, y, radius; `walls` rows x1, y1, x2, y2, where a wall of no length is a mere post; `border` is
    min x, min y, max x, max y, or None for a table without end.

    >>> box = Obstacles(discs=[(3, 0, 0.5)], polygons=[shapely.box(5, -1, 6, 1)])
    >>> len(box.edges), box.things
    (4, 2)
    """

    discs: ArrayLike = ()
    walls: ArrayLike = ()
    polygons: Sequence[Polygon] = ()
    border: Box | None = None
    #: All walls there are, those around polygons included, one row x1, y1, x2, y2 each.
    edges: Floats = field(init=False, repr=False)
    #: The number of the thing that each edge belongs to.
    edge_things: Ints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        discs = _rows(self.discs, 3, "discs")
        walls = _rows(self.walls, 4, "walls")
        if np.any(discs[:, 2] < 0.0):
            at = int(np.flatnonzero(discs[:, 2] < 0.0)[0])
            raise BoardError(f"a radius is 0 or more, not {discs[at, 2]}", f"discs[{at}]")
        polygons = tuple(_checked_polygon(polygon, at) for at, polygon in enumerate(self.polygons))
        if self.border is not None:
            (border,) = _rows([self.border], 4, "border")
            if border[0] > border[2] or border[1] > border[3]:
                raise BoardError(f"expected min x, min y, max x, max y, not {self.border}", "border")
            put(self, "border", tuple(float(side) for side in border))
        rings = [_edges_of(polygon) for polygon in polygons]
        first = len(discs) + len(walls)
        put(self, "discs", discs)
        put(self, "walls", walls)
        put(self, "polygons", polygons)
        put(self, "edges", np.concatenate([walls, *rings]))
        numbers = [np.full(len(ring), first + at, np.intp) for at, ring in enumerate(rings)]
        put(self, "edge_things", np.concatenate([np.arange(len(discs), first), *numbers]))

    @property
    def things(self) -> int:
        """How many things there are."""
        return len(self.disc_rows) + len(self.wall_rows) + len(self.polygons)

    @property
    def disc_rows(self) -> Floats:
        """The discs as an array."""
        return np.asarray(self.discs)

    @property
    def wall_rows(self) -> Floats:
        """The walls that stand alone as an array."""
        return np.asarray(self.walls)

    @cached_property
    def long_edges(self) -> Floats:
        """The edges that have two sides: all but posts."""
        return self.edges[np.any(self.edges[:, :2] != self.edges[:, 2:], axis=1)]

    @cached_property
    def terrain_hash(self) -> str:
        """A fingerprint of all but the discs: the same on every machine."""
        digest = hashlib.sha256(b"terrain")
        digest.update(repr(self.border).encode())
        for rows in (self.wall_rows, *(_edges_of(polygon) for polygon in self.polygons)):
            digest.update(f"|{len(rows)}|".encode() + np.ascontiguousarray(rows, "<f8").tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def content_hash(self) -> str:
        """A fingerprint of everything: the same on every machine."""
        digest = hashlib.sha256(self.terrain_hash.encode())
        digest.update(np.ascontiguousarray(self.disc_rows, "<f8").tobytes())
        return digest.hexdigest()[:16]

    def with_discs(self, discs: ArrayLike) -> Obstacles:
        """Return the same table with other bases on it."""
        return Obstacles(discs, self.wall_rows, self.polygons, self.border)

    def near(self, places: ArrayLike, distance: float) -> Obstacles:
        """Return the table with only the things within a distance of some places: short ways touch nothing else."""
        spots = shapely.multipoints(np.asarray(places, np.float64).reshape(-1, 2))
        shapely.prepare(spots)
        discs, walls = self.disc_rows, self.wall_rows
        close = shapely.distance(spots, shapely.points(discs[:, :2])) <= distance + discs[:, 2]
        along = shapely.dwithin(spots, shapely.linestrings(walls.reshape(-1, 2, 2)), distance)
        around = shapely.dwithin(spots, np.array(self.polygons, object), distance)
        polygons = [polygon for polygon, kept in zip(self.polygons, around.tolist(), strict=True) if kept]
        return Obstacles(discs[close], walls[along], polygons, self.border)

    def without(self, things: Iterable[int]) -> Obstacles:
        """Return the same table with some things taken away."""
        gone = set(things)
        discs, walls = self.disc_rows, self.wall_rows
        first_wall, first_polygon = len(discs), len(discs) + len(walls)
        return Obstacles(
            discs[[at for at in range(len(discs)) if at not in gone]],
            walls[[at for at in range(len(walls)) if first_wall + at not in gone]],
            [polygon for at, polygon in enumerate(self.polygons) if first_polygon + at not in gone],
            self.border,
        )


def _rows(values: ArrayLike, width: int, path: str) -> Floats:
    try:
        rows = np.array(values, np.float64)
    except (TypeError, ValueError):
        raise BoardError(f"expected rows of {width} numbers each", path) from None
    if rows.size == 0:
        return np.zeros((0, width))
    if rows.ndim != 2 or rows.shape[1] != width:
        raise BoardError(f"expected rows of {width} numbers each, not an array of shape {rows.shape}", path)
    wrong = ~np.all(np.abs(rows) <= _LARGEST, axis=1)  # also true of nan
    if np.any(wrong):
        at = int(np.flatnonzero(wrong)[0])
        raise BoardError(f"expected finite numbers up to {_LARGEST:.0f}, not {rows[at].tolist()}", f"{path}[{at}]")
    rows += 0.0  # turns -0.0 into 0.0, which would hash differently
    rows.flags.writeable = False
    return rows


def _checked_polygon(polygon: object, at: int) -> Polygon:
    if not isinstance(polygon, Polygon) or polygon.is_empty:
        raise BoardError(f"expected a polygon with an area, not {polygon}", f"polygons[{at}]")
    _rows(shapely.get_coordinates(polygon), 2, f"polygons[{at}]")
    if not polygon.is_valid:
        raise BoardError(f"is not a simple polygon: {shapely.is_valid_reason(polygon)}", f"polygons[{at}]")
    return polygon


def _edges_of(polygon: Polygon) -> Floats:
    """Return the border of a polygon, holes included, without edges of no length."""
    rings = [shapely.get_coordinates(ring) for ring in (polygon.exterior, *polygon.interiors)]
    edges = np.concatenate([np.hstack([ring[:-1], ring[1:]]) for ring in rings]) + 0.0
    kept: Floats = edges[np.any(edges[:, :2] != edges[:, 2:], axis=1)]
    return kept
