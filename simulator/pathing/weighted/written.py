"""Ways as written moves: straight legs in the cheapest direction of travel, and turns between them.

Moves have no arcs, so a way round a rim is written as many short legs: just outside of the rim less what the judge
tolerates, and so short that they cost what the arc does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import zip_longest

import numpy as np

from simulator.geometry.pieces import XY, FloatArray
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.columns import pick
from simulator.pathing.posed.moves import Mode, Move, Rotate, Travel
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.ways import Legs, straight_parts

#: Legs round a rim cut it so deep, and are so much longer in all than the arc.
_DEEP, _LONGER = 0.4 * TOLERANCE, 0.2 * TOLERANCE
#: Parts that are shorter are none.
_NOTHING = 1e-12


def places_of(setting: WeightedSetting, legs: Legs) -> list[XY]:
    """Return the places that a way, the only one of some legs, leads to, one after the other, without its start."""
    whose, segments = straight_parts(setting, legs)
    found: list[XY] = []
    for number in range(len(legs.way)):
        found += [tuple(place) for place in segments[whose == number, 2:].tolist()]
        if legs.circle[number] >= 0 and legs.turn[number]:
            found += [tuple(place) for place in _corners(setting, pick(legs, slice(number, number + 1))).tolist()]
    return found


def _corners(setting: WeightedSetting, arc: Legs) -> FloatArray:
    """The corners round an arc."""
    x, y, radius = setting.circles[arc.circle[0]].tolist()
    turn, deep = float(arc.turn[0]), min(_DEEP, 0.1 * radius)
    rate = float(np.max(setting.regions.gauges.rate[np.maximum(arc.region, 0)], initial=1.0))
    half = math.sqrt(3.0 * (deep + _LONGER / rate / abs(turn)) / radius)
    count = math.ceil(abs(turn) / (2.0 * min(half, math.pi / 4)))
    half = abs(turn) / count / 2
    angle = float(arc.begin[0]) + math.copysign(1.0, turn) * half * (2 * np.arange(count) + 1)
    out = (radius - deep) / math.cos(half)
    return np.stack([x + out * np.cos(angle), y + out * np.sin(angle)], axis=1)


def moves_along(start: XY, heading: Fraction, places: list[XY], mode: Mode, facing: float | None) -> tuple[Move, ...]:
    """Return the moves from a start along straight legs, with a heading at the end if one is named."""
    return tuple(_moves(start, heading, places, mode, facing))


def _moves(start: XY, heading: Fraction, places: list[XY], mode: Mode, facing: float | None) -> Iterator[Move]:
    x, y = start
    turned = Fraction(0)
    for there_x, there_y in _bent([start, *places]):
        inches = math.hypot(there_x - x, there_y - y)
        if inches <= _NOTHING:
            continue
        wanted = math.degrees(math.atan2(there_y - y, there_x - x)) - Travel(mode, 0).aside
        turn = Fraction(_shorter(wanted - float(heading + turned)))
        if turn:
            yield Rotate(turn)
            turned += turn
        yield Travel(mode, Fraction(inches))
        x, y = there_x, there_y
    if facing is not None and (turn := Fraction(_shorter(facing - float(heading + turned)))):
        yield Rotate(turn)


def _bent(places: list[XY]) -> list[XY]:
    """Places without the first, and without those that a way leads straight through."""
    found: list[XY] = []
    before = places[0]
    for here, there in zip_longest(places[1:], places[2:]):
        if there is not None:
            ahead = there[0] - before[0], there[1] - before[1]
            x, y = here[0] - before[0], here[1] - before[1]
            onward = x * (ahead[0] - x) + y * (ahead[1] - y) > 0.0
            if onward and abs(ahead[0] * y - ahead[1] * x) <= _NOTHING * math.hypot(*ahead):
                continue
        found.append(here)
        before = here
    return found


def _shorter(degrees: float) -> float:
    return 180.0 - (180.0 - degrees) % 360.0
