"""Board files of inch tables: building the table from a checked document, and writing one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.errors import BoardError
from simulator.formats import limits
from simulator.formats.documents import BoardKind, SourceFile
from simulator.formats.faults import Path
from simulator.formats.lattice_text import head
from simulator.formats.table_models import PIECE_ATTRIBUTES, EntryAreaEntry, PieceEntry, TableFile
from simulator.formats.yaml_text import entries, flow, text
from simulator.geometry.board import Label
from simulator.geometry.pieces import CircleShape, LineShape, Piece, PointShape, PolygonShape, Shape, rectangle
from simulator.geometry.table import EntryArea, InchTable

#: The keys in a piece's entry of the parts that a constructor names, for each key of a shape.
_PARTS: Mapping[str, Mapping[str, Path]] = {
    "polygon": {"shell": ("polygon",)},
    "line": {"points": ("line",)},
    "point": {"": ("point",)},
    "circle": {"": ("circle", "centre"), "radius": ("circle", "radius")},
    "rectangle": {
        "shell": ("rectangle",),
        "centre": ("rectangle", "centre"),
        "size": ("rectangle", "size"),
        "turned": ("rectangle", "turned"),
    },
}
_TABLE_PARTS: Mapping[str, Path] = {"width": ("size", 0), "height": ("size", 1)}


def build_table(document: TableFile, source: SourceFile, name: str) -> InchTable | None:
    """Build the table of a document; None if it is faulty, with the faults added to the source."""
    vertices = 0
    for number, entry in enumerate(document.pieces):
        vertices += sum(map(len, (entry.polygon or (), entry.line or (), *entry.holes)))
        if vertices > limits.VERTICES.most:
            source.fault(("pieces", number), limits.VERTICES.reached(vertices), limit=True)
            return None
    pieces = [_piece(entry, source, ("pieces", number)) for number, entry in enumerate(document.pieces)]
    areas = [_area(entry, source, ("entry_areas", number)) for number, entry in enumerate(document.entry_areas)]
    if source.faults:
        return None
    fields: dict[str, Any] = {
        "name": name,
        "width": document.size[0],
        "height": document.size[1],
        "origin": document.origin,
        "ground": document.ground,
        "labels": tuple(Label(*label.at, label.text) for label in document.labels),
        "description": document.description,
        "unit": document.unit,
        "scenery": tuple(document.scenery),
    }
    sound_pieces = [piece for piece in pieces if piece is not None]
    sound_areas = [area for area in areas if area is not None]
    source.names_once((piece.id for piece in sound_pieces), ("pieces",), "id")
    source.names_once((area.name for area in sound_areas), ("entry_areas",), "name")
    try:
        return InchTable(**fields, pieces=tuple(sound_pieces), entry_areas=tuple(sound_areas))
    except BoardError as error:
        source.fault_of_board(error, parts=_TABLE_PARTS)
    _one_by_one(sound_pieces, sound_areas, fields, source)
    return None


def _piece(entry: PieceEntry, source: SourceFile, path: Path) -> Piece | None:
    key = next(key for key in PieceEntry.one_of if key in entry.model_fields_set)
    try:
        shape = _shape(entry)
    except BoardError as error:
        source.fault_of_board(error, path, _PARTS[key])
        return None
    attributes = {name: getattr(entry, name) for name in PIECE_ATTRIBUTES if name in entry.model_fields_set}
    try:
        return Piece(entry.id, entry.kind, shape, entry.layer, entry.height, entry.on, attributes)
    except BoardError as error:
        source.fault_of_board(error, path, {"shape": (key,), "attributes": ()})
        return None


def _shape(entry: PieceEntry) -> Shape:
    if entry.polygon is not None:
        return PolygonShape(entry.polygon, entry.holes)
    if entry.line is not None:
        return LineShape(entry.line, entry.width)
    if entry.circle is not None:
        return CircleShape(*entry.circle.centre, entry.circle.radius)
    if entry.rectangle is not None:
        return rectangle(entry.rectangle.centre, entry.rectangle.size, entry.rectangle.turned)
    x, y = entry.point or (0.0, 0.0)
    return PointShape(x, y)


def _area(entry: EntryAreaEntry, source: SourceFile, path: Path) -> EntryArea | None:
    try:
        return EntryArea(entry.name, entry.side, tuple(entry.polygon))
    except BoardError as error:
        source.fault_of_board(error, path, {"points": ("polygon",)})
        return None


def _one_by_one(pieces: list[Piece], areas: list[EntryArea], fields: dict[str, Any], source: SourceFile) -> None:
    """Check each piece alone, with those it stands on: a table reports only its first fault."""
    by_id: dict[str, Piece] = {}
    for piece in pieces:
        by_id.setdefault(piece.id, piece)
    for number, piece in enumerate(pieces):
        below = [piece]
        while (carrier := by_id.get(below[-1].on)) is not None and carrier.id not in (one.id for one in below):
            below.append(carrier)
        _lay(fields | {"pieces": tuple(below)}, "pieces", number, source)
    for number, area in enumerate(areas):
        _lay(fields | {"entry_areas": (area,)}, "entry_areas", number, source)


def _lay(fields: dict[str, Any], key: str, number: int, source: SourceFile) -> None:
    try:
        InchTable(**fields)
    except BoardError as error:
        if error.path.startswith(f"{key}[0]"):
            source.fault_of_board(error, numbered={key: number})


def table_text(table: InchTable) -> str:
    """Return a table as the text of a file."""
    lines = [
        *head(table, "table"),
        f"size: {flow([table.width, table.height])}",
        f"origin: {flow(table.origin)}",
        f"unit: {text(table.unit)}",
        f"ground: {text(table.ground)}",
        *entries("pieces", [_piece_entry(piece) for piece in table.pieces]),
        *entries("entry_areas", [_area_entry(area) for area in table.entry_areas]),
        *entries("labels", [{"at": (label.x, label.y), "text": label.text} for label in table.labels]),
    ]
    return "\n".join(lines) + "\n"


def _piece_entry(piece: Piece) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": piece.id, "kind": piece.kind}
    entry |= {"layer": piece.layer} if piece.layer != "ground" else {}
    match piece.shape:
        case PolygonShape(shell, holes):
            entry |= {"polygon": shell} | ({"holes": holes} if holes else {})
        case LineShape(points, width):
            entry |= {"line": points} | ({"width": width} if width else {})
        case PointShape(x, y):
            entry |= {"point": (x, y)}
        case CircleShape(x, y, radius):
            entry |= {"circle": {"centre": (x, y), "radius": radius}}
    entry |= {"height": piece.height} if piece.height else {}
    entry |= {"on": piece.on} if piece.on else {}
    return entry | dict(piece.attributes)


def _area_entry(area: EntryArea) -> dict[str, Any]:
    return {"name": area.name} | ({"side": area.side} if area.side else {}) | {"polygon": area.points}


KIND = BoardKind(TableFile, build_table, table_text)
