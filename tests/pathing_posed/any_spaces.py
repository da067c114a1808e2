"""Spaces with anything that the form allows, drawn by lot: bases, modes, prices, tolls, levels, phases."""

from fractions import Fraction

import numpy as np
from posed_movers import FORWARD, REVERSE, SIDEWAYS

from simulator.geometry.footprints import Oval, PolygonBase, Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    Arc,
    EarlierPhase,
    FarFrom,
    KnockDown,
    Placing,
    PoseLink,
    PoseSpace,
    PoseStart,
    PricedGround,
    RunOver,
    TableLevel,
    TurnPrices,
    even_ground,
)

BOX, START = (0, 0, 24, 20), (12.0, 10.0)
BASES = (
    *(Round(0.5), Round(0.0), Round(0.9), Oval(1.4, 0.8), Rectangle(1.6, 0.9)),
    PolygonBase([(-0.8, -0.5), (0.9, 0.0), (-0.8, 0.5)]),
)
MODES = ((FORWARD,), (FORWARD, REVERSE), (FORWARD, REVERSE, *SIDEWAYS))
BRACKETS = (
    [(45, 1), (90, 2), (135, 4), (180, 5)],
    [(30, 1), (180, 3)],
    [(180, 2)],
    [(90, 0), (180, 1)],
    [(22.5 * step, Fraction(step, 2)) for step in range(1, 9)],
    [(60, 2), (120, 3), (180, 6)],
)
SEPARATIONS = (None, 0, Fraction(1, 2), 1, 2)


class Lot:
    """A space drawn by lot; the parts of it in the order in which they are drawn."""

    def __init__(self, seed):
        self.dice = np.random.default_rng([seed, 23])

    def one_of(self, options):
        return options[int(self.dice.integers(len(options)))]

    def happens(self, chance):
        return bool(self.dice.uniform() < chance)

    def things(self, count, sizes, clear):
        """Rectangles turned any way, with their middles clear of the start."""
        found = []
        for middle in self.dice.uniform((1, 1), (23, 19), (6 * count, 2)).tolist():
            if len(found) < count and np.hypot(*np.subtract(middle, START)) > clear:
                size = self.dice.uniform(*sizes, 2).tolist()
                found.append(rectangle(tuple(middle), tuple(size), float(self.dice.uniform(0, 90))))
        return found

    def turns(self):
        prices = {"times_rate": self.happens(0.5)}
        if self.happens(0.4):
            prices |= {"free": self.one_of((30, 45, 60, 90)), "free_in_portions": self.happens(0.5)}
        else:
            prices["separation"] = self.one_of(SEPARATIONS)
        return TurnPrices.of(self.one_of(BRACKETS), **prices)

    def ground(self, base):
        if self.happens(0.2):
            return even_ground(Fraction(1))
        areas = [*self.things(5, (2, 6), 0), rectangle((12, 10.5), (20, 1.2), 6.0), rectangle((16, 10), (6, 8))]
        road, hill, closed = len(areas) - 2, len(areas) - 1, self.happens(0.3)

        def rate(under, climbed):
            if road in under:
                return Fraction(1, 2) * (2 if climbed else 1)
            if closed and 0 in under:
                return None
            return Fraction(2 if under - {hill} else 1) * (2 if climbed else 1)

        return PricedGround(
            areas,
            rate,
            slopes={hill: 30.0} if self.happens(0.5) else {},
            base=base if self.happens(0.5) else None,
            grain=Fraction(1, 2) if self.happens(0.4) else None,
            least=Fraction(1, 2),
        )

    def more(self, budget, bars):
        """What few spaces have."""
        found = {}
        if self.happens(0.25):
            spots = self.dice.uniform((4, 4), (20, 16), (4, 2)).tolist()
            found["tolls"] = [KnockDown(Round(0.3).at(*spot), lambda *_: Fraction(1)) for spot in spots[:3]]
            if self.happens(0.5):
                least = budget * self.one_of((Fraction(0), Fraction(1, 3), Fraction(2, 3)))
                found["tolls"].append(RunOver(Round(0.5).at(*spots[3]), Fraction(3), least))
        if self.happens(0.15):
            found["no_end"] = self.things(3, (1, 3), 1.8)
        if self.happens(0.15):
            found["most_travelled"] = budget * Fraction(2, 3)
        if self.happens(0.1):
            found["far_from"] = (FarFrom(START, float(budget) / 3),)
        if self.happens(0.15):
            found["above"] = (TableLevel(even_ground(Fraction(1)), bars[:2], (), BOX),)
            found["links"] = (PoseLink("up", 0, 1, Fraction(1)), PoseLink("down", 1, 0, Fraction(1)))
        kind = self.one_of(("plain",) * 6 + ("more", "phases", "placed"))
        if kind == "more":
            found["more_than"] = budget / 2
        elif kind == "phases":
            found["earlier"] = (EarlierPhase(budget, refreshes=self.happens(0.5)),)
        elif kind == "placed":
            found["placings"] = (Placing((Arc(START, 1.0, 0, float(self.dice.uniform(60, 300))),)),)
            found["starts"] = ()
        return found


def any_space(seed):
    """A small space with anything that the form allows."""
    lot = Lot(seed)
    base, modes, turns = lot.one_of(BASES), lot.one_of(MODES), lot.turns()
    discs = [Round(0.5).at(*spot) for spot in lot.dice.uniform((1, 1), (23, 19), (4, 2)).tolist()]
    room = Round(1.6).at(*START).polygon
    bars = [one for one in [*lot.things(8, (0.6, 4), 2.5), *discs] if one.polygon.distance(room) > 0]
    budget = Fraction(lot.one_of((5, 6, 8)))
    starts = (PoseStart(START, Fraction(int(lot.dice.integers(0, 360)))),)
    fields = {"starts": starts, "bars": bars, "box": BOX, "whole_base_on_table": lot.happens(0.5)}
    ground = lot.ground(base)
    return PoseSpace(
        base=base, budget=budget, ground=ground, modes=modes, turns=turns, **fields | lot.more(budget, bars)
    )


def costs_anywhere(space, reach, seed, count=8):
    """Costs of places and of poses around where a space begins, on all levels."""
    dice, far = np.random.default_rng(seed), float(space.budget)
    places, headings = np.array(START) + dice.uniform(-far, far, (count, 2)), dice.uniform(0, 360, count)
    found = [
        np.r_[reach.costs_at(places, level), reach.costs_in(places, headings, level)]
        for level in range(space.level_count)
    ]
    return np.concatenate(found)
