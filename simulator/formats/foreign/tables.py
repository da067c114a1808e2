"""A table while it is made from a foreign map: ids of their own, pieces cut to the table, each fault at its source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from simulator.errors import BoardError
from simulator.formats import limits
from simulator.formats.foreign.conversion import Conversion, plain_word
from simulator.formats.foreign.mapping import Meaning
from simulator.formats.foreign.tree import Value
from simulator.geometry.board import Bounds, Label
from simulator.geometry.pieces import XY, CircleShape, LineShape, Piece, PointShape, PolygonShape, Shape
from simulator.geometry.table import EntryArea, InchTable
from simulator.geometry.tolerances import GRID
from simulator.later import Later

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

#: The piece or area that the path of a fault names.
_PART = re.compile(r"(pieces|entry_areas)\[(\d+)\]")


class TableDraft:
    """The parts of a table as they are read. What reaches over its edges is cut there, and noted."""

    def __init__(self, conversion: Conversion, bounds: Bounds, root: Value) -> None:
        self.conversion = conversion
        self.report = conversion.report
        self.bounds = bounds
        self.root = root
        self.pieces: list[Piece] = []
        self.areas: list[EntryArea] = []
        self.labels: list[Label] = []
        self._sources: dict[str, list[Value]] = {"pieces": [], "entry_areas": []}
        self._names: dict[str, int] = {}
        self._area_names: dict[str, int] = {}
        self._vertices = 0

    def piece(
        self,
        at: Value,
        name: str,
        kind: str,
        shape: Shape,
        meaning: Meaning,
        keys: Mapping[str, Any],
    ) -> None:
        """Add a piece. `keys` are those of the map itself, such as height and layer, which go before the meaning."""
        if meaning.skip:
            self.report.lose(f"{kind} (left out by the mapping)", at.where)
            return
        name = name.strip() or kind
        rest = dict(keys)
        layer = rest.pop("layer", meaning.layer or ("obstacle" if meaning.closed else "ground"))
        height = rest.pop("height", meaning.height)
        on = rest.pop("on", "")
        for part in self._cut(at, name, shape):
            self._vertices += _corners(part)
            at.at_most(limits.PIECES, len(self.pieces) + 1)
            at.at_most(limits.VERTICES, self._vertices)
            try:
                self.pieces.append(
                    Piece(self.report.own_name(name, self._names), kind, part, layer, height, on, attributes=rest)
                )
            except BoardError as error:
                raise at.fault(str(error)) from None
            self._sources["pieces"].append(at)

    def area(self, at: Value, name: str, side: str, shape: PolygonShape) -> None:
        """Add ground under a name. Areas have no holes, so those of the shape are lost."""
        for part in self._cut(at, name, shape):
            if isinstance(part, PolygonShape):
                if part.holes:
                    self.report.lose("hole of an area", at.where, len(part.holes))
                at.at_most(limits.AREAS, len(self.areas) + 1)
                self._sources["entry_areas"].append(at)
                self.areas.append(EntryArea(self.report.own_name(name, self._area_names), side, tuple(part.shell)))

    def label(self, at: Value, x: float, y: float, text: str) -> None:
        """Add a word for the picture."""
        at.at_most(limits.LABELS, len(self.labels) + 1)
        self.labels.append(Label(x, y, text))

    def table(self, **fields: Any) -> InchTable:
        """Return the table; raise FileError if it cannot be one."""
        built: dict[str, Any] = {
            "name": self.conversion.name,
            "width": self.bounds.width,
            "height": self.bounds.height,
            "origin": (self.bounds.min_x, self.bounds.min_y),
            "pieces": tuple(self.pieces),
            "entry_areas": tuple(self.areas),
            "labels": tuple(self.labels),
        }
        try:
            return InchTable(**(built | fields))
        except BoardError as error:
            part = _PART.match(error.path)
            if part is not None:
                at = self._sources[part[1]][int(part[2])]
                raise at.fault(f"{error.path[part.end() :].lstrip('.')}: {error.message}".removeprefix(": ")) from None
            hint = "; --scale makes it smaller" if error.path in ("width", "height") else ""
            raise self.root.fault(f"cannot be a table: {error}{hint}") from None

    def _cut(self, at: Value, name: str, shape: Shape) -> list[Shape]:
        """Return the parts of a shape on the table."""
        low_x, low_y, high_x, high_y = (
            (shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius)
            if isinstance(shape, CircleShape)
            else shape.polygon.bounds
        )
        box = self.bounds
        inside = min(low_x - box.min_x, low_y - box.min_y, box.max_x - high_x, box.max_y - high_y)
        if inside >= -GRID:
            return [shape]
        ground = shape.polygon  # of a line with a width the strip: cut at its end, it would still reach over the edge
        left = shapely.intersection(ground, shapely.box(*box), grid_size=GRID)
        parts = [part for part in shapely.get_parts(left).tolist() if not part.is_empty and _fits(part, ground)]
        if not parts:
            self.report.lose(f"{name} (it lies off the table)", at.where)
            return []
        self.report.lose("part that reaches over the edge of the table", at.where)
        return [_shape_of(part, shape) for part in parts]


def _fits(part: BaseGeometry, whole: BaseGeometry) -> bool:
    """Return whether a part has as many dimensions as the whole: not the mere touch of an edge."""
    return bool(shapely.get_dimensions(part) == shapely.get_dimensions(whole))


def _shape_of(part: BaseGeometry, whole: Shape) -> Shape:
    if isinstance(part, shapely.Polygon):
        shell, *holes = ([(x, y) for x, y in ring.coords[:-1]] for ring in (part.exterior, *part.interiors))
        return PolygonShape(shell, holes)
    return LineShape([(x, y) for x, y in part.coords]) if isinstance(whole, LineShape) else whole


def _corners(shape: Shape) -> int:
    match shape:
        case PolygonShape(shell, holes):
            return len(shell) + sum(map(len, holes))
        case LineShape(points, _):
            return len(points)
    return 1


def polygon(at: Value, shell: Sequence[XY], holes: Sequence[Sequence[XY]] = ()) -> PolygonShape:
    """Build a polygon; raise FileError at its source if it is none."""
    try:
        return PolygonShape(shell, holes)
    except BoardError as error:
        raise at.fault(str(error)) from None


def line(at: Value, points: Sequence[XY], width: float = 0.0) -> LineShape:
    """Build a line; raise FileError at its source if it is none."""
    try:
        return LineShape(points, width)
    except BoardError as error:
        raise at.fault(str(error)) from None


def spot(at: Value, x: float, y: float, radius: float = 0.0) -> CircleShape | PointShape:
    """Build a disc, or a point without a radius; raise FileError at its source if it is none."""
    try:
        return CircleShape(x, y, radius) if radius else PointShape(x, y)
    except BoardError as error:
        raise at.fault(str(error)) from None


def kind_word(conversion: Conversion, word: str, meaning: Meaning) -> str:
    """Return the kind of a piece: the word of its meaning, or its own, in the letters that kinds have."""
    wanted = meaning.named(0) or word
    kind = plain_word(wanted, "piece")
    if kind != wanted:
        conversion.report.note(f"{wanted!r} is written {kind}: kinds are small letters, digits and underscores")
    return kind
