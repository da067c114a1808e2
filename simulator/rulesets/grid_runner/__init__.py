"""grid_runner: characters on squares of 1, 2 or 5 metres, initiative passes, interception.

Read `units` (who closes, threatens, holds whom), `clock` (the passes, and what may follow what in one), `movement`
(steps, the judge of a path, the move space), `interception` and `tumbling`; then `actions`, which put them together.
`judge` lists why an order is forbidden, `reach` where a character can go, `odds` with what chance, `why` why not;
`ranges` computes how far a weapon carries. `ruleset` is what the engine plays.
"""

from simulator.rulesets.grid_runner.ruleset import RULESET, GridRunner

__all__ = ["RULESET", "GridRunner"]
