"""`simulator new-scenario`: a commented scenario of any rulebook, ready to play."""

from __future__ import annotations

from pathlib import Path

import click

from simulator.cli.completions import completer, rulebook_names
from simulator.cli.example_names import FileOrExample
from simulator.cli.files import is_stdout, write_file
from simulator.cli.outputs import OutputFile
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.terminal import echo, named


@click.command("new-scenario")
@click.argument("rulebook", shell_complete=completer(rulebook_names))
@click.argument("board", required=False, type=FileOrExample("board", Path))
@click.option(
    "-o",
    "--out",
    "file",
    metavar="FILE",
    type=OutputFile(Path),
    help="Write FILE instead of standard output.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@rulebook_option
def command(rulebook: str, board: Path | None, file: Path | None, force: bool) -> None:
    """Write a complete scenario of a RULEBOOK to edit: units of two sides on a BOARD, and an order for each.

    Without a BOARD it contains the starter board of the rulebook. With one, the units stand at legal places near its
    centre, always the same ones; a board beside FILE is referenced, any other is copied into the scenario. The comments
    explain each part, and the scenario has been played once.

    \b
    simulator new-scenario skirmish -o first.yaml
    simulator new-scenario mecha boards/quarry.yaml -o scenarios/pit.yaml
    simulator new-scenario dot_trooper > yard.yaml

    Exit status: 0 written, 2 wrong usage, 3 a faulty board.
    """
    from simulator.errors import BoardError, FileError
    from simulator.formats.new_scenario import new_scenario_text
    from simulator.rulesets import shelf

    to_stdout = file is None or is_stdout(file)
    if file is not None and not to_stdout and file.is_file() and not force:
        raise click.UsageError(f"{file} already exists; --force replaces it")
    ruleset = shelf()[rulebook]
    try:
        text = new_scenario_text(ruleset, board, Path() if file is None or to_stdout else file.parent)
    except FileError:
        raise
    except BoardError as error:
        raise click.UsageError(str(error)) from None
    if file is None or to_stdout:
        echo(text, nl=False)
    else:
        write_file(file, text.encode(), then=f"; next: simulator run {named(file)}")
