"""The figures of the tables, and the constraints on their replacements."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import ClassVar

from simulator.engine.constraints import DICE, WORDS, Constraint, number_value, whole_value
from simulator.engine.tables import Tables

_INCHES = number_value("a number of inches", least=0, most=100)
#: Moves and runs cost something: with nothing to pay an activation would never end.
_PRICE, _PERHAPS_NOTHING = whole_value(1, 99), whole_value(0, 99)
_LEVELS = whole_value(-99, 99)


class SkirmishTables(Tables):
    """The tables of skirmish: figures that make no sense are rejected where a scenario sets them."""

    wants: ClassVar[Mapping[str, Constraint]] = {
        "inches": _INCHES,
        "cost": _PERHAPS_NOTHING,
        "cost.move": _PRICE,
        "cost.run.ap": _PRICE,
        "run": _INCHES,
        "terrain.lost_inches": _INCHES,
        "dodge.inches": _INCHES,
        "traverse": _INCHES,
        "traverse_difficulty.up_to": _INCHES,
        "traverse_max_depth": _INCHES,
        "penalty": _LEVELS,
        "roll.dice": DICE,
        "rank": _LEVELS,
        "target_modifier": _LEVELS,
        "rough_ground.kinds": WORDS,
        "obstacles.kinds": WORDS,
    }


TABLES = SkirmishTables.from_toml(resources.files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))
