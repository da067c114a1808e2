"""Properties of a foreign map as the keys of a piece: those of a board's file, with the types that they have there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.formats.foreign.report import Report
from simulator.formats.foreign.tree import LARGEST, Numbers, Value
from simulator.geometry.angles import heading_from_text
from simulator.geometry.pieces import ATTRIBUTES, LAYERS
from simulator.wording import did_you_mean


def piece_keys(properties: Mapping[str, Value], report: Report) -> dict[str, Any]:
    """Return the keys of a piece among the properties, without shape and identity; others are counted."""
    keys: dict[str, Any] = {}
    for name, value in properties.items():
        if name == "layer":
            keys[name] = value.text()
            if keys[name] not in LAYERS:
                raise value.fault(f"no such layer {keys[name]!r}; {did_you_mean(keys[name], LAYERS)}")
        elif name == "on":
            keys[name] = value.text()
        elif name == "height":
            keys[name] = value.number(0.0, LARGEST)
        elif name in ATTRIBUTES:
            keys[name] = _attribute(name, value)
        else:
            report.lose(f"property {name!r}", value.where)
    return keys


def _attribute(name: str, value: Value) -> Any:
    """Return an attribute as its kind reads it; raise FileError for a value that it cannot have."""
    data = value.data
    if isinstance(data, Numbers):
        data = [int(number) if number == number // 1 else number for number in data]
    elif isinstance(data, list):
        data = [tuple(point.data) if isinstance(point.data, Numbers) else point.data for point in data]
    elif isinstance(data, float) and data.is_integer():
        data = int(data)
    try:
        if name == "uphill" and isinstance(data, str):
            data = heading_from_text(data)
        return ATTRIBUTES[name].read(data)
    except (ValueError, TypeError, OverflowError):
        raise value.fault(f"expected {ATTRIBUTES[name].wants}") from None
