"""What is drawn between two rays is what a ray between them ends on, wherever prices rise in steps."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import stepper, vehicle

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.columns import pick
from simulator.pathing.posed import KnockDown, PoseReach, PricedGround
from simulator.pathing.posed.between_rays import neighbours
from simulator.pathing.posed.ray_ends import cast
from simulator.pathing.posed.swept_area import Swept

#: Inches by which a straight line between the ends of two rays may lead farther than a ray between them ends.
FARTHER = 0.02


def dearest(under, _):
    return max((Fraction(2 + number % 3) for number in under), default=Fraction(1))


def patches(seed, count=9):
    dice = np.random.default_rng(seed)
    places, sizes = dice.uniform(-6, 6, (count, 2)), dice.uniform(0.6, 4, (count, 2))
    turns = dice.integers(0, 4, count) * 22.5
    return [
        rectangle(tuple(place), tuple(size), float(turn))
        for place, size, turn in zip(places, sizes, turns, strict=True)
    ]


def on_dear_ground(seed):
    """Begun half inches, each at the dearest ground under the base."""
    return stepper(5 + seed % 4, areas=patches(seed), rate=dearest)


def inches_on_dear_ground(seed):
    return vehicle(12, base=Round(0.5), budget=9, ground=PricedGround(patches(seed), dearest))


def among_trees(seed):
    """Each tree that is knocked down costs an inch."""
    spots = np.random.default_rng(seed).uniform(-6, 6, (14, 2))
    spots = spots[np.hypot(*spots.T) > 1.5].tolist()
    trees = [KnockDown(Round(0.2).at(*spot), lambda *_: Fraction(1)) for spot in spots]
    return vehicle(12, base=Round(0.5), budget=9, tolls=trees)


def drawn_sweeps(monkeypatch, space):
    """The sweeps that an area is drawn from."""
    found, drawn = [], Swept.drawn
    monkeypatch.setattr(Swept, "drawn", lambda sweep: found.append(sweep) or drawn(sweep))
    PoseReach(space).area()
    return found


def farther(sweep, dice):
    """By how much what is drawn at rays between others leads farther than those end, a number for each gap."""
    rays, ends, lines = sweep.rays, sweep.ends, sweep._sweep
    pairs = neighbours(rays, ends, lines.gaps, sweep._notes.settled, sweep._error)
    pairs = pick(pairs, sweep._adds()[ends.ray[pairs.one]])
    one, parts = ends.ray[pairs.one], np.bincount(ends.ray, minlength=len(rays.at) + 1)
    # Where a ray ends in several parts, which of them lie beside each other is another question.
    longest = np.maximum(rays.inches[one], rays.inches[one + 1])
    wide = lines.gaps(rays.family[one], rays.at[one + 1] - rays.at[one], longest) > sweep._error
    single = (parts[one] == 1) & (parts[one + 1] == 1) & wide
    one = one[single]
    low, high = rays.at[one], rays.at[one + 1]
    at = low + dice.uniform(0.05, 0.95, len(one)) * (high - low)
    there, found = cast(sweep._space, lines, rays.family[one], at, sweep._facing)
    begins = rays.start[one] + pairs.far[single, None] * rays.ahead[one]
    along = rays.start[one + 1] + pairs.far_other[single, None] * rays.ahead[one + 1] - begins
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = cross(begins - there.start, along) / cross(there.ahead, along)
    far = np.zeros(len(one))
    np.maximum.at(far, found.ray, found.far)
    return np.nan_to_num(drawn, nan=0.0, posinf=0.0, neginf=0.0) - far


def cross(one, other):
    return one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]


@pytest.mark.parametrize("board", [on_dear_ground, inches_on_dear_ground, among_trees])
@pytest.mark.parametrize("seed", range(6))
def test_a_ray_between_two_others_ends_no_sooner_than_what_is_drawn(monkeypatch, seed, board):
    dice = np.random.default_rng([seed, 4])
    found = np.concatenate([farther(sweep, dice) for sweep in drawn_sweeps(monkeypatch, board(seed))])
    assert len(found) > 40
    assert found.max() <= FARTHER


def test_equal_steps_are_no_slope():
    """Turns after none, a quarter and a half inch leave half an inch less each time, as if that were a slope."""
    areas = [
        *(rectangle((3, 2), (3, 2), 20), Round(1.4).at(-2, 3), rectangle((0, -4), (6, 1.5), -10)),
        *(rectangle((-5, -1), (2, 3), 45), Round(0.8).at(5, -2)),
    ]
    reach = PoseReach(stepper(7, areas=areas, rate=lambda under, _: Fraction(1 + 2 * len(under)), step="45/2"))
    place = (-0.96429366, 2.20377915)
    assert not reach.are_ends([place])[0]
    assert not shapely.contains_xy(reach.area(), *place)
