"""Movers of two kinds of rules, of data alone: some pay inches and brackets of angles, some pay begun half inches."""

from fractions import Fraction

from simulator.geometry.footprints import Round
from simulator.pathing.posed import Mode, PoseSpace, PoseStart, PricedGround, TurnPrices

FORWARD = Mode("forward")
REVERSE = Mode("reverse", 180, Fraction(2))
LEFTWARD, RIGHTWARD = Mode("left", 90, Fraction(2)), Mode("right", 270, Fraction(2))
SIDEWAYS = (LEFTWARD, RIGHTWARD)


def half_up(number):
    """The nearest whole number, halves up."""
    return (Fraction(number) + Fraction(1, 2)).__floor__()


def sixths(rate, shares=("1/6", "1/3", "2/3", "5/6")):
    """Turns at shares of a rate, by brackets of 45 degrees, rounded to whole inches."""
    brackets = [(45 * (n + 1), half_up(Fraction(share) * rate)) for n, share in enumerate(shares)]
    return TurnPrices.of(brackets, separation=1)


def flat_ground(under, climbed):
    """An inch costs an inch everywhere."""
    del under, climbed
    return Fraction(1)


def vehicle(rate, *, modes=(FORWARD, REVERSE, *SIDEWAYS), ground=None, base=None, start=(0, 0), heading=0, **more):
    """A mover whose legs are exact and whose turns cost shares of its rate."""
    more.setdefault("turns", sixths(rate))
    starts = (PoseStart(start, Fraction(heading)),)
    ground = ground or PricedGround((), flat_ground)
    return PoseSpace(base or Round(0), starts, Fraction(more.pop("budget", rate)), ground, modes, **more)


def steps(free=0, step="45/2"):
    """Turns of half an inch for each step of so many degrees that is begun, at the price of the ground."""
    return TurnPrices.in_steps(Fraction(step), Fraction(1, 2), times_rate=True, free=free)


def stepper(points, *, free=0, step="45/2", modes=(FORWARD, REVERSE), areas=(), rate=flat_ground, base=None, **more):
    """A mover that pays each half inch begun, at the dearest ground under its base."""
    base = base or Round(0.5)
    more.setdefault("ground", PricedGround(areas, rate, base=base, grain=Fraction(1, 2)))
    starts = (PoseStart(more.pop("start", (0, 0)), Fraction(more.pop("heading", 0))),)
    return PoseSpace(base, starts, Fraction(points), more.pop("ground"), modes, steps(free, step), **more)
