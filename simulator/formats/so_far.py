"""The events of a scenario so far, counted as they happen, so that earlier orders are not scanned again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from simulator.engine.actions import Answered, Happened
from simulator.engine.events import Event
from simulator.engine.ledger import added
from simulator.engine.values import NO_FIELDS, Fields

Thing = TypeVar("Thing")


class Counted(Generic[Thing]):
    """Things in the order in which they happened, each with a name and the unit concerned.

    For one pattern no thing is checked twice, however often the pattern is counted.

    >>> seen = Counted()
    >>> for number in (1, 2, 3, 4):
    ...     seen.add(number, "roll", "ann")
    >>> seen.count("roll", None, "even", lambda number: number % 2 == 0)
    2
    """

    def __init__(self) -> None:
        self._things: dict[tuple[str | None, str | None], list[Thing]] = {}
        #: For each pattern, the number of its things checked so far, and the number of those that met it.
        self._counts: dict[Hashable, tuple[int, int]] = {}

    def add(self, thing: Thing, name: str, who: str) -> None:
        """Add one thing."""
        for key in ((name, who), (name, None), (None, who), (None, None)):
            self._things.setdefault(key, []).append(thing)

    def count(self, name: str | None, who: str | None, pattern: Hashable, meets: Callable[[Thing], bool]) -> int:
        """Count the things of a name and a unit that meet a pattern; None stands for any."""
        things = self._things.get((name, who), [])
        seen, met = self._counts.get((name, who, pattern), (0, 0))
        met += sum(map(meets, things[seen:]))
        self._counts[name, who, pattern] = len(things), met
        return met


class SoFar:
    """The events, questions and prices of all orders so far."""

    def __init__(self) -> None:
        self.events: Counted[Event] = Counted()
        self.asked: Counted[Answered] = Counted()
        self._spent: dict[str, Fields] = {}

    def add(self, happened: Happened) -> None:
        """Add the effects of an order."""
        for event in happened.events:
            self.events.add(event, event.kind, event.unit)
            if event.price:
                self._spent[event.unit] = added(self.spent(event.unit), event.price)
        for entry in happened.answered:
            self.asked.add(entry, entry.question.what, entry.question.who)

    def spent(self, unit: str) -> Fields:
        """Return the amount paid for a unit in each currency."""
        return self._spent.get(unit, NO_FIELDS)
