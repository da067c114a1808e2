"""The ways between levels within a unit's reach in the rest of the turn: what it can climb, jump off, and fall off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.dice import Dice
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.table_reach import TableReach
from simulator.geometry.pieces import XY
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.climb_reach import ClimbReach
from simulator.rulesets.mecha.climbs_after import ClimbsAfter
from simulator.rulesets.mecha.height_plans import height_plans_of_turn
from simulator.rulesets.mecha.jump_reach import FallReach, JumpReach
from simulator.rulesets.mecha.jumping import FALLS
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.units import MechaTable


@dataclass(frozen=True)
class HeightLink:
    """A way from level to level: by what, onto which level, where it may end, and the cheapest of it."""

    by: str  #: "climb", "standard, then climb", "jump", or "falls"
    level: str
    place: XY  #: where the cheapest of it ends
    cost: Any  #: the movement points of that
    orders: tuple[Order, ...]
    dice: Dice | None = None  #: of a fall
    ends: BaseGeometry = field(default_factory=shapely.Point, compare=False, repr=False)


def height_links(table: MechaTable, unit: Unit) -> Iterator[HeightLink]:
    """Yield the ways to other levels that a unit can take in the rest of the turn; falls are flagged as such."""
    for plan in height_plans_of_turn(table, unit):
        if isinstance(plan.answer, JumpReach | ClimbReach | ClimbsAfter):
            yield from _links(plan.name, plan.answer)
    falls = FallReach(table, unit)
    if not falls.barred:
        yield from _links(FALLS, falls)


def _links(by: str, answer: TableReach[MechaOptions]) -> Iterator[HeightLink]:
    """Yield the ways of an answer, level by level."""
    for level in answer.known_levels:
        area = answer.area_of(level=level)
        places = shapely.get_coordinates(area)
        if not len(places):
            continue
        costs = answer.costs_in(places, None, level)
        if not np.isfinite(costs).any():
            continue
        x, y = places[int(np.argmin(costs))].tolist()
        pose = Pose((x, y), None, level)
        dice = answer.dice_at(pose) if isinstance(answer, FallReach) else None
        orders = tuple(answer.orders_to(pose))
        yield HeightLink(by, str(level), (x, y), answer.cost_at(pose), orders, dice, area)
