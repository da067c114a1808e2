"""dot_trooper: hex-dot maps, troopers with jet packs, two-dot bikes that skid.

Read `units` (the cards of vehicles and troopers, held to what `unit_fields` and `figures` allow), `riding` (what a
vehicle may do next), `poses` and `ground` (where), then `judge` beside `drive_states` (the compiler). `drive`,
`damage`, `skids` and `fire` play it, `aiming` says what can be attacked; `foot`, `airborne` and `flight` do the same
for troopers; `other_actions` is all they do besides.

`reach` says where a unit can end, `odds` with what chance, `why` why not, with `landings` of flights and `exposure`:
who could fire where. `planning` finds the way to a goal and lists orders, `outcomes` tells how a plan can end.
`ruleset` is what the engine plays.
"""

from simulator.rulesets.dot_trooper.ruleset import RULESET, DotTrooper

__all__ = ["RULESET", "DotTrooper"]
