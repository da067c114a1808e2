"""Actions as five numbers from 0 to 1, where orders are infinitely many: unit, action, u, v, heading.

`unit` chooses among the side's units that may be ordered now, `action` among the actions with a reach and `done`: each
is an equal part of the numbers from 0 to 1. `u` and `v` are a point of the unit square, which is mapped onto the area
where the unit can end: each part of the area has its share of the square. `heading` chooses among the headings in which
it can end there, each degree alike. The order is the one that leads there for the least price.

An action that leads nowhere at present is played as `done`, or if that is not allowed, as an order at random.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import shapely
from gymnasium import spaces
from shapely.geometry.base import BaseGeometry

from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.reach import ReachAnswer
from simulator.errors import SimulatorError
from simulator.geometry.pieces import XY
from simulator.geometry.poses import Pose


class AreaActions:
    """The actions of games on inch tables."""

    def __init__(self, game: Game[Any]) -> None:
        forms = {form.name: form for form in game.ruleset.vocabulary.actions}
        #: The actions with a reach of their own, and `done`.
        self.names = (*(name for name in game.ruleset.reaches if name in forms and not forms[name].aside), "done")

    def space(self) -> spaces.Space[Any]:
        """Return a space of actions, for one agent."""
        return spaces.Box(0.0, 1.0, (5,), np.float32)

    def mask_space(self) -> spaces.Space[Any] | None:
        """Return None: every point stands for an order."""
        return None

    def order(self, game: Game[Any], side: str, action: Any) -> Order:
        """Return the order of an action."""
        number, name, u, v, turn = (float(part) for part in np.clip(action, 0.0, 1.0))
        free = [unit for unit in game.to_move() if game.state.units[unit].side == side]
        unit = _part_of(free, number)
        chosen = _part_of(self.names, name)
        found = None if chosen == "done" else self._moved(game, unit, chosen, u, v, turn)
        if found is not None:
            return found
        done = Order(unit, "done")
        if not game.breaches(done):
            return done
        return game.legal(unit).sample(Random(repr((unit, name, u, v, turn))))

    @staticmethod
    def _moved(game: Game[Any], unit: str, name: str, u: float, v: float, turn: float) -> Order | None:
        try:
            answer = game.reach(unit, name)
            place = point_in(answer.area, u, v)
            if place is None or place not in answer:
                return None
            pose = _turned(answer, place, turn) if game.ruleset.reach_headings else place
            orders = answer.orders_to(pose)
        except SimulatorError:  # it has no reach with this action, or none that one order leads to
            return None
        return orders[0] if orders and not game.breaches(orders[0]) else None


def _turned(answer: ReachAnswer, place: XY, turn: float) -> XY | Pose:
    """Return a place with one of the headings in which a unit can end there."""
    ranges = answer.headings_at(place)
    widths = [one.width for one in ranges]
    left = turn * sum(widths)
    for one, width in zip(ranges, widths, strict=True):
        if left <= width:
            return Pose(place, (float(one.first) + left) % 360)
        left -= width
    return place


def _part_of(things: Any, share: float) -> Any:
    return things[min(int(share * len(things)), len(things) - 1)]


def point_in(area: BaseGeometry, u: float, v: float) -> XY | None:
    """Map a point of the unit square onto an area; None if that is empty.

    >>> x, y = point_in(shapely.box(0, 0, 4, 2), 0.3, 0.8)
    >>> 0 <= x <= 4, 0 <= y <= 2, point_in(shapely.Polygon(), 0.5, 0.5)
    (True, True, None)
    """
    triangles = [one for one in shapely.constrained_delaunay_triangles(area).geoms if one.area > 0]
    if not triangles:
        return None
    ends = np.cumsum([one.area for one in triangles])
    number = min(int(np.searchsorted(ends, u * ends[-1])), len(triangles) - 1)
    before = ends[number - 1] if number else 0.0
    a, b, c = shapely.get_coordinates(triangles[number])[:3]
    along = np.sqrt(min(max((u * ends[-1] - before) / (ends[number] - before), 0.0), 1.0))
    x, y = a + along * (b - a) + along * v * (c - b)
    return float(x), float(y)
