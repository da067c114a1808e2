"""The hook between objects that can be displayed and the package that draws them.

Boards, reaches and routes are displayed in notebooks, but drawing belongs to `simulator.views`, which lower packages
must not import. So they call the functions here, and `simulator/__init__.py` registers the drawing.
"""

from __future__ import annotations

from collections.abc import Callable

_draw: Callable[[object], str] | None = None
_page: Callable[[object], str] | None = None


def plug_in(draw: Callable[[object], str], page: Callable[[object], str] | None = None) -> None:
    """Register `draw`, which returns pictures, and `page`, which returns elements with a whole page."""
    global _draw, _page
    _draw, _page = draw, page


def picture_of(thing: object) -> str | None:
    """Return the SVG text of `thing`, or None if nothing is registered."""
    return None if _draw is None else _draw(thing)


def page_of(thing: object) -> str | None:
    """Return the HTML that shows `thing` as a page within a page, or None if nothing is registered."""
    return None if _page is None else _page(thing)
