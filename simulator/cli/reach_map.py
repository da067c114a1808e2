"""`simulator reach-map`: where a unit can end from everywhere, as a file of arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.asking import (
    Output,
    ScenarioMoment,
    UnitQuestion,
    guarded,
    load_position,
    moment_options,
    question_options,
    text_output,
    unit_named,
)
from simulator.cli.computing import Computing, computing_options
from simulator.cli.example_names import scenario_argument
from simulator.cli.numbers import Amount
from simulator.cli.outputs import OutputFile, files_of_command
from simulator.cli.places import only_for
from simulator.cli.terminal import bar, cannot_write, echo, named
from simulator.cli.unit_names import unit_argument
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.cli.asking import Position
    from simulator.sweeps.reach_map import MapQuestion, MapWork

#: The kinds of boards to which an option applies.
_FOR = {"spacing": ("table",), "areas": ("table",)}


@click.command("reach-map")
@scenario_argument
@unit_argument
@question_options
@click.option("--out", "-o", type=OutputFile(Path), required=True, metavar="FILE.npz", help="The file of arrays.")
@click.option(
    "--spacing",
    type=Amount(0.01, 1_000),
    default=1.0,
    show_default=True,
    help="How far apart the places of a table are, in inches.",
)
@click.option(
    "--heading",
    "headings",
    multiple=True,
    metavar="HEADING",
    help="A heading to set out with; by default each of a lattice, on a table the unit's own.",
)
@click.option("--areas", is_flag=True, help="On tables: measure the area of the ends from each start; it takes long.")
@click.option("--summary", is_flag=True, help="Leave out the costs: keep what each start and each place adds up to.")
@moment_options
@computing_options
@click.option("--resume", is_flag=True, help="Continue an interrupted map of the same question.")
@click.option("--dry-run", is_flag=True, help="Check the question and its size; compute nothing.")
@text_output
def command(
    scenario: str,
    unit: str,
    question: UnitQuestion,
    out: Path,
    spacing: float,
    headings: tuple[str, ...],
    areas: bool,
    summary: bool,
    moment: ScenarioMoment,
    computing: Computing,
    resume: bool,
    dry_run: bool,
    output: Output,
) -> int:
    """Compute where a UNIT of a SCENARIO can end from every place where it may stand, everything else as it is.

    The file holds what each place costs from each start (place, heading, level), how much ground each start gets to,
    and from how many starts each place can be reached; docs/sweeps.md describes its arrays. `simulator heat-map` draws
    it. It is the same, byte for byte, for any number of workers and on a cluster. Until it is finished, its parts are
    kept in a folder beside it, named like it with .parts after the name; --resume goes on after a stop.

    \b
    simulator reach-map scenarios/grid_runner/market_chase.yaml kit --action move -o kit.npz
    simulator reach-map scenarios/dot_trooper/alley_turn.yaml ann --action drive -o ann.npz --heading 0
    simulator reach-map scenarios/skirmish/the_yard.yaml ash --action move --spacing 8 -o ash.npz --workers 2

    Exit status: 0 computed, 2 wrong usage, 3 a faulty file, 4 a limit reached, also that of a search from some start.
    """
    position = load_position(scenario, moment)
    only_for(click.get_current_context(), position.game.board.kind, _FOR)
    unit_named(position.game, unit)
    asked = _question(position, unit, question, spacing, headings, areas, not summary)
    try:
        work = guarded(position.game, lambda values: _work(asked, values, out, resume, dry_run), question)
        if dry_run:
            work.check_size()
            output.report(lambda: [_size(work)], lambda: position.about | _size_data(work))
            return 0
        echo(_size(work), err=True)
        with bar("places", len(work)) as update:
            for done in work.work(computing.players(work.parts)):
                update(done, None)
        with waiting("writing"):
            about = work.finish()
    except (BrokenPipeError, ChildProcessError, ConnectionError):
        raise
    except OSError as error:
        raise cannot_write(f"to {out}", error) from None
    echo(f"wrote {named(out)}", err=True)
    from simulator.sweeps.reach_map_file import ReachMap
    from simulator.sweeps.reach_map_text import map_data, map_lines

    files_of_command().keep(out)  # it is written: from here on it is read
    found = ReachMap.read(out)
    output.report(lambda: map_lines(found), lambda: map_data(found))
    return 4 if about["limited"] else 0


def _question(
    position: Position,
    unit: str,
    question: UnitQuestion,
    spacing: float,
    headings: tuple[str, ...],
    areas: bool,
    with_costs: bool,
) -> MapQuestion:
    from simulator.cli.rulebook_files import rulebook_files
    from simulator.sweeps.reach_map import MapQuestion

    game = position.game
    return MapQuestion(
        position.scenario.name,
        game.setting,
        game.state,
        unit,
        question.action,
        spacing=spacing,
        headings=tuple(map(_heading, headings)),
        measured=areas,
        with_costs=with_costs,
        rulebooks=tuple(str(Path(file).resolve()) for file in rulebook_files()),
    )


def _heading(text: str) -> Any:
    """Return a heading as a number of degrees, or as a name."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _work(asked: MapQuestion, values: Any, out: Path, resume: bool, dry_run: bool) -> MapWork:
    from dataclasses import replace

    from simulator.sweeps.reach_map import MapWork

    asked = replace(asked, values=values)
    with waiting(f"preparing the question about {asked.unit}"):
        if dry_run:
            return MapWork(asked, out)
        return MapWork.resumed(asked, out) if resume else MapWork.begun(asked, out)


def _size_data(work: MapWork) -> dict[str, Any]:
    rows, columns = work.every.raster.shape
    counts = {"columns": columns, "rows": rows, "headings": len(work.every.headings)}
    return {"unit": work.question.unit, "action": work.every.action, **counts}


def _size(work: MapWork) -> str:
    from simulator.wording import measure

    rows, columns = work.every.raster.shape
    headings = f", {measure(len(work.every.headings), 'heading')}" if len(work.every.headings) > 1 else ""
    return f"{work.question.unit}, {work.every.action}: {columns} x {rows} places{headings}"
