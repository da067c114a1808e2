"""Why a trooper cannot end there: every clause in the way of a dot, and the smallest change that would help."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, distance
from simulator.geometry.poses import place_text
from simulator.rulesets.dot_trooper.flight import against_activating, wings_of
from simulator.rulesets.dot_trooper.foot import most_changes
from simulator.rulesets.dot_trooper.movement import can_fly, cap_by_changes
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, off_the_map
from simulator.rulesets.dot_trooper.units import DTTable, ap_left, cap_left
from simulator.rulesets.dot_trooper.why.remedies import Helps, closed_by, smallest_change

Why = tuple[list[Breach], str]
#: The least AP to a dot on one of some levels, with others on the map or alone; None without a way.
Least = Callable[[Dot, Sequence[int], bool], int | None]


def why_not_there(
    table: DTTable,
    trooper: Unit,
    place: Dot,
    level: int | None,
    *,
    walks: bool,
    flies: bool,
    least: Least,
    helps: Helps,
) -> Why:
    """Return every reason why a trooper cannot end on a dot, the main one first, and the smallest change that helps.

    `helps` returns whether the dot is reached with some units gone and a number of AP more.
    """
    ground = DotSurroundings.of(table, trooper)
    reasons = _no_such_place(ground, place, level)
    if reasons:
        return reasons, ""
    levels = ground.board.surfaces_at(place) if level is None else (level,)
    if taken := _taken(ground, place, levels):
        return taken, _remedy(table, trooper, ground, place, 0, helps)
    if not walks:
        reasons = _by_air_alone(table, trooper, ground, place, levels)
        return reasons, _remedy(table, trooper, ground, place, 0, helps)
    ap = least(place, levels, False)
    remedy = _remedy(table, trooper, ground, place, ap or 0, helps)
    grounded = list(against_activating(table, trooper)) if flies and not can_fly(table, trooper) else []
    if ap is not None:
        return [*_limits(table, trooper, place, ap), *grounded], remedy
    is_closed_by_others = least(place, levels, True) is not None
    closed = _by_others(ground, place, remedy) if is_closed_by_others else _by_the_map(place, flies)
    return [closed, *grounded], remedy


@clause("DT-64", "DT-162", "DT-165")
def _remedy(table: DTTable, trooper: Unit, ground: DotSurroundings, place: Dot, ap: int, helps: Helps) -> str:
    """Return the smallest change that helps: no fewer AP than a way takes, no more than the cap lets be spent."""
    left = ap_left(table, trooper)
    more = range(max(1, ap - left), cap_by_changes(table, trooper, most_changes(table)) - left + 1)
    return smallest_change(_nearest_first(ground, place), more, helps)


def _nearest_first(ground: DotSurroundings, place: Dot) -> tuple[str, ...]:
    """Return the units on the map, those nearest to a place first."""
    near = sorted(ground.others, key=lambda other: (distance(other[0], place), other[2]))
    return tuple(dict.fromkeys(name for _, _, name, _ in near))


@clause("DT-5", "DT-15", "DT-164", "DT-167")
def _no_such_place(ground: DotSurroundings, place: Dot, level: int | None) -> list[Breach]:
    at = place_text(place)
    if place not in ground.board:
        return [off_the_map(place)]
    if ground.at(ground.solid, place):
        return [Breach("DT-5", f"{at} is impassable", blocker="an obstacle", place=place)]
    surfaces = ground.board.surfaces_at(place)
    if level is not None and level not in surfaces:
        return [
            Breach("DT-164", f"there is nothing to stand on at level {level} of {at}", level, surfaces, place=place)
        ]
    return []


@clause("DT-165")
def _taken(ground: DotSurroundings, place: Dot, levels: Sequence[int]) -> list[Breach]:
    """Report who stands on each of the levels; nothing if one is free."""
    if any(ground.at(ground.walkable(level, passing=False), place) for level in levels):
        return []
    names = [ground.blocker(place, level) for level in levels]
    message = f"{place_text(place)} is taken by {', '.join(dict.fromkeys(names))}"
    return [Breach("DT-165", message, blocker=names[0], place=place)]


@clause("DT-8", "DT-9", "DT-11", "DT-13", "DT-16")
def _by_air_alone(
    table: DTTable, trooper: Unit, ground: DotSurroundings, place: Dot, levels: Sequence[int]
) -> list[Breach]:
    """Report what keeps a flight from a dot: it lands on top, near enough, low enough, over nothing too high."""
    wings, at = wings_of(table), place_text(place)
    top, away = int(ground.board.top[ground.board.index(place)]), distance(trooper.place, place)
    climb = abs(top - trooper["level"])
    if top not in levels:
        return [Breach("DT-11", f"a flight lands on top of {at}, on level {top}", levels, top, place=place)]
    if not ground.at(ground.landing, place):
        blocker = ground.blocker(place, top)
        return [Breach("DT-16", f"{blocker} is on top of {at}", blocker=blocker, place=place)]
    if away > wings.most:
        message = f"{at} is {away} dots away, a flight has at most {wings.most}"
        return [Breach("DT-8", message, away, wings.most, place=place)]
    if climb > wings.levels_for(wings.most):
        needed = climb * wings.dots_per_level
        message = f"{climb} levels up or down take {needed} dots, a flight has at most {wings.most}"
        return [Breach("DT-13", message, needed, wings.most, place=place)]
    options = table.options
    if away < wings.least and (options.flight_length == "displacement" or options.flight_path == "straight"):
        message = f"{at} is {away} dots away, a flight covers at least {wings.least}"
        return [Breach("DT-9", message, wings.least, away, place=place)]
    if options.flight_path == "no_revisit" and away == 0:
        return [Breach("DT-8", "a flight may not visit a dot twice", place=place)]
    if ground.at(ground.indoors(trooper["level"]), trooper.place):
        message = f"{trooper.id} is indoors, and no flight through a window or door leads to {at}"
        return [Breach("DT-12", message, place=place)]
    message = f"no flight of {wings.least} to {wings.most} dots clears what stands between {trooper.id} and {at}"
    return [Breach("DT-13", message, place=place)]


@clause("DT-165")
def _by_others(ground: DotSurroundings, place: Dot, remedy: str) -> Breach:
    """Report that others close every way on foot to a free dot."""
    names, message = closed_by(_nearest_first(ground, place), remedy, place_text(place))
    return Breach("DT-165", message, blocker=", ".join(names), place=place)


@clause("DT-164")
def _by_the_map(place: Dot, flies: bool) -> Breach:
    """Report that no path leads to a free dot, whatever units stand elsewhere."""
    return Breach(
        "DT-164", f"no path on foot{' or in the air' if flies else ''} leads to {place_text(place)}", place=place
    )


@clause("DT-64", "DT-162")
def _limits(table: DTTable, trooper: Unit, place: Dot, ap: int) -> list[Breach]:
    """Report everything that allows less than a way takes: the AP of the trooper, the cap of the turn."""
    at, left, cap = place_text(place), ap_left(table, trooper), cap_left(table, trooper)
    found = []
    if ap > left:
        found.append(Breach("DT-162", f"{at} takes {ap} AP, {trooper.id} has {left} left", ap, left, place=place))
    if ap > cap:
        found.append(Breach("DT-64", f"{at} takes {ap} AP, the cap of the turn leaves {cap}", ap, cap, place=place))
    if not found:
        message = f"{at} takes more movement than the cap of the turn leaves"
        found.append(Breach("DT-64", message, ap, cap, place=place))
    return found
