"""The length of a line from front to front, and how far along it so many inches lead."""

from __future__ import annotations

import math

from simulator.engine.clauses import clause
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import TOLERANCE


@clause("SK-3", role="rule")
def from_front_to_front(line: Path, radius: float, heading: float, facing: float | None) -> float:
    """Measure a line from the front of a base before it to the front after it; None keeps the heading, in degrees.

    Between its bends a line is measured as it is; only its first and its last piece lead from a front or to one.

    >>> line = Path((0, 0), (Straight((0, 0), (2, 0)),))
    >>> from_front_to_front(line, 0.5, 0.0, None), from_front_to_front(line, 0.5, 0.0, 180.0)
    (2.0, 1.0)
    """
    old, new = math.radians(heading), math.radians(heading if facing is None else facing)
    front = _ahead(line.start, radius, old)
    if not line.pieces:
        return math.dist(front, _ahead(line.start, radius, new))
    last = line.pieces[-1]
    begin, before = _to_last(line, front, radius, len(line.pieces) - 1)
    if isinstance(last, Straight):
        return before + math.dist(begin, _ahead(last.end, radius, new))
    return before + last.length + radius


@clause("SK-3", "SK-12", "SK-13", role="rule")
def farthest_within(line: Path, radius: float, heading: float, facing: float | None, inches: float) -> float | None:
    """Compute how far along a line the base gets that from front to front goes so many inches; None: not even 0.

    Like a whole line, a part of one is measured to the front at its end, with the heading after it. That front may be
    nearer after more inches of the line, so of several parts that are short enough the longest counts.

    >>> line = Path((0, 0), (Straight((0, 0), (3, 0)),))
    >>> [round(farthest_within(line, 0.5, 0.0, *asked), 9) for asked in ((180.0, 1.5), (90.0, 0.5))]
    [2.5, 0.5]
    """
    old, new = math.radians(heading), math.radians(heading if facing is None else facing)
    front = _ahead(line.start, radius, old)
    for number in range(len(line.pieces) - 1, -1, -1):
        piece = line.pieces[number]
        begin, before = _to_last(line, front, radius, number)
        if isinstance(piece, Straight):
            along = _along(piece, _ahead(piece.start, radius, new), begin, inches - before)
        else:
            along = inches - before - radius
        if along >= 0.0:
            return float(sum(one.length for one in line.pieces[:number])) + min(along, piece.length)
    return None


def _ahead(place: XY, radius: float, turned: float) -> XY:
    """Return where the front of a base at a place is; the heading in radians."""
    return place[0] + radius * math.cos(turned), place[1] + radius * math.sin(turned)


def _to_last(line: Path, front: XY, radius: float, number: int) -> tuple[XY, float]:
    """Return from where a piece is measured that ends a line, and the inches before."""
    first = line.pieces[0]
    if not number:
        return front, 0.0 if isinstance(first, Straight) else radius
    begun = math.dist(front, first.end) if isinstance(first, Straight) else radius + first.length
    return line.pieces[number].start, begun + sum(piece.length for piece in line.pieces[1:number])


def _along(piece: Straight, tip: XY, begin: XY, inches: float) -> float:
    """Return how far along a straight piece, at most, its tip comes within some inches of a place; -1 if nowhere."""
    if inches < 0.0:
        return -1.0
    off = tip[0] - begin[0], tip[1] - begin[1]
    if not piece.length:
        return 0.0 if math.hypot(*off) <= inches else -1.0
    ux, uy = (piece.end[0] - piece.start[0]) / piece.length, (piece.end[1] - piece.start[1]) / piece.length
    foot, beside = -(ux * off[0] + uy * off[1]), ux * off[1] - uy * off[0]
    if abs(beside) > inches + TOLERANCE:
        return -1.0
    half = math.sqrt(max(inches**2 - beside**2, 0.0))
    return foot + half if foot - half <= piece.length + TOLERANCE else -1.0
