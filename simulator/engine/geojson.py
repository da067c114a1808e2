"""Reach answers as GeoJSON: the same names for all boards and rulebooks, listed in docs/file_formats.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from simulator.engine.reach import ReachAnswer
from simulator.later import Later
from simulator.wording import figure

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

Feature = dict[str, Any]


def feature(shape: BaseGeometry | Mapping[str, Any], what: str, **properties: Any) -> Feature:
    """Return a shape with its kind and other properties."""
    written = geometry(shape) if isinstance(shape, shapely.Geometry) else dict(shape)
    return {"type": "Feature", "geometry": written, "properties": {"what": what, **properties}}


def geometry(shape: BaseGeometry) -> dict[str, Any]:
    """Return a shape as a geometry of GeoJSON."""
    return dict(shapely.geometry.mapping(shape))


def band(shape: BaseGeometry, cost: Any, unit: str) -> Feature:
    """Return the ground of a cost: at most this, and more than the band before it."""
    return feature(shape, "band", cost=figure(cost), unit=unit)


def chance_band(shape: BaseGeometry, chance: Any) -> Feature:
    """Return the ground of a chance: at least this, and less than the band before it."""
    return feature(shape, "chance band", chance=figure(chance))


def collection(answer: ReachAnswer, features: Iterable[Feature], **properties: Any) -> dict[str, Any]:
    """Return features as a collection, with the question that they answer."""
    about = {"mover": answer.mover.id, "action": answer.action, "unit": answer.unit, **properties}
    return {"type": "FeatureCollection", "properties": about, "features": list(features)}
