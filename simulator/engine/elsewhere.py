"""A unit at another place: the tables on which it stands there, everything else as it is, and nothing newly wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.engine.table import Table


class Relocating(Protocol):
    """The part of a `Ruleset` about units at other places."""

    def placements(self, table: Table[Any], unit: Unit, place: Any) -> Iterable[Table[Any]]:
        """Return tables with a unit at another place or pose, one for each way in which it can be there."""

    def faults(self, table: Table[Any]) -> Iterable[Breach]:
        """Return all faults of a position."""

    def reach(self, table: Table[Any], unit: Unit, action: str, **question: Any) -> Any:
        """Compute where a unit can legally end with an action."""


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """A unit that is put at other places of a table, and what the rules have against that."""

    ruleset: Relocating
    #: The table on which its go has begun.
    table: Table[Any]
    mover: Unit

    def tables(self, place: Any) -> Iterator[Table[Any]]:
        """Yield the tables on which it stands at a place or in a pose, one for each way in which it may."""
        for table in self.ruleset.placements(self.table, self.mover, place):
            if not self.against(table):
                yield table

    def breaches(self, place: Any) -> list[Breach]:
        """Return what the rules have against standing at a place, whatever the way."""
        tables = self.ruleset.placements(self.table, self.mover, place)
        return [fault for table in tables for fault in self.against(table)]

    def against(self, table: Table[Any]) -> list[Breach]:
        """Return the faults of a position that the original position does not have.

        The rules may have put the mover where it could not stand otherwise; that excuses only its current pose.
        """
        mover, there = self.mover, table.unit(self.mover.id)
        as_now = (there.place, there.heading) == (mover.place, mover.heading)
        known = [fault for fault in self._known_faults if as_now or fault.blocker != mover.id or fault.place is None]
        return [fault for fault in self.ruleset.faults(table) if fault not in known]

    @cached_property
    def _known_faults(self) -> list[Breach]:
        return list(self.ruleset.faults(self.table))
