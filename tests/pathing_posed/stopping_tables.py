"""Tables of round things that stop a round mover, drawn by lot, and moves among them."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
from posed_movers import FORWARD, REVERSE, SIDEWAYS

from simulator.geometry.footprints import Round
from simulator.pathing.posed import PoseSpace, PoseStart, Rotate, Touch, Travel, TurnPrices, even_ground, judged

START = np.array([10.0, 10.0])
MODES = ((FORWARD,), (FORWARD, REVERSE), (FORWARD, REVERSE, *SIDEWAYS))
STEP = Fraction(45, 2)
#: Overlaps up to this are contact, as gaps are.
NEAR = 0.01


def stopping_space(seed, begun=0):
    """A mover among things that stop it; so many of them it touches where it begins."""
    dice = np.random.default_rng([seed, begun])
    reach, foes = float(dice.choice([0.5, 0.8])), []
    for number in range(max(begun, int(dice.integers(1, 5)))):
        for _ in range(50):
            radius = float(dice.choice([0.4, 0.7, 1.2]))
            angle, far = dice.uniform(0, 2 * math.pi), dice.uniform(reach + radius + 0.05, 6.0)
            if number < begun:
                far = reach + radius + dice.uniform(-0.8, 0.8) * NEAR
            place = START + far * np.array([math.cos(angle), math.sin(angle)])
            if all(np.hypot(*(place - other)) >= radius + width for other, width in foes):
                foes.append((place, radius))
                break
    ground = even_ground(Fraction(1))
    return PoseSpace(
        Round(reach),
        (PoseStart((10.0, 10.0), Fraction(45 * int(dice.integers(8)))),),
        Fraction(int(dice.choice([5, 7]))),
        replace(ground, grain=Fraction(1, 2)) if dice.random() < 0.5 else ground,
        MODES[int(dice.integers(3))],
        TurnPrices.in_steps(STEP, Fraction(1, 2), times_rate=True, free=Fraction(int(dice.choice([0, 90])))),
        [Round(radius - NEAR).at(*place) for place, radius in foes],
        box=(0, 0, 20, 20),
        stops=[Touch(Round(radius).at(*place), NEAR) for place, radius in foes],
    )


def legal_moves(space, seed, count):
    """Legal moves among many drawn by lot, as they are judged."""
    verdicts = (judged(space, space.starts[0], moves) for moves in written_moves(space, seed, count))
    return [verdict for verdict in verdicts if verdict.is_legal]


def written_moves(space, seed, count):
    """Moves drawn by lot; most of their last legs lead up to a stop."""
    dice = np.random.default_rng([seed, count])
    return [_moves(space, dice) for _ in range(count)]


def _moves(space, dice):
    (start,) = space.starts
    moves, free = [], space.turns.free
    place, heading = np.array(start.place), float(start.heading)
    last = int(dice.integers(1, 4))
    for number in range(last):
        angle = Fraction(int(dice.integers(-8, 9))) * STEP
        if dice.random() < 0.3:
            angle = Fraction(float(dice.uniform(-180, 180)))
        used = min(free, abs(angle)) if dice.random() < 0.7 else Fraction(0)
        free = free if not used else Fraction(0)
        moves += [Rotate(angle, math.copysign(1, angle) * used)] if angle and dice.random() < 0.8 else []
        heading += float(angle) if moves and isinstance(moves[-1], Rotate) else 0.0
        mode, inches = space.modes[int(dice.integers(len(space.modes)))], float(dice.uniform(0.05, 4))
        ahead = np.array([math.cos(math.radians(heading + mode.aside)), math.sin(math.radians(heading + mode.aside))])
        if number == last - 1 and dice.random() < 0.7:
            inches = min(_up_to_stops(space, place, ahead, dice), default=inches)
        moves.append(Travel(mode, Fraction(inches)))
        place = place + inches * ahead
    if dice.random() < 0.3:
        angle = Fraction(float(dice.uniform(-180, 180)))
        moves.append(Rotate(angle, math.copysign(1, angle) * min(free, abs(angle))))
    return moves


def _up_to_stops(space, place, ahead, dice):
    """Yield how long a leg is that ends in touch with a stop."""
    for stop in space.stops:
        away = stop.thing.parts[0][0] - place
        far = stop.thing.spread[0, 0] + space.base.radius + dice.uniform(-0.8, 0.8) * NEAR
        along = away @ ahead
        deep = far**2 - (away @ away - along**2)
        if deep > 0 and along - math.sqrt(deep) > 0.01:
            yield along - math.sqrt(deep)
