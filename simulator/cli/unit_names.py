"""Arguments that name a unit of the scenario before them: left out, they are answered with the units that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.completions import completer, side_names, unit_names, words_of_order

if TYPE_CHECKING:
    from simulator.engine.state import Unit
    from simulator.formats.scenario import Scenario


class OfScenario(click.Argument):
    """An argument that is required, and names something of the scenario."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return the value; one that is missing is wrong usage, reported together with what it could be."""
        try:
            return super().process_value(ctx, value)
        except click.MissingParameter as missing:
            if ctx.resilient_parsing or (scenario := _scenario_of(ctx.params)) is None:
                raise
            lines = side_lines(scenario) if self.name == "side" else unit_lines(scenario)
            what = (self.metavar or self.name or "").upper().replace(" | ", ", or which ")
            raise click.UsageError("\n".join([f"which {what}?", *lines]), missing.ctx) from None


def _scenario_of(known: Mapping[str, Any]) -> Scenario | None:
    """Return the scenario of a command line; None if it is not a sound one, which is then reported as usual."""
    from simulator.errors import SimulatorError
    from simulator.formats.scenarios import load_scenario

    try:
        return load_scenario(Path(known["scenario"]))
    except (KeyError, SimulatorError):
        return None


def unit_lines(scenario: Scenario) -> Iterator[str]:
    """Yield the units of a scenario with their sides, types and places, then the actions that can be asked about."""
    units, ruleset = list(scenario.opening()), scenario.setting.ruleset
    width = max((len(unit.id) for unit in units), default=0)
    for unit in units:
        side = f" ({unit.side})" if unit.side else ""
        yield f"  {unit.id:<{width}}  {unit.type}{side} {_where(scenario, unit)}"
    if actions := getattr(ruleset, "reaches", {}):
        yield f"  --action: {', '.join(actions)}"


def side_lines(scenario: Scenario) -> Iterator[str]:
    """Yield the sides of a scenario with their units."""
    units = list(scenario.opening())
    for side in dict.fromkeys(unit.side for unit in units):
        yield f"  {side}: {', '.join(unit.id for unit in units if unit.side == side)}"


def _where(scenario: Scenario, unit: Unit) -> str:
    if unit.carrier:
        return f"aboard {unit.carrier}"
    if unit.place is None:
        return "off the table"
    return f"at {scenario.setting.vocabulary.goal_place.write(unit.place)}"


unit_argument = click.argument("unit", cls=OfScenario, shell_complete=completer(unit_names))
side_argument = click.argument("side", cls=OfScenario, shell_complete=completer(side_names))
#: An order, or a unit and a place.
words_argument = click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="ORDER | UNIT PLACE",
    cls=OfScenario,
    shell_complete=completer(words_of_order),
)
