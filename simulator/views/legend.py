"""The legend beside a picture: a swatch and a word for everything that occurs on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.views.palette import INK, QUIET_INK
from simulator.views.svg import Svg

SWATCH = 16.0
LINE = 23.0
#: The distance of a continuation line from the line before.
NEXT_LINE = 15.0
#: So many letters fit into a line.
WIDEST = 26


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of the legend. `swatch` draws into a box of 16 x 16 pixels at (x, y); a heading has none."""

    label: str
    swatch: Callable[[Svg, float, float], None] | None = None


def filled(colour: str, outline: str | None = None, opacity: float = 1.0) -> Callable[[Svg, float, float], None]:
    """Return a box of one colour; what lets the ground show through on the board lets the paper do so here."""

    def draw(svg: Svg, x: float, y: float) -> None:
        svg.add(
            "rect",
            x=x + 0.5,
            y=y + 0.5,
            width=15,
            height=15,
            rx=2.5,
            fill=colour,
            fill_opacity=None if opacity == 1.0 else opacity,
            stroke=outline or "#00000026",
        )

    return draw


def stroked(colour: str, width: float, dashes: str | None = None) -> Callable[[Svg, float, float], None]:
    """Return a level stroke."""

    def draw(svg: Svg, x: float, y: float) -> None:
        svg.add("path", d=f"M{x:g} {y + 8:g}h16", stroke=colour, stroke_width=width, stroke_dasharray=dashes)

    return draw


def terrain_entries(colours: Mapping[str, str]) -> list[LegendEntry]:
    """Return one line for each kind of terrain."""
    return [LegendEntry(word.replace("_", " "), filled(colour)) for word, colour in colours.items()]


def occurring(colours: Mapping[str, str], codes: NDArray[Any]) -> dict[str, str]:
    """Of the colours by kind of terrain those whose number occurs."""
    seen = set(np.unique(codes).tolist())
    return {word: colour for code, (word, colour) in enumerate(colours.items()) if code in seen}


def height_of(entries: Sequence[LegendEntry]) -> float:
    """Compute how tall the legend will be."""
    return LINE * len(entries) + NEXT_LINE * sum(len(_lines(entry.label)) - 1 for entry in entries)


def draw_legend(svg: Svg, x: float, y: float, entries: Sequence[LegendEntry]) -> None:
    """Write the legend from its upper left corner; long words go on in a second line, where they are cut."""
    for entry in entries:
        first, *more = _lines(entry.label)
        if entry.swatch is None:
            svg.text(x, y + 13, first, 11, fill=QUIET_INK)
        else:
            entry.swatch(svg, x, y)
            svg.text(x + SWATCH + 8, y + 12.5, first, 12, fill=INK)
        for line in more:
            y += NEXT_LINE
            svg.text(x + SWATCH + 8, y + 12.5, line, 12, fill=INK)
        y += LINE


def _lines(label: str) -> list[str]:
    """Break a label between words where it is too long for a line; what is too long for two is cut.

    >>> _lines("GR-49 watcher: intercept kit"), _lines("open")
    (['GR-49 watcher: intercept', 'kit'], ['open'])
    """
    if len(label) <= WIDEST:
        return [label]
    end = label.rfind(" ", 0, WIDEST + 1)
    first, second = (label[:end], label[end + 1 :]) if end > 0 else (label[: WIDEST - 1] + "…", "")
    return [first, *([_cut(second)] if second else [])]


def _cut(line: str) -> str:
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"
