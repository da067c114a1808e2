"""`simulator threats`: where the units of a side can end, and how many of them."""

from __future__ import annotations

import click

from simulator.cli.asking import (
    Output,
    ScenarioMoment,
    UnitQuestion,
    area_output,
    guarded,
    load_position,
    moment_options,
    question_options,
)
from simulator.cli.example_names import scenario_argument
from simulator.cli.unit_names import side_argument
from simulator.cli.waiting import waiting


@click.command("threats")
@scenario_argument
@side_argument
@question_options
@moment_options
@area_output
def command(
    scenario: str,
    side: str,
    question: UnitQuestion,
    moment: ScenarioMoment,
    output: Output,
) -> int:
    """Show where the units of a SIDE of a SCENARIO can end, and how many of them, each as if in its own go.

    \b
    simulator threats scenarios/skirmish/the_yard.yaml red --action move --svg threats.svg
    simulator threats scenarios/dot_trooper/battle_at_the_depot.yaml blue --turn 2

    Exit status: 0 answered.
    """
    from simulator.wording import did_you_mean

    position = load_position(scenario, moment)
    sides = list(dict.fromkeys(unit.side for unit in position.game.state))
    if side not in sides:
        raise click.UsageError(f"there is no side {side!r}; {did_you_mean(side, sides)}")
    with waiting(f"computing where the units of {side} can end"):
        found = guarded(position.game, lambda values: position.game.threats(side, question.action, **values), question)

    def drawn() -> str:
        from simulator.views.reach_picture import draw_threats

        return draw_threats(found)

    output.draw(drawn)
    output.map(found.to_geojson)
    output.report(
        lambda: [f"{position.scenario.name}; {position.game.state.clock}", *str(found).splitlines()],
        lambda: position.about | found.to_fields(),
    )
    return 0
