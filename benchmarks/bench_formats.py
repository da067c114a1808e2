"""The time and memory to load a large board.   python -m benchmarks.bench_formats   (best of 3)

The peak is the most memory that Python and numpy held more than before, measured in a separate run. Before anything is
timed, the loaded board is compared with the one that was written.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peaks import peak_of, peak_text, process_peak
from simulator.formats.boards import board_text, load_board
from simulator.geometry.board import Board
from simulator.geometry.dots import DotKind, DotMap
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.squares import Corners, SquareGrid, SquareKind
from simulator.geometry.table import InchTable

SIDE = 1000


def large_grid() -> SquareGrid:
    """A grid with scattered walls, water and hills, seed 1."""
    kinds = (
        SquareKind(),
        SquareKind(wall=True),
        SquareKind("water", level=-1, impeded=True),
        SquareKind("hill", level=2),
    )
    codes = np.random.default_rng(1).choice(4, (SIDE, SIDE), p=[0.6, 0.2, 0.1, 0.1])
    return SquareGrid.from_kinds(kinds, codes, name="large grid")


def large_map() -> DotMap:
    """A hex-dot map with scattered woods, houses and holes, seed 1."""
    kinds = (DotKind(), DotKind("woods"), DotKind("floor", storeys=2), DotKind(absent=True))
    codes = np.random.default_rng(1).choice(4, (SIDE, SIDE), p=[0.6, 0.2, 0.1, 0.1])
    return DotMap.from_kinds(kinds, codes, name="large map")


def large_table() -> InchTable:
    """A table of 1000 pieces in rows, every second one turned."""
    pieces = [
        Piece(f"piece {number}", "hill", rectangle((4 * column + 4, 4 * row + 4), (2.5, 1.5), 30 * (number % 2)))
        for number, (row, column) in enumerate(np.ndindex(20, 50))
    ]
    return InchTable("large table", 208, 88, pieces=tuple(pieces))


def gates(board: SquareGrid | DotMap) -> object:
    """Return which steps are open."""
    return board.step_gates(Corners.NO_CUT) if isinstance(board, SquareGrid) else board.step_gates


def terrain(board: SquareGrid | DotMap) -> object:
    """Return the terrain as an array."""
    return board.terrain_array


def seconds(call: Callable[[], Any], rounds: int = 3) -> float:
    """Time a call, the best of several."""
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def held(call: Callable[[], Any]) -> str:
    """Return what is printed of the most memory during a call."""
    return f"peak {peak_text(peak_of(call))} MB"


def main() -> None:
    """Print one line for each measure."""
    with tempfile.TemporaryDirectory() as folder:
        boards: tuple[Board[Any], ...] = (large_grid(), large_map(), large_table())
        for board in boards:
            path = Path(folder) / f"{board.kind}.yaml"
            path.write_text(board_text(board), encoding="utf-8")
            if load_board(path) != board:
                raise AssertionError(f"{path.name} is not read as it was written")
            size = "1000 pieces" if board.kind == "table" else f"{SIDE} x {SIDE} {board.kind}"
            what = f"{size}, {path.stat().st_size / 1e6:.1f} MB"
            load, write = partial(load_board, path), partial(board_text, board)
            print(f"{what}: load and check {seconds(load):.2f} s, {held(load)}")
            print(f"{what}: write, and read back to prove it, {seconds(write):.2f} s, {held(write)}")
        for made in (large_grid, large_map):
            lattice, again = made(), made()  # what is asked of them is cached after the first call
            print(
                f"{SIDE} x {SIDE} {lattice.kind}: "
                f"step gates {seconds(partial(gates, lattice), rounds=1):.3f} s, {held(partial(gates, again))}; "
                f"terrain {seconds(partial(terrain, lattice)):.4f} s, {held(partial(terrain, again))}"
            )
    print(f"the whole process held at most {process_peak():.0f} MB")


if __name__ == "__main__":
    main()
