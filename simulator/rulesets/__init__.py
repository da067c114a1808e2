"""The shelf of rulebooks. Each is loaded when it is first taken down, so naming one costs nothing.

>>> shelf()["grid_runner"].title
'Grid runner'

A package of yours adds a rulebook by an entry point of the group `simulator.rulesets`:

    [project.entry-points."simulator.rulesets"]
    chess = "my_games.chess:RULESET"
"""

from __future__ import annotations

from functools import cache

from simulator.engine.ruleset import Shelf

#: The group of entry points in which other packages offer rulebooks.
GROUP = "simulator.rulesets"
#: The rulebooks that come along: name -> "module:attribute".
OURS: dict[str, str] = {
    "grid_runner": "simulator.rulesets.grid_runner:RULESET",
    "dot_trooper": "simulator.rulesets.dot_trooper:RULESET",
    "skirmish": "simulator.rulesets.skirmish:RULESET",
    "combined_arms": "simulator.rulesets.combined_arms:RULESET",
    "mecha": "simulator.rulesets.mecha:RULESET",
}


@cache
def shelf() -> Shelf:
    """Return all rulebooks by name: those that come along, and those of installed packages."""
    return Shelf(OURS, GROUP)
