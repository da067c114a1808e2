"""`simulator new-board`: a starter file of each kind, and one for each rulebook."""

from __future__ import annotations

from pathlib import Path

import click

_KINDS = ("squares", "dots", "table")


@click.command("new-board")
@click.argument("kind", required=False, metavar="[KIND]")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--for", "ruleset", metavar="RULESET", help="A board all of which RULESET reads; KIND is that of the rulebook then."
)
@click.option("--force", is_flag=True, help="Replace FILE if it is there already.")
def command(kind: str | None, file: Path | None, ruleset: str | None, force: bool) -> None:
    """Write a commented starter board of a KIND (squares, dots, table) to FILE, or to standard output.

    \b
    simulator new-board squares hall.yaml
    simulator new-board dots > yard.yaml
    simulator new-board --for skirmish yard.yaml
    """
    if ruleset is not None and kind is not None and kind not in _KINDS and file is None:
        file, kind = Path(kind), None
    text = _starter(kind, ruleset)
    if file is None:
        click.echo(text, nl=False)
        return
    if file.exists() and not force:
        raise click.UsageError(f"{file} is there already; --force replaces it")
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"wrote {file}; next: simulator show {file} --svg {file.with_suffix('.svg')}", err=True)


def _starter(kind: str | None, ruleset: str | None) -> str:
    from simulator.errors import BoardError
    from simulator.formats.starters import starter, starter_for
    from simulator.rulesets import shelf

    if kind is None and ruleset is None:
        raise click.UsageError(f"say a kind of board ({', '.join(_KINDS)}), or a rulebook with --for")
    try:
        return starter(kind or "") if ruleset is None else starter_for(shelf()[ruleset], kind or "")
    except BoardError as error:
        raise click.UsageError(str(error)) from None
