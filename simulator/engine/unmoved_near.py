"""On which tables an answer of a planner over poses holds: where all that changed is clear of what the base can touch.

Suppose that a unit has changed, and that where it stood and where it stands it is clear of the ground here. A move that
one of the tables allows and the other forbids first meets that unit somewhere. All before that is a move as well, and
ends: so the unit stands where the mover touches it from an end. Where the beginning of a move need not end anywhere,
the ground is all of the part of the table that the mover may get to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.engine.posed_reach import PosedReach
from simulator.engine.state import State, Unit
from simulator.engine.table import Table
from simulator.engine.values import NO_FIELDS, Fields
from simulator.pathing.posed import PoseSpace
from simulator.pathing.posed.tolls import RunOver

#: The margin around what can be touched: areas fall short a little, and ends just so may be missing in them.
_MARGIN = 0.5
#: The segments of a quarter circle.
_ROUND = 8


@dataclass(frozen=True, eq=False)
class UnmovedNear:
    """An answer holds while the mover, its terms and the data are the same, and nothing has changed on the ground."""

    mover: Unit
    account: Mapping[str, Any]
    terms_on: Callable[[Table[Any]], Any]
    terms: Any
    data: Fields
    others: Mapping[str, Unit]
    stood: Mapping[str, BaseGeometry]  #: what units covered that stood on the table
    ground: BaseGeometry

    def holds_on(self, table: Table[Any]) -> bool:
        """Whether nothing has changed but units that stand, and stood, clear of the ground."""
        state = table.state
        unit = state.units.get(self.mover.id)
        if unit is None or state.data != self.data or unit.put(self.account) != self.mover.put(self.account):
            return False
        if self.terms_on(table) != self.terms:
            return False
        now, stand = _others(state, self.mover, self.account), _covered(table)
        names = [*self.others, *(name for name in now if name not in self.others)]
        changed = {name for name in names if now.get(name) != self.others.get(name)}
        carriers = {_outermost(units, name) for name in changed for units in (now, self.others) if name in units}
        if self.mover.id in carriers:
            return False
        spots = [there[name] for name in changed | carriers for there in (stand, self.stood) if name in there]
        return not shapely.intersects(self.ground, spots).any()


def moment(table: Table[Any]) -> tuple[int, int]:
    """Return the turn and its phase."""
    return table.state.clock.turn, table.state.clock.number


def unmoved_near(
    answer: PosedReach[Any],
    account: Mapping[str, Any] = NO_FIELDS,
    terms_on: Callable[[Table[Any]], Any] = moment,
) -> UnmovedNear | None:
    """Return on which tables an answer holds that others matter to only where they stand; None if it does not say.

    Fields that keep account of what units did, here with any values, do not matter but for those of the mover, and
    those only by its terms: what it has to spend on a table, and from where it begins.
    """
    table, mover, space = answer.table, answer.mover, answer.space
    if mover.place is None or space.far_from or space.touch or space.stops or space.earlier:
        return None
    box = answer.box_within(answer.most)
    if box is None:
        return None
    reached = answer.area if _ends_anywhere(space) else shapely.box(*box)
    near = shapely.union_all([reached, shapely.Point(answer.start)])
    ground = shapely.buffer(near, space.base.reach + _MARGIN, quad_segs=_ROUND)
    shapely.prepare(ground)
    state = table.state
    others, stood = _others(state, mover, account), _covered(table)
    return UnmovedNear(mover, account, terms_on, terms_on(table), state.data, others, stood, ground)


def _ends_anywhere(space: PoseSpace) -> bool:
    """Whether the mover can end wherever its move may lead."""
    levels = (space.on(number) for number in range(space.level_count))
    passes = any(level.no_end or level.ends is not None or level.passes for level in levels)
    passes |= any(isinstance(toll, RunOver) for toll in space.tolls)
    return not passes and space.more_than is None and not space.links


def _others(state: State, mover: Unit, account: Mapping[str, Any]) -> dict[str, Unit]:
    return {name: unit.put(account) for name, unit in state.units.items() if name != mover.id}


def _outermost(units: Mapping[str, Unit], name: str) -> str:
    """Return who carries a unit, directly or not; itself if nobody does."""
    seen = {name}
    while (carrier := units[name].carrier) and carrier not in seen:
        name = carrier
        seen.add(name)
        if name not in units:
            break
    return name


def _covered(table: Table[Any]) -> dict[str, BaseGeometry]:
    """Return what the units cover that stand on the table, as they are drawn."""
    shown = ((one.unit, one.place, one.base) for one in table.setting.ruleset.draw(table))
    return {unit: shapely.Point(place[:2]) if base is None else base.polygon for unit, place, base in shown}
