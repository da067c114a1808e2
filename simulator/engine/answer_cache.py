"""Answers that hold on other tables, too: asked for once, and kept for as long as nothing that matters has changed.

Most orders change one unit, and most of the others can go where they could before. What may change without changing an
answer only the ruleset knows: see `Ruleset.holding`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from simulator.engine.table import Table

MadeT = TypeVar("MadeT")
#: So many answers about a unit and an action are kept, the latest: looking through all would take ever longer.
_LAST = 8


class Holding(Protocol):
    """On which tables an answer holds: there a unit can end at the same places, for the same costs."""

    def holds_on(self, table: Table[Any]) -> bool:
        """Whether the answer holds on a table of the same setting, as it is when the unit's go has begun."""


@dataclass(frozen=True, slots=True)
class SamePosition:
    """An answer holds where nothing has changed at all."""

    position_hash: str

    def holds_on(self, table: Table[Any]) -> bool:
        """Whether units, clock and data are the same."""
        return table.state.position_hash == self.position_hash


@dataclass
class AnswerCache(Generic[MadeT]):
    """What was made of the latest answers about units of one setting, by unit and action."""

    _made: dict[tuple[str, str], deque[tuple[Holding, MadeT]]] = field(default_factory=dict)

    def find(self, table: Table[Any], unit: str, action: str) -> MadeT | None:
        """Return what was made of an answer that holds on a table where the unit's go has begun; None without one."""
        # What has changed last has mostly changed for good.
        known = reversed(self._made.get((unit, action), ()))
        return next((made for holding, made in known if holding.holds_on(table)), None)

    def keep(self, unit: str, action: str, holding: Holding, made: MadeT) -> None:
        """Keep what was made of the answer about a unit, for the tables on which that holds."""
        self._made.setdefault((unit, action), deque(maxlen=_LAST)).append((holding, made))
