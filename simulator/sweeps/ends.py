"""Choosing an end of a reach: any one, or one near a goal.

On squares and dots all ends are looked at. On tables only some places are tried: to know the whole area takes some
rulebooks a hundred times as long as to know of a place whether it is in reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import cos, dist, hypot, pi, radians, sin, sqrt
from random import Random
from typing import Any

import numpy as np

from simulator.engine.reach import Place, ReachAnswer
from simulator.geometry.board import Board, Lattice

#: Places of a table that are tried before a reach counts as too small: three at each distance, each half the last.
_RANDOM_TRIES, _AT_EACH_DISTANCE = 18, 3
#: A place nearer to the start than this is no movement.
_LEAST = 0.1
#: The places tried on the way to a goal: parts of the distance, and angles beside the straight line.
_PARTS = (1.0, 0.8, 0.6, 0.45, 0.3, 0.2, 0.12, 0.06)
_ANGLES = (0.0, 25.0, -25.0, 55.0, -55.0)
_NEAR_TRIES = 24
#: Places on tables are written with so many decimals.
_DECIMALS = 3


def random_end(answer: ReachAnswer, board: Board[Any], rng: Random) -> Place | None:
    """Draw an end: on a lattice any cell, on a table a place around the unit; None if there is none, or none is met."""
    if isinstance(board, Lattice):
        places = _cells(answer, board)
        return rng.choice(places) if places else None
    if answer.mover.place is None:
        return None
    x, y = board.centre(answer.mover.place)
    radius = hypot(board.bounds.width, board.bounds.height) / 2
    for number in range(_RANDOM_TRIES):
        far, angle = radius * sqrt(rng.random()), 2 * pi * rng.random()
        place = _written(x + far * cos(angle), y + far * sin(angle))
        if far > _LEAST and place in board and place in answer:
            return place
        if number % _AT_EACH_DISTANCE == _AT_EACH_DISTANCE - 1:
            radius /= 2
    return None


def ends_near(answer: ReachAnswer, board: Board[Any], goal: tuple[float, float]) -> Iterator[Place]:
    """Yield ends, the one nearest to a goal first: on a lattice all, on a table some towards it."""
    if isinstance(board, Lattice):
        yield from sorted(_cells(answer, board), key=lambda place: (dist(board.centre(place), goal), place))
    elif answer.mover.place is not None:
        towards = _towards(board.centre(answer.mover.place), goal)
        tried = islice((place for place in towards if place in board), _NEAR_TRIES)
        yield from (place for place in tried if place in answer)


def _towards(start: tuple[float, float], goal: tuple[float, float]) -> list[Place]:
    """Return places on the way from a start to a goal and beside it, the one nearest to the goal first."""
    (x, y), (to_x, to_y) = start, goal
    places = []
    for part, angle in product(_PARTS, _ANGLES):
        turn_x, turn_y = part * cos(radians(angle)), part * sin(radians(angle))
        along, across = to_x - x, to_y - y
        places.append(_written(x + along * turn_x - across * turn_y, y + along * turn_y + across * turn_x))
    return sorted(places, key=lambda place: (dist(place, goal), place))


def _written(x: float, y: float) -> Place:
    return round(x, _DECIMALS), round(y, _DECIMALS)


def _cells(answer: ReachAnswer, board: Lattice) -> list[tuple[int, int]]:
    """Return the cells of all ends, row by row."""
    places = list(board.places())
    return [place for place, cost in zip(places, answer.costs_at(np.array(places)), strict=True) if np.isfinite(cost)]
