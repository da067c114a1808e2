"""Stops: the places at which a plan through rough ground may best end a spend.

A plan that crosses rough ground in time often does so by a hair: two inches to reach it, one through it. Then there is
a single place to stop at, and everything beyond the edge depends on it. Such places lie on the shortest ways to edges,
as far from either end as whole and shortened lots go.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from simulator.geometry.paths import Path, Paths, Straight
from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.free import FreeReach, plan
from simulator.rulesets.skirmish.movement import legal_stops
from simulator.rulesets.skirmish.obstruction import may_end, rough_areas, rough_stretches
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.spends import Lot, Spending

#: An edge is locally nearest if it is no nearer this far to either side, in inches.
_ASIDE = 0.01
_ALIKE = 1e-9


class Stops:
    """The stops of one question of reach."""

    def __init__(self, grounds: Grounds, spending: Spending, start: XY) -> None:
        self.grounds, self.spending, self.start = grounds, spending, start

    @cached_property
    def farthest(self) -> float:
        """The inches of all spends together, plus what the judge forgives."""
        return self.spending.farthest(self.spending.ap) + TOLERANCE

    @property
    def _lots(self) -> list[Lot]:
        run = self.spending.run
        return [*self.spending.moves, *([run] if run is not None and run.ap <= self.spending.ap else [])]

    @cached_property
    def sums(self) -> list[float]:
        """The inches of several lots, whole and shortened ones in any mixture."""
        steps = sorted({step for lot in self._lots for step in (lot.inches, lot.failed) if step > 0.0})
        sums = {0.0}
        for _ in range(self.spending.ap):
            sums |= {round(one + step, 9) for one in sums for step in steps}
        return sorted(one for one in sums if one <= self.farthest)

    @cached_property
    def edges(self) -> FloatArray:
        """The edges of rough ground, rows x1, y1, x2, y2: the centre's positions where rolls come due or cease to."""
        found = [np.zeros((0, 4)), *(area.edges for area in rough_areas(self.grounds.table))]
        edges = np.concatenate(found)
        edges = edges[np.hypot(*(edges[:, 2:] - edges[:, :2]).T) > 0.0]
        if self.grounds.table.options.rough_test == "swept_base":
            along = edges[:, 2:] - edges[:, :2]
            out = self.grounds.radius * np.stack([along[:, 1], -along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
            edges = np.concatenate([edges + np.hstack([out, out]), edges - np.hstack([out, out])])
        return edges

    def legal(self, places: FloatArray) -> FloatArray:
        """Return those of some places at which a soldier may end."""
        return places[may_end(self.grounds.table, self.grounds.unit, places)] if len(places) else places

    def on_edges(self, middles: Sequence[XY]) -> FloatArray:
        """Return the places on edges of rough ground that are nearest to some places, or whole lots away from them."""
        found = [np.zeros((0, 2))]
        begin, along, length = self._lines
        for middle in middles:
            foot = np.sum((np.array(middle) - begin) * along, axis=1)
            off = np.hypot(*(begin + foot[:, None] * along - middle).T)
            for far in (0.0, *self.sums):
                half = np.sqrt(np.maximum(far**2 - off**2, 0.0))
                for at in (foot - half, foot + half):
                    kept = (at >= 0.0) & (at <= length) & ((far >= off) | (far == 0.0))
                    found.append((begin + at[:, None] * along)[kept])
        rows = np.concatenate(found)
        return np.asarray(rows[np.hypot(*(rows - self.start).T) <= self.farthest])

    @property
    def _lines(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The edges by origin, direction and length."""
        along = self.edges[:, 2:] - self.edges[:, :2]
        length = np.hypot(*along.T)
        return self.edges[:, :2], along / length[:, None], length

    def along(self, lines: Sequence[Path]) -> list[XY]:
        """Return where plans may stop on ways: whole or shortened lots from either end, and from rough edges."""
        table, unit = self.grounds.table, self.grounds.unit
        stretches: list[tuple[Path, float]] = []
        spans = rough_stretches(table, Paths.of_pieces([line.pieces for line in lines]))
        for line, rough in zip(lines, spans, strict=True):
            edges = {0.0} | {end for span in rough for end in span}
            found = {edge + total for edge in edges for total in self.sums}
            found |= {edge - total for edge in edges | {line.length} for total in self.sums}
            stretches += [(line, one) for one in sorted({round(one, 9) for one in found if 1e-6 < one < line.length})]
        stops = legal_stops(table, unit, stretches)
        short = [(line, stop) for (line, one), stop in zip(stretches, stops, strict=True) if stop != one]
        return [line.at(one) for line, one in [*stretches, *short]]

    @cached_property
    def to_edges(self) -> FloatArray:
        """The stops on the shortest ways to edges of rough ground, and from each of those straight to others."""
        if not self.grounds.has_rough or not self.spending.moves:
            return np.zeros((0, 2))
        lines: list[Path] = []
        for ground in (self.grounds.open, self.grounds.clean):
            reach = plan(ground, self.start, self.farthest)
            feet = self._nearest(reach)
            ends = reach.ends_at(np.array(feet).reshape(-1, 2))
            for number, foot in enumerate(feet):
                way = reach.path(ends, number)
                lines += [way]
                lines += [Path(foot, (Straight(foot, other),)) for other in self._straight_on(foot)]
        rows = [*self.along(lines), *(line.end for line in lines)]
        return self.legal(np.unique(np.round(np.array(rows).reshape(-1, 2), 9), axis=0))

    def _nearest(self, reach: FreeReach) -> list[XY]:
        """Return where on the edges the shortest ways from the start are shortest."""
        circles = reach.table.circles
        middles, sides = [np.array([self.start])], [np.zeros(1)]
        for side in (circles.measured, -circles.measured) if np.any(circles.measured) else (circles.measured,):
            middles.append(np.stack([circles.x, circles.y], axis=1))
            sides.append(side)
        middle, side = np.concatenate(middles), np.concatenate(sides)
        begin, along, length = self._lines
        foot = np.clip(np.sum((middle[:, None] - begin) * along, axis=-1) + side[:, None], 0.0, length)
        spot = begin + foot[..., None] * along
        near = np.hypot(*(spot - self.start).transpose(2, 0, 1)) <= self.farthest
        edge, foot = np.nonzero(near)[1], foot[near]
        # Ways round many corners have the same feet.
        edge, foot = np.unique(np.column_stack([edge, np.round(foot, 9)]), axis=0).T
        edge = edge.astype(np.intp)
        beside = [np.clip(foot + aside, 0.0, length[edge]) for aside in (0.0, -_ASIDE, _ASIDE)]
        spots = [begin[edge] + at[:, None] * along[edge] for at in beside]
        cost, *others = np.split(np.asarray(reach.cost_at(np.concatenate(spots))), 3)
        rows = spots[0][np.isfinite(cost) & (cost <= np.minimum(*others) + _ALIKE)]
        return [(x, y) for x, y in np.unique(rows, axis=0).tolist()]

    def _straight_on(self, foot: XY) -> list[XY]:
        """Return the feet of a place on other edges of rough ground."""
        begin, along, length = self._lines
        at = np.sum((np.array(foot) - begin) * along, axis=1)
        there = begin + at[:, None] * along
        far = np.hypot(*(there - foot).T)
        kept = (at >= 0.0) & (at <= length) & (far > _ASIDE)
        kept &= np.hypot(*(there - self.start).T) <= self.farthest
        return [(x, y) for x, y in there[kept].tolist()]
