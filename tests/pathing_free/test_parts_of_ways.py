"""Parts of ways and reversed ways, over generated ways."""

import math

import numpy as np
import pytest

from simulator.pathing.free import Arc, Segment, Way
from simulator.pathing.free.parts import part_of, reversed_way


def way_of(seed):
    """A way of straight pieces and arcs to either side, each beginning where the one before ends."""
    dice = np.random.default_rng(seed)
    here, pieces = (0.0, 0.0), []
    for _ in range(int(dice.integers(1, 6))):
        if dice.random() < 0.5:
            begin, sweep, radius = (
                dice.uniform(-3, 3),
                dice.uniform(0.2, 3) * dice.choice((-1, 1)),
                dice.uniform(0.5, 2),
            )
            centre = (here[0] - radius * math.cos(begin), here[1] - radius * math.sin(begin))
            pieces.append(Arc(centre, radius, begin, sweep))
        else:
            pieces.append(Segment(here, (here[0] + dice.uniform(-3, 3), here[1] + dice.uniform(-3, 3))))
        here = pieces[-1].end
    return Way((0.0, 0.0), here, tuple(pieces))


def follows(way, other, from_length, sign=1):
    """Whether a way is the part of another that begins after some length, or is gone backwards from there."""
    for length in np.linspace(0.0, way.length, 23).tolist():
        assert way.at(length) == pytest.approx(other.at(from_length + sign * length), abs=1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_a_reversed_way_is_the_same_way_from_its_end(seed):
    way = way_of(seed)
    back = reversed_way(way)
    assert (back.start, back.end) == (way.end, way.start)
    assert back.length == pytest.approx(way.length)
    follows(back, way, way.length, -1)


@pytest.mark.parametrize("seed", range(20))
def test_a_part_of_a_way_is_as_long_as_it_is_to_be_and_lies_on_it(seed):
    way = way_of(seed)
    dice = np.random.default_rng(seed)
    ends = np.cumsum([piece.length for piece in way.pieces]).tolist()
    for begin, end in [*np.sort(dice.uniform(0, way.length, (8, 2))).tolist(), *zip([0.0, *ends], ends, strict=False)]:
        pieces = part_of(way, begin, end)
        part = Way(way.at(begin), way.at(end), pieces)
        assert part.length == pytest.approx(end - begin, abs=1e-7)
        assert part.at(0.0) == pytest.approx(pieces[0].start, abs=1e-7)
        assert all(piece.length > 1e-9 for piece in pieces)
        follows(part, way, begin)
    for beyond in (0.0, 1.0):
        pieces = part_of(way, -beyond, way.length + beyond)
        assert len(pieces) == len(way.pieces)
        follows(Way(way.start, way.end, pieces), way, 0.0)
    assert part_of(way, 0.5, 0.5) == ()
