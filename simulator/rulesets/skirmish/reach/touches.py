"""Touches: the places at which a soldier may just come within reach of what can be traversed.

A shortest way to where something can be traversed ends on one of few exact places (see `simulator.geometry.touches`);
those count that a soldier reaches with its inches, and at which it can stand.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.geometry.touches import touches_ahead, touches_round
from simulator.rulesets.skirmish.obstruction import features_of, may_end
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.before import Before
from simulator.rulesets.skirmish.traverse.rules import Climber

#: A place this close to the drawn area of a front may be in it: areas fall short a little, in inches.
_NEAR = 0.02


class Touches:
    """The touches of one question of reach."""

    def __init__(self, climber: Climber, grounds: Grounds) -> None:
        self.climber, self.grounds = climber, grounds
        self._known: dict[Before, FloatArray] = {}

    def of(self, front: Before) -> FloatArray:
        """Return the places of a front at which something just comes within reach: rows x, y."""
        if front not in self._known:
            self._known[front] = self._looked_for(front)
        return self._known[front]

    @clause("SK-18", "SK-50")
    def _looked_for(self, front: Before) -> FloatArray:
        table, unit = self.grounds.table, self.grounds.unit
        far = front.fronts.spending.farthest(front.stage.spent)
        edges = self._edges
        eyes = self._eyes(front)
        lines = shapely.linestrings(edges.reshape(-1, 2, 2))
        edges = edges[shapely.distance(lines, shapely.MultiPoint(eyes)) <= far + self.climber.within + TOLERANCE]
        if not len(edges):
            return np.zeros((0, 2))
        circles = self.grounds.open.circles
        round_ = np.stack([circles.x, circles.y], axis=1), circles.measured
        past = self._passed(front, touches_round(edges, round_, eyes, far, self.climber.within), far)
        rows = np.concatenate([touches_ahead(edges, eyes, self.climber.within), past])
        rows = np.unique(np.round(rows, 9), axis=0)
        rows = rows[front.lead_on(rows)]
        rows = rows[may_end(table, unit, rows)]
        return rows[front.walked(rows)]

    def _passed(self, front: Before, ways: FloatArray, far: float) -> FloatArray:
        """Return where free ways end that leave a corner or a base at a place which a soldier passes at this stage."""
        ways = ways[np.hypot(*(ways[:, 2:] - ways[:, :2]).T) <= far + TOLERANCE]
        passed = shapely.points(ways[:, :2])
        kept = shapely.dwithin(front.area, passed, _NEAR)
        for x, y, radius in self.grounds.rims.tolist():
            kept |= shapely.dwithin(passed, shapely.Point(x, y), radius)
        ways = ways[kept]
        return np.asarray(ways[~self.grounds.open.barred(ways, from_contact=True), 2:])

    @cached_property
    def _edges(self) -> FloatArray:
        """The edges of everything that can be traversed, and of the ranges of throats of gaps, rows x1, y1, x2, y2."""
        climber, obstacles = self.climber, features_of(self.grounds.table).obstacles
        found = [np.zeros((0, 4))]
        found += [piece.shape.edges for number, piece in enumerate(obstacles) if climber.is_possible[number]]
        passages = [shapely.get_coordinates(passage) for passage in climber.passages]
        found += [np.hstack([corners[:-1], corners[1:]]) for corners in passages]
        edges = np.concatenate(found)
        return np.asarray(edges[np.hypot(*(edges[:, 2:] - edges[:, :2]).T) > 0.0])

    def _eyes(self, front: Before) -> FloatArray:
        """Return the places that ways come straight from: the start, and the ends of the lines of far sides before."""
        fars = [np.array([front.fronts.start])]
        fars += [landing.fars[[0, -1]] for landing in front.all_landings]
        fars.append(front.fronts.stops.to_edges)
        return np.unique(np.concatenate(fars), axis=0)
