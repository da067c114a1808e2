"""The rulebooks, each in a folder of its own, and the shelf they stand on. Nothing is loaded before it is taken down.

>>> from simulator.rulesets import SHELF
>>> SHELF["skirmish"].title
'Skirmish'
"""

from __future__ import annotations

from simulator.engine.ruleset import Shelf

#: Every rulebook by name; installed packages add theirs by entry points of this group.
SHELF = Shelf(
    {
        "skirmish": "simulator.rulesets.skirmish:RULESET",
    },
    group="simulator.rulesets",
)
