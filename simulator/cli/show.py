"""`simulator show`: a board or the opening of a scenario, in words or as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.example_names import FileOrExample
from simulator.cli.maps import map_option, print_map
from simulator.cli.picture_files import picture_options, write_pictures
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.terminal import echo

if TYPE_CHECKING:
    from simulator.engine.errors import Breach
    from simulator.formats.scenario import Scenario
    from simulator.geometry.board import Board
    from simulator.views.overlays import Overlays


@click.command("show")
@click.argument("file", type=FileOrExample("scenario", Path))
@picture_options
@click.option("--width", default=1000, show_default=True, type=click.IntRange(200, 8000), help="Width in pixels.")
@map_option
@rulebook_option
def command(
    file: Path, svg_file: str | None, png_file: str | None, dark: bool, width: int, with_map: bool | None
) -> None:
    """Describe the board or scenario of FILE in words, or draw it; for a scenario, the opening position.

    An illegal position is shown too, with a mark at each fault.

    \b
    simulator show boards/market_square.yaml
    simulator show boards/river_crossing.yaml --svg river.svg --png river.png

    Exit status: 0 shown, 3 the file or the position is faulty.
    """
    from simulator.cli.files import require_one_on_stdout
    from simulator.formats.board_files import load_any_board
    from simulator.formats.peek import kind_of_file
    from simulator.formats.scenario import FaultyPosition
    from simulator.formats.scenarios import load_scenario
    from simulator.views.board_picture import draw

    require_one_on_stdout(False, svg_file, png_file)
    scenario, faulty = None, None
    kind = kind_of_file(file)
    if kind == "sweep":
        raise click.UsageError(f"{file} is the plan of a sweep; count its games: simulator sweep {file} --dry-run")
    if kind == "scenario":
        try:
            scenario = load_scenario(file)
        except FaultyPosition as error:
            scenario, faulty = error.scenario, error
    board = load_any_board(str(file)) if scenario is None else scenario.setting.board
    if not svg_file and not png_file:
        if scenario is not None:
            _describe_scenario(scenario)
        _describe_board(board)
        print_map(board, lambda: _overlays(scenario), with_map)
    else:
        against = faulty.breaches if faulty is not None else ()
        picture = draw(board, width_px=width) if scenario is None else _opening(scenario, against, width)
        write_pictures(picture, svg_file, png_file, dark)
    if faulty is not None:
        raise faulty


def _describe_board(board: Board[Any]) -> None:
    from simulator.views.board_picture import ground_style_of

    echo(f"{board.name or 'A board'}: {ground_style_of(board).size_in_words()}")
    if board.description:
        echo(board.description)
    for entry in ground_style_of(board).legend():
        echo(f"  {entry.label}")
    for zone in ground_style_of(board).zones():
        echo(f"  area {zone.name}" + (f" ({zone.side})" if zone.side else ""))
    echo(f"hash {board.content_hash}")


def _describe_scenario(scenario: Scenario) -> None:
    from simulator.engine.values import Fields, show
    from simulator.wording import measure

    ruleset = scenario.setting.ruleset
    lines = [f"{scenario.name}: {ruleset.title or ruleset.name}", *scenario.description.splitlines()]
    if scenario.setting.options.changed:
        lines.append(f"options {show(scenario.setting.options.changed)}")
    for unit in scenario.opening():
        where = "off the table" if unit.place is None else f"at {show(unit.place)}"
        facing = "" if unit.heading is None else f" facing {show(unit.heading)}"
        side = f" ({unit.side})" if unit.side else ""
        known = ruleset.unit_types[unit.type].fields
        changed = Fields({name: value for name, value in unit.fields.items() if value != known[name].default})
        lines.append(f"  {unit.id}{side}: {unit.type} {where}{facing}; {show(changed)}".removesuffix("; "))
    lines.append(f"{measure(scenario.orders, 'order')} in {measure(len(scenario.turns), 'turn')}")
    for line in lines:
        echo(line)


def _overlays(scenario: Scenario | None) -> Overlays:
    from simulator.engine.table import Table
    from simulator.views.overlays import Overlays
    from simulator.views.state_picture import named_marks

    units = () if scenario is None else named_marks(Table(scenario.setting, scenario.opening()))
    return Overlays(units=units)


def _opening(scenario: Scenario, faults: Iterable[Breach], width: int) -> str:
    from simulator.engine.table import Table
    from simulator.views.state_picture import draw_state

    table = Table(scenario.setting, scenario.opening())
    return draw_state(table, faults=faults, width_px=width, title=scenario.name or None)
