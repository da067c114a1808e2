"""A drive is searched in the part of the map that it can touch, and finds there what it finds on the whole map."""

import numpy as np
import pytest
from dt_games import bike, game, random_map

from simulator.geometry.dots import DotMap
from simulator.rulesets.dot_trooper.movement import RideQuestion
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings


def questions(seed):
    """A bike somewhere on a map that is larger than it can touch, others about."""
    dice = np.random.default_rng(seed)
    board = random_map(seed, radius=22, share=0.08, levels=seed % 2 == 0)
    free = [dot for dot in board.places() if not board.impassable[board.index(dot)]]
    chosen = [free[at] for at in dice.choice(len(free), 4, replace=False).tolist()]
    place = chosen[0] if seed % 3 else min(free)  # now and then at the rim of the map
    units = bike(place=place, heading=int(dice.integers(6)) * 60, motion=str(dice.choice(["moving", "stopped"])))
    for number, dot in enumerate(chosen[1:]):
        units += bike(id=f"b{number}", place=dot, rider=f"C{number}", side="blue")
    return board, units, chosen


def answered(board, units, chosen):
    answer = game(units, board).reach("A1", "drive", mode="minimum")
    ends = {place: (answer.cost_at(place), answer.chance_at(place)) for place in answer.places}
    reasons = [str(answer.why_not(place)) for place in chosen]
    orders = [answer.orders_to(place) for place in list(answer.places)[:6]]
    return answer, (ends, answer.poses, answer.array.tobytes(), answer.chances.tobytes(), reasons, orders, answer.area)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_a_part_of_the_map_answers_as_the_whole_map_does(seed, monkeypatch):
    board, units, chosen = questions(seed)
    near, found = answered(board, units, chosen)
    monkeypatch.setattr(DotSurroundings, "around", lambda ground, *_: ground)
    whole, expected = answered(board, units, chosen)
    assert near.costs.space.shape != whole.costs.space.shape == board.shape
    assert near.array.shape[1:] == board.shape
    assert found == expected


def test_what_is_searched_does_not_grow_with_the_map():
    shapes = set()
    for size in (200, 400):
        board = DotMap.open(size, size)
        answer = game(bike(place=(20, 100)), board).reach("A1", "drive", mode="cruise")
        shapes.add(answer.costs.space.shape)
        assert len(answer) > 20
    assert len(shapes) == 1
    assert isinstance(answer.question, RideQuestion)
    assert max(shapes.pop()) < 200
