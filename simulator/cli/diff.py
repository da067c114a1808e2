"""`simulator diff`: how other options and figures change where a unit can end, at what cost, with what chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

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
from simulator.cli.completions import completer, figure_settings, option_settings
from simulator.cli.example_names import FileOrExample, scenario_argument
from simulator.cli.runs import figure_pairs, option_pairs
from simulator.cli.unit_names import unit_argument
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.cli.asking import Position
    from simulator.engine.comparison import Comparison
    from simulator.engine.game import Game


@click.command("diff")
@scenario_argument
@unit_argument
@question_options
@click.option(
    "--option",
    "new_options",
    multiple=True,
    metavar="NAME=VALUE",
    callback=option_pairs,
    shell_complete=completer(option_settings),
    help="An option to set in the second answer; may be repeated.",
)
@click.option(
    "--table",
    "new_figures",
    multiple=True,
    metavar="PATH=VALUE",
    callback=figure_pairs,
    shell_complete=completer(figure_settings),
    help="A figure to replace in the second answer; may be repeated.",
)
@click.option(
    "--against",
    "other",
    metavar="SCENARIO",
    type=FileOrExample("scenario"),
    help="Take the second answer from another scenario.",
)
@base_options
@area_output
def command(
    scenario: str,
    unit: str,
    question: UnitQuestion,
    new_options: tuple[tuple[str, str], ...],
    new_figures: tuple[tuple[str, Any], ...],
    other: str | None,
    moment: ScenarioMoment,
    output: Output,
) -> int:
    """Compare a UNIT's reach under other rules: ground gained, lost, dearer, cheaper, surer, riskier.

    Both answers are for the same table: the first with the rules of the SCENARIO, the second with the options of
    --option and the figures of --table added. Each is listed with its clause. With --against the second answer is that
    of the unit of the same name in another scenario, on a board of the same size, at the same moment.

    \b
    simulator diff scenarios/grid_runner/market_chase.yaml kit --option scale=m1
    simulator diff scenarios/dot_trooper/alley_turn.yaml ann --option partial_segments=true --svg diff.svg
    simulator diff mad_dash dex --table inches.standing=4
    simulator diff mad_dash dex --against scenarios/skirmish/mad_dash.yaml

    Exit status: 0 answered.
    """
    from simulator.engine.comparison import compare_games
    from simulator.wording import did_you_mean

    if not (new_options or new_figures or other):
        raise click.UsageError("nothing to compare with: name it by --option, --table or --against")
    position = load_position(scenario, moment)
    game = position.game
    unit_named(game, unit)
    changed = _other_game(position, moment, new_options, new_figures, other)
    if unit not in changed.state.units:
        raise click.UsageError(f"there is no unit {unit!r} in {other}; {did_you_mean(unit, changed.state.units)}")
    with waiting(f"computing twice where {unit} can end"):
        found = guarded(game, lambda values: compare_games(game, changed, unit, question.action, **values), question)

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


def _other_game(
    position: Position,
    moment: ScenarioMoment,
    options: tuple[tuple[str, str], ...],
    figures: tuple[tuple[str, Any], ...],
    other: str | None,
) -> Game[Any]:
    """Return the game of the second answer: at the same moment, under the changed rules."""
    from simulator.engine.errors import OptionError

    game = position.game if other is None else load_position(other, moment).game
    setting, hint = game.setting, "--option"
    try:
        setting = replace(setting, options=setting.options.put(**dict(options)))
        hint = "--table"
        setting = replace(setting, tables=setting.tables.override(dict(figures)))
    except OptionError as error:
        raise click.BadParameter(f"{error} ({setting.ruleset.name})", param_hint=hint) from None
    return type(game)(setting, game.state, game.answers)


def _lines(unit: str, found: Comparison) -> Iterator[str]:
    from simulator.engine.comparison import price_changes_text

    yield f"{unit}, {found.after.action}"
    yield from str(found).splitlines()
    if lines := price_changes_text(found):
        yield "different cost:"
        yield from (f"  {line}" for line in lines)
