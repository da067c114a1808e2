"""Tables as GeoJSON: each piece, entry area and label is a feature, with the keys that it has in a board's file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from simulator.formats.foreign.geojson import ENTRY_AREA, LABEL
from simulator.geometry.pieces import XY, CircleShape, LineShape, Piece, PointShape, PolygonShape, Shape


def geojson_of(table: Any) -> dict[str, Any]:
    """Return a table as a collection of features, in its plane: inches, y up.

    >>> from simulator.geometry.pieces import CircleShape, Piece
    >>> from simulator.geometry.table import InchTable
    >>> yard = InchTable("Yard", 8, 6, pieces=(Piece("well", "well", CircleShape(4, 3, 1)),))
    >>> geojson_of(yard)["features"][0]["properties"]
    {'id': 'well', 'kind': 'well', 'radius': 1.0}
    """
    about: dict[str, Any] = {"format": 1, "board": "table", "name": table.name}
    about |= {"description": table.description} if table.description else {}
    about |= {"unit": table.unit, "ground": table.ground}
    about |= {"scenery": list(table.scenery)} if table.scenery else {}
    features = [
        *(_feature(_geometry(piece.shape), _properties(piece)) for piece in table.pieces),
        *(
            _feature(
                _geometry(area.shape),
                {"what": ENTRY_AREA, "name": area.name} | ({"side": area.side} if area.side else {}),
            )
            for area in table.entry_areas
        ),
        *(
            _feature({"type": "Point", "coordinates": [label.x, label.y]}, {"what": LABEL, "text": label.text})
            for label in table.labels
        ),
    ]
    return {"type": "FeatureCollection", "bbox": list(table.bounds), "properties": about, "features": features}


def geojson_text(table: Any) -> str:
    """Return the same as the text of a file, a feature on each line."""
    whole = geojson_of(table)
    features = ",\n".join(f"  {json.dumps(each, ensure_ascii=False)}" for each in whole.pop("features"))
    head = json.dumps(whole, ensure_ascii=False, indent=1)[:-2]
    return f'{head},\n "features": [\n{features}\n ]\n}}\n'


def _feature(geometry: Mapping[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "Feature", "geometry": dict(geometry), "properties": dict(properties)}


def _properties(piece: Piece) -> dict[str, Any]:
    found: dict[str, Any] = {"id": piece.id, "kind": piece.kind}
    found |= {"layer": piece.layer} if piece.layer != "ground" else {}
    match piece.shape:
        case LineShape(_, width) if width:
            found["width"] = width
        case CircleShape(_, _, radius):
            found["radius"] = radius
    found |= {"height": piece.height} if piece.height else {}
    found |= {"on": piece.on} if piece.on else {}
    return found | {key: _plain(value) for key, value in piece.attributes.items()}


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _geometry(shape: Shape) -> dict[str, Any]:
    match shape:
        case PolygonShape(shell, holes):
            return {"type": "Polygon", "coordinates": [_ring(ring) for ring in (shell, *holes)]}
        case LineShape(points, _):
            return {"type": "LineString", "coordinates": [list(point) for point in points]}
        case CircleShape(x, y, _) | PointShape(x, y):
            return {"type": "Point", "coordinates": [x, y]}


def _ring(points: Sequence[XY]) -> list[list[float]]:
    """Return a ring as GeoJSON has it: its first point again at the end."""
    return [[x, y] for x, y in (*points, points[0])]
