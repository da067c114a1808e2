"""Free degrees that are used in portions (ME-35 with `free_turn_split`): what is left of them is part of the state."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from posed_movers import FORWARD, REVERSE, stepper
from posed_tables import mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import EarlierPhase, PhasedReach, PoseReach, Rotate, Travel, TurnPrices, judged


def in_portions(space):
    """The mover with its free degrees in portions."""
    return replace(space, turns=replace(space.turns, free_in_portions=True))


def walker(points=6, **more):
    """A walker with 90 free degrees in portions on open ground."""
    return in_portions(stepper(points, free=90, **more))


def ahead(inches):
    """A leg straight ahead."""
    return Travel(FORWARD, Fraction(inches))


class TestPrices:
    def test_ways_to_use_them(self):
        turns = walker().turns
        lots = turns.portions(np.array([90.0, 50.0, 0.0]), np.array([60.0, 100.0, 30.0]))
        used = [sorted(float(used[rows == row][0]) for rows, used in lots if row in rows) for row in range(3)]
        assert used == [[15.0, 37.5, 60.0], [10.0, 32.5, 50.0], []]

    def test_without_portions_all_are_used(self):
        ((rows, used),) = stepper(6, free=90).turns.portions(np.array([90.0, 0.0]), np.array([60.0, 30.0]))
        assert (rows.tolist(), used.tolist()) == ([0], [60.0])

    def test_who_has_more_is_in_a_higher_layer(self):
        turns = walker().turns
        free = np.array([0.0, 1.0, 22.5, 44.0, 45.0, 89.9, 90.0])
        assert turns.layers(free).tolist() == [0, 1, 2, 2, 3, 4, 5]
        assert turns.layers(free).max() < turns.layer_count
        assert stepper(6, free=90).turns.layers(free).tolist() == [0, 1, 1, 1, 1, 1, 1]

    def test_rounded_up(self):
        turns = walker().turns
        assert turns.at_most(np.array([0.0, 1.0, 22.5, 23.0, 90.0])).tolist() == [0.0, 22.5, 22.5, 45.0, 90.0]

    def test_only_of_free_degrees(self):
        with pytest.raises(ValueError, match="none to be used in portions"):
            TurnPrices.in_steps(45, 1, free_in_portions=True)


class TestJudge:
    @pytest.mark.parametrize("portions", [False, True])
    def test_what_is_left_after_a_part(self, portions):
        """Free 30 degrees, then 60: the second is paid for unless there are portions (E10)."""
        space = walker() if portions else stepper(6, free=90)
        found = judged(space, space.starts[0], [Rotate(30, 30), ahead(1), Rotate(60, 60), ahead(1)])
        assert found.total == (2 if portions else Fraction("3.5"))
        assert found.free == 0

    def test_no_more_than_there_are(self):
        space = walker()
        found = judged(space, space.starts[0], [Rotate(60, 60), ahead(1), Rotate(-60, -60), ahead(1)])
        assert (found.total, found.free) == (Fraction("3"), 0)

    def test_a_part_of_a_turn(self):
        space = walker()
        found = judged(space, space.starts[0], [Rotate(60, 15), ahead(1)])
        assert (found.total, found.free) == (2, 75)


class TestPlanner:
    def test_two_turns_of_half_of_them(self):
        # An S: 45 degrees to the left, on, and 45 back again, to a heading.
        place = (3 * math.sqrt(0.5) + 3, 3 * math.sqrt(0.5))
        assert PoseReach(walker()).costs_in([place], [0]).tolist() == pytest.approx([6])
        assert PoseReach(stepper(6, free=90)).costs_in([place], [0])[0] > 6
        used = [abs(move.free) for move in PoseReach(walker()).moves_to(place, 0) if isinstance(move, Rotate)]
        assert len(used) == 2
        assert sum(used) <= 90

    def test_around_a_corner_with_both_turns_free(self):
        wall = rectangle((4, 0), (0.5, 4))
        whole, parts = (PoseReach(space) for space in (stepper(12, free=90, bars=[wall]), walker(12, bars=[wall])))
        assert parts.costs_at([(8, 0)])[0] < whole.costs_at([(8, 0)])[0]

    @pytest.mark.long
    def test_they_are_hardly_ever_worse(self):
        """Other poses are kept to turn at, so a way may be half an inch dearer where it needs several turns."""
        dice = np.random.default_rng(4)
        for seed in (0,):
            space = mover("walker", seed)
            places = space.starts[0].place + dice.uniform(-6, 6, (40, 2))
            headings = dice.uniform(0, 360, 40)
            whole, parts = PoseReach(space), PoseReach(in_portions(space))
            for cost, other in (
                (parts.costs_at(places), whole.costs_at(places)),
                (parts.costs_in(places, headings), whole.costs_in(places, headings)),
            ):
                assert np.mean(cost > other + 1e-9) <= 0.05
                assert np.all(cost <= other + 0.5)
                assert np.mean(cost < other - 0.1) > 0.05

    def test_in_each_phase(self):
        for refreshes, most in ((True, 90), (False, 45)):
            space = replace(walker(3), earlier=(EarlierPhase(Fraction(3), refreshes=refreshes),))
            moves = PhasedReach(space).moves_to((3 * math.sqrt(0.5) + 2, 3 * math.sqrt(0.5)), 0)
            assert judged(space, space.starts[0], moves).is_legal
            assert sum(abs(move.free) for move in moves if isinstance(move, Rotate)) <= 2 * most


def random_moves(space, dice):
    """Some turns, each with a share of it free, and legs."""
    moves = []
    for _ in range(int(dice.integers(1, 5))):
        angle = float(dice.choice([22.5, 45.0, 67.5, dice.uniform(0, 120)]) * dice.choice([-1, 1]))
        share = dice.choice([0.0, 1.0, float(dice.uniform(0, 1))])
        free = min(abs(angle), 90.0) * share if dice.uniform() < 0.7 else max(abs(angle) - 22.5, 0.0)
        moves.append(Rotate(Fraction(angle), Fraction(math.copysign(free, angle))))
        mode = space.modes[int(dice.integers(len(space.modes)))]
        moves.append(Travel(mode, Fraction(float(dice.uniform(0.2, float(space.budget) * 0.5)))))
    return moves


def on_table(name, seed):
    """A mover by name among generated things."""
    match name:
        case "walker":
            return replace(in_portions(mover("walker", seed)), budget=Fraction(4))
        case "disc":
            things = mover("disc", seed)
            return walker(8, base=Round(0.63), bars=things.bars, box=things.box, start=things.starts[0].place)
        case "long":
            things = mover("tank", seed)
            turns = TurnPrices.of([(30, 1), (90, 3), (180, 5)], free=60, free_in_portions=True)
            return replace(things, turns=turns, budget=Fraction(10), base=Rectangle(2.0, 1.2), modes=(FORWARD, REVERSE))
    raise ValueError(name)


@pytest.mark.long
@pytest.mark.parametrize("name", ["walker", "disc", "long"])
@pytest.mark.parametrize("seed", [1])
def test_no_random_move_is_missed_or_cheaper(name, seed):
    space, dice = on_table(name, seed), np.random.default_rng(seed)
    reach = PoseReach(space)
    verdicts = []
    for _ in range(6000):
        if len(verdicts) == 40:
            break
        verdict = judged(space, space.starts[0], random_moves(space, dice))
        if verdict.is_legal:
            verdicts.append(verdict)
    places = np.array([verdict.place for verdict in verdicts])
    headings = np.array([float(verdict.heading) for verdict in verdicts])
    paid = np.array([float(verdict.total) for verdict in verdicts])
    assert len(places) > 20
    assert shapely.distance(reach.area(), shapely.points(places)).max() < 0.1
    for found in (reach.costs_at(places), reach.costs_in(places, headings)):
        missed = np.isinf(found) & (paid <= float(space.budget) - 0.1)
        assert missed.mean() <= 0.02
        assert np.mean(found > paid + 0.5) <= 0.03


@pytest.mark.sampled("disc")
@pytest.mark.parametrize("name", ["walker", "disc", "long"])
def test_written_moves_are_accepted_at_the_price(name):
    space, dice = on_table(name, 5), np.random.default_rng(5)
    reach = PoseReach(space)
    places = space.starts[0].place + dice.uniform(-5, 5, (30, 2))
    for facing in (None, dice.uniform(0, 360, 30)):
        costs = reach.costs_at(places) if facing is None else reach.costs_in(places, facing)
        assert np.isfinite(costs).sum() > 4
        for cost, moves in zip(costs, reach.moves_to_each(places, facing), strict=True):
            assert (moves is None) == math.isinf(cost)
            if moves is not None:
                verdict = judged(space, space.starts[0], moves)
                assert verdict.is_legal, verdict.objections
                assert float(verdict.total) == pytest.approx(cost, abs=1e-6)


def test_costs_facing_are_those_of_each_pose():
    reach = PoseReach(walker(8, modes=(FORWARD,), bars=[rectangle((4, 0), (0.5, 4))]))
    headings = np.arange(0, 360, 7.5)
    for place in ((6.0, 1.0), (3.0, 3.0), (-2.0, 1.0)):
        costs = reach.costs_in(np.tile(place, (len(headings), 1)), headings)
        assert reach.costs_facing(place, headings).tolist() == pytest.approx(costs.tolist())
