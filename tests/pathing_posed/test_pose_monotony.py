"""More may only help, and less only hurt: budgets, obstacles, dear ground, finer meshes, starts, modes.

More budget and a finer mesh lose nothing. For the others there is no proof, since the search drops poses that others
nearby stand for, and what is changed may be why: how often they fail on these tables, and by how much, is stated.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from moved_tables import MovedTable

from simulator.pathing.posed import Mode, PoseReach

#: A wall near the start, and a way to go between two others.
WALL = ((2.0, 3.1), (1.5, 1.0), 20)
ASLANT = Mode("aslant", 45, Fraction(3, 2))
COUNT = 30
CASES = [(name, seed) for name in ("disc", "tank", "point", "track", "runner", "gun") for seed in (0, 1)]


@cache
def table(name, seed):
    """A table, and the costs of its places and poses."""
    found = MovedTable(name, seed)
    return found, costs_of(found, PoseReach(found.space()))


def costs_of(of, reach):
    """The costs of the places of a table, and those of its poses."""
    places, headings = of.places(COUNT)
    return np.r_[reach.costs_at(places), reach.costs_in(places, headings)]


def dearer(worse, better):
    """By how much ends of the worse cost more in the better; inf where they are lost."""
    ends = np.isfinite(worse)
    return np.maximum(better[ends] - worse[ends], 0.0)


@pytest.mark.parametrize(("name", "seed"), CASES)
class TestMoreOnPosedTables:
    @pytest.mark.sampled
    def test_more_budget_loses_no_end_and_makes_none_dearer(self, name, seed):
        of, costs = table(name, seed)
        more = costs_of(of, PoseReach(of.space(budget=of.budget * Fraction(5, 4))))
        assert np.isfinite(costs).sum() > 5
        assert dearer(costs, more).max() < 1e-6


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "seed"), [(name, number % 2) for number, (name, _) in enumerate(CASES[::2])])
def test_a_finer_mesh_loses_no_end_and_makes_none_dearer(name, seed):
    of, costs = table(name, seed)
    assert dearer(costs, costs_of(of, PoseReach(of.space(), finer=1))).max() < 1e-6


# Long: whole searches are compared; what more budget does is tried beside it.
@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "helps", "wrong", "most"),
    [
        ({"more_walls": [WALL]}, False, 0, 1e-6),
        ({"dearer": 1}, False, 1, 0.1),
        ({"starts": 2}, True, 3, 0.5),
        ({"aslant": True}, True, 1, 0.9),
    ],
)
def test_what_else_helps_or_hurts(change, helps, wrong, most):
    """A further obstacle, dearer ground, a further start, a further mode: of all ends so many are worse, by so much."""
    over, changed = [], 0
    for case in CASES:
        of, costs = table(*case)
        more = {"modes": (*of.kind.modes, ASLANT)} if "aslant" in change else change
        other = costs_of(of, PoseReach(of.space(**more)))
        over.append(dearer(costs, other) if helps else dearer(other, costs))
        changed += np.sum(costs != other)
    every = np.concatenate(over)
    assert len(every) >= 200
    assert changed > 10
    assert np.sum(every > 1e-6) <= wrong
    assert every.max() <= most
