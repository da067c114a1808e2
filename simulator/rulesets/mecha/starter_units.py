"""The units of a new scenario: a mecha with infantry against a mecha with a vehicle."""

from __future__ import annotations

from simulator.engine.starter_units import StarterUnit


def _ahead(*inches: int) -> tuple[str, ...]:
    return (*(f"standard: forward {far}" for far in inches), "standard: turn_left 45", "free_turn: turn_left 45")


STARTER_UNITS = (
    StarterUnit(
        "lance",
        "mecha",
        "red",
        {"size_class": 3, "move": 6},
        heading=0,
        about="a walker of middle size",
        action="standard",
        orders=_ahead(5, 3, 1),
    ),
    StarterUnit(
        "swift",
        "infantry",
        "red",
        {"size_class": 0, "move": 4, "base": 0.3},
        heading=0,
        about="a stand of infantry",
        action="standard",
        orders=_ahead(4, 2, 1),
    ),
    StarterUnit(
        "brute",
        "mecha",
        "blue",
        {"size_class": 4, "move": 5, "base": 0.75},
        heading=180,
        about="larger, and slower",
        action="standard",
        orders=_ahead(3, 1),
    ),
    StarterUnit(
        "pony",
        "vehicle",
        "blue",
        {"mobility": "wheel", "size_class": 2, "move": 8},
        heading=180,
        about="quick on even ground (ME-11)",
        action="standard",
        orders=_ahead(6, 3, 1),
    ),
)
