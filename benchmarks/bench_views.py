"""The time and memory to draw pictures: python -m benchmarks.bench_views"""

from __future__ import annotations

import time
from functools import partial
from statistics import median

import numpy as np

from benchmarks.peaks import peak_of, peak_text
from simulator.geometry.dots import DotKind, DotMap
from simulator.geometry.squares import SquareGrid, SquareKind
from simulator.views.board_picture import draw

KINDS = (
    DotKind("open"),
    DotKind("mud", level=1),
    DotKind("wood"),
    DotKind(impassable=True),
    DotKind("floor", storeys=2),
)


def dots_10000() -> DotMap:
    rng = np.random.default_rng(1)
    return DotMap.from_kinds(KINDS, rng.choice(5, (100, 100), p=[0.5, 0.2, 0.15, 0.1, 0.05]))


def squares_10000() -> SquareGrid:
    rng = np.random.default_rng(1)
    kinds = (SquareKind("open"), SquareKind("mud", impeded=True), SquareKind("wood", level=1), SquareKind(wall=True))
    return SquareGrid.from_kinds(kinds, rng.choice(4, (100, 100), p=[0.5, 0.2, 0.2, 0.1]))


def main() -> None:
    print("| picture | median s | peak, MB | KB |\n|---|---:|---:|---:|")
    for name, board in (("10,000 dots", dots_10000()), ("10,000 squares", squares_10000())):
        times = []
        for _ in range(5):
            begin = time.perf_counter()
            svg = draw(board)
            times.append(time.perf_counter() - begin)
        print(f"| {name} | {median(times):.3f} | {peak_text(peak_of(partial(draw, board)))} | {len(svg) / 1024:.0f} |")


if __name__ == "__main__":
    main()
