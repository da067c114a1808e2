"""`simulator diff`: what other options change of where a unit can end, at what cost, how surely."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.asking import (
    ask,
    geojson_option,
    guarded,
    moment_options,
    output_options,
    question_options,
    say,
    unit_named,
    write_pictures,
)
from simulator.cli.runs import option_pairs

if TYPE_CHECKING:
    from simulator.engine.comparison import Comparison


@click.command("diff")
@click.argument("scenario", type=click.Path())
@click.argument("unit")
@question_options
@click.option(
    "--option",
    "changes",
    multiple=True,
    required=True,
    metavar="NAME=VALUE",
    callback=option_pairs,
    help="An option that is set in the second answer; may be said again.",
)
@click.option(
    "--base",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=option_pairs,
    help="An option that is set in both answers.",
)
@moment_options
@output_options
@geojson_option
def command(
    scenario: str,
    unit: str,
    action: str,
    question: tuple[tuple[str, str], ...],
    changes: tuple[tuple[str, str], ...],
    turn: int | None,
    after: int | None,
    options: Any,
    as_json: bool,
    svg_file: str | None,
    png_file: str | None,
    geojson_file: str | None,
) -> int:
    """Say what changes of a UNIT's reach if a rule changes: ground gained, lost, dearer, cheaper, surer, riskier.

    Both questions are asked of the same table: once with the options of the SCENARIO, once with those of --option
    besides. Each option is told with the clause that speaks of it.

    \b
    simulator diff scenarios/grid_runner/market_chase.yaml kit --option scale=m1
    simulator diff scenarios/dot_trooper/alley_turn.yaml ann --option partial_segments=true --svg diff.svg

    Exit status: 0 answered.
    """
    from simulator.engine.errors import OptionError

    asked = ask(scenario, turn, after, options)
    game = asked.game
    unit_named(game, unit)
    try:
        found = guarded(game, lambda values: game.compare(unit, dict(changes), action, **values), question)
    except OptionError as error:
        raise click.BadParameter(f"{error} ({game.ruleset.name})", param_hint="--option") from None

    def drawn() -> str:
        from simulator.views.reach_picture import draw_comparison

        return draw_comparison(found)

    write_pictures(svg_file, png_file, drawn)
    if geojson_file:
        from simulator.cli.files import write_file

        write_file(geojson_file, json.dumps(found.to_geojson()).encode())
    say(
        lambda: _lines(unit, found),
        lambda: asked.about | {"unit": unit, "action": found.after.action, **found.to_fields()},
        as_json,
        svg_file,
        png_file,
        geojson_file,
    )
    return 0


def _lines(unit: str, found: Comparison) -> Iterator[str]:
    from simulator.engine.comparison import told_price_changes

    yield f"{unit}, {found.after.action}"
    yield from str(found).splitlines()
    if lines := told_price_changes(found):
        yield "what costs something else:"
        yield from (f"  {line}" for line in lines)
