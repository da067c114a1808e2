"""Shared by the commands that take files and folders: a folder stands for the .yaml files in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click


def expanded(files: tuple[Path, ...], fits: Callable[[Path], bool] | None = None, what: str = "") -> list[Path]:
    """Replace folders by those of their files that fit; a folder without any is wrong usage."""
    paths: list[Path] = []
    for path in files:
        if path.is_dir():
            inside = sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")])
            found = [file for file in inside if not _is_hidden(file.relative_to(path)) and (not fits or fits(file))]
            if not found:
                raise click.UsageError(f"no {what or '.yaml file'} in the folder {path}")
            paths += found
        else:
            paths.append(path)
    return paths


def refuse_twins(paths: list[Path], flag: str, advice: str) -> None:
    """Refuse two scenarios of one name: what is written for each is named for it, and would replace the other's."""
    names = [path.stem for path in paths]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise click.UsageError(f"{flag}: two scenarios are called {twice[0]}; {advice}")


def _is_hidden(path: Path) -> bool:
    """Return whether a file lies in a folder such as `.venv` or `.git`, or has such a name; these are skipped."""
    return any(part.startswith(".") for part in path.parts)
