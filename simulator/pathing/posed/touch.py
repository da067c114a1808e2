"""Things that a mover has to touch where it ends: the target of a charge, a carrier that it is about to enter.

A round base touches a thing if the gap between them is narrow enough, whichever way it faces. Whether it may overlap
the thing is a matter of what bars its way.

>>> from simulator.geometry.pieces import rectangle
>>> wall = Touch(rectangle((4, 0), (2, 9)), within=0.01)
>>> in_touch([wall], Round(1), np.array([(2.0, 0.0), (1.99, 0.0), (1.98, 0.0)])).tolist()
[True, True, False]
>>> behind = Touch(rectangle((4, 0), (2, 9)), within=0.01, over=rectangle((1, 3), (9, 4)))
>>> in_touch([behind], Round(1), np.array([(2.0, 0.0), (2.0, 0.5)])).tolist()
[False, True]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simulator.geometry.convex import BoolArray
from simulator.geometry.footprints import Base, Round
from simulator.geometry.path_judge import things_over
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE

#: No gap that counts as contact is narrower, in inches: outlines of ends are drawn inside it.
LEAST_GAP = 1e-3


@dataclass(frozen=True, eq=False)
class Touch:
    """A thing that a round base has to touch where it ends."""

    thing: Solid
    within: float = 0.01  #: gaps up to this are contact, in inches
    level: int = 0
    over: Solid | None = None  #: what the base has to overlap there as well

    def __post_init__(self) -> None:
        if not self.within >= LEAST_GAP:
            raise ValueError(f"a gap that counts as contact is {LEAST_GAP:g} inches or wider, not {self.within:g}")


def require_touch(touch: Sequence[Touch], base: Base, levels: range) -> None:
    """Raise ValueError unless a mover with this base can be held to touch the things."""
    if touch and not isinstance(base, Round):
        raise ValueError("a mover that has to touch something has a round base")
    if any(one.level not in levels for one in touch):
        raise ValueError(f"what has to be touched is on levels from 0 to {levels[-1]}")


def in_touch(touch: Sequence[Touch], base: Base, places: FloatArray, level: int = 0) -> BoolArray:
    """Find the places on a level at which a round base touches all of some things."""
    found = np.ones(len(places), np.bool_)
    for one in touch:
        found &= _touches(one, base, places) if one.level == level else False
    return found


def out_of_touch(touch: Sequence[Touch], base: Base, place: XY, level: int = 0) -> Iterator[int]:
    """Yield the numbers of the things that a base at a place on a level does not touch."""
    for number, one in enumerate(touch):
        if not in_touch([one], base, np.array([place], np.float64), level)[0]:
            yield number


def _touches(one: Touch, base: Base, places: FloatArray) -> BoolArray:
    """Find the places at which a base that is wider by the gap overlaps a thing, and what else it has to overlap."""
    found = _overlaps(one.thing, base.reach + one.within + 2 * TOLERANCE, places)
    if one.over is not None:
        found[found] = _overlaps(one.over, base.reach - TOLERANCE, places[found])
    return found


def _overlaps(thing: Solid, radius: float, places: FloatArray) -> BoolArray:
    """Find the places at which a disc overlaps a thing."""
    rows, none, zeros = np.arange(len(places)), np.zeros(len(places)), np.zeros_like(places)
    stands = Paths(rows, places, places, zeros, none, none, none, none, none, len(places))
    over, _ = things_over(stands, Standing.of([thing]), Round(max(radius, 0.0)))
    found = np.zeros(len(places), np.bool_)
    found[over] = True
    return found
