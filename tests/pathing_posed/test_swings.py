"""Ways of two legs whose first turn is by an angle of its own, before a turn to the limit of a bracket."""

from fractions import Fraction

import numpy as np
import pytest
from narrow_ways import way_of

from benchmarks.many_movers import mover
from simulator.pathing.posed import PoseReach, Rotate, Travel, judged
from simulator.pathing.posed.closing_in import ClosingIn
from simulator.pathing.posed.rays import units

#: A way that is swung by hand, by steps of so many degrees, is cheaper by no more than so many inches.
STEP, NEARLY = 0.25, 0.01


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "seed", "place", "most"),
    [
        ("tank", 0, (39.679, 26.666), 10.7),
        ("tank", 2, (41.791, 16.898), 17.4),
        ("tank", 6, (42.201, 27.994), 14.36),
        ("tank", 12, (23.431, 27.831), 17.05),
        ("point", 13, (29.453, 28.049), 18.99),
        ("point", 14, (26.623, 27.781), 14.4),
        ("point", 19, (46.471, 28.706), 19.4),
        ("point", 19, (49.412, 25.777), 18.4),
    ],
)
def test_crowded_tables(name, seed, place, most):
    """Moves that were found by chance: they pass dear ground, or what bars the way, after a turn by an odd angle."""
    assert way_of(mover(name, seed), place) <= most


def two_legs(space, goal, first, angle):
    """The price of a way with a first turn and one after its first leg; None: there is none, or it is not legal."""
    start, mode = space.starts[0], space.modes[0]
    ahead, onward = units(float(start.heading) + np.array([first, first + angle]))
    inches, rest = np.linalg.solve(np.stack([ahead, onward], axis=1), np.array(goal) - np.array(start.place, float))
    if min(inches, rest) <= 0.01:
        return None
    legs = [Travel(mode, Fraction(float(one))) for one in (inches, rest)]
    moves = [Rotate(Fraction(first)), legs[0], Rotate(Fraction(angle)), legs[1]]
    verdict = judged(space, start, moves)
    return float(verdict.total) if verdict.is_legal else None


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "seed"), [("disc", 0), ("tank", 0), ("tank", 1), ("point", 1), ("oval", 0), ("gun", 1)]
)
def test_no_way_swung_by_hand_is_cheaper(name, seed):
    space, dice = mover(name, seed), np.random.default_rng([seed, 5])
    goals, least = [], []
    while len(goals) < 3:
        first, angle = float(dice.uniform(-90, 90)), float(dice.choice([-45, 45]))
        legs = dice.uniform(1, 6, 2)
        ahead, onward = units(float(space.starts[0].heading) + np.array([first, first + angle]))
        goal = np.array(space.starts[0].place, float) + legs[0] * ahead + legs[1] * onward
        if two_legs(space, goal, first, angle) is None:
            continue
        prices = [two_legs(space, goal, turn, angle) for turn in np.arange(first - 3, first + 3, STEP).tolist()]
        goals.append(goal)
        least.append(min(price for price in prices if price is not None))
    assert (PoseReach(space).costs_at(goals) <= np.array(least) + NEARLY).all()


def test_numbers_are_closed_in_on():
    """The least of some curves, with one that has none better than what is known, and one at its limit."""
    best = np.array([0.7321, -1.2345, 0.0, 2.0])
    closing = ClosingIn(np.full(4, -2.0), np.full(4, 2.0), 1e-9)
    known = np.abs(best)
    for _ in range(6):
        row, tried = closing.between()
        value = np.abs(tried - best[row])
        first = np.lexsort((value, row))
        first = first[np.unique(row[first], return_index=True)[1]]
        first = first[value[first] < known[row[first]]]
        known[row[first]] = value[first]
        closing.go_on(row, tried, row[first], tried[first])
    assert (known[:3] < 1e-4).all()
    assert known[3] < 0.3
