"""`simulator new-board`: a starter file of each kind, and one for each rulebook."""

from __future__ import annotations

from pathlib import Path

import click

from simulator.cli.files import is_stdout, write_file
from simulator.cli.terminal import echo, named

_KINDS = ("squares", "dots", "table")


@click.command("new-board")
@click.argument("kind", required=False, metavar="[KIND]")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--for", "ruleset", metavar="RULESET", help="A board on which every word is read by RULESET, which determines KIND."
)
@click.option("-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="The same as FILE.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def command(kind: str | None, file: Path | None, ruleset: str | None, out: Path | None, force: bool) -> None:
    """Write a commented starter board of a KIND (squares, dots, table) to FILE, or to standard output.

    \b
    simulator new-board squares hall.yaml
    simulator new-board dots > yard.yaml
    simulator new-board --for skirmish -o yard.yaml
    """
    if ruleset is not None and kind is not None and kind not in _KINDS and file is None:
        file, kind = Path(kind), None
    if out is not None:
        if file is not None:
            raise click.UsageError(f"name the file once: {file}, or --out {out}")
        file = out
    text = _starter(kind, ruleset)
    if file is None or is_stdout(file):
        echo(text, nl=False)
        return
    if file.is_file() and not force:
        raise click.UsageError(f"{file} already exists; --force replaces it")
    write_file(
        file, text.encode(), then=f"; next: simulator show {named(file)} --svg {named(file.with_suffix('.svg'))}"
    )


def _starter(kind: str | None, ruleset: str | None) -> str:
    from simulator.errors import BoardError
    from simulator.formats.starters import starter, starter_for
    from simulator.rulesets import shelf

    if kind is None and ruleset is None:
        raise click.UsageError(f"name a kind of board ({', '.join(_KINDS)}), or a rulebook with --for")
    try:
        return starter(kind or "") if ruleset is None else starter_for(shelf()[ruleset], kind or "")
    except BoardError as error:
        raise click.UsageError(str(error)) from None
