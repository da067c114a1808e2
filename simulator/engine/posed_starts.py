"""Reverse reach where moves have headings: from where a unit could get to a place or into a pose.

The unit is put at a start, facing as it does now or as the start says, and its reach from there decides. So reach from
a start and reverse reach cannot contradict each other, whatever the rulebook makes of the place. Prices that depend on
the order of things (begun pieces of a leg, turns priced together, ways uphill) have no reverse that would be searched.

Starts too far off are ruled out first, and the rest are searched together. `area` shows the starts among places on a
grid, as points: between them none is claimed; `cost_at` has the answer for any place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely.geometry.base import BaseGeometry

from simulator.engine.elsewhere import Relocating
from simulator.engine.errors import WrongQuestion
from simulator.engine.posed_reach import PosedReach
from simulator.engine.posed_together import costs_to
from simulator.engine.reverse_reach import ReverseReach
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.pieces import FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.pathing.costs_given import costs_given
from simulator.pathing.ends import costs_of_poses

#: A grid has no more places; it is finer for units that do not get far.
_MOST_PLACES = 200
#: The width of a grid is a multiple of this, in inches.
_WIDTH = 0.25


def posed_reach_to(
    ruleset: Relocating, table: Table[Any], unit: Unit, place: Any, action: str, **question: Any
) -> ReverseReach:
    """Return from where a unit could get to a place or pose, for `reach_to` of a rulebook with `PosedReach`."""
    here = ruleset.reach(table, unit, action, **question)
    if not isinstance(here, PosedReach):
        raise WrongQuestion(f"there is no reverse reach of {action}")
    goal = here.pose_of(place)
    asking = ReverseReach(ruleset, table, unit.id, here.mover, goal, action, here.unit, None, question)
    starts = PosedStarts(asking, here)
    return replace(asking, starts=starts, turned=starts)


class PosedStarts:
    """The starts from which a unit could get to a goal, with the costs from there."""

    def __init__(self, asking: ReverseReach, here: PosedReach[Any]) -> None:
        """Store the question, and the answer from where the unit is now."""
        self._asking, self._here = asking, here
        self._goal = Pose.of(asking.goal)

    @property
    def unit(self) -> str:
        """The unit of the costs."""
        return self._here.unit

    # --- costs ---

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> FloatArray:
        """Compute the least costs from many places (rows x, y) or poses; inf from where it cannot."""
        return costs_of_poses(places, self._here.pose_of, self._costs)

    def cost_at(self, place: Any) -> Any:
        """Return the least cost from a place or pose; None if it is not a start."""
        cost = float(self._costs_from([self._here.pose_of(place)])[0])
        return None if math.isinf(cost) else self._here.as_cost(cost)

    def _costs(self, places: ArrayLike, heading: Heading = None, level: Level = None) -> FloatArray:
        rows = np.asarray(places, np.float64).reshape(-1, 2).tolist()
        return self._costs_from([Pose((x, y), heading, level) for x, y in rows])

    def _costs_from(self, poses: Sequence[Pose]) -> FloatArray:
        ways = [(row, answer) for row, pose in enumerate(poses) for answer in self._asking.answers_from(pose)]
        costs = np.full(len(poses), np.inf)
        found = costs_to([answer for _, answer in ways if isinstance(answer, PosedReach)], self._goal)
        np.minimum.at(costs, np.array([row for row, _ in ways], np.intp), found)
        return costs

    # --- areas ---

    @cached_property
    def _far(self) -> float:
        """No start is farther from the goal, unless links lead there."""
        space = self._here.space
        return float(space.budget - min(space.paid_first)) / space.least_rate

    @cached_property
    def apart(self) -> float:
        """How far apart the places are that are tried as starts."""
        left, bottom, right, top = self._tried_ground
        return math.ceil(math.sqrt((right - left) * (top - bottom) / _MOST_PLACES) / _WIDTH + 1e-9) * _WIDTH

    @cached_property
    def _tried_ground(self) -> tuple[float, float, float, float]:
        left, bottom, right, top = self._asking.board.bounds
        if any(link.far_ends for link in self._here.space.links):
            return left, bottom, right, top
        x, y = self._goal.place
        far = self._far
        return max(left, x - far), max(bottom, y - far), min(right, x + far), min(top, y + far)

    @cached_property
    def tried(self) -> FloatArray:
        """The places that are tried as starts, rows x, y: a grid around the goal, and where the unit is now."""
        left, bottom, right, top = self._tried_ground
        (x, y), apart = self._goal.place, self.apart
        across = x + apart * np.arange(math.ceil((left - x) / apart), math.floor((right - x) / apart) + 1)
        up = y + apart * np.arange(math.ceil((bottom - y) / apart), math.floor((top - y) / apart) + 1)
        grid = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
        return np.concatenate([grid, np.array([self._asking.mover.place], np.float64)])

    @cached_property
    def _known(self) -> dict[tuple[Heading, Level], FloatArray]:
        return {}

    def _costs_of_tried(self, heading: Heading = None, level: Level = None) -> FloatArray:
        if (heading, level) not in self._known:
            self._known[heading, level] = self._costs(self.tried, heading, level)
        return self._known[heading, level]

    def _points(self, rows: Iterable[bool]) -> BaseGeometry:
        return shapely.MultiPoint(self.tried[np.asarray(rows)])

    @property
    def area(self) -> BaseGeometry:
        """The starts among the places that are tried, as points."""
        return self.area_of()

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """Return the same with a heading or on a level."""
        return self._points(np.isfinite(self._costs_of_tried(heading, level)))

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """Return the area by cost, disjoint, the cheapest first."""
        costs, found, below = self._costs_of_tried(), [], -math.inf
        for level in self._here.levels if levels is None else costs_given(levels):
            within = (costs > below) & (costs <= float(level) + 10.0**-4)
            if within.any():
                found.append((level, self._points(within)))
            below = float(level) + 10.0**-4
        return found
