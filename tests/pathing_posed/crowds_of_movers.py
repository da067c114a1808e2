"""Several movers of one kind on a generated table, each in the way of the others."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from posed_tables import mover
from toll_tables import uphill_costs_more

from simulator.geometry.angles import unit_vector
from simulator.geometry.footprints import Rectangle, Round
from simulator.pathing.posed import KnockDown, PoseStart, RunOver
from simulator.pathing.posed.rays import has_room


def standing(space):
    """The base of a mover where it starts."""
    start = space.starts[0]
    return space.base.at(*start.place, float(start.heading))


def in_each_others_way(spaces, bars):
    """Movers, each barred by what stands on the table and by the bases of the others."""
    bases = [standing(space) for space in spaces]
    return [
        replace(space, bars=[*bars, *(base for other, base in enumerate(bases) if other != number)])
        for number, space in enumerate(spaces)
    ]


def crowd(name, seed, count, budgets=(1,)):
    """So many movers by name, with shares of its budget in turn, clear of each other."""
    space, dice = mover(name, seed), np.random.default_rng([seed, 77])
    places, headings = [np.array(space.starts[0].place)], dice.uniform(0, 360, count).tolist()
    while len(places) < count:
        place = dice.uniform((3, 3), (45, 33))
        clear = all(np.hypot(*(place - other)) > 2 * space.base.reach + 0.1 for other in places)
        if clear and has_room(space, place[None], np.array([headings[len(places)]]))[0]:
            places.append(place)
    movers = []
    for number, place in enumerate(places):
        start = PoseStart(tuple(place.tolist()), Fraction(headings[number]) if number else space.starts[0].heading)
        share = Fraction(budgets[number % len(budgets)])
        movers.append(replace(space, starts=(start,), budget=space.budget * share))
    return in_each_others_way(movers, space.bars)


def crowd_with_tolls(name, seed, count, budgets=(1,)):
    """Such movers among trees and small enemies: each finds some of them, numbers them its own way and pays its price.

    What one has to pay for bars the way of nobody, and one mover in three finds nothing but trees.
    """
    spaces, dice = crowd(name, seed, count, budgets), np.random.default_rng([seed, 78])
    spots = [np.array(space.starts[0].place) for space in spaces]
    ahead = [2.4 * np.array(unit_vector(float(space.starts[0].heading))) for space in spaces]
    things = [Round(0.2).at(*(spot + more).tolist()) for spot, more in zip(spots, ahead, strict=True)]
    trees, starts = len(things), len(spots)
    while len(things) < 14:
        spot = spots[int(dice.integers(starts))] + dice.uniform(-7, 7, 2)
        if min(np.hypot(*(np.array(spots) - spot).T)) > 1.6:
            x, y = spot.tolist()
            trees += len(things) < 9
            base = Round(0.0) if len(things) < 9 else (Round(0.5), Rectangle(1.2, 0.8))[len(things) % 2]
            things.append(base.at(x, y, float(dice.uniform(0, 360))))
            spots.append(spot)
    shared = [KnockDown(thing, uphill_costs_more(1)) for thing in things]
    found = []
    for number, space in enumerate(spaces):
        tolls = []
        for which in dice.permutation(len(things))[: 12 + number % 2].tolist():
            if which < trees:
                own = KnockDown(things[which], uphill_costs_more(1 + number))
                tolls.append(own if dice.uniform() < 0.3 else shared[which])
            elif number % 3:
                tolls.append(RunOver(things[which], Fraction(2 + number % 2), Fraction(int(dice.integers(3)))))
        found.append(replace(space, tolls=tolls))
    return found
