"""The units of a new scenario: infantry and a vehicle on each side."""

from __future__ import annotations

from simulator.engine.starter_units import StarterUnit


def _ahead(*inches: int) -> tuple[str, ...]:
    return (*(f"move: forward {far}" for far in inches), "move: turn_left 45")


STARTER_UNITS = (
    StarterUnit(
        "alpha",
        "infantry",
        "red",
        {"base": 0.25},
        heading=0,
        about="a stand of infantry on foot",
        action="move",
        orders=_ahead(4, 2, 1),
    ),
    StarterUnit(
        "mandrill",
        "vehicle",
        "red",
        {"mobility": "tracked", "speed_grade": "average", "size_class": 5, "armored": True},
        heading=0,
        about="a tracked vehicle, armored",
        action="move",
        orders=_ahead(6, 3, 1),
    ),
    StarterUnit(
        "bravo",
        "infantry",
        "blue",
        {"base": 0.25},
        heading=180,
        about="a stand of infantry on foot",
        action="move",
        orders=_ahead(4, 2, 1),
    ),
    StarterUnit(
        "gecko",
        "vehicle",
        "blue",
        {"mobility": "wheeled", "speed_grade": "fast", "size_class": 3},
        heading=180,
        about="a wheeled vehicle, quick where the ground is firm",
        action="move",
        orders=_ahead(8, 4, 2, 1),
    ),
)
