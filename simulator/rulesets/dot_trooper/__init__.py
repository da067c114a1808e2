"""dot_trooper: hex-dot maps, troopers with jet packs, two-dot bikes that skid. `RULESET` is what the engine plays.

Read `riding.py` (what a vehicle may do next), `poses.py` and `ground.py` (where), then `plan.py` (the judge) beside
`driving.py` (the compiler). `drive.py`, `damage.py`, `skids.py` and `fire.py` play it, `aiming.py` says what can be
attacked; `foot.py`, `airborne.py` and `flight.py` do the same for troopers; `errands.py` is all they do besides.
`cards.py` reads the cards, `figures.py` and `card_fields.py` check what is written on them.

Questions of reach are answered by `reach.py`: `drive_reach.py` with `odds.py` and `why_drive.py`, `foot_reach.py` with
`landings.py` and `why_foot.py`. `planning.py` finds the way to a goal and lists orders, `outcomes.py` tells how a plan
can end.
"""

from simulator.rulesets.dot_trooper.ruleset import RULESET, DotTrooper

__all__ = ["RULESET", "DotTrooper"]
