"""Mazes, rooms and caves, generated small: the boards on which searches are long and fronts are short."""

import numpy as np
from movers import DIAGONAL, ORTHOGONAL

from simulator.pathing.move_space import MoveSpace, MoveStep


def maze(rng, size, width=1):
    """A maze with one way between any two places, by joining cells that are not connected yet."""
    cells = (size // width - 1) // 2
    plan = np.full((2 * cells + 1, 2 * cells + 1), -1)
    plan[1::2, 1::2] = 1
    group = np.arange(cells * cells).reshape(cells, cells)
    walls = [(r, c, d) for r in range(cells) for c in range(cells) for d in ((0, 1), (1, 0))]
    for number in rng.permutation(len(walls)).tolist():
        row, col, (down, across) = walls[number]
        if row + down < cells and col + across < cells and group[row, col] != group[row + down, col + across]:
            group[group == group[row, col]] = group[row + down, col + across]
            plan[2 * row + 1 + down, 2 * col + 1 + across] = 1
    return np.kron(plan, np.ones((width, width), np.int64))


def rooms(rng, size, room):
    """Rooms behind walls of one square, most walls with a door of one square."""
    board = np.ones((size, size), np.int64)
    board[::room] = board[:, ::room] = -1
    for row in range(0, size - room + 1, room):
        for col in range(0, size - room + 1, room):
            down, across = rng.integers(1, room, 2)
            board[row + down, col] = board[row, col + across] = 1
    return board


def cave(rng, size):
    """A cave by cellular automaton."""
    rock = rng.random((size, size)) < 0.43
    for _ in range(3):
        around = np.lib.stride_tricks.sliding_window_view(np.pad(rock, 1, constant_values=True), (3, 3))
        rock = around.sum(axis=(2, 3)) >= 5
    return np.where(rock, -1, 1)


def thin_board(rng, kind, size=24):
    """A board of one of the kinds, on request with ground of several prices."""
    made = {
        "maze": lambda: maze(rng, size),
        "wide maze": lambda: maze(rng, size, width=3),
        "rooms": lambda: rooms(rng, size, 6),
        "cave": lambda: cave(rng, size),
    }[kind]()
    if rng.random() < 0.4:
        made[made > 0] = rng.integers(1, 4, np.count_nonzero(made > 0))
    return made


KINDS = ("maze", "wide maze", "rooms", "cave")


def root_two(ground, **more):
    """Squares; diagonals cost the root of two."""
    steps = [MoveStep("straight", row, col, cost=985, plane="ground") for row, col in ORTHOGONAL]
    steps += [MoveStep("diagonal", row, col, cost=1393, plane="ground") for row, col in DIAGONAL]
    return MoveSpace(ground.shape, tuple(steps), planes={"ground": ground}, **more)
