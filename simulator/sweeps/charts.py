"""The small charts of a report, as SVG that takes its colours from the page."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.sweeps.effects import Interval
from simulator.views.svg import Svg, number

_WIDE, _TALL = 170.0, 22.0
_BARS_WIDE, _BARS_TALL, _FOOT = 260.0, 84.0, 16.0
_MOST_BARS = 24


def interval_line(interval: Interval) -> str:
    """Draw an interval as a line around 0, each on its own scale."""
    low = interval.value if interval.low is None else interval.low
    high = interval.value if interval.high is None else interval.high
    far = max(abs(low), abs(high), abs(interval.value)) or 1.0

    def at(value: float) -> float:
        return _WIDE / 2 * (1 + 0.92 * value / far)

    svg = Svg(_WIDE, _TALL)
    svg.add("line", class_="axis", x1=_WIDE / 2, x2=_WIDE / 2, y1=2, y2=_TALL - 2)
    svg.add("line", class_="range", x1=at(low), x2=at(high), y1=_TALL / 2, y2=_TALL / 2)
    svg.add("circle", class_="point", cx=at(interval.value), cy=_TALL / 2, r=4)
    return _drawn(svg, "chart")


def bars(values: Sequence[float]) -> str:
    """Draw how often values occur, as bars over equal parts of their range."""
    low, high = min(values), max(values)
    whole = all(value == int(value) for value in values)
    # Whole numbers have a bar each as long as there is room.
    span = high - low
    count = int(span) + 1 if whole and span < _MOST_BARS else _MOST_BARS
    width = span / (count - 1) if whole and span < _MOST_BARS else span / count
    counts = [0] * count
    for value in values:
        counts[min(count - 1, int((value - low) / width))] += 1
    svg = Svg(_BARS_WIDE, _BARS_TALL)
    step, most = _BARS_WIDE / count, max(counts)
    for index, hits in enumerate(counts):
        tall = (_BARS_TALL - _FOOT - 2) * hits / most
        top = _BARS_TALL - _FOOT - tall
        svg.add("rect", class_="bar", x=index * step + 0.5, y=top, width=max(step - 1, 1), height=tall)
    svg.add("line", class_="axis", x1=0, x2=_BARS_WIDE, y1=_BARS_TALL - _FOOT, y2=_BARS_TALL - _FOOT)
    svg.add("text", f"{low:g}" if whole else f"{low:.1f}", class_="tick", x=0, y=_BARS_TALL - 3)
    last = f"{high:g}" if whole else f"{high:.1f}"
    svg.add("text", last, class_="tick", x=_BARS_WIDE, y=_BARS_TALL - 3, text_anchor="end")
    return _drawn(svg, "bars")


def _drawn(svg: Svg, kind: str) -> str:
    box = f"0 0 {number(svg.width)} {number(svg.height)}"
    return f'<svg class="{kind}" viewBox="{box}" aria-hidden="true">{svg.fragment()}</svg>'
