"""`simulator import`: a map of another program becomes a board file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.files import STDOUT, is_stdout, require_one_on_stdout, write_file
from simulator.cli.outputs import OutputFile
from simulator.cli.terminal import echo, named
from simulator.formats.query_data import board_data

if TYPE_CHECKING:
    from simulator.formats.foreign import Imported

_KINDS = ("squares", "dots", "table")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--as", "kind", type=click.Choice(_KINDS), help="The kind of board, where the format leaves a choice.")
@click.option(
    "--terrain", "terrain", multiple=True, metavar="WORD=WORD", help="A word of the map and its word on the board."
)
@click.option("--mapping", type=click.Path(path_type=Path), metavar="FILE", help="Meanings of words, a TOML file.")
@click.option("--scale", type=float, metavar="N", help="The length of a square, a step, or a unit of the map.")
@click.option(
    "--plane", is_flag=True, help="GeoJSON: the coordinates are lengths, however much they look like degrees."
)
@click.option(
    "-o",
    "--out",
    "--output",
    "board_file",
    type=OutputFile(),
    metavar="BOARD",
    help="Write the board to a file; - is standard output.",
)
@click.option("--force", is_flag=True, help="Replace BOARD if it exists.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document; needs -o.")
def command(
    file: Path,
    kind: str | None,
    terrain: tuple[str, ...],
    mapping: Path | None,
    scale: float | None,
    plane: bool,
    board_file: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Convert the map FILE to a board, on standard output unless -o names a file.

    Read are MegaMek .board (dots), Tiled .tmx and .tmj (squares, dots or a table), Universal VTT .dd2vtt, .uvtt and
    .df2vtt (a table or squares), GeoJSON .geojson (a table), Moving AI .map (squares) and Polyanya .mesh (a table).
    What the board cannot hold is counted and listed on standard error. Only files in the folder of FILE are read.

    \b
    simulator import ridge.board -o ridge.yaml
    simulator import keep.tmx --terrain grass=meadow --scale 2 > keep.yaml
    simulator import cellar.dd2vtt --as squares -o cellar.yaml --json

    Exit status: 0 converted, 3 the map or the mapping is faulty, 4 it exceeds a limit.
    """
    from simulator.errors import BoardError
    from simulator.formats.foreign import read_map
    from simulator.formats.foreign.mapping import read_pairs

    require_one_on_stdout(as_json, board_file or STDOUT)
    target = None if board_file is None or is_stdout(board_file) else Path(board_file)
    if target is not None and target.is_file() and not force:
        raise click.UsageError(f"{target} already exists; --force replaces it")
    try:
        words = read_pairs(terrain)
    except ValueError as error:
        raise click.UsageError(f"--terrain: {error}") from None
    try:
        made = read_map(file, kind, mapping=mapping, terrain=words, scale=scale, plane=plane)
    except BoardError as error:
        raise click.UsageError(str(error)) from None
    if target is None:
        echo(made.text, nl=False)
    else:
        picture = named(target.with_suffix(".svg"))
        write_file(target, made.text.encode(), then=f"; next: simulator show {named(target)} --svg {picture}")
    if as_json:
        echo(json.dumps(_document(file, board_file, made), indent=2))
    else:
        for line in made.report.lines():
            echo(line, err=True)


def _document(file: Path, board_file: str | None, made: Imported) -> dict[str, Any]:
    return {
        "format": 1,
        "file": str(file),
        "written": board_file,
        "board": board_data(made.board),
        **made.report.to_fields(),
    }
