"""The clock: the position of a game in its turn, as plain data. It is advanced by `turns`.

A turn is a list of phases, fixed when the turn begins. In each phase every unit that can act has one go. The order
of the goes depends on the phase:

    alternate   the sides take turns, one unit each, until all have had their go
    sides       one side makes all its goes, then the next
    listed      the units in a listed order: initiative
    any         any unit named next; a go rests while others act and may be continued later
    nobody      nobody acts: explosions, upkeep
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from simulator.engine.errors import either
from simulator.engine.values import Fields

ORDERS = ("alternate", "sides", "listed", "any", "nobody")


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a turn: its name, the order of its goes, and its clause."""

    name: str
    order: str = "alternate"
    clause: str = ""

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise ValueError(f"the order of a phase is {either(ORDERS)}, not {self.order!r}")

    def to_value(self) -> tuple[str, str, str]:
        """Return the phase as plain data."""
        return self.name, self.order, self.clause


@dataclass(frozen=True, slots=True)
class Clock:
    """The position of the game in its turn. Turn 0 is before the beginning."""

    turn: int = 0
    phases: tuple[Phase, ...] = ()
    number: int = 0
    sides: tuple[str, ...] = ()
    #: The side to move; empty if any side may move, or none.
    side: str = ""
    #: The unit whose go has begun; empty between two goes.
    unit: str = ""
    #: The units that have had their go in this phase.
    done: tuple[str, ...] = ()
    #: The units whose go rests while another acts, in a phase in which any may act.
    resting: tuple[str, ...] = ()
    #: The order of the goes in a listed phase.
    line: tuple[str, ...] = ()
    over: bool = False

    @property
    def phase(self) -> Phase | None:
        """The current phase, None before the beginning."""
        return self.phases[self.number] if self.phases else None

    def to_fields(self) -> Fields:
        """Return the clock as plain data."""
        phases = tuple(phase.to_value() for phase in self.phases)
        names = ("turn", "number", "sides", "side", "unit", "done", "resting", "line", "over")
        return Fields({**{name: getattr(self, name) for name in names}, "phases": phases})

    def put(self, values: Mapping[str, Any]) -> Clock:
        """Return the clock with some values changed, phases as plain data."""
        if "phases" in values:
            values = {**values, "phases": tuple(Phase(*phase) for phase in values["phases"])}
        return Clock(**{**dict(zip(_NAMES, _values_of(self), strict=True)), **values})

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Clock:
        """Rebuild the clock from its data."""
        return cls().put(fields)

    def __str__(self) -> str:
        if not self.turn:
            return "before the beginning"
        if self.over:
            return f"turn {self.turn}, over"
        who = self.unit or self.side
        return f"turn {self.turn}, {self.phase.name if self.phase else ''}" + (f", {who} to move" if who else "")


_NAMES = tuple(part.name for part in fields(Clock))
_values_of = attrgetter(*_NAMES)
