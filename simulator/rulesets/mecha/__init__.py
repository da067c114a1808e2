"""The rulebook `mecha`: walkers, vehicles and infantry on an inch table, in two movement phases of each turn.

Half-inch prices under the whole base, free turns, ten move actions, climbing, jumping and falling, carriers, contact.
Its clauses, tables and options stand in `docs/rules/mecha.md`.
"""

from __future__ import annotations

from simulator.rulesets.mecha.ruleset import RULESET

__all__ = ["RULESET"]
