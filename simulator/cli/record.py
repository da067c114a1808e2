"""`simulator record`: the account of a scenario as a text to keep, so that a change shows as a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from simulator.cli.asking import option_option, table_option
from simulator.cli.example_names import files_argument
from simulator.cli.expanded import expanded, refuse_twins
from simulator.cli.files import write_in_folder
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.runs import RunSettings, loaded
from simulator.cli.terminal import echo


@click.command("record")
@files_argument
@click.option("--seed", type=int, metavar="N", help="Roll the dice with this seed instead of the file's.")
@option_option
@table_option
@click.option(
    "-o", "--out", metavar="DIR", type=click.Path(path_type=Path), help="Write one .txt file for each scenario."
)
@rulebook_option
def command(
    files: tuple[Path, ...],
    seed: int | None,
    options: tuple[tuple[str, str], ...],
    figures: tuple[tuple[str, Any], ...],
    out: Path | None,
) -> None:
    """Write the accounts of scenario FILES: the same text on every machine.

    \b
    simulator record ford.yaml --seed 7 > tests/records/ford.txt
    simulator record scenarios/ --out tests/records

    Exit status: 0 written, whether or not expectations were met; 3 a faulty file, 4 a limit reached.
    """
    from simulator.engine.values import show
    from simulator.formats.account_text import account_text, visible
    from simulator.formats.peek import kind_of_file

    paths = expanded(files, lambda path: kind_of_file(path) == "scenario", "scenario")
    settings = [
        *([f"--seed {seed}"] if seed is not None else []),
        *(f"--option {name}={value}" for name, value in options),
        *(f"--table {path}={show(figure)}" for path, figure in figures),
    ]

    def recorded(path: Path) -> str:
        head = visible(" ".join(["# simulator record", path.name, *settings]))
        return f"{head}\n{account_text(loaded(path, RunSettings(seed, options, figures)).run())}"

    if out is None:
        for path in paths:
            echo(recorded(path), nl=False)
    else:
        refuse_twins(paths, "--out", "record them one by one, into folders of their own")
        write_in_folder(out, ((f"{path.stem}.txt", recorded(path).encode()) for path in paths))
