"""Best odds against enumeration of every plan."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from spaces import random_space

from simulator.pathing.move_space import MoveSpace, MoveSpaceError, MoveStep, Start
from simulator.pathing.odds import best_odds
from simulator.pathing.reference import legal_steps

CHANCES = (1, Fraction(1, 2), Fraction(5, 6), Fraction(1, 3), 0)


def with_chances(rng, *, exact):
    space = random_space(rng, largest=4)
    chances = [CHANCES[rng.integers(len(CHANCES))] for _ in space.steps]
    steps = [
        replace(step, chance=chance if exact else float(chance))
        for step, chance in zip(space.steps, chances, strict=True)
    ]
    return replace(space, steps=tuple(steps))


def plans(space):
    """For every state and cost the best odds of a plan of exactly that cost, by playing out all of them."""
    starts = {start.state for start in space.starts}
    best = {}
    grown = [(start.state, start.paid, Fraction(1)) for start in space.starts if start.paid <= space.budget]
    while grown:
        state, cost, odds = grown.pop()
        if odds <= best.get((state, cost), 0):
            continue
        best[state, cost] = odds
        for step, target, price in legal_steps(space, state, state in starts):
            if cost + price <= space.budget:
                grown.append((target, cost + price, odds * Fraction(step.chance)))
    return best


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_best_odds_and_fronts_are_those_of_the_best_plans(seed, exact, make):
    space = with_chances(np.random.default_rng(seed), exact=exact)
    found = best_odds(make(space))
    expected = plans(space)
    starts = {start.state for start in space.starts if start.paid <= space.budget}
    for layer, (heading, phase) in enumerate(space.layer_labels):
        may_end = space.holds("end", layer)
        for row, col in np.ndindex(space.shape):
            here = sorted(
                (cost, odds) for (state, cost), odds in expected.items() if state == (row, col, heading, phase)
            )
            best = max((odds for _, odds in here), default=0)
            odds = found.at(row, col, heading, phase)
            assert odds == best if exact else odds == pytest.approx(float(best), abs=1e-12)
            front = []
            for cost, chance in here:
                if chance > (front[-1][1] if front else 0):
                    front = [entry for entry in front if entry[0] != cost] + [(cost, chance)]
            begun = (row, col, heading, phase) in starts and space.start_is_end
            if not (begun or may_end is None or may_end[row, col]):
                front = []
            if exact:
                assert found.front(row, col, heading, phase) == front


def test_better_odds_cost_more(make):
    steps = [
        MoveStep("jump", 0, 2, cost=1, chance=Fraction(1, 2)),
        MoveStep("climb", 0, 1, cost=2, chance=Fraction(5, 6)),
        MoveStep("walk", 0, 1, cost=4),
    ]
    odds = best_odds(make(MoveSpace((1, 3), steps, starts=[Start(0, 0)], budget=8)))
    assert odds.front(0, 2) == [
        (1, Fraction(1, 2)),
        (4, Fraction(25, 36)),
        (6, Fraction(5, 6)),
        (8, Fraction(1)),
    ]
    assert odds.at(0, 2) == 1
    assert odds.at(5, 5) == 0
    assert odds.front(5, 5) == []
    assert odds.array.shape[0] == 1


def test_only_ends_have_a_front(make):
    end = np.array([[True, False, True]])
    space = MoveSpace((1, 3), [MoveStep("walk", 0, 1, chance=0.5)], end=end, starts=[Start(0, 0)], budget=2)
    odds = best_odds(make(space))
    assert odds.front(0, 1) == []
    assert odds.at(0, 1) == 0.5
    assert odds.front(0, 2) == [(2, 0.25)]


def test_odds_of_nobody_and_without_a_budget(make):
    space = MoveSpace((1, 3), [MoveStep("walk", 0, 1, chance=0.5)])
    with pytest.raises(MoveSpaceError, match="budget: odds want a budget"):
        best_odds(make(space))
    assert best_odds(make(space), [], 4).at(0, 1) == 0


def test_odds_that_do_not_fit_are_refused_and_not_cut_short(make):
    steps = [MoveStep("walk", 0, 1, cost=1, chance=0.5), MoveStep("run", 0, 2, cost=3)]
    space = MoveSpace((1, 3), steps, starts=[Start(0, 0)], budget=10**9)
    with pytest.raises(MoveSpaceError, match=r"budget: 1000000001 levels of \d+ states are too many to hold"):
        best_odds(make(space))
