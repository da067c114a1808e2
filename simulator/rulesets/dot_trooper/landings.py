"""Where one flight from one dot can land when what it may be depends on the whole of it: its ends, or all its dots.

Under `flight_length: displacement` the distance between take-off and landing counts, under `flight_path: no_revisit`
no dot may come twice. Neither fits into a table of steps, so each take-off is looked at by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from simulator.engine.clauses import clause
from simulator.geometry.hex_lattice import DIRECTIONS, Dot, distance, step
from simulator.rulesets.dot_trooper.airborne import Flight, Wings, highest_top, may_land, onward, take_offs
from simulator.rulesets.dot_trooper.cards import DTTable
from simulator.rulesets.dot_trooper.flight import wings_of
from simulator.rulesets.dot_trooper.ground import Ground


def looks_at_whole_flights(table: DTTable) -> bool:
    """Whether an option asks for more than a table of steps can say."""
    return table.options.flight_length == "displacement" or table.options.flight_path == "no_revisit"


class _Air:
    """The air above a map for a flight from one dot and level."""

    def __init__(self, table: DTTable, ground: Ground, start: Dot, level: int) -> None:
        self.ground, self.board, self.start, self.level = ground, ground.board, start, level
        self.wings: Wings = wings_of(table)
        self.options = table.options
        self.inside = ground.at(ground.indoors(level), start)

    def top(self, dot: Dot) -> int:
        return int(self.board.top[self.board.index(dot)])

    def is_indoors(self, dot: Dot) -> bool:
        return self.ground.at(self.ground.indoors(self.level), dot)

    def steps(self, dot: Dot, flight: Flight) -> Iterator[tuple[Dot, Flight]]:
        """Give where a flight can be one dot on."""
        for after in self._onward(flight):
            limit = highest_top(self.wings, after)
            for way in range(len(DIRECTIONS)):
                other = step(dot, way)
                if other not in self.board:
                    continue
                low = limit is None or self.top(other) <= limit
                if flight.dots == 0 and self.inside:
                    yield from self._out(dot, other, after, low)
                elif low and not (flight.door and self.is_indoors(other)):
                    yield other, after

    def _onward(self, flight: Flight) -> Iterator[Flight]:
        if self.options.flight_length == "displacement" and self.wings.clearance == "ceiling":
            # The levels planned are those of the distance, however many dots the way there has.
            yield replace(flight, dots=flight.dots + 1, door=False)
        else:
            yield from onward(self.wings, flight)

    def _out(self, dot: Dot, other: Dot, after: Flight, low: bool) -> Iterator[tuple[Dot, Flight]]:
        window = self.ground.barrier_at(dot, other, self.level) in ("window", "door")
        if window and low and not self.is_indoors(other):
            yield other, after
        if self.ground.at(self.board.openings, other) and (low or self.is_indoors(other)):
            yield other, replace(after, door=True)

    def lands(self, dot: Dot, flight: Flight) -> bool:
        """Whether a flight may come down on a dot."""
        if not self.ground.at(self.ground.landing, dot):
            return False
        if self.options.flight_length != "displacement":
            return may_land(self.wings, flight, self.top(dot))
        counted = distance(self.start, dot)
        levels = self.wings.levels_for(counted)
        planned = self.wings.clearance != "ceiling" or flight.planned == levels
        on_level = self.wings.clearance != "profile" or flight.altitude == self.top(dot)
        fits = self.wings.is_long_enough(counted) and abs(self.top(dot) - self.level) <= levels
        return fits and planned and on_level and not flight.door


@clause("DT-8", "DT-12", "DT-13", "DT-16")
def landings(table: DTTable, ground: Ground, start: Dot, level: int) -> set[Dot]:
    """Give every dot on which one flight from a dot and level can land."""
    air = _Air(table, ground, start, level)
    if table.options.flight_path == "straight":
        return set(_straight(air))
    found = set(_any_walk(air))
    if table.options.flight_path == "no_revisit":
        found = {dot for dot in found if dot != start and _without_revisit(air, dot)}
    return found


def _any_walk(air: _Air) -> Iterator[Dot]:
    for begun in take_offs(air.wings, air.level):
        here = {(air.start, begun)}
        for _ in range(air.wings.most):
            here = {after for dot, flight in here for after in air.steps(dot, flight)}
            yield from (dot for dot, flight in here if air.lands(dot, flight))


def _straight(air: _Air) -> Iterator[Dot]:
    for begun in take_offs(air.wings, air.level):
        for way in range(len(DIRECTIONS)):
            here = {(air.start, begun)}
            for _ in range(air.wings.most):
                here = {
                    (other, after)
                    for dot, flight in here
                    for other, after in air.steps(dot, flight)
                    if other == step(dot, way)
                }
                yield from (dot for dot, flight in here if air.lands(dot, flight))


def _without_revisit(air: _Air, goal: Dot) -> bool:
    """Whether some flight to a dot comes to no dot twice: searched with an eye on the dots still to go."""
    waiting = deque((air.start, begun, frozenset((air.start,))) for begun in take_offs(air.wings, air.level))
    while waiting:
        dot, flight, been = waiting.pop()
        if dot == goal:
            if air.lands(dot, flight):
                return True
            continue
        for other, after in air.steps(dot, flight):
            near = after.dots + distance(other, goal) <= air.wings.most
            if other not in been and near:
                waiting.append((other, after, been | {other}))
    return False
