"""`simulator new-board`: a starter file of each kind."""

from __future__ import annotations

from pathlib import Path

import click

from simulator.cli.files import is_stdout, write_file
from simulator.cli.terminal import named, say


@click.command("new-board")
@click.argument("kind", type=click.Choice(["squares", "dots", "table"]))
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace FILE if it is there already.")
def command(kind: str, file: Path | None, force: bool) -> None:
    """Write a commented starter board of a KIND to FILE, or to standard output.

    \b
    simulator new-board squares hall.yaml
    simulator new-board dots > yard.yaml
    """
    from simulator.formats.starters import starter

    if file is None or is_stdout(file):
        say(starter(kind), nl=False)
        return
    if file.is_file() and not force:
        raise click.UsageError(f"{file} is there already; --force replaces it")
    write_file(
        file,
        starter(kind).encode(),
        then=f"; next: simulator show {named(file)} --svg {named(file.with_suffix('.svg'))}",
    )
