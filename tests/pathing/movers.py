"""Movers as rulesets will describe them, in small."""

from dataclasses import replace

import numpy as np

from simulator.pathing.move_space import MoveSpace, MoveStep, Start

ORTHOGONAL = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
#: Six headings, counter-clockwise, as offsets of rows and columns in axial coordinates.
HEXES = {0: (0, 1), 60: (-1, 1), 120: (-1, 0), 180: (0, -1), 240: (1, -1), 300: (1, 0)}


def for_each_heading(name, offsets, **line):
    """One step for each heading, by the offset of that heading, which it keeps."""
    return [
        MoveStep(name, d_row, d_col, from_heading=heading, to_heading=heading, **line)
        for heading, (d_row, d_col) in offsets.items()
    ]


def turns(headings, cost, **line):
    """The turns on the spot, to the next heading left and right, in a circle listed counter-clockwise."""
    return [
        MoveStep(f"turn {way}", 0, 0, heading, headings[(i + d) % len(headings)], cost=cost, **line)
        for i, heading in enumerate(headings)
        for way, d in (("left", 1), ("right", -1))
    ]


def walker(ground, **more):
    """Squares; every second diagonal costs double, so the parity of diagonals is part of the state."""
    steps = [
        MoveStep("straight", row, col, from_phase=phase, to_phase=phase, plane="ground")
        for phase in ("even", "odd")
        for row, col in ORTHOGONAL
    ]
    for row, col in DIAGONAL:
        steps.append(MoveStep("diagonal", row, col, from_phase="even", to_phase="odd", plane="ground"))
        steps.append(MoveStep("diagonal", row, col, from_phase="odd", to_phase="even", cost=2, plane="ground"))
    return MoveSpace(ground.shape, tuple(steps), phases=("even", "odd"), planes={"ground": ground}, **more)


def vehicle(ground, **more):
    """Hexes; it has to go one cell straight on before each turn of 60 degrees, which costs 1."""
    headings = tuple(HEXES)
    steps = []
    for before in ("turned", "ran"):
        steps += for_each_heading("forward", HEXES, plane="ground", from_phase=before, to_phase="ran")
    steps += turns(headings, 1, from_phase="ran", to_phase="turned")
    return MoveSpace(
        ground.shape,
        tuple(steps),
        headings=headings,
        phases=("turned", "ran"),
        planes={"ground": ground},
        **more,
    )


def soldier(ground, enemies, **more):
    """Squares without diagonals; cells beside an enemy may be entered but not passed, its own not entered."""
    controlled = np.zeros(ground.shape, bool)
    for row, col in ORTHOGONAL:
        rolled = np.zeros_like(enemies)
        rows, cols = np.nonzero(enemies)
        rows, cols = rows + row, cols + col
        inside = (rows >= 0) & (rows < ground.shape[0]) & (cols >= 0) & (cols < ground.shape[1])
        rolled[rows[inside], cols[inside]] = True
        controlled |= rolled
    steps = [MoveStep("walk", row, col, plane="ground") for row, col in ORTHOGONAL]
    return MoveSpace(ground.shape, tuple(steps), planes={"ground": ground}, enter=~enemies, pass_=~controlled, **more)


def board(rng, shape, values=(-1, 1, 1, 2, 3)):
    """A board of random terrain."""
    return rng.choice(values, size=shape)


def movers(rng, shape=(9, 11), budget=8):
    """One of each, somewhere on a random board."""
    ground = board(rng, shape)
    row, col = int(rng.integers(shape[0])), int(rng.integers(shape[1]))
    enemies = rng.random(shape) < 0.08
    return [
        walker(ground, starts=[Start(row, col, None, "even")], budget=budget),
        vehicle(ground, starts=[Start(row, col, 60, "turned")], budget=budget),
        soldier(ground, enemies, starts=[Start(row, col)], budget=budget),
    ]


def set_out_from(space, row, col, budget=None):
    """The same mover at another place."""
    start = space.starts[0]._replace(row=row, col=col)
    return replace(space, starts=(start,), budget=space.budget if budget is None else budget)
