"""`simulator diff`: how other options change where a unit can end, at what cost, with what chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from simulator.cli.asking import (
    Output,
    ScenarioMoment,
    UnitQuestion,
    area_output,
    base_options,
    guarded,
    load_position,
    question_options,
    unit_named,
)
from simulator.cli.example_names import scenario_argument
from simulator.cli.runs import option_pairs
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.engine.comparison import Comparison


@click.command("diff")
@scenario_argument
@click.argument("unit")
@question_options
@click.option(
    "--option",
    "changes",
    multiple=True,
    required=True,
    metavar="NAME=VALUE",
    callback=option_pairs,
    help="An option to set in the second answer; may be repeated.",
)
@base_options
@area_output
def command(
    scenario: str,
    unit: str,
    question: UnitQuestion,
    changes: tuple[tuple[str, str], ...],
    moment: ScenarioMoment,
    output: Output,
) -> int:
    """Compare a UNIT's reach under other rules: ground gained, lost, dearer, cheaper, surer, riskier.

    Both answers are for the same table: the first with the options of the SCENARIO, the second with those of --option
    added. Each option is listed with its clause.

    \b
    simulator diff scenarios/grid_runner/market_chase.yaml kit --option scale=m1
    simulator diff scenarios/dot_trooper/alley_turn.yaml ann --option partial_segments=true --svg diff.svg

    Exit status: 0 answered.
    """
    from simulator.engine.errors import OptionError

    position = load_position(scenario, moment)
    game = position.game
    unit_named(game, unit)
    try:
        with waiting(f"computing twice where {unit} can end"):
            found = guarded(game, lambda values: game.compare(unit, dict(changes), question.action, **values), question)
    except OptionError as error:
        raise click.BadParameter(f"{error} ({game.ruleset.name})", param_hint="--option") from None

    def drawn() -> str:
        from simulator.views.reach_picture import draw_comparison

        return draw_comparison(found)

    output.draw(drawn)
    output.map(found.to_geojson)
    output.report(
        lambda: _lines(unit, found),
        lambda: position.about | {"unit": unit, "action": found.after.action, **found.to_fields()},
    )
    return 0


def _lines(unit: str, found: Comparison) -> Iterator[str]:
    from simulator.engine.comparison import price_changes_text

    yield f"{unit}, {found.after.action}"
    yield from str(found).splitlines()
    if lines := price_changes_text(found):
        yield "different cost:"
        yield from (f"  {line}" for line in lines)
