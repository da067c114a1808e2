"""`simulator new-board`: a starter file of each kind."""

from __future__ import annotations

from pathlib import Path

import click


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

    if file is None:
        click.echo(starter(kind), nl=False)
        return
    if file.exists() and not force:
        raise click.UsageError(f"{file} is there already; --force replaces it")
    try:
        file.write_text(starter(kind), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"wrote {file}; next: simulator show {file} --svg {file.with_suffix('.svg')}", err=True)
