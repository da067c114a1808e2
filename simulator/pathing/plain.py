"""The plainest mover of a board: walks on everything open. For boards without a rulebook, and for benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.board import Lattice, as_lattice
from simulator.geometry.diagonals import DiagonalCount
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import DIRECTION_NAMES, DIRECTIONS
from simulator.geometry.squares import STEP_NAMES, STEPS, Corners, SquareGrid
from simulator.pathing.move_space import BLOCKED, MoveSpace, MoveSpaceError, MoveStep, Start

# The square root of 2 as a fraction, accurate to 3 in ten million.
_ROOT_TWO = (985, 1393)


def plain_space(
    board: Lattice,
    *,
    starts: Iterable[tuple[int, int]] = (),
    budget: int | None = None,
    terrain_costs: Mapping[str, int] | None = None,
    diagonals: DiagonalCount = DiagonalCount.ONE_TWO,
    corners: Corners = Corners.NO_CUT,
) -> MoveSpace:
    """Compile a walker: entering a cell costs its terrain's figure (1 by default; a negative one closes it).

    The budget counts steps. If diagonals cost a fraction of a step, the search counts in smaller units: see
    `units_per_step`.
    """
    as_lattice(board, "the plain walker")
    unknown = sorted(set(terrain_costs or {}) - set(board.terrain_array.kinds))
    if unknown:
        known = ", ".join(board.terrain_array.kinds)
        raise MoveSpaceError(f"no terrain {unknown[0]!r} on this board (it has: {known})", "terrain_costs")
    places = list(starts)
    if any(isinstance(place, (int, float)) for place in places):
        raise MoveSpaceError(f"expected places, such as [(3, 4)], not {tuple(places)}", "starts")
    common: dict[str, Any] = {
        "shape": board.shape,
        "planes": {"ground": _ground(board, terrain_costs or {})},
        "starts": [Start(*board.index(place)) for place in places],
        "unit": "step",
    }
    if isinstance(board, DotMap):
        gates = dict(zip(DIRECTION_NAMES, board.step_gates, strict=True))
        steps = [
            MoveStep(name, down, across, plane="ground", gate=name)
            for name, (across, down) in zip(DIRECTION_NAMES, DIRECTIONS, strict=True)
        ]
        return MoveSpace(steps=tuple(steps), gates=gates, budget=budget, **common)
    if isinstance(board, SquareGrid):
        gates = dict(zip(STEP_NAMES, board.step_gates(corners), strict=True))
        phases, square_steps = _square_steps(diagonals)
        common["starts"] = [start._replace(phase=phases[0]) for start in common["starts"]]
        whole = None if budget is None else budget * units_per_step(board, diagonals)
        return MoveSpace(steps=square_steps, phases=phases, gates=gates, budget=whole, **common)
    raise TypeError(f"no plain mover on a {type(board).__name__}")


def units_per_step(board: Lattice, diagonals: DiagonalCount = DiagonalCount.ONE_TWO) -> int:
    """Return the number of units of the search in one step."""
    if isinstance(board, SquareGrid):
        if diagonals is DiagonalCount.ROOT_TWO:
            return _ROOT_TWO[0]
        if diagonals is DiagonalCount.THREE_HALVES:
            return 2
    return 1


def _square_steps(diagonals: DiagonalCount) -> tuple[tuple[str, ...], tuple[MoveStep, ...]]:
    """Return the phases and the table of steps: straight ones first, so that routes prefer them."""
    order = sorted(range(8), key=lambda step: step % 2)
    names = [(STEP_NAMES[i], STEPS[i][1], STEPS[i][0], i % 2 == 1) for i in order]
    if not diagonals.alternates:
        straight, diagonal = {
            DiagonalCount.ROOT_TWO: _ROOT_TWO,
            DiagonalCount.THREE_HALVES: (2, 3),
            DiagonalCount.ONE: (1, 1),
            DiagonalCount.TWO: (1, 2),
        }[diagonals]
        steps = [
            MoveStep(name, down, across, cost=diagonal if oblique else straight, plane="ground", gate=name)
            for name, down, across, oblique in names
        ]
        return ("",), tuple(steps)
    cheap, dear = phases = ("cheap diagonal next", "dear diagonal next")
    steps = [
        MoveStep(
            name,
            down,
            across,
            from_phase=phase,
            to_phase=other if oblique else phase,
            cost=cost if oblique else 1,
            plane="ground",
            gate=name,
        )
        for name, down, across, oblique in names
        for phase, other, cost in ((cheap, dear, 1), (dear, cheap, 2))
    ]
    return phases if diagonals is DiagonalCount.ONE_TWO else phases[::-1], tuple(steps)


def _ground(board: Lattice, terrain_costs: Mapping[str, int]) -> NDArray[np.int64]:
    kinds, codes = board.terrain_array
    costs = np.array([terrain_costs.get(kind, 1) for kind in kinds] + [BLOCKED], np.int64)
    return costs[codes]
