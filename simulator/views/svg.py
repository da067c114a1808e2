"""Writing SVG by hand: the same drawing produces the same bytes on every machine."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.wording import visible

#: One stack for all text. The named family makes rasterisers without a generic "sans-serif" show it too.
FONT = "'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"


def number(value: float) -> str:
    """Write a pixel coordinate: at most two decimals, no trailing zeros, never '-0'.

    >>> number(12.0), number(0.125), number(-0.001)
    ('12', '0.12', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def points(pairs: Iterable[tuple[float, float]]) -> str:
    """Write a list of points: 'x y x y ...'."""
    return " ".join(f"{number(x)} {number(y)}" for x, y in pairs)


class Svg:
    """An SVG element under construction. Text and attribute values are escaped, so any name may be drawn."""

    def __init__(self, width: float, height: float) -> None:
        self.width = width
        self.height = height
        self._lines: list[str] = []

    def add(self, tag: str, text: str | None = None, **attributes: str | float | None) -> None:
        """Append an element. In names of attributes `_` is `-`, and `class_` is class; None leaves one out."""
        self._lines.append(_element(tag, text, attributes))

    def open(self, tag: str, **attributes: str | float | None) -> None:
        """Open an element that contains others."""
        self._lines.append(f"<{tag}{_written(attributes)}>")

    def close(self, tag: str) -> None:
        """Close what `open` opened."""
        self._lines.append(f"</{tag}>")

    def text(self, x: float, y: float, words: str, size: float = 12, **attributes: str | float | None) -> None:
        """Append a line of text at its baseline."""
        self.add("text", words, x=x, y=y, font_size=size, **attributes)

    def fragment(self) -> str:
        """Return what was drawn so far, to be put inside another element."""
        return "\n".join(self._lines)

    def document(self, title: str) -> str:
        """Return the whole picture."""
        width, height = number(self.width), number(self.height)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}" fill="#2f2c28">'
        )
        return "\n".join([head, f"<title>{escape(visible(title))}</title>", *self._lines, "</svg>\n"])


def _element(tag: str, text: str | None, attributes: dict[str, str | float | None]) -> str:
    written = _written(attributes)
    return f"<{tag}{written}/>" if text is None else f"<{tag}{written}>{escape(visible(text))}</{tag}>"


def _written(attributes: dict[str, str | float | None]) -> str:
    parts = []
    for name, value in attributes.items():
        if value is not None:
            shown = value if isinstance(value, str) else number(value)
            parts.append(f' {name.rstrip("_").replace("_", "-")}="{escape(shown)}"')
    return "".join(parts)


class Sheet:
    """How the plane of a board (y up) lies on the picture (y down)."""

    def __init__(self, left: float, top: float, min_x: float, max_y: float, pixels: float) -> None:
        self.left, self.top, self.min_x, self.max_y, self.pixels = left, top, min_x, max_y, pixels

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a point."""
        return self.left + (x - self.min_x) * self.pixels, self.top + (self.max_y - y) * self.pixels

    def all(self, xy: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[tuple[float, float]]:
        """Return the pixels of an array of points (n, 2)."""
        x = self.left + (xy[:, 0] - self.min_x) * self.pixels
        y = self.top + (self.max_y - xy[:, 1]) * self.pixels
        return list(zip(x.tolist(), y.tolist(), strict=True))

    def path(self, shape: BaseGeometry) -> str:
        """Return the path data of a geometry: rings are closed, lines are not, holes come with their shells.

        Points are lines without length, seen where the ends of lines are round.
        """
        pieces = []
        for part in shapely.get_parts(shape, return_index=False):
            if part.geom_type == "Polygon":
                rings = [part.exterior, *part.interiors]
                pieces += [f"M{points(self.all(np.asarray(ring.coords)[:-1]))}Z" for ring in rings if not ring.is_empty]
            elif part.geom_type in ("LineString", "LinearRing") and not part.is_empty:
                pieces.append(f"M{points(self.all(np.asarray(part.coords)))}")
            elif part.geom_type == "Point" and not part.is_empty:
                pieces.append(f"M{points(self.all(np.asarray(part.coords)))}h0")
            elif part.geom_type in ("GeometryCollection", "MultiPolygon", "MultiLineString"):
                pieces.append(self.path(part))
        return "".join(pieces)
