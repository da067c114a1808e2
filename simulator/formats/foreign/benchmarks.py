"""The maps of path-finding benchmarks, Moving AI `.map` and Polyanya `.mesh`, which the package reads as they are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.formats.foreign.conversion import Conversion

if TYPE_CHECKING:
    from simulator.geometry.squares import SquareGrid
    from simulator.geometry.table import InchTable


def read(conversion: Conversion) -> SquareGrid | InchTable:
    """Read a `.map` or a `.mesh` file; raise FileError with line and column of a fault."""
    if conversion.file.suffix.lower() == ".map":
        from simulator.formats.movingai import load_map

        grid = load_map(conversion.file)
        return grid if conversion.scale is None else replace(grid, square_size=conversion.scale)
    from simulator.formats.polyanya import load_table

    return load_table(conversion.file, conversion.scale or 1.0)
