"""`simulator perft`: count the ways in which the units of a scenario can move, to a depth in orders."""

from __future__ import annotations

import json

import click

from simulator.cli.example_names import scenario_argument
from simulator.cli.runs import RunSettings, loaded, option_pairs
from simulator.cli.terminal import echo


@click.command("perft")
@scenario_argument
@click.argument("depth", type=click.IntRange(1, 20))
@click.option("--divide", "divided", is_flag=True, help="List the first orders with the lines that begin with each.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", callback=option_pairs, help="Set an option.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
def command(scenario: str, depth: int, divided: bool, options: tuple[tuple[str, str], ...], as_json: bool) -> int:
    """Count the lines of play from the opening of a SCENARIO, up to DEPTH orders.

    An order is `done` or a movement to an end of a reach: every end on squares and dots, and on tables 24 candidates
    around the unit. Rolls have their likeliest result, and nobody reacts. The counts are defined in docs/perft.md, so
    that other programs can be compared; corpus/ has counts to compare with.

    \b
    simulator perft corpus/grid_runner/corner.yaml 3
    simulator perft corpus/grid_runner/corner.yaml 2 --divide

    Exit status: 0 counted, 2 wrong usage, 3 a faulty file, 4 too many positions.
    """
    from dataclasses import asdict
    from pathlib import Path

    from simulator.cli.waiting import waiting
    from simulator.sweeps.perft import divide, opened, perft

    game = opened(loaded(Path(scenario), RunSettings(options=options)))
    if divided:
        with waiting("counting"):
            orders = list(divide(game, depth))
        if as_json:
            listed = [{"order": order, "lines": lines} for order, lines in orders]
            echo(json.dumps({"format": 1, "depth": depth, "orders": listed}, indent=2))
            return 0
        for order, lines in orders:
            echo(f"{order}: {lines}")
        echo(f"{len(orders)} orders, {sum(lines for _, lines in orders)} lines")
        return 0
    if as_json:
        with waiting("counting"):
            counts = [asdict(one) for one in perft(game, depth)]
        echo(json.dumps({"format": 1, "depths": counts}, indent=2))
        return 0
    echo(f"{'depth':>5} {'lines':>12} {'positions':>12} {'placings':>12}")
    with waiting("counting"):
        for one in perft(game, depth):
            echo(f"{one.depth:>5} {one.lines:>12} {one.positions:>12} {one.placings:>12}")
    return 0
