"""`--map`: the board in the terminal, with what was asked drawn into it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.terminal import is_coloured, is_on_terminal, print_spans, terminal_width

if TYPE_CHECKING:
    from simulator.geometry.board import Board
    from simulator.views.overlays import Overlays

map_option = click.option(
    "--map/--no-map",
    "with_map",
    default=None,
    help="Draw the board in characters; by default on a terminal only.",
)


def map_is_wanted(with_map: bool | None) -> bool:
    """Return whether a map is printed: by default if standard output is a terminal."""
    return is_on_terminal() if with_map is None else with_map


def print_map(board: Board[Any], overlays: Callable[[], Overlays], with_map: bool | None) -> None:
    """Print the map of a board if it is wanted, or by default if standard output is a terminal."""
    if not map_is_wanted(with_map):
        return
    from simulator.views.terminal_map import terminal_map

    lines = terminal_map(board, overlays(), width=terminal_width(), coloured=is_coloured())
    for line in lines:
        print_spans((span.text, span.ink, span.paper) for span in line)
