"""Generated tables: against a lattice, another planner, random moves, and tables that have to answer alike."""

import math
from functools import cache

import numpy as np
import pytest
import shapely
from weighted_tables import STEPS, Table, lattice_costs, random_ends

from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, judged
from simulator.pathing.posed.rays import free_lengths
from simulator.pathing.weighted import WeightedReach

#: Few pieces, more, with slopes, of a point, of a wide base, and the crowded table of the benchmark.
TABLES = {
    "few": {"size": (30, 24), "pieces": 8, "bases": 4, "budget": 8},
    "more": {"size": (40, 30), "pieces": 20, "bases": 10, "budget": 10},
    "slopes": {"size": (40, 30), "pieces": 20, "bases": 8, "budget": 10, "hills": 6},
    "point": {"size": (40, 30), "pieces": 20, "bases": 8, "budget": 10, "hills": 2, "radius": 0.0},
    "wide": {"size": (40, 30), "pieces": 16, "bases": 6, "budget": 10, "radius": 1.2},
    "crowded": {"pieces": 60, "bases": 30, "budget": 12},
}
CASES = [*((name, 0) for name in TABLES), ("few", 1), ("slopes", 1), ("wide", 1)]

#: Those that are moved and relabelled.
ALIKE = [("few", 1), ("more", 0), ("slopes", 0), ("point", 0), ("crowded", 1)]


@cache
def reach_of(name, seed, budget=None):
    """A table and what is reached on it: all tests that ask about it share one search."""
    table = Table(seed, **TABLES[name])
    return table, WeightedReach(table.space() if budget is None else table.space(budget=budget))


@cache
def costs_far_off(name, seed):
    """Places of a table, and their costs where it is shifted far away."""
    table = Table(seed, **TABLES[name])
    places = table.places(150, seed, far=0.8)
    return places, WeightedReach(table.space(shift=(1e3, 1e3))).costs_at(places + 1e3)


@pytest.mark.parametrize(("name", "seed"), CASES)
class TestAnswers:
    @pytest.mark.sampled("few-0", "wide-0", "more-0")
    def test_each_end_has_moves_that_the_judge_accepts_at_that_cost(self, name, seed):
        table, reach = reach_of(name, seed)
        places = table.places(60, seed)
        costs = reach.costs_at(places)
        ends = np.flatnonzero(np.isfinite(costs))[:25]
        assert len(ends) > 5
        headings = np.linspace(0, 350, len(ends))
        for row, heading, moves in zip(ends, headings, reach.moves_to_each(places[ends], headings), strict=True):
            verdict = judged(reach.space, reach.space.starts[0], moves)
            assert verdict.is_legal, verdict.objections
            assert float(verdict.total) == pytest.approx(costs[row], abs=1e-6)
            assert verdict.place == pytest.approx(tuple(places[row].tolist()), abs=1e-6)
            assert math.cos(math.radians(float(verdict.heading) - heading)) == pytest.approx(1)

    @pytest.mark.sampled
    def test_random_legal_moves_never_end_much_cheaper(self, name, seed):
        _, reach = reach_of(name, seed)
        ends = random_ends(reach.space, seed, 80)
        assert len(ends) > 20
        short = reach.costs_at([end.place for end in ends]) - [float(end.total) for end in ends]
        assert short.max() < 0.05
        assert np.maximum(short, 0.0).mean() < 0.002

    @pytest.mark.sampled
    def test_the_area_holds_the_ends_and_nothing_else(self, name, seed):
        table, reach = reach_of(name, seed)
        places = table.places(600, seed)
        ends = np.isfinite(reach.costs_at(places))
        area = reach.area(error=0.05)
        well_inside = shapely.intersects_xy(shapely.buffer(area, -0.05), *places.T)
        about = shapely.intersects_xy(shapely.buffer(area, 0.05), *places.T)
        assert well_inside.sum() > 50
        # The outline is straight between rays: the tip of a dear area may be missed, or an end right at the budget.
        assert np.sum(well_inside & ~ends) + np.sum(ends & ~about) <= 2

    @pytest.mark.sampled
    def test_what_a_place_costs_does_not_depend_on_the_others(self, name, seed):
        table, reach = reach_of(name, seed)
        places = table.places(40, seed)
        alone = np.concatenate([reach.costs_at([place]) for place in places])
        together = reach.costs_at(places)
        assert np.array_equal(np.isfinite(alone), np.isfinite(together))
        assert np.allclose(alone[np.isfinite(alone)], together[np.isfinite(alone)], rtol=0, atol=1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "seed"), [("few", 0), ("few", 1), ("slopes", 0), ("point", 1), ("more", 0)])
def test_no_lattice_is_cheaper_and_a_finer_one_comes_nearer(name, seed):
    shape = {**TABLES[name], "budget": 4}
    space = Table(seed, **shape).space()
    reach, over = WeightedReach(space), []
    assert len(STEPS) == 32
    for mesh in (0.5, 0.25):
        places, costs = lattice_costs(space, mesh, free_lengths)
        off = costs - reach.costs_at(places)
        assert len(costs) > 50
        assert off.min() > -1e-6
        over.append(float(off.mean()))
    assert 0 < over[1] < over[0]
    # Of the directions that a slope is climbed cheapest in the lattice has none.
    assert over[1] < (0.25 if space.ground.slopes else 0.05)


@pytest.mark.sampled("few-0")
@pytest.mark.parametrize(("name", "seed"), [("few", 0), ("more", 1), ("slopes", 1), ("wide", 0)])
def test_the_planner_over_poses_is_never_cheaper(name, seed):
    table, reach = reach_of(name, seed, budget=6)
    places = table.places(25, seed, far=0.5)
    ours, theirs = reach.costs_at(places), PoseReach(reach.space).costs_at(places)
    assert np.isfinite(theirs).sum() > 5
    both = np.isfinite(theirs)
    assert np.all(ours[both] <= theirs[both] + 1e-6)


class TestAlike:
    def alike(self, one, other):
        assert np.isfinite(one).sum() > 20
        short = np.isfinite(one) & (one < one[np.isfinite(one)].max() - 0.1)
        # Where places to bend at lie elsewhere the search may find another way: by hundredths, and rarely.
        off = np.abs(one[short] - other[short])
        # Pieces lie on a grid of a millionth of an inch, so a table that was turned is another one by that much.
        assert np.mean(off > 2e-5) < 0.04
        assert off.max() < 0.1

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("name", "seed", "move"),
        [
            *((name, seed, move) for name, seed in ALIKE for move in ({"angle": 33}, {"mirrored": True})),
            ("few", 1, {"angle": 90}),
            ("slopes", 0, {"angle": 90}),
            ("more", 0, {"shift": (100, -40)}),
            ("crowded", 1, {"shift": (100, -40)}),
            ("point", 0, {"angle": 180, "shift": (5, 5)}),
            ("slopes", 0, {"angle": 180, "shift": (5, 5)}),
        ],
    )
    def test_moved_tables(self, name, seed, move):
        table = Table(seed, **TABLES[name])
        places, plain = costs_far_off(name, seed)
        there = WeightedReach(table.space(**move))
        self.alike(plain, there.costs_at([table.moved(place) for place in places]))

    @pytest.mark.sampled(dear=["slopes-0", "point-0"])
    @pytest.mark.parametrize(("name", "seed"), ALIKE)
    def test_relabelled_areas(self, name, seed):
        table, reach = reach_of(name, seed)
        places = table.places(150, seed)
        order = np.random.default_rng(seed).permutation(len(table.areas)).tolist()
        plain = reach.costs_at(places)
        self.alike(plain, WeightedReach(table.space(order=order)).costs_at(places))


@pytest.mark.parametrize(("name", "seed"), [("more", 1), ("slopes", 0), ("crowded", 0)])
class TestMoreAndLess:
    def test_more_budget_loses_nothing(self, name, seed):
        table, reach = reach_of(name, seed)
        places = table.places(200, seed)
        less, more = reach.costs_at(places), WeightedReach(table.space(budget=table.budget + 3)).costs_at(places)
        ends = np.isfinite(less)
        assert np.all(more[ends] <= less[ends] + 1e-6)
        assert np.isfinite(more).sum() > ends.sum()

    def test_a_new_obstacle_makes_nothing_cheaper(self, name, seed):
        table, reach = reach_of(name, seed)
        places = table.places(200, seed)
        x, y = (table.start + np.array([3.0, 1.0])).tolist()
        less = WeightedReach(table.space(more_bars=[rectangle((x, y), (0.4, 2.0), 30.0)])).costs_at(places)
        ends = np.isfinite(less)
        gained = reach.costs_at(places)[ends] - less[ends]
        assert gained.max() < 0.05
        assert np.mean(gained > 1e-6) < 0.02

    def test_dearer_ground_makes_nothing_cheaper(self, name, seed):
        table, reach = reach_of(name, seed)
        places = table.places(200, seed)
        dearer = WeightedReach(table.space(dearer=1)).costs_at(places)
        ends = np.isfinite(dearer)
        gained = reach.costs_at(places)[ends] - dearer[ends]
        assert gained.max() < 0.05
        assert np.mean(gained > 1e-6) < 0.02
