"""The units of a new scenario: a trooper and a rider with a bike on one side, two troopers on the other."""

from __future__ import annotations

from simulator.engine.starter_units import StarterUnit

STARTER_UNITS = (
    StarterUnit(
        "bike", "vehicle", "red", {"on": True}, 0, "switched on, and stopped; it moves when its driver does", None
    ),
    StarterUnit(
        "ann",
        "trooper",
        "red",
        {"aboard": "bike"},
        about="rides the bike: her place is that of the bike",
        action="drive",
        orders=("drive minimum: start 3", "drive minimum: start 2", "drive minimum: start 1", "turn_off"),
    ),
    StarterUnit("ben", "trooper", "red", about="on foot", action="foot_move"),
    StarterUnit("cas", "trooper", "blue", {"jet_pack": "worn"}, about="wears a jet pack (DT-6)", action="foot_move"),
    StarterUnit("dot", "trooper", "blue", about="on foot", action="foot_move"),
)
