"""`simulator reach`: where a unit of a scenario can legally end, at what cost, with what chance."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.answer_forms import AnswerForms
from simulator.cli.asking import (
    Output,
    Position,
    ScenarioMoment,
    UnitQuestion,
    WithPlaces,
    area_output,
    chain_of,
    load_position,
    moment_options,
    pose_named,
    question_options,
    reach_of,
    why_not,
)
from simulator.cli.example_names import scenario_argument
from simulator.cli.maps import map_option
from simulator.cli.numbers import Seconds
from simulator.cli.reach_question import Asked
from simulator.cli.reach_within import Deadline, report_within
from simulator.cli.terminal import is_watched
from simulator.cli.unit_names import unit_argument
from simulator.cli.waiting import waiting
from simulator.cli.ways import but_for

if TYPE_CHECKING:
    from simulator.engine.reach import ReachAnswer, WhyNot
    from simulator.views.overlays import Overlays, RouteLine


#: The least width of the column of band names.
_NAMED = 14


@click.command("reach", cls=WithPlaces)
@scenario_argument
@unit_argument
@question_options
@click.option(
    "--then",
    "then",
    multiple=True,
    metavar="LINK",
    help="Continue from every end: an action, with NAME=VALUE and `to PLACE or PLACE`, or an order.",
)
@moment_options
@click.option("--questions", is_flag=True, help="List the actions, and the parameters of --with.")
@click.option("--to", "goal", metavar="PLACE", help="Report whether it can end there, and if not, why.")
@click.option("--reverse", is_flag=True, help="Show from where it could get to the place of --to.")
@click.option(
    "--from", "begin", metavar="PLACE", help="With --reverse: report whether it could from there, and if not, why."
)
@click.option(
    "--within", type=Seconds(), metavar="SECONDS", help="Report what is known after so many seconds: 0.5, or 0.5s."
)
@click.option(
    "--shade", type=click.Choice(["cost", "chance"]), default="cost", show_default=True, help="What the picture shows."
)
@map_option
@area_output
def command(
    scenario: str,
    unit: str,
    question: UnitQuestion,
    then: tuple[str, ...],
    moment: ScenarioMoment,
    questions: bool,
    goal: str | None,
    reverse: bool,
    begin: str | None,
    within: float | None,
    shade: Any,
    with_map: bool | None,
    output: Output,
) -> int:
    """Show where a UNIT of a SCENARIO can legally end: how much ground, by cost and by chance.

    The answer assumes that it is the unit's go, at the opening of the scenario unless --turn or --after names another
    moment. Places are written as in orders: 3,4, and on dots also 3:4 for column 3, row 4, as numbered in pictures. If
    the rulebook has headings or levels, the place of --to may include them: "5,2 facing 180". For a board without a
    rulebook use `walk`.

    --then makes it a chain of questions: the first link is that of --action, each further one begins at every end of
    the one before it, and the last is a question. A link is an action, or a complete order with its unit. `to` lists
    where the next link begins; on inch tables it is required. Costs and orders are those of the whole chain.

    With --within it is computed for so many seconds at most, and what is known by then is reported: ground that the
    unit can end on, and ground of which that is not known yet, hatched in pictures. What has begun when the time is
    over is finished first. Costs and chances are only reported if they, too, were known in time: then the answer is
    that without --within.

    With --reverse everything but the unit's place stays as it is now: heading, parity, stance, costs already spent. The
    place of --from may name another heading: "3,4 facing 60".

    \b
    simulator reach scenarios/skirmish/the_yard.yaml ash --with ap=2
    simulator reach scenarios/skirmish/the_yard.yaml ash --turn 2 --action move --to 16,5
    simulator reach scenarios/dot_trooper/alley_turn.yaml ann --action drive --svg reach.svg
    simulator reach scenarios/mecha/at_the_crossing.yaml lance --action charge --with target=brute
    simulator reach scenarios/grid_runner/market_chase.yaml kit --then "all done" --then "move mode=run"
    simulator reach scenarios/mecha/at_the_crossing.yaml lance --within 0.5 --to 12,24
    simulator reach --reverse scenarios/grid_runner/market_chase.yaml kit --to 11,10
    simulator reach --reverse scenarios/dot_trooper/alley_turn.yaml ann --action drive --to "4,7 facing 180"

    Exit status: 0 answered, 1 it can end nowhere, or not at the place of --to; with --reverse, from nowhere. With
    --within 4 if not all was known in time; 0 or 1 if it is known of the place of --to.
    """
    from simulator.cli.rule_data import questions_data

    position = load_position(scenario, moment)
    if questions:
        if then or reverse or begin or goal is not None or within is not None or output.has_files:
            raise click.UsageError("--questions lists what can be asked: it goes with no question and no picture")
        output.report(lambda: _question_lines(position), lambda: questions_data(position.game.ruleset))
        return 0
    if reverse and then:
        raise click.UsageError("--then asks on from the ends: it does not go with --reverse")
    if reverse and within is not None:
        raise click.UsageError("--within does not go with --reverse: starts are not found in parts")
    if reverse:
        return _reverse(position, unit, goal, begin, question, output)
    if begin is not None:
        raise click.UsageError("--from requires --reverse: from there to the place of --to")
    deadline = None if within is None else Deadline.from_now(within)
    answer = chain_of(position.game, unit, question, then) if then else reach_of(position.game, unit, question)
    pose = None if goal is None else pose_named(position.game, goal)
    asked = Asked(position, unit, answer, pose)

    def whole() -> tuple[AnswerForms, int]:
        why = None if asked.spot is None else answer.why_not(asked.spot)
        return _report(asked, why, shade).computed(output, with_map), _code(asked, why)

    if deadline is not None:
        report, code = report_within(deadline, asked, whole)
    else:
        with waiting(f"computing where {unit} can end") as note:
            if is_watched():
                asked.area_by(math.inf, note)
            spot = asked.spot
        why = None if spot is None else why_not(answer, spot)
        report, code = _report(asked, why, shade), _code(asked, why)
    report.write(output, with_map)
    return code


def _code(asked: Asked, why: WhyNot | None) -> int:
    return 1 if why or asked.answer.area.is_empty else 0


def _report(asked: Asked, why: WhyNot | None, shade: Any) -> AnswerForms:
    from simulator.formats.query_data import reach_data

    position, answer, table = asked.position, asked.answer, asked.table

    def routes() -> list[RouteLine]:
        from simulator.views.reach_picture import route_line

        return [] if asked.pose is None or why else route_line(answer, asked.pose)

    def drawn() -> str:
        from simulator.views.reach_picture import draw_answer

        return draw_answer(table, answer, shade=shade, routes=routes(), goal=asked.pose, title=asked.title)

    def overlays() -> Overlays:
        from simulator.views.reach_picture import answer_overlays

        return answer_overlays(table, answer, shade, False, routes())

    return AnswerForms(
        table.board,
        drawn,
        answer.to_geojson,
        lambda: _lines(asked, why),
        lambda: position.about | reach_data(position.game, asked.unit, answer, why),
        overlays,
    )


def _reverse(
    position: Position, unit: str, goal: str | None, begin: str | None, question: UnitQuestion, output: Output
) -> int:
    from simulator.cli.reverse import answer_reverse

    if goal is None:
        raise click.UsageError("--reverse requires --to PLACE, the place to get to")
    return answer_reverse(position, unit, goal, begin, question, output)


def _question_lines(position: Position) -> Iterator[str]:
    ruleset = position.game.ruleset
    if not ruleset.reaches:
        yield f"{ruleset.name} does not declare its reach questions"
        return
    values = {f"{name}=": question.about for name, question in ruleset.asks.items()}
    width = max(map(len, (*ruleset.reaches, *values)))
    for option, known in (("--action", ruleset.reaches), ("--with", values)):
        if known:
            yield option
        for name, meaning in known.items():
            yield f"  {name:<{width}}  {meaning}"


def _lines(asked: Asked, why: WhyNot | None) -> Iterator[str]:
    from simulator.engine.areas import ground_text
    from simulator.engine.reach import searched_chance_bands
    from simulator.wording import chance_text, measure

    answer, board, mover = asked.answer, asked.table.board, asked.answer.mover
    yield asked.headline
    if answer.area.is_empty:
        yield "it can end nowhere" if why else "it can end nowhere but where it is"
        if why and why.place == mover.place:
            yield from (f"  {reason}" for reason in why.reasons)
            yield "--to PLACE explains why not there"
        elif why:
            yield from str(why).splitlines()
        return
    # A unit that may not move at all still stands somewhere; the answer may know the reason.
    if refused := getattr(answer, "refused", ()):
        yield "it can end nowhere but where it is"
        yield from str(why).splitlines() if why else (f"  {reason}" for reason in refused)
        return
    yield f"can end on {ground_text(board, answer.area)}, by least cost:"
    costs = [(label, extent) for label, area in _named_bands(answer) if (extent := ground_text(board, area))]
    width = max([_NAMED, *(len(label) for label, _ in costs)])
    yield from (f"  {label:>{width}}: {extent}" for label, extent in costs)
    bands, limit = searched_chance_bands(answer)
    if limit:
        yield f"by best chance: {limit}"
    chances = [
        (level, chance_text(level, at_least=True), extent)
        for level, area in bands
        if (extent := ground_text(board, area))
    ]
    width = max([width, *(len(label) for _, label, _ in chances)])
    if not bands:
        pass
    elif [level for level, *_ in chances] == [Fraction(1)]:
        yield f"all of it for certain{but_for(answer)}"
    else:
        yield f"by best chance{but_for(answer)}:"
        yield from (f"  {label:>{width}}: {extent}" for _, label, extent in chances)
    if why is not None:
        place = why.pose or why.place
        yield from str(why).splitlines()
        if not why:
            chance = f"{chance_text(answer.chance_at(place))} at best{but_for(answer)}"
            yield f"at {measure(answer.cost_at(place), answer.unit)}, {chance}"


def _named_bands(answer: ReachAnswer) -> list[tuple[str, Any]]:
    from simulator.views.reach_picture import cost_bands

    return [(band.label, band.region) for band in cost_bands(answer)]
