"""Lines of sight in combined_arms (CA-102): of many at once each is that of its own."""

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.combined_arms.sight import SightSpots, sight_lines, spans_in_sight

PLACES = [(-8, 4), (5, 9), (12, -6), (-14, -9), (1, -13)]
KINDS = ("building", "vegetation", "high_wall", "vegetation", "building")


def lines():
    terrain = [
        Piece(f"p{number}", kind, rectangle(place, (5, 3)), height=2 + number % 3)
        for number, (place, kind) in enumerate(zip(PLACES, KINDS, strict=True))
    ]
    return sight_lines(arms_game(piece("A", "on_foot"), terrain=terrain).setting)


@pytest.mark.parametrize("seed", range(5))
def test_a_spot_is_seen_alone_as_among_others(seed):
    rng, table = np.random.default_rng(seed), lines()
    eye = SightSpots(rng.uniform(-20, 20, (1, 2)), rng.uniform(0, 3, 1))
    spots = SightSpots(rng.uniform(-20, 20, (60, 2)), rng.choice([0.0, 1.0, 5.0], 60))
    together = table.sees(eye, spots)
    alone = [table.sees(eye, SightSpots(spots.place[[n]], spots.altitude[[n]]))[0] for n in range(60)]
    assert together.tolist() == alone
    assert 0 < together.sum() < 60


def test_who_is_out_of_range_is_not_looked_for():
    eye = SightSpots(np.array([[0.0, 0.0]]), np.zeros(1))
    away = Path((-18, 0), (Straight((-18, 0), (18, 0)),))
    ((begin, end),) = spans_in_sight(lines(), eye, away, (0.0, 0.0), 6.0)
    assert (begin, end) == pytest.approx((12, 24), abs=1e-6)
    assert spans_in_sight(lines(), eye, Path((-18, 17), (Straight((-18, 17), (18, 17)),)), (0.0, 0.0), 6.0) == ()
