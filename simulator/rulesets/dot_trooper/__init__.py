"""dot_trooper: hex-dot maps, troopers with jet packs, two-dot bikes that skid.

Read `units` (the cards of vehicles and troopers, held to what `unit_fields` and `figures` allow), `riding` (what a
vehicle may do next), `poses` and `surroundings` (where), then `judge` beside `drive_states` (the compiler). `drive`,
`damage`, `skids` and `fire` play it, `aiming` determines what can be attacked; `foot`, `airborne` and `flight` do the
same for troopers; `other_actions` covers everything else they do.

`reach` computes where a unit can end, `odds` with what chance, `why` why not, with `landings` of flights; `exposure`
counts who could fire where. `planning` plans the way to a goal and lists orders, `outcomes` lists how a plan can end.
`ruleset` is what the engine plays.
"""

from simulator.rulesets.dot_trooper.ruleset import RULESET, DotTrooper

__all__ = ["RULESET", "DotTrooper"]
