"""`--rulebook FILE.py`: a rulebook that is a file, not a package."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from simulator.cli.outputs import files_of_command

_KEY = "simulator.rulebooks"
_loaded: set[str] = set()


def put_on_shelf(files: Iterable[str]) -> None:
    """Put the rulebooks of files on the shelf, beside those that are installed."""
    from simulator.rulesets import shelf

    for file in files:
        shelf().add(file)
        _loaded.add(file)


def is_on_shelf(file: str) -> bool:
    """Return whether this process has loaded the rulebook of a file."""
    return file in _loaded


def rulebook_files() -> tuple[str, ...]:
    """Return the files named on this command line, for processes that work for it."""
    return tuple(click.get_current_context().meta.get(_KEY, ()))


def _taken(context: click.Context, _parameter: click.Parameter, files: Any) -> None:
    for file in files:
        files_of_command().read(file)
    put_on_shelf(files)
    context.meta[_KEY] = tuple(files)


#: Read before anything else, so that a scenario or a name can be one of that rulebook.
rulebook_option = click.option(
    "--rulebook",
    "rulebooks",
    multiple=True,
    metavar="FILE.py",
    type=click.Path(),
    is_eager=True,
    expose_value=False,
    callback=_taken,
    help="Add the rulebook of a Python file: its RULESET.",
)
