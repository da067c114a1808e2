"""Boards and movers for the benchmarks, made from a seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel import Query
from simulator.pathing.move_space import MoveSpace, Start, Step
from simulator.pathing.step_tables import for_each_heading, turns

ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
#: The six directions of a hex lattice in axial rows and columns, counter-clockwise.
HEXES = {0: (0, 1), 60: (-1, 1), 120: (-1, 0), 180: (0, -1), 240: (1, -1), 300: (1, 0)}
#: 20 % blocked, half plain, a tenth each of the dearer kinds.
USUAL = {-1: 0.2, 1: 0.5, 2: 0.1, 3: 0.1, 4: 0.1}
#: Multipliers 1 to 8 equally often.
SLOW = {-1: 0.2, **dict.fromkeys(range(1, 9), 0.1)}


def ground(size: int, mix: dict[int, float], seed: int = 1) -> NDArray[np.int64]:
    """A board with kinds of terrain in those shares."""
    return np.random.default_rng(seed).choice(list(mix), size=(size, size), p=list(mix.values()))


def walker(board: NDArray[np.int64]) -> MoveSpace:
    """Orthogonal steps cost the ground once, diagonal ones once and twice in turn."""
    steps = [
        Step("orthogonal", row, col, from_phase=phase, to_phase=phase, plane="ground")
        for phase in ("even", "odd")
        for row, col in ORTHOGONAL
    ]
    for row, col in DIAGONAL:
        steps.append(Step("diagonal", row, col, from_phase="even", to_phase="odd", plane="ground"))
        steps.append(Step("diagonal", row, col, from_phase="odd", to_phase="even", cost=2, plane="ground"))
    return MoveSpace(board.shape, tuple(steps), phases=("even", "odd"), planes={"ground": board})


def fine_walker(board: NDArray[np.int64]) -> MoveSpace:
    """Orthogonal steps cost 10, diagonal ones 14, times the ground."""
    steps = [Step("orthogonal", row, col, cost=10, plane="ground") for row, col in ORTHOGONAL]
    steps += [Step("diagonal", row, col, cost=14, plane="ground") for row, col in DIAGONAL]
    return MoveSpace(board.shape, tuple(steps), planes={"ground": board})


def vehicle(board: NDArray[np.int64]) -> MoveSpace:
    """Six headings: forward costs the ground, a turn by one heading costs 1."""
    steps = [*for_each_heading("forward", HEXES, plane="ground"), *turns(tuple(HEXES), 1)]
    return MoveSpace(board.shape, tuple(steps), headings=tuple(HEXES), planes={"ground": board})


def queries(
    space: MoveSpace, count: int, budget: int | None, seed: int = 0, middle: bool = False
) -> list[Query]:
    """Queries from random free cells, heading and phase being the first; `middle` keeps them off the edge."""
    rng = np.random.default_rng(seed)
    free = np.argwhere(space.planes["ground"] > 0)
    if middle:
        size = np.array(space.shape)
        free = free[((free > size // 4) & (free < size - size // 4)).all(axis=1)]
    chosen = free[rng.integers(0, len(free), count)].tolist()
    return [Query([Start(row, col, space.headings[0], space.phases[0])], budget) for row, col in chosen]
