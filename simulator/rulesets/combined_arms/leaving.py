"""Leaving the board: over its edge, where the reference point has got to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.snapping import intersection
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.combined_arms.units import ArmsTable
from simulator.wording import measure


@clause("CA-138")
def inches_from_edge(table: ArmsTable, places: FloatArray) -> FloatArray:
    """Compute how far places on the board, rows x, y, are from its edge."""
    left, bottom, right, top = table.board.bounds
    x, y = places[:, 0], places[:, 1]
    return np.asarray(np.min([x - left, y - bottom, right - x, top - y], axis=0))


@clause("CA-138", role="judge")
def leaving_breaches(table: ArmsTable, name: str, place: XY) -> Iterator[Breach]:
    """Yield why a piece may not leave the board from a place: it is not at the edge."""
    inches = float(inches_from_edge(table, np.array([place], np.float64))[0])
    if inches > TOLERANCE:
        message = f"{name} is {measure(inches, 'inch')} from the edge of the board"
        yield Breach("CA-138", message, inches, 0, place=place)


def part_at_edge(table: ArmsTable, area: BaseGeometry) -> BaseGeometry:
    """Return the part of an area that is on the edge of the board: lines and points."""
    return intersection(area, shapely.box(*table.board.bounds).exterior)
