"""How a flight may continue, apart from the dot it is over: a `Flight`, and the list of all of them.

The judge follows a flight along an order; the compiler takes every flight as a phase of its search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.tables import Tables


@dataclass(frozen=True, slots=True)
class Wings:
    """The figures of a flight: its length, levels by length, what may be flown over."""

    least: int
    most: int
    dots_per_level: int
    clearance: str

    @classmethod
    def of(cls, tables: Tables, clearance: str) -> Wings:
        """Return the figures in force."""
        return cls(tables["flight.least"], tables["flight.most"], tables["flight.dots_per_level"], clearance)

    @clause("DT-13", "DT-14")
    def levels_for(self, dots: int) -> int:
        """Return the levels by which a flight of `dots` dots may change its elevation.

        >>> Wings(6, 16, 3, "ceiling").levels_for(10)
        3
        """
        return dots // self.dots_per_level

    @clause("DT-8", "DT-9")
    def is_long_enough(self, dots: int) -> bool:
        """Whether a flight may be `dots` dots long."""
        return self.least <= dots <= self.most


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight after some number of dots.

    By ceiling it is planned with a number of levels, and so with a range of lengths; by profile its altitude is
    tracked, and the level changes used. `door` is true while it is on an opening dot on its way out (DT-12).
    """

    from_level: int
    dots: int = 0
    planned: int = 0
    altitude: int = 0
    used: int = 0
    door: bool = False


@clause("DT-13")
def highest_top(wings: Wings, flight: Flight) -> int | None:
    """Return the highest top that may be under a flight where it is now, None if it does not matter."""
    if wings.clearance == "ceiling":
        return flight.from_level + flight.planned
    return flight.altitude if wings.clearance == "profile" else None


@clause("DT-13")
def may_land(wings: Wings, flight: Flight, level: int) -> bool:
    """Whether a flight may come down at a level now."""
    if flight.door or not wings.is_long_enough(flight.dots):
        return False
    if wings.clearance == "profile":
        return flight.altitude == level
    if wings.clearance == "ceiling" and wings.levels_for(flight.dots) != flight.planned:
        return False
    return abs(level - flight.from_level) <= wings.levels_for(flight.dots)


@clause("DT-13")
def onward(wings: Wings, flight: Flight) -> Iterator[Flight]:
    """Yield the states a flight may have one dot on, whatever lies below."""
    dots = flight.dots + 1
    if dots > wings.most or (wings.clearance == "ceiling" and wings.levels_for(dots) > flight.planned):
        return
    if wings.clearance != "profile":
        yield replace(flight, dots=dots, door=False)
        return
    for change in range(flight.used - wings.levels_for(dots), wings.levels_for(dots) - flight.used + 1):
        used = flight.used + abs(change)
        yield replace(flight, dots=dots, altitude=flight.altitude + change, used=used, door=False)


@clause("DT-13")
def take_offs(wings: Wings, level: int) -> tuple[Flight, ...]:
    """Return the flights that can begin from a level: by ceiling one for each number of levels."""
    if wings.clearance == "ceiling":
        plans = range(wings.levels_for(wings.least), wings.levels_for(wings.most) + 1)
        return tuple(Flight(level, planned=plan) for plan in plans)
    return (Flight(level, altitude=level),)


@kept(megabytes=32)
def all_flights(wings: Wings, level: int) -> tuple[Flight, ...]:
    """Return every flight from a level after at least one dot, shorter ones first."""
    known: dict[Flight, None] = {}
    waiting = [flight for begun in take_offs(wings, level) for flight in onward(wings, begun)]
    waiting += [replace(flight, door=True) for flight in waiting]
    while waiting:
        flight = waiting.pop()
        if flight not in known:
            known[flight] = None
            waiting += onward(wings, flight)
    return tuple(sorted(known, key=lambda one: (one.dots, one.planned, one.altitude, one.used, one.door)))


@kept(megabytes=32)
def landing_flights(wings: Wings, level: int, landings: tuple[int, ...]) -> tuple[Flight, ...]:
    """Return those of all flights that may still come down on one of some levels: a search needs no others."""
    flights = all_flights(wings, level)
    lands: dict[Flight, bool] = {}
    for flight in reversed(flights):
        now = any(may_land(wings, flight, landing) for landing in landings)
        lands[flight] = now or any(lands[after] for after in onward(wings, flight))
    return tuple(flight for flight in flights if lands[flight])


def flight_phase(flight: Flight, changes: int = 0) -> str:
    """Name the phase of a flight; `changes` of posture before it are counted where they matter."""
    words = [f"flying from level {flight.from_level}, {flight.dots} dots"]
    if flight.planned:
        words.append(f"up to {flight.planned} levels")
    if flight.used or flight.altitude:
        words.append(f"at level {flight.altitude} after {flight.used} changes")
    if flight.door:
        words.append("in the opening")
    if changes:
        words.append(f"posture changed {changes} times")
    return ", ".join(words)
