"""Where a flight from one dot can land, and by which dots, when that depends on the whole flight.

Under `flight_length: displacement` the distance between take-off and landing counts, under `flight_path: no_revisit`
no dot may be visited twice. Neither fits into a table of steps, so each take-off is searched by itself: dot by dot,
all places at once, and the way is traced backwards from the landing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.geometry.hex_lattice import DIRECTIONS, Dot, distance, distances, step
from simulator.rulesets.dot_trooper.airborne import Flight, Wings, highest_top, onward, take_offs
from simulator.rulesets.dot_trooper.flight import wings_of
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, Mask, arrived
from simulator.rulesets.dot_trooper.units import DTTable

#: A flight at some point, and how many of its waypoints it has passed.
Stage = tuple[Flight, int]
#: Where flights can be after a number of dots.
Layer = dict[Stage, Mask]
#: After this many failed tries of a way without a repeat, dead ends are detected beforehand.
_PATIENCE = 50
#: More moments to fire than any flight has.
_NEVER = 2**30


@clause("DT-8")
def looks_at_whole_flights(table: DTTable) -> bool:
    """Whether an option needs more than a table of steps can express; a straight flight is as long as its reach."""
    options = table.options
    far = options.flight_length == "displacement" and options.flight_path != "straight"
    return far or options.flight_path == "no_revisit"


class Skies:
    """All flights from one dot and level, or those through some waypoints in their order.

    `exposed` counts how often a flyer over each dot can be fired at, [row, column].
    """

    def __init__(
        self,
        table: DTTable,
        ground: DotSurroundings,
        start: Dot,
        level: int,
        via: Sequence[Dot] = (),
        exposed: NDArray[np.int64] | None = None,
    ) -> None:
        self.exposed = np.zeros(ground.board.shape, np.int64) if exposed is None else exposed
        self.ground, self.board, self.start, self.level = ground, ground.board, start, level
        self.via = tuple(dot for number, dot in enumerate(via) if (start, *via)[number] != dot)
        self.wings: Wings = wings_of(table)
        #: For each flight its possible states one dot on, and where.
        self._next: dict[Flight, dict[Flight, Mask]] = {}
        self._by_distance = table.options.flight_length == "displacement"
        self._no_revisit = table.options.flight_path == "no_revisit"
        self._top = ground.board.top.astype(np.int64)
        self._inside = ground.at(ground.indoors(level), start)
        self._not_in = ~ground.indoors(level) & ground.board.present

    # --- dot by dot ---

    @cached_property
    @clause("DT-12")
    def _windows(self) -> Mask:
        """Where the first dot leads out at once: by a window or door, or from an opening: [direction, row, column]."""
        return np.asarray(self.ground.windows(self.level) | self.board.openings)

    @cached_property
    def layers(self) -> list[Layer]:
        """Where flights can be after 0, 1, 2 ... dots."""
        here: Mask = np.zeros(self.board.shape, np.bool_)
        here[self.board.index(self.start)] = True
        found: list[Layer] = [{(flight, 0): here for flight in take_offs(self.wings, self.level)}]
        for _ in range(self.wings.most):
            layer: Layer = {}
            for (flight, passed), mask in found[-1].items():
                for after in self.afterwards(flight):
                    for behind, over in self._split(passed, self._arrivals(flight, mask, after)):
                        if over.any():
                            stage = after, behind
                            layer[stage] = layer[stage] | over if stage in layer else over
            found.append(layer)
        return found

    def _split(self, passed: int, over: Mask) -> Iterator[tuple[int, Mask]]:
        """Split off the flights that have reached their next waypoint."""
        if passed == len(self.via) or not self.ground.at(over, self.via[passed]):
            yield passed, over
            return
        here = np.zeros_like(over)
        here[self.board.index(self.via[passed])] = True
        yield passed, over & ~here
        yield passed + 1, here

    def afterwards(self, flight: Flight) -> Iterator[Flight]:
        """Yield the states a flight may have one dot on; on its first dot out of a building it may be in an opening."""
        if self._by_distance and self.wings.clearance == "ceiling":
            # The levels planned are those of the distance, however many dots the way there has.
            afterwards = [replace(flight, dots=flight.dots + 1, door=False)]
        else:
            afterwards = list(onward(self.wings, flight))
        yield from afterwards
        if flight.dots == 0 and self._inside:
            yield from (replace(after, door=True) for after in afterwards)

    def _arrivals(self, flight: Flight, mask: Mask, after: Flight) -> Mask:
        """Compute where flights that were at some places can be one dot on."""
        over = np.zeros(self.board.shape, np.bool_)
        may = self._may_arrive(flight, after)
        windows = self._windows if flight.dots == 0 and self._inside and not after.door else None
        for way in range(len(DIRECTIONS)):
            left = mask if windows is None else mask & windows[way]
            over |= arrived(left, way + 3)
        return over & may

    def _may_arrive(self, flight: Flight, after: Flight) -> Mask:
        """Compute where a flight may be with its next dot, wherever it comes from."""
        limit = highest_top(self.wings, after)
        low = self.board.present if limit is None else self.board.present & (self._top <= limit)
        if after.door:
            low = self.board.openings & (low | ~self._not_in) & self.board.present
        elif flight.door or (flight.dots == 0 and self._inside):
            low = low & self._not_in
        if self._no_revisit:
            low = low.copy()
            low[self.board.index(self.start)] = False
        return np.asarray(low)

    # --- landing ---

    @cached_property
    def _distances(self) -> NDArray[np.int64]:
        rows, columns = np.indices(self.board.shape)
        q, r = columns + self.board.first[0], rows + self.board.first[1]
        return np.asarray(distances(q - self.start[0], r - self.start[1]), np.int64)

    @clause("DT-8", "DT-13", "DT-16")
    def _lands(self, flight: Flight) -> Mask:
        """Compute where a flight may land in its current state."""
        if flight.door:
            return np.zeros(self.board.shape, np.bool_)
        counted = self._distances if self._by_distance else np.full(self.board.shape, flight.dots)
        levels = counted // self.wings.dots_per_level
        fits = (self.wings.least <= counted) & (counted <= self.wings.most) & (abs(self._top - self.level) <= levels)
        if self.wings.clearance == "ceiling":
            fits &= levels == flight.planned
        if self.wings.clearance == "profile":
            fits &= self._top == flight.altitude
        return np.asarray(fits & self.ground.landing)

    @cached_property
    def _touchdowns(self) -> list[tuple[Stage, Mask]]:
        """Every way to land, those after fewer dots first."""
        last = len(self.via)
        ends = ((stage, mask & self._lands(stage[0])) for layer in self.layers for stage, mask in layer.items())
        return [(stage, mask) for stage, mask in ends if stage[1] == last and mask.any()]

    def coming_down(self, dot: Dot, length: int) -> Iterator[Stage]:
        """Yield the states of flights that land on a dot after `length` dots."""
        at = self.board.index(dot)
        return (stage for stage, mask in self._touchdowns if stage[0].dots == length and mask[at])

    def landings(self, known: Mask | None = None) -> Mask:
        """Return every dot on which a flight can land, except those already known."""
        near = self.ground.landing & (self._distances <= self.wings.most)
        near &= True if known is None else ~known
        found = np.zeros(self.board.shape, np.bool_)
        if not near.any():
            return found
        for _, mask in self._touchdowns:
            found |= mask & near
        if self._no_revisit:
            sure = self._sure_without_repeat
            for row, column in np.argwhere(found & ~sure).tolist():
                found[row, column] = self._shortest_way(self.board.place_at(row, column)) is not None
        return found

    @cached_property
    def _sure_without_repeat(self) -> Mask:
        """Where a flight lands as early as any gets there: a shortest way visits no dot twice.

        With a tracked altitude a longer way can be needed to climb, and nothing is sure.
        """
        sure = np.zeros(self.board.shape, np.bool_)
        if self.wings.clearance == "profile" or self.via:
            return sure
        seen: dict[int, Mask] = {}
        for layer in self.layers:
            for (flight, _), mask in layer.items():
                before = seen.get(flight.planned, np.zeros_like(sure))
                if not flight.door:
                    sure |= mask & ~before & self._lands(flight)
                seen[flight.planned] = before | mask
        return sure

    # --- ways ---

    def way_to(self, dot: Dot) -> tuple[Dot, ...] | None:
        """Return the dots of a flight that lands on a dot, None if there is none.

        It is the shortest of those with the fewest moments to fire.
        """
        if not self.exposed.any():
            return self._shortest_way(dot)
        found = self._least_exposed_way(dot)
        if found is None or not self._no_revisit or len({self.start, *found}) > len(found):
            return found
        return self._least_exposed_without_repeat(dot)

    def _stages_by_length(self, dot: Dot) -> list[frozenset[Stage]]:
        """Return the states of flights that land on a dot, by their length, the shortest first."""
        at = self.board.index(dot)
        by_length: dict[int, set[Stage]] = {}
        for stage, mask in self._touchdowns:
            if mask[at]:
                by_length.setdefault(stage[0].dots, set()).add(stage)
        return [frozenset(by_length[length]) for length in sorted(by_length)]

    def _shortest_way(self, dot: Dot) -> tuple[Dot, ...] | None:
        search = _Backwards(self, dot, self._no_revisit)
        ways = (search.way(stages) for stages in self._stages_by_length(dot))
        return next((way for way in ways if way is not None), None)

    @clause("DT-8", "DT-17")
    def _least_exposed_without_repeat(self, dot: Dot) -> tuple[Dot, ...] | None:
        """Return the flight without a repeat with the fewest moments to fire, the shortest of those.

        The shortest flight provides the first bound; it is lowered down to the least that any flight has, with repeats
        or without.
        """
        shortest = self._shortest_way(dot)
        if shortest is None:
            return None
        at, ends = self.board.index(dot), self._stages_by_length(dot)
        enough = sum(int(self.exposed[self.board.index(one)]) for one in shortest[:-1])
        fewest = min(int(self._exposures[stage[0].dots][stage][at]) for stages in ends for stage in stages)
        for most in range(fewest, enough):
            search = _Backwards(self, dot, self._no_revisit, most)
            ways = (search.way(self.within(dot, stages, most)) for stages in ends)
            if (found := next((way for way in ways if way is not None), None)) is not None:
                return found
        return shortest

    def within(self, dot: Dot, stages: frozenset[Stage], most: int, spent: int = 0) -> frozenset[Stage]:
        """Return the flights at a dot that can get there with at most `most` moments to fire, later ones included."""
        at, least = self.board.index(dot), self._exposures
        return frozenset(stage for stage in stages if spent + int(least[stage[0].dots][stage][at]) <= most)

    @clause("DT-17")
    def _least_exposed_way(self, dot: Dot) -> tuple[Dot, ...] | None:
        """Return the flight to a dot with the fewest moments to fire, the shortest of those.

        The dots strictly between take-off and landing count. It may visit a dot twice, allowed or not.
        """
        at, least = self.board.index(dot), self._exposures
        ends = [
            (int(least[stage[0].dots][stage][at]), stage[0].dots, number, stage)
            for number, (stage, mask) in enumerate(self._touchdowns)
            if mask[at]
        ]
        if not ends:
            return None
        _, _, _, stage = min(ends)
        way = [dot]
        while stage[0].dots > 0:
            here = int(least[stage[0].dots][stage][self.board.index(way[-1])])
            way_back = (
                (other, earlier)
                for other, earlier in self.before(way[-1], stage)
                if self._so_far(least, earlier)[self.board.index(other)] == here
            )
            other, stage = min(way_back, key=lambda found: found[0])
            way.append(other)
        return tuple(way[-2::-1])

    @cached_property
    def _exposures(self) -> list[dict[Stage, NDArray[np.int64]]]:
        """Return for flights after 0, 1, 2 ... dots the fewest moments to fire before their current dot."""
        begun = np.where(next(iter(self.layers[0].values())), 0, _NEVER)
        found: list[dict[Stage, NDArray[np.int64]]] = [dict.fromkeys(self.layers[0], begun)]
        for layer in self.layers[1:]:
            least: dict[Stage, NDArray[np.int64]] = {}
            for flight, passed in found[-1]:
                spent = self._so_far(found, (flight, passed))
                for after in self.afterwards(flight):
                    over = self._least_arrivals(flight, spent, after)
                    for behind, here in self._split(passed, over < _NEVER):
                        stage = after, behind
                        if stage in layer and here.any():
                            there = np.where(here, over, _NEVER)
                            least[stage] = np.minimum(least[stage], there) if stage in least else there
            found.append(least)
        return found

    def _so_far(self, least: list[dict[Stage, NDArray[np.int64]]], stage: Stage) -> NDArray[np.int64]:
        """Return the moments to fire once a flight leaves its current dot; at take-off nobody fires at a flyer."""
        dots = stage[0].dots
        return np.asarray(np.minimum(least[dots][stage] + (self.exposed if dots else 0), _NEVER))

    def _least_arrivals(self, flight: Flight, spent: NDArray[np.int64], after: Flight) -> NDArray[np.int64]:
        """Return the moments to fire of flights, where they can be one dot on."""
        over = np.full(self.board.shape, _NEVER)
        windows = self._windows if flight.dots == 0 and self._inside and not after.door else None
        for way in range(len(DIRECTIONS)):
            left = spent if windows is None else np.where(windows[way], spent, _NEVER)
            over = np.minimum(over, arrived(left, way + 3, _NEVER))
        return np.asarray(np.where(self._may_arrive(flight, after), over, _NEVER))

    def all_before(self, dot: Dot, stages: frozenset[Stage]) -> dict[Dot, frozenset[Stage]]:
        """Compute where flights can have been one dot before, with all their possible states."""
        found: dict[Dot, set[Stage]] = {}
        for stage in stages:
            for other, earlier in self.before(dot, stage):
                found.setdefault(other, set()).add(earlier)
        return {other: frozenset(found[other]) for other in sorted(found)}

    def before(self, dot: Dot, stage: Stage) -> Iterator[tuple[Dot, Stage]]:
        """Yield where a flight can have been one dot before, and its state there."""
        at = self.board.index(dot)
        flight, passed = stage
        for (earlier, behind), mask in self.layers[flight.dots - 1].items():
            if behind + (self.via[behind : behind + 1] == (dot,)) != passed:
                continue
            if earlier not in self._next:
                self._next[earlier] = {after: self._may_arrive(earlier, after) for after in self.afterwards(earlier)}
            if flight not in self._next[earlier] or not self._next[earlier][flight][at]:
                continue
            for way in range(len(DIRECTIONS)):
                other = step(dot, way + 3)
                if not self.ground.at(mask, other):
                    continue
                by_window = earlier.dots == 0 and self._inside and not flight.door
                if not by_window or self.ground.at(self._windows[way], other):
                    yield other, (earlier, behind)


class _Backwards:
    """Searches a flight to a dot from its last dot to its first; `most` limits the moments to fire."""

    def __init__(self, skies: Skies, goal: Dot, no_revisit: bool, most: int | None = None) -> None:
        self.skies, self.goal, self.no_revisit, self.most = skies, goal, no_revisit, most
        self.tries = 0
        self.rooms: _Rooms | None = None
        #: Failed tries: where, in which state, and which dots that still matter had been visited.
        self.vain: set[tuple[Dot, frozenset[Stage], frozenset[Dot] | int, int]] = set()

    def way(self, stages: frozenset[Stage]) -> tuple[Dot, ...] | None:
        """Return the dots of a flight that ends in one of these states, all of one length, None if there is none."""
        if not stages:
            return None
        (length,) = {stage[0].dots for stage in stages}
        self.tries, self.rooms = 0, None
        found = self._from(self.goal, length, stages, (self.goal,), 0)
        return None if found is None else found[::-1][1:]

    def _from(
        self, dot: Dot, left: int, stages: frozenset[Stage], been: tuple[Dot, ...], fired: int
    ) -> tuple[Dot, ...] | None:
        if left == 0:
            return been
        self.tries += 1
        if self.no_revisit and self.rooms is None and self.tries > _PATIENCE:
            self.rooms = _Rooms(self.skies, self.goal, left + len(been) - 1)
        rooms = self.rooms
        room = 0 if rooms is None else rooms.left(dot, left, been)
        matters = self._that_matter(dot, left, been) if rooms is None else rooms.that_matter(left, been)
        key = (dot, stages, matters, fired)
        if key in self.vain:
            return None
        if rooms is None or room:
            for other, earlier in self.skies.all_before(dot, stages).items():
                if not (self.no_revisit and other in been) and (rooms is None or room & rooms.bit(other)):
                    spent, within = self._fired_at(other, left - 1, earlier, fired)
                    found = self._from(other, left - 1, within, (*been, other), spent) if within else None
                    if found is not None:
                        return found
        self.vain.add(key)
        return None

    def _fired_at(self, dot: Dot, left: int, stages: frozenset[Stage], fired: int) -> tuple[int, frozenset[Stage]]:
        """Return the moments to fire from a dot on, and the states there with few enough before it."""
        if self.most is None:
            return 0, stages
        spent = fired + (int(self.skies.exposed[self.skies.board.index(dot)]) if left else 0)
        return spent, self.skies.within(dot, stages, self.most, spent)

    def _that_matter(self, dot: Dot, left: int, been: Sequence[Dot]) -> frozenset[Dot]:
        """Return the dots flown over that could recur on a way home of `left` dots."""
        if not self.no_revisit:
            return frozenset()
        start = self.skies.start
        return frozenset(one for one in been if distance(dot, one) + distance(one, start) <= left)


class _Rooms:
    """The room that a flight to a dot has left, used to detect dead ends before flying into them.

    A set of dots is one integer with a bit for each dot of the map, padded by a column: the dots next to those of a set
    are then six shifts away.
    """

    def __init__(self, skies: Skies, goal: Dot, length: int) -> None:
        self.skies = skies
        self._width = skies.board.shape[1] + 1
        #: After how many dots a flight to the goal can be where.
        self._over = [self._set_of(mask) for mask in self._backwards(goal, length)]
        self._up_to = [0]
        for over in self._over:
            self._up_to.append(self._up_to[-1] | over)
        self._home = self.bit(skies.start)

    def _backwards(self, goal: Dot, length: int) -> list[Mask]:
        """Compute, for 0, 1, 2 ... dots, where flights that end on the goal after that many can be, with repeats."""
        layers, here = self.skies.layers, np.zeros(self.skies.board.shape, np.bool_)
        here[self.skies.board.index(goal)] = True
        ends = self.skies.coming_down(goal, length)
        now: dict[Flight, Mask] = {flight: here for flight, _ in ends}
        found = [here]
        for layer in reversed(layers[:length]):
            spread = {flight: _beside(mask) for flight, mask in now.items()}
            now = {}
            for (flight, _), mask in layer.items():
                for after in self.skies.afterwards(flight):
                    if after in spread:
                        now[flight] = now.get(flight, False) | (mask & spread[after])
            found.append(np.logical_or.reduce(list(now.values())))
        return found[::-1]

    def _set_of(self, mask: Mask) -> int:
        wide = np.pad(mask, ((0, 0), (0, 1)))
        return int.from_bytes(np.packbits(wide, axis=None, bitorder="little").tobytes(), "little")

    def bit(self, dot: Dot) -> int:
        """Return the set of one dot."""
        row, column = self.skies.board.index(dot)
        return 1 << (row * self._width + column)

    def _next_to(self, dots: int) -> int:
        """Return the dots next to those of a set, and perhaps some beside the map."""
        width = self._width
        there = dots << 1 | dots << width | dots << (width - 1)
        return there | dots >> 1 | dots >> width | dots >> (width - 1)

    def _of(self, been: Sequence[Dot]) -> int:
        dots = 0
        for dot in been:
            dots |= self.bit(dot)
        return dots

    def that_matter(self, left: int, been: Sequence[Dot]) -> int:
        """Return the dots flown over that could recur with `left` dots left."""
        return self._up_to[left] & self._of(been)

    def left(self, dot: Dot, left: int, been: Sequence[Dot]) -> int:
        """Compute where a flight can have been one dot before, empty if there is no way home or no room for it."""
        gone, here = self._of(been), self.bit(dot)
        back = [here]
        for over in reversed(self._over[:left]):
            back.append(self._next_to(back[-1]) & over & ~gone)
        if not back[-1] & self._home:
            return 0
        forth = self._home
        room = forth
        for number in range(1, left):
            forth = self._next_to(forth) & back[left - number]
            room |= forth
        if room.bit_count() < left or self._between(here, room) < left:
            return 0
        return forth

    def _between(self, here: int, room: int) -> int:
        """Count the dots that a way home without a repeat can pass, including the take-off.

        Every way home passes the dots without which there is none. A part attached by only one of them offers no room.
        """
        # From a depth-first search: the number of each dot, the earliest dot that its subtree touches without it, and
        # how many dots of its subtree count.
        seen, low, counted = {here: 0}, {here: 0}, {here: 0}
        waiting = [(here, self._next_to(here) & room)]
        while True:
            dot, others = waiting.pop()
            if others:
                other = others & -others
                waiting.append((dot, others ^ other))
                if other in seen:
                    low[dot] = min(low[dot], seen[other])
                else:
                    seen[other] = low[other] = len(seen)
                    counted[other] = 0
                    waiting.append((other, self._next_to(other) & (room | here) & ~dot))
            elif not waiting:
                return counted[here]
            else:
                above = waiting[-1][0]
                low[above] = min(low[above], low[dot])
                leads_home = seen.get(self._home, -1) >= seen[dot]
                if leads_home or low[dot] < seen[above]:
                    counted[above] += counted[dot] + 1


def _beside(mask: Mask) -> Mask:
    over = np.zeros_like(mask)
    for way in range(len(DIRECTIONS)):
        over |= arrived(mask, way)
    return over
