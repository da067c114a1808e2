"""The units of a new scenario: two soldiers on each side."""

from __future__ import annotations

from simulator.engine.starter_units import StarterUnit

STARTER_UNITS = (
    StarterUnit("ash", "soldier", "red", about="with everything at its default", action="move"),
    StarterUnit("bay", "soldier", "red", {"psq": 8}, about="rough ground stops it less often (SK-8)", action="move"),
    StarterUnit("owl", "soldier", "blue", {"ins": 8}, about="quicker to dodge (SK-42)", action="move"),
    StarterUnit(
        "yew",
        "soldier",
        "blue",
        {"stance": "crouching"},
        about="crouches, and moves less for each AP (SK-2)",
        action="move",
    ),
)
