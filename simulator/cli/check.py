"""`simulator check`: every fault of every file, each with its place."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines.")
def command(files: tuple[Path, ...], as_json: bool) -> int:
    """Say everything that is wrong with board FILES, all faults at once.

    A folder stands for all .yaml files in it. Each fault is a line `file:line:column: path: what is wrong`.

    \b
    simulator check boards/
    simulator check hall.yaml --json

    Exit status: 0 all sound, 3 a file is faulty, 4 a file is beyond a limit.
    """
    from simulator.errors import FileError, LimitReached
    from simulator.formats.boards import load_board

    code, answers = 0, []
    for path in _expanded(files):
        try:
            board = load_board(path)
        except FileError as error:
            code = max(code, 4 if isinstance(error, LimitReached) else 3)
            faults = [
                {"line": fault.line, "column": fault.column, "path": fault.path, "message": fault.message}
                for fault in error.faults
            ]
            answers.append({"file": str(path), "ok": False, "faults": faults})
            if not as_json:
                click.echo(str(error))
        else:
            answers.append({"file": str(path), "ok": True, "board": board.kind, "hash": board.content_hash})
            if not as_json:
                click.echo(f"{path}: ok ({board.kind}, {board.content_hash})")
    if as_json:
        click.echo(json.dumps({"format": 1, "files": answers}, indent=2))
    return code


def _expanded(files: tuple[Path, ...]) -> list[Path]:
    paths: list[Path] = []
    for path in files:
        if path.is_dir():
            found = sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")])
            if not found:
                raise click.UsageError(f"no .yaml file in the folder {path}")
            paths += found
        else:
            paths.append(path)
    return paths
