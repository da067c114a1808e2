"""Arguments that are files: a path, or the name of a scenario or board that comes along."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.completions import example_names, items

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from simulator.formats.examples import Kind


class FileOrExample(click.Path):
    """A file, or the bare name of an example: `mad_dash`, `skirmish/mad_dash`. An existing file of that name wins."""

    def __init__(self, prefer: Kind, path_type: type[Any] | None = None) -> None:
        super().__init__(path_type=path_type)
        self.prefer = prefer

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        """Return the path of the file; a name that is neither is left to the reader of the file, or corrected."""
        return super().convert(_found(os.fspath(value), self.prefer), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the names of examples, and files."""
        return [*items(example_names, incomplete), *super().shell_complete(ctx, param, incomplete)]


def _found(value: str, prefer: Kind) -> str:
    from simulator.errors import Fault, FileError
    from simulator.formats.examples import example_named, nearest_example
    from simulator.reading import hint_beside

    if not value or os.path.lexists(value) or "\0" in value:
        return value
    found = example_named(value, prefer)
    if found is not None:
        return str(found)
    # With a suffix, with a folder, or like the name of a file here it is one of the user's, as its reader then says.
    is_bare = PurePath(value).name == value and not PurePath(value).suffix
    if is_bare and not hint_beside(Path(value)) and (meant := nearest_example(value)) is not None:
        message = f"there is no such file, and no example of that name; did you mean {meant!r}?"
        raise FileError([Fault(value, 0, 0, "", message)])
    return value


#: The argument that is one scenario, and the like for boards.
scenario_argument = click.argument("scenario", type=FileOrExample("scenario"))
board_argument = click.argument("board", type=FileOrExample("board"))
#: Any number of scenarios or boards, or folders of them.
files_argument = click.argument("files", nargs=-1, required=True, type=FileOrExample("scenario", Path))
