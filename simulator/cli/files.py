"""Writing the files that a command produces; `-` is standard output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from simulator.cli.outputs import files_of_command
from simulator.cli.terminal import cannot_write, echo, named
from simulator.writing import STANDARD_OUTPUT, make_folder, write_together, write_whole

#: The name that stands for standard output.
STDOUT = "-"


def is_stdout(name: object) -> bool:
    """Return whether the name of a file to write means standard output."""
    return str(name) == STDOUT


def require_one_on_stdout(as_json: bool, *names: object) -> None:
    """Refuse two answers on standard output: a reader could not separate them."""
    if as_json + sum(is_stdout(name) for name in names) > 1:
        raise click.UsageError("standard output takes only one answer: name files for the others")


def make_folder_of(name: str | Path) -> None:
    """Create the folder of a file to write, if it does not exist: so does every option that names such a file."""
    folder = Path(name).parent
    if not (is_stdout(name) or folder.exists()):
        make_folder(folder)


def write_file(name: str | Path, content: bytes, *, then: str = "", quiet: bool = False) -> None:
    """Write a file as a whole and, unless `quiet`, report it on standard error, followed by `then`."""
    try:
        make_folder_of(name)
        write_whole(STANDARD_OUTPUT if is_stdout(name) else name, content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write("standard output" if is_stdout(name) else name, error) from None
    if not (quiet or is_stdout(name)):
        echo(f"wrote {named(name)}{then}", err=True)


def write_in_folder(folder: Path, files: Iterable[tuple[str, bytes]], *, quiet: bool = False) -> int:
    """Write files into a folder, all or none, and return their number; unless `quiet`, list them one by one."""
    names: list[Path] = []

    def each() -> Iterable[tuple[Path, bytes]]:
        for name, content in files:
            names.append(folder / name)
            files_of_command().replace(names[-1], str(names[-1]))
            make_folder(folder)
            yield names[-1], content

    try:
        write_together(each())
    except OSError as error:
        raise cannot_write(f"to {folder}" if quiet else names[-1], error) from None
    for name in names if not quiet else ():
        echo(f"wrote {named(name)}", err=True)
    return len(names)
