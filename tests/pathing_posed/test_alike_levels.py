"""What a search need not do twice: levels that are alike, and legs of which no part leads to anything better."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from any_spaces import any_space
from posed_movers import FORWARD, REVERSE, vehicle
from posed_tables import mover

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    Headings,
    Placing,
    PoseLink,
    PoseReach,
    PoseStart,
    Segment,
    TableLevel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.alike import first_alike
from simulator.pathing.posed.lanes import Lanes
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.together import PoseReaches

EVEN, DEAR = even_ground(Fraction(1)), even_ground(Fraction(2))
EDGE = (Segment((0.0, 0.0), (6.0, 0.0)),)
WALL, FAR_WALL = rectangle((3, 3), (2, 1)), rectangle((60, 60), (2, 1))


def entering(*levels, **more):
    """A mover that comes over an edge onto any of some levels, each with its ground and its bars."""
    placings = [Placing(EDGE, Headings(-90, 90, from_normal=True), number) for number in range(len(levels))]
    (ground, bars), *above = levels
    fields = {
        "base": Round(0.5),
        "modes": (FORWARD, REVERSE),
        "turns": TurnPrices.of([(90, 2), (180, 3)], separation=1),
        "ground": ground,
        "bars": bars,
        "placings": tuple(placings),
        "above": tuple(TableLevel(*level) for level in above),
    }
    return replace(vehicle(6, **fields | more), starts=())


def alike(space):
    return first_alike(space, MESH)


class TestAlikeLevels:
    def test_those_with_the_same_ground_and_bars_but_for_what_is_far_off(self):
        assert alike(entering((EVEN, [WALL]), (EVEN, [WALL]), (EVEN, []), (DEAR, [WALL]))) == (0, 0, 2, 3)
        assert alike(entering((EVEN, [WALL]), (EVEN, [WALL, FAR_WALL]), (EVEN, [FAR_WALL]), (EVEN, []))) == (0, 0, 2, 2)

    def test_none_where_links_join_them_or_where_it_begins_elsewhere(self):
        space = entering((EVEN, []), (EVEN, []))
        assert alike(replace(space, links=(PoseLink("up", 0, 1, Fraction(1)),))) == (0, 1)
        assert alike(replace(space, placings=space.placings[:1])) == (0, 1)
        assert alike(replace(space, starts=(PoseStart((3.0, 2.0), Fraction(0), level=1),))) == (0, 1)
        dearer = replace(space.placings[1], pieces=(Segment((0.0, 0.0), (6.0, 0.0), Fraction(1), Fraction(1)),))
        assert alike(replace(space, placings=(space.placings[0], dearer))) == (0, 1)

    @pytest.mark.sampled
    @pytest.mark.parametrize("finer", [0, 1])
    def test_each_level_is_answered_as_if_it_were_the_only_one(self, finer):
        levels = [(EVEN, [WALL]), (EVEN, [WALL]), (DEAR, [WALL]), (EVEN, [WALL])]
        reach = PoseReach(entering(*levels), finer)
        assert alike(reach.space) == (0, 0, 2, 0)
        dice = np.random.default_rng(1)
        places, headings = dice.uniform((-1, 0), (7, 6), (12, 2)), dice.uniform(0, 360, 12)
        for number, level in enumerate(levels):
            alone = PoseReach(entering(level), finer)
            assert reach.costs_at(places, number).tolist() == alone.costs_at(places).tolist()
            assert reach.costs_in(places, headings, number).tolist() == alone.costs_in(places, headings).tolist()
            place = (1.2, 2.0)
            start, moves = reach.way_to(place, 120, number)
            found = judged(reach.space, start, moves)
            assert (found.is_legal, found.level, start.level) == (True, number, number)
            assert float(found.total) == pytest.approx(float(alone.costs_in([place], 120)[0]))

    def test_together_and_after_a_change(self):
        """Movers that are placed have no start to measure from."""
        both = PoseReaches([entering((EVEN, [WALL]), (EVEN, [WALL])), entering((DEAR, []))])
        near, far = (
            both.after([entering((EVEN, [WALL]), (EVEN, [WALL, wall])), entering((DEAR, []))])
            for wall in (rectangle((1, 3), (1, 1)), FAR_WALL)
        )
        assert (near.searched, far.searched) == ((0,), ())
        place = [(1.0, 4.5)]
        assert both[0].costs_at(place, 1).tolist() == far[0].costs_at(place, 1).tolist()
        assert near[0].costs_at(place, 1)[0] > both[0].costs_at(place, 1)[0]
        assert near[0].costs_at(place, 0).tolist() == both[0].costs_at(place, 0).tolist()


def found_by(space):
    """The states and legs of a search, as lists."""
    (searched,) = PoseReach(space).searched
    states = searched.states
    legs = [[one.mode.tolist(), one.inches.tolist()] for one in searched.legs if one is not None]
    return [states.place.tolist(), states.heading.tolist(), states.price.tolist(), states.parent.tolist(), legs]


@pytest.mark.sampled
@pytest.mark.parametrize(
    "space",
    [
        lambda: replace(mover("disc", 1), budget=Fraction(12)),
        lambda: replace(mover("tank", 0), budget=Fraction(24)),
        lambda: entering((EVEN, [WALL]), budget=Fraction(16)),
        *(lambda seed=seed: any_space(seed) for seed in (3, 5, 9)),
    ],
)
def test_a_look_at_parts_of_legs_changes_nothing(space, monkeypatch):
    known = found_by(space())
    looked = []

    def never(self, marks):
        looked.append(marks)

    monkeypatch.setattr(Lanes, "around", never)
    assert found_by(space()) == known
    assert looked
