"""The units of a new scenario: two runners and two guards."""

from __future__ import annotations

from simulator.engine.starter_units import StarterUnit

STARTER_UNITS = (
    StarterUnit(
        "kit",
        "character",
        "runners",
        {"passes": 2, "metatype": "elf"},
        about="acts twice in a turn (GR-18)",
        action="move",
    ),
    StarterUnit(
        "moss",
        "character",
        "runners",
        {"metatype": "dwarf"},
        about="its metatype decides how far it walks",
        action="move",
    ),
    StarterUnit("vic", "character", "guards", {"metatype": "ork"}, about="stronger than it is fast", action="move"),
    StarterUnit(
        "wren", "character", "guards", {"metatype": "human"}, about="with everything else at its default", action="move"
    ),
)
