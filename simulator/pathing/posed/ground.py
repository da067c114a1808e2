"""Ground with prices: what an inch costs where, by the areas that lie under a mover and by those that it climbs.

A rulebook passes the areas and one rule: for the areas at one place, and for those of them that lead uphill the way it
goes, how many inches of movement an inch costs; None where it may not go. All layers, replacements and exceptions are
in that rule, which is asked once for each combination that occurs.

What counts as under the mover is either its reference point, with the better side of a border, or all that its base
overlaps. A side on which bars stand is not the better one: nobody goes there. Prices are exact by stretches of the leg,
never by samples:

>>> from simulator.geometry.pieces import rectangle
>>> soft = PricedGround([rectangle((5, 0), (4, 9))], lambda under, climbed: Fraction(2 if 0 in under else 1))
>>> for line in soft.price(Straight((0, 0), (5, 0))).lines:
...     print(line.inches, line.rate, sorted(line.under))
3 1 []
2 2 [0]

With a `grain` a leg is cut into pieces of that length from its start on. A piece costs the dearest ground in it, and
one that is begun is paid whole.

>>> by_halves = PricedGround(soft.areas, soft.rate, grain=Fraction(1, 2))
>>> str(by_halves.price(Straight((0, 0), (3.2, 0))).total)
'4'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, groupby
from threading import Lock
from typing import NamedTuple, TypeAlias

import numpy as np
import shapely

from simulator.geometry.angles import Degrees
from simulator.geometry.areas_along import AreasAlong, areas_along, cuts_apart
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Base, Round
from simulator.geometry.path_judge import is_clear, stretches_over, things_over
from simulator.geometry.paths import Paths, Straight
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.geometry.sweeps import MovingPoints
from simulator.geometry.tolerances import CONTACT, HAIR, ROUNDING_OF_ANGLES, SLACK, TOLERANCE, TOUCH
from simulator.pathing.columns import distinct_rows

#: Threads share a ground, and number its combinations one after the other.
_NUMBERING = Lock()
#: How many poses are remembered for which a ground has been rated.
_MOST_SPOTS = 256
#: How many prices of legs are remembered.
_MOST_LEGS = 64
_POINT = Round(0.0)
#: Exactly: lengths are compared with them that are fractions.
_SLACK, _HAIR = Fraction(SLACK), Fraction(HAIR)
#: The numbers of areas.
Under: TypeAlias = frozenset[int]
NOTHING: Under = frozenset()
_FIRST: IntArray = np.zeros(1, np.intp)
#: What an inch costs over some areas, of which some lead uphill; None: no way.
RateOf: TypeAlias = Callable[[Under, Under], Fraction | None]
#: Whether bars stand on some areas.
IsBarred: TypeAlias = Callable[[Under], bool]


class Uphill(NamedTuple):
    """Which ways lead up a slope: those less than `within` degrees off its uphill heading, or just as many, too."""

    within: float = 90.0
    inclusive: bool = False


#: Whatever leads higher at all.
ANY_GAIN = Uphill()


@dataclass(frozen=True)
class GroundLine:
    """A part of a leg over ground of one price."""

    inches: Fraction
    rate: Fraction
    under: Under
    climbed: Under

    @property
    def price(self) -> Fraction:
        """What it costs."""
        return self.inches * self.rate


class Combination(NamedTuple):
    """Areas that lie under a mover, those of them that it climbs, and what an inch costs there."""

    under: Under
    climbed: Under
    rate: Fraction | None
    barred: bool  #: whether bars stand there: on a border the other side counts


@dataclass(frozen=True)
class LegPrice:
    """What a leg costs, part by part; `barred` is after how many inches it meets ground that is closed to the mover."""

    lines: tuple[GroundLine, ...]
    barred: float | None = None

    @property
    def total(self) -> Fraction:
        """What it costs in all."""
        return sum((line.price for line in self.lines), Fraction(0))


class RatedStretches(NamedTuple):
    """Stretches of straight legs with what an inch costs there, in order; inf where the ground is closed."""

    leg: IntArray
    begin: FloatArray
    end: FloatArray
    rate: FloatArray
    which: IntArray  #: the number of the combination of areas, see `PricedGround.combination`


@dataclass(frozen=True, eq=False)
class PricedGround:
    """The areas of a table and the rule that prices them, for one mover."""

    areas: Sequence[Solid]
    rate: RateOf
    #: The heading that leads uphill, of areas that are slopes.
    slopes: Mapping[int, Degrees] = field(default_factory=dict)
    uphill: Uphill = ANY_GAIN
    #: The base whose overlaps count; None: the ground under the reference point counts.
    base: Base | None = None
    grain: Fraction | None = None
    #: No inch costs less: what searches look ahead by. The rule is held to it.
    least: Fraction = Fraction(1)
    #: The numbers of the areas over which an inch may cost so little; None: it may anywhere.
    cheap: Under | None = None
    #: No inch costs less off those: what can be said sooner about ground that is far from them.
    least_off_cheap: Fraction = Fraction(0)
    #: Tells the areas on which bars stand: on a border of theirs the other side counts. None: there are no such areas.
    barred: IsBarred | None = None

    def __post_init__(self) -> None:
        if self.least <= 0 or (self.grain is not None and self.grain <= 0):
            raise ValueError("the least price of an inch and the grain of legs are above 0")
        if self.cheap is not None and self.least_off_cheap < self.least:
            raise ValueError(f"off cheap areas an inch costs {self.least} or more, not {self.least_off_cheap}")

    @cached_property
    def standing(self) -> Standing:
        """The areas as the judge of paths takes them."""
        return Standing.of(self.areas)

    @cached_property
    def crossings(self) -> FloatArray:
        """The places, rows x, y, where the borders of two areas cross, if what counts is the ground under a place."""
        if self.base is not None or not self.areas:
            return np.zeros((0, 2))
        borders = np.asarray(shapely.boundary([area.polygon for area in self.areas]))
        one, other = shapely.STRtree(borders).query(borders, predicate="intersects")
        first = one < other
        crossed = shapely.get_parts(shapely.intersection(borders[one[first]], borders[other[first]]))
        return np.asarray(shapely.get_coordinates(crossed))

    # --- the rule, asked once for each combination ---

    @cached_property
    def _known(self) -> dict[tuple[Under, Under], int]:
        return {}

    @cached_property
    def _combinations(self) -> list[Combination]:
        return []

    @cached_property
    def _known_rows(self) -> dict[bytes, int]:
        """The numbers of combinations by their rows of flags: rows are sooner looked up than sets."""
        return {}

    @cached_property
    def _rates_in_order(self) -> list[float]:
        """What an inch costs by combination, so far."""
        return []

    @cached_property
    def _barred_in_order(self) -> list[bool]:
        """Whether bars stand there, by combination, so far."""
        return []

    def combination(self, which: int) -> Combination:
        """Return a combination by its number."""
        return self._combinations[which]

    def number(self, under: Under, climbed: Under) -> int:
        """Return the number of a combination, and price it where it occurs for the first time."""
        key = under, climbed
        if (known := self._known.get(key)) is not None:
            return known
        with _NUMBERING:
            return self._numbered(under, climbed)

    def _numbered(self, under: Under, climbed: Under) -> int:
        """Number a combination, unless another thread was sooner."""
        key = under, climbed
        if key not in self._known:
            rate = self.rate(under, climbed)
            if rate is not None and rate < self.least_over(under):
                least = self.least_over(under)
                raise ValueError(f"an inch costs {rate} over {sorted(under)}, less than the least, {least}")
            exact = None if rate is None else Fraction(rate)
            self._combinations.append(Combination(under, climbed, exact, self.is_barred(under)))
            self._known[key] = len(self._combinations) - 1
        return self._known[key]

    @property
    def _rates(self) -> FloatArray:
        with _NUMBERING:
            new = self._combinations[len(self._rates_in_order) :]
            self._rates_in_order.extend(math.inf if one.rate is None else float(one.rate) for one in new)
            return np.array(self._rates_in_order)

    @property
    def _barred(self) -> BoolArray:
        with _NUMBERING:
            new = self._combinations[len(self._barred_in_order) :]
            self._barred_in_order.extend(one.barred for one in new)
            return np.array(self._barred_in_order, np.bool_)

    @cached_property
    def _known_rates(self) -> dict[tuple[Under, Under], float]:
        """What has been asked of the rule for combinations that need not occur."""
        return {}

    def rate_or_inf(self, under: Under, climbed: Under) -> float:
        """Ask the rule for a combination that need not occur; inf where the ground is closed."""
        known = self._known_rates.get((under, climbed))
        if known is None:
            rate = self.rate(under, climbed)
            known = self._known_rates[under, climbed] = math.inf if rate is None else float(rate)
        return known

    def is_barred(self, under: Under) -> bool:
        """Whether bars stand on some areas."""
        return self.barred is not None and self.barred(under)

    def open_sides(self, sides: Iterable[Under]) -> list[Under]:
        """Return the sides of a border that count: those on which no bars stand, or if there are none, all."""
        every = list(sides)
        return [under for under in every if not self.is_barred(under)] or every

    @property
    def cheap_areas(self) -> Sequence[Solid]:
        """The areas over which an inch may cost the least."""
        return [self.areas[number] for number in sorted(self.cheap or ())]

    def least_over(self, under: Under) -> Fraction:
        """Return what an inch costs at least over some areas."""
        return self.least if self.cheap is None or self.cheap & under else self.least_off_cheap

    # --- many legs ---

    def least_prices(self, inches: FloatArray) -> FloatArray:
        """Compute what legs of some lengths cost at least."""
        if self.grain is None:
            return inches * float(self.least)
        return np.asarray(np.ceil((inches - SLACK) / float(self.grain)) * float(self.grain * self.least))

    def most_prices(self, inches: FloatArray) -> FloatArray:
        """Compute what parts of legs cost at most that have been rated, by their lengths."""
        dearest = np.max(self._rates, where=np.isfinite(self._rates), initial=0.0)
        # Of the first and the last piece a part may have next to nothing.
        return np.asarray((inches + 2 * float(self.grain or 0)) * dearest)

    def stretches(self, legs: Paths) -> RatedStretches:
        """Rate many legs, paths of one straight piece each."""
        if self.base is not None:
            leg, begin, end, under = _under_base(legs, self.standing, self.base)
            sides = [under]
        else:
            leg, begin, end, *sides = _under_place(legs, self.standing)
            # A leg has a border beside it on one side only: nearly always both sides are alike.
            sides = sides[:1] if np.array_equal(sides[0], sides[1]) else sides
        climbed = self.climbed(legs)[leg]
        numbers = [self._numbers(side, side & climbed, leg) for side in sides]
        rates = self._rates
        if not len(rates):
            return RatedStretches(leg, begin, end, begin, leg)
        which = numbers[0] if len(numbers) == 1 else self._better_sides(*numbers)
        return RatedStretches(leg, begin, end, rates[which], which)

    def _better_sides(self, left: IntArray, right: IntArray) -> IntArray:
        """Of the combinations on either side of borders, those that count: the cheaper ones that are not barred."""
        rates, barred = self._rates, self._barred
        alike = barred[left] == barred[right]
        return np.where(np.where(alike, rates[right] < rates[left], barred[left]), right, left)

    def sides_at(self, places: FloatArray) -> tuple[BoolArray, BoolArray]:
        """Find the areas that many places lie in, arrays [place, area]; on a border those on either side of it."""
        lines = MovingPoints(places, np.zeros_like(places))
        *_, left, right = areas_along(lines, self.standing)
        return left, right

    def climbed(self, legs: Paths) -> BoolArray:
        """Find which slopes each leg leads up: an array [leg, area]. Standing on a slope is not climbing it."""
        found = np.zeros((legs.count, self.standing.count), np.bool_)
        dx, dy = (legs.end - legs.start).T
        leads = (dx != 0.0) | (dy != 0.0)
        for area, heading in self.slopes.items():
            off = np.abs((np.degrees(np.arctan2(dy, dx)) - heading + 180.0) % 360.0 - 180.0)
            limit = self.uphill.within + (ROUNDING_OF_ANGLES if self.uphill.inclusive else -ROUNDING_OF_ANGLES)
            found[:, area] = leads & (off <= limit)
        return found

    def _numbers(self, under: BoolArray, climbed: BoolArray, leg: IntArray) -> IntArray:
        """The combinations of rows of areas, each under one of the legs that are asked about."""
        del leg  # The same rule holds for all of them.
        return self._numbers_of_rows(np.hstack([under, climbed]))

    def _numbers_of_rows(self, flags: BoolArray) -> IntArray:
        """The combinations of rows of flags: the areas under the mover, then those of them that it climbs."""
        if len(flags) == 1:
            return np.array([self._number_of_row(flags[0])], np.intp)
        rows, which = distinct_rows(flags)
        return np.array([self._number_of_row(row) for row in rows], np.intp)[which]

    def _number_of_row(self, row: BoolArray) -> int:
        key = row.tobytes()
        if key not in self._known_rows:
            self._known_rows[key] = self._new_number(row)
        return self._known_rows[key]

    def _new_number(self, row: BoolArray) -> int:
        return self.number(*as_sets(row))

    def rates_at(self, places: FloatArray, headings: FloatArray) -> FloatArray:
        """Compute what an inch costs at each of many poses; inf where the ground is closed whichever way it leads."""
        return self._open_rates(self.numbers_at(places, headings)) if len(places) else np.zeros(0)

    def _open_rates(self, numbers: IntArray) -> FloatArray:
        """What an inch costs over combinations, or else the least of what it costs up slopes there."""
        rates = self._rates[numbers]
        for number in np.unique(numbers[np.isinf(rates)]).tolist() if self.slopes else ():
            rates[numbers == number] = self.least_climbing(self._combinations[number].under)[0]
        return rates

    def least_climbing(self, under: Under) -> tuple[float, Under]:
        """Return the least of what an inch costs that leads up some slopes, and which; inf where none leads anywhere.

        So ground is open to who stands there that is closed but in one direction.
        """
        slopes = sorted(under & self.slopes.keys())
        known = (frozenset(some) for count in range(len(slopes)) for some in combinations(slopes, count + 1))
        rated = ((self.rate_or_inf(under, climbed), climbed) for climbed in known)
        return min(rated, key=lambda one: one[0], default=(math.inf, NOTHING))

    def rates_over(self, under: BoolArray) -> FloatArray:
        """Compute what an inch costs over areas, rows of flags, that is no climb; inf where the ground is closed."""
        numbers = self._numbers(under, np.zeros_like(under), np.arange(len(under)))
        return self._rates[numbers] if len(under) else np.zeros(0)

    def numbers_at(self, places: FloatArray, headings: FloatArray) -> IntArray:
        """Return the number of the combination of areas at each of many poses; see `combination`."""
        count, none = len(places), np.zeros(len(places))
        rows = np.arange(count)
        stands = Paths(rows, places, places, np.zeros_like(places), none, none, none, headings, none, count)
        if self.base is None:
            return self.stretches(stands).which
        under = np.zeros((count, self.standing.count), np.bool_)
        under[things_over(stands, self.standing, self.base)] = True
        return self._numbers(under, np.zeros_like(under), rows)

    # --- one leg, exactly ---

    def price(self, leg: Straight, inches: Fraction | None = None) -> LegPrice:
        """Price one leg in lines; `inches` is its length as it was ordered, which its ends may miss by rounding."""
        key = (*leg.start, *leg.end, leg.heading, inches)
        known = self._known_prices.get(key)
        if known is None:
            if len(self._known_prices) >= _MOST_LEGS:
                self._known_prices.clear()
            known = self._known_prices[key] = self._price(leg, inches)
        return known

    @cached_property
    def _known_prices(self) -> dict[tuple[float | Fraction | None, ...], LegPrice]:
        """The latest legs that were priced: the same way is tried with other actions, and then made."""
        return {}

    def _price(self, leg: Straight, inches: Fraction | None) -> LegPrice:
        if leg.length <= TOUCH:
            return LegPrice(())
        length = Fraction(leg.length) if inches is None else inches
        if (plain := self._plain_between(leg.start, leg.end)) is not None:
            parts = [(Fraction(0), length, plain)]
            return LegPrice(tuple(self._lines(self._pieces(parts) if self.grain else parts)))
        found = self.stretches(Paths.of_pieces([[leg]]))
        # A leg no longer than the tolerance is one stretch.
        shortest = TOLERANCE if leg.length > TOLERANCE + TOUCH else TOUCH
        shut = np.flatnonzero(np.isinf(found.rate) & (found.end - found.begin > shortest))
        barred = float(found.begin[shut[0]]) if len(shut) else None
        last = found.end[-1]
        parts = [
            (Fraction(begin), length if end == last else Fraction(end), int(which))
            for begin, end, which, rate in zip(found.begin, found.end, found.which, found.rate, strict=True)
            if math.isfinite(rate) and (barred is None or begin < barred)
        ]
        return LegPrice(tuple(self._lines(self._pieces(parts) if self.grain else parts)), barred)

    def _plain_between(self, start: XY, end: XY) -> int | None:
        """Return the number of no areas at all where none is near a leg, and that ground is open; else None."""
        reach = 2 * CONTACT + (0.0 if self.base is None else self.base.reach)
        (x0, y0), (x1, y1) = start, end
        low_x, high_x = (x0, x1) if x0 <= x1 else (x1, x0)
        low_y, high_y = (y0, y1) if y0 <= y1 else (y1, y0)
        if not self.standing.is_clear_of((low_x - reach, low_y - reach, high_x + reach, high_y + reach)):
            return None
        nothing = np.zeros((1, self.standing.count), np.bool_)
        plain = int(self._numbers(nothing, nothing, _FIRST)[0])
        return None if self._combinations[plain].rate is None else plain

    def _pieces(self, parts: list[tuple[Fraction, Fraction, int]]) -> list[tuple[Fraction, Fraction, int]]:
        """Whole pieces of the grain, each with the dearest ground of those that lie in it; neighbours alike as one."""
        assert self.grain is not None
        grain = self.grain
        # However short a leg is, its first piece is begun.
        count = max(math.ceil((parts[-1][1] - _HAIR) / grain), 1) if parts else 0
        if len(parts) == 1 and not parts[0][0]:
            return [(Fraction(0), count * grain, parts[0][2])]
        dearest: dict[int, tuple[Fraction, int]] = {}
        # What a leg only just reaches it does not lead over.
        led_over = [part for part in parts if part[0] < parts[-1][1] - _SLACK] or parts[:1]
        for begin, end, which in led_over:
            rate = self._combinations[which].rate or Fraction(0)
            for number in _pieces_met(begin, end, grain):
                if number not in dearest or rate > dearest[number][0]:
                    dearest[number] = rate, which
        alike = groupby(range(count), lambda number: dearest[number][1])
        runs = ((which, list(numbers)) for which, numbers in alike)
        return [(numbers[0] * grain, (numbers[-1] + 1) * grain, which) for which, numbers in runs]

    def _lines(self, parts: list[tuple[Fraction, Fraction, int]]) -> list[GroundLine]:
        """Parts as lines, neighbours of one combination as one."""
        lines: list[GroundLine] = []
        for begin, end, which in parts:
            under, climbed, rate, _ = self._combinations[which]
            assert rate is not None
            if lines and (lines[-1].under, lines[-1].climbed) == (under, climbed):
                lines[-1] = GroundLine(lines[-1].inches + end - begin, rate, under, climbed)
            else:
                lines.append(GroundLine(end - begin, rate, under, climbed))
        return lines

    def rate_at(self, x: float, y: float, heading: Degrees = 0.0) -> GroundLine | None:
        """Return what an inch costs where a mover stands, as a line of no inches; None where it may not stand."""
        # A disc covers the same ground in all headings.
        spot = x, y, 0.0 if self.base is None or isinstance(self.base, Round) else heading
        if spot not in self._stood_on:
            if len(self._stood_on) >= _MOST_SPOTS:
                self._stood_on.clear()
            self._stood_on[spot] = self._rated(*spot)
        return self._stood_on[spot]

    @cached_property
    def _stood_on(self) -> dict[tuple[float, float, Degrees], GroundLine | None]:
        """The latest poses that were asked about: one move after the other is tried from the same start."""
        return {}

    def _rated(self, x: float, y: float, heading: Degrees) -> GroundLine | None:
        if (plain := self._plain_between((x, y), (x, y))) is not None:
            return GroundLine(Fraction(0), self._combinations[plain].rate or Fraction(0), NOTHING, NOTHING)
        (which,) = self.numbers_at(np.array([[x, y]], np.float64), np.array([heading], np.float64))
        under, climbed, rate, _ = self._combinations[int(which)]
        if rate is None and (climbed := self.least_climbing(under)[1]):
            rate = self.rate(under, climbed)
        return None if rate is None else GroundLine(Fraction(0), rate, under, climbed)


def _pieces_met(begin: Fraction, end: Fraction, grain: Fraction) -> range:
    """The numbers of the pieces of a leg that a part of it reaches into, by more than a rounding; one at least."""
    first = (begin + _SLACK) // grain
    return range(first, max(math.ceil((end - _SLACK) / grain), first + 1))


def as_sets(row: BoolArray) -> tuple[Under, Under]:
    """Return the areas under a mover, and those of them that it climbs, by flags for the one and then the other."""
    under, climbed = (frozenset(np.flatnonzero(half).tolist()) for half in row.reshape(2, -1))
    return under, climbed


def even_ground(rate: Fraction) -> PricedGround:
    """Return ground on which every inch costs alike."""

    def rate_of(under: Under, climbed: Under) -> Fraction:
        del under, climbed
        return rate

    return PricedGround((), rate_of, least=rate)


def _under_place(legs: Paths, standing: Standing) -> AreasAlong:
    """The stretches of legs between which what the reference point is over changes, and what that is on either side."""
    every = np.arange(legs.count)
    if is_clear(legs, _POINT, standing):
        nothing = np.zeros((legs.count, standing.count), np.bool_)
        return AreasAlong(every, np.zeros(legs.count), legs.lengths, nothing, nothing)
    return areas_along(legs.lines(every), standing)


def _under_base(legs: Paths, standing: Standing, base: Base) -> tuple[IntArray, FloatArray, FloatArray, BoolArray]:
    """The stretches of legs between which what the base overlaps changes, and what it overlaps there."""
    every = np.arange(legs.count)
    if is_clear(legs, base, standing):
        return every, np.zeros(legs.count), legs.lengths, np.zeros((legs.count, standing.count), np.bool_)
    found = stretches_over(legs, standing, base)
    line = np.concatenate([every, every, found.path, found.path])
    at = np.concatenate([np.zeros(legs.count), legs.lengths, found.begin, found.end])
    order = np.lexsort((at, line))
    line, at = line[order], np.clip(at[order], 0.0, legs.lengths[line[order]])
    line, at = cuts_apart(line, at)
    same = np.flatnonzero(line[1:] == line[:-1])
    leg, begin, end = line[same], at[same], at[same + 1]
    middle = (begin + end) / 2
    under = np.zeros((len(leg), standing.count), np.bool_)
    low, high = np.searchsorted(leg, found.path, side="left"), np.searchsorted(leg, found.path, side="right")
    span = np.repeat(np.arange(len(found.path)), high - low)
    row = np.arange(len(span)) - np.repeat(np.cumsum(high - low) - high, high - low)
    inside = (middle[row] > found.begin[span]) & (middle[row] < found.end[span])
    under[row[inside], found.which[span[inside]]] = True
    # Of legs no longer than the tolerance no stretches are found either: they lead over what is under their base.
    stands = np.flatnonzero((end <= begin + TOUCH) | (legs.lengths[leg] <= TOLERANCE + TOUCH))
    if len(stands):
        path, thing = things_over(legs.some(leg[stands]), standing, base)
        under[stands[path], thing] = True
    return leg, begin, end, under
