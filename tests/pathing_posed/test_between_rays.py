"""What is drawn between two rays is what rays between them end on, wherever prices rise in steps."""

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
from simulator.pathing.posed.sweeps_of_rays import LegStrips
from simulator.pathing.posed.swept_area import Swept

#: Inches by which a straight line between the ends of two rays may lead farther than a ray between them ends.
FARTHER = 0.02
#: So many rays are cast between two others.
RAYS = 16


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


def widths_beyond(sweep):
    """How wide the ground is that is drawn between each two rays, and that a ray between them does not end on."""
    rays, ends, lines = sweep.rays, sweep.ends, sweep._sweep
    pairs = neighbours(rays, ends, lines.gaps, sweep._notes.settled, sweep._error)
    pairs = pick(pairs, sweep._adds()[ends.ray[pairs.one]])
    one, parts = ends.ray[pairs.one], np.bincount(ends.ray, minlength=len(rays.at) + 1)
    # Where a ray ends in several parts, which of them lie beside each other is another question.
    single = (parts[one] == 1) & (parts[one + 1] == 1)
    one, far, far_other = one[single], pairs.far[single], pairs.far_other[single]
    longest, apart = np.maximum(rays.inches[one], rays.inches[one + 1]), rays.at[one + 1] - rays.at[one]
    gap = lines.gaps(rays.family[one], apart, longest)
    begins = rays.start[one] + far[:, None] * rays.ahead[one]
    along = rays.start[one + 1] + far_other[:, None] * rays.ahead[one + 1] - begins
    beyond = np.zeros(len(one))
    for share in (np.arange(RAYS) + 0.5) / RAYS:
        there, found = cast(sweep._space, lines, rays.family[one], rays.at[one] + share * apart, sweep._facing)
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn = cross(begins - there.start, along) / cross(there.ahead, along)
        ending = np.zeros(len(one))
        np.maximum.at(ending, found.ray, found.far)
        beyond += (np.where(np.isfinite(drawn), drawn, 0.0) > ending + FARTHER) / RAYS
    return beyond * gap


def cross(one, other):
    return one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]


@pytest.mark.parametrize("board", [on_dear_ground, inches_on_dear_ground, among_trees])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_drawn_between_two_rays_is_what_rays_end_on_there(monkeypatch, seed, board):
    """But for pits that are narrower than the error."""
    sweeps = drawn_sweeps(monkeypatch, board(seed))
    found = np.concatenate([widths_beyond(sweep) for sweep in sweeps])
    assert len(found) > 90
    assert found.max() <= sweeps[0]._error


@pytest.mark.parametrize("seed", [2, 3])
def test_where_a_whole_piece_of_a_leg_ends_is_known_beforehand(monkeypatch, seed):
    """Whoever turns just beyond has paid for one piece more: no pit is left there, however narrow."""
    sweeps = drawn_sweeps(monkeypatch, on_dear_ground(seed))
    strips = [widths_beyond(sweep) for sweep in sweeps if isinstance(sweep._sweep, LegStrips)]
    assert len(np.concatenate(strips)) > 10
    assert np.concatenate(strips).max() == 0.0


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
