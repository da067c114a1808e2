"""The boards, scenarios and rulebooks included: in the package, or in a checkout beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Literal

from simulator.errors import SimulatorError
from simulator.wording import nearest

_PACKAGE = Path(__file__).resolve().parent.parent
Kind = Literal["scenario", "board"]


def examples(folder: str) -> Path:
    """Return the folder `boards`, `scenarios` or `docs/rules`."""
    for home in (_PACKAGE / "_examples", _PACKAGE.parent):
        if (home / folder).is_dir():
            return home / folder
    raise SimulatorError(f"the folder {folder}/ of the package is missing; reinstall it")


@dataclass(frozen=True)
class Example:
    """A board or scenario that comes along; its path begins with the folder `boards` or `scenarios`."""

    kind: Kind
    file: Path
    path: PurePath

    @property
    def name(self) -> str:
        """The name of the file without its suffix."""
        return self.path.stem

    def is_meant(self, name: str) -> bool:
        """Return whether a name stands for it: its own, with or without the folders above it and `.yaml`."""
        parts = PurePath(name.removesuffix(".yaml")).parts
        return bool(parts) and self.path.with_suffix("").parts[-len(parts) :] == parts


@cache
def all_examples() -> tuple[Example, ...]:
    """Return every board and scenario that comes along; none if they are not installed."""
    found: list[Example] = []
    kinds: tuple[tuple[Kind, str], ...] = (("scenario", "scenarios"), ("board", "boards"))
    for kind, folder in kinds:
        try:
            home = examples(folder)
        except SimulatorError:
            continue
        found += [Example(kind, file, file.relative_to(home.parent)) for file in sorted(home.rglob("*.yaml"))]
    return tuple(found)


def example_named(name: str, kind: Kind) -> Path | None:
    """Return the file of an example; where a board and a scenario have the same name, that of the kind preferred.

    >>> example_named("mad_dash", "scenario").name, example_named("river_crossing", "board").parent.name
    ('mad_dash.yaml', 'boards')
    """
    meant = [example for example in all_examples() if example.is_meant(name)]
    meant.sort(key=lambda example: example.kind != kind)
    return meant[0].file if meant else None


def nearest_example(name: str) -> str | None:
    """Return the name of the example that is most like a name; None if none is."""
    return nearest(PurePath(name).stem, [example.name for example in all_examples()])
