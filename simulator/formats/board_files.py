"""Board files of every kind: our own format, a Moving AI `.map` or a Polyanya `.mesh`."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from simulator.formats.boards import load_board
from simulator.geometry.board import Board

#: The readers of foreign formats by suffix, each loaded with its first file.
_FOREIGN = {".map": ("simulator.formats.movingai", "load_map"), ".mesh": ("simulator.formats.polyanya", "load_table")}


def load_any_board(path: str | os.PathLike[str]) -> Board[Any]:
    """Load a board: our own format, a Moving AI `.map` or a Polyanya `.mesh`."""
    found = _FOREIGN.get(Path(path).suffix)
    if found is None:
        return load_board(path)
    module, name = found
    board: Board[Any] = getattr(import_module(module), name)(Path(path))
    return board
