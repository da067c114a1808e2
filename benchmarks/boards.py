"""Boards and movers for the benchmarks, made from a seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.kernel.prepared import Query
from simulator.pathing.move_space import MoveSpace, MoveStep, Start

ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
#: The six directions of a hex lattice in axial rows and columns, counter-clockwise.
HEXES = {0: (0, 1), 60: (-1, 1), 120: (-1, 0), 180: (0, -1), 240: (1, -1), 300: (1, 0)}
#: 20 % blocked, half plain, a tenth each of the dearer kinds.
USUAL = {-1: 0.2, 1: 0.5, 2: 0.1, 3: 0.1, 4: 0.1}
#: Multipliers 1 to 8 equally often.
SLOW = {-1: 0.2, **dict.fromkeys(range(1, 9), 0.1)}


def ground(size: int, mix: dict[int, float], seed: int = 1) -> NDArray[np.int64]:
    """A board with kinds of terrain in some shares."""
    return np.random.default_rng(seed).choice(list(mix), size=(size, size), p=list(mix.values()))


def maze(size: int, seed: int = 1, width: int = 1) -> NDArray[np.int64]:
    """A maze with exactly one way between any two places: corridors and walls of a number of squares."""
    rng, cells = np.random.default_rng(seed), max((size // width - 1) // 2, 1)
    plan = np.full((2 * cells + 1, 2 * cells + 1), -1)
    plan[1, 1] = 1
    trail = [(0, 0)]
    while trail:
        row, col = trail[-1]
        around = [(row + down, col + across) for down, across in ORTHOGONAL]
        fresh = [(r, c) for r, c in around if 0 <= r < cells and 0 <= c < cells and plan[2 * r + 1, 2 * c + 1] < 0]
        if not fresh:
            trail.pop()
            continue
        r, c = fresh[rng.integers(len(fresh))]
        plan[row + r + 1, col + c + 1] = plan[2 * r + 1, 2 * c + 1] = 1
        trail.append((r, c))
    board = np.full((size, size), -1)
    drawn = np.kron(plan, np.ones((width, width), np.int64))[:size, :size]
    board[: len(drawn), : len(drawn)] = drawn
    return board


def rooms(size: int, room: int = 16, seed: int = 1) -> NDArray[np.int64]:
    """Square rooms behind walls of one square, with a door of one square in most of the walls between neighbours."""
    rng = np.random.default_rng(seed)
    board = np.ones((size, size), np.int64)
    board[::room] = board[:, ::room] = -1
    for row in range(0, size - room + 1, room):
        for col in range(0, size - room + 1, room):
            across, down = rng.integers(1, room, 2)
            if col and rng.random() < 0.8:
                board[row + across, col] = 1
            if row and rng.random() < 0.8:
                board[row, col + down] = 1
    return board


def cave(size: int, seed: int = 1, blocked: float = 0.45, rounds: int = 5) -> NDArray[np.int64]:
    """A cave by cellular automaton: a square is rock when at least five of the nine around it were, or lie outside."""
    rock = np.random.default_rng(seed).random((size, size)) < blocked
    for _ in range(rounds):
        around = np.lib.stride_tricks.sliding_window_view(np.pad(rock, 1, constant_values=True), (3, 3))
        rock = around.sum(axis=(2, 3)) >= 5
    return np.where(rock, -1, 1)


def root_two_walker(board: NDArray[np.int64]) -> MoveSpace:
    """Orthogonal steps cost 985, diagonal ones 1393 (the root of two, to 3 in ten million), times the ground."""
    steps = [MoveStep("orthogonal", row, col, cost=985, plane="ground") for row, col in ORTHOGONAL]
    steps += [MoveStep("diagonal", row, col, cost=1393, plane="ground") for row, col in DIAGONAL]
    return MoveSpace(board.shape, tuple(steps), planes={"ground": board})


def walker(board: NDArray[np.int64]) -> MoveSpace:
    """Orthogonal steps cost the ground once, diagonal ones alternately once and twice."""
    steps = [
        MoveStep("orthogonal", row, col, from_phase=phase, to_phase=phase, plane="ground")
        for phase in ("even", "odd")
        for row, col in ORTHOGONAL
    ]
    for row, col in DIAGONAL:
        steps.append(MoveStep("diagonal", row, col, from_phase="even", to_phase="odd", plane="ground"))
        steps.append(MoveStep("diagonal", row, col, from_phase="odd", to_phase="even", cost=2, plane="ground"))
    return MoveSpace(board.shape, tuple(steps), phases=("even", "odd"), planes={"ground": board})


def fine_walker(board: NDArray[np.int64]) -> MoveSpace:
    """Orthogonal steps cost 10, diagonal ones 14, times the ground."""
    steps = [MoveStep("orthogonal", row, col, cost=10, plane="ground") for row, col in ORTHOGONAL]
    steps += [MoveStep("diagonal", row, col, cost=14, plane="ground") for row, col in DIAGONAL]
    return MoveSpace(board.shape, tuple(steps), planes={"ground": board})


def vehicle(board: NDArray[np.int64]) -> MoveSpace:
    """Six headings: forward costs the ground, a turn by one heading costs 1."""
    headings = tuple(HEXES)
    steps = [MoveStep("forward", *offset, heading, heading, plane="ground") for heading, offset in HEXES.items()]
    for number, heading in enumerate(headings):
        for way, then in (("left", headings[(number + 1) % 6]), ("right", headings[number - 1])):
            steps.append(MoveStep(f"turn {way}", 0, 0, heading, then))
    return MoveSpace(board.shape, tuple(steps), headings=headings, planes={"ground": board})


def queries(space: MoveSpace, count: int, budget: int | None, seed: int = 0, middle: bool = False) -> list[Query]:
    """Queries from random free cells, with the first heading and phase; `middle` keeps them off the edge."""
    rng = np.random.default_rng(seed)
    free = np.argwhere(space.planes["ground"] > 0)
    if middle:
        size = np.array(space.shape)
        free = free[((free > size // 4) & (free < size - size // 4)).all(axis=1)]
    chosen = free[rng.integers(0, len(free), count)].tolist()
    return [Query([Start(row, col, space.headings[0], space.phases[0])], budget) for row, col in chosen]
