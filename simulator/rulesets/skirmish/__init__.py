"""skirmish: soldiers on round bases, action points, rough ground and obstacles on an inch table.

Read `units` (what soldiers have), `obstruction` (what bars a way, what is rough), `movement` (lines, lengths, the judge
of a line), `rolls`, `traverse` and `dodging`; then `actions`, which put them together. `judge` lists why an order is
forbidden, `reach` where a soldier can go, `odds` with what chance, `why` why not; `planner_tables` prepares the table
for the planner. `ruleset` is what the engine plays.
"""

from simulator.rulesets.skirmish.ruleset import RULESET, Skirmish, make_soldier

__all__ = ["RULESET", "Skirmish", "make_soldier"]
