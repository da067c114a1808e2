"""Answers that also hold on other tables: computed once, and kept until something relevant changes.

Most orders change one unit, and most other units can still reach the same places. Only the ruleset knows which changes
do not affect an answer: see `Ruleset.holding`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from simulator.engine.table import Table

MadeT = TypeVar("MadeT")
#: How many answers are kept for a unit and an action, the latest ones: a longer list would take longer to search.
_LAST = 8


class Holding(Protocol):
    """The tables on which an answer holds: those on which a unit can end at the same places for the same costs."""

    def holds_on(self, table: Table[Any]) -> bool:
        """Whether the answer holds on a table of the same setting on which the unit's go has begun."""


@dataclass(frozen=True, slots=True)
class SamePosition:
    """An answer holds if nothing has changed."""

    position_hash: str

    def holds_on(self, table: Table[Any]) -> bool:
        """Whether units, clock and data are the same."""
        return table.state.position_hash == self.position_hash


@dataclass
class AnswerCache(Generic[MadeT]):
    """Results made from the latest answers about units of one setting, by unit and action."""

    _made: dict[tuple[str, str], deque[tuple[Holding, MadeT]]] = field(default_factory=dict)

    def find(self, table: Table[Any], unit: str, action: str) -> MadeT | None:
        """Return the result of an answer that holds on a table on which the unit's go has begun; None without one."""
        # The latest change is rarely undone, so the latest answers come first.
        known = reversed(self._made.get((unit, action), ()))
        return next((made for holding, made in known if holding.holds_on(table)), None)

    def keep(self, unit: str, action: str, holding: Holding, made: MadeT) -> None:
        """Keep the result of an answer about a unit, for the tables on which the answer holds."""
        self._made.setdefault((unit, action), deque(maxlen=_LAST)).append((holding, made))
