"""`simulator bench`: how fast reach queries are answered on one's own board, beside other searches."""

from __future__ import annotations

import click

from simulator.cli.numbers import Amount
from simulator.cli.terminal import say


@click.command("bench")
@click.argument("board", type=click.Path())
@click.option("--queries", default=64, show_default=True, type=click.IntRange(1, 10_000), help="How many starts.")
@click.option(
    "--budget", default=12.0, show_default=True, type=Amount(0, 10_000), help="Steps or inches of each query."
)
@click.option("--terrain", "terrain", multiple=True, metavar="WORD=N", help="Cost of entering a terrain, or =closed.")
@click.option("--radius", default=0.5, show_default=True, type=Amount(0, 100), help="Of the base, on an inch table.")
@click.option("--seed", default=1, show_default=True, help="Which starts are drawn.")
def command(board: str, queries: int, budget: float, terrain: tuple[str, ...], radius: float, seed: int) -> int:
    """Measure reach queries of a plain walker on BOARD against networkx and, if installed, scipy.

    On squares and dots a query is answered with the least cost of every cell, on an inch table with the exact length of
    the way to twenty places; there its pieces of the layer `obstacle` stand in the way. The answers are compared before
    anything is timed. Times are medians; ratios are what can be compared.

    \b
    simulator bench boards/market_square.yaml
    simulator bench boards/market_square.yaml --queries 256 --budget 24
    simulator bench boards/ruined_quarter.yaml --queries 8 --radius 1
    """
    from simulator.cli.bench_lattice import on_lattice
    from simulator.cli.bench_table import on_table
    from simulator.cli.places import load_any_board, only_for
    from simulator.geometry.board import Lattice
    from simulator.geometry.table import InchTable

    loaded = load_any_board(board)
    if isinstance(loaded, InchTable):
        only_for(click.get_current_context(), "squares and dots", ("terrain",))
        lines = on_table(loaded, queries, budget, radius, seed)
    elif isinstance(loaded, Lattice):
        if budget != int(budget):
            raise click.UsageError(f"--budget counts whole steps on {loaded.kind} (got {budget:g})")
        only_for(click.get_current_context(), "tables", ("radius",))
        lines = on_lattice(loaded, queries, int(budget), terrain, seed)
    else:
        raise click.UsageError(f"{board} is a {loaded.kind}; squares, dots and tables can be measured")
    for line in lines:
        say(line)
    return 0
