"""The stretches of borders that a mover can get to: cut where the rims and sides of what stands there meet them."""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.pathing.columns import pick
from simulator.pathing.free.prepared import PreparedTable
from simulator.pathing.weighted.borders import BorderPieces
from simulator.pathing.weighted.cuts import circle_cuts, circle_meetings
from simulator.pathing.weighted.gauges import TWO_PI


def open_stretches(borders: BorderPieces, table: PreparedTable) -> BorderPieces:
    """Return the stretches of borders where the mover that a table is prepared for can stand."""
    every = np.arange(len(borders.length))
    sides = _sides(table)
    met = [_met_by_rims(borders, table.circles.rows), _met_by_sides(borders, sides), _on_arcs(borders, table, sides)]
    piece = np.concatenate([every, every, *(some for some, _ in met)])
    at = np.concatenate([np.zeros(len(every)), borders.length, *(inches for _, inches in met)])
    inner = (at >= 0.0) & (at <= borders.length[piece])
    piece, at = piece[inner], at[inner]
    order = np.lexsort((at, piece))
    piece, at = piece[order], at[order]
    row = np.flatnonzero((piece[1:] == piece[:-1]) & (np.diff(at) > TOUCH))
    found = borders.between(piece[row], at[row], at[row + 1])
    middles = found.places(np.arange(len(row)), found.length / 2)
    return pick(found, np.flatnonzero(table.depths(middles) <= TOLERANCE / 2))


def _sides(table: PreparedTable) -> FloatArray:
    """The lines on both sides of edges that a centre gets as near to as it may, and the sides of the table."""
    edges = table.obstacles.long_edges
    step = edges[:, 2:] - edges[:, :2]
    out = table.terrain.room * np.stack([-step[:, 1], step[:, 0]], axis=1) / np.hypot(*step.T)[:, None]
    sides = [edges + np.hstack([out, out]), edges - np.hstack([out, out])]
    if table.terrain.border is not None:
        left, bottom, right, top = table.terrain.border
        corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
        sides.append(np.hstack([corners, np.roll(corners, -1, axis=0)]))
    return np.concatenate(sides)


def _met_by_rims(borders: BorderPieces, rims: FloatArray) -> tuple[IntArray, FloatArray]:
    straight = np.flatnonzero(borders.radius == 0.0)
    along = borders.ahead[straight]
    away = rims[:, None, :2] - borders.origin[straight]
    ahead = away[..., 0] * along[:, 0] + away[..., 1] * along[:, 1]
    square = rims[:, 2:] ** 2 - (away[..., 1] * along[:, 0] - away[..., 0] * along[:, 1]) ** 2
    rim, piece = np.nonzero(square >= 0.0)
    half, middle = np.sqrt(square[rim, piece]), ahead[rim, piece]
    return np.tile(straight[piece], 2), np.concatenate([middle - half, middle + half])


def _met_by_sides(borders: BorderPieces, sides: FloatArray) -> tuple[IntArray, FloatArray]:
    straight = np.flatnonzero(borders.radius == 0.0)
    along = borders.ahead[straight]
    long = sides[:, 2:] - sides[:, :2]
    from_x, from_y = np.moveaxis(sides[:, None, :2] - borders.origin[straight], 2, 0)
    cross = along[:, 0] * long[:, 1:2] - along[:, 1] * long[:, :1]
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (from_x * long[:, 1:2] - from_y * long[:, :1]) / cross
        share = (from_x * along[:, 1] - from_y * along[:, 0]) / cross
    side, piece = np.nonzero((np.abs(cross) > TOUCH) & (share >= 0.0) & (share <= 1.0))
    return straight[piece], at[side, piece]


def _on_arcs(borders: BorderPieces, table: PreparedTable, sides: FloatArray) -> tuple[IntArray, FloatArray]:
    arcs = np.flatnonzero(borders.radius > 0.0)
    rounds = np.column_stack([borders.origin, borders.radius])[arcs]
    met = [circle_cuts(rounds, sides), circle_meetings(rounds, table.circles.rows)]
    arc, angle = (np.concatenate(column) for column in zip(*met, strict=True))
    return arcs[arc], np.mod(angle - borders.angle[arcs[arc]], TWO_PI) * rounds[arc, 2]
