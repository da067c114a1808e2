"""combined_arms: infantry, crewed weapons, vehicles and flyers on an inch table, with headings, terrain and altitude.

Read `units` (what pieces are), `rates` (how fast, which ways), `turning` (what rotations cost), `matrix` and `features`
(what terrain does to whom), `overruns` and `bands`; `movement` compiles all of that into the form of the planner.
`judge` lists why a move is forbidden, `actions` plays it, `reach` says where it can end, `why` why not elsewhere.
`ruleset` is what the engine plays.
"""

from simulator.rulesets.combined_arms.ruleset import RULESET, CombinedArms

__all__ = ["RULESET", "CombinedArms"]
