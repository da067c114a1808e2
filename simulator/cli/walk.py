"""`simulator walk`: where a plain walker can get to without a rulebook, at what cost, by which way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.example_names import board_argument
from simulator.cli.numbers import Amount
from simulator.cli.outputs import OutputFile
from simulator.cli.picture_files import picture_options, write_pictures
from simulator.cli.terminal import echo

if TYPE_CHECKING:
    from simulator.pathing.reach import Reach
    from simulator.pathing.route import Route

_ENGINES = ("numpy", "networkx")
_DIAGONALS = ("1", "1-2", "2-1", "3/2", "2", "sqrt2")
_CORNERS = ("no_cut", "only_between_two", "free")
#: The kinds of boards to which an option applies.
_FOR = {
    "terrain": ("squares", "dots"),
    "diagonals": ("squares",),
    "corners": ("squares",),
    "axial": ("dots",),
    "engine": ("squares", "dots"),
    "radius": ("table",),
}


@click.command("walk")
@board_argument
@click.option("--from", "starts", multiple=True, required=True, metavar="PLACE", help="A start; may be repeated.")
@click.option("--budget", required=True, type=Amount(0, 1_000_000), help="Steps or inches that may be spent.")
@click.option("--to", "goal", metavar="PLACE", help="Show the cheapest path to this place.")
@click.option("--terrain", "terrain", multiple=True, metavar="WORD=N", help="Cost of entering a terrain, or =closed.")
@click.option("--diagonals", type=click.Choice(_DIAGONALS), default="1-2", show_default=True, help="Squares only.")
@click.option("--corners", type=click.Choice(_CORNERS), default="no_cut", show_default=True, help="Squares only.")
@click.option("--radius", default=0.5, show_default=True, type=Amount(0, 100), help="Radius of the base; tables only.")
@click.option("--axial", is_flag=True, help="Dots only: places are q,r instead of column,row.")
@click.option("--engine", type=click.Choice(_ENGINES), default="numpy", show_default=True, help="The search to use.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option(
    "--geojson",
    "geojson_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write area and ends as GeoJSON; - is standard output.",
)
@picture_options
@click.pass_context
def command(
    ctx: click.Context,
    board: str,
    starts: tuple[str, ...],
    budget: float,
    goal: str | None,
    terrain: tuple[str, ...],
    diagonals: str,
    corners: str,
    radius: float,
    axial: bool,
    engine: Any,
    as_json: bool,
    geojson_file: str | None,
    svg_file: str | None,
    png_file: str | None,
    dark: bool,
) -> int:
    """Show where a plain walker can get to on BOARD: squares, dots, a table, a Moving AI .map or a Polyanya .mesh.

    Entering a cell costs 1, or the cost set by --terrain; walls, windows and impassable ground are closed. On a table a
    round base moves freely among the pieces of the layer `obstacle`, and the cost is the length. Places are column,row;
    on a table x,y. For units under a rulebook write a scenario and use `simulator reach`.

    \b
    simulator walk boards/market_square.yaml --from 9,8 --budget 8
    simulator walk boards/market_square.yaml --from 9,8 --budget 8 --to 11,14 --svg reach.svg
    simulator walk boards/mill_ford.yaml --from 2,7 --budget 12 --terrain woodland=2 --diagonals 3/2
    simulator walk boards/ruined_quarter.yaml --from 12,6 --budget 7.5 --radius 0.63 --to 16.5,9

    Exit status: 0 answered, 1 the place of --to cannot be reached.
    """
    from simulator.cli.files import is_stdout, require_one_on_stdout, write_file
    from simulator.cli.places import only_for, read_place, read_terrain_costs
    from simulator.formats.board_files import load_any_board
    from simulator.geometry.board import Lattice
    from simulator.geometry.diagonals import DiagonalCount
    from simulator.geometry.squares import Corners
    from simulator.geometry.table import InchTable
    from simulator.pathing.plain import plain_space, units_per_step
    from simulator.pathing.reach import reach
    from simulator.pathing.traces import NoRoute
    from simulator.views.reach_picture import draw_reach
    from simulator.wording import measure

    require_one_on_stdout(as_json, geojson_file, svg_file, png_file)
    lattice = load_any_board(board)
    only_for(ctx, lattice.kind, _FOR)
    if isinstance(lattice, InchTable):
        from simulator.cli.walk_table import walk_on_table

        files = (geojson_file, svg_file, png_file)
        return walk_on_table(lattice, starts, budget, radius, goal, as_json=as_json, files=files, dark=dark)
    if not isinstance(lattice, Lattice):
        raise click.UsageError(f"{board} is a {lattice.kind}; this command takes squares, dots and tables")
    if budget != int(budget):
        raise click.UsageError(f"--budget counts whole steps on {lattice.kind} (got {budget:g})")
    counted = DiagonalCount(diagonals)
    space = plain_space(
        lattice,
        starts=[read_place(lattice, text, axial=axial) for text in starts],
        budget=int(budget),
        terrain_costs=read_terrain_costs(lattice, terrain),
        diagonals=counted,
        corners=Corners(corners),
    )
    answer = reach(lattice, space, engine=engine, per_unit=units_per_step(lattice, counted))
    routes, code = [], 0
    if goal is not None:
        place = read_place(lattice, goal, axial=axial)
        try:
            routes.append(answer.route_to(place))
        except NoRoute:
            code = 1
            if not as_json:
                echo(f"{goal} cannot be reached within {measure(budget, answer.unit)}", err=True)
    if geojson_file:
        write_file(geojson_file, json.dumps(answer.to_geojson()).encode())
    if svg_file or png_file:
        picture = draw_reach(answer, routes=routes)
        write_pictures(picture, svg_file, png_file, dark)
    if as_json:
        echo(json.dumps(_document(answer, routes), indent=2))
    elif not any(map(is_stdout, (geojson_file, svg_file, png_file))):
        _print_answer(answer, budget, routes)
    return code


def _document(answer: Reach, routes: list[Route[tuple[int, int]]]) -> dict[str, Any]:
    from simulator.formats.query_data import board_data
    from simulator.wording import figure

    return {
        "format": 1,
        "board": board_data(answer.board),
        "costs_count": answer.unit,
        "engine": answer.costs.method,
        "ends": [
            {"place": list(end.place), "heading": end.heading, "phase": end.phase, "cost": figure(end.cost)}
            for end in answer.ends
        ],
        "routes": [route.to_fields() for route in routes],
    }


def _print_answer(answer: Reach, budget: float, routes: list[Route[tuple[int, int]]]) -> None:
    from simulator.wording import measure

    echo(f"{measure(len(answer), 'place')} within {measure(budget, answer.unit)}")
    for level, count in answer.counts():
        echo(f"  {measure(level, answer.unit):>10}: {count}")
    for route in routes:
        echo(str(route))
