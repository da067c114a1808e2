"""All moves on small lattices: none is cheaper than the planner knows, and those on finer ones come nearer to it."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from posed_lattice import lattice_ends
from posed_movers import FORWARD, LEFTWARD, REVERSE, stepper, vehicle

from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, PricedGround, TurnPrices

PATCH = [rectangle((1.6, -1.4), (1.7, 1.3), 35)]
WALLS = [rectangle((2.5, 0.9), (0.6, 1.4), 20), rectangle((-1.5, -2.2), (2.0, 0.5), 65)]
TABLE = {"bars": WALLS, "box": (-4, -3, 5, 4), "heading": 10}
BRACKETS = TurnPrices.of([(45, 1), (90, 2), (135, Fraction(5, 2)), (180, 3)], separation=1)
STEPS = TurnPrices.of([(22.5 * count, Fraction(count, 2)) for count in range(1, 9)], separation=0)


def doubled(under, climbed):
    """Dear ground costs two inches for one."""
    return Fraction(2 if under else 1)


def small(name):
    """A mover that gets no farther than a few inches."""
    patch = PricedGround(PATCH, doubled)
    match name:
        case "brackets":
            return vehicle(4, base=Round(0.3), modes=(FORWARD, REVERSE), turns=BRACKETS, ground=patch, **TABLE)
        case "steps":
            return vehicle(4, base=Rectangle(0.8, 0.5), modes=(FORWARD, REVERSE), turns=STEPS, ground=patch, **TABLE)
        case "half inches":
            ways, base = (FORWARD, LEFTWARD), Oval(1.0, 0.6)
            return stepper("5/2", free=45, step=45, modes=ways, areas=PATCH, rate=doubled, base=base, **TABLE)
        case "any angle":
            turns, base = TurnPrices.flat(1), Rectangle(1.2, 0.6)
            return vehicle(4, base=base, modes=(FORWARD,), turns=turns, ground=patch, **TABLE)
    raise ValueError(name)


@cache
def ends_of(name, angle, inches):
    """The ends of a mover on a lattice."""
    return lattice_ends(small(name), angle, inches)


def overpaid(name, angle, inches, finer):
    """By how much the planner is dearer than each end of a lattice: at the place, and in the pose."""
    ends, reach = ends_of(name, angle, inches), PoseReach(small(name), finer)
    places, costs = np.array([end.place for end in ends]), np.array([end.cost for end in ends])
    headings = np.array([end.heading for end in ends])
    return reach.costs_at(places) - costs, reach.costs_in(places, headings) - costs


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "angle", "inches", "finer", "least"),
    [
        ("brackets", 45, 1, 0, 30),
        ("brackets", 45, 0.5, 1, 200),
        ("steps", 22.5, 1, 0, 30),
        ("half inches", 45, 1, 0, 30),
        ("half inches", 45, 0.5, 1, 200),
        ("any angle", 45, 1, 0, 30),
    ],
)
def test_no_move_of_turns_to_limits_and_legs_of_the_mesh_is_cheaper(name, angle, inches, finer, least):
    at, poses = overpaid(name, angle, inches, finer)
    assert len(at) >= least
    assert at.max() <= 1e-9
    assert poses.max() <= 1e-9


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "finer", "missed_at", "missed_poses"),
    [("half inches", 0, 0, 2), ("any angle", 0, 0, 0), ("any angle", 1, 0, 0)],
)
def test_of_moves_off_the_mesh_few_are_missed(name, finer, missed_at, missed_poses):
    """Legs of half inches on a mesh of one, and turns to no limit: a base that is not round cannot turn anywhere."""
    at, poses = overpaid(name, 45, 0.5, finer)
    assert np.isinf(at).sum() <= missed_at
    assert np.isinf(poses).sum() <= missed_poses
    for over in (at, poses):
        assert over[np.isfinite(over)].max() <= 1e-9


def test_finer_lattices_come_nearer():
    """How far from a place the nearest end is that costs no more than the planner says the place does."""
    places = np.random.default_rng(3).uniform((-3, -2), (4, 3), (200, 2))
    known = PoseReach(small("brackets")).costs_at(places)
    places, known = places[np.isfinite(known)], known[np.isfinite(known)]
    means = []
    for angle, inches in ((45, 1), (45, 0.5), (22.5, 0.5)):
        ends = ends_of("brackets", angle, inches)
        away = np.hypot(*(places[:, None] - np.array([end.place for end in ends])).transpose(2, 0, 1))
        dearer = np.array([end.cost for end in ends]) > known[:, None] + 1e-6
        means.append(float(np.where(dearer, np.inf, away).min(axis=1).mean()))
    assert len(known) > 60
    assert means == sorted(means, reverse=True)
    assert means[-1] < 0.6 * means[0]
