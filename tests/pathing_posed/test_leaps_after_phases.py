"""Moves of several phases the last of which ends with a leap off an edge: random ones are judged, and are ends."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from edges_of_roofs import random_leap, walker

from simulator.geometry.footprints import Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import EarlierPhase, EndPhase, PhasedReach, PoseReach, Travel, judged

BUDGETS = (Fraction(4), Fraction(5))


def in_two_phases(seed, **more):
    """A walker on a roof with two phases, and the same with one for all that both pay for."""
    dice = np.random.default_rng([seed, 23])
    roof = rectangle((1, 2), tuple(dice.uniform(7, 12, 2).tolist()), float(dice.uniform(0, 90)))
    more = {"roof": roof, "base": Round(0.6), "start": (1.3, 2.2), "heading": int(dice.integers(360)), **more}
    one = walker(sum(BUDGETS), **more)
    return replace(one, budget=BUDGETS[1], earlier=(EarlierPhase(BUDGETS[0]),)), one, dice


def parted(leap, share):
    """The moves of a leap with the end of a phase before its last turn, or in the middle of its last leg."""
    *first, last, follow = leap.moves
    if share == 0.0:
        return (*first[:-1], EndPhase(), first[-1], last, follow)
    before, after = last.inches * Fraction(share), last.inches * (1 - Fraction(share))
    return (*first, Travel(last.mode, before), EndPhase(), Travel(last.mode, after), follow)


def random_moves(space, one, dice, count):
    """Moves that are legal in two phases, with the places, the headings and the prices of their ends."""
    found = []
    for _ in range(12 * count):
        moves = parted(random_leap(one, dice), float(dice.choice([0.0, 0.0, 0.3, 0.8, 1.0])))
        verdict = judged(space, space.starts[0], moves)
        if verdict.is_legal:
            found.append((verdict.place, float(verdict.heading), float(verdict.phases[-1].total)))
        if len(found) == count:
            break
    return found


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("seed", "more"), [(0, {"free": 90}), (1, {"free": 0}), (1, {"free": 0, "grain": Fraction(1, 2)})], ids=str
)
def test_random_moves_are_ends(seed, more):
    space, one, dice = in_two_phases(seed, **more)
    known = random_moves(space, one, dice, 20)
    assert len(known) > 8
    places, headings, prices = (list(column) for column in zip(*known, strict=True))
    reach = PhasedReach(space)
    costs = reach.costs_at(places)
    assert np.isfinite(costs).mean() >= 0.95, [place for place, cost in zip(places, costs, strict=True) if cost > 99]
    assert np.mean(costs <= np.array(prices) + 1e-6) >= 0.95
    assert np.isfinite(reach.costs_in(places[:8], headings[:8])).mean() >= 0.8
    for place, cost in zip(places[:5], costs[:5].tolist(), strict=True):
        if np.isfinite(cost):
            verdict = judged(space, space.starts[0], reach.moves_to(place))
            assert verdict.is_legal, verdict.objections
            assert float(verdict.phases[-1].total) == pytest.approx(cost, abs=1e-6)
            assert verdict.place == pytest.approx(place, abs=1e-6)


# Long: two phases of many poses each; random moves through both are tried beside it.
@pytest.mark.long
def test_two_phases_lead_farther_than_one():
    space, _, _ = in_two_phases(1, free=90, roof=rectangle((1, 2), (8, 9), 20))
    alone = PoseReach(replace(space, earlier=()))
    both, last = PhasedReach(space).area(), alone.area()
    assert last.length > 1.0
    assert both.length > last.length + 4.0
    assert last.difference(both.buffer(0.1)).length < 0.1


@pytest.mark.long
def test_what_is_drawn_is_an_end():
    space, _, _ = in_two_phases(2, free=90)
    reach = PhasedReach(space)
    drawn = reach.area()
    places = [drawn.interpolate(share, normalized=True).coords[0] for share in np.linspace(0.01, 0.99, 40).tolist()]
    # Round the corners of the roof the line is drawn with sides that nobody lands on.
    places = np.array(places)[space.links[0].may_land(np.array(places))]
    assert len(places) > 20
    assert np.isfinite(reach.costs_at(places)).mean() > 0.97


def test_no_leap_in_the_first_phase():
    space, _, _ = in_two_phases(0, free=0, start=(1.0, 2.0), heading=0)
    assert not space.before_last.links
    assert np.isinf(PhasedReach(space).before.costs_at([(30.0, 2.0)])).all()


def test_leaps_after_which_a_move_goes_on_are_of_one_phase():
    with pytest.raises(ValueError, match="end where they leap"):
        in_two_phases(0, free=0, ends=False)
