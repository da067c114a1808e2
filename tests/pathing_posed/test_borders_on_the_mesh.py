"""Borders of ground on the lattice of the mesh: legs run along them, or beside them by no more than a rounding."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from judged_ends import require_judged
from posed_movers import FORWARD, REVERSE, SIDEWAYS, stepper, vehicle

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import CircleShape, PolygonShape, rectangle
from simulator.pathing.posed import Mode, PoseReach, PricedGround, TurnPrices, judged
from simulator.pathing.posed.numbered_states import NumberedStates
from simulator.pathing.posed.ways import moves_before

HALF = Mode("oblique", aside=None, factor=Fraction(2))
#: Movers of each kind: in all directions, obliquely, by ahead and back alone, and by begun half inches.
MOVERS = ("strafer", "oblique", "turning freely", "tank", "stepper by its middle", "stepper")


def board(dice):
    """Up to three patches with corners on half inches, each cheap, dear or closed; near 0,0 and never under it."""
    found, rates = [], []
    while len(found) < 3:
        low, size = dice.integers(-8, 8, 2) / 2, dice.integers(1, 7, 2) / 2
        if dice.uniform() < 0.25:
            radius = float(size[0])
            shape, clear = CircleShape(*low.tolist(), radius), np.hypot(*low) > radius + 0.6
        else:
            shape = rectangle(tuple((low + size / 2).tolist()), tuple(size.tolist()))
            clear = np.any((low > 0.6) | (low + size < -0.6))
        if clear:
            found.append(shape)
            rates.append((Fraction(1, 2), Fraction(1, 2), Fraction(2), None)[int(dice.integers(4))])
    return found, rates


def ground(dice, **more):
    """Ground with the patches of a board, the dearest of which counts."""
    areas, rates = board(dice)

    def rate(under, climbed):
        del climbed
        some = [rates[number] for number in under]
        return None if None in some else max(some, default=Fraction(1))

    return PricedGround(areas, rate, least=Fraction(1, 2), **more)


def mover(kind, seed):
    """A mover of a kind at 0,0 on the board of a seed, facing along the lattice or aslant."""
    dice = np.random.default_rng(seed)
    heading = int(dice.choice([0, 90, 180, 45, 30, 60, 120]))
    ways = {"heading": heading, "modes": (FORWARD, REVERSE, *SIDEWAYS)}
    match kind:
        case "strafer":
            return vehicle(12, budget=6, base=Round(0.4), ground=ground(dice), **ways)
        case "oblique":
            space = vehicle(12, budget=6, base=Round(0.4), ground=ground(dice), **ways)
            return replace(space, modes=(*space.modes, HALF))
        case "turning freely":
            return vehicle(12, budget=6, base=Round(0.4), ground=ground(dice), turns=TurnPrices.of([(180, 0)]), **ways)
        case "tank":
            return vehicle(12, budget=7, base=Rectangle(1, 0.7), ground=ground(dice), **ways | {"modes": (FORWARD,)})
        case "stepper by its middle":
            return stepper(6, ground=ground(dice, grain=Fraction(1, 2)), **ways)
        case _:
            return stepper(6, ground=ground(dice, base=Round(0.5), grain=Fraction(1, 2)), **ways)


def off_the_lattice(places):
    """How far places lie off the nearest half inch, along x or y."""
    return np.abs(2 * places - np.round(2 * places)).min(axis=1) / 2


class TestStatesOfASearch:
    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(12))
    @pytest.mark.parametrize("kind", MOVERS)
    def test_each_has_a_way_that_the_judge_accepts_at_its_price(self, kind, seed):
        space = mover(kind, seed)
        states = PoseReach(space).searched[0].states
        known = NumberedStates(states)
        off = off_the_lattice(states.place)
        in_line = np.flatnonzero(off < 1e-6)
        # Those that are off by a rounding first.
        rows = np.r_[in_line[np.argsort(off[in_line] == 0.0, kind="stable")][:60], np.argsort(states.price)[-20:]]
        for row in np.unique(rows).tolist():
            _, moves = moves_before(space, known, known.rows(np.array([row])))
            verdict = judged(space, space.starts[0], moves)
            assert verdict.is_legal, (moves, verdict.objections)
            assert float(verdict.total) == pytest.approx(float(states.price[row]), abs=1e-6), moves
            assert verdict.place == pytest.approx(tuple(states.place[row]), abs=1e-6)

    @pytest.mark.sampled
    @pytest.mark.parametrize("seed", range(12))
    @pytest.mark.parametrize("kind", MOVERS)
    def test_ends_on_the_lattice_and_beside_it(self, kind, seed):
        space, dice = mover(kind, seed), np.random.default_rng(seed)
        places = dice.integers(-8, 9, (24, 2)) / 2 + dice.choice([0.0, 1e-16, -1e-12, 1e-9, 0.3], (24, 2))
        require_judged(space, PoseReach(space), places)
        require_judged(space, PoseReach(space), places[:8], headings=np.full(8, float(space.starts[0].heading)))


class TestLegsBesideABorder:
    """At a border the better side counts, but only as far as the area goes, however far off a leg is by rounding."""

    @pytest.mark.parametrize("off", [0.0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-9, -1e-9, 1e-7, -1e-7])
    @pytest.mark.parametrize("turned", [0, 90, 180, 30, 45, 225])
    @pytest.mark.parametrize("area", ["a square", "a disc"])
    def test_a_leg_of_ten_inches(self, area, turned, off):
        angle = np.radians(turned)
        ahead, left = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        if area == "a square":
            shape, cheap = PolygonShape([tuple(x * ahead + y * left) for x, y in [(1, 0), (3, 0), (3, 2), (1, 2)]]), 2
        else:
            shape, cheap = CircleShape(*(5 * ahead + 2 * left), 2), 0
        patch = PricedGround([shape], lambda under, _: Fraction(1, 2) if under else Fraction(1), least=Fraction(1, 2))
        leg = Paths.of_legs(np.array([off * left]), np.array([off * left + 10 * ahead]), np.full(1, float(turned)))
        found = patch.stretches(leg)
        assert float(np.sum((found.end - found.begin) * found.rate)) == pytest.approx(10 - cheap / 2, abs=3e-3)
