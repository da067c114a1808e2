"""Charts of growth: lines on two logarithmic scales, distinguished by colour, mark and name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from simulator.views.svg import Svg, number
from simulator.writing import write_whole

_WIDTH, _HEIGHT = 720.0, 420.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 84.0, 48.0, 180.0, 56.0
#: Distinguishable without red or green vision, and in print by their lightness.
_COLOURS = ("#0b6e4f", "#b5482a", "#2f5fa7", "#8a6d00", "#7a3b86", "#555555")
#: The least distance between names, in pixels.
_LINE = 15.0


@dataclass(frozen=True)
class Chart:
    """A chart of growth: its title, and the units of its scales."""

    title: str
    across: str
    up: str

    def draw(self, lines: Mapping[str, Sequence[tuple[float, float]]]) -> str:
        """Draw lines of (x, y), both above 0, as SVG."""
        svg = Svg(_WIDTH, _HEIGHT)
        svg.add("rect", x=0, y=0, width=_WIDTH, height=_HEIGHT, fill="#ffffff")
        svg.text(_LEFT, 26, self.title, 15, font_weight="bold")
        xs = _Scale.of([x for line in lines.values() for x, _ in line], _LEFT, _WIDTH - _RIGHT)
        ys = _Scale.of([y for line in lines.values() for _, y in line], _HEIGHT - _BOTTOM, _TOP)
        for x in sorted({x for line in lines.values() for x, _ in line}):
            svg.add("line", x1=xs.at(x), x2=xs.at(x), y1=_TOP, y2=_HEIGHT - _BOTTOM, stroke="#ececec")
            svg.text(xs.at(x), _HEIGHT - _BOTTOM + 18, f"{x:g}", 12, text_anchor="middle")
        for y in ys.decades():
            svg.add("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=ys.at(y), y2=ys.at(y), stroke="#dddddd")
            svg.text(_LEFT - 8, ys.at(y) + 4, f"{y:g}", 12, text_anchor="end")
        svg.text((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 14, self.across, 12, text_anchor="middle")
        svg.text(14, _TOP - 8, self.up, 12)
        ends = _spread([ys.at(line[-1][1]) for line in lines.values()])
        for colour, (name, line), end in zip(_COLOURS, lines.items(), ends, strict=False):
            at = [(xs.at(x), ys.at(y)) for x, y in line]
            points_text = " ".join(f"{number(x)},{number(y)}" for x, y in at)
            svg.add("polyline", points=points_text, fill="none", stroke=colour, stroke_width=2)
            for x, y in at:
                svg.add("circle", cx=x, cy=y, r=3.2, fill=colour)
            svg.add("line", x1=at[-1][0], y1=at[-1][1], x2=_WIDTH - _RIGHT + 14, y2=end, stroke=colour)
            svg.text(_WIDTH - _RIGHT + 18, end + 4, name, 12, fill=colour)
        return svg.document(self.title)

    def save(self, lines: Mapping[str, Sequence[tuple[float, float]]], file: Path) -> None:
        """Write the chart to a file."""
        write_whole(file, self.draw(lines).encode())


@dataclass(frozen=True)
class _Scale:
    """A logarithmic scale: values between `low` and `high` lie between two pixels."""

    low: float
    high: float
    first: float
    last: float

    @classmethod
    def of(cls, values: Sequence[float], first: float, last: float) -> _Scale:
        return cls(min(values) / 1.15, max(values) * 1.15, first, last)

    def at(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.first + share * (self.last - self.first)

    def decades(self) -> list[float]:
        """Return those of 1, 3, 10, 30 ... that lie on the scale."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        marks = [factor * 10.0**power for power in powers for factor in (1, 3)]
        return [mark for mark in marks if self.low <= mark <= self.high]


def _spread(heights: Sequence[float]) -> list[float]:
    """Move the heights of names apart, in order, so that they do not overlap."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = [heights[number] for number in order]
    for before, after in pairwise(range(len(placed))):
        placed[after] = max(placed[after], placed[before] + _LINE)
    found = dict(zip(order, placed, strict=True))
    return [found[number] for number in range(len(heights))]
