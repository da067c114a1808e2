"""The socket between things that can be shown and the room that draws.

Boards, reaches and routes show themselves in a notebook, but drawing lives upstairs in `simulator.views`, which
the lower rooms must not import. So they ask here, and the face of the package plugs the drawing in.
"""

from __future__ import annotations

from collections.abc import Callable

_draw: Callable[[object], str] | None = None
_page: Callable[[object], str] | None = None


def plug_in(draw: Callable[[object], str], page: Callable[[object], str] | None = None) -> None:
    """Let `draw` make the pictures from now on, and `page` the elements that hold a whole page."""
    global _draw, _page
    _draw, _page = draw, page


def picture_of(thing: object) -> str | None:
    """Return the SVG text of `thing`, or None where nothing is plugged in."""
    return None if _draw is None else _draw(thing)


def page_of(thing: object) -> str | None:
    """Return the HTML that shows `thing` as a page within a page, or None where nothing is plugged in."""
    return None if _page is None else _page(thing)
