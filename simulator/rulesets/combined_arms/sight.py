"""Lines of sight: where along a way a piece can be seen, over terrain and through vegetation.

A line is straight, from reference point to reference point, at the altitudes of both. Buildings and high walls stop it
where it runs lower than they are, and so does vegetation that it runs through for more than two inches. The house that
a piece is in does not hide it: it stands at a window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.geometry.convex import BoolArray
from simulator.geometry.paths import Path
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.rulesets.combined_arms.features import ArmsSetting, height_of, pieces_on, shape_of

#: What stops a line of sight, and what does where it is thick.
SOLID, _GROWTH = ("building", "high_wall"), ("vegetation", "dense_vegetation")
#: Lines that only touch an outline pass it.
_INSIDE = 1e-5
#: The greatest spacing in inches at which a path is sampled, and how often it is halved where sight begins or ends.
_APART, _HALVINGS = 0.25, 40
_NOTHING = shapely.LineString()


class SightSpots(NamedTuple):
    """Places in space, one row each."""

    place: FloatArray
    altitude: FloatArray


@dataclass(frozen=True, eq=False)
class _Hiding:
    """What hides pieces: outlines, drawn a little too small, and how high each is."""

    outline: FloatArray
    height: FloatArray

    def below(self, eye: SightSpots, spots: SightSpots, some: int) -> NDArray[Any]:
        """The parts of the lines from an eye to spots that run over the one outline, lower than its top."""
        top = float(self.height[some])
        low, high = float(eye.altitude[0]), spots.altitude
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = np.clip((top - low) / (high - low), 0.0, 1.0)
        begin = np.where((low >= top) & (high < top), crossing, 0.0)
        end = np.where((low < top) & (high >= top), crossing, 1.0)
        end = np.where((low >= top) & (high >= top), begin, end)
        first, last = (eye.place + share[:, None] * (spots.place - eye.place) for share in (begin, end))
        lines: NDArray[Any] = np.asarray(shapely.linestrings(np.stack([first, last], axis=1)), object)
        found: NDArray[Any] = np.full(len(lines), _NOTHING, object)
        over = np.flatnonzero(shapely.intersects(self.outline[some], lines))
        found[over] = shapely.intersection(lines[over], self.outline[some])
        return found

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.height)

    def beside(self, eye: SightSpots, spots: SightSpots) -> _Hiding:
        """Return what lines from an eye to spots may meet: none runs outside the hull of both."""
        if not self.count:
            return self
        hull = shapely.convex_hull(shapely.multipoints(np.concatenate([eye.place, spots.place])))
        near = np.flatnonzero(shapely.dwithin(self.outline, hull, 2 * _INSIDE))
        return _Hiding(self.outline[near], self.height[near])


@dataclass(frozen=True, eq=False)
class SightLines:
    """The lines of sight on a table."""

    setting: ArmsSetting

    def _hiding(self, kinds: Sequence[str]) -> _Hiding:
        found = [piece for piece in pieces_on(self.setting) if piece.kind in kinds]
        outlines = [shapely.buffer(shape_of(self.setting, piece).polygon, -_INSIDE) for piece in found]
        heights = np.array([float(height_of(self.setting, piece)) for piece in found])
        kept_ones = [number for number, outline in enumerate(outlines) if not outline.is_empty]
        hiding = np.array([outlines[number] for number in kept_ones], object)
        shapely.prepare(hiding)
        return _Hiding(hiding, heights[kept_ones])

    @cached_property
    def _solid(self) -> _Hiding:
        return self._hiding(SOLID)

    @cached_property
    def _growth(self) -> _Hiding:
        return self._hiding(_GROWTH)

    def beside(self, eye: SightSpots, spots: SightSpots) -> HidingBetween:
        """Return what may hide some spots, or others in the hull of them and the eye."""
        return HidingBetween(self.setting, self._solid.beside(eye, spots), self._growth.beside(eye, spots))

    def sees(self, eye: SightSpots, spots: SightSpots) -> BoolArray:
        """Find which spots are seen from an eye, a table of one row."""
        return self.beside(eye, spots).sees(eye, spots)

    def marks(self, eye: SightSpots, path: Path) -> FloatArray:
        """Return the lengths of a straight way at which the line from an eye passes a corner of what hides pieces."""
        start, end = np.array(path.start), np.array(path.end)
        outlines = [*self._solid.outline, *self._growth.outline]
        if not outlines or np.hypot(*(end - start)) <= TOUCH:
            return np.zeros(0)
        ahead = (end - start) / np.hypot(*(end - start))
        toward = shapely.get_coordinates(outlines) - eye.place[0]
        away = start - eye.place[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = (away[0] * toward[:, 1] - away[1] * toward[:, 0]) / (toward[:, 0] * ahead[1] - toward[:, 1] * ahead[0])
        return np.asarray(at[np.isfinite(at)])


class HidingBetween(NamedTuple):
    """What may hide spots in some hull from an eye: by itself, or where it is thick."""

    setting: ArmsSetting
    solid: _Hiding
    growth: _Hiding

    @clause("CA-102")
    def sees(self, eye: SightSpots, spots: SightSpots) -> BoolArray:
        """Find which spots are seen from an eye, a table of one row."""
        seen = np.ones(len(spots.altitude), np.bool_)
        solid, ends, here = self.solid, shapely.points(spots.place), shapely.Point(eye.place[0])
        for some in range(solid.count):
            indoors = shapely.dwithin(solid.outline[some], ends, 2 * _INSIDE)
            indoors |= shapely.dwithin(solid.outline[some], here, 2 * _INSIDE)
            seen &= (shapely.length(solid.below(eye, spots, some)) <= TOUCH) | indoors
        growth = self.growth
        if growth.count:
            through = [growth.below(eye, spots, some) for some in range(growth.count)]
            thick = shapely.length(shapely.union_all(np.stack(through), axis=0))
            seen &= thick <= float(self.setting.tables["sight.vegetation"]) + TOUCH
        return np.asarray(seen)


@kept(4, lambda lines: 2_000 + 2_000 * len(pieces_on(lines.setting)))
def sight_lines(setting: ArmsSetting) -> SightLines:
    """Return the lines of sight on a table."""
    return SightLines(setting)


def spans_in_sight(
    lines: SightLines, eye: SightSpots, path: Path, altitudes: tuple[float, float], within: float
) -> tuple[tuple[float, float], ...]:
    """Return the stretches of a path, by length, that are seen from an eye within a number of inches.

    The way is straight, at one altitude, or straight up or down from one altitude to another.
    """
    return _spans_in_sight(lines, (*eye.place[0].tolist(), float(eye.altitude[0])), path, altitudes, within)


# Whoever looks ahead plays the same legs again and again.
@kept(4)
@clause("CA-102")
def _spans_in_sight(
    lines: SightLines, seen_from: tuple[float, float, float], path: Path, altitudes: tuple[float, float], within: float
) -> tuple[tuple[float, float], ...]:
    eye = SightSpots(np.array([seen_from[:2]]), np.array(seen_from[2:]))
    climbs = abs(altitudes[1] - altitudes[0])
    length = max(path.length, climbs)

    def spots(at: FloatArray) -> SightSpots:
        share = at / length if length else at
        start, end = np.array(path.start), np.array(path.end)
        return SightSpots(start + share[:, None] * (end - start), altitudes[0] + share * (altitudes[1] - altitudes[0]))

    def seen(at: FloatArray) -> BoolArray:
        there = spots(at)
        away = there.place - eye.place
        far = np.sqrt(away[:, 0] ** 2 + away[:, 1] ** 2 + (there.altitude - eye.altitude) ** 2)
        found = np.asarray(far <= within + TOUCH)
        near = np.flatnonzero(found)
        if len(near):
            found[near] = between.sees(eye, SightSpots(there.place[near], there.altitude[near]))
        return found

    between = lines.beside(eye, spots(np.array([0.0, length])))
    known = lines.marks(eye, path)
    even = np.linspace(0.0, length, int(np.ceil(length / _APART)) + 1)
    at = np.unique(np.r_[even, known[(known > 0.0) & (known < length)]])
    at = np.unique(np.r_[at, (at[1:] + at[:-1]) / 2])
    free = seen(at)
    low, high = at[:-1].copy(), at[1:].copy()
    changes = np.flatnonzero(free[1:] != free[:-1])
    low, high, first = low[changes], high[changes], free[:-1][changes]
    for _ in range(_HALVINGS if len(changes) else 0):
        middle = (low + high) / 2
        same = seen(middle) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    border = np.where(first, low, high)
    # Spans end where sight ends, begin where it begins, and at both ends of the way.
    begins = np.r_[at[:1][free[:1]], border[~first]]
    ends = np.r_[border[first], at[-1:][free[-1:]]]
    return tuple(zip(begins.tolist(), ends.tolist(), strict=True))
