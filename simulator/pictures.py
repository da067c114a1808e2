"""The socket between things that can be shown and the room that draws.

Boards, reaches and routes show themselves in a notebook, but drawing lives upstairs in `simulator.views`, which
the lower rooms must not import. So they ask here, and the face of the package plugs the drawing in.
"""

from __future__ import annotations

from collections.abc import Callable

_draw: Callable[[object], str] | None = None


def plug_in(draw: Callable[[object], str]) -> None:
    """Let `draw` make the pictures from now on."""
    global _draw
    _draw = draw


def picture_of(thing: object) -> str | None:
    """Give the SVG text of `thing`, or None where nothing is plugged in."""
    return None if _draw is None else _draw(thing)
