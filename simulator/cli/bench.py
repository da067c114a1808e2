"""`simulator bench`: the speed of reach queries on any board, compared with other searches."""

from __future__ import annotations

import click

from simulator.cli.example_names import board_argument
from simulator.cli.numbers import Amount
from simulator.cli.terminal import echo, tracked

#: The kinds of boards to which an option applies.
_FOR = {"terrain": ("squares", "dots"), "radius": ("table",)}


@click.command("bench")
@board_argument
@click.argument("cases", nargs=-1)
@click.option("--queries", default=64, show_default=True, type=click.IntRange(1, 10_000), help="Number of starts.")
@click.option(
    "--budget", default=12.0, show_default=True, type=Amount(0, 10_000), help="Steps or inches of each query."
)
@click.option("--terrain", "terrain", multiple=True, metavar="WORD=N", help="Cost of entering a terrain, or =closed.")
@click.option(
    "--radius", default=0.5, show_default=True, type=Amount(0, 100), help="Radius of the base, on an inch table."
)
@click.option("--seed", default=1, show_default=True, help="Seed of the random starts.")
def command(
    board: str,
    cases: tuple[str, ...],
    queries: int,
    budget: float,
    terrain: tuple[str, ...],
    radius: float,
    seed: int,
) -> int:
    """Measure reach queries of a plain walker on BOARD against networkx and, if installed, scipy.

    On squares and dots a query returns the least cost of every cell; on an inch table, the exact length of the shortest
    path to twenty places among the pieces of the layer `obstacle`. The answers are compared before anything is timed.
    Times are medians; compare the ratios.

    With `limits` instead of a board, every documented limit is tested: the most expensive input that it allows runs in
    a separate process, and may take 20 seconds of processor time and 1.5 GB. Further words select cases by name.

    \b
    simulator bench boards/market_square.yaml
    simulator bench boards/market_square.yaml --queries 256 --budget 24
    simulator bench boards/ruined_quarter.yaml --queries 8 --radius 1
    simulator bench limits
    simulator bench limits labels terrains

    Exit status: 0 measured, with `limits` all kept; 1 a limit was exceeded.
    """
    if board == "limits":
        return _test_limits(cases)
    if cases:
        raise click.UsageError(f"only `limits` takes further words (got {' '.join(cases)})")
    from simulator.cli.bench_lattice import on_lattice
    from simulator.cli.bench_table import on_table
    from simulator.cli.places import only_for
    from simulator.formats.board_files import load_any_board
    from simulator.geometry.board import Lattice
    from simulator.geometry.table import InchTable

    loaded = load_any_board(board)
    only_for(click.get_current_context(), loaded.kind, _FOR)
    if isinstance(loaded, InchTable):
        lines = on_table(loaded, queries, budget, radius, seed)
    elif isinstance(loaded, Lattice):
        if budget != int(budget):
            raise click.UsageError(f"--budget counts whole steps on {loaded.kind} (got {budget:g})")
        lines = on_lattice(loaded, queries, int(budget), terrain, seed)
    else:
        raise click.UsageError(f"{board} is a {loaded.kind}; squares, dots and tables can be measured")
    for line in lines:
        echo(line)
    return 0


def _test_limits(names: tuple[str, ...]) -> int:
    from simulator.cli.bench_limits import measure_cases, table
    from simulator.cli.limit_cases import chosen_cases

    cases = chosen_cases(names)
    if not cases:
        raise click.UsageError(f"no case matches: {', '.join(names)}")
    found = list(tracked(measure_cases(cases), "measuring", len(cases)))
    for line in table(found):
        echo(line)
    return int(not all(one.passes for one in found))
