"""`simulator exposed`: where a move can be interrupted, by whom, under which clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.asking import (
    Output,
    ScenarioMoment,
    UnitQuestion,
    WithPlaces,
    load_position,
    moment_options,
    picture_output,
    question_options,
    reach_of,
    why_not,
)
from simulator.cli.example_names import scenario_argument
from simulator.cli.unit_names import words_argument
from simulator.cli.ways import (
    all_breaches,
    clause_lines,
    foreseen_to,
    goal_in,
    note_its_go,
    order_in,
    safest_option,
    why_lines,
)

if TYPE_CHECKING:
    from simulator.engine.foresight import Foreseen
    from simulator.engine.game import Game


@click.command("exposed", cls=WithPlaces)
@scenario_argument
@words_argument
@question_options
@moment_options
@safest_option
@picture_output
def command(
    scenario: str,
    words: tuple[str, ...],
    question: UnitQuestion,
    moment: ScenarioMoment,
    safest: bool,
    output: Output,
) -> int:
    """List where an ORDER, or a UNIT's cheapest path to a PLACE, can be interrupted, by whom, under which clause.

    Every play of the order is followed: each roll with each result, each reaction taken or not. The list shows who can
    interrupt it in some play, what has to go wrong first, and how often one play can be interrupted. If a unit can
    react along a whole stretch of a leg, the list shows its ends, and the outcome for each span of it. If it can react
    on any spot of a region, the list shows that part of the region.

    \b
    simulator exposed scenarios/skirmish/the_yard.yaml "ash run: to 14,5"
    simulator exposed scenarios/dot_trooper/through_the_arc.yaml ann 10,1

    Exit status: 0 answered, 1 the order is forbidden or there is no path.
    """
    from simulator.engine.errors import IllegalOrder
    from simulator.formats.foreseen_text import foreseen_data
    from simulator.formats.query_data import judged_data, path_data

    position = load_position(scenario, moment)
    game = position.game
    goal = goal_in(game, words)
    if goal is None:
        order = order_in(game, words)
        try:
            foreseen = game.foresee(order)
        except IllegalOrder as error:
            if not output.as_json:
                raise
            breaches = all_breaches(game, order, error)
            output.report(lambda: (), lambda: position.about | judged_data(game, order, breaches))
            return 1
    else:
        answer = reach_of(game, goal[0], question)
        if why := why_not(answer, goal[1]):
            document = position.about | path_data(game, goal[0], answer, why)
            output.report(lambda: why_lines(game, why), lambda: document)
            return 1
        foreseen = foreseen_to(game, answer, goal[1], safest)
    note_its_go(foreseen)

    def drawn() -> str:
        from simulator.views.reach_picture import draw_foreseen

        return draw_foreseen(foreseen, title=f"Who can interrupt {foreseen.unit}")

    output.draw(drawn)
    output.report(
        lambda: _lines(game, foreseen),
        lambda: position.about | foreseen_data(game, foreseen),
    )
    return 0


def _lines(game: Game[Any], foreseen: Foreseen) -> Iterator[str]:
    from simulator.formats.foreseen_text import ending_lines, interrupted, interruption_lines

    for order in foreseen.orders:
        yield game.write(order)
    yield from (["ends, if nobody interrupts it", *lines] if (lines := list(ending_lines(foreseen))) else ())
    yield interrupted(foreseen)
    yield from interruption_lines(foreseen)
    yield from clause_lines(game, (found.clause for found in foreseen.interruptions))
