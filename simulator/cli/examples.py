"""`simulator examples`: the scenarios and boards that come along, by rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from simulator.cli.terminal import cannot_write, echo, named
from simulator.writing import make_folder, write_together

if TYPE_CHECKING:
    from simulator.formats.example_list import Described


@click.command("examples")
@click.argument("rulebook", required=False)
@click.option("--copy", "folder", metavar="DIR", type=click.Path(path_type=Path), help="Copy them all into DIR.")
@click.option("--force", is_flag=True, help="Replace files that exist in DIR.")
def command(rulebook: str | None, folder: Path | None, force: bool) -> None:
    """List the scenarios and boards that are included, those of one RULEBOOK or all, each with a description.

    Every command that accepts a file also accepts these names: `simulator run mad_dash`. A file with that name in the
    current folder takes precedence. Where a scenario and a board have the same name, boards/NAME is the board.

    \b
    simulator examples
    simulator examples skirmish
    simulator examples --copy game
    simulator run mad_dash
    """
    if folder is not None:
        if rulebook is not None:
            raise click.UsageError("--copy copies the examples of all rulebooks: leave out the RULEBOOK")
        _copy(folder, force)
        return
    from simulator.formats.example_list import boards_of, described_examples
    from simulator.wording import did_you_mean

    found = described_examples()
    rulebooks = list(dict.fromkeys(one.of for one in found if one.example.kind == "scenario"))
    if rulebook is not None and rulebook not in rulebooks:
        raise click.UsageError(f"there are no examples of {rulebook!r}; {did_you_mean(rulebook, rulebooks)}")
    lines: list[str] = []
    for name in rulebooks if rulebook is None else [rulebook]:
        scenarios = [one for one in found if one.example.kind == "scenario" and one.of == name]
        lines += _section(name, "scenarios", scenarios) + _section("", "boards", boards_of(name, found)) + [""]
    if rulebook is None and (left := _unplayed(found, rulebooks)):
        lines += [*_section("further boards", "", left), ""]
    for line in lines[:-1]:
        echo(line)


def _unplayed(found: Sequence[Described], rulebooks: Iterable[str]) -> list[Described]:
    from simulator.formats.example_list import boards_of

    played = {one.example for name in rulebooks for one in boards_of(name, found)}
    return [one for one in found if one.example.kind == "board" and one.example not in played]


def _section(heading: str, what: str, listed: Sequence[Described]) -> list[str]:
    width = max((len(one.name) for one in listed), default=0)
    lines = [f"    {one.name:<{width}}  {one.line}" for one in listed]
    return [*([heading] if heading else []), *([f"  {what}"] if what and listed else []), *lines]


# --- copies ---


def _copy(folder: Path, force: bool) -> None:
    """Copy all examples, or none: a folder that holds other files of these names is left as it is."""
    from simulator.formats import limits
    from simulator.formats.examples import all_examples
    from simulator.reading import read_whole

    listed = all_examples()
    there = [folder / one.path for one in listed if (folder / one.path).exists()]
    if there and not force:
        raise click.UsageError(f"{named(there[0])} already exists; --force replaces it")

    def files() -> Iterator[tuple[Path, bytes]]:
        for one in listed:
            make_folder((folder / one.path).parent)
            yield folder / one.path, read_whole(one.file, limits.FILE_BYTES.most)

    try:
        write_together(files())
    except OSError as error:
        raise cannot_write(f"to {folder}", error) from None
    echo(f"copied {len(listed)} files to {named(folder)}; next: simulator run {named(folder / 'scenarios')}", err=True)
