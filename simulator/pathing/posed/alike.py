"""For which spaces, and on which levels, a search finds the same: what it need not do twice.

What bars the way matters only where the mover could come near it. On levels that no links join, and that differ by
nothing else, a search finds the same poses: who comes onto the table at one altitude or at another, for instance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

import numpy as np
import shapely

from simulator.geometry.pieces import Solid
from simulator.pathing.posed.compared import same_value, solid_key
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.space import PoseSpace


def first_alike(space: PoseSpace, beyond: float) -> tuple[int, ...]:
    """Return for each level the first one on which a search finds the same, perhaps the level itself.

    `beyond` is by how many inches more than can be paid for last legs are tried.
    """
    levels = range(space.level_count)
    if space.links or space.earlier or space.tolls:
        return tuple(levels)
    found = list[int]()
    for level in levels:
        same = (
            other
            for other in sorted(set(found))
            if _begin_alike(space, other, level) and alike_on_level(space.on(other), space.on(level), space, beyond)
        )
        found.append(next(same, level))
    return tuple(found)


def lower_by_level(space: PoseSpace, beyond: float, grown: GrownShapes | None = None) -> tuple[LowerPrices, ...]:
    """Return what legs cost at least on each level, by one raster where a search finds the same."""
    found = list[LowerPrices]()
    for level, first in enumerate(first_alike(space, beyond)):
        found.append(LowerPrices.of(space.on(level), grown) if first == level else found[first])
    return tuple(found)


def _begin_alike(space: PoseSpace, one: int, other: int) -> bool:
    """Whether a mover begins at the same places on two levels."""
    here, there = space.on(one), space.on(other)
    first, second = ([replace(placing, level=0) for placing in level.placings] for level in (here, there))
    return here.starts == there.starts and first == second


def alike_on_level(before: PoseSpace, after: PoseSpace, whole: PoseSpace, beyond: float) -> bool:
    """Whether a search finds the same on two levels that a mover begins on alike; the whole space is that of one."""
    if not alike(before.ground, after.ground, set()) or before.box != after.box:
        return False
    changed = _difference(before.bars, after.bars)
    return not changed or not _comes_near(whole, changed, beyond)


def alike(before: PoseSpace | PricedGround, after: PoseSpace | PricedGround, aside: set[str]) -> bool:
    """Whether all fields hold the same but some that are left aside."""
    names = [one.name for one in fields(before) if one.name not in aside]
    return all(same_value(getattr(before, name), getattr(after, name)) for name in names)


def _difference(before: Iterable[Solid], after: Iterable[Solid]) -> list[Solid]:
    """The things that are among only one of the two."""
    first, second = ({solid_key(thing): thing for thing in things} for things in (before, after))
    return [both[key] for both, other in ((first, second), (second, first)) for key in both if key not in other]


def _comes_near(space: PoseSpace, things: Sequence[Solid], beyond: float) -> bool:
    """Whether a mover could come near some things, were all ground as cheap as any, and nothing in its way."""
    far = max(float(space.budget - paid) for paid in space.paid_first) / space.least_rate
    # Last legs are tried that cost a little too much, see `reach`.
    far += space.base.reach + beyond
    places = [*(start.place for start in space.starts), *(place for link in space.links for place in link.far_ends)]
    begins = [*map(shapely.Point, places), *(shapely.box(*placing.bounds) for placing in space.placings)]
    shapes = np.array([thing.polygon for thing in things], object)
    return bool(shapely.dwithin(shapes[:, None], np.array(begins, object), far).any())
