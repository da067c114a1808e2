"""Searches in one pass equal the general ones, and say where they cannot be used."""

import numpy as np
import pytest

from simulator.pathing.kernel.ordered import Ordered, phase_costs
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import MoveSpace, MoveStep, Start


def climbing_space(seed, phases=5):
    """Steps from each phase to later ones, through gates, in two headings."""
    dice = np.random.default_rng(seed)
    names = tuple(f"after {n}" for n in range(phases))
    cost = np.cumsum(dice.integers(0, 3, phases))
    gates = {f"g{n}": dice.random((7, 9)) < 0.8 for n in range(3)}
    steps = [
        MoveStep(
            f"{a}-{b}",
            int(dice.integers(-2, 3)),
            int(dice.integers(-2, 3)),
            before,
            after,
            names[a],
            names[b],
            cost=int(cost[b] - cost[a]),
            gate=f"g{dice.integers(0, 3)}",
        )
        for a in range(phases)
        for b in range(a + 1, phases)
        for before in ("n", "s")
        for after in ("n", "s")
    ]
    return MoveSpace((7, 9), steps, ("n", "s"), names, gates=gates)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("budget", [None, 3])
def test_one_pass_finds_what_the_general_search_finds(seed, budget):
    space = climbing_space(seed)
    starts = [Start(3, 4, "n", "after 0", 1), Start(0, 0, "s", "after 0", 1)]
    ready = Ordered(space, phase_costs(space))
    fast, slow = ready.search(starts, budget), Prepared(space).search(starts, budget)
    assert (fast.full() == slow.full()).all()
    assert (ready.cells_of_many([starts, starts[:1]], budget)[0] == slow.full().min(axis=0)).all()


@pytest.mark.parametrize(
    "step",
    [
        MoveStep("back", 0, 1, from_phase="b", to_phase="a"),
        MoveStep("round", 0, 0, from_phase="a", to_phase="a"),
        MoveStep("dearer", 0, 1, from_phase="a", to_phase="b", cost=5),
    ],
    ids=lambda step: step.name,
)
def test_a_space_that_turns_back_or_has_two_prices_for_a_phase_is_left_to_the_general_search(step):
    onward = MoveStep("on", 0, 1, from_phase="a", to_phase="b")
    assert phase_costs(MoveSpace((2, 2), [onward], phases=("a", "b"))) == (0, 1)
    assert phase_costs(MoveSpace((2, 2), [onward, step], phases=("a", "b"))) is None
    assert phase_costs(MoveSpace((2, 2), [onward], phases=("a", "b"), leave=np.ones((2, 2), bool))) is None


def test_starts_are_in_the_first_phase_and_paid_alike():
    space = climbing_space(1)
    ready = Ordered(space, phase_costs(space))
    with pytest.raises(ValueError, match="first phase"):
        ready.search([Start(0, 0, "n", "after 1")])
