"""`simulator path`: the way of a unit to a place, as orders with price, odds and possible interruptions."""

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
    pose_named,
    question_options,
    reach_of,
    why_not,
)
from simulator.cli.completions import completer, place_forms
from simulator.cli.example_names import scenario_argument
from simulator.cli.maps import map_option, print_map
from simulator.cli.preferences import Preference, WaysThere, other_fields, other_lines, prefer_option, ways_to
from simulator.cli.unit_names import unit_argument
from simulator.cli.ways import (
    but_for,
    note_its_go,
    why_lines,
)

if TYPE_CHECKING:
    from simulator.engine.game import Game
    from simulator.engine.reach import ReachAnswer
    from simulator.views.overlays import Overlays


@click.command("path", cls=WithPlaces)
@scenario_argument
@unit_argument
@click.argument("place", shell_complete=completer(place_forms))
@question_options
@moment_options
@prefer_option
@click.option("--safest", is_flag=True, help="The same as --prefer safest.")
@map_option
@picture_output
def command(
    scenario: str,
    unit: str,
    place: str,
    question: UnitQuestion,
    moment: ScenarioMoment,
    prefer: Preference | None,
    safest: bool,
    with_map: bool | None,
    output: Output,
) -> int:
    """Show the cheapest path of a UNIT of a SCENARIO to a PLACE: orders, price by clause, rolls, interruptions.

    The path is the safest of the cheapest ones. If a dearer path has a better chance or fewer interruptions, the output
    says so, and --prefer takes it: `safest` is the path with the fewest interruptions, `surest` the one most likely to
    pass its rolls. The output shows what these orders do if everything goes well, how they end if tests fail, and who
    can interrupt them in any play. If there is no path, it lists the reasons, as `explain` does. If the rulebook has
    headings or levels, PLACE may include them: "5,2 facing 180", "3,4 level 1".

    \b
    simulator path scenarios/skirmish/the_yard.yaml ash 12,9
    simulator path scenarios/skirmish/the_yard.yaml bay 15,18.5 --svg path.svg
    simulator path scenarios/grid_runner/market_chase.yaml kit 9,8 --prefer safest
    simulator path scenarios/dot_trooper/alley_turn.yaml ann "5,2 facing 180"

    Exit status: 0 there is a path, 1 there is none.
    """
    from simulator.formats.query_data import path_data

    if safest and prefer not in (None, "safest"):
        raise click.UsageError(f"--safest is --prefer safest: it does not go with --prefer {prefer}")
    position = load_position(scenario, moment)
    game = position.game
    answer = reach_of(game, unit, question)
    goal = pose_named(game, place)
    why = why_not(answer, goal)
    if why:
        output.report(lambda: why_lines(game, why), lambda: position.about | path_data(game, unit, answer, why))
        return 1
    ways = ways_to(game, answer, goal, prefer or ("safest" if safest else "cheapest"))
    foreseen = ways.chosen
    note_its_go(foreseen)

    def drawn() -> str:
        from simulator.views.reach_picture import draw_answer, ways_of
        from simulator.wording import measure

        title = f"{unit} to {place.strip()}: {measure(answer.cost_at(goal), answer.unit)}"
        routes = ways_of(foreseen)
        return draw_answer(game.table, answer, certain=False, routes=routes, foreseen=foreseen, goal=goal, title=title)

    output.draw(drawn)
    output.report(
        lambda: _lines(game, answer, goal, ways),
        lambda: position.about | path_data(game, unit, answer, why, foreseen) | {"other_ways": other_fields(ways)},
    )

    def overlays() -> Overlays:
        from simulator.views.reach_picture import answer_overlays, ways_of

        return answer_overlays(game.table, answer, certain=False, routes=ways_of(foreseen))

    if output.is_text:
        print_map(game.board, overlays, with_map)
    return 0


def _lines(game: Game[Any], answer: ReachAnswer, goal: Any, ways: WaysThere) -> Iterator[str]:
    from simulator.formats.foreseen_text import foreseen_lines
    from simulator.geometry.poses import Pose
    from simulator.wording import chance_text, measure

    foreseen = ways.chosen
    cost, chance = measure(answer.cost_at(goal), answer.unit), chance_text(answer.chance_at(goal))
    yield f"{answer.mover.id} to {Pose.of(goal)}: {cost}; best chance of any path: {chance}{but_for(answer)}"
    yield "orders" if foreseen.orders else "it is already there: no order is needed"
    yield from (f"  {game.write(order)}" for order in foreseen.orders)
    if foreseen.orders:
        yield from foreseen_lines(foreseen)
    yield from other_lines(ways)
