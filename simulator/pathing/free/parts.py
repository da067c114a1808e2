"""Parts of ways, and ways gone backwards."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.pathing.free.route import Arc, Segment, Way

#: The pieces of a way, in order.
Pieces = Sequence[Segment | Arc]
#: Less than so many inches are no part of a way: far below the grid of coordinates, well above rounding.
NO_PART = 1e-9


def reversed_way(way: Way) -> Way:
    """Return the same way, gone from its end to its start.

    >>> there = Way((0, 0), (3, 4), (Segment((0, 0), (3, 4)),))
    >>> reversed_way(there).pieces
    (Segment(start=(3, 4), end=(0, 0)),)
    """
    pieces = [
        Arc(piece.centre, piece.radius, piece.begin + piece.sweep, -piece.sweep)
        if isinstance(piece, Arc)
        else Segment(piece.end, piece.start)
        for piece in way.pieces[::-1]
    ]
    return Way(way.end, way.start, tuple(pieces))


def part_of(way: Way, begin: float, end: float) -> tuple[Segment | Arc, ...]:
    """Return the pieces of a way between two lengths, in inches from its start; what lies beyond its ends is left out.

    >>> part_of(Way((0, 0), (3, 4), (Segment((0, 0), (3, 4)),)), 2.5, 9)
    (Segment(start=(1.5, 2.0), end=(3.0, 4.0)),)
    """
    found: list[Segment | Arc] = []
    for piece in way.pieces:
        low, high = max(begin, 0.0), min(end, piece.length)
        begin, end = begin - piece.length, end - piece.length
        if high - low <= NO_PART:
            continue
        first, last = low / piece.length, high / piece.length
        if isinstance(piece, Arc):
            found.append(
                Arc(piece.centre, piece.radius, piece.begin + first * piece.sweep, (last - first) * piece.sweep)
            )
        else:
            (x1, y1), (x2, y2) = piece.start, piece.end
            found.append(
                Segment(
                    (x1 + first * (x2 - x1), y1 + first * (y2 - y1)), (x1 + last * (x2 - x1), y1 + last * (y2 - y1))
                )
            )
    return tuple(found)
