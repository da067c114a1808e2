"""The rulebooks by name, each loaded when it is first taken down: `SHELF["dot_trooper"]`."""

from simulator.engine.ruleset import Shelf

#: Installed packages add rulebooks of their own by entry points of this group.
SHELF = Shelf(
    {
        "dot_trooper": "simulator.rulesets.dot_trooper:RULESET",
    },
    group="simulator.rulesets",
)
