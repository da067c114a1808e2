"""Ways of several lots, cut apart where each of them may end."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.clauses import clause
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import Arc, Segment, Way
from simulator.rulesets.skirmish.movement import LineOfMovement, legal_stop
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.spends import Lot

Pieces = Sequence[Segment | Arc]
#: Less than so many inches are no part of a way.
_NONE = 1e-9


def reversed_way(way: Way) -> Way:
    """The same way, gone from its end to its start."""
    pieces = [
        Arc(piece.centre, piece.radius, piece.begin + piece.sweep, -piece.sweep)
        if isinstance(piece, Arc)
        else Segment(piece.end, piece.start)
        for piece in way.pieces[::-1]
    ]
    return Way(way.end, way.start, tuple(pieces))


def part_of(way: Way, begin: float, end: float) -> tuple[Segment | Arc, ...]:
    """Return the part of a way between two lengths."""
    found: list[Segment | Arc] = []
    for piece in way.pieces:
        low, high = max(begin, 0.0), min(end, piece.length)
        begin, end = begin - piece.length, end - piece.length
        if high - low <= _NONE:
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


@clause("SK-5", "SK-56")
def cut(grounds: Grounds, way: Way, lots: Sequence[Lot]) -> list[tuple[Lot, Pieces]] | None:
    """Cut a way into lots that each end legally, as long ones as can be; None where such do not lead to its end."""
    line, done = LineOfMovement(way.start, way.pieces), 0.0
    parts: list[tuple[Lot, Pieces]] = []
    for lot in lots:
        # Whether it may end at the end of all is not the question here; limits are inclusive.
        is_last = done + lot.inches >= way.length - TOLERANCE
        stop = way.length if is_last else legal_stop(grounds.table, grounds.unit, line, done + lot.inches)
        if stop > done + _NONE:
            parts.append((lot, part_of(way, done, stop)))
            done = stop
    return parts if done >= way.length - _NONE else None
