"""The grid of a Tiled map: its size, its orientation, and where its tiles lie in pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simulator.formats import limits
from simulator.formats.foreign.tree import Value
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.wording import did_you_mean

_LARGEST_TILE = 100_000
_REFUSED = {
    "isometric": "isometric maps cannot be read: turn it into an orthogonal or hexagonal one",
    "staggered": "staggered maps are isometric and cannot be read: turn it into an orthogonal or hexagonal one",
}


@dataclass(frozen=True, slots=True)
class TileGrid:
    """The places of a map. `left` and `top` are the column and row of the file that are the first of the board."""

    width: int
    height: int
    tile_width: float
    tile_height: float
    side: float
    layout: OffsetLayout | None  #: None on orthogonal maps
    is_infinite: bool
    left: int = 0
    top: int = 0

    @classmethod
    def of(cls, root: Value) -> TileGrid:
        """Read the grid of a map; raise FileError for an orientation that no board has."""
        orientation = root.need("orientation")
        word = orientation.text()
        if word in _REFUSED:
            raise orientation.fault(_REFUSED[word])
        if word not in ("orthogonal", "hexagonal"):
            raise orientation.fault(f"no such orientation {word!r}; {did_you_mean(word, ('orthogonal', 'hexagonal'))}")
        infinite = root.get("infinite")
        is_infinite = infinite is not None and infinite.truth()
        least = 0 if is_infinite else 1
        width, height = (root.need(key).whole(least, limits.COORDINATE.most) for key in ("width", "height"))
        root.at_most(limits.CELLS, width * height)
        tile_width, tile_height = (root.need(key).number(1, _LARGEST_TILE) for key in ("tilewidth", "tileheight"))
        layout = _layout_of(root) if word == "hexagonal" else None
        side = root.number_of("hexsidelength", 0.0) if layout else 0.0
        if not 0 <= side < (tile_width if layout and _is_in_columns(layout) else tile_height):
            raise root.need("hexsidelength").fault("expected a length from 0 to less than the tile")
        return cls(width, height, tile_width, tile_height, side, layout, is_infinite)

    @property
    def usual_kind(self) -> str:
        """The kind of board that the map becomes unless the user wants another."""
        return "squares" if self.layout is None else "dots"

    def size_of(self, block: Value) -> tuple[int, int]:
        """Return the size of a layer or chunk: its own, or that of the map."""
        own = [block.get(key) for key in ("width", "height")]
        most = limits.COORDINATE.most
        width, height = (
            default if value is None else value.whole(0, most)
            for value, default in zip(own, (self.width, self.height), strict=True)
        )
        block.at_most(limits.CELLS, width * height)
        if not self.is_infinite and (width, height) != (self.width, self.height):
            raise block.fault(f"is {width} × {height}, but the map is {self.width} × {self.height}")
        return width, height

    def cut(self, left: int, top: int, right: int, bottom: int, root: Value) -> TileGrid:
        """Return the grid of the tiles between these columns and rows; shifted rows stay shifted."""
        if self.layout is not None:
            left, top = (left - left % 2, top) if _is_in_columns(self.layout) else (left, top - top % 2)
        width, height = right - left + 1, bottom - top + 1
        root.at_most(limits.CELLS, width * height)
        return replace(self, width=width, height=height, left=left, top=top)

    def place(self, column: int, row: int) -> tuple[int, int]:
        """Return the place of a board at a column and row."""
        return (column, row) if self.layout is None else self.layout.dot(column, row)

    def centre(self, row: int, column: int) -> tuple[float, float]:
        """Return the centre of one tile in pixels, from the upper left corner of the first."""
        x, y = replace(self, left=0, top=0).centres
        return float(x[row, column]), float(y[row, column])

    @property
    def centres(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The centres of all tiles in pixels, x and y down, each [row, column]."""
        rows, columns = np.indices((self.height, self.width), np.float64)
        rows, columns = rows + self.top, columns + self.left
        if self.layout is None:
            x, y = columns * self.tile_width, rows * self.tile_height
        elif _is_in_columns(self.layout):
            shifted = columns % 2 == (self.layout is OffsetLayout.ODD_COLUMNS)
            x, y = columns * (self.tile_width + self.side) / 2, (rows + shifted / 2) * self.tile_height
        else:
            shifted = rows % 2 == (self.layout is OffsetLayout.ODD_ROWS)
            x, y = (columns + shifted / 2) * self.tile_width, rows * (self.tile_height + self.side) / 2
        return x + self.tile_width / 2, y + self.tile_height / 2


def _is_in_columns(layout: OffsetLayout) -> bool:
    return layout in (OffsetLayout.ODD_COLUMNS, OffsetLayout.EVEN_COLUMNS)


def _layout_of(root: Value) -> OffsetLayout:
    axis, index = root.need("staggeraxis"), root.need("staggerindex")
    if axis.text() not in ("x", "y"):
        raise axis.fault(f"expected x or y (got {axis.text()[:20]!r})")
    if index.text() not in ("odd", "even"):
        raise index.fault(f"expected odd or even (got {index.text()[:20]!r})")
    return OffsetLayout(f"{index.text()}_{'columns' if axis.text() == 'x' else 'rows'}")
