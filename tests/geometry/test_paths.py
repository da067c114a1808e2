"""Paths: their parts, the way back, their lengths and drawings, over generated paths of straights, bends and turns."""

import math

import numpy as np
import pytest

from simulator.errors import BoardError
from simulator.geometry.paths import Bend, Path, Paths, Straight, Turn

SEEDS = pytest.mark.parametrize("seed", range(20))


def random_path(seed, turns=True):
    """A path of straights and bends to either side, and turns on the spot, each beginning where the one before ends."""
    dice = np.random.default_rng(seed)
    here, heading, pieces = (0.0, 0.0), 0.0, []
    for _ in range(int(dice.integers(1, 6))):
        if dice.random() < 0.5:
            begin, sweep = dice.uniform(-3, 3), dice.uniform(0.2, 3) * dice.choice((-1, 1))
            radius = dice.uniform(0.5, 2)
            centre = (here[0] - radius * math.cos(begin), here[1] - radius * math.sin(begin))
            pieces.append(Bend(centre, radius, begin, sweep, heading))
        else:
            end = (here[0] + dice.uniform(-3, 3), here[1] + dice.uniform(-3, 3))
            pieces.append(Straight(here, end, heading))
        here = pieces[-1].end
        if turns and dice.random() < 0.5:
            pieces.append(Turn(here, heading, dice.uniform(-90, 90)))
            heading += pieces[-1].turn
    return Path((0.0, 0.0), tuple(pieces))


def follows(path, other, from_length, sign=1):
    """Whether a path is the part of another that begins after some length, or is gone backwards from there."""
    for length in np.linspace(0.0, path.length, 23).tolist():
        assert path.at(length) == pytest.approx(other.at(from_length + sign * length), abs=1e-7)


@SEEDS
def test_a_reversed_path_is_the_same_path_from_its_end(seed):
    path = random_path(seed)
    back = path.reversed()
    assert (back.start, back.end) == (path.end, pytest.approx(path.start))
    assert back.length == pytest.approx(path.length)
    follows(back, path, path.length, -1)
    headings = [piece.heading for piece in back.pieces]
    assert headings == [piece.heading + getattr(piece, "turn", 0.0) for piece in path.pieces[::-1]]
    follows(back.reversed(), path, 0.0)


@SEEDS
def test_a_part_lies_on_its_path_and_is_as_long_as_it_is_to_be(seed):
    path = random_path(seed)
    dice = np.random.default_rng(seed)
    ends = np.cumsum([piece.length for piece in path.pieces]).tolist()
    lengths = [*np.sort(dice.uniform(0, path.length, (8, 2))).tolist(), *zip([0.0, *ends], ends, strict=False)]
    for begin, end in lengths:
        part = path.part(begin, end)
        assert part.length == pytest.approx(end - begin, abs=1e-7)
        assert all(isinstance(piece, Turn) or piece.length > 1e-9 for piece in part.pieces)
        assert part.start == pytest.approx(path.at(begin), abs=1e-7)
        follows(part, path, begin)
    for beyond in (0.0, 1.0):
        assert len(path.part(-beyond, path.length + beyond).pieces) == len(path.pieces)
        follows(path.part(-beyond, path.length + beyond), path, 0.0)
    assert random_path(seed, turns=False).part(0.1, 0.1).pieces == ()


@SEEDS
def test_two_parts_make_the_whole(seed):
    path = random_path(seed)
    middle = np.random.default_rng(seed).uniform(0.0, path.length)
    first, second = path.part(0.0, middle), path.part(middle, path.length)
    assert first.length + second.length == pytest.approx(path.length)
    assert first.end == pytest.approx(second.start, abs=1e-9)


@SEEDS
def test_its_drawing_keeps_within_the_error(seed):
    path = random_path(seed)
    for error in (0.2, 0.01, 0.0005):
        points = path.points(error)
        assert points[0] == pytest.approx(path.start)
        assert points[-1] == pytest.approx(path.end)
        length = np.hypot(*np.diff(points, axis=0).T).sum()
        assert path.length - 1e-9 >= length - 1e-6
        for place in (path.at(part) for part in np.linspace(0.0, path.length, 40)):
            legs = np.diff(points, axis=0)
            square = np.maximum((legs**2).sum(axis=1), 1e-18)
            share = np.clip(((place - points[:-1]) * legs).sum(axis=1) / square, 0.0, 1.0)
            apart = np.hypot(*(points[:-1] + share[:, None] * legs - place).T).min()
            assert apart <= error + 1e-9


@SEEDS
def test_the_arrays_hold_the_same_path(seed):
    path = random_path(seed)
    both = Paths.of_pieces([path.pieces, path.reversed().pieces])
    assert both.lengths.tolist() == pytest.approx([path.length, path.length])
    assert both.is_turn.sum() == 2 * sum(isinstance(piece, Turn) for piece in path.pieces)
    assert both.piece_lengths.tolist()[: len(path.pieces)] == pytest.approx([piece.length for piece in path.pieces])


@SEEDS
def test_longer_and_shorter_again(seed):
    path = random_path(seed, turns=False)
    longer = path.lengthened(0.25)
    assert longer.length == pytest.approx(path.length + 0.25)
    follows(path, longer, 0.0)
    assert longer.lengthened(-0.25).end == pytest.approx(path.end)


def test_a_turn_is_no_longer_or_shorter():
    with pytest.raises(BoardError, match="a turn on the spot"):
        Path((0, 0), (Turn((0, 0), 0, 90),)).lengthened(1)


def test_who_stays_has_a_path_without_pieces():
    path = Path((3.0, 4.0))
    assert (path.end, path.length, path.is_straight, path.at(2.0)) == ((3.0, 4.0), 0.0, True, (3.0, 4.0))
    assert path.points().tolist() == [[3.0, 4.0]]
    assert path.part(0.0, 1.0) == path == path.reversed()


def test_turns_on_the_spot_bend_no_path():
    path = Path((0, 0), (Turn((0, 0), 0, 90), Straight((0, 0), (2, 0), 90), Turn((2, 0), 90, -45)))
    assert path.is_straight
    assert [piece.heading for piece in path.reversed().pieces] == [45, 90, 90]


@pytest.mark.parametrize("points", [1, 2, 4])
def test_lines_may_come_as_one_array(points):
    lines = np.random.default_rng(points).uniform(-9, 9, (5, points, 2))
    one, other = Paths.of_lines(lines), Paths.of_lines(list(lines))
    assert (one.count, one.path.tolist()) == (other.count, other.path.tolist())
    assert np.array_equal(one.start, other.start)
    assert np.array_equal(one.end, other.end)
    lines[0, 0] = np.nan
    with pytest.raises(BoardError):
        Paths.of_lines(np.repeat(lines, 2, axis=1))
