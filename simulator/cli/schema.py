"""`simulator schema`: the JSON Schemas of files and answers."""

from __future__ import annotations

import click

from simulator.cli.terminal import echo


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema NAME: of a file that you write, or of a JSON answer; without NAME, list all.

    \b
    simulator schema
    simulator schema scenario > scenario.schema.json
    simulator schema reach

    Exit status: 0 printed, 2 there is no such schema.
    """
    from simulator.formats.answers import ANSWERS

    if name is None:
        width = max(map(len, (*_FILES, *ANSWERS)))
        for title, kinds in (("files", _FILES), ("answers", {one: kind.about for one, kind in ANSWERS.items()})):
            echo(title)
            for kind, about in kinds.items():
                echo(f"  {kind:<{width}}  {about}")
        return
    from simulator.formats.faults import no_such
    from simulator.formats.schema import ANSWER_FOLDER, FOLDER
    from simulator.reading import read_whole

    if name not in _FILES and name not in ANSWERS:
        raise click.UsageError(no_such(name, (*_FILES, *ANSWERS), "schema"))
    folder = FOLDER if name in _FILES else FOLDER / ANSWER_FOLDER
    echo(read_whole(folder / f"{name}.schema.json", _MOST_BYTES).decode(), nl=False)


#: Ours are far smaller.
_MOST_BYTES = 2**20
_FILES = {
    "squares": "a board of squares",
    "dots": "a board of hex dots",
    "table": "an inch table",
    "scenario": "a scenario",
    "sweep": "a plan of a sweep",
}
