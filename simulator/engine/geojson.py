"""Answers of reach as GeoJSON: the same names whatever the board and the rulebook, listed in docs/file_formats.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from shapely.geometry import mapping
from shapely.geometry.base import BaseGeometry

from simulator.engine.reach import ReachAnswer
from simulator.engine.values import figure

Feature = dict[str, Any]


def feature(shape: BaseGeometry | Mapping[str, Any], what: str, **said: Any) -> Feature:
    """Return a shape with what it is, and what there is to say of it."""
    geometry = mapping(shape) if isinstance(shape, BaseGeometry) else dict(shape)
    return {"type": "Feature", "geometry": geometry, "properties": {"what": what, **said}}


def band(shape: BaseGeometry, cost: Any, unit: str) -> Feature:
    """Return the ground that costs so much: more than the band before it."""
    return feature(shape, "band", cost=figure(cost), unit=unit)


def chance_band(shape: BaseGeometry, chance: Any) -> Feature:
    """Return the ground that has at least this chance, and less than the band before it."""
    return feature(shape, "chance band", chance=str(chance))


def collection(answer: ReachAnswer, features: Iterable[Feature], **said: Any) -> dict[str, Any]:
    """Put features together, with the question that they answer."""
    about = {"mover": answer.mover.id, "action": answer.action, "unit": answer.unit, **said}
    return {"type": "FeatureCollection", "properties": about, "features": list(features)}
