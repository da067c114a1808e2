"""`simulator export`: a board as a map of another program."""

from __future__ import annotations

import json
from pathlib import Path

import click

from simulator.cli.example_names import FileOrExample
from simulator.cli.files import STDOUT, is_stdout, require_one_on_stdout, write_file
from simulator.cli.outputs import OutputFile
from simulator.cli.terminal import echo

_FORMS = ("geojson", "board", "tmj", "map")


@click.command("export")
@click.argument("board", type=FileOrExample("board", Path))
@click.option(
    "-o",
    "--out",
    "--output",
    "map_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write the map to FILE; its extension determines the format.",
)
@click.option("--to", "form", type=click.Choice(_FORMS), help="The format, if FILE does not determine it.")
@click.option(
    "--terrain", "terrain", multiple=True, metavar="WORD=WORD", help="A word of the map and its word on the board."
)
@click.option("--mapping", type=click.Path(path_type=Path), metavar="FILE", help="Meanings of words, a TOML file.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document; needs -o.")
def command(
    board: Path,
    map_file: str | None,
    form: str | None,
    terrain: tuple[str, ...],
    mapping: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Write BOARD as a map of another program: the reverse of `simulator import`.

    A table becomes .geojson, dots a MegaMek .board or Tiled .tmj, squares a Tiled .tmj or Moving AI .map. What the map
    cannot hold is counted and listed on standard error.

    \b
    simulator export boards/river_crossing.yaml -o river.geojson
    simulator export keep.yaml -o keep.tmj
    simulator export keep.yaml --to map > keep.map

    Exit status: 0 written, 3 the board or the mapping is faulty, 4 it exceeds a limit.
    """
    from simulator.errors import BoardError
    from simulator.formats.board_files import load_any_board
    from simulator.formats.foreign import write_map
    from simulator.formats.foreign.mapping import read_pairs

    require_one_on_stdout(as_json, map_file or STDOUT)
    target = None if map_file is None or is_stdout(map_file) else Path(map_file)
    if target is None and form is None:
        raise click.UsageError(f"name the format with --to ({', '.join(_FORMS)}), or a file with -o")
    if target is not None and target.is_file() and not force:
        raise click.UsageError(f"{target} already exists; --force replaces it")
    suffix = f".{form}" if form is not None or target is None else target.suffix.lower()
    try:
        words = read_pairs(terrain)
    except ValueError as error:
        raise click.UsageError(f"--terrain: {error}") from None
    lattice = load_any_board(str(board))
    try:
        made = write_map(lattice, suffix, mapping=mapping, terrain=words)
    except BoardError as error:
        raise click.UsageError(str(error)) from None
    write_file(target or STDOUT, made.text.encode())
    if as_json:
        document = {"format": 1, "file": str(board), "written": map_file, **made.report.to_fields()}
        echo(json.dumps(document, indent=2))
    else:
        for line in made.report.lines():
            echo(line, err=True)
