"""Several movers of one kind on a generated table, each in the way of the others."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from posed_tables import mover

from simulator.pathing.posed import PoseStart
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
