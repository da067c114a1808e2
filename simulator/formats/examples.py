"""The folders of the boards, scenarios and rulebooks included: in the package, or in a checkout beside it."""

from __future__ import annotations

from pathlib import Path

from simulator.errors import SimulatorError

_PACKAGE = Path(__file__).resolve().parent.parent


def examples(folder: str) -> Path:
    """Return the folder `boards`, `scenarios` or `docs/rules`."""
    for home in (_PACKAGE / "_examples", _PACKAGE.parent):
        if (home / folder).is_dir():
            return home / folder
    raise SimulatorError(f"the folder {folder}/ of the package is missing; reinstall it")
