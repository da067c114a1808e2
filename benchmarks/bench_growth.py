"""Charts of the time of a query by budget, board and table, and its peak memory: python -m benchmarks growth"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bench_planner import case_of, check_answers, plain_answers, planner_answers
from charts import Chart
from peaks import peak_of, peak_text
from peers import Kernel, Networkx, Numba, Peer, Rustworkx, Scipy

from boards import USUAL, ground, queries, walker

HERE = Path(__file__).resolve().parent
PICTURES = HERE / "pictures"
ROUNDS = 5
QUERIES = 6
BUDGETS = (6, 12, 24, 48, 96)
SIZES = (64, 128, 256, 512, 1024)
PIECES = (10, 20, 40, 80)
#: Contenders for large boards: the others would take minutes to prepare.
QUICK = (Kernel, Numba, Scipy)
EVERY = (*QUICK, Networkx, Rustworkx)


class Point(NamedTuple):
    """The milliseconds of a query by contender, the first of them ours, and the most MB that it holds with ours."""

    ms: dict[str, float]
    peak: float


def median_ms(run: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Return the median time of a call, after a warm-up call."""
    run()
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken) * 1e3


def one_by_one(one: Peer, searched: Sequence[Any]) -> None:
    """Let a contender answer the queries one by one."""
    for query in searched:
        one.search(query)


def of_lattice(size: int, budget: int, kinds: Sequence[type[Peer]]) -> Point:
    """Compare the answers of all installed contenders, and measure one query with each."""
    space = walker(ground(size, USUAL))
    searched = queries(space, QUERIES, budget, middle=True)
    contenders = [kind(space) for kind in kinds if kind.missing() is None]
    expected = contenders[0].cells(contenders[0].search(searched[0]))
    for one in contenders[1:]:
        if not np.array_equal(one.cells(one.search(searched[0])), expected):
            raise AssertionError(f"{one.name} disagrees with {contenders[0].name}")
    taken = {one.name: median_ms(partial(one_by_one, one, searched)) / len(searched) for one in contenders}
    return Point(taken, peak_of(partial(contenders[0].search, searched[0])))


def of_table(pieces: int) -> Point:
    """Measure sixty distances and the area by the planner, and the distances in a plain graph."""
    case = case_of(pieces, pieces // 2, 12.0)
    check_answers(case)
    ours = partial(planner_answers, case)
    taken = {
        "this planner": median_ms(ours),
        "shapely + networkx": median_ms(lambda: plain_answers(case, area=False), 1),
    }
    return Point(taken, peak_of(ours))


def turned(rows: dict[float, Point]) -> dict[str, list[tuple[float, float]]]:
    """Return the lines of a chart for a table of rows."""
    names = dict.fromkeys(name for row in rows.values() for name in row.ms)
    return {name: [(x, row.ms[name]) for x, row in rows.items() if name in row.ms] for name in names}


def table_lines(what: str, rows: dict[float, Point]) -> list[str]:
    """Write the rows as a Markdown table of milliseconds; beside ours, the most memory that the query holds."""
    ours, *others = turned(rows)
    lines = [f"| {' | '.join([what, ours, 'its peak, MB', *others])} |", "|---:" * (len(others) + 3) + "|"]
    for x, row in rows.items():
        theirs = (f"{row.ms[name]:.3f}" if name in row.ms else "" for name in others)
        lines.append(f"| {' | '.join([f'{x:g}', f'{row.ms[ours]:.3f}', peak_text(row.peak), *theirs])} |")
    return lines


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    questions: list[tuple[str, str, str, dict[float, Point]]] = [
        (
            "growth_budget",
            "One query on 256 x 256 squares, by budget",
            "budget, steps",
            {budget: of_lattice(256, budget, EVERY) for budget in BUDGETS},
        ),
        (
            "growth_board",
            "One query of 24 steps, by the size of the board",
            "squares along one side",
            {size: of_lattice(size, 24, EVERY if size <= 256 else QUICK) for size in SIZES},
        ),
        (
            "growth_table",
            "Any-angle reach on an inch table, budget 12, by what stands on it",
            "polygons, and half as many bases",
            {pieces: of_table(pieces) for pieces in PIECES},
        ),
    ]
    for file, title, across, rows in questions:
        Chart(title, across, "milliseconds").save(turned(rows), PICTURES / f"{file}.svg")
        print(f"![{title}](pictures/{file}.svg)\n")
        print("\n".join(table_lines(across, rows)), end="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
