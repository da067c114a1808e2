"""Last legs that are ruled out untried, since no turn after them could be paid, would have led nowhere."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from any_spaces import START, any_space
from posed_movers import FORWARD, REVERSE
from posed_tables import mover

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import EarlierPhase, PoseSpace, PoseStart, TurnPrices, even_ground, last_legs, whole_pieces
from simulator.pathing.posed.phased_reach import reach_of


def two_phases(refreshes):
    """A mover with a free turn by 90 degrees in both phases, or in one of them, among a few things."""
    turns = TurnPrices.in_steps(Fraction(45, 2), Fraction(1), free=Fraction(90))
    bars = [rectangle((15, 12), (2, 3)), rectangle((10, 13), (3, 1)), rectangle((13.5, 6.5), (1, 3), 30.0)]
    start, modes = PoseStart(START, Fraction(20)), (FORWARD, REVERSE)
    space = PoseSpace(Round(0.6), (start,), Fraction(3), even_ground(Fraction(1)), modes, turns, bars)
    return replace(space, earlier=(EarlierPhase(budget=Fraction(3), refreshes=refreshes),))


SPACES = {
    "two phases": lambda: two_phases(True),
    "two phases with one free turn": lambda: two_phases(False),
    "tank": lambda: mover("tank", 1),
    **{f"any-{seed}": lambda seed=seed: any_space(seed) for seed in range(24)},
}


def headings_of(space, seed, count):
    """Places around where a mover starts, each with a heading."""
    dice, far = np.random.default_rng(seed), min(float(space.budget) + 3, 12)
    angle, inches = dice.uniform(0, 2 * np.pi, count), far * np.sqrt(dice.uniform(0, 1, count))
    middle = np.array(space.starts[0].place if space.starts else START)
    return middle + inches[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), dice.uniform(0, 360, count)


@pytest.mark.sampled("two phases", "two phases with one free turn", "any-3", "any-7", "any-12")
@pytest.mark.parametrize("name", SPACES)
def test_nothing_is_ruled_out_that_leads_to_a_heading(name, monkeypatch):
    space = SPACES[name]()
    lots = [headings_of(space, seed, 300) for seed in (0, 2)] if "two" in name else [headings_of(space, 5, 60)]

    def costs():
        reach = reach_of(SPACES[name]())
        return [reach.costs_in(*some, level) for some in lots for level in range(space.level_count)]

    found = costs()
    for module in (last_legs, whole_pieces):
        monkeypatch.setattr(module, "may_face", lambda *asked: np.arange(len(asked[2].goal)))
    assert np.array_equal(np.round(found, 6), np.round(costs(), 6))
