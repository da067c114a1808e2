"""`simulator explain`: the price of an order line by line, or why an order is forbidden or a place closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.asking import (
    Output,
    ScenarioMoment,
    UnitQuestion,
    WithPlaces,
    guarded,
    load_position,
    moment_options,
    question_options,
    reach_of,
    text_output,
    why_not,
)
from simulator.cli.example_names import scenario_argument
from simulator.cli.unit_names import words_argument
from simulator.cli.ways import (
    all_breaches,
    clause_lines,
    goal_in,
    order_in,
    safest_option,
    why_lines,
)

if TYPE_CHECKING:
    from simulator.cli.asking import Position
    from simulator.engine.comparison import OptionChange
    from simulator.engine.errors import Breach
    from simulator.engine.foresight import Foreseen
    from simulator.engine.orders import Order


@click.command("explain", cls=WithPlaces)
@scenario_argument
@words_argument
@question_options
@moment_options
@safest_option
@click.option(
    "--try-options", is_flag=True, help="For a place out of reach: list the options of the rulebook that would open it."
)
@text_output
def command(
    scenario: str,
    words: tuple[str, ...],
    question: UnitQuestion,
    moment: ScenarioMoment,
    safest: bool,
    try_options: bool,
    output: Output,
) -> int:
    """Price an ORDER line by line, or list every clause against it; or explain why a UNIT cannot end at a PLACE.

    For a place out of reach it lists each clause that forbids it, the obstacles, how much is missing, the nearest legal
    end, and the smallest change that would help. Clauses are quoted if the rulebook's page is installed.

    \b
    simulator explain scenarios/skirmish/the_yard.yaml "ash run: to 14,5"
    simulator explain scenarios/skirmish/the_yard.yaml "ash run: to 18,5"
    simulator explain scenarios/skirmish/the_yard.yaml ash 21,5
    simulator explain scenarios/dot_trooper/alley_turn.yaml ann 5,2 facing 180
    simulator explain scenarios/mecha/over_the_bank.yaml "lynx climb bank"

    Exit status: 0 legal or in reach, 1 the rules forbid it.
    """
    from simulator.formats.query_data import path_data

    position = load_position(scenario, moment)
    goal = goal_in(position.game, words)
    if goal is None:
        return _explain_order(position, order_in(position.game, words), output)
    unit, place = goal
    answer = reach_of(position.game, unit, question)
    why = why_not(answer, place)
    document = position.about | path_data(position.game, unit, answer, why)
    lines = list(why_lines(position.game, why)) if why else list(_reached(position, answer, place, safest))
    if why and try_options:
        opening = _opening_options(position, unit, place, question)
        document["options"] = [option.to_fields() for option in opening]
        lines += ["options that would open it:", *(f"  {option}" for option in opening)]
        lines += [] if opening else ["  none"]
    output.report(lambda: lines, lambda: document)
    return 1 if why else 0


def _opening_options(position: Position, unit: str, place: Any, question: UnitQuestion) -> Sequence[OptionChange]:
    """Try the options, each a query of its own, with progress shown on a terminal."""
    from simulator.cli.terminal import bar
    from simulator.engine.comparison import opening_options

    with bar("options") as update:

        def asking(values: Mapping[str, Any]) -> Sequence[OptionChange]:
            return opening_options(position.game, unit, place, question.action, watch=update, **values)

        opening: Sequence[OptionChange] = guarded(position.game, asking, question)
        return opening


def _reached(position: Position, answer: Any, place: Any, safest: bool) -> Iterator[str]:
    from simulator.cli.ways import foreseen_to
    from simulator.formats.foreseen_text import foreseen_lines

    yield str(answer.why_not(place))
    foreseen = foreseen_to(position.game, answer, place, safest)
    for order in foreseen.orders:
        yield position.game.write(order)
    if foreseen.orders:
        yield from foreseen_lines(foreseen)


def _explain_order(position: Position, order: Order, output: Output) -> int:
    from simulator.engine.errors import IllegalOrder
    from simulator.formats.foreseen_text import foreseen_data, foreseen_lines
    from simulator.formats.query_data import judged_data

    game = position.game
    breaches: Sequence[Breach] = ()
    foreseen: Foreseen | None = None
    try:
        foreseen = game.foresee(order)
        breaches = foreseen.not_now
    except IllegalOrder as error:
        breaches = all_breaches(game, order, error)
    document = position.about | judged_data(game, order, breaches)
    lines = [f"legal: {game.write(order)}"]
    if breaches:
        lines = [f"the rules forbid: {game.write(order)}", *(f"  {breach}" for breach in breaches)]
        lines += clause_lines(game, (breach.clause for breach in breaches))
    if foreseen is not None:
        if breaches:
            lines.append(f"it would be legal in the go of {order.unit}:")
        elif foreseen.orders != (order,):
            lines += [f"planned: {game.write(planned)}" for planned in foreseen.orders]
        document |= foreseen_data(game, foreseen)
        lines += foreseen_lines(foreseen)
    output.report(lambda: lines, lambda: document)
    return 1 if breaches else 0
