"""Touches: the places at which a soldier may just come within reach of what can be traversed.

Who comes near enough to an obstacle often does so by a hair: three inches to go, and the wall four and a half away.
Then one place alone will do to begin at. A shortest way into reach of an edge ends square before it, one to a corner
points at that corner; and it comes straight from where it began, or leaves a corner or a base that it has gone round.
So there are few such places, and they are exact.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import shapely

from simulator.engine.clauses import clause
from simulator.geometry.pieces import FloatArray
from simulator.geometry.rays import nearest_on
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.obstruction import edges_of, features_of, may_end
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.before import Before
from simulator.rulesets.skirmish.traverse.rules import Climber

#: So many pairs of an edge and what a way leaves are looked at together.
_AT_ONCE = 1 << 18
#: Who passes a place so near to the drawn area of a front may be there: areas fall short a little, in inches.
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
        edges = edges[shapely.distance(lines, shapely.MultiPoint(eyes)) <= far + self.within + TOLERANCE]
        if not len(edges):
            return np.zeros((0, 2))
        round_ = self._passed(front, self._round(edges, eyes, far), far)
        rows = np.concatenate([self._straight(edges, eyes), round_])
        rows = np.unique(np.round(rows, 9), axis=0)
        rows = rows[may_end(table, unit, rows)]
        return rows[front.walked(rows)]

    def _passed(self, front: Before, ways: FloatArray, far: float) -> FloatArray:
        """Where free ways end that leave a corner or a base at a place which a soldier passes at this stage."""
        ways = ways[np.hypot(*(ways[:, 2:] - ways[:, :2]).T) <= far + TOLERANCE]
        passed = shapely.points(ways[:, :2])
        kept = shapely.dwithin(front.area, passed, _NEAR)
        for x, y, radius in self.grounds.rims.tolist():
            kept |= shapely.dwithin(passed, shapely.Point(x, y), radius)
        ways = ways[kept]
        return np.asarray(ways[~self.grounds.open.barred(ways, from_contact=True), 2:])

    @cached_property
    def within(self) -> float:
        """How far a centre may be from what is traversed."""
        return self.grounds.radius + float(self.grounds.table.tables["traverse.within"])

    @cached_property
    def _edges(self) -> FloatArray:
        """The edges of all that can be traversed, and of where throats of gaps lie, rows x1, y1, x2, y2."""
        climber, obstacles = self.climber, features_of(self.grounds.table).obstacles
        found = [np.zeros((0, 4))]
        found += [edges_of(piece) for number, piece in enumerate(obstacles) if climber.is_possible[number]]
        passages = [shapely.get_coordinates(passage) for passage in climber.passages]
        found += [np.hstack([corners[:-1], corners[1:]]) for corners in passages]
        edges = np.concatenate(found)
        return np.asarray(edges[np.hypot(*(edges[:, 2:] - edges[:, :2]).T) > 0.0])

    def _eyes(self, front: Before) -> FloatArray:
        """The places that ways come straight from: the start, and the ends of the lines of far sides before."""
        fars = [np.array([front.fronts.start])]
        fars += [landing.fars[[0, -1]] for landing in front.all_landings]
        fars.append(front.fronts.stops.to_edges)
        return np.unique(np.concatenate(fars), axis=0)

    def _straight(self, edges: FloatArray, eyes: FloatArray) -> FloatArray:
        """Before the nearest points of edges, on the straight ways there."""
        found = [np.zeros((0, 2))]
        for some in np.array_split(eyes, len(eyes) * len(edges) // _AT_ONCE + 1):
            spots = np.repeat(some, len(edges), axis=0)
            points = nearest_on(np.tile(edges, (len(some), 1)), spots)
            away = np.hypot(*(spots - points).T)
            kept = away > 0.0
            found.append(points[kept] + self.within * (spots - points)[kept] / away[kept, None])
        return np.concatenate(found)

    def _round(self, edges: FloatArray, eyes: FloatArray, far: float) -> FloatArray:
        """The last lines of ways that come round a corner or a base to an edge or a corner, rows x1, y1, x2, y2."""
        circles = self.grounds.open.circles
        middles, radius = np.stack([circles.x, circles.y], axis=1), circles.measured
        near = shapely.distance(shapely.points(middles), shapely.MultiPoint(eyes)) <= far + radius + TOLERANCE
        middles, radius = middles[near & (radius > 0.0)], radius[near & (radius > 0.0)]
        found = [np.zeros((0, 4))]
        step = edges[:, 2:] - edges[:, :2]
        length = np.hypot(*step.T)
        along = step / length[:, None]
        across = np.stack([-along[:, 1], along[:, 0]], axis=1)
        foot = np.sum((middles[:, None] - edges[:, :2]) * along, axis=2)
        for side in (radius[:, None], -radius[:, None]):
            circle, edge = np.nonzero((foot + side >= 0.0) & (foot + side <= length))
            at = edges[edge, :2] + (foot + side)[circle, edge][:, None] * along[edge]
            left = middles[circle] + side[circle] * along[edge]
            found += [np.hstack([left, at + off * across[edge]]) for off in (self.within, -self.within)]
        corners = np.unique(edges.reshape(-1, 2), axis=0)
        onward = middles[:, None] - corners
        away = np.hypot(*onward.transpose(2, 0, 1))
        circle, corner = np.nonzero(away > radius[:, None])
        away, wide = away[circle, corner], radius[circle]
        angle = np.arctan2(onward[circle, corner, 1], onward[circle, corner, 0])
        turn, length = np.arcsin(wide / away), np.sqrt(away**2 - wide**2)
        for side in (turn, -turn):
            there = np.stack([np.cos(angle + side), np.sin(angle + side)], axis=1)
            left = corners[corner] + length[:, None] * there
            found.append(np.hstack([left, corners[corner] + self.within * there]))
        return np.concatenate(found)
