"""Generated tables for movers with headings, and random legal moves on them."""

from fractions import Fraction
from functools import cache

import numpy as np
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper, vehicle

from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, PricedGround, Rotate, Travel, judged

BOX = (0, 0, 48, 36)
START = (24.0, 18.0)


def things(dice, count, sizes, clear):
    """Rectangles turned any way, clear of the start."""
    found = []
    while len(found) < count:
        middle = dice.uniform((2, 2), (46, 34))
        if np.hypot(*(middle - START)) > clear:
            size, turned = dice.uniform(*sizes, 2).tolist(), float(dice.uniform(0, 90))
            found.append(rectangle(tuple(middle.tolist()), tuple(size), turned))
    return found


def ground(dice, base=None, grain=None):
    """Patches of dearer ground, a road and a hill."""
    areas = [*things(dice, 8, (3, 8), 0), rectangle((24, 19), (40, 1.5), 8.0), rectangle((34, 18), (12, 14))]
    road, hill = len(areas) - 2, len(areas) - 1

    def rate(under, climbed):
        if road in under:
            return Fraction(1, 2) * (2 if climbed else 1)
        return Fraction(2 if under - {hill} else 1) * (2 if climbed else 1)

    return PricedGround(areas, rate, slopes={hill: 30.0}, base=base, grain=grain, least=Fraction(1, 2))


@cache
def searched(name, seed):
    """What a mover by name reaches on the table of a seed, for all that is asked of it."""
    return PoseReach(mover(name, seed))


def mover(name, seed):
    """A mover by name on the table of a seed."""
    dice = np.random.default_rng(seed)
    bars = [*things(dice, 16, (1, 5), 4), *(Round(0.6).at(*dice.uniform((2, 2), (46, 34))) for _ in range(6))]
    bars = [one for one in bars if one.polygon.distance(Round(2.6).at(*START).polygon) > 0]
    more = {"bars": bars, "box": BOX, "start": START, "heading": float(dice.integers(0, 360))}
    all_ways = (FORWARD, REVERSE, *SIDEWAYS)
    match name:
        case "disc":
            return vehicle(18, base=Round(0.63), **more)
        case "tank":
            return vehicle(18, base=Rectangle(2.5, 1.5), modes=(FORWARD, REVERSE), ground=ground(dice), **more)
        case "oval":
            return vehicle(12, base=Oval(2.0, 1.0), ground=ground(dice), **more)
        case "point":
            return vehicle(24, ground=ground(dice), **more)
        case "walker":
            return stepper(6, free=90, modes=all_ways, ground=ground(dice, Round(0.5), Fraction(1, 2)), **more)
        case "track":
            return stepper(8, modes=(FORWARD, REVERSE), **more)
    raise ValueError(name)


MOVERS = ("disc", "tank", "oval", "point", "walker", "track")


def random_moves(space, dice):
    """Some turns and legs, legal or not."""
    moves = []
    for _ in range(int(dice.integers(1, 4))):
        if dice.uniform() < 0.8:
            angle = dice.choice([45.0, -45.0, 90.0, 22.5, -22.5, float(dice.uniform(-180, 180))])
            moves.append(Rotate(Fraction(float(angle))))
        mode = space.modes[0] if dice.uniform() < 0.7 else space.modes[int(dice.integers(len(space.modes)))]
        moves.append(Travel(mode, Fraction(float(dice.uniform(0.2, float(space.budget) * 0.8)))))
    return moves


def legal_ends(space, dice, count, tries=4000):
    """Verdicts of random legal moves."""
    found = []
    for _ in range(tries):
        verdict = judged(space, space.starts[0], random_moves(space, dice))
        if verdict.is_legal:
            found.append(verdict)
        if len(found) == count:
            break
    return found
