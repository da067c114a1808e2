"""The marks that distinguish sides without colour."""

from __future__ import annotations

from simulator.views.svg import Svg

#: By the number of the side; the last serves all further ones and those of no side. In a box from -1 to 1.
MARKS = {
    "disc": "M0 -1a1 1 0 1 0 0 2a1 1 0 1 0 0 -2z",
    "triangle": "M0 -1L1 .8H-1z",
    "square": "M-.85 -.85h1.7v1.7h-1.7z",
    "diamond": "M0 -1.1L1.1 0L0 1.1L-1.1 0z",
    "ring": "M0 -1a1 1 0 1 0 0 2a1 1 0 1 0 0 -2zM0 -.45a.45 .45 0 1 1 0 .9a.45 .45 0 1 1 0 -.9z",
    "cross": "M-.9 -.3h.6v-.6h.6v.6h.6v.6h-.6v.6h-.6v-.6h-.6z",
}


def mark_of(side: str, sides: tuple[str, ...]) -> str:
    """Return the name of a side's mark.

    >>> mark_of("blue", ("red", "blue")), mark_of("", ("red", "blue"))
    ('triangle', 'cross')
    """
    names = list(MARKS)
    return names[min(sides.index(side), len(names) - 1)] if side in sides else names[-1]


def mark_picture(mark: str, number: int) -> str:
    """Draw a mark in the colour of its side, as large as a letter."""
    svg = Svg(16, 16)
    svg.add("path", d=MARKS[mark], fill_rule="evenodd", transform="translate(8 8) scale(6.4)")
    return f'<svg class="swatch side-{number}" viewBox="0 0 16 16" aria-hidden="true">{svg.fragment()}</svg>'
