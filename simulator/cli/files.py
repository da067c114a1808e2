"""Writing what a command was asked to write; `-` is standard output."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from simulator.cli.terminal import cannot_write, named, say
from simulator.writing import STANDARD_OUTPUT, make_folder, write_together, write_whole

#: The name that stands for standard output.
STDOUT = "-"


def is_stdout(name: object) -> bool:
    """Whether the name of a file to write means standard output."""
    return str(name) == STDOUT


def want_one_on_stdout(as_json: bool, *names: object) -> None:
    """Refuse two answers on standard output: whoever reads it could not tell them apart."""
    if as_json + sum(is_stdout(name) for name in names) > 1:
        raise click.UsageError("only one answer fits on standard output: give the others the names of files")


def write_file(name: str | Path, content: bytes, *, then: str = "", quiet: bool = False, folder: bool = False) -> None:
    """Write a file as a whole and, unless `quiet`, say so on standard error, and what to do next.

    With `folder` its folder is made where it is not there yet.
    """
    try:
        if folder and not is_stdout(name):
            make_folder(Path(name).parent)
        write_whole(STANDARD_OUTPUT if is_stdout(name) else name, content)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write("standard output" if is_stdout(name) else name, error) from None
    if not (quiet or is_stdout(name)):
        say(f"wrote {named(name)}{then}", err=True)


def write_in_folder(folder: Path, files: Iterable[tuple[str, bytes]], *, quiet: bool = False) -> int:
    """Write files into a folder, all or none, and give their number; unless `quiet` they are listed one by one."""
    names: list[Path] = []

    def each() -> Iterable[tuple[Path, bytes]]:
        for name, content in files:
            names.append(folder / name)
            make_folder(folder)
            yield names[-1], content

    try:
        write_together(each())
    except OSError as error:
        raise cannot_write(f"to {folder}" if quiet else names[-1], error) from None
    for name in names if not quiet else ():
        say(f"wrote {named(name)}", err=True)
    return len(names)
