"""The files that a command reads and those that it replaces: no file is both, and none is replaced twice.

Two names are compared by the files they lead to. Whichever comes second, reading a file or naming it as output, is
wrong usage. Streams and devices are not replaced, so they may be named any number of times.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from simulator.reading import watched
from simulator.writing import replaced_file

_KEY = "simulator.outputs"


class FilesOfCommand:
    """The files of one command line."""

    def __init__(self) -> None:
        self._read: set[str] = set()
        #: What names each file that is replaced.
        self._replaced: dict[str, str] = {}

    def read(self, name: str | os.PathLike[str]) -> None:
        """Take note that a file is read."""
        file = _file(name)
        if file is not None:
            self._read.add(file)
            if file in self._replaced:
                raise _is_read(self._replaced[file])

    def replace(self, name: str | os.PathLike[str], named_by: str) -> None:
        """Take note that a file is going to be replaced; `named_by` is how the command line names it."""
        file = _file(name)
        if file is None:
            return
        if file in self._read:
            raise _is_read(named_by)
        if file in self._replaced:
            raise click.UsageError(f"{named_by} would replace the file of {self._replaced[file]}: name another file")
        self._replaced[file] = named_by

    def keep(self, name: str | os.PathLike[str]) -> None:
        """Take note that a file is not replaced from here on: it has been, or it is continued."""
        self._replaced.pop(_file(name) or "", None)


def _file(name: str | os.PathLike[str]) -> str | None:
    try:
        return None if str(name) == "-" else replaced_file(name)
    except (OSError, ValueError):  # such as a name with a NUL, which is reported when it is read or written
        return None


def _is_read(named_by: str) -> click.UsageError:
    return click.UsageError(f"{named_by} would replace the file that is read: name another file")


def files_of_command() -> FilesOfCommand:
    """Return the files of the command line that is carried out; of none, files without consequences."""
    return _files_of(click.get_current_context(silent=True))


def _files_of(context: click.Context | None) -> FilesOfCommand:
    found = None if context is None else context.meta.get(_KEY)
    return found if isinstance(found, FilesOfCommand) else FilesOfCommand()


@contextmanager
def files_told_apart(context: click.Context) -> Iterator[None]:
    """Watch what is read until the command line of a context is carried out."""
    files = context.meta[_KEY] = FilesOfCommand()
    with watched(files.read):
        yield


class OutputFile(click.Path):
    """The name of a file that a command replaces."""

    def __init__(self, path_type: type[Any] | None = None) -> None:
        super().__init__(path_type=path_type, readable=False)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the name; one that another option names too, or that is read, is wrong usage."""
        name = os.fspath(value)
        flags = [] if param is None else [flag for flag in param.opts if flag.startswith("--")]
        _files_of(ctx).replace(name, " ".join([*flags[:1], name]))
        return super().convert(value, param, ctx)


def replaced_in(folder: Path, names: Iterable[str]) -> None:
    """Take note that files of these names are going to be replaced in a folder."""
    files = files_of_command()
    for name in names:
        files.replace(folder / name, str(folder / name))
