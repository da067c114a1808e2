"""Every limit of a file, in one table. A file that exceeds one is refused with `LimitReached`, never truncated.

>>> print(LIMITS["nesting"])
nesting: at most 32 (lists and mappings inside one another)
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.geometry.board import MAX_CELLS, MAX_PIECES


@dataclass(frozen=True, slots=True)
class Limit:
    """The most of one thing that a file may hold, and a description of what is counted."""

    name: str
    most: int
    what: str

    def __str__(self) -> str:
        return f"{self.name}: at most {self.most} ({self.what})"

    def reached(self, count: float | None = None) -> str:
        """Return the message of a fault: a count exceeds the limit.

        >>> NESTING.reached(33)
        '33 is beyond the limit: at most 32 (lists and mappings inside one another)'
        """
        found = "" if count is None else f"{count} is "
        return f"{found}beyond the limit: at most {self.most} ({self.what})"


FILE_BYTES = Limit("file_bytes", 16 * 2**20, "bytes of a file")
NODES = Limit("nodes", 1_000_000, "values, lists and mappings of a file")
NESTING = Limit("nesting", 32, "lists and mappings inside one another")
CELLS = Limit("cells", MAX_CELLS, "glyphs of a drawing, holes included")
LEGEND = Limit("legend", 1_024, "glyphs of a legend")
TERRAINS = Limit("terrains", 255, "kinds of terrain on one board")
EDGES = Limit("edges", 50_000, "entries under `edges`, and edges of a hex-dot map once its outlines are drawn")
OVERRIDES = Limit("overrides", 50_000, "entries under `overrides`")
AREAS = Limit("areas", 1_000, "areas of a board")
AREA_PLACES = Limit("area_places", 1_000_000, "places that the areas of a board hold together")
LABELS = Limit("labels", 10_000, "labels of a board")
REDRAWN = Limit("redrawn", 50_000_000, "cells that overrides and outlines cover, each counted every time")
PIECES = Limit("pieces", MAX_PIECES, "pieces of a table")
VERTICES = Limit("vertices", 200_000, "corners of all polygons and lines of a table")
TEXT = Limit("text", 10_000, "characters of a name, a word or a description")
COORDINATE = Limit("coordinate", 1_000_000, "distance of a coordinate from 0, in columns, rows or inches")
UNITS = Limit("units", 2_000, "units of a scenario")
#: Each is played, described and drawn on a page; twice as many would take more than 20 s for a page.
ORDERS = Limit("orders", 5_000, "orders of a scenario, and looks at the table between them")
SETTINGS = Limit("settings", 1_000, "options of a scenario, or figures, or kinds of answers, or words of scenery")

#: All limits by name, in the order in which they are checked.
LIMITS: dict[str, Limit] = {
    limit.name: limit
    for limit in (
        FILE_BYTES,
        NODES,
        NESTING,
        TEXT,
        COORDINATE,
        CELLS,
        LEGEND,
        TERRAINS,
        EDGES,
        OVERRIDES,
        REDRAWN,
        AREAS,
        AREA_PLACES,
        LABELS,
        PIECES,
        VERTICES,
        UNITS,
        ORDERS,
        SETTINGS,
    )
}
