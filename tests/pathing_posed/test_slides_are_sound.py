"""Ways of which the last turn is slid back along its leg cost what the judge says, however near to the turn before."""

import numpy as np
import pytest
from posed_movers import FORWARD, REVERSE, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import PoseReach, TurnPrices, judged

#: Prices by which two turns are cheaper than one of both angles, and by which they are dearer.
BRACKETS = {"rising": [(45, 2), (90, 6), (135, 8), (180, 16)], "flat": [(180, 3)]}


def things_beside(dice):
    """Rectangles near the start, and places just behind their corners, where last turns are slid."""
    places, things = [], []
    while len(things) < 5:
        middle, size, turned = dice.uniform(-9, 9, 2), dice.uniform(1, 4, 2), float(dice.uniform(0, 90))
        thing = rectangle(tuple(middle.tolist()), tuple(size.tolist()), turned)
        if thing.polygon.distance(Round(1.4).at(0, 0).polygon) > 0:
            things.append(thing)
            corners = np.array(thing.polygon.exterior.coords[:-1])
            places.append(np.repeat(corners, 4, axis=0) + dice.uniform(-2.5, 2.5, (4 * len(corners), 2)))
    return things, np.concatenate(places)


@pytest.mark.sampled("base0-flat-1-0")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("separation", [None, 0, 1, 2.5])
@pytest.mark.parametrize("brackets", BRACKETS)
@pytest.mark.parametrize("base", [Round(0.5), Rectangle(2, 1)])
def test_every_end_costs_what_the_judge_says(base, brackets, separation, seed):
    dice = np.random.default_rng([seed, 17])
    bars, places = things_beside(dice)
    turns = TurnPrices.of(BRACKETS[brackets], separation=separation)
    modes = (FORWARD, REVERSE) if seed % 2 else (FORWARD,)
    space = vehicle(16, base=base, modes=modes, bars=bars, turns=turns, heading=float(dice.integers(0, 360)))
    reach, facing = PoseReach(space), dice.uniform(0, 360, len(places))
    judged_ends = 0
    for headings, costs in ((None, reach.costs_at(places)), (facing, reach.costs_in(places, facing))):
        rows = np.flatnonzero(np.isfinite(costs))
        ways = reach.moves_to_each(places[rows], None if headings is None else headings[rows])
        for row, moves in zip(rows.tolist(), ways, strict=True):
            verdict = judged(space, space.starts[0], moves)
            assert verdict.is_legal, verdict.objections
            assert float(verdict.total) == pytest.approx(float(costs[row]), rel=0, abs=1e-9)
            judged_ends += 1
    assert judged_ends > 10
