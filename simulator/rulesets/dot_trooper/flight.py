"""Jet packs: the judge of a flight, the flight in play, and its compilation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import DIRECTIONS, Dot, distance
from simulator.geometry.poses import Heading, place_text
from simulator.pathing.move_space import Mask, MoveStep
from simulator.rulesets.dot_trooper.airborne import (
    Flight,
    Wings,
    flight_phase,
    highest_top,
    landing_flights,
    may_land,
    onward,
    take_offs,
)
from simulator.rulesets.dot_trooper.damage import hurt_trooper, is_shot_down
from simulator.rulesets.dot_trooper.fire import set_off_later, shots_at_flyer, shots_at_walker
from simulator.rulesets.dot_trooper.foot import against_spending, foot_phase, paid
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, arrived, map_of, not_adjacent, off_the_map
from simulator.rulesets.dot_trooper.units import DTTable, trooper_modifier
from simulator.rulesets.dot_trooper.weapons import fire_ap, weapon
from simulator.wording import measure, with_article


def wings_of(table: DTTable) -> Wings:
    """Return the figures of a flight in force."""
    return Wings.of(table.tables, table.options.flight_clearance)


# --- the judge ---


@clause("DT-7", "DT-9", "DT-10", "DT-28", role="judge")
def against_activating(table: DTTable, trooper: Unit, dropping: int = 0) -> Iterator[Breach]:
    """Yield why a trooper cannot activate a jet pack now, wherever to, with `dropping` AP spent on drops."""
    if trooper["jet_pack"] != "worn":
        yield Breach("DT-7", f"{trooper.id} is not wearing a jet pack", "worn", trooper["jet_pack"])
    if trooper["posture"] != "standing":
        yield Breach("DT-28", f"{trooper.id} is {trooper['posture']}", "standing", trooper["posture"])
    if trooper["jet_pack_used"] or trooper["has_flown"]:
        yield Breach("DT-10", f"{trooper.id} or its jet pack has flown this turn", 1, 0)
    ap = int(table.tables["activity.activate_jet_pack"])
    yield from against_spending(table, trooper, ap + dropping, ap)


def flown_path(order: Order) -> tuple[Dot, ...]:
    """Return the dots of a flight, the landing dot last."""
    return tuple(dot for element in order.elements if element.name == "fly" for dot in element["dots"])


@clause("DT-8", "DT-9", "DT-11", "DT-12", "DT-13", "DT-16", "DT-21", "DT-22", role="judge")
def against_flying(table: DTTable, order: Order) -> Iterator[Breach]:
    """Yield every reason why a flight is forbidden."""
    trooper = table.unit(order.unit)
    yield from against_activating(table, trooper, _ap_of_drops(table, trooper, order))
    if trooper.place is None:
        return
    ground, wings = DotSurroundings.of(table, trooper), wings_of(table)
    path = flown_path(order)
    yield from _against_walk(ground, trooper.place, path)
    off = [dot for dot in path if dot not in ground.board]
    if off or not path:
        if not path:
            yield Breach("DT-9", "a flight has to go somewhere", wings.least, 0)
        return
    counted = counted_dots(table, trooper.place, path)
    if counted < wings.least:
        yield Breach("DT-9", f"{measure(counted, 'dot')} flown", wings.least, counted)
    if counted > wings.most:
        yield Breach("DT-8", f"{measure(counted, 'dot')} flown", counted, wings.most)
    yield from _against_path_option(table, trooper.place, path)
    yield from _against_indoors(ground, trooper.place, trooper["level"], path)
    by_opening = _leaves_by_opening(ground, trooper.place, trooper["level"], path[0])
    yield from _against_landing(ground, wings, trooper["level"], path, counted, by_opening)
    yield from _against_drops(table, trooper, order)


def counted_dots(table: DTTable, start: Dot, path: tuple[Dot, ...]) -> int:
    """Compute the length of a flight: its dots, or by option the distance between its ends (DT-8)."""
    return distance(start, path[-1]) if table.options.flight_length == "displacement" else len(path)


@clause("DT-4", "DT-167", role="judge")
def _against_walk(ground: DotSurroundings, start: Dot, path: tuple[Dot, ...]) -> Iterator[Breach]:
    before = start
    for dot in path:
        if distance(before, dot) != 1:
            yield not_adjacent(before, dot)
        if dot not in ground.board:
            yield off_the_map(dot)
        before = dot


@clause("DT-8", role="judge")
def _against_path_option(table: DTTable, start: Dot, path: tuple[Dot, ...]) -> Iterator[Breach]:
    walk = (start, *path)
    if table.options.flight_path == "no_revisit" and len(set(walk)) < len(walk):
        yield Breach("DT-8", "a flight may not visit a dot twice")
    if table.options.flight_path == "straight":
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(walk)}
        if len(steps) > 1:
            yield Breach("DT-8", "a flight has to go straight")
    most = table.tables["flight.most"]
    if table.options.flight_length == "displacement" and len(path) > most:
        yield Breach("DT-8", f"{len(path)} dots flown, wherever they lead", len(path), most)


@clause("DT-11", "DT-12", role="judge")
def _against_indoors(ground: DotSurroundings, start: Dot, level: int, path: tuple[Dot, ...]) -> Iterator[Breach]:
    if not ground.at(ground.indoors(level), start):
        return
    ways = [path[0]] if ground.at(ground.board.openings, start) else []
    if len(path) > 1 and ground.at(ground.board.openings, path[0]):
        ways.append(path[1])
    if ground.barrier_at(start, path[0], level) in ("window", "door"):
        ways.append(path[0])
    if not ways:
        yield Breach("DT-12", f"{place_text(start)} is indoors, and the way out is not a window or door", place=start)
    elif all(ground.at(ground.indoors(level), out) for out in ways):
        yield Breach("DT-12", f"the opening does not lead out: {place_text(ways[0])} is indoors", place=ways[0])


@clause("DT-13", "DT-16", role="judge")
def _against_landing(
    ground: DotSurroundings, wings: Wings, level: int, path: tuple[Dot, ...], counted: int, by_opening: bool
) -> Iterator[Breach]:
    tops = [int(ground.board.top[ground.board.index(dot)]) for dot in path]
    allowed = wings.levels_for(counted)
    change = abs(tops[-1] - level)
    if change > allowed:
        needed = change * wings.dots_per_level
        yield Breach("DT-13", f"{change} levels take {needed} dots, the flight has {counted}", needed, counted)
    if wings.clearance == "ceiling":
        for number, (dot, top) in enumerate(zip(path, tops, strict=True)):
            if top > level + allowed and not (by_opening and number == 0):
                yield Breach("DT-13", f"{place_text(dot)} rises to level {top}", top, level + allowed, place=dot)
    if wings.clearance == "profile" and not _has_profile(wings, level, tops, by_opening):
        yield Breach("DT-13", "no climb and descent clears what lies below in time", place=path[-1])
    if not ground.at(ground.landing, path[-1]):
        here = int(ground.board.top[ground.board.index(path[-1])])
        blocker = ground.blocker(path[-1], here)
        yield Breach("DT-16", f"one cannot land there: {blocker}", blocker=blocker, place=path[-1])


@clause("DT-12", role="rule")
def _leaves_by_opening(ground: DotSurroundings, start: Dot, level: int, dot: Dot) -> bool:
    """Whether a flight goes from indoors into an opening, and so under the building that contains it."""
    indoors = ground.indoors(level)
    return ground.at(indoors, start) and ground.at(ground.board.openings, dot) and ground.at(indoors, dot)


def _has_profile(wings: Wings, level: int, tops: list[int], by_opening: bool) -> bool:
    """Whether some choice of altitudes clears all tops; an opening at the beginning is passed below, not cleared."""
    states = {(level, 0)}
    for dots, top in enumerate(tops, 1):
        states = {
            (flight.altitude, flight.used)
            for altitude, used in states
            for flight in onward(wings, Flight(level, dots - 1, altitude=altitude, used=used))
            if flight.altitude >= top or (by_opening and dots == 1)
        }
    return any(altitude == tops[-1] for altitude, _ in states)


@clause("DT-21", "DT-22", role="judge")
def _against_drops(table: DTTable, trooper: Unit, order: Order) -> Iterator[Breach]:
    drops = [element for element in order.elements if element.name == "drop"]
    if not drops:
        return
    if weapon(table, trooper["weapon"])["class"] != "grenade":
        held = trooper["weapon"]
        yield Breach("DT-21", f"{trooper.id} has {with_article(held)} in hand", "grenade", held)
    if len(drops) > 1 and table.options.grenade_drops_per_flight == "1":
        yield Breach("DT-21", f"{len(drops)} drops in one flight", len(drops), 1)
    flown = 0
    total = len(flown_path(order))
    for element in order.elements:
        flown += len(element["dots"]) if element.name == "fly" else 0
        if element.name == "drop" and not 0 < flown < total:
            yield Breach("DT-22", "a drop falls on a dot between take-off and landing")


@clause("DT-21", role="rule")
def _ap_of_drops(table: DTTable, trooper: Unit, order: Order) -> int:
    """Return the AP of the drops of a flight, which are not movement."""
    drops = sum(element.name == "drop" for element in order.elements)
    costs = drops and table.options.grenade_drop_ap == "fire_ap"
    return drops * fire_ap(table, trooper["weapon"]) if costs else 0


# --- in play ---


@clause("DT-7", "DT-10", "DT-17", "DT-22")
def fly(table: DTTable, order: Order) -> Action:
    """Fly: pay, cross dot by dot under fire, and land, or fall where a hit lowers the flyer's AP."""
    name = order.unit
    trooper = table.unit(name)
    ap = int(table.tables["activity.activate_jet_pack"])
    changes = [
        change_unit(name, posture="flying", jet_pack_used=True, has_flown=True, **paid(trooper, ap, ap)),
    ]
    yield Event("takes off", name, changes, "DT-7", trooper.place, [LedgerLine("jet pack", 1, ap, "AP", "DT-7")])
    path, flown = [trooper.place], 0
    total = len(flown_path(order))
    fired: tuple[str, ...] = ()
    for element in order.elements:
        if element.name == "drop":
            yield from drop(table, name)
            continue
        for dot in element["dots"]:
            flown += 1
            path.append(dot)
            yield Event("flies", name, [change_unit(name, place=dot)], "DT-8", dot)
            if flown == total:
                break
            before = table.unit(name)
            fired = yield from shots_at_flyer(table, name, fired)
            if is_shot_down(table, before, name):
                yield from fall(table, name, tuple(path))
                return
    top = int(map_of(table).top[map_of(table).index(path[-1])])
    yield Event("lands", name, [change_unit(name, posture="standing", level=top)], "DT-16", path[-1])
    yield from shots_at_walker(table, name, fired)


@clause("DT-21", "DT-22", "DT-23", "DT-24")
def drop(table: DTTable, name: str) -> Action:
    """Drop the grenade in hand on the dot below."""
    trooper = table.unit(name)
    if table.options.grenade_drop_ap == "fire_ap":
        ap = fire_ap(table, trooper["weapon"])
        price = [LedgerLine("drop", 1, ap, "fire AP", "DT-21")]
        yield Event("drops", name, [change_unit(name, **paid(trooper, ap))], "DT-21", trooper.place, price)
    tn = int(table.tables["flight.grenade_tn"]) + trooper_modifier(table, trooper)
    tn += table.options.grenade_drop_movement_mod
    yield set_off_later(table, trooper, trooper["weapon"], trooper.place, tn)


@clause("DT-19")
def fall(table: DTTable, name: str, path: tuple[Dot, ...]) -> Action:
    """Fall prone on the dot flown over, or on the last one before it that can hold the flyer."""
    trooper = table.unit(name)
    ground = DotSurroundings.of(table, trooper)
    spot = next((dot for dot in reversed(path[1:]) if ground.at(ground.landing, dot)), path[0])
    level = int(ground.board.top[ground.board.index(spot)]) if spot != path[0] else trooper["level"]
    changes = {} if trooper["posture"] == "dead" else {"posture": "prone", "place": spot, "level": level}
    yield Event("falls", name, [change_unit(name, **changes)], "DT-19", spot)
    if table.options.fall_damage == "1_lethal_per_level":
        yield from hurt_trooper(table, name, abs(trooper["level"] - level), "lethal", "fall")


# --- the compiler ---


def flight_headings(table: DTTable) -> tuple[Heading, ...]:
    """Return the headings of the search: directions where a flight has to be straight, otherwise none."""
    return (None, *range(6)) if table.options.flight_path == "straight" else (None,)


@clause("DT-8", "DT-11", "DT-12", "DT-13", "DT-16", role="search")
def flight_steps(
    table: DTTable, ground: DotSurroundings, take_off_levels: tuple[int, ...], changes: tuple[int, ...] = (0,)
) -> tuple[list[MoveStep], dict[str, Mask]]:
    """Compile flights from some levels: the take-off with its first dot, every further dot, and the landing.

    `changes` are the counts of changes of posture that a flyer may have made before.
    """
    compiler = _FlightCompiler(table, ground)
    for level in take_off_levels:
        for done in changes:
            compiler.take_off(level, done)
            compiler.fly_on(level, done)
    return compiler.steps, compiler.gates


class _FlightCompiler:
    """Collects the steps of flights and the gates that they pass through."""

    def __init__(self, table: DTTable, ground: DotSurroundings) -> None:
        self.ground, self.board = ground, ground.board
        self.wings = wings_of(table)
        self.ap = int(table.tables["activity.activate_jet_pack"])
        self.straight = table.options.flight_path == "straight"
        self.top = ground.board.top.astype(np.int64)
        self.landings = landing_levels(ground)
        self.steps: list[MoveStep] = []
        self.gates: dict[str, Mask] = {}

    def take_off(self, level: int, done: int) -> None:
        """Compile the first dots: outdoors anywhere, indoors through a window or door, into one, or out of one."""
        ground, board = self.ground, self.board
        # A walk to the take-off ends there, so nobody else stands on that dot, unless no step was taken to it.
        stands = ground.walkable_from_here(level, passing=False)
        outdoors, inside = stands & ~ground.indoors(level), stands & ground.indoors(level)
        windows = ground.windows(level) | board.openings
        not_in = ~ground.indoors(level) & board.present
        here = foot_phase(level, changes=done)
        flights = set(landing_flights(self.wings, level, self.landings))
        for begun in take_offs(self.wings, level):
            for flight in onward(self.wings, begun):
                in_door = replace(flight, door=True)
                limit = highest_top(self.wings, flight)
                low = self._low(limit)
                for way in range(len(DIRECTIONS)):
                    through_window = inside & windows[way] & arrived(not_in & low, way)
                    out = (outdoors & arrived(low, way)) | through_window
                    gate = self._gate(f"take off {way} at level {level} below {limit}", out)
                    if flight in flights:
                        self._add(way, None, here, flight_phase(flight, done), self.ap, gate)
                    if in_door not in flights:
                        continue
                    opening = inside & arrived(board.openings & (ground.indoors(level) | low), way)
                    gate = self._gate(f"opening {way} at level {level} below {limit}", opening)
                    self._add(way, None, here, flight_phase(in_door, done), self.ap, gate)

    def fly_on(self, level: int, done: int) -> None:
        """Compile every dot after the first, and the landings."""
        not_in = ~self.ground.indoors(level) & self.board.present
        flights = dict.fromkeys(landing_flights(self.wings, level, self.landings))
        for flight in flights:
            before = flight_phase(flight, done)
            for after in onward(self.wings, flight):
                if after not in flights:
                    continue
                limit = highest_top(self.wings, after)
                for way in range(len(DIRECTIONS)):
                    over = arrived(self._low(limit), way)
                    gate = self._gate(f"over {way} below {limit}", over)
                    if flight.door:
                        gate = self._gate(f"out {way} from level {level} below {limit}", over & arrived(not_in, way))
                    self._add(way, way, before, flight_phase(after, done), 0, gate)
            for landing in self.ground.levels:
                if may_land(self.wings, flight, landing):
                    gate = self._gate(f"land on level {landing}", self.ground.landing & (self.top == landing))
                    after_ = foot_phase(landing, flown=True, changes=done)
                    for head in range(6) if self.straight else (None,):
                        self.steps.append(MoveStep("land", 0, 0, head, None, before, after_, cost=0, gate=gate))

    def _low(self, limit: int | None) -> Mask:
        present = self.board.present
        return present if limit is None else np.asarray(present & (self.top <= limit))

    def _gate(self, name: str, mask: Mask) -> str:
        self.gates.setdefault(name, mask)
        return name

    def _add(self, way: int, flown: int | None, before: str, after: str, cost: int, gate: str) -> None:
        """Add a dot flown; where a flight has to be straight its direction is the heading of the search."""
        across, down = DIRECTIONS[way]
        before_, after_ = (flown, way) if self.straight else (None, None)
        self.steps.append(MoveStep("fly", down, across, before_, after_, before, after, cost=cost, gate=gate))


def landing_levels(ground: DotSurroundings) -> tuple[int, ...]:
    """Return the levels on which there is room to land."""
    return tuple(level for level in ground.levels if bool((ground.landing & (ground.board.top == level)).any()))


def flight_phases(
    table: DTTable, ground: DotSurroundings, levels: tuple[int, ...], changes: tuple[int, ...] = (0,)
) -> tuple[str, ...]:
    """Return the phases of all flights from some levels that can come down somewhere."""
    wings, landings = wings_of(table), landing_levels(ground)
    return tuple(
        flight_phase(flight, done)
        for level in levels
        for done in changes
        for flight in landing_flights(wings, level, landings)
    )
