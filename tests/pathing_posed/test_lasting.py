"""What stays wrong with a move however its legs are shortened."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from posed_movers import FORWARD, LEFTWARD, REVERSE, stepper, vehicle

from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import Rotate, Travel, judged
from simulator.pathing.posed.lasting import stays_amiss, untravelled


def stays(space, *moves):
    return stays_amiss(space, moves, judged(space, space.starts[0], moves))


def at_once(under, climbed):
    """Ground of 2 on any area."""
    del climbed
    return Fraction(2 if under else 1)


class TestDirections:
    def test_the_first_leg_in_a_direction_without_travel(self):
        moves = [Rotate(45), Travel(FORWARD, 2), Travel(LEFTWARD, 1), Travel(LEFTWARD, 1)]
        assert untravelled(stepper(6), moves) == 2
        assert untravelled(vehicle(36), moves) is None


class TestWhatItComesTo:
    def test_without_a_leg_nothing_gets_shorter(self):
        assert stays(vehicle(36), Rotate(45))

    def test_a_turn_that_is_too_dear_before_any_leg(self):
        tank = vehicle(36, budget=5)
        assert stays(tank, Rotate(45), Travel(FORWARD, 1))
        assert not stays(tank, Travel(FORWARD, 1), Rotate(45))
        assert not stays(vehicle(36, budget=6), Rotate(45), Travel(FORWARD, 1))

    def test_a_leg_that_is_begun_costs_half_an_inch(self):
        turn, leg = Rotate(45), Travel(FORWARD, 4)
        assert stays(stepper(1), turn, leg)
        assert not stays(stepper(Fraction(3, 2)), turn, leg)
        assert not stays(stepper(1), leg, turn)

    def test_too_little_gets_less_with_a_leg_alone(self):
        runner = replace(stepper(12), more_than=Fraction(6))
        assert stays(runner, Rotate(45), Travel(FORWARD, 5))
        assert not stays(runner, Travel(FORWARD, 5), Rotate(45)), "the turn may be on dearer ground then"
        assert not stays(runner, Travel(FORWARD, 6), Travel(REVERSE, 1)), "it spends enough"
        assert not stays(runner, Rotate(180), Travel(FORWARD, 0)), "a leg of no length may get longer"

    @pytest.mark.parametrize("seed", range(6))
    def test_what_stays_is_wrong_with_all_shorter_legs(self, seed):
        rng = Random(seed)
        areas = [rectangle((rng.uniform(-9, 9), rng.uniform(-9, 9)), (rng.uniform(1, 5), 3)) for _ in range(4)]
        found = 0
        for _ in range(40):
            space = replace(
                stepper(rng.randint(2, 9), areas=areas, rate=at_once), more_than=Fraction(rng.randint(0, 8))
            )
            before, after = ([Rotate(rng.randint(-180, 180))] if rng.random() < 0.6 else [] for _ in "ab")
            lengths = [Fraction(rng.randint(1, 900), 100) for _ in range(rng.randint(1, 2))]

            def made(share, lengths=lengths, before=before, after=after):
                return [*before, *(Travel(FORWARD, inches * share) for inches in lengths), *after]

            verdict = judged(space, space.starts[0], made(1))
            if verdict.is_legal or not stays_amiss(space, made(1), verdict):
                continue
            found += 1
            for share in (Fraction(9, 10), Fraction(1, 2), Fraction(1, 7), Fraction(1, 100)):
                assert not judged(space, space.starts[0], made(share)).is_legal
        assert found


class TestPiecesOfALeg:
    @pytest.mark.parametrize("seed", range(4))
    def test_each_costs_the_dearest_ground_in_it(self, seed):
        rng = Random(seed)
        areas = [rectangle((rng.uniform(1, 11), 0), (rng.uniform(0.1, 2), 3)) for _ in range(4)]
        ground = stepper(6, areas=areas, rate=at_once).ground
        pieces = [Travel(FORWARD, Fraction(1, 2))] * rng.randint(5, 24)
        inches = sum(piece.inches for piece in pieces)
        whole = judged(stepper(99, ground=ground), stepper(99).starts[0], [Travel(FORWARD, inches)])
        # A piece by itself, after turns of no angle that cost nothing, is a leg of its own.
        apart = [
            judged(stepper(99, ground=ground, start=(n / 2, 0)), start_at(n), [piece]) for n, piece in enumerate(pieces)
        ]
        assert whole.total == sum(one.total for one in apart)
        assert len({one.total for one in apart}) == 2


def start_at(number):
    return stepper(99, start=(number / 2, 0)).starts[0]
