"""The length of a line from front to front."""

from __future__ import annotations

import math

from simulator.engine.clauses import clause
from simulator.geometry.paths import Path, Straight


@clause("SK-3", role="rule")
def from_front_to_front(line: Path, radius: float, heading: float, facing: float | None) -> float:
    """Measure a line from the front of a base before it to the front after it; None keeps the heading, in degrees.

    Between its bends a line is measured as it is; only its first and its last piece lead from a front or to one.

    >>> line = Path((0, 0), (Straight((0, 0), (2, 0)),))
    >>> from_front_to_front(line, 0.5, 0.0, None), from_front_to_front(line, 0.5, 0.0, 180.0)
    (2.0, 1.0)
    """
    old = math.radians(heading)
    new = old if facing is None else math.radians(facing)
    front = (line.start[0] + radius * math.cos(old), line.start[1] + radius * math.sin(old))
    last = (line.end[0] + radius * math.cos(new), line.end[1] + radius * math.sin(new))
    if not line.pieces:
        return math.dist(front, last)
    first_leg, last_leg = line.pieces[0], line.pieces[-1]
    if len(line.pieces) == 1 and isinstance(first_leg, Straight):
        return math.dist(front, last)
    total = line.length
    total += math.dist(front, first_leg.end) - first_leg.length if isinstance(first_leg, Straight) else radius
    total += math.dist(last_leg.start, last) - last_leg.length if isinstance(last_leg, Straight) else radius
    return total
