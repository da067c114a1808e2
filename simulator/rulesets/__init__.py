"""The rulebooks, each in a folder of its own, and the shelf they stand on. Nothing is loaded before it is taken down.

>>> from simulator.rulesets import SHELF
>>> SHELF["grid_runner"].title
'Grid runner'
"""

from __future__ import annotations

from simulator.engine.ruleset import Shelf

#: Every rulebook by name; installed packages add theirs by entry points of this group.
SHELF = Shelf(
    {
        "grid_runner": "simulator.rulesets.grid_runner:RULESET",
    },
    group="simulator.rulesets",
)
