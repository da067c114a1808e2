"""Searches for many movers, which several processes share, and what they have found as one sends it to another.

Each process numbers the combinations of areas that it comes upon by itself. So they are sent as what they consist of,
and whoever receives them looks up their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from simulator.cores import on_every_core_by_rows, shares
from simulator.geometry.convex import IntArray
from simulator.pathing.posed.ground import PricedGround, Under
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.lower_prices import LowerPrices
from simulator.pathing.posed.search import Searched, search_many
from simulator.pathing.posed.space import PoseSpace

#: The space of a mover, and what legs cost at least by level.
_Mover: TypeAlias = tuple[PoseSpace, Sequence[LowerPrices]]
#: Movers that are searched for together share much of the work: fewer are not worth a process.
_WORTH_A_PROCESS = 3


def search_each(movers: Sequence[_Mover], meshes: Sequence[float]) -> list[tuple[Searched, ...]]:
    """Search for many movers, for each with several meshes; movers that one process searches for share one pass."""

    def searched(some: Sequence[_Mover]) -> list[tuple[Searched, ...]]:
        return list(zip(*(search_many(some, mesh) for mesh in meshes), strict=True))

    def sent(part: slice) -> list[list[_Sent]]:
        some = movers[part]
        return [[_Sent.of(one, space) for one in every] for (space, _), every in zip(some, searched(some), strict=True)]

    if len(shares(len(movers), _WORTH_A_PROCESS)) < 2:
        return searched(movers) if movers else []
    every = on_every_core_by_rows(sent, len(movers), _WORTH_A_PROCESS)
    return [tuple(one.on(space) for one in found) for (space, _), found in zip(movers, every, strict=True)]


class _SentLegs(NamedTuple):
    """Legs on one level, of which the stretches have numbers of combinations of their own."""

    legs: CastLegs
    combinations: list[tuple[Under, Under]]  #: the areas of each, and those of them that are climbed

    @classmethod
    def of(cls, legs: CastLegs, ground: PricedGround) -> _SentLegs:
        known, which = np.unique(legs.rays.stretches.which, return_inverse=True)
        return cls(_with_numbers(legs, which), [ground.combination(one)[:2] for one in known.tolist()])

    def on(self, ground: PricedGround) -> CastLegs:
        numbers = np.array([ground.number(*one) for one in self.combinations], np.intp)
        return _with_numbers(self.legs, numbers[self.legs.rays.stretches.which])


class _Sent(NamedTuple):
    """What a search for one mover has found."""

    searched: Searched
    by_level: list[_SentLegs | None]

    @classmethod
    def of(cls, searched: Searched, space: PoseSpace) -> _Sent:
        by_level = [
            None if legs is None else _SentLegs.of(legs, space.on(level).ground)
            for level, legs in enumerate(searched.legs)
        ]
        return cls(searched._replace(legs=()), by_level)

    def on(self, space: PoseSpace) -> Searched:
        legs = [None if sent is None else sent.on(space.on(level).ground) for level, sent in enumerate(self.by_level)]
        return self.searched._replace(legs=tuple(legs))


def _with_numbers(legs: CastLegs, which: IntArray) -> CastLegs:
    """Return legs anew, without what has been worked out about them."""
    rays = legs.rays
    tolls = None if rays.tolls is None else replace(rays.tolls)
    return replace(legs, rays=replace(rays, stretches=rays.stretches._replace(which=which), tolls=tolls))
