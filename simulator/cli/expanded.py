"""What commands share that take files and folders: a folder stands for the .yaml files in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click


def expanded(files: tuple[Path, ...], wanted: Callable[[Path], bool] | None = None, what: str = "") -> list[Path]:
    """Put the files of folders, those that are wanted, in the place of the folders; an empty folder is wrong usage."""
    paths: list[Path] = []
    for path in files:
        if path.is_dir():
            found = [
                file for file in sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")]) if wanted is None or wanted(file)
            ]
            if not found:
                raise click.UsageError(f"no {what or '.yaml file'} in the folder {path}")
            paths += found
        else:
            paths.append(path)
    return paths
