"""Reach: where a soldier can legally end, at what cost, with what chance, and why not elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.rulesets.skirmish.units import SkirmishTable
from simulator.rulesets.skirmish.why.reasons import against
from simulator.rulesets.skirmish.why.remedies import Explained


class SkirmishReach(Explained):
    """Where a soldier can end with a number of AP, how surely, and why not elsewhere."""

    def against(self, place: XY) -> tuple[Sequence[Breach], str]:
        """Return every reason why the soldier cannot end at a place, and what would help."""
        return against(self, place)

    def about(self) -> dict[str, Any]:
        """Return the AP of the question."""
        return {"ap": self.ap}


# --- questions ---


def reach_of(
    table: SkirmishTable,
    unit: Unit,
    action: str,
    ap: int | None = None,
    threshold: int = 0,
    token: bool | None = None,
    stance: str | None = None,
) -> SkirmishReach:
    """Compute where a soldier can end: in its whole activation (`turn`), or with one move, run or traverse.

    `ap` limits its AP, `threshold` is what it may suffer, `token` whether it has to end with the Running token.
    `stance` is "any" if it may change its stance on the way, as it may in its activation, or "kept".
    """
    figures, left = table.tables, int(unit["ap"])
    most = {
        "turn": left if ap is None else ap,
        "move": int(figures["cost.move"]),
        "run": int(figures["cost.run.ap"]),
        "traverse": int(table.options.traverse_ap),
    }
    return SkirmishReach(
        table,
        unit,
        min(most[action], left),
        action=action,
        threshold=threshold,
        token=token,
        moving=action in ("turn", "move"),
        running=action in ("turn", "run"),
        traversing=action in ("turn", "traverse"),
        changing=action == "turn" and stance != "kept",
    )
