"""`simulator threats`: where how many units of a side can end."""

from __future__ import annotations

import json
from typing import Any

import click

from simulator.cli.asking import (
    ask,
    geojson_option,
    guarded,
    moment_options,
    output_options,
    question_options,
    rule_options,
    say,
    write_pictures,
)


@click.command("threats")
@click.argument("scenario", type=click.Path())
@click.argument("side")
@question_options
@moment_options
@rule_options
@output_options
@geojson_option
def command(
    scenario: str,
    side: str,
    action: str,
    question: tuple[tuple[str, str], ...],
    turn: int | None,
    after: int | None,
    options: Any,
    as_json: bool,
    svg_file: str | None,
    png_file: str | None,
    geojson_file: str | None,
) -> int:
    """Say where the units of a SIDE of a SCENARIO can end, and how many of them, each as if it were its go.

    \b
    simulator threats scenarios/skirmish/the_yard.yaml red --with ap=3 --svg threats.svg
    simulator threats scenarios/dot_trooper/battle_at_the_depot.yaml blue --turn 2

    Exit status: 0 answered.
    """
    from simulator.wording import did_you_mean

    asked = ask(scenario, turn, after, options)
    sides = list(dict.fromkeys(unit.side for unit in asked.game.state))
    if side not in sides:
        raise click.UsageError(f"there is no side {side!r}; {did_you_mean(side, sides)}")
    found = guarded(asked.game, lambda values: asked.game.threats(side, action, **values), question)

    def drawn() -> str:
        from simulator.views.reach_picture import draw_threats

        return draw_threats(found)

    write_pictures(svg_file, png_file, drawn)
    if geojson_file:
        from simulator.cli.files import write_file

        write_file(geojson_file, json.dumps(found.to_geojson()).encode())
    say(
        lambda: [f"{asked.scenario.name}; {asked.game.state.clock}", *str(found).splitlines()],
        lambda: asked.about | found.to_fields(),
        as_json,
        svg_file,
        png_file,
        geojson_file,
    )
    return 0
