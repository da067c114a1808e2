"""Generated tables as data, to be mirrored, turned, shifted, relabelled, and changed in one thing at a time.

The movers are those of `benchmarks.many_movers`; all coordinates are thousandths of an inch about the first start.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from benchmarks.many_movers import KINDS
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseSpace, PoseStart, PricedGround

#: So much of their budgets keeps searches short.
SHARES = {"walker": "1/2", "crab": "1/2", "track": "2/3", "gun": "2/3"}
#: Half the sides of the table.
HALF_SIDES = (16, 12)


def unit(degrees):
    """The cosine and the sine, exact at quarters."""
    if degrees % 90 == 0:
        return [(1, 0), (0, 1), (-1, 0), (0, -1)][int(degrees // 90) % 4]
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


class MovedTable:
    """A mover of a kind in the middle of the table of a seed."""

    def __init__(self, name, seed):
        self.kind, self.dice = KINDS[name], np.random.default_rng([seed, 21])
        self.budget = self.kind.budget * Fraction(SHARES.get(name, "2/3"))
        self.walls, self.patches = self._boxes(8, (1, 4), 4.0), self._boxes(9, (2, 6), 0.0)
        self.bases = [spot for spot in self._spots(8) if math.hypot(*spot) > 2.6]
        self.heading = int(self.dice.integers(0, 360))
        self.uphill = int(self.dice.integers(0, 360))
        self.starts = [((0.0, 0.0), self.heading, 0), ((-1.3, 0.4), (self.heading + 70) % 360, 1)]

    def _spots(self, count):
        return np.round(self.dice.uniform(-1, 1, (count, 2)) * (HALF_SIDES[0] - 1, HALF_SIDES[1] - 1), 3).tolist()

    def _boxes(self, count, sizes, clear):
        found = []
        while len(found) < count:
            ((x, y),) = self._spots(1)
            if math.hypot(x, y) > clear:
                size = np.round(self.dice.uniform(*sizes, 2), 3).tolist()
                found.append(((x, y), tuple(size), int(self.dice.integers(0, 90))))
        return found

    def move(self, *, angle=0, mirrored=False, shift=(0.0, 0.0)):
        """Set where the table lies: mirrored at the x axis, then turned, then shifted."""
        self.angle, self.mirrored, self.shift = angle, mirrored, shift
        return self

    angle, mirrored, shift = 0, False, (0.0, 0.0)

    def place(self, place):
        """Where a place is moved to."""
        (x, y), (cos, sin) = place, unit(self.angle)
        y = -y if self.mirrored else y
        return (cos * x - sin * y + self.shift[0], sin * x + cos * y + self.shift[1])

    def turned(self, degrees):
        """What a heading becomes."""
        return ((-degrees if self.mirrored else degrees) + self.angle) % 360

    def _box(self, one):
        middle, size, degrees = one
        return rectangle(self.place(middle), size, self.turned(degrees))

    def space(
        self, *, order=None, starts=1, more_walls=(), dearer=0, bounded=True, swapped=False, **changes
    ) -> PoseSpace:
        """The space: things in the order of a seed, starts the other way round, patches dearer by so much."""
        kind = self.kind
        hill, road = ((7.0, -2.0), (9.0, 8.0), 0), ((0.0, 1.0), (30.0, 1.2), 8)
        areas, walls, bases = [*self.patches, hill, road], [*self.walls, *more_walls], [*self.bases]
        numbers = list(range(len(areas)))
        if order is not None:
            dice = np.random.default_rng(order)
            for row in (numbers, walls, bases):
                dice.shuffle(row)
        slope, along = numbers.index(len(areas) - 2), numbers.index(len(areas) - 1)

        def rate(under, climbed):
            times = 2 if climbed else 1
            if along in under:
                return Fraction(1, 2) * times
            return Fraction(2 + dearer if under - {slope} else 1) * times

        ground = PricedGround(
            [self._box(areas[number]) for number in numbers],
            rate,
            slopes={slope: self.turned(self.uphill)},
            uphill=kind.uphill,
            base=kind.base if kind.whole_base else None,
            grain=kind.grain,
            least=Fraction(1, 2),
        )
        corners = np.array([self.place((x * sign, y * sign)) for sign in (-1, 1) for x, y in [HALF_SIDES]])
        round_bases = [Round(0.5).at(*self.place(spot)) for spot in bases]
        bars = [self._box(wall) for wall in walls]
        begins = [
            PoseStart(self.place(place), Fraction(self.turned(heading)), Fraction(paid))
            for place, heading, paid in self.starts[:starts]
        ]
        space = PoseSpace(
            kind.base,
            tuple(begins[::-1] if swapped else begins),
            self.budget,
            ground,
            tuple(replace(mode, aside=(-mode.aside if self.mirrored else mode.aside) % 360) for mode in kind.modes),
            kind.turns,
            bars=bars if kind.passes_bases else [*bars, *round_bases],
            no_end=round_bases if kind.passes_bases else (),
            box=(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()) if bounded else None,
            more_than=None if kind.more_than is None else kind.more_than / 2,
            most_travelled=None if kind.most_travelled is None else kind.most_travelled / 2,
        )
        return replace(space, **changes)

    def places(self, count):
        """Places about the start, and a heading for each."""
        dice, far = np.random.default_rng([self.heading, count]), float(self.budget) * 0.8
        angle, inches = dice.uniform(0, 2 * np.pi, count), far * np.sqrt(dice.uniform(0, 1, count))
        found = np.stack([inches * np.cos(angle), inches * np.sin(angle)], axis=1)
        return np.round(found, 3), np.round(dice.uniform(0, 360, count), 1)

    def moved_places(self, places):
        """Where places are moved to."""
        return np.array([self.place(place) for place in places.tolist()])

    def turned_headings(self, headings):
        """What headings become."""
        return np.array([self.turned(heading) for heading in headings.tolist()])
