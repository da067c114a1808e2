"""Answers that several processes work on are those of one, to the byte, in however many parts work is shared out."""

import sys
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
import shapely
from any_spaces import START as MIDDLE
from any_spaces import any_space
from crowds_of_movers import crowd, crowd_with_tolls
from edges_of_roofs import walker
from placed_tables import placed
from posed_flyers import flyer
from posed_movers import FORWARD, REVERSE, vehicle
from test_movers_together import columns, same

from simulator import cores, threads
from simulator.geometry.footprints import Oval, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.columns import pick
from simulator.pathing.generators import result_of
from simulator.pathing.posed import EarlierPhase, PoseReach, PricedGround, drawings, drawn_reach, reach, shared_searches
from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.together import reach_many
from simulator.pathing.posed.whole_legs import alike_legs

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="copies are made on Linux alone")


@pytest.fixture
def processes(copies_made, monkeypatch):
    """Set how many processes share work, and count the copies that are made."""
    monkeypatch.setattr(threads._Limit, "threads", None)
    for module, name, least in (
        (drawings, "_WORTH_A_PROCESS", 2),
        (drawn_reach, "ENDS_WORTH_A_PROCESS", 2),
        (reach, "ENDS_WORTH_A_PROCESS", 2),
        (reach, "_PLACES_WORTH_A_PROCESS", 1),
        (shared_searches, "_WORTH_A_PROCESS", 1),
    ):
        monkeypatch.setattr(module, name, least)

    def allow(count):
        monkeypatch.setattr(cores._Copies, "allowed", count > 1)
        monkeypatch.setattr(threads, "cores", lambda: count)
        copies_made.clear()
        return copies_made

    return allow


def answers(space, dice, middle, heading=None):
    """What a planner answers about a space: areas on all levels, for less, and with a heading; ends, and headings."""
    planner, every, far = reach_of(space), range(space.level_count), float(space.budget)
    places, headings = np.array(middle) + dice.uniform(-far, far, (12, 2)), dice.uniform(0, 360, 12)
    areas = [planner.area(level=every)]
    areas += [] if space.more_than else planner.areas_within([space.budget / 3, space.budget / 2], level=every)
    areas += [] if heading is None else [planner.area(heading=heading)]
    found = [shapely.to_wkb(area) for area in areas]
    for level in every:
        found += [planner.are_ends(places, level=level).tolist(), planner.are_ends(places, headings, level).tolist()]
        found.append(planner.headings_at_each(places[:4], level=level))
    return found


@pytest.mark.sampled("2", "15", "17", "33")
@pytest.mark.parametrize("seed", [2, 3, 5, 6, 7, 15, 17, 19, 26, 27, 33, 38])
def test_in_any_space(seed, processes):
    space, found = any_space(seed), []
    for count in (1, 2, 3):
        made, dice = processes(count), np.random.default_rng(seed)
        found.append(answers(space, dice, MIDDLE, 60.0 if seed in (2, 5, 26) else None))
        assert bool(made) == (count > 1)
    assert found[0] == found[1] == found[2]


def in_two_phases():
    wall = rectangle((2, 1), (0.5, 3))
    space = vehicle(3, base=Round(0.5), modes=(FORWARD, REVERSE), start=(0, 0))
    return replace(space, bars=[wall], earlier=(EarlierPhase(Fraction(2)),))


SPACES = {
    "a flyer": lambda: flyer(3, Round(0.5), others=4),
    "a long flyer": lambda: flyer(5, Oval(1.6, 0.8), others=4),
    "off a roof": lambda: walker(4, base=Round(0.5)),
    "in two phases": in_two_phases,
    "placed first": lambda: placed("disc", 1, "edge", "1/6"),
}


@pytest.mark.sampled(dear=["a long flyer"])
@pytest.mark.parametrize("name", SPACES)
def test_on_levels_and_off_edges(name, processes):
    space, found = SPACES[name](), []
    for count in (1, 2):
        made = processes(count)
        middle = space.starts[0].place if space.starts else MIDDLE
        found.append(answers(space, np.random.default_rng(4), middle))
        assert bool(made) == (count > 1)
    assert found[0] == found[1]


def over_mud():
    """Movers that each come upon other areas, of those that all of them share, and in another order."""
    patches = [rectangle((3 * number, 4), (2, 6), 20.0 * number) for number in range(6)]
    ground = PricedGround(patches, lambda under, _: Fraction(2 + len(under) + max(under, default=0), 2))
    spots = [(0, 0), (16, 8), (8, -1), (3, 9), (12, 0)]
    movers = [vehicle(7, base=Round(0.4), modes=(FORWARD,), start=spot) for spot in spots]
    return [replace(one, ground=ground) for one in movers]


CROWDS = {
    "several budgets": lambda: crowd("disc", 1, 5, budgets=("1", "1/3", "2/3")),
    "a long base": lambda: crowd("track", 2, 3),
    "over mud": over_mud,
    "among what gives way": lambda: crowd_with_tolls("disc", 3, 4),
}


@pytest.mark.sampled(dear=["1-among what gives way"])
@pytest.mark.parametrize("name", CROWDS)
@pytest.mark.parametrize("finer", [0, 1])
def test_searches_of_many_movers(name, finer, processes):
    every, costs, places = [], [], np.random.default_rng(1).uniform(0, 40, (60, 2))
    for count in (1, 2, 3):
        made = processes(count)
        every.append(reach_many(CROWDS[name](), finer))
        assert bool(made) == (count > 1)
        processes(1)
        costs.append([one.costs_at(places) for one in every[-1]])
    for others in every[1:]:
        for one, other in zip(every[0], others, strict=True):
            for here, sent in zip(one.searched, other.searched, strict=True):
                assert same(here.states, sent.states)
                assert all(same_legs(one, other, *pair) for pair in zip(here.legs, sent.legs, strict=True))
    assert all(np.array_equal(costs[0], some) for some in costs[1:])
    assert np.isfinite(costs[0]).any()


def same_legs(one, other, here, sent):
    """Whether legs of two reaches are the same, over areas that each process has numbered by itself."""
    if here is None or sent is None:
        return here is sent
    over = [
        [reach_.space.on(legs.level).ground.combination(which) for which in legs.rays.stretches.which.tolist()]
        for reach_, legs in ((one, here), (other, sent))
    ]
    return over[0] == over[1] and same(columns(here), columns(sent))


class Looked(NamedTuple):
    """What stands for pockets: which places were found, and from which way each of them."""

    row: np.ndarray
    way: np.ndarray


@pytest.mark.parametrize("count", [1, 2, 3])
def test_what_is_found_comes_in_the_order_of_the_places(count, processes):
    made, places = processes(count), np.arange(22.0).reshape(-1, 2)

    def look(at):
        """Find each place once, and every third one by two ways; those by the second way come last."""
        row = np.arange(len(at.places))
        again = row[at.places[:, 0] % 3 == 0]
        return Looked(np.r_[row, again], np.r_[0 * row, 0 * again + 1])

    area = SimpleNamespace(budget=4.0)
    with cores.Helpers(look) as helpers:
        (found,) = result_of(drawings._asked([area], [places], helpers, 8))
    assert found.row.tolist() == sorted([*range(11), *(row for row in range(11) if 2 * row % 3 == 0)])
    assert found.way[np.flatnonzero(np.diff(found.row) == 0)].tolist() == [0] * 4
    assert bool(made) == (count > 1)


def test_legs_are_alike_by_where_they_start_whatever_numbers_states_have():
    states = PoseReach(any_space(6)).searched[0].states
    some = pick(states, np.flatnonzero(states.mode >= 0))
    before, number = pick(states, some.parent), np.random.default_rng(2).permutation(len(some.mode))
    _, family = alike_legs(before, some)
    assert len(np.unique(np.c_[some.parent, np.round(some.heading, 6), some.mode], axis=0)) == family.max() + 1
    assert 1 < family.max() + 1 < len(family)
    for parent in (number, 0 * number):
        assert np.array_equal(alike_legs(before, some._replace(parent=parent))[1], family)
