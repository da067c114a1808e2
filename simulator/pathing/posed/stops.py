"""What ends a move that comes to touch it: enemies, where a move into contact ends there.

A mover that touches such a thing where it begins may go on, and leave it. But once it comes to touch one that it did
not touch before, its move is over: it goes no farther than it still touches that thing straight on, and turns for
nothing at the most. Mover and things are round, so a leg that begins off a thing and ends in touch with it comes to
touch it once; and one that leads out of touch with it does not lead back.

>>> from simulator.geometry.footprints import Round
>>> post = Touch(Round(1).at(5, 0))
>>> entries([post], Round(1), [((0.0, 0.0), (9.0, 0.0)), ((9.0, 0.0), (12.0, 0.0))]).round(3).tolist()
[[2.99, inf]]
>>> entries([post], Round(1), [((3.0, 0.0), (0.0, 0.0)), ((0.0, 0.0), (3.0, 0.0))]).round(3).tolist()
[[inf, 2.99]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from simulator.geometry.convex import BoolArray, radius_of
from simulator.geometry.footprints import Base, Placed, Round
from simulator.geometry.path_judge import overlaps_along
from simulator.geometry.paths import Path, Paths
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.pathing.posed.charges import Charge, Objection
from simulator.pathing.posed.moves import Move, Rotate, Travel
from simulator.pathing.posed.touch import Touch, in_touch

#: Ways keep this much farther off what would stop them than where they touch it, in inches: the judge may not find that
#: they touch it, whatever is rounded.
_FARTHER = 4 * TOLERANCE
#: Where a leg begins in touch, by its share.
_AT_ONCE = 1e-9


class StoppingSpace(Protocol):
    """What of a `PoseSpace` decides whether a move is stopped."""

    @property
    def stops(self) -> Sequence[Touch]:
        """What stops the mover."""

    @property
    def base(self) -> Base:
        """The base of the mover."""


class Stay(Protocol):
    """The moves that are made on one level between two links."""

    @property
    def level(self) -> int:
        """The level."""

    @property
    def moves(self) -> range:
        """The numbers of the moves."""


class Stop(NamedTuple):
    """A thing that stops the mover, whether it touches that where it begins, and how ways keep off it."""

    touch: Touch
    begins: bool
    beside: bool = False

    @property
    def bar(self) -> Solid:
        """What ways keep off."""
        return kept_off(self.touch, beside=self.beside)

    def from_level(self, level: int) -> Stop:
        """Return it as it is seen from a level."""
        return self._replace(touch=replace(self.touch, level=self.touch.level - level))


class Leavable(NamedTuple):
    """A bar, by its number, that is a stop: who touches it may lead away from it, and nobody may lead there."""

    bar: int
    touch: Touch


def require_stops(stops: Sequence[Touch], base: Base, levels: range) -> None:
    """Raise ValueError unless a mover with this base can be stopped by the things."""
    if stops and not (isinstance(base, Round) and all(radius_of(one.thing) is not None for one in stops)):
        raise ValueError("a mover that something stops is round, and so is what stops it")
    if any(one.level not in levels for one in stops):
        raise ValueError(f"what stops a mover stands on levels from 0 to {levels[-1]}")


def as_bar(stop: Touch) -> Placed:
    """Return a stop as wide as ways keep off it."""
    radius = radius_of(stop.thing)
    assert radius is not None
    x, y = stop.thing.parts[0][0].tolist()
    return Round(radius + stop.within + _FARTHER).at(x, y)


def kept_off(stop: Touch, *, beside: bool) -> Solid:
    """Return what ways keep off so as not to touch a stop: its thing, or what has to be overlapped to touch that."""
    return stop.over if beside and stop.over is not None else as_bar(stop)


def touched(stops: Sequence[Touch], base: Base, places: FloatArray, level: int = 0) -> BoolArray:
    """Find which stops a mover touches at which places on a level, an array [place, stop]."""
    found = np.zeros((len(places), len(stops)), np.bool_)
    for number, one in enumerate(stops):
        found[:, number] = in_touch([one], base, places, level)
    return found


def come_to_touch(met: Sequence[Stop], base: Base, places: FloatArray, *, elsewhere: bool) -> BoolArray:
    """Find the legs, by where they begin, that come to touch something of what they end in touch with.

    `elsewhere` is whether they end on another level than they begin on.
    """
    if not met:
        return np.zeros(len(places), np.bool_)
    if elsewhere:
        return np.ones(len(places), np.bool_)
    return ~in_touch([one.touch for one in met], base, places)


def barred_from(leavable: Sequence[Leavable], base: Base, places: FloatArray, bars: int) -> BoolArray:
    """Find which of so many bars bar the legs that begin at places, an array [leg, bar]: not those they may leave."""
    found = np.ones((len(places), bars), np.bool_)
    for one in leavable:
        found[:, one.bar] = ~in_touch([one.touch], base, places)
    return found


# --- for the judge ---


def entries(stops: Sequence[Touch], base: Base, legs: Sequence[tuple[XY, XY]]) -> FloatArray:
    """Compute after how many inches of which leg a mover comes to touch which stop, an array [stop, leg]; inf: nowhere.

    The legs follow one another on one level, where the stops stand. What it touches where the first one begins it comes
    to touch only after leaving that.
    """
    found = np.full((len(stops), len(legs)), np.inf)
    if not legs or not stops:
        return found
    starts, ends = (np.array([leg[at] for leg in legs], np.float64) for at in (0, 1))
    paths = Paths.of_legs(starts, ends, np.zeros(len(legs)))
    for number, one in enumerate(stops):
        spans = _in_touch_along(one, base, paths)
        inside = bool(touched([one], base, starts[:1])[0, 0])
        for leg, length in enumerate(paths.lengths.tolist()):
            if length <= TOUCH:
                continue
            for begin, end in spans[leg]:
                if not inside and np.isinf(found[number, leg]):
                    found[number, leg] = begin * length
                inside = end >= 1.0 - _AT_ONCE
            if not spans[leg]:
                inside = False
    return found


def _in_touch_along(stop: Touch, base: Base, paths: Paths) -> list[list[tuple[float, float]]]:
    """Return the stretches of each leg on which a mover touches a stop, in their order, in shares of the leg."""
    near = _over_along(stop.thing, base.reach + stop.within + 2 * TOLERANCE, paths)
    if stop.over is None:
        return near
    over = _over_along(stop.over, base.reach - TOLERANCE, paths)
    return [list(_common(*both)) for both in zip(near, over, strict=True)]


def _over_along(thing: Solid, radius: float, paths: Paths) -> list[list[tuple[float, float]]]:
    found: list[list[tuple[float, float]]] = [[] for _ in range(paths.count)]
    spans = overlaps_along(paths, Standing.of([thing]), Round(max(radius, 0.0)))
    for leg, begin, end in sorted(zip(spans.path.tolist(), spans.begin.tolist(), spans.end.tolist(), strict=True)):
        found[leg].append((begin, end))
    return found


def _common(
    some: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    """Yield what two lists of stretches have in common."""
    for one in some:
        for other in others:
            begin, end = max(one[0], other[0]), min(one[1], other[1])
            if begin < end:
                yield begin, end


def not_stopped(
    space: StoppingSpace, stays: Sequence[Stay], path: Path, moves: Sequence[Move], charges: Sequence[Charge]
) -> Iterator[Objection]:
    """Yield where a move comes to touch what stops it, and goes on."""
    for stay in stays:
        first = stay.moves.start
        legs = [number for number in stay.moves if isinstance(moves[number], Travel)]
        here = [number for number, one in enumerate(space.stops) if one.level == stay.level]
        stops = [replace(space.stops[number], level=0) for number in here]
        pieces = [(path.pieces[number].start, path.pieces[number].end) for number in legs]
        arrives = first > 0
        place = path.pieces[first - 1].end if arrives else path.start
        if arrives:
            # Where a link ends the mover may touch something even if no leg follows.
            pieces, legs = [(place, place), *pieces], [first - 1, *legs]
        found = entries(stops, space.base, pieces)
        if arrives:
            found[touched(stops, space.base, np.array([place], np.float64))[0], 0] = 0.0
        for number, row in zip(here, found, strict=True):
            which = np.flatnonzero(np.isfinite(row))
            if len(which) and _goes_on(space, number, legs[which[0]], path, moves, charges):
                before = float(path.arrays.before[legs[which[0]]])
                at_end = arrives and which[0] == 0
                inches = path.pieces[first - 1].length if at_end else float(row[which[0]])
                yield Objection(legs[which[0]], "stops", before + inches, number)


def _goes_on(
    space: StoppingSpace, stop: int, entry: int, path: Path, moves: Sequence[Move], charges: Sequence[Charge]
) -> bool:
    """Whether a move goes on after the one in which it comes to touch a stop: elsewhere than straight on in touch."""
    if any(charge.what == "turn" and charge.price and charge.move > entry for charge in charges):
        return True
    leg, turned = moves[entry], Fraction(0)
    mode = leg.mode if isinstance(leg, Travel) else None
    for move in moves[entry + 1 :]:
        if isinstance(move, Rotate):
            turned += Fraction(move.degrees)
        elif not isinstance(move, Travel) or (move.inches and (turned % 360 or move.mode != mode)):
            return True
    return not touched([replace(space.stops[stop], level=0)], space.base, np.array([path.end], np.float64))[0, 0]
