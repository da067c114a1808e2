"""Movement on foot: dots, stairs and ladders, lying down and standing up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import DIRECTIONS, Dot, distance
from simulator.geometry.poses import place_text
from simulator.pathing.move_space import Mask, MoveStep
from simulator.rulesets.dot_trooper.fire import shots_at_walker
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, direction_to, not_adjacent, off_the_map
from simulator.rulesets.dot_trooper.units import DTTable, ap_left, cap_left
from simulator.wording import with_article

POSTURES = ("standing", "prone")


@clause("DT-164", role="figure")
def dot_cost(table: DTTable, posture: str, levels: int = 0) -> int:
    """Return the AP of a dot on foot in a posture, climbing or descending `levels` levels."""
    return int(table.tables[f"foot.{posture}"] + levels * table.tables["foot.level"])


# --- the judge ---


@clause("DT-4", "DT-164", "DT-165", "DT-167", role="judge")
def against_step(ground: DotSurroundings, dot: Dot, level: int, other: Dot, to_level: int) -> Iterator[Breach]:
    """Yield what keeps a trooper from stepping to an adjacent dot at a level."""
    if distance(dot, other) != 1:
        yield not_adjacent(dot, other)
        return
    if other not in ground.board:
        yield off_the_map(other)
        return
    barrier = ground.barrier_at(dot, other, level)
    climbs = (dot, level, other, to_level) in set(ground.climbs())
    if barrier in ("wall", "window") and not climbs:
        message = f"{with_article(barrier)} is in the way to {place_text(other)}"
        yield Breach("DT-5", message, blocker=barrier, place=other)
    if ground.at(ground.solid, other):
        yield Breach("DT-5", f"{place_text(other)} is impassable", blocker="an obstacle", place=other)
    elif not ground.at(ground.surface(to_level), other):
        yield Breach("DT-164", f"there is nothing to stand on at level {to_level}", place=other)
    elif to_level != level and not climbs:
        yield Breach("DT-164", f"no stairs or ladder lead to level {to_level}", to_level, level, place=other)
    elif not ground.at(ground.walkable(to_level), other):
        blocker = ground.blocker(other, to_level)
        yield Breach("DT-165", f"{blocker} is in the way at {place_text(other)}", blocker=blocker, place=other)


@clause("DT-164", role="judge")
def against_afoot(trooper: Unit) -> Iterator[Breach]:
    """Yield why a trooper cannot walk at all: only one that stands or lies on its own can."""
    if trooper["posture"] not in POSTURES:
        yield Breach("DT-164", f"{trooper.id} is {trooper['posture']}", POSTURES, trooper["posture"])


@clause("DT-64", "DT-162", "DT-164", role="judge")
def against_walking(table: DTTable, order: Order) -> Iterator[Breach]:
    """Yield every reason why an order to walk is forbidden."""
    trooper = table.unit(order.unit)
    if trooper["posture"] not in POSTURES:
        yield from against_afoot(trooper)
        return
    ground = DotSurroundings.of(table, trooper)
    dot, level, posture = trooper.place, trooper["level"], trooper["posture"]
    spent = moved = 0
    for element in order.elements:
        if element.name == "step":
            other, to_level = element["to"], element.get("level", level)
            faults = list(against_step(ground, dot, level, other, to_level))
            yield from faults
            if faults:
                return
            price = dot_cost(table, posture, abs(to_level - level))
            spent, moved = spent + price, moved + price
            dot, level = other, to_level
        else:
            new_posture = "prone" if element.name == "lie_down" else "standing"
            if posture == new_posture:
                yield Breach("DT-164", f"{trooper.id} is already {posture}")
            posture, spent = new_posture, spent + int(table.tables["foot.posture"])
    if order.get("level", level) != level:
        yield Breach("DT-164", f"the walk ends on level {level}", order["level"], level, place=dot)
    yield from against_spending(table, trooper, spent, moved)
    stayed = not any(element.name == "step" for element in order.elements)
    if not stayed and not ground.at(ground.walkable(level, passing=False), dot):
        yield Breach(
            "DT-165", f"{ground.blocker(dot, level)} stands there", blocker=ground.blocker(dot, level), place=dot
        )


@clause("DT-64", "DT-162", role="judge")
def against_spending(table: DTTable, trooper: Unit, spent: int, moved: int) -> Iterator[Breach]:
    """Yield which limits a walk exceeds: the AP left, and the cap on movement of the turn."""
    left = ap_left(table, trooper)
    if spent > left:
        yield Breach("DT-162", f"{spent} AP, {trooper.id} has {left} left", spent, left)
    counted = spent if table.options.cap_counts == "all_activities" else moved
    if counted > (cap := cap_left(table, trooper)):
        what = "activities" if table.options.cap_counts == "all_activities" else "movement"
        yield Breach("DT-64", f"{counted} AP of {what}, the cap leaves {cap}", counted, cap)


# --- in play ---


def paid(trooper: Unit, spent: int, moved: int = 0) -> dict[str, int]:
    """Return the fields of a trooper who has spent AP, some of them on movement."""
    return {"ap_spent": trooper["ap_spent"] + spent, "movement_spent": trooper["movement_spent"] + moved}


@clause("DT-97", "DT-164", role="play")
def walk(table: DTTable, order: Order) -> Action:
    """Walk as far as it goes; whoever is stopped on the dot of a friend backs off to where they may stay."""
    trooper = table.unit(order.unit)
    spots = [(trooper.place, trooper["level"])]
    yield from _walk_on(table, order, spots)
    yield from _back_off(table, order.unit, spots)


@clause("DT-165", role="play")
def _back_off(table: DTTable, name: str, spots: list[tuple[Dot, int]]) -> Action:
    """Take a walker back along its way to the last dot that nobody else is on; where it set out it may always stay."""
    trooper = table.unit(name)
    if trooper["posture"] not in POSTURES:
        return
    ground = DotSurroundings.of(table, trooper)
    free = (spot for spot in reversed(spots[1:]) if ground.at(ground.walkable(spot[1], passing=False), spot[0]))
    dot, level = next(free, spots[0])
    if (dot, level) != spots[-1]:
        yield Event("backs off", name, [change_unit(name, place=dot, level=level)], "DT-165", dot)


def _walk_on(table: DTTable, order: Order, spots: list[tuple[Dot, int]]) -> Action:
    """Walk dot by dot, with enemy fire from the arcs moved into; a hit may leave too few AP to continue."""
    fired: tuple[str, ...] = ()
    for element in order.elements:
        trooper = table.unit(order.unit)
        if element.name == "step":
            to_level = element.get("level", trooper["level"])
            levels = abs(to_level - trooper["level"])
            price = [LedgerLine(f"a dot {trooper['posture']}", 1, dot_cost(table, trooper["posture"]), "AP", "DT-164")]
            if levels:
                price.append(LedgerLine("levels", levels, table.tables["foot.level"], "AP", "DT-164"))
            ap = dot_cost(table, trooper["posture"], levels)
            if ap > ap_left(table, trooper):
                return
            changes = [change_unit(trooper.id, place=element["to"], level=to_level, **paid(trooper, ap, ap))]
            yield Event("step", trooper.id, changes, "DT-164", element["to"], price)
            spots.append((element["to"], to_level))
        else:
            posture = "prone" if element.name == "lie_down" else "standing"
            ap = int(table.tables["foot.posture"])
            if ap > ap_left(table, trooper):
                return
            price = [LedgerLine(posture, 1, ap, "AP", "DT-164")]
            changes = [change_unit(trooper.id, posture=posture, **paid(trooper, ap))]
            yield Event("posture", trooper.id, changes, "DT-164", trooper.place, price)
        fired = yield from shots_at_walker(table, order.unit, fired)
        if table.unit(order.unit)["posture"] not in POSTURES:
            return


# --- the compiler ---


@clause("DT-64", "DT-164")
def most_changes(table: DTTable) -> int:
    """Compute how many changes of posture can help: up, and down again at the end.

    Where crawling is cheaper than walking, they pay before a flight and after it: down and up, twice.
    """
    return 4 if table.tables["foot.prone"] < table.tables["foot.standing"] else 2


def foot_phase(level: int, posture: str = "standing", flown: bool = False, changes: int = 0) -> str:
    """Name a phase of a trooper on foot: the level, the posture, whether its one flight is over.

    Changes of posture are counted where it matters that their AP are no movement (DT-64).
    """
    words = [f"level {level}"]
    if posture != "standing":
        words.append(posture)
    if flown:
        words.append("flown")
    if changes:
        words.append(f"posture changed {changes} times")
    return ", ".join(words)


def level_of_phase(phase: str) -> int:
    """Return the level of a phase on foot.

    >>> level_of_phase("level 2, prone, flown")
    2
    """
    return int(phase.split(",")[0].removeprefix("level "))


def levels_of_phases(phases: Iterable[str]) -> NDArray[Any]:
    """Return on which level each phase stands, for numpy; None in the air, where nothing ends."""
    levels = [level_of_phase(phase) if phase.startswith("level ") else None for phase in phases]
    return np.array(levels, object)


def posture_of_phase(phase: str) -> str:
    """Return the posture of a phase on foot."""
    return "prone" if "prone" in phase.split(", ") else "standing"


def changes_of_phase(phase: str) -> int:
    """Compute how often the posture was changed, where that is counted."""
    return next((int(word.split(" ")[2]) for word in phase.split(", ") if word.startswith("posture changed")), 0)


def foot_phases(ground: DotSurroundings, flown: bool, most_changes: int) -> tuple[str, ...]:
    """Return all phases on foot."""
    return tuple(
        foot_phase(level, posture, flown, changes)
        for changes in range(most_changes + 1)
        for level in ground.levels
        for posture in POSTURES
    )


@clause("DT-164", "DT-165", role="search")
def foot_steps(
    table: DTTable, ground: DotSurroundings, flown: bool, most_changes: int
) -> tuple[list[MoveStep], dict[str, Mask]]:
    """Compile walking: steps on each level, stairs and ladders between them, changes of posture."""
    steps: list[MoveStep] = []
    gates: dict[str, Mask] = {}
    ap = int(table.tables["foot.posture"])
    for level in ground.levels:
        walks = ground.walks(level) & ground.surface(level)
        for way, (across, down) in enumerate(DIRECTIONS):
            name = f"walk {way} on level {level}"
            gates[name] = np.asarray(walks[way])
            for posture in POSTURES:
                cost = dot_cost(table, posture)
                phases = (foot_phase(level, posture, flown, done) for done in range(most_changes + 1))
                steps += [MoveStep("step", down, across, None, None, phase, phase, cost, gate=name) for phase in phases]
        for done in range(max(most_changes, 1)):
            after = done + 1 if most_changes else done
            for name, posture, then in (("lie_down", "standing", "prone"), ("stand_up", "prone", "standing")):
                before_, after_ = foot_phase(level, posture, flown, done), foot_phase(level, then, flown, after)
                steps.append(MoveStep(name, 0, 0, from_phase=before_, to_phase=after_, cost=ap))
    climbs = _climb_gates(ground)
    for (way, low, high), gate in climbs.items():
        name = f"climb {way} from level {low} to {high}"
        gates[name] = gate
        across, down = DIRECTIONS[way]
        for posture in POSTURES:
            cost = dot_cost(table, posture, abs(high - low))
            for done in range(most_changes + 1):
                before, upstairs = (foot_phase(level, posture, flown, done) for level in (low, high))
                steps.append(MoveStep("step", down, across, from_phase=before, to_phase=upstairs, cost=cost, gate=name))
    return steps, gates


def _climb_gates(ground: DotSurroundings) -> dict[tuple[int, int, int], Mask]:
    """Compute, for each direction and pair of levels, the dots from which stairs or a ladder connect them."""
    gates: dict[tuple[int, int, int], Mask] = {}
    for dot, low, other, high in ground.climbs():
        if low in ground.levels and high in ground.levels:
            way = direction_to(dot, other), low, high
            gate = gates.setdefault(way, np.zeros(ground.board.shape, np.bool_))
            gate[ground.board.index(dot)] = True
    return gates


def foot_masks(ground: DotSurroundings, flown: bool, most_changes: int) -> tuple[dict[str, Mask], dict[str, Mask]]:
    """Compute, for each phase on foot, where a trooper may pass and where it may stay."""
    walkable = ground.walkable if flown else ground.walkable_from_here
    of_level = {level: (walkable(level), walkable(level, passing=False)) for level in ground.levels}
    phases = [(phase, of_level[level_of_phase(phase)]) for phase in foot_phases(ground, flown, most_changes)]
    return {phase: through for phase, (through, _) in phases}, {phase: stay for phase, (_, stay) in phases}
