"""A limit on what legs cost besides the budget: ways that are dearer, turn more and travel less."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely
from any_spaces import any_space, costs_anywhere
from judged_ends import require_judged
from posed_lattice import lattice_ends
from posed_movers import FORWARD, SIDEWAYS, vehicle
from posed_tables import mover

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    EarlierPhase,
    Mode,
    PoseLink,
    PoseReach,
    PricedGround,
    Rotate,
    TableLevel,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.layers import Layers, LimitSteps
from simulator.pathing.posed.limits import NONE_BINDS
from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.reference import reference_costs, reference_prices
from simulator.pathing.posed.together import reach_many


def between(left, bottom, right, top):
    """A rectangle by its sides."""
    return rectangle(((left + right) / 2, (bottom + top) / 2), (right - left, top - bottom))


def by_price_alone(monkeypatch):
    """Tell states apart by nothing but their prices and headings."""
    monkeypatch.setattr(Layers, "of", lambda space, _: Layers(space.turns))


# --- a closed form ---


class TestLittleLegsAndManyTurns:
    """A corridor that the base fits exactly, 4 inches to the left, and another that leads left from it.

    Sideways at twice the price it is entered without turning. After 45 degrees, over a corner, legs are the shortest.
    """

    legs = 4 * math.sqrt(2) + 4 + 3
    goal = (8.0, 7.0)

    def space(self, legs=None, **more):
        corner = 3.5 + math.sqrt(0.5)
        bars = [between(corner, 4.5, 7.5, 9), between(8.5, 3.5, 12, 9), between(corner, -2, 12, 3.5)]
        turns = TurnPrices.of([(45, 4), (90, 5), (180, 6)])
        most = None if legs is None else Fraction(legs)
        fields = {"modes": (FORWARD, *SIDEWAYS), "turns": turns, "bars": bars, "box": (-2, -2, 12, 9)}
        return vehicle(40, base=Round(0.5), most_travelled=most, **fields, **more)

    @pytest.mark.parametrize(
        ("more", "cost"),
        [
            # Sideways, forward and sideways.
            (10.0, 8 + 8 + 6),
            # Sideways in the second corridor alone.
            (5.0, 4 + 4 + legs + 3),
            # Two turns of 45 degrees, and one of 90.
            (1e-6, 4 + 4 + 5 + legs),
            (1.0, 4 + 4 + 5 + legs),
            # The second corner is cut as well, by two turns of 45 degrees instead of that.
            (-0.1, 4 + 4 + 4 + 4 + legs - (2 - math.sqrt(2)) * (1 - math.sqrt(0.5))),
            (-0.2, math.inf),
        ],
    )
    def test_the_cheapest_way_of_so_little_legs(self, more, cost):
        space = self.space(self.legs + more)
        reach = PoseReach(space)
        assert reach.costs_at([self.goal]) == pytest.approx([cost], abs=1e-5)
        require_judged(space, reach, np.array([self.goal]))

    def test_without_a_limit_nothing_is_told_apart(self):
        free, wide = self.space(), self.space(40)
        assert free.binding == wide.binding == NONE_BINDS
        assert PoseReach(wide).costs_at([self.goal])[0] == PoseReach(free).costs_at([self.goal])[0] == 22

    def test_with_states_told_apart_by_price_alone_it_would_be_lost(self, monkeypatch):
        by_price_alone(monkeypatch)
        assert PoseReach(self.space(self.legs + 5)).costs_at([self.goal])[0] > 28

    @pytest.mark.parametrize(("inches", "cost"), [(12.7, 13 + legs), (12.4, math.inf)])
    def test_inches_may_be_limited_as_well(self, inches, cost):
        space = self.space(self.legs + 1, most_inches=Fraction(inches))
        assert space.binding.inches
        assert space.binding.legs
        assert PoseReach(space).costs_at([self.goal]) == pytest.approx([cost], abs=1e-5)


# --- random moves ---


class Bends:
    """Two corridors of a random table, the second one to the left of the first, with mud on the straight way there."""

    def __init__(self, seed):
        self.dice = dice = np.random.default_rng([seed, 31])
        self.room, self.y = dice.uniform(0.02, 0.3), dice.uniform(3, 5)
        self.begin = self.y + dice.uniform(0.2, 0.8)
        self.end = self.begin + dice.uniform(2.5, 5)
        half = 0.5 + self.room
        self.top = self.y + half + dice.uniform(3, 5)
        right = self.end + half + 3
        bars = [
            between(self.begin, self.y + half, self.end - half, self.top),
            between(self.end + half, self.y - half, right, self.top),
            between(self.begin, -2, right, self.y - half),
        ]
        turn, aside = int(dice.integers(3, 6)), Fraction(int(dice.integers(4, 8)), 4)
        self.space = vehicle(
            40,
            base=Round(0.5),
            modes=(FORWARD, Mode("left", 90, aside), Mode("right", 270, aside)),
            turns=TurnPrices.of([(45, turn), (90, turn + 1), (180, turn + 2)]),
            bars=bars,
            box=(-2, -2, right, self.top),
        )

    def moves(self, count):
        """Verdicts on legal moves of three legs, each after a turn, of most legs by this limit: into both corridors."""
        found = []
        while len(found) < count:
            aside = self.dice.uniform(-self.room, self.room, 4)
            mouth = self.begin + self.dice.uniform(-0.6, 0.6), self.y + aside[0]
            bend = self.end + aside[1], self.y + aside[2]
            verdict = self._along(
                (0.0, 0.0), mouth, bend, (self.end + aside[3], self.dice.uniform(self.y + 1, self.top))
            )
            found += [verdict] if verdict.is_legal else []
        limit = Fraction(float(np.quantile([float(one.travelled) for one in found], 0.7)))
        return limit, [one for one in found if one.travelled <= limit]

    def _along(self, *places):
        moves, facing = [], 0.0
        for before, after in pairwise(places):
            away = np.subtract(after, before)
            course = math.degrees(math.atan2(away[1], away[0]))
            moves += [Rotate(Fraction(course - facing)), Travel(FORWARD, Fraction(math.hypot(*away)))]
            facing = course
        return judged(self.space, self.space.starts[0], moves)


@pytest.mark.sampled
@pytest.mark.parametrize(("seed", "lost"), [(10, 12), (21, 8)])
def test_no_move_through_two_bends_is_missed(seed, lost, monkeypatch):
    bends = Bends(seed)
    limit, moves = bends.moves(30)
    reach = PoseReach(replace(bends.space, most_travelled=limit))
    places, costs = np.array([one.place for one in moves]), np.array([float(one.total) for one in moves])
    headings = np.array([float(one.heading) for one in moves])
    assert np.max(reach.costs_at(places) - costs) <= 1e-6
    assert np.max(reach.costs_in(places, headings) - costs) <= 1e-6
    by_price_alone(monkeypatch)
    assert np.isinf(PoseReach(reach.space).costs_at(places)).sum() >= lost


def test_no_move_through_two_bends_ends_outside_the_area():
    bends = Bends(10)
    limit, moves = bends.moves(30)
    area = PoseReach(replace(bends.space, most_travelled=limit)).area()
    assert np.max(shapely.distance(area, shapely.points([one.place for one in moves]))) < 0.1


# --- laws ---


def limited(space, legs, inches=None):
    """The same space with limits in all of its phases; climbs of its links count as inches."""
    limits = {"most_travelled": Fraction(legs), "most_inches": None if inches is None else Fraction(inches)}
    earlier = tuple(replace(phase, **limits) for phase in space.earlier)
    links = tuple(replace(link, inches=link.price) for link in space.links)
    return replace(space, **limits, earlier=earlier, links=links)


#: A search that tells states apart by more keeps more of them, and now and then finds a way that is cheaper.
CHEAPER = 0.3


@pytest.mark.parametrize(("seed", "inches"), [(2, None), (2, 5)])
def test_a_larger_limit_loses_no_end_and_a_huge_one_is_none(seed, inches):
    space = any_space(seed)
    few, more, huge = (costs_anywhere(space, reach_of(limited(space, legs, inches)), seed) for legs in (2, 4, 1000))
    for fewer, larger in ((few, more), (more, huge)):
        known = np.isfinite(fewer)
        assert np.isfinite(larger[known]).all()
        assert np.max(larger[known] - fewer[known], initial=0.0) <= CHEAPER
    without = limited(space, 1000, inches)
    without = replace(
        without, most_travelled=None, earlier=tuple(replace(one, most_travelled=None) for one in without.earlier)
    )
    assert huge.tolist() == costs_anywhere(space, reach_of(without), seed).tolist()


class TestLattice:
    """All moves on a lattice, priced by the judge; of those to one pose those of less legs are followed as well."""

    @pytest.mark.parametrize("most", [2, 3])
    def test_no_move_of_turns_to_limits_and_legs_of_the_mesh_is_cheaper(self, most):
        mud = PricedGround([rectangle((1.6, -1.4), (1.7, 1.3), 35)], lambda under, _: Fraction(2 if under else 1))
        walls = (rectangle((2.5, 0.9), (0.6, 1.4), 20), rectangle((-1.5, -2.2), (2.0, 0.5), 65))
        turns = TurnPrices.of([(45, Fraction(1, 2)), (90, 1), (180, 2)], separation=1)
        more = {"bars": walls, "box": (-4, -3, 5, 4), "heading": 10, "turns": turns, "ground": mud}
        modes = (FORWARD, Mode("left", 90, Fraction(3, 2)))
        space = vehicle(4, base=Round(0.3), modes=modes, most_travelled=Fraction(most), **more)
        ends, reach = lattice_ends(space, 45, 1), PoseReach(space)
        places, headings = np.array([end.place for end in ends]), np.array([end.heading for end in ends])
        costs = np.array([end.cost for end in ends])
        assert len(ends) > 10
        assert np.max(reach.costs_at(places) - costs) <= 1e-9
        assert np.max(reach.costs_in(places, headings) - costs) <= 1e-9


def test_the_reference_knows_the_limit():
    space = mover("disc", 0)
    space = replace(space, budget=Fraction(4), most_travelled=Fraction(2))
    reach = PoseReach(space)
    states = reach.searched[0].states
    prices = reference_prices(space, states)
    assert np.all(prices <= states.price + 1e-9)
    places = np.random.default_rng(4).uniform(-2, 2, (6, 2)) + space.starts[0].place
    known = reference_costs(space, states, prices, places)
    assert np.all(reach.costs_at(places) <= known + 1e-9)
    assert np.isfinite(known).any()


def test_together_and_alone_are_the_same():
    spaces = [
        replace(mover("disc", 0), budget=Fraction(9), most_travelled=most) for most in (None, Fraction(4), Fraction(9))
    ]
    spaces += [replace(spaces[1], starts=(replace(spaces[1].starts[0], place=(20, 15), travelled=Fraction(1)),))]
    places = np.random.default_rng(2).uniform(-6, 6, (30, 2)) + spaces[0].starts[0].place
    for one, reach in zip(spaces, reach_many(spaces), strict=True):
        assert reach.costs_at(places).tolist() == PoseReach(one).costs_at(places).tolist()


# --- which limits bind, and layers ---


class TestBinding:
    def test_less_than_the_budget_for_legs(self):
        assert vehicle(12, most_travelled=Fraction(11)).binding.legs == 11
        assert vehicle(12, most_travelled=Fraction(12)).binding == NONE_BINDS

    def test_what_was_spent_before_counts(self):
        space = vehicle(12, most_travelled=Fraction(8))
        turned = replace(space, starts=(replace(space.starts[0], paid=Fraction(4)),))
        moved = replace(space, starts=(replace(space.starts[0], paid=Fraction(4), travelled=Fraction(1)),))
        assert [one.binding.legs for one in (turned, moved)] == [None, 8]

    def test_each_phase_begins_anew(self):
        space = vehicle(6, most_travelled=Fraction(6), earlier=(EarlierPhase(Fraction(12), Fraction(4)),))
        assert space.binding == NONE_BINDS
        assert space.before_last.binding.legs == 4

    def test_links_may_cover_more_inches_than_they_cost(self):
        lift = PoseLink("lift", 0, 1, Fraction(1), inches=Fraction(3))
        above = {"above": (TableLevel(even_ground(Fraction(1))),), "links": (lift,)}
        space = vehicle(12, most_inches=Fraction(20), **above)
        assert space.binding.inches == 20
        assert space.binding.per_inch == pytest.approx(1 / 3)
        assert vehicle(12, most_inches=Fraction(20)).binding == NONE_BINDS


class TestLayers:
    def layers(self):
        return Layers(TurnPrices.flat(1), LimitSteps(4.0, 1.0), LimitSteps(2.0, 1.0))

    def numbers(self, *rows):
        space = vehicle(12, most_travelled=Fraction(4), most_inches=Fraction(2))
        return self.layers().numbers(space, np.zeros(len(rows)), *np.array(rows, float).T)

    def test_as_good_is_who_has_no_less_left_of_either(self):
        # Rows: what was paid, for legs, and inches.
        all_left, turned, moved, no_inches = self.numbers((0, 0, 0), (5, 0, 0), (2, 2, 0), (0, 0, 2))
        found = self.layers().stands_for
        assert all_left == turned == self.layers().count - 1
        assert found[all_left, moved]
        assert found[all_left, no_inches]
        assert not found[moved, no_inches]
        assert not found[no_inches, moved]

    def test_no_more_is_left_than_the_budget_pays_for(self):
        dear, moved = self.numbers((11, 0, 0), (3, 3, 1))
        assert dear == moved

    def test_who_has_to_pay_for_what_is_gone_needs_as_much_more(self):
        layers, (some,) = self.layers(), self.numbers((2, 2, 0))
        above, found = layers.with_more(np.array([some, some, some]), np.array([0.0, 1.5, math.inf]))
        assert found.tolist() == [True, True, False]
        assert above[:2].tolist() == [some, self.numbers((0, 0, 0))[0]]

    def test_two_limits_together_make_no_more_layers_than_some(self):
        space = vehicle(200, most_travelled=Fraction(90), most_inches=Fraction(80))
        assert Layers.of(space, 1.0).count <= 300
        assert Layers.of(replace(space, most_inches=None), 1.0).legs == LimitSteps(90.0, 1.0)
